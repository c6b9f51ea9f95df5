"""Rounds of the Washington proposals: a player deals and banks, covers every wager, and pays naturals from the left.

A recording ends with its shoe: then the deal passes to another seat. Insurance and splits are not performed.
"""

from __future__ import annotations

import random
from typing import Final

from verifier.domain import events
from verifier.domain.house import House, TableLimits
from verifier.domain.rulebooks import Rulebook
from verifier.engine.outcomes import LOST, TIED, outcome
from verifier.engine.totals import hand_total
from verifier.simulate.play import opening
from verifier.simulate.play.hands_in_play import HandInPlay, Shoe, change, decide
from verifier.simulate.play.layout_state import OnLayout
from verifier.simulate.play.performer import play_round
from verifier.simulate.play.script import NotStagedError, RoundWriter
from verifier.simulate.play.steps import (
    Cover,
    CoverBack,
    DealerStands,
    EndRound,
    PayCover,
    Peek,
    PlaceWager,
    PlayersTakeBack,
    Reveal,
    RoundScript,
    TakeBoth,
    TakeCards,
    Tie,
    TurnDown,
)

BANK_CENTS: Final = 200_000
"""More than a shoe's wagers can win, so that no wager is frozen."""
_DECKS: Final = {"wa-blackjack-a": 6, "wa-blackjack-b": 2}
_TRIES: Final = 4000


def washington_house(rng: random.Random, rulebook: Rulebook, spaces: int) -> House:
    """House rules of a card room; the dealer/banker sits at the seat after the last space's."""
    return House(
        rulebook=rulebook,
        deck_count=_DECKS[rulebook],
        hit_soft_17=rng.random() < 0.3,
        insurance_allowed=False,
        table_limits=TableLimits(min=100, max=2500),
        wa_min_bank=10_000,
        wa_multi_hand=False,
        wa_bank_topup=True,
        wa_resplit=False,
        wa_double_allowed=True,
        seats=[f"seat:{number}" for number in range(1, spaces + 2)],
    )


class WashingtonWriter(RoundWriter):
    """Writes one lawful round."""

    def write(self) -> RoundScript:
        """Return the script. Raises NotStagedError when these cards are not performed."""
        for hand in self.hands:
            chips = hand.stakes["original"]
            self.steps += [PlaceWager(at=hand.place, kind="original", chips=chips), Cover(at=hand.place, chips=chips)]
        self._first_cards()
        looks = not self.up_low and (self.house.rulebook == "wa-blackjack-b" or self.rng.random() < 0.5)
        if looks:
            self.steps.append(Peek())
        if looks and self.state().natural:
            self.steps.append(Reveal(card=self.dealer[1]))
        else:
            self._play(known=looks or self.up_low)
        self._settle()
        places = [hand.place for hand in reversed(self.hands) if not hand.held]
        self.steps += [TakeCards(places=[*places, "dealer"]), EndRound(), PlayersTakeBack()]
        return RoundScript(steps=self.steps, dealer_cards=self.dealer, outcomes=self.outcomes)

    def _play(self, *, known: bool) -> None:
        """Naturals where the dealer surely has none, the players from the left, and the dealer's own hand."""
        for hand in self.hands:
            if known and hand.natural:
                self._pay(hand)
        for hand in self.hands:
            if not hand.natural:
                self._turn(hand)
        over = all(hand.done for hand in self.hands)
        if over and (self.up_low or not any(hand.natural for hand in self.hands)):
            return
        self.steps.append(Reveal(card=self.dealer[1]))  # shows, too, that a natural that was paid was no tie
        if over:
            return
        if any(not hand.done and not hand.natural for hand in self.hands):
            while self.rules.must_draw(hand_total([c.rank or "?" for c in self.dealer]), len(self.dealer)):
                self.deal(None)
        self.steps.append(DealerStands())

    def _turn(self, hand: HandInPlay) -> None:
        while not hand.doubled:
            choice = decide(hand, self.up, self.rng, self.temper(hand.order[0]), split=False)
            if choice == "stand":
                return
            if choice == "double":
                hand.doubled = True
                chips = hand.stakes["original"]
                self.place(hand, PlaceWager(at=hand.place, kind="double", chips=[*chips]))
                self.steps.append(Cover(at=hand.place, chips=[*chips]))
            self.deal(hand)
            if hand.total.bust:
                hand.done = hand.held = True
                self.outcomes[hand.place] = "bust"
                self.steps += [TurnDown(at=hand.place), TakeBoth(at=hand.place), TakeCards(places=[hand.place])]
                return

    def _pay(self, hand: HandInPlay) -> None:
        extra = change(sum(hand.stakes["original"]) // 2) if hand.natural else []
        self.steps.append(PayCover(at=hand.place, extra=extra))
        hand.done = True
        self.outcomes[hand.place] = "natural" if hand.natural else "win"

    def _settle(self) -> None:
        for hand in [hand for hand in self.hands if not hand.done]:
            result = outcome(hand.state, self.state(), hand.facts, self.rules)
            self.outcomes[hand.place] = result
            if result in LOST:
                self.steps.append(TakeBoth(at=hand.place))
            elif result in TIED:
                self.steps += [Tie(at=hand.place), CoverBack(at=hand.place)]
            else:
                self._pay(hand)


class WashingtonSession:
    """One player's shoe: the bank is announced, the cards shuffled and cut, and hands dealt till the blank card."""

    def __init__(self, table: OnLayout, rng: random.Random, rounds: int) -> None:
        self.table, self.rng, self.rounds = table, rng, rounds
        self.shoe = Shoe(rng, table.house.deck_count or 2)
        table.stage.dealer_name = (table.house.seats or ["seat:1"])[-1]

    def run(self) -> None:
        """Perform everything in the order of time."""
        table, stage = self.table, self.table.stage
        table.pause(0.6, 1.2)
        stage.note(events.DealerShift, table.now, table.now + 0.3, phase="start")
        stage.note(events.BankChanged, table.now + 0.3, table.now + 0.9, action="announced", cents=BANK_CENTS)
        table.now += 1.0
        behind = self.shoe.remaining // 4
        opening.shuffle(table, self.shoe, behind=(behind - 4, behind + 4))
        table.to_indicator, table.left_in_shoe = self.shoe.remaining - behind, behind
        for number in range(1, self.rounds + 1):
            if table.indicator_out is not None:
                return
            play_round(table, self._script(), number, 1)
            table.pause(0.3, 1.0)

    def _script(self) -> RoundScript:
        plan, house = self.table.stage.plan, self.table.house
        for _ in range(_TRIES):
            trial = self.shoe.copy()
            trial.reorder(self.rng)
            writer = WashingtonWriter(trial, self.rng, house, plan, tuple(plan.spaces), [])
            try:
                script = writer.write()
            except NotStagedError:
                continue
            self.shoe.become(trial)
            return script
        raise AssertionError("no round of these cards can be performed")
