"""Checks of the first button: drawn by high card, ties by suit (09-04(8))."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from verifier.domain.events import CardRevealed, CardsInspected, TableState
from verifier.law import say
from verifier.law.instances import Instance, judged
from verifier.law.poker.checking import full, hand_check
from verifier.law.poker.deck import lead
from verifier.law.poker.hand import PokerHand
from verifier.law.poker.presence import present_before

RANDOM, SUIT = full("8-first-button-random"), full("8-suit-tiebreak")
_RANKS, _SUITS = "23456789TJQKA", "cdhs"


@hand_check("8-first-button-random", "8-suit-tiebreak")
def first_button(hand: PokerHand) -> Iterator[Instance]:
    """Check that the button goes to the highest card of one dealt to each player. Equal ranks go by suit: spades,
    hearts, diamonds.
    """
    if hand.draw_move is None:
        yield from _without_draw(hand)
        return
    counts = Counter(card.to for card in hand.drawn)
    here = present_before(hand)
    missed = sorted(set(here or ()) - set(counts))
    wrong = [seat for seat, n in counts.items() if n != 1] + missed
    yield judged(
        RANDOM,
        not wrong,
        at=wrong[0] if wrong else None,
        key="cards",
        events=hand.drawn,
        incident="button draw",
        expected="one card is dealt to each player for the button",
        observed=say.that("not so for {wrong}", wrong=say.listed(", ", map(say.place, wrong))),
    )
    if not wrong:
        yield _winner(hand)


def _winner(hand: PokerHand) -> Instance:
    assert hand.draw_move is not None
    texts = {card.to: card.card for card in hand.drawn}
    for event in hand.game.events[: hand.game.events.index(hand.draw_move)]:
        if isinstance(event, CardRevealed) and event.at in texts and "?" in texts[event.at]:
            texts[event.at] = event.card
    known = [text for text in texts.values() if text[0] != "?"]
    top = max((_RANKS.index(text[0]) for text in known), default=-1)
    tied = [seat for seat, text in texts.items() if text[0] == "?" or _RANKS.index(text[0]) == top]
    right: bool | None = hand.draw_move.to in tied
    sure = len(known) == len(texts)
    clause = RANDOM
    if sure and len(tied) > 1:
        clause = SUIT
        if all(texts[seat][1] != "?" for seat in tied):
            right = hand.draw_move.to == max(tied, key=lambda seat: _SUITS.index(texts[seat][1]))
        elif right:
            right = None
    elif not sure and right:
        right = None
    return judged(
        clause,
        right,
        at=hand.draw_move.to,
        key="winner",
        events=[*hand.drawn, hand.draw_move],
        expected="the highest card gets the button (spades, hearts, diamonds, clubs where ranks are equal)",
        observed=say.that(
            "{draw_move} got it with {texts}",
            draw_move=say.place(hand.draw_move.to),
            texts=texts.get(hand.draw_move.to, "no card"),
        ),
    )


def _without_draw(hand: PokerHand) -> Iterator[Instance]:
    """Check that the button was drawn in the first hand after the table opened in the log, at a site that draws for
    it.
    """
    before = lead(hand)
    opened = any((isinstance(e, TableState) and e.state == "open") or isinstance(e, CardsInspected) for e in before)
    if hand.game.previous is not None or not opened or hand.house.poker_button_draw != "high_card":
        return
    if hand.moved is None and not hand.blinds:
        return
    whole = any(isinstance(e, TableState) and e.state == "open" for e in before)
    yield judged(
        RANDOM,
        False if whole else None,
        at=hand.moved.to if hand.moved else None,
        events=[hand.moved, hand.first_card],
        expected="the first button is drawn by high card",
        observed="no card was dealt for the button",
    )
