"""Which site and table a recording is of."""

from __future__ import annotations

import contextlib
from functools import lru_cache
from pathlib import Path

from verifier.domain.errors import BadInput
from verifier.formats.layout import read_layout
from verifier.review.batch.values import Source


def place_of(source: Source) -> tuple[str | None, str | None]:
    """Site and table by the manifest, else by the layout, where that can be read."""
    known: tuple[str | None, str | None] = (None, None)
    if source.layout is not None and not (source.site and source.table):
        with contextlib.suppress(OSError, BadInput):
            known = _place_in(source.layout, Path(source.layout).stat().st_mtime_ns)
    return source.site or known[0], source.table or known[1]


@lru_cache(maxsize=4096)
def _place_in(layout: str, changed_ns: int) -> tuple[str | None, str | None]:
    read = read_layout(Path(layout))
    return read.site, read.table
