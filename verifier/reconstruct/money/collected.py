"""How collected chips went to the tray: the next arrival there of a hand of the dealer's."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from verifier.domain.events import ChipsCollected, ChipsFromTray, ChipsToTray
from verifier.reconstruct import parameters as par
from verifier.reconstruct.scene import Drafts, RoundScene, event
from verifier.reconstruct.table.detections import HandDetection
from verifier.reconstruct.table.zones import distance


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
        at, p = _at_tray(scene, one, min(following, one.t_end + par.COLLECT_TRAY_S), fetched)
        if at is None:
            if following - one.t_end <= par.COLLECT_SWEEP_S:
                continue
            at, p = one.t_end + 0.5, par.WEAK_P
        unseen = scene.hands.blind(batch[0].t_start, at)
        if unseen is None and one.hand is None:  # nobody was seen to take them
            unseen = (one.t_start, one.t_end + par.TRAY_RECORD_S)
        if unseen is not None:  # they may have been put away then
            result.append(event(ChipsToTray, *unseen, par.WEAK_P, cents=None, origin="settlement", occluded=True))
        result.append(event(ChipsToTray, at, at + par.TRAY_RECORD_S, p, cents=None, hand=one.hand, origin="settlement"))
        batch = []
    return result


def _at_tray(scene: RoundScene, one: ChipsCollected, t1: float, fetched: Sequence[float]) -> tuple[float | None, float]:
    """When a dealer's hand was at the tray, or was last seen hurrying there, with the probability of it.

    A visit too short to put chips down and take others that it brings back (at the times of `fetched`) leaves it open.
    """
    there = next((hand.t for hand in _arriving(scene, one, t1)), math.inf)
    hurrying = min((t for t in _hurrying(scene, one.t_end, t1) if t < there), default=math.inf)
    if there < math.inf and there < hurrying + par.COLLECT_HURRY_S:
        left = _leaves_tray(scene, there)
        brief = left - there < par.TRAY_BOTH_S and any(
            there - par.SLACK_S <= t <= left + par.THREE_LOOKS_S for t in fetched
        )
        return there, par.WEAK_P if brief else par.SEEN_P
    return (None, 0.0) if math.isinf(hurrying) else (hurrying + par.TRAY_RECORD_S, par.COLLECT_HURRY_P)


def _arriving(scene: RoundScene, one: ChipsCollected, t1: float) -> Iterator[HandDetection]:
    """Yield the detections of the dealer's hands at the tray since chips were taken.

    Those of the other hand, which did not take them, are left out while it lies there.
    """
    lies = {
        hand.side
        for hand in scene.hands.between(one.t_end - par.COLLECT_LIES_S, one.t_end, "dealer")
        if one.hand not in (None, hand.side) and scene.table.near(hand.tip, "tray", par.TRAY_MM)
    }
    for hand in scene.hands.between(one.t_end, t1, "dealer"):
        there = scene.table.near(hand.tip, "tray", par.TRAY_MM)
        lies -= set() if there else {hand.side}
        if there and hand.side not in lies:
            yield hand


def _leaves_tray(scene: RoundScene, t: float) -> float:
    """Return the last detection of a dealer's hand at the tray, in the visit that `t` is in."""
    for hand in scene.hands.between(t, t + par.COLLECT_TRAY_S, "dealer"):
        if hand.t > t + par.TRAY_VISIT_GAP_S:
            break
        if scene.table.near(hand.tip, "tray", par.TRAY_MM):
            t = hand.t
    return t


def _hurrying(scene: RoundScene, t0: float, t1: float) -> list[float]:
    """Return times at which a dealer's hand was close above the tray and fast on its way down to it."""
    hands = list(scene.hands.between(t0 - par.THREE_LOOKS_S, t1, "dealer"))
    return [
        b.t
        for a in hands
        for b in hands
        if b.t >= t0
        and 0.0 < b.t - a.t <= par.TWO_LOOKS_S
        and b.side == a.side
        and b.tip[1] - a.tip[1] > par.COLLECT_HURRY_MM
        and scene.table.near(b.tip, "tray", par.COLLECT_HURRY_TRAY_MM)
        and not _stops(hands, b)
        and not _seen_on(scene, b)
    ]


def _seen_on(scene: RoundScene, hand: HandDetection) -> bool:
    """Tell whether a hand was seen in every look for a while on: had it gone to the tray, it would have been seen
    there.
    """
    looks = scene.hands.times_between(hand.t + par.INSTANT_S, hand.t + par.COLLECT_ARRIVES_S)
    seen = {
        one.t for one in scene.hands.between(hand.t, hand.t + par.COLLECT_ARRIVES_S, "dealer") if one.side == hand.side
    }
    return len(looks) >= par.COLLECT_ARRIVES_LOOKS and all(t in seen for t in looks)


def _stops(hands: Sequence[HandDetection], hand: HandDetection) -> bool:
    """Tell whether a hand rests where it came: the dealer's hands lie before the tray between two acts."""
    later = [one for one in hands if one.side == hand.side and 0.0 < one.t - hand.t <= par.TWO_LOOKS_S]
    return bool(later) and distance(later[0].tip, hand.tip) < par.COLLECT_STOP_MM
