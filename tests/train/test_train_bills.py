"""Pictures to learn bank notes from, and what the finder learns of them."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from verifier.simulate.render.notes import PLAIN, bill_texture
from verifier.simulate.scene import Scene
from verifier.simulate.table import plan_table
from verifier.train.bills.pictures import MOST, VIEW, load_views, shown, unseen, write
from verifier.train.bills.scenes import BillSampler
from verifier.train.crop_sets import BILL_VALUES, load_crops
from verifier.vision.bills import boxes_of


def scenes(count: int, *, plain: bool = False) -> list[Scene]:
    made = []
    for seed in range(count):
        sampler = BillSampler(plan_table(4), np.random.default_rng(seed))
        sampler.plain = plain
        made.append(sampler.cash())
    return made


def test_designs_differ_and_the_same_number_gives_the_same() -> None:
    plain, one, other = (bill_texture(2000, "down", 1.0, design).pixels for design in (PLAIN, 5, 6))
    assert one.shape == plain.shape == (66, 156, 4)
    again = bill_texture.__wrapped__(2000, "down", 1.0, 5).pixels
    assert (one == again).all()
    assert min(np.abs(one.astype(int) - x).mean() for x in (plain.astype(int), other.astype(int))) > 3
    assert np.abs(bill_texture(2000, "up", 1.0, 5).pixels.astype(int) - one).mean() > 3


def test_scenes_have_bills_of_all_values_and_both_sides_and_sometimes_none() -> None:
    made = scenes(120)
    bills = [bill for scene in made for bill in scene.bills]
    assert {bill.cents for bill in bills} == {int(value) for value in BILL_VALUES[:-1]}
    assert {bill.face for bill in bills} == {"up", "down"}
    assert any(not scene.bills for scene in made)
    assert all(bill.design != PLAIN for bill in bills)
    assert all(bill.design == PLAIN for scene in scenes(10, plain=True) for bill in scene.bills)


def test_labels_lie_on_the_bills() -> None:
    """A row of bills in the straight picture is where the quads of the whole picture are, seen straight."""
    made = next(made for made in map(shown, range(40)) if not np.isnan(made.bills[1, 0]))
    rows = made.bills[~np.isnan(made.bills[:, 0])]
    assert made.view.shape == (VIEW[1], VIEW[0], 3)
    assert rows[:, 2] == pytest.approx(78, rel=0.3)
    assert rows[:, 3] == pytest.approx(33, rel=0.35)
    assert np.hypot(rows[:, 4], rows[:, 5]) == pytest.approx(1.0, abs=0.01)


def test_pictures_are_written_once_and_read_again(tmp_path) -> None:
    assert write(tmp_path, 12, 2) == 4
    files = sorted((tmp_path / "crops").glob("*.npz"))
    before = [path.stat().st_mtime_ns for path in files]
    assert write(tmp_path, 12, 2) == 4
    assert [path.stat().st_mtime_ns for path in files] == before
    views = [*load_views(sorted((tmp_path / "crops").glob("train-bills-*.npz")))]
    assert len(views) == 10 and views[0][1].shape == (MOST, 7)
    crops, labels = load_crops(files, "bills")
    assert crops.shape[1:] == (80, 160, 3) and labels.shape == (len(crops), 2)


def test_unseen_pictures_carry_their_layout_and_truth() -> None:
    photo = next(photo for photo in (unseen(seed, plain=True) for seed in range(9)) if photo.bills)
    assert photo.layout.image_size == (photo.image.shape[1], photo.image.shape[0])
    assert len(photo.shares) == len(photo.bills)
    assert (unseen(3, plain=True).image == unseen(3, plain=True).image).all()


def a_bill(x: float, y: float, degrees: float) -> NDArray[np.float32]:
    turn = np.radians(2 * degrees)
    rows = np.full((MOST, 7), np.nan, np.float32)
    rows[0] = (x, y, 80.0, 30.0, np.cos(turn), np.sin(turn), 1.0)
    return rows


@pytest.mark.parametrize("degrees", [0.0, 35.0, 90.0, -60.0])
def test_what_the_finder_learns_reads_back_as_the_bill(degrees: float) -> None:
    pytest.importorskip("torch", reason="needs the train extra")
    from verifier.train.bills import training

    output, counts = training.targets(a_bill(101.0, 63.0, degrees), VIEW)
    output[0] = np.where(output[0] > 0.5, 4.0, -8.0)
    boxes, _ = boxes_of(output, 0.5)
    assert boxes.shape == (1, 5)
    assert boxes[0, :4] == pytest.approx([101.0, 63.0, 80.0, 30.0], abs=0.01)
    assert np.cos(2 * (boxes[0, 4] - np.radians(degrees))) == pytest.approx(1.0, abs=1e-4)
    assert counts.min() == 0.0 and counts[0, 0] == 1.0


def test_mirrored_pictures_have_mirrored_bills() -> None:
    pytest.importorskip("torch", reason="needs the train extra")
    from verifier.train.bills import training

    torch = training.torch
    picture = np.full((VIEW[1], VIEW[0], 3), 40, np.uint8)
    picture[55:70, 60:140] = 230  # a bright bar about (100, 62.5)
    mirrored = set()
    for seed in range(12):
        pictures, maps, _ = training._batch([(picture, a_bill(100.0, 62.5, 0.0))], torch.Generator().manual_seed(seed))
        rows, columns = (maps[0, 0] > 0.5).nonzero(as_tuple=True)
        bright = (pictures[0].mean(0) > pictures.mean() + 0.1).nonzero().float().mean(0)
        assert (bright[1] / 4).item() == pytest.approx(columns.float().mean().item() + 0.5, abs=1.0)
        assert (bright[0] / 4).item() == pytest.approx(rows.float().mean().item() + 0.5, abs=1.0)
        mirrored.add((columns.min().item(), rows.min().item()))
    assert len(mirrored) == 4
