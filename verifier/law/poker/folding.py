"""Replays the card events of one poker hand into what became of its cards."""

from __future__ import annotations

from collections.abc import Sequence

from verifier.domain.events import (
    AnyEvent,
    CardBurned,
    CardDealt,
    CardRevealed,
    CardsCollected,
    PlayerAction,
    PotAwarded,
)
from verifier.domain.poker import FULL_HAND, HOLE_CARDS, STUD
from verifier.law.poker.cards import BETTING, Cards, Dealing, Held, is_burn, is_read, is_seat
from verifier.law.poker.doubtful import ranks_left


def fold_cards(events: Sequence[AnyEvent], variant: str | None) -> Cards:
    """Replays the card events of one hand (without a draw for the button)."""
    folding = Folding(Cards(variant))
    for event in events:
        folding.on(event)
    folding.cards.late_burns = folding.burns
    first = folding.cards.dealings[:1]
    folding.cards.stray_burns = [*(burn for deal in first if deal.street == 0 for burn in deal.inside), *folding.early]
    return folding.cards


class Folding:
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
        if isinstance(event, CardDealt | CardRevealed) and event.card[0] == "?" != event.card[1]:
            self.cards.ranks[event.card] = self.cards.ranks.get(event.card, frozenset()) | ranks_left(event)
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
        if event.face == "up" and is_read(event.card) and not held.exposed:
            self.cards.shown.setdefault(event.to, []).append(event.card)

    def _street(self, event: CardDealt) -> int:
        """Return the street that a card belongs to: by the board, by the player's cards, or by the betting before
        it.
        """
        if event.to == "board":
            lying = sum(1 for card in self.cards.board if not card.gone)
            return max(1, lying - 1)
        current = self.cards.dealings[-1].street if self.cards.dealings else 0
        if self.cards.variant == STUD:
            return current + 1 if self._next_street(event) else current
        if self.cards.variant == "five_card_draw":
            drawing = current == 0 and sum(self.cards.discards.values()) > 0
            return current + 1 if drawing or (self.acted and self.bets) else current
        return current

    def _next_street(self, event: CardDealt) -> bool:
        """In stud: betting or a burn went before, or with nobody left to bet the player has this street's card."""
        if self.acted:
            return True
        if not self.cards.dealings or not self.cards.dealings[-1].street:
            return bool(self.burns) and len(self.cards.held(event.to)) >= HOLE_CARDS[STUD]
        return bool(self.burns) or any(card.to == event.to for card in self.cards.dealings[-1].cards)

    def _flashed(self, event: CardDealt) -> bool:
        """Tell whether a card that must be down was dealt up."""
        if event.face != "up":
            return False
        if self.cards.variant != STUD:
            return self.cards.variant is not None
        return len(self.cards.held(event.to)) == FULL_HAND[STUD] - 1

    def _two_up(self, event: CardDealt) -> None:
        """In stud a first card that was dealt up is made good by a third that is dealt down, else it is exposed."""
        own = self.cards.held(event.to)
        if self.cards.variant == STUD and len(own) == HOLE_CARDS[STUD] and event.face == "up":
            for card in own[:-1]:
                if card.dealt.face == "up" and not card.exposed:
                    card.exposed = True
                    self.cards.exposures.append((card, card.dealt))

    def _reveal(self, event: CardRevealed) -> None:
        if not is_seat(event.at):
            return
        own = self.cards.held(event.at)
        same = next((c for c in own if c.text == event.card and is_read(c.text)), None)
        unread = next(
            (c for c in (reversed(own) if event.how == "exposed_error" else own) if not is_read(c.text)), None
        )
        target = same or unread
        if target is not None and is_read(event.card):
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
            shown = self.cards.shown.get(target.dealt.to, [])
            shown[:] = [text for text in shown if text != target.text]

    def _lies_exposed(self, event: CardBurned) -> bool:
        return is_read(event.card) and any(
            c.exposed and c.text == event.card for own in self.cards.hands.values() for c in own if not c.gone
        )

    def _exposed_card(self, event: CardBurned) -> Held | None:
        every = [c for own in (*self.cards.hands.values(), self.cards.board) for c in own if not c.gone]
        if is_read(event.card):
            same = next((c for c in every if c.text == event.card), None)
            if same is not None:
                return same
            if not any(c.exposed and not is_read(c.text) for c in every):
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
        """Tell whether a discard of a draw game: nobody has shown a hand yet and this player holds cards."""
        draw = self.cards.variant == "five_card_draw" and event.to in ("muck", "discard", None)
        return draw and not self.showdown and self.cards.count(event.from_) > 0
