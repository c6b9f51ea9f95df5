"""When the pictures are looked at: often while something moves, seldom while nothing does, as the motion gate does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from verifier.simulate.perform import Performance
from verifier.simulate.render.order import Sprite
from verifier.simulate.scene import Scene

MOVING_HZ: Final = 7.5
IDLE_HZ: Final = 1.0
HOLD: Final = 0.6
"""Seconds for which looking goes on after the last motion."""
REST: Final = 0.4
"""Seconds without a look, the end of which is looked at."""
_STILL_MM: Final = 1.2
_FACINGS: Final = ("back", "edge", "palm")
_TURNED_MM: Final = 10.0
"""A hand that is turned over moves, though its place does not."""


def looks(performance: Performance) -> Iterator[tuple[float, Scene]]:
    """Yield the times (s) and scenes that are looked at."""
    looked, moved = -1e9, -1e9
    before: dict[int, tuple[float, ...]] = {}
    passed: tuple[float, Scene] | None = None
    for number in range(int(performance.duration * MOVING_HZ)):
        t = round(number / MOVING_HZ, 3)
        scene = performance.scene_at(t)
        places = _places(scene)
        if _moves(before, places):
            moved = t
        before = places
        if t - moved > HOLD and t - looked < 1.0 / IDLE_HZ - 1e-6:
            passed = t, scene
            continue
        if passed is not None and moved == t and t - looked >= REST:
            yield passed
        looked, passed = t, None
        yield t, scene


def _places(scene: Scene) -> dict[int, tuple[float, ...]]:
    found: dict[int, tuple[float, ...]] = {}
    sprites: list[Sprite] = [*scene.cards, *scene.chips, *scene.bills, *scene.hands, *scene.props]
    for sprite in sprites:
        found[sprite.id] = (*sprite.xy, sprite.z, sprite.angle)
    for hand in scene.hands:
        found[hand.id] += (_TURNED_MM * _FACINGS.index(hand.facing),)
    return found


def _moves(before: dict[int, tuple[float, ...]], now: dict[int, tuple[float, ...]]) -> bool:
    if before.keys() != now.keys():
        return True
    return any(
        abs(a - b) > _STILL_MM for ident, place in now.items() for a, b in zip(before[ident], place, strict=True)
    )
