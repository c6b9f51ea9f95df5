"""The files in a bundle, read without ever writing one: names are judged before contents."""

from __future__ import annotations

import hashlib
import stat
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath, PureWindowsPath
from typing import IO

from verifier.review.bundle.manifest import Entry
from verifier.review.bundle.shape import check_packed
from verifier.store.audit.check import Fault

_PIECE = 1 << 20
_UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError)
"""What zipfile raises for contents that are damaged, packed in an unknown way, or locked with a password."""


class Contents:
    """A bundle's table of contents and its files; of files with the same name the last counts, as in the table."""

    def __init__(self, bundle: zipfile.ZipFile, file: IO[bytes]) -> None:
        self._bundle = bundle
        self._file = file
        self.infos = bundle.infolist()
        self.names = set(bundle.namelist())

    def read(self, name: str, most: int) -> bytes | None:
        """Return a file's content, None if it is missing, cannot be read or is longer than `most` bytes."""
        if name not in self.names:
            return None
        try:
            with self._bundle.open(name) as file:
                content = file.read(most + 1)
        except _UNREADABLE:
            return None
        return content if len(content) <= most else None

    def lines(self, name: str, most: int) -> Iterator[bytes]:
        """Yield a file's lines, none where it is missing or cannot be read; one longer than `most` bytes comes in
        parts.
        """
        if name not in self.names:
            return
        try:
            with self._bundle.open(name) as file:
                while line := file.readline(most):
                    yield line
        except _UNREADABLE:
            return

    def hidden(self) -> list[Fault]:
        """Return the faults of files with something hidden behind their contents."""
        return check_packed(self._file, self.infos)

    def sha256(self, name: str, most: int) -> str | None:
        """SHA-256 of a file, None if it cannot be read; reads no more than one byte beyond `most`."""
        digest, left = hashlib.sha256(), most + 1
        try:
            with self._bundle.open(name) as file:
                while left > 0 and (piece := file.read(min(_PIECE, left))):
                    digest.update(piece)
                    left -= len(piece)
        except _UNREADABLE:
            return None
        return digest.hexdigest()


def check_names(infos: Sequence[zipfile.ZipInfo]) -> list[Fault]:
    """Names that would lead out of a folder or are no plain files, and names that stand twice."""
    unsafe = [info for info in infos if not _safe(info)]
    doubled = [name for name, times in Counter(info.filename for info in infos).items() if times > 1]
    return [
        *(Fault(kind="unsafe_path", where=repr(info.orig_filename), says="leads out of the bundle") for info in unsafe),
        *(Fault(kind="added", where=name, says="stands twice in the bundle") for name in doubled),
    ]


def _safe(info: zipfile.ZipInfo) -> bool:
    name = info.orig_filename
    posix, windows = PurePosixPath(name), PureWindowsPath(name)
    if "\\" in name or "\0" in name or windows.drive or windows.is_absolute() or posix.is_absolute():
        return False
    if not name or ".." in posix.parts or str(posix) != name:
        return False
    kind = stat.S_IFMT(info.external_attr >> 16)
    return kind in (0, stat.S_IFREG)


def check_files(contents: Contents, listed: Sequence[Entry], own: set[str]) -> list[Fault]:
    """Files that are not as listed: missing, not listed, changed, exchanged, or in another order."""
    names = {entry.path for entry in listed}
    faults = [
        Fault(kind="deleted", where=entry.path, says="was signed as a part and is missing")
        for entry in listed
        if entry.path not in contents.names
    ]
    faults += [
        Fault(kind="added", where=name, says="was not there when the bundle was signed")
        for name in sorted(contents.names - names - own)
    ]
    faults += _changed(contents, listed)
    return faults or list(_misplaced(contents, listed, own))


def _changed(contents: Contents, listed: Sequence[Entry]) -> Iterator[Fault]:
    known = {entry.sha256: entry.path for entry in listed}
    longest = max((entry.size for entry in listed), default=0)
    for entry in listed:
        if entry.path not in contents.names:
            continue
        found = contents.sha256(entry.path, longest)
        if found == entry.sha256:
            continue
        if found is None:
            yield Fault(kind="edited", where=entry.path, says="its content is damaged")
        elif found in known:
            yield Fault(kind="swapped", where=entry.path, says=f"holds the content of {known[found]}")
        else:
            yield Fault(kind="edited", where=entry.path, says="its content is not what was signed")


def _misplaced(contents: Contents, listed: Sequence[Entry], own: set[str]) -> Iterator[Fault]:
    order = [info.filename for info in contents.infos if info.filename not in own]
    for wanted, there in zip(listed, order, strict=False):
        if wanted.path != there:
            yield Fault(kind="reordered", where=there, says=f"stands where {wanted.path} was signed to stand")
            return
