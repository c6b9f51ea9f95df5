"""The events of a poker hand history, one for each operation that PokerKit replays."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from verifier.domain.events import (
    AnyEvent,
    CardDealt,
    CardRevealed,
    CardsCollected,
    ChipsReturned,
    PlayerAction,
    PotAwarded,
    WagerPlaced,
)
from verifier.domain.money import MAX_CENTS

if TYPE_CHECKING:
    from pokerkit import HandHistory

MOST_SEATS = 19


class HandWriter:
    """Writes hands one after another; `split` tells that pots have a high and a low half. `events` grows."""

    def __init__(self, *, split: bool) -> None:
        self.split = split
        self.events: list[AnyEvent] = []

    def write(self, number: int, history: HandHistory) -> None:
        """Add a hand. Raises ValueError where PokerKit cannot replay it or an amount is not in whole cents."""
        hand = _Hand(self, number, history)
        done = 0
        for state, action in history.state_actions:
            for operation in state.operations[done:]:
                hand.take(operation, told=action is not None)
            done = len(state.operations)
        hand.end()

    def add(self, kind: type[Any], number: int, /, **own: Any) -> None:
        """Add an event; its time is its place in the log."""
        t = float(len(self.events))
        common = {"id": f"e{len(self.events) + 1:05d}", "t_start": t, "t_end": t, "p": 1.0, "source": "record"}
        self.events.append(kind(**common, round=number, **own))


class _Hand:
    """State while one hand is written: stakes of the street in cents, who is all-in, which cards lie up."""

    def __init__(self, writer: HandWriter, number: int, history: HandHistory) -> None:
        self.writer, self.number = writer, number
        count = len(history.starting_stacks)
        self.seats = seats_of(history, count)
        self.stacks = [_stack(value) for value in history.starting_stacks]
        self.stakes: dict[int, int] = defaultdict(int)
        self.up: dict[int, list[str]] = defaultdict(list)
        self.blinds = _blind_names(history, count)
        self.awards: list[tuple[int, int, int, int | None]] = []
        self.uncollected: dict[int, int] = {}
        self.dealt: Counter[str] = Counter()
        self.shown: Counter[str] = Counter()

    def _add(self, kind: type[Any], /, **own: Any) -> None:
        self.writer.add(kind, self.number, **own)

    def take(self, operation: Any, *, told: bool) -> None:
        """Write one operation. Write those that a history leaves to the reader (`told` false) only where they are sure.

        Raises ValueError where PokerKit had to make up an act that the history leaves out.
        """
        name = type(operation).__name__
        if not told and name in ("Folding", "CheckingOrCalling", "CompletionBettingOrRaisingTo"):
            raise ValueError(f"an act of player {operation.player_index + 1} is missing or out of turn")
        writer = _WRITERS.get(name)
        if writer is None or (name == "HoleCardsShowingOrMucking" and not told and not operation.hole_cards):
            return
        writer(self, operation)

    def _pay(self, player: int, cents: int) -> None:
        self.stacks[player] -= cents
        self.stakes[player] += cents

    def _ante_posting(self, operation: Any) -> None:
        cents = in_cents(operation.amount)
        if cents:
            self.stacks[operation.player_index] -= cents
            self._add(WagerPlaced, kind="ante", at=self.seats[operation.player_index], cents=cents)

    def _blind_or_straddle_posting(self, operation: Any) -> None:
        player, cents = operation.player_index, in_cents(operation.amount)
        if cents:
            self._pay(player, cents)
            blind = self.blinds.get(player, "other")
            self._add(WagerPlaced, kind="blind", at=self.seats[player], cents=cents, blind=blind)

    def _hole_dealing(self, operation: Any) -> None:
        player = operation.player_index
        for card, up in zip(operation.cards, operation.statuses, strict=True):
            text = _text(card) if up else "??"
            self.dealt[_text(card)] += 1
            if up:
                self.up[player].append(text)
                self.shown[text] += 1
            face = "up" if up else "down"
            self._add(CardDealt, card=text, to=self.seats[player], face=face, seq=None)

    def _board_dealing(self, operation: Any) -> None:
        for card in operation.cards:
            self.dealt[_text(card)] += 1
            self.shown[_text(card)] += 1
            self._add(CardDealt, card=_text(card), to="board", face="up", seq=None)

    def _standing_pat_or_discarding(self, operation: Any) -> None:
        for _ in operation.cards:
            self._add(CardsCollected, from_=self.seats[operation.player_index], order=None, to="muck")

    def _bring_in_posting(self, operation: Any) -> None:
        self._act(operation.player_index, "bet", in_cents(operation.amount))

    def _folding(self, operation: Any) -> None:
        self._act(operation.player_index, "fold", None)

    def _checking_or_calling(self, operation: Any) -> None:
        cents = in_cents(operation.amount)
        self._act(operation.player_index, "call" if cents else "check", cents or None)

    def _completion_betting_or_raising_to(self, operation: Any) -> None:
        player, level = operation.player_index, max(self.stakes.values(), default=0)
        self._act(player, "raise" if level else "bet", in_cents(operation.amount) - self.stakes[player])

    def _act(self, player: int, action: str, cents: int | None) -> None:
        if cents:
            self._pay(player, cents)
        all_in = True if cents and self.stacks[player] == 0 else None
        self._add(PlayerAction, at=self.seats[player], action=action, cents=cents, all_in=all_in)

    def _bet_collection(self, operation: Any) -> None:
        """End the street: what nobody called goes back.

        PokerKit leaves the bet of whoever wins by folds uncollected, and pushes only what the others put in.
        """
        stakes = sorted(self.stakes.values(), reverse=True)
        over = stakes[0] - (stakes[1] if len(stakes) > 1 else 0) if stakes else 0
        if over:
            player = max(self.stakes, key=lambda p: self.stakes[p])
            self.stacks[player] += over
            self._add(ChipsReturned, kind="bet", at=self.seats[player], cents=over, reason="excess")
            if not operation.bets[player]:
                self.uncollected[player] = self.stakes[player] - over
        self.stakes.clear()

    def _hole_cards_showing_or_mucking(self, operation: Any) -> None:
        seat = self.seats[operation.player_index]
        if not operation.hole_cards:
            self._add(PlayerAction, at=seat, action="muck")
            return
        for card in operation.hole_cards:
            if (text := _text(card)) not in self.up[operation.player_index]:
                self.shown[text] += 1
                self._add(CardRevealed, card=text, at=seat, how="showdown")

    def _chips_pushing(self, operation: Any) -> None:
        for player, amount in enumerate(operation.amounts):
            if cents := in_cents(amount):
                cents += self.uncollected.pop(player, 0)
                self.awards.append((player, cents, operation.pot_index, operation.hand_type_index))

    def end(self) -> None:
        """Write the awards. In high-low a pot that one player gets is pushed whole.

        Raises ValueError for a card that was dealt twice where the log does not show both: then no clause can tell it.
        """
        hidden = [card for card, count in self.dealt.items() if card != "??" and count > max(1, self.shown[card])]
        if hidden:
            raise ValueError(f"the card {hidden[0]} is dealt twice")
        whole: dict[tuple[int, int], int] = defaultdict(int)
        players: dict[int, set[int]] = defaultdict(set)
        for player, cents, pot, _ in self.awards:
            whole[(pot, player)] += cents
            players[pot].add(player)
        for player, cents, pot, half in self.awards:
            if self.writer.split and len(players[pot]) == 1:
                cents, portion = whole.pop((pot, player), 0), "both"
            else:
                portion = "low" if self.writer.split and half == 1 else "high"
            if cents:
                self._add(PotAwarded, at=self.seats[player], cents=cents, pot=pot, portion=portion)


_WRITERS: Final[dict[str, Callable[[_Hand, Any], None]]] = {
    "AntePosting": _Hand._ante_posting,
    "BlindOrStraddlePosting": _Hand._blind_or_straddle_posting,
    "HoleDealing": _Hand._hole_dealing,
    "BoardDealing": _Hand._board_dealing,
    "StandingPatOrDiscarding": _Hand._standing_pat_or_discarding,
    "BringInPosting": _Hand._bring_in_posting,
    "Folding": _Hand._folding,
    "CheckingOrCalling": _Hand._checking_or_calling,
    "CompletionBettingOrRaisingTo": _Hand._completion_betting_or_raising_to,
    "BetCollection": _Hand._bet_collection,
    "HoleCardsShowingOrMucking": _Hand._hole_cards_showing_or_mucking,
    "ChipsPushing": _Hand._chips_pushing,
}
"""What writes each operation of PokerKit that leaves an event, by the name of its class."""


def seats_of(history: HandHistory, count: int) -> tuple[str, ...]:
    """Return the seats by player: as the history numbers them, else in the order of play."""
    given = list(history.seats or ())
    usable = len(set(given)) == count == len(given) and all(1 <= number <= MOST_SEATS for number in given)
    if not usable and count > MOST_SEATS:
        raise ValueError(f"{count} players, more than {MOST_SEATS} seats")
    return tuple(f"seat:{number}" for number in (given if usable else range(1, count + 1)))


def _blind_names(history: HandHistory, count: int) -> dict[int, str]:
    """Small and big blind by player: the first two, turned round heads-up (the button posts the small one)."""
    return {0: "big", 1: "small"} if count == 2 else {0: "small", 1: "big"}


def _stack(value: Any) -> int:
    return in_cents(value) if value not in (float("inf"), Decimal("Infinity")) else MAX_CENTS


def in_cents(value: Any) -> int:
    """Return an amount of a history (dollars) in cents. Raises ValueError for parts of a cent and for what is out of
    range.
    """
    cents = Decimal(str(value)) * 100
    if cents != cents.to_integral_value() or not 0 <= cents <= MAX_CENTS:
        raise ValueError(f"the amount {value} is not in whole cents from 0 to {MAX_CENTS}")
    return int(cents)


def _text(card: Any) -> str:
    """Return a card in the notation of the event log, which PokerKit shares."""
    return repr(card)
