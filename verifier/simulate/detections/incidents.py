"""What happens to the view now and then: pictures that fail, people who lean in, a camera that is knocked."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from verifier.domain.observations import Point, Quad
from verifier.simulate.detections.levels import Noise
from verifier.simulate.perform import Performance
from verifier.simulate.render import Camera
from verifier.simulate.table import CARD_MM

_Times = list[tuple[float, float]]
_LEAN_SHARE: Final = 0.09
"""Radius of what somebody who leans in hides, by the picture's width."""


class _Lean(Struct, frozen=True):
    start: float
    end: float
    at: Point
    radius: float


class Incidents:
    """The incidents of one recording, drawn beforehand."""

    def __init__(self, performance: Performance, camera: Camera, noise: Noise, rng: np.random.Generator) -> None:
        self._rng, hours = rng, performance.duration / 3600.0
        seconds = performance.duration
        self._gaps = self._stretches(noise.gaps_an_hour * hours, seconds, 0.4, 2.5)
        width = camera.size[0]
        self._leans = [
            _Lean(start, end, self._on_arc(performance, camera), width * _LEAN_SHARE * float(rng.uniform(0.7, 1.2)))
            for start, end in self._stretches(noise.leans_an_hour * hours, seconds, 1.0, 4.0)
        ]
        self._bumps = [
            (start, rng.normal(0.0, 1.0, 2) * float(rng.uniform(2.0, 5.0)))
            for start, _ in self._stretches(noise.bumps_an_hour * hours, seconds, 0.1, 0.2)
        ]
        self._prints = [self._print(performance, camera) for _ in range(int(rng.poisson(noise.felt_ghosts)))]
        self._spots = [self._print(performance, camera)[0] for _ in range(int(rng.poisson(noise.felt_ghosts)))]

    def blind(self, t: float) -> bool:
        """Tell whether there is no usable picture."""
        return any(start <= t < end for start, end in self._gaps)

    def hidden(self, t: float, at: Point) -> bool:
        """Tell whether somebody leans over a point."""
        return any(
            lean.start <= t < lean.end and np.hypot(at[0] - lean.at[0], at[1] - lean.at[1]) < lean.radius
            for lean in self._leans
        )

    def obstructed(self, t: float) -> float:
        """Share of the picture that is hidden."""
        return 0.04 * sum(lean.start <= t < lean.end for lean in self._leans)

    def shift(self, t: float) -> NDArray[np.float64]:
        """How far (pixels) the picture is off since the camera was knocked."""
        off = np.zeros(2)
        for start, by in self._bumps:
            if t >= start:
                off = off + by
        return off

    def felt_prints(self) -> list[Quad]:
        """Places where print passes for a card's back."""
        return self._prints

    def felt_spots(self) -> list[Point]:
        """Places where print passes for a chip."""
        return self._spots

    def _stretches(self, expected: float, seconds: float, least: float, most: float) -> _Times:
        starts = sorted(float(value) for value in self._rng.uniform(0.0, seconds, int(self._rng.poisson(expected))))
        return [(start, start + float(self._rng.uniform(least, most))) for start in starts]

    def _on_arc(self, performance: Performance, camera: Camera) -> Point:
        spots = performance.plan.spaces[int(self._rng.choice([*performance.plan.spaces]))]
        x, y = camera.project([(*spots.wager, 100.0)])[0]
        return (float(x), float(y))

    def _print(self, performance: Performance, camera: Camera) -> Quad:
        """Lettering between the wagers and the dealer's cards."""
        x, y = float(self._rng.uniform(-320.0, 320.0)), float(self._rng.uniform(-120.0, 40.0))
        w, h = CARD_MM[0] / 2, CARD_MM[1] / 2
        corners = camera.project([(x - w, y - h, 0.0), (x + w, y - h, 0.0), (x + w, y + h, 0.0), (x - w, y + h, 0.0)])
        a, b, c, d = ((round(float(px), 2), round(float(py), 2)) for px, py in corners)
        return (a, b, c, d)
