"""How the people at a table look: skin, sleeves, build, rings, nails, gloves and tattoos."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.random import Generator

from verifier.simulate.render.colours import Colour, as_colour, jittered
from verifier.simulate.render.splits import Split

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
_GLOVES: Final[tuple[Colour, ...]] = (
    (238, 240, 240), (35, 33, 32), (190, 120, 50), (150, 70, 110), (110, 160, 215), (60, 60, 170),
)  # fmt: skip


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


@lru_cache(maxsize=256)
def person_at(seed: int, split: Split, name: str, *, wild: bool) -> Person:
    """Return the appearance of the person called `name` at the table drawn from `seed`.

    `wild` allows any clothes, gloves and build, not only a card room's.
    """
    rng = np.random.default_rng([seed, zlib.crc32(name.encode())])
    skins, sleeves = _SKINS[split], _SLEEVES[split]
    painted = rng.random() < 0.15
    person = Person(
        skin=jittered(rng, skins[int(rng.integers(len(skins)))], 8),
        sleeve=jittered(rng, sleeves[int(rng.integers(len(sleeves)))], 10),
        sleeve_from=float(rng.uniform(15, 80)) if rng.random() < 0.7 else float(rng.uniform(120, 400)),
        scale=float(rng.uniform(0.88, 1.08)),
        girth=float(rng.uniform(0.92, 1.18)),
        ring=int(rng.integers(2, 5)) if rng.random() < 0.3 else None,
        nails=as_colour(rng.uniform(20, 220, 3)) if painted else None,
        watch=bool(rng.random() < 0.2),
    )
    return _of_any_kind(rng, person) if wild else person


def _of_any_kind(rng: Generator, person: Person) -> Person:
    """`person` with any clothes, perhaps gloves, tattoos, bare forearms, another build."""
    draw = rng.random()
    bare = float(rng.uniform(250, 900)) if draw < 0.35 else float(rng.uniform(0, 70))
    glove = _GLOVES[int(rng.integers(len(_GLOVES)))] if rng.random() < 0.12 else None
    tone = np.clip(np.array(person.skin) * rng.uniform(0.85, 1.12) + rng.normal(0, 7, 3), 18, 250)
    return replace(
        person,
        skin=as_colour(tone),
        sleeve=as_colour(rng.uniform(10, 245, 3)) if rng.random() < 0.6 else person.sleeve,
        sleeve_from=bare,
        scale=float(rng.uniform(0.8, 1.15)),
        girth=float(rng.uniform(0.85, 1.3)),
        nails=as_colour(rng.uniform(10, 235, 3)) if glove is None and rng.random() < 0.25 else None,
        glove=as_colour(np.clip(np.array(glove) + rng.normal(0, 8, 3), 5, 250)) if glove is not None else None,
        pattern=int(rng.integers(1, 5)) if rng.random() < 0.5 else 0,
        tattoo=int(rng.integers(1, 1000)) if rng.random() < 0.15 else 0,
    )
