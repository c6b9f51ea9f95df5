"""Chips that went out of sight and show again where they lay, nobody having taken them: they lay on."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from verifier.reconstruct import parameters as par
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.resting.chip_dwells import ChipDwell, as_one, shows_again


def chips_lain_on(hands: HandLog, dwells: Sequence[ChipDwell]) -> list[ChipDwell]:
    """Return one dwell for each chip that lay on, hidden for a while, though hands came near meanwhile."""
    left = sorted(dwells, key=lambda dwell: dwell.t0)
    index = 0
    while index < len(left):
        dwell = left[index]
        again = next((other for other in left if shows_again(dwell, other, dwell.seen_to + par.HIDDEN_S)), None)
        if again is None or not _left_by_itself(hands, dwell):
            index += 1
            continue
        left.remove(again)
        unseen = (*dwell.unseen, (dwell.seen_to, again.t0), *again.unseen)
        left[index] = replace(as_one(dwell, again), unseen=unseen)
    return left


def _left_by_itself(hands: HandLog, dwell: ChipDwell) -> bool:
    """Tell whether a chip went out of sight in looks that follow closely with no hand at it: something hid it."""
    since, until = dwell.seen_to - par.LAIN_ON_BEFORE_S, dwell.seen_to + par.LAIN_ON_AFTER_S
    at = any(hand.over(dwell.xy, par.LAIN_ON_AT_MM) for hand in hands.between(since, until))
    return not at and hands.blind(since, until) is None and hands.frames(dwell.seen_to, until) > 1
