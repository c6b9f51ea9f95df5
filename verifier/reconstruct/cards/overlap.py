"""How much of a card the next one of its hand covers (99-01.3-08-10(2))."""

from __future__ import annotations

import math

from verifier.domain.layout import CARD_MM
from verifier.reconstruct import parameters as par
from verifier.reconstruct.resting.card_tracks import CardTrack
from verifier.reconstruct.resting.cardmoves import boxed, crosswise
from verifier.reconstruct.table.zones import Xy


def overlap(first: CardTrack, second: CardTrack, t: float) -> float | None:
    """Share of `first` that `second` covers, both taken as parallel or at right angles.

    Their distance is measured along the sides of both and in sides of the upper one, which shows whole: a tilted camera
    shortens both alike, and shears them. None
    where so much of the lower one is out of sight that its middle is not known well enough, the camera stands so low
    that it shears the cards, or they are given by boxes in which they lie aslant.
    """
    if boxed(first.angle, first.size) or boxed(second.angle, second.size):
        return None
    if all(
        abs(card.size[1] / card.size[0] / (CARD_MM[1] / CARD_MM[0]) - 1.0) > par.OVERLAP_SLANT
        for card in (first, second)
    ):
        return None
    unsure = tuple(max(0.0, (second.size[i] - first.size[i]) / 2) for i in (0, 1))
    least, most = (_covered(first, second, t, (sign * unsure[0], sign * unsure[1])) for sign in (1.0, -1.0))
    return _covered(first, second, t, (0.0, 0.0)) if most - least <= par.OVERLAP_UNSURE_SHARE else None


def _covered(first: CardTrack, second: CardTrack, t: float, apart: Xy) -> float:
    """Return the same with the middles `apart` by some millimetres more than they seem to be."""
    wide, high = CARD_MM
    across = crosswise((first.angle, first.size), (second.angle, second.size))
    other = (high, wide) if across else (wide, high)
    (ax, ay), (bx, by) = first.at(t), second.at(t)
    x, y = _along_sides((bx - ax, by - ay), first, second, across=across)
    bent = _bent(first, second)
    dx = (abs(x) + apart[0]) / bent[across]
    dy = (abs(y) + apart[1]) / bent[not across]
    shared_x = min(min(wide, other[0]), (wide + other[0]) / 2 - dx)
    shared_y = min(min(high, other[1]), (high + other[1]) / 2 - dy)
    return round(max(0.0, shared_x) * max(0.0, shared_y) / (wide * high), 3)


def _along_sides(step: Xy, first: CardTrack, second: CardTrack, *, across: bool) -> Xy:
    """Return a step along the lower card's shorter and longer side, which lie as both cards' sides do in the mean."""
    lower, upper = (_directions(card) for card in (first, second))
    (ux, uy), (vx, vy) = (_mean(a, b) for a, b in zip(lower, upper[::-1] if across else upper, strict=True))
    size = ux * vy - uy * vx
    return (step[0] * vy - step[1] * vx) / size, (ux * step[1] - uy * step[0]) / size


def _directions(card: CardTrack) -> Xy:
    """Directions of its shorter and longer side, degrees clockwise from up."""
    return card.angle + 90.0 + card.skew, card.angle


def _mean(one: float, other: float) -> Xy:
    """Return the unit vector midway between two directions, each of which stands for its opposite too."""
    turned = math.radians(one + ((other - one + 90.0) % 180.0 - 90.0) / 2)
    return math.sin(turned), -math.cos(turned)


def _bent(first: CardTrack, second: CardTrack) -> Xy:
    """How much longer than they are the shorter and the longer side of the upper card seem.

    What both cards show alike is the camera's slant; what one shows alone, by more than `OVERLAP_BENT`, is badly seen.
    """
    alike = all(abs(a / b - 1.0) < par.OVERLAP_ALIKE_SHARE for a, b in zip(first.size, second.size, strict=True))
    most = par.OVERLAP_SLANTED if alike else par.OVERLAP_BENT
    short, long = (min(most, max(1.0 / most, seen / true)) for seen, true in zip(second.size, CARD_MM, strict=True))
    return short, long
