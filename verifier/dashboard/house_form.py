"""The form of the house options: each with the law's words and its default; what must be told comes first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, get_args, get_type_hints

import msgspec
import streamlit as st

from verifier.dashboard.common import escaped
from verifier.domain.house import House
from verifier.domain.rulebooks import ABOUT, USUAL, game_of, named
from verifier.formats.house import house_from
from verifier.formats.house_words import MUST_BE_TOLD, OptionWords, asked_of, choices, house_words

_UNKNOWN: Final = "not told"
_WORDS: Final = {"True": "yes", "False": "no"}
_DOLLARS: Final = ("tip_bet_max", "wa_min_bank", "poker_ante")
"""Options of money, kept in cents."""
_LISTS: Final = ("disabled_dealer", "seats")
_OF_A_LOG: Final = ("stacks",)
"""Options that are told in a file alone: they hold for one log."""
_RULES: Final = {"Washington, 1999 (proposals)": "WAC 230-40-125", "House manual": ""}
"""Where the rule of an option stands, by its group; North Dakota's chapter for the others."""


def house_form(key: str, known: House, game: str = "twenty-one") -> House:
    """Draw the options with what is known of them, and give what they say now. Raises BadInput for a wrong one.

    The rulebook comes first: one of the `game` that the table is made for. Only the options that its clauses read are
    asked for, and given.
    """
    rulebook = _rulebook(key, known, game)
    before = msgspec.to_builtins(known)
    said: dict[str, object] = {} if rulebook == USUAL else {"rulebook": rulebook}
    said |= {name: before[name] for name in _OF_A_LOG if name in before and known.rulebook == rulebook}
    wanted = [one for one in asked_of(rulebook) if one.name not in _OF_A_LOG]
    first = [one for one in wanted if one.default == MUST_BE_TOLD]
    st.markdown(
        "**Nothing is assumed of these.** While one is left open, the clauses that depend on it are undetermined."
    )
    _grid(key, first, before, said)
    with st.expander("The other options: each has the rule's own default"):
        for group in dict.fromkeys(one.group for one in wanted):
            some = [one for one in wanted if one.group == group and one.default != MUST_BE_TOLD]
            if some:
                st.markdown(f"**{_headed(group, game)}**")
                _grid(key, some, before, said)
    return house_from(said, "the house options")


def _headed(group: str, game: str) -> str:
    """Return a group's heading: the seats of a poker table stand in the file with Washington's options."""
    return "Seats" if game == "poker" and group.startswith("Washington") else group


def _rulebook(key: str, known: House, game: str) -> str:
    """Ask for the rules that the table is played by: those of its game."""
    fitting = [name for name in ABOUT if game_of(name) == game]
    now = known.rulebook if known.rulebook in fitting else fitting[0]
    chosen = st.selectbox(
        "Rules that this table is played by",
        fitting,
        index=fitting.index(now),
        key=f"{key} rulebook",
        format_func=named,
        help="Two tables of one site may differ. A table whose layout has seats is played by the rules of poker.",
    )
    about = ABOUT[chosen]
    st.caption(escaped(f"{about.source}, text of {about.text_of}: {about.standing}."))
    return chosen


def _words(name: str) -> OptionWords:
    return next(one for one in house_words() if one.name == name)


def _grid(key: str, some: list[OptionWords], before: Mapping[str, object], said: dict[str, object]) -> None:
    columns = st.columns(3)
    for number, one in enumerate(some):
        with columns[number % 3]:
            value = _field(f"{key} {one.name}", one, before.get(one.name))
            if value is not None:
                said[one.name] = value
            rule = f" {_RULES.get(one.group, '99-01.3-08-')}{one.rule}." if one.rule else ""
            st.caption(escaped(f"{one.decides[:1].upper()}{one.decides[1:]}.{rule} Default: {one.default}."))


def _field(key: str, one: OptionWords, value: object) -> object:
    """Draw the field of one option and return its value; None if it is left to its default."""
    if one.name == "table_limits":
        return _limits(key, value)
    if one.name == "poker_blinds":
        return _blinds(key, value)
    if one.name == "deck_count":
        return _choice(key, one, ["4", "6", "8", *[str(n) for n in (1, 2, 3, 5, 7)]], value, int)
    if choices(one.name):
        return _choice(key, one, list(choices(one.name)), value, str)
    if _holds(one.name, bool):
        return _choice(key, one, ["True", "False"], value, lambda text: text == "True")
    if one.name in _DOLLARS:
        dollars = st.text_input(
            f"{one.label} (dollars)", f"{value / 100:g}" if isinstance(value, int | float) else "", key=key
        )
        return round(_number(dollars, one) * 100) if dollars.strip() else None
    text = value if isinstance(value, str) else (", ".join(map(str, value)) if isinstance(value, list) else value)
    typed = st.text_input(one.label, "" if text is None else str(text), key=key).strip()
    if not typed:
        return None
    if _holds(one.name, float):
        return _number(typed, one)
    if _holds(one.name, int):
        return round(_number(typed, one))
    return [part.strip() for part in typed.split(",")] if one.name in _LISTS else typed


def _choice(key: str, one: OptionWords, options: list[str], value: object, read: Callable[[str], object]) -> object:
    must = one.default == MUST_BE_TOLD
    first = _UNKNOWN if must else f"default: {_WORDS.get(one.default.capitalize(), one.default.replace('_', ' '))}"
    every = [first, *options]
    index = every.index(str(value)) if value is not None and str(value) in every else 0
    chosen = st.selectbox(one.label, every, index=index, key=key, format_func=_shown)
    return None if chosen == first else read(chosen)


def _shown(option: str) -> str:
    return _WORDS.get(option, option.replace("_", " "))


def _limits(key: str, value: object) -> dict[str, int]:
    kept = value if isinstance(value, dict) and value else {"min": 100, "max": 2500}
    left, right = st.columns(2)
    least = left.number_input("Least wager ($)", 0.0, 10000.0, kept.get("min", 100) / 100, step=1.0, key=f"{key} min")
    most = right.number_input("Most ($)", 0.0, 100000.0, kept.get("max", 2500) / 100, step=5.0, key=f"{key} max")
    return {"min": round(least * 100), "max": round(most * 100)}


def _blinds(key: str, value: object) -> dict[str, int] | None:
    kept = value if isinstance(value, dict) and value else {"small": 0, "big": 0}
    left, right = st.columns(2)
    small = left.number_input("Small blind ($)", 0.0, 10000.0, kept["small"] / 100, step=1.0, key=f"{key} small")
    big = right.number_input("Big blind ($)", 0.0, 10000.0, kept["big"] / 100, step=1.0, key=f"{key} big")
    return {"small": round(small * 100), "big": round(big * 100)} if small or big else None


def _holds(name: str, kind: type) -> bool:
    hint = get_type_hints(House)[name]
    return hint is kind or kind in get_args(hint)


def _number(text: str, one: OptionWords) -> float:
    from verifier.domain.errors import BadInput

    try:
        return float(text)
    except ValueError as error:
        raise BadInput(one.label, f"is {text!r}, expected a number", "correct it") from error
