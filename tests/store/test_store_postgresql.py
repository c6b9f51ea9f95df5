"""The store on a real PostgreSQL server does what it does on SQLite."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from postgres_server import programs, server, start, stop
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from test_store_repository import a_finding, a_review

from verifier.domain.errors import BadInput
from verifier.store.database import open_engine
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
