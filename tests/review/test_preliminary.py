"""What a recording that is still being watched shows so far: told on the page, kept nowhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from batch_fakes import CHAIN, make_table, record, rounds_chain
from batch_night import Here
from msgspec import structs
from review_fakes import finding, make_layout

from verifier.domain.events import EventLog, EventsHeader
from verifier.domain.house import House
from verifier.review.batch.tasks import Examine, Setup, Watch, perform
from verifier.review.order_values import PREVIEWED, OrderProgress, ReviewOrder, ask, preview_of, progress_of
from verifier.review.orders import runner
from verifier.review.orders.runner import Runner
from verifier.review.people.roles import Person, Role
from verifier.review.pipeline.chain import load_chain
from verifier.review.pipeline.folders import Folders
from verifier.review.pipeline.plan import config_of, segments_of
from verifier.review.pipeline.preliminary import Preliminary, last_round_began
from verifier.review.pipeline.segments import write_unwatched
from verifier.review.pipeline.values import Part, RecordingSet, Source
from verifier.review.pipeline.watched import Checkpoints
from verifier.store.floor import Floor
from verifier.store.queue import ReviewQueue
from verifier.store.repository import Store

KIM = Person(name="kim", full_name="Kim", role=Role.MANAGER)
ROUNDS = CHAIN.replace(":chain", ":rounds_chain")
LENGTH = 4.0


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[OrderProgress]:
    """Every progress that a runner with segments of four seconds tells of its orders."""
    said: list[OrderProgress] = []
    monkeypatch.setattr(runner, "SEGMENT_S", LENGTH)
    monkeypatch.setattr(Runner, "_tell", lambda self, number, progress: said.append(progress))
    floor = Floor(Store())
    floor.add_layout("0123", "2", structs.replace(make_layout(), site="0123", table="2"), "kim")
    floor.add_house("0123", "2", House(video_surveillance="present"), "kim")
    return said


def asked(file: Path) -> int:
    return ask(Store(), KIM, ReviewOrder(files=[str(file)], site="0123", table="2"))


def test_violations_of_rounds_that_are_over_are_told_while_the_rest_is_watched(
    own_home: Path, tmp_path: Path, told: list[OrderProgress]
) -> None:
    number = asked(record(tmp_path / "a.mp4", 20, clock="2026-11-17T21:00:00"))
    assert Runner(Store(), Here, ROUNDS).run(idle=0.0)
    shown = [(one.until, one.count, [each.round for each in one.worst]) for p in told for one in p.previews]
    assert list(dict.fromkeys((until, count) for until, count, _ in shown)) == [
        (4.0, 0),
        (8.0, 1),
        (12.0, 2),
        (16.0, 3),
    ]
    assert shown[-1][2] == [0, 1, 2], "the round under way and what is undetermined are left out"
    order = ReviewQueue(Store()).order(number)
    assert order is not None and order.state == "done"
    assert progress_of(order).previews == []
    assert len(Store().findings()) == 6


def test_a_preview_that_fails_costs_nothing_but_the_preview(
    own_home: Path, tmp_path: Path, told: list[OrderProgress], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: Preliminary) -> list[object]:
        raise ZeroDivisionError

    monkeypatch.setattr(Preliminary, "findings", broken)
    number = asked(record(tmp_path / "a.mp4", 20, clock="2026-11-17T21:00:00"))
    assert Runner(Store(), Here, ROUNDS).run(idle=0.0)
    order = ReviewQueue(Store()).order(number)
    assert order is not None and order.state == "done" and len(Store().findings()) == 6
    assert not any(one.previews for one in told)


def test_segments_are_taken_in_their_order_and_a_layout_that_does_not_fit_tells_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = record(make_table(tmp_path / "table") / "a.mp4", 12, clock="2026-11-17T21:00:00")
    chain, setup = rounds_chain(), Setup(chain=ROUNDS, root=str(tmp_path / "night"), length=LENGTH)
    source = Source(path=str(file), layout=str(file.parent / "layout.yaml"), house=str(file.parent / "house.yaml"))
    facts = perform(setup, Examine(source), lambda done: None).facts  # type: ignore[union-attr]
    assert facts is not None
    part = Part(facts=facts, at=0.0, begin=0.0, end=facts.seconds)
    recording_set, config = RecordingSet(source=source, parts=[part]), config_of(source, load_chain(ROUNDS), LENGTH)
    so_far = Preliminary(Checkpoints(recording_set, config, LENGTH, Folders(tmp_path / "night")), chain)
    first, second, third = segments_of(part, LENGTH)

    def watch(segment: object) -> None:
        perform(setup, Watch(source, facts, segment, config), lambda done: None)  # type: ignore[arg-type]

    assert not so_far.more() and so_far.findings() == [] and not so_far.whole, "nothing was watched yet"
    watch(first)
    watch(third)
    assert so_far.more() and so_far.until == 4.0, "the second is not watched yet"
    assert not so_far.more()
    watch(second)
    assert so_far.more() and so_far.until == pytest.approx(12.0)
    assert [one.round for one in so_far.findings()] == [0, 1]
    assert [one.round for one in so_far.findings()] == [0, 1], "telling changes nothing"
    assert so_far.whole
    missed = Preliminary(Checkpoints(recording_set, config, LENGTH, Folders(tmp_path / "night")), chain)
    write_unwatched(Folders(tmp_path / "night").segment(facts, config, second), second, "the decoder hangs here")
    assert missed.more() and missed.until == pytest.approx(12.0)
    assert not missed.whole, "where a piece was not watched, no finding tells nothing"
    monkeypatch.setattr("verifier.review.pipeline.preliminary.misfits", lambda checks: "another table")
    assert so_far.findings() == [] and not so_far.whole


def test_the_last_round_and_the_worst_findings() -> None:
    header = EventsHeader(format="verifier-events", version=1, rulebook="nd-twenty-one")
    assert last_round_began(EventLog(header, ())) == 0.0
    minor = [finding(severity="minor", p=0.9, t_start=float(n)) for n in range(PREVIEWED)]
    critical, unsure = finding(severity="critical"), finding(severity="minor", p=0.95)
    preview = preview_of("a.mp4", 240.0, [*minor, critical, unsure], whole=True)
    assert preview.count == PREVIEWED + 2
    assert preview.worst == [critical, unsure, *minor[: PREVIEWED - 2]]
