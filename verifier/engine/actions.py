"""A lawful round as an ordered list of actions: what a choreographer performs with hands, cards and chips."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from verifier.domain.cards import Card
from verifier.domain.house import DealingMethod
from verifier.domain.places import PlaceText
from verifier.engine.outcomes import BustTiming, Outcome
from verifier.engine.settlement import Due, HandSettlement, StakeKind, Stakes
from verifier.engine.totals import Total, hand_total, is_natural

DecisionKind = Literal["hit", "stand", "double", "split", "insurance", "even_money", "decline"]
DrawReason = Literal["initial", "hit", "double", "split", "dealer"]


class Stake(Struct, frozen=True):
    """What lies on a betting space before the deal: original wager and tip in cents."""

    original_cents: int
    tip_cents: int = 0


class CardDrawn(Struct, frozen=True, tag=True):
    """A card goes from the shoe to a hand. `split`: a split hand's second card (of an ace: at a right angle)."""

    card: Card
    to: PlaceText
    face: Literal["up", "down"]
    why: DrawReason


class Decision(Struct, frozen=True, tag=True):
    """A player decides; `decline` (of insurance) needs no signal."""

    at: PlaceText
    kind: DecisionKind


class StakeAdded(Struct, frozen=True, tag=True):
    """The player adds a stake (split, double, tip_double, insurance). A split's `at` is the new hand's place."""

    at: PlaceText
    kind: StakeKind
    cents: int


class HandSplit(Struct, frozen=True, tag=True):
    """The second card of `from_` is laid beside it and becomes the hand `to`; a tip stays with hand 0."""

    from_: PlaceText
    to: PlaceText
    card: Card


class ReaderUsed(Struct, frozen=True, tag=True):
    """Both dealer cards go into the card reader."""

    natural: bool


class Busted(Struct, frozen=True, tag=True):
    """A hand passes 21. `at_once`: it is settled and cleared next; `held`: cards and stake are set aside, outside."""

    at: PlaceText
    total: int
    timing: BustTiming


class Revealed(Struct, frozen=True, tag=True):
    """The dealer's hole card is turned up in its place."""

    card: Card


class Settled(Struct, frozen=True, tag=True):
    """Stakes of a hand (or its space's insurance) are settled now; a held bust's tip goes before its wager.

    `outcome` is None for insurance. Tips of winning hands are paid after all hands, whatever the order here.
    """

    at: PlaceText
    outcome: Outcome | None
    dues: tuple[Due, ...]

    @property
    def delta(self) -> int:
        """Cents paid to (plus) or collected from (minus) the player, tips included."""
        return sum(due.delta for due in self.dues)


class CardsCleared(Struct, frozen=True, tag=True):
    """The cards of a hand, or of the dealer, go to the discard holder."""

    at: PlaceText


Action = CardDrawn | Decision | StakeAdded | HandSplit | ReaderUsed | Busted | Revealed | Settled | CardsCleared


class PlayedHand(Struct, frozen=True, kw_only=True):
    """A player's hand at the end: `cards` in the order received (a split's first card was dealt to hand 0)."""

    at: PlaceText
    space: int
    cards: tuple[Card, ...]
    stakes: Stakes
    split: bool
    settlement: HandSettlement
    held: bool = False

    @property
    def outcome(self) -> Outcome:
        return self.settlement.outcome

    @property
    def total(self) -> Total:
        return hand_total(card.rank for card in self.cards if card.rank)

    @property
    def doubled(self) -> bool:
        return self.stakes.double > 0


class PlayedInsurance(Struct, frozen=True):
    """An insurance bet of a space and what became of it."""

    at: PlaceText
    due: Due


class PlayedDealer(Struct, frozen=True, kw_only=True):
    """The dealer's cards in the order received; `revealed`: the second one was shown, else it never was."""

    cards: tuple[Card, ...]
    revealed: bool
    up_index: int = 0

    @property
    def up(self) -> Card:
        return self.cards[self.up_index]

    @property
    def total(self) -> Total:
        return hand_total(card.rank for card in self.cards if card.rank)

    @property
    def natural(self) -> bool:
        return is_natural([card.rank for card in self.cards[:2] if card.rank])


class PlayedRound(Struct, frozen=True, kw_only=True):
    """A whole lawful round. `stakes` maps the space's number to what lay on it before the deal."""

    method: DealingMethod
    stakes: dict[int, Stake]
    actions: tuple[Action, ...]
    hands: tuple[PlayedHand, ...]
    insurance: tuple[PlayedInsurance, ...]
    dealer: PlayedDealer

    @property
    def cards(self) -> tuple[Card, ...]:
        """Every card drawn, in order."""
        return tuple(action.card for action in self.actions if isinstance(action, CardDrawn))

    @property
    def tips_won(self) -> int:
        """Cents that go to the tip receptacle after the cards are picked up: winning tips and their payoffs."""
        won = (due for hand in self.hands for due in hand.settlement.dues if due.kind in ("tip", "tip_double"))
        return sum(due.stake + due.delta for due in won if due.delta > 0)

    def hand(self, at: str) -> PlayedHand:
        """Return the hand at a place. Raises KeyError where there is none."""
        for hand in self.hands:
            if hand.at == at:
                return hand
        raise KeyError(at)
