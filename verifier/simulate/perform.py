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
from verifier.domain.house import House
from verifier.domain.rulebooks import USUAL, Rulebook
from verifier.simulate.deviations import acts_of, canonical, needs_of
from verifier.simulate.play.clauses import INSURANCE_ONLY_ACE
from verifier.simulate.play.errands import Course
from verifier.simulate.play.hands_in_play import Shoe
from verifier.simulate.play.layout_state import OnLayout
from verifier.simulate.play.session import Session
from verifier.simulate.play.spots import READER
from verifier.simulate.play.things import put_things
from verifier.simulate.play.washington import WashingtonSession, washington_house
from verifier.simulate.play.washington_clauses import TWO_SHOES
from verifier.simulate.scene import Scene, with_coins
from verifier.simulate.stage import Deviation, Stage
from verifier.simulate.table import TablePlan, plan_table

_TAIL_SECONDS: Final = 1.5
_ROUNDS_OF_TWO: Final = 4
_PASSES: Final = 0.3
"""Where players bank, the deal passes in so many of the recordings that have rounds enough."""


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

    @property
    def dealer_seat(self) -> str | None:
        """The seat of the first dealer where players deal; None where the house does."""
        first = self.events.events[0].dealer if self.events.events else None
        return first if first is not None and first.startswith("seat:") else None

    def scene_at(self, t: float) -> Scene:
        """Return the table at media time `t`."""
        scene = self._stage.scene_at(t)
        return scene if self.house.fifty_cent_piece == "chip" else with_coins(scene)


def perform(
    seed: int,
    rounds: int = 3,
    deviations: Sequence[str] = (),
    house: House | None = None,
    spaces: int | None = None,
    shift_change: bool | None = None,
    shuffle: bool | None = None,
    minutes: float | None = None,
    rulebook: Rulebook = USUAL,
) -> Performance:
    """Play `rounds` rounds (or about `minutes`) from a seed, each clause of `deviations` broken once at random.

    `spaces` (1..7) is the number of betting spaces; `shift_change`: the dealer is relieved after the last round or the
    one before it; `shuffle`: the recording begins with a shuffle (it does where something is planted, so that the
    first round's history is known). None leaves them to the seed. `rulebook` is played by where no house
    options are given: its order, faces, odds and draws; the breaches bear the ids of its clauses. Raises BadInput for
    clauses that cannot be staged under it, or not together, and ValueError for `spaces` out of range.
    """
    wanted = [canonical(clause, rulebook) for clause in deviations]
    shuffle = True if wanted and shuffle is None else shuffle
    rng = random.Random(seed)
    house = house or _house(rng, wanted, rulebook, spaces or 4)
    banked = (house.rulebook or "").startswith("wa-")
    plan = plan_table(spaces if spaces is not None else 4 if banked else rng.choice((3, 4, 4, 5, 5)))
    stage = _stage(plan, rng, house)
    table = OnLayout(stage, house)
    if banked:
        WashingtonSession(table, rng, rounds, wanted).run(_shoes(seed, rounds, wanted))
    else:
        course = Course(rounds=rounds, minutes=minutes, shift_change=shift_change, shuffle=shuffle)
        Session(table, Shoe(rng, house.deck_count or 6), wanted, rng, course).run()
    stage.all_rest(table.now)
    site, number = f"{rng.randint(1, 899):04d}", str(rng.randint(1, 9))
    log = EventLog(_header(stage, house, site, number), stage.events())
    duration = round(table.now + _TAIL_SECONDS, 3)
    acts = acts_of(rulebook)
    broken = tuple(msgspec.structs.replace(one, clause=acts[one.clause]) for one in stage.deviations)
    return Performance(seed, plan, house, duration, log, broken, site, number, stage)


def _stage(plan: TablePlan, rng: random.Random, house: House) -> Stage:
    """Return the table as it stands before play."""
    stage = Stage(plan, rng, _begin(rng), spaces=tuple(plan.spaces))
    put_things(stage)
    if house.dealing_method == "hole_card_reader":
        stage.prop("card_reader", (*READER, 0.0, 0.0), (84.0, 112.0), 0.0)
    return stage


def _shoes(seed: int, rounds: int, wanted: Sequence[str]) -> int:
    """Return how many shoes are dealt where players bank: one, or two where the deal is seen to pass."""
    passes = rounds >= _ROUNDS_OF_TWO and random.Random(f"shoes of {seed}").random() < _PASSES
    return 2 if passes or TWO_SHOES in wanted else 1


def _header(stage: Stage, house: House, site: str, table: str) -> EventsHeader:
    return EventsHeader(
        format="verifier-events",
        version=1,
        rulebook=house.rulebook or USUAL,
        site=site,
        table=table,
        date=stage.begins.date().isoformat(),
        channels=("video",),
        house={name: value for name, value in msgspec.to_builtins(house).items() if name != "rulebook"},
    )


def sample_house(rng: random.Random, wanted: Sequence[str] = ()) -> House:
    """Options of a site as the law lets it choose, and as the wanted breaches need them.

    Raises BadInput where two breaches need different options.
    """
    insured = rng.random() < 0.6
    options: dict[str, object] = {
        "dealing_method": rng.choice(("hole_card_no_peek",) * 7 + ("no_hole_card",) * 2 + ("hole_card_reader",)),
        "hit_soft_17": rng.random() < 0.2,
        "payoff_fan_hand": "left" if rng.random() < 0.85 else "right",
        "tip_betting": "permitted" if rng.random() < 0.9 else "not_permitted",
        "tip_double_down": rng.choice(("not_permitted", "not_permitted", "equal")),
        "double_down_equal": rng.choice(("equal", "equal", "equal_or_less")),
        "insurance_allowed": insured,
        "even_money": insured and rng.random() < 0.5,
        "deck_count": rng.choice((4, 6, 8)),
        "sweep_or_hand_by_hand": "sweep" if rng.random() < 0.85 else "hand_by_hand",
        "natural_pay_timing": rng.choice(("either", "either", "immediate", "in_order")),
        "tips_fanned_after": rng.random() < 0.15,
    }
    needed: dict[str, object] = {}
    for clause in wanted:
        for name, value in needs_of(clause).items():
            if needed.setdefault(name, value) != value:
                raise BadInput(
                    "--deviate",
                    f"{clause} needs the house option {name} to be {value}, another clause does not",
                    "plant them in two recordings",
                )
    fixed = {"video_surveillance": "present", "shuffle_method": "hand"}
    return msgspec.convert({**fixed, **options, **needed}, House)


def _house(rng: random.Random, wanted: Sequence[str], rulebook: Rulebook, spaces: int) -> House:
    if rulebook == "house-manual":
        return manual_house(rng, wanted)
    if rulebook in ("wa-blackjack-a", "wa-blackjack-b"):
        return washington_house(rng, rulebook, spaces)
    return sample_house(rng, wanted)


def manual_house(rng: random.Random, wanted: Sequence[str] = ()) -> House:
    """Options of a casino under the dealer manual, with insurance where the acts `wanted` need it.

    Tips are not performed, so that none are offered. Surrender is allowed in every second one, or as an act needs it.
    """
    surrender = next((v for act in wanted for k, v in needs_of(act).items() if k == "surrender_allowed"), None)
    insured = any(needs_of(act).get("insurance_allowed") or act == INSURANCE_ONLY_ACE for act in wanted)
    return House(
        rulebook="house-manual",
        burn_cards=1,
        surrender_allowed=rng.random() < 0.5 if surrender is None else bool(surrender),
        double_allowed=True,
        split_allowed=True,
        multiple_action=False,
        insurance_allowed=rng.random() < 0.6 or insured,
        hit_soft_17=rng.random() < 0.8,
        blackjack_payoff=rng.choice(("3:2", "3:2", "6:5")),
        tip_betting="not_permitted",
        push_rule=rng.choice(("standard", "standard", "simple21_vs_bj_push")),
        deck_count=rng.choice((4, 6, 8)),
        natural_pay_timing=rng.choice(("either", "in_order")),
        shuffle_method="hand",
    )


def _begin(rng: random.Random) -> datetime:
    day = datetime(2026, 10, 1) + timedelta(days=rng.randrange(60))
    return day + timedelta(hours=18, seconds=rng.randrange(5 * 3600))
