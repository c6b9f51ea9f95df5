"""What a chip is worth that reads now as one value, now as another, though nobody touched it: one reading is wrong."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from verifier.reconstruct import parameters as par
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.resting.chip_dwells import ChipDwell
from verifier.reconstruct.table.zones import distance


def one_value(hands: HandLog, dwells: Sequence[ChipDwell]) -> list[ChipDwell]:
    """Return the dwells; those of a chip that nobody touched, which only seemed to change, are one of one value or
    none.
    """
    runs: list[list[ChipDwell]] = []
    for dwell in sorted(dwells, key=lambda dwell: (dwell.track, dwell.t0)):
        if runs and _untouched(hands, runs[-1][-1], dwell):
            runs[-1].append(dwell)
        else:
            runs.append([dwell])
    return sorted((_joined(run) if len(run) > 1 else run[0] for run in runs), key=lambda dwell: dwell.t0)


def _untouched(hands: HandLog, old: ChipDwell, new: ChipDwell) -> bool:
    if old.track != new.track or old.t1 != new.t0 or distance(old.xy, new.xy) > par.UNTOUCHED_MM:
        return False
    since, until = old.seen_to - par.READING_BEFORE_S, new.t0 + par.SLACK_S
    near = any(hand.over(new.xy, par.READING_REACH_MM) for hand in hands.between(since, until))
    return not near and hands.blind(since, until) is None


def _joined(run: Sequence[ChipDwell]) -> ChipDwell:
    looks = sum(dwell.n for dwell in run)
    values = {dwell.cents: sum(same.n for same in run if same.cents == dwell.cents) for dwell in run}
    best = max(values, key=lambda cents: values[cents])
    first, last = run[0], run[-1]
    return replace(
        first,
        cents=best if values[best] >= par.READING_MOST_SHARE * looks else None,
        t1=last.t1,
        seen_to=last.seen_to,
        n=looks,
        p=max(dwell.p for dwell in run),
        mean=sum(dwell.mean * dwell.n for dwell in run) / looks,
        seldom=all(dwell.seldom for dwell in run),
        faces=tuple(face for dwell in run for face in dwell.faces),
    )
