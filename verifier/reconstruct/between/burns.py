"""Burned cards: face down from the shoe to the discard holder, between rounds."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from verifier.domain.events import CardBurned, Shuffle
from verifier.reconstruct import parameters as par
from verifier.reconstruct.scene import BackSeen, Between, event
from verifier.reconstruct.table.runs import runs_of


def burns_of(between: Between, shuffles: Sequence[Shuffle]) -> list[CardBurned]:
    """Return the burns: face-down cards that come to the discard holder from the shoe's side."""
    table = between.table
    if "discard" not in table.zones:
        return []
    at_holder = [back for back in between.backs if table.near(back.xy, "discard", par.DISCARD_MM)]
    on_way = [back for back in between.backs if _held(between, back)]
    found = []
    for t0, t1, n in runs_of([back.t for back in at_holder], par.ONE_BURN_S):
        if any(_shuffling(s, t0, t1) for s in shuffles) or t0 - between.start < par.FIRST_LOOKS_S:
            continue
        coming = [
            back
            for back in on_way
            if t0 - par.BURN_BEFORE_S <= back.t < t0 + par.BURN_AFTER_S
            and not table.near(back.xy, "discard", par.DISCARD_MM)
            and back.xy[0] < par.BURN_RIGHTMOST_MM
        ]
        if not coming and n < par.SURE_LOOKS:
            continue
        mean = sum(back.p for back in at_holder if t0 <= back.t <= t1) / n
        p = (
            min(par.BEST_P, mean + (par.SLACK_P if coming else 0.0))
            if n >= 2
            else par.BURN_CARRIED_P
            if _carried(between, t0)
            else par.WEAK_P
        )
        begin = min((back.t for back in coming), default=t0 - 1.0)
        found.append(event(CardBurned, begin, t0 + par.MARK_S, p, card="??", face_shown=False))
    burns = found + _carried_to_discard(between, shuffles, found)
    burns += _unlooked(between, shuffles, burns)
    return [_with_face(between, burn) for burn in burns]


def _with_face(between: Between, burn: CardBurned) -> CardBurned:
    """Return the burn with its card, where a face lies in the discard holder from then on that had not lain there
    before.
    """
    before = [
        face for face in between.faces if burn.t_start - par.BURN_SHOWN_S <= face.t < burn.t_end - par.BURN_ARRIVES_S
    ]
    after = [face.card for face in between.faces if abs(face.t - burn.t_end) <= par.BURN_SHOWN_S]
    if before or len(after) < par.SURE_LOOKS:
        return burn
    return replace(burn, card=max(after, key=after.count), face_shown=True)


def _shuffling(shuffle: Shuffle, t0: float, t1: float) -> bool:
    """Tell whether the cards were being fetched for a shuffle, or mixed."""
    return shuffle.t_start - par.BURN_FETCHED_S < t1 and t0 < shuffle.t_end


def _held(between: Between, back: BackSeen) -> bool:
    """Tell whether a hand of the dealer's may hold a card: print, players' chips and sleeves pass for backs
    elsewhere.
    """
    hands = between.hands.between(back.t - par.INSTANT_S, back.t + par.INSTANT_S, "dealer")
    return not between.hands.known or any(hand.over(back.xy, par.BURN_HELD_MM) for hand in hands)


def _carried(between: Between, t: float) -> bool:
    """Tell whether a hand of the dealer's came from the shoe, where none is any more, to the discard holder about
    `t`.
    """
    table, hands = between.table, between.hands
    at = any(
        table.near(hand.tip, "discard", par.BURN_AT_MM)
        for hand in hands.between(t - par.BURN_AT_BEFORE_S, t + par.BURN_AT_AFTER_S, "dealer")
    )
    shoe = [
        hand.t
        for hand in hands.between(t - par.BURN_DRAWN_S, t, "dealer")
        if table.near(hand.tip, "shoe", par.DEALT_SHOE_MM)
    ]
    return at and bool(shoe) and t - shoe[-1] >= par.BURN_APART_S


def _carried_to_discard(between: Between, shuffles: Sequence[Shuffle], found: Sequence[CardBurned]) -> list[CardBurned]:
    """Burns whose card was not seen in the holder: from the shoe, a back on the way, a hand at the holder.

    Without a detection of the card on its way, and of the hand's dwell, it is weak evidence.
    """
    table, hands = between.table, between.hands
    at = [
        h.t
        for h in hands.between(between.start + par.BURN_PICKED_UP_S, between.end, "dealer")
        if table.near(h.tip, "discard", par.BURN_IN_MM)
    ]
    burns = []
    for t, until, _ in runs_of(at, par.RUN_GAP_S):
        known = any(abs(t - one.t_end) < 2.0 for one in found) or any(_shuffling(s, t, t) for s in shuffles)
        shoe = [
            h.t
            for h in hands.between(t - par.BURN_DRAWN_S, t, "dealer")
            if table.near(h.tip, "shoe", par.DEALT_SHOE_MM)
        ]
        if known or not shoe:
            continue
        there = [u for u in at if t <= u <= until]
        seen = [back for back in between.backs if shoe[0] <= back.t <= t + par.SLACK_S]
        held = [back for back in seen if _held(between, back)]
        both = t - shoe[-1] < par.BURN_APART_S
        if not seen and both:
            continue
        unsure = both or (not held and len(there) < 2)
        p = (
            par.BURN_TWO_BACKS_P
            if len(held) >= 2
            else par.WEAK_P
            if unsure
            else par.BURN_ONE_BACK_P
            if held
            else par.BURN_NO_BACK_P
        )
        burns.append(event(CardBurned, shoe[0], t, p, card="??", face_shown=False, occluded=p < 0.5))
    return burns


def _unlooked(between: Between, shuffles: Sequence[Shuffle], found: Sequence[CardBurned]) -> list[CardBurned]:
    """Return a weak burn where one may have been missed: a back left the shoe, and then nobody looked, or not for
    long.
    """
    gap = between.hands.blind(between.start + par.BURN_PICKED_UP_S, between.end)
    if gap is None or any(one.t_start < gap[1] and gap[0] < one.t_end for one in found):
        return []
    if any(_shuffling(s, *gap) for s in shuffles):
        return []
    hands = between.hands.between(gap[0] - par.BURN_DRAWN_S, gap[0], "dealer")
    shoe = [hand.t for hand in hands if between.table.near(hand.tip, "shoe", par.DEALT_SHOE_MM)]
    coming = [back.t for back in between.backs if shoe and shoe[0] <= back.t <= gap[0]]
    if not coming and gap[1] - gap[0] < par.BURN_S:
        return []
    return [event(CardBurned, min([gap[0], *coming]), gap[1], par.WEAK_P, card="??", face_shown=None, occluded=True)]
