"""Rendered stacks of chips from low angles: where tops lie, which count, and what is borrowed from photos."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from verifier.train.commands import train_group
from verifier.train.stacks.arrange import HIGHEST, RADIUS, UP, Arranger
from verifier.train.stacks.borrowed import empty_pieces
from verifier.train.stacks.faces import ROWS, SIDE, TURNS, draw_face, rim_of
from verifier.train.stacks.solids import Drawing, Solid, Viewpoint, half_axis
from verifier.train.stacks.windows import Sources, stack_shot

RED, BLUE = (0, 0, 220), (220, 0, 0)


def solid(z: float, x: float = 0.0, y: float = 0.0) -> Solid:
    face, rim = np.full((64, 64, 3), RED, np.uint8), np.full((ROWS, TURNS, 3), BLUE, np.uint8)
    return Solid(np.array([x, y, z]), UP, RADIUS, 3.3, face, rim, 0.0)


def view(degrees: float) -> Viewpoint:
    return Viewpoint.low(600.0, np.radians(degrees), 0.0, 2000.0, np.array([200.0, 200.0]))


def drawn(degrees: float, *solids: Solid) -> Drawing:
    drawing = Drawing(np.zeros((400, 400, 3), np.uint8), view(degrees))
    for number, one in enumerate(solids):
        drawing.add(number, one, 0.0)
    return drawing


@pytest.mark.parametrize("degrees", [15, 30, 60, 89])
def test_a_top_is_an_ellipse_as_flat_as_the_view_is_low(degrees: float) -> None:
    drawing = drawn(degrees, solid(3.3))
    ys, xs = np.nonzero(drawing.owner == 0)
    x, y = drawing.view.project(np.array([0.0, 0.0, 3.3]))
    half = half_axis(solid(3.3), drawing.view)
    assert half == pytest.approx(2000 / 600 * RADIUS, rel=0.02)
    assert abs(xs.mean() - x) < 1 and abs(ys.mean() - y) < 1
    assert np.ptp(xs) + 1 == pytest.approx(2 * half, abs=2)
    assert np.ptp(ys) + 1 == pytest.approx(2 * half * np.sin(np.radians(degrees)), abs=2.5)
    assert drawing.image[int(y), int(x), 2] > 200


def test_the_rim_shows_below_the_top_and_only_from_aside() -> None:
    low, high = drawn(20, solid(33.0)), drawn(89.9, solid(33.0))
    blue = low.image[..., 0] > 40
    tops = np.nonzero(low.owner == 0)[0]
    assert np.nonzero(blue)[0].mean() > tops.mean() and blue.sum() > 500
    assert (high.image[..., 0] > 40).sum() < 0.1 * blue.sum()


def test_covered_chips_of_a_stack_show_little() -> None:
    stack = [solid(3.3 * level) for level in range(1, 9)]
    shares = drawn(35, *stack).shares(stack)
    assert shares[-1] == pytest.approx(1.0, abs=0.03) and max(shares[:-1]) < 0.2


def test_a_stack_before_another_hides_its_top() -> None:
    behind, before = solid(3.3, y=45.0), [solid(3.3 * level) for level in range(1, 21)]
    assert drawn(20, behind).shares([behind])[0] > 0.95
    assert drawn(20, behind, *before).shares([behind, *before])[0] < 0.1


def test_a_top_turned_away_does_not_show() -> None:
    turned = replace(solid(20.0), axis=np.array([0.0, 1.0, 0.5]))
    assert drawn(15, turned).shares([turned]) == [0.0]


def test_a_rim_has_the_colours_of_its_faces_edge() -> None:
    face = np.full((SIDE, SIDE, 3), 128, np.uint8)
    face[:, : SIDE // 2] = RED
    face[:, SIDE // 2 :] = BLUE
    blue = rim_of(face, np.random.default_rng(1))[ROWS // 2, :, 0] > 100
    assert blue[: TURNS // 8].all() and blue[-TURNS // 8 :].all() and not blue[3 * TURNS // 8 : 5 * TURNS // 8].any()


def test_stacks_stand_apart_and_are_not_too_high() -> None:
    heights = []
    for seed in range(40):
        arranger = Arranger(np.random.default_rng(seed))
        places = arranger._places()
        apart = [np.hypot(*(a - b)) for i, a in enumerate(places) for b in places[:i]]
        assert min(apart, default=99) > 1.9 * RADIUS
        stack = arranger.stack(np.zeros(2))
        heights.append(len(stack))
        tops = [float(chip.top[2]) for chip in stack]
        assert tops == sorted(tops) and all(np.abs(chip.top[:2]).max() < 2 * RADIUS for chip in stack)
    assert 1 <= min(heights) < 4 and 12 < max(heights) <= HIGHEST


def test_faces_differ_and_fill_their_square() -> None:
    faces = [draw_face(np.random.default_rng(seed)) for seed in range(6)]
    assert {face.shape for face in faces} == {(SIDE, SIDE, 3)}
    assert len({face.tobytes() for face in faces}) == 6 and all(face[:4, :4].mean() > 0 for face in faces)


def test_a_window_is_the_same_for_the_same_seed_and_shows_labelled_tops() -> None:
    lent = Sources([draw_face(np.random.default_rng(5))], [np.full((200, 300, 3), 90, np.uint8)])
    one, two = (stack_shot(np.random.default_rng(11), lent) for _ in range(2))
    assert np.array_equal(one.image, two.image) and one.truth == two.truth
    counts = [len(stack_shot(np.random.default_rng(seed), lent).truth.chips) for seed in range(8)]
    assert sum(counts) >= 8 and all(chip.radius > 3 for chip in one.truth.chips)


def test_empty_pieces_hold_nothing_of_what_a_photo_shows() -> None:
    photo = np.full((400, 600, 3), 80, np.uint8)
    cv2.rectangle(photo, (300, 150), (360, 250), (255, 255, 255), -1)
    pieces = list(empty_pieces(photo, [(300, 150, 361, 251)]))
    assert len(pieces) == 4 and all((piece == 80).all() for piece in pieces)
    assert list(empty_pieces(photo, [(30, 20, 590, 390)])) == [] and list(empty_pieces(photo, [])) == []


def test_the_command_writes_pictures_and_labels(tmp_path: Path) -> None:
    done = CliRunner().invoke(train_group, ["stacks", "--out", str(tmp_path), "--count", "21"])
    assert done.exit_code == 0, done.output
    labels = {part: sorted((tmp_path / "labels" / part).glob("*.txt")) for part in ("train", "val")}
    assert len(labels["train"]) == 20 and len(labels["val"]) == 1
    assert len(list((tmp_path / "images" / "train").glob("*.jpg"))) == 20
    lines = [line for path in labels["train"] for line in path.read_text().splitlines()]
    assert lines and {line.split()[0] for line in lines} == {"2"}
