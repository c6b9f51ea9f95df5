"""Faults that stay with an object while it rests: whether it is seen, what it is taken for, which track it has."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from verifier.domain.observations import CardSeen, ChipSeen, HandSeen, Rank
from verifier.simulate.detections.levels import (
    COLOUR_MOVING,
    CONFUSED,
    COVERED,
    MISREAD_MOVING,
    UNREAD_BY_SHARE,
    WRONG_BY_SHARE,
    Noise,
    Stubborn,
    by_share,
)

_Rng = np.random.Generator
_MOVED_PX: Final = 4.0
_FORGOTTEN: Final = {"card": (4.0, 0.8), "chip": (4.0, 0.7), "hand": (0.7, 0.7)}
"""Seconds unseen after which a track ends: at rest, moving."""
_MOST_MISREAD: Final = 0.35
_SURE: Final = 0.995
"""What a reader gives at most: 90 of 100 right answers are between 0.994 and 0.995."""
_SHARES: Final = (0.3, 0.5, 0.75)
Family = Literal["card", "chip", "hand"]


@dataclass
class Memory:
    """What a detector makes of one object now: it begins anew when the object has moved on."""

    family: Family
    track: int
    place: NDArray[np.float64]
    since: float
    seen: float
    miss: float = 0.0
    bias: NDArray[np.float64] = field(default_factory=lambda: np.zeros(2))
    moving: bool = True
    face: str = ""
    covered: bool = False
    shows: int = -1
    rank: str | None = None
    sure: float = 0.9
    colour: str | None = None
    side_fault: float = 1.0


class Faults:
    """The memories of all objects of one recording."""

    def __init__(self, noise: Noise, rng: _Rng) -> None:
        self._noise, self._rng = noise, rng
        self._known: dict[int, Memory] = {}
        self._tracks = count(1)

    def of(self, family: Family, ident: int, place: tuple[float, float], t: float) -> Memory:
        """Return the memory of an object (its true `ident`) that is at `place` (pixels) now."""
        here = np.asarray(place)
        known = self._known.get(ident)
        if known is None or t - known.seen > _FORGOTTEN[family][known.moving]:
            known = Memory(family, next(self._tracks), here, t, t)
            self._settle(known, moving=True)
            self._known[ident] = known
            return known
        moved = float(np.abs(here - known.place).max()) > _MOVED_PX
        if moved != known.moving or moved:
            if moved and self._rng.random() < self._noise.broken_track:
                known.track = next(self._tracks)
                known.shows = -1
            if moved != known.moving:
                self._settle(known, moving=moved)
                known.since = t
        known.place = here
        return known

    def missed(self, known: Memory, t: float, extra: float = 0.0) -> bool:
        """Tell whether this look misses the object; a look that does not keeps the track alive."""
        if self._rng.random() < known.miss + extra:
            return True
        known.seen = t
        return False

    def _settle(self, known: Memory, *, moving: bool) -> None:
        """Begin a stretch of motion or of rest with its own faults."""
        known.moving = moving
        rule = self._rule(known)
        stubborn = self._rng.random() < rule.share
        known.miss = rule.moving if moving else (rule.bad if stubborn else rule.usual)
        known.bias = self._rng.normal(0.0, self._noise.jitter * 0.8, 2)
        known.side_fault = float(self._rng.random())
        known.shows, known.colour = -1, None

    def _rule(self, known: Memory) -> Stubborn:
        if known.family == "card":
            if known.face == "up":
                return self._noise.face_up
            return self._noise.covered if known.covered else self._noise.face_down
        return self._noise.chip if known.family == "chip" else self._noise.hand

    def face(self, known: Memory, card: CardSeen) -> None:
        """Note a card's side and how much of it shows; a change of either begins the reading anew."""
        share = card.visible if card.visible is not None else 1.0
        if card.face != known.face or (share < COVERED) != known.covered:
            known.face, known.covered = card.face, share < COVERED
            self._settle(known, moving=known.moving)
        shows = sum(share >= bound for bound in _SHARES)
        if card.rank is not None and (shows > known.shows or (known.shows < 0)):
            known.shows = shows
            self._read(known, card.rank, share)

    def _read(self, known: Memory, rank: Rank, share: float) -> None:
        draw, times = self._rng.random(), self._noise.misread
        unread = min(0.9, times * max(by_share(UNREAD_BY_SHARE, share), MISREAD_MOVING * known.moving))
        wrong = min(_MOST_MISREAD, times * max(by_share(WRONG_BY_SHARE, share), MISREAD_MOVING * known.moving))
        if draw < unread:
            known.rank, known.sure = None, 0.0
        elif draw < unread + wrong:
            known.rank = str(self._rng.choice([*CONFUSED[rank]]))
            known.sure = float(1.0 - 0.45 * self._rng.beta(0.7, 1.6))
        else:
            known.rank = rank
            doubtful = self._rng.random() < (0.02 if share > 0.5 else 0.1)
            known.sure = float(self._rng.uniform(0.6, 0.99)) if doubtful else _SURE

    def colour(self, known: Memory, chip: ChipSeen) -> str:
        """Return the colour that a chip is taken for."""
        if known.colour is None:
            slip = self._rng.random() < self._noise.colour_wrong * (COLOUR_MOVING if known.moving else 1.0)
            known.colour = str(self._rng.choice(_LOOKS_LIKE[chip.colour])) if slip else chip.colour
        return known.colour

    def side(self, known: Memory, hand: HandSeen) -> str:
        """Return the side that a hand is taken for, for as long as it moves or rests."""
        if known.side_fault < self._noise.side_wrong:
            return "left" if hand.side == "right" else "right"
        return hand.side

    def cross(self, first: int, second: int) -> None:
        """Two tracks change owners: chips of a stack that is being spread."""
        one, other = self._known.get(first), self._known.get(second)
        if one is not None and other is not None:
            one.track, other.track = other.track, one.track

    def new_track(self) -> int:
        """Return a track of something that is not there."""
        return next(self._tracks)


_LOOKS_LIKE: Final[dict[str, list[str]]] = {
    "mustard": ["white", "pink"], "white": ["pink", "red"], "pink": ["white", "red"], "red": ["pink", "other"],
    "green": ["black", "other"], "black": ["green", "other"], "other": ["black", "red"],
}  # fmt: skip
