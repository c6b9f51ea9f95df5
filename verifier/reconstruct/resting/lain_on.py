"""Chips that went out of sight and show again where they lay, nobody having taken them: they lay on."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from verifier.reconstruct import parameters as par
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.resting.chip_dwells import ChipDwell
from verifier.reconstruct.table.zones import distance


def chips_lain_on(hands: HandLog, dwells: Sequence[ChipDwell]) -> list[ChipDwell]:
    """Return one dwell for each chip that lay on, hidden for a while, though hands came near meanwhile."""
    left = sorted(dwells, key=lambda dwell: dwell.t0)
    index = 0
    while index < len(left):
        dwell = left[index]
        again = next((other for other in left if _shows_again(dwell, other)), None)
        if again is None or not _left_by_itself(hands, dwell):
            index += 1
            continue
        left.remove(again)
        unseen = (*dwell.unseen, (dwell.seen_to, again.t0), *again.unseen)
        seen = dwell.n + again.n
        left[index] = replace(
            dwell,
            t1=again.t1,
            seen_to=again.seen_to,
            n=seen,
            unseen=unseen,
            p=max(dwell.p, again.p),
            mean=(dwell.mean * dwell.n + again.mean * again.n) / seen,
            faces=dwell.faces + again.faces,
        )
    return left


def _left_by_itself(hands: HandLog, dwell: ChipDwell) -> bool:
    """Tell whether a chip went out of sight in looks that follow closely with no hand at it: something hid it."""
    since, until = dwell.seen_to - par.LAIN_ON_BEFORE_S, dwell.seen_to + par.LAIN_ON_AFTER_S
    at = any(hand.over(dwell.xy, par.LAIN_ON_AT_MM) for hand in hands.between(since, until))
    return not at and hands.blind(since, until) is None and hands.frames(dwell.seen_to, until) > 1


def _shows_again(dwell: ChipDwell, other: ChipDwell) -> bool:
    same = other.cents == dwell.cents is not None and distance(other.xy, dwell.xy) <= par.UNTOUCHED_MM
    return other is not dwell and same and dwell.seen_to < other.t0 <= dwell.seen_to + par.HIDDEN_S
