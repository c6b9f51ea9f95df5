"""Piles: chips that lie together at one time, rows that show every chip of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, pairwise

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from verifier.reconstruct import parameters as par
from verifier.reconstruct.resting.chip_dwells import ChipDwell, linked
from verifier.reconstruct.table.runs import groups_of
from verifier.reconstruct.table.zones import Xy, centre_of, distance


class Pile(Struct, frozen=True):
    """Chips that lie together at one time; `unsure` where what shows may not be all of them, or be misread."""

    dwells: tuple[ChipDwell, ...]
    unsure: bool = False
    undivided: bool = False
    """Whether it may be of several stakes: then it is no evidence of how one of them was paid."""

    @property
    def xy(self) -> Xy:
        return centre_of([dwell.xy for dwell in self.dwells])

    @property
    def size(self) -> int:
        return len(self.dwells)

    @property
    def cents(self) -> int | None:
        """Sum of what shows; None where a chip is unread, or a row has a gap in which one may have been missed."""
        values = [dwell.cents for dwell in self.dwells]
        if (
            None in values
            or self.unsure
            or self._ghostly()
            or self._doubtful()
            or any(gapped(group.dwells) for group in cluster(self.dwells))
            or self._parted()
        ):
            return None
        return sum(value for value in values if value is not None)

    def _ghostly(self) -> bool:
        """Tell whether an end of a row, or of a piece of it, may be no chip; what lies between two chips is one."""
        rows = [ordered(group.dwells) for group in cluster(self.dwells) if group.size >= 2]
        return any(row[i].mean < par.SURE_CHIP_MEAN_P for row in rows for i in (0, -1))

    def _parted(self) -> bool:
        """Tell whether a row lies in two pieces, in line, with room for a chip between them."""
        rows = [ordered(group.dwells) for group in cluster(self.dwells)]
        return any(_in_line(row, other) for row in rows for other in rows if row is not other and len(row) >= 2)

    def _doubtful(self) -> bool:
        """Tell whether a half-covered chip reads otherwise than both its neighbours, which read alike."""
        rows = [ordered(group.dwells) for group in cluster(self.dwells) if group.size >= par.ROW_LEAST_CHIPS]
        triples = [row[i - 1 : i + 2] for row in rows for i in range(1, len(row) - 1)]
        return any(b.seldom and a.cents == c.cents != b.cents for a, b, c in triples)

    @property
    def sure(self) -> Pile:
        """Its chips without those that may be none."""
        return replace(self, dwells=tuple(dwell for dwell in self.dwells if dwell.mean >= par.SURE_CHIP_MEAN_P))

    @property
    def values(self) -> Counter[int | None]:
        """How many of each value show; None is an unread one."""
        return Counter(dwell.cents for dwell in self.dwells)

    @property
    def chips(self) -> dict[str, int] | None:
        """Counts by value; None where a chip is unread."""
        if self.cents is None:
            return None
        counts = Counter(dwell.cents for dwell in self.dwells if dwell.cents is not None)
        return {str(value): counts[value] for value in sorted(counts, reverse=True)}

    @property
    def since(self) -> float:
        """When its last chip came to rest."""
        return max(dwell.t0 for dwell in self.dwells)

    @property
    def fan(self) -> bool:
        """Whether it is a row that shows more than one chip."""
        return self.size >= 2

    @property
    def p(self) -> float:
        """Probability that it is there as seen; weak where none of its chips is surely one: print passes for a chip."""
        return self.laid_p if self.sure.dwells else min(self.laid_p, par.WEAK_P)

    @property
    def laid_p(self) -> float:
        """The same of what a hand laid there: print had been there before."""
        least = min(dwell.p for dwell in self.dwells)
        return min(least, par.WEAK_P) if self.undivided else least

    def touches(self, xy: Xy, reach: float) -> bool:
        """Tell whether a chip of it lies within `reach` of a point."""
        return any(distance(dwell.xy, xy) <= reach for dwell in self.dwells)

    def direction(self) -> str | None:
        """`dealer` for a row along the line to the dealer (or down the picture), `side` for one across."""
        if not self.fan:
            return None
        a, b = max(
            ((a.xy, b.xy) for a in self.dwells for b in self.dwells), key=lambda pair: distance(pair[0], pair[1])
        )
        return "dealer" if abs(b[1] - a[1]) > abs(b[0] - a[0]) else "side"


def ordered(dwells: Sequence[ChipDwell]) -> list[ChipDwell]:
    """Return the chips of a row from one end to the other."""
    end = max(dwells, key=lambda dwell: max(distance(dwell.xy, other.xy) for other in dwells))
    return sorted(dwells, key=lambda dwell: distance(dwell.xy, end.xy))


def gapped(dwells: Sequence[ChipDwell]) -> bool:
    """Tell whether a row has a gap in which a chip may lie: wider than those between neighbours and between sets.

    Sets of one value have five chips each.
    """
    if len(dwells) < 2:
        return False
    alike = 1
    for a, b in pairwise(ordered(dwells)):
        gap = 2.0 * distance(a.xy, b.xy) / (a.radius + b.radius)
        if gap > (par.SETS_LINK_RADII if a.cents != b.cents or alike == par.SET_SIZE else par.SET_LINK_RADII):
            return True
        alike = alike + 1 if a.cents == b.cents and gap <= par.SET_LINK_RADII else 1
    return False


def _in_line(row: Sequence[ChipDwell], other: Sequence[ChipDwell]) -> bool:
    """Tell whether another piece goes on where a row of two chips and more ends, a chip's or two chips' room away."""
    for last, inner in ((row[0], row[-1]), (row[-1], row[0])):
        near = min(other, key=lambda dwell: distance(dwell.xy, last.xy))
        gap, length = distance(near.xy, last.xy), distance(last.xy, inner.xy)
        least = (
            (par.SETS_LINK_RADII if near.cents != last.cents else par.SET_LINK_RADII)
            * (near.radius + last.radius)
            / 2.0
        )
        if least < gap <= par.SETS_LINK_RADII * (near.radius + last.radius):
            straight = distance(near.xy, inner.xy)
            if straight >= par.ROW_STRAIGHT * (gap + length):
                return True
    return False


def apart(dwells: Sequence[ChipDwell]) -> list[ChipDwell]:
    """Return the chips without those that have no room beside one that was seen oftener.

    One that is off now and then shows twice, and a stack's top lay on for a moment where its row was spread.
    """
    kept: list[ChipDwell] = []
    for dwell in sorted(dwells, key=lambda dwell: -dwell.n):
        if all(distance(dwell.xy, other.xy) >= par.ROW_NO_ROOM_RADII * other.radius for other in kept):
            kept.append(dwell)
    return [dwell for dwell in dwells if dwell in kept]


def with_weak(sure: Sequence[ChipDwell], weak: Sequence[ChipDwell]) -> list[ChipDwell]:
    """Return the sure chips, and of the weak ones those that lie midway between two sure ones: the half-covered chips
    of a row.

    Not what shows there far more seldom than these: the rims of two chips laid close pass for one now and then.
    """
    return [*sure, *(dwell for dwell in weak if _midway(dwell, sure))]


def _midway(dwell: ChipDwell, sure: Sequence[ChipDwell]) -> bool:
    near = [o for o in sure if linked(dwell, o, par.SET_LINK_RADII) and o.t0 < dwell.t1 and dwell.t0 < o.t1]
    return any(
        distance(((a.xy[0] + b.xy[0]) / 2, (a.xy[1] + b.xy[1]) / 2), dwell.xy) < par.ROW_MIDWAY_MM
        and not linked(a, b, par.SETS_LINK_RADII)
        and dwell.n >= par.ROW_SELDOM_SHARE * min(a.n, b.n)
        for a, b in combinations(near, 2)
    )


def without_bridges(dwells: Sequence[ChipDwell]) -> list[ChipDwell]:
    """Return the chips without doubtful ones between two rows of sure ones side by side: the rims of both pass for
    one.
    """
    sure = [dwell for dwell in dwells if dwell.mean >= par.SURE_CHIP_MEAN_P]
    return [dwell for dwell in dwells if dwell.mean >= par.SURE_CHIP_MEAN_P or not _bridges(dwell, sure)]


def _bridges(dwell: ChipDwell, sure: Sequence[ChipDwell]) -> bool:
    near = [other for other in sure if linked(dwell, other, par.SET_LINK_RADII)]
    return any(not linked(a, b, par.SET_LINK_RADII) and _abreast(a, b, sure) for a, b in combinations(near, 2))


def _abreast(a: ChipDwell, b: ChipDwell, sure: Sequence[ChipDwell]) -> bool:
    """Tell whether a row goes on from each of two chips, square to the line between them."""
    across = np.subtract(b.xy, a.xy)
    steps = [np.subtract(c.xy, a.xy) for c in sure if c is not a and linked(a, c, par.SET_LINK_RADII)]
    others = [np.subtract(d.xy, b.xy) for d in sure if d is not b and linked(b, d, par.SET_LINK_RADII)]
    square = [
        step for step in steps if abs(step @ across) <= par.ROW_SQUARE * np.linalg.norm(step) * np.linalg.norm(across)
    ]
    return any(np.linalg.norm(step - other) <= par.ROW_MIDWAY_MM for step in square for other in others)


def cluster(dwells: Sequence[ChipDwell]) -> list[Pile]:
    """Piles by single linkage."""
    groups = groups_of(dwells, linked)
    piles = (Pile(tuple(sorted(group, key=lambda dwell: (dwell.t0, dwell.track)))) for group in groups)
    return sorted(piles, key=lambda pile: pile.xy)
