"""What the log of a poker hand tells before its betting is followed: seats, button, blinds and how it ended."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from verifier.domain.events import (
    AnyEvent,
    ButtonMoved,
    CardDealt,
    CardsCollected,
    PlayerAction,
    RoundEnded,
    WagerPlaced,
)
from verifier.domain.poker import HOLE_CARDS, STUD
from verifier.law.poker.acts import clockwise, seat_number
from verifier.law.poker.cards import BETTING, Cards, button_draw, is_seat, variant_of
from verifier.law.poker.folding import fold_cards
from verifier.law.poker.rounds import PokerRound


class HandFacts:
    """Facts of one hand, derived from its events and, for what carries over, the hands before."""

    def __init__(self, game: PokerRound) -> None:
        self.game = game
        self.house = game.house
        self.drawn, self.draw_move = button_draw(game.events)
        gone = {event.id for event in self.drawn} | _taken_back(self.drawn, game.events)
        self.events: tuple[AnyEvent, ...] = tuple(e for e in game.events if e.id not in gone) if gone else game.events
        self.variant = variant_of(self.house.poker_variant, self.events)

    # Who plays

    @cached_property
    def cards(self) -> Cards:
        return fold_cards(self.events, self.variant)

    @cached_property
    def first_card(self) -> CardDealt | None:
        return next((e for e in self.events if isinstance(e, CardDealt) and is_seat(e.to)), None)

    @cached_property
    def seats(self) -> tuple[str, ...]:
        """Seats that were dealt in, clockwise."""
        return tuple(sorted(self.cards.hands, key=seat_number))

    @cached_property
    def initial(self) -> tuple[CardDealt, ...]:
        """Cards to players before the first betting."""
        first = self.cards.dealings[0] if self.cards.dealings else None
        return tuple(first.cards) if first is not None and not first.board and first.street == 0 else ()

    @property
    def hole_cards(self) -> int | None:
        return HOLE_CARDS.get(self.variant) if self.variant else None

    # Blinds and the button

    @cached_property
    def blinds(self) -> dict[str, WagerPlaced]:
        """Blinds by their name (small, big, other); unnamed ones by their size."""
        wagers = [e for e in self.events if isinstance(e, WagerPlaced) and is_seat(e.at)]
        posted = [e for e in wagers if e.kind == "blind" and self._before_acts(e)]
        found: dict[str, WagerPlaced] = {}
        for event in posted:
            if event.blind:
                found.setdefault(event.blind, event)
        unnamed = [e for e in posted if not e.blind]
        sizes = self.house.poker_blinds
        for index, event in enumerate(unnamed):
            if sizes and event.cents in (sizes.small, sizes.big) and sizes.small != sizes.big:
                found.setdefault("small" if event.cents == sizes.small else "big", event)
            elif len(unnamed) > 1:
                found.setdefault("small" if index == 0 else "big", event)
        return {} if self.variant == STUD else found

    def _before_acts(self, event: AnyEvent) -> bool:
        first = self.first_act
        return first is None or event.t_end <= first.t_end

    @cached_property
    def first_act(self) -> PlayerAction | None:
        return next((e for e in self.events if isinstance(e, PlayerAction) and e.action in BETTING), None)

    @cached_property
    def big_blind(self) -> int | None:
        """Cents of the big blind: as configured, else as posted."""
        if self.house.poker_blinds is not None:
            return self.house.poker_blinds.big
        posted = self.blinds.get("big")
        return posted.cents if posted else None

    @cached_property
    def moved(self) -> ButtonMoved | None:
        """The last move of the button before the hand's first card."""
        found = None
        for event in self.events:
            if event is self.first_card or isinstance(event, PlayerAction):
                break
            if isinstance(event, ButtonMoved) and is_seat(event.to):
                found = event
        return found

    @cached_property
    def button(self) -> str | None:
        """The button's seat: where it was moved, or as the blinds tell, or where it was before a misdeal."""
        if self.moved is not None:
            return self.moved.to
        small = self.blinds.get("small")
        if small is not None and small.at in self.seats:
            order = clockwise(self.seats, small.at)
            return small.at if len(self.seats) == 2 else order[-2]
        before = self.game.previous
        return facts_of(before).button if before is not None and facts_of(before).misdealt else None

    @cached_property
    def heads_up(self) -> bool:
        """Whether two players are dealt in; not told by a deal that the log breaks off."""
        whole = len(self.initial) >= 2 * (self.hole_cards or 2) or self.first_act is not None
        return len(self.seats) == 2 and whole

    # How it ended and how it was seen

    @cached_property
    def ending(self) -> str:
        """Why the hand ended, in lower case; empty where the log gives no reason."""
        found = [e.reason or "" for e in self.events if isinstance(e, RoundEnded)]
        return found[-1].lower().replace("_", " ") if found else ""

    @cached_property
    def misdealt(self) -> bool:
        return "misdeal" in self.ending or "redeal" in self.ending

    @cached_property
    def by_chips(self) -> bool:
        """Whether chips and folds alone tell of the betting: no hand of the log tells who checked, called or raised."""
        every = [event for game in self.game.log for event in game.events]
        told = any(isinstance(e, PlayerAction) and e.action in BETTING and e.action != "fold" for e in every)
        return not told and all(e.lower_bound for e in every if isinstance(e, WagerPlaced))

    @cached_property
    def filmed(self) -> bool:
        """Whether acts that no record shows were not done: false where the log was made from a written record."""
        return "video" in self.game.channels and not all(e.source == "record" for e in self.game.events)


def _taken_back(drawn: Sequence[CardDealt], events: Sequence[AnyEvent]) -> set[str]:
    """Return which records tell that the cards of the draw for the button were taken back, before the hand's first."""
    found: set[str] = set()
    if drawn:
        for event in events[events.index(drawn[-1]) + 1 :]:
            if isinstance(event, CardDealt):
                break
            if isinstance(event, CardsCollected):
                found.add(event.id)
    return found


def facts_of(game: PokerRound) -> HandFacts:
    """Return the facts of a hand, which are collected once."""
    found = game.memo.get(("poker facts",))
    if not isinstance(found, HandFacts):
        found = game.memo[("poker facts",)] = HandFacts(game)
    return found
