"""The first round of betting where acts are not logged, but chips pushed forward and hands folded are (09-04(10)).

With blinds nobody may check before the big blind: whoever acts pushes chips forward or folds. So it shows who opened,
and who stayed in without a chip. Later, and where antes alone are put in, a player may check, which does not show.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from verifier.domain.events import PlayerAction, WagerPlaced
from verifier.law import say
from verifier.law.instances import Instance, judged
from verifier.law.poker.acts import clockwise
from verifier.law.poker.cards import is_seat
from verifier.law.poker.checking import full, hand_check
from verifier.law.poker.hand import PokerHand
from verifier.law.poker.sequence import irregularities

FIRST, MATCH = full("10-first-round-start"), full("10-match-or-raise")
_AFTER_CHIPS_S: Final = 0.5
_AFTER_FOLD_S: Final = 2.5
"""So much earlier than the player who is due another one acted surely (project policy): a hand that covers cards may
hide when they went."""


@hand_check("10-first-round-start", "10-match-or-raise")
def first_round(hand: PokerHand) -> Iterator[Instance]:
    """Check who opened, and that whoever stayed in put chips forward."""
    small, big = hand.blinds.get("small"), hand.blinds.get("big")
    if not hand.by_chips or hand.misdealt or small is None or big is None or len(hand.seats) < 3:
        return
    if not hand.initial or irregularities(hand).misdeal or not {small.at, big.at} <= set(hand.seats):
        return
    acts = _acts(hand)
    yield from _opened(hand, acts, clockwise(hand.seats, big.at)[0])
    yield from _matched(hand, acts, {small.at, big.at})


def _acts(hand: PokerHand) -> list[WagerPlaced | PlayerAction]:
    """Return the folds, and the chips pushed forward, between the first deal and the next one."""
    further = next((d.cards[0] for d in hand.cards.dealings if d.street > 0), None)
    end = hand.award_position if further is None else min(hand.position(further), hand.award_position)
    between = hand.events[hand.position(hand.initial[-1]) : end]
    chips = (e for e in between if isinstance(e, WagerPlaced) and e.kind == "bet" and is_seat(e.at))
    folds = (e for e in between if isinstance(e, PlayerAction) and e.action == "fold")
    return sorted((*chips, *folds), key=lambda act: act.t_end)


def _opened(hand: PokerHand, acts: list[WagerPlaced | PlayerAction], due: str) -> Iterator[Instance]:
    own = next((act for act in acts if act.at == due), None)
    if own is None:
        return
    first = acts[0]
    if first is own:
        yield judged(FIRST, True, at=due)
        return
    before = _AFTER_CHIPS_S if isinstance(first, WagerPlaced) else _AFTER_FOLD_S
    if own.t_start - first.t_end < before:
        return  # which of the two came first does not show
    yield judged(
        FIRST,
        False,
        at=first.at,
        events=[first, own],
        expected=say.that("{due}, left of the big blind, acts first", due=say.place(due)),
        observed=say.that("{first} acted before", first=say.place(first.at)),
        incident="turn 0",
    )


def _matched(hand: PokerHand, acts: list[WagerPlaced | PlayerAction], blinds: set[str]) -> Iterator[Instance]:
    further = next((d.cards[0] for d in hand.cards.dealings if d.street > 0), None)
    if further is None:
        return
    acted = {act.at for act in acts}
    for seat in hand.seats:
        if seat in blinds or any(act.at == seat and isinstance(act, PlayerAction) for act in acts):
            continue
        yield judged(
            MATCH,
            seat in acted,
            at=seat,
            events=[hand.blinds["big"], further],
            expected=say.that("{seat} matches the big blind, raises or folds", seat=say.place(seat)),
            observed="further cards were dealt, and no chip had been put forward",
            incident=f"match {seat} 0",
        )
