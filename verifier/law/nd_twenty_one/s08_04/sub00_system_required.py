"""Where a video system is required (99-01.3-08-04 intro)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from itertools import pairwise

from verifier.law import say
from verifier.law.entries import Entry, as_cents
from verifier.law.instances import Instance
from verifier.law.nd_twenty_one.shared.holds import holds
from verifier.law.registry import session_check
from verifier.law.rows import by, home, of_row, ours, site_of
from verifier.law.session import Session

REQUIRED = "ND-08-04.0-system-required"
SEASONAL = "ND-08-04.0-seasonal-average"
NEW_SITE = "ND-08-04.0-new-site"
EVERY = "ND-08-04.0-every-table"
TEMPORARY = "ND-08-04.0-temporary-table"


def about(entry: Entry) -> str:
    """Return what a row of equipment or of an approval is about; empty where it does not say."""
    return entry.words("subject", "of", "what", "item", "for", "kind") or ""


def _quarters(session: Session) -> list[tuple[date, int, Entry]]:
    """Last day and twenty-one's gross proceeds of the quarters of the log's site, in order, each once."""
    found = {
        h.end: (h.end, h.gross, h.entry)
        for h in holds(session.records)
        if h.dealer is None
        and not h.paddlewheel
        and h.end
        and h.gross is not None
        and home(session) in (None, site_of(session, h.entry))
    }
    return [found[end] for end in sorted(found)]


@session_check(REQUIRED, reads=("percent_of_hold",))
def system_required(session: Session) -> Iterator[Instance]:
    """Two quarters averaging 10,000 dollars call for a video system within 45 days, where wagers exceed 2 dollars."""
    present = session.house.video_surveillance
    if present is None or session.house.table_limits.max <= session.figures.no_video_wager_cents:
        return
    for (before, first, one), (end, second, two) in pairwise(_quarters(session)):
        if (end - before).days > 93 or (first + second) / 2 < session.figures.video_average_cents:
            continue
        if two.flag("expected_to_continue") is False:
            continue
        due = end + timedelta(days=session.figures.video_days)
        yield of_row(
            REQUIRED,
            True if present == "present" else by(session.records.today, due),
            [one, two],
            expected=say.that("a video system is in operation by {due}", due=say.day(due)),
            observed="the table plays without video surveillance",
        )


@session_check(SEASONAL, reads=("percent_of_hold", "other"))
def seasonal_average(session: Session) -> Iterator[Instance]:
    """Check that a seasonal site's level is the average over its active quarters."""
    for entry in session.records.entries:
        said = entry.cents("average", "average_gross_proceeds")
        quarters = entry.get("active_quarters", "quarters")
        if entry.flag("seasonal") is not True or said is None or not isinstance(quarters, dict | list):
            continue
        values = [as_cents(v) for v in (quarters.values() if isinstance(quarters, dict) else quarters)]
        active = [v for v in values if v]
        if active and None not in values:
            mean = sum(active) / len(active)
            yield of_row(
                SEASONAL,
                abs(mean - said) <= 1,
                entry,
                expected=say.that(
                    "the average over {active} active quarters is {mean}", active=len(active), mean=say.cents(mean)
                ),
                observed=say.that("the record says {said}", said=say.cents(said)),
            )


@session_check(NEW_SITE, reads=("equipment", "other"))
def new_site(session: Session) -> Iterator[Instance]:
    """At a newly acquired site the system is in operation within 45 days, or wagers are limited to 2 dollars."""
    for entry in session.records.entries:
        if entry.kind != "new_site" and entry.flag("new_site", "newly_acquired") is not True:
            continue
        start = entry.date("start_date", "first_activity", "conducting_since", "started", "acquired") or entry.day
        ready = entry.date("operational", "operational_date", "system_operational", "video_operational")
        due = start + timedelta(days=session.figures.video_days) if start else None
        here = home(session) in (None, site_of(session, entry))
        limited = entry.flag("limited_to_2", "wagers_limited") is True or (
            here and session.house.table_limits.max <= session.figures.no_video_wager_cents
        )
        right = True if limited else (ready <= due if ready and due else by(session.records.today, due))
        yield of_row(
            NEW_SITE,
            right,
            entry,
            expected=say.that("the video system is in operation by {due}", due=say.day(due)),
            observed=say.that("it was in operation on {ready}", ready=say.day(ready))
            if ready
            else "it is not yet in operation",
        )


@session_check(EVERY, TEMPORARY, reads=("equipment",))
def every_table(session: Session) -> Iterator[Instance]:
    """Every regular table has a system; a temporary one is exempt for 14 days and two events a quarter."""
    for entry in ours(session, "equipment", "table", "temporary_table"):
        video = entry.flag("video", "recorded", "video_system", "has_video", "operational")
        temporary = entry.kind == "temporary_table" or entry.flag("temporary", "special_event") is True
        if not temporary:
            yield from _regular(session, entry, video)
            continue
        days, events = entry.number("days", "consecutive_days"), entry.number("events_in_quarter", "events")
        most_days, most_events = session.figures.temporary_days, session.figures.temporary_events
        within = [
            value <= most if value is not None else None for value, most in ((days, most_days), (events, most_events))
        ]
        exempt = False if False in within else (None if None in within else True)
        if within != [None, None]:
            incident = f"temporary {entry.event.id}"
            if exempt is False:
                yield from _regular(session, entry, video, incident)
            yield of_row(
                TEMPORARY,
                True if video else exempt,
                entry,
                incident=incident,
                rank=1,
                expected=say.that(
                    "a temporary table without video plays at most {most_days} days, at most "
                    "{most_events} events a quarter",
                    most_days=say.figure("temporary_days", most_days),
                    most_events=say.figure("temporary_events", most_events),
                ),
                observed=say.that(
                    "{days} days, {events} events in the quarter, without video",
                    days=say.number(days or 0),
                    events=say.number(events or 0),
                ),
            )


def _regular(session: Session, entry: Entry, video: bool | None, incident: str | None = None) -> Iterator[Instance]:
    """Check that a table that needs a video system has one, where the site needs one at all."""
    present = session.house.video_surveillance
    if video is not None and entry.where and (video or present != "absent"):
        yield of_row(
            EVERY,
            video or (False if present else None),
            entry,
            incident=incident,
            expected=say.that("table {where} has an operating video system", where=entry.where),
            observed="it has none",
        )
