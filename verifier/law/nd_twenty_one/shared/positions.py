"""Whether a thing lies where the law wants it, as its record tells (docs/formats.md, "Places within a space")."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from verifier.domain.events import CardDealt, CardsMoved, PayoffPlaced, WagerPlaced
from verifier.law.instances import Instance, judged
from verifier.law.say import Said

PLACE_SURE: Final = 0.9
"""A thing that lies elsewhere with a lower probability is left open (project policy)."""
MORE_LIKELY: Final = 0.5
"""A place that is less likely than not is left open, too."""

PlacedThing = WagerPlaced | PayoffPlaced | CardsMoved | CardDealt
"""Records that may tell where within its space the thing lies."""


def in_place(
    clause: str, record: PlacedThing, wanted: str, *, at: str, expected: Said | str, observed: Said | str
) -> Iterator[Instance]:
    """One instance for a record that tells of a place, none for one that does not."""
    if record.position is None:
        return
    p = 1.0 if record.position_p is None else record.position_p
    right = record.position == wanted
    yield judged(
        clause,
        right if sure_place(right, p) else None,
        at=at,
        key=record.id,
        events=[record],
        expected=expected,
        observed=observed,
        chance=1.0 - p if right else p,
    )


def sure_place(right: bool, p: float) -> bool:
    """Tell whether a thing lies rightly, or wrongly, surely enough by the probability of how it lies."""
    return p >= (MORE_LIKELY if right else PLACE_SURE)
