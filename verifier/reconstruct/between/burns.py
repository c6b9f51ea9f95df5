"""Burned cards: face down from the shoe to the discard holder, between rounds."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from verifier.domain.events import CardBurned, Shuffle
from verifier.reconstruct.scene import UNSURE_P, BackSeen, Between, event
from verifier.reconstruct.table.runs import runs_of

PICKED_UP_SECONDS, FETCHED_SECONDS = 0.9, 4.0
"""For so long after a round its last cards are put away, and before a shuffle the discards are fetched."""
APART_SECONDS = 0.3
"""Hands that are at the shoe and at the discard holder within this time cover or bare them: one look that shows a back
there is no proof of a card then, nor is none."""
ARRIVES_SECONDS, SHOWN_SECONDS, SHOWN_LOOKS = 0.5, 2.0, 3
"""A burned card's face is seen in the holder this often, within this time of its arrival and not sooner before it."""
ONE_BURN_SECONDS = 1.5
"""A card in the discard holder that is lost from sight and seen again so soon is one; another takes longer to come."""

HELD_MM = 80.0
"""A card on its way lies under, or this near to, a hand of the dealer's."""
BURN_SECONDS = 1.2
"""A card is drawn and burned within this time at least."""


def burns_of(between: Between, shuffles: Sequence[Shuffle]) -> list[CardBurned]:
    """A face-down card that comes to the discard holder from the shoe's side."""
    table = between.table
    if "discard" not in table.zones:
        return []
    at_holder = [back for back in between.backs if table.near(back.xy, "discard", 25.0)]
    on_way = [back for back in between.backs if _held(between, back)]
    found = []
    for t0, t1, n in runs_of([back.t for back in at_holder], ONE_BURN_SECONDS):
        if any(_shuffling(s, t0, t1) for s in shuffles) or t0 - between.start < 0.3:
            continue
        coming = [
            back
            for back in on_way
            if t0 - 2.2 <= back.t < t0 + 0.15 and not table.near(back.xy, "discard", 25.0) and back.xy[0] < 550.0
        ]
        if not coming and n < 3:
            continue
        mean = sum(back.p for back in at_holder if t0 <= back.t <= t1) / n
        p = min(0.97, mean + (0.1 if coming else 0.0)) if n >= 2 else 0.65 if _carried(between, t0) else 0.45
        begin = min((back.t for back in coming), default=t0 - 1.0)
        found.append(event(CardBurned, begin, t0 + 0.05, p, card="??", face_shown=False))
    burns = found + _carried_to_discard(between, shuffles, found)
    burns += _unlooked(between, shuffles, burns)
    return [_with_face(between, burn) for burn in burns]


def _with_face(between: Between, burn: CardBurned) -> CardBurned:
    """The burn with its card, where a face lies in the discard holder from then on that had not lain there before."""
    before = [face for face in between.faces if burn.t_start - SHOWN_SECONDS <= face.t < burn.t_end - ARRIVES_SECONDS]
    after = [face.card for face in between.faces if abs(face.t - burn.t_end) <= SHOWN_SECONDS]
    if before or len(after) < SHOWN_LOOKS:
        return burn
    return replace(burn, card=max(after, key=after.count), face_shown=True)


def _shuffling(shuffle: Shuffle, t0: float, t1: float) -> bool:
    """Whether the cards were being fetched for a shuffle, or mixed."""
    return shuffle.t_start - FETCHED_SECONDS < t1 and t0 < shuffle.t_end


def _held(between: Between, back: BackSeen) -> bool:
    """Whether a hand of the dealer's may hold a card: print, players' chips and sleeves pass for backs elsewhere."""
    hands = between.hands.between(back.t - 0.01, back.t + 0.01, "dealer")
    return not between.hands.known or any(hand.over(back.xy, HELD_MM) for hand in hands)


def _carried(between: Between, t: float) -> bool:
    """Whether a hand of the dealer's came from the shoe, where none is any more, to the discard holder about `t`."""
    table, hands = between.table, between.hands
    at = any(table.near(hand.tip, "discard", 60.0) for hand in hands.between(t - 0.4, t + 0.6, "dealer"))
    shoe = [hand.t for hand in hands.between(t - 2.4, t, "dealer") if table.near(hand.tip, "shoe", 70.0)]
    return at and bool(shoe) and t - shoe[-1] >= APART_SECONDS


def _carried_to_discard(between: Between, shuffles: Sequence[Shuffle], found: Sequence[CardBurned]) -> list[CardBurned]:
    """Burns whose card was not seen in the holder: from the shoe, a back on the way, a hand at the holder.

    Without a sight of the card on its way, and of the hand's stay, it is weak evidence.
    """
    table, hands = between.table, between.hands
    at = [
        h.t
        for h in hands.between(between.start + PICKED_UP_SECONDS, between.end, "dealer")
        if table.near(h.tip, "discard", 30.0)
    ]
    burns = []
    for t, until, _ in runs_of(at, 0.6):
        known = any(abs(t - one.t_end) < 2.0 for one in found) or any(_shuffling(s, t, t) for s in shuffles)
        shoe = [h.t for h in hands.between(t - 2.4, t, "dealer") if table.near(h.tip, "shoe", 70.0)]
        if known or not shoe:
            continue
        there = [u for u in at if t <= u <= until]
        seen = [back for back in between.backs if shoe[0] <= back.t <= t + 0.1]
        held = [back for back in seen if _held(between, back)]
        both = t - shoe[-1] < APART_SECONDS
        if not seen and both:
            continue
        unsure = both or (not held and len(there) < 2)
        p = 0.8 if len(held) >= 2 else UNSURE_P if unsure else 0.6 if held else 0.55
        burns.append(event(CardBurned, shoe[0], t, p, card="??", face_shown=False, occluded=p < 0.5))
    return burns


def _unlooked(between: Between, shuffles: Sequence[Shuffle], found: Sequence[CardBurned]) -> list[CardBurned]:
    """A weak burn where one may have been missed: a back went from the shoe, then nobody looked; or not for long."""
    gap = between.hands.blind(between.start + PICKED_UP_SECONDS, between.end)
    if gap is None or any(one.t_start < gap[1] and gap[0] < one.t_end for one in found):
        return []
    if any(_shuffling(s, *gap) for s in shuffles):
        return []
    hands = between.hands.between(gap[0] - 2.4, gap[0], "dealer")
    shoe = [hand.t for hand in hands if between.table.near(hand.tip, "shoe", 70.0)]
    coming = [back.t for back in between.backs if shoe and shoe[0] <= back.t <= gap[0]]
    if not coming and gap[1] - gap[0] < BURN_SECONDS:
        return []
    return [event(CardBurned, min([gap[0], *coming]), gap[1], UNSURE_P, card="??", face_shown=None, occluded=True)]
