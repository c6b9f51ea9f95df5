"""What a check says, as facts in their places: `verifier.law.sentences` makes the sentence of it, once.

    say.that("{hand} was paid {paid}", hand=say.place(hand.place), paid=amount)

Nothing is worded here, so that a situation that passes costs no more than its parts. `then` adds what stands beside
it, `detail` what it rests on: a short form of the sentence leaves both out.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from enum import Enum
from typing import TypeAlias

from verifier.domain.facts import (
    AnyFact,
    CardsFact,
    DayFact,
    FigureFact,
    MomentFact,
    MoneyFact,
    NumberFact,
    PlaceFact,
    ShareFact,
    WordsFact,
)

Part = "Said | Fact | Amount | int | float | str | None"
"""What stands in a place of a template; words where it is text."""


class Mark(Enum):
    """What divides a sentence: what stands beside it, and what it rests on."""

    THEN = "; "
    DETAIL = ": "


class Form:
    """A template and what stands in its places, by name."""

    __slots__ = ("parts", "template")

    def __init__(self, template: str, parts: dict[str, object]) -> None:
        self.template = template
        self.parts = parts


Node: TypeAlias = "str | AnyFact | Mark | Form"
"""What a saying is made of."""


class Said:
    """Text, facts and marks in their order; never a sentence by itself."""

    __slots__ = ("nodes",)

    def __init__(self, nodes: tuple[Node, ...]) -> None:
        self.nodes = nodes

    def __add__(self, other: Said | str) -> Said:
        return Said(self.nodes + _nodes(other))

    def __radd__(self, other: str) -> Said:
        return Said((other, *self.nodes))

    def __bool__(self) -> bool:
        return bool(self.nodes)

    def __format__(self, spec: str) -> str:
        raise TypeError("what a check says is worded by verifier.law.sentences alone: make it a part of say.that")

    __str__ = None  # type: ignore[assignment]

    def then(self, other: Said | str, /, **parts: object) -> Said:
        """With what stands beside it, after a semicolon."""
        return Said((*self.nodes, Mark.THEN, *_nodes(that(other, **parts) if isinstance(other, str) else other)))

    def detail(self, other: Said | str, /, **parts: object) -> Said:
        """With what it rests on, after a colon."""
        return Said((*self.nodes, Mark.DETAIL, *_nodes(that(other, **parts) if isinstance(other, str) else other)))


def _nodes(text: Said | str) -> tuple[Node, ...]:
    if isinstance(text, Said):
        return text.nodes
    return (text,) if text else ()


def that(template: str, /, **parts: object) -> Said:
    """Return a template, such as `{hand} was paid {paid}`, with its parts: facts, amounts, numbers, words, other
    sayings.
    """
    return Said((Form(template, parts),) if template else ())


def listed(between: str, items: Iterable[object]) -> Said:
    """Items one after another with a word or a comma between them; false where there are none."""
    nodes: list[Node] = []
    for item in items:
        if nodes:
            nodes.append(between)
        nodes.append(Form("{item}", {"item": item}))
    return Said(tuple(nodes))


def place(at: str | None) -> AnyFact:
    """Return a place of the table or a seat; None for one that was not seen."""
    return WordsFact(text="somebody not seen") if at is None else PlaceFact(at=at)


def cards(names: Iterable[str], low: int | None = None, high: int | None = None, *, of_dealer: bool = False) -> Said:
    """Cards by rank or name, with the least and greatest total that they may have."""
    return Said((CardsFact(cards=tuple(names), low=low, high=high, of_dealer=of_dealer),))


def card(name: str) -> CardsFact:
    """One card, as its event names it."""
    return CardsFact(cards=(name,))


def cents(amount: float | None) -> AnyFact:
    """Return an amount in cents; None for one that was not seen."""
    return MoneyFact(low=0, high=None) if amount is None else MoneyFact(low=round(amount), high=round(amount))


def moment(t: float) -> MomentFact:
    """Return a moment of the log (s)."""
    return MomentFact(t=t)


def number(value: float, unit: str = "") -> NumberFact:
    """Return a number with its unit."""
    return NumberFact(value=value, unit=unit)


def share(value: float, digits: int = 0) -> ShareFact:
    """Return a part of a whole (1), told in percent with so many decimals."""
    return ShareFact(value=value, digits=digits)


def figure(name: str, value: float, *, money: bool = False) -> FigureFact:
    """Return a figure of the rule by its name in the catalogue; `money`: it is in cents."""
    return FigureFact(name=name, value=value, money=money)


def day(value: date | None) -> DayFact:
    """Return a day; None for an unknown one."""
    return DayFact(day=value.isoformat() if value else None)
