"""What each player is due of a hand's pots (09-04(25), (27)): side pots, ties, halves and three quarters, odd chips."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import product
from math import gcd
from typing import Final

from msgspec import Struct

from verifier.engine.totals import ANY_RANK, RankSet
from verifier.law.poker.ranking import LOW_READINGS, LowReading, Score, Side, best

DECK: Final = tuple(rank + suit for rank in "23456789TJQKA" for suit in "shdc")
MOST_WORLDS: Final = 2500
"""Ways to complete unread cards that are tried; above, nothing is said."""


class Pot(Struct, frozen=True):
    """Chips that the same players compete for; cents None where not all stakes are known."""

    cents: int | None
    eligible: tuple[str, ...]


class Reading(Struct, frozen=True):
    """One way to read the game: which hands win, and what a low hand is."""

    game: str
    low: LowReading = "ace_to_five"


class Shown(Struct, frozen=True):
    """What the table showed: hole cards of each tabled hand and the board.

    `ranks`: those that a card may have of which only the suit was read, by its text.
    """

    holes: dict[str, tuple[str, ...]]
    board: tuple[str, ...]
    ranks: Mapping[str, RankSet] = {}


class Share(Struct, frozen=True):
    """A part of a pot, as a fraction of it, for these winners."""

    part: tuple[int, int]
    winners: tuple[str, ...]


def pots_of(paid: Mapping[str, int], live: Sequence[str]) -> tuple[Pot, ...]:
    """Return the main pot and the side pots from what each seat put in, folded hands included."""
    levels = sorted({paid[seat] for seat in live if paid.get(seat)})
    found, before = [], 0
    for index, level in enumerate(levels):
        top = float("inf") if index + 1 == len(levels) else level
        cents = sum(int(min(p, top)) - min(p, before) for p in paid.values() if p > before)
        found.append(Pot(cents, tuple(seat for seat in live if paid.get(seat, 0) >= level)))
        before = level
    return tuple(found)


def readings(game: str | None, portions: Collection[str]) -> tuple[Reading, ...]:
    """Ways to read a game; one that is not configured is high-low where a low half was awarded, else high or low."""
    low = tuple(Reading("low", reading) for reading in LOW_READINGS)
    split = tuple(Reading("high_low", reading) for reading in LOW_READINGS)
    if game == "high":
        return (Reading("high"),)
    if game == "low":
        return low
    if game == "high_low" or {"low", "both"} & set(portions):
        return split if game == "high_low" or "both" in portions or "high" in portions else (*low, *split)
    return (Reading("high"), *low)


def worlds(shown: Shown) -> tuple[Shown, ...]:
    """Every way to complete the cards that were not read; none where there are too many."""
    texts = [card for hole in shown.holes.values() for card in hole] + list(shown.board)
    unread = [card for card in texts if "?" in card]
    if not unread:
        return (shown,)
    free = [card for card in DECK if card not in texts]
    choices = [[c for c in free if _may_be(card, c, shown.ranks)] for card in unread]
    size = 1
    for choice in choices:
        size *= max(1, len(choice))
    if size > MOST_WORLDS:
        return ()
    return tuple(_filled(shown, taken) for taken in product(*choices) if len(set(taken)) == len(taken))


def _may_be(text: str, card: str, ranks: Mapping[str, RankSet]) -> bool:
    """Tell whether a card may be one of which not all was read."""
    return all(a in ("?", b) for a, b in zip(text, card, strict=True)) and card[0] in ranks.get(text, ANY_RANK)


def _filled(shown: Shown, taken: Sequence[str]) -> Shown:
    rest = iter(taken)
    holes = {s: tuple(next(rest) if "?" in card else card for card in hole) for s, hole in shown.holes.items()}
    return Shown(holes, tuple(next(rest) if "?" in card else card for card in shown.board))


def winners(shown: Shown, seats: Collection[str], variant: str, side: Side, low: LowReading) -> tuple[str, ...]:
    """Seats with the best hand of a side; none where nobody qualifies."""
    scores: dict[str, Score] = {}
    for seat in seats:
        score = best(variant, shown.holes[seat], shown.board, side, low)
        if score is not None:
            scores[seat] = score
    top = max(scores.values(), default=None)
    return tuple(seat for seat, score in scores.items() if score == top)


def shares(shown: Shown, pot: Pot, variant: str, reading: Reading) -> tuple[tuple[Share, ...], ...]:
    """How a pot is shared; more than one way where the rule leaves it open."""
    seats = [seat for seat in pot.eligible if seat in shown.holes]
    if not seats:
        return ()
    if len(seats) == 1:
        return ((Share((1, 1), tuple(seats)),),)
    if reading.game == "low":
        return ((Share((1, 1), winners(shown, seats, variant, "low", reading.low)),),)
    high = winners(shown, seats, variant, "high", "ace_to_five")
    low = winners(shown, seats, variant, "low", reading.low) if reading.game == "high_low" else ()
    if not low:
        return ((Share((1, 1), high),),)
    halves = (Share((1, 2), high), Share((1, 2), low))
    return (halves, *_three_quarters(high, low))


def _three_quarters(high: tuple[str, ...], low: tuple[str, ...]) -> tuple[tuple[Share, ...], ...]:
    """One who wins one way and ties more than one other the other way: three quarters by the words of (25)."""
    found = []
    for sole, tied in ((high, low), (low, high)):
        if len(sole) == 1 and sole[0] in tied and len(tied) > 2:
            found.append((Share((3, 4), sole), Share((1, 4), tuple(s for s in tied if s != sole[0]))))
    return tuple(found)


def bounds(cents: int, parts: Sequence[Share], unit: int) -> dict[str, tuple[int, int]]:
    """Least and most cents that each winner may get of a pot when no chip is smaller than `unit`."""
    found: dict[str, tuple[int, int]] = {}
    for share in parts:
        exact = cents * share.part[0]
        low, high = _floor(exact, share.part[1], unit), _ceil(exact, share.part[1], unit)
        count = len(share.winners)
        for seat in share.winners:
            before = found.get(seat, (0, 0))
            found[seat] = (before[0] + _floor(low, count, unit), before[1] + _ceil(high, count, unit))
    return found


def _floor(cents: int, parts: int, unit: int) -> int:
    return cents // (parts * unit) * unit


def _ceil(cents: int, parts: int, unit: int) -> int:
    return -(-cents // (parts * unit)) * unit


def chip_unit(amounts: Collection[int]) -> int:
    """Return the largest chip of which every amount is made."""
    return gcd(*amounts) or 1
