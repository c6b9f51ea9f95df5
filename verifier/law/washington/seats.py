"""Seats and the players who deal and bank in turn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from verifier.domain.events import CardDealt, PlayerPresence
from verifier.law.rounds import Round
from verifier.law.session import Session


@dataclass(frozen=True, eq=False)
class Reign:
    """Consecutive rounds of one dealer/banker; `start` is the index of the first round."""

    seat: str
    start: int
    rounds: tuple[Round, ...]


def dealer_of(game: Round) -> str | None:
    """Return the seat of the round's dealer/banker; None where no card names it."""
    return next((card.dealer for card in game.of(CardDealt) if card.dealer), None)


def reigns(session: Session) -> list[Reign]:
    """Return the dealers of the log in order. Rounds whose dealer is not named belong to the one before."""
    found: list[tuple[str, int, list[Round]]] = []
    for index, game in enumerate(session.rounds):
        seat = dealer_of(game)
        if found and seat in (None, found[-1][0]):
            found[-1][2].append(game)
        elif seat is not None:
            found.append((seat, index, [game]))
    return [Reign(seat, start, tuple(games)) for seat, start, games in found]


def number(seat: str) -> int:
    """Return the number of a seat; 0 for any other text."""
    kind, _, rest = seat.partition(":")
    return int(rest) if kind == "seat" and rest.isdigit() else 0


def occupied(session: Session, t: float) -> list[str] | None:
    """Return the occupied seats at a time, clockwise; None where the log does not tell who sat at the start."""
    if session.house.seats is None:
        return None
    found = set(session.house.seats)
    for event in session.of(PlayerPresence):
        if event.t_end > t:
            break
        places = set(event.at or ())
        found = found | places if event.phase == "arrive" else found - places if event.phase == "leave" else found
    return sorted(found, key=number)


def clockwise(seats: Iterable[str], seat: str) -> list[str]:
    """Return the other seats clockwise from a seat: the first is at its left, the last at its right."""
    row = sorted((s for s in seats if s != seat), key=number)
    after = [s for s in row if number(s) > number(seat)]
    return [*after, *(s for s in row if number(s) < number(seat))]


def seat_of_space(session: Session, game: Round, space: int) -> str | None:
    """Return the seat that a betting space belongs to; None where it cannot be told."""
    dealer, seats = dealer_of(game), occupied(session, game.events[0].t_start)
    row = clockwise(seats, dealer) if dealer and seats else []
    return row[space - 1] if 0 < space <= len(row) else None
