"""Each bound of the zones at its edge: just inside it one thing holds, just outside of it the other."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest
from zones_fakes import CENTRE, RADIUS, SCALE, SIZE, outward, picture_look, spot, table, thing

from verifier.domain.layout import CARD_MM
from verifier.vision.detection import CARD_UP
from verifier.vision.ocr import Line
from verifier.zones import cards, felt, fixtures, scale, spots
from verifier.zones.areas import CELL_MM, REACH_MM, ROOM_MM, Space, outlines
from verifier.zones.felt import Felt, Printed, find_felt, print_mask, printed_shapes
from verifier.zones.orientation import side_chances
from verifier.zones.resting import Rest
from verifier.zones.spots import Arc, Spot, broken_outlines, find_arc, played_patches, with_patches
from verifier.zones.view import SIDES, View
from verifier.zones.watch import PictureLook

FOUR = [-45.0, -15.0, 15.0, 45.0]
CLOTH = (60, 120, 40)
VIEW = View(SIZE, "bottom", False, SCALE)


def shown(picture: np.ndarray) -> tuple[Felt, np.ndarray, Arc]:
    """The felt, the strokes and the arc of a drawn table."""
    found = find_felt(picture)
    assert found is not None
    strokes = print_mask(picture, found.surface, SCALE)
    shapes = printed_shapes(strokes, found, SCALE, spots.SPAN_MM)
    arc = find_arc(spots.candidates(shapes, [], [], SCALE), SCALE, None)
    assert arc is not None
    return found, strokes, arc


def ring_at(turn: float, *, gap: float = 0.0, size: float = 1.0) -> np.ndarray:
    """Three rings of 35 pixels, and a fourth at that turn whose line has a gap (degrees), `size` times as large."""
    picture = table(FOUR[:3])
    x, y = map(round, spot(turn))
    half = round(35 * size)
    cv2.ellipse(picture, (x, y), (half, half), 0, 0, 360 - gap, (215, 220, 220), 2, cv2.LINE_AA)
    return picture


@pytest.mark.parametrize(("share", "outline"), [(felt.GAP - 0.02, True), (felt.GAP + 0.02, False)])
def test_an_outline_is_convex_up_to_a_share(share: float, outline: bool) -> None:
    part = np.ones((100, 100), np.uint8)
    part[:20, 15 : 15 + round(share * 100 * 100 / 20)] = 0
    assert (felt._outlined(part, np.zeros_like(part), 0, 0, 1.0) is not None) == outline


@pytest.mark.parametrize(
    ("hidden", "side", "again"),
    [
        (felt.GAP - 0.01, 0.5, False),
        (felt.GAP + 0.01, spots.CUT + 0.01, False),
        (felt.GAP + 0.01, spots.CUT - 0.01, True),
    ],
)
def test_an_outline_that_chips_cut_off_is_looked_for_again(hidden: float, side: float, again: bool) -> None:
    """It is told by what it leaves out, and by its shorter side beside the usual one."""
    found, strokes, arc = shown(table(FOUR))
    last = arc.spots[-1].shape
    assert last is not None
    cut = replace(last, hidden=hidden, sides=(last.sides[0], last.sides[1] * side))
    arc = replace(arc, spots=(*arc.spots[:-1], replace(arc.spots[-1], shape=cut)))
    broken = broken_outlines(arc, strokes, found, SCALE)
    assert any(math.dist(one.middle, last.middle) < 10 for one in broken) == again


@pytest.mark.parametrize(("gap", "ring"), [(125.0, True), (190.0, False)])
def test_a_broken_ring_has_most_of_its_line(gap: float, ring: bool) -> None:
    """Of 24 points six tenths; a few more are on the line where it is drawn broadly."""
    found, strokes, arc = shown(ring_at(FOUR[3], gap=gap))
    at = spot(FOUR[3])
    assert any(math.dist(one.middle, at) < 10 for one in broken_outlines(arc, strokes, found, SCALE)) == ring


@pytest.mark.parametrize(("hidden", "tells"), [(12, True), (13, False)])
def test_a_ring_tells_if_half_of_it_is_seen(hidden: int, tells: bool) -> None:
    turns = np.linspace(0, 2 * np.pi, spots.RING, endpoint=False)
    lines = (60 + 40 * np.stack([np.cos(turns), np.sin(turns)], 1))[None]
    wide, covered = np.ones((120, 120), np.uint8), np.zeros((120, 120), np.uint8)
    for x, y in lines[0, :hidden].round().astype(int):
        covered[y, x] = 1
    assert (spots._printed_shares(wide, covered, lines)[0] > 0) == tells


@pytest.mark.parametrize("size", [spots.RING_SIZES[0], spots.RING_SIZES[-1]])
def test_a_broken_ring_is_found_in_all_sizes(size: float) -> None:
    found, strokes, arc = shown(ring_at(FOUR[3], gap=60.0, size=size))
    (one,) = broken_outlines(arc, strokes, found, SCALE)
    assert math.dist(one.middle, spot(FOUR[3])) < 5 and one.sides[0] == pytest.approx(70 * size, abs=6)


@pytest.mark.parametrize("size", [spots.RING_SIZES[0] - 0.2, spots.RING_SIZES[-1] + 0.2])
def test_a_broken_ring_of_another_size_is_none_of_the_spots(size: float) -> None:
    found, strokes, arc = shown(ring_at(FOUR[3], gap=60.0, size=size))
    assert broken_outlines(arc, strokes, found, SCALE) == []


def test_a_broken_ring_lies_where_there_is_cloth_inside_of_its_line() -> None:
    """A broad print beside it holds every larger ring that one lays on it; there is print inside of their lines."""
    found, strokes, arc = shown(ring_at(FOUR[3], gap=60.0))
    near, here = (tuple(map(round, spot(FOUR[3] + off))) for off in (6.0, 0.0))
    broad = np.zeros_like(strokes)
    cv2.circle(broad, near, 50, (1.0,), cv2.FILLED)
    cv2.circle(broad, here, 40, (0.0,), cv2.FILLED)
    (one,) = broken_outlines(arc, np.maximum(strokes, broad), found, SCALE)
    assert math.dist(one.middle, here) < 5 and one.sides[0] < 72


@pytest.mark.parametrize(("gap", "kept"), [(spots.APART_MM - 1, 1), (spots.APART_MM + 1, 2)])
def test_spots_are_so_far_apart(gap: float, kept: int) -> None:
    two = [Spot((0.0, 0.0), 3.0, None), Spot((gap * SCALE, 0.0), 2.0, None)]
    assert len(spots._apart(two, SCALE)) == kept


@pytest.mark.parametrize(
    ("alike", "played", "count"), [(3, 2, 3), (3, 1, 0), (2, 2, 0)], ids=["spots", "one chip", "two alike"]
)
def test_filled_patches_are_spots_where_chips_rest_on_some(alike: int, played: int, count: int) -> None:
    found = [Printed((200.0 * n, 0.0), (70.0, 70.0), 0.785, np.zeros((3, 2)), 0.0, patch=True) for n in range(alike)]
    chips = [Rest((200.0 * n, 5.0), spots.COVERED_LOOKS) for n in range(played)]
    assert len(played_patches(found, chips)) == count


@pytest.mark.parametrize(("cloth", "kept"), [(spots.CLOTH_LEAST, False), (spots.CLOTH_LEAST - 0.01, True)])
def test_a_patch_goes_before_the_outline_of_its_own_edge(cloth: float, kept: bool) -> None:
    """An outline with cloth in it goes before the patch: what fills it is a pile of chips."""
    patch = Printed((100.0, 100.0), (70.0, 70.0), 0.785, np.zeros((3, 2)), 0.0, patch=True)
    edge = replace(patch, middle=(104.0, 100.0), cloth=cloth, patch=False)
    assert with_patches([edge], [patch]) == ([patch] if kept else [edge])


def test_patches_of_a_table_are_its_spots_and_coasters_are_not() -> None:
    picture = table([])
    for turn in FOUR:
        cv2.circle(picture, tuple(map(round, spot(turn))), 35, (215, 220, 220), -1, cv2.LINE_AA)
    found = find_felt(picture)
    assert found is not None
    filled = felt.patches(fixtures.not_cloth(picture, found), found, SCALE, spots.SPAN_MM)
    for one, true in zip(sorted(one.middle for one in filled), sorted(map(spot, FOUR)), strict=True):
        assert one == pytest.approx(true, abs=2.0)
    assert played_patches(filled, []) == []
    played = played_patches(filled, [Rest(spot(turn), 9) for turn in FOUR[:2]])
    arc = find_arc(spots.candidates(played, [], [], SCALE), SCALE, None)
    assert arc is not None and len(arc.spots) == 4


@pytest.mark.parametrize(("gap", "whole"), [(felt.BROKEN_MM - 3, True), (felt.BROKEN_MM + 4, False)])
def test_a_short_gap_in_a_line_is_drawn_on(gap: float, whole: bool) -> None:
    strokes = np.zeros((40, 200), np.uint8)
    strokes[18:21, :100] = strokes[18:21, 100 + round(gap * SCALE) :] = 1
    assert bool(felt.closed(strokes, SCALE)[19, 100 : 100 + round(gap * SCALE)].all()) == whole


def test_a_whole_outline_goes_before_one_whose_gaps_were_drawn_on() -> None:
    whole = Printed((100.0, 100.0), (70.0, 70.0), 0.785, np.zeros((3, 2)))
    near, away = replace(whole, middle=(120.0, 100.0)), replace(whole, middle=(140.0, 100.0))
    assert felt.beside([whole], [near, away]) == [whole, away]


@pytest.mark.parametrize(("share", "found"), [(felt.FELT_LEAST - 0.01, False), (felt.FELT_LEAST + 0.01, True)])
def test_a_felt_covers_a_share_of_the_picture(share: float, found: bool) -> None:
    picture = np.full((SIZE[1], SIZE[0], 3), (60, 60, 160), np.uint8)
    wide, high = (round(math.sqrt(share) * side / 2) for side in SIZE)
    picture[360 - high : 360 + high, 640 - wide : 640 + wide] = CLOTH
    assert (find_felt(picture) is not None) == found


@pytest.mark.parametrize(("off", "cloth"), [(felt.HUE - 2, True), (felt.HUE + 2, False)])
def test_the_felt_has_one_hue(off: float, cloth: bool) -> None:
    lab = np.full((SIZE[1], SIZE[0], 3), (110, 108, 140), np.uint8)
    lab[:, 1100:, 1] = round(108 + off)
    found = find_felt(np.asarray(cv2.cvtColor(lab, cv2.COLOR_LAB2BGR), np.uint8))
    assert found is not None and bool(found.coloured[360, 1200]) == cloth


@pytest.mark.parametrize(("wide", "stroke"), [(felt.LINE_MM - 2, True), (felt.LINE_MM + 4, False)])
def test_print_is_made_of_narrow_strokes(wide: float, stroke: bool) -> None:
    picture = np.full((200, 400, 3), CLOTH, np.uint8)
    half = wide * SCALE / 2
    picture[:, round(200 - half) : round(200 + half)] = (215, 220, 220)
    assert bool(print_mask(picture, np.ones((200, 400), np.uint8), SCALE)[100, 200]) == stroke


@pytest.mark.parametrize(("off", "stroke"), [(felt.LEAST_CONTRAST - 1, False), (felt.LEAST_CONTRAST + 2, True)])
def test_print_stands_out_from_the_cloth(off: float, stroke: bool) -> None:
    picture = np.full((200, 400, 3), CLOTH, np.uint8)
    picture[:, 198:202, 1] = round(CLOTH[1] + off)
    assert bool(print_mask(picture, np.ones((200, 400), np.uint8), SCALE)[100, 200]) == stroke


@pytest.mark.parametrize(("times", "stroke"), [(felt.CONTRAST - 1.5, False), (felt.CONTRAST + 1.5, True)])
def test_print_stands_out_from_a_restless_cloth(times: float, stroke: bool) -> None:
    """`usual` is how far the cloth itself is off its own median, after the softening that print has, too."""
    rng = np.random.default_rng(3)
    plain = np.clip(np.full((300, 400, 3), CLOTH) + rng.normal(0, 9, (300, 400, 1)), 0, 255).astype(np.uint8)
    surface = np.ones((300, 400), np.uint8)
    soft = cv2.GaussianBlur(plain, (0, 0), 0.7)
    ground = np.stack([cv2.medianBlur(np.ascontiguousarray(soft[..., i]), 13) for i in range(3)], axis=-1)
    usual = float(np.median(np.abs(soft.astype(np.int16) - ground).max(axis=-1)))
    assert felt.CONTRAST * usual > felt.LEAST_CONTRAST
    plain[:, 198:202] = np.clip(np.array(CLOTH) + times * usual, 0, 255).astype(np.uint8)
    assert (print_mask(plain, surface, SCALE)[:, 199:201].mean() > 0.5) == stroke


# Cards


def common(places: list[tuple[float, float]], counts: list[int], count: int) -> tuple[float, float]:
    """Where first cards lie to spots a metre apart; a place is (off aside, off inward) of the spot of its number."""
    at = np.array([(1000.0 * n, 0.0) for n in range(count)])
    out = np.tile((0.0, -1.0), (count, 1))
    there = np.array([at[n] + (x, y) for n, (x, y) in enumerate(places)])
    along, aside = cards._common_place(there, counts, at, out)
    return -along, aside


@pytest.mark.parametrize(("off", "more"), [(cards.ALIKE_MM + 2, True), (cards.ALIKE_MM + 7, False)])
def test_first_cards_lie_alike_from_one_space_to_another(off: float, more: bool) -> None:
    """Three that are off by so much (a normal density of that deviation) beside two that are exactly alike."""
    inward, _ = common([(0, 170), (0, 170 + off), (0, 170 - off), (0, 330), (0, 330)], [8] * 5, 5)
    assert (abs(inward - 170) < 30) == more


@pytest.mark.parametrize(("aside", "more"), [(1.15, True), (1.2, False)])
def test_first_cards_lie_before_their_spot(aside: float, more: bool) -> None:
    """Eight looks aside weigh as much as four before the spot where the density is a half: 1.18 deviations aside."""
    _, found = common([(aside * cards.ASIDE_MM, 170), (0, 330)], [8, 4], 2)
    assert (abs(found) > 30) == more


@pytest.mark.parametrize(("looks", "two"), [((5, 4), True), ((4, 3), False)])
def test_many_looks_at_one_card_say_no_more_than_some(looks: tuple[int, int], two: bool) -> None:
    inward, _ = common([(0, 170), (0, 330), (0, 330)], [100, *looks], 3)
    assert sum(looks) - cards.MOST_LOOKS == (1 if two else -1)
    assert (abs(inward - 330) < 5) == two


@pytest.mark.parametrize(("off", "places"), [(cards.SAME_MM - 1, 1), (cards.SAME_MM + 1, 0)])
def test_looks_at_one_card_lie_close(off: float, places: int) -> None:
    assert len(cards._places([np.array([0.0, 0.0]), np.array([off, 0.0])])[0]) == places


def test_without_cards_they_lie_two_cards_lengths_before_the_spot() -> None:
    at = np.array([(-300.0, -200.0), (0.0, -300.0), (300.0, -200.0)])
    found = cards.find_cards([PictureLook(0.0, (), ())], VIEW, at, np.array([0.0, 300.0]), outward(at, (0.0, 300.0)))
    assert np.hypot(*(found.first - at).T) == pytest.approx([cards.BEFORE_MM] * 3)


@pytest.mark.parametrize(("off", "same"), [(cards.ROW_MM - 2, True), (cards.ROW_MM + 2, False)])
def test_the_dealer_s_row_is_straight(off: float, same: bool) -> None:
    at = np.array([(-300.0, -300.0), (0.0, -400.0), (300.0, -300.0)])
    row = np.array([(60.0, 200.0)] * 5 + [(-20.0, 200.0 + off)] * 4)
    first, _ = cards._dealers(row, at, np.array([0.0, 300.0]))
    assert first is not None and (first[0] < 0) == same


# Areas


def test_an_area_reaches_so_far() -> None:
    at = np.array([0.0, 0.0])
    one = Space(at, np.array([0.0, 180.0]), np.array([0.0, 300.0]))
    surface = np.array([(-2000.0, -2000.0), (2000.0, -2000.0), (2000.0, 2000.0), (-2000.0, 2000.0)])
    (area,) = outlines([one], [], surface)
    spine = one.spine()
    far = [float(np.hypot(*(spine - corner).T).min()) for corner in area]
    assert max(far) <= REACH_MM and min(far) > REACH_MM - 4 * CELL_MM


def test_the_cards_outline_has_room() -> None:
    at = np.array([0.0, 0.0])
    outline = Space(at, np.array([0.0, 180.0]), at).cards_outline()
    assert outline[:, 1].min() == pytest.approx(180.0 - CARD_MM[1] / 2 - ROOM_MM)


# Fixtures


def blob(wide: float, high: float, x: float = 640.0) -> fixtures.Blob:
    """Something of that size in millimetres."""
    w, h = wide * SCALE, high * SCALE
    corners = np.array([(-w, -h), (w, -h), (w, h), (-w, h)]) / 2 + (x, 600.0)
    return fixtures.Blob(corners, (x, 600.0), w, h)


@pytest.mark.parametrize(
    ("wide", "high", "tray"),
    [
        (fixtures.TRAY_MM + 2, 100.0, True),
        (fixtures.TRAY_MM - 2, 100.0, False),
        (fixtures.TRAY_ASPECT * 200 + 2, 200.0, True),
        (fixtures.TRAY_ASPECT * 200 - 2, 200.0, False),
    ],
)
def test_a_tray_is_long(wide: float, high: float, tray: bool) -> None:
    assert ("tray" in fixtures.find_fixtures([blob(wide, high)], [], SCALE, 640.0)) == tray


@pytest.mark.parametrize(("off", "found"), [(1.0, True), (-1.0, False)])
def test_a_shoe_is_larger_than_a_card_both_ways(off: float, found: bool) -> None:
    longer, shorter = fixtures.HOLDER_MM
    for wide, high in ((longer + off, shorter + 9), (longer + 9, shorter + off)):
        assert ("shoe" in fixtures.find_fixtures([blob(wide, high, 200.0)], [], SCALE, 640.0)) == found


def bar(wide: float) -> list[fixtures.Blob]:
    """What is broader than APART_MM of a shoe with a bar of that width, in millimetres, beside it."""
    mask = np.zeros((SIZE[1], SIZE[0]), np.uint8)
    mask[400:560, 100:240] = 1
    mask[460 : 460 + round(wide * SCALE), 240:500] = 1
    return fixtures._opened(mask, fixtures.APART_MM * SCALE)


def test_what_is_narrow_parts_from_a_shoe() -> None:
    (alone,), (with_it,) = bar(fixtures.APART_MM - 3), bar(fixtures.APART_MM + 3)
    assert alone.across == pytest.approx(140, abs=4)
    assert with_it.across > 300


def test_a_sign_reaches_beyond_its_letters() -> None:
    mask = np.ones((SIZE[1], SIZE[0]), np.uint8)
    out = fixtures._without_signs(mask, [Line("TABLE 7", 0.9, (300.0, 500.0, 400.0, 550.0))], None)
    pad = round(50 * fixtures.PLAQUE)
    assert [out[525, x] for x in (300 - pad - 1, 300 - pad, 400 + pad - 1, 400 + pad)] == [1, 0, 0, 1]


@pytest.mark.parametrize(("off", "cloth"), [(fixtures.LIGHTNESS - 2, True), (fixtures.LIGHTNESS + 2, False)])
def test_what_is_lighter_than_the_cloth_is_none(off: float, cloth: bool) -> None:
    lab = np.full((SIZE[1], SIZE[0], 3), (110, 108, 140), np.uint8)
    lab[300:400, 300:400, 0] = round(110 + off)
    picture = np.asarray(cv2.cvtColor(lab, cv2.COLOR_LAB2BGR), np.uint8)
    found = find_felt(picture)
    assert found is not None and (fixtures.not_cloth(picture, found)[350, 350] == 0) == cloth


@pytest.mark.parametrize(("off", "found"), [(4.0, 1), (-4.0, 0)])
def test_a_fixture_is_broader_than_print_and_larger_than_a_stain(off: float, found: int) -> None:
    picture = np.full((SIZE[1], SIZE[0], 3), CLOTH, np.uint8)
    longer, shorter = (round((side + off) * SCALE) for side in fixtures.LEAST_MM)
    picture[500 : 500 + shorter, 300 : 300 + longer] = 20
    mask = np.ones(picture.shape[:2], np.uint8)
    cloth = (picture[..., 1] > 100).astype(np.uint8)
    assert len(fixtures.blobs(picture, Felt(cloth, mask, cloth), SCALE, 400.0)) == found


# Scale and side


@pytest.mark.parametrize(
    ("aspect", "whole"),
    [
        (scale.ASPECTS[0] - 0.01, False),
        (scale.ASPECTS[0] + 0.01, True),
        (scale.ASPECTS[1] - 0.01, True),
        (scale.ASPECTS[1] + 0.01, False),
    ],
)
def test_a_whole_card_has_a_card_s_shape(aspect: float, whole: bool) -> None:
    one = PictureLook(0.0, (thing(CARD_UP, 300.0, 300.0, 44.0, 44.0 * aspect),), ())
    assert bool(len(scale.whole_cards([one]))) == whole


@pytest.mark.parametrize(("p", "whole"), [(scale.WHOLE_P + 0.01, True), (scale.WHOLE_P - 0.01, False)])
def test_a_card_must_be_seen_surely_to_tell_the_scale(p: float, whole: bool) -> None:
    one = PictureLook(0.0, (thing(CARD_UP, 300.0, 300.0, 44.0, 62.0, p),), ())
    assert bool(len(scale.whole_cards([one]))) == whole


@pytest.mark.parametrize(("margin", "sure"), [(6.0, True), (0.0, False)])
def test_the_side_is_as_sure_as_the_spots_that_tell_it(margin: float, sure: bool) -> None:
    """Chips that rested anywhere lie on some arc; what it tells of the dealer's side counts as far as it is likely."""
    at = tuple(Spot(spot(turn), 7.0, None) for turn in FOUR)
    odds = side_chances(Arc(at, CENTRE, RADIUS, 80.0, margin), None, [], SIZE, SCALE)
    assert sum(odds[side] for side in SIDES) == pytest.approx(1.0)
    assert max(odds, key=lambda one: odds[one]) == "bottom"
    assert (odds["bottom"] >= 0.8) == sure


def test_another_arc_of_as_many_spots_makes_the_number_unsure() -> None:
    """Four chips without print, of which one lies off the arc of the others: any three of them make an arc."""
    four = [*(spot(turn) for turn in (-30.0, 0.0, 30.0)), (CENTRE[0] + 40.0, CENTRE[1] - RADIUS + 190.0)]
    arc = find_arc([Spot(at, 0.5, None) for at in four], SCALE, None)
    sure = find_arc([Spot(at, 0.5, None) for at in four[:3]], SCALE, None)
    assert arc is not None and sure is not None
    assert arc.margin < 0.5 < sure.margin


def test_looks_and_cards_agree_on_the_fakes() -> None:
    """The looks of these tests are seen as whole cards."""
    assert len(scale.whole_cards([picture_look(0.0, cards=[(300.0, 300.0)])])) == 1
