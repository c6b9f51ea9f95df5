"""Which space a chip belongs to: by where it lies, and rows by where they began (a row may reach out of its space)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from verifier.reconstruct import parameters as par
from verifier.reconstruct.money.insured import insured_place
from verifier.reconstruct.money.piles import Pile, cluster
from verifier.reconstruct.money.stakes import Stake
from verifier.reconstruct.resting.chip_dwells import ChipDwell, linked
from verifier.reconstruct.table.runs import groups_of
from verifier.reconstruct.table.zones import TableMap, Xy, distance


def chips_by_space(dwells: Iterable[ChipDwell], table: TableMap) -> dict[int, list[ChipDwell]]:
    """Chips by space; those of the inner area under 0. One beyond all areas goes with the chip that it lies beside."""
    result: dict[int, list[ChipDwell]] = {0: [], **{number: [] for number in table.spaces}}
    beyond: list[ChipDwell] = []
    for dwell in dwells:
        number = 0 if table.within(dwell.xy, "inner") else table.space_of_chip(dwell.xy)
        (beyond if number is None else result[number]).append(dwell)
    while found := next(((s, n) for s in beyond for n in table.spaces if _continues(s, result[n])), None):
        beyond.remove(found[0])
        result[found[1]].append(found[0])
    return result


def _continues(dwell: ChipDwell, others: Iterable[ChipDwell]) -> bool:
    """Tell whether a chip lies beside one of others, while that one does."""
    return any(
        linked(dwell, other, par.ROW_LINK_RADII) and dwell.t0 < other.t1 and other.t0 < dwell.t1 for other in others
    )


def rows_by_space(table: TableMap, dwells: dict[int, list[ChipDwell]], since: float) -> dict[int, list[ChipDwell]]:
    """Chips by space, where a row that reaches into the neighbour's area stays with the space of its first chip."""
    result: dict[int, list[ChipDwell]] = {number: [] for number in table.spaces}
    late: list[tuple[int, ChipDwell]] = []
    for number, chips in dwells.items():
        for dwell in chips:
            if number == 0:
                continue
            if dwell.t0 < since:
                result[number].append(dwell)
            else:
                late.append((number, dwell))
    late.sort(key=lambda item: item[1].t0)
    for group in groups_of(late, lambda one, other: _linked(one[1], other[1])):
        first = min(group, key=lambda item: item[1].t0)[0]
        result[first] += [dwell for _, dwell in group]
    return {number: sorted(chips, key=lambda dwell: dwell.t0) for number, chips in result.items()}


def beside_insurance(
    table: TableMap, by_space: dict[int, list[ChipDwell]], stakes: Sequence[Stake], since: float
) -> dict[int, list[ChipDwell]]:
    """Return the same, where a row laid since then beside an insurance, farther from its space's stakes, is the
    insurance's.

    An insurance lies at its hand's cards, next to the neighbour's area; left on its line it may be paid there still.
    """
    result = dict(by_space)
    for stake in (one for one in stakes if one.kind == "insurance" and one.space in result):
        places = stake.anchor, insured_place(table.spaces[stake.space])
        for number in result.keys() - {stake.space}:
            theirs = [other.anchor for other in stakes if other.space == number]
            for row in cluster([dwell for dwell in result[number] if dwell.t0 >= since]):
                gap = min(_gap(row, xy) for xy in places)
                if gap <= par.INSURED_MM and all(gap < _gap(row, anchor) for anchor in theirs):
                    result[number] = [dwell for dwell in result[number] if dwell not in row.dwells]
                    result[stake.space] = sorted([*result[stake.space], *row.dwells], key=lambda dwell: dwell.t0)
    return result


def _gap(pile: Pile, xy: Xy) -> float:
    return min(distance(dwell.xy, xy) for dwell in pile.dwells)


def _linked(a: ChipDwell, b: ChipDwell) -> bool:
    """Tell whether two chips were laid side by side in one act: a neighbour's row may be laid against the first.

    One that is seen seldom beside the other may have lain there before it was found.
    """
    together = (
        linked(a, b, par.ROW_LINK_RADII) and a.t0 < b.t1 + par.ROW_TOGETHER_S and b.t0 < a.t1 + par.ROW_TOGETHER_S
    )
    first, second = sorted((a, b), key=lambda dwell: dwell.t0)
    return together and (second.t0 - first.t0 <= par.ROW_SPREAD_S or _seldom_beside(second, first))


def _seldom_beside(dwell: ChipDwell, other: ChipDwell) -> bool:
    """Tell whether a chip was seen less than half as often as the one beside it."""
    return 2.0 * dwell.n * (other.seen_to - other.t0) < other.n * (dwell.seen_to - dwell.t0)
