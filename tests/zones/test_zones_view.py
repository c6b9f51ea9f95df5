"""Orientation: the dealer's side is told by the arc, and every side and mirroring maps to the table and back."""

from __future__ import annotations

import numpy as np
import pytest
from zones_fakes import SCALE, SIZE

from verifier.zones.orientation import chances, side_odds
from verifier.zones.spots import Arc, Spot
from verifier.zones.view import OUT, SIDES, Side, View

POINTS = np.array([(100.0, 60.0), (640.0, 360.0), (1200.0, 700.0)])


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("mirrored", [False, True])
def test_pixels_come_back(side: Side, mirrored: bool) -> None:
    view = View(SIZE, side, mirrored, 0.7)
    assert view.px(view.mm(POINTS)) == pytest.approx(POINTS)
    assert view.from_upright(view.to_upright(POINTS)) == pytest.approx(POINTS)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("mirrored", [False, True])
def test_the_upright_picture_has_the_dealer_at_the_bottom(side: Side, mirrored: bool) -> None:
    picture = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    view = View(SIZE, side, mirrored, 0.7)
    x, y = (np.array(SIZE) / 2 + 0.45 * np.array(OUT[side]) * SIZE).astype(int)
    picture[y - 3 : y + 4, x - 3 : x + 4] = 255
    rows, columns = np.nonzero(view.upright(picture)[..., 0])
    there = view.to_upright([(x, y)])[0]
    assert (columns.mean(), rows.mean()) == pytest.approx(tuple(there), abs=1.5)
    assert rows.mean() > 0.9 * view.upright(picture).shape[0]


def test_the_dealer_s_left_is_left_in_the_table_and_right_in_a_mirror() -> None:
    assert View(SIZE, "bottom", False, 0.7).mm([(100.0, 300.0)])[0, 0] < 0
    assert View(SIZE, "bottom", True, 0.7).mm([(100.0, 300.0)])[0, 0] > 0
    assert View(SIZE, "top", False, 0.7).mm([(100.0, 300.0)])[0, 0] > 0


@pytest.mark.parametrize("side", SIDES)
def test_the_middle_of_the_arc_lies_on_the_dealer_s_side(side: Side) -> None:
    out = np.array(OUT[side])
    aside = np.array([out[1], -out[0]])
    middles = [np.array([640.0, 360.0]) - 200 * out * np.cos(t) + 300 * aside * np.sin(t) for t in (-0.7, 0.0, 0.7)]
    spots = tuple(Spot((float(x), float(y)), 5.0, None) for x, y in middles)
    centre = np.array([640.0, 360.0]) + 250 * out
    odds = chances(side_odds(Arc(spots, (float(centre[0]), float(centre[1])), 450.0, 80.0), None, [], SIZE, SCALE))
    assert max(odds, key=lambda one: odds[one]) == side
    assert odds[side] > 0.9


def test_spots_in_a_row_do_not_tell_the_side() -> None:
    spots = tuple(Spot((x, 300.0), 5.0, None) for x in (300.0, 600.0, 900.0))
    odds = chances(side_odds(Arc(spots, (600.0, 2000.0), 1700.0, 2.0), None, [], SIZE, SCALE))
    assert max(odds.values()) < 0.8
