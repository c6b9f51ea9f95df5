"""Decisions wait ten seconds, and can be taken back until then; notes are kept while they are typed."""

from __future__ import annotations

from pathlib import Path

import pytest
from review_fakes import SHOWN, fake_stages, finding, write_inputs

from verifier.domain.errors import BadInput
from verifier.review import notes
from verifier.review.judging import NOTE_MOST, hold, release
from verifier.review.notes import NOTES_MOST, drop_note, keep_note, note_of
from verifier.review.pending import UNDO_S, UNSHOWN_S, Pending
from verifier.review.people.accounts import NewAccount, change, create, create_first
from verifier.review.people.roles import Forbidden, Person, Role
from verifier.review.queue import Filters, load_queue, next_open, same_incident
from verifier.review.recording import review_recording
from verifier.store.repository import Store

PASSWORD = "correct horse battery"


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def chief() -> Person:
    return create_first(Store(), "ada", "Ada Admin", PASSWORD)


@pytest.fixture
def kim(chief: Person) -> Person:
    return create(Store(), chief, NewAccount(name="kim", full_name="Kim", role=Role.MANAGER, password=PASSWORD))


@pytest.fixture
def pending(tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Pending:
    monkeypatch.setattr(Pending, "_work", lambda self: None)  # no thread of its own: the test says when
    video, layout, house = write_inputs(tmp_path)
    review_recording(video, layout, house, tmp_path / "out", stages=fake_stages(SHOWN, finding()))
    return Pending(Store(), clock)


def ids() -> tuple[str, str]:
    first, second = (one.id for one in Store().findings())
    return first, second


def decided() -> list[tuple[str, str]]:
    return [(one.finding_id, one.decision) for one in Store().verdicts()]


def test_nothing_is_written_before_the_ten_seconds_are_over(pending: Pending, clock: Clock, kim: Person) -> None:
    first, _ = ids()
    pending.take(kim, first, "confirmed")
    clock.now += 7
    assert pending.show(kim) == UNDO_S, "they begin when the way back is shown, however slow the page was"
    clock.now += 3
    assert pending.show(kim) == UNDO_S - 3, "showing it again gives no more time"
    clock.now += UNDO_S - 3 - 0.01
    pending.write_due()
    assert decided() == []
    clock.now += 0.02
    pending.write_due()
    assert decided() == [(first, "confirmed")]
    assert pending.waiting(kim) is None and pending.take_back(kim) is None


def test_a_decision_of_which_no_page_was_drawn_is_written_all_the_same(
    pending: Pending, clock: Clock, kim: Person
) -> None:
    first, _ = ids()
    pending.take(kim, first, "confirmed")
    clock.now += UNSHOWN_S - 0.01
    pending.write_due()
    assert decided() == []
    clock.now += 0.02
    pending.write_due()
    assert decided() == [(first, "confirmed")]
    assert pending.show(kim) == 0.0


def test_what_is_taken_back_is_never_written(pending: Pending, clock: Clock, kim: Person) -> None:
    first, _ = ids()
    pending.take(kim, first, "confirmed")
    gone = pending.take_back(kim)
    assert gone is not None and gone.finding_id == first
    clock.now += 2 * UNSHOWN_S
    pending.write_due()
    pending.write_all()
    assert decided() == []


def test_the_next_decision_writes_the_one_before_and_the_same_finding_changes_it(pending: Pending, kim: Person) -> None:
    first, second = ids()
    pending.take(kim, first, "confirmed")
    pending.take(kim, first, "undetermined")
    assert decided() == []
    pending.take(kim, second, "confirmed")
    assert decided() == [(first, "undetermined")]
    pending.write_all()
    assert decided() == [(first, "undetermined"), (second, "confirmed")]


def test_what_would_be_refused_does_not_wait(pending: Pending, kim: Person, chief: Person) -> None:
    first, _ = ids()
    for decision, note, reason in (("rejected", "", ""), ("rejected", "", "other"), ("maybe", "", "")):
        with pytest.raises(BadInput):
            pending.take(kim, first, decision, note, reason)  # type: ignore[arg-type]
    with pytest.raises(Forbidden):
        pending.take(chief, first, "confirmed")
    assert pending.waiting(kim) is None and pending.waiting(chief) is None


@pytest.mark.parametrize("role, active", [(Role.MANAGER, False), (Role.ATTORNEY_GENERAL, True)])
def test_who_may_no_longer_decide_leaves_no_verdict_and_is_told(
    pending: Pending, kim: Person, chief: Person, role: Role, active: bool
) -> None:
    first, _ = ids()
    pending.take(kim, first, "confirmed")
    change(Store(), chief, "kim", role=role, authority=False, active=active)
    pending.write_all()
    assert decided() == []
    said = pending.refused(kim)
    assert said is not None and first in said
    assert pending.refused(kim) is None, "told once"


def test_two_people_wait_beside_each_other(pending: Pending, kim: Person, chief: Person) -> None:
    lee = create(Store(), chief, NewAccount(name="lee", full_name="Lee", role=Role.MANAGER, password=PASSWORD))
    first, second = ids()
    pending.take(kim, first, "confirmed")
    pending.take(lee, second, "undetermined")
    with pytest.raises(BadInput, match="held by Lee"):
        pending.take(kim, second, "confirmed")
    pending.take_back(kim)
    pending.write_all()
    assert decided() == [(second, "undetermined")]


def test_its_own_thread_writes_when_the_time_is_over(
    tmp_path: Path, kim: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("verifier.review.pending.UNSHOWN_S", 0.05)
    video, layout, house = write_inputs(tmp_path)
    review_recording(video, layout, house, tmp_path / "out", stages=fake_stages(finding()))
    (one,) = Store().findings()
    pending = Pending(Store())
    pending.take(kim, one.id, "confirmed")
    while pending.waiting(kim) is not None or not decided():
        pass
    assert decided() == [(one.id, "confirmed")]


def test_a_note_is_kept_for_its_person_and_goes_with_the_decision(pending: Pending, kim: Person, chief: Person) -> None:
    first, second = ids()
    keep_note(kim, first, "too dark")
    keep_note(kim, second, "later")
    lee = create(Store(), chief, NewAccount(name="lee", full_name="Lee", role=Role.MANAGER, password=PASSWORD))
    assert (note_of(kim, first), note_of(lee, first)) == ("too dark", "")
    pending.take(kim, first, "undetermined", "too dark")
    assert note_of(kim, first) == "too dark", "it may be taken back"
    pending.write_all()
    assert (note_of(kim, first), note_of(kim, second)) == ("", "later")
    keep_note(kim, second, "  ")
    assert note_of(kim, second) == ""
    drop_note(kim, second)


def test_notes_have_bounds(kim: Person, chief: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    keep_note(kim, "a", "x" * NOTE_MOST)
    with pytest.raises(BadInput, match="2001 characters"):
        keep_note(kim, "a", "x" * (NOTE_MOST + 1))
    with pytest.raises(Forbidden):
        keep_note(chief, "a", "no")
    assert NOTES_MOST == 200
    monkeypatch.setattr(notes, "NOTES_MOST", 3)
    for name in "bcd":
        keep_note(kim, name, name)
    assert [note_of(kim, name) for name in "abcd"] == ["", "b", "c", "d"]


@pytest.mark.parametrize("seen", [True, False, None])
def test_a_decision_says_whether_the_clip_was_shown(
    kim: Person, pending: Pending, clock: Clock, seen: bool | None
) -> None:
    first, _ = ids()
    pending.take(kim, first, "confirmed", seen=seen)
    clock.now += UNSHOWN_S
    pending.write_due()
    (verdict,) = Store().verdicts()
    assert verdict.seen is seen
    assert Store().compare([f"verdicts/{verdict.id}"]).faults == [], "as its deed made it"


def test_findings_of_one_incident_are_decided_and_taken_back_together(
    tmp_path: Path, pending: Pending, clock: Clock, kim: Person, chief: Person
) -> None:
    lee = create(Store(), chief, NewAccount(name="lee", full_name="Lee", role=Role.MANAGER, password=PASSWORD))
    first, second = ids()
    pending.take(kim, first, "confirmed", seen=True, others=[second])
    clock.now += UNDO_S
    gone = pending.take_back(kim)
    assert gone is not None and list(gone.others) == [second] and decided() == []
    assert hold(Store(), lee, second).person == "lee", "it was given free"
    release(Store(), lee, second)
    pending.take(kim, first, "rejected", reason="misread_card", seen=True, others=[second])
    assert next_open(Store(), kim, Filters(), first, [second]) is None
    pending.write_all()
    told = [(one.finding_id, one.decision, one.reason, one.seen) for one in Store().verdicts()]
    assert told == [(first, "rejected", "misread_card", True), (second, "rejected", "misread_card", False)]


def test_of_an_incident_that_another_looks_at_nothing_waits(pending: Pending, kim: Person, chief: Person) -> None:
    lee = create(Store(), chief, NewAccount(name="lee", full_name="Lee", role=Role.MANAGER, password=PASSWORD))
    first, second = ids()
    hold(Store(), lee, second)
    with pytest.raises(BadInput, match="is held by Lee"):
        pending.take(kim, first, "confirmed", others=[second])
    assert pending.waiting(kim) is None


@pytest.mark.parametrize(
    ("changes", "same"),
    [
        ({}, True),
        ({"events": ["e7", "e9"]}, True),
        ({"events": ["e70", "e20"]}, False),
        ({"round": 2}, False),
        ({"at": "space:2"}, False),
    ],
)
def test_an_incident_is_what_rests_on_the_same_events_at_one_place(
    tmp_path: Path, kim: Person, changes: dict[str, object], same: bool
) -> None:
    video, layout, house = write_inputs(tmp_path)
    other = finding("ND-08-11.18.a-show-hands", **changes)
    review_recording(video, layout, house, tmp_path / "out", stages=fake_stages(finding(), other))
    first, second = sorted(load_queue(Store()), key=lambda one: one.stored.finding.clause)
    assert same_incident(Store(), kim, first) == ([second] if same else [])
    assert same_incident(Store(), kim, second) == ([first] if same else [])
