"""A won tip's payoff: the hands have left it though one of its chips shows only later."""

from __future__ import annotations

import math

import pytest
from msgspec.structs import replace
from recon_scenes import chain, frames, hand, layout

from verifier.domain.events import WagerMoved
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.money.piles import Pile
from verifier.reconstruct.money.second_tip import tip_before
from verifier.reconstruct.money.stakes import Stake
from verifier.reconstruct.money.tips import moved_tips, tip_events
from verifier.reconstruct.money.wagers import stake_events
from verifier.reconstruct.resting.chip_dwells import ChipDwell
from verifier.reconstruct.scene import RoundScene
from verifier.reconstruct.table.detections import Body, detections_of
from verifier.reconstruct.table.zones import TableMap


def dwell(x: float, y: float, t0: float, t1: float, track: int) -> ChipDwell:
    return ChipDwell((x, y), 100, t0, t1, 0.99, 19.5, 50, track, True, t1 - 0.1)


@pytest.mark.parametrize(("at", "clear"), [((600.0, 750.0), True), ((450.0, 540.0), False)], ids=["away", "at it"])
def test_hands_have_left_a_tips_payoff_one_chip_of_which_shows_late(at: tuple[float, float], clear: bool) -> None:
    table, hands = TableMap.of(layout()), HandLog()
    later = frames(5.2, hands=[hand(*at)]), frames(2.0, hands=[hand(800, 320)])
    for one in chain(frames(3.0, hands=[hand(450, 540)]), *later):
        hands.add(detections_of(one, table, Body.of(table)))
    tip, own = dwell(-80.0, -230.0, 0.0, 0.5, 0), [dwell(-150.0, 110.0 + 20.0 * i, 1.0, 9.5, 1 + i) for i in (0, 1)]
    paid = [dwell(-105.0, 130.0, 2.5, 9.5, 3), dwell(-105.0, 110.0, 8.0, 9.5, 4)]
    scene = RoundScene(
        table=table,
        hands=hands,
        cards=(),
        dwells={0: [*own, *paid]},
        since=0.0,
        start=0.0,
        end=10.0,
        begun=True,
        ended=True,
    )
    told = tip_events(scene, [(Stake("tip", 2, "space:2", [tip]), own[0])], 0.0)
    early = [one.t_start < 8.0 for one in told if one.name == "hands_clear"]
    assert early == [clear]


@pytest.mark.parametrize(
    ("fetched", "dwells", "laid"),
    [(True, True, "as it was brought"), (False, True, "as it shows"), (True, False, "as it shows")],
    ids=["brought from the tray", "no hand was at the tray", "the hand left its place bare"],
)
def test_a_tips_payoff_that_shows_as_the_hand_leaves_it_was_laid_when_it_was_brought(
    fetched: bool, dwells: bool, laid: str
) -> None:
    table, hands = TableMap.of(layout()), HandLog()
    tray, beside, away = hand(600, 740), hand(496, 570), hand(800, 320)
    looks = chain(
        frames(3.0, hands=[away]),
        frames(1.0, hands=[tray if fetched else away]),
        frames(1.0, hands=[beside]),
        frames(4.0, hands=[beside if dwells else away]),
        frames(3.0, hands=[away]),
    )
    for one in looks:
        hands.add(detections_of(one, table, Body.of(table)))
    tip, own = dwell(-80.0, -230.0, 0.0, 0.5, 0), dwell(-150.0, 110.0, 1.0, 11.5, 1)
    scene = RoundScene(
        table=table,
        hands=hands,
        cards=(),
        dwells={0: [own, dwell(-104.0, 110.0, 9.0, 11.5, 2)]},
        since=0.0,
        start=0.0,
        end=12.0,
        begun=True,
        ended=True,
    )
    told = tip_events(scene, [(Stake("tip", 2, "space:2", [tip]), own)], 0.0)
    (paid,) = [one for one in told if one.name == "payoff_placed"]
    assert paid.t_end == pytest.approx(4.1 if laid == "as it was brought" else 9.0, abs=0.2)


@pytest.mark.parametrize("side", ["left", "right", "unknown"])
def test_a_tip_that_shows_as_the_hand_has_left_was_laid_by_that_hand(side: str) -> None:
    table, hands = TableMap.of(layout()), HandLog()
    away, over = hand(800, 320, side="unknown"), hand(450, 570, side=side)
    for one in chain(frames(0.55, hands=[away]), frames(0.4, hands=[over]), frames(2.0, hands=[away])):
        hands.add(detections_of(one, table, Body.of(table)))
    tip, own = dwell(-80.0, -230.0, 0.0, 0.5, 0), dwell(-150.0, 110.0, 1.1, 9.5, 1)
    scene = RoundScene(
        table=table,
        hands=hands,
        cards=(),
        dwells={0: [own]},
        since=0.0,
        start=0.0,
        end=10.0,
        begun=True,
        ended=True,
    )
    (moved,) = [
        one for one in tip_events(scene, [(Stake("tip", 2, "space:2", [tip]), own)], 0.0) if isinstance(one, WagerMoved)
    ]
    assert moved.hand == (None if side == "unknown" else side)


def test_print_that_passes_for_a_chip_as_a_tip_is_laid_beside_it_is_neither_the_tip_nor_its_payoff() -> None:
    tip, laid = dwell(-80.0, -230.0, 0.0, 0.5, 0), dwell(-120.0, 110.0, 1.4, 9.5, 1)
    printed = replace(dwell(-150.0, 110.0, 1.1, 9.5, 2), cents=2500, mean=0.7)
    scene = RoundScene(
        table=TableMap.of(layout()),
        hands=HandLog(),
        cards=(),
        dwells={0: [printed, laid]},
        since=0.0,
        start=0.0,
        end=10.0,
        begun=True,
        ended=True,
    )
    stake = Stake("tip", 2, "space:2", [replace(tip, t1=0.6)])
    moved = moved_tips(scene, [stake], 0.0)
    assert moved == [(stake, laid)]
    assert [one.name for one in tip_events(scene, moved, 0.0) if one.name == "payoff_placed" and not one.weak] == []


@pytest.mark.parametrize(
    ("gone", "bare", "told"),
    [(8, 0.0, True), (2, 0.0, False), (8, 1.0, False)],
    ids=["away for a while", "one visit", "pushed to the player there, who took it up"],
)
def test_a_second_tip_that_still_reads_as_the_first_when_its_player_has_left_it_is_told(
    gone: int, bare: float, told: bool
) -> None:
    table, hands = TableMap.of(layout()), HandLog()
    over, away = hand(540, 120, "player", fingers=0), hand(540, -200, "player", fingers=0)
    looks = [over] * 8 + [away] * gone + [over] * 4 + [away] * 4
    for number, seen in enumerate(looks):
        for one in frames(1 / 7.5, start=number / 7.5, hands=[seen]):
            hands.add(detections_of(one, table, Body.of(table)))
    changed = (len(looks) - 1) / 7.5
    tip = next(hands.between(0.0, 0.1, "player")).tip
    under = replace(dwell(*tip, 0.8, changed - bare, 0), seen_to=changed - bare - 0.1)
    top = replace(dwell(*tip, changed, 90.0, 0), cents=200, first=False)
    scene = RoundScene(
        table=table,
        hands=hands,
        cards=(),
        dwells={2: [under, top]},
        since=0.0,
        start=9.0,
        end=40.0,
        begun=True,
        ended=True,
    )
    earlier = tip_before(scene, Stake("tip", 2, "space:2", [top]))
    assert (earlier is not None and not earlier.weak) == told


@pytest.mark.parametrize(
    ("first", "row", "told"),
    [(200, (200, 100), [200, 100]), (500, (100, 100), [200]), (200, (100,), [100])],
    ids=["one more", "another was read at first", "nothing on it"],
)
def test_a_tip_on_a_tip_is_what_the_fan_shows_beside_the_first(first: int, row: tuple[int, ...], told: list[int]):
    table, hands = TableMap.of(layout()), HandLog()
    over, away = hand(540, 120, "player", fingers=0), hand(540, -200, "player", fingers=0)
    for number, seen in enumerate([over] * 8 + [away] * 10 + [over] * 4 + [away] * 4):
        for one in frames(1 / 7.5, start=number / 7.5, hands=[seen]):
            hands.add(detections_of(one, table, Body.of(table)))
    tip = next(hands.between(0.0, 0.1, "player")).tip
    under = replace(dwell(*tip, 0.8, 25 / 7.5, 0), seen_to=25 / 7.5 - 0.1, cents=first)
    top = replace(dwell(*tip, 25 / 7.5, 90.0, 0), first=False)
    fan = Pile(tuple(replace(dwell(390.0 + 26 * i, 100.0, 20.0, 90.0, 0), cents=cents) for i, cents in enumerate(row)))
    scene = RoundScene(
        table=table,
        hands=hands,
        cards=(),
        dwells={2: [under, top]},
        since=0.0,
        start=9.0,
        end=40.0,
        begun=True,
        ended=True,
    )
    stake = Stake("tip", 2, "space:2", [top])
    bets = stake_events(scene, [stake], {id(stake): fan}, 10.0, [])
    assert [one.cents for one in bets] == told


@pytest.mark.parametrize("values", [(200, 100), (100, 100)], ids=["told by value", "alike"])
def test_a_chip_is_of_the_tip_that_can_have_been_carried_there(values: tuple[int, int]) -> None:
    """Two tips go one after the other, and the first one's chip shows right when the second is last seen."""
    lain = [dwell(390.0, -212.0, 0.0, 52.7, 0), dwell(90.0, -350.0, 0.0, 54.3, 1)]
    stakes = [
        Stake("tip", number, f"space:{number}", [replace(chip, cents=cents, t1=chip.t1 + 0.5, seen_to=chip.t1)])
        for number, chip, cents in zip((3, 2), lain, values, strict=True)
    ]
    laid = [replace(dwell(-307.0, 68.0, 54.4, 66.0, 2), cents=values[0]), dwell(-207.0, 69.0, 55.7, 66.0, 3)]
    scene = RoundScene(
        table=TableMap.of(layout()),
        hands=HandLog(),
        cards=(),
        dwells={0: laid},
        since=0.0,
        start=0.0,
        end=70.0,
        begun=True,
        ended=True,
    )
    moved = {stake.space: chip for stake, chip in moved_tips(scene, stakes, 42.0)}
    assert moved == {3: laid[0], 2: laid[1]}


@pytest.mark.parametrize(("at", "p"), [((950.0, 760.0), [0.9]), ((450.0, 700.0), [0.45])], ids=["put in", "unseen"])
def test_a_won_tip_that_most_looks_miss_went_as_the_dealers_hand_was_last_at_it(
    at: tuple[float, float], p: list[float]
) -> None:
    table, hands = TableMap.of(layout()), HandLog()
    for one in chain(frames(3.0), frames(0.5, hands=[hand(450, 530)]), frames(0.6, hands=[hand(*at)]), frames(2.0)):
        hands.add(detections_of(one, table, Body.of(table)))
    tip, chip = dwell(-80.0, -230.0, 0.0, 0.5, 0), replace(dwell(-150.0, 110.0, 1.0, math.inf, 1), seen_to=2.5)
    scene = RoundScene(
        table=table,
        hands=hands,
        cards=(),
        dwells={0: [chip]},
        since=0.0,
        start=0.0,
        end=3.0,
        begun=True,
        ended=True,
    )
    told = tip_events(scene, [(Stake("tip", 2, "space:2", [tip]), chip)], 0.0)
    assert [one.p for one in told if one.name == "tip_deposited"] == p
