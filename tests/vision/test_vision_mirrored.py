"""A picture looked at as it is and in the mirror."""

from __future__ import annotations

import math

import numpy as np
import pytest

from verifier.vision.detection import Detection
from verifier.vision.mirrored import BothWays, mirrored, together


def detection(kind: str, x: float, y: float, w: float, h: float, p: float = 0.9, angle: float = 0.0) -> Detection:
    return Detection(kind, p, np.array([x, y, w, h, angle], np.float32))


def test_a_detection_in_the_mirror_lies_where_the_thing_is() -> None:
    back = mirrored(detection("card_up", 30, 50, 20, 40, angle=0.3), 100)
    straight = detection("card_up", 70, 50, 20, 40, angle=-0.3)
    assert np.allclose(sorted(map(tuple, back.quad)), sorted(map(tuple, straight.quad)), atol=1e-3)


def test_what_both_looks_find_keeps_the_mean_of_their_log_odds() -> None:
    (both,) = together([detection("chip", 50, 50, 20, 20, 0.9)], [detection("chip", 51, 50, 20, 20, 0.5)])
    assert both.p == pytest.approx(1 / (1 + math.exp(-(math.log(9) + 0) / 2)))
    assert both.box[0] == 50


def test_what_one_look_alone_finds_is_less_sure_and_goes_where_it_was_unsure() -> None:
    (alone,) = together([detection("card_up", 50, 50, 40, 60, 0.99)], [])
    assert 0.6 < alone.p < 0.8
    assert together([detection("card_up", 50, 50, 40, 60, 0.6)], []) == []


def test_neighbours_are_not_joined_and_families_never() -> None:
    one = [detection("card_up", 50, 50, 40, 60), detection("chip", 50, 50, 40, 60)]
    other = [detection("card_down", 51, 50, 40, 60, 0.95), detection("card_up", 75, 50, 40, 60)]
    found = together(one, other)
    assert [d.kind for d in found] == ["card_down", "chip", "card_up"]
    assert found[0].p > 0.9 > found[1].p


def test_a_hands_box_lies_between_the_two() -> None:
    (hand,) = together([detection("hand", 50, 50, 40, 40)], [detection("hand", 50, 54, 40, 48)])
    assert hand.upright == pytest.approx((30, 30, 70, 76 - 2), abs=0.01)


class Left:
    """Sees one chip, ten pixels from the picture's left edge, whatever the picture."""

    def detect(self, picture, long_side=None):
        return [detection("chip", 10, 20, 16, 16)]

    def stream(self, pictures, long_side=None):
        return ((key, []) for key, _, _ in pictures)


def test_each_look_at_a_picture_is_two_and_a_recording_is_streamed_as_before() -> None:
    both = BothWays(Left())
    picture = np.zeros((40, 100, 3), np.uint8)
    assert sorted(round(float(d.box[0])) for d in both.detect(picture)) == [10, 90]
    assert list(both.stream([("a", picture, ())])) == [("a", [])]
