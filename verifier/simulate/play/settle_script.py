"""Writes the settlement of a round: losers swept, winners paid, ties tapped, from the dealer's right (11(13))."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verifier.engine.outcomes import LOST, TIED, DealerState
from verifier.engine.settlement import settle_hand
from verifier.simulate.play import breaches
from verifier.simulate.play.hands_in_play import HandInPlay, change
from verifier.simulate.play.steps import WAGERS, Collect, Pay, PayTips, StakeKind, Tie

if TYPE_CHECKING:
    from verifier.simulate.play.script import RoundWriter


def settle(writer: RoundWriter) -> None:
    """Adds the settlement steps and notes the lawful outcomes (a planted breach changes only the steps)."""
    hands = [hand for hand in reversed(writer.hands) if not hand.done]
    state = writer.state()
    lawful = {hand.place: _outcome(hand, state) for hand in hands}
    treated, marked = breaches.outcomes(writer, hands, state, lawful)
    losers: list[str] = []
    tips: list[str] = []
    order, marked = breaches.settlement_order(writer, hands, marked)
    for hand in order:
        outcome, clause = treated[hand.place], marked.get(hand.place)
        if outcome in LOST and clause is None:
            losers.append(hand.place)
            continue
        _sweep(writer, losers)
        if outcome in LOST:
            writer.steps.append(Collect(at=[hand.place], clause=clause))
        elif outcome in TIED:
            writer.steps.append(breaches.tie(writer, Tie(at=hand.place, clause=clause), outcome))
        else:
            step = pay(hand, outcome, clause)
            tips += [hand.place] if step.tip_wins else []
            writer.steps.append(breaches.payment(writer, hand, step, outcome))
    _sweep(writer, losers)
    if tips:
        writer.steps.append(PayTips(at=tips))
    writer.outcomes.update(lawful)


def pay(hand: HandInPlay, outcome: str, clause: str | None = None) -> Pay:
    """The payment of a winning hand: three to two on a natural, else chip for chip (11(11), 11(12))."""
    payoffs: dict[StakeKind, list[int]] = {}
    for kind, chips in hand.stakes.items():
        if kind in WAGERS:
            payoffs[kind] = change(sum(chips) * 3 // 2) if outcome == "natural" else [*chips]
    return Pay(at=hand.place, payoffs=payoffs, tip_wins="tip" in hand.stakes, clause=clause)


def _outcome(hand: HandInPlay, dealer: DealerState) -> str:
    return settle_hand(hand.state, dealer, hand.facts, hand.money).outcome


def _sweep(writer: RoundWriter, losers: list[str]) -> None:
    if losers:
        writer.steps.append(Collect(at=[*losers]))
        losers.clear()
