"""One chip of a chip group that its looks miss, or misread: what single looks show beside its rows, and what is due."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from verifier.reconstruct import parameters as par
from verifier.reconstruct.between.chip_groups import ChipGroup, broken, with_hidden
from verifier.reconstruct.money.piles import Pile, cluster
from verifier.reconstruct.resting.chip_dwells import ChipDwell
from verifier.reconstruct.scene import Between
from verifier.reconstruct.table.zones import Xy, distance


def with_missed(between: Between, chip_group: ChipGroup, due: int | None) -> ChipGroup:
    """Return the pile with its amount left open where it falls short of what is due by a chip that a look shows by its
    fan.

    A chip is missed in nearly all looks about as seldom as a dealer errs; that a look showed it decides for neither.
    """
    shown = chip_group.best.cents
    if due is None or shown is None or shown >= due:
        return chip_group
    since = chip_group.spread_at - par.CHIP_GROUP_FAN_S
    seen = (one.xy for one in between.glimpses if since <= one.t <= chip_group.t1 and one.cents == due - shown)
    rows = [row.dwells for row in cluster(chip_group.best.dwells) if row.dwells[0].cents == due - shown]
    if not any(_goes_on(row, xy) for xy in seen for row in rows):
        return chip_group
    return replace(chip_group, best=Pile(chip_group.best.dwells, unsure=True))


def with_misread(chip_group: ChipGroup, due: int | None) -> ChipGroup:
    """Return the pile with a chip that reads otherwise than the rest of its column read like them, where that makes it
    worth `due`.

    Columns are of one value, and a colour is misread oftener than a column is mixed and right only if it were not.
    The same of a chip that is missed in a column: a stack that is spread evenly has no hole.
    """
    if due is None or chip_group.best.cents is not None:
        return chip_group
    columns = [column.dwells for column in cluster(with_hidden(chip_group.best.dwells))]
    values = [Counter(dwell.cents for dwell in column).most_common(1)[0][0] for column in columns]
    whole = [(dwell, value) for column, value in zip(columns, values, strict=True) for dwell in column]
    odd = sum(dwell.cents != value for dwell, value in whole) + len(whole) - len(chip_group.best.dwells)
    dwells = [replace(dwell, cents=value) for dwell, value in whole]
    told = Pile(tuple(dwells), unsure=broken(dwells))
    return replace(chip_group, best=told) if odd == 1 and told.cents == due else chip_group


def _goes_on(row: tuple[ChipDwell, ...], xy: Xy) -> bool:
    """Tell whether a chip at `xy` is the next one of a row, beside its end or in a gap."""
    gaps = [(distance(xy, dwell.xy), dwell) for dwell in row]
    gap, nearest = min(gaps, key=lambda pair: pair[0])
    return (
        0.5 * par.ROW_NO_ROOM_RADII * nearest.radius < gap <= par.CHIP_GROUP_STEP_MM
        and abs(xy[0] - nearest.xy[0]) <= par.COLUMN_MM
    )
