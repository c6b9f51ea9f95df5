"""A performance: rounds of twenty-one played at a simulated table, with everything that truly happens in them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import msgspec

from verifier.domain.errors import BadInput
from verifier.domain.events import EventLog, EventsHeader
from verifier.domain.house import DealingMethod, House
from verifier.simulate.deviations import canonical, is_session_breach
from verifier.simulate.play import breaches, dealing, opening, shift
from verifier.simulate.play.hands_in_play import Shoe
from verifier.simulate.play.layout_state import OnLayout
from verifier.simulate.play.performer import play_round
from verifier.simulate.play.script import NotStagedError, RoundWriter
from verifier.simulate.play.steps import RoundScript
from verifier.simulate.play.things import put_things
from verifier.simulate.scene import Scene
from verifier.simulate.stage import Deviation, Stage
from verifier.simulate.table import TablePlan, plan_table

_TRIES: Final = 4000
_TAIL_SECONDS: Final = 1.5


@dataclass(frozen=True)
class Performance:
    """What is played; `scene_at` is exact for every time from 0 to `duration` (seconds)."""

    seed: int
    plan: TablePlan
    house: House
    duration: float
    events: EventLog
    deviations: tuple[Deviation, ...]
    site: str
    table: str
    _stage: Stage

    def scene_at(self, t: float) -> Scene:
        """The table at media time `t`."""
        return self._stage.scene_at(t)


def perform(
    seed: int, rounds: int = 3, deviations: Sequence[str] = (), house: House | None = None, spaces: int | None = None,
    shift_change: bool | None = None, shuffle: bool | None = None,
) -> Performance:  # fmt: skip
    """Plays `rounds` rounds from a seed, with each clause of `deviations` broken once in a random round.

    `spaces` (1..7) is the number of betting spaces; `shift_change`: the dealer is relieved after the last round or the
    one before it; `shuffle`: the recording begins with a shuffle (it does where something is planted, so that the first
    round's history is known). None leaves them to the seed. Raises BadInput for a clause that cannot be staged and
    ValueError for `spaces` out of range.
    """
    wanted = [canonical(clause) for clause in deviations]
    shuffle = True if wanted and shuffle is None else shuffle
    rng = random.Random(seed)
    house = house or sample_house(rng, wanted)
    plan = plan_table(spaces if spaces is not None else rng.choice((3, 4, 4, 5, 5)))
    in_use = tuple(plan.spaces)
    shoe = Shoe(rng, house.deck_count or 6)
    scripts = _scripts(rng, shoe, house, plan, rounds, [c for c in wanted if not is_session_breach(c)])
    stage = Stage(plan, rng, _begin(rng), spaces=in_use)
    put_things(stage)
    table = OnLayout(stage, house)
    _Session(table, shoe, wanted, rng).run(scripts, shift_change=shift_change, shuffle=shuffle)
    stage.all_rest(table.now)
    site, number = f"{rng.randint(1, 899):04d}", str(rng.randint(1, 9))
    header = EventsHeader(
        format="verifier-events", version=1, rulebook="nd-twenty-one", site=site, table=number,
        date=stage.begins.date().isoformat(), house=msgspec.to_builtins(house), channels=("video",),
    )  # fmt: skip
    return Performance(
        seed, plan, house, round(table.now + _TAIL_SECONDS, 3), EventLog(header, stage.events()),
        tuple(stage.deviations), site, number, stage,
    )  # fmt: skip


def sample_house(rng: random.Random, wanted: Sequence[str] = ()) -> House:
    """Options of a site as the law lets it choose; a wanted breach of a dealing method's order settles the method."""
    method: DealingMethod = rng.choice(("hole_card_no_peek",) * 4 + ("no_hole_card",))
    if breaches.DEAL_ORDER_NO_HOLE in wanted:
        method = "no_hole_card"
    elif breaches.DEAL_ORDER in wanted:
        method = "hole_card_no_peek"
    return House(
        video_surveillance="present", dealing_method=method,
        hit_soft_17=rng.random() < 0.2, payoff_fan_hand="left", tip_betting="permitted",
        tip_double_down="not_permitted", double_down_equal="equal", insurance_allowed=False,
        deck_count=rng.choice((4, 6, 8)), shuffle_method="hand",
    )  # fmt: skip


def _begin(rng: random.Random) -> datetime:
    day = datetime(2026, 10, 1) + timedelta(days=rng.randrange(60))
    return day + timedelta(hours=18, seconds=rng.randrange(5 * 3600))


def _scripts(
    rng: random.Random, shoe: Shoe, house: House, plan: TablePlan, rounds: int, wanted: list[str]
) -> list[RoundScript]:
    """Scripts of all rounds; each wanted breach in a random round, others lawful."""
    slots: list[list[str]] = [[] for _ in range(max(rounds, 1))]
    order = [*range(len(slots))]
    rng.shuffle(order)
    for number, clause in enumerate(wanted):
        slots[order[number % len(order)]].append(clause)
    return [_script(rng, shoe, house, plan, clauses) for clauses in slots[:rounds]]


def _script(rng: random.Random, shoe: Shoe, house: House, plan: TablePlan, clauses: list[str]) -> RoundScript:
    for _ in range(_TRIES):
        trial, spaces = shoe.copy(), tuple(plan.spaces)
        trial.reorder(rng)
        everyone = len(spaces) < 3 or rng.random() < 0.85
        playing = spaces if everyone else tuple(sorted(rng.sample(spaces, len(spaces) - 1)))
        try:
            script = RoundWriter(trial, rng, house, plan, playing, clauses).write()
        except NotStagedError:
            continue
        shoe.become(trial)
        return script
    what = " and ".join(clauses) or "a lawful round"
    raise BadInput(
        "--deviate", f"{what} cannot be staged with {len(plan.spaces)} betting spaces",
        "take more spaces, more rounds or fewer clauses",
    )  # fmt: skip


class _Session:
    """Runs a whole recording: opening, rounds, change of dealers."""

    def __init__(self, table: OnLayout, shoe: Shoe, wanted: list[str], rng: random.Random) -> None:
        self.table, self.shoe, self.wanted, self.rng = table, shoe, wanted, rng
        self.receptacle = shift.first_receptacle(table)
        self.trip = rng.choice((1, 2, 7, 7))

    def run(self, scripts: list[RoundScript], *, shift_change: bool | None, shuffle: bool | None) -> None:
        """Performs everything in the order of time."""
        self.table.pause(0.6, 1.5)
        if breaches.NO_BURN in self.wanted or (self.rng.random() < 0.8 if shuffle is None else shuffle):
            self._open()
        else:
            self.table.stage.seq = self.rng.randrange(20, 90)
        relieved_after = self._relieved_after(len(scripts), shift_change)
        for number, script in enumerate(scripts, start=1):
            play_round(self.table, script, number, self.trip)
            self.table.pause(0.3, 1.2)
            if number == relieved_after:
                self._change_dealer()

    def _relieved_after(self, rounds: int, shift_change: bool | None) -> int | None:
        """The round after which the dealer is relieved: the last, or the one before it; None for no relief."""
        unlikely = self.rng.random() < 0.3
        if breaches.NO_BURN_NEW_DEALER in self.wanted:
            return max(rounds - 1, 1)
        if not (breaches.HANDS_NOT_SHOWN in self.wanted or (unlikely if shift_change is None else shift_change)):
            return None
        return rounds if rounds < 2 or self.rng.random() < 0.6 else rounds - 1

    def _open(self) -> None:
        opening.shuffle(self.table, self.shoe)
        self._burn(breaches.NO_BURN)

    def _burn(self, clause: str) -> None:
        """One card is burned, unless `clause` is to be broken by leaving it out."""
        if clause not in self.wanted:
            dealing.burn(self.table, self.shoe.draw())
            return
        begin = self.table.now
        self.table.pause(0.4, 0.8)
        self.table.stage.deviate(clause, None, begin, self.table.now)

    def _change_dealer(self) -> None:
        hidden = breaches.HANDS_NOT_SHOWN in self.wanted
        shift.end_shift(self.table, self.receptacle, breaches.HANDS_NOT_SHOWN if hidden else None)
        self.receptacle = shift.begin_shift(self.table, "D2")
        self._burn(breaches.NO_BURN_NEW_DEALER)
        self.table.now = max(self.table.now, self.table.left.free, self.table.right.free)
