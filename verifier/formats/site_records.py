"""Records of a site as the law reads them, made from the rows of a file (`record_files.py`)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Final

from msgspec import Struct

from verifier.domain.errors import BadInput
from verifier.domain.money import dollars
from verifier.formats.files import PathLike
from verifier.formats.record_cells import CellError, read_cell
from verifier.formats.record_files import Line, read_lines_of
from verifier.formats.record_kinds import SITE, ColumnType, RecordKind, record_kinds
from verifier.formats.wording import closest, printable

MOST_NAME: Final = 64
MOST_DAYS: Final = 366
"""Days for which a row may hold, the first and the last included: after a year somebody looks again (our policy)."""


class SiteRecord(Struct, frozen=True, kw_only=True):
    """One record of a site. `key` tells it from others of its kind and site; `fields` are those that the law reads.

    `day` is ISO, None for a kind that has none; `table` is empty where none is told. `where` is its place in the file.
    """

    kind: str
    site: str
    key: str
    day: str | None
    table: str
    fields: dict[str, object]
    where: str


def read_records(path: PathLike, site: str | None = None, kind: str | None = None) -> list[SiteRecord]:
    """Return the records of a file. `site` and `kind` are those of rows that name none.

    Raises BadInput with the row, the column and what to do; nothing is given unless every row is right.
    """
    found = [_record(path, line, site, kind) for line in read_lines_of(path)]
    if not found:
        raise BadInput(path, "holds no records", "give one row for each record")
    seen: dict[tuple[str, str, str], str] = {}
    for one in found:
        first = seen.setdefault((one.kind, one.site, one.key), one.where)
        if first != one.where:
            cause = f"tells of the same {one.kind} as {first}: {one.key}"
            raise BadInput(path, cause, "remove one, or correct what tells them apart", where=one.where)
    return found


def _record(path: PathLike, line: Line, site: str | None, kind: str | None) -> SiteRecord:
    of = _kind(path, line, kind)
    cells = dict(line.cells)
    named = cells.pop(SITE, None)
    values = {SITE: _value(path, line, SITE, named, "text") if named is not None else site}
    if not values[SITE] or len(str(values[SITE])) > MOST_NAME:
        cause = "tells no site" if not values[SITE] else f"names a site of more than {MOST_NAME} letters"
        raise BadInput(path, cause, "fill in the column site, or give --site", where=line.where)
    for name, cell in cells.items():
        column = of.column(name)
        if column is None:
            near = closest(name, list(of.columns))
            cause = f"{of.name} has no column {printable(name)}{near}"
            raise BadInput(path, cause, f"see verifier records template {of.name}", where=line.where)
        values[name] = _value(path, line, name, cell, of.columns[column][0])
    _check_needed(path, line, of, values)
    day = str(values[of.day]) if of.day else None
    table = str(values.get("table") or "")
    key = _told(values, of.key) or _told(values, ("date", "time", "table"))
    fields = _completed(of, _nested(of, values))
    return SiteRecord(
        kind=of.name, site=str(values[SITE]), key=key[:200], day=day, table=table, fields=fields, where=line.where
    )


def _told(values: dict[str, object], names: Iterable[str]) -> str:
    return " ".join(f"{name} {values[name]}" for name in names if values.get(name) not in (None, ""))


def _kind(path: PathLike, line: Line, kind: str | None) -> RecordKind:
    if line.kind is not None and kind is not None and line.kind != kind:
        cause = f"is of the kind {printable(line.kind)}, told was {kind}"
        raise BadInput(path, cause, "leave --kind away, or correct the file", where=line.where)
    name = line.kind or kind
    if not name:
        raise BadInput(path, "does not tell of which kind it is", "give --kind, or a column kind", where=line.where)
    if name not in record_kinds():
        cause = f"{printable(name)} is no kind of records{closest(name, list(record_kinds()))}"
        raise BadInput(path, cause, "see verifier records template --help", where=line.where)
    return record_kinds()[name]


def _value(path: PathLike, line: Line, name: str, cell: object, kind: ColumnType) -> object:
    try:
        return read_cell(_in_dollars(cell) if line.in_cents and kind in _AMOUNTS else cell, kind)
    except CellError as error:
        where = f"{line.where}, column {printable(name)}"
        raise BadInput(path, error.cause, error.remedy, where=where) from error


def _in_dollars(cell: object) -> object:
    """Return a number of cents as dollars. Raises CellError for a fraction, as nobody knows what it counts."""
    if isinstance(cell, list):
        return [_in_dollars(one) for one in cell]
    if isinstance(cell, float):
        raise CellError(f"{cell} is no amount of whole cents", 'write 1250 for cents, or "12.50" for dollars')
    if isinstance(cell, int) and not isinstance(cell, bool):
        return f"{'-' if cell < 0 else ''}{dollars(abs(cell))}"
    return cell


def _check_needed(path: PathLike, line: Line, of: RecordKind, values: dict[str, object]) -> None:
    """Refuse a row that lacks its day, or all that tells it from others of its kind."""
    needed = [of.day] if of.day else []
    needed += [name for name in of.key if name not in (of.day, *_MAY_LACK)] + of.needs
    for name in needed:
        if values.get(name) in (None, ""):
            raise BadInput(path, "is empty", "fill it in", where=f"{line.where}, column {name}")
    if of.day and of.until and not 0 <= _days(str(values[of.day]), str(values[of.until])) < MOST_DAYS:
        cause = f"{values[of.until]} is not within a year from {values[of.day]} on"
        raise BadInput(path, cause, "correct one of the two", where=f"{line.where}, column {of.until}")
    if len(str(values.get("table") or "")) > MOST_NAME:
        raise BadInput(path, "is no table's number", "correct it", where=f"{line.where}, column table")


def _days(first: str, last: str) -> int:
    return (date.fromisoformat(last) - date.fromisoformat(first)).days


_AMOUNTS: Final = frozenset({"money", "signed", "amounts"})
_MAY_LACK: Final = frozenset(
    {"table", "item", "week", "dealer", "drop_box_number", "quarter", "time", "shift", "number"}
)
"""Columns of a key that may be empty: `table` then means the whole site, and so on."""


_Tree = dict[str | int, object]


def _nested(of: RecordKind, values: dict[str, object]) -> dict[str, object]:
    """Columns with dots as maps and lists: `chips.5` as {"chips": {"500": 20}}, `counts.1` as {"counts": [500]}."""
    tree: _Tree = {}
    for name, value in values.items():
        column = of.column(name) or name
        *path, last = _steps(column, name)
        node = tree
        for step in path:
            inner = node.setdefault(step, {})
            assert isinstance(inner, dict)
            node = inner
        node[last] = value
    return {str(name): _listed(value) for name, value in tree.items()}


def _steps(column: str, name: str) -> list[str | int]:
    """Return the steps of a column's name. A chip's value in dollars becomes its cents, a counting number becomes an
    integer.
    """
    if "VALUE" in column.split("."):
        before, _, after = column.partition("VALUE")
        amount = name[len(before) : len(name) - len(after)]
        return [
            *before.strip(".").split("."),
            str(round(float(amount) * 100)),
            *(after.strip(".").split(".") if after else ()),
        ]
    return [int(part) if of == "N" else part for of, part in zip(column.split("."), name.split("."), strict=True)]


def _listed(value: object) -> object:
    """Return maps whose names are counting numbers as lists, in order."""
    if not isinstance(value, dict):
        return value
    inner = {name: _listed(one) for name, one in value.items()}
    if inner and all(isinstance(name, int) for name in inner):
        return [inner[name] for name in sorted(inner)]
    return inner


def _completed(of: RecordKind, fields: dict[str, object]) -> dict[str, object]:
    """Return the fields, with what the law reads under another name than the file has it moved there."""
    players = fields.get("players")
    if of.name == "tournament" and isinstance(players, list):
        for name in ("starting_chips", "final_chips"):
            chips = {
                str(one.get("name") or f"player {number}"): one.pop(name)
                for number, one in enumerate(players, start=1)
                if name in one
            }
            fields |= {name: chips} if chips else {}
    return fields
