"""Scores on real pictures, on drawn stand-ins for the public sets."""

from __future__ import annotations

import json
from collections import Counter
from importlib import resources
from pathlib import Path

import cv2
import numpy as np
import pytest
from real_stand_ins import card, green_hand, save_voc, seen

from verifier.domain.errors import BadInput
from verifier.domain.observations import ChipSeen, HandSeen, Observation
from verifier.train import real_pictures
from verifier.train.real_pictures.hands import FOREARM, RPS, hand_photo
from verifier.train.real_pictures.scores import (
    SURE,
    card_figures,
    frame_cards,
    hand_figures,
    judge_bag,
    judge_boxes,
    judge_hand,
    score_real,
)
from verifier.train.real_pictures.split import FARUK, MARTINABELEDA
from verifier.train.real_pictures.stack_scores import STACK_COLOURS, judge_stacks, stack_colours

HELD = json.loads(resources.files(real_pictures).joinpath("held_out.json").read_text(encoding="utf-8"))


def test_real_frames_by_name() -> None:
    assert frame_cards("club1")[:2] == ["Ac", "2c"] and len(frame_cards("club1")) == 13
    assert sorted(frame_cards("heart3")) == sorted(frame_cards("heart1"))
    assert len(frame_cards("surface2")) == 16


def test_bags_of_ranks_and_suits() -> None:
    image = np.zeros((10, 10, 3), np.uint8)
    judged = judge_bag(image, Path("heart1.jpg"), seen(cards=[card(0, "7"), card(100, "7"), card(200, "K", "s")]))
    assert +judged.counts == Counter(right=2, said=3, cards=13, both=1, found=3)
    assert judged.wrong == "missed A2345689TJQ extra 7"
    sure = judge_bag(image, Path("heart1.jpg"), seen(cards=[card(x, "7", sure=SURE) for x in (0, 100)])).counts
    assert (sure["surely right"], sure["surely wrong"]) == (1, 1)


def test_ranks_in_drawn_boxes(tmp_path: Path) -> None:
    image = np.zeros((100, 200, 3), np.uint8)
    save_voc(tmp_path, "x", image, {"king": (0, 0, 50, 70), "queen": (100, 0, 150, 70)})
    judged = judge_boxes(image, tmp_path / "x.jpg", seen(cards=[card(0, "K"), card(100, "A")]))
    assert judged.counts == Counter(right=1, said=2, cards=2, found=2, matched=2) and judged.wrong == "Q:A"


@pytest.mark.parametrize(
    ("rank", "x", "sure", "told"),
    [
        ("K", 0, SURE, (1, 0, 0)),
        ("Q", 0, SURE, (0, 0, 1)),
        ("K", 0, SURE - 0.01, (0, 1, 0)),
        ("Q", 0, SURE - 0.01, (0, 1, 0)),
        ("K", 100, SURE, (0, 0, 1)),
        (None, 0, SURE, (0, 1, 0)),
    ],
    ids=["right", "wrong", "hardly right", "hardly wrong", "where none lies", "not read"],
)
def test_how_sure_a_rank_is_told_counts(
    tmp_path: Path, rank: str | None, x: float, sure: float, told: tuple[int, int, int]
) -> None:
    image = np.zeros((100, 200, 3), np.uint8)
    save_voc(tmp_path, "x", image, {"king": (0, 0, 50, 70)})
    counts = judge_boxes(image, tmp_path / "x.jpg", seen(cards=[card(x, rank, sure=sure)])).counts
    figures = card_figures(counts)
    assert tuple(figures[name] for name in ("read surely, right", "in doubt", "read surely, wrong")) == told


def test_of_a_scene_one_photo_that_is_not_mirrored_is_scored(tmp_path: Path) -> None:
    folder = tmp_path / FARUK
    for name in ("images", "labels"):
        (folder / name).mkdir(parents=True)
    (folder / "classes.txt").write_text("Tc\nKd\n", encoding="utf-8")
    rows = ["picture,scene,mirrored", "a1,1,yes", "a2,1,no", "a3,1,no", "b1,2,unknown"]
    (folder / "pictures.csv").write_text("\n".join(rows), encoding="utf-8")
    for name in ("a1", "a2", "a3", "b1"):
        cv2.imwrite(str(folder / "images" / f"{name}.jpg"), np.zeros((640, 640, 3), np.uint8))
        (folder / "labels" / f"{name}.txt").write_text("1 0.0390625 0.0546875 0.078125 0.109375\n", encoding="utf-8")
    figures = score_real(lambda image: seen(cards=[card(0, "K", sure=0.95)]), tmp_path)[FARUK]
    assert (figures["pictures"], figures["cards"], figures["read surely, right"]) == (1, 1.0, 1.0)
    (folder / "pictures.csv").unlink()
    with pytest.raises(BadInput, match=r"pictures\.csv"):
        score_real(lambda image: seen(), tmp_path)


def test_a_hand_is_scored_where_it_is(tmp_path: Path) -> None:
    path = tmp_path / RPS / "paper" / "x.png"
    path.parent.mkdir(parents=True)
    cv2.imwrite(str(path), green_hand())
    hand = hand_photo(path, RPS)
    assert hand is not None
    right = HandSeen(id=None, owner="dealer", side="left", facing="palm", p=1, box=hand.box, fingers=5)
    far = HandSeen(id=None, owner="dealer", side="left", facing="palm", p=1, box=(0, 0, 20, 20), fingers=5)
    hit = judge_hand(hand.image, path, seen(hands=[far, right]), RPS)
    assert hit is not None and hit.wrong == "facing back:palm"
    assert hit.counts["found"] == 1 and hit.counts["fingers right"] == 1 and hit.counts["facing right"] == 0
    miss = judge_hand(hand.image, path, seen(hands=[far]), RPS)
    assert miss is not None and miss.counts["found"] == 0 and miss.wrong == "not found"


@pytest.mark.parametrize(
    ("facing", "p", "told"),
    [
        ("back", 0.9, (1, 0, 0)),
        ("palm", 0.9, (0, 0, 1)),
        ("palm", 0.89, (0, 1, 0)),
        ("unknown", 0.4, (0, 1, 0)),
        ("palm", None, (0, 0, 1)),
    ],
    ids=["right", "wrong", "hardly", "not told", "wrong, without probabilities"],
)
def test_how_sure_a_facing_is_told_counts(
    tmp_path: Path, facing: str, p: float | None, told: tuple[int, int, int]
) -> None:
    path = tmp_path / RPS / "paper" / "x.png"
    path.parent.mkdir(parents=True)
    cv2.imwrite(str(path), green_hand())
    photo = hand_photo(path, RPS)
    assert photo is not None
    other = "back" if facing == "palm" else "palm"
    facings = None if p is None else {facing: p, other: 1 - p}
    found = HandSeen(p=1, box=photo.box, facing=facing, facings=facings)
    judged = judge_hand(photo.image, path, seen(hands=[found]), RPS)
    assert judged is not None
    figures = hand_figures(judged.counts)
    assert tuple(figures[f"facing {name}"] for name in ("surely, right", "in doubt", "surely, wrong")) == told


def test_a_chip_counts_on_top_of_its_stack_alone(tmp_path: Path) -> None:
    for name in ("images", "labels"):
        (tmp_path / name).mkdir()
    (tmp_path / "labels" / "x.txt").write_text("1 0.25 0.5 0.2 0.6\n1 0.75 0.5 0.2 0.6\n", encoding="utf-8")
    chips = [ChipSeen(id=None, colour="red", p=1, center=at, radius=8) for at in ((25, 30), (75, 70))]
    judged = judge_stacks(np.zeros((100, 100, 3), np.uint8), tmp_path / "images" / "x.jpg", seen(chips=chips))
    assert +judged.counts == Counter(stacks=2, topped=1, chips=2) and judged.wrong == "1 of 2 stacks"


def test_the_colour_of_a_stacks_top_chip_counts_where_it_was_told_by_eye(tmp_path: Path) -> None:
    name = next(name for name, told in json.loads(STACK_COLOURS.read_text(encoding="utf-8")).items() if len(told) == 2)
    first, second = stack_colours(Path(name), 2)
    for part in ("images", "labels"):
        (tmp_path / part).mkdir()
    label = tmp_path / "labels" / Path(name).with_suffix(".txt").name
    label.write_text("1 0.25 0.5 0.2 0.6\n1 0.75 0.5 0.2 0.6\n", encoding="utf-8")
    told = ((first, (25, 30), 0.9), ("pink", (25, 40), 0.4), ("black", (75, 30), 0.9))
    chips = [ChipSeen(id=None, colour=colour, p=p, center=at, radius=8) for colour, at, p in told]
    judged = judge_stacks(np.zeros((100, 100, 3), np.uint8), tmp_path / "images" / name, seen(chips=chips))
    assert second != "black" and judged.counts["told"] == 2 and judged.counts["right"] == 1


def test_stacks_of_a_photo_that_nobody_went_through_have_no_colour() -> None:
    assert stack_colours(Path("x.jpg"), 2) == [None, None]


def test_the_chips_of_a_webcam_frame_are_counted_and_their_colours_compared() -> None:
    told = ("red", "white", "other", "other", "other")
    chips = [ChipSeen(id=None, colour=colour, p=1, center=(9, 9), radius=8) for colour in told]
    counts = judge_bag(np.zeros((10, 10, 3), np.uint8), Path("surface3.jpg"), seen(chips=chips)).counts
    assert (counts["chips"], counts["chips said"], counts["chips found"], counts["chips coloured"]) == (6, 5, 5, 3)


def test_scores_of_what_is_there_and_sheets_of_failures(tmp_path: Path) -> None:
    folder = tmp_path / "real" / FOREARM / "Set1" / "3"
    folder.mkdir(parents=True)
    names = [name for name in HELD[FOREARM] if name.startswith("three")][:2]
    for name in [*names, "trained_on.jpg"]:
        cv2.imwrite(str(folder / name), np.zeros((60, 80, 3), np.uint8))
    looks = iter([3, 4])

    def see(image: np.ndarray) -> Observation:
        box = (5.0, 5.0, 40.0, 50.0)
        return seen(
            hands=[HandSeen(id=None, owner="player", side="left", facing="palm", p=1, box=box, fingers=next(looks))]
        )

    figures = score_real(see, tmp_path / "real", tmp_path / "sheets")
    assert figures == {
        FOREARM: {
            "pictures": 2,
            "recall": 1.0,
            "precision": 1.0,
            "fingers": 0.5,
            "fingers surely, right": 0.5,
            "fingers in doubt": 0.0,
            "fingers surely, wrong": 0.5,
        }
    }
    assert [p.name for p in (tmp_path / "sheets").iterdir()] == [f"{FOREARM}-1.png"]


def test_a_broken_picture_is_named(tmp_path: Path) -> None:
    (tmp_path / MARTINABELEDA).mkdir()
    (tmp_path / MARTINABELEDA / "club1.jpg").write_bytes(b"no picture")
    with pytest.raises(BadInput, match="club1"):
        score_real(lambda image: seen(), tmp_path)
