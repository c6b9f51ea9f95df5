"""Values and types in plain words, short enough for a line and safe to print."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Final

from msgspec import inspect

MOST_SHOWN: Final = 60


def describe(info: inspect.Type | None) -> str:
    """Return a type in plain words, for example `a whole number from 0 to 7`."""
    match info:
        case None | inspect.AnyType():
            return "another value"
        case inspect.Metadata():
            note = str((info.extra_json_schema or {}).get("description", "")).rstrip(".")
            if note and isinstance(info.type, inspect.StrType):
                return note
            return describe(info.type) + (f" ({note})" if note else "")
        case inspect.LiteralType():
            return "one of " + ", ".join(map(str, info.values)) if len(info.values) > 1 else repr(info.values[0])
        case inspect.UnionType():
            return " or ".join(dict.fromkeys(describe(part) for part in info.types))
        case inspect.NoneType():
            return "null"
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType() | inspect.FloatType():
            return ("a whole number" if isinstance(info, inspect.IntType) else "a number") + _bounds(info)
        case inspect.StrType():
            return _text(info)
        case inspect.TupleType():
            return f"a list of {len(info.item_types)} values"
        case inspect.ListType() | inspect.VarTupleType():
            return "a list" + (f" of at least {info.min_length}" if info.min_length else "")
        case inspect.DictType():
            return f"a map from {describe(info.key_type)} to {describe(info.value_type)}"
        case _:
            return "an object with named fields"


def shown(value: object) -> str:
    """Return a found value, short and safe to print."""
    if isinstance(value, dict):
        small = 0 < len(value) <= 3 and all(isinstance(item, str | int | float) for item in value.values())
        return printable(str(value)) if small else "an object"
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    return printable(repr(value) if isinstance(value, str) else str(value))


def printable(text: str) -> str:
    """Text cut to a line's length, control characters replaced."""
    clean = "".join(char if char.isprintable() else "?" for char in text)
    return clean if len(clean) <= MOST_SHOWN else clean[: MOST_SHOWN - 3] + "..."


def closest(name: str, names: Sequence[str]) -> str:
    """` (did you mean X?)` for a near miss, else nothing."""
    near = difflib.get_close_matches(name, names, n=1)
    return f" (did you mean {near[0]}?)" if near else ""


def _bounds(info: inspect.IntType | inspect.FloatType) -> str:
    low = info.ge if info.ge is not None else info.gt
    high = info.le if info.le is not None else info.lt
    low, high = _whole(low), _whole(high)
    if low is not None and high is not None:
        return f" from {low} to {high}"
    if low is not None:
        return f" above {low}" if info.gt is not None else f" of {low} or more"
    return f" of {high} or less" if high is not None else ""


def _whole(number: float | None) -> float | None:
    return int(number) if number is not None and number == int(number) else number


def _text(info: inspect.StrType) -> str:
    if info.pattern:
        return f"text like {info.pattern}"
    if info.max_length is not None:
        return f"text of {info.min_length or 0} to {info.max_length} characters"
    return "text"
