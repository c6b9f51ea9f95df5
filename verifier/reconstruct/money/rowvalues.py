"""Sets of a row of chips, and values that a chip's place tells.

Stacks have the dearest chips lowest, and in a row the sets of one value lie apart. A chip that reads otherwise there,
or is not read at all, is of the value that its place demands where the payment is right then: a colour is misread
oftener than a payment is wrong. A reading that its place allows stays as it is, but that of a row's last chip may be
what had shown on top of the stack.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from fractions import Fraction
from itertools import pairwise

from msgspec.structs import replace

from verifier.domain.money import CENTS_BY_COLOUR
from verifier.reconstruct import parameters as par
from verifier.reconstruct.money.piles import Pile, cluster
from verifier.reconstruct.resting.chip_dwells import ChipDwell
from verifier.reconstruct.table.zones import Xy, distance


def retold(
    own: Pile, paid: Pile, odds: Fraction, base: Xy, tops: tuple[Set[int], Set[int]] = (frozenset(), frozenset())
) -> tuple[Pile, Pile] | None:
    """Return a wager's row and its payoff with one chip read as its place tells it, where the payment is right only
    then.

    `odds`: what is paid for one; `base`: where the stack lay that was spread; `tops`: values that showed on top of
    both stacks and that their rows lack. None where no chip or several would do.
    """
    if not own.fan or not paid.fan or (own.cents is not None and paid.cents == own.cents * odds):
        return None
    found = [(one, paid) for one in _retold(own, base, tops[0])]
    found += [(own, one) for one in _retold(paid, _base(paid, base), tops[1])]
    right = [(a, b) for a, b in found if a.cents is not None and b.cents is not None and b.cents == a.cents * odds]
    return right[0] if len({(a.cents, b.cents) for a, b in right}) == 1 else None


def _base(paid: Pile, base: Xy) -> Xy:
    """Return the chip of a payoff that lies nearest to its wager: the row grew from there."""
    return min((dwell.xy for dwell in paid.dwells), key=lambda xy: distance(xy, base))


def _retold(pile: Pile, base: Xy, tops: Set[int]) -> Iterator[Pile]:
    """Yield the pile with one chip given another value, for each chip and each value that its place tells.

    The last chip of a row was on top of the stack: where the row lacks what showed there, it may be only that one.
    """
    last = max(pile.dwells, key=lambda dwell: distance(dwell.xy, base))
    if tops:
        yield from (_with(pile, last, cents) for cents in tops)
        return
    for group in cluster(pile.dwells):
        row = sorted(group.dwells, key=lambda dwell: distance(dwell.xy, base))
        for i, chip in enumerate(row):
            others = [dwell.cents for dwell in row if dwell is not chip]
            if len(row) < 2 or None in others:
                continue
            for cents in _values(row, i) - {chip.cents}:
                yield _with(pile, chip, cents)


def _with(pile: Pile, chip: ChipDwell, cents: int) -> Pile:
    """Return the pile with a chip of it read as `cents`."""
    return replace(pile, dwells=tuple(replace(dwell, cents=cents) if dwell is chip else dwell for dwell in pile.dwells))


def _values(row: Sequence[ChipDwell], i: int) -> set[int]:
    """Return what a chip may be worth by its place: as the chips of its set, or, unread, between the sets beside it."""
    before, after = (row[j] if 0 <= j < len(row) else None for j in (i - 1, i + 1))
    if before is not None and after is not None and before.cents == after.cents:
        return {before.cents or 0}
    mates = {dwell.cents or 0 for dwell in (before, after) if dwell is not None and _one_set(row[i], dwell)}
    rest = sum(dwell.cents or 0 for dwell in row if dwell is not row[i])
    if mates:
        return {cents for cents in mates if len(mates) == 1 and rest + cents > par.BY_VALUE_CENTS}
    if row[i].cents is not None:
        return set()
    most = before.cents if before is not None else None
    least = after.cents if after is not None else None
    return {
        cents
        for cents in CENTS_BY_COLOUR.values()
        if (most is None or cents < most) and (least is None or cents > least)
    }


def _one_set(a: ChipDwell, b: ChipDwell) -> bool:
    return 2.0 * distance(a.xy, b.xy) / (a.radius + b.radius) <= par.SET_STEP_RADII[0]


def set_sizes(pile: Pile, base: Xy) -> list[int] | None:
    """Sizes of the sets of a fan, from the stake outward; None where a gap may part two sets or not.

    A tilted camera shortens rows, so that a gap is measured against the row's smallest too.
    """
    row = sorted(pile.dwells, key=lambda dwell: distance(dwell.xy, base))
    gaps = [2.0 * distance(a.xy, b.xy) / (a.radius + b.radius) for a, b in pairwise(row)]
    sizes = [1]
    for gap, (a, b) in zip(gaps, pairwise(row), strict=True):
        near, far = par.SET_STEP_RADII if a.cents != b.cents else (par.SET_ALIKE_RADII, par.SET_ALIKE_RADII)
        wider = a.cents != b.cents and gap > par.ROW_WIDER * min(gaps)
        if near < gap < far and not wider:
            return None
        sizes = [*sizes, 1] if gap >= far or wider else [*sizes[:-1], sizes[-1] + 1]
    return sizes
