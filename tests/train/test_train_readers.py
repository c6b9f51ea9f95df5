import json

import numpy as np
import pytest

pytest.importorskip("torch")

from verifier.train.classifiers import RARER, ReaderPlan, as_input, told_what_is_rare, train_reader
from verifier.train.crop_sets import HEADS
from verifier.train.export import INPUTS, export_reader, read_facts
from verifier.train.networks import build
from verifier.vision.models import find_model
from verifier.vision.readers import Reader


def two_colours(folder, name: str, count: int) -> None:
    """Crops that are all dark (first class of each head) or all bright (second class)."""
    rng = np.random.default_rng(0)
    width, height = INPUTS[name]
    bright = rng.integers(0, 2, count)
    crops = np.where(bright[:, None, None, None] == 1, 220, 40) + rng.integers(-20, 20, (count, height, width, 3))
    labels = np.repeat(bright[:, None], len(HEADS[name]), axis=1).astype(np.int8)
    np.savez(folder, **{name: crops.astype(np.uint8), f"{name}_labels": labels})


@pytest.mark.parametrize("name", ["cards", "chips"])
def test_a_reader_learns_and_reads_the_same_after_export(name: str, tmp_path) -> None:
    two_colours(tmp_path / "train-0.npz", name, 160)
    two_colours(tmp_path / "val-0.npz", name, 40)
    plan = ReaderPlan(epochs=4, batch=16, minutes=0.5, rate=0.002, threads=1)
    trained = train_reader(name, tmp_path, plan, tmp_path / "reader.pt")
    export_reader(name, trained, tmp_path, {"seed": 0})
    facts = read_facts(tmp_path / f"{name}.onnx")
    assert set(facts["temperatures"]) == set(HEADS[name]) and facts["seed"] == 0
    assert json.loads((tmp_path / f"{name}.json").read_text())["input"] == list(INPUTS[name])
    assert (tmp_path / "reader.pt").exists()
    head = next(iter(HEADS[name]))
    reader = Reader(find_model(name, tmp_path), tuple(HEADS[name]))
    width, height = INPUTS[name]
    for value, index in ((40, 0), (220, 1)):
        crop = np.full((height, width, 3), value, np.uint8)
        reading = reader.read([crop])[0][head]
        assert max(reading, key=reading.__getitem__) == str(HEADS[name][head][index])


def test_crops_become_rgb_shares() -> None:
    import torch

    crop = np.zeros((1, 2, 2, 3), np.uint8)
    crop[..., 0] = 255
    out = as_input(torch.from_numpy(crop))
    assert out.shape == (1, 3, 2, 2)
    assert out[0, :, 0, 0].tolist() == [0.0, 0.0, 1.0]


def test_moved_cards_keep_their_corners_on_their_marks() -> None:
    import torch

    from verifier.train.augment import augmented_cards

    corners = torch.tensor([[0.25, 0.3], [0.75, 0.3], [0.75, 0.7], [0.25, 0.7]]).repeat(16, 1, 1)
    batch = torch.zeros(16, 3, 96, 64)
    batch[:, :, 29:68, 16:48] = 1.0
    crops, moved = augmented_cards(batch, corners, torch.Generator().manual_seed(2))
    for crop, points in zip(crops.numpy(), moved.numpy(), strict=True):
        inside, outside = (points.mean(0) + (points - points.mean(0)) * grow for grow in (0.72, 1.3))
        light = crop.mean(0)
        values = [[light[int(y * 96), int(x * 64)] for x, y in way] for way in (inside, outside)]
        assert np.median(values[0]) > np.median(values[1]) + 0.3
        assert points[0].sum() == min(points.sum(1)), "the first corner is the upper left one"


def test_a_class_that_tables_seldom_show_is_told_as_much_less_surely() -> None:
    network = build("chips", {head: len(values) for head, values in HEADS["chips"].items()})
    before = network.heads["colour"].bias.detach().numpy().copy()
    told_what_is_rare(network, "chips", {"colour": 2.0})
    lowered = before - network.heads["colour"].bias.detach().numpy()
    other = HEADS["chips"]["colour"].index("other")
    assert np.delete(lowered, other) == pytest.approx(0.0)
    assert np.exp(-lowered[other] / 2.0) == pytest.approx(RARER["chips"]["colour"]["other"])
