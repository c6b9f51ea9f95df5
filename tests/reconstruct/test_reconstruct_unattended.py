"""What nobody covered before the table was left: fixtures to which no hand came since they were last used."""

from __future__ import annotations

import msgspec
import pytest
from recon_scenes import frames, hand, layout

from verifier.reconstruct.between.unattended import table_states
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.scene import Between
from verifier.reconstruct.table.detections import Body, detections_of
from verifier.reconstruct.table.zones import TableMap

TABLE = TableMap.of(layout())
BODY = Body.of(TABLE)
SHOE, DISCARD = (85, 600), (1115, 600)


def left_at_20(*visits: tuple[float, tuple[int, int]]) -> Between:
    """Hands rest, but for `visits` (from, place) of a second; the table is watched from 0 to 40 s."""
    log = HandLog()
    for one in frames(40.0):
        away = [hand(*place) for since, place in visits if since <= one.t <= since + 1.0]
        log.add(detections_of(msgspec.structs.replace(one, hands=[hand(500, 600, side="left"), *away]), TABLE, BODY))
    return Between(table=TABLE, hands=log, backs=(), start=0.0, end=40.0)


@pytest.mark.parametrize(
    ("visits", "drawn", "covered"),
    [
        ((), 0.0, (False, False)),
        (((8.0, SHOE), (9.0, DISCARD)), 0.0, (None, None)),
        (((8.0, SHOE), (9.0, DISCARD)), 10.0, (False, False)),
        (((8.0, SHOE), (9.0, DISCARD), (14.0, SHOE)), 10.0, (False, None)),
    ],
    ids=["no hand came", "hands came", "to burn a card", "and again, to the shoe"],
)
def test_what_no_hand_came_to_since_a_card_was_burned_is_uncovered(
    visits: tuple[tuple[float, tuple[int, int]], ...], drawn: float, covered: tuple[bool | None, bool | None]
) -> None:
    closed, _ = table_states(left_at_20(*visits), 19.0, 20.0, 38.0, None, drawn)
    assert (closed.cards_covered, closed.shoe_covered) == covered
