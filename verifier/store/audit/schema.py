"""What the database does by itself: triggers, views, keys and indexes may change or hide rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, TypeAlias

from sqlalchemy import Index, Table, UniqueConstraint, inspect, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from verifier.store.all_tables import METADATA
from verifier.store.audit.check import Fault
from verifier.store.tables import AuditHeadRow

_REFUSES: Final = re.compile(
    r"CREATE TRIGGER (\w+)_no_(?:update|delete) BEFORE (?:UPDATE|DELETE) ON (\w+) "
    r"BEGIN SELECT RAISE\(ABORT, '\w+ is append-only'\); END"
)
"""A trigger of the program's own: it refuses to change what people wrote (migrations 1, 2, 3, 12 and 13)."""
_REFUSES_SOURCE: Final = "BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END"
"""The same on PostgreSQL (migration 6)."""
_MOST: Final = 10
_Shape: TypeAlias = tuple[dict[str, str], set[str], set[tuple[str, ...]]]
"""Columns of a table with their types, its key, and which columns are unique together."""
"""Damages that SQLite tells; with one of them the database is not to be believed."""
_SQLITE: Final = "SELECT type, name, coalesce(sql, '') FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
_POSTGRESQL: Final = """
SELECT 'trigger', t.tgname, p.prosrc FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid WHERE NOT t.tgisinternal
UNION ALL SELECT 'rule', rulename, '' FROM pg_rules WHERE schemaname NOT IN ('pg_catalog', 'information_schema')
UNION ALL SELECT 'view', viewname, '' FROM pg_views WHERE schemaname NOT IN ('pg_catalog', 'information_schema')
"""
_SEEN: Final = """
SELECT c.relname, n.nspname, c.relkind = 'r' FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE pg_table_is_visible(c.oid) AND c.relkind IN ('r', 'p', 'f', 'v', 'm')
"""
"""PostgreSQL's tables that a name without a schema means: name, schema, and whether it is a plain table."""
_VERSION: Final = "alembic_version"
"""The table in which Alembic keeps which migrations were made."""
_WORD: Final = re.compile(r"'[^']*'|\w+")
_OF_TABLES: Final = frozenset(
    {"CREATE", "TABLE", "CONSTRAINT", "PRIMARY", "FOREIGN", "KEY", "REFERENCES", "UNIQUE", "NOT", "NULL", "DEFAULT"}
    | {"VARCHAR", "TEXT", "INTEGER", "BIGINT", "FLOAT", "BOOLEAN"}
)
"""SQL words in the program's own tables. Every other one changes what is kept or found: COLLATE, CHECK, ON CONFLICT."""
_OF_INDEXES: Final = frozenset({"CREATE", "UNIQUE", "INDEX", "ON"})
_FOREIGN: Final = "is not this program's: it can change or hide what is written and read"
_CHANGED: Final = "is not as this program makes it, and can change or hide what is written and read"


def schema_faults(session: Session) -> list[Fault]:
    """Return what this program did not make, or not in this form: triggers, views, rules; on SQLite also tables and
    indexes.

    Indexes that do not hold what their tables hold are found on SQLite only. What cannot be read is told where its rows
    are compared.
    """
    try:
        return list(_faults(session))
    except DBAPIError as error:
        return [Fault(kind="edited", where="database", says=f"cannot be checked ({error.orig})")]


def _faults(session: Session) -> Iterator[Fault]:
    sqlite = session.get_bind().dialect.name == "sqlite"
    yield from _heads(session)
    for kind, name, body in session.execute(text(_SQLITE if sqlite else _POSTGRESQL)):
        if kind in ("table", "index"):
            yield from _table_faults(session, name, body) if kind == "table" else _index_faults(name, body)
        elif kind != "trigger" or not _own(body):
            yield Fault(kind="added", where=f"{kind} {name}", says=_FOREIGN)
    if not sqlite:
        yield from _shadows(session)
    else:
        for (told,) in session.execute(text(f"PRAGMA integrity_check({_MOST})")):
            if told != "ok":
                says = f"is damaged, or was changed past SQLite: rows can be hidden ({told})"
                yield Fault(kind="edited", where="database", says=says)


def _shadows(session: Session) -> Iterator[Fault]:
    """Tables of PostgreSQL that stand before the program's own, in another schema, and such as are no plain tables."""
    seen = [one for one in session.execute(text(_SEEN)) if one[0] in METADATA.tables]
    own = next((schema for name, schema, _ in seen if name == AuditHeadRow.__tablename__), None)
    for name, schema, plain in seen:
        if schema != own or not plain:
            yield Fault(
                kind="added", where=f"table {schema}.{name}", says=f"stands in the place of {name}; it {_FOREIGN}"
            )


def _heads(session: Session) -> Iterator[Fault]:
    """Check that the log has one head; `read_head` gives none where it was taken away."""
    count = session.query(AuditHeadRow).count()
    if count != 1:
        yield Fault(kind="added" if count else "deleted", where="audit log", says=f"has {count} heads instead of one")


def _table_faults(session: Session, name: str, body: str) -> Iterator[Fault]:
    """Check that a table of ours has its columns' own types and keys, and that nothing else is said of it."""
    table = METADATA.tables.get(name)
    if table is None:
        if name != _VERSION:
            yield Fault(kind="added", where=f"table {name}", says=_FOREIGN)
        return
    strange = _strange(body, _OF_TABLES | _named(table))
    if strange:
        yield Fault(kind="edited", where=f"table {name}", says=f"{_CHANGED} ({', '.join(strange)})")
    elif _shape(session, name) != _shape_of(session, table):
        yield Fault(kind="edited", where=f"table {name}", says=f"{_CHANGED} (its key, or the type of a column)")


def _index_faults(name: str, body: str) -> Iterator[Fault]:
    index = next((one for table in METADATA.tables.values() for one in table.indexes if one.name == name), None)
    if index is None:
        yield Fault(kind="added", where=f"index {name}", says=_FOREIGN)
    elif _strange(body, _OF_INDEXES | {name, str(index.table), *(one.name for one in index.columns)}) or not _as_unique(
        index, body
    ):
        yield Fault(kind="edited", where=f"index {name}", says=_CHANGED)


def _as_unique(index: Index, body: str) -> bool:
    return bool(index.unique) == ("UNIQUE" in _WORD.findall(body.upper()))


def _named(table: Table) -> set[str]:
    """Return the names that a table's own definition uses."""
    keys = {str(one.name) for one in table.constraints}
    others = {one.column.table.name for one in table.foreign_keys} | {one.column.name for one in table.foreign_keys}
    return {table.name, *(one.name for one in table.columns), *keys, *others}


def _strange(body: str, known: frozenset[str] | set[str]) -> list[str]:
    """Return the words of a piece of SQL that are not its own (`known`). Values in quotes and lengths are left out."""
    words = [one for one in _WORD.findall(body) if not one.startswith("'") and not one.isdecimal()]
    return sorted({one for one in words if one not in known and one.upper() not in known})


def _shape(session: Session, name: str) -> _Shape:
    """Columns with their types, the key, and which columns are unique together, as the database has them."""
    seen = inspect(session.connection())
    columns = {one["name"]: one["type"].compile(session.get_bind().dialect) for one in seen.get_columns(name)}
    unique = {tuple(one["column_names"]) for one in seen.get_unique_constraints(name)}
    return columns, set(seen.get_pk_constraint(name)["constrained_columns"]), unique


def _shape_of(session: Session, table: Table) -> _Shape:
    """Return a table's shape (columns, primary key, unique constraints) as the program makes it."""
    columns = {one.name: one.type.compile(session.get_bind().dialect) for one in table.columns}
    made = [one for one in table.constraints if isinstance(one, UniqueConstraint)]
    unique = {tuple(one.name for one in constraint.columns) for constraint in made}
    return columns, {one.name for one in table.primary_key.columns}, unique


def _own(body: str) -> bool:
    found = _REFUSES.fullmatch(body)
    if found is not None:
        return found[1] == found[2]
    return " ".join(body.split()) == _REFUSES_SOURCE
