"""Shuffles: by the backs of the cards, or where these are not found, by the hands alone."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from verifier.domain.events import Shuffle
from verifier.reconstruct import parameters as par
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.scene import Between, event
from verifier.reconstruct.table.detections import HandDetection
from verifier.reconstruct.table.runs import runs_of
from verifier.reconstruct.table.zones import TableMap, distance


def shuffles_by_backs(between: Between) -> list[Shuffle]:
    """Both hands over the inner area while cards lie there face down, in most looks two packs or more of them.

    It begins and ends with cards that are surely there: a print that passes for a back shows before and after, too.
    """
    backs = [back for back in between.backs if between.table.within(back.xy, "inner", "dealer")]
    found = []
    for t0, last, _ in runs_of(sorted({back.t for back in backs if back.p >= par.SURE_CARD_LOOK_P}), par.SHUFFLE_GAP_S):
        t1 = _until_reached(between, t0, last)
        shown = [back.t for back in backs if t0 <= back.t <= t1]
        least = max(par.SHUFFLE_LEAST_LOOKS, par.SHUFFLE_SEEN_SHARE * between.hands.frames(t0, t1))
        if len(set(shown)) >= least and len(shown) >= par.SHUFFLE_BACKS * len(set(shown)):
            found += mixed_by_hand(between.hands, between.table, t0, t1, scope=None)
    return found


def mixed_by_hand(hands: HandLog, table: TableMap, t0: float, t1: float, scope: str | None) -> list[Shuffle]:
    """Return the shuffle of cards that show from `t0` to `t1`, where hands of the dealer's work upon them in most
    looks.
    """
    busy = {hand.t for hand in hands.between(t0, t1, "dealer") if table.near(hand.tip, "inner", par.SHUFFLE_HANDS_MM)}
    share = len(busy) / max(1, hands.frames(t0, t1))
    p = min(par.BEST_P, par.SHUFFLE_LEAST_P + par.SHUFFLE_SHARE_P * share)
    long = t1 - t0 >= par.SHUFFLE_S and share >= 0.5
    return [event(Shuffle, t0, t1, p, method="hand", scope=scope)] if long else []


def _until_reached(between: Between, t0: float, t1: float) -> float:
    """Return the end of a shuffle whose cards lie on in sight: a player reaches in to cut them."""
    inner = [
        hand.t
        for hand in between.hands.between(t0 + par.SHUFFLE_S, t1, "player")
        if between.table.near(hand.tip, "inner", par.SHUFFLE_HANDS_MM)
    ]
    return min((a for a, _, n in runs_of(inner, par.RUN_GAP_S) if n >= par.SURE_LOOKS), default=t1)


def shuffles_by_hands(between: Between, known: Sequence[Shuffle]) -> list[Shuffle]:
    """Return the shuffles beside those `known`: both hands move on over the inner area for some seconds.

    Nothing else than mixing cards keeps both so busy. The print of a back may be unlike all that detectors have learnt.
    Hands alone do not show what they handle, so such a record is too unsure to accuse anybody. Chips or notes that show
    there in many looks tell of an exchange.
    """
    found = []
    for t0, t1, right, left in _both(between):
        steps = [t0 + i / 2 for i in range(int(2 * (t1 - t0)) - 1)]
        busy = [t for t in steps if min(_moved(hands, t) for hands in (left, right)) >= par.SHUFFLE_MOVED_MM]
        for begun, last, _ in runs_of(busy, par.SHUFFLE_REST_S):
            ended = _until_reached(between, begun, last + 1.0)
            if ended - begun >= par.SHUFFLE_BY_HANDS_S and not _money(between, begun, ended):
                found.append(event(Shuffle, begun, ended, par.SHUFFLE_BY_HANDS_P, method="hand", scope=None))
    return [one for one in found if not any(_meet(one, other) for other in known)]


def _money(between: Between, t0: float, t1: float) -> bool:
    """Tell whether chips or notes show over the inner area in many of the looks of a stretch."""
    seen = {chip.t for chip in between.glimpses} | {look.t for look in between.bills if look.bills}
    return sum(t0 <= t <= t1 for t in seen) > par.SHUFFLE_MONEY_SHARE * between.hands.frames(t0, t1)


def _both(between: Between) -> Iterator[tuple[float, float, list[HandDetection], list[HandDetection]]]:
    """Yield the stretches in which both of the dealer's hands are over the inner area, with the right and the left."""
    there = [
        hand
        for hand in between.hands.between(between.start, between.end, "dealer")
        if between.table.near(hand.tip, "inner", par.SHUFFLE_HANDS_MM)
    ]
    right, left = ([hand for hand in there if hand.side == side] for side in ("right", "left"))
    both = sorted({hand.t for hand in right} & {hand.t for hand in left})
    for t0, t1, _ in runs_of(both, par.RUN_GAP_S):
        yield t0, t1, [hand for hand in right if t0 <= hand.t <= t1], [hand for hand in left if t0 <= hand.t <= t1]


def _moved(hands: Sequence[HandDetection], since: float) -> float:
    """Return the way (mm) of a hand in the second that begins at `since`."""
    own = [hand.xy for hand in hands if since <= hand.t < since + 1.0]
    return sum(distance(a, b) for a, b in itertools.pairwise(own))


def _meet(one: Shuffle, other: Shuffle) -> bool:
    return one.t_start <= other.t_end and other.t_start <= one.t_end
