from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cv2
import numpy as np
import openvino as ov
import pytest
from openvino import opset13 as ops
from vision_fakes import detection, write_card

from verifier.domain.cards import RANKS, SUITS
from verifier.domain.errors import BadInput
from verifier.train import crops as train_crops
from verifier.vision import crops
from verifier.vision.chips_by import ChipsBy
from verifier.vision.detection import Detection
from verifier.vision.models import (
    detector_for,
    digest_of,
    find_model,
    models_folder,
    recording_models,
    second_for,
    stacks_for,
)
from verifier.vision.networks import load_networks
from verifier.vision.readers import Reader, Readers, softmax
from verifier.vision.table_readers import TableReaders

CARD_CLASSES = {"rank": [*RANKS, "unreadable"], "suit": list(SUITS)}
CLASSES = {
    "cards": CARD_CLASSES,
    "chips": {"colour": ["mustard", "white", "pink", "red", "green", "black", "other"]},
    "hands": {
        "side": ["left", "right"], "facing": ["back", "palm", "edge"], "fingers": list(range(6)),
        "owner": ["dealer", "player"],
    },
}  # fmt: skip
SIZES = {"cards": (96, 64), "chips": (32, 32), "hands": (96, 96)}


def save_brightness_reader(
    path: Path, size: tuple[int, int], heads: dict[str, int], corners: list[float] | None = None
) -> None:
    """A reader whose first class of each head gains with the mean of the red channel (0..1), times 8.

    With `corners` (8) it tells the same corners of every card.
    """
    images = ops.parameter([-1, 3, *size], ov.Type.f32, name="images")
    red = ops.gather(ops.reduce_mean(images, ops.constant([2, 3]), False), ops.constant([0]), ops.constant(1))
    outputs = []
    for name, count in heads.items():
        weights = np.zeros((1, count), np.float32)
        weights[0, 0] = 8.0
        node = ops.matmul(red, ops.constant(weights), False, False)
        node.output(0).set_names({name})
        outputs.append(node)
    if corners is not None:
        node = ops.add(ops.multiply(red, ops.constant(np.float32(0))), ops.constant(np.array([corners], np.float32)))
        node.output(0).set_names({"corners"})
        outputs.append(node)
    model = ov.Model(outputs, [images], "brightness")
    model.inputs[0].set_names({"images"})
    ov.save_model(model, str(path), compress_to_fp16=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, classes in CLASSES.items():
        save_brightness_reader(tmp_path / f"{name}.xml", SIZES[name], {head: len(c) for head, c in classes.items()})
        write_card(tmp_path, name, file=f"{name}.xml", classes=classes, sha256=digest_of(tmp_path / f"{name}.xml"))
    return tmp_path


def test_a_batch_gives_each_crop_its_own_calibrated_reading(folder: Path) -> None:
    reader = Reader(find_model("cards", folder), ("rank", "suit"))
    dark, bright = np.zeros((96, 64, 3), np.uint8), np.zeros((96, 64, 3), np.uint8)
    bright[:, :, 2] = 255  # red: pictures are blue-first
    readings = reader.read([bright, dark] * 13)
    assert len(readings) == 26
    assert readings[0]["rank"]["A"] == pytest.approx(np.exp(8) / (np.exp(8) + 13), rel=1e-4)
    assert readings[1]["rank"]["A"] == pytest.approx(1 / 14, rel=1e-4)
    assert readings[24] == readings[0]


def test_threads_that_share_a_reader_get_each_their_own_readings(folder: Path) -> None:
    reader = Reader(find_model("cards", folder), ("rank", "suit"))
    crops_of_each = [[np.full((96, 64, 3), grey, np.uint8)] * 2 for grey in (0, 90, 180, 255)]
    alone = [reader.read(crops) for crops in crops_of_each]
    with ThreadPoolExecutor(4) as pool:
        shared = list(pool.map(reader.read, crops_of_each * 200))
    assert shared == alone * 200


@pytest.fixture
def counting(folder: Path) -> Path:
    save_brightness_reader(folder / "overlaps.xml", (96, 96), {"cards": 4})
    sha256 = digest_of(folder / "overlaps.xml")
    write_card(folder, "overlaps", file="overlaps.xml", classes={"cards": ["1", "2", "3", "4"]}, sha256=sha256)
    return folder


@pytest.mark.parametrize(("left", "seen"), [(56, True), (124, True), (155, False), (30, False)])
def test_what_lies_beside_a_card_counts(counting: Path, left: int, seen: bool) -> None:
    """A bright strip of 12 pixels within 0.6 of the width of a card 40 pixels wide, or farther off."""
    readers = Readers(lambda name: find_model(name, counting), counter=find_model("overlaps", counting))
    picture = np.zeros((200, 300, 3), np.uint8)
    picture[:, left : left + 12, 2] = 255
    quads = [detection("card_up", 100, 100, 40, 60).quad, detection("card_up", 250, 100, 40, 60).quad]
    one, dark = readers.counts(picture, quads)
    assert one.keys() == {"1", "2", "3", "4"}
    assert (one["1"] > dark["1"] + 0.05) == seen
    assert dark["1"] == pytest.approx(0.25, rel=0.01)
    assert readers.counts(picture, []) == []
    assert readers.files[-1].name == "overlaps"


def test_readers_of_a_table_of_its_own_count_as_the_others_do(counting: Path) -> None:
    readers = Readers(lambda name: find_model(name, counting), counter=find_model("overlaps", counting))
    picture, quads = np.full((200, 300, 3), 128, np.uint8), [detection("card_up", 100, 100, 40, 60).quad]
    own = TableReaders(readers)
    assert own.counts(picture, quads) == readers.counts(picture, quads) != [{}]
    assert own.files == readers.files


def test_without_a_counter_nothing_is_counted(folder: Path) -> None:
    readers = Readers(lambda name: find_model(name, folder))
    assert readers.counts(np.zeros((50, 50, 3), np.uint8), [detection("card_up", 20, 20, 10, 14).quad]) == [{}]


def test_readers_give_cards_chips_and_hands(folder: Path) -> None:
    readers = Readers(lambda name: find_model(name, folder))
    picture = np.full((200, 300, 3), 128, np.uint8)
    (card,) = readers.cards(picture, [detection("card_up", 100, 100, 40, 60).quad])
    assert sum(card.ranks.values()) == pytest.approx(1.0)
    assert 0 < card.unreadable < 0.5
    (chip,) = readers.chips(picture, [detection("chip", 50, 50, 20, 20)])
    assert max(chip, key=lambda c: chip[c]) == "mustard"
    (hand,) = readers.hands(picture, [detection("hand", 150, 100, 60, 80)])
    assert hand.side.keys() == {"left", "right"} and hand.fingers.keys() == set("012345") and hand.points is None
    assert readers.cards(picture, []) == []


def test_temperature_softens() -> None:
    logits = np.array([[4.0, 0.0]], np.float32)
    assert softmax(logits, 1.0)[0, 0] > softmax(logits, 2.0)[0, 0] > 0.5


def test_a_card_is_straightened() -> None:
    picture = np.zeros((200, 300, 3), np.uint8)
    card = detection("card_up", 150, 100, 40, 60, angle=0.6)
    cv2.fillConvexPoly(picture, card.quad.astype(np.int32), (255, 255, 255))
    crop = crops.card_crop(picture, card.quad, (64, 96))
    assert crop.shape == (96, 64, 3)
    assert crop[8:-8, 8:-8].mean() > 250
    assert crop[:2].mean() < 60


def test_a_big_card_is_softened_before_it_shrinks_and_keeps_its_place() -> None:
    rng = np.random.default_rng(1)
    picture = rng.integers(0, 255, (900, 900, 3), dtype=np.uint8)
    card = detection("card_up", 450, 400, 400, 600)
    crop = crops.card_crop(picture, card.quad, (64, 96))
    assert crop.std() < 25
    picture[:] = 0
    cv2.fillConvexPoly(picture, card.quad.astype(np.int32), (255, 255, 255))
    crop = crops.card_crop(picture, card.quad, (64, 96))
    mask = np.argwhere(crop[:, :, 0] > 127)
    assert mask.mean(axis=0) == pytest.approx([47.5, 31.5], abs=0.7)


def test_training_cuts_as_reviewing_does() -> None:
    rng = np.random.default_rng(2)
    picture = cv2.GaussianBlur(rng.integers(0, 255, (240, 320, 3), dtype=np.uint8), (0, 0), 2)
    card = detection("card_up", 150, 120, 42, 60, angle=0.4)
    ours = crops.card_crop(picture, card.quad, (64, 96)).astype(int)
    theirs = train_crops.card_crop(picture, train_crops.rectangle(card.quad))
    assert min(np.abs(ours - theirs).max(), np.abs(ours - theirs[::-1, ::-1]).max()) <= 4
    ours = crops.chip_crop(picture, (80.0, 90.0), 14.0, (32, 32)).astype(int)
    assert np.abs(ours - train_crops.chip_crop(picture, (80.0, 90.0), 14.0)).max() <= 2
    box = (60.0, 70.0, 130.0, 160.0)
    assert (
        np.abs(crops.hand_crop(picture, box, (128, 128)).astype(int) - train_crops.hand_crop(picture, box)).max() <= 2
    )


def test_models_are_found_by_the_environment(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERIFIER_MODELS", str(folder))
    assert models_folder() == folder
    monkeypatch.setenv("VERIFIER_MODELS", str(folder / "none"))
    with pytest.raises(BadInput, match="no such folder of models; restore"):
        models_folder()


@pytest.mark.parametrize("change", ["no card", "no model", "other model", "broken card", "no network"])
def test_missing_and_damaged_models_are_refused(folder: Path, change: str) -> None:
    card, model = folder / "cards.json", folder / "cards.xml"
    if change == "no card":
        card.unlink()
    elif change == "no model":
        model.unlink()
    elif change == "other model":
        model.write_bytes(model.read_bytes() + b" ")
    elif change == "broken card":
        card.write_text("{")
    else:
        model.write_text("nothing")
        card.write_text(json.dumps({"file": "cards.xml", "classes": CARD_CLASSES}))
    with pytest.raises(BadInput, match="restore the models folder"):
        Readers(lambda name: find_model(name, folder))


@pytest.mark.parametrize("askew", [False, True])
def test_a_card_that_lies_otherwise_is_straightened_and_read_again(folder: Path, askew: bool) -> None:
    edge = 0.06 / 1.12
    places = [edge, edge, 1 - edge, edge, 1 - edge, 1 - edge, edge, 1 - edge]
    if askew:
        places = [0.5 + (place - 0.5) * 0.4 for place in places]
    save_brightness_reader(folder / "cards.xml", SIZES["cards"], {"rank": 14, "suit": 4}, places)
    write_card(folder, "cards", file="cards.xml", classes=CARD_CLASSES, sha256=digest_of(folder / "cards.xml"))
    picture = np.zeros((200, 300, 3), np.uint8)
    picture[85:115, 90:110, 2] = 255  # bright in the middle of the place where a larger card is said to lie
    (reading,) = Readers(lambda name: find_model(name, folder)).cards(
        picture, [detection("card_up", 100, 100, 40, 60).quad]
    )
    assert (reading.ranks["A"] > 0.8) == askew


def test_cards_in_doubt_in_recordings_are_shown_to_the_detector_for_photos(folder: Path) -> None:
    assert second_for(photos=False, folder=folder) is None
    (folder / "photos.json").write_text("{}")
    assert second_for(photos=False, folder=folder) == "photos"
    assert second_for(photos=True, folder=folder) is None
    recordings = load_networks(precision="f32")
    assert recordings.second is not None
    assert "photos.onnx" in [one.name for one in recordings.identities]
    assert load_networks(photos=True, precision="f32").second is None


def test_photos_have_a_detector_of_their_own_where_there_is_one(folder: Path) -> None:
    assert detector_for(photos=True, folder=folder) == "detector"
    (folder / "photos.json").write_text("{}")
    assert detector_for(photos=True, folder=folder) == "photos"
    assert detector_for(photos=False, folder=folder) == "detector"
    assert find_model(detector_for(photos=True)).path.name == "photos.onnx"


def test_photos_have_a_detector_of_chips_of_their_own_where_there_is_one(folder: Path) -> None:
    assert stacks_for(photos=True, folder=folder) is None
    (folder / "stacks.json").write_text("{}")
    assert stacks_for(photos=True, folder=folder) == "stacks"
    assert stacks_for(photos=False, folder=folder) is None
    names = [one.name for one in load_networks(photos=True, precision="f32").identities]
    assert names[:2] == ["photos.onnx", "stacks.onnx"]
    assert "stacks.onnx" not in [one.name for one in load_networks(precision="f32").identities]


@pytest.mark.parametrize("precision", ["f32", "int8"])
def test_all_models_that_recordings_are_watched_with_are_told(precision: str) -> None:
    """A kept stretch of a review depends on each of them."""
    used = {one.sha256 for one in load_networks(faint_hands=True, precision=precision).identities}
    assert {file.sha256 for file in recording_models(precision)} == used


class Finding:
    """A finder that finds the same in each picture."""

    def __init__(self, found: list[Detection]) -> None:
        self._found = found

    def detect(self, picture: np.ndarray, long_side: int | None = None) -> list[Detection]:
        return self._found


def test_chips_are_those_of_the_one_and_all_else_is_of_the_other() -> None:
    hand, card = detection("hand", 50, 50, 40, 60), detection("card_up", 90, 50, 40, 60)
    first, second = detection("chip", 10, 10, 20, 20), detection("chip", 30, 10, 20, 20)
    finder = ChipsBy(Finding([hand, first]), Finding([card, second]))
    assert finder.detect(np.zeros((100, 100, 3), np.uint8)) == [hand, second]


@pytest.mark.parametrize(("gain", "one_way"), [(1.0, False), (60.0, True)])
def test_an_unsure_card_is_read_with_its_other_end_up_too(folder: Path, gain: float, one_way: bool) -> None:
    """A network that takes a red upper half for an ace and a red lower one for a two."""
    images = ops.parameter([-1, 3, *SIZES["cards"]], ov.Type.f32, name="images")
    heads = []
    for name, count in (("rank", 14), ("suit", 4)):
        weights = np.zeros((2, count), np.float32)
        weights[0, 0] = weights[1, 1] = gain
        red = ops.gather(images, ops.constant([0]), ops.constant(1))
        halves = ops.reduce_mean(ops.reshape(red, ops.constant([-1, 2, 48 * 64]), False), ops.constant([2]), False)
        node = ops.matmul(halves, ops.constant(weights), False, False)
        node.output(0).set_names({name})
        heads.append(node)
    model = ov.Model(heads, [images], "halves")
    model.inputs[0].set_names({"images"})
    ov.save_model(model, str(folder / "cards.xml"), compress_to_fp16=False)
    write_card(folder, "cards", file="cards.xml", classes=CARD_CLASSES, sha256=digest_of(folder / "cards.xml"))
    picture = np.zeros((300, 300, 3), np.uint8)
    picture[80:150, 100:200, 2] = 255
    quad = np.array([[100, 80], [200, 80], [200, 220], [100, 220]], np.float32)
    (reading,) = Readers(lambda name: find_model(name, folder)).cards(picture, [quad])
    assert (reading.ranks["A"] > 10 * reading.ranks["2"]) is one_way
    assert one_way or reading.ranks["A"] == pytest.approx(reading.ranks["2"], rel=0.05)
