"""A round as people read it: each place's cards and money, and what happened in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct, field

from verifier.domain.events import (
    AnyEvent,
    CardDealt,
    CardRevealed,
    CardsMoved,
    ChipsCollected,
    ChipsReturned,
    EventLog,
    PayoffPlaced,
    PushTapped,
    WagerChanged,
    WagerPlaced,
)
from verifier.domain.findings import Finding
from verifier.engine.totals import hand_total
from verifier.review.wording import plain_event, plain_kind, plain_money

_AROUND_S = 8.0
"""A finding between rounds shows the events within this many seconds of it."""


class HandView(Struct, kw_only=True):
    """What lay at one place in a round; `money` is what was staked there, `settled` what became of it."""

    place: str
    cards: list[str] = field(default_factory=list)
    money: list[str] = field(default_factory=list)
    settled: list[str] = field(default_factory=list)

    @property
    def total(self) -> str:
        """The total of the cards; `?` where one of them was not read, nothing where there are none."""
        ranks = [card[0] for card in self.cards]
        if not ranks or "?" in ranks:
            return "?" if ranks else ""
        total = hand_total(ranks)
        return f"soft {total.best}" if total.soft else str(total.best)


_At = Callable[[str], HandView]


class Step(Struct, frozen=True, kw_only=True):
    """One event in plain words, from `t` to `t_end` (s) at the place `at`.

    `weak` where it was hardly to be seen, `cited` where the finding rests on it.
    """

    id: str
    t: float
    t_end: float
    at: str | None
    what: str
    p: float
    weak: bool
    cited: bool


class RoundView(Struct, frozen=True, kw_only=True):
    """A round, or the time around a finding between rounds (`number` None)."""

    number: int | None
    dealer: HandView
    hands: list[HandView]
    steps: list[Step]


def view_round(log: EventLog, finding: Finding) -> RoundView:
    """Return the round that a finding speaks of, or the events near it where it lies between rounds."""
    events = [event for event in log.events if _belongs(event, finding)]
    hands: dict[str, HandView] = {}
    for event in events:
        _apply(event, hands)
    return RoundView(
        number=finding.round,
        dealer=hands.pop("dealer", HandView(place="dealer")),
        hands=[hands[place] for place in sorted(hands) if place.startswith(("space", "seat"))],
        steps=_steps(sorted(events, key=lambda event: event.t_start), set(finding.events)),
    )


def _belongs(event: AnyEvent, finding: Finding) -> bool:
    if finding.round is not None:
        return event.round == finding.round
    return finding.t_start - _AROUND_S <= event.t_end and event.t_start <= finding.t_end + _AROUND_S


def _steps(events: Iterable[AnyEvent], cited: set[str]) -> list[Step]:
    return [
        Step(
            id=event.id,
            t=event.t_start,
            t_end=event.t_end,
            at=_place_of(event),
            what=plain_event(event),
            p=event.p,
            weak=event.weak,
            cited=event.id in cited,
        )
        for event in events
    ]


def _place_of(event: AnyEvent) -> str | None:
    """Return the place of an event without its hand; None if it has none."""
    named = next(
        (getattr(event, name, None) for name in ("at", "to", "from_", "region") if getattr(event, name, None)), None
    )
    return str(named).partition("/")[0] if named else None


def _apply(event: AnyEvent, hands: dict[str, HandView]) -> None:
    """Add an event to the place that it touches."""

    def at(place: str) -> HandView:
        name = place.removesuffix("/0")
        return hands.setdefault(name, HandView(place=name))

    match event:
        case CardDealt():
            at(event.to).cards.append(event.card)
        case CardRevealed():
            _reveal(at(event.at), event.card)
        case CardsMoved(kind="split"):
            if at(event.from_).cards:
                at(event.to).cards.append(at(event.from_).cards.pop())
        case WagerPlaced():
            at(event.at).money.append(f"{plain_kind(event.kind)} {_sum(event.cents, event.lower_bound)}".rstrip())
        case WagerChanged():
            change = f"{_sum(event.cents_before) or '?'} to {_sum(event.cents_after) or '?'}"
            at(event.at).money.append(f"{plain_kind(event.kind)} changed {change}")
        case _:
            _settle(event, at)


def _settle(event: AnyEvent, at: _At) -> None:
    match event:
        case PayoffPlaced():
            at(event.at).settled.append(
                f"{plain_kind(event.kind)} paid {_sum(event.cents, event.lower_bound)}".rstrip()
            )
        case ChipsCollected():
            at(event.at).settled.append(f"{plain_kind(event.kind)} taken {_sum(event.cents)}".rstrip())
        case ChipsReturned():
            at(event.at).settled.append(f"{plain_kind(event.kind)} returned {_sum(event.cents)}".rstrip())
        case PushTapped():
            at(event.at).settled.append("push tapped")
        case _:
            return


def _sum(cents: int | None, lower_bound: bool | None = False) -> str:
    """`$5.00`; `≥ $5.00` for a stack that may hide chips; nothing where it was not seen."""
    if cents is None:
        return ""
    return ("≥ " if lower_bound else "") + plain_money(cents)


def _reveal(hand: HandView, card: str) -> None:
    """Turn the first unread card of the hand into `card`."""
    for index, known in enumerate(hand.cards):
        if known == "??":
            hand.cards[index] = card
            return
    if card not in hand.cards:
        hand.cards.append(card)
