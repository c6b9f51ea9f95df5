"""Betting spots: printed outlines on an arc; cards' boxes, things on the rail and stray chips are none."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest
from zones_fakes import CENTRE, RADIUS, SCALE, picture_look, spot, table

from verifier.zones.felt import Printed, find_felt, print_mask, printed_shapes
from verifier.zones.proposing import doubts_of, number_part
from verifier.zones.resting import Rest, is_card, is_chip, rests
from verifier.zones.spots import (
    CLOTH_LEAST,
    COVERED_LOOKS,
    EVEN,
    LONG,
    MENDED,
    SPAN_MM,
    Arc,
    Spot,
    broken_outlines,
    candidates,
    find_arc,
    fit_circle,
    mended,
    under_chips,
)

FOUR = [-45.0, -15.0, 15.0, 45.0]
NEAR = 12 * SCALE


def arc_of(picture: np.ndarray, picture_looks: list = (), count: int | None = None) -> Arc | None:  # type: ignore[assignment]
    felt = find_felt(picture)
    assert felt is not None
    strokes = print_mask(picture, felt.surface, SCALE)
    chips, cards = rests(picture_looks, is_chip, NEAR), rests(picture_looks, is_card, NEAR)
    covered = under_chips(chips, strokes.shape, SCALE)
    shapes = printed_shapes(strokes, felt, SCALE, SPAN_MM, covered)
    arc = find_arc(candidates(shapes, chips, cards, SCALE), SCALE, count)
    broken = broken_outlines(arc, strokes, felt, SCALE, covered) if arc is not None else []
    shapes = mended(shapes, broken, SCALE)
    return find_arc(candidates(shapes, chips, cards, SCALE), SCALE, count) if broken else arc


def is_sure(arc: Arc, chips: Sequence[Rest] = ()) -> bool:
    """Whether the number of spots is sure."""
    return number_part(arc, None, doubts_of(arc, chips)).sure


def places(arc: Arc | None) -> list[tuple[float, float]]:
    assert arc is not None
    return sorted(one.middle for one in arc.spots)


@pytest.mark.parametrize("turns", [[-30.0, 0.0, 30.0], FOUR, [-66.0, -44.0, -22.0, 0.0, 22.0, 44.0, 66.0]])
def test_printed_rings_are_the_spots(turns: list[float]) -> None:
    for found, true in zip(places(arc_of(table(turns))), sorted(map(spot, turns)), strict=True):
        assert found == pytest.approx(true, abs=2.0)


def test_a_printed_place_for_cards_is_no_spot() -> None:
    assert len(places(arc_of(table(FOUR, boxes=True)))) == 4


def test_a_cup_on_the_arc_is_no_spot() -> None:
    picture = table(FOUR[:3])
    x, y = map(round, spot(FOUR[3]))
    cv2.circle(picture, (x, y), 35, (60, 100, 150), 2, cv2.LINE_AA)
    cv2.circle(picture, (x, y), 33, (20, 40, 60), -1)
    assert len(places(arc_of(picture))) == 3


def test_a_ring_among_boxes_makes_the_number_unsure() -> None:
    """It stands where the fourth spot would, of the others' size: only its kind is another."""
    felt = find_felt(table(FOUR))
    assert felt is not None
    rings = printed_shapes(print_mask(table(FOUR), felt.surface, SCALE), felt, SCALE, SPAN_MM)
    mixed = [replace(one, fill=0.98) for one in rings[:3]] + rings[3:]
    alike, other = (find_arc(candidates(shapes, [], [], SCALE), SCALE, None) for shapes in (rings, mixed))
    assert alike is not None and is_sure(alike)
    assert other is not None and not is_sure(other)


@pytest.mark.parametrize(("last", "even"), [(45.0, True), (15.0 + 30.0 * 1.1, True), (15.0 + 30.0 * 1.35, False)])
def test_an_uneven_row_makes_the_number_unsure(last: float, even: bool) -> None:
    arc = arc_of(table([*FOUR[:3], last]))
    assert arc is not None and len(arc.spots) == 4
    assert is_sure(arc) == even


def test_a_spot_missing_of_four_makes_the_number_unsure() -> None:
    arc = arc_of(table([FOUR[0], FOUR[1], FOUR[3]]))
    assert arc is not None and not is_sure(arc)


@pytest.mark.parametrize(
    ("gaps", "even"),
    [
        ((EVEN - 0.01, 1, 1), True),
        ((EVEN + 0.01, 1, 1), False),
        ((1, 1, 1 / EVEN + 0.01), True),
        ((1, 1, 1 / EVEN - 0.01), False),
    ],
)
def test_a_row_is_even_up_to_its_bound(gaps: tuple[float, ...], even: bool) -> None:
    at = np.cumsum([0.0, *gaps])
    assert Arc(tuple(Spot((float(x), 0.0), 7.0, None) for x in at), CENTRE, 0.0, 0.0).even == even


@pytest.mark.parametrize(("turn", "missing"), [(75.0, True), (-75.0, True), (58.0, False), (30.0, False)])
def test_chips_where_the_next_spot_would_be_make_the_number_unsure(turn: float, missing: bool) -> None:
    played = [picture_look(2.0 * i, chips=[spot(turn)]) for i in range(3)]
    arc, chips = arc_of(table(FOUR), played), rests(played, is_chip, NEAR)
    assert arc is not None and len(arc.spots) == 4
    assert arc.played_beyond(chips) == missing
    assert is_sure(arc, chips) != (missing or arc.unplayed(chips))


@pytest.mark.parametrize(("cloth", "spots"), [(CLOTH_LEAST, 3), (CLOTH_LEAST - 0.01, 0)])
def test_an_outline_without_cloth_in_it_is_no_spot(cloth: float, spots: int) -> None:
    picture = table([-30.0, 0.0, 30.0])
    felt = find_felt(picture)
    assert felt is not None
    shapes = printed_shapes(print_mask(picture, felt.surface, SCALE), felt, SCALE, SPAN_MM)
    filled = [replace(one, cloth=cloth) for one in shapes]
    assert sum(one.odds > 0 for one in candidates(filled, [], [], SCALE)) == spots


@pytest.mark.parametrize(
    ("odds", "sure"),
    [((7.0, 7.0, 7.0, -7.0), True), ((7.0, 7.0, 0.3, -7.0), False), ((7.0, 7.0, 7.0, -1.5), False)],
)
def test_the_number_is_as_sure_as_its_margin_over_another(odds: tuple[float, ...], sure: bool) -> None:
    """The last two: a spot that is hardly one, and one more that is nearly one (on the arc both gain 1)."""
    found = [Spot(spot(turn), worth, None) for turn, worth in zip(FOUR, odds, strict=True)]
    arc = find_arc(found, SCALE, None)
    assert arc is not None and len(arc.spots) == 3
    assert is_sure(arc) == sure


def test_a_ring_whose_line_is_broken_is_found_by_the_others() -> None:
    picture = table(FOUR[:3])
    broken = table([FOUR[3]], gap=60.0)
    x, y = map(round, spot(FOUR[3]))
    picture[y - 50 : y + 50, x - 50 : x + 50] = broken[y - 50 : y + 50, x - 50 : x + 50]
    assert places(arc_of(picture))[-1] == pytest.approx(spot(FOUR[3]), abs=6.0)


def with_chips(picture: np.ndarray, *at: tuple[float, float]) -> np.ndarray:
    """The picture with white chips of 39 mm on it."""
    for x, y in at:
        cv2.circle(picture, (round(x), round(y)), round(19.5 * SCALE), (235, 235, 235), -1, cv2.LINE_AA)
    return picture


@pytest.mark.parametrize("aside", [18.0, 28.0, 36.0])
@pytest.mark.parametrize("turn", [FOUR[0], FOUR[3]])
def test_a_spot_is_found_where_a_chip_lies_on_its_line(turn: float, aside: float) -> None:
    """It closes the ring no more, and parts what the ring encloses; in every picture it lies there."""
    x, y = spot(turn)
    chips = [(x - aside, y), (x + 4.0, y)]
    picture = with_chips(table(FOUR), *chips)
    arc = arc_of(picture, [picture_look(2.0 * i, chips=chips) for i in range(9)])
    for found, true in zip(places(arc), sorted(map(spot, FOUR)), strict=True):
        assert math.dist(found, true) < 20.0 * SCALE
    assert is_sure(arc)  # type: ignore[arg-type]


def test_chips_that_are_not_seen_as_such_do_not_make_a_gap_an_outline() -> None:
    """What is left out of a hull must be hidden by chips: a dark horseshoe is no ring."""
    picture = table(FOUR[:3])
    x, y = map(round, spot(FOUR[3]))
    cv2.ellipse(picture, (x, y), (35, 35), 0, 0, 360, (215, 220, 220), 2, cv2.LINE_AA)
    cv2.circle(picture, (x - 30, y), 22, (215, 220, 220), -1)
    felt = find_felt(picture)
    assert felt is not None
    strokes = print_mask(picture, felt.surface, SCALE)
    strokes[y - 22 : y + 22, x - 52 : x - 8] |= (picture[y - 22 : y + 22, x - 52 : x - 8, 0] > 150).astype(np.uint8)
    there = [one for one in printed_shapes(strokes, felt, SCALE, SPAN_MM) if abs(one.middle[0] - x) < 40]
    chips = [picture_look(2.0 * i, chips=[(x - 30.0, y)]) for i in range(9)]
    covered = under_chips(rests(chips, is_chip, NEAR), strokes.shape, SCALE)
    told = [one for one in printed_shapes(strokes, felt, SCALE, SPAN_MM, covered) if abs(one.middle[0] - x) < 40]
    assert not there
    assert len(told) == 1 and told[0].hidden > 0


@pytest.mark.parametrize(("looks", "covered"), [(COVERED_LOOKS, True), (COVERED_LOOKS - 1, False)])
def test_a_chip_that_rests_covers_the_print(looks: int, covered: bool) -> None:
    chips = rests([picture_look(2.0 * i, chips=[(640.0, 300.0)]) for i in range(looks)], is_chip, NEAR)
    assert bool(under_chips(chips, (720, 1280), SCALE)[300, 640]) == covered


@pytest.mark.parametrize(("off", "instead"), [(MENDED - 0.02, True), (MENDED + 0.02, False)])
def test_a_broken_outline_goes_before_the_same_one_alone(off: float, instead: bool) -> None:
    whole = Printed((500.0, 300.0), (70.0, 60.0), 0.79, np.zeros((3, 2)))
    broken = Printed((500.0 + 70.0 * off, 300.0), (70.0, 70.0), 0.79, np.zeros((3, 2)))
    assert mended([whole], [broken], SCALE) == ([broken] if instead else [whole])


def test_chips_beside_printed_spots_make_no_spot() -> None:
    stray = [picture_look(2.0 * i, chips=[spot(0.0), spot(30.0)]) for i in range(20)]
    assert len(places(arc_of(table(FOUR), stray))) == 4


def test_chips_alone_make_spots_where_nothing_is_printed() -> None:
    played = [picture_look(2.0 * i, chips=[spot(turn) for turn in FOUR]) for i in range(12)]
    arc = arc_of(table([]), played)
    assert len(places(arc)) == 4
    assert arc is not None and all(one.odds < 1.4 for one in arc.spots)  # less than 0.8: a person must look


def test_the_number_that_is_told_is_kept() -> None:
    assert len(places(arc_of(table(FOUR), count=3))) == 3


def test_nothing_on_a_felt_is_no_arc() -> None:
    assert arc_of(table([])) is None


def test_the_arc_of_the_spots_is_the_table_s() -> None:
    arc = arc_of(table(FOUR))
    assert arc is not None
    assert arc.centre == pytest.approx(CENTRE, abs=12.0)
    assert arc.radius == pytest.approx(RADIUS, abs=12.0)


@pytest.mark.parametrize(("aspect", "spots"), [(LONG[False] - 0.05, 3), (LONG[False] + 0.05, 0)])
def test_a_long_outline_is_no_spot(aspect: float, spots: int) -> None:
    picture = table([-30.0, 0.0, 30.0])
    felt = find_felt(picture)
    assert felt is not None
    shapes = printed_shapes(print_mask(picture, felt.surface, SCALE), felt, SCALE, SPAN_MM)
    long = [replace(one, sides=(one.sides[1] * aspect, one.sides[1])) for one in shapes]
    assert sum(one.odds > 0 for one in candidates(long, [], [], SCALE)) == spots


def test_a_circle_is_fitted_to_points_on_it() -> None:
    turns = np.radians([10.0, 50.0, 120.0])
    points = np.stack([3.0 + 7.0 * np.cos(turns), 4.0 + 7.0 * np.sin(turns)], 1)
    fitted = fit_circle(points)
    assert fitted is not None
    assert math.dist(fitted[0], (3.0, 4.0)) < 1e-6 and fitted[1] == pytest.approx(7.0)
