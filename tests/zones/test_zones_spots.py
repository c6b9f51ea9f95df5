"""Betting spots: printed outlines on an arc; cards' boxes, things on the rail and stray chips are none."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from zones_fakes import CENTRE, RADIUS, SCALE, glance, spot, table

from verifier.zones.felt import find_felt, print_mask, printed_shapes
from verifier.zones.resting import is_card, is_chip, rests
from verifier.zones.spots import LONG, SPAN_MM, Arc, broken_outlines, candidates, find_arc, fit_circle

FOUR = [-45.0, -15.0, 15.0, 45.0]
NEAR = 12 * SCALE


def arc_of(picture: np.ndarray, glances: list = (), count: int | None = None) -> Arc | None:  # type: ignore[assignment]
    felt = find_felt(picture)
    assert felt is not None
    strokes = print_mask(picture, felt.surface, SCALE)
    shapes = printed_shapes(strokes, felt, SCALE, SPAN_MM)
    chips, cards = rests(glances, is_chip, NEAR), rests(glances, is_card, NEAR)
    arc = find_arc(candidates(shapes, chips, cards, SCALE), SCALE, count)
    broken = broken_outlines(arc, strokes, felt, SCALE) if arc is not None else []
    return find_arc(candidates([*shapes, *broken], chips, cards, SCALE), SCALE, count) if broken else arc


def places(arc: Arc | None) -> list[tuple[float, float]]:
    assert arc is not None
    return sorted(one.middle for one in arc.spots)


@pytest.mark.parametrize("turns", [[-30.0, 0.0, 30.0], FOUR, [-66.0, -44.0, -22.0, 0.0, 22.0, 44.0, 66.0]])
def test_printed_rings_are_the_spots(turns: list[float]) -> None:
    for found, true in zip(places(arc_of(table(turns))), sorted(map(spot, turns)), strict=True):
        assert found == pytest.approx(true, abs=2.0)


def test_a_printed_place_for_cards_is_no_spot() -> None:
    assert len(places(arc_of(table(FOUR, boxes=True)))) == 4


def test_a_ring_whose_line_is_broken_is_found_by_the_others() -> None:
    picture = table(FOUR[:3])
    broken = table([FOUR[3]], gap=60.0)
    x, y = map(round, spot(FOUR[3]))
    picture[y - 50 : y + 50, x - 50 : x + 50] = broken[y - 50 : y + 50, x - 50 : x + 50]
    assert places(arc_of(picture))[-1] == pytest.approx(spot(FOUR[3]), abs=6.0)


def test_chips_beside_printed_spots_make_no_spot() -> None:
    stray = [glance(2.0 * i, chips=[spot(0.0), spot(30.0)]) for i in range(20)]
    assert len(places(arc_of(table(FOUR), stray))) == 4


def test_chips_alone_make_spots_where_nothing_is_printed() -> None:
    played = [glance(2.0 * i, chips=[spot(turn) for turn in FOUR]) for i in range(12)]
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
