"""Poker hand histories (PHH, https://phh.readthedocs.io) as event logs, so that published hands can be judged.

PokerKit reads and replays the files. A history is a written record: the log names `records` as its only channel and
every event has the source `record`. What a history does not tell (shuffle, cut, burned cards, moves of the button, the
order in which single cards went out, times) is left out; `t` only counts the records. Amounts are dollars.
"""

from __future__ import annotations

import math
import re
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, time
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from verifier.domain.errors import BadInput
from verifier.domain.events import AnyEvent, ChipsReturned, EventLog, EventsHeader, PotAwarded
from verifier.formats.files import read_bytes
from verifier.law.poker.phh_events import HandWriter, in_cents, seats_of

if TYPE_CHECKING:
    from pokerkit import HandHistory

GAMES: Final = {
    "FT": ("holdem", "high"), "NT": ("holdem", "high"), "PO": ("omaha", "high"), "FO/8": ("omaha", "high_low"),
    "F7S": ("seven_card_stud", "high"), "F7S/8": ("seven_card_stud", "high_low"), "FR": ("seven_card_stud", "low"),
}  # fmt: skip
"""Variant and game of PHH's codes. The others are no games of the rulebook (short deck, deuce to seven, badugi)."""
_EXACT: Final[Any] = Decimal
"""How amounts are read; PokerKit computes with any number type."""
_AMOUNTS: Final = (
    "antes", "blinds_or_straddles", "bring_in", "small_bet", "big_bet", "min_bet", "starting_stacks",
    "finishing_stacks", "winnings",
)  # fmt: skip
_LISTS: Final = ("antes", "blinds_or_straddles", "starting_stacks", "finishing_stacks", "winnings")
"""Those that have an amount for each player."""
_MOST: Final = 10**12
"""Dollars beyond which an amount is no amount of a hand."""
REMEDY: Final = "give a PHH file (.phh) or a collection of them (.phhs)"
REPLAY: Final = "the hand cannot be replayed"


class Imported(Struct, frozen=True):
    """A log for each game found, and hands left out with the reason."""

    logs: dict[tuple[str, str], EventLog]
    left_out: tuple[str, ...]


def import_phh(path: Path) -> Imported:
    """Read a file or a folder (searched for .phh and .phhs) into event logs.

    Hands of other games and hands that cannot be replayed are left out and named. Raises BadInput for a file that is no
    PHH, and where no hand is left.
    """
    groups: dict[tuple[str, str], list[tuple[str, HandHistory]]] = {}
    left_out = []
    for where, history in _histories(path):
        fault = next(_faults(history), None)
        game = GAMES.get(history.variant) if fault is None else None
        if fault is not None:
            left_out.append(f"{where}: {REPLAY}: {fault}")
        elif game is None:
            left_out.append(f"{where}: {history.variant} is no game of nd-poker")
        else:
            groups.setdefault(game, []).append((where, history))
    logs = {}
    for game, hands in groups.items():
        log, refused = _log(game, hands)
        left_out += refused
        if log.events:
            logs[game] = log
    if not logs:
        where, _, cause = left_out[0].partition(": ") if left_out else (str(path), "", "no hand found")
        raise BadInput(where, cause, "correct the hand or take it out" if cause.startswith(REPLAY) else REMEDY)
    return Imported(logs, tuple(left_out))


def _histories(path: Path) -> Iterator[tuple[str, HandHistory]]:
    if path.is_dir():
        files = sorted(f for f in path.rglob("*") if f.suffix in (".phh", ".phhs") and f.is_file())
        if not files:
            raise BadInput(str(path), "the folder holds no .phh or .phhs file", REMEDY)
    elif path.is_file():
        files = [path]
    else:
        raise BadInput(str(path), "there is no such file or folder", REMEDY)
    for file in files:
        yield from _read(file)


def _read(file: Path) -> Iterator[tuple[str, HandHistory]]:
    from pokerkit import HandHistory

    try:
        text = read_bytes(file).decode("utf-8")
        with warnings.catch_warnings(action="ignore"):  # of names that it does not know
            if file.suffix == ".phhs":
                found = list(HandHistory.loads_all(text, parse_value=_EXACT))
            else:
                found = [HandHistory.loads(text, parse_value=_EXACT)]
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, ArithmeticError, RecursionError) as error:
        raise BadInput(str(file), f"is no poker hand history: {_line(error)}", REMEDY) from None
    for number, history in enumerate(found, start=1):
        history.parse_value = _EXACT
        yield (f"{file} hand {number}" if len(found) > 1 else str(file)), history


def _line(error: Exception) -> str:
    """Return the cause in words. What Python says of its own objects tells a reader of the file nothing."""
    said = " ".join(str(error).split())[:200]
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8 text"
    if isinstance(error, RecursionError):
        return "a value is nested too deeply"
    if isinstance(error, ArithmeticError):
        return "an amount is no number"
    if isinstance(error, TypeError | AttributeError):
        missing = re.findall(r"'(\w+)'", said) if "missing" in said else []
        return f"missing: {', '.join(missing)}" if missing else "a value is of the wrong kind (acts are text in quotes)"
    return said or type(error).__name__


def _faults(history: HandHistory) -> Iterator[str]:
    """Yield what in a hand is of another kind than PHH says. The rest of this package takes the kinds for granted."""
    for name in ("variant", "currency", "event", "venue", "time"):
        if not isinstance(getattr(history, name, None), str | time | None):
            yield f"{name} is no text"
    for name in ("actions", "players"):
        if not all(isinstance(one, str) for one in _listed(getattr(history, name, None))):
            yield f"{name} is no list of texts (in quotes)"
    for name in _AMOUNTS:
        if not all(_is_amount(one) for one in _listed(getattr(history, name, None))):
            yield f"{name} is no amount, or none that is played for"
    for name in _LISTS:
        if not isinstance(getattr(history, name, None), dict | list | tuple | None):
            yield f"{name} is no list of amounts"
    for name in ("year", "month", "day", "seats", "seat_count"):
        if not all(type(one) is int for one in _listed(getattr(history, name, None))):
            yield f"{name} is no whole number"
    try:
        _date(history)
    except (ValueError, TypeError, OverflowError):
        yield "year, month and day are no date"


def _listed(value: object) -> Sequence[Any]:
    """Return the values of a list, or of PHH's other form of a list (a table by player). A single value counts as a
    list of one.
    """
    if isinstance(value, dict | list | tuple):
        return _values(value)
    return () if value is None else (value,)


def _is_amount(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return False
    if isinstance(value, Decimal) and value.is_nan():
        return False
    return bool(value == math.inf or -_MOST <= value <= _MOST)  # compared only: some are too large to compute with


def _log(game: tuple[str, str], hands: Sequence[tuple[str, HandHistory]]) -> tuple[EventLog, list[str]]:
    """Return the log of a game's hands, and why hands that cannot be replayed were left out."""
    writer = HandWriter(split=game[1] == "high_low")
    written, refused = [], []
    for number, (where, history) in enumerate(hands, start=1):
        before = len(writer.events)
        try:
            with warnings.catch_warnings(action="ignore"):  # of cards dealt twice, which are judged or refused here
                writer.write(number, history)
                _check_stacks(history, writer.events[before:])
        except (ValueError, KeyError, IndexError, TypeError, AssertionError, ArithmeticError) as error:
            del writer.events[before:]
            refused.append(f"{where}: {REPLAY}: {_line(error)}")
        else:
            written.append(history)
    dates = {_date(history) for history in written}
    header = EventsHeader(
        format="verifier-events",
        version=1,
        rulebook="nd-poker",
        house=_house(game, written),
        date=dates.pop() if len(dates) == 1 else None,
        channels=("records",),
    )
    return EventLog(header, tuple(writer.events)), refused


def _check_stacks(history: HandHistory, written: Sequence[AnyEvent]) -> None:
    """Raise ValueError where a hand that is played to its end states other stacks or winnings than its acts lead to.

    `written` are the hand's events. A player's stack may be less than the acts leave by what came to that player, which
    is all that the house's share can be taken from; PHH need not tell that share. Winnings are counted with or without
    the player's own stake, so they are only too large where they exceed what came to the player.
    """
    for last in history:
        state = last
    if state.status:
        return
    count = len(history.starting_stacks)
    came: Counter[str] = Counter()
    for event in written:
        if isinstance(event, PotAwarded | ChipsReturned):
            came[event.at] += event.cents or 0
    got = [Decimal(came[seat]) / 100 for seat in seats_of(history, count)]
    for name in ("finishing_stacks", "winnings"):
        told = _values(getattr(history, name))
        if told and len(told) != count:
            raise ValueError(f"{name} {_plainly(told)} holds {len(told)} amounts for {count} players")
    stacks, winnings = _values(history.finishing_stacks), _values(history.winnings)
    left = tuple(state.stacks)
    if any(not 0 <= one - stack <= most for stack, one, most in zip(stacks, left, got, strict=False) if stack != one):
        raise ValueError(f"finishing_stacks {_plainly(stacks)} contradict the acts, which leave {_plainly(left)}")
    if any(won > most for won, most in zip(winnings, got, strict=False)):
        raise ValueError(f"winnings {_plainly(winnings)} contradict the acts, by which the players get {_plainly(got)}")


def _plainly(amounts: Iterable[Any]) -> str:
    return f"[{', '.join(f'{amount}' for amount in amounts)}]"


def _date(history: HandHistory) -> str | None:
    year, month, day = history.year, history.month, history.day
    return date(year, month, day).isoformat() if year and month and day else None


def _house(game: tuple[str, str], histories: Sequence[HandHistory]) -> dict[str, object]:
    """Options that all hands share."""
    house: dict[str, object] = {"poker_variant": game[0], "poker_game": game[1]}
    antes = {tuple(set(_values(history.antes))) for history in histories}
    if len(antes) == 1 and len(only := antes.pop()) == 1 and only[0]:
        house["poker_ante"] = in_cents(only[0])
    return house


def _values(value: Mapping[str, Any] | Iterable[Any] | None) -> Sequence[Any]:
    return tuple(value.values()) if isinstance(value, Mapping) else tuple(value or ())
