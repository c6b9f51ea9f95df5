"""The stage of a performance: who and what is on the table, and the record of what truly happens there."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal, cast

from msgspec import Struct

from verifier.domain.cards import Card
from verifier.domain.events import AnyEvent, Event
from verifier.domain.places import Place
from verifier.simulate.actors import Elbow, Hand
from verifier.simulate.bodies import BillBody, Body, CardBody, ChipBody, Pose, PropBody
from verifier.simulate.scene import Scene, Vec
from verifier.simulate.table import CHIP_THICKNESS_MM, TablePlan

_OUT_MM: Final = 700.0
"""How far behind its wager spot a player's idle hand is kept, out of the picture, and its elbow."""
_ELBOW_MM: Final = 1000.0


class Deviation(Struct, frozen=True, kw_only=True):
    """A planted breach as it truly happened (docs/formats.md)."""

    clause: str
    round: int | None
    at: str | None
    t_start: float
    t_end: float


class Person(Struct, frozen=True):
    """The two hands of a person; players have one hand over the table, `left` is then the same as `right`."""

    name: str
    left: Hand
    right: Hand


class Timetable:
    """Which objects may be there at a time, found in whole seconds: a long recording has thousands."""

    def __init__(self, bodies: Sequence[Body]) -> None:
        self._by_second: dict[int, list[Body]] = defaultdict(list)
        last = int(max((max(body.born, body.settled) for body in bodies), default=0.0)) + 2
        for body in bodies:
            for second in range(int(body.born), min(last, int(min(body.gone, 1e9))) + 1):
                self._by_second[second].append(body)
        self._last = last

    def at(self, t: float) -> list[Body]:
        """Objects that are there at `t`, in the order in which they came."""
        return [body for body in self._by_second[min(int(t), self._last)] if body.there(t)]


@dataclass(frozen=True)
class _Noted:
    """An event that truly happens, without its number and its clock."""

    make: Callable[..., AnyEvent]
    t_start: float
    t_end: float
    fields: Mapping[str, object]

    def event(self, ident: str, clock: str) -> AnyEvent:
        """Return the event."""
        times = {"t_start": self.t_start, "t_end": self.t_end}
        return self.make(id=ident, p=1.0, source="video", clock=clock, **times, **self.fields)


class Stage:
    """Everything that a performance is built on; steps of play extend it in the order of time."""

    def __init__(self, plan: TablePlan, rng: random.Random, begins: datetime, *, spaces: tuple[int, ...]) -> None:
        self.plan, self.rng, self.begins = plan, rng, begins
        self.cards: list[CardBody] = []
        self.chips: list[ChipBody] = []
        self.props: list[PropBody] = []
        self.bills: list[BillBody] = []
        self.hands: list[Hand] = []
        self.deviations: list[Deviation] = []
        self.pace = rng.uniform(1.05, 1.4)
        self.round: int | None = None
        self.shoe = 1
        self.seq = 0
        self.dealer_name = "D1"
        self._records: list[_Noted] = []
        self._ids = 0
        self._timetable: Timetable | None = None
        self.players = {space: self._player(space) for space in spaces}
        self.dealer = self.new_dealer("D1", 0.0, away=False)

    def new_dealer(self, name: str, t: float, *, away: bool) -> Person:
        """Return a dealer's hands at rest, or out of the picture when `away`."""
        jitter = self.rng.uniform
        hands: dict[str, Hand] = {}
        for side, sign in (("left", -1.0), ("right", 1.0)):
            rest = (sign * (235.0 + jitter(-30, 40)), 262.0 + jitter(-20, 25))
            body: Literal["left", "right"] = "left" if side == "left" else "right"
            start = (sign * 260.0, 860.0) if away else rest
            hand = Hand(self.next_id(), "dealer", name, body, Elbow((sign * 210.0, 640.0), 0.42, 300.0), start, t)
            hand.rest, hand.pace = rest, self.pace
            hands[side] = hand
            self.hands.append(hand)
        self.dealer = Person(name, hands["left"], hands["right"])
        self.dealer_name = name
        return self.dealer

    def card(self, card: Card, face: Literal["up", "down"], pose: Pose, t: float) -> CardBody:
        """Bring a card into view."""
        body = CardBody(self.next_id(), t, pose, card, face)
        self.cards.append(body)
        return body

    def chip(self, cents: int, pose: Pose, t: float) -> ChipBody:
        """Bring a chip into view."""
        body = ChipBody(self.next_id(), t, pose, cents)
        self.chips.append(body)
        return body

    def stack(self, values: list[int], at: Vec, t: float) -> list[ChipBody]:
        """Bring a stack of chips into view, highest value lowest as the rules want (99-01.3-08-09(3))."""
        ordered = sorted(values, reverse=True)
        return [
            self.chip(value, (*at, level * CHIP_THICKNESS_MM, self.rng.uniform(0, 360)), t)
            for level, value in enumerate(ordered)
        ]

    def prop(self, kind: str, pose: Pose, size: Vec, t: float) -> PropBody:
        """Bring a prop into view."""
        body = PropBody(self.next_id(), t, pose, kind, size, self.rng.randrange(1 << 16))
        self.props.append(body)
        return body

    def bill(self, cents: int, pose: Pose, t: float, face: Literal["up", "down"] = "down") -> BillBody:
        """Bring a bank note into view."""
        body = BillBody(self.next_id(), t, pose, cents, face)
        self.bills.append(body)
        return body

    def player_hand(self, place: str) -> Hand:
        """Return the hand of the player of a space."""
        return self.players[Place.parse(place).number]

    def near(self, at: Vec, spread: float = 3.0) -> Vec:
        """Return a point beside `at`, as people place things."""
        return (at[0] + self.rng.uniform(-spread, spread), at[1] + self.rng.uniform(-spread, spread))

    def note(self, kind: type[Event], t_start: float, t_end: float, /, **fields: object) -> None:
        """Record an event that truly happens."""
        make = cast(Callable[..., AnyEvent], kind)
        common = {"round": self.round, "shoe": self.shoe, "dealer": self.dealer_name}
        self._records.append(_Noted(make, round(t_start, 3), round(t_end, 3), {**common, **fields}))

    def deviate(self, clause: str, at: str | None, t_start: float, t_end: float) -> None:
        """Record a planted breach."""
        self.deviations.append(
            Deviation(clause=clause, round=self.round, at=at, t_start=round(t_start, 3), t_end=round(t_end, 3))
        )

    def clock_at(self, t: float) -> datetime:
        """Return the recording's wall time, to the second."""
        return (self.begins + timedelta(seconds=t)).replace(microsecond=0)

    def events(self) -> tuple[AnyEvent, ...]:
        """Everything that was recorded, ordered by end, with ids."""
        ordered = sorted(self._records, key=lambda one: (one.t_end, one.t_start))
        return tuple(
            one.event(f"e{number:05d}", self._clock_text(one.t_end)) for number, one in enumerate(ordered, start=1)
        )

    def scene_at(self, t: float) -> Scene:
        """Return the table at time `t`; the play must be over, so that nothing is added to it."""
        if self._timetable is None:
            self._timetable = Timetable([*self.cards, *self.chips, *self.props, *self.bills])
        there = self._timetable.at(t)
        cards = [body.sprite_at(t) for body in there if isinstance(body, CardBody)]
        chips = [body.sprite_at(t) for body in there if isinstance(body, ChipBody)]
        hands = [sprite for hand in self.hands if (sprite := hand.sprite_at(t)) is not None]
        return Scene(
            t=t,
            cards=tuple(sorted(cards, key=lambda card: card.z)),
            chips=tuple(sorted(chips, key=lambda c: c.z)),
            hands=tuple(hands),
            props=tuple(body.sprite_at(t) for body in there if isinstance(body, PropBody)),
            bills=tuple(body.sprite_at(t) for body in there if isinstance(body, BillBody)),
            clock=self.clock_at(t).strftime("%Y-%m-%d %H:%M:%S"),
        )

    def all_rest(self, t: float) -> None:
        """Everybody's hands go back to rest."""
        for hand in self.hands:
            if not hand.gone:
                hand.go_rest(max(t, hand.free))

    def next_id(self) -> int:
        """Return a number that no other object on the stage has."""
        self._ids += 1
        return self._ids

    def _clock_text(self, t: float) -> str:
        return self.clock_at(t).isoformat(timespec="seconds")

    def _player(self, space: int) -> Hand:
        spots = self.plan.spaces[space]
        out = (spots.wager[0] + spots.outward[0] * _OUT_MM, spots.wager[1] + spots.outward[1] * _OUT_MM)
        side: Literal["left", "right"] = self.rng.choice(("right", "right", "right", "left"))
        across = 70.0 if side == "left" else -70.0
        elbow = Elbow(
            (
                spots.wager[0] + spots.outward[0] * _ELBOW_MM - spots.outward[1] * across,
                spots.wager[1] + spots.outward[1] * _ELBOW_MM + spots.outward[0] * across,
            )
        )
        hand = Hand(self.next_id(), "player", f"P{space}", side, elbow, out, 0.0)
        hand.pace = self.pace * self.rng.uniform(0.85, 1.15)
        self.hands.append(hand)
        return hand
