"""Whole tables in three dimensions: what is drawn is what the labels say."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from msgspec import structs

from verifier.domain.cards import RANKS, SUITS
from verifier.domain.errors import BadInput
from verifier.domain.layout import CARD_MM
from verifier.domain.observations import CardSeen, ChipSeen, HandSeen, Observation
from verifier.reconstruct import parameters as par
from verifier.simulate.render import Camera
from verifier.simulate.render.truth import CHIP_SHOWS
from verifier.train.cases import FAR_FRAME, FRAME, Case, Doubtful, Kind, solid_cases
from verifier.train.commands import train_group
from verifier.train.evaluate import GROUPS, tallies
from verifier.train.evaluate_command import evaluate_command
from verifier.train.evaluation_samples import EvaluationSample
from verifier.train.labels import CARD_VISIBLE, shows
from verifier.train.pictures import HAND_VISIBLE
from verifier.train.solid_scores import SURE, false_finds, fan_counts, fans_of, judged, step_of
from verifier.train.table.backs import back, sample_back
from verifier.train.table.discs import SPOTS, colours, sample_maker
from verifier.train.table.draw import Stage
from verifier.train.table.faces import CARD_PX, face, sample_deck
from verifier.train.table.felts import sample_felt
from verifier.train.table.kinds import SOLID_KINDS, SolidKind
from verifier.train.table.laid import FAN_NUMBERS, Heights, Table, sample_house
from verifier.train.table.pictures import SolidPlan, drawer, felt_of, shots, shown, smaller, truth_of, unseen
from verifier.train.table.scene import KINDS, stage
from verifier.train.table.splits import TEST_ONE_IN, split_of
from verifier.train.table.stager import STEPS, Stager

LEVEL = Camera((480, 360), 2700.0, 1900.0)
SLANTING = Camera((480, 360), 2700.0, 1900.0, at=(0.0, 600.0), tilt=17.5, roll=20.0)
BENT = Camera((960, 720), 900.0, 1900.0, bend=-0.4)


@cache
def moderngl() -> None:
    pytest.importorskip("moderngl", reason="needs the train extra")


def empty(seed: int = 3, bend: float = 0.0) -> Stager:
    rng = np.random.default_rng(seed)
    stager = Stager(sample_house(rng, "train"), rng)
    stager.bend = bend
    return stager


def staged(seed: int, kind: SolidKind) -> Table:
    rng = np.random.default_rng(seed)
    return stage(sample_house(rng, "train"), rng, kind)


def numbers(stager: Stager, camera: Camera) -> np.ndarray:
    """The picture of numbers by a pinhole camera."""
    from verifier.train.solid.hands import lamps

    table = stager.table
    arms = [(hand.arm, hand.paint) for hand in table.hands]
    shown_so = Stage(table.bodies, arms, table.stacked(), table.felt, table.nap)
    return drawer().draw(shown_so, camera, lamps(np.random.default_rng(0)), (0.0, 0.0), 400.0)[1]


def filled(outline: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    mask = np.zeros((size[1], size[0]), np.uint8)
    cv2.fillPoly(mask, [np.round(outline * 16).astype(np.int32)], (1.0,), cv2.LINE_8, 4)
    return mask.astype(bool)


def iou(a: np.ndarray, b: np.ndarray) -> float:
    return float((a & b).sum()) / float((a | b).sum())


@pytest.mark.parametrize("camera", [LEVEL, SLANTING])
@pytest.mark.parametrize("bend", [("flat", 0.0), ("corner", 4.0)])
def test_a_cards_corners_hold_the_pixels_that_were_drawn_of_it(camera: Camera, bend: tuple[str, float]) -> None:
    moderngl()
    stager = empty()
    stager.card((30.0, -20.0), 33.0, bend=bend)
    card = stager.table.cards[0]
    mask = numbers(stager, camera) == card.number
    assert iou(mask, filled(camera.project(card.corners), camera.size)) > 0.94, "round corners and the edge's pixels"


@pytest.mark.parametrize("camera", [LEVEL, SLANTING])
def test_a_chips_ring_holds_the_pixels_of_its_upper_face(camera: Camera) -> None:
    moderngl()
    stager = empty()
    for _ in range(5):
        stager.chip((10.0, 10.0), 500)
    top = stager.table.chips[-1]
    ids = numbers(stager, camera)
    assert iou(ids == top.number, filled(camera.project(top.ring), camera.size)) > 0.9
    lower = [chip.number for chip in stager.table.chips[:-1]]
    assert np.isin(ids, lower).sum() < 0.01 * (ids == top.number).sum(), "of the chips below it no face shows"


def test_the_truth_behind_a_bent_lens_is_where_the_pixels_are() -> None:
    moderngl()
    stager = empty()
    stager.card((600.0, -150.0), 15.0, bend=("flat", 0.0))
    _, truth, _ = shown(stager.table, BENT, np.random.default_rng(1))
    (card,) = truth.cards
    assert card.visible is not None and card.visible > 0.93
    straight = replace(BENT, bend=0.0).project(stager.table.cards[0].corners)
    assert np.abs(straight - np.array(card.quad)).max() > 10.0, "the lens moves this card"


def test_of_a_card_under_another_as_much_shows_as_is_left_free() -> None:
    moderngl()
    stager = empty()
    for x in (0.0, 0.4 * CARD_MM[0]):
        stager.card((x, 0.0), 0.0, bend=("flat", 0.0))
    _, truth, _ = shown(stager.table, LEVEL, np.random.default_rng(1))
    lower, upper = truth.cards
    assert lower.visible == pytest.approx(0.4, abs=0.03) and upper.visible == pytest.approx(1.0, abs=0.03)


def test_a_hands_box_holds_its_pixels_and_it_counts_as_shown() -> None:
    moderngl()
    stager = empty(5)
    stager.hand((0.0, 0.0), "dealer")
    camera = Camera((480, 480), 900.0, 1900.0)
    _, truth, doubtful = shown(stager.table, camera, np.random.default_rng(1))
    (hand,) = truth.hands
    ys, xs = np.nonzero(numbers(stager, camera) == stager.table.hands[0].number)
    x0, y0, x1, y1 = hand.box
    slack = 0.08 * max(x1 - x0, y1 - y0)
    assert x0 - slack <= xs.min() and xs.max() <= x1 + slack and y0 - slack <= ys.min() and ys.max() <= y1 + slack
    assert hand.owner == "dealer" and not doubtful.hands and len(hand.keypoints or []) == 21


def test_a_hand_of_which_little_shows_is_doubtful() -> None:
    moderngl()
    stager = empty(5)
    stager.hand((0.0, 0.0), "dealer")
    whole = Camera((480, 480), 900.0, 1900.0)
    _, y0, _, y1 = shown(stager.table, whole, np.random.default_rng(1))[1].hands[0].box
    for share, seen in ((HAND_VISIBLE - 0.25, False), (HAND_VISIBLE + 0.35, True)):
        cut = whole.window(0.0, 0.0, (480, round(y0 + share * (y1 - y0))))
        truth, doubtful = shown(stager.table, cut, np.random.default_rng(1))[1:]
        assert (len(truth.hands), len(doubtful.hands)) == ((1, 0) if seen else (0, 1))


@pytest.mark.parametrize(
    ("share", "known", "unsure"), [(CHIP_SHOWS + 0.02, 1, 0), (CHIP_SHOWS - 0.02, 0, 1), (0.03, 0, 0)]
)
def test_a_chip_counts_from_the_share_from_which_it_can_be_seen(share: float, known: int, unsure: int) -> None:
    stager = empty()
    stager.chip((0.0, 0.0), 500)
    (chip,) = stager.table.chips
    area = cv2.contourArea(LEVEL.project(chip.ring).astype(np.float32))
    ids = np.zeros((360, 480), np.int32)
    ids.ravel()[: round(share * area)] = chip.number
    truth, doubtful = truth_of(stager.table, LEVEL, ids, np.zeros((360, 480)))
    assert (len(truth.chips), len(doubtful.chips)) == (known, unsure)


def test_the_same_seed_gives_the_same_pictures_and_another_gives_others() -> None:
    moderngl()
    plan = SolidPlan(size=128, windows=2)
    first, again, other = (list(shots(seed, plan)) for seed in (7, 7, 8))
    for a, b in zip(first, again, strict=True):
        assert np.array_equal(a.image, b.image) and a.truth == b.truth
    assert not np.array_equal(first[0].image, other[0].image)


def test_a_frame_to_score_on_has_its_cases_size_and_far_ones_small_cards() -> None:
    moderngl()
    picture = unseen(Case(kind="solid far", seed=11, size=(480, 270)))
    assert picture.image.shape == (270, 480, 3) and picture.card == pytest.approx(28.0, rel=0.1)


@pytest.mark.parametrize(
    ("sample", "key"),
    [
        (sample_deck, lambda d: (d.form % 4, d.weight, d.width, d.serif, d.contrast, d.bulge, d.layout, d.court)),
        (sample_back, lambda b: (b.kind, b.hue, b.border)),
        (sample_maker, lambda m: (m.inlay, m.band, m.edge, m.tone)),
        (sample_felt, lambda f: (f.tone, f.spot, f.arcs, f.face)),
    ],
)
def test_what_models_are_scored_on_is_in_no_training_picture(
    sample: Callable[..., Any], key: Callable[[Any], object]
) -> None:
    rng = np.random.default_rng(4)
    parts = {split: {key(sample(rng, split)) for _ in range(300)} for split in ("train", "test")}
    assert parts["train"] and parts["test"] and not parts["train"] & parts["test"]


def test_one_style_in_five_is_for_scoring() -> None:
    share = np.mean([split_of("deck", number) == "test" for number in range(4000)])
    assert share == pytest.approx(1 / TEST_ONE_IN, abs=0.03)


def test_every_card_of_a_deck_looks_unlike_the_others_and_has_round_corners() -> None:
    deck = sample_deck(np.random.default_rng(9), "train")
    pictures = [face(deck, rank, suit) for rank in RANKS for suit in SUITS]
    assert len({picture.tobytes() for picture in pictures}) == 52
    for picture in (*pictures[:3], back(sample_back(np.random.default_rng(1), "train"))):
        assert picture.shape == (CARD_PX[1], CARD_PX[0], 4)
        assert picture[0, 0, 3] == 0 and picture[CARD_PX[1] // 2, 0, 3] == 255


@pytest.mark.parametrize("cents", sorted(SPOTS))
def test_chips_have_the_prescribed_spots(cents: int) -> None:
    rng = np.random.default_rng(2)
    counts = {len(colours(sample_maker(rng, "train"), cents).stripes) for _ in range(40)}
    spots, pieces = SPOTS[cents]
    assert counts == ({spots * pieces, 3} if cents == 2500 else {spots * pieces}), "green ones have eight or three"


def test_a_card_lies_above_what_is_below_it_however_both_are_bent() -> None:
    stager = empty(6, bend=5.0)
    for x in (0.0, 20.0, 31.0, 52.0):
        stager.card((x, 0.0), 0.0, bend=("long", 5.0) if x < 30 else ("dome", 3.0))
    cards = [body for body in stager.table.bodies if body.look[0, 1] > 0]
    for lower, upper in pairwise(cards):
        for x, y, z in upper.vertices:
            away = np.hypot(lower.vertices[:, 0] - x, lower.vertices[:, 1] - y)
            if away.min() < 4.0:
                assert z > lower.vertices[away.argmin(), 2] - 0.35


def test_a_thing_is_lifted_just_over_what_it_covers() -> None:
    heights = Heights()
    place, other = np.array([[0.0, 0.0]]), np.array([[300.0, 0.0]])
    zero, thick = np.zeros(1), np.array([3.3])
    assert [heights.drop(where, zero, thick) for where in (place, place, other, place)] == pytest.approx(
        [0, 3.3, 0, 6.6]
    )


@pytest.mark.parametrize("seed", range(6))
def test_clutter_is_neither_a_card_nor_a_chip(seed: int) -> None:
    table = staged(seed, "clutter")
    assert not table.cards and not table.chips and len(table.bodies) > 5


@pytest.mark.parametrize("kind", [kind for kind in SOLID_KINDS if kind != "clutter"])
def test_every_other_kind_has_cards_or_chips(kind: SolidKind) -> None:
    table = staged(2, kind)
    assert table.cards or table.chips
    told = [card.number for card in table.cards] + [chip.number for chip in table.chips]
    assert len(set(told)) == len(told), "each has a number of its own"


def test_kinds_come_as_often_as_they_should() -> None:
    assert sum(KINDS.values()) == pytest.approx(1.0) and set(KINDS) == set(SOLID_KINDS)


def test_a_fans_cards_lie_a_step_apart_and_know_their_place() -> None:
    stager = empty(1)
    for step in STEPS:
        stager.fan((0.0, 0.0), 30.0, 4, step, downs=0.0)
    for number, step in enumerate(STEPS, 1):
        cards = [card for card in stager.table.cards if card.id is not None and card.id // FAN_NUMBERS == number]
        middles = [card.corners.mean(0)[:2] for card in cards]
        apart = [float(np.hypot(*(b - a))) for a, b in pairwise(middles)]
        assert [card.id % FAN_NUMBERS for card in cards if card.id is not None] == [0, 1, 2, 3]
        assert np.mean(apart) == pytest.approx(step * CARD_MM[0], abs=2.0)


def test_a_picture_that_is_made_smaller_keeps_its_truth() -> None:
    quad = ((10.0, 20.0), (30.0, 20.0), (30.0, 50.0), (10.0, 50.0))
    hand = HandSeen(p=1.0, box=(0.0, 10.0, 20.0, 30.0), keypoints=[(4.0, 6.0, 1.0)] * 21)
    chip = ChipSeen(colour="red", p=1.0, center=(8.0, 6.0), radius=4.0)
    truth = Observation(t=0.0, frame=0, cards=[CardSeen(face="up", p=1.0, quad=quad)], chips=[chip], hands=[hand])
    half = smaller(truth, 0.5)
    assert half.cards[0].quad[2] == (15.0, 25.0) and half.chips[0].radius == 2.0 and half.chips[0].center == (4.0, 3.0)
    assert half.hands[0].box == (0.0, 5.0, 10.0, 15.0) and (half.hands[0].keypoints or [])[0] == (2.0, 3.0, 1.0)


def test_pictures_are_written_with_labels_and_crops(tmp_path: Path) -> None:
    moderngl()
    result = CliRunner().invoke(train_group, ["solid-pictures", "--out", str(tmp_path), "--tables", "1", "--jobs", "1"])
    assert result.exit_code == 0, result.output
    assert "4 pictures" in result.output
    assert len(list((tmp_path / "images" / "train").glob("*.jpg"))) == 4
    assert len(list((tmp_path / "labels" / "train").glob("*.txt"))) == 4


@pytest.mark.parametrize(("lacks", "told"), [("moderngl", "pip install"), ("EGL", "Mesa")])
@pytest.mark.parametrize(
    "words", [["solid-pictures", "--tables", "1", "--out"], ["--pictures", "0", "--solid", "1", "--out"]]
)
def test_without_opengl_the_remedy_is_told(
    lacks: str, told: str, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if lacks == "moderngl":
        monkeypatch.setitem(sys.modules, "moderngl", None)
    else:
        moderngl()
        monkeypatch.setattr("verifier.train.solid.draw.find_library", lambda name: None)
    command = train_group if words[0] == "solid-pictures" else evaluate_command
    result = CliRunner().invoke(command, [*words, str(tmp_path)])
    assert isinstance(result.exception, BadInput) and told in result.exception.remedy


# ---- scores


def card(rank: str | None, x: float, *, p: float = 0.99, number: int | None = None, **more: float) -> CardSeen:
    quad = ((x, 0.0), (x + 40, 0.0), (x + 40, 56.0), (x, 56.0))
    face_ = "up" if rank else "down"
    return CardSeen(id=number, face=face_, p=p, quad=quad, rank=rank, ranks={rank: p} if rank else None, **more)  # type: ignore[arg-type]


APART, UNREADABLE, MORE = par.SEVERAL_APART_SHARE, par.SEVERAL_UNREADABLE_P, par.SEVERAL_MORE_P
FAN = [card("A", 100, number=10), card("9", 116, number=11)]


@pytest.mark.parametrize(
    ("seen", "told"),
    [
        ([card("A", 100), card("9", 116)], "right"),
        ([card("9", 116)], "surely wrong"),
        ([card("A", 100), card("8", 116)], "surely wrong"),
        ([card("A", 100), card("9", 116), card("9", 130)], "surely wrong"),
        ([card("9", 116, p=SURE)], "surely wrong"),
        ([card("9", 116, p=SURE - 0.001)], "in doubt"),
        ([card("9", 116, apart=APART - 0.001, unreadable=UNREADABLE - 0.001, more=MORE - 0.001)], "surely wrong"),
        ([card("9", 116, apart=APART)], "in doubt"),
        ([card("9", 116, unreadable=UNREADABLE)], "in doubt"),
        ([card("9", 116, more=MORE)], "in doubt"),
        ([card("5", 900)], "in doubt"),
        ([], "in doubt"),
    ],
)
def test_a_fan_is_surely_wrong_only_if_all_that_is_told_there_is_sure(seen: list[CardSeen], told: str) -> None:
    assert judged(FAN, seen) == told


def sample(truth: list[CardSeen], seen: list[CardSeen], chips: int = 0, kind: Kind = "solid") -> EvaluationSample:
    chip = ChipSeen(colour="red", p=1.0, center=(9.0, 9.0), radius=5.0)
    return EvaluationSample(
        case=Case(kind=kind, seed=1),
        truth=Observation(t=0.0, frame=0, cards=truth),
        doubtful=Doubtful(),
        seen=Observation(t=0.0, frame=0, cards=seen, chips=[chip] * chips),
        found=[],
        answers={},
    )


def test_fans_are_counted_by_size_and_step_and_those_cut_by_the_edge_are_left_out() -> None:
    assert step_of(FAN) == pytest.approx(0.4)
    counts = fan_counts([sample(FAN, [card("9", 116)]), sample(FAN, [])])
    assert counts == {"fan of 2, step 0.35 to 0.6": {"surely wrong": 1, "in doubt": 1}}
    assert not fans_of(sample(FAN[1:], [])), "its lowest card is missing"
    outside = [structs.replace(one, quad=tuple((x - 101, y) for x, y in one.quad)) for one in FAN]
    assert not fans_of(sample(outside, []))


def test_false_finds_are_counted_on_the_felt_and_beside_it() -> None:
    felt = np.array([(0.0, 0.0), (400.0, 0.0), (400.0, 400.0), (0.0, 400.0)])
    three = [sample([], [], chips=1), sample([], [card("9", 500)]), sample(FAN, [*FAN, card("A", 250)], chips=2)]
    told = false_finds(three, lambda case: felt)
    assert told["bare"] == {
        "pictures": 2, "cards on the felt": 0.0, "cards beside the felt": 0.5, "chips on the felt": 0.5,
        "chips beside the felt": 0.0,
    }  # fmt: skip
    assert told["all"]["cards on the felt"] == pytest.approx(1 / 3) and told["all"]["chips on the felt"] == 1.0


def test_a_chip_of_which_little_shows_is_no_false_find() -> None:
    one = sample([], [], chips=1)
    known = structs.replace(one, doubtful=Doubtful(chips=[(9.0, 9.0, 5.0)]))
    assert false_finds([known], lambda case: np.array([(0.0, 0.0), (9.0, 0.0), (9.0, 9.0)]))["bare"]["pictures"] == 0
    assert false_finds([known], lambda case: np.array([(0.0, 0.0), (9.0, 0.0), (9.0, 9.0)]))["all"] == {
        "pictures": 1, "cards on the felt": 0.0, "cards beside the felt": 0.0, "chips on the felt": 0.0,
        "chips beside the felt": 0.0,
    }  # fmt: skip


def test_the_felts_outline_is_where_the_felt_is() -> None:
    moderngl()
    case = Case(kind="solid", seed=12, size=(480, 270))
    outline = felt_of(case)
    assert abs(cv2.contourArea(outline.astype(np.float32))) > 0.4 * 480 * 270


def test_both_worlds_are_scored_apart() -> None:
    assert not [kind for kind in GROUPS["all"] if kind.startswith("solid")]
    groups = tallies([sample(FAN, []), sample(FAN, [], kind="easy")])
    assert {name: groups[name].counts["pictures"] for name in ("all", "solid", "solid, all")} == {
        "all": 1, "solid": 1, "solid, all": 1,
    }  # fmt: skip


def test_the_cases_of_the_solid_world_are_of_both_sizes() -> None:
    cases = solid_cases(8)
    assert [case.kind for case in cases[:4]] == ["solid", "solid", "solid", "solid far"]
    assert {case.kind: case.size for case in cases} == {"solid": FRAME, "solid far": FAR_FRAME}
    assert {case.split for case in cases} == {"test"} and len({case.seed for case in cases}) == 8


def test_a_card_below_the_share_of_a_label_is_known_but_no_label() -> None:
    stager = empty()
    stager.card((0.0, 0.0), 0.0, bend=("flat", 0.0))
    (one,) = stager.table.cards
    area = cv2.contourArea(LEVEL.project(one.corners).astype(np.float32))
    for share, label in ((CARD_VISIBLE - 0.01, False), (CARD_VISIBLE + 0.01, True)):
        ids = np.zeros((360, 480), np.int32)
        ids.ravel()[: round(share * area)] = one.number
        truth, _ = truth_of(stager.table, LEVEL, ids, np.zeros((360, 480)))
        assert shows(truth.cards[0]) == label
