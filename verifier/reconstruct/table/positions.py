"""Where a thing lies within its space, or to what it belongs to, with a probability (docs/formats.md).

Each function measures by how many millimetres a place is kept (below 0: missed). What is measured is off by some
millimetres, so that near the limit neither is likely.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import NormalDist

from msgspec import Struct

from verifier.domain.events import Position
from verifier.domain.layout import CARD_MM
from verifier.reconstruct import parameters as par
from verifier.reconstruct.table.zones import SpaceMap, Xy, depth, distance


class Found(Struct, frozen=True):
    """A place and how probable it is; None where it was not seen."""

    position: Position | None = None
    p: float | None = None

    @property
    def fields(self) -> dict[str, object]:
        """The fields of an event."""
        return {"position": self.position, "position_p": self.p}


UNSEEN = Found()


def found(word: Position, kept_by: float, other: Position = "elsewhere") -> Found:
    """Return the place `word` where it is kept by more than 0 mm, else `other`."""
    p = NormalDist(0.0, par.POSITION_NOISE_MM).cdf(kept_by)
    return Found(word, round(p, 3)) if p >= 0.5 else Found(other, round(1.0 - p, 3))


def on_line(spot: SpaceMap, chip: Xy) -> Found:
    """Tell whether an insurance chip touches its line (09(2)(b)).

    A chip off the line is surely off only where it lies nearer to the wager: lines are drawn on a layout by eye.
    """
    if spot.insurance_zone is None or spot.insurance is None:
        return UNSEEN
    inside = depth(chip, spot.insurance_zone)
    if inside + par.CHIP_RADIUS_MM >= 0.0:
        return found("insurance_line", inside + par.CHIP_RADIUS_MM)
    nearer = -inside - distance(chip, spot.wager)
    return found("elsewhere", max(0.0, nearer))


def at_lower_left(spot: SpaceMap, chip: Xy) -> Found:
    """Tell whether a tip lies to the lower left of its wager, for the dealer or along the row of spaces (09(2)(a))."""
    dx, dy = chip[0] - spot.wager[0], chip[1] - spot.wager[1]
    out_x, out_y = spot.outward
    left, lower = dx * out_y - dy * out_x, -(dx * out_x + dy * out_y)
    return found("lower_left", max(min(-dx, dy), min(left, lower)) + par.CHIP_RADIUS_MM)


def horizontal(spot: SpaceMap, wager: Xy, chip: Xy) -> Found:
    """Tell whether a stake lies beside the wager across the table, or along the row of spaces (09(2)(c))."""
    parts = (_parts((chip[0] - wager[0], chip[1] - wager[1]), axis) for axis in _rows(spot))
    return found("horizontal", max((along - across) / 2.0**0.5 for along, across in parts), "vertical")


def _rows(spot: SpaceMap) -> tuple[Xy, Xy]:
    """Directions in which things lie in a row: across the table, and along the row of spaces at this one."""
    return (1.0, 0.0), (-spot.outward[1], spot.outward[0])


def _parts(step: Xy, axis: Xy) -> Xy:
    """How far a step goes along an axis, and how far across it."""
    along, across = step[0] * axis[0] + step[1] * axis[1], step[0] * axis[1] - step[1] * axis[0]
    return abs(along), abs(across)


def at_right(before: Sequence[Xy], card: Xy) -> Found:
    """Tell whether a dealer's card lies at the immediate right of those before it (11(10)(f))."""
    x, y = max(before)
    to_right, off = card[0] - x, abs(card[1] - y)
    return found(
        "right",
        min(to_right, par.POSITION_NEXT_CARDS * CARD_MM[0] - to_right, par.POSITION_SAME_ROW * CARD_MM[1] - off),
    )


def side_by_side(spot: SpaceMap, card: Xy, other: Xy) -> Found:
    """Tell whether two split cards lie in one row, across the table or along the row of spaces, and apart
    (11(3)(a)).
    """
    step = (other[0] - card[0], other[1] - card[1])
    kept = []
    for axis in _rows(spot):
        apart, off = _parts(step, axis)
        kept.append(min(apart - par.POSITION_SAME_ROW * CARD_MM[0], par.POSITION_SAME_ROW * CARD_MM[1] - off))
    return found("side_by_side", max(kept))


def paid_beside(wagers: Iterable[Xy], payoff: Iterable[Xy]) -> Found:
    """Tell whether chips of a payoff lie beside chips of the stakes that it is for (11(16)(a))."""
    there = list(wagers)
    gaps = [distance(own, paid) - 2.0 * par.CHIP_RADIUS_MM for paid in payoff for own in there]
    return found("beside", par.BESIDE_GAP_MM - min(gaps)) if gaps else UNSEEN
