"""Buy-ins of which the hands do not tell everything."""

from __future__ import annotations

import pytest
from inner_scenes import RIGHT, bills, bring, drop, look, push, run, spread

from verifier.domain.observations import Observation

BOUGHT = [500, 500, 500, 100, 100, 100, 100, 100]


@pytest.mark.parametrize(("rest", "left"), [(8, 2), (0, 1)], ids=["left alone", "taken at once"])
def test_a_hand_leaves_bills_that_nobody_was_seen_to_hand_over(rest: int, left: int) -> None:
    alone = [
        Observation(t=one.t, frame=one.frame, hands=[hand for hand in one.hands if hand.owner == "dealer"])
        for one in bills()
    ]
    events = run(
        alone, look(rest), bring(BOUGHT, RIGHT, ()), spread(BOUGHT, RIGHT, (), side="right"), push(BOUGHT, RIGHT, ()),
        drop(),
    )  # fmt: skip
    assert [one.weak for one in events if one.name == "currency_spread"] == [False]
    clear = [one for one in events if one.name == "hands_clear" and one.region == "inner" and not one.weak]
    assert len(clear) == left
