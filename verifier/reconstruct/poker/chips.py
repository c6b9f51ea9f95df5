"""Chips of a poker hand: stakes before the seats, as lower bounds, and to whom the pot was pushed."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from verifier.reconstruct import parameters as par
from verifier.reconstruct.resting.chip_dwells import ChipDwell
from verifier.reconstruct.table.zones import TableMap, distance


class Stake(Struct, frozen=True):
    """Chips that came to a seat at one time; `cents` is the sum of those that show: a lower bound."""

    seat: int
    t: float
    cents: int | None
    p: float


class Award(Struct, frozen=True):
    """The pot, or a part of it, pushed to a seat between two times."""

    seat: int
    begin: float
    t: float
    p: float


def awards_of(dwells: Sequence[ChipDwell], table: TableMap, after: float) -> list[Award]:
    """Return to whom the pot was pushed, later than `after`; nothing where most of it stays.

    Chips leave the pot and come to a seat at about that time.
    """
    pot = [dwell for dwell in dwells if table.within(dwell.xy, "pot")]
    left = [dwell for dwell in pot if after < dwell.t1 < math.inf and not _covered(dwell, pot)]
    lay = [dwell for dwell in pot if dwell.t1 > after and not _covered(dwell, pot)]
    if not left or len(left) < par.POKER_POT_EMPTY_SHARE * len(lay):
        return []
    before, later = par.POKER_POT_LEFT_S
    found = []
    for seat, came in _pushes(dwells, table, after):
        gone = [dwell.t1 for dwell in left if came[0].t0 - before <= dwell.t1 <= came[0].t0 + later]
        if gone:
            sure = len(came) >= min(par.POKER_AWARD_CHIPS, len(left))
            p = par.SURELY_SEEN_P if sure else par.POKER_AWARD_DOUBTFUL_P
            found.append(Award(seat, min(*gone, came[0].t0), came[0].t0, p))
    return found


def _pushes(dwells: Sequence[ChipDwell], table: TableMap, after: float) -> list[tuple[int, list[ChipDwell]]]:
    """Return the chips that came to the seats at one time, in order of time, with the seat to which most of them came:
    a pot that is pushed spreads.
    """
    came = sorted(
        ((dwell.t0, seat, dwell) for seat, own in _arrivals(dwells, table, after).items() for dwell in own),
        key=lambda one: one[:2],
    )
    groups: list[list[tuple[float, int, ChipDwell]]] = []
    for one in came:
        if groups and one[0] - groups[-1][0][0] <= par.POKER_STAKE_S:
            groups[-1].append(one)
        else:
            groups.append([one])
    found = []
    for group in groups:
        counts = Counter(seat for _, seat, _ in group)
        seat = max(counts, key=counts.__getitem__)
        found.append((seat, [dwell for _, own, dwell in group if own == seat]))
    return found


def _covered(dwell: ChipDwell, pot: Sequence[ChipDwell]) -> bool:
    """Tell whether another chip shows where this one did, soon after: it lies on it."""
    return any(
        other is not dwell
        and 0.0 <= other.t0 - dwell.t1 + par.TWO_LOOKS_S <= par.POKER_POT_COVERED_S
        and distance(other.xy, dwell.xy) <= par.CHIP_COVERED_MM
        for other in pot
    )


def _arrivals(dwells: Sequence[ChipDwell], table: TableMap, after: float) -> dict[int, list[ChipDwell]]:
    found: dict[int, list[ChipDwell]] = {}
    for dwell in dwells:
        seat = table.seat_at(dwell.xy)
        if seat is not None and dwell.first and dwell.t0 > after:
            found.setdefault(seat, []).append(dwell)
    return found


def stakes_of(dwells: Sequence[ChipDwell], table: TableMap, since: float, until: float) -> list[Stake]:
    """Return the stakes pushed forward between two times, in order of time; what comes at `until` is none."""
    found: list[Stake] = []
    for seat, came in _arrivals(dwells, table, since).items():
        groups: list[list[ChipDwell]] = []
        for dwell in (one for one in came if one.t0 < until):
            if groups and dwell.t0 - groups[-1][0].t0 <= par.POKER_STAKE_S:
                groups[-1].append(dwell)
            else:
                groups.append([dwell])
        for group in groups:
            read = [dwell.cents for dwell in group if dwell.cents is not None]
            cents = sum(read) if len(read) == len(group) else None
            found.append(Stake(seat, group[0].t0, cents, max(dwell.p for dwell in group)))
    return sorted(found, key=lambda stake: stake.t)
