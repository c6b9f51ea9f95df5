"""The table while a round is being played: seats, the dealer's cards and the actions written down so far."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from verifier.domain.cards import Card
from verifier.domain.house import House
from verifier.engine.actions import (
    Action,
    CardDrawn,
    CardsCleared,
    DrawReason,
    PlayedInsurance,
    Revealed,
    Settled,
    Stake,
)
from verifier.engine.outcomes import DealerState, dealer_state
from verifier.engine.seats import Hand, Seat
from verifier.engine.settlement import HandSettlement, settle_hand, settle_insurance
from verifier.engine.shoe import Shoe

TIP_KINDS = ("tip", "tip_double")


class Table:
    """Cards and chips of one round; every change appends its action."""

    def __init__(self, shoe: Shoe, stakes: Mapping[int, Stake], house: House) -> None:
        self.shoe, self.house = shoe, house
        self.method = house.dealing_method or "hole_card_no_peek"
        self.seats = [Seat(number, stakes[number]) for number in sorted(stakes)]
        self.dealer: list[Card] = []
        self.revealed = False
        self.actions: list[Action] = []
        self.insurance: list[PlayedInsurance] = []

    def dealer_ranks(self) -> list[str]:
        return [card.rank for card in self.dealer if card.rank]

    def state(self) -> DealerState:
        """Return what the dealer's cards amount to, a hidden one included. The first card is the faceup one."""
        return dealer_state(self.dealer_ranks(), self.dealer_ranks()[0])

    def from_right(self) -> Iterator[tuple[Seat, Hand]]:
        """Hands in the order of settlement and pick-up: from the dealer's right (11(13))."""
        for seat in reversed(self.seats):
            for hand in reversed(seat.hands):
                yield seat, hand

    # Cards

    def draw_to_hand(self, seat: Seat, hand: Hand, why: DrawReason) -> None:
        card = self.shoe.draw()
        hand.cards.append(card)
        self.actions.append(CardDrawn(card, seat.place(hand), "up", why))

    def draw_to_dealer(self, why: DrawReason, *, down: bool = False) -> None:
        card = self.shoe.draw()
        self.dealer.append(card)
        self.actions.append(CardDrawn(card, "dealer", "down" if down else "up", why))

    def reveal(self) -> None:
        """Make the dealer's second card known: turn it up, or draw it where there is no hole card (11(10))."""
        self.revealed = True
        if self.method == "no_hole_card":
            self.draw_to_dealer("dealer")
        else:
            self.actions.append(Revealed(self.dealer[1]))

    def clear(self, seat: Seat, hand: Hand) -> None:
        hand.cleared = True
        self.actions.append(CardsCleared(seat.place(hand)))

    def clear_all(self) -> None:
        """Remaining cards from the dealer's right, the dealer's last (11(17))."""
        for seat, hand in self.from_right():
            if not hand.cleared:
                self.clear(seat, hand)
        self.actions.append(CardsCleared("dealer"))

    # Chips

    def owed(self, seat: Seat, hand: Hand, *, even_money: bool = False) -> HandSettlement:
        facts = seat.facts(hand, even_money=even_money)
        return settle_hand(seat.state(hand), self.state(), facts, seat.stakes(hand))

    def settle(self, seat: Seat, hand: Hand, *, even_money: bool = False) -> None:
        """Settles what of a hand is still open; a held hand's tip was taken when it busted."""
        hand.settlement = self.owed(seat, hand, even_money=even_money)
        dues = hand.settlement.dues
        if hand.held:
            dues = tuple(due for due in dues if due.kind not in TIP_KINDS)
        self.actions.append(Settled(seat.place(hand), hand.settlement.outcome, dues))

    def hold(self, seat: Seat, hand: Hand) -> None:
        """Set a busted hand aside; its tip is lost now (11(8))."""
        hand.held = True
        tips = tuple(due for due in self.owed(seat, hand).dues if due.kind in TIP_KINDS)
        if tips:
            self.actions.append(Settled(seat.place(hand), "bust", tips))

    def settle_each(self, wanted: Callable[[Seat, Hand], bool], *, clear: bool) -> None:
        """Settles the wanted open hands one after the other, each one's cards at once where `clear`."""
        for seat, hand in self.from_right():
            if hand.settlement is None and wanted(seat, hand):
                self.settle(seat, hand)
                if clear:
                    self.clear(seat, hand)

    def settle_held(self) -> None:
        """Held busts: all chips, then all cards; hand by hand where that option is adopted (11(10)(a),(b))."""
        self.settle_each(lambda seat, hand: hand.held, clear=self.house.sweep_or_hand_by_hand == "hand_by_hand")
        for seat, hand in self.from_right():
            if hand.held and not hand.cleared:
                self.clear(seat, hand)

    def settle_natural(self) -> None:
        """Settle against the dealer's natural, from the dealer's right: hands, then the space's insurance
        (11(10)(c)-(e)).
        """
        for seat in reversed(self.seats):
            for hand in reversed(seat.hands):
                if hand.settlement is None:
                    self.settle(seat, hand)
            self._settle_insurance_of(seat)

    def settle_insurance(self) -> None:
        for seat in reversed(self.seats):
            self._settle_insurance_of(seat)

    def insurance_open(self) -> bool:
        return len(self.insurance) < sum(1 for seat in self.seats if seat.insurance)

    def _settle_insurance_of(self, seat: Seat) -> None:
        if seat.insurance:
            due = settle_insurance(seat.insurance, self.state())
            self.insurance.append(PlayedInsurance(seat.place(), due))
            self.actions.append(Settled(seat.place(), None, (due,)))
