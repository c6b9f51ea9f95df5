"""Insurance (99-01.3-08-09(2)(b), 11(10)(a),(c), 10(3))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.events import (
    CardDealt,
    ChipsCollected,
    Event,
    HoleCardCheck,
    PayoffPlaced,
    WagerMoved,
)
from verifier.law.amounts import Amount
from verifier.law.checks.decisions import is_hit
from verifier.law.checks.wagers import most_wagered
from verifier.law.hands import Hand, Stake, hand_key
from verifier.law.instances import Instance, judged
from verifier.law.money import moved, stake_of
from verifier.law.registry import round_check
from verifier.law.rounds import Round

ONLY_ACE = "ND-08-09.2.b-insurance-only-ace"
HALF = "ND-08-09.2.b-insurance-half"
NO_TIP = "ND-08-09.2.b-no-tip-insurance"
MOVED = "ND-08-09.2.b-insurance-reposition"
PAYS = "ND-08-11.10.c-insurance-pay"
TWO_TO_ONE = "ND-08-09.2.b-insurance-pays-2-1"
READER_PAYS = "ND-08-10.3.a-reader-natural-pay"
FIRST = "ND-08-11.10.a-insurance-collect-first"
READER_LOSES = "ND-08-10.3.b-reader-no-natural"
RIGHT_TO_LEFT = "ND-08-11.10.a-insurance-right-to-left"
EMPTY = Stake()


def insured(game: Round) -> list[Hand]:
    """First hands of the spaces with an insurance bet."""
    return [hand for hand in game.hands if "insurance" in hand.tips]


@round_check(ONLY_ACE, partial="undetermined")
def insurance_only_ace(game: Round) -> Iterator[Instance]:
    """Insurance only against an ace, and only where the organization permits it."""
    for hand in insured(game):
        right, allowed = game.dealer.up_ace, game.house.insurance_allowed
        if not allowed and right is not False:
            right = allowed  # not permitted, or not told whether it is
        yield judged(
            ONLY_ACE,
            right,
            at=hand.place,
            events=hand.tips["insurance"].placed,
            uncounted=allowed is None,
            expected="insurance is bet only where it is permitted and the faceup card is an ace",
            observed=f"{hand.place} bet insurance while {game.dealer.text()} showed"
            + {True: "", False: ", and insurance is not permitted here", None: ""}[allowed]
            + ("; whether insurance is permitted here is not configured" if allowed is None else ""),
        )


@round_check(HALF, NO_TIP, partial="undetermined")
def insurance_half(game: Round) -> Iterator[Instance]:
    """Insurance is exactly half of the original wager."""
    for hand in insured(game):
        wager, bet = stake_of(game, hand, "original"), stake_of(game, hand, "insurance")
        if bet.exact and wager.high is None:  # what a wager holds above the limit is not in play (09(1))
            wager = Amount(wager.low, max(wager.low, most_wagered(game.house, game.figures)))
        half = wager.times(1, 2)
        right = bet.low * 2 == wager.low if bet.exact and wager.exact else half.equals(bet)
        if right and not (bet.exact and wager.exact):
            right = None
        over_tip = right is not None and "tip" in hand.tips and (right or bet.low * 2 > wager.low)
        yield judged(
            HALF,
            right,
            at=hand.place,
            uncounted=right is None,
            events=[*hand.stakes.get("original", EMPTY).placed, *hand.tips["insurance"].placed],
            expected=f"insurance is half of {wager}: {half}",
            observed=f"{hand.place} bet {bet} on insurance",
            also=[NO_TIP] if over_tip else [],
        )


@round_check(MOVED)
def insurance_repositioned(game: Round) -> Iterator[Instance]:
    """The dealer moves each insurance bet beside the cards before play goes on."""
    for hand in insured(game):
        placed = hand.tips["insurance"].placed
        if not placed:
            continue
        moves = [m for m in game.of(WagerMoved) if m.kind == "insurance" and _space(m.from_) == hand.key[0]]
        if not moves and not game.closed:
            continue
        on = min((c.t_end for c in game.of(CardDealt) if is_hit(game, c) and c.t_end > placed[0].t_end), default=None)
        late = bool(moves) and on is not None and moves[0].t_start >= on
        yield judged(
            MOVED,
            bool(moves) and not late,
            at=hand.place,
            events=[*placed, *moves[:1]],
            expected=f"the dealer moves the insurance bet of {hand.place} beside its cards before play goes on",
            observed=f"the insurance bet of {hand.place} was left where it was placed"
            + (" until a card had been drawn" if late else ""),
        )


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
                observed=f"{game.dealer.text()}: a natural cannot be told; the bet {actual.text()}",
            )
            continue
        yield from _won(game, hand, actual.events, bet) if natural else _lost(game, hand, actual.events, bet)


def _play_went_on(game: Round) -> bool:
    """Whether players were dealt cards after the reader, which then had shown no natural."""
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
        expected=f"insurance of {bet} wins {bet.times(2)} against the dealer's natural",
        observed=f"{game.dealer.text()}; the insurance bet of {hand.place} {actual.text()}",
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
        expected=f"insurance of {bet} is collected, as the dealer has no natural",
        observed=f"{game.dealer.text()}; the insurance bet of {hand.place} {actual.text()}",
        also=[READER_LOSES] if game.reader else [],
        incident=f"insurance {hand.place}",
    )


@round_check(RIGHT_TO_LEFT, FIRST, READER_LOSES)
def insurance_order(game: Round) -> Iterator[Instance]:
    """Lost insurance is collected from the dealer's right, before any other settlement or draw."""
    taken = [e for e in game.of(ChipsCollected) if e.kind == "insurance"]
    if not taken or game.known_t is None:
        return
    spaces = [_space(e.at) for e in taken]
    yield judged(
        RIGHT_TO_LEFT,
        spaces == sorted(spaces, reverse=True),
        at=taken[0].at,
        events=taken,
        expected="insurance is collected from the dealer's right to the left",
        observed="insurance was collected in the order of spaces " + ", ".join(str(s) for s in spaces),
    )
    early = [e for e in _others(game) if e.t_end < taken[-1].t_start]
    yield judged(
        FIRST,
        not early,
        at=taken[-1].at,
        key="order",
        events=[*early[:1], *taken],
        expected="all insurance is collected before anything else is settled or drawn",
        observed=f"insurance at {taken[-1].at} was collected after other chips or cards had moved",
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


def _space(place: str) -> int:
    key = hand_key(place)
    return key[0] if key else 0
