"""The kinds of records of a site that can be imported, with their columns (`record_kinds.yaml`)."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import Final, Literal

import msgspec
import yaml
from msgspec import Struct

from verifier.formats.yamls import LOADER

ColumnType = Literal[
    "text",
    "day",
    "time",
    "money",
    "signed",
    "count",
    "number",
    "percent",
    "flag",
    "posted",
    "list",
    "amounts",
    "quarter",
]
SITE: Final = "site"
"""The column of every kind that names the site."""
KIND: Final = "kind"
"""The column that names the kind, where a file holds several."""
_VALUE: Final = r"(?P<value>\d{1,6}(?:\.\d{1,2})?)"
_NUMBER: Final = r"[1-9]\d{0,2}"


class RecordKind(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of records. `columns`: name -> type and what it tells; the other fields stand in `record_kinds.yaml`."""

    name: str
    title: str
    cite: str
    about: Literal["day", "site"]
    key: list[str]
    columns: dict[str, tuple[ColumnType, str]]
    day: str | None = "date"
    stands: list[str] | None = None
    until: str | None = None
    needs: list[str] = []

    def column(self, name: str) -> str | None:
        """Return the column as `columns` names it, for a name as a file has it; None where the kind has no such
        column.
        """
        if name in self.columns:
            return name
        return next((one for one in self.columns if _pattern(one).fullmatch(name)), None)


class _Kinds(Struct, frozen=True, forbid_unknown_fields=True):
    kinds: list[RecordKind]


@cache
def record_kinds() -> dict[str, RecordKind]:
    """All kinds by name, in the order of the file."""
    text = resources.files("verifier.formats").joinpath("record_kinds.yaml").read_text("utf-8")
    return {one.name: one for one in msgspec.convert(yaml.load(text, Loader=LOADER), _Kinds).kinds}


@cache
def _pattern(column: str) -> re.Pattern[str]:
    parts = {"N": _NUMBER, "VALUE": _VALUE}
    return re.compile(r"\.".join(parts.get(part, re.escape(part)) for part in column.split(".")))
