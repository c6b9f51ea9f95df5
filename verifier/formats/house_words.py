"""The house options in words: what each decides, its default, and the rule; for forms and messages."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from verifier.domain.house import House
from verifier.domain.rulebooks import USUAL, game_of
from verifier.formats.records import convert_object
from verifier.formats.yamls import read_yaml

_FILE: Final = Path(__file__).parent / "house_options.yaml"
MUST_BE_TOLD: Final = "must be told"
"""The default of an option of which nothing is assumed."""
_COMMON: Final = ("Game", "Procedure", "Decks and chips", "Recorder")
_WASHINGTON: Final = "Washington, 1999 (proposals)"
_OWN: Final[Mapping[str, str]] = {
    "house-manual": "House manual",
    "wa-blackjack-a": _WASHINGTON,
    "wa-blackjack-b": _WASHINGTON,
    "nd-poker": "Poker",
}
"""The group of options that a rulebook alone reads (Washington's two texts share theirs)."""


_ALSO: Final[Mapping[str, tuple[str, ...]]] = {"seats": ("nd-poker",)}
"""Rulebooks that read an option, too, which stands in another rulebook's group."""


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
    """Return the words that an option may have; empty where it is no choice of words."""
    kind = get_type_hints(House)[name]
    return tuple(str(value) for one in (kind, *get_args(kind)) if get_origin(one) is Literal for value in get_args(one))


def groups_of(rulebook: str | None) -> tuple[str, ...]:
    """Return the groups of options that the clauses of a rulebook read; None is North Dakota twenty-one."""
    own = _OWN.get(rulebook or USUAL)
    return _COMMON if own is None else (*_COMMON, own)


def asked_of(rulebook: str | None) -> tuple[OptionWords, ...]:
    """Return the options that a form asks for: at a poker table none that is of twenty-one alone."""
    groups = ("Poker", "Recorder") if game_of(rulebook or USUAL) == "poker" else groups_of(rulebook)
    also = [name for name, rulebooks in _ALSO.items() if rulebook in rulebooks]
    return tuple(one for one in house_words() if (one.group in groups or one.name in also) and one.name != "rulebook")


def options_of_others(house: House) -> list[str]:
    """Names of the options that are set though only other rulebooks than the house's own read them."""
    groups = groups_of(house.rulebook)
    told = msgspec.to_builtins(house)
    others = [one.name for one in house_words() if one.name in told and one.group not in groups]
    return [name for name in others if house.rulebook not in _ALSO.get(name, ())]
