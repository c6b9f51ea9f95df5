import numpy as np
import pytest
from click.testing import CliRunner

from verifier.domain.cards import SUITS
from verifier.train.commands import train_group
from verifier.train.crop_sets import CARD_FACES, RANK_CLASSES, UNLABELLED, load_corners, load_crops
from verifier.train.crops import CARD_MARGIN
from verifier.train.labels import rectangle
from verifier.train.piled_cards import in_crop, misjudged, pile, write_piled_cards
from verifier.vision.crops import card_corners

RECT = ((100.0, 80.0), (40.0, 56.0), 20.0)


def corners_of(rect) -> np.ndarray:
    (x, y), (w, h), angle = rect
    turn = np.radians(angle)
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    return np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2 @ axes + (x, y)


def test_corners_of_a_well_straightened_card_stand_at_the_margin() -> None:
    edge = CARD_MARGIN / (1 + 2 * CARD_MARGIN)
    shares = in_crop(corners_of(RECT), RECT)
    assert shares == pytest.approx(np.array([[edge, edge], [1 - edge, edge], [1 - edge, 1 - edge], [edge, 1 - edge]]))


def test_the_reviewing_side_finds_the_corners_in_the_picture_again() -> None:
    rng = np.random.default_rng(4)
    for _ in range(20):
        rect = misjudged(RECT, rng)
        shares = in_crop(corners_of(RECT), rect)
        found = card_corners(corners_of(rect).astype(np.float32), shares.astype(np.float32))
        near = np.linalg.norm(found[:, None] - corners_of(RECT)[None], axis=2).min(1)
        assert near.max() < 0.01
        assert rectangle(found)[1] == pytest.approx((40.0, 56.0), abs=0.01)


def test_heaps_give_labelled_crops_and_are_repeatable() -> None:
    one, two = (pile(np.random.default_rng(3)) for _ in range(2))
    crops, labels, corners = one
    assert len(crops) == len(labels) == len(corners) > 0
    assert all(np.array_equal(a, b) for a, b in zip(crops, two[0], strict=True))
    assert all(crop.shape == (96, 64, 3) for crop in crops)
    for rank, suit, face in labels:
        assert CARD_FACES[face] == "up" and (suit == UNLABELLED) == (RANK_CLASSES[rank] == "unreadable")


def test_heaps_as_watched_are_repeatable_and_have_more_black_suits() -> None:
    piles = [pile(np.random.default_rng(seed), watched=True) for seed in range(30)]
    again = pile(np.random.default_rng(7), watched=True)
    assert all(np.array_equal(a, b) for a, b in zip(piles[7][0], again[0], strict=True))
    suits = [SUITS[suit] for _, labels, _ in piles for _, suit, _ in labels if suit != UNLABELLED]
    assert sum(suit in "cs" for suit in suits) > 0.55 * len(suits) and set(suits) == set(SUITS)


def test_heaps_are_kept_with_corners_and_other_crops_have_none(tmp_path) -> None:
    count = write_piled_cards(tmp_path / "train-heap-1.npz", 8, 1)
    np.savez(
        tmp_path / "train-old.npz", cards=np.zeros((2, 96, 64, 3), np.uint8), cards_labels=np.zeros((2, 2), np.int8)
    )
    files = sorted(tmp_path.glob("*.npz"))
    assert len(load_crops(files, "cards")[0]) == count + 2
    corners = load_corners(files)
    assert np.isfinite(corners[:count]).all() and np.isnan(corners[count:]).all()


def test_the_command_writes_crops_to_learn_from_and_for_validation(tmp_path) -> None:
    result = CliRunner().invoke(train_group, ["heaps", "--out", str(tmp_path), "--count", "6", "--seed", "3"])
    assert result.exit_code == 0, result.output
    names = sorted(path.name for path in (tmp_path / "crops").iterdir())
    assert names == ["train-heap-3.npz", "val-heap-3.npz"]
