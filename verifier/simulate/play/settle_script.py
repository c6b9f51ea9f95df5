"""Writes the settlement of a round: losers swept, winners paid, ties tapped, from the dealer's right (11(13))."""

from __future__ import annotations

from verifier.engine.outcomes import LOST, TIED, outcome
from verifier.simulate.play import breaches
from verifier.simulate.play.hands_in_play import HandInPlay, change
from verifier.simulate.play.steps import WAGERS, Collect, Pay, PayTips, StakeKind, Tie
from verifier.simulate.play.writer import RoundWriter


def settle(writer: RoundWriter) -> None:
    """Add the settlement steps and notes the lawful outcomes (a planted breach changes only the steps)."""
    hands = [hand for hand in reversed(writer.hands) if not hand.done]
    state = writer.state()
    lawful: dict[str, str] = {hand.place: outcome(hand.state, state, hand.facts, writer.rules) for hand in hands}
    treated, marked = breaches.outcomes(writer, hands, state, lawful)
    losers: list[str] = []
    tips: list[str] = []
    order, marked = breaches.settlement_order(writer, hands, marked)
    for hand in order:
        result, clause = treated[hand.place], marked.get(hand.place)
        if result in LOST and clause is None:
            losers.append(hand.place)
            continue
        _sweep(writer, losers)
        if result in LOST:
            writer.steps.append(Collect(at=[hand.place], clause=clause))
        elif result in TIED:
            writer.steps.append(breaches.tie(writer, Tie(at=hand.place, clause=clause), result))
        else:
            step = pay(writer, hand, result, clause)
            tips += [hand.place] if step.tip_wins else []
            writer.steps.append(breaches.payment(writer, hand, step, result))
    _sweep(writer, losers)
    if tips:
        writer.steps.append(PayTips(at=tips))
    writer.outcomes.update(lawful)


def pay(writer: RoundWriter, hand: HandInPlay, result: str, clause: str | None = None) -> Pay:
    """Return the payment of a winning hand: the rulebook's odds on a natural, else chip for chip (11(11), 11(12))."""
    more, per = writer.rules.natural_odds or (3, 2)
    payoffs: dict[StakeKind, list[int]] = {}
    for kind, chips in hand.stakes.items():
        if kind in WAGERS:
            payoffs[kind] = change(sum(chips) * more // per) if result == "natural" else [*chips]
    return Pay(at=hand.place, payoffs=payoffs, tip_wins="tip" in hand.stakes, clause=clause)


def _sweep(writer: RoundWriter, losers: list[str]) -> None:
    if losers:
        writer.steps.append(Collect(at=[*losers]))
        losers.clear()
