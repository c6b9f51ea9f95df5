"""Visits of a player's hand to its space: the stretches in which a gesture may be made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from msgspec import Struct

from verifier.reconstruct import parameters as par
from verifier.reconstruct.leaning import hidden_at
from verifier.reconstruct.scene import RoundScene
from verifier.reconstruct.table.detections import HandDetection
from verifier.reconstruct.table.zones import SpaceMap, Xy, distance


class Visit(Struct, frozen=True):
    """A player's hand near its space, in order of time."""

    hands: tuple[HandDetection, ...]

    @property
    def t0(self) -> float:
        return self.hands[0].t

    @property
    def t1(self) -> float:
        return self.hands[-1].t


def visits(
    scene: RoundScene, spot: SpaceMap, t0: float, t1: float, cuts: Sequence[float] = (), parted: Sequence[Xy] = ()
) -> list[Visit]:
    """Stretches in which a player's hand was at the space's wager or cards, cut where a card arrived.

    `parted` has where the cards of further hands of the space lie, after a split.
    """
    runs: list[list[HandDetection]] = []
    out: list[tuple[float, HandDetection]] = []
    for gap, hand in _nearest(scene, spot, t0, t1, parted):
        if gap > par.VISIT_REACH_MM:
            out.append((gap, hand))
            continue
        swung = [one for far, one in out if far <= par.SWING_MM]
        if runs and len(out) - len(swung) < par.TWICE_LOOKS and _goes_on(scene, runs[-1], [*swung, hand], cuts):
            runs[-1] += [*swung, hand]
        else:
            runs.append([hand])
        out = []
    return [Visit(tuple(run)) for run in runs]


def _nearest(
    scene: RoundScene, spot: SpaceMap, t0: float, t1: float, parted: Sequence[Xy]
) -> Iterator[tuple[float, HandDetection]]:
    """Of each look the player's hand that is nearest to the space and nearer to no other, with its distance."""
    others = [s for s in scene.table.spaces.values() if s.number != spot.number]
    for _, hands in groupby(scene.hands.between(t0, t1), key=lambda hand: hand.t):
        gaps = [
            (min(_gap(spot, hand, at) for at in (spot.cards, *parted)), hand)
            for hand in hands
            if hand.owner != "dealer"
        ]
        own = [(gap, hand) for gap, hand in gaps if all(_gap(other, hand, other.cards) >= gap for other in others)]
        if own:
            yield min(own, key=lambda one: one[0])


def _goes_on(
    scene: RoundScene, run: Sequence[HandDetection], hands: Sequence[HandDetection], cuts: Sequence[float]
) -> bool:
    """Tell whether a hand was seen on and on since a visit, and no card came that was not on its way when it began."""
    last = run[-1].t
    cut = any(last < t <= hands[-1].t and run[0].t < t - par.VISIT_COMES_S for t in cuts)
    return not cut and all(b.t - a.t <= par.VISIT_GAP_S or _stayed(scene, a, b) for a, b in pairwise([run[-1], *hands]))


def _stayed(scene: RoundScene, before: HandDetection, after: HandDetection) -> bool:
    """Tell whether nobody looked between two detections of a hand, for a moment, and it is where it was: one
    gesture.
    """
    unlooked = scene.hands.frames(before.t, after.t) == 2 and after.t - before.t <= par.VISIT_UNSEEN_S
    return unlooked and distance(before.tip, after.tip) <= par.VISIT_STILL_MM


def _gap(spot: SpaceMap, hand: HandDetection, at: Xy) -> float:
    """Distance of the fingertips from the line on which a hand of cards at `at` is signalled: from there outward."""
    bx, by = spot.wager[0] - spot.cards[0], spot.wager[1] - spot.cards[1]
    along = (hand.tip[0] - at[0]) * bx + (hand.tip[1] - at[1]) * by
    share = min(1.0, max(0.0, along / (bx * bx + by * by or 1.0)))
    return distance(hand.tip, (at[0] + share * bx, at[1] + share * by))


def seen_in_part(scene: RoundScene, visit: Visit, number: int) -> bool:
    """Tell whether a visit begins or ends where nobody could see whether it went on."""
    edges = ((visit.t0 - par.VISIT_EDGE_S, visit.t0), (visit.t1, visit.t1 + par.VISIT_EDGE_S))
    return any(scene.hands.blind(*edge) or hidden_at(scene, number, *edge) for edge in edges)
