"""Print on the felt that passes for a chip where a chip touches it."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from verifier.reconstruct.piles import NEW_LABEL_FRAMES, ChipStay, linked
from verifier.reconstruct.zones import distance

NEIGHBOURS_MM, TOO_WIDE, FAR_TOO_WIDE = 160.0, 1.16, 1.3
"""Chips of a table are of one size: what is wider by this than those around it, and touches one, is printed felt;
what reads as its neighbours do needs to be wider by the second."""


def without_print(stays: Sequence[ChipStay]) -> list[ChipStay]:
    """The stays without print on the felt among them."""
    sure = [stay for stay in stays if stay.n >= NEW_LABEL_FRAMES]
    return [stay for stay in stays if not _print(stay, sure)]


def _print(stay: ChipStay, others: Sequence[ChipStay]) -> bool:
    near = [other for other in others if other.life != stay.life and distance(other.xy, stay.xy) < NEIGHBOURS_MM]
    return any(
        touching and stay.radius > wide * median(other.radius for other in group)
        for group, wide in ((near, FAR_TOO_WIDE), ([o for o in near if o.cents != stay.cents], TOO_WIDE))
        for touching in [any(linked(stay, o) and o.t0 < stay.t1 and stay.t0 < o.t1 for o in group)]
    )
