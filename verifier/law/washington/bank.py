"""The bank: announced, topped up between hands, passed on when it cannot cover (subsections 3 and 8/9)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from verifier.domain.events import Announcement, BankChanged, DealerShift, PayoffPlaced, RoundEnded, Shuffle
from verifier.law import say
from verifier.law.amounts import UNKNOWN
from verifier.law.hands import Hand
from verifier.law.instances import Instance, judged
from verifier.law.money import moved
from verifier.law.registry import WASHINGTON, session_check
from verifier.law.rounds import Round
from verifier.law.session import Session
from verifier.law.washington.clauses import ANNOUNCE, MIN_BANK, PASS, TOP_UP
from verifier.law.washington.ledger import covered, in_round, ledger
from verifier.law.washington.naturals import naturals, stake, too_small
from verifier.law.washington.seats import dealer_of

MOST_MINIMUM = 50_000
"""Cents: a minimum bank may not be set above this."""


@session_check(MIN_BANK, rulebooks=WASHINGTON, needs={"wa_min_bank": None})
def minimum_bank(session: Session) -> Iterator[Instance]:
    """Check that a minimum bank that house rules set is 500 dollars at most."""
    least = session.house.wa_min_bank or 0
    yield judged(
        MIN_BANK,
        least <= MOST_MINIMUM,
        expected=say.that("a minimum bank of {most} at most", most=say.cents(MOST_MINIMUM)),
        observed=say.that("house rules set {least}", least=say.cents(least)),
    )


@session_check(ANNOUNCE, rulebooks=WASHINGTON, audio=True)
def bank_announced(session: Session) -> Iterator[Instance]:
    """Check that a new dealer/banker announces the amount of the bank before the first deal."""
    for shift in session.of(DealerShift):
        game = next((g for g in session.rounds if g.first_card and g.first_card.t_start >= shift.t_start), None)
        if shift.phase != "start" or game is None or game.first_card is None:
            continue
        t = game.first_card.t_start
        said = [
            e for e in session.of(Announcement) if e.topic == "bank" and e.t_start <= t and e.t_end >= shift.t_start
        ]
        told = [e for e in session.of(BankChanged) if e.action == "announced" and shift.t_start <= e.t_end <= t]
        yield in_round(
            judged(
                ANNOUNCE,
                bool(said or told),
                key=shift.id,
                at="bank",
                events=[shift, game.first_card],
                expected="the dealer/banker announces the amount of the bank",
                observed="it was not announced",
            ),
            game,
        )


@session_check(TOP_UP, rulebooks=WASHINGTON)
def topped_up_between_hands(session: Session) -> Iterator[Instance]:
    """Check that the bank is added to only between hands, and only by house rule."""
    for change in session.of(BankChanged):
        if change.action != "added":
            continue
        game = next((g for g in session.rounds if _during(g, change)), None)
        allowed = session.house.wa_bank_topup
        instance = judged(
            TOP_UP,
            False if game is not None else allowed,
            key=change.id,
            at="bank",
            events=[change],
            expected="the bank is added to between hands only, by house rule",
            observed="it was added to during a hand" if game else "house rules do not allow it",
        )
        after = next((g for g in session.rounds if g.events[0].t_start >= change.t_end), None)
        place = game or after
        yield in_round(instance, place) if place else instance


def _during(game: Round, change: BankChanged) -> bool:
    """Tell whether the hand was running: between its first card and its end."""
    ends = game.of(RoundEnded)
    end = ends[-1].t_start if ends else game.events[-1].t_end
    return game.first_card is not None and game.first_card.t_start <= change.t_start < end


@session_check(PASS, rulebooks=WASHINGTON)
def deal_passed(session: Session) -> Iterator[Instance]:
    """When the bank is empty or cannot cover a frozen wager the deal passes; a new dealer/banker shuffles first."""
    rounds = session.rounds
    for index, (game, following) in enumerate(itertools.pairwise(rounds)):
        old, new, first = dealer_of(game), dealer_of(following), following.first_card
        if first is None or old is None or new is None:
            continue
        between = (game.events[-1].t_end, first.t_start)
        if old != new:
            yield in_round(_taken_over(session, following, between), following)
            continue
        added = any(between[0] <= e.t_end <= between[1] for e in session.of(BankChanged) if e.action == "added")
        ended = _exhausted(session, game, index)
        if ended is not False and not added:
            yield in_round(
                judged(
                    PASS,
                    None if ended is None else False,
                    key=f"{game.number}",
                    at="bank",
                    events=[*(paid for _, paid in naturals(game)), first],
                    expected="the deal passes to the left, as the bank is empty or could not cover a frozen wager",
                    observed=say.that("{old} dealt the next hand", old=say.place(old)),
                ),
                following,
            )


def _taken_over(session: Session, game: Round, between: tuple[float, float]) -> Instance:
    shuffled = any(between[0] - 0.01 <= e.t_end <= between[1] for e in session.of(Shuffle))
    told = any(between[0] - 0.01 <= e.t_end <= between[1] for e in session.of(BankChanged) if e.action == "announced")
    return judged(
        PASS,
        shuffled and told,
        key=f"new {game.number}",
        at="bank",
        events=[game.first_card],
        expected="a new dealer/banker announces the bank and shuffles before dealing",
        observed="the cards were not shuffled" if not shuffled else "no bank was announced",
    )


def _exhausted(session: Session, game: Round, index: int) -> bool | None:
    """Tell whether a round left the bank empty or a natural short of what is due; None where that cannot be told."""
    left = ledger(session).after.get(index, UNKNOWN)
    short = [_left_short(session, game, hand, payoff) for hand, payoff in naturals(game)]
    if True in short or left.high == 0:
        return True
    depleted = any(e.action == "depleted" for e in session.of(BankChanged) if e.round == game.number)
    return None if None in short or (depleted and left.high is None) else False


def _left_short(session: Session, game: Round, hand: Hand, payoff: PayoffPlaced) -> bool | None:
    """Tell whether a natural was paid less than is due because the bank could not; an error of payment is no such
    case.
    """
    due, paid = stake(game, hand).times(3, 2), moved(game, hand).paid
    if hand.split or paid.equals(due) or paid.low >= due.low:
        return False
    return too_small(ledger(session).at(payoff), due, covered(game, hand.key))
