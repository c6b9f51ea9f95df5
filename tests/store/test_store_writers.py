"""Many people at one SQLite store: who reads waits for nobody, who writes waits for a turn; shares are left alone."""

from __future__ import annotations

import os
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import text

from verifier.domain.errors import BadInput
from verifier.store import database
from verifier.store.repository import Store
from verifier.store.shares import on_share


def address(folder: Path) -> str:
    return f"sqlite:///{folder / 'store.sqlite'}"


def journal(store: Store) -> str:
    with store.reading() as session:
        return str(session.scalar(text("PRAGMA journal_mode")))


def test_a_reader_goes_on_while_somebody_writes(tmp_path: Path) -> None:
    store = Store(address(tmp_path))
    store.note("Kim", "view", "finding/1")
    writer = sqlite3.connect(tmp_path / "store.sqlite", isolation_level=None)
    writer.execute("BEGIN EXCLUSIVE")
    assert [link.deed.actor for link in Store(address(tmp_path)).audit() if link.deed] == ["Kim"]
    writer.rollback()
    writer.close()
    assert journal(store) == "wal"


def test_a_share_keeps_the_journal_that_several_computers_can_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "on_share", lambda path: True)
    assert journal(Store(address(tmp_path))) == "delete"


MOUNTS = """\
/dev/sda1 / ext4 rw 0 0
tmpfs /tmp tmpfs rw 0 0
server:/vol /mnt/night nfs4 rw 0 0
//server/tapes /mnt/my\\040tapes cifs rw 0 0
me@host: /home/kim/far fuse.sshfs rw 0 0
/dev/sdb1 /mnt/night/local ext4 rw 0 0
"""


@pytest.mark.parametrize(
    ("path", "shared"),
    [
        ("/var/lib/verifier.sqlite", False),
        ("/mnt/night/verifier.sqlite", True),
        ("/mnt/nightly/verifier.sqlite", False),
        ("/mnt/night/local/verifier.sqlite", False),
        ("/mnt/my tapes/verifier.sqlite", True),
        ("/home/kim/far/verifier.sqlite", True),
    ],
)
def test_shares_are_told_by_the_table_of_mounts(tmp_path: Path, path: str, shared: bool) -> None:
    (tmp_path / "mounts").write_text(MOUNTS)
    assert on_share(Path(path), tmp_path / "mounts") is shared


def test_without_a_table_of_mounts_a_disk_is_ones_own(tmp_path: Path) -> None:
    assert on_share(tmp_path, tmp_path / "nothing") is False


def test_a_server_that_is_away_is_told_without_its_password() -> None:
    with pytest.raises(BadInput) as told:
        Store("postgresql+psycopg://kim:secret@127.0.0.1:1/verifier?connect_timeout=2")
    assert "whether its server runs" in str(told.value)
    assert "kim" not in str(told.value)
    assert "secret" not in str(told.value)


def test_writers_of_one_program_take_turns_and_lose_nothing(tmp_path: Path) -> None:
    stores = [Store(address(tmp_path)) for _ in range(8)]
    assert len({id(store._turn) for store in stores}) == 1

    def write(number: int) -> None:
        for deed in range(5):
            stores[number].note(f"p{number}", "view", f"finding/{deed}")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(8)))
    assert sorted(link.deed.actor for link in stores[0].audit() if link.deed) == sorted(
        f"p{number}" for number in range(8) for _ in range(5)
    )


def test_the_databases_file_is_not_opened_beside_sqlite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Closing any handle of the file takes the locks of this process away (sqlite.org/howtocorrupt.html, 2.2)."""
    Store(address(tmp_path))
    opened: list[str] = []
    real = os.open

    def watched(path: str | Path, *how: int) -> int:
        opened.append(str(path))
        return real(path, *how)

    monkeypatch.setattr(os, "open", watched)
    Store(address(tmp_path)).note("kim", "view")
    assert not [path for path in opened if path.endswith("store.sqlite")]
