"""The head of the audit log, pinned outside of the database: a log that was cut, put back or emptied does not reach it.

The pin is a file beside the signing key, readable by its owner only. It is written after the commit of each act, so it
may be behind the log where a program was killed in between, and is never ahead. It moves on only along the log: where
the entry that it names is not in the log, or it is missing though the log is not new, it stays as it is, and the check
of the log tells. A further folder (`VERIFIER_PIN_FOLDER`: a share, a disk that is taken out) gets a copy for each day.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct
from sqlalchemy.engine import make_url

from verifier.store.audit.chain import Head
from verifier.store.home import home

try:
    import fcntl
except ImportError:  # not on Windows: there two writers at once may leave the pin one entry behind
    fcntl = None  # type: ignore[assignment]

_FOLDER: Final = "heads"
_SUFFIX: Final = ".head.json"
_MOST: Final = 4096
"""Bytes of a head that are read: number, hash, key and signature have some 350."""


class Pin(Struct, frozen=True, kw_only=True):
    """A head in a file; None where the file holds none."""

    path: Path
    head: Head | None


class Pins:
    """The pins of the log in the database at `address`: in `folder`, and in `further` where one is named."""

    def __init__(self, folder: Path, address: str, further: Path | None = None) -> None:
        self.folder, self._name, self._further = folder / _FOLDER, _log_name(address), further

    @property
    def path(self) -> Path:
        """The pin beside the key."""
        return self.folder / f"{self._name}{_SUFFIX}"

    @property
    def missing(self) -> bool:
        """Whether there is no pin beside the key."""
        return not self.path.exists()

    @property
    def head(self) -> Head | None:
        """The head that is pinned beside the key; None where there is none, or none that can be read."""
        return _read(self.path)

    def all(self) -> list[Pin]:
        """Every pin of this log that is there, in the further folder too. Raises OSError where that cannot be read."""
        copies = sorted(self._further.glob(f"{glob_escaped(self._name)}-*{_SUFFIX}")) if self._further else []
        if self._further is not None and not self._further.is_dir():
            raise FileNotFoundError(f"{self._further} is no folder")
        return [Pin(path=path, head=_read(path)) for path in (self.path, *copies) if path.exists()]

    def begin(self, genesis: Head, day: str) -> None:
        """Pins the beginning of a new log, before its first entry is written; nothing where a pin is there."""
        with _locked(self.folder):
            if self.missing:
                self._write(genesis, day)

    def advance(self, head: Head, day: str, hash_at: Callable[[int], str | None]) -> None:
        """Move the pin on to `head`, where `hash_at` (entry -> its hash) tells that the log goes on from the pin.

        Nothing is written where there is no pin, it is as far already, or it is not of this log.
        """
        with _locked(self.folder):
            now = None if self.missing else _read(self.path)
            if now is not None and now.seq < head.seq and hash_at(now.seq) == now.hash:
                self._write(head, day)

    def renew(self, head: Head, day: str) -> Head | None:
        """Pins `head` in the place of what was pinned, which is given: a person's act after a backup was put back."""
        with _locked(self.folder):
            earlier = None if self.missing else _read(self.path)
            self._write(head, day)
            return earlier

    def _write(self, head: Head, day: str) -> None:
        content = msgspec.json.encode(head) + b"\n"
        _replace(self.path, content)
        if self._further is not None and self._further.is_dir():
            _replace(self._further / f"{self._name}-{day}{_SUFFIX}", content)


def pins_of(folder: Path, address: str) -> Pins | None:
    """Return the pins of a database's log, with the further folder that the environment names; None for a database in
    memory.
    """
    url = make_url(address)
    if url.get_backend_name() == "sqlite" and (not url.database or url.database == ":memory:"):
        return None
    further = os.environ.get("VERIFIER_PIN_FOLDER")
    return Pins(folder, address, Path(further).expanduser() if further else None)


def glob_escaped(name: str) -> str:
    """Return a name as a pattern in which no letter stands for another."""
    return "".join(f"[{one}]" if one in "*?[" else one for one in name)


def _read(path: Path) -> Head | None:
    try:
        if not path.is_file():  # a named pipe would be waited for
            return None
        with path.open("rb") as file:
            return msgspec.json.decode(file.read(_MOST), type=Head)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def _log_name(address: str) -> str:
    """One name for one database, wherever its data folder is moved to; without user and password."""
    url = make_url(address)
    place = f"{url.host or ''}:{url.port or ''}/{url.database or ''}{url.query.get('host', '')}"
    if url.get_backend_name() == "sqlite":
        whole, base = Path(os.path.realpath(str(url.database))), Path(os.path.realpath(home()))
        place = str(whole.relative_to(base) if whole.is_relative_to(base) else whole)
    plain = "".join(one if one.isalnum() and one.isascii() else "-" for one in Path(place).name)[:40]
    return f"{plain}-{hashlib.sha256(os.fsencode(place)).hexdigest()[:12]}"


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Let one program move the pin at a time; the lock goes with the program."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with os.fdopen(os.open(folder / ".lock", os.O_RDWR | os.O_CREAT, 0o600), "rb") as lock:
        if fcntl is not None:
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _replace(path: Path, content: bytes) -> None:
    """Write a file that is the old or the new one at any moment and that only its owner may read."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
