"""A JSON file that is one list of objects, such as the deviations planted in a simulated recording."""

from __future__ import annotations

from typing import TypeVar

from verifier.domain.errors import BadInput
from verifier.formats.files import PathLike, read_bytes
from verifier.formats.json_text import parse_json
from verifier.formats.records import convert_object
from verifier.formats.wording import shown

T = TypeVar("T")


def read_list(path: PathLike, type_: type[T]) -> list[T]:
    """Return the objects of the file's list as values of a type. Raises BadInput naming the item (from 1) and the
    field.
    """
    value = parse_json(path, read_bytes(path).strip(), "file")
    if not isinstance(value, list):
        raise BadInput(path, f"found {shown(value)}, expected a list in brackets", "give a file of that format")
    return [_item(path, number, item, type_) for number, item in enumerate(value, start=1)]


def _item(path: PathLike, number: int, item: object, type_: type[T]) -> T:
    if not isinstance(item, dict):
        cause = f"found {shown(item)}, expected an object in braces"
        raise BadInput(path, cause, "correct the item", where=f"item {number}")
    return convert_object(path, item, type_, f"item {number}")
