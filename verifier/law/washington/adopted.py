"""Checks of twenty-one and of the manual that judge the proposals' clauses too."""

from __future__ import annotations

from verifier.law.manual import clauses as hm
from verifier.law.manual import deal, dealer, decisions
from verifier.law.nd_twenty_one.s08_02 import sub03_decks
from verifier.law.nd_twenty_one.s08_08 import sub01_shuffle_and_cut
from verifier.law.nd_twenty_one.s08_09 import sub02d_doubles
from verifier.law.nd_twenty_one.s08_11 import sub12_settlement
from verifier.law.nd_twenty_one.s08_12 import sub12_miscount
from verifier.law.registry import WASHINGTON, adopt
from verifier.law.washington import clauses as wa

adopt(("wa-blackjack-a",), sub03_decks.cards_per_shoe, {sub03_decks.DECKS: wa.DECKS_A})
adopt(("wa-blackjack-b",), sub03_decks.cards_per_shoe, {sub03_decks.DECKS: wa.DECKS_B})
adopt(
    WASHINGTON,
    sub12_miscount.miscount,
    {
        sub12_miscount.PLAYBACK: wa.VALUES,
        sub12_miscount.VALUES: wa.VALUES,
        sub12_settlement.HIGHEST: wa.COMPARE,
    },
)
adopt(WASHINGTON, sub12_settlement.half_told, {sub12_settlement.HIGHEST: wa.COMPARE})
adopt(WASHINGTON, deal.dealt_in_order, {hm.ORDER: wa.DEAL, hm.CLOCKWISE: wa.DEAL})
adopt(WASHINGTON, deal.faces, {hm.ORDER: wa.DEAL, hm.FACE_UP: wa.HITS_UP})
adopt(WASHINGTON, decisions.turns_from_the_left, {hm.TURNS: wa.PLAY_LEFT})
adopt(WASHINGTON, dealer.dealer_stands, {hm.DRAW: wa.STAND_17, hm.STAND_OPTION: wa.SOFT_17})
adopt(WASHINGTON, dealer.dealer_hits, {hm.DRAW: wa.STAND_17, hm.STAND_OPTION: wa.SOFT_17})
adopt(WASHINGTON, sub02d_doubles.double_eligible, {sub02d_doubles.DOUBLE_ONE: wa.DOUBLE})
adopt(WASHINGTON, sub01_shuffle_and_cut.cut_offered, {sub01_shuffle_and_cut.CUT: wa.RIGHT_CUTS})
