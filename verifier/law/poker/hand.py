"""One poker hand as the checks see it: seats, button, blinds, cards, betting, showdown and awards."""

from __future__ import annotations

from functools import cached_property

from verifier.domain.events import (
    AnyEvent,
    CardBurned,
    CardRevealed,
    CardsCollected,
    ChipsReturned,
    PlayerAction,
    PotAwarded,
)
from verifier.law.poker.acts import Street
from verifier.law.poker.betting import Betting
from verifier.law.poker.cards import is_seat
from verifier.law.poker.hand_facts import HandFacts
from verifier.law.poker.replay import Replay
from verifier.law.poker.rounds import PokerRound


class PokerHand(HandFacts):
    """View of one hand: its facts, the betting that follows from them, and its showdown."""

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
    def called_off(self) -> bool:
        """Whether the hand was ended without a winner: wagers went back to more than one player."""
        backs = {e.at for e in self.events if isinstance(e, ChipsReturned) and e.reason in ("void", "error")}
        return "defect" in self.ending or "deck" in self.ending or "void" in self.ending or len(backs) > 1

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
