"""The figures that the law names, with the days from which they hold (`nd_twenty_one/s08_*/figures.yaml`)."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Final

import msgspec
import yaml
from msgspec import Struct

FILE: Final = "figures.yaml"


class Figures(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The law's figures on a day; amounts in cents, shares as fractions. The YAML says what each means."""

    wager_least_cents: int
    wager_most_cents: int
    wager_step_cents: int
    posted_minimum_cents: int
    taps_at_tie: int
    sets_above_cents: int
    chips_in_set: int
    rack_above_chips: int
    cut_least_cards: int
    indicator_least_cards: int
    indicator_most_cards: int
    decks: tuple[int, ...]
    redemption_days: int
    tournament_fees_cents: int
    sample_days: int
    overlap_seconds: int
    low_hold: float
    low_hold_paddlewheel: float
    video_average_cents: int
    video_days: int
    no_video_wager_cents: int
    temporary_days: int
    temporary_events: int
    repair_hours: int
    repair_days: int
    weekly_review_seconds: int
    low_hold_weeks: int
    video_kept_days: int
    rent_uses: int
    rent_quarters: int
    contact_days: int
    loss_weeks: int


class Dated(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"from_": "from"}):
    """A value and the first day (ISO) on which it holds; None: as far back as the text is known."""

    value: int | float | tuple[int, ...]
    from_: str | None = None


class Figure(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A figure of the law: what it means, where it stands, for which clauses, and its values in order of their days."""

    means: str
    cite: str
    clauses: tuple[str, ...]
    values: tuple[Dated, ...]

    def on(self, day: str | None) -> int | float | tuple[int, ...]:
        """Return the value on a day (ISO): the newest where the day is unknown, the oldest known one for a day before
        all others.
        """
        held = [dated.value for dated in self.values if day is None or (dated.from_ or day) <= day]
        return held[-1] if held else self.values[0].value


@cache
def catalogue() -> dict[str, Figure]:
    """All figures by name, in the order of the law's sections."""
    found: dict[str, Figure] = {}
    for section in sorted(resources.files("verifier.law").joinpath("nd_twenty_one").iterdir(), key=lambda f: f.name):
        if (file := section.joinpath(FILE)).is_file():
            found |= figures_in(file.read_text(encoding="utf-8"))
    return found


def figures_in(text: str) -> dict[str, Figure]:
    """Return the figures of a section by name, from its YAML."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return msgspec.convert(yaml.load(text, Loader=loader), dict[str, Figure])


@cache
def figures_on(day: str | None) -> Figures:
    """Return the figures on the day of play (ISO date, or time); the newest for a log without a date."""
    values: dict[str, object] = {name: figure.on(day[:10] if day else None) for name, figure in catalogue().items()}
    return msgspec.convert(values, Figures)


NEWEST: Final = figures_on(None)
