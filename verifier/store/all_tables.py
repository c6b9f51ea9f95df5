"""All tables of the store; whoever adds a module of tables imports it here."""

from __future__ import annotations

from typing import Final

from sqlalchemy import MetaData, Table

from verifier.store import floor_rows as floor_rows
from verifier.store import night_tables as night_tables
from verifier.store import papers_tables as papers_tables
from verifier.store import queue_rows as queue_rows
from verifier.store import records_rows as records_rows
from verifier.store.kept import kept_tables
from verifier.store.room import tables as room_tables
from verifier.store.tables import Base

__all__ = [
    "KEPT",
    "METADATA",
    "floor_rows",
    "night_tables",
    "papers_tables",
    "queue_rows",
    "records_rows",
    "room_tables",
]

METADATA: Final[MetaData] = Base.metadata
KEPT: Final[dict[str, Table]] = kept_tables(METADATA)
"""The tables whose rows are kept, by name: see `kept.py`."""
