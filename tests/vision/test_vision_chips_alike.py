"""Chips told apart by how they look: the face on top before and after a hand, and look-alikes of an unsure reading."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from vision_fakes import detection

from verifier.recording.decode import Picture
from verifier.vision.look_alikes import LEAST, LookAlikes
from verifier.vision.top_faces import KEPT_SECONDS, RENEWED_SECONDS, TopFaces

AT, RADIUS = (200.0, 150.0), 14.0
STEP = 0.13


def table(turn: float | None = 0.0, *, light: float = 1.0, arm: bool = False, seed: int = 0) -> Picture:
    """Felt under a camera's noise, with a chip of six edge spots and a value, turned by so many degrees; or none."""
    picture = np.full((300, 400, 3), (60.0, 100.0, 30.0))
    if turn is not None:
        cv2.circle(picture, (200, 150), 14, (45.0, 38.0, 190.0), -1, cv2.LINE_AA)
        for spot in range(6):
            cv2.ellipse(picture, (200, 150), (12, 12), turn, 60 * spot, 60 * spot + 18, (230.0, 230.0, 230.0), 4, 16)
        cv2.circle(picture, (200, 150), 7, (225.0, 235.0, 240.0), -1, cv2.LINE_AA)
        x, y = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        cv2.line(
            picture, (round(200 - 4 * x), round(150 - 4 * y)), (round(200 + 4 * x), round(150 + 4 * y)), (0, 0, 0), 2
        )
    if arm:
        cv2.line(picture, (170, 140), (230, 160), (90.0, 120.0, 190.0), 9)
    noise = np.random.default_rng(seed).normal(0, 3, picture.shape)
    return np.asarray(np.clip(picture * light + noise, 0, 255), np.uint8)


CHIP = detection("chip", *AT, 2 * RADIUS, 2 * RADIUS)
HAND = detection("hand", 210, 160, 80, 90)


def faces(*looks: tuple[Picture, bool], start: float = 0.0, told: TopFaces | None = None) -> list[int | None]:
    """The number of the chip's face in looks of pictures in which a hand is at it, or not."""
    told = told or TopFaces()
    return [
        told.look(start + i * STEP, picture, [CHIP], [HAND] if hand else [])[0]
        for i, (picture, hand) in enumerate(looks)
    ]


def before() -> list[tuple[Picture, bool]]:
    return [(table(seed=i), False) for i in range(4)]


@pytest.mark.parametrize("moved", [0.0, 40.0, 97.0])
def test_a_chip_like_it_that_was_put_on_top_turned_otherwise_is_another_face(moved: float) -> None:
    under = [(table(moved, seed=9 + i), True) for i in range(5)]
    after = [(table(moved, light=1.04, seed=20 + i), False) for i in range(6)]
    numbers = faces(*before(), *under, *after)
    assert numbers[:4] == [1] * 4
    assert numbers[4:9] == [None] * 5
    assert numbers[-1] == (1 if moved == 0.0 else 2)


def test_an_arm_over_a_part_of_it_that_no_hand_tells_of_makes_no_other_chip() -> None:
    over = [(table(arm=True, seed=9 + i), i == 0) for i in range(8)]
    numbers = faces(*before(), *over, *((table(seed=30 + i), False) for i in range(6)))
    assert numbers[0] == numbers[-1] == 1


def test_a_shadow_of_a_moment_makes_no_other_chip() -> None:
    passing = [(table(seed=9), True), (table(arm=True, seed=10), False), (table(arm=True, seed=11), False)]
    assert set(faces(*before(), *passing, *((table(seed=30 + i), False) for i in range(3)))) == {1, None}


def test_light_that_changes_slowly_makes_no_other_chip() -> None:
    told = TopFaces()
    shades = [1.0 - 0.02 * i for i in range(20)]
    numbers = [
        told.look(i * (RENEWED_SECONDS + 1), table(light=shade, seed=i), [CHIP], [])[0]
        for i, shade in enumerate(shades)
    ]
    assert set(numbers) == {1}


def test_a_spot_is_forgotten_in_time() -> None:
    told = TopFaces()
    assert faces(*before(), told=told)[-1] == 1
    told.look(KEPT_SECONDS + 10, table(None), [], [])
    assert not told.spots


def test_a_chip_half_under_another_is_not_compared() -> None:
    beside = detection("chip", AT[0] + 15, AT[1], 2 * RADIUS, 2 * RADIUS)
    assert TopFaces().look(0.0, table(), [CHIP, beside], []) == [None, None]


ROSY, PINK = (205, 203, 222), (185, 150, 238)
UNSURE = {"white": 0.45, "pink": 0.55}


def plain(colour: tuple[int, int, int]) -> Picture:
    return np.full((300, 400, 3), colour, np.uint8)


@pytest.mark.parametrize(
    ("colour", "known", "told"), [(ROSY, LEAST, "white"), (PINK, LEAST, "pink"), (ROSY, 2, "pink")]
)
def test_an_unsure_chip_is_what_most_of_those_that_look_like_it_are(
    colour: tuple[int, int, int], known: int, told: str
) -> None:
    alike = LookAlikes(("white", "pink"))
    for _ in range(known):
        alike.weighed(plain(ROSY), [CHIP], [{"white": 0.7, "pink": 0.3}])
    (read,) = alike.weighed(plain(colour), [CHIP], [UNSURE])
    assert max(read, key=lambda name: read[name]) == told
    assert sum(read.values()) == pytest.approx(1.0)


def test_a_sure_reading_stands_for_itself() -> None:
    alike, sure = LookAlikes(("white", "pink")), {"white": 0.03, "pink": 0.97}
    for _ in range(30):
        alike.weighed(plain(ROSY), [CHIP], [{"white": 0.99, "pink": 0.01}])
    assert alike.weighed(plain(ROSY), [CHIP], [sure]) == [sure]
