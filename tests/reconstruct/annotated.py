"""What another detector or a person's annotations may give of a performance: cards alone, with ranks and track ids."""

from __future__ import annotations

import random
from collections.abc import Iterator

from verifier.domain.observations import CardSeen, Observation
from verifier.simulate.detections.foreign import TRACK_SECONDS
from verifier.simulate.perform import Performance
from verifier.simulate.render import Camera
from verifier.simulate.render.order import card_quad

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
                CardSeen(
                    id=tracks[card.id][0],
                    face=card.face,
                    p=1.0,
                    quad=(a, b, c, d),
                    rank=card.card.rank if card.face == "up" else None,
                )
            )
        yield Observation(t=t, frame=number, cards=cards)
