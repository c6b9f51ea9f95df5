"""The indicator card beside the shoe: a thing of one colour with a card's shape."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from msgspec import UNSET

from verifier.domain.layout import Layout, SpaceZones, Zones
from verifier.domain.observations import CutCardSeen
from verifier.vision.cut_card import EVERY, CutCardFinder
from verifier.vision.detection import CARD_DOWN, Detection

SHOE = [(40.0, 260.0), (120.0, 260.0), (120.0, 350.0), (40.0, 350.0)]
AT = (200.0, 230.0)
YELLOW, RED, BLUE, WHITE, FELT = (40, 170, 230), (40, 30, 190), (170, 70, 30), (230, 235, 235), (50, 110, 40)


def layout(shoe: list[tuple[float, float]] | None = SHOE) -> Layout:
    square = [(300.0, 100.0), (400.0, 100.0), (400.0, 200.0), (300.0, 200.0)]
    return Layout(
        version=1,
        image_size=(640, 360),
        zones=Zones(dealer=square, inner=square, shoe=shoe),
        spaces={1: SpaceZones(area=square, wager=square, cards=square)},
        dealer_side="bottom",
        pixels_per_mm=0.6,
        site="0001",
        table="1",
    )


def table(
    colour: tuple[int, int, int] | None,
    *,
    size: tuple[float, float] = (66.0, 92.0),
    turn: float = 12.0,
    shear: float = 0.0,
    light: float = 1.0,
) -> np.ndarray:
    """Felt with noise, a shoe, and a card of one colour whose size is told in mm."""
    picture = np.full((360, 640, 3), FELT, np.uint8)
    cv2.rectangle(picture, (40, 260), (120, 350), (30, 30, 32), -1)
    cv2.rectangle(picture, (60, 275), (100, 335), (225, 230, 230), -1)
    if colour is not None:
        corners = np.asarray(cv2.boxPoints((AT, (size[0] * 0.6, size[1] * 0.6), turn)), np.float64)
        corners[:, 0] += shear * (corners[:, 1] - AT[1])
        cv2.fillPoly(picture, [np.round(corners).astype(np.int32)], colour, cv2.LINE_AA)
    noise = np.random.default_rng(1).normal(0.0, 4.0, picture.shape)
    return np.clip(picture * light + noise, 0, 255).astype(np.uint8)


def drink(axes: tuple[int, int]) -> np.ndarray:
    """A glass of something yellow, from above."""
    picture = table(None)
    cv2.ellipse(picture, (int(AT[0]), int(AT[1])), axes, 30, 0, 360, YELLOW, -1, cv2.LINE_AA)
    return picture


def seen(picture: np.ndarray, *found: Detection) -> list[CutCardSeen]:
    told = CutCardFinder(layout()).look(0.0, picture, found)
    assert isinstance(told, list)
    return told


@pytest.mark.parametrize("light", [0.45, 1.0, 1.15])
@pytest.mark.parametrize("colour", [YELLOW, RED, BLUE], ids=["yellow", "red", "blue"])
def test_a_card_of_a_strong_colour_is_found_where_it_lies(colour: tuple[int, int, int], light: float) -> None:
    (card,) = seen(table(colour, light=light))
    quad = np.asarray(card.quad)
    assert np.hypot(*(quad.mean(axis=0) - AT)) < 2.0
    assert cv2.contourArea(quad.astype(np.float32)) == pytest.approx(66 * 92 * 0.36, rel=0.15)


@pytest.mark.parametrize("shear", [-0.3, 0.3])
def test_a_tilted_camera_slants_it(shear: float) -> None:
    assert len(seen(table(YELLOW, shear=shear))) == 1


@pytest.mark.parametrize(
    "picture",
    [
        table(None), table(WHITE), table(FELT), table(YELLOW, size=(30.0, 40.0)), table(YELLOW, size=(66.0, 160.0)),
        table(YELLOW, size=(140.0, 190.0)), drink((22, 22)), drink((24, 21)), drink((26, 23)),
    ],
    ids=["nothing", "paper", "felt", "too small", "too long", "too large", "a drink", "seen aslant", "more so"],
)  # fmt: skip
def test_nothing_else_is_one(picture: np.ndarray) -> None:
    assert seen(picture) == []


def test_what_was_found_to_be_a_card_is_none() -> None:
    back = Detection(CARD_DOWN, 0.9, np.asarray([*AT, 40, 56, 0.2], np.float32))
    assert seen(table(RED), back) == []


def test_it_is_looked_for_every_other_second_by_the_shoe() -> None:
    finder = CutCardFinder(layout())
    assert [finder.look(t, table(RED), []) is UNSET for t in (0.0, EVERY / 2, EVERY)] == [False, True, False]
    assert CutCardFinder(layout(shoe=None)).look(0.0, table(RED), []) is UNSET
    assert CutCardFinder().look(0.0, table(RED), []) is UNSET
