"""Dropped cards, and cards drawn in error that nobody saw (99-01.3-08-12(6)-(7))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.events import CardBurned, CardDealt
from verifier.law.entries import plain
from verifier.law.fold import UNSEEN_ERRORS
from verifier.law.instances import Instance, judged
from verifier.law.registry import round_check
from verifier.law.rounds import Round

DROPPED = "ND-08-12.6-dropped-card"
NEXT_CARD = "ND-08-12.7-unexposed-error-card"


@round_check(DROPPED, NEXT_CARD, statute=True, partial="keep")
def stray_cards(game: Round) -> Iterator[Instance]:
    """Check that a card dropped off the table is burned, and that one drawn in error that nobody saw is the next
    card.
    """
    for burn in game.of(CardBurned):
        reason = plain(burn.reason or "")
        if "drop" in reason:
            yield judged(DROPPED, True, key=burn.id)
        elif burn.face_shown is False and burn.card == "??" and reason in UNSEEN_ERRORS:
            yield judged(
                NEXT_CARD,
                False,
                at="shoe",
                key=burn.id,
                events=[burn],
                expected="a card drawn in error that nobody saw is used as the next card",
                observed="it was burned",
                incident=f"unseen {burn.id}",
            )
    for card in game.of(CardDealt):
        if card.to == "hand" and card.face == "down":
            burned = [b for b in game.of(CardBurned) if b.t_start >= card.t_end and b.card == "??"]
            later = [c for c in game.of(CardDealt) if c.t_start >= card.t_end and c.to != "hand"]
            if later or burned:
                right = not burned or bool(later and later[0].t_end <= burned[0].t_start)
                yield judged(
                    NEXT_CARD,
                    right,
                    at="shoe",
                    key=card.id,
                    events=[card, *burned[:1]],
                    expected="a card drawn in error that nobody saw is used as the next card",
                    observed="it was burned",
                    incident=f"unseen {burned[0].id}" if burned else None,
                )
