"""Looks unlike a card room's: any cloth, floor or table, any back, chips and clothes; for training only."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.random import Generator

from verifier.simulate.render.decks import sample_deck
from verifier.simulate.render.look import SETS, WILD, Colour, Look, Person, Surface, as_colour

_SURFACES: Final[tuple[Surface, ...]] = ("wood", "carpet", "plain", "cloth", "paper", "pattern")
_FELTS: Final[tuple[Colour, ...]] = (
    (150, 70, 25), (190, 120, 60), (40, 30, 130), (60, 40, 160), (110, 35, 80), (35, 35, 38), (120, 120, 125),
    (70, 120, 40), (40, 80, 20), (90, 140, 60), (60, 110, 150), (130, 130, 60),
)  # fmt: skip
_GLOVES: Final[tuple[Colour, ...]] = (
    (238, 240, 240), (35, 33, 32), (190, 120, 50), (150, 70, 110), (110, 160, 215), (60, 60, 170),
)  # fmt: skip


def wild_look(rng: Generator, look: Look, *, svg: bool = True) -> Look:
    """`look` with everything that a detector must not lean on drawn anew, as far as cards and chips go anywhere."""
    parity = 0 if look.split == "train" else 1
    felt = np.array(_FELTS[int(rng.integers(len(_FELTS)))]) + rng.normal(0, 14, 3)
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


def wild_person(rng: Generator, person: Person) -> Person:
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
