"""Crops for the counter of overlapping cards: what counts, and how they are cut and kept."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from verifier.domain.layout import CARD_MM
from verifier.train import overlapping
from verifier.train.crop_sets import load_crops
from verifier.train.crops import overlap_crop
from verifier.train.labels import Label, rectangle, write_labels
from verifier.train.overlapping import COUNTED, VISIBLE, Shown, group, labelled, shown
from verifier.vision import crops as vision_crops
from verifier.vision.overlapping import MOST

MODELS = Path(__file__).parents[2] / "models"
WIDTH, LENGTH = 40.0, 40.0 * CARD_MM[1] / CARD_MM[0]
BLANK = np.zeros((8, 8, 3), np.uint8)


def at(x: float) -> np.ndarray:
    return np.array([[x, 0], [x + WIDTH, 0], [x + WIDTH, LENGTH], [x, LENGTH]])


def picture(*places: float, visible: float = 1.0) -> Shown:
    return Shown(BLANK, [at(x) for x in places], [1.0, *[visible] * (len(places) - 1)], WIDTH)


@pytest.mark.parametrize(
    ("places", "count"),
    [
        ((0.0,), 1),
        ((0.0, 20.0), 2),
        ((0.0, (1 - COUNTED) * WIDTH - 0.1), 2),
        ((0.0, (1 - COUNTED) * WIDTH + 0.1), 1),
        ((0.0, 8.0, 16.0), 3),
        ((0.0, 8.0, 16.0, 24.0), MOST),
        ((0.0, 6.0, 12.0, 18.0, 24.0), MOST),
    ],
)
def test_cards_that_share_a_tenth_with_a_box_are_counted(places: tuple[float, ...], count: int) -> None:
    assert labelled(at(0.0), picture(*places)) == count


@pytest.mark.parametrize(("visible", "count"), [(VISIBLE, 2), (VISIBLE - 0.001, 1)])
def test_a_card_that_does_not_show_is_not_counted(visible: float, count: int) -> None:
    assert labelled(at(0.0), picture(0.0, 20.0, visible=visible)) == count


@pytest.mark.parametrize(("x", "count"), [(29.0, 1), (31.0, None), (200.0, None)])
def test_a_box_that_is_no_cards_has_no_count(x: float, count: int | None) -> None:
    assert labelled(at(x), picture(0.0)) == count


def test_groups_have_one_to_six_cards_and_most_fans_are_tight() -> None:
    rng = np.random.default_rng(5)
    sizes = np.bincount([len(group(rng)) for _ in range(600)], minlength=7)
    assert sizes[0] == 0 and len(sizes) == 7 and (sizes[1:] > 20).all()


def test_a_pictures_cards_show_and_are_where_it_says() -> None:
    made = shown(np.random.default_rng(8), ())
    assert len(made.quads) == len(made.visible) >= 12
    assert all(0 <= share <= 1.1 for share in made.visible)
    height, width = made.image.shape[:2]
    middles = np.array([quad.mean(axis=0) for quad in made.quads])
    assert (middles > 0).all() and (middles < (width, height)).all()


@pytest.mark.parametrize(("w", "h", "angle"), [(50, 70, 20), (30, 42, 75)])
def test_training_and_reviewing_cut_alike(w: float, h: float, angle: float) -> None:
    noise = np.random.default_rng(3).integers(0, 255, (30, 30, 3)).astype(np.uint8)
    noise = np.asarray(cv2.resize(noise, (300, 300), interpolation=cv2.INTER_CUBIC))
    centre, sides, turn = rectangle(cv2.boxPoints(((150, 150), (w, h), angle)))
    radians = np.radians(turn)
    across = np.array([np.cos(radians), np.sin(radians)]) * sides[0] / 2
    down = np.array([-np.sin(radians), np.cos(radians)]) * sides[1] / 2
    ordered = np.array(centre) + np.stack([-across - down, across - down, across + down, down - across])
    theirs = vision_crops.overlap_crop(noise, ordered.astype(np.float32), (96, 96)).astype(int)
    assert np.abs(overlap_crop(noise, (centre, sides, turn)).astype(int) - theirs).mean() < 1.5


def test_crops_are_kept_with_their_counts(tmp_path: Path) -> None:
    written = overlapping.write_overlapping(tmp_path / "crops" / "train-overlaps-3.npz", 20, 3, models=MODELS)
    crops, labels = load_crops([tmp_path / "crops" / "train-overlaps-3.npz"], "overlaps")
    assert crops.shape == (written, 96, 96, 3) and labels.shape == (written, 1)
    assert set(labels[:, 0]) <= {0, 1, 2, 3} and len(set(labels[:, 0])) > 1


def test_pictures_of_tables_give_crops_too(tmp_path: Path) -> None:
    made = shown(np.random.default_rng(8), ())
    for kind in ("images", "labels"):
        (tmp_path / kind / "train").mkdir(parents=True)
    cv2.imwrite(str(tmp_path / "images" / "train" / "one.jpg"), made.image)
    size = (made.image.shape[1], made.image.shape[0])
    labels = [Label(kind=0, quad=tuple((float(x), float(y)) for x, y in quad)) for quad in made.quads]
    write_labels(tmp_path / "labels" / "train" / "one.txt", labels, size)
    written = overlapping.write_overlapping_of_tables(tmp_path, MODELS, jobs=1)
    crops, _ = load_crops(sorted((tmp_path / "crops").glob("train-overlaps-*.npz")), "overlaps")
    assert len(crops) == written > 5
