"""Spaces that got no card or only one, and cards that may not be touched or kept (99-01.3-08-11(2), 12(1)-(3))."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from verifier.domain.cards import COLOURS_OF_SUITS, Card
from verifier.domain.events import (
    CardBurned,
    CardReplaced,
    CardRevealed,
    CardsMoved,
    CardsPlayedBack,
    PlayerPresence,
    Touch,
)
from verifier.law.hands import hand_key
from verifier.law.instances import Instance, judged
from verifier.law.money import moved
from verifier.law.readings import CERTAIN_RANK, same_card
from verifier.law.registry import round_check, session_check
from verifier.law.rounds import Round
from verifier.law.session import Session

NO_CARDS = "ND-08-12.2-no-cards-inactive"
ONE_CARD = "ND-08-12.2-one-card-option"
SWITCHED = "ND-08-11.2-no-switch-card"
TOUCH = "ND-08-11.2-no-card-touch"
SEVEN = "ND-08-01.2-max-seven-players"


DWELL = 1.5
"""Seconds that a hand rests on a card which it does not move before that is a touch (site policy)."""


@round_check(NO_CARDS, ONE_CARD, statute=True)
def inactive_space(game: Round) -> Iterator[Instance]:
    """A wagered space without cards, or whose only card was burned, is neither paid nor collected."""
    if game.deal_end is None:
        return
    for hand in game.hands:
        if hand.key[1] or "original" not in hand.stakes or len(hand.cards) >= 2 or hand.split:
            continue
        actual = moved(game, hand)
        settled = bool(actual.payoffs or actual.collections)
        if not game.closed and not settled:
            continue
        one = bool(hand.dealt)
        right: bool | None = not settled
        if not game.bets_seen and not right:
            right = None
        yield judged(
            ONE_CARD if one else NO_CARDS,
            right,
            at=hand.place,
            events=[*hand.stakes["original"].placed, *hand.dealt, *actual.events],
            expected=f"{hand.place} is inactive this round and its wager is left alone",
            observed=f"{hand.place} had {len(hand.dealt)} card(s) and {actual.text()}",
        )


@session_check(ONE_CARD, statute=True)
def one_card_burned(session: Session) -> Iterator[Instance]:
    """The card of a space that got but one is burned; of a recording the second card may have been missed."""
    for game in session.rounds:
        if game.deal_end is None or not (game.opened and game.bets_seen and game.closed) or game.jumped:
            continue
        for hand in game.hands:
            alone = not hand.key[1] and len(hand.dealt) == 1 == len(hand.cards) and not hand.split
            stake = hand.stakes.get("original")
            if not alone or stake is None or stake.improper or moved(game, hand).events:
                continue
            other = any(burn.t_end >= hand.dealt[0].t_end for burn in game.shoe_burns)
            unsure = session.from_pixels or game.card_missing or other
            yield msgspec.structs.replace(
                judged(
                    ONE_CARD,
                    None if unsure else False,
                    at=hand.place,
                    key="burned",
                    events=[*stake.placed, *hand.dealt],
                    expected=f"{hand.place}, which got one card, gets a second one last, or its card is burned",
                    observed=f"{hand.place} kept its one card and got no second",
                ),
                round=game.number,
            )


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
            observed=f"a player touched a card of {touch.at} at {touch.t_start:.1f} s"
            + (" and moved it" if touch.displaced else ""),
        )
    yield judged(TOUCH, True)


@round_check(SWITCHED, partial="keep")
def card_switched(game: Round) -> Iterator[Instance]:
    """A player's card keeps its identity from the deal to the pick-up."""
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
            observed=f"{event.card} showed at {event.at}, which was dealt {hand.text()}",
        )


@session_check(SWITCHED)
def suit_switched(session: Session) -> Iterator[Instance]:
    """A player's card keeps its suit; how surely a detector read a suit is not in a log."""
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
                observed=f"{event.card} showed at {event.at}, which was dealt " + ", ".join(c.card for c in like),
            )
            yield msgspec.structs.replace(instance, round=game.number)


@round_check(SWITCHED, partial="keep")
def card_moved_away(game: Round) -> Iterator[Instance]:
    """A player's card does not go to another space."""
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
                observed=f"a card of {event.from_} was moved to {event.to}",
            )


@round_check(SWITCHED, partial="keep")
def card_replaced(game: Round) -> Iterator[Instance]:
    """No card becomes another in its place; of the dealer's own the text is silent, which leaves it open."""
    for event in game.of(CardReplaced):
        if not _suit(event):
            yield _replaced(game, event, breach=event.at != "dealer")


@session_check(SWITCHED)
def suit_replaced(session: Session) -> Iterator[Instance]:
    """Nor one of its suit alone; a detector may take a suit for the other one of its colour."""
    for game in session.rounds:
        for event in game.of(CardReplaced):
            if _suit(event):
                found = _replaced(game, event, breach=event.at != "dealer" and not session.from_pixels)
                yield msgspec.structs.replace(found, round=game.number)


def _suit(event: CardReplaced) -> bool:
    """Whether only the suit changed, to the other one of its colour."""
    before, after = Card.parse(event.card_before), Card.parse(event.card_after)
    return before.rank == after.rank is not None and {before.suit, after.suit} in COLOURS_OF_SUITS


def _replaced(game: Round, event: CardReplaced, *, breach: bool) -> Instance:
    """A lawful exchange where the first card was burned or the cards were played back (12(8), 12(12))."""
    right = True if _explained(game, event) else (False if breach else None)
    return judged(
        SWITCHED,
        right,
        at=event.at,
        key=event.id,
        events=[event],
        expected=f"the {event.card_before} that lies at {event.at} lies there until its hand is taken up",
        observed=f"{event.card_before} lay at {event.at} until {event.t_start:.1f} s, and {event.card_after} in its "
        f"place from {event.t_end:.1f} s on; who exchanged them was not seen",
    )


def _explained(game: Round, event: CardReplaced) -> bool:
    before = Card.parse(event.card_before)
    burned = any(
        burn.t_end >= event.t_start and before.rank is not None and same_card(burn.card, before)
        for burn in game.of(CardBurned)
    )
    return burned or any(played.t_start <= event.t_end for played in game.of(CardsPlayedBack))


@round_check(SEVEN, partial="keep")
def seven_players(game: Round) -> Iterator[Instance]:
    """At most seven spaces are in play."""
    spaces = {hand.key[0] for hand in game.hands if hand.has_wager}
    if spaces:
        yield judged(SEVEN, len(spaces) <= 7, observed=f"{len(spaces)} spaces in play")


@session_check(SEVEN)
def seven_present(session: Session) -> Iterator[Instance]:
    """No eighth player arrives before another has left."""
    seated: list[PlayerPresence] = []
    for event in session.of(PlayerPresence):
        if event.phase == "leave":
            seated = [s for s in seated if not set(s.spaces or ()) & set(event.spaces or ())]
            continue
        if event.weak:
            continue
        seated.append(event)
        yield judged(
            SEVEN,
            len(seated) <= 7 or (None if session.from_pixels else False),
            key=event.id,
            events=seated,
            expected="at most seven players are at the table",
            observed=f"{len(seated)} players were at the table",
        )
