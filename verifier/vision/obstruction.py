"""The share of the table that something stands before: a hand, a head, a thing on the lens, dirt on the dome.

The picture is compared cell by cell with the table as it was. Cells with structure (print, rails, tray) say whether the
table shows: their pattern and its contrast remain when the light changes and go when something covers them. Those that
show also give the light, by which plain cells are then compared in brightness and colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.domain.layout import Layout
from verifier.domain.observations import Drift
from verifier.recording.decode import Picture
from verifier.vision.detection import HAND, Detection
from verifier.vision.geometry import Floats

GRID: Final = (16, 9)
CELL: Final = 10
SMALL: Final = (GRID[0] * CELL, GRID[1] * CELL)
STRUCTURE: Final = 3.0
"""Grey levels (standard deviation of a cell's detail) from which a cell has structure."""
ALIKE: Final = 0.3
"""Correlation of a cell's detail with the table's, below which it shows something else."""
FAINT: Final = 0.3
"""Share of its contrast below which a cell is behind dirt or out of focus."""
CHANGED: Final = 30.0
"""Grey levels by which a plain cell's brightness or colour must differ, in the table's light, to be hidden."""
LEARN: Final = 0.1
LEARN_HIDDEN: Final = 0.005
"""Share by which a measurement moves the remembered table, where it shows and where it is hidden; under cards and chips
it is kept."""

_BRIGHTNESS: Final = np.full((1, 3), 1 / 3)

Cells = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class BareTable:
    """The remembered table: `picture` (h, w, 3) is of size SMALL; on the cells `never_bare` things lay all the time."""

    picture: Floats
    never_bare: Cells


class ObstructionMeter:
    """Learns the bare table of one recording as it goes; `table` is what is known of it from before."""

    def __init__(self, layout: Layout | None = None, table: BareTable | None = None) -> None:
        self._layout = layout
        self.table = table
        self._counted: Cells | None = None

    def measure(self, picture: Picture, found: Sequence[Detection], drift: Drift | None) -> float:
        """Share (0..1) of the table that is hidden in the picture (h, w, 3), cells under cards and chips left out."""
        size = (picture.shape[1], picture.shape[0])
        small = np.asarray(cv2.resize(picture, SMALL, interpolation=cv2.INTER_AREA), np.float32)
        if drift is not None:
            small = _unmoved(small, drift, size)
        if self._counted is None:
            self._counted = self._table_cells(size)
        laid = _things(found, size, 0.0)
        if self.table is None:
            self.table = BareTable(small, laid)
            return 0.0
        known, never_bare = self.table.picture, self.table.never_bare
        hidden = hidden_cells(known, small)
        rate = np.where(laid, 0.0, np.where(never_bare, 1.0, np.where(hidden, LEARN_HIDDEN, LEARN)))
        self.table = BareTable(known + _each_pixel(rate) * (small - known), never_bare & laid)
        bare = self._counted & ~never_bare & ~_things(found, size, 0.1)
        return float((hidden & bare).sum()) / max(1, int(bare.sum()))

    def _table_cells(self, size: tuple[int, int]) -> Cells:
        if self._layout is None:
            return np.ones(GRID[::-1], np.bool_)
        zones = [self._layout.zones.inner, *self._layout.areas.values()]
        points = np.concatenate([np.asarray(zone, np.float32) for zone in zones])
        return _covered([np.asarray(cv2.convexHull(points)[:, 0], np.float32)], size, 0.5)


def hidden_cells(table: Floats, now: Floats) -> Cells:
    """(rows, columns) of GRID: which cells of `now` (h, w, 3) do not show what `table` has there."""
    before, after = _detail(table), _detail(now)
    spread, contrast = np.sqrt(_mean(before * before)), np.sqrt(_mean(after * after))
    alike = _mean(before * after) / np.maximum(spread * contrast, 1.0)
    structured = spread >= STRUCTURE
    light, dim = _mean(now), _mean(table)
    shows = structured & (alike >= ALIKE)
    gain = np.ones(3, np.float32)
    if shows.any():
        gain = np.median((light[shows] + 1.0) / (dim[shows] + 1.0), axis=0)
    faint = contrast < FAINT * spread * float(gain.mean())
    changed = np.abs(light / np.maximum(gain, 0.05) - dim).max(-1) > CHANGED
    blind = bool(structured.any()) and not shows.any()
    return np.asarray(np.where(structured, ~shows | faint, changed | blind), np.bool_)


def _detail(small: Floats) -> Floats:
    """(h, w) brightness less its surroundings."""
    grey = cv2.transform(small, _BRIGHTNESS)
    return np.asarray(grey - cv2.boxFilter(grey, -1, (CELL, CELL)), np.float32)


def _mean(values: Floats) -> Floats:
    """Mean of each cell of a (h, w) or (h, w, 3) picture."""
    return np.asarray(cv2.resize(values, GRID, interpolation=cv2.INTER_AREA), np.float32)


def _unmoved(small: Floats, drift: Drift, size: tuple[int, int]) -> Floats:
    """Return the small picture as the camera, whose pictures are of `size` (w, h), showed it before it moved."""
    origin, right, below = (np.array(drift.now(point, size)) for point in ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0)))
    wide, high = SMALL[0] / size[0], SMALL[1] / size[1]
    moved = np.column_stack([(right - origin) / wide, (below - origin) / high, origin])
    matrix = moved * ((wide,), (high,))
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(small, matrix, SMALL, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.float32)


def _each_pixel(cells: NDArray[np.float64]) -> Floats:
    """(h, w, 1) of (rows, columns)."""
    return np.asarray(cells, np.float32).repeat(CELL, 0).repeat(CELL, 1)[..., None]


def _things(found: Sequence[Detection], size: tuple[int, int], share: float) -> Cells:
    """Cells of which more than `share` belongs to what lies on the table: cards and chips."""
    return _covered([seen.quad for seen in found if seen.kind != HAND], size, share)


def _covered(polygons: Sequence[Floats], size: tuple[int, int], share: float) -> Cells:
    """Cells of which more than `share` lies in the polygons (pixels of the picture)."""
    mask = np.zeros(SMALL[::-1], np.uint8)
    for polygon in polygons:
        points = np.round(polygon * (SMALL[0] / size[0], SMALL[1] / size[1])).astype(np.int32)
        cv2.fillConvexPoly(mask, points, 1)
    return np.asarray(_mean(mask.astype(np.float32)) > share)
