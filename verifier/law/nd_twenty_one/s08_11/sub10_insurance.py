"""Insurance is settled first (99-01.3-08-11(10)(a),(c), 10(3))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.events import CardDealt, ChipsCollected, Event, HoleCardCheck, PayoffPlaced
from verifier.law import say
from verifier.law.amounts import Amount
from verifier.law.hands import Hand, hand_key, space_of
from verifier.law.instances import Instance, judged
from verifier.law.money import moved, stake_of
from verifier.law.nd_twenty_one.shared.insurance import insured
from verifier.law.registry import round_check
from verifier.law.rounds import Round

PAYS = "ND-08-11.10.c-insurance-pay"
TWO_TO_ONE = "ND-08-09.2.b-insurance-pays-2-1"
READER_PAYS = "ND-08-10.3.a-reader-natural-pay"
FIRST = "ND-08-11.10.a-insurance-collect-first"
READER_LOSES = "ND-08-10.3.b-reader-no-natural"
RIGHT_TO_LEFT = "ND-08-11.10.a-insurance-right-to-left"


@round_check(PAYS, TWO_TO_ONE, READER_PAYS, FIRST, READER_LOSES, partial="undetermined")
def insurance_settled(game: Round) -> Iterator[Instance]:
    """Insurance pays two to one on a dealer natural and is collected otherwise."""
    for hand in insured(game):
        natural, actual = game.dealer.natural, moved(game, hand, ["insurance"])
        if natural is None and _play_went_on(game):
            natural = False
        if actual.sign == 0 and not game.closed:
            continue
        bet = stake_of(game, hand, "insurance")
        if natural is None:
            yield judged(
                PAYS,
                None,
                at=hand.place,
                events=actual.events,
                expected="insurance follows the dealer's cards",
                observed=say.that("{dealer}", dealer=game.dealer.text())
                .detail("a natural cannot be told")
                .then("the bet {actual}", actual=actual.text()),
            )
            continue
        yield from _won(game, hand, actual.events, bet) if natural else _lost(game, hand, actual.events, bet)


def _play_went_on(game: Round) -> bool:
    """Tell whether players were dealt cards after the reader, which then had shown no natural."""
    checks = [check for check in game.of(HoleCardCheck) if check.how == "reader"]
    return bool(checks) and game.last_player_card_t is not None and game.last_player_card_t > checks[-1].t_end


def _won(game: Round, hand: Hand, events: tuple[Event, ...], bet: Amount) -> Iterator[Instance]:
    actual = moved(game, hand, ["insurance"])
    right = False if actual.sign != 1 else actual.paid.equals(bet.times(2))
    yield judged(
        PAYS,
        right,
        at=hand.place,
        events=[*hand.tips["insurance"].placed, *events],
        expected=say.that("insurance of {bet} wins {bet_2} against the dealer's natural", bet=bet, bet_2=bet.times(2)),
        observed=say.that("{dealer}", dealer=game.dealer.text()).then(
            "the insurance bet of {hand} {actual}", hand=say.place(hand.place), actual=actual.text()
        ),
        also=[TWO_TO_ONE, *([READER_PAYS] if game.reader else [])],
        incident=f"insurance {hand.place}",
    )
    if right:
        yield judged(TWO_TO_ONE, True, at=hand.place)


def _lost(game: Round, hand: Hand, events: tuple[Event, ...], bet: Amount) -> Iterator[Instance]:
    actual = moved(game, hand, ["insurance"])
    right = False if actual.sign != -1 else (actual.taken.equals(bet) is not False or None)
    yield judged(
        FIRST,
        right,
        at=hand.place,
        events=[*hand.tips["insurance"].placed, *events],
        expected=say.that("insurance of {bet} is collected, as the dealer has no natural", bet=bet),
        observed=say.that("{dealer}", dealer=game.dealer.text()).then(
            "the insurance bet of {hand} {actual}", hand=say.place(hand.place), actual=actual.text()
        ),
        also=[READER_LOSES] if game.reader else [],
        incident=f"insurance {hand.place}",
    )


@round_check(RIGHT_TO_LEFT, FIRST, READER_LOSES)
def insurance_order(game: Round) -> Iterator[Instance]:
    """Lost insurance is collected from the dealer's right, before any other settlement or draw."""
    taken = [e for e in game.of(ChipsCollected) if e.kind == "insurance"]
    if not taken or game.known_t is None:
        return
    spaces = [space for e in taken if (space := space_of(e.at)) is not None]
    yield judged(
        RIGHT_TO_LEFT,
        spaces == sorted(spaces, reverse=True),
        at=taken[0].at,
        events=taken,
        expected="insurance is collected from the dealer's right to the left",
        observed="insurance was collected in the order of spaces " + say.listed(", ", (s for s in spaces)),
    )
    early = [e for e in _others(game) if e.t_end < taken[-1].t_start]
    yield judged(
        FIRST,
        not early,
        at=taken[-1].at,
        key="order",
        events=[*early[:1], *taken],
        expected="all insurance is collected before anything else is settled or drawn",
        observed=say.that(
            "insurance at {taken} was collected after other chips or cards had moved", taken=say.place(taken[-1].at)
        ),
        also=[READER_LOSES] if game.reader else [],
    )


def _others(game: Round) -> Iterator[Event]:
    """Settlement and draws after the dealer's second card is known."""
    known = game.known_t or 0.0
    for payoff in game.of(PayoffPlaced):
        if payoff.t_start >= known:
            yield payoff
    for taken in game.of(ChipsCollected):
        if taken.kind != "insurance" and taken.t_start >= known:
            yield taken
    draws = game.dealer_dealt[2:]
    for card in draws:
        if card.t_start >= known:
            yield card
    if game.reader:
        for card in game.of(CardDealt):
            if card.t_start >= known and hand_key(card.to):
                yield card
        asked = game.dealer.up_ace is not False  # below an ace nobody looks, so nothing calls for the collection
        if asked and game.turned is not None and game.turned.t_start >= known:
            yield game.turned
