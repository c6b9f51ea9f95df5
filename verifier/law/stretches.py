"""Stretches of a session that one act opens: a buy-in, a chip exchange (99-01.3-08-07(3))."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from types import UnionType
from typing import TypeVar

from verifier.domain.events import (
    AnyEvent,
    CardDealt,
    ChipsFromTray,
    ChipsPushed,
    ChipsReceived,
    CurrencySpread,
    RoundStarted,
    TableState,
    TipExchange,
)
from verifier.law.instances import Instance, judged
from verifier.law.say import Said
from verifier.law.session import Session

E = TypeVar("E")

NEXT = CurrencySpread | ChipsReceived | TipExchange | CardDealt | RoundStarted
"""What ends a buy-in or an exchange: the next one, an exchange of tips, or the next card."""


def closes(event: AnyEvent) -> bool:
    """Tell whether the table is closed for the day: what was begun at it is over."""
    return isinstance(event, TableState) and event.state == "closed_day"


def stretches(
    session: Session, start: type[E], *, until: UnionType | type[AnyEvent]
) -> Iterator[tuple[E, tuple[AnyEvent, ...], bool]]:
    """Each opening event, the events up to the first of `until` or the table's closing, and whether that came."""
    for index, event in enumerate(session.events):
        if not isinstance(event, start):
            continue
        members: list[AnyEvent] = []
        went_on = False
        for later in islice(session.events, index + 1, None):
            if isinstance(later, until) or closes(later):
                went_on = True
                break
            members.append(later)
        yield event, tuple(members), went_on


def before(taken: Sequence[ChipsFromTray], pushes: Sequence[ChipsPushed]) -> list[ChipsFromTray]:
    """Those of the movements out of the tray that end before the first push."""
    limit = pushes[0].t_end if pushes else float("inf")
    return [e for e in taken if e.t_end <= limit]


def step(
    clause: str, root: AnyEvent, right: bool | None, expected: Said | str, observed: Said | str, *more: AnyEvent
) -> Instance:
    """One judged step of a procedure that takes place in the inner table area."""
    return judged(clause, right, key=root.id, at="inner", events=[root, *more], expected=expected, observed=observed)
