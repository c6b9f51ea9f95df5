"""Tip bets: paid one to one, lost to the tray, pushed on a tie, deposited last (09(2)(a), 11(13),(14),(16)(b))."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from verifier.domain.events import CardsCollected, PayoffPlaced, TipDeposited, WagerPlaced
from verifier.engine.outcomes import LOST, PAID
from verifier.law import say
from verifier.law.amounts import Amount, seen, total
from verifier.law.hands import Hand
from verifier.law.instances import Instance, judged
from verifier.law.miscount import MISCOUNT, explained_by, miscounted
from verifier.law.money import Moved, expected_sign, moved, outcomes, paid_early_at_par, stake_of
from verifier.law.nd_twenty_one.s08_11.sub12_settlement import dealer_events
from verifier.law.registry import round_check
from verifier.law.rounds import Round
from verifier.law.say import Said

WIN = "ND-08-11.14-tip-wins"
PAID_EQUAL = "ND-08-09.2.a-tip-win"
EQUAL = "ND-08-11.16.b-tip-equal"
LOSE = "ND-08-09.2.a-tip-lose"
LOST_TIP = "ND-08-11.13-lose-tip"
PUSH = "ND-08-09.2.a-tip-push"
EVEN = "ND-08-09.2.b-even-money-tip-push"
TIE = "ND-08-11.12-tie-push"
PAID_TIE = "ND-08-11.2-no-pay-tie"
HELD_TIP = "ND-08-11.8-bust-tip-lost"
LAST = "ND-08-11.16.b-tip-deposit-last"
TIP_KINDS = ("tip", "tip_double")


def tipped(game: Round) -> list[Hand]:
    """Hands that carry a tip bet."""
    return [hand for hand in game.playing if "tip" in hand.tips]


def tip_moves(game: Round, hand: Hand) -> Moved:
    """Chips moved for the tips of a hand; a split hand's tip may be named at any hand of the space."""
    own = moved(game, hand, TIP_KINDS)
    if own.payoffs or own.collections or not hand.split:
        return own
    for other in game.hands:
        if other.key[0] == hand.key[0] and other.key != hand.key:
            theirs = moved(game, other, TIP_KINDS)
            if theirs.payoffs or theirs.collections:
                return theirs
    return own


def paid_together(game: Round) -> list[Hand]:
    """Hands whose winning tips, and no others, got one payoff of what they make together; none where each was paid."""
    won = [hand for hand in tipped(game) if outcomes(game, hand) and outcomes(game, hand) <= PAID - {"even_money"}]
    payoffs = [e for e in game.of(PayoffPlaced) if e.kind in TIP_KINDS]
    due, paid = total(_stake(game, hand) for hand in won), total(seen(e.cents, e.lower_bound) for e in payoffs)
    bare = any(not tip_moves(game, hand).payoffs for hand in won)
    return won if bare and 0 < len(payoffs) < len(won) and due.exact and due == paid else []


_PAID_TIP = frozenset(PAID) - {"even_money"}
"""Outcomes of a hand whose tip is paid."""


@round_check(WIN, PAID_EQUAL, EQUAL, LOSE, LOST_TIP, PUSH, EVEN, HELD_TIP, partial="undetermined")
def tip_settled(game: Round) -> Iterator[Instance]:
    """Check that a tip is paid its equal, collected or left, as its hand wins, loses or ties."""
    pooled = paid_together(game)
    for hand in (hand for hand in tipped(game) if hand not in pooled):
        actual = tip_moves(game, hand)
        if actual.sign == 0 and not game.closed:
            continue
        possible = outcomes(game, hand)
        signs = {1 if o in PAID and o != "even_money" else (-1 if o in LOST else 0) for o in possible}
        if not possible or actual.sign is None or len(signs) > 1:
            if actual.sign in signs and len(signs) == 1:
                continue
            yield _tip(
                game, hand, actual, WIN, None if actual.sign in signs or not signs else False, "follows its hand"
            )
            continue
        sign = next(iter(signs))
        if sign == 1:
            yield from _won(game, hand, actual)
        elif sign == -1:
            yield from _lost(game, hand, actual)
        else:
            even = "even_money" in possible
            yield _tip(
                game,
                hand,
                actual,
                EVEN if even else PUSH,
                actual.sign == 0,
                "is neither paid nor collected",
                () if even else ((TIE, PAID_TIE) if actual.payoffs else (TIE,)),
            )


def _won(game: Round, hand: Hand, actual: Moved) -> Iterator[Instance]:
    stake = _stake(game, hand)
    words = say.that("wins {stake} and goes to the dealer with it", stake=stake)
    if actual.sign != 1:
        yield _tip(game, hand, actual, WIN, False, words, (PAID_EQUAL,))
        return
    right = actual.paid.equals(stake)
    if not right and not game.closed:
        return
    yield _tip(game, hand, actual, EQUAL, right, words, (PAID_EQUAL,))
    if right:
        yield judged(PAID_EQUAL, True, at=hand.place)
        yield judged(WIN, True, at=hand.place)


def _lost(game: Round, hand: Hand, actual: Moved) -> Iterator[Instance]:
    whole = hand.doubled and "tip_double" in hand.tips and game.dealer.natural is False
    right = actual.sign == -1 and not (whole and actual.taken.equals(_stake(game, hand)) is False)
    yield _tip(
        game,
        hand,
        actual,
        LOSE,
        right,
        say.that("of {stake} is lost to the chip tray", stake=_stake(game, hand)),
        (LOST_TIP,),
    )
    if right:
        yield judged(LOST_TIP, True, at=hand.place)


def _stake(game: Round, hand: Hand) -> Amount:
    return total(stake_of(game, hand, kind) for kind in TIP_KINDS)


def _tip(
    game: Round,
    hand: Hand,
    actual: Moved,
    clause: str,
    right: bool | None,
    words: Said | str,
    also: tuple[str, ...] = (),
) -> Instance:
    cards = [] if right else [*(card.dealt for card in hand.cards), *dealer_events(game)]
    return judged(
        clause,
        right,
        at=hand.place,
        events=[*_laid(hand), *cards, *actual.events],
        expected=say.that("the tip of {hand} {words}", hand=say.place(hand.place), words=words),
        observed=say.that("{dealer}", dealer=game.dealer.text())
        .then("{hand} had {hand_2}", hand=say.place(hand.place), hand_2=hand.text())
        .then("its tip {actual}", actual=actual.text()),
        also=also,
        incident=tip_incident(game, hand),
        rank=7,
    )


def tip_incident(game: Round, hand: Hand) -> str:
    """Return the incident of a tip. A tip that goes the wrong way with its hand, or that was doubled alone, is part of
    the same incident.
    """
    if "tip_double" in hand.tips and not hand.doubled:
        return f"tip double {hand.place}"
    own, possible = moved(game, hand), outcomes(game, hand)
    signs = {expected_sign(hand, o) for o in possible}
    early = hand.natural is True and bool(game.dealer.up_ace) and paid_early_at_par(game, hand)
    if len(signs) != 1 or own.sign not in signs or early:
        return MISCOUNT if miscounted(game) and explained_by(game, hand) else f"money {hand.place}"
    return f"tip {hand.place}"


@round_check(WIN, LAST)
def tip_deposit(game: Round) -> Iterator[Instance]:
    """Winning tips and their payoffs, and nothing else, go to the tip receptacle."""
    deposits = game.of(TipDeposited)
    hands = tipped(game)
    winners = _winners(game) if hands else []
    if not winners and not deposits:
        return
    if not game.bets_seen:
        return
    due, given = _due(game, winners), total(seen(event.cents) for event in deposits)
    if not deposits and not game.closed:
        return
    right = given.equals(due) if deposits else False
    clause, *also = (WIN, PAID_EQUAL, LAST) if winners else _not_won(game, hands)
    yield judged(
        clause,
        right,
        key="deposit",
        at=winners[0].place if winners else None,
        events=[*deposits, *(e for hand in winners for e in (*_laid(hand), *tip_moves(game, hand).events))],
        expected=say.that("{due} go to the tip receptacle", due=due).detail("the winning tips and their payoffs"),
        observed=say.that("{given} went to the tip receptacle", given=given)
        if deposits
        else "nothing went to the tip receptacle",
        also=also,
        incident=None if right else _deposited_with(game),
        rank=8,
    )


def _laid(hand: Hand) -> tuple[WagerPlaced, ...]:
    return tuple(event for stake in hand.tips.values() for event in stake.placed)


def _winners(game: Round) -> list[Hand]:
    return paid_together(game) or [hand for hand in tipped(game) if tip_moves(game, hand).sign == 1]


def _due(game: Round, winners: Sequence[Hand]) -> Amount:
    """Return the sum of the winning tips and their payoffs. Tips that got one payoff together were paid what they
    make.
    """
    pooled = any(not tip_moves(game, hand).payoffs for hand in winners)
    return total(
        _stake(game, hand) + (_stake(game, hand) if pooled else tip_moves(game, hand).paid) for hand in winners
    )


def _deposited_with(game: Round) -> str:
    """Return the incident of a wrong deposit: that of the one tip that explains it (lost and kept, won and not paid, or
    doubled alone), if any.
    """
    due, given = _due(game, _winners(game)), total(seen(event.cents) for event in game.of(TipDeposited))
    tips = [hand for hand in tipped(game) if outcomes(game, hand)]
    kept = [hand for hand in tips if outcomes(game, hand) <= LOST and (due + _stake(game, hand)).equals(given)]
    alone = [hand for hand in tips if "tip_double" in hand.tips and not hand.doubled]
    won = [hand for hand in tips if outcomes(game, hand) <= _PAID_TIP and tip_moves(game, hand).sign == 0]
    unpaid = [hand for hand in won if any(_with_tip(game, due, hand, times).equals(given) for times in (1, 2))]
    own = next((found for found in (kept, unpaid) if len(found) == 1), alone)
    return tip_incident(game, own[0]) if own else "tip deposit"


def _with_tip(game: Round, due: Amount, hand: Hand, times: int) -> Amount:
    """Return what is due and so many times the tip of a hand: its chips, or these and as much again."""
    return total([due, *[_stake(game, hand)] * times])


def _not_won(game: Round, hands: Sequence[Hand]) -> tuple[str, ...]:
    """Return the clauses that a deposit breaks where no tip won. Where no tip was lost either, they are those of a tie
    or of even money.
    """
    possible = {outcome for hand in hands for outcome in outcomes(game, hand)}
    if not possible or possible - {"push", "even_money"}:
        return LOSE, LOST_TIP, WIN
    return (EVEN, WIN) if possible == {"even_money"} else (PUSH, TIE, WIN)


@round_check(LAST, video=True, partial="keep")
def tip_deposit_last(game: Round) -> Iterator[Instance]:
    """Tips are deposited only after the cards are picked up."""
    picked = game.of(CardsCollected)
    for deposit in game.of(TipDeposited):
        later = [e for e in picked if e.t_start >= deposit.t_end]
        if not picked and not game.closed:
            continue
        yield judged(
            LAST,
            not later,
            key=deposit.id,
            events=[deposit, *later],
            expected="tips go to the receptacle after the last cards are picked up",
            observed=say.that(
                "tips were deposited while cards of {later} still lay",
                later=say.listed(", ", (say.place(e.from_) for e in later)),
            ),
            incident=_deposited_with(game) if later else None,
            rank=9,
        )
