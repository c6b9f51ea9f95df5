from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import cv2
import msgspec
import numpy as np
import pytest

from verifier.domain.errors import BadInput
from verifier.domain.observations import Observation
from verifier.simulate.render.look import SETS
from verifier.train.cases import FAR_CARD_PX, Case, cases
from verifier.train.evaluate import tallies
from verifier.train.evaluation_samples import EvaluatedModels, EvaluationSample, Found, Setup, sample
from verifier.train.flaws import flaws
from verifier.train.gallery import write_gallery
from verifier.train.labels import chip_quad
from verifier.train.looking import read_samples, seen_of
from verifier.train.unseen import make
from verifier.vision.detection import Detection
from verifier.vision.geometry import Bounds
from verifier.vision.readers import COLOURS, CardReading, HandReading

EASY = next(
    case
    for case in (Case(kind="easy", seed=seed) for seed in range(85, 125))
    for truth in [make(case).truth]
    if truth.cards and truth.chips and truth.hands
)
"""An instant at which cards, chips and hands are in view: which one is, depends on the card art that is installed."""


def known(case: Case, seen: Observation | None = None) -> EvaluationSample:
    """An evaluation sample that saw `seen`, by default the truth itself."""
    picture = make(case)
    found = [Found("chip", 0.9, tuple(map(float, chip_quad(chip).ravel()))) for chip in picture.truth.chips]
    return EvaluationSample(
        case=case, truth=picture.truth, doubtful=picture.doubtful, seen=seen or picture.truth, found=found, answers={}
    )


class TwoThings:
    """Finds a card and, too faint to be told, a hand; reads a king of spades."""

    def stream(
        self, pictures: Iterable[tuple[None, np.ndarray, Sequence[Bounds]]], long_side: int | None = None
    ) -> Iterator[tuple[None, list[Detection]]]:
        box = np.array([100, 100, 40, 56, 0], np.float32)
        for key, picture, parts in pictures:
            assert list(parts) == [(0, 0, picture.shape[1], picture.shape[0])]
            yield key, [Detection("card_up", 0.9, box), Detection("hand", 0.2, box)]

    def cards(self, picture: np.ndarray, quads: Sequence[np.ndarray]) -> list[CardReading]:
        return [CardReading({"K": 0.9, "Q": 0.1}, {"s": 0.7, "c": 0.3}, 0.0) for _ in quads]

    def counts(self, picture: np.ndarray, quads: Sequence[np.ndarray]) -> list[dict[str, float]]:
        return [{"1": 1.0} for _ in quads]

    def chips(self, picture: np.ndarray, found: Sequence[Detection]) -> list[dict[str, float]]:
        return [dict.fromkeys(COLOURS, 1 / len(COLOURS)) for _ in found]

    def hands(self, picture: np.ndarray, found: Sequence[Detection]) -> list[HandReading]:
        return []


def evaluated() -> EvaluatedModels:
    return EvaluatedModels(TwoThings(), TwoThings(), {"card_up": 0.45}, {})  # type: ignore[arg-type]


def test_the_sequence_has_every_kind_in_equal_parts_of_play() -> None:
    kinds = [case.kind for case in cases(40)]
    assert kinds.count("easy") == kinds.count("normal") == kinds.count("hard") == 10
    assert kinds.count("any") == 8 and kinds.count("far") == 2
    assert cases(40)[:20] == cases(20) and len({case.seed for case in cases(40)}) == 40


def test_unseen_pictures_follow_from_their_case() -> None:
    one, again = make(EASY), make(EASY)
    assert one.image.shape == (720, 1280, 3)
    assert np.array_equal(one.image, again.image) and one.truth == again.truth


def test_far_pictures_are_large_and_their_cards_small() -> None:
    pictures = (make(case) for case in cases(60) if case.kind == "far")
    far, quads = next(
        (far, quads)
        for far in pictures
        if len(quads := np.array([card.quad for card in far.truth.cards if card.visible == 1.0]))
    )
    sides = np.hypot(*(quads - np.roll(quads, -1, axis=1)).transpose(2, 0, 1))
    assert far.image.shape == (1080, 1920, 3)
    assert np.median(sides.min(1)) == pytest.approx(FAR_CARD_PX, rel=0.15)


def test_truth_itself_scores_full_marks_and_seeing_nothing_none() -> None:
    full = tallies([known(EASY), known(Case(kind="any", seed=79))])
    assert set(full) == {"all", "in play", "easy", "any scene"}
    found = full["all"].figures()
    assert found["chip recall"] == found["hand recall"] == found["chip colour accuracy"] == found["AP50 chip"] == 1
    assert found["card precision"] == 1 and found["card rank F1"] > 0.97
    nothing = tallies([known(EASY, Observation(t=0, frame=0))])["easy"].figures()
    assert nothing["card rank recall"] == nothing["chip recall"] == nothing["AP50 hand"] == 0


def test_a_glance_tells_what_is_sure_and_keeps_what_is_faint() -> None:
    one = sample(EASY, evaluated())
    assert [card.rank for card in one.seen.cards] == ["K"] and not one.seen.hands
    assert [(f.kind, f.p) for f in one.found] == [("card_up", 0.9), ("hand", 0.2)]
    assert one.answers["rank"] == [("K", 0.9)] and one.answers["suit"] == [("s", 0.7)]


def test_a_glance_weighs_cards_against_their_reader() -> None:
    up, none = {"up": 0.98, "down": 0.01, "none": 0.01}, {"up": 0.01, "down": 0.01, "none": 0.98}

    class Doubted(TwoThings):
        def stream(self, pictures, long_side=None):
            for key, _, _ in pictures:
                boxes = (np.array([x, 100, 40, 56, 0], np.float32) for x in (100, 200, 300))
                yield key, [Detection("card_up", p, box) for p, box in zip((0.9, 0.9, 0.05), boxes, strict=True)]

        def cards(self, picture, quads):
            faces = [none if 180 < quad[:, 0].mean() < 220 else up for quad in quads]
            return [replace(r, face=face) for r, face in zip(super().cards(picture, quads), faces, strict=True)]

    weights = {"card_up": (1.0, 0.0, 0.0, -2.0, 1.0)}
    one = sample(EASY, EvaluatedModels(Doubted(), Doubted(), {"card_up": 0.45}, weights))  # type: ignore[arg-type]
    assert [card.rank for card in one.seen.cards] == ["K"] and one.answers["rank"] == [("K", 0.9)]
    assert one.found[0].p == 0.9 and one.found[1].p < 0.1, "the second one's reader sees no card"
    assert one.found[2].p == 0.05, "a reader makes no card surer"


def test_evaluation_goes_on_where_it_stopped(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(Setup, "open", lambda self: evaluated())
    path, todo = tmp_path / "seen.jsonl", cases(3)
    seen_of(todo[:2], path, Setup(), jobs=1)
    path.write_bytes(path.read_bytes() + b'{"case": {"ki')
    made: list[int] = []
    again = seen_of(todo, path, Setup(), jobs=1, tick=made.append)
    assert made == [2, 1] and [one.case for one in again] == todo
    assert read_samples(path) == again


def test_a_file_of_another_kind_is_refused(tmp_path) -> None:
    path = tmp_path / "seen.jsonl"
    path.write_bytes(msgspec.json.encode({"format": "verifier-events"}) + b"\n")
    with pytest.raises(BadInput, match="no file of evaluation samples"):
        read_samples(path)


def test_the_gallery_shows_what_was_missed(tmp_path) -> None:
    blind = known(EASY, Observation(t=0, frame=0))
    counts = write_gallery(flaws(blind), tmp_path)
    assert counts["missed chip"] == len(blind.truth.chips) > 0
    sheet = cv2.imread(str(tmp_path / "missed-chip.png"))
    assert sheet is not None and sheet.shape[0] == 230
    page = cv2.imread(str(tmp_path / "examples.jpg"))
    assert page is not None and page.shape[0] == 118 * len(counts)
    assert not flaws(known(EASY))


def test_a_picture_with_other_chips_shows_the_same_at_the_same_places() -> None:
    plain, dressed = make(EASY), make(EASY, dress=lambda look: replace(look, maker=SETS + look.maker))
    assert plain.truth == dressed.truth and not np.array_equal(plain.image, dressed.image)
