"""Steps of a round, in the order in which people do them. Chips are lists of values in cents.

`clause` marks a planted breach: the step is done wrongly in the way that its fields or its `fault` say, and its time is
the breach's. Faults are words that the motion of that step knows; none means done as the rules want.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from verifier.domain.cards import Card

StakeKind = Literal["original", "split", "double", "tip", "tip_double", "insurance"]
WAGERS: tuple[StakeKind, ...] = ("original", "split", "double")
TIPS: tuple[StakeKind, ...] = ("tip", "tip_double")


class Step(Struct, frozen=True, kw_only=True):
    """One act; `clause` names the rule that it is planted to break."""

    clause: str | None = None
    fault: str = ""


class PlaceWager(Step, frozen=True, kw_only=True):
    """A player places a stake; `signal` goes with a double or split.

    Fault: astray (an insurance, tip or split wager lies where it should not).
    """

    at: str
    kind: StakeKind
    chips: list[int]


class StartRound(Step, frozen=True, kw_only=True):
    """The first card is about to leave the shoe."""


class Deal(Step, frozen=True, kw_only=True):
    """A card from the shoe to a hand; `index` is its place in the hand; `across` lies at a right angle.

    Faults: right_draws, left_places (that hand does it alone), covers (more than a quarter of the card before), at_left
    (a dealer's draw, at the left of the first card).
    """

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
    """The dealer lays a pair side by side; `of` hands the space has then. Fault: above (not side by side)."""

    at: str
    to: str
    of: int = 2


class MoveInsurance(Step, frozen=True, kw_only=True):
    """The dealer moves insurance bets beside the cards."""

    at: list[str]


class HoldAside(Step, frozen=True, kw_only=True):
    """A busted hand's cards, with its chips on them, are held outside of the space."""

    at: str


class Peek(Step, frozen=True, kw_only=True):
    """The dealer lifts the edge of the hole card and looks."""


class ReadCards(Step, frozen=True, kw_only=True):
    """Both dealer cards go into the card reader and back."""


class Reveal(Step, frozen=True, kw_only=True):
    """The dealer turns the hole card, or another card that lies face down."""

    card: Card
    at: str = "dealer"
    index: int = 1


class DealerStands(Step, frozen=True, kw_only=True):
    """The dealer takes no further card."""


class Collect(Step, frozen=True, kw_only=True):
    """The dealer takes lost stakes, one hand after another, and puts them in the tray.

    Faults: both_hands, left_hand, aside (laid on the felt instead of in the tray).
    """

    at: list[str]
    kinds: tuple[StakeKind, ...] = (*WAGERS, *TIPS)


class TrayAside(Step, frozen=True, kw_only=True):
    """Chips that were laid aside go to the tray."""


class Pay(Step, frozen=True, kw_only=True):
    """A winning hand: `payoffs` are the chips paid for each kind of stake.

    Faults: other_hand_fans, fan_to_player, values_mixed, left_takes, hands_stay, tip_right_hand, far (the payoff lies
    away from its wager), takes_for_two (with the next hand's payoffs in `extra`) and from_hand (that next hand).
    """

    at: str
    extra: list[int] = []
    payoffs: dict[StakeKind, list[int]]
    fan_wager: bool = True
    fan_payoff: bool = True
    tip_wins: bool = False


class Tie(Step, frozen=True, kw_only=True):
    """A push, recognised by tapping the table."""

    at: str
    tap: bool = True


class ReturnStakes(Step, frozen=True, kw_only=True):
    """Void split and double wagers, or an excess, go back to the player."""

    at: str
    kinds: tuple[StakeKind, ...]
    reason: Literal["void", "excess", "error"] = "void"


class ReturnExcess(Step, frozen=True, kw_only=True):
    """The top chip of an original wager that is too high goes back to the player before the deal."""

    at: str


class BurnFrom(Step, frozen=True, kw_only=True):
    """The last card of a place, dealt there in error, goes to the discard holder."""

    place: str
    reason: str


class Omitted(Step, frozen=True, kw_only=True):
    """Something that ought to be done is left out."""

    at: str | None


class PayTips(Step, frozen=True, kw_only=True):
    """Winning tips, moved to the inner area before, are paid after all hands; `wrong` are other chips than owed.

    Faults: left_takes, not_fanned, hands_stay.
    """

    at: list[str]
    wrong: dict[str, list[int]] = {}


class TakeCards(Step, frozen=True, kw_only=True):
    """Cards go to the discard holder, hand by hand in this order."""

    places: list[str]


class DepositTips(Step, frozen=True, kw_only=True):
    """Won tips and their payoffs go into the tip receptacle."""


class TouchCard(Step, frozen=True, kw_only=True):
    """A player moves a card with the fingers."""

    at: str


class ChangeWager(Step, frozen=True, kw_only=True):
    """A player adds a chip to the original wager after cards were dealt, or takes the top chip (`add` below 0)."""

    at: str
    add: int


class GiveUp(Step, frozen=True, kw_only=True):
    """A player surrenders: the dealer takes half of the wager and pushes back the rest."""

    at: str


class Cover(Step, frozen=True, kw_only=True):
    """A dealer who banks lays `chips` beside a wager."""

    at: str
    chips: list[int]


class PayCover(Step, frozen=True, kw_only=True):
    """The cover becomes the payoff, with `extra` chips for a natural."""

    at: str
    extra: list[int] = []


class TakeBoth(Step, frozen=True, kw_only=True):
    """A lost wager goes to the bank with its cover."""

    at: str


class CoverBack(Step, frozen=True, kw_only=True):
    """The bank takes its cover back at a tie."""

    at: str


class TurnDown(Step, frozen=True, kw_only=True):
    """The player of a busted hand turns its cards down."""

    at: str


class PlayersTakeBack(Step, frozen=True, kw_only=True):
    """Players take what is theirs from the layout."""


class EndRound(Step, frozen=True, kw_only=True):
    """The layout is clear."""


AnyStep = (
    PlaceWager
    | StartRound
    | Deal
    | Signal
    | SplitCards
    | MoveInsurance
    | HoldAside
    | Peek
    | ReadCards
    | Reveal
    | DealerStands
    | Collect
    | TrayAside
    | Pay
    | Tie
    | ReturnStakes
    | ReturnExcess
    | BurnFrom
    | Omitted
    | PayTips
    | TakeCards
    | DepositTips
    | TouchCard
    | ChangeWager
    | PlayersTakeBack
    | EndRound
    | GiveUp
    | Cover
    | PayCover
    | TakeBoth
    | CoverBack
    | TurnDown
)


class RoundScript(Struct, frozen=True, kw_only=True):
    """A round as it will be played."""

    steps: list[AnyStep]
    dealer_cards: list[Card]
    outcomes: dict[str, str]
