"""What closer looks tell: the same log as of telling all again, though only the stretches about them are told again."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from verifier.domain.events import EventLog
from verifier.domain.observations import Observation, ObservationsHeader
from verifier.law.judge import judge
from verifier.reconstruct.alike import alike
from verifier.reconstruct.reconstruction import Reconstruction
from verifier.review.closer import Looked, Span, replaced
from verifier.review.pipeline import retelling
from verifier.review.pipeline.seams import Run
from verifier.simulate.layouts import layout_for
from verifier.simulate.perform import perform
from verifier.simulate.render.camera import Camera
from verifier.simulate.truth_observations import Noise, truth_observations

CAMERA = Camera.straight((640, 360))
HEADER = ObservationsHeader()


class Evening(NamedTuple):
    """Rounds as a first look and as a closer one saw them."""

    seen: list[Observation]
    nearer: list[Observation]
    reconstructor: partial[Reconstruction]


@pytest.fixture(scope="module")
def evening() -> Evening:
    played = perform(5, 3, ("ND-08-11.4-hand-signal-hit",), spaces=1, shift_change=False, shuffle=False)
    first, nearer = (
        list(truth_observations(played, CAMERA, hz=4.0, noise=noise, seed=3))
        for noise in (Noise(missed=0.05, jitter=0.6), Noise(missed=0.02, jitter=0.3))
    )
    layout = layout_for(played.plan, CAMERA, site="0001", table="1")
    return Evening(first, nearer, partial(Reconstruction, layout, played.house, HEADER))


def in_pieces(seen: Sequence[Observation], seconds: float) -> list[Run]:
    """What was seen, in segments of so many seconds."""
    count = int(seen[-1].t // seconds) + 1
    return [Run([o for o in seen if o.t // seconds == n], 0.0, 0, n * seconds) for n in range(count)]


def written(log: EventLog) -> bytes:
    """The findings of a log, as they are written, with its events."""
    return msgspec.json.encode((log.events, judge(log)))


@pytest.mark.parametrize("spans", [[(0.1, 0.2)], [(0.2, 0.35), (0.9, 1.0)]])
def test_it_is_the_log_of_telling_all_again(
    evening: Evening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spans: list[Span]
) -> None:
    monkeypatch.setattr(retelling, "STRETCH", 1)
    end = evening.seen[-1].t
    looks: list[Looked] = [
        ((a * end, b * end), [o for o in evening.nearer if a * end <= o.t < b * end]) for a, b in spans
    ]
    telling = retelling.Telling(HEADER, evening.reconstructor, tmp_path)
    first, _ = telling.whole(in_pieces(evening.seen, 10.0), lambda t: None)
    taken: list[float] = []
    made = telling.again(looks, taken.append)
    plain = evening.reconstructor()
    for observation in replaced(evening.seen, looks):
        plain.take(observation)
    assert written(made) == written(plain.log())
    assert written(made) != written(first)
    assert judge(made).findings
    assert len(taken) < 0.9 * len(evening.seen), "the rest was told already"


def test_without_looks_nothing_is_told_again(evening: Evening, tmp_path: Path) -> None:
    telling = retelling.Telling(HEADER, evening.reconstructor, tmp_path)
    first, _ = telling.whole(in_pieces(evening.seen, 10.0), lambda t: None)
    taken: list[float] = []
    assert written(telling.again([], taken.append)) == written(first)
    assert taken == []


def test_a_mind_that_saw_something_else_does_not_go_on_as_the_other(evening: Evening) -> None:
    one, other = evening.reconstructor(), evening.reconstructor()
    for observation in evening.seen[:200]:
        one.take(observation)
        other.take(observation)
    assert one.goes_on_as(pickle.loads(pickle.dumps(other)))
    other.told = []
    assert one.goes_on_as(other), "what was told is told"
    other.take(evening.nearer[200])
    one.take(evening.seen[200])
    assert not one.goes_on_as(other)


@dataclass
class Thing:
    number: int
    value: float


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ([Thing(1, 0.5), Thing(2, 0.5)], [Thing(4, 0.5), Thing(9, 0.5)], True),
        ([Thing(1, 0.5), Thing(2, 0.5)], [Thing(9, 0.5), Thing(4, 0.5)], False),
        ([Thing(1, 0.5), Thing(1, 0.5)], [Thing(4, 0.5), Thing(9, 0.5)], False),
        ([Thing(1, 0.5)], [Thing(1, 0.25)], False),
        ([Thing(1, 0.5)], [Thing(1, 0.5), Thing(2, 0.5)], False),
        ([object()], [object()], False),
    ],
)
def test_counted_numbers_may_differ_but_not_their_order(one: object, other: object, same: bool) -> None:
    assert alike(one, other, counted={Thing: ("number",)}) is same
    assert alike(one, one)
