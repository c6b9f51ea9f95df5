"""What is told of a database that cannot be used, or only be read: each case in its own words."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from verifier.domain.errors import BadInput
from verifier.store import database
from verifier.store.repository import Store

READ = "from verifier.store.repository import Store; print(len(Store().audit()))"
WRITE = "from verifier.store.repository import Store; Store().note('kim', 'view')"


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VERIFIER_HOME", str(tmp_path / "home"))
    store = Store()
    store.note("kim", "view", "finding/1")
    store.close()
    return tmp_path / "home" / "verifier.sqlite"


def test_a_locked_one(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "_BUSY_SECONDS", 0.1)
    other = sqlite3.connect(kept, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    try:
        with pytest.raises(BadInput, match="is in use: another program has been writing"):
            Store().note("kim", "view")
    finally:
        other.close()


def test_one_whose_beginning_is_damaged(kept: Path) -> None:
    with kept.open("r+b") as stream:
        stream.write(b"\0" * 100)
    with pytest.raises(BadInput, match=r"is no database, or its beginning is damaged; put it back from a backup"):
        Store().audit()


def test_one_that_is_damaged_amid(kept: Path) -> None:
    with kept.open("r+b") as stream:
        stream.seek(4096)
        stream.write(b"\xff" * (kept.stat().st_size - 4096))
    with pytest.raises(BadInput, match="the database is damaged"):
        Store().audit()


def test_one_without_a_table(kept: Path) -> None:
    with sqlite3.connect(kept) as other:
        other.execute("DROP TABLE audit_log")
    with pytest.raises(BadInput, match=r"the database is damaged: a part of it is missing"):
        Store().audit()


def test_the_folder_and_the_database_are_for_their_owner_alone(kept: Path) -> None:
    """Case home_permissions."""
    assert kept.parent.stat().st_mode & 0o777 == 0o700
    assert kept.stat().st_mode & 0o777 == 0o600


def test_a_folder_that_others_could_enter_is_shut(kept: Path) -> None:
    kept.parent.chmod(0o755)
    Store().close()
    assert kept.parent.stat().st_mode & 0o777 == 0o700


@pytest.fixture
def readable(kept: Path) -> Iterator[Path]:
    """The data folder, as one that may be read and not be written."""
    every = [kept.parent, *kept.parent.rglob("*")]
    for one in every:
        one.chmod(0o500 if one.is_dir() else 0o400)
    yield kept.parent
    for one in every:
        if one.exists():
            one.chmod(0o700 if one.is_dir() else 0o600)


def run_as_told(code: str, home: Path) -> subprocess.CompletedProcess[str]:
    """Runs code where permissions count: root gives up what lets it read and write whatever they say."""
    lines = [
        "import ctypes",
        "gone = ctypes.CDLL(None).capset((ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)())",
        "from verifier.domain.errors import BadInput",
        f"try:\n    {code}\nexcept BadInput as error: print(error)",
    ]
    environment = {**os.environ, "VERIFIER_HOME": str(home)}
    command = [sys.executable, "-c", "\n".join(lines)]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


@pytest.mark.skipif(sys.platform != "linux", reason="takes capabilities away")
def test_one_that_may_only_be_read_is_read(readable: Path) -> None:
    told = run_as_told(READ, readable)
    assert (told.stdout.strip(), told.stderr) == ("1", "")
    told = run_as_told(WRITE, readable)
    assert "the database may only be read; check the permissions" in told.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="takes capabilities away")
@pytest.mark.parametrize("log", ["wal", "journal"])
def test_one_that_may_only_be_read_is_not_read_without_its_last_writes(readable: Path, log: str) -> None:
    readable.chmod(0o755)
    (readable / f"verifier.sqlite-{log}").write_bytes(b"x")
    readable.chmod(0o555)
    assert "the program that wrote to it last was killed" in run_as_told(READ, readable).stdout


@pytest.mark.skipif(sys.platform != "linux", reason="takes capabilities away")
def test_one_that_is_missing_and_cannot_be_made(readable: Path) -> None:
    readable.chmod(0o755)
    (readable / "verifier.sqlite").unlink()
    readable.chmod(0o555)
    assert "there is no database, and none can be made (Permission denied)" in run_as_told(READ, readable).stdout
    assert "there is no database" in run_as_told(READ, readable / "elsewhere").stdout
