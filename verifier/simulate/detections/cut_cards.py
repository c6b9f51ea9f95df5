"""Cut cards that lie by the shoe, as the finder of plain cards tells them: every other second, if nothing is near."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import UNSET, UnsetType

from verifier.domain.observations import Box, CutCardSeen, HandSeen
from verifier.simulate.detections.incidents import Incidents
from verifier.simulate.detections.written import quad_at
from verifier.simulate.render import Camera
from verifier.simulate.render.order import lift, rectangle
from verifier.simulate.render.props import kind_of
from verifier.simulate.scene import PropSprite, Scene

EVERY: Final = 2.0
LYING_MM: Final = 2.0
"""Height up to which one lies on the table."""
MISSED: Final = 0.02
"""Share of looks that miss one: 1 of 81 stills of cards that lay (2026-11-22)."""


class CutCards:
    """Looks at the scenes of one recording in order of time."""

    def __init__(self, camera: Camera, incidents: Incidents, rng: np.random.Generator, jitter: float) -> None:
        self._camera, self._incidents, self._rng, self._jitter = camera, incidents, rng, jitter
        self._looked = -1e9

    def look(self, t: float, scene: Scene, hands: list[HandSeen]) -> list[CutCardSeen] | UnsetType:
        """Return the cut cards seen at time `t` (s), given the hands seen; UNSET where they are not looked for."""
        if t - self._looked < EVERY - 1e-6:
            return UNSET
        self._looked = t
        lying = (prop for prop in scene.props if kind_of(prop.kind) == "cut_card" and prop.z <= LYING_MM)
        seen = (self._seen(t, prop, [hand.box for hand in hands]) for prop in lying)
        return [one for one in seen if one is not None]

    def _seen(self, t: float, prop: PropSprite, hands: list[Box]) -> CutCardSeen | None:
        quad = np.asarray(self._camera.project(lift(rectangle(prop.size, prop.xy, prop.angle), prop.z)))
        low, high = quad.min(axis=0), quad.max(axis=0)
        near = any(low[0] < x1 and x0 < high[0] and low[1] < y1 and y0 < high[1] for x0, y0, x1, y1 in hands)
        middle = (float(quad[:, 0].mean()), float(quad[:, 1].mean()))
        if near or self._incidents.hidden(t, middle) or self._rng.random() < MISSED:
            return None
        shift = self._incidents.shift(t) + self._rng.normal(0.0, self._jitter, (4, 2))
        return CutCardSeen(p=0.9, quad=quad_at(quad + shift))
