"""The cards of a poker hand, folded from the log: who was dealt what, in which dealing, and what was burned.

Places are texts (`seat:3`, `board`); a dealing is the cards that go out between two rounds of betting.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from verifier.domain.events import (
    AnyEvent,
    ButtonMoved,
    CardBurned,
    CardDealt,
    CardRevealed,
    CardsCollected,
    PlayerAction,
    PotAwarded,
    RoundEnded,
    WagerPlaced,
)

HOLE_CARDS: Final[Mapping[str, int]] = {"holdem": 2, "omaha": 4, "seven_card_stud": 3, "five_card_draw": 5}
"""Cards that each player gets before the first betting."""
FULL_HAND: Final[Mapping[str, int]] = {"holdem": 2, "omaha": 4, "seven_card_stud": 7, "five_card_draw": 5}
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
    """What became of the cards of one hand."""

    variant: str | None
    hands: dict[str, list[Held]] = field(default_factory=dict)
    board: list[Held] = field(default_factory=list)
    dealings: list[Dealing] = field(default_factory=list)
    late_burns: list[CardBurned] = field(default_factory=list)
    exposures: list[tuple[Held, AnyEvent]] = field(default_factory=list)
    removed: list[tuple[Held, CardBurned]] = field(default_factory=list)
    shown: dict[str, list[str]] = field(default_factory=dict)
    discards: Counter[str] = field(default_factory=Counter)
    collected: dict[str, list[CardsCollected]] = field(default_factory=dict)

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
            own += [c.text for c in self.held(seat) if _read(c.text) and c.text not in own]
        return tuple(own)

    @property
    def table(self) -> tuple[str, ...]:
        return tuple(card.text for card in self.board if not card.gone)


def is_seat(place: str | None) -> bool:
    """Whether a place is a player's."""
    return place is not None and place.startswith("seat:")


def is_burn(event: CardBurned) -> bool:
    """Whether a card was burned by the burn procedure, not taken out of play for another reason."""
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
    """The game's variant: as configured, else as the first dealing shows it."""
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
    by_count = {2: "holdem", 4: "omaha", 5: "five_card_draw", 3: "seven_card_stud" if up else None}
    return by_count.get(usual[0][0]) if usual else None


def fold_cards(events: Sequence[AnyEvent], variant: str | None) -> Cards:
    """Replays the card events of one hand (without a draw for the button)."""
    folding = _Folding(Cards(variant))
    for event in events:
        folding.on(event)
    folding.cards.late_burns = folding.burns
    return folding.cards


def _read(text: str) -> bool:
    return "?" not in text


class _Folding:
    """State while the events of one hand are replayed."""

    def __init__(self, cards: Cards) -> None:
        self.cards = cards
        self.burns: list[CardBurned] = []
        self.early: list[CardBurned] = []
        self.acted = False
        self.bets = 0
        self.over = False
        self.showdown = False

    def on(self, event: AnyEvent) -> None:
        if isinstance(event, CardDealt):
            self._deal(event)
        elif isinstance(event, CardRevealed):
            self._reveal(event)
        elif isinstance(event, CardBurned):
            self._burn(event)
        elif isinstance(event, CardsCollected):
            self._collect(event)
        elif isinstance(event, PlayerAction):
            self._act(event)
        elif isinstance(event, PotAwarded):
            self.over = True

    def _act(self, event: PlayerAction) -> None:
        if event.action in BETTING:
            self.acted = True
            self.bets += 1
            self.early += self.burns
            self.burns = []
        else:
            self.showdown = True
        if event.action in ("fold", "muck", "concede"):
            self.cards.collected.setdefault(event.at, [])

    def _deal(self, event: CardDealt) -> None:
        if event.to != "board" and not is_seat(event.to):
            return
        current = self.cards.dealings[-1] if self.cards.dealings else None
        street = self._street(event)
        if current is None or self.acted or street != current.street:
            current = Dealing(street, event.to == "board", burns=self.burns, early_burns=self.early)
            self.cards.dealings.append(current)
            self.burns, self.early, self.acted = [], [], False
        elif self.burns:
            current.inside += self.burns
            self.burns = []
        current.cards.append(event)
        held = Held(event, event.card)
        if event.to == "board":
            self.cards.board.append(held)
            return
        if self._flashed(event):
            held.exposed = True
            self.cards.exposures.append((held, event))
        self.cards.hands.setdefault(event.to, []).append(held)
        self._two_up(event)
        if event.face == "up" and _read(event.card) and not held.exposed:
            self.cards.shown.setdefault(event.to, []).append(event.card)

    def _street(self, event: CardDealt) -> int:
        """The street that a card belongs to: by the board, by the player's cards, or by the betting before it."""
        if event.to == "board":
            lying = sum(1 for card in self.cards.board if not card.gone)
            return max(1, lying - 1)
        current = self.cards.dealings[-1].street if self.cards.dealings else 0
        if self.cards.variant == "seven_card_stud":
            return current + 1 if self._next_street(event) else current
        if self.cards.variant == "five_card_draw":
            return current + 1 if self.acted and self.bets else current
        return current

    def _next_street(self, event: CardDealt) -> bool:
        """In stud: betting or a burn went before, or with nobody left to bet the player has this street's card."""
        if self.acted:
            return True
        if not self.cards.dealings or not self.cards.dealings[-1].street:
            return bool(self.burns) and len(self.cards.held(event.to)) >= HOLE_CARDS["seven_card_stud"]
        return bool(self.burns) or any(card.to == event.to for card in self.cards.dealings[-1].cards)

    def _flashed(self, event: CardDealt) -> bool:
        """Whether a card that must be down was dealt up."""
        if event.face != "up":
            return False
        if self.cards.variant != "seven_card_stud":
            return self.cards.variant is not None
        return len(self.cards.held(event.to)) == FULL_HAND["seven_card_stud"] - 1

    def _two_up(self, event: CardDealt) -> None:
        """In stud a first card that was dealt up is made good by a third that is dealt down, else it is exposed."""
        own = self.cards.held(event.to)
        if self.cards.variant == "seven_card_stud" and len(own) == HOLE_CARDS["seven_card_stud"] and event.face == "up":
            for card in own[:-1]:
                if card.dealt.face == "up" and not card.exposed:
                    card.exposed = True
                    self.cards.exposures.append((card, card.dealt))

    def _reveal(self, event: CardRevealed) -> None:
        if not is_seat(event.at):
            return
        own = self.cards.held(event.at)
        same = next((c for c in own if c.text == event.card and _read(c.text)), None)
        unread = next((c for c in (reversed(own) if event.how == "exposed_error" else own) if not _read(c.text)), None)
        target = same or unread
        if target is not None and _read(event.card):
            target.text = event.card
        if event.how == "exposed_error":
            if target is not None and not target.exposed:
                target.exposed = True
                self.cards.exposures.append((target, event))
            return
        self.showdown = self.showdown or event.how == "showdown"
        self.cards.shown.setdefault(event.at, []).append(event.card)

    def _burn(self, event: CardBurned) -> None:
        if is_burn(event) and not self._lies_exposed(event):
            self.burns.append(event)
            return
        target = self._exposed_card(event)
        if target is not None:
            target.gone = True
            self.cards.removed.append((target, event))

    def _lies_exposed(self, event: CardBurned) -> bool:
        return _read(event.card) and any(
            c.exposed and c.text == event.card for own in self.cards.hands.values() for c in own if not c.gone
        )

    def _exposed_card(self, event: CardBurned) -> Held | None:
        every = [c for own in (*self.cards.hands.values(), self.cards.board) for c in own if not c.gone]
        if _read(event.card):
            same = next((c for c in every if c.text == event.card), None)
            if same is not None:
                return same
            if not any(c.exposed and not _read(c.text) for c in every):
                return None
        if "expos" not in (event.reason or "").lower() and "flash" not in (event.reason or "").lower():
            return None
        return next((c for c in reversed(every) if c.exposed), None)

    def _collect(self, event: CardsCollected) -> None:
        if not is_seat(event.from_):
            return
        out = event.from_ in self.cards.collected
        if not out and not self.over and self._drawing(event):
            self.cards.discards[event.from_] += 1
            self.cards.shown.pop(event.from_, None)
            return
        self.cards.collected.setdefault(event.from_, []).append(event)

    def _drawing(self, event: CardsCollected) -> bool:
        """Whether a discard of a draw game: nobody has shown a hand yet and this player holds cards."""
        draw = self.cards.variant == "five_card_draw" and event.to in ("muck", "discard", None)
        return draw and not self.showdown and self.cards.count(event.from_) > 0
