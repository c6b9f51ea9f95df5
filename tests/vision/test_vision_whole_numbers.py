"""The detector's form in whole numbers: taken where it is quicker, whole as its card says, and of the same sight."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from verifier.domain.errors import BadInput
from verifier.train.quantise import exact_in
from verifier.vision.detection import Detection
from verifier.vision.detector import Detector
from verifier.vision.models import digest_of, find_model, form_of, models_folder
from verifier.vision.networks import load_networks
from verifier.vision.readers import Readers
from verifier.vision.runtime import read_model


@pytest.fixture(scope="module")
def picture() -> np.ndarray:
    from verifier.simulate.commands import look_and_camera
    from verifier.simulate.perform import perform
    from verifier.simulate.render import Renderer

    performance = perform(4242, 1)
    look, camera = look_and_camera(4242, (1280, 720), "easy", "test")
    return np.asarray(Renderer(performance.plan, look, camera).render(performance.scene_at(45.0)))


def found(name: str, picture: np.ndarray) -> list[Detection]:
    detector = Detector(find_model(name), long_side=960, threads=1, streams=1)
    return sorted(detector.detect(picture), key=lambda d: (d.kind, *np.round(d.centre, -1)))


def test_both_forms_see_the_same(picture: np.ndarray) -> None:
    exact, whole = found("detector", picture), found("detector.int8", picture)
    assert len(exact) >= 10
    assert [d.kind for d in whole] == [d.kind for d in exact]
    for a, b in zip(exact, whole, strict=True):
        assert np.linalg.norm(np.subtract(a.centre, b.centre)) < 2.0
        assert abs(a.p - b.p) < 0.15


def test_a_network_without_such_a_form_is_taken_as_it_is(tmp_path: Path) -> None:
    assert form_of("detector", "int8") == "detector.int8"
    assert form_of("detector", "bf16") == form_of("detector", "int8", tmp_path) == "detector"
    assert form_of("chips", "int8") == "chips"
    names = {how: [one.name for one in load_networks(precision=how).identities] for how in ("int8", "f32", "bf16")}
    exact = ["photos.onnx", "bill_finder.onnx", "bills.onnx"]
    assert names["int8"] == [
        "detector.int8.xml",
        "cards.int8.xml",
        "chips.onnx",
        "hands.int8.xml",
        "overlaps.onnx",
        *exact,
    ]
    assert all(names[how][-3:] == exact for how in names), "cards in doubt and cash are always looked at in float32"
    assert names["f32"][0] == "detector.onnx"
    assert names["bf16"][0] == "detector.onnx (bf16)"
    photos = [one.name for one in load_networks(photos=True).identities]
    assert not [name for name in photos if "int8" in name or "bf16" in name], "a photo can wait"
    assert not {"bill_finder.onnx", "bills.onnx"} & set(photos)


@pytest.mark.parametrize("end", [".xml", ".bin"])
def test_a_damaged_half_of_it_is_told(end: str, tmp_path: Path) -> None:
    for path in models_folder().glob("detector.int8.*"):
        shutil.copy(path, tmp_path)
    whole = tmp_path / "detector.int8.xml"
    assert find_model("detector.int8", tmp_path).sha256 == digest_of(whole)
    with whole.with_suffix(end).open("ab") as file:
        file.write(b" ")
    with pytest.raises(BadInput, match="damaged or exchanged"):
        find_model("detector.int8", tmp_path)


def test_what_tells_scores_boxes_and_angles_stays_exact() -> None:
    names = exact_in(read_model(models_folder() / "detector.onnx"))
    assert len(names) == 9
    assert {name.split("/")[2][:3] for name in names} == {"cv2", "cv3", "cv4"}


@pytest.mark.parametrize(("name", "heads"), [("cards", {"rank", "suit"}), ("hands", {"side", "facing", "fingers"})])
def test_what_tells_classes_stays_exact(name: str, heads: set[str]) -> None:
    names = exact_in(read_model(models_folder() / f"{name}.onnx"))
    assert heads <= {name.split("/")[1] for name in names}


@pytest.mark.parametrize("name", ["cards", "hands"])
def test_both_forms_of_a_reader_say_the_same(name: str, picture: np.ndarray) -> None:
    seen = found("detector", picture)
    exact, whole = (Readers(lambda each, how=how: find_model(form_of(each, how))) for how in ("f32", "int8"))
    if name == "cards":
        quads = [d.quad for d in seen if d.kind == "card_up"]
        said = [
            (reading.ranks, reading.suits) for readers in (exact, whole) for reading in readers.cards(picture, quads)
        ]
    else:
        hands = [d for d in seen if d.kind == "hand"]
        said = [(each.side, each.facing) for readers in (exact, whole) for each in readers.hands(picture, hands)]
    half = len(said) // 2
    assert half >= 1
    for one, other in zip(said[:half], said[half:], strict=True):
        for a, b in zip(one, other, strict=True):
            assert max(abs(a[key] - b[key]) for key in a) < 0.1
