"""Objects as the observations carry them: what a detection and the looks at it say, sure enough to be said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, cast

import numpy as np

from verifier.domain.cards import RANKS, SUITS
from verifier.domain.money import CENTS_BY_COLOUR, ChipColour
from verifier.domain.observations import (
    CardSeen,
    ChipSeen,
    Facing,
    HandSeen,
    Keypoint,
    Owner,
    Quad,
    Rank,
    Side,
    Suit,
)
from verifier.vision.detection import CARD_UP, Detection
from verifier.vision.evidence import Evidence
from verifier.vision.geometry import Floats
from verifier.vision.overlapping import told
from verifier.vision.readers import CardReading, HandReading, chip_radius
from verifier.vision.second_opinion import Asked

SURE_RANK: Final = 0.5
SURE_SUIT: Final = 0.5
SURE_HAND: Final = 0.5
SURE_POINTS: Final = 0.5
"""Mean probability of a hand's keypoints below which none is given."""
KEEP_RANKS: Final = 0.004
SURE_LABEL: Final = 0.99
"""A colour, side, facing or number of fingers with this probability is told without the probabilities of the others."""
KEEP_LABELS: Final = 0.01
"""Least probability of another one that is told: what is left of SURE_LABEL."""
COUNTS: Final = 4
"""A count of the cards there weighs at least as much as one of so many."""
CHANGED: Final = 0.06
"""A box has changed whose corner lies farther off than this share of its shorter side: a card came upon it."""


@dataclass(slots=True)
class CardEvidence:
    """What a card's looks say. `face` is that of the last look; ranks are kept per turning-up."""

    ranks: Evidence = field(default_factory=lambda: Evidence(RANKS))
    suits: Evidence = field(default_factory=lambda: Evidence(SUITS))
    unreadable: float = 0.0
    """Mean probability of its looks that it cannot be read."""
    looks: int = 0
    more: float = 0.0
    """Running mean of the probability that more cards lie there than were found, over the last COUNTS or so."""
    counted: int = 0
    boxed: Floats | None = None
    """Its corners when the cards there were counted first."""
    asked: Asked = field(default_factory=Asked)
    """What another detector told of it."""

    def take_count(self, quad: Floats, more: float) -> None:
        """Add a count: the probability that more cards lie there than were found. Counts at another box are void.

        The running mean forgets: a hand that lay over the card as it came is soon outweighed.
        """
        if self.boxed is None or self._changed(quad):
            self.boxed, self.counted, self.more = quad, 0, 0.0
        self.counted = min(self.counted + 1, COUNTS)
        self.more += (more - self.more) / self.counted

    def _changed(self, quad: Floats) -> bool:
        if self.boxed is None:
            return True
        moved = float(np.linalg.norm(quad - self.boxed, axis=1).max())
        return moved > CHANGED * float(np.linalg.norm(self.boxed[1] - self.boxed[0]))

    def take(self, reading: CardReading) -> None:
        """Add a look."""
        weight = 1.0 - reading.unreadable
        self.ranks.add(reading.ranks, weight)
        self.suits.add(reading.suits, weight)
        self.looks += 1
        self.unreadable += (reading.unreadable - self.unreadable) / self.looks


def quad_of(corners: Floats) -> Quad:
    """Corners as the observations carry them."""
    return cast("Quad", tuple((round(x, 2), round(y, 2)) for x, y in corners.tolist()))


def card_seen(found: Detection, number: int | None, evidence: CardEvidence) -> CardSeen:
    """Return a card with what its looks say; a card that lies face down has no rank."""
    face: Literal["up", "down"] = "up" if found.kind == CARD_UP else "down"
    readable = face == "up" and evidence.ranks.best_weight > 0
    posterior = sorted(evidence.ranks.posterior.items(), key=lambda item: -item[1]) if readable else []
    return CardSeen(
        id=number,
        face=face,
        p=round(found.p, 4),
        quad=quad_of(found.quad),
        rank=cast("Rank | None", evidence.ranks.top(SURE_RANK)) if readable else None,
        suit=cast("Suit | None", evidence.suits.top(SURE_SUIT)) if readable else None,
        ranks={rank: round(p, 4) for rank, p in posterior if p >= KEEP_RANKS} or None,
        apart=round(found.apart, 3) or None,
        unreadable=round(evidence.unreadable, 3) if face == "up" and evidence.looks else None,
        more=told(evidence.more) if face == "up" else None,
    )


def chip_seen(found: Detection, number: int | None, colours: Mapping[str, float], face: int | None = None) -> ChipSeen:
    """Return a chip with its likeliest colour and that colour's value."""
    colour = max(colours, key=lambda name: colours[name])
    x, y = found.centre
    return ChipSeen(
        id=number,
        colour=cast("ChipColour", colour),
        p=round(found.p, 4),
        center=(round(x, 2), round(y, 2)),
        radius=round(chip_radius(found), 2),
        cents=CENTS_BY_COLOUR.get(colour),
        face=face,
        colours=_doubt(colours),
    )


def hand_seen(
    found: Detection,
    number: int | None,
    reading: HandReading,
    side: Mapping[str, float],
    owner: Mapping[str, float],
    p: float | None = None,
) -> HandSeen:
    """Return a hand: facing, fingers and keypoints of this look, side and owner as far as its looks tell."""
    fingers = _likeliest(reading.fingers)
    keypoints = _keypoints(reading.points)
    x0, y0, x1, y1 = (round(float(v), 2) for v in (found.upright if keypoints is None else _joint_box(found, reading)))
    return HandSeen(
        id=number,
        owner=cast("Owner", _likeliest(owner) or "unknown"),
        side=cast("Side", _likeliest(side) or "unknown"),
        facing=cast("Facing", _likeliest(reading.facing) or "unknown"),
        p=round(found.p if p is None else p, 4),
        box=(x0, y0, x1, y1),
        fingers=int(fingers) if fingers is not None else None,
        keypoints=keypoints,
        sides=_doubt(side),
        facings=_doubt(reading.facing),
        finger_counts=_doubt(reading.fingers),
    )


def _doubt(probabilities: Mapping[str, float]) -> dict[str, float] | None:
    """Return the probabilities of what an object may be, likeliest first; None if one of them is sure."""
    if max(probabilities.values()) >= SURE_LABEL:
        return None
    kept = sorted(((label, p) for label, p in probabilities.items() if p >= KEEP_LABELS), key=lambda item: -item[1])
    return {label: round(p, 3) for label, p in kept}


def _joint_box(found: Detection, reading: HandReading) -> tuple[float, ...]:
    """Midway between the detector's box and the keypoints' own: it fits better than either."""
    own = found.upright if reading.box is None else tuple(map(float, reading.box))
    return tuple((a + b) / 2 for a, b in zip(found.upright, own, strict=True))


def _keypoints(points: Floats | None) -> list[Keypoint] | None:
    """Keypoints as the observations carry them; None if they are too unsure as a whole."""
    if points is None or float(points[:, 2].mean()) < SURE_POINTS:
        return None
    return [(round(x, 1), round(y, 1), round(p, 3)) for x, y, p in points.tolist()]


def _likeliest(probabilities: Mapping[str, float]) -> str | None:
    label, p = max(probabilities.items(), key=lambda item: item[1])
    return label if p >= SURE_HAND else None
