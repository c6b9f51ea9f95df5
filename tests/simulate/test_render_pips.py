"""Free shapes of clubs and spades: upright, symmetrical, of many kinds, and told apart by their tips and leaves."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from verifier.simulate.render.pip_shapes import black_pip
from verifier.simulate.render.pips import WILD_PIP, pip_mask

SIDE = 200
SEEDS = range(60)


def drawn(suit: str, seed: int) -> np.ndarray:
    image = np.zeros((SIDE + 40, SIDE + 40), np.uint8)
    for polygon in black_pip(suit, np.random.default_rng(seed)):
        cv2.fillPoly(image, [np.round(np.array(polygon) * SIDE + 20).astype(np.int32)], 255)
    return image


def widths(suit: str, seed: int) -> np.ndarray:
    """Pixels of ink in each row, from the uppermost on."""
    rows = (drawn(suit, seed) > 0).sum(1)
    return np.asarray(rows[np.flatnonzero(rows)[0] :])


@pytest.mark.parametrize("suit", ["s", "c"])
def test_shapes_are_upright_and_symmetrical(suit: str) -> None:
    for seed in SEEDS:
        image = drawn(suit, seed) > 0
        assert (image != image[:, ::-1]).mean() < 0.02
        rows = np.flatnonzero(image.any(1))
        assert rows[0] <= 20 + 0.1 * SIDE and rows[-1] >= 20 + 0.8 * SIDE


def test_a_spade_has_a_tip_and_widens_from_it_and_a_club_has_a_round_leaf_above() -> None:
    for seed in SEEDS:
        spade = widths("s", seed)
        assert (np.diff(spade[: spade.argmax()]) >= -2).all()
        assert spade[2] < widths("c", seed)[2]


def test_both_suits_of_a_seed_stand_on_one_stem_and_seeds_differ() -> None:
    foot = [drawn(suit, seed)[20 + SIDE - 4] for seed in range(4) for suit in "sc"]
    assert all(np.array_equal(foot[i], foot[i + 1]) for i in range(0, 8, 2))
    assert len({drawn("s", seed).tobytes() for seed in SEEDS}) == len(SEEDS)


def test_pips_of_every_kind_are_repeatable_and_differ_from_deck_to_deck() -> None:
    for suit in "shdc":
        masks = {pip_mask(suit, WILD_PIP + 2 * number).tobytes() for number in range(20)}
        assert len(masks) > 10
    pip_mask.cache_clear()
    first = pip_mask("s", WILD_PIP + 4)
    pip_mask.cache_clear()
    assert np.array_equal(first, pip_mask("s", WILD_PIP + 4))
