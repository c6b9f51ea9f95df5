from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from vision_fakes import Kings, NoText, Squares, detection

from verifier.vision.networks import Networks
from verifier.vision.outline import outlined
from verifier.vision.readers import CardReading
from verifier.vision.still import OFTEN, detect_image, doubted, fitting_sides, without_parts

TRUE = np.array([[102, 98], [165, 104], [172, 205], [96, 198]], np.float32)


def table_with_card(corners: np.ndarray = TRUE) -> np.ndarray:
    picture = np.full((300, 400, 3), (40, 80, 30), np.uint8)
    cv2.fillConvexPoly(picture, np.round(corners).astype(np.int32), (235, 235, 235))
    return picture


def test_a_free_card_is_fitted_to_its_true_corners() -> None:
    seen = detection("card_up", 134, 151, 66, 98, angle=0.14)
    fitted = outlined(table_with_card(), seen)
    assert np.abs(fitted - TRUE).max() < 3.0
    assert np.abs(seen.quad - TRUE).max() > 6.0


def test_where_the_outline_is_not_the_cards_the_detection_stands() -> None:
    picture = table_with_card()
    cv2.rectangle(picture, (60, 60), (260, 150), (235, 235, 235), -1)
    seen = detection("card_up", 134, 151, 66, 98, angle=0.06)
    assert np.array_equal(outlined(picture, seen), seen.quad)
    assert np.array_equal(outlined(np.full((300, 400, 3), 90, np.uint8), seen), seen.quad)


def test_parts_of_a_card_are_no_cards_but_chips_on_it_stay() -> None:
    card, part = detection("card_up", 100, 100, 80, 120), detection("card_down", 100, 120, 30, 40, 0.5)
    chip = detection("chip", 100, 100, 30, 30)
    assert without_parts([card, part, chip]) == [card, chip]


class Unreadable(Kings):
    def cards(self, picture, found):
        return [CardReading({"K": 0.5, "Q": 0.5}, {"h": 0.5, "d": 0.5}, 0.97) for _ in found]


@pytest.mark.parametrize(("readers", "cards"), [(Kings(), 1), (Unreadable(), 0)])
def test_what_shows_nothing_readable_is_hardly_a_card(readers: Kings, cards: int) -> None:
    networks = Networks(Squares(p=0.7), readers, (), NoText())
    picture = np.full((400, 600, 3), 80, np.uint8)
    picture[20:110, 100:160] = 240
    assert len(detect_image(picture, networks).cards) == cards


class Backs(Unreadable):
    def __init__(self, down: float) -> None:
        self.face = {"up": (1 - down) / 2, "down": down, "none": (1 - down) / 2}

    def cards(self, picture, found):
        return [replace(reading, face=self.face) for reading in super().cards(picture, found)]


@pytest.mark.parametrize(("down", "face"), [(0.98, "down"), (0.6, "up")])
def test_a_card_of_a_photo_that_plainly_shows_its_back_lies_face_down(down: float, face: str) -> None:
    picture = np.full((400, 600, 3), 80, np.uint8)
    picture[20:110, 100:160] = 240
    (card,) = detect_image(picture, Networks(Squares(p=0.99), Backs(down), (), NoText())).cards
    assert card.face == face and card.rank is None


def test_a_sure_card_stays_likely_though_unreadable() -> None:
    assert doubted(0.995) > 0.9
    assert doubted(0.7) < 0.3


class Picky:
    """Finds the one card, `width` pixels wide, only at scales at which it is 25 to 110 pixels wide."""

    def __init__(self, width: float) -> None:
        self.width = width

    def detect(self, picture, long_side=None):
        shown = self.width * long_side / max(picture.shape[:2])
        return [detection("card_up", 200, 200, self.width, 1.4 * self.width)] if 25 <= shown <= 110 else []


@pytest.mark.parametrize(("width", "sides"), [(60, (667, 1333)), (250, (256, 320)), (28, (1429, 1920))])
def test_a_photo_is_looked_at_where_its_cards_have_the_size_that_the_detector_knows(width, sides) -> None:
    networks = Networks(Picky(width), Kings(), (), NoText())
    assert fitting_sides(np.zeros((600, 1000, 3), np.uint8), networks) == sides


def test_a_photo_without_cards_is_looked_at_on_many_scales() -> None:
    blind = Networks(Picky(2000), Kings(), (), NoText())
    assert fitting_sides(np.zeros((600, 1000, 3), np.uint8), blind) == OFTEN
    assert fitting_sides(np.zeros((224, 224, 3), np.uint8), blind) == (320,)
    assert fitting_sides(np.zeros((60, 100, 3), np.uint8), blind) == (150,)


class Near:
    """Finds hands, and a chip below them, where the picture's long side is `near` pixels or more."""

    def __init__(self, near: int) -> None:
        self.near, self.looks = near, []

    def detect(self, picture, long_side=None):
        self.looks.append(long_side)
        middle = picture.shape[1] / 2  # the same in the mirror
        chip = detection("chip", middle, 200, 9, 9)
        fainter = detection("hand", middle, 20, 20, 30, 0.6)
        return [fainter, detection("hand", middle, 100, 90, 120), chip] if long_side >= self.near else []


@pytest.mark.parametrize(("near", "hands", "chips"), [(300, 2, 1), (400, 1, 0), (600, 1, 0), (700, 0, 0)])
def test_a_small_photo_that_shows_nothing_is_searched_for_a_hand_from_nearer(near, hands, chips) -> None:
    seen = detect_image(np.zeros((224, 224, 3), np.uint8), Networks(Near(near), Kings(), (), NoText()))
    assert (len(seen.hands), len(seen.chips)) == (hands, chips)
    assert not hands or max(seen.hands, key=lambda hand: hand.p).box[2] == 157


def test_a_large_photo_is_not_looked_at_from_nearer_still() -> None:
    finder = Near(9999)
    detect_image(np.zeros((480, 640, 3), np.uint8), Networks(finder, Kings(), (), NoText()))
    assert max(finder.looks) == 1280
    assert finder.looks[-2 * len(OFTEN) + 2 :] == [800, 800, 480, 480, 320, 320]  # each in the mirror, too


class Unsure(Kings):
    """Reads three fingers with probability `p`."""

    def __init__(self, p: float) -> None:
        self.p = p

    def hands(self, picture, found):
        rest = (1 - self.p) / 5
        fingers = {str(n): self.p if n == 3 else rest for n in range(6)}
        return [replace(reading, fingers=fingers) for reading in super().hands(picture, found)]


@pytest.mark.parametrize(("p", "fingers"), [(0.45, 3), (0.35, None)])
def test_a_photo_of_a_hand_tells_its_fingers_where_they_are_likely_enough(p: float, fingers: int | None) -> None:
    seen = detect_image(np.zeros((224, 224, 3), np.uint8), Networks(Near(400), Unsure(p), (), NoText()))
    assert [hand.fingers for hand in seen.hands] == [fingers]
