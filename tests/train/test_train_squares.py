"""Photos of cards that their source squeezed to squares and mirrored are learnt from as the camera took them."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from verifier.train.real_pictures import cards as module
from verifier.train.real_pictures.cards import SQUARE, BoxedCard
from verifier.train.real_pictures.split import FARUK, TRAINING_SESSIONS, part_of, scored
from verifier.train.real_pictures.squares import as_taken, squared_photos

SIDE = SQUARE - 1


def upright(x: float, y: float, width: float, height: float) -> NDArray[np.float32]:
    return np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]], np.float32)


def boxed(quad: NDArray[np.float32], rank: str = "7") -> BoxedCard:
    return BoxedCard(rank, (0, 0, 1, 1), quad)


@pytest.mark.parametrize(
    ("width", "height", "size"),
    [(100, 140, (640, 640)), (133, 140, (480, 640)), (100, 187, (640, 480))],
    ids=["a square photo", "an upright photo", "a photo lying"],
)
def test_a_squeezed_photo_gets_the_proportions_that_make_its_cards_cards(
    width: float, height: float, size: tuple[int, int]
) -> None:
    image, (card,) = as_taken(np.zeros((SQUARE, SQUARE, 3), np.uint8), [boxed(upright(64, 64, width, height))], False)
    assert image.shape[:2] == size[::-1]
    assert card.quad is not None
    sides = np.linalg.norm(np.diff(card.quad[:3], axis=0), axis=1)
    assert sides[1] / sides[0] == pytest.approx(1.4, abs=0.01)
    assert card.box == (*card.quad.min(0), *card.quad.max(0))


def test_a_mirrored_photo_is_flipped_back_with_its_cards() -> None:
    shown = np.zeros((SQUARE, SQUARE, 3), np.uint8)
    cv2.fillPoly(shown, [upright(20, 40, 100, 140).astype(np.int32)], (255, 255, 255))
    image, (card,) = as_taken(shown, [boxed(upright(20, 40, 100, 140))], True)
    white = np.argwhere(image[..., 0] > 128)[:, ::-1]
    assert card.quad is not None
    assert np.abs(card.quad.min(0) - white.min(0)).max() <= 1 and np.abs(card.quad.max(0) - white.max(0)).max() <= 1
    assert card.box[0] == SIDE - 120
    assert cv2.contourArea(card.quad, oriented=True) > 0, "corners run clockwise still"


def test_only_photos_of_which_all_is_known_are_learnt_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed = {f"s05_{name}.jpg": [upright(64, 64, 100, 140).tolist()] for name in ("plain", "flipped", "unknown")}
    monkeypatch.setattr(module, "_listed", lambda: listed)
    folder = tmp_path / FARUK
    for name in ("images", "labels"):
        (folder / name).mkdir(parents=True)
    (folder / "classes.txt").write_text("Tc\n2d\n", encoding="utf-8")
    rows = ["picture,scene,mirrored", "s05_plain,1,no", "s05_flipped,2,yes", "s05_unknown,3,unknown", "s05_bare,4,no"]
    (folder / "pictures.csv").write_text("\n".join([*rows, "s01_plain,5,no"]), encoding="utf-8")
    for name in ("s05_plain", "s05_flipped", "s05_unknown", "s05_bare", "s01_plain"):
        cv2.imwrite(str(folder / "images" / f"{name}.jpg"), np.zeros((SQUARE, SQUARE, 3), np.uint8))
        (folder / "labels" / f"{name}.txt").write_text("1 0.178 0.209 0.156 0.219\n", encoding="utf-8")
    found = list(squared_photos(tmp_path, lambda path: True))
    assert sorted(cards[0].box[0] for _, cards in found) == [64, SIDE - 164]
    assert {cards[0].rank for _, cards in found} == {"2"}
    assert [path.stem for path in scored(tmp_path, FARUK)] == ["s01_plain"]


def test_whole_sessions_are_learnt_from_or_scored() -> None:
    for name in module._listed():
        if name.startswith("s"):
            assert name[:3] in TRAINING_SESSIONS and part_of(FARUK, name) == "train"
    assert part_of(FARUK, "s01_134551_a.jpg") == part_of(FARUK, "a2.jpg") == "test"
