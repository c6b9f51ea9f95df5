"""Ties of two hands of one space, whose stakes lie side by side: which was tapped first."""

from __future__ import annotations

import math

import pytest
from recon_scenes import hand, layout

from verifier.domain.observations import Observation
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.money.stakes import Stake
from verifier.reconstruct.money.taps import taps_of_space
from verifier.reconstruct.resting.chip_dwells import ChipDwell
from verifier.reconstruct.scene import RoundScene
from verifier.reconstruct.table.detections import Body, detections_of
from verifier.reconstruct.table.zones import TableMap

TABLE = TableMap.of(layout())
BESIDE = 45.0
AT, AT_OTHER, AWAY = (600.0, 150.0), (600.0 + BESIDE, 150.0), (600.0, 480.0)


def told(*taps: tuple[float, float], looks: tuple[int, ...] = (5, 5)) -> dict[str, tuple[float, float]]:
    """When the two ties of space 2 were tapped, by a hand that came to these points, leaving between."""
    way = [AWAY] * 6
    for at, count in zip(taps, looks, strict=True):
        way += [at] * count + [AWAY] * 6
    log = HandLog()
    for number, at in enumerate(way):
        one = Observation(t=round(number / 7.5, 3), frame=number, hands=[hand(*at), hand(330, 620, side="left")])
        log.add(detections_of(one, TABLE, Body.of(TABLE)))
    x, y = TABLE.spaces[2].wager
    chips = [
        ChipDwell((x + shift, y), 500, -5.0, math.inf, 0.99, 19.5, 60, number, True, len(way) / 7.5)
        for number, shift in enumerate((0.0, BESIDE))
    ]
    scene = RoundScene(
        table=TABLE,
        hands=log,
        cards=(),
        dwells={2: chips},
        since=-9.0,
        start=-5.0,
        end=len(way) / 7.5,
        begun=True,
        ended=True,
    )
    ties = [Stake("original", 2, "space:2", [chips[0]]), Stake("split", 2, "space:2/1", [chips[1]])]
    return {one.at: (one.t_start, one.t_end) for one in taps_of_space(scene, ties, 0.0) if not one.weak}


@pytest.mark.parametrize("looks", [(5, 5), (4, 7), (7, 4)])
def test_each_of_two_taps_is_of_the_stake_that_it_is_nearer_to_however_long(looks: tuple[int, int]) -> None:
    seen = told(AT_OTHER, AT, looks=looks)
    assert seen["space:2/1"][1] < seen["space:2"][0]
    seen = told(AT, AT_OTHER, looks=looks)
    assert seen["space:2"][1] < seen["space:2/1"][0]


@pytest.mark.parametrize("looks", [(5, 5), (4, 7), (7, 4)])
def test_two_taps_at_one_place_leave_open_which_hand_was_tapped_first(looks: tuple[int, int]) -> None:
    seen = told(AT, AT, looks=looks)
    assert seen["space:2"][1] > seen["space:2/1"][0]
    assert seen["space:2/1"][1] > seen["space:2"][0]
    assert seen["space:2"] != seen["space:2/1"]


def test_one_long_tap_is_of_both_stakes() -> None:
    seen = told(AT, looks=(8,))
    assert seen["space:2"] == seen["space:2/1"]
