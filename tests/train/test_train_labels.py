import math

import cv2
import numpy as np
import pytest

from verifier.domain.observations import CardSeen, ChipSeen, HandSeen, Observation
from verifier.train.labels import clipped, labels_of, rectangle, write_labels


def quad(x: float, y: float, w: float, h: float, angle: float) -> tuple[tuple[float, float], ...]:
    turn = math.radians(angle)
    across, down = (
        np.array([math.cos(turn), math.sin(turn)]) * w / 2,
        np.array([-math.sin(turn), math.cos(turn)]) * h / 2,
    )
    points = [-across - down, across - down, across + down, -across + down]
    return tuple((float(x + p[0]), float(y + p[1])) for p in points)


def card(corners: tuple[tuple[float, float], ...], **kwargs: object) -> CardSeen:
    return CardSeen(id=1, face="up", p=1.0, quad=corners, **kwargs)  # type: ignore[arg-type]


@pytest.mark.parametrize("angle", [0, 17, 45, 89, -30, 120])
def test_rectangle_of_a_turned_card_has_its_sides_and_angle(angle: float) -> None:
    centre, sides, found = rectangle(quad(200, 150, 50, 70, angle))
    assert centre == pytest.approx((200, 150), abs=0.1)
    assert sides == pytest.approx((50, 70), abs=0.1)
    assert (found - angle + 90) % 180 - 90 == pytest.approx(0, abs=0.5)


def test_a_card_that_hardly_shows_is_no_label() -> None:
    corners = quad(100, 100, 40, 56, 10)
    for visible, count in ((0.1, 0), (0.2, 1), (None, 1)):
        assert len(labels_of(Observation(t=0, frame=0, cards=[card(corners, visible=visible)]), (200, 200))) == count


def test_a_card_cut_by_the_edge_keeps_its_part_inside() -> None:
    label = clipped(0, np.array(quad(0, 100, 60, 84, 0), np.float32), (200, 200), 0.3)
    assert label is not None
    xs, ys = zip(*label.quad, strict=True)
    assert (min(xs), max(xs)) == pytest.approx((0, 30), abs=0.5)
    assert (min(ys), max(ys)) == pytest.approx((58, 142), abs=0.5)


def test_a_card_mostly_outside_is_no_label() -> None:
    assert clipped(0, np.array(quad(-20, 100, 60, 84, 0), np.float32), (200, 200), 0.3) is None


def test_classes_and_shapes_of_chips_and_hands(tmp_path) -> None:
    truth = Observation(
        t=0,
        frame=0,
        chips=[ChipSeen(id=1, colour="red", p=1, center=(50, 60), radius=10)],
        hands=[HandSeen(id=2, owner="dealer", side="left", facing="back", p=1, box=(80, 80, 140, 180))],
    )
    write_labels(tmp_path / "a.txt", labels_of(truth, (200, 200)), (200, 200))
    lines = [line.split() for line in (tmp_path / "a.txt").read_text().splitlines()]
    assert [line[0] for line in lines] == ["2", "3"]
    assert [float(v) for v in lines[0][1:]] == pytest.approx([0.2, 0.25, 0.3, 0.25, 0.3, 0.35, 0.2, 0.35])
    assert [float(v) for v in lines[1][1:]] == pytest.approx([0.4, 0.4, 0.7, 0.4, 0.7, 0.9, 0.4, 0.9])


def test_clipped_area_is_that_of_the_part_inside() -> None:
    corners = np.array(quad(10, 10, 60, 84, 30), np.float32)
    label = clipped(0, corners, (200, 200), 0.1)
    assert label is not None
    assert 0 < cv2.contourArea(np.array(label.quad, np.float32)) < 60 * 84
