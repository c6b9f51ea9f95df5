"""The folders that an administrator allowed, as a person walks through them: no way out by `..` or links."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path, PurePosixPath

from msgspec import Struct

from verifier.domain.errors import BadInput
from verifier.domain.names import path_of, path_text
from verifier.review.batch.sources import ENDINGS
from verifier.review.people.roles import Act, Person, require
from verifier.store.floor import Floor
from verifier.store.repository import Store


class Recording(Struct, frozen=True, kw_only=True):
    """A file that is named as a recording. `path` is text, `name` shown, `changed` local time."""

    path: str
    name: str
    bytes: int
    changed: str


class Listing(Struct, frozen=True, kw_only=True):
    """What lies in a folder: names of folders, and recordings, the newest first."""

    folders: list[str]
    recordings: list[Recording]


def allow(store: Store, person: Person, path: str, site: str = "") -> str:
    """Allow a folder in which the recordings of a site lie, and return it as it is kept.

    Raises Forbidden, or BadInput if there is no such folder.
    """
    require(person, Act.FOLDERS)
    folder = Path(path.strip()).expanduser()
    if not path.strip() or not folder.is_absolute() or not _is_folder(folder):
        raise BadInput(path.strip() or "the folder", "is no folder of this computer", "give its whole path, from / on")
    kept = path_text(folder.resolve())
    Floor(store).allow_folder(kept, person.name, site.strip()[:64])
    return kept


def forbid(store: Store, person: Person, path: str) -> None:
    """Remove a folder from those that are allowed. Raises Forbidden."""
    require(person, Act.FOLDERS)
    Floor(store).forbid_folder(path, person.name)


def listing(store: Store, person: Person, root: str, inside: str = "") -> Listing:
    """Return what lies at `inside` (names separated by /) of an allowed folder. Raises Forbidden, BadInput."""
    require(person, Act.BEGIN)
    top, here = _place(store, root, inside)
    try:
        with os.scandir(here) as listed:
            entries = sorted((one for one in listed if not one.name.startswith(".")), key=lambda one: one.name)
    except OSError as error:
        raise BadInput(path_text(here), f"cannot be read ({error.strerror})", "look at its permissions") from error
    kept = [one for one in entries if _dwells(Path(one.path), top)]
    folders = [path_text(one.name) for one in kept if one.is_dir()]
    files = [one for one in kept if one.is_file() and Path(one.name).suffix.lower() in ENDINGS]
    return Listing(
        folders=folders, recordings=sorted(map(_recording, files), key=lambda one: one.changed, reverse=True)
    )


def chosen(store: Store, person: Person, root: str, inside: str, names: list[str]) -> list[str]:
    """Return the paths of recordings in an allowed folder, after another look at them. Raises Forbidden, BadInput."""
    there = {one.name: one.path for one in listing(store, person, root, inside).recordings}
    missing = [name for name in names if name not in there]
    if missing:
        raise BadInput(missing[0], "does not lie there any more", "choose again")
    return [there[name] for name in names]


def _place(store: Store, root: str, inside: str) -> tuple[Path, Path]:
    """Return the allowed folder, and the place in it. Raises BadInput if there is no such place, or it lies
    outside.
    """
    if root not in Floor(store).folders():
        raise BadInput(root, "is not allowed", "ask an administrator to allow the folder")
    top = path_of(root).resolve()
    parts = PurePosixPath(inside).parts
    here = path_of("/".join([path_text(top), *parts]))
    if ".." in parts or PurePosixPath(inside).is_absolute() or not _is_folder(here) or not _dwells(here, top):
        raise BadInput(inside, "is no folder in there", "choose again")
    return top, here


def _dwells(path: Path, top: Path) -> bool:
    """Tell whether what lies there, after following links, lies inside `top`."""
    try:
        return path.resolve(strict=True).is_relative_to(top)
    except (OSError, RuntimeError):
        return False


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def _recording(entry: os.DirEntry[str]) -> Recording:
    found = entry.stat()
    changed = datetime.fromtimestamp(found.st_mtime).isoformat(sep=" ", timespec="minutes")
    return Recording(
        path=path_text(Path(entry.path).resolve()), name=path_text(entry.name), bytes=found.st_size, changed=changed
    )
