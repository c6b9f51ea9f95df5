"""What the database does by itself: triggers, views and indexes may change or hide rows that the program reads."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from verifier.store.audit.check import Fault

_REFUSES: Final = re.compile(
    r"CREATE TRIGGER (\w+)_no_(?:update|delete) BEFORE (?:UPDATE|DELETE) ON (\w+) "
    r"BEGIN SELECT RAISE\(ABORT, '\w+ is append-only'\); END"
)
"""A trigger of the program's own: it refuses to change what people wrote (migrations 1, 2, 3, 12 and 13)."""
_REFUSES_SOURCE: Final = "BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END"
"""The same on PostgreSQL (migration 6)."""
_MOST: Final = 10
"""Damages that SQLite tells; with one of them the database is not to be believed."""
_SQLITE: Final = "SELECT type, name, coalesce(sql, '') FROM sqlite_master WHERE type IN ('trigger', 'view')"
_POSTGRESQL: Final = """
SELECT 'trigger', t.tgname, p.prosrc FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid WHERE NOT t.tgisinternal
UNION ALL SELECT 'rule', rulename, '' FROM pg_rules WHERE schemaname NOT IN ('pg_catalog', 'information_schema')
UNION ALL SELECT 'view', viewname, '' FROM pg_views WHERE schemaname NOT IN ('pg_catalog', 'information_schema')
"""


def schema_faults(session: Session) -> list[Fault]:
    """Triggers, views and rules that this program did not make, and indexes that do not hold what their tables hold.

    Indexes are checked on SQLite only. What cannot be read is told where its rows are compared.
    """
    try:
        return list(_faults(session))
    except DBAPIError as error:
        return [Fault(kind="edited", where="database", says=f"cannot be checked ({error.orig})")]


def _faults(session: Session) -> Iterator[Fault]:
    sqlite = session.get_bind().dialect.name == "sqlite"
    for kind, name, body in session.execute(text(_SQLITE if sqlite else _POSTGRESQL)):
        if kind != "trigger" or not _own(body):
            says = "is not this program's: it can change or hide what is written and read"
            yield Fault(kind="added", where=f"{kind} {name}", says=says)
    if sqlite:
        for (told,) in session.execute(text(f"PRAGMA integrity_check({_MOST})")):
            if told != "ok":
                says = f"is damaged, or was changed past SQLite: rows can be hidden ({told})"
                yield Fault(kind="edited", where="database", says=says)


def _own(body: str) -> bool:
    found = _REFUSES.fullmatch(body)
    if found is not None:
        return found[1] == found[2]
    return " ".join(body.split()) == _REFUSES_SOURCE
