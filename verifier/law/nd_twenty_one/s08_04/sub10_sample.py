"""The sample recording for the attorney general (99-01.3-08-04(10))."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from verifier.law import say
from verifier.law.entries import Entry
from verifier.law.instances import Instance
from verifier.law.registry import session_check
from verifier.law.rows import at_site, by, of_row
from verifier.law.session import Session

SAMPLE = "ND-08-04.10-sample-recording"
FORTNIGHT = "ND-08-04.10-sample-14-days"
RESUBMIT = "ND-08-04.10-resubmit"
_AGAIN = ("resubmitted", "resubmission", "resubmitted_on", "resubmission_date")


@session_check(SAMPLE, FORTNIGHT, RESUBMIT, video=True, reads=("sample_submission", "equipment"))
def sample_recording(session: Session) -> Iterator[Instance]:
    """Check that a sample recording is provided, within 14 days of a change, and again where it was not good enough."""
    samples = session.records.of("sample_submission")
    for entry in samples:
        sent = entry.date("submitted", "submission_date", "submitted_on", "provided") or (
            entry.day if entry.get("submitted") is not False and entry.told("submitted") is not False else None
        )
        never = entry.told("submitted", "submission_date", "submitted_on") is False
        yield of_row(
            SAMPLE,
            False if never else (True if sent else None),
            entry,
            expected="a sample recording is provided to the attorney general",
            observed="none was provided",
        )
        changed = entry.date(
            "change_date", "date_of_change", "changed", "changed_on", "moved", "acquired", "trigger_date"
        )
        if changed:
            yield _in_time(session, entry, changed, entry.date("submitted", "submission_date", "submitted_on") or sent)
        if outcome(entry) is False:
            yield _again(session, entry, samples)
    for entry in session.records.of("equipment"):
        if entry.told("change", "changed", "moved", "trigger") and entry.day:
            sent_days = [
                e.date("submitted", "submission_date", "submitted_on") or e.day
                for e in samples
                if e.where == entry.where
            ]
            later = [day for day in sent_days if day and day >= entry.day]
            yield _in_time(session, entry, entry.day, min(later, default=None))


def _in_time(session: Session, entry: Entry, changed: date, sent: date | None) -> Instance:
    days = session.figures.sample_days
    due = changed + timedelta(days=days)
    before = sent is not None and sent < changed
    return of_row(
        FORTNIGHT,
        None if before else (sent <= due if sent else by(session.records.today, due)),
        entry,
        expected=say.that(
            "a sample recording is provided by {due}, {days} days after the change",
            due=say.day(due),
            days=say.figure("sample_days", days),
        ),
        observed=say.that("it was provided on {sent}", sent=say.day(sent)) if sent else "none was provided",
    )


def _sent(entry: Entry) -> date | None:
    return entry.date("submitted", "submission_date", "submitted_on", "provided") or entry.day


def _again(session: Session, entry: Entry, samples: Sequence[Entry]) -> Instance:
    day = _sent(entry)
    again = entry.told(*_AGAIN)
    when = entry.date(*_AGAIN)
    if when and day and when < day:
        again = None
    others = [e for e in samples if e is not entry and e.where == entry.where and at_site(session, e, entry)]
    later = [e for e in others if day and (_sent(e) or day) > day]
    return of_row(
        RESUBMIT,
        True if later or again else again,
        entry,
        expected="a sample that was not good enough is followed by another one",
        observed="none followed it",
    )


def outcome(entry: Entry) -> bool | None:
    """Tell whether a record says that something was approved; None where it does not tell."""
    return entry.flag("approved", "outcome", "result", "status", "satisfactory", "decision")
