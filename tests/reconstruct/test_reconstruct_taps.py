"""Ties that the dealer taps, where the hand or the place is out of sight for a while."""

from __future__ import annotations

import math

import pytest
from msgspec import structs
from recon_scenes import hand, layout

from verifier.domain.observations import Observation
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.money.stakes import Stake
from verifier.reconstruct.money.taps import tap_events
from verifier.reconstruct.resting.chip_dwells import ChipDwell
from verifier.reconstruct.scene import RoundScene
from verifier.reconstruct.table.detections import Body, detections_of
from verifier.reconstruct.table.zones import TableMap

TABLE = TableMap.of(layout())
AWAY = (600.0, 480.0)


def seen(at: dict[int, tuple[float, float] | None]) -> HandLog:
    """A dealer's hand that is away, but in the looks (numbers of 7.5 a second) in which it is elsewhere or lost."""
    log = HandLog()
    for number in range(30):
        xy = at.get(number, AWAY)
        hands = [] if xy is None else [hand(*xy)]
        one = Observation(t=round(number / 7.5, 3), frame=number, hands=[*hands, hand(330, 620, side="left")])
        log.add(detections_of(one, TABLE, Body.of(TABLE)))
    return log


def chip_of(t0: float, t1: float, n: int, seen_to: float) -> ChipDwell:
    x, y = TABLE.spaces[2].wager
    return ChipDwell((x, y), 500, t0, t1, 0.99, 19.5, n, 1, True, seen_to)


def told(log: HandLog, *chips: ChipDwell) -> list[float]:
    chips = chips or (chip_of(-5.0, math.inf, 60, 3.9),)
    scene = RoundScene(
        table=TABLE, hands=log, cards=(), dwells={2: [*chips]}, since=-9.0, start=-5.0, end=4.0, begun=True, ended=True
    )
    return [one.p for one in tap_events(scene, Stake("original", 2, "space:2", [chips[0]]), 0.0)]


TAP = (600.0, 150.0)


@pytest.mark.parametrize(
    ("at", "p"),
    [
        (dict.fromkeys((10, 11, 12, 13), TAP), [0.9]),
        ({10: TAP, **dict.fromkeys(range(11, 15)), 15: TAP}, [0.9]),
        ({10: TAP, 11: TAP, **dict.fromkeys(range(12, 17))}, [0.45]),
        ({10: TAP, 11: TAP}, []),
        ({10: TAP, 15: TAP}, []),
    ],
    ids=["seen", "lost between", "lost after", "passing by", "passing by twice"],
)
def test_a_hand_that_is_lost_from_sight_at_a_tied_stake_may_have_tapped(at, p: list[float]) -> None:
    assert told(seen(at)) == p


@pytest.mark.parametrize(
    ("over", "p"),
    [({}, [0.45]), ({12: TAP}, [])],
    ids=["nobody's hand was there", "a hand took it and another laid it"],
)
def test_at_a_tied_stake_that_went_out_of_sight_by_itself_a_tap_need_not_show(over, p: list[float]) -> None:
    before, after = chip_of(-5.0, 1.7, 50, 1.6), chip_of(3.0, math.inf, 8, 3.9)
    assert told(seen(over), before, after) == p


def test_a_stake_that_went_out_of_sight_before_is_not_tapped_but_perhaps_taken() -> None:
    """The player's hand had been there; most looks miss the chip until the dealer comes."""
    gone = chip_of(-5.0, 0.5, 50, 0.4)
    scene = RoundScene(
        table=TABLE,
        hands=seen(dict.fromkeys((20, 21, 22, 23), TAP)),
        cards=(),
        dwells={2: [gone]},
        since=-9.0,
        start=-5.0,
        end=4.0,
        begun=True,
        ended=True,
    )
    told = tap_events(scene, Stake("original", 2, "space:2", [gone]), 0.0)
    assert [(one.name, one.weak) for one in told] == [("chips_collected", True)]


@pytest.mark.parametrize(("cents", "x", "p"), [(500, 0.0, [0.9]), (100, 0.0, [0.45]), (500, 12.0, [0.45])])
def test_a_stake_that_a_tapping_hand_half_hides_shows_again_in_its_place(cents: int, x: float, p: list[float]) -> None:
    before, after = chip_of(-5.0, 2.6, 50, 2.5), chip_of(3.2, math.inf, 8, 3.9)
    after = structs.replace(after, cents=cents, xy=(after.xy[0] + x, after.xy[1]))
    assert told(seen(dict.fromkeys((20, 21, 22, 23), TAP)), before, after) == p
