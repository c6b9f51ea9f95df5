"""The video system: where it is required, its approval, its price (99-01.3-08-02(3), 04 intro, 04(1), (7), (9))."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import pairwise

from verifier.law.checks.records.hold import holds
from verifier.law.checks.records.rows import by, day_words, home, of_row, ours, site_of
from verifier.law.entries import Entry, as_cents, as_date, as_flag, quarter_end
from verifier.law.instances import Instance, judged
from verifier.law.registry import session_check
from verifier.law.session import Session

APPROVED = "ND-08-04.1.a-ag-approved"
NON_JUMBO = "ND-08-02.3-nonjumbo-approval"
REQUIRED = "ND-08-04.0-system-required"
SEASONAL = "ND-08-04.0-seasonal-average"
NEW_SITE = "ND-08-04.0-new-site"
EVERY = "ND-08-04.0-every-table"
TEMPORARY = "ND-08-04.0-temporary-table"
KEEPING = "ND-08-04.7-ag-recordkeeping"
HALF = "ND-08-04.9-defer-half-payment"


def outcome(entry: Entry) -> bool | None:
    """Whether a record says that something was approved; None where it does not tell."""
    return entry.flag("approved", "outcome", "result", "status", "satisfactory", "decision")


def granted(entry: Entry) -> bool | None:
    """Whether a row of an approval tells of one that was given: it does, unless its outcome says otherwise."""
    said = entry.get("approved", "outcome", "result", "status", "satisfactory", "decision")
    return True if said is None or as_date(said) else as_flag(said)


def _about(entry: Entry) -> str:
    return entry.words("subject", "of", "what", "item", "for", "kind") or ""


@session_check(APPROVED, video=True, reads=("approval",))
def system_approved(session: Session) -> Iterator[Instance]:
    """The video system is approved by the attorney general."""
    for entry in session.records.of("approval"):
        if any(word in _about(entry) for word in ("card", "recordkeeping", "record keeping", "vendor")):
            continue
        yield of_row(
            APPROVED,
            granted(entry),
            entry,
            expected="the attorney general approved the video system",
            observed="the record does not say that it did",
        )


@session_check(NON_JUMBO, needs={"card_reader_cards": "non_jumbo"})
def small_cards_approved(session: Session) -> Iterator[Instance]:
    """Cards that are not jumbo need a hole-card reader and the attorney general's approval."""
    method = session.house.dealing_method
    said = [granted(e) for e in ours(session, "approval") if "card" in _about(e)]
    right = False if (method not in (None, "hole_card_reader") or False in said) else (True if True in said else None)
    yield judged(
        NON_JUMBO,
        right,
        events=[e.event for e in session.records.of("approval")],
        expected="cards that are not jumbo are used with a hole-card reader, with approval",
        observed="they are used "
        + ("without a reader" if method not in (None, "hole_card_reader") else "without a recorded approval"),
    )


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
            expected=f"a video system is in operation by {day_words(due)}",
            observed="the table plays without video surveillance",
        )


@session_check(SEASONAL, reads=("percent_of_hold", "other"))
def seasonal_average(session: Session) -> Iterator[Instance]:
    """A seasonal site's level is the average over its active quarters."""
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
                expected=f"the average over {len(active)} active quarters is {mean / 100:.2f}",
                observed=f"the record says {said / 100:.2f}",
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
            expected=f"the video system is in operation by {day_words(due)}",
            observed=f"it was in operation on {day_words(ready)}" if ready else "it is not yet in operation",
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
                expected=f"a temporary table without video plays at most {most_days} days, at most {most_events} "
                "events a quarter",
                observed=f"{days or 0:g} days, {events or 0:g} events in the quarter, without video",
            )


def _regular(session: Session, entry: Entry, video: bool | None, incident: str | None = None) -> Iterator[Instance]:
    """A table that needs a system, where the site needs one at all."""
    present = session.house.video_surveillance
    if video is not None and entry.where and (video or present != "absent"):
        yield of_row(
            EVERY,
            video or (False if present else None),
            entry,
            incident=incident,
            expected=f"table {entry.where} has an operating video system",
            observed="it has none",
        )


@session_check(KEEPING, reads=("approval", "house_rules", "other"))
def recordkeeping(session: Session) -> Iterator[Instance]:
    """Records are kept in the attorney general's system, or in another that was approved."""
    for entry in session.records.entries:
        system = entry.words("recordkeeping_system", "recordkeeping", "record_system")
        if system is None:
            continue
        own = any(word in system.split() for word in ("ag", "attorney")) or "attorney general" in system
        approved = entry.flag("approved", "recordkeeping_approved", "supplementary")
        yield of_row(
            KEEPING,
            True if own else approved,
            entry,
            expected="the attorney general's recordkeeping system is used, or another is approved",
            observed=f"{system} is used" + ("" if approved is None else " without approval"),
        )


@session_check(HALF, reads=("equipment", "other"))
def half_deferred(session: Session) -> Iterator[Instance]:
    """At least half of the price is deferred until the clarity of the video is approved."""
    for entry in session.records.of("equipment", "approval", "purchase"):
        price = entry.cents("price", "purchase_price", "total_price")
        paid = _paid_before(entry)
        if not price or paid is None:
            continue
        yield of_row(
            HALF,
            2 * paid <= price,
            entry,
            expected="at least half of the price is paid only after approval",
            observed=f"{paid / 100:.2f} of {price / 100:.2f} was paid before it",
        )


def _paid_before(entry: Entry) -> int | None:
    said = entry.cents("paid_before_approval", "prepaid")
    payments, approved = entry.get("payments"), entry.date("approved_on", "approval_date", "approved")
    if said is not None or not isinstance(payments, Sequence) or isinstance(payments, str):
        return said
    total = 0
    for row in payments:
        if not isinstance(row, Mapping):
            return None
        day, cents = as_date(row.get("date")), as_cents(row.get("cents", row.get("amount")))
        if day is None or cents is None:
            return None
        if approved is None or day < approved:
            total += cents
    return total


def end_of_quarter(entry: Entry) -> date | None:
    """Last day of the quarter that a row is about."""
    return quarter_end(entry.get("quarter", "activity_quarter", "period")) or quarter_end(
        entry.get("activity_date") or entry.event.date
    )
