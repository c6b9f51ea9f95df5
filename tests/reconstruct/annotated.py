"""What another detector or a person's annotations may give of a performance: cards alone, with ranks and track ids."""

from __future__ import annotations

import random
from collections.abc import Iterator

from msgspec import structs

from verifier.domain.layout import Layout, SpaceZones, Zones
from verifier.domain.observations import CardSeen, Observation
from verifier.simulate.perform import Performance
from verifier.simulate.render import Camera
from verifier.simulate.render.order import card_quad

TRACK_SECONDS = (0.8, 6.0)
"""How long a track holds before it breaks and begins again under another number."""
LYING_MM = 12.0


def annotated(performance: Performance, camera: Camera, rng: random.Random, hz: float = 5.0) -> Iterator[Observation]:
    """Quads, ranks and breaking tracks of the cards on the table, `hz` times a second; no chips, hands or suits."""
    tracks: dict[int, tuple[int, float]] = {}
    given = 0
    for number in range(int(performance.duration * hz)):
        t = round(number / hz, 3)
        cards = []
        for card in performance.scene_at(t).cards:
            if card.z > LYING_MM or card.turn:
                continue
            if card.id not in tracks or tracks[card.id][1] <= t:
                given += 1
                tracks[card.id] = (given, t + rng.uniform(*TRACK_SECONDS))
            a, b, c, d = (tuple(corner) for corner in camera.project(card_quad(card)).tolist())
            cards.append(
                CardSeen(id=tracks[card.id][0], face=card.face, p=1.0, quad=(a, b, c, d),
                         rank=card.card.rank if card.face == "up" else None)
            )  # fmt: skip
        yield Observation(t=t, frame=number, cards=cards)


def bare(layout: Layout) -> Layout:
    """A layout as an annotator draws it: the dealer's place, the inner area, and where each space's cards lie."""
    spaces = {number: SpaceZones(area=space.area, cards=space.cards) for number, space in layout.spaces.items()}
    return structs.replace(layout, zones=Zones(dealer=layout.zones.dealer, inner=layout.zones.inner), spaces=spaces)
