"""Whoever may write to database and files, but has not the key, changes nothing without the log's check naming it.

The tables and columns are those of the metadata: a new one is forged here without a further word, and fails where no
digest covers it. A new kind of thing is made in `forging.populate`.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from forging import KIM, PASSWORD, by_other_hands, change, insert, populate, remove
from pypdf import PdfReader
from sqlalchemy import Column, Connection, Table, text

from verifier.cli import run
from verifier.domain.errors import BadInput
from verifier.review.bundle.collect import collect_document, collect_finding, collect_review, collect_week
from verifier.review.bundle.whole import check_log, whole_check
from verifier.review.bundle.write import write_bundle
from verifier.review.judging import decide
from verifier.review.people.accounts import create_first
from verifier.review.playback import clip_file, still_file
from verifier.review.weekly import gather_week
from verifier.review.weekly_files import write_weekly
from verifier.review.weekly_values import Answers
from verifier.store.all_tables import KEPT, METADATA
from verifier.store.audit.chain import GENESIS, Deed, Head, next_link
from verifier.store.audit.check import Fault
from verifier.store.audit.signing import Signer, trust
from verifier.store.kept import covered, row_name
from verifier.store.papers import Papers
from verifier.store.repository import Store

COLUMNS = [(table, column) for table in KEPT.values() for column in covered(table)]
CHAIN = [(table, column) for table in METADATA.tables.values() if table.name.startswith("audit_") for column in table.c]


def named(one: tuple[Table, Column[object]]) -> str:
    return f"{one[0].name}.{one[1].name}"


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home in which one thing of each kind was made, and a copy of it that nobody changes."""
    folder = tmp_path_factory.mktemp("kept")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("VERIFIER_HOME", str(folder / "home"))
        populate(f"sqlite:///{folder / 'home' / 'verifier.sqlite'}", folder / "in")
    shutil.copytree(folder / "home", folder / "copy")
    return folder


@pytest.fixture
def forged(kept: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home as it was made, for each test to forge."""
    shutil.rmtree(kept / "home", ignore_errors=True)
    shutil.copytree(kept / "copy", kept / "home")
    monkeypatch.setenv("VERIFIER_HOME", str(kept / "home"))
    return kept / "home"


def faults() -> list[Fault]:
    return check_log(Store())[1]


def address(home: Path) -> str:
    return f"sqlite:///{home / 'verifier.sqlite'}"


def first_name(home: Path, table: Table) -> str:
    with by_other_hands(address(home)) as connection:
        row = connection.execute(table.select().with_only_columns(*covered(table)).limit(1)).one()
    return row_name(table, row)


def test_what_nobody_touched_has_no_fault(forged: Path) -> None:
    checked = whole_check(Store())
    assert checked.faults == []
    assert checked.notes == []
    with by_other_hands(address(forged)) as connection:
        empty = [name for name in KEPT if not connection.execute(text(f"SELECT count(*) FROM {name}")).scalar()]
    assert empty == [], "forging.populate makes one of each"


def test_whatever_is_not_kept_says_why() -> None:
    passing = {table.name: table.info["passing"] for table in METADATA.tables.values() if table.name not in KEPT}
    columns = {
        f"{table.name}.{one.name}": one.info["passing"]
        for table in KEPT.values()
        for one in table.columns
        if one not in covered(table)
    }
    assert set(passing) == {"audit_log", "audit_head", "holds", "leases", "watching"}
    moving = {f"ordered_reviews.{name}" for name in ("state", "progress", "cancelled", "changed_at")}
    assert set(columns) == {"accounts.failures", "accounts.locked_until", "sessions.seen_at", *moving}
    assert all(len(why) > 10 for why in (*passing.values(), *columns.values()))


@pytest.mark.parametrize("one", COLUMNS, ids=named)
def test_a_changed_column_of_any_table_is_named(forged: Path, one: tuple[Table, Column[object]]) -> None:
    """Case log_check_forged, for every column.

    A mark has 16 bits: by chance it may be that of another field of the row, which does not happen twice.
    """
    table, column = one
    name = first_name(forged, table)
    for _ in range(1 if column.primary_key else 2):
        with by_other_hands(address(forged)) as connection:
            change(connection, table, column)
        found = faults()
        assert name in {fault.where for fault in found}
        assert {fault.where.partition("/")[0] for fault in found} == {table.name}
        (told,) = [fault for fault in found if fault.where == name]
        assert "entry" in told.says and told.kind == ("deleted" if column.primary_key else "edited")
        if f"({column.name} changed)" in told.says:
            break
    assert column.primary_key or f"({column.name} changed)" in told.says


@pytest.mark.parametrize("table", KEPT.values(), ids=list(KEPT))
def test_a_row_that_was_put_in_or_taken_out_of_any_table_is_named(forged: Path, table: Table) -> None:
    name = first_name(forged, table)
    with by_other_hands(address(forged)) as connection:
        insert(connection, table)
    (told,) = faults()
    assert (told.kind, told.where.partition("/")[0]) == ("added", table.name)
    with by_other_hands(address(forged)) as connection:
        remove(connection, table)
    assert ("deleted", name) in {(fault.kind, fault.where) for fault in faults()}


@pytest.mark.parametrize("table", KEPT.values(), ids=list(KEPT))
def test_an_emptied_and_a_missing_table_is_named(forged: Path, table: Table) -> None:
    with by_other_hands(address(forged)) as connection:
        connection.execute(table.delete())
    assert {fault.where.partition("/")[0] for fault in faults()} == {table.name}
    with by_other_hands(address(forged)) as connection:
        connection.execute(text("PRAGMA foreign_keys = OFF"))
        connection.execute(text(f"DROP TABLE {table.name}"))
    assert f"table {table.name}" in {fault.where for fault in faults()}


@pytest.mark.parametrize("one", CHAIN, ids=named)
def test_a_changed_column_of_the_log_is_named(forged: Path, one: tuple[Table, Column[object]]) -> None:
    with by_other_hands(address(forged)) as connection:
        change(connection, *one)
    if one[1].name == "id":  # the number of the one row of audit_head means nothing
        return
    assert any(fault.where.startswith("audit") for fault in faults())


STRANGE = [b"\xff\xfe", "\ud800".encode("utf-8", "surrogatepass"), float("inf")]


@pytest.mark.parametrize("value", STRANGE, ids=["bytes", "no text", "no number"])
@pytest.mark.parametrize("column", ["findings.body", "documents.files", "verdicts.note"])
def test_what_no_column_of_ours_holds_is_named_and_is_no_traceback(forged: Path, column: str, value: object) -> None:
    table, _, field = column.partition(".")
    how = "CAST(:value AS TEXT)" if isinstance(value, bytes) and value.startswith(b"\xed") else ":value"
    with by_other_hands(address(forged)) as connection:
        connection.execute(text(f"UPDATE {table} SET {field} = {how}"), {"value": value})
    assert any(table in fault.where for fault in faults())


def files_of(home: Path) -> list[Path]:
    folders = ("evidence", "documents", "layouts")
    return sorted(path for name in folders for path in (home / name).rglob("*") if path.is_file())


def test_every_kind_of_file_is_kept(forged: Path) -> None:
    names = {path.name for path in files_of(forged)}
    assert {"events.jsonl", "observations.jsonl.gz", "findings.json", "coverage.json", "layout.yaml"} <= names
    assert {"originals.json", "timeline-1.npz", "unconfirmed.json", "0123-2.layout.yaml"} <= names
    assert {path.suffix for path in files_of(forged)} >= {".mp4", ".jpg", ".pdf", ".csv", ".xlsx"}


def test_every_file_that_is_changed_exchanged_taken_away_or_put_in_is_named(forged: Path) -> None:
    for path in files_of(forged):
        content, name = path.read_bytes(), f"file/{path.relative_to(forged).as_posix()}"
        path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
        assert [(fault.kind, fault.where) for fault in faults()] == [("edited", name)]
        path.unlink()
        assert [(fault.kind, fault.where) for fault in faults()] == [("deleted", name)]
        path.write_bytes(content)
        more = path.with_name(f"more-{path.name}")
        more.write_bytes(content)
        assert [fault.kind for fault in faults()] == ["added"]
        more.unlink()
    assert faults() == []


def test_two_files_that_change_places_are_both_named(forged: Path) -> None:
    clips = [path for path in files_of(forged) if path.suffix == ".mp4"][:2]
    first, second = (path.read_bytes() for path in clips)
    clips[0].write_bytes(second)
    clips[1].write_bytes(first)
    assert [fault.kind for fault in faults()] == ["edited", "edited"]


def test_a_link_is_named_wherever_it_leads(forged: Path, tmp_path: Path) -> None:
    """What a link leads to may be the very file of before, and is exchanged later where nobody looks."""
    clip = next(path for path in files_of(forged) if path.suffix == ".mp4")
    name = f"file/{clip.relative_to(forged).as_posix()}"
    clip.with_name("more.mp4").symlink_to(clip)
    clip.with_name("elsewhere").symlink_to(tmp_path)
    assert {(fault.kind, fault.where.rpartition("/")[2]) for fault in faults()} == {
        ("added", "more.mp4"),
        ("added", "elsewhere"),
    }
    clip.with_name("more.mp4").unlink()
    clip.with_name("elsewhere").unlink()
    clip.rename(tmp_path / "kept.mp4")
    clip.symlink_to(tmp_path / "kept.mp4")
    assert [(fault.kind, fault.where) for fault in faults()] == [("edited", name)]


def test_a_folder_of_files_that_lies_elsewhere_is_compared_there(forged: Path, tmp_path: Path) -> None:
    """A disk of its own for the evidence is nobody's forgery; what is changed on it is told."""
    (forged / "evidence").rename(tmp_path / "disk")
    (forged / "evidence").symlink_to(tmp_path / "disk")
    assert faults() == []
    next((tmp_path / "disk").rglob("*.mp4")).write_bytes(b"another film")
    assert [fault.kind for fault in faults()] == ["edited"]


def test_a_copied_home_shows_its_own_evidence(forged: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the data folder was moved or copied to, nothing is read from the folder of before."""
    shutil.copytree(forged, tmp_path / "moved")
    for path in (forged / "evidence").rglob("*.mp4"):
        path.write_bytes(b"another film")
    monkeypatch.setenv("VERIFIER_HOME", str(tmp_path / "moved"))
    store = Store()
    finding = store.findings()[0]
    assert whole_check(store).faults == []
    assert clip_file(store, KIM, finding.id).is_relative_to(tmp_path / "moved")
    write_bundle(store, collect_finding(store, finding.id), tmp_path / "b.zip", "Kim")
    shutil.rmtree(forged)
    assert clip_file(store, KIM, finding.id).read_bytes() != b"another film"


@pytest.mark.parametrize("old", ['"decision":"confirmed"', '{"decision"'])
def test_a_detail_that_says_two_things_is_named(forged: Path, old: str) -> None:
    """JSON may name a field twice; this program takes the last, others take the first."""
    new = f'"decision":"rejected",{old}' if not old.startswith("{") else '{ "decision"'
    with by_other_hands(address(forged)) as connection:
        connection.execute(
            text("UPDATE audit_log SET detail = replace(detail, :old, :new) WHERE act = 'verdict'"),
            {"old": old, "new": new},
        )
    assert "edited" in {fault.kind for fault in faults()}


def test_a_killed_writer_leaves_nothing_that_is_taken_for_forged(forged: Path) -> None:
    (forged / "evidence" / "another" / "clips").mkdir(parents=True)
    (forged / "evidence" / "another" / "clips" / "one.mp4").write_bytes(b"half")
    next((forged / "evidence").rglob("events.jsonl")).with_name(".events.jsonl.x.part").write_bytes(b"half")
    checked = whole_check(Store())
    assert checked.faults == []
    assert checked.notes == ["file/evidence/another/clips/one.mp4 is of no stored review: one under way, or ended"]


def test_files_that_were_announced_may_be_the_old_or_the_new_ones(forged: Path) -> None:
    path = next((forged / "evidence").rglob("events.jsonl"))
    name, new = f"file/{path.relative_to(forged).as_posix()}", b"new"
    Store().announce("verifier", "review/x", {name: hashlib.sha256(new).hexdigest()})
    assert faults() == []
    path.write_bytes(new)
    assert faults() == []
    path.write_bytes(b"another")
    assert [(fault.kind, fault.where) for fault in faults()] == [("edited", name)]


def test_of_two_writers_killed_in_a_row_any_ones_file_may_be_there(forged: Path) -> None:
    path = next((forged / "evidence").rglob("events.jsonl"))
    old, name = path.read_bytes(), f"file/{path.relative_to(forged).as_posix()}"
    for content in (b"first", b"second"):
        Store().announce("verifier", "review/x", {name: hashlib.sha256(content).hexdigest()})
    for content in (old, b"first", b"second"):
        path.write_bytes(content)
        assert faults() == []
    path.write_bytes(b"another")
    assert [(fault.kind, fault.where) for fault in faults()] == [("edited", name)]
    path.unlink()
    assert [fault.where for fault in faults()] == [name], "one of them was there before: it cannot have gone by itself"


def test_a_file_that_was_never_there_may_be_missing_after_two_killed_writers(forged: Path) -> None:
    name = "file/evidence/new/events.jsonl"
    for content in (b"first", b"second"):
        Store().announce("verifier", "review/new", {name: hashlib.sha256(content).hexdigest()})
        assert faults() == []


@pytest.mark.parametrize("column", ["detail", "made", "marks"])
def test_an_entry_that_is_nested_too_deeply_is_named_and_is_no_traceback(forged: Path, column: str) -> None:
    with by_other_hands(address(forged)) as connection:
        connection.execute(text(f"UPDATE audit_log SET {column} = :deep WHERE seq = 2"), {"deep": "[" * 5000})
    assert "audit entry 2" in {fault.where for fault in faults()}


# What an act may not do: vouch for what was forged before it.


def test_an_act_on_a_forged_row_does_not_vouch_for_it(forged: Path) -> None:
    finding = Store().findings()[0]
    with by_other_hands(address(forged)) as connection:
        connection.execute(text("UPDATE findings SET dealer = 'Mallory' WHERE id = :id"), {"id": finding.id})
    decide(Store(), KIM, finding.id, "confirmed", "again")
    assert [(fault.kind, fault.where) for fault in faults()] == [("edited", f"findings/{finding.id}")]


def test_a_new_row_in_the_place_of_a_deleted_one_does_not_vouch_for_it(forged: Path) -> None:
    store = Store()
    last = store.verdicts()[-1]
    with by_other_hands(address(forged)) as connection:
        connection.execute(text("DELETE FROM verdicts WHERE id = :id"), {"id": last.id})
    again = decide(store, KIM, last.finding_id, "undetermined", "again")
    assert again.id == last.id, "SQLite gives the number again"
    assert ("edited", f"verdicts/{last.id}") in {(fault.kind, fault.where) for fault in faults()}


def test_a_review_of_the_same_recording_does_not_vouch_for_files_that_it_did_not_make(forged: Path) -> None:
    clip = next(path for path in files_of(forged) if path.name.startswith("person-"))
    clip.write_bytes(b"another film")
    store = Store()
    review = store.reviews()[0]
    store.save_review(review, [], {})
    assert [(fault.kind, fault.where) for fault in faults()] == [
        ("edited", f"file/{clip.relative_to(forged).as_posix()}")
    ]


def test_what_is_kept_is_written_with_a_deed_only(forged: Path) -> None:
    from sqlalchemy import update

    from verifier.store.room.tables import AccountRow
    from verifier.store.tables import FindingRow

    store = Store()
    with pytest.raises(RuntimeError, match="is kept: write it"), store.writing() as session:
        session.query(AccountRow).first().role = "manager"  # type: ignore[union-attr]
    with pytest.raises(RuntimeError, match="as objects"), store.acting("kim", "view") as session:
        session.execute(update(FindingRow).values(dealer="Mallory"))
    assert faults() == []


# What the database does by itself.

TRIGGERS = {
    "turns verdicts": (
        "CREATE TRIGGER helper AFTER INSERT ON verdicts BEGIN "
        "UPDATE verdicts SET decision = 'rejected' WHERE id = NEW.id; END"
    ),
    "swallows verdicts": "CREATE TRIGGER helper BEFORE INSERT ON verdicts BEGIN SELECT RAISE(IGNORE); END",
    "named as ours": (
        "CREATE TRIGGER verdicts_no_insert AFTER INSERT ON verdicts BEGIN "
        "UPDATE verdicts SET note = '' WHERE id = NEW.id; END"
    ),
}


@pytest.mark.parametrize("trigger", TRIGGERS.values(), ids=list(TRIGGERS))
def test_a_trigger_that_changes_what_is_written_stores_nothing_and_is_named(forged: Path, trigger: str) -> None:
    before = len(Store().verdicts())
    with by_other_hands(address(forged)) as connection:  # without the triggers of ours, which refuse every change
        connection.execute(text(trigger))
    with pytest.raises(BadInput, match="nothing was stored"):
        decide(Store(), KIM, Store().findings()[0].id, "confirmed", "again")
    assert len(Store().verdicts()) == before
    assert [fault.where for fault in faults()] == [f"trigger {trigger.split()[2]}"]


def test_a_column_that_would_fill_itself_is_given_nothing_to_fill(forged: Path) -> None:
    """A new review that is superseded from its beginning would be on no page."""
    other = msgspec.structs.replace(Store().reviews()[0], id="abc", video_sha256="a" * 64)
    old, new = "superseded_by VARCHAR(64)", "superseded_by VARCHAR(64) DEFAULT 'x'"
    with by_other_hands(address(forged)) as connection:
        connection.execute(text("PRAGMA writable_schema = ON"))
        connection.execute(text("UPDATE sqlite_master SET sql = replace(sql, :old, :new)"), {"old": old, "new": new})
    with by_other_hands(address(forged)) as connection:
        assert new in str(connection.execute(text("SELECT sql FROM sqlite_master WHERE name = 'reviews'")).scalar())
    Store().save_review(other, [])
    (kept,) = [review for review in Store().reviews() if review.id == "abc"]
    assert kept.superseded_by is None


def test_a_view_in_the_place_of_a_table_is_named(forged: Path) -> None:
    with by_other_hands(address(forged)) as connection:
        connection.execute(text("CREATE VIEW verdicts_seen AS SELECT * FROM verdicts WHERE decision <> 'confirmed'"))
    assert [fault.where for fault in faults()] == ["view verdicts_seen"]


def test_an_index_that_hides_a_finding_is_named_and_nothing_is_signed(forged: Path, tmp_path: Path) -> None:
    """The table holds the row, but whoever asks by the index does not get it: made partial, then told to be whole."""
    store = Store()
    review = store.reviews()[0].id
    seen = len(store.findings([review]))
    with by_other_hands(address(forged)) as connection:
        connection.execute(text("DROP INDEX ix_findings_review_id"))
        connection.execute(text("CREATE INDEX ix_findings_review_id ON findings (review_id) WHERE seq <> 1"))
        connection.execute(text("PRAGMA writable_schema = ON"))
        connection.execute(
            text("UPDATE sqlite_master SET sql = replace(sql, ' WHERE seq <> 1', '') WHERE type = 'index'")
        )
    assert len(Store().findings([review])) == seen - 1, "the forgery works"
    assert "database" in {fault.where for fault in faults()}
    with pytest.raises(BadInput, match="it is not signed"):
        write_bundle(Store(), collect_review(Store(), review), tmp_path / "b.zip", "Kim")


SHAPES: dict[str, tuple[str, ...]] = {
    "index no second verdict": ("CREATE UNIQUE INDEX no_second_verdict ON verdicts (finding_id)",),
    "table verdicts_before": ("CREATE TABLE verdicts_before AS SELECT * FROM verdicts",),
    "index ix_findings_clause": (
        "DROP INDEX ix_findings_clause",
        "CREATE INDEX ix_findings_clause ON findings (clause COLLATE NOCASE)",
    ),
}
WORDS = {
    "a new verdict replaces": ("verdicts", "PRIMARY KEY (id)", "PRIMARY KEY (id) ON CONFLICT REPLACE"),
    "blanks count for nothing": ("verdicts", "decision VARCHAR(20)", "decision VARCHAR(20) COLLATE RTRIM"),
    "no second opinion": ("verdicts", "note TEXT", "note TEXT CHECK (note <> 'again')"),
    "a site's zeros are lost": ("reviews", "site VARCHAR(64)", "site INTEGER"),
    "what is current is not found": ("findings", "current BOOLEAN", "current TEXT"),
    "filled in by itself": ("bookmarks", "note TEXT NOT NULL", "note TEXT GENERATED ALWAYS AS ('x') VIRTUAL"),
    "gone with its finding": ("verdicts", "REFERENCES findings (id)", "REFERENCES findings (id) ON DELETE CASCADE"),
}


@pytest.mark.parametrize("what", SHAPES)
def test_tables_and_indexes_that_this_program_did_not_make_are_named(forged: Path, what: str) -> None:
    with by_other_hands(address(forged)) as connection:
        for one in SHAPES[what]:
            connection.execute(text(one))
    assert [fault.where for fault in faults()] == [what.replace("no second verdict", "no_second_verdict")]


@pytest.mark.parametrize("what", WORDS)
def test_a_table_of_which_more_is_said_is_named(forged: Path, what: str) -> None:
    """A table's own words decide what is written and found: how texts are compared, which row yields to which."""
    table, old, new = WORDS[what]
    with by_other_hands(address(forged)) as connection:
        connection.execute(text("PRAGMA writable_schema = ON"))
        changed = connection.execute(
            text("UPDATE sqlite_master SET sql = replace(sql, :old, :new) WHERE name = :table AND instr(sql, :old)"),
            {"old": old, "new": new, "table": table},
        )
        assert changed.rowcount == 1
    assert f"table {table}" in {fault.where for fault in faults()}


@pytest.mark.parametrize("truth", ["2", "-1", "'true'"])
def test_what_stands_for_true_and_is_not_found_as_such_is_named(forged: Path, truth: str) -> None:
    """SQLite has no booleans: a finding whose `current` is 2 reads as a current one, and no list of them has it."""
    finding = Store().findings()[0].id
    with by_other_hands(address(forged)) as connection:
        connection.execute(text(f"UPDATE findings SET current = {truth} WHERE id = :id"), {"id": finding})
    assert Store().findings()[0].current
    assert f"findings/{finding}" in {fault.where for fault in faults()}


def test_a_row_that_stands_twice_is_named(forged: Path) -> None:
    """A table that lost its key takes the same row again: every column is as it was made, and it counts twice."""
    verdict = Store().verdicts()[0]
    with by_other_hands(address(forged)) as connection:
        connection.execute(text("CREATE TABLE other AS SELECT * FROM verdicts"))
        connection.execute(text("DROP TABLE verdicts"))
        connection.execute(text("ALTER TABLE other RENAME TO verdicts"))
        connection.execute(text("INSERT INTO verdicts SELECT * FROM verdicts WHERE id = :id"), {"id": verdict.id})
    assert len(Store().verdicts(verdict.finding_id)) == 2
    named = {(fault.kind, fault.where) for fault in faults()}
    assert named == {("edited", "table verdicts"), ("added", f"verdicts/{verdict.id}")}


@pytest.mark.parametrize(
    "act", ["DELETE FROM audit_head", "INSERT INTO audit_head SELECT 2, seq + 5, hash FROM audit_head"]
)
def test_a_log_with_no_head_or_two_is_named_and_takes_no_entry(forged: Path, act: str) -> None:
    with by_other_hands(address(forged)) as connection:
        connection.execute(text(act))
    assert "audit log" in {fault.where for fault in faults()}
    with pytest.raises(BadInput, match="heads instead of one"):
        Store().note("kim", "view")


@pytest.mark.parametrize("version", ["0010", "9999", None])
def test_a_database_that_tells_another_version_is_refused_in_words(forged: Path, version: str | None) -> None:
    with by_other_hands(address(forged)) as connection:
        connection.execute(text("DELETE FROM alembic_version"))
        if version is not None:
            connection.execute(text(f"INSERT INTO alembic_version VALUES ('{version}')"))
    with pytest.raises(BadInput, match=r"not that of its tables|made by another version"):
        Store()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on Windows")
@pytest.mark.parametrize("place", ["put in", "in the place of a clip", "in the place of the pin"])
def test_a_named_pipe_is_named_and_nobody_waits_for_it(forged: Path, place: str) -> None:
    clip = next(path for path in files_of(forged) if path.suffix == ".mp4")
    pins = Store().pins
    assert pins is not None
    path = {"put in": clip.with_name("more.mp4"), "in the place of a clip": clip}.get(place, pins.path)
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    checked = subprocess.run([sys.executable, "-m", "verifier", "evidence", "log"], capture_output=True, timeout=120)
    assert (checked.returncode, path.name in checked.stdout.decode()) == (4, True)


@pytest.mark.skipif(not hasattr(os, "SEEK_HOLE"), reason="files without holes")
@pytest.mark.parametrize("place", ["put in", "in the place of a clip"])
def test_a_file_that_was_never_written_to_its_end_is_named_and_not_read(forged: Path, place: str) -> None:
    clip = next(path for path in files_of(forged) if path.suffix == ".mp4")
    path = clip if place != "put in" else clip.with_name("more.mp4")
    path.touch()
    os.truncate(path, 8 << 40)
    began = time.monotonic()
    (fault,) = faults()
    assert path.name in fault.where and "cannot be read" in fault.says
    assert time.monotonic() - began < 30, "8 TB of nothing take hours"


def test_folders_nested_without_end_are_named(forged: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check ended with a traceback, and told of nothing."""
    kept = next(path for path in files_of(forged) if path.suffix == ".mp4").parent
    top = kept / "deeper"
    monkeypatch.chdir(kept)
    for _ in range(1100):
        Path("deeper").mkdir()
        os.chdir("deeper")
    try:
        (fault,) = faults()
        assert "deeper/deeper" in fault.where and "cannot be read" in fault.says
    finally:
        subprocess.run(["rm", "-rf", top], check=True)


def test_a_key_that_is_no_file_is_refused_in_words(forged: Path) -> None:
    (forged / "keys" / "signing.pem").unlink()
    (forged / "keys" / "signing.pem").mkdir()
    with pytest.raises(BadInput, match="is no file"):
        Store().note("kim", "view")


LEADING_OUT = {
    "clip": "UPDATE findings SET clip = :place",
    "stills": "UPDATE findings SET stills = '[\"' || :place || '\"]'",
}


@pytest.mark.parametrize("column", LEADING_OUT)
@pytest.mark.parametrize("place", ["../../keys/signing.pem", "signing.pem", "{key}"])
def test_a_row_that_names_the_key_shows_it_to_nobody(forged: Path, column: str, place: str) -> None:
    """Who may write to the database only must not get the key through the room's pictures."""
    store = Store()
    finding = store.findings()[0].id
    key = forged / "keys" / "signing.pem"
    with by_other_hands(address(forged)) as connection:
        connection.execute(text(LEADING_OUT[column]), {"place": place.format(key=key)})
        if place == "signing.pem":
            connection.execute(text("UPDATE reviews SET folder = :folder"), {"folder": str(forged / "keys")})
    with pytest.raises(BadInput):
        clip_file(store, KIM, finding) if column == "clip" else still_file(store, KIM, finding, 0)
    assert not store.keeps(key)


def test_a_link_in_the_place_of_a_clip_is_not_shown(forged: Path) -> None:
    store = Store()
    clip = clip_file(store, KIM, store.findings()[0].id)
    clip.unlink()
    clip.symlink_to(forged / "keys" / "signing.pem")
    with pytest.raises(BadInput, match="has no clip"):
        clip_file(store, KIM, store.findings()[0].id)


# What is signed.


def exports(store: Store) -> dict[str, Callable[[], object]]:
    finding = store.findings()[0]
    return {
        "finding": lambda: collect_finding(store, finding.id),
        "review": lambda: collect_review(store, finding.review_id),
        "week": lambda: collect_week(store, "2026-W47", None),
        "document": lambda: collect_document(store, Papers(store).documents()[0].id),
    }


@pytest.mark.parametrize("what", ["finding", "review", "week", "document"])
def test_what_was_forged_is_never_signed(forged: Path, tmp_path: Path, what: str) -> None:
    forgeries: dict[str, Callable[[Connection], object]] = {
        "finding": lambda base: base.execute(text("UPDATE verdicts SET note = 'nothing happened' WHERE id = 1")),
        "review": lambda base: base.execute(text("DELETE FROM findings WHERE seq = 2")),
        "week": lambda base: base.execute(text("UPDATE reviews SET coverage = 0.5")),
        "document": lambda base: base.execute(text("UPDATE documents SET body = '[]'")),
    }
    write_bundle(Store(), exports(Store())[what](), tmp_path / "before.zip", "Kim")  # type: ignore[arg-type]
    with by_other_hands(address(forged)) as connection:
        forgeries[what](connection)
    with pytest.raises(BadInput, match="it is not signed"):
        write_bundle(Store(), exports(Store())[what](), tmp_path / "after.zip", "Kim")  # type: ignore[arg-type]
    assert not (tmp_path / "after.zip").exists()


def weekly_pages(folder: Path) -> list[str]:
    week = gather_week(Store(), "0123", "2026-W47", Answers())
    made = write_weekly(week, folder, Store(), reason="again")
    return [" ".join(page.extract_text().split()) for page in PdfReader(made.files["pdf"]).pages]


@pytest.mark.parametrize("forgery", ["reworded", "put in", "pin"])
def test_a_document_made_from_what_was_forged_says_so_on_every_page(forged: Path, tmp_path: Path, forgery: str) -> None:
    """Else a document would vouch for what was forged before it was made."""
    said = "Made from what is not as it was kept"
    assert not any(said in page for page in weekly_pages(tmp_path / "before"))
    with by_other_hands(address(forged)) as connection:
        if forgery == "reworded":
            connection.execute(text("UPDATE verdicts SET note = 'nothing happened' WHERE id = 1"))
        if forgery == "put in":
            insert(connection, KEPT["verdicts"])
    pins = Store().pins
    if forgery == "pin" and pins is not None:
        pins.path.unlink()
    pages = weekly_pages(tmp_path / "after")
    assert len(pages) > 1 and all(said in page for page in pages)


# The log itself: whose it is, and where it ends.


def sign_anew(forged: Path, signer: Signer) -> str:
    """Has another key sign every entry of the log; gives the hash of the last."""
    before = GENESIS
    with by_other_hands(address(forged)) as base:
        rows = base.execute(text("SELECT * FROM audit_log ORDER BY seq")).mappings().all()
        for row in rows:
            deed = Deed(
                at=row["at"],
                actor=row["actor"],
                act=row["act"],
                subject=row["subject"],
                detail=json.loads(row["detail"]),
                made=json.loads(row["made"]),
                marks=json.loads(row["marks"]),
            )
            link = next_link(row["seq"], before, deed, signer)
            before = link.hash
            base.execute(
                text("UPDATE audit_log SET previous=:p, hash=:h, key=:k, signature=:s WHERE seq=:n"),
                {"p": link.previous, "h": link.hash, "k": link.key, "s": link.signature, "n": link.seq},
            )
        base.execute(text("UPDATE audit_head SET hash = :h"), {"h": before})
    return before


def test_a_log_signed_anew_by_a_key_that_is_trusted_is_told(forged: Path, tmp_path: Path) -> None:
    """Case log_check_own_key."""
    mallory = Signer(Ed25519PrivateKey.generate())
    trust(forged / "keys", mallory.public, "Attorney General")
    sign_anew(forged, mallory)
    assert {fault.kind for fault in faults()} == {"unknown_signer"}
    with pytest.raises(BadInput, match="not this installation's"):
        write_bundle(Store(), collect_document(Store(), 1), tmp_path / "b.zip", "Kim")


def cut(home: Path, entries: int) -> None:
    with by_other_hands(address(home)) as base:
        base.execute(text("DELETE FROM audit_log WHERE seq > (SELECT max(seq) FROM audit_log) - :n"), {"n": entries})
        base.execute(
            text(
                "UPDATE audit_head SET seq = (SELECT max(seq) FROM audit_log), "
                "hash = (SELECT hash FROM audit_log ORDER BY seq DESC LIMIT 1)"
            )
        )


def test_a_log_that_was_cut_with_its_head_is_told_and_stays_told(forged: Path, tmp_path: Path) -> None:
    cut(forged, 1)
    assert "truncated" in {fault.kind for fault in faults()}
    with pytest.raises(BadInput, match="verifier evidence pin"):
        write_bundle(Store(), collect_document(Store(), 1), tmp_path / "b.zip", "Kim")
    for _ in range(3):  # the log grows past the pin, which does not follow it
        Store().note("kim", "view")
    assert "recomputed" in {fault.kind for fault in faults()}


def test_yesterdays_database_is_told(forged: Path, tmp_path: Path) -> None:
    """Case rolled_back_database."""
    shutil.copy(forged / "verifier.sqlite", tmp_path / "yesterday")
    Store().note("kim", "view")
    for path in forged.glob("verifier.sqlite*"):
        path.unlink()
    shutil.copy(tmp_path / "yesterday", forged / "verifier.sqlite")
    assert [fault.kind for fault in faults()] == ["truncated"]


@pytest.mark.parametrize("pin", ["left", "taken away"])
def test_an_emptied_database_is_told(forged: Path, pin: str) -> None:
    for path in forged.glob("verifier.sqlite*"):
        path.unlink()
    (forged / "verifier.sqlite").touch()
    if pin == "taken away":
        shutil.rmtree(forged / "keys" / "heads")
    assert run(["evidence", "log"]) == 4
    Store().note("nobody", "sign_in_failed")
    assert run(["evidence", "log"]) == 4


def test_a_pin_that_was_taken_away_exchanged_or_made_unreadable_is_told(forged: Path) -> None:
    pins = Store().pins
    assert pins is not None
    for content in ("{}", "[" * 3000, '{"seq": ' + "[" * 3000):
        pins.path.write_text(content)
        assert [fault.kind for fault in faults()] == ["edited"]
    pins.path.unlink()
    assert [fault.kind for fault in faults()] == ["truncated"]
    Store().note("kim", "view")
    assert pins.missing, "no act pins a log again whose pin is gone"


def test_a_backup_is_put_back_on_purpose(forged: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cut(forged, 1)
    assert run(["evidence", "log"]) == 4
    assert run(["evidence", "pin", "--reason", "the disk failed, backup of Monday"]) == 0
    capsys.readouterr()
    run(["evidence", "log"])
    told = capsys.readouterr().out
    assert "the disk failed, backup of Monday" in told
    assert "was pinned" not in told


def test_a_further_folder_keeps_pins_that_the_data_folder_does_not(
    forged: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "usb").mkdir()
    monkeypatch.setenv("VERIFIER_PIN_FOLDER", str(tmp_path / "usb"))
    shutil.copytree(forged, tmp_path / "yesterday")
    Store().note("kim", "view")
    assert faults() == []
    shutil.rmtree(forged)
    shutil.copytree(tmp_path / "yesterday", forged)  # key, pin and all
    assert [fault.kind for fault in faults()] == ["truncated"]
    shutil.rmtree(tmp_path / "usb")
    assert any("VERIFIER_PIN_FOLDER" in fault.where for fault in faults())


def test_a_key_that_was_exchanged_with_the_log_is_told_by_a_pin_elsewhere_only(
    forged: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who may write to the folder of the key puts his own there, and signs log and pin with it."""
    (tmp_path / "usb").mkdir()
    monkeypatch.setenv("VERIFIER_PIN_FOLDER", str(tmp_path / "usb"))
    Store().note("kim", "view")
    printed, pins = Store().audit_head(), Store().pins
    assert printed is not None and pins is not None
    (forged / "keys" / "signing.pem").unlink()
    mallory = Store().signer()
    value = sign_anew(forged, mallory)
    head = Head(
        seq=printed.seq, hash=value, key=mallory.public, signature=mallory.sign(b"verifier-audit-1\n" + value.encode())
    )
    pins.path.write_bytes(msgspec.json.encode(head))
    assert {fault.where.rpartition("/")[0] for fault in faults()} == {str(tmp_path / "usb")}
    assert run(["evidence", "log", "--pin", f"{printed.seq}:{printed.hash[:32]}"]) == 4
    monkeypatch.delenv("VERIFIER_PIN_FOLDER")
    assert faults() == [], "as docs/security.md says"


def test_a_printed_head_is_a_pin(forged: Path) -> None:
    head = Store().audit_head()
    assert head is not None
    assert run(["evidence", "log", "--pin", f"{head.seq}:{head.hash[:32]}"]) == 0
    assert run(["evidence", "log", "--pin", f"{head.seq}:{'0' * 32}"]) == 4
    assert run(["evidence", "log", "--pin", f"{head.seq}:{head.hash[:31]}"]) == 2


def test_a_kill_between_commit_and_pin_is_no_fault(forged: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store()
    monkeypatch.setattr(store, "_pin", lambda link: None)
    store.note("kim", "view")
    checked = whole_check(store)
    assert checked.faults == []
    assert "1 entries behind" in checked.notes[0]
    Store().note("kim", "view")
    assert whole_check(Store()).notes == []


def test_nobody_becomes_the_first_administrator_of_a_database_that_was_emptied(forged: Path) -> None:
    with by_other_hands(address(forged)) as connection:
        connection.execute(text("DELETE FROM sessions"))
        connection.execute(text("DELETE FROM accounts"))
    with pytest.raises(BadInput, match="made before"):
        create_first(Store(), "mallory", "Mallory", PASSWORD)
    for path in forged.glob("verifier.sqlite*"):
        path.unlink()
    with pytest.raises(BadInput, match="not the one whose log was pinned"):
        create_first(Store(), "mallory", "Mallory", PASSWORD)


def test_the_page_tells_how_many_forgeries_are_tried(forged: Path) -> None:
    """docs/security.md: its figures are those of this file, and the sum is the sum."""
    page = (Path(__file__).parents[2] / "docs" / "security.md").read_text(encoding="utf-8")
    page = page[: page.index("| reader | seconds |")]
    rows = re.findall(r"^\| (?!\*\*)(.+?) \| (\d+) \|", page, flags=re.MULTILINE)
    told = {what: int(count) for what, count in rows}
    tried = {
        f"{len(COLUMNS)} columns of {len(KEPT)} tables, each changed": len(COLUMNS),
        "a row put in and a row taken out of each table, each table emptied and dropped": 4 * len(KEPT),
        "values that no column of ours holds": 3 * len(STRANGE),
        f"{len(files_of(forged))} files, each changed, taken away and put in a second time": 3 * len(files_of(forged)),
        "one by one, below": sum(told.values()) - sum(list(told.values())[:6]),
    }
    assert {what: told.get(what) for what in tried} == tried
    assert len(CHAIN) - 1 in told.values()
    assert f"| **together** | **{sum(list(told.values())[:6])}** |" in page
