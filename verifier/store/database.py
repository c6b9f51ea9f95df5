"""Opens the store's database and brings its tables up to date."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import cache
from pathlib import Path
from threading import Lock, RLock
from typing import Final
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, OperationalError
from sqlalchemy.orm.exc import StaleDataError

from verifier.domain.errors import BadInput
from verifier.formats.whole import make_folder, make_private
from verifier.store.home import database_url as database_url
from verifier.store.home import home as home
from verifier.store.shares import on_share

_BUSY_SECONDS = 30
_TURNS_LOCK = Lock()
_TURNS: dict[str, AbstractContextManager[object]] = {}
_MIGRATING = 99_01_03_08
_MIGRATIONS: Final = Path(__file__).parent / "migrations"


def open_engine(url: str | None = None) -> Engine:
    """Open the database at `url` (default: `database_url()`), creating and migrating its tables.

    Raises BadInput where the address is none or the database cannot be opened or written.
    """
    address = url or database_url()
    with suppress(OSError):  # one that may only be read, or cannot be made, is told where it is needed
        make_private(home())
    with readable_errors(address):
        engine = _create(address)
        _migrate(engine)
        _read_beside_writers(engine)
    return engine


def _create(address: str) -> Engine:
    url = make_url(address)
    if url.get_backend_name() != "sqlite":
        return create_engine(url, pool_pre_ping=True)
    if not url.database or url.database == ":memory:":
        return _sqlite(url)
    path = Path(url.database)
    _make_file(path)
    return _sqlite(_for_reading(path)) if _only_readable(path) else _sqlite(url)


def _sqlite(url: URL | str) -> Engine:
    engine = create_engine(url, connect_args={"timeout": _BUSY_SECONDS})
    event.listen(engine, "connect", _prepare_sqlite)
    return engine


def _make_file(path: Path) -> None:
    """Make the data folder and the database's file, for their owner alone. Raises BadInput where that cannot be."""
    try:
        make_folder(path.parent)
        if path.exists() and path.is_file() and os.access(path, os.R_OK | os.W_OK):
            return  # opening and closing it here would take SQLite's locks of this process away, and damage it
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        if path.is_file() and os.access(path, os.R_OK):
            return  # it can be read
        if path.exists():
            raise BadInput(path, "the database may not be read", "ask for the permission to read it") from error
        cause = f"there is no database, and none can be made ({error.strerror or error})"
        remedy = "set VERIFIER_HOME to the data folder, or to one that can be written"
        raise BadInput(path, cause, remedy) from error


def _only_readable(path: Path) -> bool:
    return not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK))


def _for_reading(path: Path) -> str:
    """Return the address by which a database is read where nothing can be written, not even SQLite's own files beside
    it.

    Raises BadInput where the last writes stand in the write-ahead log only, or where what they wrote over stands in the
    rollback journal: what is read without these is not true.
    """
    logs = (path.with_name(f"{path.name}{ending}") for ending in ("-wal", "-journal"))
    if any(log.exists() and log.stat().st_size for log in logs):
        cause = "may only be read, and the program that wrote to it last was killed"
        raise BadInput(path, cause, "open it once where it can be written")
    return f"sqlite:///file:{quote(str(path.absolute()))}?mode=ro&immutable=1&uri=true"


def _prepare_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = FULL")


def _read_beside_writers(engine: Engine) -> None:
    """Has SQLite write ahead (WAL), so that who reads waits for no writer; the file remembers it.

    Not on a share: there computers do not see each other's write-ahead log. Where somebody writes at this moment, or
    the file may only be read, it stays as it is.
    """
    url = engine.url
    if url.get_backend_name() != "sqlite" or not url.database or url.database == ":memory:" or "uri" in url.query:
        return
    if not on_share(Path(url.database)):
        with suppress(OperationalError), engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA journal_mode = WAL")


def turn_to_write(engine: Engine) -> AbstractContextManager[object]:
    """Return what a writer of this program holds. SQLite takes one writer at a time and has the others try again and
    again.

    Each waits for its turn instead, which comes sooner. PostgreSQL orders its writers itself.
    """
    if engine.url.get_backend_name() != "sqlite":
        return nullcontext()
    with _TURNS_LOCK:
        return _TURNS.setdefault(str(engine.url.database), RLock())


@cache
def newest_revision() -> tuple[str, frozenset[str]]:
    """Return the revision that the tables of this version have, and all revisions that it knows.

    Each migration's file is named by its revision, and each follows the one before. Alembic, which takes long to load,
    is loaded where there is something to migrate.
    """
    files = (_MIGRATIONS / "versions").glob("v????_*.py")
    known = frozenset(path.name[1:5] for path in files)
    return max(known), known


def revisions_of(connection: Connection) -> list[str]:
    """Return the revisions that the database tells: one, or none where it has no tables yet."""
    if not inspect(connection).has_table("alembic_version"):
        return []
    return [str(row[0]) for row in connection.execute(text("SELECT version_num FROM alembic_version"))]


def _migrate(engine: Engine) -> None:
    newest, _ = newest_revision()
    with engine.connect() as connection:
        if revisions_of(connection) == [newest]:
            return
    if "uri" in engine.url.query:
        cause = "was made by an earlier version, and may only be read"
        raise BadInput(str(engine.url.database), cause, "open it once where it can be written")
    with engine.begin() as connection, _alone(connection), _known_version(engine):
        _upgrade(connection)


def _upgrade(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


@contextmanager
def _known_version(engine: Engine) -> Iterator[None]:
    """Turn Alembic's refusal of the version that the tables tell into BadInput."""
    from alembic.util import CommandError

    try:
        yield
    except CommandError as error:
        shown = engine.url.database or str(engine.url)
        raise BadInput(shown, f"was made by another version ({error})", "use a newer verifier") from error


@contextmanager
def _alone(connection: Connection) -> Iterator[None]:
    """Let one program migrate at a time, all or nothing: a program killed in the middle leaves nothing half done.

    Python's sqlite3 would commit each CREATE TABLE by itself, so there the transaction is begun by hand. A table that
    is made anew is gone for a moment, so that what refers to it is not checked meanwhile.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATING})
    if connection.dialect.name != "sqlite":
        yield
        return
    raw = connection.connection.dbapi_connection
    assert isinstance(raw, sqlite3.Connection)
    raw.isolation_level = None
    connection.exec_driver_sql("PRAGMA foreign_keys = OFF")
    connection.exec_driver_sql("BEGIN IMMEDIATE")
    try:
        yield
        connection.commit()
    finally:
        raw.rollback()  # without effect after the commit; within a transaction the next line would have none
        raw.execute("PRAGMA foreign_keys = ON")
        raw.isolation_level = ""


@contextmanager
def readable_errors(address: str) -> Iterator[None]:
    """Turn the database's errors into BadInput with what to do."""
    shown = address if "@" not in address else address.rsplit("@", 1)[1]
    try:
        yield
    except (ArgumentError, NoSuchModuleError) as error:
        raise BadInput(shown, f"is no database address ({error})", "correct VERIFIER_DATABASE_URL") from error
    except ModuleNotFoundError as error:
        raise BadInput(shown, f"needs the Python package {error.name}", f"install {error.name}") from error
    except StaleDataError as error:
        cause = f"rows were taken away or doubled by other hands ({error})"
        raise BadInput(shown, cause, "see verifier evidence log") from error
    except DBAPIError as error:
        if not address.startswith("sqlite"):
            served = "check VERIFIER_DATABASE_URL, and whether its server runs"
            raise BadInput(shown, f"the store cannot be used ({error.orig})", served) from error
        raise BadInput(shown, *_told(error)) from error


_SQLITE_TELLS: Final = {
    "BUSY": (f"the database is in use: another program has been writing for {_BUSY_SECONDS} s", "try again later"),
    "LOCKED": (f"the database is in use: another program has been writing for {_BUSY_SECONDS} s", "try again later"),
    "NOTADB": ("the file is no database, or its beginning is damaged", "put it back from a backup"),
    "CORRUPT": ("the database is damaged", "put it back from a backup"),
    "READONLY": ("the database may only be read", "check the permissions of the file and its folder"),
    "CANTOPEN": ("the database cannot be opened", "check that the data folder is there and may be written"),
    "FULL": ("there is no space left for the database", "free some space"),
    "IOERR": ("the disk failed while the database was read or written", "check the disk and its free space"),
    "PERM": ("the database may not be read", "ask for the permission to read it"),
}
"""SQLite's result codes (sqlite.org/rescode.html) -> cause and remedy."""


def _told(error: DBAPIError) -> tuple[str, str]:
    """Cause and remedy of what SQLite says."""
    name = str(getattr(error.orig, "sqlite_errorname", "")).removeprefix("SQLITE_")
    if "no such table" in str(error.orig) or "no such column" in str(error.orig):
        return f"the database is damaged: a part of it is missing ({error.orig})", "put it back from a backup"
    if "duplicate column name" in str(error.orig) or "already exists" in str(error.orig):
        return f"the version that it tells is not that of its tables ({error.orig})", "put it back from a backup"
    known = _SQLITE_TELLS.get(name.partition("_")[0])
    own = "check permissions and free space, or set VERIFIER_HOME elsewhere"
    return known or (f"the store cannot be used ({error.orig})", own)
