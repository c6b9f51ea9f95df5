"""Which kept table a recording is of: as it is told, by the folder where it lies, or by the signs in its picture."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from verifier.domain.errors import BadInput
from verifier.domain.names import path_of, path_text
from verifier.review.floor.files import files_of
from verifier.review.pipeline.chain import Chain
from verifier.review.pipeline.places import place_of
from verifier.review.pipeline.values import Source
from verifier.store.floor import GamingTable
from verifier.vision.signs import plain_number

Beat = Callable[[float], None]


class Place(Struct, frozen=True, kw_only=True):
    """The table that a recording is of, and the day (ISO) on which it was recorded, where that matters."""

    site: str
    table: str
    day: str | None = None


def lean(table: GamingTable) -> GamingTable:
    """Return the table with only what is needed to find it: its newest layout, and that only where the day matters."""
    newest = table.in_force("layout", None)
    return msgspec.structs.replace(table, versions=[newest] if table.needs_day and newest is not None else [])


def told_tables(source: Source, tables: Sequence[GamingTable]) -> list[GamingTable]:
    """Return the tables that may be meant, by the given site and table, and by the recording's folder where one
    is kept.
    """
    some = [one for one in tables if _is(one.site, source.site) and _is(one.table, source.table)]
    inside = [one for one in some if one.folder and _below(path_of(source.path), Path(one.folder))]
    deepest = max((len(one.folder) for one in inside), default=0)
    return [one for one in inside if len(one.folder) == deepest] or some


def known_place(source: Source, tables: Sequence[GamingTable]) -> Place | None:
    """Return the table where it is given or known by its folder, and the day is given or does not matter; else None.

    Then nothing of the recording need be read.
    """
    some = told_tables(source, tables)
    day = source.day or (source.start[:10] if source.start else None)
    if len(some) != 1 or not (source.table or _by_folder(source, some[0])):
        return None
    return Place(site=some[0].site, table=some[0].table, day=day) if day or not some[0].needs_day else None


def find_place(
    source: Source, tables: Sequence[GamingTable], chain: Chain, beat: Beat, *, several_sites: bool
) -> Place:
    """Find the table by what is given, else by the signs in the picture, and the day by the burned-in clock where it
    matters.

    Raises BadInput, saying why, if there is no such table or more than one; OSError if the file is away.
    """
    known = known_place(source, tables)
    if known is not None:
        return known
    some = told_tables(source, tables)
    probe = chain.probe(path_of(source.path), source.how, beat)
    if len(some) == 1 and (source.table or _by_folder(source, some[0])):
        table = some[0]
    else:
        table = _by_signs(source, some, chain.signs(probe), several=several_sites and source.site is None)
    day = source.day or (source.start[:10] if source.start else None)
    if day is None and table.needs_day:
        newest = table.in_force("layout", None)
        clock = chain.clock(probe, newest.layout) if newest is not None else None
        day = clock[:10] if clock else None
    return Place(site=table.site, table=table.table, day=day)


def completed(source: Source, tables: Sequence[GamingTable], chain: Chain) -> Source:
    """Return the recording with its table's layout and house options, where they are not given. Raises BadInput,
    OSError.
    """
    if source.layout and source.house:
        return source
    if not tables:
        what = "layout" if not source.layout else "house options"
        remedy = (
            f"give --{what.split()[0]}, or keep the table: page 'Tables' of the dashboard, or verifier tables import"
        )
        raise BadInput(source.path, f"no {what} is given, and no table is kept", remedy)
    site, table = place_of(source)
    told = msgspec.structs.replace(source, site=site, table=table)
    several = len({one.site for one in tables}) > 1
    return with_files(told, find_place(told, tables, chain, lambda _: None, several_sites=several), tables)


def with_files(source: Source, place: Place, tables: Iterable[GamingTable]) -> Source:
    """Return the recording with layout, house options and enrolment of its table. Raises BadInput without the
    first two.
    """
    table = next(one for one in tables if (one.site, one.table) == (place.site, place.table))
    files = files_of(table, place.day)
    return msgspec.structs.replace(
        source,
        site=table.site,
        table=table.table,
        layout=source.layout or path_text(files.layout),
        house=source.house or path_text(files.house),
        enrolment=source.enrolment or (path_text(files.enrolment) if files.enrolment else None),
    )


def _by_signs(
    source: Source, tables: Sequence[GamingTable], said: tuple[str | None, str | None], *, several: bool
) -> GamingTable:
    """Return the table that the signs name. Where there are several sites, the site's sign must be read, too."""
    site, number = said
    found = [one for one in tables if _is(one.site, site) and _is(one.table, number)] if number else []
    if len(found) == 1 and (site or not several):
        return found[0]
    remedy = "name the table, tell its folder on the page 'Tables', or give a layout"
    raise BadInput(source.path, _why(site, number, tables, found), remedy)


def _why(site: str | None, number: str | None, tables: Sequence[GamingTable], found: Sequence[GamingTable]) -> str:
    if not tables:
        return "no kept table fits what is told of it"
    if number is None:
        return "no sign in its picture says which table it is"
    if found:
        return f"its signs fit several tables: {', '.join(one.label for one in found)}"
    return f"its signs say site {site or '?'}, table {number}, which is not kept"


def _by_folder(source: Source, table: GamingTable) -> bool:
    return bool(table.folder) and _below(path_of(source.path), Path(table.folder))


def _is(kept: str, said: str | None) -> bool:
    """Tell whether a name may be the one that is said; what is not said fits any."""
    return said is None or kept == said or plain_number(kept) == plain_number(said)


def _below(path: Path, folder: Path) -> bool:
    return path.is_relative_to(folder) or path.resolve().is_relative_to(folder.resolve())
