"""Gathers the weekly review documentation: what the store knows of a site's week, and what a person adds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import date

import msgspec
from msgspec import Struct

from verifier.domain.errors import BadInput
from verifier.review.documents.hold import Hold, HoldReport, review_plan, site_hold
from verifier.review.documents.notice import notice_of
from verifier.review.documents.quarters import quarter_before
from verifier.review.documents.roster import dealers_on, independence
from verifier.review.documents.rules import rules_of
from verifier.review.people.makers import account_named, typed_name
from verifier.review.people.roles import Person
from verifier.review.queue import load_queue
from verifier.review.records.attesting import statement_lines
from verifier.review.records.site import week_papers
from verifier.review.watch.minutes import minutes_of
from verifier.review.weekly_lines import finding_line, not_assessed, table_line
from verifier.review.weekly_values import Answers, HoldLine, Weekly
from verifier.review.weeks import keep_until, quarter_of, week_days
from verifier.review.wording import plain_minutes
from verifier.store.papers import Papers
from verifier.store.repository import Store
from verifier.store.values import ReviewRecord


def gather_week(store: Store, site: str, week: str, answers: Answers, person: Person | None = None) -> Weekly:
    """Gathers a site's week from the store; `person` is who is signed in, None at the command line.

    Raises BadInput if nothing of the week was reviewed, or more minutes are stated than were recorded.
    """
    first, last = week_days(week)
    reviews = _reviewed(store, site, week)
    hold_quarter = answers.hold_quarter or quarter_before(first)
    answers = msgspec.structs.replace(answers, determined=answers.determined or _determined(store, site, hold_quarter))
    items = load_queue(store, [review.id for review in reviews])
    minutes = _minutes(store, answers, reviews, person.name if person is not None else answers.account)
    roster = _roster(store, site, answers, reviews, person)
    return Weekly(
        site=site,
        week=week,
        first_day=first.isoformat(),
        last_day=last.isoformat(),
        quarter=answers.quarter or quarter_of(last),
        keep_until=max(keep_until(first), keep_until(last)).isoformat(),
        answers=answers,
        tables=[table_line(review) for review in reviews],
        findings=[finding_line(item) for item in items],
        papers=week_papers(store, site, first, last, [item.stored.finding for item in items]),
        statements=statement_lines(store, site, first, last),
        rules=(rules := rules_of(review.rulebook for review in reviews)),
        notice=notice_of(rules),
        not_assessed=not_assessed(reviews),
        undated=store.undated_videos(site),
        hold_quarter=hold_quarter,
        hold=_hold_line(site_hold(store, site, hold_quarter)),
        week_number=answers.week_number or _week_number(store, site, week, answers.determined),
        dealers=roster.dealers,
        shift=roster.shift,
        independence=roster.independence,
        independence_says=roster.says,
        typed=typed_name(store, answers.reviewer, person),
        watched=minutes.watched,
        counted=minutes.counted,
        stated=minutes.stated,
    )


def _reviewed(store: Store, site: str, week: str) -> list[ReviewRecord]:
    """Return the week's reviews, by table and day. Raises BadInput if there is none."""
    first, last = week_days(week)
    reviews = store.reviews(site=site, first=first.isoformat(), last=last.isoformat())
    if not reviews:
        raise BadInput(f"site {site or '(none)'}, week {week}", "no review is stored", _hint(store))
    return sorted(reviews, key=lambda one: (one.table or "", one.play_date or ""))


class _Roster(Struct, frozen=True, kw_only=True):
    """Who dealt on which shift, and whether the reviewer is independent of them."""

    dealers: str
    shift: str
    independence: str
    says: str


def _roster(
    store: Store, site: str, answers: Answers, reviews: Sequence[ReviewRecord], person: Person | None
) -> _Roster:
    days = [review.play_date or "" for review in reviews]
    duties = Papers(store).roster(site, min(days), max(days))
    account = person or account_named(store, answers.account or answers.reviewer)
    verdict, says = independence(duties, days, answers.reviewer, answers.shift, account)
    return _Roster(
        dealers=answers.dealers or ", ".join(dealers_on(duties, days)),
        shift=answers.shift or ", ".join(sorted({duty.shift for duty in duties if duty.day in days})),
        independence=verdict,
        says=says,
    )


class _Minutes(Struct, frozen=True, kw_only=True):
    """Minutes of each table: all that a person watched, those of them that were counted, and what is said of others."""

    watched: dict[str, float]
    counted: dict[str, float]
    stated: list[str]


def _minutes(store: Store, answers: Answers, reviews: Sequence[ReviewRecord], account: str) -> _Minutes:
    """Return the minutes of the person with this account. Raises BadInput if more are stated than were recorded."""
    _check_minutes(answers.minutes, reviews)
    counted = _counted(store, reviews, account)
    stated = _stated(answers.minutes, counted)
    minutes = {**counted, **stated}
    return _Minutes(
        watched={
            name: round(float(minutes.get(name, 0.0)), 1) for name in sorted({one.table or "?" for one in reviews})
        },
        counted={name: round(minutes, 1) for name, minutes in counted.items()},
        stated=[
            f"{plain_minutes(one)} of table {name}; the review room counted {round(counted.get(name, 0.0), 1):g}."
            for name, one in sorted(stated.items())
        ],
    )


def _hold_line(hold: Hold | None) -> HoldLine | None:
    if hold is None:
        return None
    return HoldLine(
        gross_cents=hold.gross_cents, prizes_cents=hold.prizes_cents, agp_cents=hold.agp_cents, percent=hold.percent
    )


def _determined(store: Store, site: str, quarter: str) -> str:
    """Return the day on which the site's figure became known, as the newest percent-of-hold document states it."""
    for document in Papers(store).documents("hold", period=quarter):
        report = msgspec.json.decode(document.body, type=HoldReport)
        if any((duty.site, duty.game) == (site, "twenty-one") for duty in report.duties):
            return report.determined
    return ""


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
    """Return the unique minutes that the dashboard counted for this person, by table."""
    if not account:
        return {}
    counted = minutes_of(store, [review.id for review in reviews])
    totals = {review.table or "?": 0.0 for review in reviews}
    for review in reviews:
        totals[review.table or "?"] += counted.get((review.id, account), 0.0)
    return totals


def _stated(minutes: Mapping[str, float], counted: Mapping[str, float]) -> dict[str, float]:
    """Return the minutes that rest on a person's word: those of a table for which fewer, in whole minutes, were
    counted.
    """
    return {name: one for name, one in minutes.items() if one != counted.get(name, 0.0) // 1}


def _check_minutes(minutes: Mapping[str, float], reviews: Sequence[ReviewRecord]) -> None:
    """Refuse minutes of a table that was not reviewed, and more than was recorded of it (in begun minutes)."""
    recorded: dict[str, float] = {}
    for review in reviews:
        recorded[review.table or "?"] = recorded.get(review.table or "?", 0.0) + (review.duration or 0.0) / 60
    unknown = sorted(set(minutes) - set(recorded))
    if unknown:
        known = ", ".join(sorted(recorded))
        raise BadInput(f"table {', '.join(unknown)}", "was not reviewed in this week", f"give minutes of table {known}")
    for name, stated in sorted(minutes.items()):
        if stated > math.ceil(recorded[name]):
            said = f"{plain_minutes(stated)} {'is' if stated == 1 else 'are'} stated"
            cause = f"{said}, and {recorded[name]:.1f} were recorded in this week"
            raise BadInput(f"table {name}", cause, "state the minutes that a person watched of these recordings")


def _hint(store: Store) -> str:
    newest = store.reviews(limit=5)
    known = dict.fromkeys(f"{one.site or '(none)'} on {one.play_date or 'unknown day'}" for one in newest)
    return f"reviewed last: {', '.join(known)}" if known else "review a recording first: verifier review"
