"""What a chip is worth that reads now as one value, now as another, though nobody touched it: one reading is wrong."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from verifier.reconstruct import parameters as par
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.resting.chip_stays import ChipStay
from verifier.reconstruct.scene import RoundScene
from verifier.reconstruct.table.zones import distance


def lasting_values(scene: RoundScene) -> RoundScene:
    """Return the round with one dwell, of one value or none, for each chip that only seemed to change."""
    if not scene.hands.known:
        return scene
    return replace(scene, stays={number: one_value(scene.hands, stays) for number, stays in scene.stays.items()})


def one_value(hands: HandLog, stays: Sequence[ChipStay]) -> list[ChipStay]:
    """Return the dwells, where those of an untouched chip are one."""
    runs: list[list[ChipStay]] = []
    for stay in sorted(stays, key=lambda stay: (stay.life, stay.t0)):
        if runs and _untouched(hands, runs[-1][-1], stay):
            runs[-1].append(stay)
        else:
            runs.append([stay])
    return sorted((_joined(run) if len(run) > 1 else run[0] for run in runs), key=lambda stay: stay.t0)


def _untouched(hands: HandLog, old: ChipStay, new: ChipStay) -> bool:
    if old.life != new.life or old.t1 != new.t0 or distance(old.xy, new.xy) > par.UNTOUCHED_MM:
        return False
    since, until = old.seen_to - par.READING_BEFORE_S, new.t0 + par.SLACK_S
    near = any(hand.over(new.xy, par.READING_REACH_MM) for hand in hands.between(since, until))
    return not near and hands.blind(since, until) is None


def _joined(run: Sequence[ChipStay]) -> ChipStay:
    looks = sum(stay.n for stay in run)
    values = {stay.cents: sum(same.n for same in run if same.cents == stay.cents) for stay in run}
    best = max(values, key=lambda cents: values[cents])
    first, last = run[0], run[-1]
    return replace(
        first,
        cents=best if values[best] >= par.READING_MOST_SHARE * looks else None,
        t1=last.t1,
        seen_to=last.seen_to,
        n=looks,
        p=max(stay.p for stay in run),
        mean=sum(stay.mean * stay.n for stay in run) / looks,
        seldom=all(stay.seldom for stay in run),
        faces=tuple(face for stay in run for face in stay.faces),
    )
