"""The queue and decisions: fast with many findings, held for one person, never lost, exported to learn from."""

from __future__ import annotations

import random
import threading
import time
from pathlib import Path

import msgspec
import pytest
from review_fakes import SHOWN, fake_stages, finding, write_inputs
from sqlalchemy import insert
from sqlalchemy.orm import Session

from verifier.domain.errors import BadInput
from verifier.review.examples import Example, Header, export_examples
from verifier.review.judging import HOLD_MINUTES, decide, hold, release
from verifier.review.people.roles import Forbidden, Person, Role
from verifier.review.queue import Filters, choices, counts, item, neighbours, next_open, page, place_of
from verifier.review.recording import review_recording
from verifier.store.repository import Store
from verifier.store.room.urgency import urgency
from verifier.store.tables import FindingRow, ReviewRow

KIM = Person(name="kim", full_name="Kim Olson", role=Role.MANAGER)
LEE = Person(name="lee", full_name="Lee", role=Role.INDEPENDENT)
AGENT = Person(name="agent", full_name="Agent", role=Role.ATTORNEY_GENERAL)
ALL = Filters()


class Wall:
    minute = 0

    def now(self) -> str:
        return f"2026-11-20T02:{self.minute:02d}:00+00:00"


@pytest.fixture
def wall() -> Wall:
    return Wall()


@pytest.fixture
def store(wall: Wall) -> Store:
    return Store(now=wall.now)


@pytest.fixture
def two(store: Store, tmp_path: Path) -> tuple[str, str]:
    """A store with a violation and an undetermined finding; their ids in that order."""
    reviewed = review_recording(
        *write_inputs(tmp_path), tmp_path / "out", stages=fake_stages(SHOWN, finding()), store=store
    )
    return reviewed.findings[0].id, reviewed.findings[1].id


def fill(store: Store, recordings: int, each: int) -> None:
    """Many findings of many recordings, written straight into the tables."""
    draw = random.Random(1)
    for number in range(recordings):
        rows = []
        for seq in range(each):
            one = finding(severity=draw.choice(("critical", "major", "minor")), p=draw.random(), t_start=float(seq))
            rows.append(
                {
                    "id": f"r{number:04d}-{seq:04d}",
                    "review_id": f"r{number:04d}",
                    "seq": seq,
                    "digest": f"{seq}",
                    "current": True,
                    "clause": one.clause,
                    "verdict": one.verdict,
                    "body": msgspec.json.encode(one).decode(),
                    "clip": None,
                    "stills": "[]",
                    "urgency": urgency(one),
                    "dealer": f"D{seq % 9}",
                    "origin": "software",
                    "decision": draw.choice(("open", "open", "confirmed")),
                    "decided_by": None,
                }
            )
        review = ReviewRow(
            id=f"r{number:04d}",
            video_sha256=f"{number:064d}",
            video_name="v.mp4",
            site=str(number % 5),
            table_name=str(number % 7),
            play_date=f"2026-11-{number % 28 + 1:02d}",
            rulebook="nd-twenty-one",
            law_as_of="2025-01-01",
            folder="x",
            duration=3600.0,
            reviewed_seconds=3600.0,
            coverage=1.0,
            gaps="[]",
            reviewed_at="2026-11-20T00:00:00+00:00",
            video_path="",
        )
        with Session(store._engine) as session, session.begin():  # no deeds: 50,000 findings for the queue alone
            session.add(review)
            session.flush()
            session.execute(insert(FindingRow), rows)


def test_the_queue_answers_quickly_with_50_000_findings_of_200_recordings(store: Store) -> None:
    fill(store, 200, 250)
    some = Filters(sites=frozenset({"1", "2"}), dealers=frozenset({"D3"}), day_from="2026-11-05")
    begun = time.process_time()
    for filters in (ALL, some):
        total = sum(counts(store, KIM, filters).values())
        shown = page(store, KIM, filters, skip=total - 15, most=15)
        assert place_of(store, KIM, filters, shown[-1].stored.id) == total
        assert neighbours(store, KIM, filters, shown[-1].stored.id) == (shown[-2].stored.id, None)
        assert next_open(store, KIM, filters, shown[0].stored.id) is not None
    assert choices(store, KIM).dealers == [f"D{number}" for number in range(9)]
    assert time.process_time() - begun < 4.0
    assert sum(counts(store, KIM, ALL).values()) == 50_000


def test_the_order_is_the_same_by_pages_and_by_steps(store: Store) -> None:
    fill(store, 3, 20)
    paged = [one.stored.id for skip in range(0, 60, 7) for one in page(store, KIM, ALL, skip=skip, most=7)]
    name: str | None = paged[0]
    stepped = []
    while name is not None:
        stepped.append(name)
        name = neighbours(store, KIM, ALL, name)[1]
    assert paged == stepped
    assert len(set(paged)) == 60


def test_a_second_verdict_stands_beside_the_first(store: Store, two: tuple[str, str]) -> None:
    decide(store, KIM, two[0], "confirmed")
    decide(store, LEE, two[0], "rejected", "it was fanned", "missed_act")
    found = item(store, KIM, two[0])
    assert found is not None
    assert [(one.decision, one.reviewer) for one in found.verdicts] == [
        ("confirmed", "Kim Olson (kim)"),
        ("rejected", "Lee (lee)"),
    ]
    assert counts(store, KIM, ALL)["rejected"] == 1


def test_a_held_finding_is_left_out_and_refused_until_it_is_free(
    store: Store, two: tuple[str, str], wall: Wall
) -> None:
    assert next_open(store, LEE, ALL, None) == two[0]
    hold(store, KIM, two[0])
    assert next_open(store, LEE, ALL, None) == two[1]
    assert next_open(store, KIM, ALL, None) == two[0]
    with pytest.raises(BadInput, match="is held by kim"):
        decide(store, LEE, two[0], "confirmed")
    release(store, LEE, two[0])
    assert hold(store, LEE, two[0]).person == "kim"
    wall.minute += HOLD_MINUTES + 1
    assert hold(store, LEE, two[0]).person == "lee"
    decide(store, LEE, two[0], "confirmed")


@pytest.mark.parametrize(
    ("decision", "note", "reason", "says"),
    [
        ("rejected", "no", "", "reason"),
        ("rejected", "", "other", "note"),
        ("confirmed", "x" * 3000, "", "note"),
        ("maybe", "", "", "decision"),
        ("rejected", "", "'; DROP TABLE verdicts", "reason"),
    ],
)
def test_what_is_no_decision_is_refused(
    store: Store, two: tuple[str, str], decision: str, note: str, reason: str, says: str
) -> None:
    with pytest.raises(BadInput, match=says):
        decide(store, KIM, two[0], decision, note, reason)  # type: ignore[arg-type]
    assert store.verdicts() == []


def test_a_role_that_reads_only_cannot_decide_or_hold(store: Store, two: tuple[str, str]) -> None:
    for attempt in (lambda: decide(store, AGENT, two[0], "confirmed"), lambda: hold(store, AGENT, two[0])):
        with pytest.raises(Forbidden):
            attempt()
    assert store.verdicts() == []


def test_twenty_reviewers_at_once_lose_no_verdict(store: Store, tmp_path: Path) -> None:
    fill(store, 1, 60)
    done: list[str] = []
    failed: list[BaseException] = []

    def work(number: int) -> None:
        person = Person(name=f"p{number:02d}", full_name=f"P {number}", role=Role.INDEPENDENT)
        for _ in range(100):
            name = next_open(store, person, Filters(states=frozenset({"open"})), None)
            if name is None:
                return
            try:
                decide(store, person, name, "confirmed", f"by {person.name}")
            except BadInput as error:
                if "is held by" not in str(error):
                    failed.append(error)
                    return
            else:
                done.append(name)
                return

    threads = [threading.Thread(target=work, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert len(done) == 20, "whoever finds one held by another goes on to the next"
    assert sorted(one.finding_id for one in store.verdicts()) == sorted(done)


def test_rejected_findings_become_labelled_examples(store: Store, two: tuple[str, str], tmp_path: Path) -> None:
    decide(store, KIM, two[0], "rejected", "a seven", "misread_card")
    decide(store, KIM, two[1], "confirmed")
    header = export_examples(store, KIM, tmp_path / "examples")
    lines = (tmp_path / "examples" / "examples.jsonl").read_bytes().splitlines()
    assert msgspec.json.decode(lines[0], type=Header) == header
    (example,) = [msgspec.json.decode(line, type=Example) for line in lines[1:]]
    assert (example.finding, example.reason, example.note) == (two[0], "misread_card", "a seven")
    assert [one.t for one in example.seen] == sorted(example.images.values())
    assert all((tmp_path / "examples" / name).stat().st_size for name in example.images)
    with pytest.raises(Forbidden):
        export_examples(store, Person(name="rob", full_name="Rob", role=Role.REVIEWER), tmp_path / "more")
