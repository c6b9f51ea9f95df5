"""The cards of a poker hand, folded from the log: who was dealt what, in which dealing, and what was burned.

Places are texts (`seat:3`, `board`); a dealing is the cards that go out between two rounds of betting.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from verifier.domain.events import (
    AnyEvent,
    ButtonMoved,
    CardBurned,
    CardDealt,
    CardsCollected,
    PlayerAction,
    PotAwarded,
    RoundEnded,
    WagerPlaced,
)
from verifier.domain.poker import STUD
from verifier.engine.totals import RankSet

BETTING: Final = ("check", "bet", "call", "raise", "fold")
NOT_A_BURN: Final = (
    "expos",
    "face",
    "box",
    "dead",
    "flash",
    "off",
    "misdeal",
    "error",
    "foul",
    "drop",
    "mis-",
    "extra",
)
"""Parts of the reasons that a card leaves for other than the burn procedure."""


@dataclass
class Held:
    """A card in a hand or on the board; `text` is what is known of it."""

    dealt: CardDealt
    text: str
    exposed: bool = False
    gone: bool = False


@dataclass
class Dealing:
    """Cards that went out together. `street` counts from 0; `burns` came after the last dealing or betting and before
    the first card, `early_burns` while betting still went on, `inside` between its cards."""

    street: int
    board: bool
    cards: list[CardDealt] = field(default_factory=list)
    burns: list[CardBurned] = field(default_factory=list)
    early_burns: list[CardBurned] = field(default_factory=list)
    inside: list[CardBurned] = field(default_factory=list)


@dataclass
class Cards:
    """What became of the cards of one hand.

    `late_burns` came after the last dealing and betting; `stray_burns` amid the first deal, or while betting went on
    after which no card came.
    """

    variant: str | None
    hands: dict[str, list[Held]] = field(default_factory=dict)
    board: list[Held] = field(default_factory=list)
    dealings: list[Dealing] = field(default_factory=list)
    late_burns: list[CardBurned] = field(default_factory=list)
    stray_burns: list[CardBurned] = field(default_factory=list)
    exposures: list[tuple[Held, AnyEvent]] = field(default_factory=list)
    removed: list[tuple[Held, CardBurned]] = field(default_factory=list)
    shown: dict[str, list[str]] = field(default_factory=dict)
    discards: Counter[str] = field(default_factory=Counter)
    collected: dict[str, list[CardsCollected]] = field(default_factory=dict)
    ranks: dict[str, RankSet] = field(default_factory=dict)
    """The ranks that cards may have of which a suit alone was read, by their text (`?h`)."""

    def held(self, seat: str) -> list[Held]:
        """Cards that a seat still has."""
        return [card for card in self.hands.get(seat, ()) if not card.gone]

    def count(self, seat: str) -> int:
        """How many cards a seat holds after its discards."""
        return len(self.held(seat)) - self.discards[seat]

    def known(self, seat: str) -> tuple[str, ...]:
        """Cards of a seat that were seen in its final hand; for draw, only those shown after the last draw."""
        own = list(dict.fromkeys(self.shown.get(seat, ())))
        if not self.discards[seat]:
            own += [c.text for c in self.held(seat) if is_read(c.text) and c.text not in own]
        return tuple(own)

    @property
    def table(self) -> tuple[str, ...]:
        return tuple(card.text for card in self.board if not card.gone)


def is_seat(place: str | None) -> bool:
    """Tell whether a place is a player's."""
    return place is not None and place.startswith("seat:")


def is_burn(event: CardBurned) -> bool:
    """Tell whether a card was burned by the burn procedure, not taken out of play for another reason."""
    reason = (event.reason or "").lower()
    return not any(part in reason for part in NOT_A_BURN)


def button_draw(events: Sequence[AnyEvent]) -> tuple[tuple[CardDealt, ...], ButtonMoved | None]:
    """Cards dealt to draw for the button and the move that followed; nothing where the log shows no draw."""
    drawn: list[CardDealt] = []
    for event in events:
        if isinstance(event, CardDealt):
            if not is_seat(event.to):
                break
            drawn.append(event)
        elif isinstance(event, ButtonMoved) and drawn:
            return tuple(drawn), event
        elif isinstance(event, PlayerAction | PotAwarded | RoundEnded | WagerPlaced):
            break
    return (), None


def variant_of(configured: str | None, events: Sequence[AnyEvent]) -> str | None:
    """Return the game's variant: as configured, else as the first dealing shows it."""
    if configured is not None:
        return configured
    dealt: Counter[str] = Counter()
    up = False
    for event in events:
        if isinstance(event, PlayerAction | PotAwarded) or (isinstance(event, CardDealt) and not is_seat(event.to)):
            break
        if isinstance(event, CardDealt):
            dealt[event.to] += 1
            up = up or event.face == "up"
    usual = Counter(dealt.values()).most_common(1)
    by_count = {2: "holdem", 4: "omaha", 5: "five_card_draw", 3: STUD if up else None}
    return by_count.get(usual[0][0]) if usual else None


def is_read(text: str) -> bool:
    """Tell whether a card's rank and suit are known."""
    return "?" not in text
