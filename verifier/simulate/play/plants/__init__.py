"""Breaches planted into a lawful round's finished script: a step is done wrongly, left out, or done out of its turn.

Each plant takes the writer, whose `steps` it changes, and the clause; it tells whether the round could show the breach.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from verifier.simulate.play.plants import chips, dealing, insurance, order, positions, taking, tips
from verifier.simulate.play.writer import RoundWriter

Plant = Callable[[RoundWriter, str], bool]

PLANTS: Final[dict[str, Plant]] = {
    **dealing.PLANTS, **taking.PLANTS, **insurance.PLANTS, **chips.PLANTS, **order.PLANTS, **tips.PLANTS,
    **positions.PLANTS,
}  # fmt: skip
