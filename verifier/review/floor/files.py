"""A table's layout and house options as files, as the stages of a review read them."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec import Struct

from verifier.domain.errors import BadInput
from verifier.formats.house import read_house, write_house
from verifier.formats.layout import read_layout, write_layout
from verifier.store.floor import GamingTable, TableVersion, VersionKind
from verifier.store.home import home

_REMEDY: Final = "add it on the page 'Tables', or by verifier tables import"


class TableFiles(Struct, frozen=True, kw_only=True):
    """The layout and house options by which a recording is judged, and whose they are."""

    site: str
    table: str
    layout: Path
    house: Path


def files_of(table: GamingTable, day: str | None) -> TableFiles:
    """The files of what held at a table on a day (ISO; None where one version holds for all days).

    Raises BadInput where the day is needed and not known, or where nothing was kept for it.
    """
    if table.needs_day and day is None:
        cause = "has several versions, and the day of the recording is not known"
        raise BadInput(table.label, cause, "tell the day of play with --date")
    return TableFiles(
        site=table.site, table=table.table, layout=_file(table, "layout", day), house=_file(table, "house", day)
    )


def _file(table: GamingTable, kind: VersionKind, day: str | None) -> Path:
    found = table.in_force(kind, day)
    if found is None:
        what = "layout" if kind == "layout" else "house options"
        when = f" that held on {day}" if day and table.of(kind) else ""
        raise BadInput(table.label, f"there is no {what}{when}", _REMEDY)
    return _written(found)


def _written(version: TableVersion) -> Path:
    """The version as a file in the data folder, named by its digest: the same version is always the same file.

    No entry of the audit log tells of these files. One that is there and does not hold the version is written anew.
    """
    path = home() / "tables" / f"{version.sha256[:24]}.{version.kind}.yaml"
    if not _holds(path, version):
        path.parent.mkdir(parents=True, exist_ok=True)
        if version.kind == "layout":
            write_layout(path, version.layout)
        else:
            write_house(path, version.house)
    return path


def _holds(path: Path, version: TableVersion) -> bool:
    if not path.is_file() or path.is_symlink():
        return False
    with suppress(BadInput):
        return (read_layout(path) == version.layout) if version.kind == "layout" else read_house(path) == version.house
    return False
