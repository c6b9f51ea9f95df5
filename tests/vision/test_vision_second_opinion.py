"""A card that cannot be read where the detector for recordings boxes it is looked for by the one for photos."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest
from vision_fakes import Kings, detection

from verifier.domain.cards import RANKS
from verifier.domain.observations import CardSeen
from verifier.vision.card_size import FEWEST, OF_A_CARD
from verifier.vision.detection import Detection
from verifier.vision.geometry import Floats
from verifier.vision.looker import Looker
from verifier.vision.readers import CardReading
from verifier.vision.second_opinion import (
    ASKED_AGAIN,
    COVERED,
    DOUBLED,
    LEAST_P,
    LEAST_SHARED,
    MOST_OF_WHOLE,
    MOST_TIMES,
    REACH,
    SecondOpinion,
)

STEP = 2 / 15
PICTURE = np.zeros((400, 500, 3), np.uint8)
WHOLE = (200, 200, 63, 88)
"""Where a card lies: its middle, width and height."""
LOWER = (200, 218, 52, 52)
"""The box of a part of it."""
LONE = [(x, y, 63, 88) for x, y in ((50, 50), (450, 50), (50, 350), (450, 350))]
"""Other cards of the table, which the other detector finds as well; they tell how large a card is."""


class WholeCards(Kings):
    """Reads a six in boxes as high as the whole card, and nothing in smaller ones, unless `parts` are read too."""

    def __init__(self, parts: bool = False) -> None:
        self.parts = parts

    def cards(self, picture: np.ndarray, found: Sequence[Floats]) -> list[CardReading]:
        return [self._read(quad) for quad in found]

    def _read(self, quad: Floats) -> CardReading:
        whole = self.parts or np.ptp(quad[:, 1]) >= WHOLE[3] - 3
        ranks = {rank: 0.97 if rank == "6" else 0.03 / 12 for rank in RANKS}
        return CardReading(ranks, {"s": 0.97, "c": 0.03}, 0.01 if whole else 0.7)


class Photos:
    """The other detector: finds the same `cards` (x, y, w, h in the picture) whenever it is asked, and `lone` ones."""

    def __init__(self, *cards: tuple[float, float, float, float], lone: int = len(LONE), p: float = 0.98) -> None:
        self.cards, self.asked, self.p = [*cards, *LONE[:lone]], 0, p

    def detect(self, picture: np.ndarray, long_side: int | None = None) -> list[Detection]:
        self.asked += 1
        return [detection("card_up", x, y, w, h, self.p) for x, y, w, h in self.cards]


def looks(
    readers: Kings, photos: Photos | None, *boxes: tuple[float, float, float, float], seconds: float = 1.0
) -> list[CardSeen]:
    """Return the cards that are told after some seconds in which the first detector gives the same boxes."""
    looker = Looker(readers, SecondOpinion(photos, readers) if photos else None)  # type: ignore[arg-type]
    found = [detection("card_up", *box) for box in boxes]
    for n in range(round(seconds / STEP) + 1):
        seen = looker.look(n * STEP, PICTURE, found)
    return seen.cards


def height(card: CardSeen) -> float:
    return max(y for _, y in card.quad) - min(y for _, y in card.quad)


@pytest.fixture(autouse=True)
def _the_window_is_the_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verifier.vision.second_opinion.REACH", 100.0)


def test_half_of_a_card_is_told_as_the_whole_card_that_the_other_detector_finds() -> None:
    (alone,) = looks(WholeCards(), None, LOWER)
    assert (alone.rank, height(alone)) == (None, 52)
    (card,) = looks(WholeCards(), Photos(WHOLE), LOWER)
    assert (card.rank, card.suit, height(card)) == ("6", "s", 88)


@pytest.mark.parametrize("size", [52, 62])
def test_two_halves_of_one_card_are_one_card(size: int) -> None:
    """The larger ones are so like the whole card that either might pass for the box of it."""
    halves = [(200, 182, size, size), (200, 218, size, size)]
    assert len(looks(WholeCards(), None, *halves)) == 2
    (card,) = looks(WholeCards(), Photos(WHOLE), *halves)
    assert (card.rank, height(card)) == ("6", 88)


@pytest.mark.parametrize(("off", "cards"), [(15, 1), (17, 2)])
def test_two_halves_that_read_alike_are_one_card_where_their_boxes_overlap(off: int, cards: int) -> None:
    assert ((52 - 2 * off) / 52 >= DOUBLED) == (cards == 1)
    halves = [(200, 200 - off, 52, 52), (200, 200 + off, 52, 52)]
    assert len(looks(WholeCards(parts=True), Photos(WHOLE), *halves)) == cards


@pytest.mark.parametrize("found", [2, 1], ids=["it finds both", "it misses the covered one"])
def test_a_pair_one_card_over_the_other_stays_two_cards(found: int) -> None:
    pair = [WHOLE, (218, 225, 63, 88)]
    told = looks(WholeCards(parts=True), Photos(*pair[:found]), *pair)
    assert [card.rank for card in told] == ["6", "6"]


def test_a_pair_that_the_other_detector_boxes_as_one_card_stays_two_cards() -> None:
    pair = [(190, 200, 63, 88), (209, 200, 63, 88)]
    told = looks(WholeCards(parts=True), Photos((199.5, 200, 82, 88)), *pair)
    assert [card.rank for card in told] == ["6", "6"]


@pytest.mark.parametrize("more", [-2, 2])
def test_a_box_of_nearly_the_whole_card_is_no_part_of_it(more: int) -> None:
    """The boxes of two detectors around one card differ by some hundredths."""
    share = MOST_OF_WHOLE + more / 100
    part = (200, 200, 63, round(88 * share))
    told = looks(WholeCards(), Photos(WHOLE), WHOLE, part)
    assert len(told) == (1 if more < 0 else 2)


@pytest.mark.parametrize(("aside", "told"), [(31, True), (32, False)])
def test_a_card_that_lies_mostly_beside_the_box_tells_nothing_of_it(aside: int, told: bool) -> None:
    """The box reaches beyond the card from an aside of 5.5 pixels on."""
    assert (1 - (aside - 5.5) / 52 >= LEAST_SHARED) is told
    (card,) = looks(WholeCards(), Photos(WHOLE), (200 + aside, 200, 52, 52))
    assert (card.rank == "6") is told


@pytest.mark.parametrize("boxed", [True, False], ids=["both are boxed", "one is missed"])
def test_a_box_between_two_cards_that_lie_edge_to_edge_is_no_third_card(boxed: bool) -> None:
    left, right = (170, 200, 63, 88), (233, 200, 63, 88)
    between = (204, 200, 60, 80)
    cards = looks(WholeCards(), Photos(left, right), left, *([right] if boxed else []), between)
    assert sorted(card.quad[0][0] for card in cards if card.rank == "6") == [138.5, 201.5]
    assert len(cards) == 2


@pytest.mark.parametrize(
    ("more", "told"), [(0.02, True), (-0.02, True), (OF_A_CARD - 0.02, True), (OF_A_CARD + 0.02, False)]
)
@pytest.mark.parametrize("side", [2, 3])
def test_a_box_counts_only_if_it_is_of_a_cards_size(side: int, more: float, told: bool) -> None:
    x, y, w, h = WHOLE
    box = (x, y, w * (1 + more), h) if side == 2 else (x, y, w, h * (1 + more))
    (card,) = looks(WholeCards(), Photos(box), LOWER)
    assert (card.rank == "6") is told


@pytest.mark.parametrize(("lone", "told"), [(FEWEST, True), (FEWEST - 1, False)])
def test_nothing_is_told_while_the_size_of_a_card_is_unknown(lone: int, told: bool) -> None:
    (card,) = looks(WholeCards(), Photos(WHOLE, lone=lone), LOWER)
    assert (card.rank == "6") is told


@pytest.mark.parametrize(("p", "told"), [(LEAST_P, True), (LEAST_P - 0.01, False)])
def test_an_unsure_opinion_is_none(p: float, told: bool) -> None:
    (card,) = looks(WholeCards(), Photos(WHOLE, p=p), LOWER)
    assert (card.rank == "6") is told


@pytest.mark.parametrize(("out", "cards"), [(5, 1), (6, 2)])
def test_a_box_that_looks_out_below_a_card_is_no_part_of_it(out: int, cards: int) -> None:
    """A card of a tight fan is boxed too small: 52 by 84, of which `out` pixels lie beside the card above."""
    assert (1 - out / 52 >= COVERED) is (cards == 1)
    below = (200 + 31.5 - 26 + out, 200, 52, 84)
    assert len(looks(WholeCards(), Photos(WHOLE), WHOLE, below)) == cards


def test_a_box_in_which_no_face_is_read_plainly_tells_nothing() -> None:
    (card,) = looks(WholeCards(), Photos((200, 200, 63, 80)), LOWER)
    assert (card.rank, height(card)) == (None, 52)


PRESSED = 63 / 88
"""What a camera makes of lengths along its view that slants until a card pointing at it looks as wide as high."""


class FromShortSide(WholeCards):
    """Reads a card only if its corners begin on the side that is its shorter one on the table."""

    def _read(self, quad: Floats) -> CardReading:
        first = (quad[1] - quad[0]) * (1, 1 / PRESSED)
        return replace(super()._read(quad), unreadable=0.01 if np.linalg.norm(first) < 75 else 0.7)


def test_a_card_that_points_at_a_slanting_camera_is_read_from_its_shorter_side() -> None:
    across = [(x, y, 88, 63 * PRESSED) for x, y in ((50, 50), (450, 50), (50, 350), (450, 350))]
    points = (200.0, 200.0, 63.0, 62.9)
    (unread,) = looks(FromShortSide(parts=True), None, points)
    assert unread.rank is None
    (card,) = looks(FromShortSide(parts=True), Photos(*across, points, lone=0), points, seconds=0.5)  # one asks once
    assert card.rank == "6"


@pytest.mark.parametrize("box", [(250, 200, 52, 52), (250, 200, 4, 60), (250, 200, 2, 2), (5, 395, 40, 50)])
def test_the_window_is_small_whatever_was_boxed(
    box: tuple[int, int, int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    shown: list[tuple[tuple[int, ...], int | None]] = []

    class Looking(Photos):
        def detect(self, picture: np.ndarray, long_side: int | None = None) -> list[Detection]:
            shown.append((picture.shape, long_side))
            return []

    looks(WholeCards(), Looking(), box)
    assert shown and all(max(shape) <= 2 * REACH * max(box[2:]) + 2 and (side or 0) <= 660 for shape, side in shown)


def test_what_is_found_in_the_window_is_told_in_pixels_of_the_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cards are white; the window begins right of and below the picture's corner."""
    monkeypatch.undo()
    picture = np.zeros((700, 900, 3), np.uint8)
    for x, y in ((500, 400), (400, 300), (600, 300), (400, 500), (600, 500)):
        cv2.rectangle(picture, (x - 31, y - 44), (x + 31, y + 43), (255, 255, 255), -1)

    class White(Photos):
        def detect(self, picture: np.ndarray, long_side: int | None = None) -> list[Detection]:
            outlines, _ = cv2.findContours(picture[..., 0], cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
            boxes = [cv2.boundingRect(outline) for outline in outlines]
            return [detection("card_up", x + w / 2, y + h / 2, w, h) for x, y, w, h in boxes]

    opinion = SecondOpinion(White(), WholeCards()).about(picture, detection("card_up", 500, 415, 50, 50), [])
    assert opinion is not None
    assert opinion.found.box[:4].tolist() == pytest.approx([500.5, 400, 63, 88])


def test_what_is_read_surely_and_of_a_cards_size_is_not_asked_about() -> None:
    photos = Photos(WHOLE)
    looks(WholeCards(), photos, WHOLE)
    assert photos.asked == 0


def test_a_card_that_moves_is_not_asked_about() -> None:
    photos = Photos(WHOLE)
    looker = Looker(WholeCards(), SecondOpinion(photos, WholeCards()))  # type: ignore[arg-type]
    for n in range(12):
        looker.look(n * STEP, PICTURE, [detection("card_up", 100 + 20 * n, 200, 50, 60)])
    assert photos.asked == 0


@pytest.mark.parametrize("seconds", [0.5, 1.0, 1.5, 60.0])
def test_one_asks_seldom_while_nothing_better_is_told(seconds: float) -> None:
    photos = Photos()
    looks(WholeCards(), photos, LOWER, seconds=seconds)
    assert photos.asked == min(MOST_TIMES, 1 + int((seconds - 0.4) / ASKED_AGAIN))


def test_the_box_that_was_told_holds_until_the_card_moves() -> None:
    readers = WholeCards()
    looker = Looker(readers, SecondOpinion(Photos(WHOLE), readers))  # type: ignore[arg-type]
    for n in range(12):
        (card,) = looker.look(n * STEP, PICTURE, [detection("card_up", *LOWER)]).cards
    assert height(card) == 88
    (moved,) = looker.look(12 * STEP, PICTURE, [detection("card_up", 200, 265, 52, 52)]).cards
    assert height(moved) == 52
