"""Drives the betting of a hand by its events: when streets open and close, who may act first, what is put in."""

from __future__ import annotations

from collections.abc import Sequence

from verifier.domain.events import (
    AnyEvent,
    CardDealt,
    CardRevealed,
    ChipsReturned,
    PlayerAction,
    PotAwarded,
    WagerChanged,
    WagerPlaced,
)
from verifier.domain.poker import STUD
from verifier.law.poker.acts import clockwise
from verifier.law.poker.beginning import antes_seen, blinds_seen
from verifier.law.poker.betting import Betting
from verifier.law.poker.cards import is_seat
from verifier.law.poker.hand_facts import HandFacts
from verifier.law.poker.showing import leading


class Replay:
    """Drives the betting by the events of a hand: when streets open and close, and who may act first."""

    def __init__(self, hand: HandFacts) -> None:
        self.hand = hand
        self.betting = Betting(hand.seats, hand.big_blind, _stacks(hand))
        self.doubles = _doubles(hand.events)
        self.street = -1
        self.dealt = {card.id: d.street for d in hand.cards.dealings for card in d.cards}
        self.bring_in: str | None = None

    def run(self) -> Betting:
        if not blinds_seen(self.hand):
            self.betting.unknown_start()
        elif not antes_seen(self.hand):
            self.betting.unsure |= set(self.hand.seats)
        for event in self.hand.events:
            if isinstance(event, CardDealt):
                self._card(event)
            elif isinstance(event, PlayerAction):
                self._act(event)
            elif isinstance(event, WagerPlaced | WagerChanged | ChipsReturned):
                self._money(event)
            elif isinstance(event, PotAwarded) or (isinstance(event, CardRevealed) and event.how == "showdown"):
                self._end_street(event)
        return self.betting

    def _card(self, event: CardDealt) -> None:
        street = self.dealt.get(event.id)
        if street is not None and street > max(self.street, 0):
            if self.street < 0 and street == 1 and self.hand.first_act is None:
                return
            self._open(0) if self.street < 0 else None
            self.betting.close()
            self._open(street)

    def _open(self, number: int) -> None:
        self.street = number
        firsts, after = self._firsts(number)
        self.betting.open(number, firsts, after)

    def _firsts(self, number: int) -> tuple[tuple[str, ...], str | None]:
        hand, able = self.hand, [s for s in self.betting.live if s not in self.betting.all_in]
        button = hand.button
        if number == 0 and not blinds_seen(hand):
            return (), None
        if number == 0 and hand.blinds and hand.variant != STUD:
            last = [hand.blinds[k].at for k in ("big", "other") if k in hand.blinds] or [hand.blinds["small"].at]
            return tuple(clockwise(able, seat)[0] for seat in last if able), last[0]
        if hand.variant == STUD:
            return self._stud_firsts(number, able, button)
        if button is None:
            return (), None
        return clockwise(able, button)[:1], button

    def _stud_firsts(self, number: int, able: list[str], button: str | None) -> tuple[tuple[str, ...], str | None]:
        """Stud opens left of the dealer by the rule; by custom the low card brings in and the best board leads."""
        if self.bring_in is not None and number == 0:
            order = [s for s in clockwise(able, self.bring_in) if s != self.bring_in]
            return tuple(order[:1]) + clockwise(able, button)[:1], self.bring_in
        hand = self.hand
        best = leading(hand.cards, self.betting.live, number, low=hand.house.poker_game == "low")
        leads = tuple(s if s in able else next(iter(clockwise(able, s)), s) for s in best)
        return (*clockwise(able, button)[:1], *leads), button

    def _act(self, event: PlayerAction) -> None:
        if event.action == "show":
            return
        if event.action in ("muck", "concede"):
            if self.street >= 0 and event.at in self.betting.pending and not self.betting.street.closed:
                self._fold_by(event)
            return
        if event.at not in self.betting.live:
            return
        if self.street < 0:
            self._open(0)
        if self._pat(event):
            self.betting.close()
            self._open(self.street + 1)
        self.betting.act(event)
        self._stud_opening(event)

    def _pat(self, event: PlayerAction) -> bool:
        """Tell whether a draw in which nobody took a card has gone by: betting was over, and a new round begins."""
        if self.hand.variant != "five_card_draw" or self.betting.pending or event.action == "fold":
            return False
        return not any(act.short_by for act in self.betting.street.acts) and not self.betting.completes(event)

    def _fold_by(self, event: PlayerAction) -> None:
        owes = self.betting.owed(event.at)
        if owes or owes is None:
            self.betting.live.remove(event.at)
            self.betting.pending.remove(event.at)

    def _stud_opening(self, event: PlayerAction) -> None:
        street = self.betting.street
        if self.hand.variant == STUD and street.number == 0 and event.action == "bet" and self.bring_in is None:
            self.betting.opening_is_completed = True

    def _money(self, event: WagerPlaced | WagerChanged | ChipsReturned) -> None:
        opening = isinstance(event, WagerPlaced) and event.kind in ("blind", "bet") and event.id not in self.doubles
        stud = opening and self.hand.variant == STUD and self.street < 0
        if stud and isinstance(event, WagerPlaced) and is_seat(event.at):
            self.bring_in = event.at
            self.betting.post(event.at, None if event.lower_bound else event.cents, "blind")
            self._open(0)
            self.betting.pending = [s for s in self.betting.pending if s != event.at]
            self.betting.opening_is_completed = True
            return
        money_event(self.betting, event, self.doubles)

    def _end_street(self, event: AnyEvent) -> None:
        if self.street >= 0 and not self.betting.street.closed:
            if isinstance(event, CardRevealed) and self.betting.pending and len(self.betting.live) > 1:
                return
            self.betting.close()


def _stacks(hand: HandFacts) -> dict[str, int]:
    """Stacks before the hand, where the log gives them at its start and this is its first hand."""
    if hand.game.previous is None and hand.house.stacks:
        return dict(hand.house.stacks)
    return {}


def _doubles(events: Sequence[AnyEvent]) -> frozenset[str]:
    """Bets that are logged both as chips placed and as a player's act.

    Chips of the same amount just before the act are its own; after it they are where the log does so for every act,
    and else complete it.
    """
    bets = sum(isinstance(e, WagerPlaced) and e.kind == "bet" for e in events)
    always = bets >= sum(isinstance(e, PlayerAction) and e.action in ("bet", "call", "raise") for e in events)
    acts: dict[tuple[str, int | None], int] = {}
    found: set[str] = set()
    waiting: dict[tuple[str, int | None], list[str]] = {}
    for event in events:
        if isinstance(event, CardDealt):
            acts, waiting = {}, {}
        elif isinstance(event, WagerPlaced) and event.kind == "bet":
            key = (event.at, event.cents)
            if always and acts.get(key):
                acts[key] -= 1
                found.add(event.id)
            else:
                waiting.setdefault(key, []).append(event.id)
        elif isinstance(event, PlayerAction) and event.action in ("bet", "call", "raise"):
            key = (event.at, event.cents)
            if waiting.get(key):
                found.add(waiting[key].pop())
            else:
                acts[key] = acts.get(key, 0) + 1
    return frozenset(found)


def money_event(betting: Betting, event: AnyEvent, doubles: frozenset[str]) -> None:
    """Feed a money event to the replay; `doubles` are wagers that an act already tells of.

    A lower bound of a wager is no amount.
    """
    if isinstance(event, WagerPlaced):
        cents = None if event.lower_bound else event.cents
        if event.kind in ("ante", "blind"):
            betting.post(event.at, cents, event.kind)
        elif event.kind == "bet" and event.id not in doubles:
            betting.add(event.at, cents)
    elif isinstance(event, WagerChanged):
        if event.cents_before is None or event.cents_after is None:
            betting.unsure.add(event.at)
        elif event.cents_after > event.cents_before:
            more = event.cents_after - event.cents_before
            if event.kind == "bet":
                betting.add(event.at, more)
            else:
                betting.post(event.at, more, event.kind)
        else:
            betting.give_back(event.at, event.cents_before - event.cents_after)
    elif isinstance(event, ChipsReturned):
        betting.give_back(event.at, event.cents)
