"""What passes for a chip and is none: print on the felt where a chip touches it, and what shows within a chip."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median, median_high

from verifier.reconstruct import parameters as par
from verifier.reconstruct.money.piles import linked
from verifier.reconstruct.resting.chip_stays import ChipStay
from verifier.reconstruct.table.zones import distance


def without_print(stays: Sequence[ChipStay]) -> list[ChipStay]:
    """Return the chips without print on the felt among them, and without what shows within another chip."""
    sure = [stay for stay in stays if stay.n >= par.NEW_COLOUR_LOOKS]
    whole = [stay for stay in stays if not _within(stay, sure) and not _sliver(stay, sure)]
    sure = [stay for stay in whole if stay.n >= par.NEW_COLOUR_LOOKS]
    return [stay for stay in whole if not _print(stay, sure)]


def _within(stay: ChipStay, others: Sequence[ChipStay]) -> bool:
    """Tell whether a chip came to lie within one that lay there before and lies there after: a part of its face."""
    return any(
        other.life != stay.life
        and other.mean >= par.SURE_CHIP_MEAN_P
        and other.t0 <= stay.t0
        and stay.seen_to <= other.seen_to
        and distance(other.xy, stay.xy) <= par.PRINT_WITHIN_RADII * other.radius
        and (stay.mean < par.SURE_CHIP_MEAN_P or stay.n < par.PRINT_SELDOM_SHARE * other.n)
        for other in others
    )


def _sliver(stay: ChipStay, others: Sequence[ChipStay]) -> bool:
    """Tell whether what lies on or at a chip, for a short part of its time, is far narrower than the chips around
    are.
    """
    near = [
        other.radius
        for other in others
        if other.life != stay.life and distance(other.xy, stay.xy) < par.PRINT_NEIGHBOURS_MM
    ]
    return (
        bool(near)
        and stay.radius < par.PRINT_TOO_NARROW * median_high(near)
        and any(
            linked(stay, other)
            and other.life != stay.life
            and other.t0 <= stay.t0
            and stay.seen_to <= other.seen_to
            and stay.n < par.PRINT_SELDOM_SHARE * other.n
            for other in others
        )
    )


def _print(stay: ChipStay, others: Sequence[ChipStay]) -> bool:
    """Tell whether a chip may be print: what is doubtful itself, or far smaller than the chips around it, tells no
    chip's size.
    """
    near = [
        other
        for other in others
        if other.life != stay.life
        and other.mean >= par.SURE_CHIP_MEAN_P
        and distance(other.xy, stay.xy) < par.PRINT_NEIGHBOURS_MM
    ]
    least = par.PRINT_TOO_NARROW * median_high(other.radius for other in near) if near else 0.0
    near = [other for other in near if other.radius >= least]
    return any(
        touching and stay.radius > wide * median(other.radius for other in group)
        for group, wide in (
            (near, par.PRINT_FAR_TOO_WIDE),
            ([o for o in near if o.cents != stay.cents], par.PRINT_TOO_WIDE),
        )
        for touching in [any(linked(stay, o) and o.t0 < stay.t1 and stay.t0 < o.t1 for o in group)]
    )
