"""Opens the store's database and brings its tables up to date."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from threading import Lock, RLock
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, OperationalError

from verifier.domain.errors import BadInput
from verifier.store.home import database_url as database_url
from verifier.store.home import home as home
from verifier.store.shares import on_share

_BUSY_SECONDS = 30
_TURNS_LOCK = Lock()
_TURNS: dict[str, AbstractContextManager[object]] = {}
_MIGRATING = 99_01_03_08


def open_engine(url: str | None = None) -> Engine:
    """Opens the database at `url` (default: `database_url()`), creating and migrating its tables.

    Raises BadInput where the address is none or the database cannot be opened or written.
    """
    address = url or database_url()
    with readable_errors(address):
        engine = _create(address)
        _migrate(engine)
        _read_beside_writers(engine)
    return engine


def _create(address: str) -> Engine:
    url = make_url(address)
    if url.get_backend_name() != "sqlite":
        return create_engine(url, pool_pre_ping=True)
    if url.database and url.database != ":memory:":
        Path(url.database).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(url, connect_args={"timeout": _BUSY_SECONDS})
    event.listen(engine, "connect", _prepare_sqlite)
    return engine


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = FULL")


def _read_beside_writers(engine: Engine) -> None:
    """Has SQLite write ahead (WAL), so that who reads waits for no writer; the file remembers it.

    Not on a share: there computers do not see each other's write-ahead log. Where somebody writes at this moment, or
    the file may only be read, it stays as it is.
    """
    url = engine.url
    if url.get_backend_name() != "sqlite" or not url.database or url.database == ":memory:":
        return
    if not on_share(Path(url.database)):
        with suppress(OperationalError), engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA journal_mode = WAL")


def turn_to_write(engine: Engine) -> AbstractContextManager[object]:
    """What a writer of this program holds: SQLite takes one at a time and has the others try again and again.

    Each waits for its turn instead, which comes sooner. PostgreSQL orders its writers itself.
    """
    if engine.url.get_backend_name() != "sqlite":
        return nullcontext()
    with _TURNS_LOCK:
        return _TURNS.setdefault(str(engine.url.database), RLock())


def newest_revision() -> tuple[str | None, frozenset[str]]:
    """The revision that the tables of this version have, and all that it knows."""
    scripts = ScriptDirectory.from_config(_migrations())
    return scripts.get_current_head(), frozenset(script.revision for script in scripts.walk_revisions())


def _migrations() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    return config


def _migrate(engine: Engine) -> None:
    config = _migrations()
    newest = ScriptDirectory.from_config(config).get_current_head()
    with engine.connect() as connection:
        if MigrationContext.configure(connection).get_current_revision() == newest:
            return
    with engine.begin() as connection, _alone(connection):
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


@contextmanager
def _alone(connection: Connection) -> Iterator[None]:
    """Lets one program migrate at a time, all or nothing: a program killed in the middle leaves nothing half done.

    Python's sqlite3 would commit each CREATE TABLE by itself, so there the transaction is begun by hand. A table that
    is made anew is gone for a moment, so that what refers to it is not checked meanwhile.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATING})
    if connection.dialect.name != "sqlite":
        yield
        return
    raw: Any = connection.connection.dbapi_connection
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
    """Turns the database's errors into BadInput with what to do."""
    shown = address if "@" not in address else address.rsplit("@", 1)[1]
    try:
        yield
    except (ArgumentError, NoSuchModuleError) as error:
        raise BadInput(shown, f"is no database address ({error})", "correct VERIFIER_DATABASE_URL") from error
    except ModuleNotFoundError as error:
        raise BadInput(shown, f"needs the Python package {error.name}", f"install {error.name}") from error
    except CommandError as error:
        raise BadInput(shown, f"was made by another version ({error})", "use a newer verifier") from error
    except DBAPIError as error:
        cause = f"the store cannot be used ({error.orig})"
        own = "check permissions and free space, or set VERIFIER_HOME elsewhere"
        served = "check VERIFIER_DATABASE_URL, and whether its server runs"
        raise BadInput(shown, cause, own if address.startswith("sqlite") else served) from error
