"""Who sat at the table when a hand began."""

from __future__ import annotations

from collections.abc import Iterable

from verifier.domain.events import ChipsReturned, PlayerPresence, WagerPlaced
from verifier.law.poker.beginning import antes_seen, blinds_seen
from verifier.law.poker.hand import PokerHand, hand_of
from verifier.law.poker.hand_facts import facts_of
from verifier.law.poker.rounds import PokerRound


def present_before(hand: PokerHand) -> frozenset[str] | None:
    """Seats that were occupied when the hand began: the site's list, less those who left, plus those who came. None
    where the log does not tell."""
    known = ("poker seats after",)
    chain: list[PokerRound] = []
    game: PokerRound | None = hand.game.previous
    while game is not None and known not in game.memo:
        chain.append(game)
        game = game.previous
    seats = game.memo[known] if game is not None else _configured(hand)
    assert seats is None or isinstance(seats, frozenset)
    for past in reversed(chain):
        seats = past.memo[known] = _seats_after(seats, hand_of(past), whole=True)
    return _seats_after(seats, hand, whole=False)


def _configured(hand: PokerHand) -> frozenset[str] | None:
    """Return the site's list of seats at the log's start."""
    return frozenset(hand.house.seats) if hand.house.seats else None


def _seats_after(seats: frozenset[str] | None, view: PokerHand, *, whole: bool) -> frozenset[str] | None:
    """Occupied seats after a hand, or at its first card."""
    if seats is None:
        return None
    for event in view.events:
        if not whole and event is view.first_card:
            break
        if isinstance(event, PlayerPresence):
            places = set(event.at or ()) | {f"seat:{n}" for n in event.spaces or ()}
            seats = seats | places if event.phase == "arrive" else seats - places
    return seats


def perhaps_all_in(hand: PokerHand) -> frozenset[str]:
    """Players who posted an ante or blind and never acted: with stacks unknown, it may have been their last chip."""
    betting = hand.betting
    posted = {e.at for e in hand.events if isinstance(e, WagerPlaced) and e.kind in ("ante", "blind")}
    acted = {act.seat for street in betting.streets for act in street.acts}
    known = betting.stacks.keys() - betting.unsure
    posted = posted if blinds_seen(hand) and antes_seen(hand) else set(hand.live)
    return frozenset((posted & set(hand.live)) - acted - known - betting.all_in)


LOOK_BACK = 20
"""Hands for which it is remembered that a player had lost the last chip (project policy)."""


def out_of_chips(hand: PokerHand) -> frozenset[str]:
    """Seats not dealt in since they lost their last chip; whether they are still there is not known."""
    gone: set[str] = set()
    since: set[str] = set()
    game = hand.game.previous
    for _ in range(LOOK_BACK):
        if game is None:
            break
        view = hand_of(game)
        won = {award.at for award in view.awards}
        gone |= {s for s in view.betting.all_in if s not in won and s not in since and _lost_all(view, s)}
        since |= set(view.seats)
        game = game.previous
    return frozenset(gone)


def perhaps_left(hand: PokerHand, seats: Iterable[str]) -> dict[str, bool]:
    """Return which of the seats that were not dealt in may have been left; True where one was left before this hand.

    Where chips alone tell of the betting, nobody tells who leaves or has lost the last chip. Who is dealt in in the
    hand before and in the next one had not left; who was left out before may have come back. Of a log's only hand the
    site's list tells.
    """
    log = hand.game.log
    here = next((index for index, game in enumerate(log) if game.previous is hand.game.previous), 0)
    if not hand.by_chips or len(log) == 1:
        return {}
    before, after = (
        {seat for game in games for seat in facts_of(game).seats} for games in (log[:here][-1:], log[here + 1 :][:1])
    )
    left_before = {seat: here > 0 and seat not in before for seat in seats}
    return {seat: left for seat, left in left_before.items() if left or seat not in after}


def _lost_all(view: PokerHand, seat: str) -> bool:
    """Tell whether nothing of an all-in player's chips came back."""
    return bool(view.awards) and not any(isinstance(e, ChipsReturned) and e.at == seat for e in view.events)
