"""On which side of the picture the dealer sits: by the arc of spots, the cards before it, the felt's straight edge, the
dealer's hands.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from verifier.zones.felt import Felt
from verifier.zones.resting import SURE_P
from verifier.zones.spots import Arc
from verifier.zones.view import OUT, SIDES, Side
from verifier.zones.watch import PictureLook

ARC: Final = 6.0
"""Log-odds of the side toward which the middle of a well-bent arc of spots lies."""
BENT_MM: Final = 40.0
"""An arc of at least this height counts as well bent: spots are found to within a few millimetres."""
EDGE: Final = 3.0
"""Log-odds of a side if the felt reaches the table's edge along all of it: a half-moon's straight side."""
HANDS: Final = 3.0
"""Log-odds of the side from which the dealer's hands come."""
CARDS: Final = 4.0
"""Log-odds of the side on which cards lie, seen from the row of spots: a space's cards lie between its spot and the
dealer, and so do the dealer's."""
BESIDE_MM: Final = 88.0
"""A card that lies nearer to the row than its own length tells less of the side."""
ENOUGH: Final = 12
"""So many looks at hands, or at cards, are needed before they count for a side."""
BAND: Final = 0.06
"""Share of the felt's height or width that counts as its edge."""
DEALERS: Final = 0.7
"""Probability from which a hand counts as the dealer's."""


def side_odds(
    arc: Arc | None, felt: Felt | None, picture_looks: Sequence[PictureLook], size: tuple[int, int], scale: float
) -> dict[Side, float]:
    """Log-odds of each side; `scale` is pixels a millimetre."""
    odds = dict.fromkeys(SIDES, 0.0)
    for evidence in (
        _by_arc(arc),
        _by_cards(arc, picture_looks, scale),
        _by_felt(felt),
        _by_hands(picture_looks, size),
    ):
        for side, value in evidence.items():
            odds[side] += value
    return odds


def side_chances(
    arc: Arc, felt: Felt | None, picture_looks: Sequence[PictureLook], size: tuple[int, int], scale: float
) -> dict[Side, float]:
    """Return the probability of each side. Felt and hands count; arc and cards count as far as the spots are sure."""
    likely = 1 / (1 + math.exp(-arc.margin))
    told, alone = (chances(side_odds(one, felt, picture_looks, size, scale)) for one in (arc, None))
    return {side: likely * told[side] + (1 - likely) * alone[side] for side in SIDES}


def chances(odds: Mapping[Side, float]) -> dict[Side, float]:
    """Log-odds of exclusive sides as probabilities."""
    most = max(odds.values())
    powers = {side: math.exp(value - most) for side, value in odds.items()}
    return {side: power / sum(powers.values()) for side, power in powers.items()}


def _by_arc(arc: Arc | None) -> dict[Side, float]:
    """Return how likely the dealer stands on each side, by the spots: the middle of their arc lies on that side."""
    if arc is None or not arc.radius:
        return {}
    mean = np.mean([spot.middle for spot in arc.spots], axis=0)
    return _toward(np.asarray(arc.centre) - mean, ARC * min(1.0, arc.bow / BENT_MM))


def _by_cards(arc: Arc | None, picture_looks: Sequence[PictureLook], scale: float) -> dict[Side, float]:
    """Cards lie on the dealer's side of the spots."""
    if arc is None or not arc.radius:
        return {}
    at = np.array(
        [d.centre for picture_look in picture_looks for d in picture_look.things if d.card and d.p >= SURE_P]
    ).reshape(-1, 2)
    off = at - np.asarray(arc.centre)
    far = np.maximum(1e-6, np.hypot(*off.T))
    inward = np.clip((arc.radius - far) / (BESIDE_MM * scale), -1.0, 1.0)
    if len(at) < 3:
        return {}
    mean = (-off / far[:, None] * inward[:, None]).mean(axis=0)
    return _toward(mean, CARDS * float(np.hypot(*mean)) * min(1.0, len(at) / ENOUGH))


def _by_felt(felt: Felt | None) -> dict[Side, float]:
    """Return the same by the felt: a half-moon fills its box along the dealer's side and hardly touches it on the
    players'.
    """
    if felt is None:
        return {}
    ys, xs = np.nonzero(felt.surface)
    part = felt.surface[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]
    deep, wide = max(2, round(BAND * part.shape[0])), max(2, round(BAND * part.shape[1]))
    bands = {"top": part[:deep], "bottom": part[-deep:], "left": part[:, :wide], "right": part[:, -wide:]}
    return {side: EDGE * float(bands[side].mean()) for side in SIDES}


def _by_hands(picture_looks: Sequence[PictureLook], size: tuple[int, int]) -> dict[Side, float]:
    """Return the same by the hands: the dealer's hands stay near the dealer."""
    at = [
        hand.found.centre
        for picture_look in picture_looks
        for hand in picture_look.hands
        if (hand.dealer or 0.0) >= DEALERS
    ]
    if len(at) < 3:
        return {}
    return _toward(np.median(at, axis=0) - np.asarray(size) / 2, HANDS * min(1.0, len(at) / ENOUGH))


def _toward(direction: np.ndarray, weight: float) -> dict[Side, float]:
    length = float(np.hypot(*direction))
    if length < 1e-6:
        return {}
    return {side: weight * float(np.dot(direction, OUT[side])) / length for side in SIDES}
