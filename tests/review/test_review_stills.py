"""Stills: what was seen is drawn where it was seen, by layers."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from verifier.domain.doubt import SURE
from verifier.domain.observations import BillSeen, CardSeen, ChipSeen, CutCardSeen, HandSeen, Observation
from verifier.review.stills import draw_over, hand_words

SEEN = Observation(
    t=1.0,
    cards=[CardSeen(face="up", p=0.9, rank="K", suit="h", quad=((50, 60), (90, 60), (90, 116), (50, 116)))],
    chips=[ChipSeen(colour="red", cents=500, p=0.9, center=(200.0, 90.0), radius=12.0)],
    hands=[HandSeen(owner="dealer", side="left", facing="back", p=0.9, box=(300.0, 60.0, 360.0, 140.0))],
    bills=[BillSeen(p=0.9, quad=((520, 40), (620, 40), (620, 82), (520, 82)), face="down", cents=2000)],
    cut_cards=[CutCardSeen(p=0.9, quad=((450, 60), (490, 60), (490, 116), (450, 116)))],
)
PLACES = {"card": (50, 90), "chip": (212, 90), "hand": (300, 100), "indicator": (450, 90), "bill": (620, 60)}


@pytest.mark.parametrize(
    ("layers", "drawn"),
    [
        (frozenset(), set()),
        (frozenset({"cards"}), {"card", "indicator"}),
        (frozenset({"chips"}), {"chip"}),
        (frozenset({"hands"}), {"hand"}),
        (frozenset({"bills"}), {"bill"}),
    ],
    ids=["none", "cards", "chips", "hands", "bills"],
)
def test_each_layer_draws_its_own(layers: frozenset[str], drawn: set[str]) -> None:
    table = np.full((180, 640, 3), 60, np.uint8)
    over = draw_over(table, SEEN, None, None, layers)
    assert {name for name, (x, y) in PLACES.items() if (over[y, x] != 60).any()} == drawn


def test_where_nobody_looked_for_cut_cards_or_bills_the_rest_is_drawn() -> None:
    table = np.full((180, 640, 3), 60, np.uint8)
    bare = Observation(t=1.0, cards=SEEN.cards)
    assert (draw_over(table, bare, None, None, frozenset({"cards", "bills"})) != table).any()


@pytest.mark.parametrize(
    ("p", "words"), [(SURE, "dealer left hand palm 5 fingers"), (0.89, "dealer left? hand palm? 5 fingers?")]
)
def test_what_is_in_doubt_of_a_hand_has_a_question_mark(p: float, words: str) -> None:
    hand = replace(SEEN.hands[0], facing="palm", fingers=5)
    assert hand_words(hand) == "dealer left hand palm 5 fingers"
    doubtful = replace(hand, sides={"left": p}, facings={"palm": p}, finger_counts={"5": p})
    assert hand_words(doubtful) == words
