"""Checks of the showdown: who shows first, the order, all-in hands, side pots (09-04(23), (24))."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Final

from verifier.domain.events import CardDealt, CardRevealed, PlayerAction, RoundEnded, WagerPlaced
from verifier.law import say
from verifier.law.instances import Instance, judged
from verifier.law.poker.acts import Street, clockwise
from verifier.law.poker.checking import full, hand_check
from verifier.law.poker.fault import dead_money, stakes_unsure
from verifier.law.poker.hand import PokerHand
from verifier.law.poker.presence import perhaps_all_in

ORDER, CLOCKWISE = full("23-show-order"), full("23.d-clockwise")
DRAW = "five_card_draw"
"""Here the text has hands shown before their players have drawn; whether it means that is open."""
SIDE_FIRST, ALL_IN = full("23.e-side-pot-first"), full("24-all-in-show")


def showings(hand: PokerHand) -> list[tuple[str, CardRevealed | PlayerAction]]:
    """Live hands in the order in which they were shown, with the first event of each showing."""
    found: dict[str, CardRevealed | PlayerAction] = {}
    for event in hand.events:
        if isinstance(event, CardRevealed):
            shows = event.how in ("showdown", "turned", None)
        elif isinstance(event, PlayerAction):
            shows = event.action == "show"
        else:
            continue
        if shows and event.at in hand.live:
            found.setdefault(event.at, event)
    return list(found.items())


def passed_before(hand: PokerHand, event: CardRevealed | PlayerAction) -> frozenset[str]:
    """Live hands that were mucked or conceded before an event."""
    return frozenset(s for s, act in hand.gave_up.items() if hand.position(act) < hand.position(event))


def main_only(hand: PokerHand) -> frozenset[str]:
    """All-in players who have no part in a side pot that others contest."""
    dead = dead_money(hand)
    paid = {seat: hand.betting.paid.get(seat, 0) - dead.get(seat, 0) for seat in hand.live}
    if stakes_unsure(hand) or not hand.any_all_in:
        return frozenset()
    short = frozenset(s for s in hand.live if s in hand.betting.all_in and paid[s] < max(paid.values()))
    beyond = [s for s in hand.live if s not in short or any(paid[s] > paid[o] for o in short)]
    return frozenset(s for s in short if sum(paid[o] > paid[s] for o in beyond) > 1)


def first_to_show(hand: PokerHand) -> tuple[str | None, Street | None]:
    """Who shows first by the betting of the final round, and that round; None where the betting does not tell."""
    streets = [street for street in hand.streets if street.acts]
    if not streets:
        return None, None
    last = streets[-1]
    if last.aggressor is not None:
        return last.aggressor, last
    if last.number == 0 and hand.big_blind:
        return None, last
    return last.acts[0].seat, last


@hand_check("23-show-order", "23.d-clockwise")
def show_order(hand: PokerHand) -> Iterator[Instance]:
    """Check that the last bettor or raiser of the final round shows first, else who acted first, and that the rest
    follow clockwise.
    """
    shown = showings(hand)
    first, street = first_to_show(hand)
    if not hand.filmed or len(hand.live) < 2 or not shown or street is None or _run_out(hand, shown[0][1]):
        return
    aside = main_only(hand)
    if (hand.any_all_in and stakes_unsure(hand)) or perhaps_all_in(hand):
        return  # who plays for the main pot only, and so shows last, is not known
    order = [(seat, event) for seat, event in shown if seat not in aside]
    if not order or (first is None and len(order) < 2):
        return
    seat, event = order[0]
    if first is not None and first in hand.live and first not in aside:
        passed = passed_before(hand, event)
        seats = [s for s in hand.live if s not in aside and s not in passed]
        wanted = first if first in seats else next(iter(clockwise(seats, first)), None)
        yield judged(
            ORDER,
            _first_right(order, wanted),
            at=seat,
            events=[event, street.acts[-1].event],
            expected=say.that("{wanted} shows first", wanted=say.place(wanted)),
            observed=say.that("{seat} showed first", seat=say.place(seat)),
            incident="show order",
            rank=4,
        )
    if len(order) > 2 or (len(order) == 2 and first is None):
        yield from _clockwise(order)


def _at_once(a: CardRevealed | PlayerAction, b: CardRevealed | PlayerAction) -> bool:
    """Tell whether two hands were shown within the very same time: nobody saw which came first."""
    return a.t_start == b.t_start and a.t_end == b.t_end


def _first_right(order: Sequence[tuple[str, CardRevealed | PlayerAction]], wanted: str | None) -> bool | None:
    """Tell whether the hand `wanted` was shown first; None where it was shown at once with another."""
    if wanted is None:
        return True
    first = [seat for seat, event in order if _at_once(event, order[0][1])]
    return None if wanted in first and len(first) > 1 else first[0] == wanted


def _clockwise(order: Sequence[tuple[str, CardRevealed | PlayerAction]]) -> Iterator[Instance]:
    seats = [seat for seat, _ in order]
    wanted = [seats[0], *[s for s in clockwise(seats, seats[0]) if s != seats[0]]]
    yield judged(
        CLOCKWISE,
        None if any(_at_once(a, b) for (_, a), (_, b) in itertools.pairwise(order)) else seats == wanted,
        at=seats[0],
        events=[event for _, event in order],
        expected=say.that("hands are shown clockwise").detail(
            "{wanted}", wanted=say.listed(", ", map(say.place, wanted))
        ),
        observed=say.that("shown {seats}", seats=say.listed(", ", map(say.place, seats))),
    )


def _run_out(hand: PokerHand, event: CardRevealed | PlayerAction) -> bool:
    """Tell whether the hands were shown before the last cards, as all betting was over."""
    dealt = [hand.position(card) for dealing in hand.cards.dealings for card in dealing.cards]
    if dealt and hand.position(event) < max(dealt):
        return True
    last = hand.cards.dealings[-1].street if hand.cards.dealings else 0
    acted = [street.number for street in hand.streets if street.acts]
    return hand.any_all_in and bool(acted) and max(acted) < last


@hand_check("23.e-side-pot-first")
def side_pot_first(hand: PokerHand) -> Iterator[Instance]:
    """Players in a side pot show before those all-in for the main pot only."""
    aside = main_only(hand)
    shown = showings(hand)
    early = [(seat, event) for seat, event in shown if seat in aside]
    side = [(seat, event) for seat, event in shown if seat not in aside]
    if not hand.filmed or not early or not side or _run_out(hand, shown[0][1]) or perhaps_all_in(hand):
        return
    right = hand.position(side[-1][1]) < hand.position(early[0][1])
    yield judged(
        SIDE_FIRST,
        right,
        at=early[0][0],
        events=[early[0][1], side[-1][1]],
        expected="the players in the side pot show before those all-in for the main pot",
        observed=say.that("{early} showed before {side}", early=say.place(early[0][0]), side=say.place(side[-1][0])),
    )


@hand_check("24-all-in-show")
def all_in_show(hand: PokerHand) -> Iterator[Instance]:
    """Once a player is all-in and the betting is over, every hand still in is shown without delay: before further
    cards are dealt and before the pot is awarded. Where the table was not filmed, how late a hand was shown is unknown.
    """
    if not hand.contested or not hand.any_all_in or not (hand.awards or _ended(hand)) or hand.called_off:
        return
    shown = dict(showings(hand))
    further = _dealt_after_betting(hand) if hand.filmed and not hand.betting.unsure else None
    limit = hand.award_position if further is None else min(hand.position(further), hand.award_position)
    for seat in hand.live:
        event = shown.get(seat)
        right: bool | None = event is not None and hand.position(event) < limit
        if not right and not hand.filmed:
            right = None
        if right is False and further is not None and event is not None and hand.variant == DRAW:
            right = None if hand.position(event) < hand.award_position else False
        act = hand.gave_up.get(seat)
        late = event is not None and hand.position(event) < hand.award_position
        yield judged(
            ALL_IN,
            right,
            at=seat,
            events=[act or event, further if late else None, *hand.awards[:1]],
            expected="with a player all-in and the betting complete, all hands are shown without delay, before further "
            "cards are dealt and before the pot is awarded",
            observed=say.that("{seat} ", seat=say.place(seat))
            + (
                "mucked unseen"
                if act
                else "showed after further cards were dealt"
                if late
                else "showed after the award"
                if event
                else "did not show"
            ),
            incident="all-in show" if late else None,
        )


@hand_check("24-all-in-show")
def shown_before_further_cards(hand: PokerHand) -> Iterator[Instance]:
    """Check the same where chips alone tell of the betting: hands that are shown before further cards tell that it was
    over. That a hand had to be shown is sure if all others were: nobody was left to bet against it.
    """
    further, early = shown_early(hand)
    if further is None:
        return
    shown = dict(showings(hand))
    late = [seat for seat in hand.live if seat not in early]
    for seat in hand.live:
        event = shown.get(seat)
        soon = event is not None and event.t_start - further.t_start <= _SHOWN_LATE_S
        yield judged(
            ALL_IN,
            True if seat in early else None if len(late) > 1 or soon else False,
            at=seat,
            events=[*(shown[one] for one in early), further, event],
            expected="with a player all-in and the betting complete, all hands are shown without delay, before further "
            "cards are dealt",
            observed=say.that("{seat} ", seat=say.place(seat))
            + ("showed after further cards were dealt" if event else "did not show"),
        )


_SHOWN_LATE_S: Final = 2.5
"""A hand that is first seen open so long after the next card was shown after it (project policy): hands hide cards."""


def shown_early(hand: PokerHand) -> tuple[CardDealt | None, tuple[str, ...]]:
    """Return the first card that was dealt after two live hands or more were shown, and these hands. None where chips
    were bet between them and the last card, or where the log tells of acts of betting.
    """
    shown = showings(hand)
    if not hand.by_chips or not hand.filmed or hand.called_off or len(shown) < 2:
        return None, ()
    since = hand.position(shown[1][1])
    cards = [card for dealing in hand.cards.dealings for card in dealing.cards if hand.position(card) > since]
    if not cards:
        return None, ()
    further = cards[0]
    until = hand.position(cards[-1])
    if any(isinstance(event, WagerPlaced) and event.kind == "bet" for event in hand.events[since:until]):
        return None, ()
    return further, tuple(seat for seat, event in shown if hand.position(event) < hand.position(further))


def _ended(hand: PokerHand) -> bool:
    return any(isinstance(event, RoundEnded) for event in hand.events)


def _dealt_after_betting(hand: PokerHand) -> CardDealt | None:
    """Return the first card that was dealt after the last act of the betting; None where the betting ended with the
    cards.
    """
    acted = [hand.position(act.event) for street in hand.streets for act in street.acts]
    cards = [card for dealing in hand.cards.dealings for card in dealing.cards]
    return next((card for card in cards if acted and hand.position(card) > max(acted)), None)
