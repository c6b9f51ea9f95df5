"""Bills that pass for cards: for backs mostly, for faces now and then, always the same ones and on and off."""

from __future__ import annotations

from typing import Final, cast

import numpy as np

from verifier.domain.cards import RANKS
from verifier.domain.layout import CARD_MM
from verifier.domain.observations import CardSeen, HandSeen, Rank
from verifier.simulate.detections.incidents import Incidents
from verifier.simulate.detections.written import probability, quad_at
from verifier.simulate.render import Camera
from verifier.simulate.render.order import lift, rectangle
from verifier.simulate.scene import BillSprite, Scene

_LOOKS: Final = 0.6
"""Most of a bill's looks in which it passes for a card, if it ever does.

On 10 watched recordings with bills 1 to 50 % of the looks at them told a card, 19 % in all (2026-11-22).
"""
_FACES: Final = 0.25
_READ: Final = 0.3
"""Share of those that pass for a face, and of these that pass for one that can be read."""
_OFF_MM: Final = 20.0
_FIRST_TRACK: Final = 800_000


class Bills:
    """Looks at the scenes of one recording in order of time."""

    def __init__(self, camera: Camera, incidents: Incidents, rng: np.random.Generator, passing: float) -> None:
        self._camera, self._incidents, self._rng, self._passing = camera, incidents, rng, passing
        self._known: dict[int, tuple[float, float, Rank | None]] = {}

    def look(self, t: float, scene: Scene, hands: list[HandSeen]) -> list[CardSeen]:
        """Return the cards that bills are mistaken for at time `t` (s), given the hands seen."""
        seen = (self._seen(t, bill, hands) for bill in scene.bills)
        return [card for card in seen if card is not None]

    def _seen(self, t: float, bill: BillSprite, hands: list[HandSeen]) -> CardSeen | None:
        """Return a card amid the bill, if the bill is mistaken for one in this look."""
        share, off, rank = self._known.setdefault(bill.id, self._drawn())
        if self._rng.random() >= share:
            return None
        turn = np.radians(bill.angle)
        middle = (bill.xy[0] + off * float(np.cos(turn)), bill.xy[1] + off * float(np.sin(turn)))
        quad = np.asarray(self._camera.project(lift(rectangle(CARD_MM[::-1], middle, bill.angle), bill.z)))
        x, y = (float(value) for value in quad.mean(axis=0))
        over = any(x0 < x < x1 and y0 < y < y1 for x0, y0, x1, y1 in (hand.box for hand in hands))
        if over or self._incidents.hidden(t, (x, y)):
            return None
        shaken = quad + self._incidents.shift(t) + self._rng.normal(0.0, 2.0, (4, 2))
        return CardSeen(
            id=_FIRST_TRACK + bill.id,
            face="down" if rank is None else "up",
            p=probability(self._rng, 0.75, 0.15),
            quad=quad_at(shaken),
            rank=rank,
            ranks=None if rank is None else {rank: 0.93},
        )

    def _drawn(self) -> tuple[float, float, Rank | None]:
        """In which share of its looks a bill passes for a card, how far from its middle, and for which face."""
        passing = self._rng.random() < self._passing
        share, off = self._rng.uniform(0.05, _LOOKS), self._rng.normal(0.0, _OFF_MM)
        face, read = self._rng.random() < _FACES, self._rng.random() < _READ
        rank = cast(Rank, str(self._rng.choice(RANKS))) if face and read else None
        return (float(share) if passing else 0.0, float(off), rank)
