"""What is known of a round while its script is written: hands, cards, steps so far, and the breaches that wait."""

from __future__ import annotations

import random

from verifier.domain.cards import Card
from verifier.domain.house import House
from verifier.domain.places import space
from verifier.engine.outcomes import DealerState, dealer_state, up_class
from verifier.engine.rules import rules_of
from verifier.simulate.play.hands_in_play import HandInPlay, Shoe, Temper, pick_wager
from verifier.simulate.play.spots import card_spot, crowded
from verifier.simulate.play.steps import (
    AnyStep,
    Deal,
    MoveInsurance,
    PlaceWager,
)
from verifier.simulate.scene import Vec
from verifier.simulate.table import TablePlan

MAX_CARDS = 6
"""A player's hand of more cards is not performed."""


class NotStagedError(Exception):
    """These cards do not give the round that was wanted; try others."""


class RoundWriter:
    """A round whose script is being written; `wanted` are the clauses to break in it, none for a lawful round."""

    def __init__(
        self,
        shoe: Shoe,
        rng: random.Random,
        house: House,
        plan: TablePlan,
        spaces: tuple[int, ...],
        wanted: list[str],
        tempers: dict[int, Temper] | None = None,
    ) -> None:
        self.shoe, self.rng, self.house, self.plan = shoe, rng, house, plan
        self.tempers = tempers or {}
        self.rules = rules_of(house.rulebook or "nd-twenty-one", house)
        self.steps: list[AnyStep] = []
        self.hands = [
            HandInPlay(space(number), {"original": pick_wager(rng, self.temper(number))}) for number in sorted(spaces)
        ]
        self.dealer: list[Card] = []
        self.outcomes: dict[str, str] = {}
        self.waiting = [*wanted]
        self.planted = bool(wanted)
        self.stray = ""
        """A space without a wager that was dealt a card which stays."""

    def temper(self, number: int) -> Temper:
        """How the player of a space plays."""
        return self.tempers.get(number, Temper())

    def breaks(self, clause: str) -> bool:
        """Tell whether this clause is to be broken and has not been yet."""
        return clause in self.waiting

    def broken(self, clause: str) -> str:
        """Mark the breach as done and return its clause."""
        self.waiting.remove(clause)
        return clause

    @property
    def up(self) -> str:
        """Rank of the dealer's faceup card."""
        return self.dealer[0].rank or "?"

    @property
    def up_low(self) -> bool:
        """Whether the faceup card is 2 to 9."""
        return up_class(self.up) == "low"

    @property
    def reader(self) -> bool:
        """Whether a card reader tells of the dealer's natural."""
        return self.house.dealing_method == "hole_card_reader"

    @property
    def no_hole(self) -> bool:
        """Whether the dealer takes no second card before the decisions."""
        return self.house.dealing_method == "no_hole_card"

    @property
    def insured(self) -> set[str]:
        """Places at which insurance has been placed in this round, lost already or not."""
        return {step.at for step in self.steps if isinstance(step, PlaceWager) and step.kind == "insurance"}

    def deal(
        self, hand: HandInPlay | None, *, face_down: bool = False, across: bool = False, clause: str | None = None
    ) -> None:
        """Deal a hand, or the dealer (None), the next card. Raises NotStagedError when the shoe has none left."""
        if not self.shoe.remaining:
            raise NotStagedError
        card = self.shoe.draw()
        cards = self.dealer if hand is None else hand.cards
        place = "dealer" if hand is None else hand.place
        cards.append(card)
        self.steps.append(
            Deal(
                to=place,
                card=card,
                face="down" if face_down else "up",
                index=len(cards) - 1,
                across=across,
                clause=clause,
            )
        )
        if (hand is not None and len(cards) > MAX_CARDS) or len(cards) > MAX_CARDS + 1:
            raise NotStagedError
        self.keep_apart(hand)

    def keep_apart(self, changed: HandInPlay | None) -> None:
        """No hand's cards may run into another's: such rounds are not performed."""
        others = [spot for hand in self.hands if hand is not changed for spot in self._spots(hand)]
        if changed is not None:
            others += [card_spot(self.plan, "dealer", index) for index in range(len(self.dealer))]
        mine = [card_spot(self.plan, "dealer", len(self.dealer) - 1)] if changed is None else self._spots(changed)
        if crowded(self.plan, mine, others):
            raise NotStagedError

    def _spots(self, hand: HandInPlay) -> list[Vec]:
        if hand.done or hand.held:
            return []
        return [card_spot(self.plan, hand.place, index, split=hand.split) for index in range(len(hand.cards))]

    def any_hand(self, *, insured: bool = True) -> HandInPlay:
        """Return a hand that is still in play; with `insured`, it may have insurance."""
        hands = [hand for hand in self.hands if not hand.done and (insured or hand.place not in self.insured)]
        if not hands:
            raise NotStagedError
        return self.rng.choice(hands)

    def state(self) -> DealerState:
        """Return the dealer's cards as they decide the outcomes."""
        return dealer_state([card.rank or "?" for card in self.dealer], self.up)

    def insure(self, hands: list[HandInPlay], clause: str | None = None) -> None:
        """Insurance bets are placed, and moved by the dealer; `clause` is broken by the first."""
        for hand in hands:
            self.steps.append(PlaceWager(at=hand.place, kind="insurance", chips=hand.insurance, clause=clause))
            clause = None
        self.steps.append(MoveInsurance(at=[hand.place for hand in hands]))

    def place(self, hand: HandInPlay, step: PlaceWager) -> None:
        """Place a stake during the round."""
        hand.stakes[step.kind] = step.chips
        self.steps.append(step)
