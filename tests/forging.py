"""A home in which every kind of thing is kept, and how somebody without the key changes it by other hands."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from review_fakes import SHOWN, fake_stages, finding, make_layout, write_inputs
from sqlalchemy import Boolean, Column, Connection, Engine, Float, Integer, Table, create_engine, delete, select, text
from sqlalchemy import insert as inserting
from sqlalchemy import update as updating

from verifier.domain.findings import Unconfirmed
from verifier.formats.layout import write_layout
from verifier.review.documents.keeping import keep_document
from verifier.review.judging import decide
from verifier.review.people.accounts import create_first
from verifier.review.people.roles import Person, Role
from verifier.review.people.sessions import open_session
from verifier.review.products import keep_unconfirmed
from verifier.review.recording import review_recording
from verifier.review.watch.marks import OwnFinding, add_own, bookmark
from verifier.review.watch.minutes import report
from verifier.review.watch.policy import allow
from verifier.review.watch.sampling import Round, answer
from verifier.store.floor import Floor
from verifier.store.kept import digests_of, file_digest, file_name
from verifier.store.night.journal import JobRecord, Journal
from verifier.store.papers import Duty, HoldFigure, Papers, Retained
from verifier.store.queue import ReviewQueue
from verifier.store.repository import Store
from verifier.store.site_records import KeptRecord, SiteRecords

KIM = Person(name="kim", full_name="Kim Olson", role=Role.MANAGER)
PASSWORD = "correct horse battery"


def populate(address: str, folder: Path) -> None:
    """Makes one thing of each kind by the product's own acts, in the database at `address` and in the data folder."""
    store = Store(address)
    made = review_recording(*write_inputs(folder), folder / "out", stages=fake_stages(SHOWN, finding()), store=store)
    kept = Path(made.review.folder)
    keep_unconfirmed(kept, [Unconfirmed(look="first", told=finding())])
    store.save_review(made.review, [], digests_of(kept, ["unconfirmed.json"]))
    store.save_review(made.review, _found(made.findings))
    decide(store, KIM, made.findings[0].id, "confirmed", "I saw it")
    add_own(store, KIM, made.review.id, OwnFinding(clause=finding().clause, t_start=2, t_end=3, observed="seen"))
    contents = {"pdf": b"%PDF-1.4", "csv": b"a,b\r\n", "xlsx": b"PK"}
    from verifier.store.database import home

    keep_document(store, "weekly", "0123", "2026-W47", "kim", "{}", home() / "documents", lambda version: contents)
    papers = Papers(store)
    papers.set_roster([Duty(site="0123", day="2026-11-17", shift="late", person="Lee", duty="twenty-one")], "kim")
    figure = HoldFigure(site="0123", day="2026-11-17", game="twenty-one", dealer="Lee", gross_cents=9, prizes_cents=5)
    papers.add_figures([figure], "kim")
    papers.add_figures([figure], "kim")
    papers.add_retained(Retained(act="hold", item=f"video/{made.review.id}", reason="a dispute", actor="kim"))
    open_session(store, create_first(store, "ada", "Ada Admin", PASSWORD))
    report(store, KIM, made.review.id, 0.0, 1.0)
    bookmark(store, KIM, made.review.id, 2.0, "look again")
    shown = Round(review_id=made.review.id, number=1, t_start=0.0, t_end=5.0, flagged=True)
    answer(store, KIM, shown, "deviation", "the payoff")
    allow(store, KIM, "0123", 1.5)
    _keep_layout_file(store)
    floor = Floor(store)
    floor.add_layout("0123", "2", make_layout(), "kim")
    floor.allow_folder(str(folder), "ada", "0123")
    a_slip = KeptRecord(
        site="0123",
        kind="fill_slip",
        name="number 101",
        day="2026-11-17",
        table="2",
        fields={"number": "101"},
        source="slips.csv: line 2",
        sha256="ab" * 32,
    )
    SiteRecords(store).add([a_slip], "kim")
    ReviewQueue(store).add("{}", "kim", "video.mp4")
    store.close()
    journal = Journal(address)
    journal.note(a_job(made.review.id))
    journal.end_run(journal.begin_run("2026-11-17", "reports", "{}"), '{"begun": 0}')
    journal.close()


def _keep_layout_file(store: Store) -> None:
    """Keeps a drawn layout as earlier releases did: as a file of the data folder."""
    from verifier.store.database import home

    path = home() / "layouts" / "0123-2.layout.yaml"
    path.parent.mkdir()
    write_layout(path, make_layout())
    with store.acting("kim", "layout", "site/0123/table/2", {"file": path.name}, {file_name(path): file_digest(path)}):
        pass


def _found(findings: list[Any]) -> list[Any]:
    from verifier.store.values import NewFinding

    return [NewFinding(finding=one.finding, clip=one.clip, stills=one.stills, dealer="Lee") for one in findings]


def a_job(review_id: str) -> JobRecord:
    return JobRecord(
        key="ab" * 32,
        night="2026-11-17",
        site="0123",
        table="2",
        names=["video.mp4"],
        review_id=review_id,
        state="reviewed",
        cause=None,
        attempts=1,
        recorded=8.0,
        reviewed=8.0,
        clock_start=None,
        clock_end=None,
        findings={"major": 1},
        unwatched=[],
        finished_at="2026-11-17T02:00:00+00:00",
    )


@contextmanager
def by_other_hands(address: str) -> Iterator[Connection]:
    """A transaction of somebody who may write to the database: no trigger and no foreign key is in the way."""
    engine: Engine = create_engine(address)
    with engine.begin() as connection:
        if engine.dialect.name == "sqlite":
            triggers = connection.execute(text("SELECT name FROM sqlite_master WHERE type = 'trigger'")).scalars().all()
            for name in triggers:
                connection.execute(text(f"DROP TRIGGER {name}"))
        else:
            connection.execute(text("SET session_replication_role = replica"))
        yield connection
    engine.dispose()


def another(column: Column[Any], value: Any) -> Any:
    """A value of the column's kind that is not this one."""
    if isinstance(column.type, Boolean):
        return not value
    if isinstance(column.type, Integer):
        return (value or 0) + 977
    if isinstance(column.type, Float):
        return (value or 0.0) + 0.5
    return f"{value}~"[-(column.type.length or 500) :] if value else "x"  # type: ignore[attr-defined]


def change(connection: Connection, table: Table, column: Column[Any]) -> None:
    """Changes one column of the table's first row."""
    row = connection.execute(select(table).limit(1)).mappings().one()
    here = [one == row[one.name] for one in table.primary_key.columns]
    changed = connection.execute(updating(table).where(*here).values({column: another(column, row[column.name])}))
    assert changed.rowcount == 1


def insert(connection: Connection, table: Table) -> None:
    """Puts in a copy of the table's first row, under a key of its own."""
    row = dict(connection.execute(select(table).limit(1)).mappings().one())
    for unique in _unique(table):
        row[unique.name] = another(unique, row[unique.name])
    connection.execute(inserting(table).values(row))


def _unique(table: Table) -> set[Column[Any]]:
    """Columns that no two rows may share."""
    from sqlalchemy import UniqueConstraint

    found = set(table.primary_key.columns)
    for one in table.constraints:
        if isinstance(one, UniqueConstraint):
            found.add(next(iter(one.columns)))
    return found | {one for one in table.columns if one.unique}


def remove(connection: Connection, table: Table) -> None:
    """Deletes the table's first row."""
    row = connection.execute(select(table).limit(1)).mappings().one()
    connection.execute(delete(table).where(*(one == row[one.name] for one in table.primary_key.columns)))
