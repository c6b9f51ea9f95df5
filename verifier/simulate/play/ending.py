"""Writes how a round ends: early naturals, the dealer's cards, held busts, settlement and pick-up (11(9)-(17))."""

from __future__ import annotations

from verifier.engine.outcomes import PAID
from verifier.simulate.play import breaches
from verifier.simulate.play.hands_in_play import HandInPlay, change
from verifier.simulate.play.settle_script import pay, settle
from verifier.simulate.play.steps import (
    Collect,
    DepositTips,
    EndRound,
    Pay,
    PlayersTakeBack,
    ReadCards,
    ReturnStakes,
    Reveal,
    StakeKind,
    TakeCards,
    Tie,
)
from verifier.simulate.play.writer import NotStagedError, RoundWriter


def pay_early_naturals(writer: RoundWriter) -> None:
    """Pay naturals against 2 to 9 at once, where the house may do so, and take up their cards (11(11))."""
    if not writer.up_low or writer.house.natural_pay_timing == "in_order" or writer.no_hole:
        return
    if writer.house.natural_pay_timing == "either" and writer.rng.random() < 0.5:
        return
    for hand in reversed(writer.hands):
        if hand.natural and "tip" not in hand.stakes and len(writer.hands) > 1:
            writer.steps += [
                breaches.payment(writer, hand, pay(writer, hand, "natural"), "natural"),
                TakeCards(places=[hand.place]),
            ]
            hand.done = True
            writer.outcomes[hand.place] = "natural"


def pay_even_money(writer: RoundWriter, hand: HandInPlay, clause: str | None = None) -> None:
    """Pay a natural one to one before the dealer's second card is known (09(2)(b))."""
    payoff = Pay(at=hand.place, payoffs={"original": [*hand.stakes["original"]]}, clause=clause)
    writer.steps += [payoff, TakeCards(places=[hand.place])]
    hand.done = True
    writer.outcomes[hand.place] = "even_money"


def reader_finds_natural(writer: RoundWriter) -> bool:
    """With an ace or ten up both dealer cards are read; without a natural insurance is lost at once (10(3))."""
    if not writer.reader or writer.up_low:
        return False
    writer.steps.append(ReadCards())
    if writer.state().natural:
        return True
    _collect_insurance(writer)
    return False


def _collect_insurance(writer: RoundWriter) -> None:
    insured = [hand for hand in reversed(writer.hands) if hand.insurance]
    if insured:
        writer.steps.append(Collect(at=[hand.place for hand in insured], kinds=("insurance",)))
    for hand in insured:
        hand.insurance = []


def finish(writer: RoundWriter) -> None:
    """Everything from the players' last card on."""
    open_hands = [hand for hand in writer.hands if not hand.done]
    if open_hands or any(hand.insurance for hand in writer.hands):
        _second_card(writer)
        if writer.state().natural and writer.rules.returns_extra:
            _dealer_natural(writer)
        else:
            _no_natural(writer)
    else:
        breaches.all_bust_drawn(writer)
    remaining = [hand.place for hand in reversed(writer.hands) if not hand.done]
    order, clause = breaches.pick_up(writer, remaining)
    stray = [writer.stray] if writer.stray else []
    writer.steps.append(TakeCards(places=[*order, *stray, "dealer"], clause=clause))
    won = PAID - {"even_money"}
    if any("tip" in hand.stakes and writer.outcomes.get(hand.place) in won for hand in writer.hands):
        writer.steps.append(DepositTips())
    writer.steps += [EndRound(), PlayersTakeBack()]


def _second_card(writer: RoundWriter) -> None:
    if writer.no_hole:
        writer.deal(None)
    else:
        writer.steps.append(Reveal(card=writer.dealer[1]))


def _no_natural(writer: RoundWriter) -> None:
    """Lost insurance, held busts, naturals, the dealer's draws, and the rest from the right (11(10)(a),(b))."""
    insured = [hand for hand in reversed(writer.hands) if hand.insurance]
    if writer.state().natural:
        for hand in insured:
            _pay_insurance(writer, hand, [])
    elif insured:
        writer.steps.append(Collect(at=[hand.place for hand in insured], kinds=("insurance",)))
    _collect_held(writer)
    if not writer.state().natural:
        _pay_naturals(writer)
    if any(not hand.done for hand in writer.hands):
        if any(not hand.done and not hand.natural for hand in writer.hands):
            breaches.dealer_draws(writer)
        settle(writer)


def _collect_held(writer: RoundWriter) -> None:
    held = [hand for hand in reversed(writer.hands) if hand.held]
    places = [hand.place for hand in held]
    for hand in held:
        hand.done = True
        writer.outcomes[hand.place] = "bust"
    if writer.house.sweep_or_hand_by_hand == "hand_by_hand":
        for place in places:
            writer.steps += [Collect(at=[place]), TakeCards(places=[place])]
    elif places:
        writer.steps += [Collect(at=places), TakeCards(places=places)]


def _pay_naturals(writer: RoundWriter) -> None:
    """Against an ace or ten, naturals are paid and taken up before the dealer draws."""
    if writer.up_low:
        return
    naturals = [hand for hand in reversed(writer.hands) if hand.natural and not hand.done]
    for hand in naturals:
        if "tip" in hand.stakes:
            raise NotStagedError
        writer.steps.append(breaches.payment(writer, hand, pay(writer, hand, "natural"), "natural"))
        hand.done = True
        writer.outcomes[hand.place] = "natural"
    if naturals:
        writer.steps.append(TakeCards(places=[hand.place for hand in naturals]))


def _dealer_natural(writer: RoundWriter) -> None:
    """Everything but naturals loses its original wager; void doubles and splits go back, insurance is paid."""
    losers: list[str] = []
    for hand in reversed(writer.hands):
        if hand.done:
            _pay_insurance(writer, hand, losers)
            continue
        void = _void(hand)
        writer.outcomes[hand.place] = "natural_push" if hand.natural else "natural_loss"
        if hand.natural:
            _sweep(writer, losers)
            writer.steps.append(breaches.tie(writer, Tie(at=hand.place), "natural_push"))
        elif "original" in hand.stakes:
            losers.append(hand.place)
        if void:
            _sweep(writer, losers, void)
            writer.steps.append(ReturnStakes(at=hand.place, kinds=void))
        _pay_insurance(writer, hand, losers)
    _sweep(writer, losers)


def _void(hand: HandInPlay) -> tuple[StakeKind, ...]:
    """Return what is returned against a natural and still lies: a hand held aside lost its tips by its bust (11(6))."""
    kinds: tuple[StakeKind, ...] = ("split", "double") if hand.held else ("split", "double", "tip_double")
    return tuple(kind for kind in kinds if kind in hand.stakes)


def _pay_insurance(writer: RoundWriter, hand: HandInPlay, losers: list[str]) -> None:
    if hand.insurance:
        _sweep(writer, losers)
        payoff = change(2 * sum(hand.insurance))
        writer.steps.append(Pay(at=hand.place, payoffs={"insurance": payoff}))


def _sweep(writer: RoundWriter, losers: list[str], void: tuple[StakeKind, ...] = ()) -> None:
    if losers:
        kinds: tuple[StakeKind, ...] = tuple(kind for kind in ("original", "tip") if kind not in void)
        writer.steps.append(Collect(at=[*losers], kinds=kinds))
        losers.clear()
