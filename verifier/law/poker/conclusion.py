"""Checks of how a hand is concluded: the whole pot is awarded after the game is played out (09-04(26))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.events import ChipsCollected, ChipsPushed, ChipsToTray, RoundEnded, TipDeposited
from verifier.domain.poker import FULL_HAND, STUD
from verifier.law import say
from verifier.law.instances import Instance, judged
from verifier.law.poker.checking import full, hand_check
from verifier.law.poker.hand import PokerHand
from verifier.law.say import Said

AWARDS = full("26-dealer-awards")


@hand_check("26-dealer-awards")
def concluded(hand: PokerHand) -> Iterator[Instance]:
    """Check that a pot is awarded when one hand is left, or when all cards are out and the betting is over."""
    if hand.called_off or not hand.initial:
        return
    if not hand.awards:
        yield from _unawarded(hand)
        return
    first = hand.awards[0]
    contested = len([s for s in hand.live if s not in hand.gave_up]) > 1
    missing = _missing(hand) if contested else ""
    owing = [street for street in hand.streets if street.short and street is hand.streets[-1]]
    yield judged(
        AWARDS,
        not missing,
        at=first.at,
        events=[first],
        observed=say.that("the pot was awarded before {missing}", missing=missing),
        expected="the pot is awarded when the game is played to its conclusion",
        incident="award early",
        also=[full("10-match-or-raise")] if owing and missing else [],
    )
    yield from _sum(hand)


def _unawarded(hand: PokerHand) -> Iterator[Instance]:
    """Yield a pot that nobody was given by the end of the hand, or of the log. What went back to the players was not
    left in it.
    """
    ended = [event for event in hand.events if isinstance(event, RoundEnded)]
    left = sum(hand.betting.paid.values())
    if left > 0:
        yield judged(
            AWARDS,
            None if hand.betting.unsure or not ended else False,
            key="none",
            at="pot",
            events=ended[:1] or hand.events[-1:],
            expected=say.that("the dealer awards the pot of {left}", left=say.cents(left)),
            observed="the hand ended and nobody was given it" if ended else "the log does not tell who was given it",
            incident="award",
            rank=1,
        )


def _sum(hand: PokerHand) -> Iterator[Instance]:
    """Check that what is awarded is what was swept into the pot, less what was taken out of it.

    Where the sweeps were not logged, a bet that nobody called may have gone back without a record.
    """
    awarded = sum(award.cents or 0 for award in hand.awards)
    put_in = sum(hand.betting.paid.values())
    unread = [award for award in hand.awards if award.cents is None]
    if unread and hand.betting.streets:
        yield _unread(hand, put_in)
    known = not hand.betting.unsure and not unread
    if not known or not hand.betting.streets or awarded == put_in:
        return
    if awarded > put_in:
        yield _too_much(hand, awarded, put_in)
        return
    taken = [event for event in hand.events if isinstance(event, ChipsToTray | ChipsPushed | TipDeposited)]
    swept = [event for event in hand.events if isinstance(event, ChipsCollected) and event.to == "pot"]
    out = sum(event.cents or 0 for event in taken)
    whole = sum(event.cents or 0 for event in swept) if swept else put_in
    if any(isinstance(event, RoundEnded) for event in hand.events) and awarded + out < whole:
        counted = all(event.cents is not None for event in (*taken, *swept)) and bool(swept)
        yield judged(
            AWARDS,
            False if counted else None,
            at=hand.awards[0].at,
            key="sum",
            events=hand.awards,
            expected=say.that("the dealer awards the whole pot of {whole}", whole=say.cents(whole - out)),
            observed=say.that(
                "{awarded} were awarded, {whole} too little",
                awarded=say.cents(awarded),
                whole=say.cents(whole - out - awarded),
            ),
            incident="award" if counted else None,
            rank=1,
        )


def _unread(hand: PokerHand, put_in: int) -> Instance:
    """Tell that how much was awarded was not seen, so that nobody knows whether it was the whole pot."""
    return judged(
        AWARDS,
        None,
        at=hand.awards[0].at,
        key="unread",
        events=hand.awards,
        expected=say.that("the dealer awards the whole pot of {put_in}", put_in=say.cents(put_in)),
        observed="how much was awarded was not seen",
        uncounted=True,
    )


def _too_much(hand: PokerHand, awarded: int, put_in: int) -> Instance:
    """Tell that more cents were awarded than were seen to be put in: it is open which of the two was missed."""
    return judged(
        AWARDS,
        None,
        at=hand.awards[0].at,
        key="sum",
        events=hand.awards,
        expected="what is awarded was put into the pot",
        observed=say.that(
            "{awarded} were awarded, more than the {put_in} that were seen to be put in",
            awarded=say.cents(awarded),
            put_in=say.cents(put_in),
        ),
    )


def _missing(hand: PokerHand) -> Said | str:
    """Return what was still to come when the pot was awarded."""
    before = hand.award_position
    board = [c for c in hand.cards.board if hand.position(c.dealt) < before]
    if hand.variant in ("holdem", "omaha") and len(board) < 5:
        return say.that("the board was complete ({board} cards)", board=len(board))
    if hand.variant == STUD:
        counts = [hand.cards.count(seat) for seat in hand.live if seat not in hand.gave_up]
        if max(counts, default=FULL_HAND[STUD]) < FULL_HAND[STUD]:
            return "all seven cards were dealt"
    return ""
