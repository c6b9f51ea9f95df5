"""Checks of the deck: one deck, approval, shuffle, cut, how it is dealt, a defective deck (09-04(2)-(7), (28))."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from verifier.domain.events import (
    AnyEvent,
    CardBurned,
    CardDealt,
    CardRevealed,
    CardsInspected,
    ChipsReturned,
    Cut,
    PotAwarded,
    Shuffle,
    TableState,
)
from verifier.law import say
from verifier.law.instances import Instance, judged
from verifier.law.poker.cards import is_seat
from verifier.law.poker.checking import full, hand_check
from verifier.law.poker.hand import PokerHand

ONE_DECK, APPROVE, SPREAD = full("2-one-deck"), full("4-approve-deck"), full("5-spread")
AFTER_REVIEW, EACH_HAND, CUT = full("5-shuffle-after"), full("6-shuffle-each-hand"), full("6-dealer-cut")
FROM_HAND, TOP, UNDISTURBED = full("7-deal-from-hand"), full("7-top-card"), full("7-order-undisturbed")
DEFECTIVE = full("28-defective-deck")


@hand_check("2-one-deck", partial="keep")
def one_deck(hand: PokerHand) -> Iterator[Instance]:
    """No card shows twice in a hand."""
    twice = duplicates(hand)
    if not twice and any("?" not in text for text, _, _ in _cards_seen(hand)):
        yield judged(ONE_DECK, True)
    refunded = hand.called_off and not hand.awards
    for text, events in twice.items():
        in_time = any(hand.position(e) < hand.award_position for e in events[1:])
        yield judged(
            ONE_DECK,
            None if refunded else False,
            key=text,
            events=events,
            expected="the deck holds each card once",
            observed=say.that("{text} showed in two places", text=text)
            + ("; the wagers were returned" if refunded else ""),
            also=[DEFECTIVE] if in_time and hand.awards else [],
            incident=f"deck {text}",
        )


def duplicates(hand: PokerHand) -> dict[str, list[AnyEvent]]:
    """Cards that were seen as two cards of the hand, with the records of both."""
    places: dict[str, dict[str, AnyEvent]] = defaultdict(dict)
    for text, place, event in _cards_seen(hand):
        if "?" not in text:
            places[text].setdefault(place, event)
    return {text: list(seen.values()) for text, seen in places.items() if len(seen) > 1}


def _cards_seen(hand: PokerHand) -> Iterator[tuple[str, str, AnyEvent]]:
    """Each card seen, with the physical card that it is: a seat's card keeps its identity when it is revealed."""
    removed = {burn.id for _, burn in hand.cards.removed}
    where: dict[str, set[str]] = defaultdict(set)
    for event in hand.events:
        if isinstance(event, CardDealt):
            yield event.card, f"{event.to} {event.id}", event
            where[event.card].add(f"{event.to} {event.id}")
        elif isinstance(event, CardRevealed) and is_seat(event.at):
            own = [place for place in where[event.card] if place.startswith(f"{event.at} ")]
            place = own[0] if own else f"{event.at} shown"
            where[event.card].add(place)
            yield event.card, place, event
        elif isinstance(event, CardBurned) and event.id not in removed and not where[event.card]:
            yield event.card, f"burned {event.id}", event
            where[event.card].add(f"burned {event.id}")


@hand_check("28-defective-deck")
def defective_deck(hand: PokerHand) -> Iterator[Instance]:
    """When a hand is called off for its deck, each player gets back what was put in, and no pot is awarded."""
    if not hand.called_off or "misdeal" in hand.ending:
        return
    named = "deck" in hand.ending or "defect" in hand.ending
    if not named and not duplicates(hand):
        return
    if hand.awards:
        late = any(isinstance(e, ChipsReturned) and hand.position(e) > hand.award_position for e in hand.events)
        yield judged(
            DEFECTIVE,
            None if not late and not named else False,
            at=hand.awards[0].at,
            events=hand.awards,
            expected="with a defective deck the wagers go back; a completed pot stands",
            observed="the pot was awarded" + (" and wagers were returned" if late else ""),
        )
        return
    put_in, back = _money(hand)
    for seat, cents in put_in.items():
        right = None if seat in hand.betting.unsure else back.get(seat, 0) == cents
        yield judged(
            DEFECTIVE,
            right,
            at=seat,
            events=[e for e in hand.events if isinstance(e, ChipsReturned)],
            expected=say.that("{cents} go back to {seat}", cents=say.cents(cents), seat=say.place(seat)),
            observed=say.that("{back} went back", back=say.cents(back.get(seat, 0))),
        )


def _money(hand: PokerHand) -> tuple[dict[str, int], dict[str, int]]:
    """Cents that each seat put in (less uncalled bets returned) and that came back."""
    back: dict[str, int] = defaultdict(int)
    for event in hand.events:
        if isinstance(event, ChipsReturned) and event.reason != "excess":
            back[event.at] += event.cents or 0
    put_in = {seat: cents + back.get(seat, 0) for seat, cents in hand.betting.paid.items()}
    return {seat: cents for seat, cents in put_in.items() if cents or back.get(seat)}, back


def lead(hand: PokerHand) -> tuple[AnyEvent, ...]:
    """Events of the hand before its first card."""
    card = hand.first_card
    return hand.events[: hand.position(card)] if card is not None else ()


@hand_check("4-approve-deck", "5-spread", "5-shuffle-after")
def deck_review(hand: PokerHand) -> Iterator[Instance]:
    """Check that a deck that comes to the table is approved, spread for the players, then shuffled, before it is
    dealt.
    """
    before = lead(hand)
    looks = [e for e in before if isinstance(e, CardsInspected) and e.action != "store"]
    if not looks or hand.first_card is None:
        return
    spreads = [e for e in looks if e.action in ("spread", "review")]
    inspected = [e for e in looks if e.action == "inspect"]
    shuffles = [e for e in before if isinstance(e, Shuffle)]
    opening = hand.game.previous is not None or any(isinstance(e, TableState) and e.state == "open" for e in before)
    first_shuffle = min((hand.position(s) for s in shuffles), default=len(before))
    approved = any(hand.position(e) < first_shuffle for e in inspected)
    yield judged(
        APPROVE,
        True if approved else (False if inspected or opening else None),
        events=[*looks, hand.first_card],
        expected="an employee approves the deck before it is shuffled",
        observed="the deck was inspected after the shuffle" if inspected else "no inspection of the deck was seen",
        incident="deck review",
    )
    spread = any(e.action == "spread" for e in spreads)
    yield judged(
        SPREAD,
        True if spread else None if spreads else False,
        events=[*looks, hand.first_card],
        expected="the dealer spreads the deck face up for the players before play",
        observed="no spread was seen",
        incident="deck review",
    )
    if spreads:
        yield _shuffled(hand, spreads[-1], hand.first_card, shuffles)


def _shuffled(hand: PokerHand, review: CardsInspected, first: CardDealt, shuffles: Sequence[Shuffle]) -> Instance:
    """Tell whether the deck was shuffled after the players' review."""
    return judged(
        AFTER_REVIEW,
        any(hand.position(s) > hand.position(review) for s in shuffles),
        events=[review, first],
        incident="shuffle",
        rank=2,
        expected="the deck is shuffled after the players' review",
        observed="it was dealt without a shuffle",
    )


@hand_check("6-shuffle-each-hand", "6-dealer-cut")
def shuffle_and_cut(hand: PokerHand) -> Iterator[Instance]:
    """Check that the dealer shuffles before each hand and cuts after the shuffle."""
    if hand.first_card is None or not hand.filmed:
        return
    before = lead(hand)
    shuffles = [e for e in before if isinstance(e, Shuffle)]
    whole = [e for e in shuffles if e.scope != "discards"]
    if shuffles or hand.game.previous is not None:
        yield judged(
            EACH_HAND,
            bool(whole),
            events=[*shuffles, hand.first_card],
            incident="shuffle",
            expected="the whole deck is shuffled before each hand",
            observed="only the discards were shuffled" if shuffles else "the hand was dealt without a shuffle",
        )
    yield from _cut(hand, before, shuffles)


def _cut(hand: PokerHand, before: tuple[AnyEvent, ...], shuffles: list[Shuffle]) -> Iterator[Instance]:
    cuts = [e for e in before if isinstance(e, Cut)]
    if not shuffles and not cuts:
        return
    last = hand.position(shuffles[-1]) if shuffles else -1
    after = [e for e in cuts if hand.position(e) > last]
    cut = after[-1] if after else None
    right: bool | None = cut is not None
    if cut is not None:
        right = None if cut.by is None else cut.by == "dealer"
    observed = "the deck was not cut after the shuffle" if cut is None else say.that("{by} cut", by=say.place(cut.by))
    yield judged(
        CUT,
        right,
        events=[*shuffles[-1:], cut, hand.first_card],
        observed=observed,
        expected="the dealer cuts the deck after the shuffle",
    )


@hand_check("7-deal-from-hand", "7-top-card", partial="keep")
def how_dealt(hand: PokerHand) -> Iterator[Instance]:
    """Cards are dealt out of the dealer's hand, from the top of the deck."""
    dealt = [e for e in hand.events if isinstance(e, CardDealt)]
    from_shoe = [e for e in dealt if e.shoe is not None]
    shoe = [e for e in hand.events if isinstance(e, CardRevealed) and (e.how == "shoe_mouth" or e.at == "shoe")]
    if from_shoe or shoe:
        yield judged(
            FROM_HAND,
            False,
            events=[*from_shoe[:3], *shoe],
            expected="cards are dealt out of the dealer's hand",
            observed="cards came out of a shoe",
        )
    elif dealt:
        yield judged(FROM_HAND, True)
    elsewhere = [e for e in dealt if e.source_place == "elsewhere"]
    for card in elsewhere:
        yield judged(
            TOP,
            False,
            at=card.to,
            key=card.id,
            events=[card],
            expected="the card dealt is the top card",
            observed="a card was dealt from elsewhere in the deck",
        )
    if not elsewhere and any(e.source_place == "top" for e in dealt):
        yield judged(TOP, True)


@hand_check("7-order-undisturbed", partial="keep")
def undisturbed(hand: PokerHand) -> Iterator[Instance]:
    """Check that the deck is neither shuffled nor cut from the first card of a hand to its last."""
    dealt = [hand.position(e) for e in hand.events if isinstance(e, CardDealt)]
    if not dealt:
        return
    first = dealt[0] if hand.game.opened else -1
    until = max(dealt[-1], hand.award_position - 1 if hand.awards else 0)
    ends = [hand.position(e) for e in hand.events if isinstance(e, PotAwarded)]
    until = dealt[-1] if not ends else until
    acts = [e for e in hand.events[first + 1 : until + 1] if isinstance(e, Shuffle | Cut)]
    for act in acts:
        some = isinstance(act, Shuffle) and act.scope == "discards" and hand.variant == "five_card_draw"
        yield judged(
            UNDISTURBED,
            None if some else False,
            key=act.id,
            events=[act],
            expected="the order of the deck is not disturbed during the deal",
            observed=say.that(
                "the deck was {which} during the hand", which="shuffled" if isinstance(act, Shuffle) else "cut"
            ),
        )
    if not acts:
        yield judged(UNDISTURBED, True)
