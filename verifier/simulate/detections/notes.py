"""Bank notes as their finder and reader tell them: a look now and then at those that lie in the inner table area."""

from __future__ import annotations

from typing import Final, Literal, cast

import cv2
import numpy as np
from msgspec import UNSET, Struct, UnsetType
from numpy.typing import NDArray

from verifier.domain.observations import BillSeen, CardSeen
from verifier.simulate.annotate import Shares
from verifier.simulate.detections.incidents import Incidents
from verifier.simulate.detections.levels import NoteFaults
from verifier.simulate.detections.written import probability, quad_at
from verifier.simulate.perform import Performance
from verifier.simulate.render import Camera
from verifier.simulate.render.notes import BILL_MM
from verifier.simulate.render.order import lift, rectangle
from verifier.simulate.scene import BillSprite, Scene, Vec

Floats = NDArray[np.float32]
Face = Literal["up", "down"]
EVERY: Final = 0.7
"""Seconds from look to look, amid rounds too."""
_CENTS: Final = (100, 500, 1000, 2000, 5000, 10000)
_LEAST_SHOWN: Final = 0.3
_OFF_MM: Final = 0.05
"""How far off a look at a bill is at least: one that repeats the last to the last digit is no look of its own."""
_PLAIN: Final = 0.8
_PARTLY: Final = 0.4
_POORER: Final = 6.0
"""A bill of which less than _PLAIN shows is missed at a rate of _PARTLY, and misread so many times as often."""
_RIM_MM: Final = 60.0
"""Bills whose middle is no farther from the inner area are looked for."""
_SURE_BILL: Final = 0.5
"""Probability from which what lies within a bill is no card."""
_STILL_MM: Final = 1.2
_MOVING: Final = 0.8
"""A bill that has moved by more since the look before is missed at this rate."""
_BADLY: Final = (0.5, 0.9)
"""Shares of the looks at a bill that is read badly in which it is misread."""
_SURE: Final = (0.995, 0.02)
_UNSURE: Final = (0.97, 0.2)
"""Probability of a reading at most, and how far below it is on average: a bill's own value, and what it passes for."""


class _Known(Struct, frozen=True):
    """One bill's lasting faults: place and angle (mm, degrees), rate of misreading, and what it is then taken for."""

    off: Vec
    turned: float
    misread: float
    other: int


class Notes:
    """Looks at the scenes of one recording in order of time."""

    def __init__(
        self,
        camera: Camera,
        performance: Performance,
        incidents: Incidents,
        rng: np.random.Generator,
        faults: NoteFaults,
    ) -> None:
        self._camera, self._incidents, self._rng, self._faults = camera, incidents, rng, faults
        self._inner = performance.plan.inner
        self._known: dict[int, _Known] = {}
        self._before: dict[int, Vec] = {}
        self._looked = -1e9
        self._lying: list[Floats] = []

    def look(self, t: float, scene: Scene, shares: Shares) -> list[BillSeen] | UnsetType:
        """Return the bills seen at time `t` (s), given what shows of each; UNSET where they are not looked for."""
        before, self._before = self._before, {bill.id: bill.xy for bill in scene.bills}
        if t - self._looked < EVERY - 1e-6:
            return UNSET
        self._looked = t
        found = []
        for bill in scene.bills:
            x, y = np.subtract(bill.xy, before.get(bill.id, bill.xy))
            one = self._seen(t, bill, shares.bills.get(bill.id, 0.0), moving=bool(np.hypot(x, y) > _STILL_MM))
            found += [] if one is None else [one]
        found += [self._ghost(t)] if self._rng.random() < self._faults.ghost else []
        self._lying = [np.asarray(bill.quad, np.float32) for bill in found if bill.p >= _SURE_BILL]
        return found

    def without_bills(self, cards: list[CardSeen]) -> list[CardSeen]:
        """Return the cards except those whose middle lies in a bill of the last look: those are no cards."""
        return [card for card in cards if not any(_within(card, quad) for quad in self._lying)]

    def _seen(self, t: float, bill: BillSprite, share: float, *, moving: bool) -> BillSeen | None:
        x0, y0, x1, y1 = self._inner
        x, y = (float(value) for value in self._camera.project([(*bill.xy, bill.z)])[0])
        inside = x0 - _RIM_MM < bill.xy[0] < x1 + _RIM_MM and y0 - _RIM_MM < bill.xy[1] < y1 + _RIM_MM
        if not inside or share < _LEAST_SHOWN or self._incidents.hidden(t, (x, y)):
            return None
        faults = self._faults
        known = self._known.setdefault(bill.id, self._drawn(bill.cents))
        rate = max(faults.missed, _PARTLY if share < _PLAIN else 0.0, _MOVING if moving else 0.0)
        if faults.missed and self._rng.random() < rate:
            return None
        ax, ay, turn = self._rng.normal(0.0, 0.7, 3) * max(_OFF_MM, faults.off_mm)
        middle = (bill.xy[0] + known.off[0] + float(ax), bill.xy[1] + known.off[1] + float(ay))
        wrong = self._rng.random() < faults.face_wrong
        face: Face = bill.face if not wrong else "up" if bill.face == "down" else "down"
        poorer = _POORER if share < _PLAIN else 1.0
        values = self._values(bill.cents, known.other, min(0.9, known.misread * poorer))
        return self._told(t, middle, bill.angle + known.turned + float(turn), bill.z, face, values)

    def _values(self, cents: int, other: int, misread: float) -> dict[str, float]:
        """Return a reading of a bill's value, the likeliest first."""
        wrong = self._rng.random() < misread
        said, second = (other, cents) if wrong else (cents, other)
        most, below = (1.0, 0.0) if not self._faults.missed else _UNSURE if wrong else _SURE
        sure = probability(self._rng, most, below)
        return {str(said): sure, str(second): round(0.8 * (1.0 - sure), 4)}

    def _told(
        self,
        t: float,
        middle: Vec,
        angle: float,
        z: float,
        face: Face,
        values: dict[str, float],
        sure: tuple[float, float] = (0.98, 0.04),
    ) -> BillSeen:
        quad = np.asarray(self._camera.project(lift(rectangle(BILL_MM, middle, angle), z))) + self._incidents.shift(t)
        p = 1.0 if not self._faults.missed else probability(self._rng, *sure)
        return BillSeen(p=p, quad=quad_at(quad), face=face, cents=int(next(iter(values))), values=values)

    def _ghost(self, t: float) -> BillSeen:
        """Something in the inner area that passes for a bill in one look."""
        x0, y0, x1, y1 = self._inner
        middle = (float(self._rng.uniform(x0, x1)), float(self._rng.uniform(y0, y1)))
        cents, face = int(self._rng.choice(_CENTS)), cast(Face, str(self._rng.choice(("up", "down"))))
        return self._told(t, middle, float(self._rng.uniform(0.0, 180.0)), 0.0, face, {str(cents): 0.6}, (0.8, 0.2))

    def _drawn(self, cents: int) -> _Known:
        """Return what will be wrong with a bill in all looks at it."""
        x, y, turn = self._rng.normal(0.0, 0.7, 3) * self._faults.off_mm
        badly = self._rng.random() < self._faults.badly
        misread = self._rng.uniform(*_BADLY) if badly else self._faults.misread
        other = self._rng.choice([value for value in _CENTS if value != cents])
        return _Known((float(x), float(y)), float(turn), float(misread), int(other))


def _within(card: CardSeen, quad: Floats) -> bool:
    x, y = (float(value) for value in np.asarray(card.quad).mean(axis=0))
    return cv2.pointPolygonTest(quad, (x, y), False) >= 0
