"""Files that are there whole or not at all: written beside their place, flushed to the disk, put in place in one step.

A file is as private as its folder: what may not be read by others there is not readable by others, whatever the umask.
"""

from __future__ import annotations

import glob
import gzip
import hashlib
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final, cast

try:
    import fcntl
except ImportError:  # not on Windows: there unfinished files of killed writers stay until somebody removes them
    fcntl = None  # type: ignore[assignment]

_LONGEST_NAME: Final = 190
"""Bytes of a name beyond which nothing is added to it; most file systems take 255."""
_EVERYBODY: Final = 0o666
_FOLDERS: Final = 0o777


@contextmanager
def whole_file(path: Path, *, packed: bool = False, new: bool = False) -> Iterator[IO[bytes]]:
    """Give a stream for a file (gzip where `packed`) that appears when it is whole and on the disk. Raises OSError
    where that fails.

    A kill at any moment leaves the old file or the new one. The folder must be there. Where `new`, a file that has the
    name by then stays and FileExistsError is raised.
    """
    part = path.with_name(f"{_part_of(path)}{secrets.token_hex(6)}.part")
    try:
        with _claimed(part) as raw:
            if packed:
                with gzip.GzipFile(fileobj=raw, mode="wb", compresslevel=1, mtime=0, filename="") as stream:
                    yield cast(IO[bytes], stream)
            else:
                yield raw
            raw.flush()
            os.fsync(raw.fileno())
            if fcntl is not None:
                _name(part, path, new)  # while it is marked as one that somebody writes
        if fcntl is None:
            _name(part, path, new)  # Windows names no file that is open
    finally:
        part.unlink(missing_ok=True)
    _settle(path)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file's whole content. Raises OSError where that fails."""
    with whole_file(path) as stream:
        stream.write(content)


def copy_whole(source: Path, target: Path) -> None:
    """Copy a file; the copy appears when it is whole. Raises OSError where that fails."""
    with source.open("rb") as content, whole_file(target) as stream:
        shutil.copyfileobj(content, stream, 1 << 20)


def put_in_place(part: Path, path: Path) -> None:
    """Flushes the finished file `part`, which another program wrote into the same folder, and names it `path`."""
    with part.open("rb+") as stream:
        os.fsync(stream.fileno())
    part.chmod(part.stat().st_mode & _as_its_folder(path, _EVERYBODY))
    part.replace(path)
    _settle(path)


def place_file(source: Path, target: Path) -> None:
    """Put a finished file under another name too, in one step: link it where that is possible, else copy it."""
    make_folder(target.parent)
    part = target.with_name(f"{_part_of(target)}{secrets.token_hex(6)}.part")
    try:
        os.link(source, part)
    except OSError:  # another file system, or one without links
        copy_whole(source, target)
        return
    try:
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)  # it stays where both names were one file already
    _settle(target)


def remove_file(path: Path) -> None:
    """Remove a file, where there is one, and the unfinished versions that killed writers of it left behind."""
    path.unlink(missing_ok=True)
    _forget_parts(path)


def make_folder(path: Path) -> None:
    """Make a folder and those above it, each as private as the one that it lies in. Raises OSError where that fails."""
    if path.is_dir():
        return
    make_folder(path.parent)
    with suppress(FileExistsError):
        path.mkdir(_as_its_folder(path, _FOLDERS))


def make_private(folder: Path) -> None:
    """Make a folder that only its owner may enter. One that others could enter until now is shut to them.

    A folder of somebody else, or one that may only be read, stays as it is.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)
    with suppress(OSError):
        if (mode := folder.stat().st_mode) & 0o077:
            folder.chmod(mode & 0o700)


def _claimed(part: Path) -> IO[bytes]:
    """Return a new file that is marked as being written, so that nobody tidies it away."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    while True:
        raw = os.fdopen(os.open(part, flags, _as_its_folder(part, _EVERYBODY)), "wb")
        with suppress(OSError):  # a file system without locks
            if fcntl is not None:
                fcntl.flock(raw, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if part.exists():
            return raw
        raw.close()  # tidied away before it was marked


def _as_its_folder(path: Path, mode: int) -> int:
    """Return the permissions in `mode` that the folder of `path` gives as well; the umask takes more away."""
    return mode & path.parent.stat().st_mode


def _name(part: Path, path: Path, new: bool) -> None:
    if new:
        os.link(part, path)
    else:
        part.replace(path)


def _settle(path: Path) -> None:
    """Has the disk remember the name, and removes what killed writers of it left behind."""
    with suppress(OSError):  # a share need not know this
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    _forget_parts(path)


def _forget_parts(path: Path) -> None:
    """Remove unfinished versions of a file that nobody writes any more."""
    if fcntl is None:
        return
    for part in path.parent.glob(f"{glob.escape(_part_of(path))}*.part"):
        with suppress(OSError), part.open("rb") as left:  # somebody writes it, or it is gone by now
            fcntl.flock(left, fcntl.LOCK_EX | fcntl.LOCK_NB)
            part.unlink(missing_ok=True)


def _part_of(path: Path) -> str:
    """How the names of unfinished versions of a file begin; short enough for a file system where its own is long."""
    name = os.fsencode(path.name)
    return f".{path.name}." if len(name) <= _LONGEST_NAME else f".{hashlib.sha256(name).hexdigest()[:32]}."
