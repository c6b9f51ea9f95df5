"""Says in plain words what is wrong with a value: which field, what was found, what was expected."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from functools import cache
from typing import Final

import msgspec
from msgspec import inspect

from verifier.formats.wording import closest, describe, printable, shown

Step = str | int
MOST_NAMED: Final = 12
"""With more choices than this an error offers the nearest, not the list."""
_AT: Final = re.compile(r" - at (?:`key` in |)`\$([^`]*)`$")
_STEP: Final = re.compile(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]")
_MISSING: Final = re.compile(r"missing required field `([^`]+)`")
_UNKNOWN: Final = re.compile(r"unknown field `([^`]+)`")
_ANY_STEP: Final = "..."


def explain(error: msgspec.ValidationError, type_: object, value: object) -> tuple[str, str]:
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
    quotes = " (write it in quotes)" if isinstance(got, int | float | date) and _in_quotes(info) else ""
    return field, f"found {shown(got)}, expected {describe(info)}{quotes}"


def _in_quotes(info: inspect.Type | None) -> bool:
    """Tell whether the value wanted may be text of digits: YAML reads `0123` and `3:2` without quotes as numbers."""
    match info:
        case inspect.UnionType():
            return any(_in_quotes(part) for part in info.types)
        case inspect.LiteralType():
            return any(isinstance(value, str) and value[0].isdigit() for value in info.values)
        case inspect.StrType():
            return info.pattern is None
        case _:
            return False


def field_name(path: Sequence[Step], value: object) -> str:
    """Return a path into `value` in the form `zones.shoe[3]`."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(value, list | tuple) else f".{printable(str(step))}"
        value = _get(value, [step])
    return text.lstrip(".")


def _path(text: str, value: object, type_: object) -> list[Step]:
    """Return the steps of msgspec's path. For `[...]` (some value of a map) the key whose value is at fault is found by
    trying.
    """
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


def _key_at_fault(type_: object, value: object, path: Sequence[Step]) -> Step | None:
    held = _get(value, path)
    if not isinstance(held, dict):
        return None
    for key in held:
        try:
            msgspec.convert(_with(value, path, {key: held[key]}), type_)
        except msgspec.ValidationError:
            return key if isinstance(key, str | int) else None
    return None


def _with(value: object, path: Sequence[Step], new: object) -> object:
    """Return a copy of `value` with the part at `path` replaced."""
    if not path:
        return new
    step, inner = path[0], _with(_get(value, path[:1]), path[1:], new)
    if isinstance(value, dict):
        return {**value, step: inner}
    items = value if isinstance(value, list | tuple) else ()
    return [inner if number == step else item for number, item in enumerate(items)]


@cache
def _type_info(type_: object) -> inspect.Type:
    return inspect.type_info(type_)


def _info(type_: object, value: object) -> inspect.Type | None:
    """Return the type's description; for a union of tagged structs, that of the one that the value's tag names."""
    info = _type_info(type_)
    return _member(info, value) if isinstance(info, inspect.UnionType) else info


def _member(info: inspect.UnionType, value: object) -> inspect.Type | None:
    return next((part for part in info.types if _suits(part, value)), info)


def _suits(info: inspect.Type, value: object) -> bool:
    if isinstance(value, dict):
        if isinstance(info, inspect.StructType):
            return info.tag_field is None or value.get(info.tag_field) == info.tag
        return isinstance(info, inspect.DictType)
    return isinstance(value, list | tuple) and isinstance(info, inspect.ListType | inspect.TupleType)


def _follow(info: inspect.Type | None, path: Sequence[Step], value: object) -> inspect.Type | None:
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


def _get(value: object, path: Sequence[Step]) -> object:
    """Return what lies at a path; None where nothing does."""
    for step in path:
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list | tuple) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def _tags(info: inspect.UnionType, step: Step) -> inspect.Type | None:
    """Return the names that a union's tag field may have."""
    parts = [part for part in info.types if isinstance(part, inspect.StructType) and part.tag_field == step]
    return inspect.LiteralType(tuple(str(part.tag) for part in parts)) if parts else None


def _first_word(message: str, info: inspect.Type | None) -> str:
    """Return the field that a type's own error message begins with, such as `t_end 1 is before ...`."""
    word = message.split(" ", 1)[0]
    names = [field.encode_name for field in info.fields] if isinstance(info, inspect.StructType) else []
    return word if word in names else ""


def _unknown_name(got: object, names: Sequence[str]) -> str:
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
