"""Checks of twenty-one that judge the manual's clauses too."""

from __future__ import annotations

from verifier.law.manual import clauses as hm
from verifier.law.nd_twenty_one.s08_08 import sub01_shuffle_and_cut
from verifier.law.nd_twenty_one.s08_09 import sub02c_splits, sub02d_doubles
from verifier.law.nd_twenty_one.s08_11 import sub02_cards_touched, sub17_pickup
from verifier.law.registry import MANUAL, adopt

adopt(MANUAL, sub02c_splits.split_eligible, {sub02c_splits.ELIGIBLE: hm.SPLIT})
adopt(MANUAL, sub02c_splits.split_equal, {sub02c_splits.SPLIT_EQUAL: hm.SPLIT})
adopt(MANUAL, sub02c_splits.split_played, {sub02c_splits.ACES: hm.ACES_ONE})
adopt(
    MANUAL, sub02d_doubles.double_eligible, {sub02d_doubles.DOUBLE: hm.DOUBLE, sub02d_doubles.DOUBLE_ONE: hm.DOUBLE_ONE}
)
adopt(MANUAL, sub02d_doubles.double_amount, {sub02d_doubles.AMOUNT: hm.DOUBLE})
adopt(MANUAL, sub17_pickup.dealer_cards_last, {sub17_pickup.DEALER_LAST: hm.DEALER_LAST})
adopt(MANUAL, sub01_shuffle_and_cut.cut_offered, {sub01_shuffle_and_cut.CUT: hm.LOAD})
adopt(MANUAL, sub01_shuffle_and_cut.shuffled_before_shoe, {sub01_shuffle_and_cut.SHUFFLED: hm.LOAD})
adopt(MANUAL, sub02_cards_touched.card_switched, {sub02_cards_touched.SWITCHED: hm.HANDLING})
adopt(MANUAL, sub02_cards_touched.card_replaced, {sub02_cards_touched.SWITCHED: hm.HANDLING})
