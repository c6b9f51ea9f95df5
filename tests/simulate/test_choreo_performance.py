"""What a performance must hold: exact, repeatable, conserving cards and money, and moving as people do."""

from __future__ import annotations

import math
import random
from collections import Counter
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import cast
from unittest.mock import Mock

import pytest

from verifier.domain import events
from verifier.domain.cards import Card
from verifier.domain.errors import BadInput
from verifier.domain.house import House
from verifier.formats.events import read_events, write_events
from verifier.simulate.deviations import ALIASES, STAGEABLE, canonical
from verifier.simulate.perform import Performance, perform
from verifier.simulate.play.spots import stake_spot
from verifier.simulate.play.things import put_things
from verifier.simulate.render.props import prop_height
from verifier.simulate.scene import Scene
from verifier.simulate.stage import Stage
from verifier.simulate.table import plan_table

SEEDS = (1, 2, 3, 4)


@pytest.fixture(scope="module")
def performances() -> list[Performance]:
    return [perform(seed, rounds=2, shift_change=seed % 2 == 0) for seed in SEEDS]


def scenes(performance: Performance, hz: float) -> list[Scene]:
    return [performance.scene_at(n / hz) for n in range(int(performance.duration * hz))]


def test_same_seed_gives_the_same_performance() -> None:
    first, second = perform(11, rounds=1), perform(11, rounds=1)
    assert first.events == second.events
    assert [first.scene_at(t) for t in (3.3, 21.7)] == [second.scene_at(t) for t in (3.3, 21.7)]


def test_other_seeds_give_other_performances() -> None:
    assert perform(11, rounds=1).events != perform(12, rounds=1).events


def test_scene_does_not_depend_on_the_order_of_asking(performances: list[Performance]) -> None:
    performance = performances[0]
    before = performance.scene_at(17.0)
    performance.scene_at(40.0)
    assert performance.scene_at(17.0) == before


def test_truth_is_a_valid_event_log(performances: list[Performance], tmp_path: Path) -> None:
    for number, performance in enumerate(performances):
        path = tmp_path / f"{number}.events.jsonl"
        write_events(path, performance.events)
        assert read_events(path) == performance.events
        ends = [event.t_end for event in performance.events.events]
        assert ends == sorted(ends)
        assert ends[0] >= 0.0 and ends[-1] <= performance.duration


def test_shoe_holds_no_more_of_a_card_than_its_decks() -> None:
    performance = perform(5, rounds=6, spaces=5)
    seen = Counter(
        event.card
        for event in performance.events.events
        if isinstance(event, events.CardDealt | events.CardRevealed) and event.card != "??"
    )
    assert max(seen.values()) <= (performance.house.deck_count or 0)


def test_cards_are_conserved(performances: list[Performance]) -> None:
    for performance in performances:
        for number in {e.round for e in performance.events.events if e.round}:
            dealt = Counter(e.to for e in of_round(performance, number) if isinstance(e, events.CardDealt))
            split = [e for e in of_round(performance, number) if isinstance(e, events.CardsMoved)]
            collected = [e.from_ for e in of_round(performance, number) if isinstance(e, events.CardsCollected)]
            assert sorted(collected) == sorted({*dealt, *(e.to for e in split)})
        assert not performance.scene_at(performance.duration - 0.1).cards


def of_round(performance: Performance, number: int) -> list[events.Event]:
    return [event for event in performance.events.events if event.round == number]


def test_money_from_the_tray_is_paid(performances: list[Performance]) -> None:
    for performance in performances:
        taken = sum(e.cents or 0 for e in performance.events.events if isinstance(e, events.ChipsFromTray))
        paid = sum(e.cents or 0 for e in performance.events.events if isinstance(e, events.PayoffPlaced))
        assert taken == paid


def test_collected_stakes_reach_the_tray(performances: list[Performance]) -> None:
    for performance in performances:
        collected = sum(e.cents or 0 for e in performance.events.events if isinstance(e, events.ChipsCollected))
        trayed = sum(e.cents or 0 for e in performance.events.events if isinstance(e, events.ChipsToTray))
        assert collected == trayed


@pytest.mark.parametrize("spaces", [4, 6])
def test_nothing_stands_where_payoffs_are_spread_or_tips_are_laid(spaces: int) -> None:
    plan = plan_table(spaces)
    room = [(spot.wager[0] + step, spot.wager[1]) for spot in plan.spaces.values() for step in range(0, 171, 10)]
    room += [stake_spot(plan, f"space:{number}", kind) for number in plan.spaces for kind in ("tip", "tip_double")]
    for seed in range(60):
        stage = SimpleNamespace(rng=random.Random(seed), plan=plan, prop=Mock())
        put_things(cast(Stage, stage))
        put = [(pose[:2], size) for (_, pose, size, _), _ in stage.prop.call_args_list]
        assert all(math.dist(xy, at) > max(size) / 2 + 19.5 for xy, size in put for at in room)


def test_the_hand_that_deposits_tips_is_above_the_receptacle() -> None:
    """Its slot is on top: a hand below would be out of any camera's sight."""
    found = 0
    for performance in (perform(seed, rounds=2) for seed in range(20, 30)):
        for deposit in (e for e in performance.events.events if isinstance(e, events.TipDeposited)):
            scene = performance.scene_at(deposit.t_start + 0.1)
            right = next(one for one in scene.hands if (one.owner, one.side) == ("dealer", "right"))
            assert right.z > prop_height("tip_receptacle")
            found += 1
    assert found


def test_won_tips_are_deposited_twofold() -> None:
    found = 0
    for seed in range(20, 40):
        log = perform(seed, rounds=2).events.events
        won = sum(e.cents or 0 for e in log if isinstance(e, events.ChipsFanned) and e.owner == "tip")
        deposited = sum(e.cents or 0 for e in log if isinstance(e, events.TipDeposited))
        assert deposited == 2 * won
        found += deposited > 0
    assert found


def test_chips_on_the_layout_are_the_wagers(performances: list[Performance]) -> None:
    for performance in performances:
        start = next(e for e in performance.events.events if isinstance(e, events.RoundStarted))
        wagers = [e for e in performance.events.events if isinstance(e, events.WagerPlaced) and e.t_end <= start.t_end]
        scene = performance.scene_at(start.t_end)
        assert sum(chip.cents for chip in scene.chips) == sum(e.cents or 0 for e in wagers)


def test_hands_do_not_jump(performances: list[Performance]) -> None:
    """Working speeds of people: no wrist moves faster than 3.2 m/s, no object jumps."""
    hz = 60.0
    for performance in performances[:2]:
        for before, after in pairwise(scenes(performance, hz)):
            for kind in ("hands", "cards", "chips"):
                old = {sprite.id: sprite for sprite in getattr(before, kind)}
                for sprite in getattr(after, kind):
                    if sprite.id in old:
                        moved = math.dist(old[sprite.id].xy, sprite.xy)
                        assert moved * hz < 3200.0, (kind, sprite, after.t)


def test_both_dealer_hands_work_at_the_same_time(performances: list[Performance]) -> None:
    both = 0
    for before, after in pairwise(scenes(performances[0], 10.0)):
        moving = [
            hand.side
            for hand, then in zip(after.hands, before.hands, strict=False)
            if hand.id == then.id and hand.owner == "dealer" and math.dist(hand.xy, then.xy) > 8.0
        ]
        both += len(moving) == 2
    assert both > 20


def test_dealer_is_away_between_shifts() -> None:
    performance = perform(2, rounds=1, shift_change=True)
    log = performance.events.events
    end = next(e for e in log if isinstance(e, events.DealerShift) and e.phase == "end")
    start = next(e for e in log if isinstance(e, events.DealerShift) and e.phase == "start")
    assert start.t_start - end.t_end >= 3.0
    middle = performance.scene_at((end.t_end + start.t_start) / 2)
    assert not [hand for hand in middle.hands if hand.owner == "dealer"]
    shown = next(e for e in log if isinstance(e, events.HandsShown))
    faces = {hand.facing for t in (0.4, 1.6) for hand in performance.scene_at(shown.t_start + t).hands}
    assert {"back", "palm"} <= faces
    assert isinstance(log[-1], events.CardBurned)


def test_recording_without_breaches_has_none(performances: list[Performance]) -> None:
    assert not any(performance.deviations for performance in performances)


def test_two_breaches_in_one_recording() -> None:
    clauses = ["ND-08-11.16.a-fan-payoff", "ND-08-12.12-miscount-playback", "ND-08-11.18.a-show-hands"]
    performance = perform(40, rounds=3, deviations=clauses)
    assert sorted(planted.clause for planted in performance.deviations) == sorted(clauses)


@pytest.mark.parametrize("alias", sorted(ALIASES))
def test_aliases_are_planted_as_their_root(alias: str) -> None:
    assert canonical(alias) in STAGEABLE


def test_unknown_breach_is_refused_with_what_can_be_staged() -> None:
    with pytest.raises(BadInput, match=r"ND-08-11\.16\.a-fan-payoff"):
        perform(1, deviations=["ND-08-04.1.a-real-time"])


@pytest.mark.parametrize("spaces", [1, 2, 6, 7])
def test_any_number_of_spaces(spaces: int) -> None:
    performance = perform(50 + spaces, rounds=1, spaces=spaces)
    assert len(performance.plan.spaces) == spaces


def test_face_down_cards_become_known_only_when_turned() -> None:
    house = House(dealing_method="hole_card_no_peek", video_surveillance="present", deck_count=6)
    performance = perform(6, rounds=1, spaces=3, house=house)
    turned = next((e for e in performance.events.events if isinstance(e, events.CardRevealed)), None)
    assert turned is not None
    hole = Card.parse(turned.card)
    for t, face in ((turned.t_start, "down"), (turned.t_end, "up")):
        assert {c.face for c in performance.scene_at(t).cards if c.card == hole and c.xy[1] > 100} == {face}


def test_a_doubled_hand_held_aside_gets_no_tip_back_that_went_with_its_bust() -> None:
    log = perform(953002, rounds=4, spaces=6).events.events
    took = [one for one in log if isinstance(one, events.ChipsCollected) and one.kind == "tip_double"]
    back = [one for one in log if isinstance(one, events.ChipsReturned) and one.at in {one.at for one in took}]
    assert [one.kind for one in took] == ["tip_double"]
    assert [one.kind for one in back] == ["double"]
