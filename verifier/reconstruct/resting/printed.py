"""What passes for a chip and is none: print on the felt where a chip touches it, and what shows within a chip."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median, median_high

from verifier.reconstruct import parameters as par
from verifier.reconstruct.resting.chip_dwells import ChipDwell, linked
from verifier.reconstruct.table.zones import distance


def without_print(dwells: Sequence[ChipDwell]) -> list[ChipDwell]:
    """Return the chips without print on the felt among them, and without what shows within another chip."""
    sure = [dwell for dwell in dwells if dwell.n >= par.NEW_COLOUR_LOOKS]
    whole = [dwell for dwell in dwells if not _within(dwell, sure) and not _sliver(dwell, sure)]
    sure = [dwell for dwell in whole if dwell.n >= par.NEW_COLOUR_LOOKS]
    return [dwell for dwell in whole if not _print(dwell, sure)]


def _within(dwell: ChipDwell, others: Sequence[ChipDwell]) -> bool:
    """Tell whether a chip came to lie within one that lay there before and lies there after: a part of its face."""
    return any(
        other.track != dwell.track
        and other.mean >= par.SURE_CHIP_MEAN_P
        and other.t0 <= dwell.t0
        and dwell.seen_to <= other.seen_to
        and distance(other.xy, dwell.xy) <= par.PRINT_WITHIN_RADII * other.radius
        and (dwell.mean < par.SURE_CHIP_MEAN_P or dwell.n < par.PRINT_SELDOM_SHARE * other.n)
        for other in others
    )


def _sliver(dwell: ChipDwell, others: Sequence[ChipDwell]) -> bool:
    """Tell whether what lies on or at a chip, for a short part of its time, is far narrower than the chips around
    are.
    """
    near = [
        other.radius
        for other in others
        if other.track != dwell.track and distance(other.xy, dwell.xy) < par.PRINT_NEIGHBOURS_MM
    ]
    return (
        bool(near)
        and dwell.radius < par.PRINT_TOO_NARROW * median_high(near)
        and any(
            linked(dwell, other)
            and other.track != dwell.track
            and other.t0 <= dwell.t0
            and dwell.seen_to <= other.seen_to
            and dwell.n < par.PRINT_SELDOM_SHARE * other.n
            for other in others
        )
    )


def _print(dwell: ChipDwell, others: Sequence[ChipDwell]) -> bool:
    """Tell whether a chip may be print: what is doubtful itself, or far smaller than the chips around it, tells no
    chip's size.
    """
    near = [
        other
        for other in others
        if other.track != dwell.track
        and other.mean >= par.SURE_CHIP_MEAN_P
        and distance(other.xy, dwell.xy) < par.PRINT_NEIGHBOURS_MM
    ]
    least = par.PRINT_TOO_NARROW * median_high(other.radius for other in near) if near else 0.0
    near = [other for other in near if other.radius >= least]
    return any(
        touching and dwell.radius > wide * median(other.radius for other in group)
        for group, wide in (
            (near, par.PRINT_FAR_TOO_WIDE),
            ([o for o in near if o.cents != dwell.cents], par.PRINT_TOO_WIDE),
        )
        for touching in [any(linked(dwell, o) and o.t0 < dwell.t1 and dwell.t0 < o.t1 for o in group)]
    )
