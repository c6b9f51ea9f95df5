"""Percent-of-hold: its formula, its records and what a low one sets off (99-01.3-08-01(3), 04(7), 04(8))."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from verifier.domain.events import ReviewAction
from verifier.law.checks.records.rows import at_site, by, of_row
from verifier.law.entries import Entry, Records, as_date, quarter_end, table_name
from verifier.law.figures import Figures
from verifier.law.instances import Instance
from verifier.law.registry import session_check
from verifier.law.session import Session

FORMULA = "ND-08-01.3-poh-formula"
TRACK = "ND-08-04.7-track-dealer-poh"
ALL_SITES = "ND-08-04.7-poh-all-sites"
TRIGGER = "ND-08-04.8-poh-trigger"
WHOLE = 0.01
"""The coarsest figure is a whole percent (policy of this project)."""
HAIR = 1e-6
READS = ("percent_of_hold",)
_FIGURE = ("percent_of_hold", "poh", "hold", "percent", "hold_percent")


@dataclass(frozen=True)
class Hold:
    """A row of percent-of-hold: gross proceeds and what is left of them after prizes, both in cents."""

    entry: Entry
    gross: int | None
    adjusted: int | None
    said: float | None

    @property
    def share(self) -> float | None:
        """Percent-of-hold as a fraction: recomputed where it can be, else as the row says."""
        if self.gross and self.adjusted is not None:
            return self.adjusted / self.gross
        return self.said

    @property
    def dealer(self) -> str | None:
        return self.entry.text("dealer", "dealer_id", "dealer_name", "wheel_operator")

    @property
    def end(self) -> date | None:
        """Last day of its quarter."""
        return self.entry.date("quarter_end") or quarter_end(self.entry.get("quarter", "period")) or None

    @property
    def determined(self) -> date | None:
        """When it was known."""
        return self.entry.date("determined", "date_determined", "determined_on", "determination_date") or (
            as_date(self.entry.event.date)
        )

    @property
    def paddlewheel(self) -> bool:
        return (self.entry.text("game") or "").startswith(("p", "wheel"))

    def least(self, figures: Figures) -> float:
        """The percent-of-hold of its game below which video is reviewed, as a fraction."""
        return figures.low_hold_paddlewheel if self.paddlewheel else figures.low_hold


def holds(records: Records) -> list[Hold]:
    """The rows of percent-of-hold."""
    return [_hold(entry) for entry in records.of("percent_of_hold")]


def _hold(entry: Entry) -> Hold:
    gross = entry.cents("gross_proceeds", "gp", "gross")
    adjusted = entry.cents("adjusted_gross_proceeds", "agp", "adjusted")
    prizes = entry.cents("prizes", "total_prizes")
    if gross is not None and prizes is not None:
        adjusted = gross - prizes
    said = entry.number(*_FIGURE)
    return Hold(entry, gross, adjusted, _fraction(said, adjusted / gross if gross and adjusted is not None else None))


def _fraction(said: float | None, computed: float | None) -> float | None:
    """A figure in percent or as a fraction; of two readings the one nearer to the computed share."""
    if said is None:
        return None
    if computed is None:
        return said / 100 if abs(said) > 1 else said
    return min((said, said / 100), key=lambda value: abs(value - computed))


@session_check(FORMULA, reads=READS)
def hold_formula(session: Session) -> Iterator[Instance]:
    """Percent-of-hold is adjusted gross proceeds over gross proceeds."""
    for hold in holds(session.records):
        if not hold.gross or hold.adjusted is None or hold.said is None:
            continue
        share = hold.adjusted / hold.gross
        yield of_row(
            FORMULA,
            _agrees(share, hold.said, _last_digit(hold)),
            hold.entry,
            expected=f"percent-of-hold is adjusted gross proceeds / gross proceeds = {share:.2%}",
            observed=f"the record says {hold.said:.2%}",
        )


def _last_digit(hold: Hold) -> float:
    """What one more in the last digit of the record's figure would be, as a fraction: `12.3` percent is 0.001."""
    figure, number = str(hold.entry.get(*_FIGURE)).strip().rstrip("%").strip(), hold.entry.number(*_FIGURE)
    digits = figure.partition(".")[2].rstrip("0") if "e" not in figure.lower() else ""
    in_percent = number is not None and hold.said is not None and abs(number) > abs(hold.said)
    return min(WHOLE, 10.0 ** -len(digits) / (100 if in_percent else 1))


def _agrees(share: float, said: float, unit: float) -> bool:
    """Whether a figure is the share, rounded or cut off at its last digit."""
    rounded = abs(share - said) <= unit / 2 + HAIR
    return rounded or (share * said >= 0 and -HAIR <= abs(share) - abs(said) < unit)


def triggers(session: Session) -> list[Hold]:
    """Rows of a whole site whose percent-of-hold is below the limit of its game."""
    return [
        hold
        for hold in holds(session.records)
        if hold.dealer is None and hold.share is not None and hold.share < hold.least(session.figures)
    ]


@session_check(TRIGGER, video=True, reads=READS)
def low_hold(session: Session) -> Iterator[Instance]:
    """A site whose percent-of-hold is below 10 percent (15 for paddlewheels) has its video reviewed."""
    for hold in holds(session.records):
        if hold.dealer is not None or hold.share is None:
            continue
        least = hold.least(session.figures)
        low = hold.share < least
        yield of_row(
            TRIGGER,
            _reviewed(session, hold) if low else True,
            hold.entry,
            expected=f"video is reviewed once percent-of-hold is below {least:.0%}",
            observed=f"percent-of-hold was {hold.share:.2%} and no review was made",
            incident=f"no review {hold.entry.event.id}",
            rank=1,
        )


def _reviewed(session: Session, hold: Hold) -> bool | None:
    said = hold.entry.flag("review_started", "video_review", "review_required", "review_opened")
    if said is not None:
        return said
    known = hold.determined
    since = [
        e
        for e in session.records.of("review_document")
        if (known is None or e.day is None or e.day >= known) and at_site(session, e, hold.entry)
    ]
    if since or session.of(ReviewAction):
        return True
    return by(session.records.today, known + timedelta(days=7) if known else None)


@session_check(TRACK, ALL_SITES, reads=READS)
def dealers_tracked(session: Session) -> Iterator[Instance]:
    """Every dealer on the roster has percent-of-hold records, with the entries of each site worked."""
    own: dict[str, set[str]] = defaultdict(set)
    rows: dict[str, list[Entry]] = defaultdict(list)
    for hold in holds(session.records):
        if hold.dealer:
            rows[hold.dealer].append(hold.entry)
            sites = hold.entry.names("sites", "entries", "all_sites") or ((hold.entry.site,) if hold.entry.site else ())
            own[hold.dealer] |= {table_name(site) or "" for site in sites}
    if not rows:
        return
    for entry in session.records.of("roster"):
        for dealer in roster_dealers(entry):
            yield of_row(
                TRACK,
                dealer in rows,
                entry,
                key=dealer,
                expected=f"the percent-of-hold of {dealer} is tracked",
                observed=f"{dealer} worked and has no percent-of-hold record",
            )
            if dealer in rows and entry.site and own[dealer]:
                yield of_row(
                    ALL_SITES,
                    entry.site in own[dealer],
                    [entry, *rows[dealer]],
                    key=f"{dealer} {entry.site}",
                    expected=f"the percent-of-hold of {dealer} takes in site {entry.text('site', 'site_id')}",
                    observed=f"it takes in only {', '.join(sorted(own[dealer]))}",
                )


def roster_dealers(entry: Entry) -> list[str]:
    """Those who dealt or ran a wheel on a shift, in lower case."""
    names = entry.names("dealers", "dealer", "wheel_operators", "conducted", "staff", "employees", "people") or ()
    if not names and (entry.words("role") or "dealer") in ("dealer", "wheel operator"):
        names = entry.names("person", "name", "employee", "employee_id", "dealer_id") or ()
    return [name.lower() for name in names]
