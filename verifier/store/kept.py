"""What is kept, and the digests under which the audit log's deeds tell of it.

Every table of the store is kept with all its columns: a new table or column needs nothing to be covered, and a test
forges each of them. What may change without a deed says so with its reason:

    __table_args__ = passing_table("who looks at a finding just now")              # a whole table
    failures = mapped_column(Integer, info=passing("counts by itself"))            # one column

Rows of kept tables are written through objects in `Store.acting`, which writes their digests into the deed. A column
that is added later must be NULL in the rows that are there, or name with `info=since(value)` what it holds in them:
both stand for "not there", so that digests of before still hold. A migration that changes kept rows would have to
write a deed. A module of tables is imported in `all_tables.py`; `tests/forging.py` makes one of each.
"""

from __future__ import annotations

import hashlib
import hmac
import math
import os
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
from sqlalchemy import Boolean, Column, ColumnElement, MetaData, Table, type_coerce
from sqlalchemy.types import NullType

from verifier.domain.names import path_of, path_text
from verifier.store.home import home

GONE: Final = "gone"
"""In the place of a digest: the row was removed by this deed."""
PURGED: Final = "purged"
"""In the place of a file's digest: from this deed on the file may be missing."""
ANNOUNCED: Final = "announced:"
"""Before a file's digest: an act is about to put it there, whose own deed comes after. Until then the old file, none
where there was none, or the new one is right: whoever is killed in between has forged nothing."""
MARK: Final = 4
"""Letters of a mark: one field in 65,536 that was changed has the mark of before, and is told without its name."""
FILE: Final = "file/"
EVIDENCE: Final = "evidence"
"""The folder of the data folder that has a folder for each review."""
FOLDERS: Final = (EVIDENCE, "documents", "layouts")
"""Folders of the data folder in which every file is kept."""
_PLAIN: Final = frozenset({str, int, float, bool})
_PASSING: Final = "passing"
_SINCE: Final = "since"


def passing(why: str) -> dict[str, str]:
    """Return the `info` of a column that changes without a deed. It says why that is no evidence."""
    return {_PASSING: why}


def passing_table(why: str) -> dict[str, dict[str, str]]:
    """Return the `__table_args__` of a table that changes without a deed; `why` says why that is no evidence."""
    return {"info": passing(why)}


def since(value: object) -> dict[str, object]:
    """Return the `info` of a column that was added later: what it holds in rows that were there before."""
    return {_SINCE: value}


def kept_tables(metadata: MetaData) -> dict[str, Table]:
    """Return the kept tables by name, in the order of what refers to what."""
    return {table.name: table for table in metadata.sorted_tables if _PASSING not in table.info}


@cache
def covered(table: Table) -> tuple[Column[object], ...]:
    """Return the columns that a row's digest covers, ordered by name."""
    return tuple(sorted((one for one in table.columns if _PASSING not in one.info), key=lambda one: one.name))


@cache
def as_stored(table: Table) -> tuple[ColumnElement[object], ...]:
    """Return what to select for the covered columns. Booleans are selected as the database holds them.

    SQLite has no booleans. SQLAlchemy reads a 2 as true, and a query for what is true does not find it.
    """
    return tuple(type_coerce(one, NullType()) if isinstance(one.type, Boolean) else one for one in covered(table))


@cache
def key_places(table: Table) -> tuple[int, ...]:
    """Where the primary key stands among the covered columns."""
    names = [one.name for one in covered(table)]
    return tuple(names.index(one.name) for one in table.primary_key.columns)


def row_name(table: Table, row: Sequence[object]) -> str:
    """Return the name of a row (its covered columns in order): `verdicts/17`, `roster/["0123","2026-11-17",...]`."""
    return name_of(table.name, [row[place] for place in key_places(table)])


def name_of(table: str, key: Sequence[object]) -> str:
    """Return the name of the row with this primary key."""
    return f"{table}/{key[0]}" if len(key) == 1 else f"{table}/{msgspec.json.encode(list(map(str, key))).decode()}"


def key_of(table: Table, name: str) -> tuple[object, ...] | None:
    """Return the primary key in a row's name; None where the name can be none of that table's."""
    text, columns = name.partition("/")[2], list(table.primary_key.columns)
    try:
        parts = [text] if len(columns) == 1 else msgspec.json.decode(text, type=list[str])
        return tuple(column.type.python_type(part) for column, part in zip(columns, parts, strict=True))
    except (ValueError, msgspec.MsgspecError, RecursionError):
        return None


def row_digest(table: Table, row: Sequence[object]) -> str:
    """SHA-256 of the row's canonical text: JSON of [table, {column: value}], columns by name, without NULL.

    `row` holds the values of `as_stored`.
    """
    return hashlib.sha256(_canonical(str(table.name), _held(table, row))).hexdigest()


class Made(NamedTuple):
    """What a deed tells of what it made: name -> digest, and row -> the marks of its fields in a row."""

    digests: dict[str, str]
    marks: dict[str, str]


def row_marks(table: Table, row: Sequence[object], secret: bytes) -> dict[str, str]:
    """Column -> a mark of its value, four hexadecimal digits, for those that hold something.

    Marks tell later which fields of a row were changed. Without the secret they tell nothing of the values.
    """
    return {name: _mark(f"{table.name}.{name}", value, secret) for name, value in _held(table, row).items()}


def changed_fields(marks: str, now: Mapping[str, str]) -> list[str]:
    """Return the columns whose marks are not among those of before, in order."""
    before = {marks[start : start + MARK] for start in range(0, len(marks), MARK)}
    return sorted(name for name, mark in now.items() if mark not in before)


def _mark(place: str, value: object, secret: bytes) -> str:
    return hmac.digest(secret, _canonical(place, {"is": value}), "sha256").hex()[:MARK]


def _held(table: Table, row: Sequence[object]) -> dict[str, object]:
    """Column -> value of those that hold something; 0 and 1 of a boolean column are what they stand for."""
    columns = zip(_columns(table), row, strict=True)
    told = ((name, since, bool(one) if truth and one in (0, 1) else one) for (name, since, truth), one in columns)
    return {name: value for name, since, value in told if value is not None and value != since}


@cache
def _columns(table: Table) -> tuple[tuple[str, object, bool], ...]:
    """Name, what stands for "not there", and whether it is a boolean, of each covered column."""
    return tuple((str(one.name), one.info.get(_SINCE), isinstance(one.type, Boolean)) for one in covered(table))


def _canonical(table: str, fields: Mapping[str, object]) -> bytes:
    """JSON; a value that no column of ours holds, put there by other hands, is written as its type and text."""
    strange = any(type(one) not in _PLAIN or (type(one) is float and not math.isfinite(one)) for one in fields.values())
    try:
        return msgspec.json.encode((table, _typed(fields) if strange else fields))
    except UnicodeEncodeError:
        return repr((table, _typed(fields))).encode("utf-8", "backslashreplace")


def _typed(fields: Mapping[str, object]) -> dict[str, tuple[str, str]]:
    return {name: (type(one).__name__, repr(one)) for name, one in fields.items()}


def file_name(path: Path | str) -> str:
    """Return the name of a file: `file/` with its place in the data folder, or its absolute path where it lies
    elsewhere.

    A link within the data folder has its own name, so that a folder of it may lie on another disk.
    """
    for way in (os.path.abspath, os.path.realpath):
        whole, base = Path(way(path)), Path(way(home()))
        if whole.is_relative_to(base):
            return FILE + path_text(whole.relative_to(base).as_posix())
    return FILE + path_text(whole)


def file_place(name: str) -> Path:
    """Where the file of that name lies now."""
    return home() / path_of(name.removeprefix(FILE))


def file_digest(path: Path) -> str:
    """SHA-256 of a file's content."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def digests_of(folder: Path, names: Sequence[str], target: Path | None = None) -> dict[str, str]:
    """Digests of files of a folder by their names there, as a deed tells them; one that is not there was purged.

    `target` is the folder in which they are kept, where that is another.
    """
    return {
        file_name((target or folder) / one): file_digest(folder / one) if (folder / one).is_file() else PURGED
        for one in names
    }
