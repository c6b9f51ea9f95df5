"""The betting of a poker hand, replayed: whose turn it was, what was owed, and what each act put in.

The replay follows what was done, lawful or not, and notes beside each act what the rule would have had (09-04(10)).
Amounts are cents; None is an amount that was not seen.
"""

from __future__ import annotations

from collections.abc import Sequence

from verifier.domain.events import PlayerAction
from verifier.law.poker.acts import AGGRESSIVE, Act, Street, clockwise


class Betting:
    """Replays a hand's betting act by act; `streets` holds what came of it."""

    def __init__(self, seats: Sequence[str], big_blind: int | None, stacks: dict[str, int] | None = None) -> None:
        self.seats = tuple(seats)
        self.live = list(seats)
        self.all_in: set[str] = set()
        self.paid: dict[str, int] = dict.fromkeys(seats, 0)
        self.antes: dict[str, int] = {}
        self.unsure: set[str] = set()
        self.streets: list[Street] = []
        self.stakes: dict[str, int | None] = {}
        self.level: int | None = 0
        self.least: int | None = big_blind
        self.whole: int | None = 0
        self.big_blind = big_blind
        self.pending: list[str] = []
        self.firsts: tuple[str, ...] = ()
        self.last_to_act: str | None = None
        self.change: dict[str, int] = {}
        self.stacks = dict(stacks or {})
        self.opening_is_completed = False

    def open(self, number: int, firsts: Sequence[str], after: str | None) -> None:
        """Begin a street; `firsts`: seats that may act first (empty: not known), `after`: the seat left of which
        the order starts.
        """
        if number:
            self.stakes, self.level, self.least, self.whole = {}, 0, self.big_blind, 0
        able = [s for s in self.live if s not in self.all_in]
        self.firsts = tuple(s for s in firsts if s in able)
        order = clockwise(able, after)
        if self.firsts:
            start = order.index(self.firsts[0])
            order = order[start:] + order[:start]
        self.pending = list(order)
        self.streets.append(Street(number))

    @property
    def street(self) -> Street:
        return self.streets[-1]

    def close(self) -> None:
        """End the street: note who still had to act and whose stake falls short."""
        if not self.streets or self.street.closed:
            return
        street = self.street
        able = [s for s in self.live if s not in self.all_in]
        short = [s for s in able if self.owed(s)]
        contested = len(self.live) > 1
        street.short = tuple(short) if contested else ()
        waits = [s for s in self.pending if s in able]
        idle = len(able) == 1 and not short
        street.waiting = tuple(waits) if contested and not idle else ()
        street.level = self.level
        street.closed = True

    def owed(self, seat: str) -> int | None:
        """Cents that a seat lacks to the level; None where not known."""
        stake = self.stakes.get(seat, 0)
        return None if self.level is None or stake is None else max(0, self.level - stake)

    # Money

    def post(self, seat: str, cents: int | None, kind: str) -> None:
        """Post an ante or blind. An ante is no stake of the street."""
        self._pay(seat, cents)
        if kind == "ante":
            self.antes[seat] = self.antes.get(seat, 0) + (cents or 0)
        if kind == "ante" or seat not in self.paid:
            return
        stake = self.stakes.get(seat, 0)
        self.stakes[seat] = None if stake is None or cents is None else stake + cents
        if cents is None:
            self.level = None
        elif self.level is not None:
            self.level = max(self.level, self.stakes[seat] or 0)
            if self.level >= (self.big_blind or 0):
                self.whole = self.level

    def unknown_start(self) -> None:
        """Mark stakes as unsure because what lay before the first card is not in the log: antes and blinds may be
        missing.
        """
        self.level = None
        self.stakes = dict.fromkeys(self.seats)
        self.unsure |= set(self.seats)

    def _pay(self, seat: str, cents: int | None) -> None:
        if seat not in self.paid:
            self.paid[seat] = 0
        if cents is None:
            self.unsure.add(seat)
            return
        self.paid[seat] += cents
        if seat in self.stacks:
            self.stacks[seat] -= cents
            if self.stacks[seat] <= 0:
                self.all_in.add(seat)

    # Acts

    def act(self, event: PlayerAction) -> None:
        """One act, as it was done."""
        if self.completes(event):
            self.add(event.at, event.cents)
            return
        seat, owed = event.at, self.owed(event.at)
        pending = seat in self.pending
        due = self._due()
        skipped = tuple(self.pending[: self.pending.index(seat)]) if pending and due and seat not in due else ()
        act = Act(event, self.street.number, event.action, owed, self.level, self.least, due, skipped, pending)
        act.on_short = self.level != self.whole
        if event.action == "fold":
            self._fold(act)
        elif event.action == "check":
            act.stake, act.put_in = self.stakes.get(seat, 0), 0
            self._done(seat)
        else:
            self._wager(act)
        act.all_in = bool(event.all_in) or seat in self.all_in
        if event.all_in:
            self.all_in.add(seat)
        for earlier in self.street.acts:
            if earlier.seat == seat and earlier.short_by and pending:
                earlier.settled = True
        self.street.acts.append(act)

    def completes(self, event: PlayerAction) -> bool:
        """Tell whether the act only adds to the player's own last one: the rest of a short call or of a raise."""
        if event.action not in ("call", *AGGRESSIVE) or event.at in self.pending:
            return False
        last = self._last(event.at)
        if last is None:
            return False
        return bool(last.short_by) or (last is self.street.acts[-1] and last.action in AGGRESSIVE)

    def _last(self, seat: str) -> Act | None:
        """Return the seat's last act on this street."""
        if not self.streets:
            return None
        return next((act for act in reversed(self.street.acts) if act.seat == seat), None)

    def _due(self) -> tuple[str, ...]:
        if self.street.acts or not self.firsts:
            return tuple(self.pending[:1]) if self.street.acts else ()
        return self.firsts

    def _fold(self, act: Act) -> None:
        if act.seat in self.live:
            self.live.remove(act.seat)
        for other in self.street.acts:
            if other.seat == act.seat and other.short_by:
                other.settled = True
        self._done(act.seat)

    def _done(self, seat: str) -> None:
        if seat in self.pending:
            index = self.pending.index(seat)
            skipped = self.pending[:index]
            self.pending = [*skipped, *self.pending[index + 1 :]]
            if skipped and not self.street.acts:
                self.pending = [*self.pending[index:], *skipped]

    def _wager(self, act: Act) -> None:
        seat, cents = act.seat, act.event.cents
        self._pay(seat, cents)
        act.put_in = cents
        before = self.stakes.get(seat, 0)
        stake = None if cents is None or before is None else before + cents
        if act.action == "call":
            over = 0 if stake is None or self.level is None else max(0, stake - self.level)
            if over:
                self.change[seat] = self.change.get(seat, 0) + over
                stake = self.level
            if cents is None and not act.event.all_in:
                stake = self.level
        act.stake = stake
        self.stakes[seat] = stake
        self._done(seat)
        if act.action in AGGRESSIVE:
            self._raised(act)

    def _raised(self, act: Act) -> None:
        if act.stake is None or self.level is None:
            self.level, self.least = None if act.stake is None else act.stake, None
            self.whole = self.level
        elif act.stake > self.level:
            size = act.stake - self.level
            if not act.event.all_in or size >= (self.least or 0):
                self.whole = act.stake
            if self.opening_is_completed and self.street.number == 0:
                self.least, self.opening_is_completed = size, False
            elif self.least is None or size >= self.least or not act.event.all_in:
                self.least = max(size, self.least or 0)
            self.level = act.stake
        else:
            return
        able = [s for s in self.live if s not in self.all_in]
        self.pending = [s for s in clockwise(able, act.seat) if s != act.seat]

    def add(self, seat: str, cents: int | None) -> None:
        """Chips added to the player's last act on this street: a completion."""
        self._pay(seat, cents)
        stake = self.stakes.get(seat, 0)
        self.stakes[seat] = None if stake is None or cents is None else stake + cents
        last = self._last(seat)
        if last is not None and cents is None:
            last.put_in = None
        elif last is not None and cents is not None:
            last.top_ups += cents
        new = self.stakes[seat]
        if new is not None and self.level is not None and new > self.level:
            self.whole = new if self.whole == self.level else self.whole
            self.level = new
            if last is not None and last.action in AGGRESSIVE and last.level is not None:
                self.least = max(self.least or 0, new - last.level)

    def give_back(self, seat: str, cents: int | None) -> None:
        """Chips given back to a player: change, an excess, or an uncalled bet."""
        if cents is None:
            self.unsure.add(seat)
            return
        self.paid[seat] = self.paid.get(seat, 0) - cents
        if seat in self.stacks:
            self.stacks[seat] += cents
        kept = self.change.get(seat, 0)
        self.change[seat] = max(0, kept - cents)
        rest = max(0, cents - kept)
        stake = self.stakes.get(seat, 0)
        if rest and stake is not None and self.streets:
            self.stakes[seat] = max(0, stake - rest)
            known = [s for s in self.stakes.values() if s is not None]
            if self.level is not None and stake == self.level:
                lower = max(known, default=0)
                self.whole = lower if self.whole == self.level else self.whole
                self.level = lower
            last = self._last(seat)
            if last is not None and self.pending:
                last.given_back += rest
