"""Which hand drew a card from the shoe: one that came there too late to bring it is at the next card."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from recon_scenes import frames, hand, layout, scene

from verifier.reconstruct.cards.dealt import dealt_events
from verifier.reconstruct.dealt_hands import CardHand, Dealing, Layout
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.resting.card_tracks import CardTrack
from verifier.reconstruct.table.detections import Body, detections_of
from verifier.reconstruct.table.zones import TableMap

TABLE = TableMap.of(layout())
SHOE = (90.0, 610.0)


def card_track(number: int, t: float, x: float) -> CardTrack:
    return CardTrack(
        number=number,
        place="space:3",
        dwells=(((x, -100.0), t, 30.0),),
        angle=0.0,
        face="up",
        turned=None,
        ranks={"9": 0.99},
        suit="h",
        p=0.98,
        n=50,
        steady=3.0,
        t_first=t,
        t_last=30.0,
        gone=30.0,
    )


def log_of(**visits: list[tuple[float, float]]) -> HandLog:
    """Both hands of the dealer's in every look: at the shoe in their `visits`, else before the tray."""
    log = HandLog()
    away = {"left": (480.0, 620.0), "right": (720.0, 620.0)}
    for one in frames(15.0):
        at = {side: SHOE if any(a <= one.t <= b for a, b in visits.get(side, [])) else xy for side, xy in away.items()}
        log.add(
            detections_of(replace(one, hands=[hand(*xy, side=side) for side, xy in at.items()]), TABLE, Body.of(TABLE))
        )
    return log


@pytest.mark.parametrize(
    ("visits", "drew"),
    [
        ({"left": [(8.8, 9.2), (11.1, 12.0)], "right": [(10.0, 10.5)]}, "right"),
        ({"left": [(8.8, 9.2), (10.0, 10.5), (11.1, 12.0)]}, "left"),
        ({"left": [(8.8, 12.0)]}, "left"),
        ({"left": [(11.2, 12.0)]}, None),
    ],
    ids=["the other before", "itself before", "there all along", "nobody seen"],
)
def test_a_hand_that_came_to_the_shoe_too_late_to_bring_a_card_did_not_draw_it(
    visits: dict[str, list[tuple[float, float]]], drew: str | None
) -> None:
    before, card = card_track(0, 9.8, 300.0), card_track(1, 11.6, 265.0)
    own = CardHand(3, cards=[before, card])
    dealt = Layout([own], [Dealing(before, "space:3", own, None), Dealing(card, "space:3", own, before)])
    _, second = dealt_events(scene(log_of(**visits)), dealt)
    assert getattr(second, "from_hand") == drew  # noqa: B009
