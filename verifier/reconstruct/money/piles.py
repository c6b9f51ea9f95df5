"""Piles: chips that lie together at one time, rows that show every chip of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, pairwise

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from verifier.reconstruct import parameters as par
from verifier.reconstruct.resting.chip_stays import ChipStay
from verifier.reconstruct.table.zones import Xy, centre_of, distance


class Pile(Struct, frozen=True):
    """Chips that lie together at one time; `unsure` where what shows may not be all of them, or be misread."""

    stays: tuple[ChipStay, ...]
    unsure: bool = False
    undivided: bool = False
    """Whether it may be of several stakes: then it is no evidence of how one of them was paid."""

    @property
    def xy(self) -> Xy:
        return centre_of([stay.xy for stay in self.stays])

    @property
    def size(self) -> int:
        return len(self.stays)

    @property
    def cents(self) -> int | None:
        """Sum of what shows; None where a chip is unread, or a row has a gap in which one may have been missed."""
        values = [stay.cents for stay in self.stays]
        if (
            None in values
            or self.unsure
            or self._ghostly()
            or self._doubtful()
            or any(gapped(group.stays) for group in cluster(self.stays))
            or self._parted()
        ):
            return None
        return sum(value for value in values if value is not None)

    def _ghostly(self) -> bool:
        """Tell whether an end of a row, or of a piece of it, may be no chip; what lies between two chips is one."""
        rows = [ordered(group.stays) for group in cluster(self.stays) if group.size >= 2]
        return any(row[i].mean < par.SURE_CHIP_MEAN_P for row in rows for i in (0, -1))

    def _parted(self) -> bool:
        """Tell whether a row lies in two pieces, in line, with room for a chip between them."""
        rows = [ordered(group.stays) for group in cluster(self.stays)]
        return any(_in_line(row, other) for row in rows for other in rows if row is not other and len(row) >= 2)

    def _doubtful(self) -> bool:
        """Tell whether a half-covered chip reads otherwise than both its neighbours, which read alike."""
        rows = [ordered(group.stays) for group in cluster(self.stays) if group.size >= par.ROW_LEAST_CHIPS]
        triples = [row[i - 1 : i + 2] for row in rows for i in range(1, len(row) - 1)]
        return any(b.seldom and a.cents == c.cents != b.cents for a, b, c in triples)

    @property
    def sure(self) -> Pile:
        """Its chips without those that may be none."""
        return replace(self, stays=tuple(stay for stay in self.stays if stay.mean >= par.SURE_CHIP_MEAN_P))

    @property
    def values(self) -> Counter[int | None]:
        """How many of each value show; None is an unread one."""
        return Counter(stay.cents for stay in self.stays)

    @property
    def chips(self) -> dict[str, int] | None:
        """Counts by value; None where a chip is unread."""
        if self.cents is None:
            return None
        counts = Counter(stay.cents for stay in self.stays if stay.cents is not None)
        return {str(value): counts[value] for value in sorted(counts, reverse=True)}

    @property
    def since(self) -> float:
        """When its last chip came to rest."""
        return max(stay.t0 for stay in self.stays)

    @property
    def fan(self) -> bool:
        """Whether it is a row that shows more than one chip."""
        return self.size >= 2

    @property
    def p(self) -> float:
        """Probability that it is there as seen; weak where none of its chips is surely one: print passes for a chip."""
        return self.laid_p if self.sure.stays else min(self.laid_p, par.WEAK_P)

    @property
    def laid_p(self) -> float:
        """The same of what a hand laid there: print had been there before."""
        least = min(stay.p for stay in self.stays)
        return min(least, par.UNDIVIDED_P) if self.undivided else least

    def touches(self, xy: Xy, reach: float) -> bool:
        """Tell whether a chip of it lies within `reach` of a point."""
        return any(distance(stay.xy, xy) <= reach for stay in self.stays)

    def direction(self) -> str | None:
        """`dealer` for a row along the line to the dealer (or down the picture), `side` for one across."""
        if not self.fan:
            return None
        a, b = max(((a.xy, b.xy) for a in self.stays for b in self.stays), key=lambda pair: distance(pair[0], pair[1]))
        return "dealer" if abs(b[1] - a[1]) > abs(b[0] - a[0]) else "side"


def ordered(stays: Sequence[ChipStay]) -> list[ChipStay]:
    """Return the chips of a row from one end to the other."""
    end = max(stays, key=lambda stay: max(distance(stay.xy, other.xy) for other in stays))
    return sorted(stays, key=lambda stay: distance(stay.xy, end.xy))


def gapped(stays: Sequence[ChipStay]) -> bool:
    """Tell whether a row has a gap in which a chip may lie: wider than those between neighbours and between sets.

    Sets of one value have five chips each.
    """
    if len(stays) < 2:
        return False
    alike = 1
    for a, b in pairwise(ordered(stays)):
        gap = 2.0 * distance(a.xy, b.xy) / (a.radius + b.radius)
        if gap > (par.SETS_LINK_RADII if a.cents != b.cents or alike == par.SET_SIZE else par.SET_LINK_RADII):
            return True
        alike = alike + 1 if a.cents == b.cents and gap <= par.SET_LINK_RADII else 1
    return False


def _in_line(row: Sequence[ChipStay], other: Sequence[ChipStay]) -> bool:
    """Tell whether another piece goes on where a row of two chips and more ends, a chip's or two chips' room away."""
    for last, inner in ((row[0], row[-1]), (row[-1], row[0])):
        near = min(other, key=lambda stay: distance(stay.xy, last.xy))
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


def apart(stays: Sequence[ChipStay]) -> list[ChipStay]:
    """Return the chips without those that have no room beside one that was seen oftener.

    One that is off now and then shows twice, and a stack's top lay on for a moment where its row was spread.
    """
    kept: list[ChipStay] = []
    for stay in sorted(stays, key=lambda stay: -stay.n):
        if all(distance(stay.xy, other.xy) >= par.ROW_NO_ROOM_RADII * other.radius for other in kept):
            kept.append(stay)
    return [stay for stay in stays if stay in kept]


def with_weak(sure: Sequence[ChipStay], weak: Sequence[ChipStay]) -> list[ChipStay]:
    """Return the sure chips, and of the weak ones those that lie midway between two sure ones: the half-covered chips
    of a row.

    Not what shows there far more seldom than these: the rims of two chips laid close pass for one now and then.
    """
    return [*sure, *(stay for stay in weak if _midway(stay, sure))]


def _midway(stay: ChipStay, sure: Sequence[ChipStay]) -> bool:
    near = [o for o in sure if linked(stay, o, par.SET_LINK_RADII) and o.t0 < stay.t1 and stay.t0 < o.t1]
    return any(
        distance(((a.xy[0] + b.xy[0]) / 2, (a.xy[1] + b.xy[1]) / 2), stay.xy) < par.ROW_MIDWAY_MM
        and not linked(a, b, par.SETS_LINK_RADII)
        and stay.n >= par.ROW_SELDOM_SHARE * min(a.n, b.n)
        for a, b in combinations(near, 2)
    )


def without_bridges(stays: Sequence[ChipStay]) -> list[ChipStay]:
    """Return the chips without doubtful ones between two rows of sure ones side by side: the rims of both pass for
    one.
    """
    sure = [stay for stay in stays if stay.mean >= par.SURE_CHIP_MEAN_P]
    return [stay for stay in stays if stay.mean >= par.SURE_CHIP_MEAN_P or not _bridges(stay, sure)]


def _bridges(stay: ChipStay, sure: Sequence[ChipStay]) -> bool:
    near = [other for other in sure if linked(stay, other, par.SET_LINK_RADII)]
    return any(not linked(a, b, par.SET_LINK_RADII) and _abreast(a, b, sure) for a, b in combinations(near, 2))


def _abreast(a: ChipStay, b: ChipStay, sure: Sequence[ChipStay]) -> bool:
    """Tell whether a row goes on from each of two chips, square to the line between them."""
    across = np.subtract(b.xy, a.xy)
    steps = [np.subtract(c.xy, a.xy) for c in sure if c is not a and linked(a, c, par.SET_LINK_RADII)]
    others = [np.subtract(d.xy, b.xy) for d in sure if d is not b and linked(b, d, par.SET_LINK_RADII)]
    square = [
        step for step in steps if abs(step @ across) <= par.ROW_SQUARE * np.linalg.norm(step) * np.linalg.norm(across)
    ]
    return any(np.linalg.norm(step - other) <= par.ROW_MIDWAY_MM for step in square for other in others)


def cluster(stays: Sequence[ChipStay]) -> list[Pile]:
    """Piles by single linkage."""
    left = list(stays)
    piles: list[Pile] = []
    while left:
        group = [left.pop()]
        grown = True
        while grown:
            near = [stay for stay in left if any(linked(stay, other) for other in group)]
            grown = bool(near)
            group += near
            left = [stay for stay in left if stay not in near]
        piles.append(Pile(tuple(sorted(group, key=lambda stay: (stay.t0, stay.life)))))
    return sorted(piles, key=lambda pile: pile.xy)


def linked(a: ChipStay, b: ChipStay, link: float = par.FAN_LINK_RADII) -> bool:
    """Tell whether two chips lie within `link` mean radii."""
    return distance(a.xy, b.xy) <= link * (a.radius + b.radius) / 2
