"""How one table looks: decks, felt, chips, people and light, all drawn from a seed. "train" and "test" never share."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
from numpy.random import Generator

from verifier.simulate.render.colours import Colour, as_colour, jittered
from verifier.simulate.render.decks import sample_deck
from verifier.simulate.render.people import Person, person_at
from verifier.simulate.render.splits import Split

Surface = Literal["table", "wood", "carpet", "plain", "cloth", "paper", "pattern"]
WILD: Final = 1 << 22
"""Numbers of backs and chip makers from here on are of every kind, not only a card room's."""
SETS: Final = 1 << 26
"""Chip makers from here on make sets for home and club (`render.chip_prints`), in the bodies of maker less this."""
_FELTS: dict[Split, tuple[Colour, ...]] = {
    "train": (
        (62, 105, 28),
        (75, 120, 40),
        (55, 92, 45),
        (80, 130, 35),
        (48, 84, 22),
        (70, 100, 60),
        (120, 80, 30),
        (45, 40, 125),
    ),
    "test": ((68, 112, 32), (52, 98, 36), (85, 125, 55), (140, 75, 25)),
}
_FELT_ODDS: dict[Split, tuple[float, ...]] = {
    "train": (0.17, 0.17, 0.16, 0.14, 0.12, 0.12, 0.07, 0.05),
    "test": (0.32, 0.3, 0.28, 0.1),
}
_SURFACES: Final[tuple[Surface, ...]] = ("wood", "carpet", "plain", "cloth", "paper", "pattern")
_CLOTHS: Final[tuple[Colour, ...]] = (
    (150, 70, 25), (190, 120, 60), (40, 30, 130), (60, 40, 160), (110, 35, 80), (35, 35, 38), (120, 120, 125),
    (70, 120, 40), (40, 80, 20), (90, 140, 60), (60, 110, 150), (130, 130, 60),
)  # fmt: skip


@dataclass(frozen=True)
class Look:
    """A table's appearance; everything further follows from `seed` and `split`."""

    seed: int
    split: Split
    deck: str
    felt: Colour
    maker: int
    back: int
    light: tuple[float, float]
    brightness: float
    contrast: float
    cast: Colour
    uneven: float
    noise: float
    blur: float
    glare: float
    shadow: float
    clock_style: int
    surface: Surface = "table"
    """What lies under the sprites: a gaming table, or for training anything: wood, cloth, paper ..."""
    site: str | None = None
    table: str | None = None
    wild: bool = False
    """Drawn from every kind of table, deck and person, not only a card room's."""

    @classmethod
    def sample(cls, rng: np.random.Generator, split: Split, *, svg: bool = True, wild: float = 0.0) -> Look:
        """Return a look of `split`; `svg` allows the system's card art; `wild` is the chance of one from every kind."""
        felts = _FELTS[split]
        felt = felts[int(rng.choice(len(felts), p=_FELT_ODDS[split]))]
        turn = float(rng.uniform(0, 2 * np.pi))
        lean = float(rng.uniform(0.15, 0.7))
        parity = 0 if split == "train" else 1
        look = cls(
            seed=int(rng.integers(1 << 30)) * 2 + parity,
            split=split,
            deck=sample_deck(rng, split, svg=svg),
            felt=jittered(rng, felt, 9),
            maker=int(rng.integers(1 << 20)) * 2 + parity,
            back=int(rng.integers(1 << 20)) * 2 + parity,
            light=(lean * float(np.cos(turn)), lean * float(np.sin(turn))),
            brightness=float(np.clip(rng.normal(0.98, 0.14), 0.6, 1.3)),
            contrast=float(np.clip(rng.normal(1.0, 0.08), 0.8, 1.2)),
            cast=as_colour(np.clip(rng.normal(1.0, 0.05, 3), 0.85, 1.15)),
            uneven=float(rng.uniform(0.05, 0.35)),
            noise=float(rng.uniform(0.5, 5.0)),
            blur=float(max(0.0, rng.normal(0.35, 0.4))),
            glare=float(rng.uniform(0.0, 0.35)),
            shadow=float(rng.uniform(0.25, 0.6)),
            clock_style=int(rng.integers(4)),
        )
        return _of_any_kind(rng, look, svg=svg) if rng.random() < wild else look

    @classmethod
    def plain(cls, seed: int = 0, split: Split = "train") -> Look:
        """Return a clean look without noise or blur, for tests and pictures to be read by people."""
        look = cls.sample(np.random.default_rng(seed), split, svg=False)
        return replace(
            look,
            noise=0.0,
            blur=0.0,
            brightness=1.0,
            contrast=1.0,
            cast=(1.0, 1.0, 1.0),
            glare=0.0,
            felt=_FELTS[split][0],
        )

    def person(self, name: str) -> Person:
        """Return the appearance of the person called `name` at this table."""
        return person_at(self.seed, self.split, name, wild=self.wild)


def _of_any_kind(rng: Generator, look: Look, *, svg: bool = True) -> Look:
    """`look` with everything that a detector must not lean on drawn anew, as far as cards and chips go anywhere."""
    parity = 0 if look.split == "train" else 1
    felt = np.array(_CLOTHS[int(rng.integers(len(_CLOTHS)))]) + rng.normal(0, 14, 3)
    surface: Surface = "table" if rng.random() < 0.5 else _SURFACES[int(rng.integers(len(_SURFACES)))]
    harsh = rng.random() < 0.3
    return replace(
        look,
        wild=True,
        deck=sample_deck(rng, look.split, svg=svg, wild=True),
        back=WILD + int(rng.integers(1 << 24)) * 2 + parity,
        maker=_maker(int(rng.integers(1 << 24))) + parity,
        felt=as_colour(np.clip(felt, 8, 245)) if rng.random() < 0.7 else look.felt,
        surface=surface,
        cast=as_colour(np.clip(rng.normal(1.0, 0.07, 3), 0.75, 1.25)),
        uneven=float(rng.uniform(0.3, 0.8)) if harsh else look.uneven,
        glare=float(rng.uniform(0.3, 0.95)) if rng.random() < 0.3 else look.glare,
        shadow=float(rng.uniform(0.1, 0.75)),
    )


def _maker(number: int) -> int:
    """Return an even number of a maker of chips of any kind; three in ten make sets for home and club."""
    return WILD + 2 * number + (SETS if number % 10 < 3 else 0)
