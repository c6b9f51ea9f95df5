"""Where things lie within their spaces: measured, told with a probability, judged; seen without detectors' faults."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import msgspec
import numpy as np
import pytest
from recon_scenes import chain, dwell, frames, hand, layout, scene

from verifier.domain.events import EventLog
from verifier.domain.observations import ObservationsHeader, VideoInfo
from verifier.law.judge import judge
from verifier.reconstruct import parameters as par
from verifier.reconstruct import reconstruct
from verifier.reconstruct.dealt_hands import Layout as Cards
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.money.stakes import Stake, find_stakes
from verifier.reconstruct.table.detections import Body, detections_of
from verifier.reconstruct.table.positions import (
    at_lower_left,
    at_right,
    found,
    horizontal,
    on_line,
    paid_beside,
    side_by_side,
)
from verifier.reconstruct.table.zones import SpaceMap, TableMap, depth
from verifier.simulate.detections import noisy_observations
from verifier.simulate.layouts import layout_for
from verifier.simulate.perform import Performance, perform
from verifier.simulate.render import Camera

HEADER = ObservationsHeader(video=VideoInfo(name="play without pixels", sha256="0" * 64, width=1280, height=720))
SQUARE = ((-10.0, -10.0), (10.0, -10.0), (10.0, 10.0), (-10.0, 10.0))
AHEAD = SpaceMap(
    number=1, area=SQUARE, wager=(0.0, 0.0), cards=(0.0, 180.0), tip=None, insurance=(0.0, 400.0), outward=(0.0, -1.0),
    insurance_zone=((-40.0, 390.0), (40.0, 390.0), (40.0, 410.0), (-40.0, 410.0)),
)  # fmt: skip
ASIDE = SpaceMap(
    number=1, area=SQUARE, wager=(0.0, 0.0), cards=(0.0, 180.0), tip=None, insurance=None, outward=(-0.9, -0.44)
)
"""A space before the dealer, and one far at the dealer's left."""


def test_depth_is_the_distance_from_the_outline_below_zero_outside() -> None:
    assert depth((0.0, 4.0), SQUARE) == pytest.approx(6.0)
    assert depth((0.0, 14.0), SQUARE) == pytest.approx(-4.0)
    assert depth((13.0, 14.0), SQUARE) == pytest.approx(-5.0)


@pytest.mark.parametrize(
    ("kept_by", "word", "p"),
    [(2.0 * par.POSITION_NOISE_MM, "beside", 0.977), (0.0, "beside", 0.5), (-1.0, "elsewhere", 0.566),
     (-3.0 * par.POSITION_NOISE_MM, "elsewhere", 0.999)],
)  # fmt: skip
def test_near_the_limit_neither_place_is_likely(kept_by: float, word: str, p: float) -> None:
    one = found("beside", kept_by)
    assert (one.position, one.p) == (word, p)


@pytest.mark.parametrize(
    ("chip", "word"),
    [
        ((0.0, 400.0), "insurance_line"),
        ((58.0, 400.0), "insurance_line"),
        ((62.0, 400.0), "elsewhere"),
        ((0.0, 371.0), "insurance_line"),
        ((0.0, 368.0), "elsewhere"),
    ],
)
def test_an_insurance_chip_is_on_its_line_where_it_touches_it(chip: tuple[float, float], word: str) -> None:
    assert on_line(AHEAD, chip).position == word


def test_a_chip_off_the_line_is_surely_so_only_where_it_is_nearer_to_the_wager() -> None:
    assert on_line(AHEAD, (0.0, 300.0)).p == 0.5
    assert on_line(AHEAD, (0.0, 90.0)).p == 1.0
    assert on_line(ASIDE, (0.0, 90.0)).position is None


@pytest.mark.parametrize(
    ("chip", "word"),
    [((-62.0, 34.0), "lower_left"), ((-60.0, -18.0), "lower_left"), ((-60.0, -21.0), "elsewhere"),
     ((50.0, -50.0), "elsewhere"), ((50.0, 50.0), "elsewhere")],
)  # fmt: skip
def test_a_tip_lies_at_the_lower_left_for_the_dealer(chip: tuple[float, float], word: str) -> None:
    assert at_lower_left(AHEAD, chip).position == word


def test_at_the_end_of_the_table_the_row_of_spaces_counts_as_well() -> None:
    toward_dealer = (0.9 * 45, 0.44 * 45)
    along_row = (0.44 * 45, -0.9 * 45)
    assert horizontal(AHEAD, (0.0, 0.0), along_row).position == "vertical"
    assert horizontal(ASIDE, (0.0, 0.0), along_row).position == "horizontal"
    assert horizontal(ASIDE, (0.0, 0.0), toward_dealer).position == "horizontal"  # across the table, for the dealer
    assert at_lower_left(ASIDE, (36.4, 62.4)).position == "lower_left"
    assert at_lower_left(AHEAD, (36.4, 62.4)).position == "elsewhere"
    assert side_by_side(ASIDE, (0.0, 0.0), (0.44 * 98, -0.9 * 98)).position == "side_by_side"
    assert side_by_side(AHEAD, (0.0, 0.0), (0.44 * 98, -0.9 * 98)).position == "elsewhere"


@pytest.mark.parametrize(
    ("chip", "word"), [((45.0, 0.0), "horizontal"), ((30.0, -29.0), "horizontal"), ((30.0, -31.0), "vertical")]
)
def test_a_split_wager_lies_beside_or_behind(chip: tuple[float, float], word: str) -> None:
    assert horizontal(AHEAD, (0.0, 0.0), chip).position == word


@pytest.mark.parametrize(
    ("card", "word"),
    [((122.0, 130.0), "right"), ((73.0, 130.0), "right"), ((71.0, 130.0), "elsewhere"), ((-72.0, 130.0), "elsewhere"),
     ((197.0, 130.0), "right"), ((199.0, 130.0), "elsewhere"), ((122.0, 173.0), "right"),
     ((122.0, 175.0), "elsewhere")],
)  # fmt: skip
def test_a_card_that_the_dealer_draws_lies_at_the_immediate_right(card: tuple[float, float], word: str) -> None:
    assert at_right([(0.0, 130.0), (72.0, 130.0)], card).position == word


@pytest.mark.parametrize(
    ("other", "word"),
    [((98.0, 0.0), "side_by_side"), ((32.0, 0.0), "side_by_side"), ((31.0, 0.0), "elsewhere"),
     ((98.0, 43.0), "side_by_side"), ((98.0, 45.0), "elsewhere"), ((0.0, -98.0), "elsewhere")],
)  # fmt: skip
def test_split_cards_lie_in_one_row_and_apart(other: tuple[float, float], word: str) -> None:
    assert side_by_side(AHEAD, (0.0, 0.0), other).position == word


@pytest.mark.parametrize(("x", "word"), [(70.0, "beside"), (108.5, "beside"), (109.5, "elsewhere")])
def test_a_payoff_lies_beside_its_wager_where_two_chips_have_no_room_between(x: float, word: str) -> None:
    row = [(0.0, 0.0), (0.0, 24.0)]
    assert paid_beside(row, [(x, 0.0), (x + 24.0, 0.0)]).position == word
    assert paid_beside([], [(x, 0.0)]).position is None


@cache
def seen(seed: int, clause: str, spaces: int = 5, level: str = "faultless") -> tuple[Performance, EventLog]:
    """Two rounds with one breach (none: lawful), and what is reconstructed of them."""
    played = perform(seed, 2, (clause,) if clause else (), spaces=spaces)
    camera = Camera.sample(np.random.default_rng([seed, 77]), (1280, 720), "easy")
    table = layout_for(played.plan, camera, site=played.site, table=played.table)
    return played, reconstruct(noisy_observations(played, camera, level), table, played.house, HEADER)


PLANTED = (
    ("ND-08-09.2.a-tip-position", 100),
    ("ND-08-09.2.b-insurance-line", 100),
    ("ND-08-09.2.c-split-wager-horizontal", 100),
    ("ND-08-11.3.a-split-side-by-side", 100),
    ("ND-08-11.10.f-hit-position", 100),
    ("ND-08-11.10.f-hit-position", 101),
    ("ND-08-11.16.a-payoff-beside", 100),
)


@pytest.mark.parametrize(("clause", "seed"), PLANTED)
def test_a_thing_that_lies_elsewhere_is_found_and_nothing_else(clause: str, seed: int) -> None:
    played, log = seen(seed, clause)
    (planted,) = played.deviations
    found = judge(log).findings
    assert [(one.clause, one.verdict, one.round, one.at) for one in found] == [
        (clause, "violation", planted.round, planted.at)
    ]
    assert all(one.p >= 0.9 for one in found)


@pytest.mark.parametrize("seed", [500, 501])
def test_in_lawful_play_all_lies_where_it_should(seed: int) -> None:
    _, log = seen(seed, "")
    told = Counter(
        (event.name, getattr(event, "position", None)) for event in log.events if getattr(event, "position", None)
    )
    assert {word for _, word in told} <= {
        "insurance_line", "lower_left", "horizontal", "side_by_side", "right", "beside"
    }  # fmt: skip
    assert told[("payoff_placed", "beside")] >= 3
    assert not judge(log).findings
    assert all(getattr(event, "position_p", None) in (None, pytest.approx(1.0, abs=0.02)) for event in log.events)


def test_a_layout_without_an_insurance_zone_tells_of_no_line() -> None:
    assert on_line(ASIDE, (0.0, 0.0)).fields == {"position": None, "position_p": None}
    assert layout().spaces[2].insurance is None


def bets(right: float, *, lays: str = "player", takes: str = "dealer", wager: bool = True) -> list[Stake]:
    """Stakes at space 2, whose betting space reaches 40 mm from its middle, with a chip so far at the right of that.

    A hand lays the chip at 2 s, before the first card at 4 s, and another takes it at 12 s.
    """
    table = TableMap.of(layout())
    at = (600.0 + right, 140.0)
    seen = chain(
        frames(1.6),
        frames(0.6, hands=[hand(*at, lays)]),
        frames(9.6),
        frames(0.8, hands=[hand(*at, takes)]),
        frames(4.0),
    )
    log = HandLog()
    for one in seen:
        log.add(detections_of(one, table, Body.of(table)))
    chips = [dwell(right, 0.0, 2.2, 12.4)] + ([dwell(0.0, 0.0, 2.0, 14.0)] if wager else [])
    round_ = msgspec.structs.replace(scene(log, {2: chips}), start=4.0)
    return find_stakes(round_, Cards(), 20.0, round_.dwells)


TOUCHING = 40.0 + par.CHIP_RADIUS_MM
SLACK = par.STAKE_TOUCHING_MM


@pytest.mark.parametrize(
    ("right", "kinds"),
    [(TOUCHING, ["original", "tip"]), (TOUCHING + SLACK - 0.1, ["original", "tip"]),
     (TOUCHING + SLACK + 0.1, ["original"]), (TOUCHING - SLACK + 0.1, ["original", "tip"]),
     (TOUCHING - SLACK - 0.1, ["original"])],
)  # fmt: skip
def test_a_chip_that_touches_the_betting_space_anywhere_is_a_tip_once_the_dealer_took_it(
    right: float, kinds: list[str]
) -> None:
    assert [stake.kind for stake in bets(right)] == kinds


@pytest.mark.parametrize("how", [{"takes": "player"}, {"lays": "dealer"}, {"wager": False}])
def test_a_player_s_own_chips_beside_a_betting_space_are_no_tip(how: dict[str, Any]) -> None:
    assert "tip" not in [stake.kind for stake in bets(TOUCHING, **how)]
