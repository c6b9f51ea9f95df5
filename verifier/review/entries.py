"""What lies at a path: a regular file, or why it is no recording. Nothing is read to tell it."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct

from verifier.domain.names import path_text
from verifier.formats.hollow import told_of

FOLDER: Final = "a folder"
_KINDS: Final = (
    (stat.S_ISDIR, FOLDER),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)
_NOTHING: Final = {
    errno.ENOENT: "a link that leads nowhere, or a file that was removed meanwhile",
    errno.ELOOP: "a link that leads in a circle",
}


class LeftOut(Struct, frozen=True, kw_only=True):
    """A path among the recordings that is not reviewed, and why: it is no recording, cannot be read, or waits."""

    file: str
    state: Literal["not a recording", "unreadable", "waiting"]
    cause: str


def is_file(path: Path) -> bool:
    """Tell whether a regular file lies there, after following links; never an error, however odd the name is."""
    try:
        return path.is_file()
    except (OSError, ValueError):  # a null byte in the name
        return False


def kind_of(found: os.stat_result) -> str | None:
    """Return the kind of an entry that is no regular file; None for a regular file."""
    if stat.S_ISREG(found.st_mode):
        return None
    return next((name for is_kind, name in _KINDS if is_kind(found.st_mode)), "no regular file")


def left_out(path: Path) -> LeftOut | None:
    """Why nothing can be watched at a path; None where a regular file lies there, after following links."""
    try:
        kind = kind_of(path.stat()) or told_of(path)
    except OSError as error:
        kind = _NOTHING.get(error.errno or 0)
        if kind is None:
            return _unreadable(path, "it cannot be looked at", error)
    except ValueError:
        kind = "no possible name of a file"
    return None if kind is None else LeftOut(file=path_text(path), state="not a recording", cause=kind)


def _unreadable(path: Path, told: str, error: OSError) -> LeftOut:
    return LeftOut(file=path_text(path), state="unreadable", cause=f"{told} ({error.strerror})")


def walk(folder: Path, endings: frozenset[str], done: str) -> Iterator[Path | LeftOut]:
    """Whatever below a folder is named as a recording, and folders that cannot be read.

    Hidden things and folders that hold a file named `done` are passed over; links to folders are not followed.
    """
    waiting = [folder.absolute()]
    while waiting:
        here = waiting.pop()
        try:
            with os.scandir(here) as listed:
                entries = sorted(listed, key=lambda entry: entry.name)
        except OSError as error:
            yield _unreadable(here, "the folder cannot be read", error)
            continue
        if any(entry.name == done for entry in entries):
            continue
        seen = [entry for entry in entries if not entry.name.startswith(".")]
        yield from _named(seen, endings)
        waiting += [Path(entry.path) for entry in seen if _is_folder(entry)]


def _named(entries: Iterable[os.DirEntry[str]], endings: frozenset[str]) -> Iterator[Path]:
    """Return the entries that are named as recordings are."""
    paths = (Path(entry.path) for entry in entries)
    return (path for path in paths if path.suffix.lower() in endings)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    """Tell whether it is a folder itself, not a link to one."""
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False
