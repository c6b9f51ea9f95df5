"""Where things come to rest: what lies at one place in several pictures, and what is seen once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from verifier.vision.detection import CHIP, Detection
from verifier.zones.watch import PictureLook

SURE_P: Final = 0.5
"""Probability from which a detection counts."""

ALWAYS: Final = 0.9
"""Share of the looks from which something is always there: cards leave after each round, print stays."""


@dataclass(frozen=True, slots=True)
class Rest:
    """A place at which something lay in `looks` pictures, (x, y) pixels."""

    at: tuple[float, float]
    looks: int


def rests(picture_looks: Sequence[PictureLook], which: Callable[[Detection], bool], near: float) -> list[Rest]:
    """Places where things that `which` tells lay, joined where they are within `near` pixels; the commonest first."""
    seen = [
        (picture_look.t, *d.centre)
        for picture_look in picture_looks
        for d in picture_look.things
        if d.p >= SURE_P and which(d)
    ]
    left = np.array(seen, np.float64).reshape(-1, 3)
    found: list[Rest] = []
    while len(left):
        gaps = np.hypot(left[:, None, 1] - left[None, :, 1], left[:, None, 2] - left[None, :, 2])
        close = gaps <= near
        best = int(close.sum(axis=1).argmax())
        own = left[close[best]]
        x, y = np.median(own[:, 1:], axis=0)
        found.append(Rest((float(x), float(y)), len(set(own[:, 0]))))
        left = left[~close[best]]
    return found


def leaving(found: Sequence[Rest], looks: int) -> list[Rest]:
    """Return the places at which something lay for a time only; `looks` is the number of pictures."""
    return [rest for rest in found if rest.looks < ALWAYS * looks]


def is_chip(found: Detection) -> bool:
    """Tell whether it is a chip."""
    return found.kind == CHIP


def is_card(found: Detection) -> bool:
    """Tell whether it is a card."""
    return found.card
