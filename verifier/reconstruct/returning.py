"""Chips that were out of sight for some seconds and lie again where they lay: they had never left."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from verifier.reconstruct.piles import ChipStay
from verifier.reconstruct.zones import distance

AWAY_SECONDS = 4.0
SPOT_MM = 4.0
"""Nobody puts a chip like the one that was taken back so soon, and so exactly there."""


def rejoined(stays: Iterable[ChipStay]) -> list[ChipStay]:
    """The stays, where one that goes on where another of its value ended shortly before is that one's."""
    result: list[ChipStay] = []
    for stay in sorted(stays, key=lambda one: one.t0):
        before = next((one for one in reversed(result) if _goes_on(one, stay)), None)
        if before is None:
            result.append(stay)
            continue
        result[result.index(before)] = replace(before, t1=stay.t1, seen_to=stay.seen_to, n=before.n + stay.n)
    return result


def _goes_on(before: ChipStay, stay: ChipStay) -> bool:
    return (
        before.cents == stay.cents
        and 0.0 < stay.t0 - before.t1 <= AWAY_SECONDS
        and distance(before.xy, stay.xy) <= SPOT_MM
    )
