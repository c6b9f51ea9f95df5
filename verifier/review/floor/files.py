"""A table's layout, house options and own cards as files, as the stages of a review read them."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec import Struct

from verifier.domain.errors import BadInput
from verifier.formats.enrolment import read_enrolment, write_enrolment
from verifier.formats.house import read_house, write_house
from verifier.formats.layout import read_layout, write_layout
from verifier.store.floor import SINCE_EVER, GamingTable, TableVersion, VersionKind
from verifier.store.home import home

_REMEDY: Final = "add it on the page 'Tables', or by verifier tables import"


class TableFiles(Struct, frozen=True, kw_only=True):
    """The layout and house options by which a recording is judged, the table's own cards, and whose they are."""

    site: str
    table: str
    layout: Path
    house: Path
    enrolment: Path | None = None


def files_of(table: GamingTable, day: str | None) -> TableFiles:
    """Return the files of what was in force at a table on a day (ISO; None if one version holds for all days).

    Raises BadInput if the day is needed and not known, or where nothing was kept for it.
    """
    if table.must_have_day and day is None:
        cause = "has several versions, and the day of the recording is not known"
        raise BadInput(table.label, cause, "give the day of play with --date")
    return TableFiles(
        site=table.site,
        table=table.table,
        layout=_file(table, "layout", day),
        house=_file(table, "house", day),
        enrolment=enrolment_of(table, day),
    )


def newest_layout(table: GamingTable) -> Path:
    """Return the file of a table's newest layout. Raises BadInput if there is none."""
    return _file(table, "layout", None)


def enrolment_of(table: GamingTable, day: str | None) -> Path | None:
    """Return the own cards that held on a day; None if none did, or if the day decides and is not known."""
    dated = any(one.valid_from != SINCE_EVER for one in table.of("cards"))
    found = table.in_force("cards", day) if day is not None or not dated else None
    return _written(found) if found is not None else None


def _file(table: GamingTable, kind: VersionKind, day: str | None) -> Path:
    found = table.in_force(kind, day)
    if found is None:
        what = "layout" if kind == "layout" else "house options"
        when = f" that held on {day}" if day and table.of(kind) else ""
        raise BadInput(table.label, f"there is no {what}{when}", _REMEDY)
    return _written(found)


def _written(version: TableVersion) -> Path:
    """Return the version as a file in the data folder, named by its digest: the same version always has the same file.

    No entry of the audit log tells of these files. One that is there and does not hold the version is written anew.
    """
    ending = "json" if version.kind == "cards" else "yaml"
    path = home() / "tables" / f"{version.sha256[:24]}.{version.kind}.{ending}"
    if not _holds(path, version):
        path.parent.mkdir(parents=True, exist_ok=True)
        if version.kind == "layout":
            write_layout(path, version.layout)
        elif version.kind == "cards":
            write_enrolment(path, version.enrolment)
        else:
            write_house(path, version.house)
    return path


def _holds(path: Path, version: TableVersion) -> bool:
    if not path.is_file() or path.is_symlink():
        return False
    with suppress(BadInput):
        if version.kind == "cards":
            return read_enrolment(path) == version.enrolment
        return (read_layout(path) == version.layout) if version.kind == "layout" else read_house(path) == version.house
    return False
