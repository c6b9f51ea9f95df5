"""The same recording, byte for byte, at two tables: one of them is a copy, and both reviews are kept."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from msgspec import Struct

from verifier.store.repository import review_id
from verifier.store.values import ReviewRecord


class Twin(Struct, frozen=True, kw_only=True):
    """A review of the same contents: its id, and the file and table that it is of."""

    id: str
    site: str | None
    table: str | None
    path: str
    name: str

    def __str__(self) -> str:
        return f"{self.name} of table {self.table or '?'} of site {self.site or '?'} (review {self.id})"


Known = Callable[[str], Twin | None]
"""Gives the review of an id, None if there is none."""


def as_twin(review: ReviewRecord | None) -> Twin | None:
    """Return the part of a stored review that tells whether another has the same contents."""
    if review is None:
        return None
    return Twin(id=review.id, site=review.site, table=review.table, path=review.video_path, name=review.video_name)


def told_apart(sha256: str, site: str | None, table: str | None, path: str, known: Known) -> tuple[str, Twin | None]:
    """Return the id of a recording's review, and the review of the same contents at another table, if there is one.

    The usual id is the recording's; where that is of another table and another file, it is the recording's and the
    table's. A file that was only moved, or whose layout named the wrong table before, is no copy.
    """
    usual, own = review_id(sha256), twin_id(sha256, site, table)
    other = known(usual)
    if other is None or (other.site, other.table) == (site, table):
        return usual, None
    return (usual, None) if other.path == path and known(own) is None else (own, other)


def twin_id(sha256: str, site: str | None, table: str | None) -> str:
    """Return the id of a recording's review at a table, where the same contents are another table's too."""
    return review_id(hashlib.sha256(f"{sha256} {site} {table}".encode()).hexdigest())
