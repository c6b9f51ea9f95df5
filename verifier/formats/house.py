"""House options (docs/house-options.md): `house.yaml` and the `house` of an event log's header."""

from __future__ import annotations

from collections.abc import Mapping
from zoneinfo import ZoneInfo

import msgspec

from verifier.domain.errors import BadInput
from verifier.domain.house import House
from verifier.domain.rulebooks import USUAL, game_of
from verifier.formats.files import PathLike
from verifier.formats.house_words import options_of_others
from verifier.formats.records import convert_object
from verifier.formats.yamls import YamlDocument, read_yaml, write_yaml


def house_from(mapping: Mapping[str, object], source: PathLike = "house", where: str = "option") -> House:
    """Options by name into `House`, plain spellings allowed; raises BadInput for an unknown name or value."""
    house = convert_object(source, plain_options(mapping), House, where)
    if house.table_limits.min > house.table_limits.max:
        raise BadInput(
            source,
            f"the least wager {house.table_limits.min} is above the most, {house.table_limits.max}",
            "correct table_limits",
            where=f"{where}, field table_limits",
        )
    _check_zone(house.time_zone, source, where)
    seats = house.seats
    if seats is not None and (not seats or len(set(seats)) < len(seats)):
        twice = next((seat for seat in seats if seats.count(seat) > 1), None)
        raise BadInput(
            source,
            f"{twice} is named twice" if twice else "the list of occupied seats is empty",
            "name each occupied seat once, or leave seats out",
            where=f"{where}, field seats",
        )
    return house


def _check_zone(name: str | None, source: PathLike, where: str) -> None:
    if name is None:
        return
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        raise BadInput(
            source,
            f"there is no time zone {name!r}",
            "name one of the IANA database, such as America/Chicago",
            where=f"{where}, field time_zone",
        ) from error


def plain_options(mapping: Mapping[str, object]) -> dict[str, object]:
    """Return the options that are given, spelt as `House` wants them. One that is null counts as left out."""
    given = {name: value for name, value in mapping.items() if value is not None}
    if isinstance(given.get("tournament_rules"), bool):  # YAML reads a bare on or off as a truth value
        given["tournament_rules"] = "on" if given["tournament_rules"] else "off"
    if given.get("disabled_dealer") is False:
        given["disabled_dealer"] = []
    return given


def read_house(path: PathLike) -> House:
    """Read `house.yaml`, a map from option to value. Raises BadInput where it is not valid."""
    document = read_yaml(path)
    try:
        return house_from(document.value, path, "option")
    except BadInput as error:
        raise with_line(error, document) from error


def read_filmed_house(path: PathLike, game: str = "twenty-one") -> House:
    """Read the `house.yaml` of a table that is filmed. Raises BadInput where it is not valid, also as `check_filmed`
    does.
    """
    house = read_house(path)
    try:
        check_filmed(house, path, game)
    except BadInput as error:
        raise with_line(error, read_yaml(path)) from error
    return house


def check_filmed(house: House, source: PathLike, game: str = "twenty-one") -> None:
    """Raise BadInput unless the options fit a table that is filmed and its rulebook reads each of them.

    `game` is that of the table's layout (`Layout.game`).
    """
    check_game(House(rulebook=house.rulebook or USUAL), source, game)
    others = options_of_others(house)
    if others:
        raise BadInput(
            source,
            f"rulebook {house.rulebook or USUAL} does not know {', '.join(others)}",
            "take them out, or name the rulebook that they belong to (docs/house-options.md)",
            where=f"option, field {others[0]}",
        )


def check_game(house: House, source: PathLike, game: str) -> None:
    """Raise BadInput where the options name a rulebook of another game than the table's layout is made for."""
    if house.rulebook is not None and game_of(house.rulebook) != game:
        other = game_of(house.rulebook)
        raise BadInput(
            source,
            f"rulebook {house.rulebook} judges {other}, the layout is of a {game} table",
            f"give a rulebook of {game}, or the layout of a {other} table (docs/formats.md)",
            where="option, field rulebook",
        )


def write_house(path: PathLike, house: House) -> None:
    """Write the options that differ from the rule's own text."""
    write_yaml(path, msgspec.to_builtins(house))


def with_line(error: BadInput, document: YamlDocument) -> BadInput:
    """Return the same error, with the line of its field in the YAML file."""
    field = (error.where or "").rpartition("field ")[2]
    return BadInput(error.source, error.cause, error.remedy, where=f"line {document.line(field)}, field {field}")
