"""One chip of a heap that its looks miss, or misread: what single looks show beside its rows, and what is due."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from verifier.reconstruct import parameters as par
from verifier.reconstruct.between.heaps import Heap, broken, with_hidden
from verifier.reconstruct.money.piles import Pile, cluster
from verifier.reconstruct.resting.chip_stays import ChipStay
from verifier.reconstruct.scene import Between
from verifier.reconstruct.table.zones import Xy, distance


def with_missed(between: Between, heap: Heap, due: int | None) -> Heap:
    """Return the pile with its amount left open where it falls short of what is due by a chip that a look shows by its
    fan.

    A chip is missed in nearly all looks about as seldom as a dealer errs; that a look showed it decides for neither.
    """
    shown = heap.best.cents
    if due is None or shown is None or shown >= due:
        return heap
    since = heap.spread_at - par.HEAP_FAN_S
    seen = (one.xy for one in between.glimpses if since <= one.t <= heap.t1 and one.cents == due - shown)
    rows = [row.stays for row in cluster(heap.best.stays) if row.stays[0].cents == due - shown]
    if not any(_goes_on(row, xy) for xy in seen for row in rows):
        return heap
    return replace(heap, best=Pile(heap.best.stays, unsure=True))


def with_misread(heap: Heap, due: int | None) -> Heap:
    """Return the pile with a chip that reads otherwise than the rest of its column read like them, where that makes it
    worth `due`.

    Columns are of one value, and a colour is misread oftener than a column is mixed and right only if it were not.
    The same of a chip that is missed in a column: a stack that is spread evenly has no hole.
    """
    if due is None or heap.best.cents is not None:
        return heap
    columns = [column.stays for column in cluster(with_hidden(heap.best.stays))]
    values = [Counter(stay.cents for stay in column).most_common(1)[0][0] for column in columns]
    whole = [(stay, value) for column, value in zip(columns, values, strict=True) for stay in column]
    odd = sum(stay.cents != value for stay, value in whole) + len(whole) - len(heap.best.stays)
    stays = [replace(stay, cents=value) for stay, value in whole]
    told = Pile(tuple(stays), unsure=broken(stays))
    return replace(heap, best=told) if odd == 1 and told.cents == due else heap


def _goes_on(row: tuple[ChipStay, ...], xy: Xy) -> bool:
    """Tell whether a chip at `xy` is the next one of a row, beside its end or in a gap."""
    gaps = [(distance(xy, stay.xy), stay) for stay in row]
    gap, nearest = min(gaps, key=lambda pair: pair[0])
    return (
        0.5 * par.ROW_NO_ROOM_RADII * nearest.radius < gap <= par.HEAP_STEP_MM
        and abs(xy[0] - nearest.xy[0]) <= par.COLUMN_MM
    )
