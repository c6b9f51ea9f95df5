"""Stud: who leads by the cards that lie face up. The rule has the player left of the dealer open (09-04(10)); by the
custom of the game the low card brings in and later the best board leads. Either is taken as lawful."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from verifier.law.poker.cards import Cards

_ORDER = "23456789TJQKA"


def leading(cards: Cards, seats: Sequence[str], street: int, *, low: bool) -> tuple[str, ...]:
    """Seats that lead by what shows on a street (0 is the first); all tied ones, and all where a card was not read.

    In a low game tables differ in whether the best high or the best low board leads, so that both do.
    """
    boards = {seat: _up(cards, seat, street) for seat in seats}
    if any(board is None for board in boards.values()):
        return tuple(seats)
    lead: set[str] = set()
    for aces_low in (False, True) if low else (False,):
        scores = {seat: _score(board or "", low=aces_low) for seat, board in boards.items()}
        highest = (street == 0) == aces_low
        wanted = (max if highest else min)(scores.values(), default=())
        lead |= {seat for seat, score in scores.items() if score == wanted}
    return tuple(seat for seat in seats if seat in lead)


def _up(cards: Cards, seat: str, street: int) -> str | None:
    """Ranks of the seat's cards that lie up by this street; None where one was not read."""
    up = [card.dealt.card for card in cards.held(seat)[: 3 + street] if card.dealt.face == "up"]
    return None if any(text[0] == "?" for text in up) else "".join(text[0] for text in up)


def _score(ranks: str, *, low: bool) -> tuple[tuple[int, ...], ...]:
    """How many cards share a rank, then the ranks themselves (aces low in a low game)."""
    order = "A" + _ORDER[:-1] if low else _ORDER
    groups = sorted(((n, order.index(rank)) for rank, n in Counter(ranks).items()), reverse=True)
    return tuple(n for n, _ in groups), tuple(rank for _, rank in groups)
