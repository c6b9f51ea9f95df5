"""Finds the recordings of a night: in folders, by globs, or listed in a manifest."""

from __future__ import annotations

import csv
import glob
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final

import msgspec

from verifier.domain.errors import BadInput
from verifier.review.batch.dealers import read_dealers
from verifier.review.batch.values import PRIORITIES, Priority, Source

ENDINGS: Final = frozenset(
    f".{name}"
    for names in (
        ("mp4", "m4v", "mov", "mkv", "webm", "avi", "ts", "m2ts", "mts", "mpg", "mpeg", "vob", "wmv", "asf", "flv"),
        ("3gp", "h264", "264", "h265", "265", "hevc", "mjpeg", "mjpg", "dav", "mxf", "ogv"),
    )
    for name in names
)
"""Endings by which a recording is known; whatever FFmpeg's libraries read may be named in a manifest."""
COLUMNS: Final = ("file", "site", "table", "dealers", "layout", "house", "start", "priority")


def find_sources(places: Sequence[str], layout: Path | None = None, house: Path | None = None) -> list[Source]:
    """The recordings under folders, matching globs, or in manifests (CSV), each once, in order of their paths.

    Layout and house files are those that the manifest names, else those that stand by the recording
    (`NAME.layout.yaml`, `layout.yaml`, `house.yaml`, also in the folders above it up to the one given), else `layout`
    and `house`. Raises BadInput where a place does not exist or a manifest cannot be read.
    """
    found: dict[str, Source] = {}
    for place in places:
        for source in _in_place(place):
            found.setdefault(source.path, source)
    usual = {"layout": str(layout) if layout else None, "house": str(house) if house else None}
    return [_with_defaults(found[path], usual) for path in sorted(found)]


def _with_defaults(source: Source, usual: Mapping[str, str | None]) -> Source:
    changes = {name: value for name, value in usual.items() if getattr(source, name) is None}
    return msgspec.structs.replace(source, **changes)


def _in_place(place: str) -> Iterator[Source]:
    path = Path(place)
    if path.is_dir():
        yield from (_beside(file, path) for file in _walk(path))
    elif path.suffix.lower() == ".csv" and path.is_file():
        yield from _manifest(path)
    elif path.is_file():
        yield _beside(path, path.parent)
    else:
        matches = sorted(glob.glob(place, recursive=True))  # noqa: PTH207 - a pattern may be absolute
        if not matches:
            raise BadInput(place, "no such folder, file or match", "name a folder, a glob or a manifest (CSV)")
        for match in matches:
            one = Path(match)
            if one.is_dir():
                yield from _in_place(match)
            elif one.suffix.lower() in ENDINGS:
                yield _beside(one, one.parent)


def _walk(folder: Path) -> Iterator[Path]:
    """Recordings below a folder; hidden things and a review's own clips are passed over."""
    for root, folders, files in os.walk(folder):
        if "findings.json" in files:
            folders.clear()
            continue
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            if Path(name).suffix.lower() in ENDINGS and not name.startswith("."):
                yield (Path(root) / name).absolute()


def _beside(recording: Path, top: Path) -> Source:
    """A recording with the layout and house files that stand by it, or above it up to `top`."""
    recording, top = recording.absolute(), top.absolute()
    folders = [folder for folder in recording.parents if folder == top or top in folder.parents]
    layouts = [recording.with_name(f"{recording.stem}.layout.yaml"), *(folder / "layout.yaml" for folder in folders)]
    houses = [recording.with_name(f"{recording.stem}.house.yaml"), *(folder / "house.yaml" for folder in folders)]
    return Source(path=str(recording), layout=_first(layouts), house=_first(houses))


def _first(files: Iterable[Path]) -> str | None:
    return next((str(file) for file in files if file.is_file()), None)


def _manifest(path: Path) -> Iterator[Source]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            reader = csv.DictReader(stream)
            _check_columns(path, reader.fieldnames or ())
            for row in reader:
                yield _row(path, reader.line_num, {name: (value or "").strip() for name, value in row.items() if name})
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise BadInput(path, f"the manifest cannot be read ({error})", "save it as CSV in UTF-8") from error


def _check_columns(path: Path, names: Iterable[str]) -> None:
    unknown = sorted(set(names) - set(COLUMNS))
    if unknown or "file" not in set(names):
        what = f"unknown columns: {', '.join(unknown)}" if unknown else "there is no column 'file'"
        raise BadInput(path, what, f"use the columns {', '.join(COLUMNS)}", where="line 1")


def _row(manifest: Path, number: int, row: Mapping[str, str]) -> Source:
    where = f"line {number}"
    if not row["file"]:
        raise BadInput(manifest, "the file is missing", "name a recording", where=f"{where}, column file")
    recording = (manifest.parent / row["file"]).absolute()
    by_it = _beside(recording, recording.parent)
    return Source(
        path=str(recording),
        layout=_named(manifest, row.get("layout")) or by_it.layout,
        house=_named(manifest, row.get("house")) or by_it.house,
        site=row.get("site") or None,
        table=row.get("table") or None,
        dealers=_dealers(manifest, where, row.get("dealers", "")),
        start=_clock(manifest, where, row.get("start")),
        priority=_priority(manifest, where, row.get("priority") or "normal"),
    )


def _named(manifest: Path, name: str | None) -> str | None:
    return str((manifest.parent / name).absolute()) if name else None


def _clock(manifest: Path, where: str, text: str | None) -> str | None:
    if not text:
        return None
    try:
        return datetime.fromisoformat(text).replace(tzinfo=None).isoformat(timespec="seconds")
    except ValueError as error:
        cause = f"found {text!r}, expected a date and time such as 2026-11-17T21:00:00"
        raise BadInput(manifest, cause, "correct it or leave it empty", where=f"{where}, column start") from error


def _dealers(manifest: Path, where: str, text: str) -> str:
    try:
        read_dealers(text, None)
    except ValueError as error:
        cause = f"found {text!r}, expected a name, or who began when, such as Kim 20:00, Pat 22:30"
        raise BadInput(manifest, cause, "correct it or leave it empty", where=f"{where}, column dealers") from error
    return text


def _priority(manifest: Path, where: str, text: str) -> Priority:
    for name in PRIORITIES:
        if text == name:
            return name
    cause = f"found {text!r}, expected one of {', '.join(PRIORITIES)}"
    raise BadInput(manifest, cause, "correct it or leave it empty", where=f"{where}, column priority")
