"""What is told of any heap of chips in the inner area: its fan, the hands leaving it, its way from or to the tray."""

from __future__ import annotations

import math

from verifier.domain.events import ChipsFanned, ChipsFromTray, ChipsToTray, HandsClear
from verifier.domain.money import CENTS_BY_COLOUR
from verifier.reconstruct import parameters as par
from verifier.reconstruct.between.heaps import Heap
from verifier.reconstruct.between.trips import FELT, TRAY
from verifier.reconstruct.scene import Drafts, event


def worth(heap: Heap, other: Heap | None = None) -> int | None:
    """Cents of a heap where all its chips showed: fanned and left, or single chips by what `other` shows.

    Not of one chip that is as much in another colour: it was misread likelier than exchanged wrongly.
    """
    shown = (heap.fanned and heap.off is not None) or (other is not None and single(heap, other))
    return heap.best.cents if shown and not (other is not None and _another_colour(heap, other)) else None


def _another_colour(heap: Heap, other: Heap) -> bool:
    """Tell whether a heap is one chip, and another one's value is what the row that it was exchanged for is worth."""
    theirs = other.best.cents if other.fanned else None
    return len(heap.best.stays) == 1 and theirs != heap.best.cents and theirs in CENTS_BY_COLOUR.values()


def single(heap: Heap, other: Heap) -> bool:
    """Tell whether a heap that was not fanned is of single chips, by the heap that it was exchanged for.

    With chips of the same values below its tops it could be worth as much as the other: then it was a stack. Tops that
    are worth as much already, or that no such chips make equal, are taken for single ones; and where a chip of the
    other's rows may be hidden, tops that are worth as much as it may be, and would be worth more with one chip below.
    """
    mine, theirs = heap.best.cents, other.best.cents
    if heap.fanned or mine is None:
        return False
    if theirs is None:
        low, high = other.range_cents
        return low <= mine <= high < mine + min(stay.cents or 0 for stay in heap.best.stays)
    if not other.fanned:
        return mine >= theirs
    stacked = {mine}
    for value in {stay.cents for stay in heap.best.stays if stay.cents}:
        stacked |= {total for start in stacked for total in range(start, theirs + 1, value)}
    return mine == theirs or theirs not in stacked


def fan(heap: Heap, owner: str, other: Heap | None = None) -> Drafts:
    """Its `chips_fanned`: spread columns, or single chips, which need no spread.

    Where nothing tells what lies below a lone chip, or a heap cannot be read, they may be single: a weak one.
    So it is where a hand that never left a lone chip may have hidden others beside it, and where nobody looked from
    before the heap was spread, if it was, until it was taken up.
    """
    gap = None if heap.fanned else _unlooked(heap)
    alone = other is not None and single(heap, other)
    lone = len(heap.best.stays) == 1 and (other is None or heap.off is None)
    unsure = not heap.fanned and (lone or (other is not None and None in (heap.best.cents, other.best.cents)))
    if not (heap.fanned or alone or unsure or gap):
        return []
    t1 = heap.spread_at if heap.fanned else heap.t0 + par.SLACK_S
    t0, t1 = (t1 - par.HEAP_FAN_S, t1) if heap.fanned else gap if gap and not alone else (heap.t0, t1)
    p = heap.best.p if heap.fanned or alone else par.HEAP_UNSEEN_P
    cents = worth(heap, other)
    return [
        event(
            ChipsFanned,
            t0,
            t1,
            min(par.SURELY_SEEN_P, p),
            owner=owner,
            at="inner",
            cents=cents,
            chips=None if cents is None else heap.best.chips,
            hand=None,
            direction="dealer",
            set_sizes=heap.sets,
        )
    ]


def _unlooked(heap: Heap) -> tuple[float, float] | None:
    """Return a stretch that nobody looked at in which a pile may have been spread: it was taken up right after."""
    gap = heap.unlooked
    long = gap is not None and gap[1] - gap[0] >= par.HEAP_FAN_S and heap.t1 - gap[1] < par.HEAP_TAKEN_UP_S
    return gap if long else None


def clear(heap: Heap, until: float) -> Drafts:
    """Return the records that the hands left a pile after it was laid or fanned, before `until`; none where they did
    not.

    A weak one where they may have left it while nobody looked.
    """
    for stretch, p in ((heap.off, par.SEEN_P), (heap.unlooked, par.HEAP_UNSEEN_P)):
        if stretch is not None and min(stretch[1], until) - stretch[0] >= par.HEAP_OFF_S:
            t0, t1 = stretch[0], min(stretch[1], until)
            return [
                event(
                    HandsClear, t0, t1, p, region="inner", duration=round(t1 - t0, 3), occluded=p == par.HEAP_UNSEEN_P
                )
            ]
    return []


def from_tray(heap: Heap, origin: str, other: Heap | None = None) -> Drafts:
    """Return the taking of its chips from the tray; the amount is what showed of them later."""
    if heap.came is None:
        return []
    shown = worth(heap, other) is not None
    return [
        event(
            ChipsFromTray,
            heap.came.t0,
            heap.came.t1,
            heap.came.p,
            cents=worth(heap, other),
            chips=heap.best.chips if shown else None,
            hand=heap.came.side,
            origin=origin,
        )
    ]


def _one_way(heap: Heap, other: Heap) -> bool:
    """Tell whether one hand seems to have taken two heaps to the players at one time: they are pushed one by one."""
    ways = [trip for trip in (heap.went, other.went) if trip is not None and trip.place == FELT]
    return len(ways) == 2 and ways[0].side == ways[1].side and abs(ways[0].t0 - ways[1].t0) <= par.HEAP_FAN_S


def to_tray(heap: Heap, origin: str, other: Heap | None = None) -> Drafts:
    """Return the way of its chips to the tray; a weak one where they went and the hand that took them was not seen.

    The hand that pushed the other heap to the player may have passed by as these were lost from sight.
    """
    unseen = heap.went is None or (other is not None and _one_way(heap, other))
    if unseen and not any(math.isinf(stay.t1) for stay in heap.best.stays):
        return [event(ChipsToTray, heap.t1, heap.t1 + 1.0, par.HEAP_UNSEEN_P, cents=None, origin=origin, occluded=True)]
    if heap.went is None or heap.went.place != TRAY:
        return []
    shown = worth(heap, other) is not None
    return [
        event(
            ChipsToTray,
            heap.went.t0,
            heap.went.t0 + par.HEAP_LATER_S,
            heap.went.p,
            cents=worth(heap, other),
            chips=heap.best.chips if shown else None,
            hand=heap.went.side,
            origin=origin,
        )
    ]
