"""The pictures that models are scored on: which there are, and what one truly shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from verifier.domain.observations import Observation
from verifier.simulate.render.camera import DIFFICULTIES
from verifier.simulate.render.splits import Split

Image = NDArray[np.uint8]
Kind = Literal["easy", "normal", "hard", "any", "far", "solid", "solid far"]
"""Instants of simulated rounds by the camera's difficulty; stills of any kind; rounds seen from afar; tables of the
solid world, and those from afar."""
FIRST_SEED: Final = 5_000_000
FIRST_SOLID_SEED: Final = 40_000_000
SOLID_CYCLE: Final[tuple[Kind, ...]] = ("solid", "solid", "solid", "solid far")
"""Kinds of four pictures of the solid world in a row."""
FRAME: Final = (1280, 720)
FAR_FRAME: Final = (1920, 1080)
FAR_CARD_PX: Final = 28.0
"""Width of a card in the middle of the table in a far picture."""
CYCLE: Final[tuple[Kind, ...]] = (
    *DIFFICULTIES,
    "any",
    *DIFFICULTIES,
    "any",
    *DIFFICULTIES,
    *DIFFICULTIES,
    "any",
    *DIFFICULTIES,
    "any",
    "far",
)
"""Kinds of twenty pictures in a row, so that any number of pictures has its share of each: 15 in play, 4 any, 1 far."""


class Case(Struct, frozen=True, kw_only=True):
    """One picture to be made: everything follows from it. `size` is width and height in pixels.

    `split` "train" has the decks, felts and backs of the training pictures, on tables that were not among them.
    """

    kind: Kind
    seed: int
    size: tuple[int, int] = FRAME
    split: Split = "test"


class Doubtful(Struct, frozen=True, kw_only=True):
    """What shows too little to be asked for, but is there: finding it is neither right nor wrong. Quads in pixels."""

    chips: list[tuple[float, float, float]] = []
    """Centre and radius."""
    hands: list[tuple[float, float, float, float]] = []
    """Upright boxes."""


@dataclass(frozen=True)
class Unseen:
    """One picture (BGR), what it truly shows and what it hardly shows, in its pixels."""

    image: Image
    truth: Observation
    doubtful: Doubtful
    card: float
    """Width in pixels of a card in the middle of the table."""


def cases(count: int, first_seed: int = FIRST_SEED, kinds: Sequence[Kind] = CYCLE, split: Split = "test") -> list[Case]:
    """Return the first `count` pictures of a fixed sequence, of all kinds in turn; far ones are larger."""
    chosen = [(kinds[number % len(kinds)], first_seed + number) for number in range(count)]
    return [
        Case(kind=kind, seed=seed, size=FAR_FRAME if kind.endswith("far") else FRAME, split=split)
        for kind, seed in chosen
    ]


def solid_cases(count: int) -> list[Case]:
    """Return the first `count` pictures of a fixed sequence of the solid world, every fourth from afar."""
    return cases(count, FIRST_SOLID_SEED, SOLID_CYCLE)
