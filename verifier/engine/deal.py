"""Deals lawful rounds of twenty-one from a seed (N.D. Admin. Code 99-01.3-08-09, -10 and -11).

`play_round` returns a frozen `PlayedRound`; its actions stand in the order in which they lawfully happen.
"""

from __future__ import annotations

import random
from collections.abc import Mapping

from verifier.domain.house import House
from verifier.engine.actions import (
    Busted,
    Decision,
    DecisionKind,
    HandSplit,
    PlayedDealer,
    PlayedRound,
    ReaderUsed,
    Stake,
    StakeAdded,
)
from verifier.engine.outcomes import bust_timing
from verifier.engine.seats import Hand, Seat
from verifier.engine.shoe import Shoe
from verifier.engine.strategy import Choice, Strategy, sensible
from verifier.engine.table import Table
from verifier.engine.totals import hand_total

__all__ = ["PlayedRound", "Shoe", "Stake", "dealer_must_draw", "play_round"]

CARDS_A_SPACE = 12
"""A shoe must hold this many cards for each space and for the dealer, far more than sensible play uses."""


def play_round(
    shoe: Shoe, stakes: Mapping[int, Stake], house: House, rng: random.Random, strategy: Strategy | None = None
) -> PlayedRound:
    """Play one lawful round on the wagered spaces (1..7) in `stakes`.

    Options that the house leaves open are taken as: hole-card-no-peek, equal doubles, no insurance, tips not doubled,
    naturals paid at once where that is lawful. Raises ValueError without a wager or with too few cards in the shoe.
    """
    if not stakes or not all(1 <= number <= 7 for number in stakes):
        raise ValueError("needs wagers on spaces 1 to 7")
    if shoe.remaining < CARDS_A_SPACE * (len(stakes) + 1):
        raise ValueError(f"{shoe.remaining} cards are too few for a round on {len(stakes)} spaces")
    return _Round(Table(shoe, stakes, house), rng, strategy or sensible).play()


def dealer_must_draw(ranks: list[str], house: House) -> bool:
    """Tell whether the dealer draws to these cards: 16 or under, or a soft 17 where the option is adopted
    (11(10)(f),(g)).

    With the option the rule speaks of an ace and a six; more cards only where the house says so (`soft_17_scope`).
    """
    total = hand_total(ranks)
    if total.best < 17:
        return True
    if not (house.hit_soft_17 and total.best == 17 and total.soft):
        return False
    return house.soft_17_scope == "any" or len(ranks) == 2


class _Round:
    """A round in progress; `play` runs its phases in order."""

    def __init__(self, table: Table, rng: random.Random, strategy: Strategy) -> None:
        self.table, self.rng, self.strategy = table, rng, strategy
        self.house, self.seats = table.house, table.seats

    def play(self) -> PlayedRound:
        table = self.table
        self.deal()
        self.offer_insurance()
        if not self.reader_finds_natural():
            self.pay_early_naturals()
            for seat in self.seats:
                self.play_seat(seat)
            self.finish()
        table.clear_all()
        return PlayedRound(
            method=table.method,
            stakes={seat.number: seat.stake for seat in self.seats},
            actions=tuple(table.actions),
            hands=tuple(hand for seat in self.seats for hand in seat.played()),
            insurance=tuple(table.insurance),
            dealer=PlayedDealer(cards=tuple(table.dealer), revealed=table.revealed),
        )

    def deal(self) -> None:
        """One card up to each space, one to the dealer, a second round; the dealer's second card down, if any."""
        for turn in range(2):
            for seat in self.seats:
                self.table.draw_to_hand(seat, seat.hands[0], "initial")
            if turn == 0:
                self.table.draw_to_dealer("initial")
            elif self.table.method != "no_hole_card":
                self.table.draw_to_dealer("initial", down=True)

    def offer_insurance(self) -> None:
        """With an ace up and insurance permitted, from the dealer's left (09(2)(b))."""
        if self.table.state().up != "ace" or not self.house.insurance_allowed:
            return
        for seat in self.seats:
            options: set[DecisionKind] = {"insurance", "decline"}
            if self.house.even_money and seat.natural():
                options.add("even_money")
            kind = self.ask(seat, seat.hands[0], frozenset(options))
            if kind == "even_money":
                self.table.settle(seat, seat.hands[0], even_money=True)
                self.table.clear(seat, seat.hands[0])
            elif kind == "insurance":
                seat.insurance = seat.stake.original_cents // 2
                self.table.actions.append(StakeAdded(seat.place(), "insurance", seat.insurance))

    def reader_finds_natural(self) -> bool:
        """Read the hole card where a reader is used; settle everything when it makes a natural (10(3))."""
        table = self.table
        if table.method != "hole_card_reader" or table.state().up == "low":
            return False
        natural = table.state().natural
        table.actions.append(ReaderUsed(natural))
        if natural:
            table.reveal()
            table.settle_natural()
        else:
            table.settle_insurance()
        return natural

    def pay_early_naturals(self) -> None:
        """Pay naturals against 2 to 9 at once, where the house does so (11(11))."""
        if self.table.state().up == "low" and self.house.natural_pay_timing != "in_order":
            self.table.settle_each(lambda seat, hand: seat.natural(), clear=True)

    def play_seat(self, seat: Seat) -> None:
        """Play the hands of a space from the dealer's left; a split adds hands to its right."""
        index = 0
        while index < len(seat.hands):
            hand = seat.hands[index]
            if hand.settlement is None:
                self.play_hand(seat, hand)
            index += 1

    def play_hand(self, seat: Seat, hand: Hand) -> None:
        """One hand to its end: stand, bust, double, or a split ace's single card."""
        if len(hand.cards) == 1:
            self.table.draw_to_hand(seat, hand, "split")
        while not hand.bust:
            options = seat.options(hand)
            if seat.split_ace(hand) and "split" not in options:
                return
            kind = self.ask(seat, hand, options)
            if kind == "split":
                self.split(seat, hand)
            elif kind == "hit":
                self.table.draw_to_hand(seat, hand, "hit")
            else:
                if kind == "double":
                    self.double(seat, hand)
                break
        if hand.bust:
            self.bust(seat, hand)

    def split(self, seat: Seat, hand: Hand) -> None:
        new = seat.split_off(hand)
        self.table.actions.append(StakeAdded(seat.place(new), "split", new.wager))
        self.table.actions.append(HandSplit(seat.place(hand), seat.place(new), new.cards[0]))
        self.table.draw_to_hand(seat, hand, "split")

    def double(self, seat: Seat, hand: Hand) -> None:
        hand.double = hand.wager
        self.table.actions.append(StakeAdded(seat.place(hand), "double", hand.double))
        if hand.tip and self.house.tip_double_down in ("equal", "equal_or_less") and self.rng.random() < 0.5:
            hand.tip_double = hand.tip
            self.table.actions.append(StakeAdded(seat.place(hand), "tip_double", hand.tip_double))
        self.table.draw_to_hand(seat, hand, "double")

    def bust(self, seat: Seat, hand: Hand) -> None:
        """Taken at once, or held with its tip lost now (11(6)-(8))."""
        table = self.table
        timing = bust_timing(table.state().up, seat.facts(hand), reader=table.method == "hole_card_reader")
        table.actions.append(Busted(seat.place(hand), hand_total(hand.ranks).best, timing))
        if timing == "held":
            table.hold(seat, hand)
        else:
            table.settle(seat, hand)
            table.clear(seat, hand)

    def ask(self, seat: Seat, hand: Hand, options: frozenset[DecisionKind]) -> DecisionKind:
        choice = Choice(at=seat.place(hand), cards=tuple(hand.cards), up=self.table.dealer[0], options=options)
        kind = self.strategy(choice, self.rng)
        if kind not in options:
            raise ValueError(f"{kind!r} is not open to {choice.at}: expected one of {sorted(options)}")
        self.table.actions.append(Decision(choice.at, kind))
        return kind

    def finish(self) -> None:
        """Show the second card where anything depends on it, then settle in the order of 11(10)-(13)."""
        table = self.table
        if all(hand.settlement for _, hand in table.from_right()) and not table.insurance_open():
            return
        table.reveal()
        if table.state().natural:
            table.settle_natural()
            return
        if table.insurance_open():
            table.settle_insurance()
        table.settle_held()
        if table.state().up != "low":
            table.settle_each(lambda seat, hand: seat.natural(), clear=True)
        while self.hand_in_play() and dealer_must_draw(table.dealer_ranks(), self.house):
            table.draw_to_dealer("dealer")
        table.settle_each(lambda seat, hand: True, clear=False)

    def hand_in_play(self) -> bool:
        return any(hand.settlement is None for _, hand in self.table.from_right())
