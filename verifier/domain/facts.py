"""The facts that a finding rests on, by type: what its sentences are made from (docs/formats.md).

Each fact has the name of its part in the sentence (`role`), such as `hand` or `paid`.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Remark = Literal[
    "seen_too_weakly",
    "not_seen_surely",
    "narrow",
    "begins_amid_round",
    "stopped_in_round",
    "stopped_then",
    "ends_amid_round",
    "card_missing",
    "perhaps_unheard",
    "picture_turned",
    "surveillance_unknown",
    "covers_unread",
    "sum_not_told",
    "fan_not_told",
]
"""Why a finding is open, or what it leaves open, beside what was seen."""


class Fact(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False, tag_field="fact"):
    """What all facts have: their part in the sentence; "" where they have none of their own."""

    role: str = ""


class PlaceFact(Fact, frozen=True, kw_only=True, gc=False, tag="place"):
    """A place of the table, such as `space:3/1`, `seat:2`, `dealer`."""

    at: str


class CardsFact(Fact, frozen=True, kw_only=True, tag="cards"):
    """Cards by rank, `?` for one that was not read, with the least and the greatest total that they may have.

    Totals are null where no card was read as of a hand.
    """

    cards: tuple[str, ...]
    low: int | None = None
    high: int | None = None
    of_dealer: bool = False


class MoneyFact(Fact, frozen=True, kw_only=True, gc=False, tag="money"):
    """An amount between `low` and `high` cents; `high` is null where it has no upper bound."""

    low: int
    high: int | None


class MomentFact(Fact, frozen=True, kw_only=True, gc=False, tag="moment"):
    """A moment of the log, in seconds."""

    t: float


class NumberFact(Fact, frozen=True, kw_only=True, gc=False, tag="number"):
    """A number that was counted, measured or told by a record; `unit` is its unit."""

    value: float
    unit: str = ""


class ShareFact(Fact, frozen=True, kw_only=True, gc=False, tag="share"):
    """A part of a whole, 1 being all of it; `digits` of its percentage are told."""

    value: float
    digits: int = 0


class FigureFact(Fact, frozen=True, kw_only=True, gc=False, tag="figure"):
    """A figure of the rule, by its name in the law's catalogue; an amount is in cents."""

    name: str
    value: float
    money: bool = False


class DayFact(Fact, frozen=True, kw_only=True, gc=False, tag="day"):
    """A day (ISO); null where it is not known."""

    day: str | None


class WordsFact(Fact, frozen=True, kw_only=True, gc=False, tag="words"):
    """Words: of a record, of what was said, or what kind of thing is meant."""

    text: str


AnyFact = PlaceFact | CardsFact | MoneyFact | MomentFact | NumberFact | ShareFact | FigureFact | DayFact | WordsFact


class Facts(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The facts of a finding: of what was expected, of what was observed, and why it is open or leaves a thing open.

    `papers` names the records of the site that it rests on. `said` is what was said of the facts: both sentences with
    the part of each fact in its place, such as `the chips of {hand} were swept`; facts alone do not tell that.
    """

    said: list[str] = []
    expected: list[AnyFact] = []
    observed: list[AnyFact] = []
    remarks: list[Remark] = []
    papers: list[str] = []
