"""What lies on a table of the solid world, and how high. Frame and units as `table.bodies`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from verifier.domain.observations import Facing, Owner
from verifier.simulate.render.splits import Split
from verifier.simulate.table import TablePlan
from verifier.train.solid.arm import Posed
from verifier.train.solid.draw import Paint
from verifier.train.table.backs import Back, sample_back
from verifier.train.table.bodies import Body
from verifier.train.table.discs import Maker, sample_maker
from verifier.train.table.faces import Deck, sample_deck
from verifier.train.table.felts import FELT_MM, Felt, sample_felt

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
CELL: Final = 3.0
"""Millimetres of a cell of the map of heights."""
FAN_NUMBERS: Final = 10
"""A card of fan `n` at place `k` from below has the id FAN_NUMBERS * n + k; other cards have none."""


@dataclass(frozen=True)
class CardThere:
    """A card: its number in the picture of numbers, its bent corners (4, 3) mm, what it shows, and its fan."""

    number: int
    corners: Floats
    up: bool
    rank: str
    suit: str
    id: int | None = None


@dataclass(frozen=True)
class ChipThere:
    """A chip: the number of its upper face, the ring (n, 3) mm round that face, and its value."""

    number: int
    ring: Floats
    cents: int


@dataclass(frozen=True)
class HandThere:
    """A hand: its number, the dressed arm, and what it is in the table's frame."""

    number: int
    arm: Body
    paint: Paint
    vertices: Floats
    keypoints: Floats
    shown: Posed
    facing: Facing
    owner: Owner


@dataclass
class Table:
    """Everything on one table, ready to be drawn."""

    plan: TablePlan
    felt: Image
    nap: float
    bodies: list[Body] = field(default_factory=list)
    prints: list[Image] = field(default_factory=list)
    cards: list[CardThere] = field(default_factory=list)
    chips: list[ChipThere] = field(default_factory=list)
    hands: list[HandThere] = field(default_factory=list)
    focus: list[tuple[float, float]] = field(default_factory=list)
    """Places worth looking at."""
    edge: Floats = field(default_factory=lambda: np.zeros((0, 2)))
    """The felt's outline (n, 2), mm."""

    def stacked(self) -> Image:
        """All prints as one array (n, h, w, 4)."""
        return np.stack(self.prints) if self.prints else np.zeros((1, 4, 4, 4), np.uint8)


class Heights:
    """How high what lies on the felt reaches, in cells of CELL mm; things are dropped on it."""

    def __init__(self) -> None:
        self._map = np.zeros((round(FELT_MM[1] / CELL) + 1, round(FELT_MM[0] / CELL) + 1))

    def drop(self, places: Floats, low: Floats, high: Floats) -> float:
        """How much a thing must be lifted that covers `places` (n, 2) mm from `low` (n,) to `high` (n,); keeps it."""
        cells = np.round((places + np.array(FELT_MM) / 2) / CELL).astype(int)
        x = np.clip(cells[:, 0], 0, self._map.shape[1] - 1)
        y = np.clip(cells[:, 1], 0, self._map.shape[0] - 1)
        lift = max(0.0, float((self._map[y, x] - low).max()))
        np.maximum.at(self._map, (y, x), high + lift)
        return lift


@dataclass(frozen=True)
class House:
    """What one house has: decks, backs, makers, felt, of one split."""

    deck: Deck
    back: Back
    maker: Maker
    felt: Felt


def sample_house(rng: Generator, split: Split) -> House:
    """Return a house of `split`."""
    return House(sample_deck(rng, split), sample_back(rng, split), sample_maker(rng, split), sample_felt(rng, split))
