"""How the database stands, looked at without changing it."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import create_engine
from sqlalchemy.engine import make_url
from sqlalchemy.pool import NullPool

from verifier.domain.errors import BadInput
from verifier.domain.names import path_text
from verifier.store.database import database_url, newest_revision, readable_errors, revisions_of


def database_state(address: str | None = None) -> str:
    """One sentence on the database at `address` (default: the store's): none yet, up to date, or older.

    Raises BadInput where it cannot be opened, and where a newer version of this program made it.
    """
    address = address or database_url()
    with readable_errors(address):
        url = make_url(address)
        sqlite = url.get_backend_name() == "sqlite"
        if sqlite and url.database and not Path(url.database).exists():
            return "none yet; the first review makes it"
        if sqlite and url.database:
            url = url.set(
                database=f"file:{Path(url.database).absolute().as_posix()}", query={"mode": "ro", "uri": "true"}
            )
        engine = create_engine(url, poolclass=NullPool)
        with engine.connect() as connection:
            found = revisions_of(connection)
    place = path_text(Path(make_url(address).database or "")) if sqlite else "on its server"
    newest, known = newest_revision()
    if found == [newest]:
        return f"{place}, up to date"
    if unknown := sorted(set(found) - known):
        cause = f"was made by a newer version (its tables are of {', '.join(unknown)})"
        raise BadInput(place, cause, "use a newer verifier")
    return f"{place}, of an earlier version; the next command brings it up to date"
