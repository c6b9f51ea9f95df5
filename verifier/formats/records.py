"""JSON Lines: decoding a line into a typed record, with errors in plain words."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, TypeVar

import msgspec

from verifier.domain.errors import BadInput
from verifier.formats.files import PathLike
from verifier.formats.wording import explain, printable, shown

T = TypeVar("T")
_KNOWN: Final = ("verifier-observations", "verifier-events", "verifier-findings")


def parse_object(path: PathLike, line: bytes, where: str) -> dict[str, Any]:
    """A JSON object with unique names; raises BadInput for anything else."""
    try:
        value = json.loads(line, object_pairs_hook=_unique, parse_constant=_no_constant)
    except RecursionError as error:
        raise BadInput(path, "the record is nested too deeply", "correct the line", where=where) from error
    except ValueError as error:
        raise _malformed(path, line, where, error) from error
    if not isinstance(value, dict):
        raise BadInput(path, f"found {shown(value)}, expected an object in braces", "correct the line", where=where)
    return value


def decode_record(path: PathLike, decoder: msgspec.json.Decoder[T], line: bytes, number: int) -> T:
    """One record of a stream; raises BadInput naming line, field and what was expected."""
    try:
        return decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError) as error:
        where = f"line {number}"
        value = parse_object(path, line, where)
        raise refusal(path, error, decoder.type, value, where) from error


def convert_object(path: PathLike, value: Mapping[str, Any], type_: type[T], where: str) -> T:
    """Builtins into a struct; raises BadInput naming the field."""
    try:
        return msgspec.convert(value, type_)
    except (ValueError, RecursionError) as error:
        raise refusal(path, error, type_, dict(value), where) from error


def refusal(path: PathLike, error: Exception, type_: Any, value: Any, where: str) -> BadInput:
    """The BadInput for a failed conversion of `value` into `type_`."""
    if not isinstance(error, msgspec.ValidationError):
        return BadInput(path, f"the record cannot be used ({printable(str(error))})", "correct it", where=where)
    field, cause = explain(error, type_, value)
    return BadInput(
        path, cause, "correct the value or write the file again", where=f"{where}, field {field}" if field else where
    )


def check_format(path: PathLike, header: Mapping[str, Any], wanted: str, version: int, where: str = "line 1") -> None:
    """Refuses a header of another format or version, saying what the file seems to be."""
    found = header.get("format")
    if found != wanted:
        kind = f"this is a {found} file" if found in _KNOWN else f"found format {shown(found)}"
        raise BadInput(path, f"{kind}, expected {wanted}", "give a file of that format", where=f"{where}, field format")
    number = header.get("version")
    if number != version or isinstance(number, bool):
        raise BadInput(
            path, f"found version {shown(number)}, expected {version}",
            "write the file again with this version of the program", where=f"{where}, field version",
        )  # fmt: skip


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _TwiceError(f"the name {printable(twice)!r} occurs twice in one object")
    return result


class _TwiceError(ValueError):
    pass


def _no_constant(name: str) -> Any:
    raise _TwiceError(f"found {name}, expected a finite number")


def _malformed(path: PathLike, line: bytes, where: str, error: ValueError) -> BadInput:
    if isinstance(error, _TwiceError):
        return BadInput(path, str(error), "correct the line", where=where)
    if not line.endswith(b"}"):
        return BadInput(path, "the line is no whole JSON object", "it may be cut off: copy the file again", where=where)
    detail = error.msg if isinstance(error, json.JSONDecodeError) else "bad text"
    return BadInput(path, f"the line is no JSON object ({printable(detail)})", "correct the line", where=where)
