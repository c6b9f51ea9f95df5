"""Which site and table a recording is of."""

from __future__ import annotations

import contextlib
from functools import lru_cache

from verifier.domain.errors import BadInput
from verifier.domain.names import path_of
from verifier.formats.layout import read_layout
from verifier.review.entries import is_file
from verifier.review.pipeline.values import Source


def place_of(source: Source) -> tuple[str | None, str | None]:
    """Site and table by the manifest, else by the layout, where that can be read."""
    known: tuple[str | None, str | None] = (None, None)
    if source.layout is not None and not (source.site and source.table):
        file = path_of(source.layout)
        with contextlib.suppress(OSError, BadInput):
            known = _place_in(source.layout, file.stat().st_mtime_ns) if is_file(file) else known
    return source.site or known[0], source.table or known[1]


@lru_cache(maxsize=4096)
def _place_in(layout: str, changed_ns: int) -> tuple[str | None, str | None]:
    read = read_layout(path_of(layout))
    return read.site, read.table
