"""Where the dealer of the simulator lays chips and taps: beside the stake that is meant, upon no other."""

from __future__ import annotations

from types import SimpleNamespace
from unittest.mock import Mock

import pytest

from verifier.simulate.play import paying
from verifier.simulate.play.spots import insured_spot, stake_spot
from verifier.simulate.play.steps import Pay, Tie
from verifier.simulate.table import plan_table

PLAN = plan_table(5)
CHIP_MM = 39.0


def table(**more: object) -> SimpleNamespace:
    return SimpleNamespace(
        stage=SimpleNamespace(plan=PLAN, near=lambda xy, _: xy, note=Mock()), now=0.0, right=Mock(free=0.0), **more
    )


@pytest.mark.parametrize("chips", [[500, 200, 100, 50], [500, 500, 500], [500, 200], [100]])
def test_an_insurance_payoff_fanned_by_value_ends_before_the_stake(chips: list[int]) -> None:
    at = table(hands_of=lambda _: 1, place_cents=lambda *_: sum(chips))
    step = Pay(at="space:2", payoffs={"insurance": chips})
    (_, y), (_, down) = paying._payoff_place(at, step, "insurance")
    offsets = paying.fan_offsets(sorted(chips), by_value=sum(chips) > paying.SETS_ABOVE_CENTS)
    assert y + down * offsets[-1] <= insured_spot(PLAN, "space:2")[1] - CHIP_MM


@pytest.mark.parametrize(("place", "kind"), [("space:2", "original"), ("space:2/1", "split")])
def test_a_tied_hand_is_tapped_beside_its_own_stake(place: str, kind: str) -> None:
    at = table()
    at.right.go.return_value = 1.0
    paying.tie(at, Tie(at=place))
    (x, y), stake = at.right.go.call_args_list[0].args[1], stake_spot(PLAN, place, kind)
    assert abs(x - stake[0]) < CHIP_MM / 2
    assert y > stake[1]
