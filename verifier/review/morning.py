"""What a reviewer must know first: what the night found, what was not watched, and what people still owe."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import date, datetime, timedelta
from typing import Final

from msgspec import Struct

from verifier.review.batch.night_runs import night_so_far
from verifier.review.batch.report import NOT_RECORDED, MorningReport, kept_account, night_report
from verifier.review.people.roles import Act, Person, require
from verifier.review.queue import OPEN, Filters, QueueItem, counts, page
from verifier.review.watch.minutes import minutes_of
from verifier.review.weekly_values import HOUR_MINUTES
from verifier.review.weeks import plain_week, week_of
from verifier.store.home import database_url
from verifier.store.night.journal import Journal
from verifier.store.papers import Papers
from verifier.store.repository import Store
from verifier.store.values import ReviewRecord

WEEKS_BACK: Final = 4
"""Weeks whose documents and minutes are still asked for here; older ones stand on the pages of the documents."""
DAYS_BACK: Final = 7
"""Days of play whose daily logs are still asked for here."""
FIRST: Final = 6
"""Findings that are shown on the page; the rest stands in the queue."""


class NotWatched(Struct, frozen=True, kw_only=True):
    """A stretch or a recording that nobody watched, and why."""

    where: str
    when: str
    why: str


class Owed(Struct, frozen=True, kw_only=True):
    """Minutes of a table's week that a person must still watch (99-01.3-08-04(8): an hour a week for each table)."""

    site: str
    table: str
    week: str
    minutes: float


class Due(Struct, frozen=True, kw_only=True):
    """A document that is not written yet; `page` is where it is written."""

    says: str
    page: str


class Morning(Struct, frozen=True, kw_only=True):
    """The first page. `night` is None before the first night shift; `findings` are open, the most serious first.

    `open_findings` counts all that are open of the same reviews; `reviews` names them, None for all of the store.
    """

    night: MorningReport | None
    reviews: list[str] | None
    findings: list[QueueItem]
    open_findings: int
    not_watched: list[NotWatched]
    owed: list[Owed]
    due: list[Due]


def this_morning(store: Store, person: Person, now: datetime) -> Morning:
    """Gathers the page; raises Forbidden if the person may not read findings."""
    require(person, Act.READ)
    night, ids = _night(store, now)
    recent = store.reviews(first=_monday(now.date(), WEEKS_BACK).isoformat(), last=now.date().isoformat())
    chosen = Filters(states=frozenset({OPEN}))
    return Morning(
        night=night,
        reviews=ids,
        findings=page(store, person, chosen, skip=0, most=FIRST),
        open_findings=counts(store, person, chosen)[OPEN],
        not_watched=[*_missed_at_night(night), *_missed_in(recent, set(ids or ()))],
        owed=owed(store, recent, now.date()),
        due=due(store, recent, now.date()),
    )


def _night(store: Store, now: datetime) -> tuple[MorningReport | None, list[str] | None]:
    """Return the last night's report and its reviews."""
    journal = Journal(database_url(), store)
    name = journal.last_night()
    if name is None:
        return None, None
    run, jobs = night_so_far(journal, name)
    return night_report(name, run, jobs, now, kept_account), [job.review_id for job in jobs if job.review_id]


def _missed_at_night(night: MorningReport | None) -> list[NotWatched]:
    if night is None:
        return []
    gaps = [
        NotWatched(
            where=f"Site {table.site}, table {table.table}, {gap.recording}",
            when=f"{_plain(gap.start)} to {_plain(gap.end)}",
            why=gap.cause,
        )
        for table in night.tables
        for gap in table.gaps
        if gap.cause != NOT_RECORDED
    ]
    failures = [
        NotWatched(where=f"Site {one.site}, table {one.table}, {one.recording}", when="all of it", why=one.cause)
        for one in night.failures
        if not any(gap.where.endswith(f", {one.recording}") and gap.why == one.cause for gap in gaps)
    ]
    return [*gaps, *failures]


def _missed_in(reviews: Iterable[ReviewRecord], told: set[str]) -> list[NotWatched]:
    """Stretches of reviews that no night told."""
    return [
        NotWatched(
            where=f"Site {one.site or '?'}, table {one.table or '?'}, {one.play_date or 'no day'}, {one.video_name}",
            when=f"{start:.0f} s to {'the end' if end is None else f'{end:.0f} s'}",
            why=why,
        )
        for one in reviews
        if one.id not in told
        for start, end, why in one.gaps
    ]


def minutes_by_week(store: Store, reviews: Iterable[ReviewRecord]) -> dict[tuple[str, str, str], float]:
    """Minutes that people watched, by week, site and table of what was recorded; of dated reviews.

    One person's minutes of one recording count once; whose they are is looked at by the weekly document.
    """
    ids: defaultdict[tuple[str, str, str], list[str]] = defaultdict(list)
    for one in reviews:
        if one.play_date is not None:
            ids[week_of(one.play_date), one.site or "", one.table or "?"].append(one.id)
    minutes: defaultdict[str, float] = defaultdict(float)
    for (review, _), watched in minutes_of(store, [name for names in ids.values() for name in names]).items():
        minutes[review] = max(minutes[review], watched)
    return {key: sum(minutes[name] for name in names) for key, names in ids.items()}


def owed(store: Store, reviews: Iterable[ReviewRecord], today: date) -> list[Owed]:
    """Minutes that are missing to an hour, of each table and week of which something was recorded; the newest first."""
    past = [one for one in reviews if one.play_date is not None and one.play_date <= today.isoformat()]
    found = [
        Owed(site=site, table=table, week=week, minutes=HOUR_MINUTES - watched)
        for (week, site, table), watched in minutes_by_week(store, past).items()
    ]
    return sorted((one for one in found if one.minutes > 0), key=lambda one: (one.week, one.minutes), reverse=True)


def due(store: Store, reviews: Iterable[ReviewRecord], today: date) -> list[Due]:
    """Weekly documents of weeks that are over, and daily logs of the last days, of which nothing is kept."""
    papers = Papers(store)
    dated = [one for one in reviews if one.play_date]
    kept = {(one.kind, one.site, one.period) for one in papers.documents()}
    weeks = {(one.site or "", week_of(one.play_date or "")) for one in dated}
    this_week = week_of(today.isoformat())
    weekly = [
        Due(says=f"Weekly document of site {site or '(none)'}, {plain_week(week)}", page="weekly")
        for site, week in sorted(weeks)
        if week < this_week and ("weekly", site, week) not in kept
    ]
    since = (today - timedelta(days=DAYS_BACK)).isoformat()
    days = {(one.site or "", one.play_date or "") for one in dated if (one.play_date or "") >= since}
    daily = [
        Due(says=f"Daily log of site {site or '(none)'}, {day}", page="daily")
        for site, day in sorted(days)
        if day < today.isoformat() and ("daily", site, day) not in kept
    ]
    return [*weekly, *daily]


def _monday(today: date, weeks: int) -> date:
    return today - timedelta(days=today.weekday() + 7 * weeks)


def _plain(clock: str) -> str:
    return clock.replace("T", " ")
