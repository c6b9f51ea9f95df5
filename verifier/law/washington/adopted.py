"""Checks of twenty-one and of the manual that judge the proposals' clauses too."""

from __future__ import annotations

from verifier.law.checks import decks, doubles, shoe, total
from verifier.law.manual import clauses as hm
from verifier.law.manual import deal, dealer, decisions
from verifier.law.registry import WASHINGTON, adopt
from verifier.law.washington import clauses as wa

adopt(("wa-blackjack-a",), decks.cards_per_shoe, {decks.DECKS: wa.DECKS_A})
adopt(("wa-blackjack-b",), decks.cards_per_shoe, {decks.DECKS: wa.DECKS_B})
adopt(
    WASHINGTON,
    total.miscount,
    {
        total.PLAYBACK: wa.VALUES,
        total.VALUES: wa.VALUES,
        total.HIGHEST: wa.COMPARE,
    },
)
adopt(WASHINGTON, deal.dealt_in_order, {hm.ORDER: wa.DEAL, hm.CLOCKWISE: wa.DEAL})
adopt(WASHINGTON, deal.faces, {hm.ORDER: wa.DEAL, hm.FACE_UP: wa.HITS_UP})
adopt(WASHINGTON, decisions.turns_from_the_left, {hm.TURNS: wa.PLAY_LEFT})
adopt(WASHINGTON, dealer.dealer_stands, {hm.DRAW: wa.STAND_17, hm.STAND_OPTION: wa.SOFT_17})
adopt(WASHINGTON, dealer.dealer_hits, {hm.DRAW: wa.STAND_17, hm.STAND_OPTION: wa.SOFT_17})
adopt(WASHINGTON, doubles.double_eligible, {doubles.DOUBLE_ONE: wa.DOUBLE})
adopt(WASHINGTON, shoe.cut_offered, {shoe.CUT: wa.RIGHT_CUTS})
