"""Fingers by keypoints, and the gestures that they settle. One pixel of the scenes is one millimetre."""

from __future__ import annotations

import math

import pytest
from msgspec import structs
from recon_scenes import hand, layout

from verifier.domain.observations import HandSeen, Observation
from verifier.reconstruct.gestures.signals import shows_two as visit_shows_two
from verifier.reconstruct.gestures.signals import wave
from verifier.reconstruct.gestures.visits import Visit
from verifier.reconstruct.hands.owners import with_owners
from verifier.reconstruct.table.detections import Body, detections_of
from verifier.reconstruct.table.fingers import centre, fingertip, shows_two, stretched
from verifier.reconstruct.table.zones import TableMap

TABLE = TableMap.of(layout())
BODY = Body.of(TABLE)
SPACE = TABLE.spaces[2]


def points(x: float, y: float, out: str, *, turn: float = 0.0, p: float = 0.9) -> list[tuple[float, float, float]]:
    """A hand whose wrist is at (x, y) and whose fingers point down; `out`: "1" for each stretched finger of four."""
    local = [(0.0, 0.0), (40.0, 20.0), (50.0, 40.0), (55.0, 50.0), (50.0, 60.0)]
    for across, straight in zip((25.0, 8.0, -8.0, -25.0), out, strict=True):
        reach = (85.0, 125.0, 150.0, 170.0) if straight == "1" else (85.0, 105.0, 90.0, 75.0)
        local += [(across, along) for along in reach]
    c, s = math.cos(turn), math.sin(turn)
    return [(x + c * a - s * b, y + s * a + c * b, p) for a, b in local]


def seen(x: float, y: float, out: str, **more) -> HandSeen:
    return structs.replace(hand(x, y + 85, "player", fingers=None), keypoints=points(x, y, out, **more))


def detection(t: float, it: HandSeen):
    return detections_of(Observation(t=t, frame=0, hands=[it]), TABLE, BODY).hands[0]


@pytest.mark.parametrize("turn", [0.0, 1.0, 2.5])
def test_stretched_fingers_whatever_the_hands_direction(turn: float) -> None:
    assert stretched(points(600, 100, "1100", turn=turn)) == (True, True, False, False)
    assert shows_two(points(600, 100, "1100", turn=turn)) is True
    assert shows_two(points(600, 100, "1111", turn=turn)) is False
    assert shows_two(points(600, 100, "1000", turn=turn)) is False


def test_unsure_keypoints_tell_nothing() -> None:
    unsure = points(600, 100, "1100", p=0.3)
    assert stretched(unsure) == (None,) * 4
    assert fingertip(unsure) is None and centre(unsure) is None and shows_two(unsure) is None
    ring_unsure = [(x, y, 0.2 if i == 16 else p) for i, (x, y, p) in enumerate(points(600, 100, "1100"))]
    assert shows_two(ring_unsure) is None


def test_a_pointing_hand_touches_with_its_index_finger_whoever_it_belongs_to() -> None:
    pointing = detection(0.0, seen(600, 100, "1000"))
    assert pointing.tip == pytest.approx(TABLE.mm((625, 270)))
    fist = detection(0.0, seen(600, 100, "0000"))
    assert fist.touch is None and fist.tip == pytest.approx(detection(0.0, hand(600, 185, "player")).tip)
    path = [(detection(i / 8, structs.replace(seen(600, 0 + 20 * i, "1000"), owner="dealer")),) for i in range(6)]
    for (before,), (after,) in zip(path, with_owners(path, TABLE, BODY), strict=True):
        assert after.tip == before.tip and after.owner == "player"


def test_a_wave_from_the_wrist_is_wider_than_its_box_tells() -> None:
    turns = [0.32 * math.sin(i * 1.7) for i in range(9)]
    swung = Visit(tuple(detection(i / 8, seen(600, 110, "1111", turn=turn)) for i, turn in enumerate(turns)))
    still = Visit(tuple(detection(i / 8, structs.replace(seen(600, 110, "1111"), keypoints=None)) for i in range(9)))
    assert wave(still, SPACE) == pytest.approx(0.0)
    assert wave(swung, SPACE) > 40.0


def test_two_sightings_far_apart_along_the_reach_are_no_wave() -> None:
    apart = [detection(t, hand(600, y, "player")) for t, y in ((0.0, 40), (0.5, 240))]
    assert wave(Visit(tuple(apart)), SPACE) == pytest.approx(0.0)


def test_two_fingers_are_two_though_the_thumb_is_counted() -> None:
    two = [detection(i / 8, structs.replace(seen(600, 100, "1100"), fingers=3)) for i in range(6)]
    flat = [detection(i / 8, structs.replace(seen(600, 100, "1111"), fingers=2)) for i in range(6)]
    blank = [detection(i / 8, hand(600, 185, "player", fingers=2)) for i in range(6)]
    assert visit_shows_two(Visit(tuple(two))) and visit_shows_two(Visit(tuple(blank)))
    assert not visit_shows_two(Visit(tuple(flat)))
