"""Steps of a round, in the order in which people do them. Chips are lists of values in cents.

`clause` marks a planted breach: the step is done wrongly in the way that its fields say, and its time is the breach's.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from verifier.domain.cards import Card

StakeKind = Literal["original", "split", "double", "tip"]


class Step(Struct, frozen=True, kw_only=True):
    """One act; `clause` names the rule that it is planted to break."""

    clause: str | None = None


class PlaceWager(Step, frozen=True, kw_only=True):
    """A player places a stake; `signal` goes with a double or split."""

    at: str
    kind: StakeKind
    chips: list[int]


class StartRound(Step, frozen=True, kw_only=True):
    """The first card is about to leave the shoe."""


class Deal(Step, frozen=True, kw_only=True):
    """A card from the shoe to a hand; `index` is its place in the hand; `across` lies at a right angle."""

    to: str
    card: Card
    face: Literal["up", "down"] = "up"
    index: int = 0
    across: bool = False


class Signal(Step, frozen=True, kw_only=True):
    """A player's gesture."""

    at: str
    meaning: Literal["hit", "stand", "split", "double"]


class SplitCards(Step, frozen=True, kw_only=True):
    """The dealer lays a pair side by side."""

    at: str
    to: str


class Reveal(Step, frozen=True, kw_only=True):
    """The dealer turns the hole card."""

    card: Card


class DealerStands(Step, frozen=True, kw_only=True):
    """The dealer takes no further card."""


class Collect(Step, frozen=True, kw_only=True):
    """The dealer takes lost stakes, one hand after another, and puts them in the tray."""

    at: list[str]


class Pay(Step, frozen=True, kw_only=True):
    """A winning hand: `payoffs` are the chips paid for each kind of stake."""

    at: str
    payoffs: dict[StakeKind, list[int]]
    fan_wager: bool = True
    fan_payoff: bool = True
    tip_wins: bool = False


class Tie(Step, frozen=True, kw_only=True):
    """A push, recognised by tapping the table."""

    at: str
    tap: bool = True


class PayTips(Step, frozen=True, kw_only=True):
    """Winning tips, moved to the inner area before, are paid after all hands."""

    at: list[str]


class TakeCards(Step, frozen=True, kw_only=True):
    """Cards go to the discard holder, hand by hand in this order."""

    places: list[str]


class DepositTips(Step, frozen=True, kw_only=True):
    """Won tips and their payoffs go into the tip receptacle."""


class TouchCard(Step, frozen=True, kw_only=True):
    """A player moves a card with the fingers."""

    at: str


class ChangeWager(Step, frozen=True, kw_only=True):
    """A player adds a chip to the original wager after cards were dealt."""

    at: str
    add: int


class PlayersTakeBack(Step, frozen=True, kw_only=True):
    """Players take what is theirs from the layout."""


class EndRound(Step, frozen=True, kw_only=True):
    """The layout is clear."""


AnyStep = (
    PlaceWager | StartRound | Deal | Signal | SplitCards | Reveal | DealerStands | Collect | Pay | Tie | PayTips
    | TakeCards | DepositTips | TouchCard | ChangeWager | PlayersTakeBack | EndRound
)  # fmt: skip


class RoundScript(Struct, frozen=True, kw_only=True):
    """A round as it will be played."""

    steps: list[AnyStep]
    dealer_cards: list[Card]
    outcomes: dict[str, str]
