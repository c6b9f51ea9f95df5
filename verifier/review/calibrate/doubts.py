"""What a proposal is not sure of, in few lines: parts with the same reason are told together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Final

from verifier.zones.proposing import ASSUMED

_PART: Final = re.compile(r"space (\d)(?: (\w+))?")


def assumed(doubts: Mapping[str, str]) -> list[str]:
    """Return the parts (names of a drawing, as `space 3 tip`) that are placed by common use, not seen in the
    picture.
    """
    return [name for name, why in doubts.items() if why == ASSUMED.reason]


def told_together(doubts: Mapping[str, str]) -> list[tuple[str, str]]:
    """Names in plain words and their reason, a pair for each reason: `("Tip of spaces 1 to 7", "assumed …")`."""
    reasons = dict.fromkeys(doubts.values())
    return [(_names([name for name, why in doubts.items() if why == reason]), reason) for reason in reasons]


def _names(names: Iterable[str]) -> str:
    """Names of parts in one phrase; parts of the same spaces are told once."""
    plain: list[str] = []
    numbers: dict[str, list[int]] = {}
    for name in names:
        found = _PART.fullmatch(name)
        if found is None:
            plain.append(name.replace("_", " "))
        else:
            numbers.setdefault(found[2] or "area", []).append(int(found[1]))
    by_spaces: dict[tuple[int, ...], list[str]] = {}
    for part, some in numbers.items():
        by_spaces.setdefault(tuple(sorted(some)), []).append(part)
    phrases = [f"{_joined(parts)} of {_spaces(some)}" for some, parts in by_spaces.items()]
    told = _joined([*plain, *phrases])
    return told[:1].upper() + told[1:]


def _spaces(numbers: tuple[int, ...]) -> str:
    """`space 3`, `spaces 1 to 7`, `spaces 1, 2 and 5`."""
    if len(numbers) == 1:
        return f"space {numbers[0]}"
    runs = [[number for _, number in run] for _, run in groupby(enumerate(numbers), lambda one: one[1] - one[0])]
    told = [f"{run[0]} to {run[-1]}" if len(run) > 2 else _joined([str(number) for number in run]) for run in runs]
    return f"spaces {_joined(told)}"


def _joined(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
