"""Checks of the first button: drawn by high card, ties by suit (09-04(8))."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from verifier.domain.events import CardDealt, CardRevealed, CardsInspected, TableState
from verifier.law import say
from verifier.law.instances import Instance, judged
from verifier.law.poker.checking import full, hand_check
from verifier.law.poker.deck import lead
from verifier.law.poker.doubtful import ranks_left
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
    drawn: dict[str, CardDealt | CardRevealed] = {card.to: card for card in hand.drawn}
    for event in hand.game.events[: hand.game.events.index(hand.draw_move)]:
        if isinstance(event, CardRevealed) and event.at in drawn and "?" in drawn[event.at].card:
            drawn[event.at] = event
    texts = {seat: card.card for seat, card in drawn.items()}
    heights = {seat: _heights(card) for seat, card in drawn.items()}
    won = heights.pop(hand.draw_move.to, None)
    right: bool | None = False
    if won is not None and all(won[1] >= low for low, _ in heights.values()):
        right = all(won[0] > high for _, high in heights.values()) or None
    ranks = [text[0] for text in texts.values()]
    by_suit = "?" not in ranks and ranks.count(max(ranks, key=_RANKS.index)) > 1
    clause = SUIT if by_suit else RANDOM
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


def _heights(card: CardDealt | CardRevealed) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return how low and how high a card may be, by rank and then by suit."""
    ranks = sorted(_RANKS.index(rank) for rank in ranks_left(card))
    suits = sorted(_SUITS.index(suit) for suit in (_SUITS if card.card[1] == "?" else card.card[1]))
    return (ranks[0], suits[0]), (ranks[-1], suits[-1])


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
