"""Chips of sets for home and club: their rim tells the colour, their print follows from a seed."""

import numpy as np
import pytest

from verifier.simulate.render.chip_prints import RADIUS, printed_face
from verifier.simulate.render.warp import Texture

RED, WHITE, BLACK = (45.0, 38.0, 190.0), (228.0, 230.0, 232.0), (36.0, 34.0, 34.0)


def face(body: tuple[float, float, float], seed: int, scale: float = 2.0) -> Texture:
    return printed_face(body, 500, scale, np.random.default_rng(seed))


def at_radius(texture: Texture, inner: float, outer: float) -> np.ndarray:
    """Opaque pixels (n, 3) between two radii, the rim's being 1."""
    rows, columns = np.indices(texture.pixels.shape[:2])
    points = np.stack([columns.ravel(), rows.ravel(), np.ones(rows.size)])
    x, y = (texture.to_mm @ points)[:2]
    radius = np.hypot(x, y).reshape(rows.shape) / RADIUS
    return texture.pixels[(radius > inner) & (radius < outer)][:, :3].astype(float)


def test_a_seed_gives_one_face_and_another_seed_another() -> None:
    one, same, other = face(RED, 4), face(RED, 4), face(RED, 5)
    assert np.array_equal(one.pixels, same.pixels)
    assert not np.array_equal(one.pixels, other.pixels)


@pytest.mark.parametrize("body", [RED, WHITE, BLACK], ids=["red", "white", "black"])
def test_the_rim_shows_the_body_between_its_spots(body: tuple[float, float, float]) -> None:
    shares = []
    for seed in range(60):
        rim = at_radius(face(body, seed), 0.86, 0.95)
        gain = rim.sum(1) / sum(body)
        hue = np.abs(rim / np.maximum(rim.sum(1, keepdims=True), 1) - np.array(body) / sum(body)).max(1)
        shares.append(((hue < 0.1) & (gain > 0.5) & (gain < 1.6)).mean())
    assert min(shares) > 0.1 and np.median(shares) > 0.4


def test_it_is_as_large_as_any_chip_and_nothing_shows_beyond_its_edge() -> None:
    texture = face(RED, 1)
    assert texture.pixels.shape[0] == pytest.approx(2 * RADIUS * 1.05 * 2.0, abs=2)
    assert not texture.pixels[0, 0].any() and texture.pixels[texture.pixels.shape[0] // 2, 3, 3] == 255


def test_most_prints_hide_the_body_from_the_middle() -> None:
    """As on real sets: what fills the face is no measure of a chip's colour."""
    away = [np.abs(np.median(at_radius(face(RED, seed), 0.0, 0.4), axis=0) - RED).max() for seed in range(40)]
    assert np.mean(np.array(away) > 60) > 0.5
