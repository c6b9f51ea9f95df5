"""Decisions whose signal was not to be seen, for nobody looked.

What nobody could see is no evidence that it was left out. Where a hand got a card, or play went on from it, without a
signal, and the window between was not wholly watched, a weak signal is written: it decides nothing alone. So it is
where the space's chips went out of sight and no hand was seen over them, for somebody leant over the player's side;
where a player's hand was lost from sight there; and where no hands are seen at all, as with another detector's
observations. Nobody decides where the reader tells of the dealer's natural.
"""

from __future__ import annotations

import math
from itertools import pairwise

from verifier.domain.events import HandSignal
from verifier.reconstruct import parameters as par
from verifier.reconstruct.dealt_hands import CardHand, Layout
from verifier.reconstruct.gestures.visits import visits
from verifier.reconstruct.leaning import hidden_at
from verifier.reconstruct.scene import Drafts, RoundScene, event
from verifier.reconstruct.table.zones import distance


def unseen_signals(scene: RoundScene, layout: Layout, signals: Drafts, turn: float) -> Drafts:
    """Weak `hand_signal` events for decisions without a signal that may have been missed."""
    if not scene.hands.known and not any(scene.dwells.values()):
        return []  # cards alone: nobody is asked for signals where no wager is known
    seen = [draft for draft in signals if isinstance(draft, HandSignal) and not draft.weak]
    if not seen and _over_at_once(scene, layout):
        return []
    drafts: Drafts = []
    for number in scene.table.spaces:
        for hand in layout.space(number):
            left = sorted((one for one in seen if one.at == hand.place), key=lambda one: one.t_start)
            for first, t1, meaning in _decisions(layout, hand, turn):
                t0 = scene.hands.look_before(first) - par.UNSEEN_SIGNAL_LATE_S
                told = [
                    one
                    for one in left
                    if one.t_end >= t0
                    and one.t_start <= t1 - par.VISIT_COMES_S
                    and (one.meaning == meaning or one.t_start > t0 + par.UNSEEN_SIGNAL_LATE_S)
                ]
                left = [one for one in left if one not in told[:1]]  # one gesture asks for one card
                missed = None if told else _unwatched(scene, number, t0, t1)
                if missed is not None:
                    drafts.append(
                        event(
                            HandSignal,
                            *missed,
                            par.WEAK_P,
                            at=hand.place,
                            meaning=meaning,
                            occluded=True,
                        )
                    )
    return drafts


def _over_at_once(scene: RoundScene, layout: Layout) -> bool:
    """Tell whether the reader told of the dealer's natural: then nobody decides, and nobody got a further card."""
    natural = scene.reader and any(hand.natural for hand in layout.space(0))
    return natural and all(len(hand.cards) <= 2 for hand in layout.hands if hand.number)


def _unwatched(scene: RoundScene, number: int, t0: float, t1: float) -> tuple[float, float] | None:
    """Return a stretch of [t0, t1] in which a gesture at a space was not to be seen."""
    if not scene.hands.known:
        return t0, max(t0, t1)
    hidden = scene.hands.blind(t0, t1) or hidden_at(scene, number, t0, t1)
    return hidden or lost_at(scene, number, t0 + par.UNSEEN_SIGNAL_LATE_S, t1)


def _decisions(layout: Layout, hand: CardHand, turn: float) -> list[tuple[float, float, str]]:
    """Return a hand's decisions (first detection of the card before, what followed, meaning): hits, and the stand at
    last.
    """
    times = [card.t_rest for card in hand.cards]
    if len(times) < 2:
        return []
    windows = [(before.t_first, after.t_rest, "hit") for before, after in pairwise(hand.cards[1:])]
    later = [d.card.t_rest for d in layout.dealings if d.hand.number and d.hand is not hand]
    dealt = max([t for t in later if t <= _initial_end(layout)], default=0.0)
    since = max(times[-1], dealt)
    begun = since if dealt > times[-1] else hand.cards[-1].t_first
    after = [d.card.t_rest for d in layout.dealings if (d.hand.number, d.hand.index) > (hand.number, hand.index)]
    moved_on = min([t for t in after if t > since], default=math.inf)
    return [*windows, (begun, min(turn, moved_on), "stand")]


def _initial_end(layout: Layout) -> float:
    """When each space had its first two cards."""
    seconds = []
    for number in {d.hand.number for d in layout.dealings if d.hand.number}:
        seconds += [d.card.t_rest for d in layout.dealings if d.hand.number == number][1:2]
    return max(seconds, default=0.0)


# A player's hand that goes out of sight where signals are made


def lost_at(scene: RoundScene, number: int, t0: float, t1: float) -> tuple[float, float] | None:
    """Return a stretch of [t0, t1] since a player's hand was lost at a space, amid what may have been a gesture."""
    spot = scene.table.spaces[number]
    for visit in visits(scene, spot, t0, t1):
        if len(visit.hands) < par.TWICE_LOOKS:
            continue
        last = visit.hands[-1]
        out = sum((b - a) * o for a, b, o in zip(spot.wager, last.xy, spot.outward, strict=True))
        later = scene.hands.between(last.t + par.INSTANT_S, min(t1, last.t + par.HAND_MISSING_S), "player")
        seen = min((hand.t for hand in later if distance(hand.xy, last.xy) <= par.LOST_HAND_AWAY_MM), default=t1)
        if out <= par.LOST_HAND_OUT_MM and seen - last.t > par.HAND_LOST_S:
            return last.t, min(seen, last.t + par.HAND_MISSING_S)
    return None
