"""Hands in three dimensions: what a pose shows is what its labels say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from verifier.domain.errors import BadInput
from verifier.simulate.render.hands import EXTENDED_BELOW
from verifier.train.real_pictures.hand_labels import labelled, read_hand_labels
from verifier.train.real_pictures.hands import HandPhoto
from verifier.train.solid.arm import KNUCKLES, WRIST, person, posed
from verifier.train.solid.hands import UNCLEAR, hand_picture, pose

FIST = (1.0, 1.0, 1.0, 1.0, 1.0)
STRETCHED = (0.0, 0.0, 0.0, 0.0, 0.0)
TIPS = (8, 12, 16, 20)


class NoDrawer:
    """Draws nothing: the truth of a picture does not follow from its pixels, but for what hides what."""

    def __init__(self, depth: float = 1e9) -> None:
        self.depth = depth

    def draw(self, meshes, ground, size, camera, eye, reach, lamps, paint):
        return np.zeros((size[1], size[0], 3), np.uint8), np.full((size[1], size[0]), self.depth)


def grey(rng: np.random.Generator) -> np.ndarray:
    return np.full((64, 64, 3), 90, np.uint8)


def reach(points: np.ndarray, joint: int) -> float:
    return float(np.linalg.norm(points[joint] - points[WRIST]))


@pytest.mark.parametrize("seed", range(4))
def test_a_stretched_hand_shows_five_fingers_and_a_fist_none(seed: int) -> None:
    one = person(np.random.default_rng(seed))
    open_, closed = posed(one, STRETCHED, 1.0), posed(one, FIST, 0.0)
    assert (open_.fingers, closed.fingers) == (5, 0)
    for knuckle, tip in zip(KNUCKLES, TIPS, strict=True):
        assert reach(open_.keypoints, tip) > 1.4 * reach(open_.keypoints, knuckle)
        assert reach(closed.keypoints, tip) < 1.1 * reach(closed.keypoints, knuckle)
        assert closed.keypoints[tip - 1, 2] < closed.keypoints[knuckle, 2], "fingers bend before the palm"


@pytest.mark.parametrize("finger", range(5))
def test_each_finger_counts_up_to_the_bend_that_the_formats_tell(finger: int) -> None:
    one = person(np.random.default_rng(0))
    for curl, count in ((EXTENDED_BELOW - 0.001, 1), (EXTENDED_BELOW, 0)):
        curls = [0.9] * 5
        curls[finger] = curl
        assert posed(one, tuple(curls), 0.5).fingers == count  # type: ignore[arg-type]


def test_poses_leave_out_what_people_would_not_agree_on() -> None:
    rng = np.random.default_rng(5)
    curls = np.array([pose(rng).curls for _ in range(400)])
    low, high = UNCLEAR
    assert not ((curls > low + 1e-9) & (curls < high - 1e-9)).any()
    assert set((curls < EXTENDED_BELOW).sum(1)) == {0, 1, 2, 3, 4, 5}


@pytest.mark.parametrize("seed", range(40))
def test_the_thumb_lies_on_the_side_that_side_and_facing_say(seed: int) -> None:
    """A right hand's back with the fingers up has its thumb on the left; its palm, or a left back, on the right."""
    hand = hand_picture(NoDrawer(), grey, np.random.default_rng(seed)).truth.hands[0]  # type: ignore[arg-type]
    if hand.facing == "edge":
        return
    points = np.array(hand.keypoints)[:, :2]
    along, across = points[9] - points[0], points[5] - points[17]
    thumb_on_left = along[0] * across[1] - along[1] * across[0] < 0
    assert thumb_on_left == ((hand.side == "right") == (hand.facing == "back"))


@pytest.mark.parametrize("seed", range(6))
def test_the_box_holds_the_keypoints_of_the_hand(seed: int) -> None:
    hand = hand_picture(NoDrawer(), grey, np.random.default_rng(seed)).truth.hands[0]  # type: ignore[arg-type]
    x0, y0, x1, y1 = hand.box
    size = max(x1 - x0, y1 - y0)
    for x, y, _ in hand.keypoints or []:
        assert x0 - 0.08 * size <= x <= x1 + 0.08 * size and y0 - 0.08 * size <= y <= y1 + 0.08 * size


@pytest.mark.parametrize(("depth", "shown"), [(1e9, True), (100.0, False)])
def test_a_keypoint_behind_something_is_told_as_hidden(depth: float, shown: bool) -> None:
    hand = hand_picture(NoDrawer(depth), grey, np.random.default_rng(1)).truth.hands[0]  # type: ignore[arg-type]
    assert {p for _, _, p in hand.keypoints or []} == {1.0 if shown else 0.5}


def test_people_differ_in_size_and_build() -> None:
    rng = np.random.default_rng(2)
    hands = [person(rng) for _ in range(20)]
    lengths = np.array([np.linalg.norm(one.joints[12] - one.joints[WRIST]) for one in hands])
    assert 140 < lengths.min() < lengths.max() < 240 and lengths.std() > 4


def test_labels_of_hands_say_what_a_hand_can_be(tmp_path) -> None:
    good = tmp_path / "hands-forearm.csv"
    good.write_text("picture,side,facing,fingers\nhands-forearm/Set2/1/a.jpg,right,palm,1\n", encoding="utf-8")
    assert read_hand_labels(tmp_path)["hands-forearm/Set2/1/a.jpg"]["side"] == "right"
    good.write_text("picture,side,facing,fingers\nhands-forearm/Set2/1/a.jpg,right,front,1\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"line 2: facing"):
        read_hand_labels(tmp_path)


def test_what_a_person_told_of_a_hand_takes_the_place_of_what_its_set_tells() -> None:
    corners = np.zeros((4, 2), np.float32)
    photo = HandPhoto(Path("a.jpg"), grey(np.random.default_rng(0)), corners, None, fingers=4, facing="palm")
    told = labelled(photo, {"picture": "a.jpg", "side": "left", "facing": "back", "fingers": ""})
    assert (told.side, told.facing, told.fingers) == ("left", "back", 4), "an empty cell is no label"


def test_a_lamp_aside_casts_a_shadow_on_the_ground() -> None:
    pytest.importorskip("moderngl", reason="needs the train extra")
    from verifier.train.solid.draw import GROUND, PLAIN, Drawer, Lamps, Mesh, Paint

    def plate(side: float, z: float, kind: float, colour: float) -> Mesh:
        corners = np.array([(-side, -side, z), (side, -side, z), (side, side, z), (-side, side, z)], float)
        rest = np.column_stack([(corners[:, :2] / side + 1) / 2, np.zeros(4)])
        up = np.tile((0.0, 0.0, 1.0), (4, 1))
        return Mesh(corners, np.array([[0, 1, 2], [0, 2, 3]]), np.full((4, 3), colour), np.full(4, kind), rest, up)

    from verifier.simulate.render import Camera

    camera = Camera((200, 200), 1000.0, 1000.0)
    aside = np.array([np.sin(0.8), 0.0, np.cos(0.8)])
    image, depths = Drawer().draw(
        [plate(90, 0, GROUND, 1.0), plate(15, 30, PLAIN, 1.0)],
        np.full((64, 64, 3), 200, np.uint8),
        camera.size,
        camera.matrix,
        camera.position,
        200.0,
        Lamps(aside, 0.7, aside, 0.0, 0.3, soft=0.5, gloss=0.0),
        Paint(np.zeros((21, 3))),
    )
    assert depths[100, 100] == pytest.approx(970, abs=2) and depths[100, 20] == pytest.approx(1000, abs=2)
    left, right = int(image[100, 100 - 32, 0]), int(image[100, 100 + 32, 0])
    assert left < 0.6 * right, "the lamp stands on the right, so the shadow falls to the left"
