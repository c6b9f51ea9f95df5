"""Cards that lie face up in the shoe are burned, not dealt (99-01.3-08-08(2), 12(1))."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from verifier.domain.cards import Card
from verifier.domain.events import CardBurned, CardDealt, CardRevealed
from verifier.law import say
from verifier.law.instances import Instance, judged
from verifier.law.readings import same_card
from verifier.law.registry import session_check
from verifier.law.say import Said
from verifier.law.session import Session
from verifier.law.shoes import at_round, shoe_burns

FACE_UP_SHOE = "ND-08-12.1-faceup-in-shoe"
LOADED = "ND-08-08.2-load-facedown"
SHOE = "shoe"
Drawn = CardDealt | CardBurned


@session_check(FACE_UP_SHOE, LOADED, statute=True)
def face_up_in_shoe(session: Session) -> Iterator[Instance]:
    """Check that a card found face up in the shoe is burned before another card is drawn."""
    found = face_up_cards(session)
    drawn = drawn_cards(session) if found else []
    for seen in found:
        following = [card for card in drawn if card.t_end > seen.t_end]
        if not following and (session.from_pixels or not _over(session, seen)):
            continue
        right, fate = _burned(seen, following)
        clause, other = (LOADED, FACE_UP_SHOE) if seen.round is None else (FACE_UP_SHOE, LOADED)
        instance = judged(
            clause,
            right,
            at=SHOE,
            key=seen.id,
            events=[seen, *([fate] if fate else [])],
            also=[other],
            expected="a card found face up in the shoe is burned",
            observed=say.that("{card} lay face up in the shoe and ", card=say.card(seen.card)) + _words(right, fate),
        )
        yield at_round(instance, seen if fate is None or seen.round is not None else fate)


def drawn_cards(session: Session) -> list[Drawn]:
    """Cards that left the shoe, dealt or burned, in order."""
    return sorted([*session.of(CardDealt), *shoe_burns(session)], key=lambda card: (card.t_end, card.t_start))


def face_up_cards(session: Session) -> list[CardRevealed]:
    """Cards whose face was seen while they were still in the shoe."""
    return [event for event in session.of(CardRevealed) if event.how == "shoe_mouth" or event.at == SHOE]


def _over(session: Session, seen: CardRevealed) -> bool:
    """Tell whether the round in which a card was seen is complete, so that no burn of it can follow there."""
    return any(game.number == seen.round and game.closed for game in session.rounds)


def _burned(seen: CardRevealed, following: Sequence[Drawn]) -> tuple[bool | None, Drawn | None]:
    """Tell whether the card that was seen is burned, and the record that tells; the next card drawn should be that one.

    Another card that was burned in its stead leaves it in the shoe: dealt next, it was not burned.
    """
    for card in following[:2]:
        same = may_be(card, seen)
        if isinstance(card, CardBurned) and same is not False:
            return True, card
        if isinstance(card, CardDealt):
            return (None if same is False and _burned_later(seen, following) else False), card
    return (None, following[0]) if following else (False, None)


def _burned_later(seen: CardRevealed, following: Sequence[Drawn]) -> bool:
    return any(isinstance(card, CardBurned) and may_be(card, seen) for card in following)


def may_be(card: Drawn, seen: CardRevealed) -> bool | None:
    """Tell whether a drawn card is the one that was seen; None where one of the two was not read."""
    if "?" in (card.card[0], seen.card[0]):
        return None
    return same_card(card.card, Card.parse(seen.card))


def _words(right: bool | None, fate: Drawn | None) -> Said | str:
    if isinstance(fate, CardDealt):
        return say.that(
            "{card} was dealt to {fate}",
            card=say.card(fate.card) if fate.card != "??" else "the next card",
            fate=say.place(fate.to),
        )
    return "whether it was burned is not to be told" if right is None else "was not burned"
