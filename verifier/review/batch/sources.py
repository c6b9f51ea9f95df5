"""Finds the recordings of a night: in folders, by globs, or listed in a manifest."""

from __future__ import annotations

import csv
import glob
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from verifier.domain.errors import BadInput
from verifier.domain.names import path_of, path_text, shown
from verifier.formats.days import read_moment
from verifier.recording.timeline import AS_TOLD, Reading
from verifier.review.entries import FOLDER, LeftOut, is_file, left_out, walk
from verifier.review.pipeline.dealers import read_dealers
from verifier.review.pipeline.values import PRIORITIES, Priority, Source, Spoken

ENDINGS: Final = frozenset(
    f".{name}"
    for names in (
        ("mp4", "m4v", "mov", "mkv", "webm", "avi", "ts", "m2ts", "mts", "mpg", "mpeg", "vob", "wmv", "asf", "flv"),
        ("3gp", "h264", "264", "h265", "265", "hevc", "mjpeg", "mjpg", "dav", "mxf", "ogv"),
    )
    for name in names
)
"""Endings by which a recording is known; whatever FFmpeg's libraries read may be named in a manifest."""
_REVIEWED: Final = "findings.json"
"""A folder that holds this file is a review's own."""
_SPEECH: Final = ("transcript", "transcript_offset", "transcript_complete")
COLUMNS: Final = ("file", "site", "table", "dealers", "layout", "house", "start", "priority", *_SPEECH)
_YES: Final = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False, "": False}


class Found(Struct, frozen=True, kw_only=True):
    """The recordings of a night, and what is named as one and is none, both in order of their paths."""

    sources: list[Source]
    left_out: list[LeftOut]


def find_sources(places: Sequence[str], layout: Path | None = None, house: Path | None = None) -> list[Source]:
    """Return the recordings that `look_for` finds."""
    return look_for(places, layout, house).sources


def look_for(
    places: Sequence[str], layout: Path | None = None, house: Path | None = None, how: Reading = AS_TOLD
) -> Found:
    """Return the recordings under folders, matching globs, or in manifests (CSV), each once.

    Layout and house files are those that the manifest names, else those that stand by the recording
    (`NAME.layout.yaml`, `layout.yaml`, `house.yaml`, also in the folders above it up to the one given), else `layout`
    and `house`. `how` is what a person tells of all of them. Raises BadInput if a place does not exist or a manifest
    cannot be read.
    """
    found: dict[str, Source] = {}
    left: dict[str, LeftOut] = {}
    for place in places:
        for one in _in_place(place):
            if isinstance(one, Source):
                found.setdefault(one.path, one)
            else:
                left.setdefault(one.file, one)
    usual = {"layout": path_text(layout) if layout else None, "house": path_text(house) if house else None}
    return Found(
        sources=[_with_defaults(found[path], usual, how) for path in sorted(found)],
        left_out=[left[file] for file in sorted(left) if not _holds_recordings(left[file], found)],
    )


def _holds_recordings(one: LeftOut, found: Iterable[str]) -> bool:
    """Tell whether it is but a folder of recordings whose name ends as theirs do."""
    return one.cause == FOLDER and any(path.startswith(f"{one.file}/") for path in found)


def _with_defaults(source: Source, usual: Mapping[str, str | None], how: Reading) -> Source:
    changes = {name: value for name, value in usual.items() if getattr(source, name) is None}
    return msgspec.structs.replace(source, how=how, **changes)


def _in_place(place: str) -> Iterator[Source | LeftOut]:
    path = Path(place)
    if _is_folder(path):
        for one in walk(path, ENDINGS, _REVIEWED):
            yield one if isinstance(one, LeftOut) else _checked(one, path)
    elif path.suffix.lower() == ".csv" and is_file(path):
        yield from _manifest(path)
    elif is_file(path):
        yield _beside(path, path.parent)
    else:
        yield from _matching(place)


def _matching(pattern: str) -> Iterator[Source | LeftOut]:
    matches = sorted(glob.glob(pattern, recursive=True))  # noqa: PTH207 - a pattern may be absolute
    if not matches:
        raise BadInput(pattern, "no such folder, file or match", "name a folder, a glob or a manifest (CSV)")
    for match in matches:
        one = Path(match)
        if _is_folder(one):
            yield from _in_place(match)
        elif one.suffix.lower() in ENDINGS:
            yield _checked(one, one.parent)


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        return False


def _checked(path: Path, top: Path) -> Source | LeftOut:
    """Return the recording, or the reason why what lies there is none."""
    return left_out(path.absolute()) or _beside(path, top)


def _beside(recording: Path, top: Path) -> Source:
    """Return a recording with the layout, house and enrolment files that stand by it, or above it up to `top`."""
    recording, top = recording.absolute(), top.absolute()
    folders = [folder for folder in recording.parents if folder == top or top in folder.parents]
    layouts = [recording.with_name(f"{recording.stem}.layout.yaml"), *(folder / "layout.yaml" for folder in folders)]
    houses = [recording.with_name(f"{recording.stem}.house.yaml"), *(folder / "house.yaml" for folder in folders)]
    own = [recording.with_name(f"{recording.stem}.enrolment.json"), *(folder / "enrolment.json" for folder in folders)]
    return Source(path=path_text(recording), layout=_first(layouts), house=_first(houses), enrolment=_first(own))


def _first(files: Iterable[Path]) -> str | None:
    return next((path_text(file) for file in files if is_file(file)), None)


def _manifest(path: Path) -> Iterator[Source | LeftOut]:
    """Yield the rows of a manifest. Bytes that are no UTF-8 are the bytes of the file's name."""
    try:
        with path.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as stream:
            reader = csv.DictReader(stream)
            _check_columns(path, reader.fieldnames or ())
            for row in reader:
                yield _row(path, reader.line_num, {name: value or "" for name, value in row.items() if name})
    except (OSError, csv.Error) as error:
        raise BadInput(path, f"the manifest cannot be read ({error})", "save it as CSV in UTF-8") from error


def _check_columns(path: Path, names: Iterable[str]) -> None:
    unknown = sorted(set(names) - set(COLUMNS))
    if unknown or "file" not in set(names):
        what = f"unknown columns: {', '.join(unknown)}" if unknown else "there is no column 'file'"
        raise BadInput(path, what, f"use the columns {', '.join(COLUMNS)}", where="line 1")


def _row(manifest: Path, number: int, row: Mapping[str, str]) -> Source | LeftOut:
    where = f"line {number}"
    told = {name: shown(value.strip()) for name, value in row.items()}
    if not told["file"]:
        raise BadInput(manifest, "the file is missing", "name a recording", where=f"{where}, column file")
    recording = _named(manifest, row["file"])
    wrong = left_out(recording)
    if wrong is not None and _exists(recording):
        return wrong
    by_it = _beside(recording, recording.parent)
    return Source(
        path=by_it.path,
        layout=path_text(_named(manifest, row["layout"])) if told.get("layout") else by_it.layout,
        house=path_text(_named(manifest, row["house"])) if told.get("house") else by_it.house,
        enrolment=by_it.enrolment,
        site=told.get("site") or None,
        table=told.get("table") or None,
        dealers=_dealers(manifest, where, told.get("dealers", "")),
        start=_clock(manifest, where, told.get("start")),
        priority=_priority(manifest, where, told.get("priority") or "normal"),
        spoken=_spoken(manifest, where, row, told),
    )


def _spoken(manifest: Path, where: str, row: Mapping[str, str], told: Mapping[str, str]) -> Spoken | None:
    """Return what a row tells of its file's transcript; None if it tells nothing."""
    if not any(told.get(name) for name in _SPEECH):
        return None
    path = _named(manifest, row["transcript"]) if told.get("transcript") else None
    if path is not None and not is_file(path):
        cause = f"there is no transcript {told['transcript']!r}"
        raise BadInput(manifest, cause, "correct it or leave it empty", where=f"{where}, column transcript")
    try:
        offset = float(told.get("transcript_offset") or 0.0)
    except ValueError:
        offset = math.nan
    if not math.isfinite(offset):
        cause = f"found {told['transcript_offset']!r}, expected seconds such as 1.5"
        raise BadInput(manifest, cause, "correct it or leave it empty", where=f"{where}, column transcript_offset")
    complete = _YES.get(told.get("transcript_complete", "").lower())
    if complete is None:
        cause = f"found {told['transcript_complete']!r}, expected yes or no"
        raise BadInput(manifest, cause, "correct it or leave it empty", where=f"{where}, column transcript_complete")
    return Spoken(path=path_text(path) if path else None, offset=offset, complete=complete)


def _exists(path: Path) -> bool:
    """Tell whether something lies there; a recording that is missing may come back, and is waited for."""
    try:
        path.lstat()
    except FileNotFoundError:
        return False
    except (OSError, ValueError):
        return True
    return True


def _named(manifest: Path, name: str) -> Path:
    """Return the file that a row names: by its name as it stands, else without the blanks around it, or as a
    report writes it.
    """
    readings = [manifest.parent / one for one in (name, name.strip(), path_of(name.strip()))]
    return next((one for one in readings if is_file(one)), readings[1]).absolute()


def _clock(manifest: Path, where: str, text: str | None) -> str | None:
    if not text:
        return None
    try:
        return read_moment(text).replace(tzinfo=None).isoformat(timespec="seconds")
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
