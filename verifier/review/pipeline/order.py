"""The order in which files of one table were recorded, where their clocks do not tell: by file times, else by names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from verifier.review.pipeline.values import Facts

TELLING: Final = 0.5
"""File times tell the order where they lie at least this share of the later file's length apart; those of copies made
in a row do not."""


def rank_of(files: Sequence[Facts]) -> dict[str, int]:
    """Return the place of each file, by its SHA-256: in the order of the times at which they were written, where
    these tell.
    """
    timed = sorted(files, key=lambda one: (one.modified_ns, _natural(one.path)))
    apart = (((b.modified_ns - a.modified_ns) / 1e9, b.seconds) for a, b in pairwise(timed))
    if len(timed) > 1 and all(step >= TELLING * seconds for step, seconds in apart):
        return _places(timed)
    return by_name(files)


def by_name(files: Sequence[Facts]) -> dict[str, int]:
    """Return the place of each file in the order of names, by its SHA-256; numbers in names count as numbers."""
    return _places(sorted(files, key=lambda one: _natural(one.path)))


def _places(files: Sequence[Facts]) -> dict[str, int]:
    return {one.sha256: place for place, one in enumerate(files)}


def _natural(path: str) -> tuple[tuple[int, str], ...]:
    pieces = re.split(r"([0-9]+)", path)
    return tuple((int(piece), "") if piece.isdigit() and piece.isascii() else (-1, piece) for piece in pieces)
