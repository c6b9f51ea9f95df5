"""A dealer's hand that is lost from sight over the tip receptacle, where it is dark."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from recon_scenes import hand, layout

from verifier.domain.observations import Observation
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.table.detections import Body, detections_of
from verifier.reconstruct.table.zones import TableMap

TABLE = TableMap.of(layout())
BOX = (400.0, 300.0, 460.0, 360.0)
"""x0, y0, x1, y1, mm."""


def log(*seen: tuple[float, float] | None) -> HandLog:
    """A dealer's right hand whose middle is at those places (mm) in looks that follow each other; None: not seen."""
    hands, body = HandLog(), Body.of(TABLE)
    for number, at in enumerate(seen):
        look = Observation(t=round(number / 7.5, 3), frame=number, hands=[hand(600, 700)] if at else [])
        detection = detections_of(look, TABLE, body)
        hands.add(replace(detection, hands=tuple(replace(one, xy=at) for one in detection.hands)))
    return hands


AWAY = [None] * 4


@pytest.mark.parametrize(
    ("seen", "lost"),
    [
        ([(-300.0, 200.0), (0.0, 260.0), *AWAY, (300.0, 330.0)], True),
        ([(300.0, 330.0), (0.0, 260.0), *AWAY, (300.0, 330.0)], False),
        ([(-300.0, 200.0), (0.0, 260.0), *AWAY, (0.0, 260.0)], False),
        ([(-300.0, 200.0), (0.0, 260.0), None, (300.0, 330.0)], False),
    ],
    ids=["one more step leads past it", "it went the other way", "it came back far away", "seen again at once"],
)
def test_a_hand_was_there_if_its_next_step_would_have_led_there_and_it_came_back_near(
    seen: list[tuple[float, float] | None], lost: bool
) -> None:
    assert (log(*seen).lost_near(BOX, 0.0, 9.0, 110.0) is not None) == lost
