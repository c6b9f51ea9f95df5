"""Checks of how a hand is concluded: pots are awarded after the game is played out (09-04(26))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.law.instances import Instance, judged
from verifier.law.poker.cards import FULL_HAND
from verifier.law.poker.checking import full, hand_check
from verifier.law.poker.hand import PokerHand
from verifier.law.poker.replay import STUD

AWARDS = full("26-dealer-awards")


@hand_check("26-dealer-awards")
def concluded(hand: PokerHand) -> Iterator[Instance]:
    """A pot is awarded when one hand is left, or when all cards are out and the betting is over."""
    if not hand.awards or hand.called_off or not hand.initial:
        return
    first = hand.awards[0]
    contested = len([s for s in hand.live if s not in hand.gave_up]) > 1
    missing = _missing(hand) if contested else ""
    owing = [street for street in hand.streets if street.short and street is hand.streets[-1]]
    yield judged(
        AWARDS, not missing, at=first.at, events=[first], observed=f"the pot was awarded before {missing}",
        expected="the pot is awarded when the game is played to its conclusion", incident="award early",
        also=[full("10-match-or-raise")] if owing and missing else [],
    )  # fmt: skip
    total = sum(award.cents or 0 for award in hand.awards)
    known = not hand.betting.unsure and all(award.cents is not None for award in hand.awards)
    put_in = sum(hand.betting.paid.values())
    if known and hand.betting.streets and total > put_in:
        yield judged(
            AWARDS, None, at=first.at, key="sum", events=hand.awards, expected="what is awarded was put into the pot",
            observed="more was awarded than was seen to be put in",
        )  # fmt: skip


def _missing(hand: PokerHand) -> str:
    """What was still to come when the pot was awarded."""
    before = hand.award_position
    board = [c for c in hand.cards.board if hand.position(c.dealt) < before]
    if hand.variant in ("holdem", "omaha") and len(board) < 5:
        return f"the board was complete ({len(board)} cards)"
    if hand.variant == STUD:
        counts = [hand.cards.count(seat) for seat in hand.live if seat not in hand.gave_up]
        if max(counts, default=FULL_HAND[STUD]) < FULL_HAND[STUD]:
            return "all seven cards were dealt"
    return ""
