"""Cards laid half over cards in photos, listed corners, and tables seen from aside."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import pytest

from verifier.domain.observations import CardSeen, Observation
from verifier.train import pictures
from verifier.train.pictures import PicturePlan, Shot, shots
from verifier.train.real_pictures import cards
from verifier.train.real_pictures.overlaid import SHIFT, overlaid
from verifier.train.real_pictures.paste import CARD_SIZE
from verifier.train.real_pictures.split import FARUK, part_of
from verifier.train.views import slanted

SIDE = 400


def photo() -> Shot:
    """One whole card of grey paper, 100 by 140, in the middle of black."""
    image = np.zeros((SIDE, SIDE, 3), np.uint8)
    cv2.rectangle(image, (150, 130), (250, 270), (120, 120, 120), -1)
    quad = ((150.0, 130.0), (250.0, 130.0), (250.0, 270.0), (150.0, 270.0))
    return Shot(image, Observation(t=0.0, frame=0, cards=[CardSeen(id=None, face="up", p=1.0, quad=quad, rank="K")]))


def white_card() -> tuple[np.ndarray, str]:
    return np.full((CARD_SIZE[1], CARD_SIZE[0], 3), 235, np.uint8), "7"


@pytest.mark.parametrize("seed", range(8))
def test_what_is_laid_over_a_card_takes_from_what_shows_of_it(seed: int) -> None:
    shot = overlaid(photo(), [white_card()], np.random.default_rng(seed))
    kings = [card for card in shot.truth.cards if card.rank == "K"]
    laid = [card for card in shot.truth.cards if card.rank != "K"]
    assert laid
    assert all(card.visible is not None and card.visible < 0.9 for card in kings)
    for card in laid[:1]:
        away = np.linalg.norm(np.mean(card.quad, axis=0) - [200, 200])
        assert SHIFT[0] * 100 * 0.7 < away < SHIFT[1] * 140 * 1.3


def test_a_card_that_is_laid_on_has_the_paper_of_the_one_below() -> None:
    shot = overlaid(photo(), [white_card()], np.random.default_rng(4))
    top = shot.truth.cards[-1]
    x, y = np.mean(top.quad, axis=0).round().astype(int)
    assert abs(int(shot.image[np.clip(y, 0, SIDE - 1), np.clip(x, 0, SIDE - 1), 1]) - 120) < 12


def test_nothing_is_laid_where_no_whole_card_lies() -> None:
    shot = photo()
    bare = replace(shot, truth=Observation(t=0.0, frame=0))
    assert overlaid(bare, [white_card()], np.random.default_rng(0)) is bare


def test_listed_corners_are_of_training_photos_alone() -> None:
    listed = cards._listed()
    assert len(listed) > 50
    assert all(part_of(FARUK if name.startswith("s") else cards.EDJE, name) == "train" for name in listed)


def test_listed_corners_are_taken_for_their_photo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    quad = [(10.0, 10.0), (60.0, 12.0), (58.0, 82.0), (8.0, 80.0)]
    monkeypatch.setattr(cards, "_listed", lambda: {"a.jpg": [quad]})
    box = "<xmin>8</xmin><ymin>10</ymin><xmax>60</xmax><ymax>82</ymax>"
    for name in ("a", "b"):
        (tmp_path / f"{name}.xml").write_text(
            f"<annotation><object><name>queen</name><bndbox>{box}</bndbox></object></annotation>"
        )
    blank = np.zeros((100, 100, 3), np.uint8)
    known, unknown = (_told(tmp_path / f"{name}.jpg", blank) for name in ("a", "b"))
    assert known.rank == "Q"
    assert known.quad is not None
    assert known.quad.tolist() == [list(point) for point in quad]
    assert unknown.quad is None or unknown.quad.tolist() != known.quad.tolist()


def _told(path: Path, image: np.ndarray) -> cards.BoxedCard:
    return cards.told_cards(path, cards.cornered_cards(image, cards.boxed_cards(path)))[0]


def test_from_aside_what_stands_higher_leans_away() -> None:
    camera = slanted(np.random.default_rng(1))
    low, high = camera.project([(0.0, 0.0, 0.0), (0.0, 0.0, 40.0)])
    across = np.linalg.norm(camera.project([(20.0, 0.0, 0.0)])[0] - low)
    assert np.linalg.norm(high - low) > 0.7 * across


def test_pictures_from_aside_show_their_objects_in_them(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = PicturePlan(size=256, windows=1, performed=0.0, wild=1.0, slanted=1.0)
    seen = [shot for seed in range(4) for shot in islice(shots(seed, plan), 1)]
    assert any(shot.truth.cards or shot.truth.chips for shot in seen)
    assert all(shot.image.shape == (256, 256, 3) for shot in seen)
    monkeypatch.setattr(pictures, "slanted", lambda rng: (_ for _ in ()).throw(LookupError))
    list(islice(shots(0, replace_plan(plan)), 1))


def replace_plan(plan: PicturePlan) -> PicturePlan:
    """The plan without pictures from aside."""
    return PicturePlan(size=plan.size, windows=1, performed=0.0, wild=1.0, slanted=0.0)
