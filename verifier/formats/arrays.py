"""NumPy archives that are kept between two steps of a review: a small file may unfold to huge arrays."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import numpy as np
from numpy.lib.npyio import NpzFile

MOST_ARRAY_BYTES: Final = 1 << 30
"""Bytes of all arrays of an archive at most: a day at 60 pictures a second has a timeline of 350 MB."""


@contextmanager
def arrays_in(path: Path) -> Iterator[NpzFile]:
    """Open the arrays of an archive (.npz).

    Raises ValueError where they are larger than `MOST_ARRAY_BYTES` or than their file says, and what NumPy and zipfile
    raise for a damaged file.
    """
    with zipfile.ZipFile(path) as archive:
        size = sum(part.file_size for part in archive.infolist())
    if size > MOST_ARRAY_BYTES:
        raise ValueError(f"unfolds to {size / 1e9:.0f} GB")
    try:
        with np.load(path, allow_pickle=False) as kept:
            yield kept
    except MemoryError as error:
        raise ValueError("tells of an array that no memory holds") from error
