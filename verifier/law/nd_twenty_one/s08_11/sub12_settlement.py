"""Who wins and what is paid (99-01.3-08-11(2), (10)(d)-(h), (11), (12), (16)(a)): the main money checks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from verifier.domain.events import ChipsCollected, Event, PayoffPlaced
from verifier.domain.places import space
from verifier.engine.outcomes import Outcome
from verifier.law import say
from verifier.law.hands import Hand, HandKey, hand_key
from verifier.law.instances import Instance, judged
from verifier.law.miscount import MISCOUNT, explained_by, miscounted
from verifier.law.money import LEAST_SURE, Moved, expected_sign, moved, outcomes
from verifier.law.registry import round_check
from verifier.law.rounds import Round
from verifier.law.say import Said
from verifier.law.settled import agreed, chance_other, chance_wrong, right_amount, unread

TIE = "ND-08-11.12-tie-push"
PAID_TIE = "ND-08-11.2-no-pay-tie"
DEALER_BUST = "ND-08-11.10.h-bust-pays-active"
DEALER_NATURAL = "ND-08-11.10.d-natural-collect"
READER_NATURAL = "ND-08-10.3.a-reader-natural-collect"
VOID = "ND-08-11.10.e-void-split-double"
THREE_TO_TWO = "ND-08-11.11-natural-pays-3-2"
EQUAL = "ND-08-11.16.a-payoff-equal"
BUST_NOW = "ND-08-11.6-bust-collect-now"
BUST_LOW = "ND-08-11.7-bust-lowcard-collect"
HELD = {True: "ND-08-11.10.a-busted-collect", False: "ND-08-11.10.b-busted-collect"}
SPLIT_21 = "ND-08-09.2.c-split-21-not-natural"
WORTH_SAYING = 0.01
"""A misreading less probable than this is not mentioned (policy of this project)."""
HIGHEST = "ND-08-11.12-highest-wins"
UNCHANGED = "ND-08-09.2-no-change-after-first-card"
OUTCOME_WORDS: Final = {
    "even_money": "even money, paid the original wager",
    "bust": "over 21, loses its stake",
    "natural_push": "a tie of naturals, neither paid nor collected",
    "natural_loss": "loses its original wager to the dealer's natural, split and double wagers go back",
    "natural": "a natural, paid 3 to 2",
    "win": "wins, paid its stake",
    "push": "a tie, neither paid nor collected",
    "lose": "loses its stake",
}


@round_check(
    HIGHEST,
    TIE,
    PAID_TIE,
    DEALER_BUST,
    DEALER_NATURAL,
    READER_NATURAL,
    VOID,
    THREE_TO_TWO,
    EQUAL,
    SPLIT_21,
    partial="undetermined",
)
def settlement(game: Round) -> Iterator[Instance]:
    """Each hand's chips go the way that the cards demand, and in the right amount."""
    wrong_total = miscounted(game)
    for hand in game.playing:
        actual = moved(game, hand)
        possible = outcomes(game, hand)
        if actual.sign == 0 and not game.closed:
            if possible and all(expected_sign(hand, o) == 0 for o in possible):
                continue
            yield _open_matter(hand)
            continue
        yield from settled(game, hand, actual, possible, wrong_total)


@round_check(HIGHEST, partial="keep")
def half_told(game: Round) -> Iterator[Instance]:
    """Leave open what the log begins or ends amid: a hand that was dealt one card, or one whose wager came before."""
    for hand in () if game.closed else game.hands:
        if len(hand.cards) == 1 and hand.has_wager:
            yield _open_matter(hand)
    if game.bets_seen:
        return
    moves: list[PayoffPlaced | ChipsCollected] = [*game.of(PayoffPlaced), *game.of(ChipsCollected)]
    known = {hand.key for hand in game.playing}
    for key, group in by_hand(moves).items():
        if key not in known:
            yield judged(
                HIGHEST,
                None,
                at=space(*key),
                events=group,
                expected="a hand is settled as its cards demand",
                observed=say.that(
                    "{hand} was settled, and the log begins after its wager was laid", hand=say.place(space(*key))
                ),
            )


def by_hand(moves: Iterable[PayoffPlaced | ChipsCollected]) -> dict[HandKey, list[PayoffPlaced | ChipsCollected]]:
    """Put chips that moved at hands in groups, one for each hand."""
    found: dict[HandKey, list[PayoffPlaced | ChipsCollected]] = {}
    for move in moves:
        key = hand_key(move.at)
        if key is not None:
            found.setdefault(key, []).append(move)
    return found


def _open_matter(hand: Hand) -> Instance:
    return judged(
        HIGHEST,
        None,
        at=hand.place,
        events=[hand.cards[-1].dealt],
        expected="the hand is settled",
        observed=say.that(
            "{hand} had {cards} and was not yet settled when the log ended",
            hand=say.place(hand.place),
            cards=hand.text(),
        ),
    )


def settled(
    game: Round, hand: Hand, actual: Moved, possible: frozenset[Outcome], wrong_total: bool
) -> Iterator[Instance]:
    """Instances for one hand: its chips went the right way, and by the right amount."""
    said, possible = possible, agreed(game, hand, actual, possible)
    signs = {expected_sign(hand, outcome) for outcome in possible}
    incident = MISCOUNT if wrong_total and explained_by(game, hand) else f"money {hand.place}"
    if possible != said and unread(game, hand):
        doubt = _unsure(game, hand, actual, said, incident)
        yield msgspec.structs.replace(doubt, key="unread", uncounted=True)
    if not possible or actual.sign is None or (actual.sign in signs and len(signs) > 1):
        yield _unsure(game, hand, actual, possible, incident)
    elif actual.sign not in signs:
        yield _wrong_way(game, hand, actual, possible, incident)
    else:
        yield from _amount(game, hand, actual, possible, incident)


def _unsure(game: Round, hand: Hand, actual: Moved, possible: frozenset[Outcome], incident: str) -> Instance:
    words = say.listed(" or ", sorted({OUTCOME_WORDS[o] for o in possible})) or "not to be told from the cards seen"
    return judged(
        HIGHEST,
        None,
        at=hand.place,
        events=[*(c.dealt for c in hand.cards), *actual.events],
        expected=say.that("{hand}", hand=say.place(hand.place)).detail("{words}", words=words),
        observed=say.that("{hand_against_dealer}", hand_against_dealer=hand_against_dealer(game, hand)).then(
            "it {actual}", actual=actual.text()
        ),
        also=[_root(game, hand, o, actual) for o in sorted(possible)],
        incident=incident,
        chance=chance_wrong(game, hand, actual),
    )


def _wrong_way(game: Round, hand: Hand, actual: Moved, possible: frozenset[Outcome], incident: str) -> Instance:
    certain = _closed_enough(game, actual)
    outcome = min(possible)
    root = _root(game, hand, outcome, actual)
    hint: Said | str = (
        "" if game.dealer.natural or len(game.playing) > 1 else " (a miscounted dealer total is a possible cause)"
    )
    chance = chance_wrong(game, hand, actual)
    misread = 0.0 if chance is None else 1.0 - chance
    if misread >= WORTH_SAYING:
        hint += say.that("").then("right only if a card was misread, {misread} probable", misread=say.share(misread))
    certain = certain and (chance is None or chance >= LEAST_SURE)
    return judged(
        root,
        False if certain else None,
        at=hand.place,
        events=[*(c.dealt for c in hand.cards), *dealer_events(game), *actual.events],
        expected=say.that("{hand}", hand=say.place(hand.place)).detail(
            "{part}", part=say.listed(" or ", sorted({OUTCOME_WORDS[o] for o in possible}))
        ),
        observed=say.that("{hand_against_dealer}", hand_against_dealer=hand_against_dealer(game, hand)).then(
            "it {actual}{hint}", actual=actual.text(), hint=hint
        ),
        also=[c for c in (*_also(game, hand, outcome, actual), HIGHEST) if c != root],
        incident=incident,
        rank=1,
        chance=chance,
    )


def _closed_enough(game: Round, actual: Moved) -> bool:
    """In a round that the log cuts off, only chips that did move are certain."""
    return game.closed or bool(actual.events)


def _root(game: Round, hand: Hand, outcome: Outcome, actual: Moved) -> str:
    if outcome == "push":
        return PAID_TIE if actual.payoffs else TIE
    if outcome == "natural_loss" and hand.key[1]:
        return VOID
    if outcome in ("natural_loss", "natural_push"):
        return DEALER_NATURAL
    if outcome == "natural":
        return THREE_TO_TWO
    if outcome == "bust" and not actual.payoffs:
        return _bust_clause(game, hand)
    if outcome == "win" and any(t.best > 21 for t in game.dealer.totals):
        return DEALER_BUST
    return HIGHEST


def _bust_clause(game: Round, hand: Hand) -> str:
    if not (hand.split or hand.doubled):
        return BUST_NOW
    if game.dealer.up_high is False:
        return BUST_LOW
    return HELD[game.dealer.up_ace is True]


def _also(game: Round, hand: Hand, outcome: Outcome, actual: Moved) -> Iterator[str]:
    if outcome in ("push", "natural_push"):
        yield from (PAID_TIE, TIE) if actual.payoffs else (TIE,)
    if outcome in ("natural_loss", "natural_push") and game.reader:
        yield READER_NATURAL
    if outcome == "bust" and actual.payoffs and any(t.best > 21 for t in game.dealer.totals):
        yield DEALER_BUST
    if hand.split and outcome in ("natural_loss", "lose", "push") and any(t.best == 21 for t in hand.totals):
        yield SPLIT_21


def _amount(game: Round, hand: Hand, actual: Moved, possible: frozenset[Outcome], incident: str) -> Iterator[Instance]:
    right, allowed = right_amount(game, hand, actual, possible)
    if right is not True and not game.closed:
        return
    outcome = min(possible)
    for clause in _amount_clauses(game, hand, outcome):
        if right:
            yield judged(clause, True, at=hand.place)
            continue
        yield judged(
            clause,
            right,
            at=hand.place,
            events=[*(c.dealt for c in hand.cards), *actual.events],
            expected=say.that("{hand}", hand=say.place(hand.place)).detail(
                "{outcome_words}, {allowed}",
                outcome_words=OUTCOME_WORDS[outcome],
                allowed=say.listed(" or ", (a for a in allowed)),
            ),
            observed=say.that("{hand_against_dealer}", hand_against_dealer=hand_against_dealer(game, hand)).then(
                "it {actual}", actual=actual.text()
            ),
            also=_changed(hand, actual) if right is None else (),
            incident=incident,
            rank=2,
            chance=chance_other(game, hand, actual) if right is None else None,
        )


def _changed(hand: Hand, actual: Moved) -> tuple[str, ...]:
    """Return the clause on changed wagers where more was collected than was seen to be wagered, in stacks that may
    have hidden chips.
    """
    wagered = sum(hand.stakes[kind].amount.low for kind in hand.stakes)
    return (UNCHANGED,) if actual.sign == -1 and wagered and actual.taken.low > wagered else ()


def _amount_clauses(game: Round, hand: Hand, outcome: Outcome) -> Iterator[str]:
    if outcome in ("natural_push", "natural_loss") and game.reader:
        yield READER_NATURAL
    if outcome in ("push", "natural_push"):
        yield from (TIE, PAID_TIE) if outcome == "push" else (DEALER_NATURAL,)
    elif outcome == "natural":
        yield THREE_TO_TWO
    elif outcome == "natural_loss":
        yield VOID if hand.doubled or hand.split else DEALER_NATURAL
    elif outcome == "bust":
        yield _bust_clause(game, hand)
    elif outcome == "lose" or outcome == "even_money":
        yield HIGHEST
    else:
        yield EQUAL
        if hand.split and len(hand.cards) == 2 and any(t.best == 21 for t in hand.totals):
            yield SPLIT_21
        if any(t.best > 21 for t in game.dealer.totals):
            yield DEALER_BUST
        yield HIGHEST


def dealer_events(game: Round) -> Iterator[Event]:
    """Yield the records that tell the dealer's cards."""
    for card in game.dealer.cards:
        yield card.dealt
    if game.turned is not None:
        yield game.turned


def hand_against_dealer(game: Round, hand: Hand) -> Said:
    """`dealer 10-6-5 = 21; space:3 had 10-10 = 20`."""
    return say.that("{dealer}", dealer=game.dealer.text()).then(
        "{hand} had {hand_2}", hand=say.place(hand.place), hand_2=hand.text()
    )
