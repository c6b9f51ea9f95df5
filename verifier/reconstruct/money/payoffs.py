"""Payoffs of a space: piles that lie near its stakes, and which stake each of them was laid for."""

from __future__ import annotations

from collections.abc import Sequence, Set
from fractions import Fraction
from itertools import permutations

from msgspec.structs import replace

from verifier.reconstruct import parameters as par
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.money.insured import insured_place
from verifier.reconstruct.money.piles import Pile, ordered
from verifier.reconstruct.money.rowvalues import retold
from verifier.reconstruct.money.stakes import TIPS, Stake
from verifier.reconstruct.money.sums import joined, reconciled
from verifier.reconstruct.resting.chip_dwells import ChipDwell
from verifier.reconstruct.scene import RoundScene
from verifier.reconstruct.table.zones import Xy, distance


def beside(scene: RoundScene, piles: Sequence[Pile], stakes: Sequence[Stake]) -> list[Pile]:
    """Piles that begin near a stake, with what goes on where one of them ends as their last piece.

    An insurance may be paid beside the wager of its space, or where the dealer should have laid it before.
    """
    anchors = [stake.anchor for stake in stakes]
    spots = [scene.table.spaces[stake.space] for stake in stakes if stake.kind == "insurance"]
    anchors += [xy for spot in spots for xy in (spot.wager, insured_place(spot))]
    near = [pile for pile in piles if any(pile.touches(anchor, par.PAYOFF_MM) for anchor in anchors)]
    for piece in (pile for pile in piles if pile not in near):
        before = [
            i
            for i, pile in enumerate(near)
            if any(pile.touches(dwell.xy, par.PAYOFF_ONWARD_MM) for dwell in piece.dwells)
        ]
        far = [] if before else [i for i, pile in enumerate(near) if _goes_on(pile, piece)]
        if before or far:
            nearest = min(before or far, key=lambda i: distance(near[i].xy, piece.xy))
            whole = joined([near[nearest], piece])
            near[nearest] = replace(whole, unsure=whole.unsure or bool(far))
    return near


def _goes_on(pile: Pile, piece: Pile) -> bool:
    """Tell whether a piece lies where a row would go on, farther off, and came as that one was spread."""
    if pile.size < 2 or abs(piece.since - pile.since) > par.PAYOFF_SPREAD_S:
        return False
    end = min(pile.dwells, key=lambda dwell: distance(dwell.xy, piece.xy))
    inner = max(pile.dwells, key=lambda dwell: distance(dwell.xy, end.xy))
    length = distance(inner.xy, end.xy)
    (ax, ay), (bx, by) = inner.xy, end.xy
    off = [abs((x - ax) * (by - ay) - (y - ay) * (bx - ax)) / length for x, y in (dwell.xy for dwell in piece.dwells)]
    return (
        max(off) <= par.PAYOFF_IN_LINE_MM
        and min(distance(dwell.xy, end.xy) for dwell in piece.dwells) <= par.PAYOFF_FARTHEST_MM
    )


def shared(piles: Sequence[Pile], stakes: Sequence[Stake], own: Sequence[Pile]) -> list[list[Pile]]:
    """Payoffs by stake. As many piles as stakes go where they equal the stakes' `own` rows, else from left to right.

    Where each pile lies in line behind a stake it is that one's: three split hands are paid so, and chips of their
    columns lie side by side, too. Other numbers of piles go to the nearest stake each, one behind an insurance
    to that; one of more chips than that stake's may be of others, too.
    """
    result: list[list[Pile]] = [[] for _ in stakes]
    payable = _payable(stakes, own)
    lines = [[index for index in payable if _in_line(pile, stakes[index])] for pile in piles]
    if len(payable) > 1 and all(len(line) == 1 for line in lines):
        for pile, (index,) in zip(piles, lines, strict=True):
            result[index].append(pile)
        return result
    rows = _rows(joined(piles)) if piles else []
    if len(rows) == len(payable) > 1:
        piles = rows
    elif len(piles) < len(payable):
        piles = [row for pile in piles for row in _rows(pile)]
    if len(piles) == len(payable):
        order = sorted(payable, key=lambda index: stakes[index].anchor[0])
        along = sorted(piles, key=lambda pile: pile.xy[0])
        ways = permutations(along) if len(along) <= par.MOST_SHUFFLED_ROWS else iter([tuple(along)])
        best = max(ways, key=lambda way: sum(p.values == own[i].values for p, i in zip(way, order, strict=True)))
        for pile, index in zip(best, order, strict=True):
            result[index].append(pile)
        return result
    for pile in piles:
        if payable:
            nearest = min(payable, key=lambda i: (not _behind(pile, stakes[i]), distance(stakes[i].anchor, pile.xy)))
            alone = len(payable) == 1 or _behind(pile, stakes[nearest])
            several = not alone and own[nearest].dwells and pile.size > own[nearest].size
            result[nearest].append(replace(pile, undivided=True) if several else pile)
    return result


def _payable(stakes: Sequence[Stake], own: Sequence[Pile]) -> list[int]:
    """Return the stakes that may have been paid: no tips, where there are others.

    An insurance alone, where its row was spread and no other: chips are spread to be paid, and a natural that pays it
    pays no wager.
    """
    payable = [index for index, stake in enumerate(stakes) if stake.kind not in TIPS] or list(range(len(stakes)))
    spread = [index for index in payable if own[index].fan]
    return spread if spread and all(stakes[index].kind == "insurance" for index in spread) else payable


def _behind(pile: Pile, stake: Stake) -> bool:
    """Tell whether a pile lies in line behind an insurance, as its payoff may."""
    return stake.kind == "insurance" and _in_line(pile, stake)


def _in_line(pile: Pile, stake: Stake) -> bool:
    """Tell whether a pile lies in line behind a stake, as the dealer sees it."""
    x, y = stake.anchor
    return all(abs(dwell.xy[0] - x) < par.COLUMN_MM and dwell.xy[1] < y for dwell in pile.dwells)


def _rows(pile: Pile) -> list[Pile]:
    """Return the rows of a pile that were laid beside each other across the table; the pile itself where there are
    none.

    However wide the gaps within one.
    """
    dwells = sorted(pile.dwells, key=lambda dwell: dwell.xy[1])
    cuts = [i for i in range(1, len(dwells)) if dwells[i].xy[1] - dwells[i - 1].xy[1] > par.PAYOFF_ROWS_MM]
    rows = [dwells[a:b] for a, b in zip([0, *cuts], [*cuts, len(dwells)], strict=True)]
    if any(row[-1].xy[1] - row[0].xy[1] > par.COLUMN_MM or len(row) < 2 for row in rows):
        return [pile]
    return [replace(pile, dwells=tuple(row)) for row in rows]


def weighed(own: Pile, won: Pile, dwells: Sequence[ChipDwell], stake: Stake, odds: Fraction) -> tuple[Pile, Pile]:
    """Return a wager's row and its payoff, each beside the chip that had shown on top of its stack (`dwells`: payoffs'
    too).

    A row that lacks it has it last where the payment is right only so. A payoff's stack lies for a moment only: where
    its row is right as it reads, the top was misread. Else nobody knows.
    """
    tops = _lacking(own, {stake.last.cents}), _lacking(won, _tops(won, dwells, stake))
    if won.fan and not tops[0] and own.cents is not None and won.cents == own.cents * odds:
        return reconciled(own, won, odds=odds)
    told = retold(own, won, odds, stake.anchor, tops)
    return told or reconciled(with_top(own, stake), with_tops(won, dwells, stake), odds=odds)


def with_tops(pile: Pile, dwells: Sequence[ChipDwell], stake: Stake) -> Pile:
    """Return a payoff's row, without an amount where it lacks the chip that had shown on top of its stack: unseen."""
    return replace(pile, unsure=True) if _lacking(pile, _tops(pile, dwells, stake)) else pile


def with_top(pile: Pile, stake: Stake) -> Pile:
    """Return a wager's row, without an amount where it lacks the chip that had shown on top of its stack: unseen, or
    misread.

    A thing on the table may hide the end of a row.
    """
    return replace(pile, unsure=True) if _lacking(pile, {stake.last.cents}) else pile


def _tops(pile: Pile, dwells: Sequence[ChipDwell], stake: Stake) -> set[int | None]:
    """Return what had shown on top of a payoff's stack."""
    return {
        dwell.cents
        for dwell in dwells
        if dwell.t1 <= pile.since + 0.5
        and any(distance(dwell.xy, mine.xy) <= par.PAYOFF_UPON_MM for mine in pile.dwells)
        and distance(dwell.xy, stake.anchor) > par.STAKE_OWN_ROW_MM
    }


def _lacking(pile: Pile, tops: Set[int | None]) -> set[int]:
    """Values seen on top of a stack that its row lacks."""
    return {cents for cents in tops if cents is not None and cents not in pile.values} if pile.fan else set()


# Rows of which one more chip may lie under a hand that never left their end


def with_open_ends(hands: HandLog, own: Pile, won: Pile, odds: Fraction) -> Pile:
    """Return a payoff's row, without an amount where it is not right as it reads and an end of it was never seen
    free.
    """
    if own.cents is None or won.cents is None or not won.fan or won.cents == own.cents * odds:
        return won
    until = min(dwell.seen_to for dwell in won.dwells)
    looks = hands.times_between(won.since, until)
    over = [list(hands.between(t, t)) for t in looks]
    hidden = any(all(any(hand.over(end, 0.0) for hand in each) for each in over) for end in _beyond(won))
    return replace(won, unsure=True) if looks and hidden else won


def _beyond(row: Pile) -> list[Xy]:
    """Where the next chip of a row would lie, at either end."""
    dwells = ordered(row.dwells)
    ends = []
    for last, inner in ((dwells[0], dwells[1]), (dwells[-1], dwells[-2])):
        share = par.SETS_LINK_RADII * last.radius / max(distance(last.xy, inner.xy), 1.0)
        ends.append((last.xy[0] + share * (last.xy[0] - inner.xy[0]), last.xy[1] + share * (last.xy[1] - inner.xy[1])))
    return ends
