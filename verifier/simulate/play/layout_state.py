"""What lies on the layout during a performed round, and the hands that work on it."""

from __future__ import annotations

from dataclasses import dataclass, field

from verifier.domain.house import House
from verifier.simulate.actors import Hand
from verifier.simulate.bodies import CardBody, ChipBody, PropBody
from verifier.simulate.scene import Vec
from verifier.simulate.stage import Stage

Stack = list[ChipBody]


@dataclass
class OnLayout:
    """The stage with the cards and chips of the round by place; `now` is the time that play has reached."""

    stage: Stage
    house: House
    now: float = 0.0
    wagers_down: float = 0.0
    cards: dict[str, list[CardBody]] = field(default_factory=dict)
    stakes: dict[str, dict[str, Stack]] = field(default_factory=dict)
    payoffs: dict[str, list[Stack]] = field(default_factory=dict)
    tips: dict[str, list[tuple[str, Stack]]] = field(default_factory=dict)
    paid_tips: list[Stack] = field(default_factory=list)
    split: dict[str, int] = field(default_factory=dict)
    """Number of hands of the spaces that were split."""
    shifted: dict[str, Vec] = field(default_factory=dict)
    """Planted: how far from their places the cards of a split hand are laid."""
    aside: Stack = field(default_factory=list)
    in_hand: tuple[float, Stack] = (0.0, [])
    started: bool = False
    to_indicator: int | None = None
    """Cards to be drawn until the indicator card appears."""
    left_in_shoe: int = 70
    indicator_out: PropBody | None = None
    collected: int = 0

    @property
    def left(self) -> Hand:
        """The dealer's left hand."""
        return self.stage.dealer.left

    @property
    def right(self) -> Hand:
        """The dealer's right hand."""
        return self.stage.dealer.right

    @property
    def fan_hand(self) -> Hand:
        """The hand that fans, by the house's option (11(16)(a))."""
        return self.left if self.house.payoff_fan_hand == "left" else self.right

    def pause(self, low: float, high: float) -> None:
        """Let some time pass, at the dealer's tempo."""
        self.now += self.stage.rng.uniform(low, high) / self.stage.pace

    def hands_of(self, place: str) -> int:
        """How many hands the space of a place has."""
        return self.split.get(place.split("/")[0], 1)

    def place_cents(self, place: str, kind: str) -> int:
        """Sum of a stake."""
        return stack_cents(self.stakes.get(place, {}).get(kind, []))

    def clear_round(self) -> None:
        """Forgets the round."""
        self.cards.clear()
        self.stakes.clear()
        self.payoffs.clear()
        self.tips.clear()
        self.paid_tips = []
        self.split.clear()
        self.shifted.clear()
        self.aside = []
        self.started = False
        self.collected = 0


def stack_cents(stack: Stack) -> int:
    """Sum of a stack."""
    return sum(chip.cents for chip in stack)


def chip_counts(stack: Stack) -> dict[str, int]:
    """Return a stack as the chip map of an event."""
    counts: dict[str, int] = {}
    for chip in stack:
        counts[str(chip.cents)] = counts.get(str(chip.cents), 0) + 1
    return counts
