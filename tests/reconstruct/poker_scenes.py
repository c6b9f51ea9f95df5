"""Scenes of hold'em hands for tests: what lay where at a poker table, without any look at it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec import structs

from verifier.domain.events import AnyEvent, ButtonMoved, EventLog
from verifier.domain.house import Blinds, House
from verifier.domain.layout import Layout, SeatZones, Zones
from verifier.domain.observations import HandSeen, Observation, ObservationsHeader, VideoInfo
from verifier.reconstruct.emit import Clock, Numbering
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.poker.card_dwells import CardDwell
from verifier.reconstruct.poker.hand import PokerScene, decode_hand
from verifier.reconstruct.reconstruction import events_header
from verifier.reconstruct.resting.chip_dwells import ChipDwell
from verifier.reconstruct.scene import BackSeen, event
from verifier.reconstruct.table.detections import Body, detections_of
from verifier.reconstruct.table.zones import TableMap, Xy

RECORDING = ObservationsHeader(video=VideoInfo(name="table.mp4", sha256="0" * 64, width=1600, height=1000))
SEATS = {1: (-600.0, 0.0), 2: (-300.0, -300.0), 3: (300.0, -300.0), 4: (600.0, 0.0)}
"""Middles of the seats' areas, clockwise from the dealer's left."""
HOUSE = House(
    rulebook="nd-poker",
    video_surveillance="present",
    poker_game="high",
    poker_variant="holdem",
    poker_blinds=Blinds(small=100, big=200),
    poker_burn_procedure="before_additional_cards",
    seats=[f"seat:{number}" for number in SEATS],
)
DEALT_S = 0.5


def _box(x: float, y: float, half: float = 120.0) -> list[tuple[float, float]]:
    x, y = x + 800.0, y + 500.0
    return [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]


def layout(**zones: Any) -> Layout:
    """A table drawn at a pixel a millimetre, the dealer at the bottom."""
    drawn = {"dealer": _box(0, 300, 80), "inner": _box(0, 300, 80), "board": _box(0, 0, 110), "pot": _box(0, 160, 45)}
    drawn |= {"muck": _box(250, 250, 80), "burns": _box(-250, 250, 80), **zones}
    seats = {number: SeatZones(area=_box(*at)) for number, at in SEATS.items()}
    return Layout(version=1, image_size=(1600, 1000), zones=Zones(**drawn), seats=seats, pixels_per_mm=1.0)


def card_dwell(
    place: str, rest: float, *, until: float = 100.0, gone: float | None = None, late: float = 0.2, **more: Any
) -> CardDwell:
    """A card at a place; it lies on to the end unless `gone` tells when its place was bare."""
    spots = {f"seat:{number}": at for number, at in SEATS.items()}
    spots |= {"board": (0.0, 0.0), "burns": (-250.0, 250.0), "muck": (250.0, 250.0)}
    xy = spots[place]
    told = {"up": None, "faced": False, "text": "??", "rank_p": 0.0, "p": 0.98, **more}
    return CardDwell(
        place=place,
        xy=told.pop("xy", xy),
        rest=rest,
        early=rest - late,
        until=until,
        gone=math.inf if gone is None else gone,
        **told,
    )


def chip(xy: Xy, t0: float, t1: float = math.inf, cents: int | None = 100) -> ChipDwell:
    """A chip that lies at a place from one time to another."""
    return ChipDwell(xy, cents, t0, t1, 0.98, 19.5, 20, 0, True, min(t1, 100.0))


@dataclass
class Played:
    """A hand of three players: dealt from 10 s on, flop at 30 s, turn at 40 s, river at 50 s, shown at 60 s, decided
    at 70 s. The button lies at seat 4.
    """

    cards: list[CardDwell] = field(default_factory=list)
    dwells: list[ChipDwell] = field(default_factory=list)
    backs: list[BackSeen] = field(default_factory=list)
    button: int | None = 4
    ended: bool = True
    begun: bool = True
    hands: HandLog = field(default_factory=HandLog)

    def reach(self, start: float, end: float, xy: Xy) -> Played:
        """Let the dealer's hand be at a place from one time to another."""
        table = TableMap.of(layout())
        x, y = xy[0] + 820.0, xy[1] + 500.0
        for step in range(round((end - start) * 8)):
            hand = HandSeen(owner="dealer", side="right", p=0.95, box=(x - 40.0, y - 60.0, x + 40.0, y + 60.0))
            self.hands.add(detections_of(Observation(t=start + step / 8, hands=[hand]), table, Body.of(table)))
        return self

    def deal(self, order: Sequence[int] = (1, 2, 3, 4) * 2, **more: Any) -> Played:
        """Deal a card to each seat named, half a second apart."""
        counts: dict[int, int] = {}
        for index, number in enumerate(order):
            turn = counts[number] = counts.get(number, 0) + 1
            x, y = SEATS[number]
            self.cards.append(card_dwell(f"seat:{number}", 10.0 + DEALT_S * index, xy=(x + 56.0 * turn, y), **more))
        return self

    def street(self, t: float, cards: Sequence[str], *, burn: bool = True) -> Played:
        """Burn a card and deal to the board."""
        lying = sum(one.place == "board" for one in self.cards)
        burned = sum(one.place == "burns" for one in self.cards)
        if burn:
            self.cards.append(card_dwell("burns", t - 1.0, xy=(-250.0 + 34.0 * burned, 250.0)))
        for index, text in enumerate(cards):
            at = (-140.0 + 70.0 * (lying + index), 0.0)
            rest = t + 0.6 * index
            self.cards.append(card_dwell("board", rest, xy=at, up=rest, faced=True, text=text, rank_p=0.99))
        return self

    def board(self, **burns: bool) -> Played:
        """Deal flop, turn and river, each with its burned card unless it is told."""
        self.street(30.0, ("2c", "7s", "9h"), burn=burns.get("flop", True))
        self.street(40.0, ("3d",), burn=burns.get("turn", True))
        return self.street(50.0, ("8c",), burn=burns.get("river", True))

    def fold(self, number: int, t: float) -> Played:
        """Let a seat's cards go to the muck."""
        self.cards = [
            structs.replace(one, until=t, gone=t + 1.0) if one.place == f"seat:{number}" else one for one in self.cards
        ]
        self.cards.append(card_dwell("muck", t + 1.2))
        return self

    def show(self, number: int, t: float, cards: Sequence[str]) -> Played:
        """Turn a seat's cards up."""
        texts = iter(cards)
        self.cards = [
            structs.replace(one, up=t, text=next(texts), rank_p=0.99) if one.place == f"seat:{number}" else one
            for one in self.cards
        ]
        return self

    def push(self, number: int, t: float = 70.0) -> Played:
        """Push the pot to a seat."""
        self.dwells += [chip((10.0 + 44.0 * index, 160.0), 25.0, t) for index in (-1, 0)]
        x, y = SEATS[number]
        self.dwells += [chip((x + 44.0 * index, y + 90.0), t + 1.5, t + 4.0) for index in (-1, 0)]
        return self

    def scene(self, house: House = HOUSE) -> PokerScene:
        """The scene, from 5 s to 80 s."""
        card_dwells = tuple(sorted(self.cards, key=lambda one: one.rest))
        return PokerScene(
            table=TableMap.of(layout()),
            hands=self.hands,
            house=house,
            card_dwells=card_dwells,
            dwells=tuple(self.dwells),
            backs=tuple(self.backs),
            since=5.0,
            start=10.0,
            end=80.0,
            begun=self.begun,
            ended=self.ended,
        )

    def events(self, house: House = HOUSE) -> list[AnyEvent]:
        """The events of the hand, numbered."""
        drafts = decode_hand(self.scene(house))
        if self.button is not None:
            drafts.append(event(ButtonMoved, 6.0, 6.1, 0.95, to=f"seat:{self.button}"))
        numbers = Numbering()
        numbers.shoe = None
        return numbers.number(drafts, Clock(), {id(draft): 1 for draft in drafts})

    def log(self, house: House = HOUSE) -> EventLog:
        """The log of the hand, as of a recording."""
        return EventLog(events_header(layout(), house, RECORDING), tuple(self.events(house)))


def whole() -> Played:
    """A hand that keeps the rule: seat 2 and 4 fold, seat 3 wins with a set."""
    played = Played().deal().fold(2, 20.0).board().fold(4, 36.0)
    return played.show(1, 60.0, ("As", "Kd")).show(3, 62.0, ("9s", "9d")).push(3)
