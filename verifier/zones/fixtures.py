"""What stands on the felt at the dealer's side: tray, shoe, discard holder, tip receptacle, drop box, signs.

Pixels are those of the upright clear table (the dealer at the bottom, not mirrored).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.domain.observations import Box
from verifier.recording.decode import Picture
from verifier.vision.ocr import Line
from verifier.zones.felt import Felt, Mask
from verifier.zones.proposal import Part
from verifier.zones.signs import WORDS

Floats = NDArray[np.float64]

LIGHTNESS: Final = 16.0
"""A pixel whose CIELAB lightness (8 bits) differs by more than this from that of the cloth at its place is no cloth."""
STROKE_MM: Final = 16.0
"""Print is narrower; fixtures are broader than this."""
LEAST_MM: Final = (45.0, 22.0)
"""Shortest longer and shorter side of a fixture or sign."""
TRAY_MM: Final = 280.0
TRAY_ASPECT: Final = 2.2
"""A tray holds rows of chips of five values and more side by side (39 mm each, several tubes a value)."""
BROAD_MM: Final = 90.0
"""A tray is broader than this both ways: it holds more than one row of a chip's diameter. A hand over it is not."""
HOLDER_MM: Final = (90.0, 75.0)
"""A shoe and a discard holder hold cards: they are larger than one both ways."""
APART_MM: Final = 60.0
"""A bridge narrower than this is cut: it joins a shoe or a holder to something that touches it, such as a sign."""
PLAQUE: Final = 0.6
"""A sign reaches beyond its letters by so many of their heights."""


@dataclass(frozen=True, slots=True)
class Blob:
    """Something that is no cloth: its corners (4, 2), middle, and sides across and along the picture, in pixels."""

    corners: Floats
    middle: tuple[float, float]
    across: float
    along: float

    @property
    def aspect(self) -> float:
        return self.across / max(1e-6, self.along)

    def holds(self, line: Line) -> bool:
        """Tell whether the middle of a line of text lies in it."""
        return _within(((line.box[0] + line.box[2]) / 2, (line.box[1] + line.box[3]) / 2), self)

    def larger(self, sides: tuple[float, float], scale: float) -> bool:
        """Tell whether its longer and its shorter side are larger than these, in millimetres."""
        shorter, longer = sorted((self.across, self.along))
        return longer > sides[0] * scale and shorter > sides[1] * scale


@dataclass(frozen=True, slots=True)
class Fixture:
    """A fixture's corners (4, 2), and how sure it is."""

    corners: Floats
    part: Part


def blobs(
    clear: Picture, felt: Felt, scale: float, below: float, lines: Sequence[Line] = (), clock: Box | None = None
) -> list[Blob]:
    """Return what is no cloth below row `below` of the picture and on the playing surface.

    A tray is taken without what reaches over its edge, such as hands that rest there; a shoe and a holder without the
    sign and the `clock` (pixels of `clear`) that touch them. `lines` are what is written in the picture.
    """
    mask = not_cloth(clear, felt)
    mask[: max(0, round(below))] = 0
    found = [b for b in _opened(mask, STROKE_MM * scale) if b.larger(LEAST_MM, scale)]
    trays = [b for b in _opened(mask, BROAD_MM * scale) if _like_tray(b, scale)]
    bare = _without_signs(mask, lines, clock)
    holders = [b for b in _opened(bare, APART_MM * scale) if b.larger(HOLDER_MM, scale) and not _like_tray(b, scale)]
    whole = [*trays, *(b for b in holders if not any(_within(tray.middle, b) for tray in trays))]
    others = [b for b in found if not any(_within(one.middle, b) for one in whole)]
    return [*others, *whole]


def _without_signs(mask: Mask, lines: Sequence[Line], clock: Box | None) -> Mask:
    """Return the mask without the table's and the site's sign, and without the clock."""
    out = mask.copy()
    signs = [line.box for line in lines if any(word.search(line.text.upper()) for word in WORDS.values())]
    for x0, y0, x1, y1 in signs:
        pad = PLAQUE * (y1 - y0)
        _clear(out, (x0 - pad, y0 - pad, x1 + pad, y1 + pad))
    if clock is not None:
        _clear(out, clock)
    return out


def _clear(mask: Mask, box: Box) -> None:
    x0, y0, x1, y1 = (max(0, round(value)) for value in box)
    mask[y0:y1, x0:x1] = 0


def _opened(mask: Mask, size: float) -> list[Blob]:
    """Return the parts of a mask that are broader than `size` pixels both ways."""
    kernel = np.ones((max(3, round(size)), max(3, round(size))), np.uint8)
    broad = cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel)
    outlines, _ = cv2.findContours(broad, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    return [_blob(np.asarray(outline, np.int32)) for outline in outlines if len(outline) >= 4]


def _like_tray(blob: Blob, scale: float) -> bool:
    return blob.across > TRAY_MM * scale and blob.aspect > TRAY_ASPECT


def _within(point: tuple[float, float], blob: Blob) -> bool:
    return bool(cv2.pointPolygonTest(blob.corners.astype(np.float32), point, False) >= 0)


def _blob(contour: NDArray[np.int32]) -> Blob:
    corners = cv2.boxPoints(cv2.minAreaRect(contour)).astype(np.float64)
    middle = corners.mean(axis=0)
    order = np.argsort(np.arctan2(*(corners - middle).T[::-1]))
    corners = corners[order]
    across = float(np.hypot(*(corners[1] - corners[0])))
    along = float(np.hypot(*(corners[2] - corners[1])))
    return Blob(corners, (float(middle[0]), float(middle[1])), across, along)


def not_cloth(clear: Picture, felt: Felt) -> Mask:
    """Return a mask of hue or lightness unlike the cloth's; its lightness is fitted, because the light is uneven."""
    light = cv2.cvtColor(cv2.GaussianBlur(clear, (0, 0), 2), cv2.COLOR_BGR2LAB)[..., 0].astype(np.float32)
    height, width = light.shape
    ys, xs = np.nonzero(felt.cloth[::8, ::8])
    rows = _terms(xs * 8.0 / width, ys * 8.0 / height)
    values = light[ys * 8, xs * 8].astype(np.float64)
    keep = np.ones(len(values), bool)
    for _ in range(3):
        fitted, *_ = np.linalg.lstsq(rows[keep], values[keep], rcond=None)
        keep = np.abs(rows @ fitted - values) < LIGHTNESS
        if keep.sum() < 50:
            return np.asarray((felt.surface > 0) & (felt.cloth == 0), np.uint8)
    grid = np.meshgrid(np.arange(width) / width, np.arange(height) / height)
    usual = (_terms(grid[0].ravel(), grid[1].ravel()) @ fitted).reshape(height, width)
    off = np.abs(light - usual) > LIGHTNESS
    return np.asarray((felt.surface > 0) & ((felt.cloth == 0) | off), np.uint8)


def _terms(x: Floats, y: Floats) -> Floats:
    return np.column_stack([np.ones_like(x), x, y, x * x, x * y, y * y])


def find_fixtures(found: Sequence[Blob], lines: Sequence[Line], scale: float, middle: float) -> dict[str, Fixture]:
    """Tray, shoe, discard holder, tip receptacle and drop box, as far as they were found.

    `lines` are what is written in the picture; `middle` is the column before which the dealer stands.
    """
    named: dict[str, Blob] = {}
    left = [blob for blob in found if not any(blob.holds(line) for line in lines if _tips(line) == 0)]
    trays = [b for b in left if _like_tray(b, scale)]
    if trays:
        named["tray"] = min(trays, key=lambda blob: abs(blob.middle[0] - middle) - 0.3 * blob.across)
        left = [blob for blob in left if blob is not named["tray"]]
    holders = [b for b in left if b.larger(HOLDER_MM, scale)]
    for name, side in (("shoe", -1.0), ("discard", 1.0)):
        there = [b for b in holders if side * (b.middle[0] - middle) > 0.5 * TRAY_MM * scale]
        if there:
            named[name] = max(there, key=lambda blob: blob.across * blob.along)
            left = [blob for blob in left if blob is not named[name]]
    written = [blob for blob in left if any(blob.holds(line) for line in lines if _tips(line))]
    small = [b for b in left if b.across < 200 * scale and b.along < 200 * scale and b.middle[0] > middle]
    if written:
        named["tip_receptacle"] = written[0]
    else:
        deep = [b for b in small if b.along > 0.8 * b.across]
        if deep:
            named["tip_receptacle"] = min(deep, key=lambda blob: blob.middle[0])
    small = [b for b in small if b is not named.get("tip_receptacle")]
    if small:
        named["drop"] = min(small, key=lambda blob: abs(blob.aspect - 1.5))
    return {name: Fixture(blob.corners, _part(name, bool(written))) for name, blob in named.items()}


def _tips(line: Line) -> int:
    return int("TIP" in line.text.upper() or "TOKE" in line.text.upper())


def _part(name: str, written: bool) -> Part:
    if name == "tray":
        return Part(confidence=0.95, reason="a broad rack before the dealer")
    if name in ("shoe", "discard"):
        side = "left" if name == "shoe" else "right"
        return Part(confidence=0.7, reason=f"the largest thing at the dealer's {side}: known by size and place alone")
    if name == "tip_receptacle":
        return (
            Part(confidence=0.9, reason="it says so")
            if written
            else Part(confidence=0.5, reason="told by its place alone")
        )
    return Part(confidence=0.6, reason="told by its place and shape alone")
