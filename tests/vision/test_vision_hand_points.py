from __future__ import annotations

import numpy as np
import pytest
from vision_fakes import detection

from verifier.vision.crops import hand_crop
from verifier.vision.hand_points import box_of, decoded
from verifier.vision.readers import HandReading, _in_picture
from verifier.vision.seen import chip_seen, hand_seen

SPAN = (-0.25, 1.25)
CENTRES = -0.25 + (np.arange(72) + 0.5) * 1.5 / 72


def bell(x: float, width: float = 0.03) -> np.ndarray:
    return -((CENTRES - x) ** 2) / (2 * width**2)


def test_a_clear_bell_is_read_between_the_bins_and_a_flat_one_is_unsure() -> None:
    logits = np.zeros((1, 21, 2, 72), np.float32)
    logits[0, :, 0], logits[0, :, 1] = bell(0.411), bell(1.103)
    logits[0, 5] = 0.0
    points = decoded(logits, SPAN, 1.0)
    assert points.shape == (1, 21, 3)
    assert points[0, 0, :2] == pytest.approx([0.411, 1.103], abs=0.004)
    assert points[0, 0, 2] > 0.9
    assert points[0, 5, 2] < 0.05
    assert decoded(logits, SPAN, 3.0)[0, 0, 2] < points[0, 0, 2]


def test_of_two_places_the_likelier_is_taken_not_their_middle() -> None:
    logits = np.log(0.6 * np.exp(bell(0.2)) + 0.4 * np.exp(bell(0.8)) + 1e-9)
    points = decoded(np.broadcast_to(logits, (1, 21, 2, 72)).astype(np.float32), SPAN, 1.0)
    assert points[0, 0, :2] == pytest.approx([0.2, 0.2], abs=0.01)
    assert points[0, 0, 2] == pytest.approx(0.36, abs=0.05)


def test_keypoints_come_back_where_the_crop_was_cut() -> None:
    picture = np.zeros((400, 500, 3), np.uint8)
    picture[149:152, 219:222] = 255
    hand = detection("hand", 200, 160, 120, 90)
    crop = hand_crop(picture, hand.upright, (128, 128))[:, :, 0]
    row, column = divmod(int(crop.argmax()), 128)
    shares = np.tile(np.array([(column + 0.5) / 128, (row + 0.5) / 128, 0.9], np.float32), (21, 1))
    points = _in_picture(shares, hand)
    assert points is not None
    assert points[0, :2] == pytest.approx([220, 150], abs=1.8)


@pytest.mark.parametrize(("p", "given"), [(0.9, True), (0.1, False)])
def test_keypoints_that_are_unsure_as_a_whole_are_not_given(p: float, given: bool) -> None:
    sure = {"left": 1.0}
    points = np.full((21, 3), p, np.float32)
    reading = HandReading(sure, {"back": 1.0}, {"5": 1.0}, {"dealer": 1.0}, points)
    seen = hand_seen(detection("hand", 200, 160, 120, 90), 1, reading, sure, {"dealer": 1.0})
    assert (seen.keypoints is not None) == given
    if seen.keypoints is not None:
        assert len(seen.keypoints) == 21 and seen.keypoints[0][2] == pytest.approx(0.9)


def test_a_hands_box_holds_its_flesh_ends_at_the_picture_and_meets_the_detectors_half_way() -> None:
    points = np.full((21, 3), 0.9, np.float32)
    points[:, 0], points[:, 1] = 100, np.linspace(180, 40, 21)
    points[0, 1], points[9, 1] = 180, 80
    box = box_of(points, (300, 300))
    assert box == pytest.approx([79, 33, 121, 201])
    assert box_of(points, (110, 190)) == pytest.approx([79, 33, 110, 190])
    sure = {"left": 1.0}
    found = detection("hand", 100, 117, 60, 200)
    reading = HandReading(sure, {"back": 1.0}, {"5": 1.0}, {"dealer": 1.0}, points, box)
    assert hand_seen(found, 1, reading, sure, sure).box == pytest.approx((74.5, 25, 125.5, 209))
    points[:, 2] = 0.1
    assert hand_seen(found, 1, reading, sure, sure).box == pytest.approx((70, 17, 130, 217))


@pytest.mark.parametrize(("palm", "told"), [(0.99, None), (0.98, {"palm": 0.98, "back": 0.015})])
def test_what_a_hand_may_be_besides_is_told_where_it_is_not_sure(palm: float, told: dict[str, float] | None) -> None:
    facing = {"palm": palm, "back": 0.015, "edge": 0.005}
    reading = HandReading({"left": 1.0}, facing, {"5": 0.6, "4": 0.4}, {"dealer": 1.0})
    seen = hand_seen(detection("hand", 200, 160, 120, 90), 1, reading, reading.side, reading.owner)
    assert (seen.facing, seen.facings) == ("palm", told)
    assert (seen.sides, seen.finger_counts) == (None, {"5": 0.6, "4": 0.4})


@pytest.mark.parametrize(("red", "told"), [(0.99, None), (0.7, {"red": 0.7, "other": 0.3})])
def test_what_colour_a_chip_may_be_besides_is_told_where_it_is_not_sure(
    red: float, told: dict[str, float] | None
) -> None:
    seen = chip_seen(detection("chip", 200, 160, 40, 40), 1, {"red": red, "other": round(1 - red, 3)})
    assert (seen.colour, seen.colours) == ("red", told)
