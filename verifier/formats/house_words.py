"""The house options in words: what each decides, its default, and the rule; for forms and messages."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final, Literal, get_args, get_origin, get_type_hints

from msgspec import Struct

from verifier.domain.house import House
from verifier.formats.records import convert_object
from verifier.formats.yamls import read_yaml

_FILE: Final = Path(__file__).parent / "house_options.yaml"
MUST_BE_TOLD: Final = "must be told"
"""The default of an option of which nothing is assumed."""


class OptionWords(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An option in words. `group` is the part of the form, `rule` the sections of 99-01.3-08, "" where none speaks."""

    name: str
    group: str
    label: str
    decides: str
    default: str
    rule: str


class _Options(Struct, frozen=True):
    options: list[OptionWords]


@cache
def house_words() -> tuple[OptionWords, ...]:
    """All options, in the order of the form."""
    return tuple(convert_object(_FILE, read_yaml(_FILE).value, _Options, "options").options)


@cache
def choices(name: str) -> tuple[str, ...]:
    """The words that an option may have; empty where it is no choice of words."""
    kind = get_type_hints(House)[name]
    return tuple(str(value) for one in (kind, *get_args(kind)) if get_origin(one) is Literal for value in get_args(one))
