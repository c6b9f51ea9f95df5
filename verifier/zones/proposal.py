"""The proposal of a table's layout: what was found, how sure each part is, and why where it is not."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from verifier.domain.layout import Layout

SURE: Final = 0.8
"""Confidence from which a part of a proposal needs no look by a person."""
NEEDED: Final = ("dealer side", "direction", "scale", "spaces")
"""What judging cannot do without, besides each space's wager spot."""


class Part(Struct, frozen=True, kw_only=True):
    """One thing that is proposed: how sure it is (0..1), and in plain words what it rests on or what is missing."""

    confidence: float
    reason: str = ""

    @property
    def sure(self) -> bool:
        return self.confidence >= SURE


class Proposal(Struct, frozen=True, kw_only=True):
    """A layout in the recording's own pixels, ready to be written, and how sure it is.

    `parts` has a Part for `dealer side`, `direction` (whether the picture is mirrored), `scale`, `spaces` (their
    number), `site`, `table`, each zone of the layout by its name, and `space N`, `space N wager`, `space N cards`,
    `space N tip`, `space N insurance`. What was not found has confidence 0 and its reason.
    `still` (h, w, 3) is the table without what moves, BGR, of the recording's size. `looked` is the number of pictures
    looked at, `seconds` the length that they come from.
    """

    layout: Layout
    parts: dict[str, Part]
    still: NDArray[np.uint8]
    mirrored: bool
    looked: int
    seconds: float

    @property
    def confidences(self) -> dict[str, float]:
        """Name of a part -> confidence 0..1."""
        return {name: part.confidence for name, part in self.parts.items()}

    @property
    def reasons(self) -> dict[str, str]:
        """Name of a part that is not sure -> why."""
        return {name: part.reason for name, part in self.parts.items() if not part.sure}

    @property
    def unsure(self) -> list[str]:
        """What judging needs and what is not sure."""
        wagers = [f"space {number} wager" for number in sorted(self.layout.spaces)]
        return [name for name in (*NEEDED, *wagers) if not self.parts[name].sure]
