"""Follows chips on the table: which of them still lies where it lay."""

from __future__ import annotations

from verifier.reconstruct.resting.settle import Settler
from verifier.reconstruct.table.sights import ChipSight


class ChipSettler(Settler[ChipSight]):
    """Follows chips: print that passed for one of another value once is no first look at it."""

    def other(self, first: ChipSight, sight: ChipSight) -> bool:
        return first.cents != sight.cents
