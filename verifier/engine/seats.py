"""The players' hands while a round is being played: the mutable state behind `deal.play_round`."""

from __future__ import annotations

from dataclasses import dataclass, field

from verifier.domain.cards import Card
from verifier.domain.places import MAX_HANDS, space
from verifier.engine.actions import DecisionKind, PlayedHand, Stake
from verifier.engine.outcomes import HandFacts, HandState, hand_state
from verifier.engine.settlement import HandSettlement, Stakes
from verifier.engine.totals import hand_total, is_natural, is_pair


@dataclass
class Hand:
    """One hand of a seat; index 0 is the dealer's leftmost."""

    index: int
    wager: int
    cards: list[Card] = field(default_factory=list)
    double: int = 0
    tip: int = 0
    tip_double: int = 0
    held: bool = False
    cleared: bool = False
    settlement: HandSettlement | None = None

    @property
    def ranks(self) -> list[str]:
        return [card.rank for card in self.cards if card.rank]

    @property
    def bust(self) -> bool:
        return hand_total(self.ranks).bust


@dataclass
class Seat:
    """A wagered betting space."""

    number: int
    stake: Stake
    hands: list[Hand] = field(default_factory=list)
    insurance: int = 0

    def __post_init__(self) -> None:
        self.hands.append(Hand(0, self.stake.original_cents, tip=self.stake.tip_cents))

    @property
    def split(self) -> bool:
        return len(self.hands) > 1

    def place(self, hand: Hand | None = None) -> str:
        return space(self.number, hand.index if hand else 0)

    def natural(self) -> bool:
        """Tell whether the space holds an undoubled original natural."""
        return not self.split and is_natural(self.hands[0].ranks)

    def facts(self, hand: Hand, *, even_money: bool = False) -> HandFacts:
        return HandFacts(split=self.split, doubled=hand.double > 0, insured=self.insurance > 0, even_money=even_money)

    def state(self, hand: Hand) -> HandState:
        return hand_state(hand.ranks, split=self.split)

    def stakes(self, hand: Hand) -> Stakes:
        return Stakes(
            original=0 if hand.index else hand.wager,
            split=hand.wager if hand.index else 0,
            double=hand.double,
            tip=hand.tip,
            tip_double=hand.tip_double,
        )

    def options(self, hand: Hand) -> frozenset[DecisionKind]:
        """Lawful decisions of a hand that is not bust (99-01.3-08-09(2)(c),(d)); a split ace may only split again."""
        two = len(hand.cards) == 2
        found: set[DecisionKind] = {"stand"}
        if two and len(self.hands) < MAX_HANDS and is_pair(*hand.ranks):
            found.add("split")
        if not self.split_ace(hand):
            found.add("hit")
            if two:
                found.add("double")
        return frozenset(found)

    def split_ace(self, hand: Hand) -> bool:
        return self.split and bool(hand.ranks) and hand.ranks[0] == "A"

    def split_off(self, hand: Hand) -> Hand:
        """Move the second card to a new hand of an equal wager and return that hand."""
        new = Hand(len(self.hands), self.stake.original_cents, [hand.cards.pop()])
        self.hands.append(new)
        return new

    def played(self) -> list[PlayedHand]:
        return [self._played(hand) for hand in self.hands]

    def _played(self, hand: Hand) -> PlayedHand:
        if hand.settlement is None:
            raise ValueError(f"{self.place(hand)} was never settled")
        return PlayedHand(
            at=self.place(hand),
            space=self.number,
            cards=tuple(hand.cards),
            stakes=self.stakes(hand),
            split=self.split,
            settlement=hand.settlement,
            held=hand.held,
        )
