"""The store on a real PostgreSQL server does what it does on SQLite."""

from __future__ import annotations

import itertools
import multiprocessing
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from forging import by_other_hands, change, insert, populate, remove
from postgres_server import programs, server, start, stop
from sqlalchemy import RowMapping, Table, text
from sqlalchemy.exc import DBAPIError
from test_store_repository import a_finding, a_review

from verifier.domain.errors import BadInput
from verifier.review.bundle.whole import check_log
from verifier.store.all_tables import KEPT
from verifier.store.database import open_engine
from verifier.store.kept import covered
from verifier.store.night.lease import Lease
from verifier.store.repository import Store, review_id
from verifier.store.tables import Base
from verifier.store.values import NewFinding

pytestmark = [
    pytest.mark.cluster,
    pytest.mark.skipif(programs() is None, reason="PostgreSQL is not installed (Debian: apt-get install postgresql)"),
]
_names = itertools.count()


@pytest.fixture(scope="module")
def running() -> Iterator[tuple[str, Path]]:
    pytest.importorskip("psycopg", reason="the extra 'cluster' is not installed")
    with server() as made:
        yield made


@pytest.fixture
def url(running: tuple[str, Path]) -> str:
    """A database of its own."""
    name = f"test{next(_names)}"
    address = running[0].replace("/postgres?", f"/{name}?")
    from sqlalchemy import create_engine

    engine = create_engine(running[0], isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    engine.dispose()
    return address


def test_reviews_findings_and_verdicts_round_trip(url: str) -> None:
    store = Store(url)
    first = store.save_review(a_review(), [NewFinding(finding=a_finding()), NewFinding(finding=a_finding(round=4))])
    second = store.save_review(a_review(), [NewFinding(finding=a_finding())])
    assert [one.id for one in first] == ["abababababab-0001", "abababababab-0002"]
    assert [one.id for one in second] == ["abababababab-0001"]
    store.add_verdict(first[0].id, "confirmed", "Kim")
    assert [one.current for one in store.findings()] == [True, False]
    assert store.reviews()[0].id == review_id("ab" * 32)
    store.close()


@pytest.mark.parametrize("table", ["verdicts", "audit_log"])
@pytest.mark.parametrize("act", ["UPDATE {} SET {} = {}", "DELETE FROM {}", "TRUNCATE {} CASCADE"])
def test_nothing_changes_what_people_wrote(url: str, table: str, act: str) -> None:
    store = Store(url)
    (one,) = store.save_review(a_review(), [NewFinding(finding=a_finding())])
    store.add_verdict(one.id, "confirmed", "Kim")
    column = {"verdicts": "note", "audit_log": "detail"}[table]
    with open_engine(url).connect() as connection, pytest.raises(DBAPIError, match="append-only"):
        connection.execute(text(act.format(table, column, column)))
    assert len(store.verdicts()) == 1
    store.close()


def test_the_migrations_make_the_tables_that_the_code_uses(url: str) -> None:
    engine = open_engine(url)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
    engine.dispose()


def test_one_holder_at_a_time(url: str) -> None:
    mine, other = Lease(url, "night"), Lease(url, "night")
    other._me = "elsewhere:1:2"
    assert mine.take() is None
    assert other.take() == mine._me
    mine.release()
    assert other.take() is None
    other.release()


def test_a_server_that_was_away_is_used_again(running: tuple[str, Path], url: str) -> None:
    store = Store(url)
    store.save_review(a_review(), [])
    stop(running[1])
    with pytest.raises(BadInput, match="cannot be used"):
        store.reviews()
    start(running[1])
    assert len(store.reviews()) == 1
    store.close()


def faults(url: str) -> list[tuple[str, str]]:
    store = Store(url)
    found = [(fault.kind, fault.where) for fault in check_log(store)[1]]
    store.close()
    return found


def test_what_was_forged_is_named_whatever_table_and_column(url: str, tmp_path: Path) -> None:
    """As `test_store_forgeries.py` has it on SQLite: each column, a row put in, a row taken out, and the log cut."""
    populate(url, tmp_path / "in")
    assert faults(url) == []
    for table in KEPT.values():
        for column in covered(table):
            with by_other_hands(url) as connection:
                before = connection.execute(table.select()).mappings().all()
                change(connection, table, column)
            assert {where.partition("/")[0] for _, where in faults(url)} == {table.name}, column
            put_back(url, table, before)
        with by_other_hands(url) as connection:
            insert(connection, table)
        assert [kind for kind, _ in faults(url)] == ["added"], table
        put_back(url, table, before)
        with by_other_hands(url) as connection:
            remove(connection, table)
        assert {kind for kind, _ in faults(url)} == {"deleted"}, table
        put_back(url, table, before)
    assert faults(url) == []
    with by_other_hands(url) as connection:
        connection.execute(text("DELETE FROM audit_log WHERE seq = (SELECT max(seq) FROM audit_log)"))
        connection.execute(
            text("UPDATE audit_head SET seq = seq - 1, hash = (SELECT hash FROM audit_log ORDER BY seq DESC LIMIT 1)")
        )
    assert "truncated" in {kind for kind, _ in faults(url)}


def test_a_table_in_the_place_of_ours_is_named(url: str, tmp_path: Path) -> None:
    """A schema of the user's name comes before `public`: what is asked of `verdicts` is asked of the table in it."""
    populate(url, tmp_path / "in")
    with by_other_hands(url) as connection:
        connection.execute(text("CREATE SCHEMA AUTHORIZATION CURRENT_USER"))
        connection.execute(text("CREATE TABLE bookmarks AS SELECT * FROM public.bookmarks"))
        schema = connection.execute(text("SELECT current_schema()")).scalar()
    assert faults(url) == [("added", f"table {schema}.bookmarks")]


def put_back(url: str, table: Table, rows: Sequence[RowMapping]) -> None:
    with by_other_hands(url) as connection:
        connection.execute(table.delete())
        connection.execute(table.insert(), [dict(row) for row in rows])


def _write_ten(url: str, name: str) -> None:
    store = Store(url)
    for _ in range(10):
        store.note(name, "view")
    store.close()


def test_writers_at_once_make_one_chain_that_reaches_its_pin(url: str) -> None:
    Store(url).note("kim", "view")
    writers = [multiprocessing.Process(target=_write_ten, args=(url, name)) for name in ("kim", "lee", "max")]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    store = Store(url)
    head = store.audit_head()
    assert head is not None and store.pins is not None and store.pins.head is not None
    assert (head.seq, store.pins.head.seq, faults(url)) == (31, 31, [])
    store.close()
