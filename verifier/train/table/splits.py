"""Which drawn decks, backs, chips and felts are for training and which for scoring: by a hash of their choices."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Hashable
from typing import Final, TypeVar

from numpy.random import Generator

from verifier.simulate.render.splits import Split

TEST_ONE_IN: Final = 5
"""One of so many styles is for scoring only."""
T = TypeVar("T")


def split_of(kind: str, choices: Hashable) -> Split:
    """Return the part to which a style belongs; `choices` are what tells it from others of its `kind`, without
    any noise.
    """
    return "test" if zlib.crc32(repr((kind, choices)).encode()) % TEST_ONE_IN == 0 else "train"


def drawn(rng: Generator, split: Split, kind: str, draw: Callable[[Generator], T], key: Callable[[T], Hashable]) -> T:
    """Return the first style from `draw` that belongs to `split`."""
    while True:
        style = draw(rng)
        if split_of(kind, key(style)) == split:
            return style
