"""The shoe: where it stands, burned cards, the hands that draw and place (Dealing 1, 3 and 4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import msgspec

from verifier.domain.events import CardDealt, Shuffle, ViewCheck
from verifier.law import say
from verifier.law.instances import Instance, judged
from verifier.law.manual.clauses import BURN, NEAREST_HAND, SHOE
from verifier.law.registry import MANUAL, session_check
from verifier.law.session import Session
from verifier.law.shoes import after, shoe_burns

LEAST_SEEN = 3
"""Draws from which the side of the shoe is told (policy of this project); with fewer it is the dealer's left."""


@session_check(SHOE, rulebooks=MANUAL, reads=("view_check",))
def shoe_on_table(session: Session) -> Iterator[Instance]:
    """Check that the dealing shoe is on the table."""
    for check in session.of(ViewCheck):
        regions = check.regions_ok or {}
        if "shoe_face" in regions or "shoe" in regions:
            yield judged(
                SHOE,
                regions.get("shoe_face", regions.get("shoe")),
                key=check.id,
                at="shoe",
                events=[check],
                expected="the shoe stands on the table in view",
                observed="it was not seen there",
            )


@session_check(BURN, rulebooks=MANUAL)
def burned_before_deal(session: Session) -> Iterator[Instance]:
    """After loading at least one card, or as many as the house says, is burned face down before the first deal."""
    burns, least = shoe_burns(session), max(1, session.house.burn_cards or 1)
    for shuffle in session.of(Shuffle):
        cards = after(session.of(CardDealt), shuffle.t_end)
        if not cards or shuffle.scope == "discards":
            continue
        own = [b for b in burns if shuffle.t_end - 0.01 <= b.t_start and b.t_end <= cards[0].t_end]
        shown = [b for b in own if b.face_shown]
        right: bool | None = len(own) >= least
        instance = judged(
            BURN,
            None if right and shown else right,
            key=shuffle.id,
            at="shoe",
            events=[shuffle, *own, cards[0]],
            expected=say.that(
                "at least {least} card{which} burned face down after the shoe is loaded",
                least=least,
                which="s" if least > 1 else "",
            ),
            observed="a burned card was shown, which is for a player to ask"
            if right
            else say.that("{own} were burned", own=len(own)),
        )
        yield msgspec.structs.replace(instance, round=cards[0].round)


@session_check(NEAREST_HAND, rulebooks=MANUAL)
def drawn_and_placed(session: Session) -> Iterator[Instance]:
    """Each card is drawn with the hand next to the shoe and placed with the other."""
    cards = session.of(CardDealt)
    drawn = Counter(card.from_hand for card in cards if card.from_hand in ("left", "right"))
    near = "right" if drawn["right"] > drawn["left"] and drawn.total() >= LEAST_SEEN else "left"
    for card in cards:
        if card.from_hand is None and card.placed_hand is None:
            continue
        parts = [_is(card.from_hand, near), _is(card.placed_hand, "left" if near == "right" else "right")]
        right = False if False in parts else (None if None in parts else True)
        instance = judged(
            NEAREST_HAND,
            right,
            at=card.to,
            key=card.id,
            events=[card],
            expected=say.that(
                "the card is drawn with the {near} hand, next to the shoe, and placed with the other", near=near
            ),
            observed=say.that(
                "the card for {card} was drawn with {from_hand} hand and placed with {placed_hand} hand",
                card=say.place(card.to),
                from_hand=card.from_hand or "an unseen",
                placed_hand=card.placed_hand or "an unseen",
            ),
        )
        yield msgspec.structs.replace(instance, round=card.round)


def _is(hand: str | None, wanted: str) -> bool | None:
    """Tell whether a body hand is the wanted one; a hand that the log leaves out says nothing against it."""
    return True if hand is None else (None if hand == "unknown" else hand == wanted)
