"""JSON read strictly: unique names, finite numbers within 64 bits, whole Unicode text, bounded nesting."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Final

from verifier.domain.errors import BadInput
from verifier.formats.explain import Step, field_name
from verifier.formats.files import PathLike
from verifier.formats.wording import printable, shown

MOST_NUMBER: Final = 2**63 - 1
_MOST_DIGITS: Final = 400
_SUSPECT: Final = re.compile(rb"\d{19}|\d[eE]\+?\d\d|\\u[dD][89a-fA-F]")


def suspect(text: bytes) -> bool:
    """Tell whether a JSON text may hold a huge number or half a character, so that it is worth reading strictly."""
    return _SUSPECT.search(text) is not None


def parse_json(path: PathLike, text: bytes, where: str) -> object:
    """Any JSON value as builtins; raises BadInput naming the field where one is at fault."""
    try:
        value = json.loads(text.decode("utf-8"), object_pairs_hook=_unique, parse_int=_whole)
        fault = next(_faults(value, ()), None)
    except RecursionError as error:
        raise BadInput(path, "the record is nested too deeply", "correct the line", where=where) from error
    except _TwiceError as error:
        cause = f"the name {printable(error.name)!r} occurs twice in one object"
        raise BadInput(path, cause, "remove one", where=f"{where}, field {printable(error.name)}") from error
    except ValueError as error:
        raise _malformed(path, text, where, error) from error
    if fault is not None:
        field, cause = field_name(fault[0], value), fault[1]
        raise BadInput(path, cause, "correct the value", where=f"{where}, field {field}" if field else where)
    return value


def parse_object(path: PathLike, text: bytes, where: str) -> dict[str, object]:
    """Return a JSON object as builtins. Raises BadInput for anything else."""
    value = parse_json(path, text, where)
    if not isinstance(value, dict):
        raise BadInput(path, f"found {shown(value)}, expected an object in braces", "correct the line", where=where)
    return value


def _faults(value: object, at: tuple[Step, ...]) -> Iterator[tuple[tuple[Step, ...], str]]:
    """Where within a value there is a number or text that no record may hold, and what is wrong with it."""
    if isinstance(value, dict):
        for name, item in value.items():
            if not _encodable(name):
                yield at, "a name is no whole Unicode text"
            yield from _faults(item, (*at, name))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _faults(item, (*at, index))
    elif isinstance(value, str):
        if not _encodable(value):
            yield at, "the text holds half a character (a lone surrogate), expected whole Unicode text"
    elif isinstance(value, float) and not math.isfinite(value):
        yield at, f"found {shown(value)}, expected a finite number"
    elif isinstance(value, int | float) and abs(value) > MOST_NUMBER:
        yield at, f"found {shown(value)}, expected a number of at most 64 bits"


def _encodable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _whole(digits: str) -> int | float:
    """Return a whole number from its digits. One of very many digits is as good as infinite."""
    return int(digits) if len(digits) <= _MOST_DIGITS else math.copysign(math.inf, -digits.startswith("-"))


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    result = dict(pairs)
    if len(result) != len(pairs):
        names = [name for name, _ in pairs]
        raise _TwiceError(next(name for name in names if names.count(name) > 1))
    return result


class _TwiceError(ValueError):
    def __init__(self, name: str) -> None:
        self.name = name


def _malformed(path: PathLike, text: bytes, where: str, error: ValueError) -> BadInput:
    if isinstance(error, UnicodeDecodeError):
        return BadInput(path, "the text is not UTF-8", "save the file as UTF-8", where=where)
    if not text.endswith((b"}", b"]")):
        return BadInput(path, "the line is no whole JSON object", "it may be cut off: copy the file again", where=where)
    detail = f"{error.msg} at character {error.pos + 1}" if isinstance(error, json.JSONDecodeError) else "bad text"
    return BadInput(path, f"the line is no JSON object ({printable(detail)})", "correct the line", where=where)
