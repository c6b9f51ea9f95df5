"""A whole recording in the order of time: shoes, rounds, cash, idle minutes, and dealers who relieve each other."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

from verifier.domain.errors import BadInput
from verifier.simulate.play import cash, chatter, clauses, closing, dealing, mistakes, opening, shift, tip_exchange
from verifier.simulate.play import session_clauses as ids
from verifier.simulate.play.errands import Act, Course, Errand, ErrandPlan
from verifier.simulate.play.hands_in_play import Shoe, Temper
from verifier.simulate.play.layout_state import OnLayout
from verifier.simulate.play.performer import play_round
from verifier.simulate.play.script import TwentyOneWriter
from verifier.simulate.play.steps import RoundScript
from verifier.simulate.play.writer import NotStagedError

_TRIES: Final = 6000
_LEFT_IN_SHOE: Final = (55, 95)


class Session:
    """Runs a recording."""

    def __init__(self, table: OnLayout, shoe: Shoe, wanted: list[str], rng: random.Random, course: Course) -> None:
        self.table, self.shoe, self.wanted, self.rng, self.course = table, shoe, wanted, rng, course
        self.receptacle = shift.first_receptacle(table)
        self.hand_path = rng.choice((1, 2, 7, 7))
        self.tempers = {space: Temper.sample(rng) for space in table.stage.plan.spaces}
        self.dealers = 1
        self.done = 0
        """Rounds that have been played."""
        self.planted = self._slots([clause for clause in wanted if clause not in ids.SESSION_BREACHES])
        last = len(self.planted) if course.minutes is not None else course.rounds
        self.errands = ErrandPlan(wanted, course, last, rng).by_round()

    def run(self) -> None:
        """Perform everything in the order of time."""
        self.table.pause(0.6, 1.5)
        self._begin()
        while not self._over():
            script = self._script(self.planted[self.done] if self.done < len(self.planted) else [])
            self.done += 1
            play_round(self.table, script, self.done, self.hand_path)
            self.table.pause(0.3, 1.2)
            self._between()
            for errand in self.errands.get(self.done, ()):
                if errand.act == "reshuffle" and self._may_reshuffle():
                    self.errands.setdefault(self.done + 1, []).insert(0, errand)
                else:
                    self._do(errand)
        self._all_planted()

    def _all_planted(self) -> None:
        """Check that all breaches were shown. Raises BadInput where one found no round that shows it."""
        missing = {*self.wanted} - {planted.clause for planted in self.table.stage.deviations}
        if missing:
            raise BadInput(
                "--deviate",
                f"{' and '.join(sorted(missing))} cannot be staged in so short a recording",
                "take more rounds or minutes",
            )

    def _over(self) -> bool:
        enough = self.done >= max(len(self.planted), max(self.errands, default=0))
        if self.course.minutes is None:
            return self.done >= self.course.rounds
        return enough and self.table.now >= self.course.minutes * 60.0

    def _slots(self, wanted: list[str]) -> list[list[str]]:
        """Which clauses are broken in which round."""
        rounds = self.course.rounds if self.course.minutes is None else max(1, int(self.course.minutes * 0.7))
        slots: list[list[str]] = [[] for _ in range(max(rounds, 1))]
        order = [*range(len(slots))]
        self.rng.shuffle(order)
        for number, clause in enumerate(wanted):
            slots[0 if clause == clauses.VACANT_CARD else order[number % len(order)]].append(clause)
        return slots

    def _script(self, planted: list[str]) -> RoundScript:
        """Return the next round's script, from cards that can show what is planted."""
        plan, rng = self.table.stage.plan, self.rng
        spaces = tuple(plan.spaces)
        for _ in range(_TRIES):
            trial = self.shoe.copy()
            trial.reorder(rng)
            playing = self._playing(spaces, planted)
            writer = TwentyOneWriter(trial, rng, self.table.house, plan, playing, planted, self.tempers)
            try:
                script = writer.write()
            except NotStagedError:
                continue
            self.shoe.become(trial)
            return script
        what = " and ".join(planted) or "a lawful round"
        raise BadInput(
            "--deviate",
            f"{what} cannot be staged with {len(spaces)} betting spaces",
            "take more spaces, more rounds or fewer clauses",
        )

    def _playing(self, spaces: tuple[int, ...], planted: list[str]) -> tuple[int, ...]:
        """Spaces that are wagered on: all, or all but one; few where all of them are to bust."""
        if clauses.ALL_BUST_LOW in planted or clauses.ALL_BUST_HIGH in planted:
            return tuple(sorted(self.rng.sample(spaces, min(len(spaces), 2))))
        vacant = clauses.VACANT_CARD in planted and len(spaces) > 1
        if not vacant and (len(spaces) < 3 or self.rng.random() < 0.85):
            return spaces
        return tuple(sorted(self.rng.sample(spaces, len(spaces) - 1)))

    def _begin(self) -> None:
        opened = {clauses.NO_BURN, ids.NO_CUT, ids.BURN_SHOWN} & {*self.wanted}
        shuffle = self.course.shuffle
        if opened or (self.rng.random() < 0.8 if shuffle is None else shuffle):
            self._new_shoe(first=True)
            return
        self.table.stage.seq = self.rng.randrange(20, 90)
        self._indicator_in(self.rng.randint(30, 110))

    def _indicator_in(self, most: int) -> None:
        left = self.rng.randint(*_LEFT_IN_SHOE)
        soon = ids.INDICATOR_PASSED in self.wanted and self.table.stage.shoe == 1
        self.table.to_indicator = self.rng.randint(*self._in_first_deal()) if soon else max(most, 6)
        self.table.left_in_shoe = left

    def _in_first_deal(self) -> tuple[int, int]:
        """Return the least and the most cards after which the first round's first cards are still being dealt."""
        spaces = len(self.table.stage.plan.spaces)
        most = min(12, 2 * (spaces - 1 if spaces > 2 else spaces) + 1)
        return min(5, most), most

    def _new_shoe(self, *, first: bool = False) -> None:
        """All cards are shuffled, cut and put in the shoe, and one is burned."""
        stage = self.table.stage
        if not first:
            stage.shoe += 1
            stage.seq = 0
            self.shoe.become(Shoe(self.rng, self.table.house.deck_count or 6))
        begin = self.table.now
        opening.shuffle(self.table, self.shoe, cut=not (first and ids.NO_CUT in self.wanted))
        if first and ids.NO_CUT in self.wanted:
            stage.deviate(ids.NO_CUT, None, begin, self.table.now)
        if not self.wanted and self.table.house.rulebook is None and self.rng.random() < mistakes.SHARE:
            self._burn_is_late = True
        else:
            self._burn(clauses.NO_BURN if first else "", shown=first and ids.BURN_SHOWN in self.wanted)
        self._indicator_in(self.shoe.remaining - self.rng.randint(*_LEFT_IN_SHOE))

    def _burn(self, clause: str, *, shown: bool = False) -> None:
        """One card is burned, unless `clause` is to be broken by leaving it out."""
        begin = self.table.now
        if clause in self.wanted:
            self.table.pause(0.4, 0.8)
            self.table.stage.deviate(clause, None, begin, self.table.now)
            return
        dealing.burn(self.table, self.shoe.draw(), "up" if shown else "down")
        if shown:
            self.table.stage.deviate(ids.BURN_SHOWN, None, begin, self.table.now)

    def _between(self) -> None:
        """After a round: a burn that was forgotten (12(13)), a new shoe when the indicator card has appeared."""
        if self._burn_is_late:
            self._burn_is_late = False
            self._burn("")
        if self.table.indicator_out:
            wanted = ids.INDICATOR_PASSED in self.wanted and self.table.stage.shoe == 1
            if wanted and not self._passed and not self._over():
                self._passed = True
                self.table.stage.deviate(ids.INDICATOR_PASSED, None, self.table.now, self.table.now + 1.0)
                return
            opening.put_away_indicator(self.table)
            self._new_shoe()

    _passed = False
    _burn_is_late = False

    # What happens between rounds

    def _do(self, errand: Errand) -> None:
        table, clause = self.table, errand.clause
        table.now = begin = max(table.now, table.left.free, table.right.free)
        self._act(errand.act)(clause)
        table.now = max(table.now, table.left.free, table.right.free)
        if clause and clause not in ids.AT_SHIFT:
            table.stage.deviate(clause, None, begin, table.now)
        table.pause(0.2, 0.8)

    def _act(self, act: Act) -> Callable[[str], None]:
        acts: dict[Act, Callable[[str], None]] = {
            "buy_in": self._buy_in,
            "exchange": self._exchange,
            "give": self._give,
            "idle": self._idle,
            "reshuffle": self._reshuffle,
            "close": self._close,
            "relief": self._relief,
        }
        return acts[act]

    def _buy_in(self, clause: str) -> None:
        cash.buy_in(self.table, self.rng.choice([*self.table.stage.players]), ids.BUY_IN_FAULTS.get(clause, ""))

    def _exchange(self, clause: str) -> None:
        cash.exchange(self.table, self.rng.choice([*self.table.stage.players]), ids.EXCHANGE_FAULTS.get(clause, ""))

    def _give(self, clause: str) -> None:
        cash.give(self.table, self.rng.choice([*self.table.stage.players]))

    def _idle(self, clause: str) -> None:
        seconds = self.rng.uniform(4.0, 12.0) if self.course.minutes is None else self.rng.uniform(10.0, 150.0)
        chatter.idle(self.table, seconds)

    def _may_reshuffle(self) -> bool:
        """Tell whether a shuffle would be lawful here (08(2)), or nothing has been dealt since the last."""
        return self.table.indicator_out is not None or self.table.stage.seq == 0

    def _reshuffle(self, clause: str) -> None:
        self._new_shoe()

    def _close(self, clause: str) -> None:
        """Tray and shoe are covered, the dealer leaves, and after a while another one opens the table again."""
        fault = ids.CLOSING_FAULTS.get(clause, "")
        covers = closing.cover(self.table, fault)
        shift.end_shift(self.table, self.receptacle, None)
        closing.closed(self.table, self.rng.uniform(12.0, 40.0), fault)
        self._next_dealer()
        closing.uncover(self.table, covers)
        self._burn("")

    def _next_dealer(self) -> None:
        self.dealers += 1
        self.receptacle = shift.begin_shift(self.table, f"D{self.dealers}")

    def _relief(self, clause: str) -> None:
        """Tips are exchanged or not, hands are shown, and another dealer comes and burns a card."""
        fault = ids.TIP_EXCHANGE_FAULTS.get(clause, "")
        if fault or clause == ids.SHOWN_AFTER_EXCHANGE or (clause not in ids.AT_SHIFT and self.rng.random() < 0.3):
            tip_exchange.exchange_tips(self.table, fault)
        hidden = clause if clause in (clauses.HANDS_NOT_SHOWN, ids.SHOWN_AFTER_EXCHANGE, ids.TAKES_FIRST) else None
        shift.end_shift(self.table, self.receptacle, hidden, takes_first=clause == ids.TAKES_FIRST)
        self._next_dealer()
        self._burn(clause if clause == clauses.NO_BURN_NEW_DEALER and not self._over() else "")
