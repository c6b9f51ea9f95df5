"""Cards that may not be touched, switched or kept (99-01.3-08-11(2))."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from verifier.domain.cards import COLOURS_OF_SUITS, Card
from verifier.domain.events import CardBurned, CardReplaced, CardRevealed, CardsMoved, CardsPlayedBack, Touch
from verifier.law import say
from verifier.law.hands import hand_key
from verifier.law.instances import Instance, judged
from verifier.law.readings import CERTAIN_RANK, same_card
from verifier.law.registry import round_check, session_check
from verifier.law.rounds import Round
from verifier.law.say import Said
from verifier.law.session import Session

SWITCHED = "ND-08-11.2-no-switch-card"
TOUCH = "ND-08-11.2-no-card-touch"
_EXCHANGED_BY = {
    None: "who exchanged them was not seen",
    "player": "a player exchanged them",
    "dealer": "the dealer exchanged them",
    "other": "somebody else exchanged them",
}
DWELL = 1.5
"""Seconds that a hand rests on a card which it does not move before that is a touch (site policy)."""


@round_check(TOUCH, partial="keep")
def card_touched(game: Round) -> Iterator[Instance]:
    """No player touches a card."""
    for touch in game.of(Touch):
        if touch.by != "player" or touch.object != "card":
            continue
        right = False if touch.displaced or touch.t_end - touch.t_start >= DWELL else None
        yield judged(
            TOUCH,
            right,
            at=touch.at,
            key=touch.id,
            events=[touch],
            expected="players do not touch cards",
            observed=say.that(
                "a player touched a card of {touch} at {t_start} s",
                touch=say.place(touch.at),
                t_start=say.moment(touch.t_start),
            )
            + (" and moved it" if touch.displaced else ""),
        )
    yield judged(TOUCH, True)


@round_check(SWITCHED, partial="keep")
def card_switched(game: Round) -> Iterator[Instance]:
    """Check that a player's card keeps its identity from the deal to the pick-up."""
    for event in game.of(CardRevealed):
        key = hand_key(event.at) if event.at != "dealer" else None
        hand = game.by_key.get(key) if key else None
        if hand is None or event.card[0] == "?" or event.how == "shoe_mouth" or not game.opened:
            continue
        yield judged(
            SWITCHED,
            any(event.card[0] in card.ranks for card in hand.cards),
            at=event.at,
            key=event.id,
            events=[*(card.dealt for card in hand.cards), event],
            expected="a player's cards stay as they were dealt",
            observed=say.that(
                "{card} showed at {event}, which was dealt {hand}",
                card=say.card(event.card),
                event=say.place(event.at),
                hand=hand.text(),
            ),
        )


@session_check(SWITCHED)
def suit_switched(session: Session) -> Iterator[Instance]:
    """Check that a player's card keeps its suit. A log does not hold how surely a detector read a suit."""
    for game in session.rounds:
        for event in game.of(CardRevealed):
            key, shown = hand_key(event.at) if event.at.startswith("space") else None, Card.parse(event.card)
            if key is None or not (shown.rank and shown.suit) or event.how == "shoe_mouth" or not game.opened:
                continue
            own = [card for hand in game.hands if hand.key[0] == key[0] for card in hand.dealt]
            like = [card for card in own if card.card[0] == shown.rank]
            if not like or any(card.card[0] == "?" or same_card(card.card, shown) for card in own):
                continue
            sure = not session.from_pixels and min(event.p, *(card.p for card in like)) >= CERTAIN_RANK
            instance = judged(
                SWITCHED,
                False if sure else None,
                at=event.at,
                key=f"suit {event.id}",
                events=[*like, event],
                expected="a player's cards stay as they were dealt",
                observed=say.that(
                    "{card} showed at {event}, which was dealt ", card=say.card(event.card), event=say.place(event.at)
                )
                + say.listed(", ", (say.card(c.card) for c in like)),
            )
            yield msgspec.structs.replace(instance, round=game.number)


@round_check(SWITCHED, partial="keep")
def card_moved_away(game: Round) -> Iterator[Instance]:
    """Check that a player's card does not go to another space."""
    for event in game.of(CardsMoved):
        old, new = hand_key(event.from_), hand_key(event.to)
        if old is not None and new is not None and old[0] != new[0]:
            yield judged(
                SWITCHED,
                False,
                at=event.from_,
                key=event.id,
                events=[event],
                expected="a player's cards stay at the player's space",
                observed=say.that(
                    "a card of {event} was moved to {event_2}",
                    event=say.place(event.from_),
                    event_2=say.place(event.to),
                ),
            )


@round_check(SWITCHED, partial="keep")
def card_replaced(game: Round) -> Iterator[Instance]:
    """No card becomes another in its place; of the dealer's own the text is silent, which leaves it open."""
    for event in game.of(CardReplaced):
        if not _suit(event):
            yield _replaced(game, event, breach=event.at != "dealer")


@session_check(SWITCHED)
def suit_replaced(session: Session) -> Iterator[Instance]:
    """Nor one of its suit alone; a detector may take a suit for the other one of its colour.

    A change of suit in a recording may be an exchange. Several tell that this deck's suits are hard to tell apart, so
    all of a recording are one question.
    """
    changed = [(game, event) for game in session.rounds for event in game.of(CardReplaced) if _suit(event)]
    if session.from_pixels:
        changed = [(game, event) for game, event in changed if not _explained(game, event)]
        if changed:
            yield _suits_in_doubt([event for _, event in changed])
        return
    for game, event in changed:
        found = _replaced(game, event, breach=event.at != "dealer")
        yield msgspec.structs.replace(found, round=game.number)


def _suits_in_doubt(events: Sequence[CardReplaced]) -> Instance:
    """Leave open what changed its suit alone; the identity is the same however many of these records hold."""
    found = judged(
        SWITCHED,
        None,
        key="suits",
        events=events,
        expected="a card that lies on the table keeps its suit until its hand is taken up",
        observed=say.that(
            "cards were read as another suit of their colour later: {cards}; this deck's suits may be hard to tell "
            "apart, and who exchanged them was not seen",
            cards=say.listed(", ", [_changed_to(event) for event in events]),
        ),
    )
    return msgspec.structs.replace(found, whole=True)


def _changed_to(event: CardReplaced) -> Said:
    return say.that(
        "{before} at {place} as {after} from {t_end} s on",
        before=say.card(event.card_before),
        place=say.place(event.at),
        after=say.card(event.card_after),
        t_end=say.moment(event.t_end),
    )


def _suit(event: CardReplaced) -> bool:
    """Tell whether only the suit changed, to the other one of its colour."""
    before, after = Card.parse(event.card_before), Card.parse(event.card_after)
    return before.rank == after.rank is not None and {before.suit, after.suit} in COLOURS_OF_SUITS


def _replaced(game: Round, event: CardReplaced, *, breach: bool) -> Instance:
    """Judge the exchange of a card: it is lawful where the first card was burned or the cards were played back (12(8),
    12(12)).
    """
    right = True if _explained(game, event) else (False if breach else None)
    return judged(
        SWITCHED,
        right,
        at=event.at,
        key=event.id,
        events=[event],
        expected=say.that(
            "the {card_before} that lies at {event} lies there until its hand is taken up",
            card_before=say.card(event.card_before),
            event=say.place(event.at),
        ),
        observed=say.that(
            "{card_before} lay at {event} until {t_start} s, and {card_after} in its place from {t_end} s on",
            card_before=say.card(event.card_before),
            event=say.place(event.at),
            t_start=say.moment(event.t_start),
            card_after=say.card(event.card_after),
            t_end=say.moment(event.t_end),
        ).then(_EXCHANGED_BY[event.by]),
        also=[TOUCH] if event.by == "player" else [],
    )


def _explained(game: Round, event: CardReplaced) -> bool:
    before = Card.parse(event.card_before)
    burned = any(
        burn.t_end >= event.t_start and before.rank is not None and same_card(burn.card, before)
        for burn in game.of(CardBurned)
    )
    return burned or any(played.t_start <= event.t_end for played in game.of(CardsPlayedBack))
