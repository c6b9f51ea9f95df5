"""What lies at a path: a regular file, or why it is no recording. Only a file with an ending of another kind is opened,
to tell whether it is a recording all the same.
"""

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
from verifier.recording.heads import begins_recording

FOLDER: Final = "a folder"
LINKED: Final = "a link to a folder, which is not followed: name that folder itself"
RENAME: Final = "it holds a recording under a name that ends otherwise: rename it, or name it in a manifest"
_SOUND: Final = frozenset({".m4a", ".m4b", ".mka", ".wma", ".aac", ".mp3"})
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
    state: Literal["not a recording", "unreadable", "waiting", "otherwise named"]
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
    """Why nothing can be watched at a path; None if a regular file lies there, after following links."""
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
    """Whatever below a folder is named as a recording; what holds one and is not; folders that are not looked into.

    Hidden things and folders that hold a file named `done` are passed over; links to folders are not followed, and told
    where they lead out of the folder.
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
        yield from _other(seen, endings, folder.resolve())
        waiting += [Path(entry.path) for entry in seen if _is_folder(entry)]


def _named(entries: Iterable[os.DirEntry[str]], endings: frozenset[str]) -> Iterator[Path]:
    """Return the entries that are named as recordings are."""
    paths = (Path(entry.path) for entry in entries)
    return (path for path in paths if path.suffix.lower() in endings)


def _other(entries: Iterable[os.DirEntry[str]], endings: frozenset[str], top: Path) -> Iterator[LeftOut]:
    """Yield what would be missed: links to folders elsewhere, and recordings under other names."""
    for path in (Path(entry.path) for entry in entries):
        if path.suffix.lower() in endings:
            continue
        if path.is_symlink() and _leads_out(path, top):
            yield LeftOut(file=path_text(path), state="not a recording", cause=LINKED)
        elif path.suffix.lower() not in _SOUND and is_file(path) and begins_recording(path):
            yield LeftOut(file=path_text(path), state="otherwise named", cause=RENAME)


def _leads_out(link: Path, top: Path) -> bool:
    try:
        return link.is_dir() and not link.resolve().is_relative_to(top)
    except (OSError, RuntimeError):  # in a circle
        return False


def _is_folder(entry: os.DirEntry[str]) -> bool:
    """Tell whether it is a folder itself, not a link to one."""
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False
