"""Percent-of-hold as records tell it, and the dealers of a roster."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from verifier.law.entries import Entry, Records, as_date, quarter_end
from verifier.law.figures import Figures

READS = ("percent_of_hold",)
FIGURE = ("percent_of_hold", "poh", "hold", "percent", "hold_percent")


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
        """Return the percent-of-hold of its game below which video is reviewed, as a fraction."""
        return figures.low_hold_paddlewheel if self.paddlewheel else figures.low_hold


def holds(records: Records) -> list[Hold]:
    """Return the rows of percent-of-hold."""
    return [_hold(entry) for entry in records.of("percent_of_hold")]


def _hold(entry: Entry) -> Hold:
    gross = entry.cents("gross_proceeds", "gp", "gross")
    adjusted = entry.cents("adjusted_gross_proceeds", "agp", "adjusted")
    prizes = entry.cents("prizes", "total_prizes")
    if gross is not None and prizes is not None:
        adjusted = gross - prizes
    said = entry.number(*FIGURE)
    return Hold(entry, gross, adjusted, _fraction(said, adjusted / gross if gross and adjusted is not None else None))


def _fraction(said: float | None, computed: float | None) -> float | None:
    """Return a figure, given in percent or as a fraction, as a fraction. Of the two readings, take the one nearer to
    the computed share.
    """
    if said is None:
        return None
    if computed is None:
        return said / 100 if abs(said) > 1 else said
    return min((said, said / 100), key=lambda value: abs(value - computed))


def roster_dealers(entry: Entry) -> list[str]:
    """Those who dealt or ran a wheel on a shift, in lower case."""
    names = entry.names("dealers", "dealer", "wheel_operators", "conducted", "staff", "employees", "people") or ()
    if not names and (entry.words("role") or "dealer") in ("dealer", "wheel operator"):
        names = entry.names("person", "name", "employee", "employee_id", "dealer_id") or ()
    return [name.lower() for name in names]
