"""JSON Lines: decoding a line into a typed record, with errors in plain words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeVar

import msgspec

from verifier.domain.errors import BadInput
from verifier.formats.explain import explain
from verifier.formats.files import PathLike
from verifier.formats.json_text import MOST_NUMBER, parse_object, suspect
from verifier.formats.wording import printable, shown

T = TypeVar("T")
_KNOWN: Final = (
    "verifier-observations",
    "verifier-events",
    "verifier-findings",
    "verifier-unconfirmed",
    "verifier-coverage",
)


def decode_record(
    path: PathLike, decoder: msgspec.json.Decoder[T], line: bytes, number: int, *, null_is_absent: bool = False
) -> T:
    """One record of a stream; raises BadInput naming line, field and what was expected."""
    try:
        record = decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError):
        where = f"line {number}"
        value = parse_object(path, line, where)
        return convert_object(path, without_nulls(value) if null_is_absent else value, decoder.type, where)
    if suspect(line):
        parse_object(path, line, f"line {number}")
    return record


def convert_object(path: PathLike, value: Mapping[str, object], type_: type[T], where: str) -> T:
    """Builtins into a struct, where `3.0` is as good a whole number as `3`; raises BadInput naming the field."""
    try:
        return msgspec.convert(whole_numbers(value), type_)
    except (ValueError, RecursionError) as error:
        raise refusal(path, error, type_, dict(value), where) from error


def whole_numbers(value: object) -> object:
    """Builtins with each number that has no fraction as an integer: many writers know no other numbers than floats."""
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) <= MOST_NUMBER else value
    if isinstance(value, dict):
        return {name: whole_numbers(item) for name, item in value.items()}
    return [whole_numbers(item) for item in value] if isinstance(value, list) else value


def without_nulls(value: Mapping[str, object]) -> dict[str, object]:
    """Return an object, and those listed in it, without null fields. What is unknown may be null or left out alike."""
    return {
        name: [without_nulls(each) if isinstance(each, dict) else each for each in item]
        if isinstance(item, list)
        else item
        for name, item in value.items()
        if item is not None
    }


def refusal(path: PathLike, error: Exception, type_: object, value: object, where: str) -> BadInput:
    """Return the BadInput for a failed conversion of `value` into `type_`."""
    if not isinstance(error, msgspec.ValidationError):
        return BadInput(path, f"the record cannot be used ({printable(str(error))})", "correct it", where=where)
    field, cause = explain(error, type_, value)
    return BadInput(
        path, cause, "correct the value or write the file again", where=f"{where}, field {field}" if field else where
    )


def check_format(
    path: PathLike, header: Mapping[str, object], wanted: str, version: int, where: str = "line 1"
) -> None:
    """Refuse a header of another format or version, saying what the file seems to be."""
    found = header.get("format")
    if found != wanted:
        kind = f"this is a {found} file" if found in _KNOWN else f"found format {shown(found)}"
        raise BadInput(path, f"{kind}, expected {wanted}", "give a file of that format", where=f"{where}, field format")
    number = header.get("version")
    if number != version or isinstance(number, bool):
        raise BadInput(
            path,
            f"found version {shown(number)}, expected {version}",
            "write the file again with this version of the program",
            where=f"{where}, field version",
        )
