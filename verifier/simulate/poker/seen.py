"""What detectors would tell of performed hands, without a picture: as at any table, and the dealer button."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec
import numpy as np

from verifier.domain.observations import ButtonSeen, Observation
from verifier.simulate.detections import Level, noisy_observations
from verifier.simulate.perform import Performance
from verifier.simulate.render import Camera

_MISSED: Final[dict[str, float]] = {"faultless": 0.0, "easy": 0.02, "typical": 0.05, "hard": 0.1}
"""Share of looks that miss the button: an assumption, for no detector of ours knows it."""
_JITTER_PX: Final = 1.5
_RADIUS_MM: Final = 25.0


def poker_observations(
    performance: Performance, camera: Camera, level: Level, *, button: bool = True
) -> Iterator[Observation]:
    """Yield what would be observed of `performance` through `camera`; without `button` nobody looks for the button."""
    rng = np.random.default_rng([performance.seed, 9])
    for seen in noisy_observations(performance, camera, level):
        yield msgspec.structs.replace(seen, buttons=_buttons(performance, camera, level, seen, rng)) if button else seen


def _buttons(
    performance: Performance, camera: Camera, level: Level, seen: Observation, rng: np.random.Generator
) -> list[ButtonSeen]:
    found = []
    for prop in performance.scene_at(seen.t).props:
        if prop.kind != "dealer_button" or rng.random() < _MISSED[level]:
            continue
        x, y = camera.project([(*prop.xy, prop.z)])[0] + rng.normal(0.0, _JITTER_PX, 2)
        if any(x0 <= x <= x1 and y0 <= y <= y1 for x0, y0, x1, y1 in (hand.box for hand in seen.hands)):
            continue
        radius = round(_RADIUS_MM * camera.pixels_per_mm, 2)
        found.append(ButtonSeen(p=0.95, center=(round(float(x), 2), round(float(y), 2)), radius=radius))
    return found
