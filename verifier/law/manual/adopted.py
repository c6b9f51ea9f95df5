"""Checks of twenty-one that judge the manual's clauses too; `SHARED_PLAY` names the clause there."""

from __future__ import annotations

from typing import Final

from verifier.domain.shared_play import SHARED_PLAY
from verifier.law.manual.clauses import WIN
from verifier.law.nd_twenty_one.s08_08 import sub01_shuffle_and_cut
from verifier.law.nd_twenty_one.s08_09 import sub02c_splits, sub02d_doubles
from verifier.law.nd_twenty_one.s08_11 import sub02_cards_touched, sub12_settlement, sub17_pickup
from verifier.law.registry import MANUAL, RoundCheck, SessionCheck, adopt

_SHARED: Final = SHARED_PLAY["house-manual"]


def _adopt(function: RoundCheck | SessionCheck, *clauses: str) -> None:
    """Let a check of twenty-one judge the manual's counterparts of `clauses`."""
    adopt(MANUAL, function, {clause: _SHARED[clause] for clause in clauses})


_adopt(sub02c_splits.split_eligible, sub02c_splits.ELIGIBLE)
_adopt(sub02c_splits.split_equal, sub02c_splits.SPLIT_EQUAL)
_adopt(sub02c_splits.split_played, sub02c_splits.ACES)
_adopt(sub02d_doubles.double_eligible, sub02d_doubles.DOUBLE, sub02d_doubles.DOUBLE_ONE)
_adopt(sub02d_doubles.double_amount, sub02d_doubles.AMOUNT)
_adopt(sub17_pickup.dealer_cards_last, sub17_pickup.DEALER_LAST)
_adopt(sub17_pickup.none_left_lying, sub17_pickup.PICKUP, sub17_pickup.DEALER_LAST)
adopt(MANUAL, sub12_settlement.half_told, {sub12_settlement.HIGHEST: WIN})
_adopt(sub01_shuffle_and_cut.cut_offered, sub01_shuffle_and_cut.CUT)
_adopt(sub01_shuffle_and_cut.shuffled_before_shoe, sub01_shuffle_and_cut.SHUFFLED)
_adopt(sub02_cards_touched.card_switched, sub02_cards_touched.SWITCHED)
_adopt(sub02_cards_touched.card_replaced, sub02_cards_touched.SWITCHED)
