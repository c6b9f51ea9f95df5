"""What a manager looks at over weeks: findings, how far the software was right, minutes watched, percent-of-hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import date, timedelta
from math import sqrt
from statistics import NormalDist
from typing import Final

from msgspec import Struct

from verifier.review.documents.hold import TRIGGERS, Hold, summed
from verifier.review.documents.quarters import quarter_days
from verifier.review.morning import minutes_by_week
from verifier.review.people.roles import Act, Person, require
from verifier.review.pipeline.values import clock_after, clock_between
from verifier.review.queue import STATES, Filters, Tallied, tally
from verifier.review.weekly_values import HOUR_MINUTES
from verifier.review.weeks import quarter_of, week_days, week_of
from verifier.store.papers import Papers
from verifier.store.repository import Store
from verifier.store.values import ReviewRecord

UNKNOWN: Final = "not known"
CONFIDENCE: Final = 0.95
"""Confidence of the intervals: the usual choice."""
QUARTERS: Final = 8
"""Quarters whose percent-of-hold is shown: two years."""


class Bar(Struct, frozen=True):
    """How many findings of one week, table, clause or dealer (`name`) are in one of STATES."""

    name: str
    state: str
    count: int


class Trust(Struct, frozen=True, kw_only=True):
    """What people said of the violations that the software told of a clause.

    `share` of them were confirmed; `low` and `high` bound it with CONFIDENCE (Wilson's interval).
    """

    clause: str
    confirmed: int
    rejected: int
    share: float
    low: float
    high: float


class Minutes(Struct, frozen=True, kw_only=True):
    """Minutes of a table's week that people watched, of the hour that 99-01.3-08-04(8) asks for."""

    week: str
    where: str
    watched: float
    wanted: float = HOUR_MINUTES


class Strip(Struct, frozen=True, kw_only=True):
    """A stretch of a table's day: watched by the software, or not and why. Clocks are ISO, of the table's own clock."""

    where: str
    start: str
    end: str
    why: str | None = None


class QuarterHold(Struct, frozen=True, kw_only=True):
    """A site's percent-of-hold in a quarter (shares), and the trigger below which its tables must be reviewed."""

    quarter: str
    site: str
    game: str
    percent: float
    trigger: float


class Findings(Struct, frozen=True, kw_only=True):
    """The findings of some weeks in numbers."""

    by_state: dict[str, int]
    by_week: list[Bar]
    by_table: list[Bar]
    by_clause: list[Bar]
    by_dealer: list[Bar]
    trust: list[Trust]


def findings_of(store: Store, person: Person, filters: Filters, weeks: Sequence[str]) -> Findings:
    """Return the findings of these ISO weeks, and those whose day of play nobody knows, which stand in no week.

    Dealers are told to whoever sets policies, nobody else. Raises Forbidden.
    """
    require(person, Act.READ)
    first, last = week_days(weeks[0])[0].isoformat(), week_days(weeks[-1])[1].isoformat()

    def counted(*by: str) -> list[Tallied]:
        return tally(store, person, filters, by, (first, last))

    days, clauses = counted("day"), counted("clause", "verdict", "origin")
    dealers = [one for one in counted("dealer") if one.dealer is not None] if person.may(Act.POLICY) else []
    states = Counter[str]()
    for one in days:
        states[one.state] += one.count
    return Findings(
        by_state={state: states[state] for state in STATES},
        by_week=_bars([one for one in days if one.day is not None], lambda one: week_of(one.day or "")),
        by_table=_bars(counted("site", "table"), lambda one: place(one.site, one.table)),
        by_clause=_bars(clauses, lambda one: one.clause),
        by_dealer=_bars(dealers, lambda one: one.dealer or ""),
        trust=trust_of(clauses),
    )


def place(site: str | None, table: str | None) -> str:
    """Site and table in words."""
    return f"Site {site or UNKNOWN}, table {table or UNKNOWN}"


def _bars(rows: Iterable[Tallied], name_of: Callable[[Tallied], str]) -> list[Bar]:
    counted = Counter[tuple[str, str]]()
    for one in rows:
        counted[name_of(one), one.state] += one.count
    return [Bar(name, state, count) for (name, state), count in sorted(counted.items())]


def trust_of(rows: Iterable[Tallied]) -> list[Trust]:
    """How often people confirmed what the software told as a violation, by clause; those most often told first.

    What is open, and what the clip did not tell, counts neither way.
    """
    told = Counter[tuple[str, str]]()
    for one in rows:
        if one.origin == "software" and one.verdict == "violation" and one.state in ("confirmed", "rejected"):
            told[one.clause, one.state] += one.count
    clauses = sorted(
        {clause for clause, _ in told}, key=lambda name: (-told[name, "confirmed"] - told[name, "rejected"], name)
    )
    return [_trust(clause, told[clause, "confirmed"], told[clause, "rejected"]) for clause in clauses]


def _trust(clause: str, confirmed: int, rejected: int) -> Trust:
    whole = confirmed + rejected
    low, high = wilson(confirmed, whole)
    return Trust(
        clause=clause,
        confirmed=confirmed,
        rejected=rejected,
        share=confirmed / whole,
        low=low,
        high=high,
    )


def wilson(hits: int, whole: int) -> tuple[float, float]:
    """Return the interval of a share `hits` of `whole` (at least 1) with CONFIDENCE, after Wilson (1927).

    SciPy's `binomtest` gives the same, and the test's p-value first, which takes a hundred times as long.
    """
    z = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)
    middle = (hits + z * z / 2) / (whole + z * z)
    half = z / (whole + z * z) * sqrt(hits * (whole - hits) / whole + z * z / 4)
    return max(0.0, middle - half), min(1.0, middle + half)


def weeks_until(today: date, count: int) -> list[str]:
    """Return the ISO weeks up to the one of a day, the oldest first."""
    return [week_of((today - timedelta(weeks=back)).isoformat()) for back in range(count - 1, -1, -1)]


def minutes_of_weeks(store: Store, weeks: Sequence[str], site: str | None = None) -> list[Minutes]:
    """Minutes watched of each table and week of which something was recorded."""
    first, last = week_days(weeks[0])[0].isoformat(), week_days(weeks[-1])[1].isoformat()
    reviews = store.reviews(site=site, first=first, last=last)
    return [
        Minutes(week=week, where=place(name, table), watched=watched)
        for (week, name, table), watched in sorted(minutes_by_week(store, reviews).items())
    ]


def strips_of(store: Store, day: str, site: str | None = None) -> tuple[list[Strip], list[str]]:
    """Return what was watched of each table on a day (ISO), and the recordings whose clock is not known."""
    strips: list[Strip] = []
    undated: list[str] = []
    for one in store.reviews(site=site, first=day, last=day):
        if one.clock_start is None or "T" not in one.clock_start or one.duration is None:
            undated.append(one.video_name)
            continue
        strips += _strips(one, one.clock_start, one.duration)
    return strips, undated


def _strips(review: ReviewRecord, clock: str, duration: float) -> Iterable[Strip]:
    """Yield the stretches of one review, in order."""
    where, done = place(review.site, review.table), 0.0
    if review.clock_end is not None and "T" in review.clock_end:
        duration = max(duration, clock_between(clock, review.clock_end))

    def strip(start: float, end: float, why: str | None) -> Strip:
        return Strip(where=where, start=clock_after(clock, start) or "", end=clock_after(clock, end) or "", why=why)

    for start, end, why in sorted(review.gaps, key=lambda gap: gap[0]):
        until = duration if end is None else end
        if start > done:
            yield strip(done, start, None)
        if until > done:
            yield strip(max(start, done), until, why)
        done = max(done, until)
    if done < duration:
        yield strip(done, duration, None)


def hold_by_quarter(store: Store, person: Person, today: date, site: str | None = None) -> list[QuarterHold]:
    """Percent-of-hold of the last QUARTERS quarters, of each site and game with a trigger. Raises Forbidden."""
    require(person, Act.DOCUMENT)
    found: list[QuarterHold] = []
    for quarter in _quarters(today):
        first, last = quarter_days(quarter)
        sums: list[Hold] = summed(Papers(store).figures(first.isoformat(), last.isoformat(), site), by_dealer=False)
        found += [
            QuarterHold(quarter=quarter, site=one.site, game=one.game, percent=one.percent, trigger=TRIGGERS[one.game])
            for one in sums
            if one.percent is not None and one.game in TRIGGERS
        ]
    return found


def _quarters(today: date) -> list[str]:
    """Return the last quarters, that of today included; the oldest first."""
    found = [quarter_of(today)]
    while len(found) < QUARTERS:
        found.append(quarter_of(quarter_days(found[-1])[0] - timedelta(days=1)))
    return found[::-1]
