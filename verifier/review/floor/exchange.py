"""Kept tables as YAML files: one file a table, with all versions of its layout, house options and own cards."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from verifier.domain.enrolment import Enrolment
from verifier.domain.errors import BadInput
from verifier.domain.layout import Layout
from verifier.formats.enrolment import enrolment_from
from verifier.formats.files import PathLike
from verifier.formats.house import check_filmed, house_from
from verifier.formats.layout import layout_from
from verifier.formats.records import convert_object
from verifier.formats.yamls import read_yaml, write_yaml
from verifier.store.floor import SINCE_EVER, Floor, GamingTable, TableVersion
from verifier.vision.signs import plain_number


class _Dated(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`since` is the first day (ISO), null since ever."""

    since: str | None = None
    reason: str = ""


class _Layout(_Dated, frozen=True, kw_only=True, forbid_unknown_fields=True):
    layout: dict[str, object]


class _House(_Dated, frozen=True, kw_only=True, forbid_unknown_fields=True):
    house: dict[str, object]


class _Cards(_Dated, frozen=True, kw_only=True, forbid_unknown_fields=True):
    cards: dict[str, object]


class TableFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table as a file (docs/formats.md)."""

    format: Literal["verifier-table"]
    version: Literal[1]
    site: str
    table: str
    folder: str = ""
    layouts: list[_Layout] = []
    house: list[_House] = []
    cards: list[_Cards] = []


def write_table(path: Path, table: GamingTable) -> None:
    """Write a table as YAML. Raises BadInput, OSError."""
    made = {
        "format": "verifier-table",
        "version": 1,
        "site": table.site,
        "table": table.table,
        "folder": table.folder,
        "layouts": [_dated(one, layout=_plain(one.layout)) for one in table.of("layout")],
        "house": [_dated(one, house=msgspec.to_builtins(one.house)) for one in table.of("house")],
    }
    if table.of("cards"):
        made["cards"] = [_dated(one, cards=_plain(one.enrolment)) for one in table.of("cards")]
    write_yaml(path, made)


def import_table(floor: Floor, path: PathLike, actor: str) -> GamingTable:
    """Keep the table of a file: versions that are not kept yet are added. Raises BadInput before anything is kept."""
    told = convert_object(path, _texts(read_yaml(path).value), TableFile, "table")
    layouts = [(one, layout_from(one.layout, path)) for one in told.layouts]
    houses = [(one, house_from(one.house, path)) for one in told.house]
    enrolments = [(one, enrolment_from(one.cards, path)) for one in told.cards]
    for _, house in houses:
        check_filmed(house, path, layouts[-1][1].game if layouts else "twenty-one")
    for day in [one.since for one in (*told.layouts, *told.house, *told.cards)]:
        check_day(day, path)
    for _, layout in layouts:
        if (layout.site or told.site, layout.table or told.table) != (told.site, told.table):
            cause = f"its layout is of site {layout.site}, table {layout.table}"
            raise BadInput(path, cause, "correct the site and table of the file or of the layout")
    for _, enrolment in enrolments:
        check_of_table(enrolment, told.site, told.table, path)
    kept = floor.table(told.site, told.table) or GamingTable(site=told.site, table=told.table)
    if kept.folder != told.folder or not floor.table(told.site, told.table):
        floor.put_table(told.site, told.table, told.folder, actor)
    for one, layout in layouts:
        if not any(known.layout == layout and known.valid_from == _since(one) for known in kept.of("layout")):
            floor.add_layout(told.site, told.table, layout, actor, since=_since(one), reason=one.reason)
    for dated, house in houses:
        if not any(known.house == house and known.valid_from == _since(dated) for known in kept.of("house")):
            floor.add_house(told.site, told.table, house, actor, since=_since(dated), reason=dated.reason)
    for own, enrolment in enrolments:
        if not any(known.enrolment == enrolment and known.valid_from == _since(own) for known in kept.of("cards")):
            floor.add_cards(told.site, told.table, enrolment, actor, since=_since(own), reason=own.reason)
    found = floor.table(told.site, told.table)
    assert found is not None
    return found


def check_of_table(told: Layout | Enrolment, site: str, table: str, source: PathLike) -> None:
    """Raise BadInput if a layout or an enrolment says that it is of another table than this one."""
    if not (_fits(told.site, site) and _fits(told.table, table)):
        what = "layout" if isinstance(told, Layout) else "enrolment"
        cause = (
            f"its {what} is of site {told.site or '?'}, table {told.table or '?'}, not of site {site}, table {table}"
        )
        raise BadInput(source, cause, f"take the {what} of that table, or correct the site and table")


def _fits(said: str | None, kept: str) -> bool:
    """Tell whether a name may be the one that is kept: `131` is `0131`, and what is not said fits any."""
    return said is None or said == kept or plain_number(said) == plain_number(kept)


def check_day(day: str | None, source: PathLike) -> None:
    """Raise BadInput if a day is given that is none."""
    try:
        if day is not None:
            date.fromisoformat(day)
    except ValueError as error:
        raise BadInput(source, f"since is {day!r}, expected a day such as 2026-11-17", "correct the day") from error


def _since(dated: _Dated) -> str:
    return dated.since or SINCE_EVER


def _texts(value: dict[str, object]) -> dict[str, object]:
    """Return the map as it was meant: YAML reads a bare 7 as a number and a bare 2026-01-01 as a date."""
    told = {**value, **{name: str(value[name]) for name in ("site", "table") if isinstance(value.get(name), int)}}
    for name in ("layouts", "house", "cards"):
        if isinstance(rows := told.get(name), list):
            told[name] = [_with_day(one) for one in rows]
    return told


def _with_day(one: object) -> object:
    if isinstance(one, dict) and isinstance(day := one.get("since"), date):
        return {**one, "since": day.isoformat()}
    return one


def _dated(version: TableVersion, **body: object) -> dict[str, object]:
    return {"since": version.valid_from or None, "reason": version.reason, **body}


def _plain(value: Struct) -> object:
    """Builtins without what is null."""
    return _without_null(msgspec.to_builtins(value))


def _without_null(value: object) -> object:
    if isinstance(value, dict):
        return {name: _without_null(item) for name, item in value.items() if item is not None}
    return value
