"""The hands of a round while its script is written, the shoe they are dealt from, and how players decide."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Final, Literal

from verifier.domain.cards import FULL_DECK, Card
from verifier.domain.places import Place
from verifier.engine.outcomes import HandFacts, HandState, hand_state
from verifier.engine.settlement import Stakes
from verifier.engine.totals import Total, hand_total, is_pair, is_ten_count
from verifier.simulate.play.steps import StakeKind

Choice = Literal["hit", "stand", "double", "split"]

_WAGERS: Final = (
    [500], [500], [500, 500], [500, 500], [500, 100], [500, 100, 100], [500, 500, 100], [100, 100], [100, 100, 100],
    [200, 100], [500, 200], [500, 500, 500], [2500], [500, 500, 200], [500, 200, 100], [100], [500, 500, 500, 500],
    [200, 200, 100], [500, 100, 100, 100],
)  # fmt: skip
_HIGH: Final = (
    [2500], [500, 500, 500, 500, 500], [500, 500, 500, 200, 100], [500, 500, 500, 500], [500, 500, 500, 100, 100],
    [500, 500, 500, 500, 200],
)  # fmt: skip
_TIPS: Final = ([100], [100], [50], [100, 100], [200], [500])
DENOMINATIONS: Final = (2500, 500, 200, 100, 50)


class Shoe:
    """Shuffled cards; `draw` takes the next."""

    def __init__(self, rng: random.Random, decks: int) -> None:
        self._cards = [*FULL_DECK] * decks
        rng.shuffle(self._cards)

    @property
    def remaining(self) -> int:
        """Cards left."""
        return len(self._cards)

    def draw(self) -> Card:
        """Take the next card."""
        return self._cards.pop()

    def peek(self, count: int) -> list[Card]:
        """Return the next cards, left in the shoe."""
        return self._cards[-count:]

    def copy(self) -> Shoe:
        """Return a shoe with the same cards in the same order, to try a round on."""
        other = Shoe.__new__(Shoe)
        other._cards = [*self._cards]
        return other

    def become(self, other: Shoe) -> None:
        """Take over the cards of another shoe."""
        self._cards = [*other._cards]

    def reorder(self, rng: random.Random) -> None:
        """Bring the cards that are left in another order."""
        rng.shuffle(self._cards)


@dataclass(frozen=True)
class Temper:
    """How a player plays: shares of hands with a tip bet, of aces insured, of doubles and splits taken, of whims."""

    tips: float = 0.22
    insures: float = 0.3
    bold: float = 0.75
    whim: float = 0.06
    high: float = 0.1

    @classmethod
    def sample(cls, rng: random.Random) -> Temper:
        """Return a player of any temper."""
        return cls(
            tips=rng.choice((0.0, 0.1, 0.25, 0.5)),
            insures=rng.choice((0.0, 0.25, 0.6)),
            bold=rng.uniform(0.4, 0.95),
            whim=rng.choice((0.02, 0.06, 0.15)),
            high=rng.choice((0.0, 0.1, 0.4)),
        )


@dataclass
class HandInPlay:
    """One player's hand and its stakes (chip values in cents)."""

    place: str
    stakes: dict[StakeKind, list[int]]
    cards: list[Card] = field(default_factory=list)
    split: bool = False
    doubled: bool = False
    done: bool = False
    held: bool = False
    insurance: list[int] = field(default_factory=list)
    clause: str | None = None
    """Broken by its next card."""

    @property
    def ranks(self) -> list[str]:
        """Ranks in the order dealt."""
        return [card.rank or "?" for card in self.cards]

    @property
    def total(self) -> Total:
        """Best total."""
        return hand_total(self.ranks)

    @property
    def state(self) -> HandState:
        """What decides the outcome."""
        return hand_state(self.ranks, split=self.split)

    @property
    def natural(self) -> bool:
        """An original ace and ten-count, not doubled."""
        return self.state.natural and not self.doubled

    @property
    def halves(self) -> bool:
        """Whether there are chips for half of its original wager: half-dollars are the least."""
        return sum(self.stakes["original"]) % (2 * DENOMINATIONS[-1]) == 0

    @property
    def facts(self) -> HandFacts:
        """How it was wagered."""
        return HandFacts(split=self.split, doubled=self.doubled, insured=bool(self.insurance))

    @property
    def money(self) -> Stakes:
        """Its stakes in cents."""
        return Stakes(**{kind: sum(chips) for kind, chips in self.stakes.items()})

    @property
    def order(self) -> tuple[int, int]:
        """Space and split hand."""
        place = Place.parse(self.place)
        return (place.number, place.hand)


def pick_wager(rng: random.Random, temper: Temper | None = None) -> list[int]:
    """Chips of an original wager, one to four (five of those who bet high)."""
    return [*rng.choice(_HIGH if temper is not None and rng.random() < temper.high else _WAGERS)]


def pick_tip(rng: random.Random) -> list[int]:
    """Chips of a tip bet."""
    return [*rng.choice(_TIPS)]


def change(cents: int) -> list[int]:
    """Return the fewest chips that make an amount of whole half-dollars."""
    chips: list[int] = []
    for value in DENOMINATIONS:
        while cents >= value:
            chips.append(value)
            cents -= value
    return chips


def decide(hand: HandInPlay, up: str, rng: random.Random, temper: Temper, *, split: bool) -> Choice:
    """Return a plausible player's choice: near basic strategy, with some whims; `split`: another hand has room."""
    total, first_two = hand.total, len(hand.cards) == 2
    if total.best >= 21:
        return "stand"
    weak = up in "23456789"
    if split and first_two and _wants_split(hand, rng, temper, weak=weak):
        return "split"
    if first_two and not hand.split and not total.soft and 9 <= total.best <= 11:
        return "double" if rng.random() < temper.bold * (1.0 if weak else 0.4) else "hit"
    if first_two and not hand.split and not total.soft and 12 <= total.best <= 16 and rng.random() < temper.whim * 0.15:
        return "double"
    strong = up == "A" or is_ten_count(up) or up in "789"
    limit = 18 if total.soft else (17 if strong else 13)
    if rng.random() < temper.whim:
        limit += rng.choice((-1, 1))
    return "hit" if total.best < limit else "stand"


def _wants_split(hand: HandInPlay, rng: random.Random, temper: Temper, *, weak: bool) -> bool:
    first, second = hand.ranks
    if not is_pair(first, second):
        return False
    eager = 0.9 if first in "A8" else 0.25 if is_ten_count(first) else 0.5
    return rng.random() < eager * (temper.bold + 0.25 if weak else temper.bold * 0.5)
