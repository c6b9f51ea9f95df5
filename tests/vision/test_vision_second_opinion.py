"""A card that cannot be read where the detector for recordings boxes it is looked for by the one for photos."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from vision_fakes import Kings, detection

from verifier.domain.cards import RANKS
from verifier.vision.detection import Detection
from verifier.vision.geometry import Floats
from verifier.vision.looker import Looker
from verifier.vision.readers import CardReading
from verifier.vision.second_opinion import (
    ASKED_AGAIN,
    DOUBLED,
    LEAST_INSIDE,
    MOST_OF_WHOLE,
    MOST_TIMES,
    SecondOpinion,
)

STEP = 2 / 15
PICTURE = np.zeros((400, 500, 3), np.uint8)
WHOLE = (200, 200, 60, 100)
"""Where a card lies: its middle, width and height."""
LOWER, UPPER = (200, 225, 50, 60), (200, 175, 50, 60)
"""Boxes of its parts."""


class WholeCards(Kings):
    """Reads a six in boxes as high as the whole card, and nothing in smaller ones, unless `parts` are read too."""

    def __init__(self, parts: bool = False) -> None:
        self.parts = parts

    def cards(self, picture: np.ndarray, found: Sequence[Floats]) -> list[CardReading]:
        return [self._read(quad) for quad in found]

    def _read(self, quad: Floats) -> CardReading:
        whole = self.parts or np.ptp(quad[:, 1]) >= WHOLE[3] - 5
        ranks = {rank: 0.97 if rank == "6" else 0.03 / 12 for rank in RANKS}
        return CardReading(ranks, {"s": 0.97, "c": 0.03}, 0.01 if whole else 0.7)


class Photos:
    """The other detector: finds the same cards (x, y, w, h in the picture) whatever it is asked; counts that."""

    def __init__(self, *cards: tuple[int, int, int, int], p: float = 0.98) -> None:
        self.cards, self.p, self.asked = cards, p, 0

    def detect(self, picture: np.ndarray, long_side: int | None = None) -> list[Detection]:
        self.asked += 1
        return [detection("card_up", x, y, w, h, self.p) for x, y, w, h in self.cards]


def looks(readers: Kings, photos: Photos | None, *boxes: tuple[int, int, int, int], seconds: float = 1.0):  # type: ignore[no-untyped-def]
    """Return the cards that are told after some seconds in which the first detector gives the same boxes."""
    looker = Looker(readers, SecondOpinion(photos, readers) if photos else None)  # type: ignore[arg-type]
    found = [detection("card_up", *box) for box in boxes]
    for n in range(round(seconds / STEP) + 1):
        seen = looker.look(n * STEP, PICTURE, found)
    return seen.cards


def height(card) -> float:  # type: ignore[no-untyped-def]
    return max(y for _, y in card.quad) - min(y for _, y in card.quad)


@pytest.fixture(autouse=True)
def _the_window_is_the_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verifier.vision.second_opinion.REACH", 100.0)


def test_half_of_a_card_is_told_as_the_whole_card_that_the_other_detector_finds() -> None:
    (alone,) = looks(WholeCards(), None, LOWER)
    assert (alone.rank, height(alone)) == (None, 60)
    (card,) = looks(WholeCards(), Photos(WHOLE), LOWER)
    assert (card.rank, card.suit, height(card)) == ("6", "s", 100)


def test_two_halves_of_one_card_are_one_card() -> None:
    assert len(looks(WholeCards(), None, LOWER, UPPER)) == 2
    (card,) = looks(WholeCards(), Photos(WHOLE), LOWER, UPPER)
    assert (card.rank, height(card)) == ("6", 100)


@pytest.mark.parametrize(("gap", "cards"), [(22, 1), (28, 2)], ids=["far over each other", "less far"])
def test_two_halves_that_read_alike_are_one_card_where_their_boxes_overlap(gap: int, cards: int) -> None:
    """Each is 60 high: 60 minus twice the gap is what they share."""
    assert ((60 - 2 * (gap - 5)) / 60 >= DOUBLED) == (cards == 1)
    halves = [(200, 200 - gap + 5, 50, 60), (200, 200 + gap - 5, 50, 60)]
    assert len(looks(WholeCards(parts=True), Photos(WHOLE), *halves)) == cards


def test_a_pair_one_card_over_the_other_stays_two_cards() -> None:
    over = (220, 240, 60, 100)
    told = looks(WholeCards(parts=True), Photos(WHOLE, over), WHOLE, over)
    assert [card.rank for card in told] == ["6", "6"]
    assert len(looks(WholeCards(parts=True), Photos(WHOLE), WHOLE, over)) == 2  # it may miss the covered one


@pytest.mark.parametrize("more", [-2, 2])
def test_a_box_of_nearly_the_whole_card_is_no_part_of_it(more: int) -> None:
    """The boxes of two detectors around one card differ by some hundredths."""
    share = (100 * MOST_OF_WHOLE + more) / 100
    part = (200, 205, 60, round(100 * share))
    told = looks(WholeCards(), Photos(WHOLE), WHOLE, part)
    assert len(told) == (1 if more < 0 else 2)


@pytest.mark.parametrize(("aside", "told"), [(-1, True), (1, False)])
def test_a_card_that_lies_mostly_beside_the_box_tells_nothing_of_it(aside: int, told: bool) -> None:
    box = (200 + round(50 * (1 - LEAST_INSIDE)) + aside + 5, 215, 50, 60)  # 5: the whole is wider by so much
    (card,) = looks(WholeCards(), Photos(WHOLE), box)
    assert (card.rank == "6") is told


def test_a_box_in_which_no_face_is_read_plainly_tells_nothing() -> None:
    (card,) = looks(WholeCards(), Photos((200, 210, 60, 80)), LOWER)
    assert (card.rank, height(card)) == (None, 60)


def test_what_is_read_surely_is_not_asked_about() -> None:
    photos = Photos(WHOLE)
    looks(WholeCards(), photos, WHOLE)
    assert photos.asked == 0


def test_a_card_that_moves_is_not_asked_about() -> None:
    photos = Photos(WHOLE)
    looker = Looker(WholeCards(), SecondOpinion(photos, WholeCards()))  # type: ignore[arg-type]
    for n in range(12):
        looker.look(n * STEP, PICTURE, [detection("card_up", 100 + 20 * n, 200, 50, 60)])
    assert photos.asked == 0


@pytest.mark.parametrize("seconds", [0.5, 1.0, 60.0])
def test_one_asks_seldom_while_nothing_better_is_told(seconds: float) -> None:
    photos = Photos()
    looks(WholeCards(), photos, LOWER, seconds=seconds)
    assert photos.asked == min(MOST_TIMES, 1 + int((seconds - 0.4) / ASKED_AGAIN))


def test_the_box_that_was_told_holds_until_the_card_moves() -> None:
    readers = WholeCards()
    looker = Looker(readers, SecondOpinion(Photos(WHOLE), readers))  # type: ignore[arg-type]
    for n in range(12):
        (card,) = looker.look(n * STEP, PICTURE, [detection("card_up", *LOWER)]).cards
    assert height(card) == 100
    (moved,) = looker.look(12 * STEP, PICTURE, [detection("card_up", 200, 265, 50, 60)]).cards
    assert height(moved) == 60
