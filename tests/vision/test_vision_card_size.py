"""Cards of one size tell the scale of the table, whatever the camera."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.domain.layout import CARD_MM
from verifier.vision.card_size import FEWEST, MOST_KEPT, KnownCards, scale_of
from verifier.vision.geometry import Floats, corners


def shown(slant: float, turn: float) -> Floats:
    """(3, 3) homography from millimetres of a table to pixels of a camera 2 m away that slants by so many degrees."""
    down, around = math.radians(slant), math.radians(turn)
    tilt = np.array([[1, 0, 0], [0, math.cos(down), 0], [0, math.sin(down), 2000]])
    turned = np.array([[math.cos(around), -math.sin(around), 0], [math.sin(around), math.cos(around), 0], [0, 0, 1]])
    return np.asarray(np.diag([1400.0, 1400.0, 1.0]) @ tilt @ turned, np.float32)


def card(at: tuple[float, float], angle: float, view: Floats, width: float = CARD_MM[0]) -> Floats:
    """(4, 2) pixels of a card on the table, from its shorter side."""
    quad = corners(*at, width, CARD_MM[1], angle)
    return np.asarray(cv2.perspectiveTransform(quad[None], view.astype(np.float32))[0])


def scattered(rng: np.random.Generator, view: Floats, count: int) -> list[Floats]:
    return [card(tuple(rng.uniform((-500, -250), (500, 250))), rng.uniform(0, math.pi), view) for _ in range(count)]


@given(st.floats(0, 50), st.floats(0, 180), st.integers(0, 1000))
def test_a_card_anywhere_has_the_size_of_a_card(slant: float, turn: float, seed: int) -> None:
    rng, view = np.random.default_rng(seed), shown(slant, turn)
    scale = scale_of(scattered(rng, view, 12))
    assert scale is not None
    for quad in scattered(rng, view, 5):
        assert scale.is_card(quad)
        assert scale.sides(quad) == pytest.approx(CARD_MM, rel=0.05)
        turned = np.roll(quad, 1, axis=0)
        assert scale.sides(scale.from_short_side(turned)) == pytest.approx(CARD_MM, rel=0.05)


@pytest.mark.parametrize(("widths", "one"), [(1.1, True), (1.2, False), (1.5, False)])
@pytest.mark.parametrize("slant", [0, 20, 45])
def test_the_box_of_two_cards_has_another_size(slant: float, widths: float, one: bool) -> None:
    rng, view = np.random.default_rng(1), shown(slant, 10)
    scale = scale_of(scattered(rng, view, 10))
    assert scale is not None
    assert scale.is_card(card((100, 50), 0.7, view, CARD_MM[0] * widths)) is one


def test_one_bad_box_among_many_changes_little() -> None:
    rng, view = np.random.default_rng(2), shown(30, 0)
    scale = scale_of([*scattered(rng, view, 10), card((0, 0), 0.3, view, 30)])
    assert scale is not None
    assert all(scale.is_card(quad) for quad in scattered(rng, view, 20))


@pytest.mark.parametrize("count", [FEWEST - 1, FEWEST])
def test_too_few_cards_tell_nothing(count: int) -> None:
    found = scale_of(scattered(np.random.default_rng(3), shown(10, 0), count))
    assert (found is not None) is (count == FEWEST)


def test_the_latest_cards_tell_and_one_at_the_same_place_counts_once() -> None:
    known, view = KnownCards(), shown(0, 0)
    places = [(float(x), float(y)) for x in range(-600, 601, 150) for y in (-200, 0, 200)]
    for place in places:
        known.add(card(place, 0.0, view))
        known.add(card((place[0] + 10, place[1]), 0.0, view))
    kept = [round(float(quad[:, 0].mean())) for quad in known._quads]
    assert len(kept) == MOST_KEPT < len(places)
    assert kept == [round((x + 10) * 0.7) for x, _ in places][-MOST_KEPT:]


@pytest.mark.parametrize("angle", [0.0, math.pi / 2])
def test_cards_that_all_point_the_same_way_tell_which_side_is_the_shorter_one(angle: float) -> None:
    """From 45 degrees those that point at the camera look as wide as high."""
    view = shown(45, 0)
    cards = [card((x, y), angle, view) for x in (-400.0, -150.0, 150.0, 400.0) for y in (-150.0, 0.0, 150.0)]
    scale = scale_of(cards)
    assert scale is not None
    other = card((30, 60), angle, view)
    assert scale.is_card(other)
    assert np.array_equal(scale.from_short_side(other), other)
    assert np.array_equal(scale.from_short_side(np.roll(other, 1, axis=0)), np.roll(other, 2, axis=0))
