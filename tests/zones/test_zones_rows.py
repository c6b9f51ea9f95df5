"""Straight rows of spots, the side by the cards before them, print seen from outside, and small pictures."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest
from zones_fakes import CENTRE, RADIUS, SCALE, SIZE, picture_look, spot, table, thing

from verifier.vision.detection import CARD_UP, HAND
from verifier.vision.ocr import Line
from verifier.zones import felt, spots
from verifier.zones.felt import Felt, Printed, find_felt, outer_outlines, print_mask, printed_shapes, sharp_mask
from verifier.zones.orientation import chances, side_odds
from verifier.zones.proposing import ROW_MM, doubts_of, number_part, row_of, wager_part
from verifier.zones.resting import ALWAYS, Rest, leaving
from verifier.zones.signs import SMALL_PX, find_signs
from verifier.zones.spots import Arc, Spot, candidates, find_arc, mended, row_through, unclear, with_outer
from verifier.zones.view import OUT, SIDES, Side, View
from verifier.zones.watch import SHORTEST, Hand, PictureLook, Watched, enlarged

FOUR = [-45.0, -15.0, 15.0, 45.0]
ROW = [(340.0 + 200.0 * n, 250.0) for n in range(4)]
RING = (215, 220, 220)
VIEW = View(SIZE, "bottom", False, SCALE)
CIRCLE = np.stack([np.cos(np.linspace(0, 6.2, 24)), np.sin(np.linspace(0, 6.2, 24))], 1)


def spots_at(*at: tuple[float, float], odds: float = 7.0) -> list[Spot]:
    return [Spot(one, odds, None) for one in at]


def ring(x: float, y: float, wide: float, *, fill: float = 0.785, cloth: float = 1.0) -> Printed:
    """A ring `wide` millimetres across."""
    sides = (wide * SCALE, wide * SCALE)
    return Printed((x, y), sides, fill, CIRCLE * wide * SCALE / 2 + (x, y), cloth)


def felt_of(picture: np.ndarray) -> Felt:
    found = find_felt(picture)
    assert found is not None
    return found


@pytest.mark.parametrize("turn", [0.0, 20.0, -35.0])
def test_spots_in_a_straight_row_are_found(turn: float) -> None:
    angle = math.radians(turn)
    way = np.array([math.cos(angle), math.sin(angle)])
    at = [tuple(np.array([640.0, 300.0]) + far * way) for far in (-300.0, -100.0, 100.0, 300.0)]
    arc = find_arc(spots_at(*at), SCALE, None)
    assert arc is not None and len(arc.spots) == 4
    assert number_part(arc, None, doubts_of(arc, [])).sure


def test_a_row_through_points_on_a_line_is_as_flat_as_rows_get() -> None:
    centre, radius = row_through(np.array(ROW), SCALE)
    assert radius == pytest.approx(spots.RADIUS_MM[1] * SCALE)
    assert all(abs(math.dist(centre, at) - radius) < 5.0 * SCALE for at in ROW)


@pytest.mark.parametrize(("odds", "straight"), [(1.9, False), (2.1, True)])
def test_a_straight_row_must_be_likelier_than_an_arc(odds: float, straight: bool) -> None:
    """Three spots of an arc, and one in line with two of them that adds so much: the prior against lines is 2."""
    assert spots.STRAIGHT == -2.0
    bend = [Spot(at, 5.0, None) for at in (ROW[0], ROW[1], ROW[2])]
    worth = spots._worth(bend, spots.STRAIGHT_MM + 1) + odds
    assert (worth > spots._worth(bend, spots.STRAIGHT_MM - 1)) == straight


@pytest.mark.parametrize(("gaps", "kept"), [(spots.FAR - 0.1, 4), (spots.FAR + 0.1, 3)])
def test_what_lies_far_from_all_others_is_no_spot(gaps: float, kept: int) -> None:
    at = [*ROW[:3], (ROW[2][0] + 200.0 * gaps, 250.0)]
    assert len(spots._side_by_side(spots_at(*at))) == kept
    assert len(spots._side_by_side(spots_at(*[(1500.0 - x, y) for x, y in at][::-1]))) == kept


def test_three_spots_stay_however_far_the_last_is() -> None:
    assert len(spots._side_by_side(spots_at(ROW[0], ROW[1], (5000.0, 250.0)))) == 3


def test_the_number_that_is_told_is_kept_however_far_they_are() -> None:
    arc = find_arc(spots_at(*ROW[:3], (ROW[2][0] + 1000.0, 250.0)), SCALE, 4)
    assert arc is not None and len(arc.spots) == 4


@pytest.mark.parametrize("side", SIDES)
def test_cards_before_a_straight_row_tell_the_dealer_s_side(side: Side) -> None:
    out = np.array(OUT[side])
    along = np.array([out[1], out[0]])
    at = [tuple(np.array([640.0, 360.0]) + far * along) for far in (-250.0, 0.0, 250.0)]
    arc = find_arc(spots_at(*at), SCALE, None)
    assert arc is not None
    cards = [tuple(np.array(one) + 170.0 * SCALE * out) for one in at]
    bare = chances(side_odds(arc, None, [], SIZE, SCALE))
    told = chances(side_odds(arc, None, [picture_look(2.0 * i, cards=cards) for i in range(8)], SIZE, SCALE))
    assert max(bare.values()) < 0.8 < told[side]


def test_cards_on_both_sides_of_a_row_tell_nothing() -> None:
    arc = find_arc(spots_at(*ROW), SCALE, None)
    assert arc is not None
    looks = [picture_look(2.0 * i, cards=[(540.0, 130.0), (540.0, 370.0)]) for i in range(8)]
    assert max(chances(side_odds(arc, None, looks, SIZE, SCALE)).values()) < 0.8


def test_two_looks_at_cards_do_not_tell_the_side() -> None:
    arc = find_arc(spots_at(*ROW), SCALE, None)
    assert arc is not None
    looks = [picture_look(2.0 * i, cards=[(540.0, 370.0)]) for i in range(2)]
    assert side_odds(arc, None, looks, SIZE, SCALE) == side_odds(arc, None, [], SIZE, SCALE)


def test_before_a_straight_row_all_directions_are_alike() -> None:
    """Its arc's middle is far away, on whichever side: the dealer stands an arm's length before the row."""
    arc = find_arc(spots_at(*ROW), SCALE, None)
    assert arc is not None
    at = VIEW.mm([one.middle for one in arc.spots])
    at = at[np.argsort(at[:, 0])]
    for centre in (arc.centre, (640.0, -arc.centre[1])):
        before, out = row_of(replace(arc, centre=centre), VIEW, at)
        assert out == pytest.approx(np.tile([0.0, -1.0], (4, 1)), abs=0.02)
        assert before == pytest.approx(at.mean(axis=0) + np.array([0.0, ROW_MM]), abs=10.0)


def test_before_a_bent_arc_they_come_from_its_middle() -> None:
    arc = find_arc(spots_at(*map(spot, FOUR)), SCALE, None)
    assert arc is not None
    at = VIEW.mm([one.middle for one in arc.spots])
    before, out = row_of(arc, VIEW, at[np.argsort(at[:, 0])])
    assert before == pytest.approx(VIEW.mm([CENTRE])[0], abs=5.0)
    assert np.hypot(*out.T) == pytest.approx(1.0)
    assert out[0][0] < -0.6 < 0.6 < out[-1][0]


def played(*turns: float, looks: int = 3) -> list[Rest]:
    return [Rest(spot(turn), looks) for turn in turns]


@pytest.mark.parametrize(("chips", "doubt"), [([], False), ([(640.0, 560.0)], True)])
def test_spots_in_which_no_chip_rests_are_unsure_where_chips_rest_elsewhere(
    chips: list[tuple[float, float]], doubt: bool
) -> None:
    arc = find_arc(spots_at(*map(spot, FOUR)), SCALE, None)
    assert arc is not None
    rested = [Rest(at, 3) for at in chips]
    assert arc.unplayed(rested) == doubt
    assert number_part(arc, None, doubts_of(arc, rested)).sure != doubt


def test_one_played_spot_is_enough() -> None:
    arc = Arc(tuple(replace(one, chips=2) for one in spots_at(*ROW)), CENTRE, RADIUS, 80.0, 6.0)
    assert not arc.unplayed([Rest((640.0, 560.0), 3)])


def test_cards_seen_in_a_spot_less_often_than_chips_do_not_count() -> None:
    """A chip in a ring looks like a card at times."""
    shape = ring(600.0, 300.0, 100.0)
    chips, cards = [Rest((600.0, 300.0), 9)], [Rest((600.0, 300.0), 8)]
    (few,), (many,) = (candidates([shape], chips, some, SCALE) for some in (cards, [Rest((600.0, 300.0), 10)]))
    assert few.odds - many.odds == pytest.approx(-spots.HOLDS_CARDS)


@pytest.mark.parametrize(("looks", "kept"), [(ALWAYS * 100 - 1, 1), (ALWAYS * 100, 0)])
def test_what_never_leaves_is_printed(looks: float, kept: int) -> None:
    assert len(leaving([Rest((0.0, 0.0), round(looks))], 100)) == kept


def doubled(*, chip: bool) -> np.ndarray:
    """Rings of two lines each, in which chips lie that no look tells."""
    picture = table(FOUR)
    for turn in FOUR:
        x, y = map(round, spot(turn))
        cv2.circle(picture, (x, y), 26, RING, 2, cv2.LINE_AA)
        if chip:
            cv2.circle(picture, (x, y), 14, (150, 30, 40), -1, cv2.LINE_AA)
    return picture


@pytest.mark.parametrize("chip", [False, True])
def test_rings_of_two_lines_are_seen_from_outside(chip: bool) -> None:
    picture = doubled(chip=chip)
    surface = felt_of(picture)
    found = outer_outlines(sharp_mask(picture, surface.surface, SCALE), surface, SCALE, spots.SPAN_MM)
    for turn in FOUR:
        (one,) = [shape for shape in found if math.dist(shape.middle, spot(turn)) < 15]
        assert math.dist(one.middle, spot(turn)) < 2 and one.sides[0] == pytest.approx(72, abs=5)


@pytest.mark.parametrize(("neck", "whole"), [(felt.NECK_MM - 8, True), (felt.NECK_MM + 10, False)])
def test_print_that_touches_a_ring_is_parted_from_it(neck: float, whole: bool) -> None:
    """A bar that is as broad as the neck runs from the ring."""
    picture = table(FOUR)
    strokes = np.zeros(picture.shape[:2], np.uint8)
    x, y = map(round, spot(FOUR[1]))
    half = round(neck * SCALE / 2)
    cv2.circle(strokes, (x, y), 35, (1.0,), 2)
    cv2.rectangle(strokes, (x, y - half), (x + 100, y + half), (1.0,), -1)
    found = outer_outlines(strokes, felt_of(picture), SCALE, spots.SPAN_MM)
    assert any(math.dist(one.middle, (x, y)) < 4 for one in found) == whole


def test_a_disc_that_hides_the_cloth_is_told_by_its_outline_as_unclear() -> None:
    picture = table(FOUR)
    for turn in FOUR:
        cv2.circle(picture, tuple(map(round, spot(turn))), 35, (40, 60, 200), -1, cv2.LINE_AA)
    surface = felt_of(picture)
    found = outer_outlines(print_mask(picture, surface.surface, SCALE), surface, SCALE, spots.SPAN_MM)
    assert all(one.cloth < spots.CLOTH_LEAST for one in found)
    assert [one.patch for one in unclear(found)] == [True] * len(found)


@pytest.mark.parametrize(("clear", "looks", "printed"), [(3, 2, True), (2, 2, False), (3, 1, False)])
def test_where_three_outlines_are_clear_and_one_is_played_no_spot_is_a_patch(
    clear: int, looks: int, printed: bool
) -> None:
    shapes = [ring(*at, 100.0, cloth=1.0 if n < clear else 0.1) for n, at in enumerate(ROW)]
    assert spots.clearly_printed(shapes, [Rest(ROW[0], looks)]) == printed


@pytest.mark.parametrize(("share", "kept"), [(felt.HALF + 0.1, True), (felt.HALF - 0.1, False)])
def test_what_is_faint_beside_a_line_is_its_blur(share: float, kept: bool) -> None:
    picture = np.full((200, 200, 3), 60, np.uint8)
    picture[:, 100:102] = 160
    picture[:, 105:107] = 60 + round(100 * share)
    mask = sharp_mask(picture, np.ones((200, 200), np.uint8), SCALE)
    assert mask[100, 100:102].all()
    assert bool(mask[100, 105:107].any()) == kept


def test_outlines_from_outside_go_before_those_of_another_size() -> None:
    """Of a ring in which a chip lies, the inner outline is a crescent."""
    outer = [ring(*spot(turn), 100.0) for turn in FOUR]
    crescent = ring(*spot(FOUR[0]), 65.0)
    assert with_outer([crescent], outer, []) == outer
    same = ring(*spot(FOUR[0]), 95.0)
    assert with_outer([same], outer, []) == [same, *outer[1:]]


def test_outlines_in_which_chips_rest_tell_the_common_size() -> None:
    """Four side bets are printed whole; of the spots two are seen, and played."""
    side = [ring(x, y + 90.0, 62.0) for x, y in ROW]
    wagers = [ring(*at, 100.0) for at in ROW[:2]]
    bare, told = (spots._common([*side, *wagers], some) for some in ([], [Rest(at, 4) for at in ROW[:2]]))
    assert bare in side and told in wagers


@pytest.mark.parametrize(("fill", "alike"), [(0.87, True), (0.80, False)])
def test_a_box_and_a_ring_may_be_one_kind_where_they_hardly_differ(fill: float, alike: bool) -> None:
    """Of small boxes one is as much a ring as a box."""
    assert spots.KIND_OFF == 0.1
    assert spots._alike(ring(0.0, 0.0, 100.0, fill=0.91), ring(0.0, 0.0, 100.0, fill=fill)) == alike


@pytest.mark.parametrize(("wide", "off", "kept"), [(62.0, 92.0, True), (62.0, 60.0, False), (100.0, 120.0, False)])
def test_a_side_bet_beside_a_broken_ring_does_not_hide_it(wide: float, off: float, kept: bool) -> None:
    """One that overlaps it does, and so does one of the spots' own size nearer than two spots are."""
    broken, other = ring(600.0, 300.0, 100.0), ring(600.0, 300.0 + off * SCALE, wide)
    assert (broken in mended([other], [broken], SCALE)) == kept


def small(wide: int) -> Watched:
    size = (wide, wide // 2)
    picture = np.full((size[1], size[0], 3), 90, np.uint8)
    picture[10:20, 10:20] = 200
    hand = Hand(thing(HAND, 50.0, 60.0, 30.0, 30.0), 0.9)
    return Watched(
        (PictureLook(1.0, (thing(CARD_UP, 100.0, 40.0, 16.0, 22.0),), (hand,)),), (picture,), picture, size, 1.0
    )


def test_small_pictures_are_enlarged_with_all_that_was_seen_in_them() -> None:
    found = enlarged(small(SHORTEST - 2))
    assert found.size == (2 * (SHORTEST - 2), SHORTEST - 2) and found.grow == 0.5
    assert found.clear.shape == found.pictures[0].shape == (found.size[1], found.size[0], 3)
    assert found.picture_looks[0].things[0].box.tolist() == [200.0, 80.0, 32.0, 44.0, 0.0]
    assert (
        found.picture_looks[0].hands[0].found.centre == (100.0, 120.0) and found.picture_looks[0].hands[0].dealer == 0.9
    )
    assert found.clear[30, 30, 0] == pytest.approx(200, abs=12) and found.clear[60, 60, 0] == 90


def test_larger_pictures_stay_as_they_are() -> None:
    watched = small(SHORTEST)
    assert enlarged(watched) is watched


class Twice:
    """Reads a table sign in whatever it is shown."""

    def line(self, crop: np.ndarray) -> str | None:
        return "TABLE 7"


@pytest.mark.parametrize(("grow", "sure"), [(1.0, True), (0.5, False), (2.0, True)])
def test_letters_of_an_enlarged_picture_are_no_larger_than_they_were(grow: float, sure: bool) -> None:
    high = 1.5 * SMALL_PX
    corners = ((10.0, 10.0), (90.0, 10.0), (90.0, 10.0 + high), (10.0, 10.0 + high))
    line = Line("TABLE 7", 1.0, (10.0, 10.0, 90.0, 10.0 + high), corners)
    picture = np.full((100, 200, 3), 90, np.uint8)
    found = find_signs([picture] * 3, [line], Twice(), grow=grow)  # type: ignore[arg-type]
    assert (found["table"].share >= 0.8) == sure


def test_worn_and_side_bet_rings_make_one_row_of_spots() -> None:
    """Rings with side bets touching them: the spots are those in which chips rest."""
    picture = table([])
    for turn in FOUR:
        x, y = spot(turn)
        inward = (np.array(CENTRE) - (x, y)) / RADIUS
        for at, half in (((x, y), 35), (tuple(np.array([x, y]) + 57.0 * inward), 23)):
            cv2.circle(picture, tuple(map(round, at)), half, RING, 2, cv2.LINE_AA)
    surface = felt_of(picture)
    strokes = print_mask(picture, surface.surface, SCALE)
    outer = outer_outlines(sharp_mask(picture, surface.surface, SCALE), surface, SCALE, spots.SPAN_MM)
    shapes = with_outer(printed_shapes(strokes, surface, SCALE, spots.SPAN_MM), outer, played(*FOUR))
    arc = find_arc(candidates(shapes, played(*FOUR), [], SCALE), SCALE, None)
    assert arc is not None
    for one, true in zip(sorted(one.middle for one in arc.spots), sorted(map(spot, FOUR)), strict=True):
        assert math.dist(one, true) < 10


@pytest.mark.parametrize(("gaps", "enlarged", "sure"), [(True, True, False), (True, False, True), (False, True, True)])
def test_a_worn_outline_in_a_small_picture_is_not_sure(gaps: bool, enlarged: bool, sure: bool) -> None:
    worn = Spot(ROW[0], 7.0, replace(ring(*ROW[0], 100.0), gaps=gaps))
    assert wager_part(worn, 0.99, enlarged=enlarged).sure == sure


def test_a_broken_outline_says_that_it_has_gaps() -> None:
    picture = table(FOUR[:3])
    at = tuple(map(round, spot(FOUR[3])))
    cv2.ellipse(picture, at, (35, 35), 0, 0, 300, RING, 2, cv2.LINE_AA)
    surface = felt_of(picture)
    strokes = print_mask(picture, surface.surface, SCALE)
    arc = find_arc(candidates(printed_shapes(strokes, surface, SCALE, spots.SPAN_MM), [], [], SCALE), SCALE, None)
    assert arc is not None
    (one,) = spots.broken_outlines(arc, strokes, surface, SCALE)
    assert one.gaps
