"""Writes the script of a round: cards, decisions, outcomes and settlement, lawful or with one planted breach."""

from __future__ import annotations

import random

from verifier.domain.cards import Card
from verifier.domain.house import House
from verifier.domain.places import space
from verifier.engine.outcomes import PAID, DealerState, dealer_state, up_class
from verifier.simulate.play import breaches
from verifier.simulate.play.hands_in_play import HandInPlay, Shoe, decide, pick_tip, pick_wager
from verifier.simulate.play.settle_script import settle
from verifier.simulate.play.spots import card_spot, crowded
from verifier.simulate.play.steps import (
    AnyStep,
    ChangeWager,
    Collect,
    Deal,
    DepositTips,
    EndRound,
    PlaceWager,
    PlayersTakeBack,
    Reveal,
    RoundScript,
    Signal,
    SplitCards,
    StartRound,
    TakeCards,
    TouchCard,
)  # fmt: skip
from verifier.simulate.scene import Vec
from verifier.simulate.table import TablePlan

MAX_CARDS = 6
"""A player's hand of more cards is not performed."""


class NotStagedError(Exception):
    """These cards do not give the round that was wanted; try others."""


class RoundWriter:
    """Writes one round; `wanted` are the clauses to break in it, none for a lawful round."""

    def __init__(
        self, shoe: Shoe, rng: random.Random, house: House, plan: TablePlan, spaces: tuple[int, ...],
        wanted: list[str],
    ) -> None:  # fmt: skip
        self.shoe, self.rng, self.house, self.plan = shoe, rng, house, plan
        self.steps: list[AnyStep] = []
        self.hands = [HandInPlay(space(number), {"original": pick_wager(rng)}) for number in sorted(spaces)]
        self.dealer: list[Card] = []
        self.waiting = [*wanted]

    def write(self) -> RoundScript:
        """The script; raises NotStagedError when these cards cannot show the breach or are not performed."""
        self._wagers()
        self._first_cards()
        self._between()
        self._decisions()
        outcomes = self._dealer_and_settlement()
        if self.waiting:
            raise NotStagedError
        return RoundScript(steps=self.steps, dealer_cards=self.dealer, outcomes=outcomes)

    def breaks(self, clause: str) -> bool:
        """Whether this clause is to be broken and has not been yet."""
        return clause in self.waiting

    def broken(self, clause: str) -> str:
        """Marks the breach as done."""
        self.waiting.remove(clause)
        return clause

    @property
    def up(self) -> str:
        """Rank of the dealer's faceup card."""
        return self.dealer[0].rank or "?"

    @property
    def no_hole(self) -> bool:
        """Whether the dealer takes no second card before the decisions."""
        return self.house.dealing_method == "no_hole_card"

    def _wagers(self) -> None:
        tips = 0
        for hand in self.hands:
            self.steps.append(PlaceWager(at=hand.place, kind="original", chips=hand.stakes["original"]))
            if self.house.tip_betting == "permitted" and tips < 3 and self.rng.random() < 0.22:
                tips += 1
                hand.stakes["tip"] = pick_tip(self.rng)
                self.steps.append(PlaceWager(at=hand.place, kind="tip", chips=hand.stakes["tip"]))

    def _first_cards(self) -> None:
        self.steps.append(StartRound())
        order: list[HandInPlay | None] = [*self.hands, None]
        first, marked, clause = breaches.first_pass(self, order)
        for number, hand in enumerate(first):
            self._deal(hand, clause=clause if number == marked else None)
        for hand in order:
            if hand is not None:
                self._deal(hand)
            elif not self.no_hole:
                self._deal(None, face_down=True)

    def _deal(self, hand: HandInPlay | None, *, face_down: bool = False, across: bool = False,
              clause: str | None = None) -> None:  # fmt: skip
        card = self.shoe.draw()
        cards = self.dealer if hand is None else hand.cards
        place = "dealer" if hand is None else hand.place
        cards.append(card)
        self.steps.append(
            Deal(
                to=place, card=card, face="down" if face_down else "up", index=len(cards) - 1, across=across,
                clause=clause,
            )
        )  # fmt: skip
        if (hand is not None and len(cards) > MAX_CARDS) or len(cards) > MAX_CARDS + 1:
            raise NotStagedError
        self._keep_apart(hand)

    def _keep_apart(self, changed: HandInPlay | None) -> None:
        """No hand's cards may run into another's: such rounds are not performed."""
        others = [spot for hand in self.hands if hand is not changed for spot in self._spots(hand)]
        if changed is not None:
            others += [card_spot(self.plan, "dealer", index) for index in range(len(self.dealer))]
        mine = [card_spot(self.plan, "dealer", len(self.dealer) - 1)] if changed is None else self._spots(changed)
        if crowded(self.plan, mine, others):
            raise NotStagedError

    def _spots(self, hand: HandInPlay) -> list[Vec]:
        if hand.done:
            return []
        return [card_spot(self.plan, hand.place, index, split=hand.split) for index in range(len(hand.cards))]

    def _between(self) -> None:
        """Breaches by players between the deal and the decisions."""
        if self.breaks(breaches.WAGER_CHANGED):
            hand = self.rng.choice(self.hands)
            add = self.rng.choice((500, 500, 100, 2500))
            if sum(hand.stakes["original"]) + add > self.house.table_limits.max:
                raise NotStagedError
            hand.stakes["original"] = [*hand.stakes["original"], add]
            self.steps.append(ChangeWager(at=hand.place, add=add, clause=self.broken(breaches.WAGER_CHANGED)))
        if self.breaks(breaches.CARD_TOUCHED):
            hand = self.rng.choice(self.hands)
            self.steps.append(TouchCard(at=hand.place, clause=self.broken(breaches.CARD_TOUCHED)))

    def _decisions(self) -> None:
        waiting = [*self.hands]
        while waiting:
            hand = waiting.pop(0)
            if hand.split and len(hand.cards) == 1:
                self._deal(hand, across=hand.ranks[0] == "A")
                if hand.ranks[0] == "A":
                    continue
            split = self._play_out(hand)
            if split is not None:
                waiting[:0] = [hand, split]

    def _play_out(self, hand: HandInPlay) -> HandInPlay | None:
        """Plays a hand until it stands, busts, doubles or splits; a split gives the new hand."""
        extra = up_class(self.up) == "low"
        while True:
            choice = decide(hand, self.up, self.rng, extra=extra)
            if choice == "split":
                return self._split(hand)
            if choice == "double":
                self._double(hand)
                return None
            clause = self._omitted_signal(choice)
            if clause is None:
                self.steps.append(Signal(at=hand.place, meaning=choice))
            if choice == "stand":
                return None
            self._deal(hand, clause=clause)
            if hand.total.bust:
                self._bust(hand)
                return None

    def _omitted_signal(self, choice: str) -> str | None:
        if choice == "hit" and self.breaks(breaches.NO_SIGNAL) and self.rng.random() < 0.6:
            return self.broken(breaches.NO_SIGNAL)
        return None

    def _split(self, hand: HandInPlay) -> HandInPlay:
        number = hand.order[0]
        other = HandInPlay(space(number, 1), {"split": [*hand.stakes["original"]]}, [hand.cards.pop()], split=True)
        hand.split = True
        self.hands.insert(self.hands.index(hand) + 1, other)
        self.steps += [
            Signal(at=hand.place, meaning="split"),
            PlaceWager(at=other.place, kind="split", chips=other.stakes["split"]),
            SplitCards(at=hand.place, to=other.place),
        ]
        self._keep_apart(hand)
        self._keep_apart(other)
        return other

    def _double(self, hand: HandInPlay) -> None:
        hand.doubled = True
        hand.stakes["double"] = [*hand.stakes["original"]]
        self.steps += [
            Signal(at=hand.place, meaning="double"),
            PlaceWager(at=hand.place, kind="double", chips=hand.stakes["double"]),
        ]
        self._deal(hand, across=True)
        if hand.total.bust:
            self._bust(hand)

    def _bust(self, hand: HandInPlay) -> None:
        hand.done = True
        self.steps += [Collect(at=[hand.place]), TakeCards(places=[hand.place])]

    def _dealer_and_settlement(self) -> dict[str, str]:
        alive = [hand for hand in self.hands if not hand.done]
        outcomes = {hand.place: "bust" for hand in self.hands if hand.done}
        if alive:
            self._second_card()
            self._naturals_before_draw()
            in_play = [hand for hand in self.hands if not hand.done and not hand.natural]
            state = self._state()
            if not in_play and not state.natural:
                raise NotStagedError
            if not state.natural:
                breaches.dealer_draws(self)
            outcomes |= settle(self)
        remaining = [hand.place for hand in reversed(self.hands) if not hand.done]
        order, clause = breaches.pick_up(self, remaining)
        self.steps.append(TakeCards(places=[*order, "dealer"], clause=clause))
        if any("tip" in hand.stakes and outcomes.get(hand.place) in PAID for hand in self.hands):
            self.steps.append(DepositTips())
        self.steps += [EndRound(), PlayersTakeBack()]
        return outcomes

    def _second_card(self) -> None:
        if self.no_hole:
            self._deal(None)
        else:
            self.steps.append(Reveal(card=self.dealer[1]))

    def _naturals_before_draw(self) -> None:
        """Against an ace or ten, naturals are paid and taken up before the dealer draws (11(10)(a),(b))."""
        if up_class(self.up) == "low" or self._state().natural:
            return
        naturals = [hand for hand in reversed(self.hands) if hand.natural]
        for hand in naturals:
            if "tip" in hand.stakes:
                raise NotStagedError
            self.steps.append(breaches.pay_natural(self, hand, self._state()))
            hand.done = True
        if naturals:
            self.steps.append(TakeCards(places=[hand.place for hand in naturals]))

    def draw_for_dealer(self, clause: str | None = None) -> None:
        """One more card to the dealer."""
        self._deal(None, clause=clause)

    def _state(self) -> DealerState:
        return dealer_state([card.rank or "?" for card in self.dealer], self.up)

    def settled_state(self) -> DealerState:
        """The dealer's cards as they decide the outcomes."""
        return self._state()
