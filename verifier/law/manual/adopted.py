"""Checks of twenty-one that judge the manual's clauses too."""

from __future__ import annotations

from verifier.law.checks import doubles, inactive, pickup, shoe, splits
from verifier.law.manual import clauses as hm
from verifier.law.registry import MANUAL, adopt

adopt(MANUAL, splits.split_eligible, {splits.ELIGIBLE: hm.SPLIT})
adopt(MANUAL, splits.split_equal, {splits.SPLIT_EQUAL: hm.SPLIT})
adopt(MANUAL, splits.split_played, {splits.ACES: hm.ACES_ONE})
adopt(MANUAL, doubles.double_eligible, {doubles.DOUBLE: hm.DOUBLE, doubles.DOUBLE_ONE: hm.DOUBLE_ONE})
adopt(MANUAL, doubles.double_amount, {doubles.AMOUNT: hm.DOUBLE})
adopt(MANUAL, pickup.dealer_cards_last, {pickup.DEALER_LAST: hm.DEALER_LAST})
adopt(MANUAL, shoe.cut_offered, {shoe.CUT: hm.LOAD})
adopt(MANUAL, shoe.shuffled_before_shoe, {shoe.SHUFFLED: hm.LOAD})
adopt(MANUAL, inactive.card_switched, {inactive.SWITCHED: hm.HANDLING})
adopt(MANUAL, inactive.card_replaced, {inactive.SWITCHED: hm.HANDLING})
