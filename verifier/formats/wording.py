"""Says in plain words what is wrong with a value: which field, what was found, what was expected."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from functools import cache
from typing import Any, Final

import msgspec
from msgspec import inspect

Step = str | int
MOST_SHOWN: Final = 60
MOST_NAMED: Final = 12
"""With more choices than this an error offers the nearest, not the list."""
_AT: Final = re.compile(r" - at (?:`key` in |)`\$([^`]*)`$")
_STEP: Final = re.compile(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]")
_MISSING: Final = re.compile(r"missing required field `([^`]+)`")
_UNKNOWN: Final = re.compile(r"unknown field `([^`]+)`")
_ANY_STEP: Final = "..."


def explain(error: msgspec.ValidationError, type_: Any, value: Any) -> tuple[str, str]:
    """Field (empty for the whole) and cause of a validation error of `value` (builtins) against `type_`."""
    text = str(error)
    found = _AT.search(text)
    path = _path(found.group(1) if found else "", value, type_)
    message = _AT.sub("", text)
    info = _follow(_info(type_, value), path, value)
    for pattern, wording in ((_MISSING, _missing), (_UNKNOWN, _unknown)):
        if named := pattern.search(message):
            return field_name([*path, named.group(1)], value), wording(info, named.group(1))
    field, got = field_name(path, value), _get(value, path)
    if not message.startswith(("Expected", "Invalid")):
        return field or _first_word(message, info), printable(message[0].lower() + message[1:])
    if isinstance(info, inspect.LiteralType) and len(info.values) > MOST_NAMED:
        return field, _unknown_name(got, [str(name) for name in info.values])
    return field, f"found {shown(got)}, expected {describe(info)}"


def describe(info: inspect.Type | None) -> str:
    """A type in plain words, for example `a whole number from 0 to 7`."""
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


def shown(value: Any) -> str:
    """A found value, short and safe to print."""
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


def field_name(path: Sequence[Step], value: Any) -> str:
    """A path into `value` as `zones.shoe[3]`."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(value, list | tuple) else f".{printable(str(step))}"
        value = _get(value, [step])
    return text.lstrip(".")


def _path(text: str, value: Any, type_: Any) -> list[Step]:
    """Steps of msgspec's path; for `[...]` (some value of a map) the key whose value is at fault is found by trying."""
    path: list[Step] = []
    for name, index in _STEP.findall(text):
        if index == _ANY_STEP:
            key = _key_at_fault(type_, value, path)
            if key is None:
                break
            path.append(key)
        else:
            path.append(name or int(index))
    return path


def _key_at_fault(type_: Any, value: Any, path: Sequence[Step]) -> Step | None:
    held = _get(value, path)
    for key in held if isinstance(held, dict) else ():
        try:
            msgspec.convert(_with(value, path, {key: held[key]}), type_)
        except msgspec.ValidationError:
            return key if isinstance(key, str | int) else None
    return None


def _with(value: Any, path: Sequence[Step], new: Any) -> Any:
    """A copy of `value` with the part at `path` replaced."""
    if not path:
        return new
    copy: Any = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = _with(value[path[0]], path[1:], new)
    return copy


@cache
def _type_info(type_: Any) -> inspect.Type:
    return inspect.type_info(type_)


def _info(type_: Any, value: Any) -> inspect.Type | None:
    """The type's description; of a union of tagged structs the one that the value's tag names."""
    info = _type_info(type_)
    return _member(info, value) if isinstance(info, inspect.UnionType) else info


def _member(info: inspect.UnionType, value: Any) -> inspect.Type | None:
    return next((part for part in info.types if _suits(part, value)), info)


def _suits(info: inspect.Type, value: Any) -> bool:
    if isinstance(value, dict):
        if isinstance(info, inspect.StructType):
            return info.tag_field is None or value.get(info.tag_field) == info.tag
        return isinstance(info, inspect.DictType)
    return isinstance(value, list | tuple) and isinstance(info, inspect.ListType | inspect.TupleType)


def _follow(info: inspect.Type | None, path: Sequence[Step], value: Any) -> inspect.Type | None:
    for step in path:
        while isinstance(info, inspect.Metadata):
            info = info.type
        if isinstance(info, inspect.UnionType):
            info = _member(info, value)
        info = _tags(info, step) if isinstance(info, inspect.UnionType) else _child(info, step)
        value = _get(value, [step])
    return info


def _child(info: inspect.Type | None, step: Step) -> inspect.Type | None:
    if isinstance(info, inspect.StructType):
        if step == info.tag_field and isinstance(info.tag, str):
            return inspect.LiteralType((info.tag,))
        return next((field.type for field in info.fields if field.encode_name == step), None)
    if isinstance(info, inspect.ListType | inspect.VarTupleType):
        return info.item_type
    if isinstance(info, inspect.TupleType) and isinstance(step, int) and step < len(info.item_types):
        return info.item_types[step]
    return info.value_type if isinstance(info, inspect.DictType) else None


def _get(value: Any, path: Sequence[Step]) -> Any:
    for step in path:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return None
    return value


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


def _tags(info: inspect.UnionType, step: Step) -> inspect.Type | None:
    """The names that a union's tag field may have."""
    parts = [part for part in info.types if isinstance(part, inspect.StructType) and part.tag_field == step]
    return inspect.LiteralType(tuple(str(part.tag) for part in parts)) if parts else None


def _first_word(message: str, info: inspect.Type | None) -> str:
    """The field that a type's own refusal begins with, such as `t_end 1 is before ...`."""
    word = message.split(" ", 1)[0]
    names = [field.encode_name for field in info.fields] if isinstance(info, inspect.StructType) else []
    return word if word in names else ""


def _unknown_name(got: Any, names: Sequence[str]) -> str:
    if not isinstance(got, str):
        return f"found {shown(got)}, expected a name such as {names[0]}"
    return f"found {shown(got)}, expected a known name{closest(got, names)}"


def _missing(info: inspect.Type | None, name: str) -> str:
    wanted = _child(info, name)
    if isinstance(info, inspect.UnionType):
        wanted = _tags(info, name) or next((found for part in info.types if (found := _child(part, name))), None)
    if isinstance(wanted, inspect.LiteralType) and len(wanted.values) > MOST_NAMED:
        return f"the field is missing, expected a name such as {wanted.values[0]}"
    return f"the field is missing, expected {describe(wanted)}"


def _unknown(info: inspect.Type | None, name: str) -> str:
    names = [field.encode_name for field in info.fields] if isinstance(info, inspect.StructType) else []
    return f"the name is unknown{closest(name, names)}"
