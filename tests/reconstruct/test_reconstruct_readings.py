"""What was misread, or showed late: a chip nobody touched, a payoff in another colour, a fan seen after it was made."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from msgspec.structs import replace
from recon_scenes import hand, layout

from verifier.domain.house import House
from verifier.domain.observations import Observation
from verifier.reconstruct import parameters as par
from verifier.reconstruct.decoder import natural_odds
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.money.cleared import touched_by
from verifier.reconstruct.money.piles import Pile
from verifier.reconstruct.money.settlement import settle_space
from verifier.reconstruct.money.stakes import Stake
from verifier.reconstruct.money.sums import reconciled
from verifier.reconstruct.resting.chip_dwells import ChipDwell
from verifier.reconstruct.resting.readings import one_value
from verifier.reconstruct.scene import RoundScene
from verifier.reconstruct.table.detections import Body, detections_of
from verifier.reconstruct.table.zones import TableMap

TABLE = TableMap.of(layout())
AT_WAGER, AWAY = (600.0, 140.0), (200.0, 640.0)
"""Pixels: a hand over the wager of space 2, and one far off."""


def watched(*looks: tuple[float, tuple[float, float]]) -> HandLog:
    log, body = HandLog(), Body.of(TABLE)
    for n, (t, xy) in enumerate(looks):
        log.add(detections_of(Observation(t=t, frame=n, hands=[hand(*xy)]), TABLE, body))
    return log


def resting(xy: tuple[float, float] = AWAY) -> HandLog:
    """A hand at one place, looked at from 0 to 20 s."""
    return watched(*((0.2 * i, xy) for i in range(101)))


def read(cents: int, t0: float, t1: float, n: int, *, x: float = 0.0, track: int = 0) -> ChipDwell:
    x0, y0 = TABLE.spaces[2].wager
    return ChipDwell((x0 + x, y0), cents, t0, t1, 0.95, 19.5, n, track, t0 == 0.0, t1)


@pytest.mark.parametrize(
    ("early", "late", "values"),
    [(36, 66, [None]), (5, 72, [200]), (72, 5, [500])],
    ids=["neither reading lasts", "the later one lasts", "the earlier one lasts"],
)
def test_a_chip_that_nobody_touched_did_not_change(early: int, late: int, values: list[int | None]) -> None:
    told = one_value(resting(), [read(500, 0.0, 8.0, early), read(200, 8.0, 16.0, late)])
    assert [one.cents for one in told] == values
    assert (told[0].t0, told[0].t1, told[0].n) == (0.0, 16.0, early + late)


def test_a_chip_that_reads_otherwise_after_a_hand_was_there_is_another() -> None:
    dwells = [read(500, 0.0, 8.0, 36), read(200, 8.0, 16.0, 66)]
    assert one_value(resting(AT_WAGER), dwells) == dwells


def pile(*values: int) -> Pile:
    return Pile(tuple(read(cents, 0.0, 20.0, 60, x=24.0 * i, track=i) for i, cents in enumerate(values)))


def test_three_to_two_for_no_natural_is_likelier_one_chip_misread() -> None:
    own, paid = reconciled(pile(100, 100), pile(200, 100))
    assert (own.cents, paid.cents) == (None, None)
    own, paid = reconciled(pile(100, 100), pile(200, 100), odds=par.ODDS_NATURAL)
    assert (own.cents, paid.cents) == (200, 300)


@pytest.mark.parametrize(
    ("odds", "told"), [(Fraction(6, 5), (500, 600)), (par.ODDS_NATURAL, (None, None))], ids=["6:5", "3:2"]
)
def test_what_the_house_pays_on_a_natural_was_read_well(odds: Fraction, told: tuple[int | None, int | None]) -> None:
    own, paid = reconciled(pile(200, 200, 100), pile(500, 100), odds=odds)
    assert (own.cents, paid.cents) == told


@pytest.mark.parametrize(
    ("house", "odds"),
    [
        (House(), Fraction(3, 2)),
        (House(rulebook="house-manual", blackjack_payoff="6:5"), Fraction(6, 5)),
        (House(rulebook="house-manual", blackjack_payoff="3:2"), Fraction(3, 2)),
        (House(rulebook="house-manual"), Fraction(3, 2)),
    ],
)
def test_a_natural_is_read_by_the_odds_of_the_house(house: House, odds: Fraction) -> None:
    assert natural_odds(house) == odds


def scene(hands: HandLog) -> RoundScene:
    return RoundScene(
        table=TABLE, hands=hands, cards=(), dwells={}, since=0.0, start=0.0, end=30.0, begun=True, ended=True
    )


@pytest.mark.parametrize(
    ("looks", "touched"),
    [
        ([(8.0, AT_WAGER), (8.4, AT_WAGER), (8.8, AWAY), (9.8, AWAY)], 8.4),
        ([(8.0, AWAY), (9.8, AT_WAGER), (9.95, AT_WAGER)], 10.0),
        ([(8.0, AWAY), (9.8, AWAY)], 10.0),
    ],
    ids=["and left", "and is there", "nobody"],
)
def test_a_row_that_shows_late_was_spread_when_a_hand_was_there(
    looks: list[tuple[float, tuple[float, float]]], touched: float
) -> None:
    assert touched_by(watched(*looks), pile(100, 100).dwells, 10.0) == touched


def test_an_insurance_far_from_the_wager_is_paid_beside_the_wager() -> None:
    line = replace(
        read(500, 2.0, math.inf, 200, track=1), xy=(TABLE.spaces[2].wager[0], TABLE.spaces[2].wager[1] + 320)
    )
    payoff = [read(500, 12.0, math.inf, 90, x=90.0 + 22.0 * i, track=2 + i) for i in (0, 1)]
    for kind, paid in (("insurance", [2]), ("split", [])):
        told = settle_space(scene(resting()), [Stake(kind, 2, "space:2", [line])], [line, *payoff], 10.0, 30.0, {})
        assert [one.size for one in told[0].payoffs] == paid
