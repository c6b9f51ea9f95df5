"""How collected chips went to the tray: the next arrival there of a hand of the dealer's."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from verifier.domain.events import ChipsCollected, ChipsFromTray, ChipsToTray
from verifier.reconstruct.scene import UNSURE_P, Drafts, RoundScene, event
from verifier.reconstruct.table.sights import HandSight
from verifier.reconstruct.table.zones import distance

TRAY_SECONDS, TRAY_MM = 5.0, 25.0
SWEEP_SECONDS = 3.0
"""A sweep goes on to the next stake within this time."""
VISIT_GAP, BOTH_SECONDS = 0.35, 0.7
"""A hand lost for so long is still at the tray; to put chips down and take others it is there for longer than this."""
STOP_MM = 12.0
LIES_SECONDS = 0.3
"""A hand that was at the tray so shortly before the other one took chips lies there: it has none to put down."""
ARRIVES_SECONDS, ARRIVES_LOOKS = 0.6, 4
"""A hand that hurries to the tray is there within this time; so many looks in it show whether it came."""
HURRY_MM = 60.0
"""A hand that comes this much nearer to the dealer from one look to the next is on its way to the tray."""


def tray_events(scene: RoundScene, drafts: Iterable[object]) -> Drafts:
    """After collections, the next arrival of a dealer's hand at the tray; where none is seen, a weak record."""
    drafts = list(drafts)
    taken = sorted((d for d in drafts if isinstance(d, ChipsCollected) and d.to == "hand"), key=lambda d: d.t_end)
    fetched = [d.t_end for d in drafts if isinstance(d, ChipsFromTray)]
    result: Drafts = []
    batch: list[ChipsCollected] = []
    for one, after in zip_longest(taken, taken[1:]):
        batch.append(one)
        following = after.t_start if after is not None else math.inf
        at, p = _at_tray(scene, one, min(following, one.t_end + TRAY_SECONDS), fetched)
        if at is None:
            if following - one.t_end <= SWEEP_SECONDS:
                continue
            at, p = one.t_end + 0.5, UNSURE_P
        unseen = scene.hands.blind(batch[0].t_start, at)
        if unseen is None and one.hand is None:  # nobody was seen to take them
            unseen = (one.t_start, one.t_end + 0.15)
        if unseen is not None:  # they may have been put away then
            result.append(event(ChipsToTray, *unseen, UNSURE_P, cents=None, origin="settlement", occluded=True))
        result.append(event(ChipsToTray, at, at + 0.15, p, cents=None, hand=one.hand, origin="settlement"))
        batch = []
    return result


def _at_tray(scene: RoundScene, one: ChipsCollected, t1: float, fetched: Sequence[float]) -> tuple[float | None, float]:
    """When a dealer's hand was at the tray, or was last seen hurrying there, with the probability of it.

    A visit too short to put chips down and take others that it brings back (at the times of `fetched`) leaves it open.
    """
    there = next((hand.t for hand in _arriving(scene, one, t1)), math.inf)
    hurrying = min((t for t in _hurrying(scene, one.t_end, t1) if t < there), default=math.inf)
    if there < math.inf and there < hurrying + 0.4:
        left = _leaves_tray(scene, there)
        brief = left - there < BOTH_SECONDS and any(there - 0.1 <= t <= left + 0.3 for t in fetched)
        return there, UNSURE_P if brief else 0.9
    return (None, 0.0) if math.isinf(hurrying) else (hurrying + 0.15, 0.75)


def _arriving(scene: RoundScene, one: ChipsCollected, t1: float) -> Iterator[HandSight]:
    """Sights of the dealer's hands at the tray since chips were taken, without those of the other hand, not the one
    that took them, while it lies there."""
    lies = {
        hand.side
        for hand in scene.hands.between(one.t_end - LIES_SECONDS, one.t_end, "dealer")
        if one.hand not in (None, hand.side) and scene.table.near(hand.tip, "tray", TRAY_MM)
    }
    for hand in scene.hands.between(one.t_end, t1, "dealer"):
        there = scene.table.near(hand.tip, "tray", TRAY_MM)
        lies -= set() if there else {hand.side}
        if there and hand.side not in lies:
            yield hand


def _leaves_tray(scene: RoundScene, t: float) -> float:
    """The last sight of a dealer's hand at the tray, in the visit that `t` is in."""
    for hand in scene.hands.between(t, t + TRAY_SECONDS, "dealer"):
        if hand.t > t + VISIT_GAP:
            break
        if scene.table.near(hand.tip, "tray", TRAY_MM):
            t = hand.t
    return t


def _hurrying(scene: RoundScene, t0: float, t1: float) -> list[float]:
    """Times at which a dealer's hand was close above the tray and fast on its way down to it."""
    hands = list(scene.hands.between(t0 - 0.3, t1, "dealer"))
    return [
        b.t
        for a in hands
        for b in hands
        if b.t >= t0
        and 0.0 < b.t - a.t <= 0.2
        and b.side == a.side
        and b.tip[1] - a.tip[1] > HURRY_MM
        and scene.table.near(b.tip, "tray", 180.0)
        and not _stops(hands, b)
        and not _seen_on(scene, b)
    ]


def _seen_on(scene: RoundScene, hand: HandSight) -> bool:
    """Whether a hand was seen in every look for a while on: had it gone to the tray, it would have been seen there."""
    looks = scene.hands.times_between(hand.t + 0.01, hand.t + ARRIVES_SECONDS)
    seen = {one.t for one in scene.hands.between(hand.t, hand.t + ARRIVES_SECONDS, "dealer") if one.side == hand.side}
    return len(looks) >= ARRIVES_LOOKS and all(t in seen for t in looks)


def _stops(hands: Sequence[HandSight], hand: HandSight) -> bool:
    """Whether a hand rests where it came: the dealer's hands lie before the tray between two acts."""
    later = [one for one in hands if one.side == hand.side and 0.0 < one.t - hand.t <= 0.2]
    return bool(later) and distance(later[0].tip, hand.tip) < STOP_MM
