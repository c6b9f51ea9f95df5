"""Percent-of-hold by site, game and dealer: adjusted gross proceeds over gross proceeds, 99-01.3-08-01(3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, timedelta

from msgspec import Struct

from verifier.law.figures import NEWEST
from verifier.review.documents.quarters import quarter_days
from verifier.review.documents.rules import Rules, rules_at
from verifier.review.weeks import week_of
from verifier.store.papers import HoldFigure, Papers
from verifier.store.repository import Store

TRIGGERS = {"twenty-one": NEWEST.low_hold, "paddlewheel": NEWEST.low_hold_paddlewheel}
"""Percent-of-hold of a site's quarter below which its video is reviewed, 08-04(8)."""
REVIEW_WEEKS = NEWEST.low_hold_weeks
DEALER_WEEKS = NEWEST.loss_weeks
CONTACT_DAYS = NEWEST.contact_days
"""Days from the quarter's end to contact the attorney general where prizes exceed gross proceeds, 08-01(3)."""


class Hold(Struct, frozen=True, kw_only=True):
    """One line: a site and game, and a dealer where it is one dealer's. Money in cents."""

    site: str
    game: str
    dealer: str
    gross_cents: int
    prizes_cents: int

    @property
    def agp_cents(self) -> int:
        """Adjusted gross proceeds."""
        return self.gross_cents - self.prizes_cents

    @property
    def percent(self) -> float | None:
        """Percent-of-hold as a share; None without gross proceeds."""
        return self.agp_cents / self.gross_cents if self.gross_cents else None


class Duty(Struct, frozen=True, kw_only=True):
    """What a figure makes necessary: by the rule `cite`, until the day `by` (ISO)."""

    site: str
    game: str
    says: str
    cite: str
    by: str


class PlannedWeek(Struct, frozen=True, kw_only=True):
    """One of the six weeks of review, and the version of its documentation (0: not yet written)."""

    number: int
    week: str
    document_version: int


class HoldReport(Struct, frozen=True, kw_only=True):
    """A quarter's figures. `plan` maps a site to its weeks of review, where its figure asks for them by law: a site
    without a table under North Dakota's rules has no such duties.

    `rules` are those that the sites' tables are played by.
    """

    quarter: str
    determined: str
    sites: list[Hold]
    dealers: list[Hold]
    duties: list[Duty]
    plan: dict[str, list[PlannedWeek]]
    rules: Rules = Rules()


def hold_report(store: Store, quarter: str, determined: date, site: str | None = None) -> HoldReport:
    """Return the quarter's percent-of-hold from the stored figures; `determined` is the day on which it became
    known.
    """
    first, last = quarter_days(quarter)
    figures = Papers(store).figures(first.isoformat(), last.isoformat(), site)
    sites = summed(figures, by_dealer=False)
    under = {name for name in {one.site for one in sites} if rules_at(store, [name]).north_dakota}
    low = sorted({one.site for one in sites if _is_low(one)} & under)
    return HoldReport(
        quarter=quarter,
        determined=determined.isoformat(),
        sites=sites,
        dealers=summed(figures, by_dealer=True),
        duties=[duty for one in sites if one.site in under for duty in _duties(one, last, determined)],
        plan={name: review_plan(store, name, determined) for name in low},
        rules=rules_at(store, sorted({one.site for one in sites})),
    )


def summed(figures: Iterable[HoldFigure], *, by_dealer: bool) -> list[Hold]:
    """Add up the figures by site and game, or by dealer over all sites worked and by each site."""
    sums: dict[tuple[str, str, str], tuple[int, int]] = {}
    for one in figures:
        key = (one.site, one.game, one.dealer if by_dealer else "")
        gross, prizes = sums.get(key, (0, 0))
        sums[key] = gross + one.gross_cents, prizes + one.prizes_cents
    return [
        Hold(site=site, game=game, dealer=dealer, gross_cents=gross, prizes_cents=prizes)
        for (site, game, dealer), (gross, prizes) in sorted(sums.items())
    ]


def _is_low(one: Hold) -> bool:
    return one.percent is not None and one.percent < TRIGGERS.get(one.game, 0.0)


def _duties(one: Hold, last: date, determined: date) -> list[Duty]:
    duties = []
    if _is_low(one):
        says = (
            f"Percent-of-hold below {TRIGGERS[one.game]:.0%}: review and document at least one hour of video a week "
            f"for each active table, {REVIEW_WEEKS} continuous weeks or until the reason is determined and documented."
        )
        end = _first_monday(determined) + timedelta(weeks=REVIEW_WEEKS, days=-1)
        duties.append(Duty(site=one.site, game=one.game, says=says, cite="99-01.3-08-04(8)", by=end.isoformat()))
    if one.prizes_cents > one.gross_cents:
        says = (
            f"Prizes exceed gross proceeds: contact the attorney general within {CONTACT_DAYS} days of the quarter's "
            f"end, and keep each dealer's percent-of-hold of this site for {DEALER_WEEKS} continuous weeks."
        )
        by = (last + timedelta(days=CONTACT_DAYS)).isoformat()
        duties.append(Duty(site=one.site, game=one.game, says=says, cite="99-01.3-08-01(3)", by=by))
    return duties


def review_plan(store: Store, site: str, determined: date) -> list[PlannedWeek]:
    """Return the six continuous weeks from the first Monday on or after the day on which the figure was determined."""
    monday = _first_monday(determined)
    weeks = [week_of((monday + timedelta(weeks=number)).isoformat()) for number in range(REVIEW_WEEKS)]
    made: dict[str, int] = {}
    for document in Papers(store).documents("weekly", site):
        made[document.period] = max(made.get(document.period, 0), document.version)
    return [
        PlannedWeek(number=number, week=week, document_version=made.get(week, 0))
        for number, week in enumerate(weeks, start=1)
    ]


def _first_monday(day: date) -> date:
    return day + timedelta(days=-day.weekday() % 7)


def site_hold(store: Store, site: str, quarter: str, game: str = "twenty-one") -> Hold | None:
    """Return a site's figure of a quarter; None if nothing was entered."""
    first, last = (day.isoformat() for day in quarter_days(quarter))
    found: Sequence[Hold] = summed(Papers(store).figures(first, last, site), by_dealer=False)
    return next((one for one in found if one.game == game), None)
