"""The weekly review documentation: what the store knows of a site's week, and what a person adds.

N.D. Admin. Code 99-01.3-08-04(8) asks that the review is documented but lists no fields; those here are this product's.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date

from msgspec import Struct

from verifier.domain.errors import BadInput
from verifier.domain.rulebooks import described, named
from verifier.review.documents.hold import Hold, review_plan, site_hold
from verifier.review.documents.notice import NOTICE
from verifier.review.documents.quarters import quarter_before
from verifier.review.documents.roster import dealers_on, independence
from verifier.review.queue import QueueItem, load_queue
from verifier.review.watch.minutes import minutes_of
from verifier.review.weeks import keep_until, quarter_of, week_days
from verifier.review.wording import plain_sentence
from verifier.store.papers import Papers
from verifier.store.repository import Store
from verifier.store.values import ReviewRecord

HOUR_MINUTES = 60
ASK = "(to be filled in)"


class Answers(Struct, frozen=True, kw_only=True):
    """What only a person knows; empty texts are computed where that is possible, and else left to fill in.

    `minutes` watched by the person, by table: where none are given, those counted for the `account` are taken.
    `hold_quarter` is the quarter whose percent-of-hold is the reason, `determined` the day it became known (ISO).
    """

    reviewer: str = ""
    account: str = ""
    role: str = ""
    organization: str = ""
    quarter: str = ""
    percent_of_hold: str = ""
    hold_quarter: str = ""
    determined: str = ""
    shift: str = ""
    week_number: str = ""
    excluded_tables: str = ""
    dealers: str = ""
    access_authority: str = ""
    independent: bool = False
    conclusion: str = ""
    minutes: Mapping[str, float] = {}


class TableWeek(Struct, frozen=True, kw_only=True):
    """One table in one recording."""

    table: str
    date: str
    start: str
    end: str
    recording: str
    sha256: str
    machine_minutes: float
    coverage: float
    gaps: list[str]
    rulebook: str = ""


class WeekFinding(Struct, frozen=True, kw_only=True):
    """One finding with what people said of it; `decision` is `open` where nobody decided."""

    id: str
    table: str
    date: str
    clause: str
    cite: str
    title: str
    round: str
    at: str
    time: str
    verdict: str
    severity: str
    certainty: str
    corrected: str
    expected: str
    observed: str
    decision: str
    decided_by: str
    decided_at: str
    note: str
    rulebook: str = ""


class NotAssessed(Struct, frozen=True, kw_only=True):
    """A channel that silent video does not carry, and how many clauses need it."""

    channel: str
    clauses: int


class HoldLine(Struct, frozen=True, kw_only=True):
    """The percent-of-hold that is the reason for the review; money in cents, `percent` a share."""

    gross_cents: int
    prizes_cents: int
    agp_cents: int
    percent: float | None


class Weekly(Struct, frozen=True, kw_only=True):
    """Everything in a weekly document."""

    site: str
    week: str
    first_day: str
    last_day: str
    quarter: str
    keep_until: str
    answers: Answers
    tables: list[TableWeek]
    watched: dict[str, float]
    findings: list[WeekFinding]
    not_assessed: list[NotAssessed]
    undated: list[str]
    hold_quarter: str
    hold: HoldLine | None
    week_number: str
    dealers: str
    shift: str
    independence: str
    independence_says: str
    notice: str = NOTICE

    @property
    def short_tables(self) -> list[str]:
        """Tables that a person watched for less than an hour."""
        return [table for table, minutes in self.watched.items() if minutes < HOUR_MINUTES]


def gather_week(store: Store, site: str, week: str, answers: Answers) -> Weekly:
    """Gathers a site's week from the store; raises BadInput where nothing of it was reviewed."""
    first, last = week_days(week)
    of_site = [review for review in store.reviews() if (review.site or "") == site]
    reviews = [one for one in of_site if one.play_date and first.isoformat() <= one.play_date <= last.isoformat()]
    if not reviews:
        raise BadInput(f"site {site or '(none)'}, week {week}", "no review is stored", _hint(store))
    _check_minutes(answers.minutes, {review.table or "?" for review in reviews})
    ids = {review.id for review in reviews}
    days = [review.play_date or "" for review in reviews]
    duties = Papers(store).roster(site, min(days), max(days))
    hold_quarter = answers.hold_quarter or quarter_before(first)
    checked = independence(duties, days, answers.reviewer, answers.shift)
    minutes = answers.minutes or _counted(store, reviews, answers.account)
    items = [item for item in load_queue(store) if item.stored.review_id in ids]
    names = sorted({review.table or "?" for review in reviews})
    return Weekly(
        site=site,
        week=week,
        first_day=first.isoformat(),
        last_day=last.isoformat(),
        quarter=answers.quarter or quarter_of(last),
        keep_until=max(keep_until(first), keep_until(last)).isoformat(),
        answers=answers,
        tables=[_table(review) for review in sorted(reviews, key=lambda one: (one.table or "", one.play_date or ""))],
        watched={name: round(float(minutes.get(name, 0.0)), 1) for name in names},
        findings=[_finding(item) for item in items],
        not_assessed=_not_assessed(reviews),
        undated=[review.video_name for review in of_site if not review.play_date],
        hold_quarter=hold_quarter,
        hold=_hold_line(site_hold(store, site, hold_quarter)),
        week_number=answers.week_number or _week_number(store, site, week, answers.determined),
        dealers=answers.dealers or ", ".join(dealers_on(duties, days)),
        shift=answers.shift or ", ".join(sorted({duty.shift for duty in duties if duty.day in days})),
        independence=checked[0],
        independence_says=checked[1],
    )


def _hold_line(hold: Hold | None) -> HoldLine | None:
    if hold is None:
        return None
    return HoldLine(
        gross_cents=hold.gross_cents, prizes_cents=hold.prizes_cents, agp_cents=hold.agp_cents, percent=hold.percent
    )


def _week_number(store: Store, site: str, week: str, determined: str) -> str:
    """Which of the six weeks this is, counted from the day on which the figure was determined."""
    if not determined:
        return ""
    try:
        known = date.fromisoformat(determined)
    except ValueError as error:
        raise BadInput(determined, "is no date", "write it as 2026-11-17") from error
    plan = review_plan(store, site, known)
    number = next((one.number for one in plan if one.week == week), None)
    return f"{number} of {len(plan)}" if number is not None else "outside of the six weeks"


def _counted(store: Store, reviews: Sequence[ReviewRecord], account: str) -> Mapping[str, float]:
    """Unique minutes that the dashboard counted for this person, by table."""
    if not account:
        return {}
    counted = minutes_of(store, [review.id for review in reviews])
    totals = {review.table or "?": 0.0 for review in reviews}
    for review in reviews:
        totals[review.table or "?"] += counted.get((review.id, account), 0.0)
    return totals


def _check_minutes(minutes: Mapping[str, float], tables: Collection[str]) -> None:
    unknown = sorted(set(minutes) - set(tables))
    if unknown:
        known = ", ".join(sorted(tables))
        raise BadInput(f"table {', '.join(unknown)}", "was not reviewed in this week", f"give minutes of table {known}")


def _hint(store: Store) -> str:
    known = sorted({f"{one.site or '(none)'} on {one.play_date or 'unknown day'}" for one in store.reviews()})
    return f"reviewed so far: {', '.join(known[:5])}" if known else "review a recording first: verifier review"


def _table(review: ReviewRecord) -> TableWeek:
    return TableWeek(
        table=review.table or "?",
        date=review.play_date or "?",
        start=(review.clock_start or "not read").replace("T", " "),
        end=(review.clock_end or "not read").replace("T", " "),
        recording=review.video_name,
        sha256=review.video_sha256,
        machine_minutes=round(review.reviewed_seconds / 60, 1),
        coverage=review.coverage,
        gaps=[
            f"{start:.1f} s to {'the end' if end is None else f'{end:.1f} s'}: {why}" for start, end, why in review.gaps
        ],
        rulebook=described(review.rulebook, review.law_as_of),
    )


def _finding(item: QueueItem) -> WeekFinding:
    finding, last = item.stored.finding, item.verdicts[-1] if item.verdicts else None
    return WeekFinding(
        id=item.stored.id,
        table=item.review.table or "?",
        date=item.review.play_date or "?",
        clause=finding.clause,
        cite=finding.cite,
        title=finding.title,
        round="" if finding.round is None else str(finding.round),
        at=finding.at or "",
        time=(finding.clock or "").replace("T", " ") or f"{finding.t_start:.1f} s into the recording",
        verdict=finding.verdict,
        severity=finding.severity,
        certainty=f"{finding.p:.0%}",
        corrected="yes" if finding.corrected else "no",
        expected=plain_sentence(finding.expected),
        observed=plain_sentence(finding.observed),
        decision=item.state,
        decided_by=last.reviewer if last else "",
        decided_at=last.decided_at if last else "",
        note=last.note if last else "",
        rulebook=named(item.review.rulebook),
    )


_CHANNELS = {
    "audio": "speech (no sound is recorded)",
    "records": "paper and other records",
    "manual": "a person's check",
}


def _not_assessed(reviews: Sequence[ReviewRecord]) -> list[NotAssessed]:
    from verifier.law.catalogue import clauses

    counts = dict.fromkeys(_CHANNELS, 0)
    for rulebook in {review.rulebook for review in reviews}:
        for clause in clauses(rulebook):
            if clause.observability in counts:
                counts[clause.observability] += 1
    return [NotAssessed(channel=_CHANNELS[name], clauses=count) for name, count in counts.items() if count]
