"""Cards, areas, signs, clock and scale, each from what is seen of them."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from shapely.geometry import Point
from shapely.geometry import Polygon as Shape
from zones_fakes import SCALE, SIZE, Written, outward, picture_look

from verifier.vision.ocr import Line
from verifier.zones.areas import Space, outlines
from verifier.zones.cards import find_cards
from verifier.zones.felt import Felt
from verifier.zones.fixtures import Blob, blobs, find_fixtures
from verifier.zones.proposing import _Finder
from verifier.zones.scale import CARDS_ENOUGH, find_scale
from verifier.zones.signs import MARGIN, SMALL_PX, clock_box, find_signs, level, readable
from verifier.zones.spots import Spot
from verifier.zones.view import View
from verifier.zones.watch import Watched

BLANK = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
VIEW = View(SIZE, "bottom", False, SCALE)
SPOTS = np.array([(-400.0, -150.0), (0.0, -350.0), (400.0, -150.0)])
CENTRE = np.array([0.0, 300.0])
OUT = outward(SPOTS, (0.0, 300.0))


def px(*points: tuple[float, float]) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in VIEW.px(points)]


def test_the_first_card_is_the_upper_right_one() -> None:
    looks = [picture_look(2.0 * i, cards=px((0.0, -180.0), (-36.0, -133.0), (-72.0, -86.0))) for i in range(5)]
    found = find_cards(looks, VIEW, SPOTS, CENTRE, OUT)
    assert found.first[1] == pytest.approx((0.0, -180.0), abs=3.0)
    assert found.looks == (0, 5, 0)


def test_an_empty_space_has_its_cards_as_the_others_have() -> None:
    looks = [picture_look(2.0 * i, cards=px((0.0, -180.0))) for i in range(5)]
    found = find_cards(looks, VIEW, SPOTS, CENTRE, OUT)
    inward = (CENTRE - SPOTS[0]) / np.hypot(*(CENTRE - SPOTS[0]))
    assert found.first[0] == pytest.approx(SPOTS[0] + 170.0 * inward, abs=3.0)


def test_cards_on_their_way_do_not_move_a_space_s_place() -> None:
    looks = [picture_look(2.0 * i, cards=px((0.0, -180.0), (-150.0 - 40.0 * i, 60.0 - 25.0 * i))) for i in range(5)]
    still = [picture_look(2.0 * i, cards=px((0.0, -180.0))) for i in range(5)]
    found, alone = (find_cards(some, VIEW, SPOTS, CENTRE, OUT).first[0] for some in (looks, still))
    assert found == pytest.approx(alone, abs=3.0)


def test_the_dealer_s_cards_are_none_of_a_space() -> None:
    looks = [picture_look(2.0 * i, cards=px((20.0, 150.0), (92.0, 150.0), (0.0, -180.0))) for i in range(5)]
    found = find_cards(looks, VIEW, SPOTS, CENTRE, OUT)
    assert found.dealer == pytest.approx((20.0, 150.0), abs=3.0)


def test_areas_do_not_overlap_and_hold_their_things() -> None:
    spaces = [Space(spot, spot * 0.8 + CENTRE * 0.2, spot * 0.5 + CENTRE * 0.5) for spot in SPOTS]
    surface = np.array([(-900.0, -500.0), (900.0, -500.0), (900.0, 500.0), (-900.0, 500.0)])
    dealer = np.array([(-80.0, 60.0), (400.0, 60.0), (400.0, 220.0), (-80.0, 220.0)])
    areas = [Shape(area) for area in outlines(spaces, [dealer], surface)]
    for number, (area, space) in enumerate(zip(areas, spaces, strict=True)):
        assert area.is_valid and area.contains(Point(space.wager)) and area.contains(Point(space.first))
        assert all(area.intersection(other).area == 0 for other in areas[number + 1 :])
        assert area.intersection(Shape(dealer)).area < 0.01 * area.area


@pytest.mark.parametrize(
    ("text", "name", "number"),
    [
        ("SITE 0131", "site", "0131"),
        ("SITE O131", "site", "0131"),
        ("TABLE 7", "table", "7"),
        ("TABLE7", "table", "7"),
        ("Table No 12", "table", "12"),
        ("TABLE LIMITS", "table", None),
    ],
)
def test_a_sign_tells_its_number(text: str, name: str, number: str | None) -> None:
    reader = Written(Line(text, 0.95, (100.0, 600.0, 200.0, 630.0)))
    found = find_signs([BLANK], reader.lines(BLANK), reader)
    assert (found[name].text if name in found else None) == number


def test_the_clock_is_where_a_date_and_a_time_stand() -> None:
    reader = Written(Line("2026-11-02 21:14:07", 0.98, (1000.0, 20.0, 1240.0, 48.0)))
    box, looks = clock_box([BLANK, BLANK], reader)
    assert box is not None and box[0] < 1000.0 < 1240.0 < box[2]
    assert looks == 2
    assert clock_box([BLANK], Written(Line("TABLE 6", 0.9, (0.0, 0.0, 9.0, 9.0)))) == (None, 0)


def test_single_letters_tell_nothing_of_a_mirror() -> None:
    assert readable([Line("AO", 0.9, (0.0, 0.0, 9.0, 9.0))]) == 0.0
    assert readable([Line("TIPS", 0.9, (0.0, 0.0, 9.0, 9.0))]) == pytest.approx(3.6)


@pytest.mark.parametrize(("cards", "sure"), [(CARDS_ENOUGH, True), (CARDS_ENOUGH - 1, False)])
def test_cards_tell_the_scale(cards: int, sure: bool) -> None:
    found = find_scale([picture_look(2.0 * i, cards=px((0.0, 0.0))) for i in range(cards)], None, SIZE)
    assert found.part.sure == sure
    assert not sure or found.pixels_per_mm == pytest.approx(SCALE, rel=0.01)


def test_tip_and_insurance_say_that_they_are_assumed() -> None:
    nothing: Any = None
    watched = Watched((), (), BLANK, SIZE, 1.0)
    finder = _Finder(watched, nothing, None, Path("play.mp4"))
    finder._tell_space(2, Spot((640.0, 300.0), 7.0, None, 30), sure=0.99, looks=9)
    for name in ("space 2 tip", "space 2 insurance"):
        part = finder._parts[name]
        assert (part.sure, part.reason) == (False, "assumed, not seen")
    assert finder._parts["space 2 wager"].sure


def test_a_shoe_and_a_discard_holder_are_never_sure() -> None:
    corners = np.array([(-80.0, -60.0), (80.0, -60.0), (80.0, 60.0), (-80.0, 60.0)])
    things = [Blob(corners + at, at, 160.0, 120.0) for at in ((200.0, 600.0), (1100.0, 600.0))]
    found = find_fixtures(things, [], SCALE, 640.0)
    assert sorted(found) == ["discard", "shoe"]
    for name, side in (("shoe", "left"), ("discard", "right")):
        assert not found[name].part.sure and f"the dealer's {side}" in found[name].part.reason


class Close(Written):
    """Reads `lines` in a whole picture, and close up one text after the other."""

    def __init__(self, line: Line, *texts: str | None) -> None:
        super().__init__(line)
        self._texts = list(texts)

    def line(self, crop: np.ndarray) -> str | None:
        return self._texts.pop(0)


@pytest.mark.parametrize(
    ("texts", "number", "sure"),
    [
        (("TABLE 9", "TABLE 9", None, None, None), "9", True),
        (("TABLE 9", None, None, None, None), "9", False),
        (("TABLE 99", None, None, None, None), "9", False),
        (("TABLE 99", "TABLE 99", "TABLE 99", "TABLE 99", "TABLE 99"), "99", True),
    ],
)
def test_a_sign_that_is_read_in_few_looks_is_not_sure(texts: tuple[str | None, ...], number: str, sure: bool) -> None:
    """Something stands before it in the other looks, such as the clock."""
    line = Line("TABLE 9", 0.95, (100.0, 600.0, 200.0, 630.0))
    found = find_signs([BLANK] * 5, [line], Close(line, *texts))["table"]
    assert (found.text, found.share >= 0.8) == (number, sure)


@pytest.mark.parametrize(("high", "sure"), [(SMALL_PX + 0.1, True), (SMALL_PX - 0.1, False)])
@pytest.mark.parametrize("aslant", [False, True])
def test_a_sign_in_small_letters_is_not_sure(high: float, sure: bool, aslant: bool) -> None:
    """All looks read the same, and all may be wrong. What counts is how high the letters are, not their upright box."""
    turn = math.radians(15.0 if aslant else 0.0)
    right, down = np.array([math.cos(turn), math.sin(turn)]), np.array([-math.sin(turn), math.cos(turn)])
    corners = [np.array([100.0, 600.0]) + x * right + y * down for x, y in ((0, 0), (90, 0), (90, high), (0, high))]
    (x0, y0), (x1, y1) = np.min(corners, axis=0), np.max(corners, axis=0)
    line = Line("TABLE 9", 0.95, (x0, y0, x1, y1), tuple((float(x), float(y)) for x, y in corners))
    found = find_signs([BLANK] * 5, [line], Written(line))["table"]
    assert (found.text, found.share >= 0.8) == ("9", sure)


def test_a_sign_is_levelled_before_it_is_read() -> None:
    """Its bar, drawn aslant, stands level in what is read, in the middle of a margin."""
    picture = BLANK.copy()
    corners = ((300.0, 300.0), (396.6, 325.9), (391.4, 345.2), (294.8, 319.3))  # 100 x 20 pixels, turned by 15 degrees
    cv2.fillPoly(picture, [np.round(corners).astype(np.int32)], (255, 255, 255))
    seen = level(picture, Line("TABLE 9", 0.95, (294.8, 300.0, 396.6, 345.2), corners))
    pad = round(20 * MARGIN)
    assert seen.shape[:2] == (20 + 2 * pad, 100 + 2 * pad)
    assert seen[pad + 2 : -pad - 2, pad + 2 : -pad - 2].min() > 200
    assert seen[: pad - 2].max() < 50 and seen[-pad + 2 :].max() < 50


@pytest.mark.parametrize("touching", ["sign", "clock", "both"])
def test_a_shoe_is_found_that_touches_a_sign_or_the_clock(touching: str) -> None:
    """In the picture they are one thing that is no cloth."""
    picture = np.full((SIZE[1], SIZE[0], 3), (60, 120, 40), np.uint8)
    shoe, sign, clock = (60, 500, 180, 640), (184, 590, 270, 640), (40, 640, 300, 672)
    things = (
        {"shoe": shoe}
        | ({"sign": sign} if touching != "clock" else {})
        | ({"clock": clock} if touching != "sign" else {})
    )
    for x0, y0, x1, y1 in things.values():
        picture[y0:y1, x0:x1] = 20
    picture[600:630, 180:186] = 20
    mask = np.ones(picture.shape[:2], np.uint8)
    cloth = (picture[..., 1] > 100).astype(np.uint8)
    lines = [Line("SITE 0131", 0.95, (200.0, 604.0, 256.0, 626.0))] if "sign" in things else []
    seen = tuple(map(float, clock)) if "clock" in things else None
    found = blobs(picture, Felt(cloth, mask, cloth), SCALE, 400.0, lines, seen)  # type: ignore[arg-type]
    corners = find_fixtures(found, lines, SCALE, 640.0)["shoe"].corners
    box, true = Shape(corners), Shape([(60, 500), (180, 500), (180, 640), (60, 640)])
    assert box.intersection(true).area / box.union(true).area > 0.85
