"""Top faces of real chips, straightened and laid into rendered pictures."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from verifier.domain.observations import CardSeen, Observation
from verifier.train.pictures import Shot
from verifier.train.real_pictures import chips as module
from verifier.train.real_pictures.chips import FACE, TOPS, ChipTop, chip_tops, with_chips
from verifier.train.real_pictures.split import part_of

SIZE = 300


def felt() -> Shot:
    card = CardSeen(
        id=1, face="up", p=1.0, quad=((130, 120), (190, 120), (190, 204), (130, 204)), rank="7", visible=1.0
    )
    return Shot(np.full((SIZE, SIZE, 3), (40, 90, 40), np.uint8), Observation(t=0.0, frame=0, cards=[card]))


def blue() -> ChipTop:
    return ChipTop(np.full((FACE, FACE, 3), (230, 40, 20), np.uint8), "other")


def test_faces_are_of_training_photos_alone() -> None:
    told = json.loads(TOPS.read_text(encoding="utf-8"))
    assert len(told) > 30 and {part_of(module.DEGEN, name) for name in told} == {"train"}


def test_an_ellipse_is_straightened_to_a_circle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / module.DEGEN / "valid" / "images"
    folder.mkdir(parents=True)
    photo = np.full((200, 300, 3), 60, np.uint8)
    cv2.ellipse(photo, (150, 90), (80, 50), 0, 0, 360, (20, 20, 220), -1)
    cv2.imwrite(str(folder / "a.jpg"), photo)
    tops = tmp_path / "tops.json"
    tops.write_text(json.dumps({"a.jpg": [[150, 90, 80, 50, "red"]]}), encoding="utf-8")
    monkeypatch.setattr(module, "TOPS", tops)
    monkeypatch.setattr(module, "pictures", lambda *_: [folder / "a.jpg"])
    (top,) = chip_tops(tmp_path)
    red = top.image[..., 2] > 150
    y, x = np.mgrid[:FACE, :FACE] - (FACE - 1) / 2
    assert top.colour == "red" and top.image.shape == (FACE, FACE, 3)
    assert red[np.hypot(x, y) < 0.92 * FACE / 2].mean() > 0.99 and red[np.hypot(x, y) > 1.08 * FACE / 2].mean() < 0.05


def test_a_folder_without_the_set_has_no_faces(tmp_path: Path) -> None:
    assert chip_tops(tmp_path) == []


def test_a_labelled_chip_shows_where_it_is_said_to_lie() -> None:
    found = 0
    for seed in range(12):
        shot = with_chips(felt(), [blue()], np.random.default_rng(seed))
        for chip in shot.truth.chips:
            x, y = (int(v) for v in chip.center)
            assert chip.colour == "other" and 0 <= x < SIZE and 0 <= y < SIZE
            found += 1
            disc = np.zeros((SIZE, SIZE), np.uint8)
            cv2.circle(disc, (x, y), round(0.6 * chip.radius), 1, -1)
            blue_less_green = shot.image[disc > 0][:, 0].astype(int) - shot.image[disc > 0][:, 1]
            assert (blue_less_green > 30).mean() > 0.95
    assert found >= 12


def test_the_buried_chips_of_a_stack_are_no_label(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_places", lambda kind, rng: iter([(0.0, 0.0), (0.03, 0.0), (0.06, 0.0)]))
    monkeypatch.setattr(module, "scale_of", lambda truth, rng: 1.0)
    rng = np.random.default_rng(2)
    counts = [len(with_chips(felt(), [blue()], rng).truth.chips) for _ in range(8)]
    assert max(counts) == 1


def test_a_card_under_chips_shows_less() -> None:
    for seed in range(30):
        card = with_chips(felt(), [blue()], np.random.default_rng(seed)).truth.cards
        if card and card[0].visible is not None and card[0].visible < 0.9:
            return
    pytest.fail("no chip fell on the card")
