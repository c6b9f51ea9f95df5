"""Crops of what the detector finds, and how its cards are weighed against their reader's faces."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from verifier.train import found, verdict_fit
from verifier.train.crop_sets import CARD_FACES, RANK_CLASSES, UNLABELLED, load_crops
from verifier.train.pictures import PicturePlan, write_pictures
from verifier.vision.detection import CARD_DOWN, CARD_UP, Detection

MODELS = Path(__file__).parents[2] / "models"


def square(x: float) -> np.ndarray:
    return np.array([[x, 0], [x + 40, 0], [x + 40, 60], [x, 60]], np.float32)


def at(kind: str, x: float) -> Detection:
    return Detection(kind, 0.5, np.array([x + 20, 30, 40, 60, 0], np.float32))


def test_what_is_found_has_the_face_of_the_card_that_lies_there() -> None:
    cards = [(CARD_UP, square(0)), (CARD_DOWN, square(200))]
    places = [at(CARD_DOWN, 2), at(CARD_DOWN, 203), at(CARD_UP, 400), at(CARD_UP, 20)]
    assert found.faces(places, cards) == ["up", "down", "none", None]
    assert found.faces(places[:2], []) == ["none", "none"] and found.faces([], cards) == []


def test_what_is_found_of_a_card_a_second_time_is_none() -> None:
    cards = [(CARD_UP, square(0)), (CARD_DOWN, square(200))]
    twice = [replace(at(CARD_UP, 5), p=0.4), replace(at(CARD_UP, 1), p=0.9), at(CARD_DOWN, 200), at(CARD_UP, 20)]
    assert verdict_fit.first_only(found.faces(twice, cards), twice, cards) == ["none", "up", "down", None]


def test_crops_of_what_is_found_join_the_others(tmp_path) -> None:
    assert write_pictures(tmp_path, 1, PicturePlan(watched=True, kind="chaos", performed=0.0), jobs=1) == 8
    assert found.write_found(tmp_path, MODELS, jobs=1) > 20
    crops, labels = load_crops(sorted((tmp_path / "crops").glob("train-found-*.npz")), "cards")
    assert crops.shape[1:] == (96, 64, 3) and labels.shape == (len(crops), 3)
    ranks = {CARD_FACES[face]: set(labels[labels[:, 2] == face, 0]) for face in set(labels[:, 2])}
    unreadable = {RANK_CLASSES.index("unreadable")}
    assert ranks.pop("up") == {UNLABELLED} and all(rank == unreadable for rank in ranks.values())


def test_crops_of_older_programs_lie_face_up_where_they_can_be_read(tmp_path) -> None:
    labels = np.array([[4, 1], [RANK_CLASSES.index("unreadable"), -1]], np.int8)
    np.savez(tmp_path / "train-old.npz", cards=np.zeros((2, 96, 64, 3), np.uint8), cards_labels=labels)
    assert load_crops([tmp_path / "train-old.npz"], "cards")[1][:, 2].tolist() == [0, UNLABELLED]


def sample(kind: str, p: float, face: str, truth: str) -> verdict_fit.Sample:
    said = {name: 0.9 if name == face else 0.05 for name in CARD_FACES}
    return verdict_fit.Sample(kind=kind, p=p, face=said, truth=truth)


@pytest.mark.parametrize("kind", [CARD_UP, CARD_DOWN])
def test_weights_follow_whichever_of_the_two_is_right(kind: str) -> None:
    by_reader = [sample(kind, p, face, face) for p in (0.2, 0.5, 0.8) for face in CARD_FACES for _ in range(20)]
    figures = verdict_fit.figures(by_reader, verdict_fit.fitted(by_reader, verdict_fit.START[kind]))
    assert figures["both"] == 1.0 > figures["detector"]
    own = kind.removeprefix("card_")
    by_detector = [
        sample(kind, p, face, own if p > 0.5 else "none") for p in (0.1, 0.9) for face in CARD_FACES for _ in range(20)
    ]
    assert verdict_fit.figures(by_detector, verdict_fit.fitted(by_detector, verdict_fit.START[kind]))["both"] == 1.0


def test_weights_are_written_beside_every_form_of_the_reader(tmp_path) -> None:
    for path in MODELS.glob("*.*"):
        if path.stem.split(".")[0] in ("detector", "cards", "chips", "hands"):
            shutil.copy(path, tmp_path)
    figures = verdict_fit.fit_verdicts(tmp_path, 3, jobs=1)
    assert figures[CARD_UP]["both"] > 0.9
    for name in ("cards", "cards.int8"):
        assert set(json.loads((tmp_path / f"{name}.json").read_text())["verdicts"]) == {CARD_UP, CARD_DOWN}
