"""Cards that a player's hand moved where they lay, which 99-01.3-08-11(2) forbids; the dealer moves them to split."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from verifier.domain.events import Touch
from verifier.reconstruct import parameters as par
from verifier.reconstruct.dealt_hands import CardHand
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.resting.card_tracks import CardTrack
from verifier.reconstruct.scene import RoundScene, event
from verifier.reconstruct.table.detections import HandDetection
from verifier.reconstruct.table.zones import Xy, distance


def touch_of(scene: RoundScene, hands: Iterable[CardHand], visit: Sequence[HandDetection]) -> Touch | None:
    """Return the touch of a card of these hands that lay elsewhere after a player's hand had been at it in `visit`."""
    t0, t1 = visit[0].t, visit[-1].t
    for hand in hands:
        for card in hand.cards:
            before = [xy for xy, since, _ in card.dwells if since < t1]
            after = [xy for xy, since, _ in card.dwells if t0 + par.SLACK_S < since <= t1 + par.TOUCH_LATER_S]
            if not before or not after or card.t_rest > t0 + par.TWO_LOOKS_S:
                continue
            met = any(detection.over(before[0], par.TOUCH_MET_MM) for detection in visit)
            shift = distance(before[0], after[-1])
            dealer = scene.hands.owner_at(before[0], t0, t1, par.TOUCH_DEALER_MM) == "dealer"
            far = shift >= par.TOUCH_SPLIT_MM and not slipped(scene.hands, card, t1 + par.TOUCH_LATER_S)
            if met and not dealer and shift > par.TOUCH_SHIFT_MM and not far:
                return event(Touch, t0, t1, par.SEEN_P, by="player", object="card", at=hand.place, displaced=True)
    return None


def slipped(hands: HandLog, card: CardTrack, until: float) -> bool:
    """Tell whether a card's last move before `until` is too short to part it from another, and a player's hand
    made it.
    """
    moves = [(a, b) for a, b in zip(card.dwells, card.dwells[1:], strict=False) if b[1] <= until]
    return bool(moves) and _by_player(hands, *moves[-1])


def _by_player(hands: HandLog, old: tuple[Xy, float, float], new: tuple[Xy, float, float]) -> bool:
    if not par.TOUCH_SHIFT_MM < distance(old[0], new[0]) < par.TOUCH_APART_MM:
        return False
    near = [
        hand
        for hand in hands.between(old[2] - par.TWO_LOOKS_S, new[1] + par.SLACK_S)
        if hand.over(old[0], par.TOUCH_MET_MM)
    ]
    return bool(near) and all(hand.owner == "player" for hand in near)
