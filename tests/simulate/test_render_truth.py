"""The truth of a picture: geometry, visible shares, hands and their chirality, and the layout."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from shapely.geometry import Point, Polygon

from verifier.domain.cards import Card
from verifier.simulate.annotate import annotate, visibility
from verifier.simulate.layouts import layout_for, space_areas
from verifier.simulate.render import Camera, Look, Renderer
from verifier.simulate.render.hands import CURLS, fingers_of, landmarks
from verifier.simulate.scene import CardSprite, ChipSprite, HandSprite, PropSprite, Scene, with_coins
from verifier.simulate.table import VIEW_MM, plan_table

CAMERA = Camera.straight((1280, 720))


def card(number: int, xy: tuple[float, float], **more: object) -> CardSprite:
    return CardSprite(**({"id": number, "card": Card("9", "s"), "face": "up", "xy": xy} | more))  # type: ignore[arg-type]


def hand(**more: object) -> HandSprite:
    fields: dict[str, object] = {
        "id": 9,
        "owner": "player",
        "person": "P1",
        "side": "left",
        "facing": "back",
        "shape": "open",
        "xy": (0.0, 0.0),
        "angle": 0.0,
        "elbow": (0.0, 400.0),
    }
    return HandSprite(**(fields | more))  # type: ignore[arg-type]


def test_the_straight_camera_just_sees_the_view() -> None:
    corners = CAMERA.project([(-VIEW_MM[0] / 2, 0.0, 0.0), (VIEW_MM[0] / 2, 0.0, 0.0), (0.0, 0.0, 0.0)])
    assert np.allclose(corners, [(0, 360), (1280, 360), (640, 360)], atol=0.01)
    assert CAMERA.card_px[0] == pytest.approx(63 * 1280 / 1780)


def test_a_camera_that_tilts_still_looks_at_the_table_and_inverts() -> None:
    for seed in range(20):
        camera = Camera.sample(np.random.default_rng(seed), (1280, 720), "hard")
        pixels = camera.project([(0.0, 0.0, 0.0), (300.0, -100.0, 0.0)])
        assert np.hypot(*(pixels[0] - (640, 360))) < 120
        assert np.allclose(camera.ground(pixels), [(0, 0), (300, -100)], atol=1e-6)
        right, down = camera.project([(50.0, 0.0, 0.0), (0.0, 50.0, 0.0)]) - pixels[0]
        assert right[0] > 0 and down[1] > 0


def test_what_is_nearer_to_the_camera_is_bigger_and_leans_outward() -> None:
    low, high = CAMERA.project([(500.0, 0.0, 0.0), (500.0, 0.0, 60.0)])
    assert high[0] > low[0] + 5


def test_a_window_sees_the_same_points_moved_and_scaled() -> None:
    window = CAMERA.window(100, 50, (640, 640), 1.5)
    points = [(20.0, 30.0, 0.0), (-200.0, 10.0, 25.0)]
    assert np.allclose(window.project(points), (CAMERA.project(points) - (100, 50)) * 1.5)


def test_a_quad_starts_at_the_cards_own_upper_left_and_runs_clockwise() -> None:
    upright, doubled = (
        annotate(Scene(cards=(card(1, (0.0, 0.0), angle=a),)), CAMERA).cards[0].quad for a in (0.0, 90.0)
    )
    assert upright[0][0] < 640 and upright[0][1] < 360
    assert upright[1][0] > 640 and upright[1][1] < 360
    assert doubled[0][0] > 640 and doubled[0][1] < 360
    assert abs(upright[1][0] - upright[0][0]) == pytest.approx(45.3, abs=0.5)


def test_shares_follow_what_covers_a_card() -> None:
    under, over = card(1, (0.0, 0.0)), card(2, (31.5, 0.0))
    shares = visibility(Scene(cards=(under, over)), CAMERA)
    assert shares.cards[1] == pytest.approx(0.5, abs=0.05)
    assert shares.cards[2] > 0.97
    assert visibility(Scene(cards=(under, card(2, (31.5, 0.0), z=0.2))), CAMERA).cards[1] > 0.97


def test_hands_forearms_and_props_cover_cards_too() -> None:
    far = card(1, (0.0, 200.0))
    assert visibility(Scene(cards=(far,), hands=(hand(),)), CAMERA).cards[1] < 0.6
    cloth = PropSprite(id=3, kind="cloth", xy=(0.0, 200.0), size=(63, 88))
    assert visibility(Scene(cards=(far,), props=(cloth,)), CAMERA).cards[1] < 0.1


def test_a_stack_shows_only_its_top_chip_and_a_fan_all() -> None:
    stack = tuple(ChipSprite(id=i, cents=500, xy=(0.0, 0.0), z=3.3 * i) for i in range(4))
    assert [chip.id for chip in annotate(Scene(chips=stack), CAMERA).chips] == [3]
    fan = tuple(ChipSprite(id=i, cents=500, xy=(24.0 * i, 0.0), z=0.5 * i) for i in range(4))
    assert len(annotate(Scene(chips=fan), CAMERA).chips) == 4


def test_chips_are_named_by_colour_and_value() -> None:
    chips = (ChipSprite(id=1, cents=2500, xy=(0.0, 0.0)), ChipSprite(id=2, cents=1000, xy=(100.0, 0.0)))
    seen = {chip.id: chip for chip in annotate(Scene(chips=chips), CAMERA).chips}
    assert (seen[1].colour, seen[1].cents) == ("green", 2500)
    assert (seen[2].colour, seen[2].cents) == ("other", None)
    assert seen[1].radius == pytest.approx(19.5 * CAMERA.pixels_per_mm, rel=0.03)


@pytest.mark.parametrize(("side", "facing", "thumb"), [
    ("left", "back", 1), ("right", "back", -1), ("left", "palm", -1), ("right", "palm", 1),
])  # fmt: skip
def test_a_left_hand_seen_from_its_back_has_its_thumb_on_the_right(side: str, facing: str, thumb: int) -> None:
    points = landmarks(hand(side=side, facing=facing))
    assert np.sign(points[4, 0] - points[0, 0]) == thumb
    assert np.sign(points[5, 0] - points[17, 0]) == thumb
    assert points[12, 1] < points[9, 1] < points[0, 1]


def test_a_hand_turns_clockwise_with_its_angle() -> None:
    points = landmarks(hand(angle=90.0))
    assert points[9, 0] - points[0, 0] == pytest.approx(90.0, abs=8.0)


def test_fingers_curl_to_the_palm() -> None:
    assert landmarks(hand(shape="fist"))[12, 2] < landmarks(hand(shape="flat"))[12, 2]
    assert landmarks(hand(shape="fist", facing="palm"))[12, 2] > landmarks(hand(shape="flat", facing="palm"))[12, 2]


@pytest.mark.parametrize(
    ("shape", "count"),
    [("open", 5), ("flat", 5), ("point", 1), ("two", 2), ("fist", 0), ("grip", 0), ("pinch", 0), ("relaxed", 0)],
)
def test_extended_fingers_are_counted(shape: str, count: int) -> None:
    assert fingers_of(hand(shape=shape)) == count
    assert fingers_of(hand(shape="fist", curls=CURLS[shape])) == count  # type: ignore[index]


def test_a_hands_box_runs_from_the_wrist_to_the_fingertips() -> None:
    seen = annotate(Scene(hands=(hand(),)), CAMERA).hands[0]
    assert seen.keypoints is not None
    points = np.array(seen.keypoints)[:, :2]
    x0, y0, x1, y1 = seen.box
    assert (points[:, 0] > x0).all() and (points[:, 0] < x1).all() and points[:, 1].min() > y0
    assert y1 == pytest.approx(points[0, 1], abs=6)
    assert 100 < y1 - y0 < 160


def test_a_covered_palm_hides_its_own_fingertips() -> None:
    seen = annotate(Scene(hands=(hand(shape="fist"),)), CAMERA).hands[0]
    assert seen.keypoints is not None
    assert seen.keypoints[12][2] == 0.5
    assert annotate(Scene(hands=(hand(),)), CAMERA).hands[0].keypoints[12][2] == 1.0  # type: ignore[index]


def test_what_is_outside_the_picture_is_left_out() -> None:
    scene = Scene(
        cards=(card(1, (3000.0, 0.0)),),
        chips=(ChipSprite(id=2, cents=500, xy=(0.0, -3000.0)),),
        hands=(hand(xy=(3000.0, 0.0), elbow=(3500.0, 0.0)),),
    )
    seen = annotate(scene, CAMERA)
    assert not seen.cards and not seen.chips and not seen.hands


@pytest.mark.parametrize("count", [1, 4, 5, 6, 7])
def test_spaces_hold_their_spots_and_do_not_overlap(count: int) -> None:
    plan = plan_table(count)
    areas = {number: Polygon(outline) for number, outline in space_areas(plan).items()}
    for number, spots in plan.spaces.items():
        for spot in (spots.wager, spots.cards, spots.tip, (spots.cards[0] - 30, spots.cards[1] + 42)):
            assert areas[number].contains(Point(spot)), (number, spot)
    for first, second in itertools.combinations(areas.values(), 2):
        assert first.intersection(second).area < 1.0


def test_a_layout_is_in_pixels_of_its_size() -> None:
    layout = layout_for(plan_table(5), CAMERA, (640, 360), site="0123", table="2", name="Table")
    assert layout.image_size == (640, 360)
    assert set(layout.spaces) == {1, 2, 3, 4, 5}
    assert layout.scale == pytest.approx(CAMERA.pixels_per_mm / 2, rel=1e-3)
    assert Polygon(layout.zones.dealer).contains(Point(CAMERA.project([(0.0, 130.0, 0.0)])[0] / 2))
    assert layout.zones.site_id is not None and layout.zones.clock is not None


def test_a_half_dollar_that_is_a_coin_is_smaller_and_of_no_chips_colour() -> None:
    chips = (ChipSprite(id=1, cents=50, xy=(-200.0, 0.0)), ChipSprite(id=2, cents=100, xy=(200.0, 0.0)))
    scene = Scene(chips=chips)
    before, after = annotate(scene, CAMERA).chips, annotate(with_coins(scene), CAMERA).chips
    assert [(chip.colour, chip.cents) for chip in before] == [("mustard", 50), ("white", 100)]
    assert [(chip.colour, chip.cents) for chip in after] == [("other", 50), ("white", 100)]
    assert after[0].radius / before[0].radius == pytest.approx(30.6 / 39.0, rel=0.01) and after[1] == before[1]


def test_a_coin_is_drawn_of_metal_and_leaves_the_chips_as_they_are() -> None:
    scene = Scene(chips=(ChipSprite(id=1, cents=50, xy=(-200.0, 0.0)), ChipSprite(id=2, cents=100, xy=(200.0, 0.0))))
    table, look = plan_table(4), Look.plain()
    chip, coin = (Renderer(table, look, CAMERA).render(one).astype(int) for one in (scene, with_coins(scene)))
    (x, y), *_ = CAMERA.project([(-200.0, 0.0, 0.0)]).tolist()
    metal = coin[int(y) - 5 : int(y) + 5, int(x) - 5 : int(x) + 5].reshape(-1, 3).mean(0)
    assert np.ptp(metal) < 25 and np.abs(coin - chip)[:, : int(x) + 30].max() > 40
    assert not np.abs(coin - chip)[:, int(x) + 40 :].any()
