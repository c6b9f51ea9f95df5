"""When collected chips went to the tray, by the hands that were seen there."""

from __future__ import annotations

import pytest
from recon_scenes import hand, layout, scene

from verifier.domain.events import ChipsCollected, ChipsToTray
from verifier.domain.observations import Observation
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.money.collected import tray_events
from verifier.reconstruct.scene import event
from verifier.reconstruct.table.detections import Body, detections_of
from verifier.reconstruct.table.zones import TableMap

AWAY, AT_TRAY, BEFORE_TRAY = (600.0, 160.0), (620.0, 720.0), (860.0, 620.0)
TAKEN = 12.0


def seen(left: tuple[float, float], *, leaves: float = 40.0, right: float | None = None) -> HandLog:
    """The left hand lies somewhere till it `leaves` for a second, the right one is at the tray at a time, or never."""
    log, table = HandLog(), TableMap.of(layout())
    for number in range(180):
        t = round(number / 7.5, 3)
        out = AWAY if leaves <= t < leaves + 1.0 else left
        works = AT_TRAY if right is not None and right <= t < right + 1.0 else AWAY if t < TAKEN else BEFORE_TRAY
        one = Observation(t=t, frame=number, hands=[hand(*works), hand(*out, side="left")])
        log.add(detections_of(one, table, Body.of(table)))
    return log


@pytest.mark.parametrize(
    ("log", "at", "weak"),
    [
        (seen(AT_TRAY), TAKEN + 0.5, True),
        (seen(AT_TRAY, right=14.0), 14.0, False),
        (seen(AT_TRAY, leaves=12.5), 13.5, False),
        (seen(BEFORE_TRAY, right=12.6), 12.6, False),
    ],
    ids=["only the one that lay there", "the other comes", "the one that lay there goes and comes", "none lay there"],
)
def test_a_hand_that_lies_at_the_tray_all_the_while_puts_no_chips_there(log: HandLog, at: float, weak: bool) -> None:
    taken = event(ChipsCollected, 11.5, TAKEN, 0.97, kind="original", at="space:2", cents=None, to="hand", hand="right")
    (told,) = [one for one in tray_events(scene(log), [taken]) if isinstance(one, ChipsToTray)]
    assert (told.t_start, told.weak) == (pytest.approx(at, abs=0.2), weak)
