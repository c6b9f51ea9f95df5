"""One poker hand as the checks see it: seats, button, blinds, cards, betting, showdown and awards."""

from __future__ import annotations

from functools import cached_property

from verifier.domain.events import (
    AnyEvent,
    ButtonMoved,
    CardBurned,
    CardDealt,
    CardRevealed,
    CardsCollected,
    ChipsReturned,
    PlayerAction,
    PotAwarded,
    RoundEnded,
    WagerPlaced,
)
from verifier.law.poker.acts import Street, clockwise, seat_number
from verifier.law.poker.betting import Betting
from verifier.law.poker.cards import BETTING, HOLE_CARDS, Cards, button_draw, is_seat, variant_of
from verifier.law.poker.folding import fold_cards
from verifier.law.poker.replay import STUD, Replay
from verifier.law.poker.rounds import PokerRound


class PokerHand:
    """View of one hand; everything is derived from its events and, for what carries over, the hands before."""

    def __init__(self, game: PokerRound) -> None:
        self.game = game
        self.house = game.house
        self.drawn, self.draw_move = button_draw(game.events)
        gone = {event.id for event in self.drawn}
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
        return hand_of(before).button if before is not None and hand_of(before).misdealt else None

    @cached_property
    def heads_up(self) -> bool:
        """Whether two players are dealt in; not told by a deal that the log breaks off."""
        whole = len(self.initial) >= 2 * (self.hole_cards or 2) or self.first_act is not None
        return len(self.seats) == 2 and whole

    # The course of the hand

    @cached_property
    def betting(self) -> Betting:
        return Replay(self).run()

    @property
    def streets(self) -> list[Street]:
        return self.betting.streets

    @cached_property
    def awards(self) -> tuple[PotAwarded, ...]:
        return tuple(e for e in self.events if isinstance(e, PotAwarded))

    @cached_property
    def ending(self) -> str:
        """Why the hand ended, in lower case; empty where the log gives no reason."""
        found = [e.reason or "" for e in self.events if isinstance(e, RoundEnded)]
        return found[-1].lower().replace("_", " ") if found else ""

    @cached_property
    def misdealt(self) -> bool:
        return "misdeal" in self.ending or "redeal" in self.ending

    @cached_property
    def called_off(self) -> bool:
        """Whether the hand was ended without a winner: wagers went back to more than one player."""
        backs = {e.at for e in self.events if isinstance(e, ChipsReturned) and e.reason in ("void", "error")}
        return "defect" in self.ending or "deck" in self.ending or "void" in self.ending or len(backs) > 1

    @cached_property
    def filmed(self) -> bool:
        """Whether acts that no record shows were not done: false where the log was made from a written record."""
        return "video" in self.game.channels and not all(e.source == "record" for e in self.game.events)

    @cached_property
    def first_award(self) -> float:
        """When the first pot was awarded; infinite where none was."""
        return self.awards[0].t_start if self.awards else float("inf")

    def position(self, event: AnyEvent) -> int:
        """Place of an event in the order of the hand."""
        return self._positions[event.id]

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {event.id: index for index, event in enumerate(self.events)}

    @cached_property
    def award_position(self) -> int:
        return self.position(self.awards[0]) if self.awards else len(self.events)

    # Showdown

    @cached_property
    def reveals(self) -> dict[str, list[CardRevealed]]:
        """Cards that players' hands showed at the end (not exposed by error), by seat in the order of the first."""
        found: dict[str, list[CardRevealed]] = {}
        for event in self.events:
            if isinstance(event, CardRevealed) and is_seat(event.at) and event.how in ("showdown", "turned", None):
                found.setdefault(event.at, []).append(event)
        return found

    @cached_property
    def folded(self) -> frozenset[str]:
        return frozenset(s for s in self.seats if s not in self.betting.live)

    @cached_property
    def live(self) -> tuple[str, ...]:
        """Seats whose hands were in to the end of the betting."""
        return tuple(s for s in self.seats if s in self.betting.live)

    @cached_property
    def gave_up(self) -> dict[str, PlayerAction]:
        """Live hands that were mucked or conceded before the award, with the act."""
        found: dict[str, PlayerAction] = {}
        for event in self.events[: self.award_position]:
            if isinstance(event, PlayerAction) and event.action in ("muck", "concede") and event.at in self.live:
                found.setdefault(event.at, event)
        return found

    def into_muck(self, seat: str) -> CardsCollected | None:
        """Return the first collection of a seat's cards after its last act of play and before the award."""
        for event in self.events[: self.award_position]:
            if (
                isinstance(event, CardsCollected)
                and event.from_ == seat
                and event in self.cards.collected.get(seat, ())
            ):
                return event
        return None

    @cached_property
    def contested(self) -> bool:
        """Whether more than one hand was in at the end of the betting."""
        return len(self.live) > 1

    @cached_property
    def any_all_in(self) -> bool:
        return bool(self.betting.all_in & set(self.live))

    @cached_property
    def burns(self) -> tuple[CardBurned, ...]:
        return tuple(e for e in self.events if isinstance(e, CardBurned))


def hand_of(game: PokerRound) -> PokerHand:
    """Return the view of a hand, which is made once."""
    memo = game.memo
    found = memo.get(("poker",))
    if not isinstance(found, PokerHand):
        found = memo[("poker",)] = PokerHand(game)
    return found
