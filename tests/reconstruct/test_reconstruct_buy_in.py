"""Buy-ins of which the hands do not tell everything."""

from __future__ import annotations

import pytest
from inner_scenes import RIGHT, bills, bring, drop, look, push, run, spread, with_drop
from recon_scenes import HZ, chain

from verifier.domain.house import House
from verifier.domain.observations import Observation, ObservationsHeader
from verifier.reconstruct import reconstruct

BOUGHT = [500, 500, 500, 100, 100, 100, 100, 100]


@pytest.mark.parametrize(("rest", "left"), [(8, 2), (0, 1)], ids=["left alone", "taken at once"])
def test_a_hand_leaves_bills_that_nobody_was_seen_to_hand_over(rest: int, left: int) -> None:
    alone = [
        Observation(t=one.t, frame=one.frame, hands=[hand for hand in one.hands if hand.owner == "dealer"])
        for one in bills()
    ]
    events = run(
        alone,
        look(rest),
        bring(BOUGHT, RIGHT, ()),
        spread(BOUGHT, RIGHT, (), side="right"),
        push(BOUGHT, RIGHT, ()),
        drop(),
    )
    assert [one.weak for one in events if one.name == "currency_spread"] == [False]
    clear = [one for one in events if one.name == "hands_clear" and one.region == "inner" and not one.weak]
    assert len(clear) == left


def test_chips_that_may_have_been_spread_while_nobody_looked_are_no_stack_that_was_pushed() -> None:
    before, spreading = [bills(), look(8), bring(BOUGHT, RIGHT, ())], spread(BOUGHT, RIGHT, (), side="right")
    seen = chain(look(15), *before, spreading, push(BOUGHT, RIGHT, ()), drop(), look(15))
    end = (15 + sum(len(part) for part in before) + len(spreading)) / HZ
    seen = [one for one in seen if not end - len(spreading) / HZ <= one.t < end]
    events = reconstruct(seen, with_drop(), House(), ObservationsHeader()).events
    assert [one.weak for one in events if one.name == "chips_fanned"] == [True]
    assert [one.weak for one in events if one.name == "hands_clear"][1:] == [True], (
        "nor is it seen that hands left them"
    )
