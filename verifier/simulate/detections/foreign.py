"""Observations as other makers may give them: cards alone, by quad, rank and track; no chips, hands or suits."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

from msgspec import structs

from verifier.domain.layout import Layout, SpaceZones, Zones
from verifier.domain.observations import CardSeen, Observation

TRACK_SECONDS = (0.8, 6.0)
"""How long a track holds before it breaks and begins again under another number."""


def foreign(observations: Iterable[Observation], seed: int = 0) -> Iterator[Observation]:
    """Yield the same looks with only the cards: p 1, tracks that break, no clock and no quality of the picture."""
    tracks: dict[int, tuple[int, float]] = {}
    rng, given = random.Random(seed), 0
    for seen in observations:
        cards = []
        for card in seen.cards:
            own = card.id or 0
            if own not in tracks or tracks[own][1] <= seen.t:
                given += 1
                tracks[own] = (given, seen.t + rng.uniform(*TRACK_SECONDS))
            cards.append(CardSeen(id=tracks[own][0], face=card.face, p=1.0, quad=card.quad, rank=card.rank))
        yield Observation(t=seen.t, frame=seen.frame, cards=cards)


def bare(layout: Layout) -> Layout:
    """Return a layout as an annotator draws it: the dealer's place, the inner area, where each space's cards lie."""
    spaces = {number: SpaceZones(area=space.area, cards=space.cards) for number, space in layout.spaces.items()}
    return structs.replace(layout, zones=Zones(dealer=layout.zones.dealer, inner=layout.zones.inner), spaces=spaces)
