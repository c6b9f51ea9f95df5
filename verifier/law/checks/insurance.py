"""Insurance and even money (99-01.3-08-09(2)(b), 11(10)(a),(c), 10(3))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.events import (
    CardDealt,
    CardsCollected,
    ChipsCollected,
    Event,
    HoleCardCheck,
    PayoffPlaced,
    WagerMoved,
)
from verifier.law.amounts import Amount
from verifier.law.checks.decisions import is_hit
from verifier.law.hands import Hand, Stake, hand_key
from verifier.law.instances import Instance, judged
from verifier.law.money import even_money, moved, paid_early_at_par, stake_of
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
EVEN_ELIGIBLE = "ND-08-09.2.b-even-money-eligible"
EVEN_PAY = "ND-08-09.2.b-even-money-pay"
EVEN_CARDS = "ND-08-09.2.b-even-money-cards"
NOT_EARLY = "ND-08-11.11-natural-not-early"
EMPTY = Stake()


def insured(game: Round) -> list[Hand]:
    """First hands of the spaces with an insurance bet."""
    return [hand for hand in game.hands if "insurance" in hand.tips]


@round_check(ONLY_ACE, partial="undetermined")
def insurance_only_ace(game: Round) -> Iterator[Instance]:
    """Insurance only against an ace, and only where the organization permits it."""
    for hand in insured(game):
        right: bool | None = game.dealer.up_ace
        if game.house.insurance_allowed is False:
            right = False
        yield judged(
            ONLY_ACE, right, at=hand.place, events=hand.tips["insurance"].placed,
            expected="insurance is bet only where it is permitted and the faceup card is an ace",
            observed=f"{hand.place} bet insurance while {game.dealer.text()} showed"
            + (", and insurance is not permitted here" if game.house.insurance_allowed is False else ""),
        )  # fmt: skip


@round_check(HALF, NO_TIP, partial="undetermined")
def insurance_half(game: Round) -> Iterator[Instance]:
    """Insurance is exactly half of the original wager."""
    for hand in insured(game):
        wager, bet = stake_of(game, hand, "original"), stake_of(game, hand, "insurance")
        if bet.exact and wager.high is None:  # what a wager holds above the limit is not in play (09(1))
            wager = Amount(wager.low, max(wager.low, min(2500, game.house.table_limits.max)))
        half = wager.times(1, 2)
        right = bet.low * 2 == wager.low if bet.exact and wager.exact else half.equals(bet)
        if right and not (bet.exact and wager.exact):
            right = None
        over_tip = right is not None and "tip" in hand.tips and (right or bet.low * 2 > wager.low)
        yield judged(
            HALF, right, at=hand.place, uncounted=right is None, events=[*hand.stakes.get("original", EMPTY).placed,
                *hand.tips["insurance"].placed],
            expected=f"insurance is half of {wager}: {half}", observed=f"{hand.place} bet {bet} on insurance",
            also=[NO_TIP] if over_tip else [],
        )  # fmt: skip


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
        yield judged(
            MOVED, bool(moves), at=hand.place, events=placed,
            expected=f"the dealer moves the insurance bet of {hand.place} beside its cards",
            observed=f"the insurance bet of {hand.place} was left where it was placed",
        )  # fmt: skip


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
                PAYS, None, at=hand.place, events=actual.events, expected="insurance follows the dealer's cards",
                observed=f"{game.dealer.text()}: a natural cannot be told; the bet {actual.text()}",
            )  # fmt: skip
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
        PAYS, right, at=hand.place, events=[*hand.tips["insurance"].placed, *events],
        expected=f"insurance of {bet} wins {bet.times(2)} against the dealer's natural",
        observed=f"{game.dealer.text()}; the insurance bet of {hand.place} {actual.text()}",
        also=[TWO_TO_ONE, *([READER_PAYS] if game.reader else [])], incident=f"insurance {hand.place}",
    )  # fmt: skip
    if right:
        yield judged(TWO_TO_ONE, True, at=hand.place)


def _lost(game: Round, hand: Hand, events: tuple[Event, ...], bet: Amount) -> Iterator[Instance]:
    actual = moved(game, hand, ["insurance"])
    right = False if actual.sign != -1 else (actual.taken.equals(bet) is not False or None)
    yield judged(
        FIRST, right, at=hand.place, events=[*hand.tips["insurance"].placed, *events],
        expected=f"insurance of {bet} is collected, as the dealer has no natural",
        observed=f"{game.dealer.text()}; the insurance bet of {hand.place} {actual.text()}",
        also=[READER_LOSES] if game.reader else [], incident=f"insurance {hand.place}",
    )  # fmt: skip


@round_check(RIGHT_TO_LEFT, FIRST, READER_LOSES)
def insurance_order(game: Round) -> Iterator[Instance]:
    """Lost insurance is collected from the dealer's right, before any other settlement or draw."""
    taken = [e for e in game.of(ChipsCollected) if e.kind == "insurance"]
    if not taken or game.known_t is None:
        return
    spaces = [_space(e.at) for e in taken]
    yield judged(
        RIGHT_TO_LEFT, spaces == sorted(spaces, reverse=True), at=taken[0].at, events=taken,
        expected="insurance is collected from the dealer's right to the left",
        observed="insurance was collected in the order of spaces " + ", ".join(str(s) for s in spaces),
    )  # fmt: skip
    early = [e for e in _others(game) if e.t_end < taken[-1].t_start]
    yield judged(
        FIRST, not early, at=taken[-1].at, key="order", events=[*early[:1], *taken],
        expected="all insurance is collected before anything else is settled or drawn",
        observed=f"insurance at {taken[-1].at} was collected after other chips or cards had moved",
        also=[READER_LOSES] if game.reader else [],
    )  # fmt: skip


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


@round_check(EVEN_ELIGIBLE, EVEN_PAY, NOT_EARLY, partial="undetermined")
def natural_paid_early(game: Round) -> Iterator[Instance]:
    """Against an ace or ten a natural waits for the dealer's second card, but for even money."""
    if game.dealer.up_high is not True:
        return
    for hand in game.playing:
        if hand.natural is not True or hand.doubled:
            continue
        early = [e for e in game.at(PayoffPlaced, hand.key) if game.known_t is None or e.t_end <= game.known_t]
        if not early:
            continue
        if even_money(game, hand):
            yield judged(EVEN_ELIGIBLE, True, at=hand.place)
            yield _paid_at_once(game, hand)
            continue
        par = bool(game.dealer.up_ace) and paid_early_at_par(game, hand)
        yield judged(
            EVEN_ELIGIBLE if par else NOT_EARLY, False, at=hand.place, events=[*(c.dealt for c in hand.cards), *early],
            expected=f"the natural of {hand.place} waits until the dealer's second card is known",
            observed=f"{hand.place} was paid {early[0].cents and Amount(early[0].cents, early[0].cents)} before that"
            + (", and even money is not adopted here" if par else ""),
            also=[NOT_EARLY] if par else [], incident=f"money {hand.place}", rank=0,
        )  # fmt: skip


def _paid_at_once(game: Round, hand: Hand) -> Instance:
    """Even money is paid before a card goes to another space beyond the deal."""
    payoff = _even_payoff(game, hand)
    before = [card for card in _drawn_elsewhere(game, hand) if card.t_end <= payoff.t_start]
    known = game.known_t is not None  # else the hole card may have been turned unseen before the payoff
    return judged(
        EVEN_PAY, not before or (False if known else None), at=hand.place, events=[*before[:1], payoff],
        expected=f"even money for {hand.place} is paid before anything is dealt to other spaces",
        observed=f"{hand.place} was paid after cards had been dealt to " + ", ".join(card.to for card in before[:1]),
    )  # fmt: skip


def _even_payoff(game: Round, hand: Hand) -> PayoffPlaced:
    """The payoff that was even money."""
    return next(e for e in game.at(PayoffPlaced, hand.key) if e.kind == "original")


def _drawn_elsewhere(game: Round, hand: Hand) -> list[CardDealt]:
    """Cards beyond the deal that went to other spaces than a hand's."""
    drawn = [(hand_key(card.to), card) for card in game.of(CardDealt) if is_hit(game, card)]
    return [card for key, card in drawn if key is not None and key[0] != hand.key[0]]


@round_check(EVEN_CARDS)
def even_money_cards(game: Round) -> Iterator[Instance]:
    """After even money the dealer puts the hand's cards in the discard holder, before play goes on."""
    for hand in game.playing:
        if not even_money(game, hand) or hand.natural is not True:
            continue
        taken: CardsCollected | None = game.collected.get(hand.place)
        paid = _even_payoff(game, hand)
        went_on = [card.t_start for card in _drawn_elsewhere(game, hand) if card.t_start >= paid.t_end]
        last = [e.t_start for e in game.of(CardsCollected) if e.from_ == "dealer"]
        until = min([*went_on, *(last if game.turn_t is None else [game.turn_t])], default=None)
        if until is None or (taken is None and not game.closed):
            continue
        yield judged(
            EVEN_CARDS, taken is not None and taken.t_start <= until, at=hand.place,
            events=[paid, taken],
            expected=f"the cards of {hand.place} go to the discard holder once even money is paid",
            observed=f"the cards of {hand.place} stayed on the table while play went on",
        )  # fmt: skip


def _space(place: str) -> int:
    key = hand_key(place)
    return key[0] if key else 0
