"""Stakes that went while somebody hid them: when they were taken."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from recon_scenes import dwell, hand, layout, scene

from verifier.domain.events import ChipsCollected
from verifier.domain.observations import Observation
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.money.payments import settlement_events
from verifier.reconstruct.money.settlement import Settled
from verifier.reconstruct.money.stakes import Stake
from verifier.reconstruct.table.detections import Body, detections_of
from verifier.reconstruct.table.zones import TableMap

WENT, PICKED = 12.0, 18.0


def hands(at: tuple[float, float], missed: int, *, looked: bool = True) -> HandLog:
    """The dealer's hand rests, and is at a place, but in its `missed` last looks, as the stake of space 2 goes.

    Unless it is `looked` at, nobody looks then, and the hand has moved meanwhile.
    """
    log, table = HandLog(), TableMap.of(layout())
    for number in range(180):
        t = round(number / 7.5, 3)
        there = WENT - 0.5 <= t <= WENT + 0.3 - missed / 7.5
        if not looked and WENT - 0.7 < t < WENT:
            continue
        gone = not there and WENT - 0.5 <= t <= WENT + 0.3
        seen = [] if gone else [hand(*(at if there else (860.0, 620.0)))]
        one = Observation(t=t, frame=number, hands=[*seen, hand(330, 620, side="left")])
        log.add(detections_of(one, table, Body.of(table)))
    return log


@pytest.mark.parametrize(
    ("at", "missed", "until"),
    [((600.0, 180.0), 0, WENT + 0.5), ((600.0, 260.0), 3, WENT + 0.5), ((200.0, 180.0), 0, PICKED)],
    ids=["a hand takes it", "missed as it does", "at another space"],
)
def test_a_stake_that_went_with_no_hand_near_may_have_been_taken_until_its_cards_were(
    at: tuple[float, float], missed: int, until: float
) -> None:
    stake = Stake("original", 2, "space:2", [dwell(0.0, 0.0, 0.0, WENT)])
    settled = Settled(stake=stake, own=None, payoffs=(), taken=True, picked=PICKED)
    (told,) = [e for e in settlement_events(scene(hands(at, missed)), [settled], 5.0) if isinstance(e, ChipsCollected)]
    assert told.t_start <= WENT
    assert told.t_end == pytest.approx(until, abs=0.5)


def test_a_stake_that_was_gone_as_looks_came_again_had_been_taken_by_then() -> None:
    stake = Stake("original", 2, "space:2", [replace(dwell(0.0, 0.0, 0.0, WENT), seen_to=WENT - 0.7)])
    settled = Settled(stake=stake, own=None, payoffs=(), taken=True, picked=PICKED)
    log = hands((200.0, 180.0), 0, looked=False)
    (told,) = [e for e in settlement_events(scene(log), [settled], 5.0) if isinstance(e, ChipsCollected)]
    assert told.t_end == pytest.approx(WENT, abs=0.2)
