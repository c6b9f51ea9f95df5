"""The articulated hand: 21 landmarks in three dimensions from shape, curls and spread (MediaPipe's order).

The hand's own frame, millimetres from the wrist crease: `a` to the thumb's side, `v` along the hand to the middle
finger's knuckle, `w` out of the back of the hand. `oriented` turns it to the picture: a left hand seen from its back
with the fingers up has its thumb on the right.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from verifier.simulate.scene import HandShape, HandSprite

Floats = NDArray[np.float64]
Curls = tuple[float, float, float, float, float]
EXTENDED_BELOW: Final = 0.33
"""A finger counts as extended when its curl is below this (docs/formats.md: stretched clear of the palm)."""

CURLS: Final[dict[HandShape, Curls]] = {
    "open": (0.0, 0.02, 0.0, 0.02, 0.05),
    "flat": (0.12, 0.05, 0.04, 0.05, 0.07),
    "point": (0.85, 0.03, 0.95, 0.97, 0.97),
    "two": (0.9, 0.03, 0.03, 0.95, 0.97),
    "fist": (0.9, 1.0, 1.0, 1.0, 1.0),
    "grip": (0.5, 0.55, 0.58, 0.6, 0.6),
    "pinch": (0.5, 0.5, 0.58, 0.68, 0.75),
    "relaxed": (0.42, 0.4, 0.45, 0.5, 0.52),
}
SPREAD: Final[dict[HandShape, float]] = {
    "open": 1.0, "flat": 0.12, "point": 0.3, "two": 0.8, "fist": 0.0, "grip": 0.25, "pinch": 0.2, "relaxed": 0.35,
}  # fmt: skip

_KNUCKLES: Final = ((26.0, 86.0, 0.0), (5.0, 90.0, 2.0), (-14.0, 84.0, 0.5), (-31.0, 74.0, -3.0))
_BONES: Final = ((43.0, 26.0, 21.0), (47.0, 30.0, 22.0), (43.0, 28.0, 22.0), (34.0, 21.0, 19.0))
_FAN: Final = ((2.0, 13.0), (0.0, 1.0), (-1.5, -11.0), (-3.0, -24.0))
RADII: Final = np.array(
    [19.0, 16.5, 13.5, 11.0, 8.8, 12.0, 10.2, 9.2, 7.6, 12.0, 10.4, 9.4, 7.8, 11.5, 9.8, 8.8, 7.4, 10.5, 8.6, 7.6, 6.5]
)
"""Flesh round each landmark, millimetres."""
BONES: Final = ((1, 2), (2, 3), (3, 4), (5, 6), (6, 7), (7, 8), (9, 10), (10, 11), (11, 12), (13, 14), (14, 15),
                (15, 16), (17, 18), (18, 19), (19, 20))  # fmt: skip
"""Segments of the fingers as pairs of landmarks."""


def curls_of(hand: HandSprite) -> Curls:
    """Return the hand's own curls, else its shape's."""
    return hand.curls if hand.curls is not None else CURLS[hand.shape]


def fingers_of(hand: HandSprite) -> int:
    """Return the number of extended fingers, the thumb included (docs/formats.md)."""
    return sum(curl < EXTENDED_BELOW for curl in curls_of(hand))


def _finger(
    start: tuple[float, float, float], bones: tuple[float, float, float], fan: float, curl: float
) -> list[Floats]:
    """Joint and tip of a finger that leaves `start` at `fan` degrees to the thumb's side, bent by `curl`."""
    bends = np.cumsum(np.radians(np.array([78.0, 98.0, 62.0]) * curl + np.array([4.0, 3.0, 3.0])))
    side = np.radians(fan * (1.0 - 0.7 * curl))
    out, at = [np.array(start)], np.array(start)
    for length, bend in zip(bones, bends, strict=True):
        along, down = np.cos(bend) * length, -np.sin(bend) * length
        at = at + np.array([np.sin(side) * along, np.cos(side) * along, down])
        out.append(at)
    return out


def _thumb(curl: float, spread: float) -> list[Floats]:
    """Return the thumb: stretched away to the side at curl 0, laid across the palm at curl 1."""
    points = [np.array([19.0, 20.0, -8.0])]
    away = 26.0 + 26.0 * spread
    for length, share in zip((40.0, 33.0, 27.0), (0.75, 1.35, 1.9), strict=True):
        angle = np.radians(away * (1.0 - 0.15 * share) - curl * 42.0 * share)
        down = np.radians(12.0 + 24.0 * curl * share * 0.6)
        step = np.array([np.sin(angle) * np.cos(down), np.cos(angle) * np.cos(down), -np.sin(down)])
        points.append(points[-1] + step * length)
    return points


@lru_cache(maxsize=1024)
def skeleton(curls: Curls, spread: float) -> Floats:
    """(21, 3) landmarks in the hand's own frame (a, v, w) for a grown person's hand of scale 1."""
    points = [np.array([0.0, 0.0, 0.0]), *_thumb(curls[0], spread)]
    for knuckle, bones, fan, curl in zip(_KNUCKLES, _BONES, _FAN, curls[1:], strict=True):
        points += _finger(knuckle, bones, fan[0] + (fan[1] - fan[0]) * spread, curl)
    return np.array(points)


def oriented(points: Floats, side: Literal["left", "right"], facing: Literal["back", "palm", "edge"]) -> Floats:
    """Own frame to (x, y, height) with the wrist at the origin and the fingers up in the picture (y negative)."""
    a, v, w = points[:, 0], points[:, 1], points[:, 2]
    sign = 1.0 if side == "left" else -1.0
    if facing == "back":
        return np.stack([sign * a, -v, w], 1)
    if facing == "palm":
        return np.stack([-sign * a, -v, -w], 1)
    return np.stack([-sign * w, -v, a], 1)


def landmarks(hand: HandSprite, scale: float = 1.0) -> Floats:
    """(21, 3) landmarks of a hand in the table frame, millimetres."""
    curls = curls_of(hand)
    spread = hand.spread if hand.spread is not None else SPREAD[hand.shape]
    local = oriented(skeleton(curls, spread), hand.side, hand.facing) * scale
    turn = np.radians(hand.angle)
    c, s = np.cos(turn), np.sin(turn)
    x = c * local[:, 0] - s * local[:, 1] + hand.xy[0]
    y = s * local[:, 0] + c * local[:, 1] + hand.xy[1]
    return np.stack([x, y, hand.z + local[:, 2]], 1)
