"""How long recordings and books are kept (99-01.3-08-04(5), 16)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final

from verifier.law import say
from verifier.law.entries import Entry, quarter_end, years_after
from verifier.law.instances import Instance
from verifier.law.nd_twenty_one.s08_04.sub06_daily_review import LOG
from verifier.law.registry import session_check
from verifier.law.rows import end_of_quarter, of_row
from verifier.law.say import Said
from verifier.law.session import Session

VIDEO_30 = "ND-08-04.5-retain-30-days"
THREE_YEARS = "ND-08-16.0-retain-3-years"
ONE_YEAR = "ND-08-16.1.h-review-docs-1-year"
_GONE: Final = (
    "purge_date", "purged", "purged_on", "destroyed", "destroyed_on", "deleted", "deleted_on", "retained_until",
)  # fmt: skip
_VIDEO: Final = frozenset({"recording", "video", "recorded_video", "recording_retention", "video_retention"})
_ONE_YEAR_KINDS: Final = frozenset({"percent_of_hold", "review_document"})


@session_check(VIDEO_30, THREE_YEARS, ONE_YEAR, LOG)
def kept_long_enough(session: Session) -> Iterator[Instance]:
    """Video is kept 30 days, percent-of-hold and review documents a year, other records three years."""
    for entry in session.records.entries:
        gone = entry.date(*_GONE)
        if gone is None:
            continue
        if entry.kind in _VIDEO or entry.date("recording_date", "recorded", "recorded_on"):
            day = entry.date("recording_date", "recorded", "recorded_on", "activity_date") or entry.day
            due = day + timedelta(days=session.figures.video_kept_days) if day else None
            yield _kept(VIDEO_30, entry, gone, due, "recorded video")
        elif entry.kind in _ONE_YEAR_KINDS:
            yield _a_year(entry, gone)
        else:
            log = entry.kind == "surveillance_log"
            reported = quarter_end(entry.get("reported_quarter", "quarter_reported", "reported"))
            end = reported or end_of_quarter(entry)
            for clause in (THREE_YEARS, LOG) if log else (THREE_YEARS,):
                yield _kept(
                    clause,
                    entry,
                    gone,
                    years_after(end, 3) if end else None,
                    say.that("this {entry}", entry=_words(entry)),
                )


def _a_year(entry: Entry, gone: date) -> Instance:
    """Check that a thing was kept for a year from the end of the activity's quarter, or of the footage's quarter where
    a review names another besides.
    """
    named = quarter_end(entry.get("activity_quarter")) or end_of_quarter(entry)
    seen = quarter_end(entry.get("footage_date", "footage_from")) if entry.get("activity_quarter") is None else None
    ends = sorted({end for end in (seen or named, named if entry.get("quarter") is not None else None) if end})
    dues = [years_after(end, 1) for end in ends]
    due = dues[-1] if dues and gone < dues[0] else (dues[0] if len(dues) == 1 else None)
    if dues and gone >= dues[-1]:
        due = dues[-1]
    return _kept(ONE_YEAR, entry, gone, due, say.that("this {entry}", entry=_words(entry)))


def _words(entry: Entry) -> str:
    return entry.kind.replace("_", " ") + ("" if entry.kind.endswith("record") else " record")


def _kept(clause: str, entry: Entry, gone: date, due: date | None, what: Said | str) -> Instance:
    return of_row(
        clause,
        None if due is None else gone >= due,
        entry,
        key="kept",
        incident=f"kept {entry.event.id}",
        rank=1 if clause != LOG else 5,
        expected=say.that("{what} is kept until {due}", what=what, due=say.day(due)),
        observed=say.that("it is kept only until {gone}", gone=say.day(gone))
        if due
        else "it is not told to which quarter it belongs",
    )
