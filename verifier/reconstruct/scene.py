"""What one stretch of play left behind: the input of the decoders that run when a round is over."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TypeVar

from msgspec import Struct, structs

from verifier.domain.events import AnyEvent, HandsClear
from verifier.reconstruct import parameters as par
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.resting.bills import BillLook
from verifier.reconstruct.resting.card_tracks import CardTrack
from verifier.reconstruct.resting.chip_dwells import ChipDwell
from verifier.reconstruct.table.zones import TableMap, Xy

E = TypeVar("E")


class HeldBust(Struct, frozen=True):
    """A busted hand held aside: the numbers of its cards, the pile that they became, and when they were taken."""

    cards: frozenset[int]
    pile: CardTrack
    since: float


class BackSeen(Struct, frozen=True):
    """A face-down card at time `t` (moving or at rest)."""

    t: float
    xy: Xy
    p: float


class RoundScene(Struct, frozen=True, kw_only=True):
    """A round from its first card to its end.

    `since` is when the round before was over (wagers placed after it are this round's); `ended` is False where the
    recording stops before the cards were picked up, and `begun` False where they lay there when it began.
    """

    table: TableMap
    hands: HandLog
    cards: tuple[CardTrack, ...]
    dwells: dict[int, list[ChipDwell]]
    """Chips by space; 0 holds those of the inner table area."""
    since: float
    start: float
    end: float
    begun: bool
    ended: bool
    reader: bool = False
    """Whether the house's dealers look at the hole card in a reader."""
    natural_odds: Fraction = par.ODDS_NATURAL
    """What the house pays for one on a natural."""
    keyed: bool = False
    """Whether nobody looked but where something changed: what leaves no change may have gone on between."""
    surrenders: bool = False
    """Whether the house's rules know surrender, allowed or not."""
    banked: bool = False
    """Whether a player deals and banks, who covers each wager with chips beside it."""
    held: tuple[HeldBust, ...] = ()
    backs: tuple[BackSeen, ...] = ()
    """The looks at backs of cards since the round before."""
    bills: tuple[BillLook, ...] = ()
    """The looks for bank notes since the round before."""


class FaceSeen(Struct, frozen=True):
    """A card that shows its face at the discards at time `t`, as it was read: `Kh`, `K?`."""

    t: float
    card: str


class ChipGlimpse(Struct, frozen=True):
    """A chip that one look shows in the inner area at time `t`; `cents` None where its colour has no value."""

    t: float
    xy: Xy
    cents: int | None


class Between(Struct, frozen=True, kw_only=True):
    """A stretch between rounds: hands, all face-down cards that were seen in it, and the chips that lay there."""

    table: TableMap
    hands: HandLog
    backs: tuple[BackSeen, ...]
    faces: tuple[FaceSeen, ...] = ()
    chips: tuple[ChipDwell, ...] = ()
    glimpses: tuple[ChipGlimpse, ...] = ()
    bills: tuple[BillLook, ...] = ()
    """The looks for bank notes."""
    played: bool = True
    """Whether a round was seen before."""
    away: float | None = None
    """When a dealer left of whom a stretch before told, and who had not come back by its end."""
    banked: bool = False
    """Whether players deal in turn, who neither show their hands nor take tips as they leave."""
    start: float
    end: float


def event(cls: type[E], t_start: float, t_end: float, p: float, /, **fields: object) -> E:
    """Return an event without its number; `emit` gives it id, clock, round, shoe and dealer."""
    times = {"t_start": round(min(t_start, t_end), 3), "t_end": round(t_end, 3)}
    make: Callable[..., E] = cls
    return make(id="e00000", p=round(min(1.0, max(0.0, p)), 3), source="video", **times, **fields)


def hands_clear(stretch: tuple[float, float], p: float, region: str = "inner") -> HandsClear:
    """Return that the hands left what lies in a region for a `stretch`; weak where they only may have."""
    length = round(stretch[1] - stretch[0], 3)
    return event(HandsClear, *stretch, p, region=region, duration=length, occluded=p <= par.WEAK_P)


Drafts = list[AnyEvent]


def unsure(drafts: Drafts) -> Drafts:
    """Return the records, weak where their looks show too little to accuse anybody."""
    return [structs.replace(draft, p=min(draft.p, par.WEAK_P)) for draft in drafts]
