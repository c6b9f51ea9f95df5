"""Ties that the dealer taps: a hand that dwells at a stake which stays as it was."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import median

from verifier.domain.events import ChipsCollected, PushTapped
from verifier.reconstruct import parameters as par
from verifier.reconstruct.leaning import hidden_at
from verifier.reconstruct.money.stakes import Stake
from verifier.reconstruct.scene import Drafts, RoundScene, event
from verifier.reconstruct.table.detections import HandDetection
from verifier.reconstruct.table.zones import Xy, distance


def taps_of_space(scene: RoundScene, ties: Sequence[Stake], since: float) -> Drafts:
    """`push_tapped` of the ties of one space, whose hands lie side by side: as many taps are one of each.

    Where the hand was tells which. Taps at one place leave open which came first: then each may have begun so early.
    """
    single = [draft for stake in ties for draft in tap_events(scene, stake, since)]
    sure = [one for one in single if isinstance(one, PushTapped) and not one.weak]
    runs = _apart_in_time(run for stake in ties for run in _taps(scene, stake.anchor, since))
    if len(ties) < 2 or len(sure) < len(ties) or len(runs) < len(ties):
        return single
    taps = sorted(sorted(runs, key=len)[-len(ties) :], key=lambda run: run[0].t)
    stakes = sorted(ties, key=lambda stake: _along(ties, stake.anchor))
    told = sorted(taps, key=lambda run: _middle(ties, run))
    spots = zip(pairwise(stakes), pairwise(told), strict=True)
    if all(
        _middle(ties, d) - _middle(ties, c) >= par.TAPS_APART_S * (_along(ties, b.anchor) - _along(ties, a.anchor))
        for (a, b), (c, d) in spots
    ):
        pairs = [(run[0].t, run[-1].t, stake) for run, stake in zip(told, stakes, strict=True)]
    else:
        stakes = sorted(ties, key=lambda stake: stake.place)
        pairs = [(taps[0][0].t, run[-1].t, stake) for run, stake in zip(taps, stakes, strict=True)]
    return [event(PushTapped, t0, t1, par.SEEN_P, at=stake.place) for t0, t1, stake in pairs]


def _apart_in_time(runs: Iterable[list[HandDetection]]) -> list[list[HandDetection]]:
    """Stretches of which none overlaps another: of two that do the longer."""
    kept: list[list[HandDetection]] = []
    for run in sorted(runs, key=len, reverse=True):
        if all(run[-1].t < other[0].t or other[-1].t < run[0].t for other in kept):
            kept.append(run)
    return kept


def _along(ties: Sequence[Stake], at: Xy) -> float:
    """How far a point lies along the way from the first hand's stake to the last one's, mm."""
    (x, y), (dx, dy) = ties[0].anchor, ties[-1].anchor
    length = distance(ties[0].anchor, ties[-1].anchor) or 1.0
    return ((at[0] - x) * (dx - x) + (at[1] - y) * (dy - y)) / length


def _middle(ties: Sequence[Stake], run: list[HandDetection]) -> float:
    """Return the same for a hand's fingertips while it was there."""
    return median(_along(ties, hand.tip) for hand in run)


def tap_events(scene: RoundScene, stake: Stake, since: float) -> Drafts:
    """`push_tapped` of a tie; weak where it dwells at the space's wager spot only, not at this hand's stake.

    So it is where the hand was lost from sight there, nobody looked for a while, or somebody leant over the place. A
    stake that had gone from sight before, for good, is not tapped: it may have been missed until the hand took it.
    """
    gone = _dwells(scene, stake.anchor, max(since, _lay_until(scene, stake)))
    if gone:
        t0, t1 = gone[0][0].t, gone[0][-1].t
        return [event(ChipsCollected, t0, t1, par.WEAK_P, kind=stake.kind, at=stake.place, cents=None, to="hand")]
    for at, p in ((stake.anchor, par.SEEN_P), (scene.table.spaces[stake.space].wager, par.WEAK_P)):
        runs = _taps(scene, at, since)
        if runs:
            best = max(runs, key=len)
            return [event(PushTapped, best[0].t, best[-1].t, p, at=stake.place)]
    unseen = (
        scene.hands.blind(since, scene.end)
        or hidden_at(scene, stake.space, since, scene.end)
        or next((lost for run in _dwells(scene, stake.anchor, since) if (lost := _lost(scene, run))), None)
    )
    return [event(PushTapped, *unseen, par.WEAK_P, at=stake.place, occluded=True)] if unseen is not None else []


def _lay_until(scene: RoundScene, stake: Stake) -> float:
    """Return the last look at a stake, also at what shows in its place once the hand that hid a part of it is gone."""
    until = stake.last.t1
    for dwell in sorted(scene.dwells.get(stake.space, ()), key=lambda dwell: dwell.t0):
        same = dwell.cents == stake.last.cents and distance(dwell.xy, stake.last.xy) <= par.SAME_SPOT_MM
        if same and until < dwell.t1 and dwell.t0 - until <= par.TAP_LOST_S:
            until = dwell.t1
    return until


def _taps(scene: RoundScene, at: Xy, since: float) -> list[list[HandDetection]]:
    """Return the dwells at a point that are long enough for a tap."""
    return [run for run in _dwells(scene, at, since) if run[-1].t - run[0].t >= par.TAP_S]


def _dwells(scene: RoundScene, at: Xy, since: float) -> list[list[HandDetection]]:
    """Return the detections of each stretch in which a hand of the dealer's was at a point."""
    runs: list[list[HandDetection]] = []
    for hand in scene.hands.between(since, scene.end, "dealer"):
        if distance(hand.tip, at) >= par.TAP_AT_MM and not hand.over(at, par.TAP_OVER_MM):
            continue
        if not runs or not _stayed(scene, runs[-1][-1], hand):
            runs.append([])
        runs[-1].append(hand)
    return runs


def _stayed(scene: RoundScene, last: HandDetection, hand: HandDetection) -> bool:
    """Tell whether a hand that is seen at a place had not left it since the last detection of one there."""
    gap = hand.t - last.t
    between = scene.hands.between(last.t + par.INSTANT_S, hand.t - par.INSTANT_S, "dealer")
    return gap <= par.HAND_MISSED_S or (gap <= par.TAP_LOST_S and all(other.side != hand.side for other in between))


def _lost(scene: RoundScene, run: list[HandDetection]) -> tuple[float, float] | None:
    """When a hand may have dwelt at a place that was lost from sight there, before or after it was seen."""
    first, last = run[0], run[-1]
    before = scene.hands.between(first.t - par.TAP_LOST_S, first.t - par.INSTANT_S, "dealer")
    after = scene.hands.between(last.t + par.INSTANT_S, last.t + par.TAP_LOST_S, "dealer")
    start = max((other.t for other in before if other.side == first.side), default=first.t - par.TAP_LOST_S)
    end = min((other.t for other in after if other.side == last.side), default=last.t + par.TAP_LOST_S)
    lost = first.t - start > par.HAND_MISSED_S or end - last.t > par.HAND_MISSED_S
    return (start, end) if lost else None
