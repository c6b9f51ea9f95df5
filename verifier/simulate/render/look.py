"""How one table looks: decks, felt, chips, people and light, all drawn from a seed. "train" and "test" never share."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Literal

import numpy as np

Split = Literal["train", "test"]
Surface = Literal["table", "wood", "carpet", "plain", "cloth", "paper", "pattern"]
WILD: Final = 1 << 22
"""Numbers of backs and chip makers from here on are of every kind, not only a card room's."""
SETS: Final = 1 << 26
"""Chip makers from here on make sets for home and club (`render.chip_prints`), in the bodies of maker less this."""
Colour = tuple[float, float, float]
"""Blue, green, red in 0..255."""


def as_colour(values: Iterable[float]) -> Colour:
    """Three numbers as a colour."""
    b, g, r = (float(value) for value in values)
    return b, g, r


def shaded(colour: Colour, gain: float, lift: float = 0.0) -> Colour:
    """Return a colour made lighter or darker."""
    b, g, r = colour
    return min(255.0, b * gain + lift), min(255.0, g * gain + lift), min(255.0, r * gain + lift)


_SKINS: dict[Split, tuple[Colour, ...]] = {
    "train": (
        (150, 175, 225),
        (128, 158, 214),
        (105, 135, 195),
        (80, 110, 170),
        (60, 85, 140),
        (45, 62, 105),
        (165, 185, 230),
    ),
    "test": ((140, 168, 220), (115, 145, 205), (92, 122, 182), (68, 96, 154), (52, 72, 120)),
}
_SLEEVES: dict[Split, tuple[Colour, ...]] = {
    "train": (
        (30, 28, 28),
        (225, 228, 230),
        (95, 55, 35),
        (60, 60, 150),
        (120, 120, 125),
        (70, 95, 60),
        (45, 35, 80),
        (160, 130, 80),
    ),
    "test": ((40, 35, 45), (205, 215, 222), (120, 80, 50), (50, 40, 120), (95, 110, 100)),
}
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


@dataclass(frozen=True)
class Person:
    """Appearance of one person's hands; colours BGR, lengths in millimetres from the wrist crease."""

    skin: Colour
    sleeve: Colour
    sleeve_from: float
    scale: float
    girth: float
    ring: int | None
    nails: Colour | None
    watch: bool
    glove: Colour | None = None
    pattern: int = 0
    """Print of the sleeve: 0 none, else stripes along, stripes across, checks, dots."""
    tattoo: int = 0
    """Seed of the ink on forearm and hand; 0 is none."""

    @property
    def build(self) -> tuple[float, float]:
        """Size of the hand and thickness of its fingers, 1 for a grown person's."""
        return self.scale, self.girth


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
        from verifier.simulate.render.decks import sample_deck
        from verifier.simulate.render.wild import wild_look

        felts = _FELTS[split]
        felt = felts[int(rng.choice(len(felts), p=_FELT_ODDS[split]))]
        turn = float(rng.uniform(0, 2 * np.pi))
        lean = float(rng.uniform(0.15, 0.7))
        parity = 0 if split == "train" else 1
        look = cls(
            seed=int(rng.integers(1 << 30)) * 2 + parity,
            split=split,
            deck=sample_deck(rng, split, svg=svg),
            felt=_jitter(rng, felt, 9),
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
        return wild_look(rng, look, svg=svg) if rng.random() < wild else look

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
        return _person(self, name)


@lru_cache(maxsize=256)
def _person(look: Look, name: str) -> Person:
    rng = np.random.default_rng([look.seed, zlib.crc32(name.encode())])
    skins, sleeves = _SKINS[look.split], _SLEEVES[look.split]
    painted = rng.random() < 0.15
    person = Person(
        skin=_jitter(rng, skins[int(rng.integers(len(skins)))], 8),
        sleeve=_jitter(rng, sleeves[int(rng.integers(len(sleeves)))], 10),
        sleeve_from=float(rng.uniform(15, 80)) if rng.random() < 0.7 else float(rng.uniform(120, 400)),
        scale=float(rng.uniform(0.88, 1.08)),
        girth=float(rng.uniform(0.92, 1.18)),
        ring=int(rng.integers(2, 5)) if rng.random() < 0.3 else None,
        nails=as_colour(rng.uniform(20, 220, 3)) if painted else None,
        watch=bool(rng.random() < 0.2),
    )
    if not look.wild:
        return person
    from verifier.simulate.render.wild import wild_person

    return wild_person(rng, person)


def _jitter(rng: np.random.Generator, colour: Colour, sigma: float) -> Colour:
    return as_colour(np.clip(np.array(colour) + rng.normal(0, sigma, 3), 5, 250))
