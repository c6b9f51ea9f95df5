"""Reads the chips of one table, once somebody has shown them: by the colour of their faces.

The reader of chips learnt many makers' chips, but none of this table's. A chip whose colour the camera sees as that of
one that was shown has that one's name, as far as the reader allows it: the two are taken as independent witnesses.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from verifier.domain.enrolment import EnrolledChip
from verifier.vision.evidence import FLOOR
from verifier.vision.geometry import Floats
from verifier.vision.look_alikes import ALIKE, WEIGHTS

SPREAD: Final = ALIKE / 2
"""Standard deviation of the distance between two looks at one chip: of two chips that look alike it is twice as far."""
LEAST_CHIPS: Final = 12
"""Looks at chips by which is told whether a table's chips are those that were shown."""
LEAST_KNOWN: Final = 0.75
"""Share of them that must look like one that was shown."""


class TableChips:
    """The chips that somebody showed at a table, by name."""

    def __init__(self, shown: Mapping[str, EnrolledChip]) -> None:
        self._shown: dict[str, NDArray[np.float64]] = {
            name: np.asarray(chip.colours, np.float64) for name, chip in sorted(shown.items())
        }

    def knows(self, colour: Floats) -> bool:
        """Tell whether a median colour (3,) in L*a*b* of eight bits is that of a chip that was shown."""
        return min(self._far(colour).values()) <= ALIKE

    def weighed(self, reading: Mapping[str, float], colour: Floats) -> Mapping[str, float]:
        """Return the probabilities of a chip's names, given the reader's and its median colour (3,).

        A chip that is unlike all that were shown keeps the reader's.
        """
        far = self._far(colour)
        if min(far.values()) > ALIKE:
            return reading
        likely = {name: math.exp(-((off / SPREAD) ** 2) / 2) for name, off in far.items()}
        whole = sum(likely.values())
        both = {name: max(FLOOR, p) * max(FLOOR, likely.get(name, 0.0) / whole) for name, p in reading.items()}
        return {name: p / sum(both.values()) for name, p in both.items()}

    def _far(self, colour: Floats) -> dict[str, float]:
        """Return how far a colour is from the nearest look at each chip that was shown."""
        return {
            name: float(np.linalg.norm((looks - colour) * WEIGHTS, axis=1).min()) for name, looks in self._shown.items()
        }


def are_these(chips: TableChips, colours: Sequence[Floats]) -> bool | None:
    """Tell whether chips of these median colours (3,) are those that were shown; None where too few were seen."""
    if len(colours) < LEAST_CHIPS:
        return None
    return sum(chips.knows(colour) for colour in colours) >= LEAST_KNOWN * len(colours)
