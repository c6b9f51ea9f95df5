"""Follows chips on the table: which of them still lies where it lay."""

from __future__ import annotations

from verifier.reconstruct.resting.settle import Settler
from verifier.reconstruct.table.sights import ChipSight


class ChipSettler(Settler[ChipSight]):
    """Follows chips: print that passed for one of another value once is no first look at it."""

    def other(self, first: ChipSight, sight: ChipSight) -> bool:
        return first.cents != sight.cents

    def forget_before(self, t: float) -> None:
        """As of all objects, and the stays of which no sighting is kept any more: print may seem to go to and fro."""
        super().forget_before(t)
        for life in self.lives:
            del life.stays[: sum(later.t0 <= life.trail[0][0] for later in life.stays[1:])]
