"""Whose hand it is where three are seen at once."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from recon_scenes import HZ, hand, layout

from verifier.domain.observations import Observation
from verifier.reconstruct.hands.owners import with_owners
from verifier.reconstruct.table.detections import Body, detections_of
from verifier.reconstruct.table.zones import TableMap

TABLE = TableMap.of(layout())
BODY = Body.of(TABLE)


@pytest.mark.parametrize(("sides", "owner"), [(("left", "right"), "player"), (("left",), "dealer")])
def test_beside_both_hands_of_the_dealers_one_that_reads_as_a_players_is(sides: tuple[str, ...], owner: str) -> None:
    """It came fast over the rim to cut the cards, so that it was first seen deep in the table."""
    frames = []
    for i, y in enumerate([330, 350, 360, 360, 350, 330]):
        seen = [hand(600, y, "player"), *(hand(400 + 300 * n, 600, side=side) for n, side in enumerate(sides))]
        frames.append(detections_of(Observation(t=i / HZ, frame=i, hands=seen), TABLE, BODY).hands)
    assert {hands[0].owner for hands in with_owners(frames, TABLE, BODY)} == {owner}


@pytest.mark.parametrize(("p", "side"), [(0.74, "unknown"), (0.75, "left"), (None, "left")])
def test_which_hand_it_is_is_told_from_three_quarters_on(p: float | None, side: str) -> None:
    sides = None if p is None else {"left": p, "right": 1 - p}
    one = replace(hand(600, 600, side="left"), sides=sides)
    (seen,) = detections_of(Observation(t=0.0, frame=0, hands=[one]), TABLE, BODY).hands
    assert seen.side == side
