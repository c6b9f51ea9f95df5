"""Drawing on a picture in table millimetres."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.simulate.render.camera import Camera
from verifier.simulate.render.colours import shaded
from verifier.simulate.render.glyphs import text_mask
from verifier.simulate.render.warp import Texture, fill, one_colour, paste, pose, premultiply

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
Colour = tuple[float, float, float]
Rect = tuple[float, float, float, float]
_EDGE: Final = (905.0, 800.0, 300.0, 478.0)
"""The felt's edge: half width and depth of its arc, the arc's middle, and the dealer's edge (y)."""


def felt_edge(grow: float = 0.0) -> Floats:
    """(N, 2) outline of the playing surface, millimetres, moved out by `grow`."""
    a, b, y0, y1 = _EDGE
    turn = np.radians(np.linspace(180.0, 360.0, 73))
    arc = np.stack([(a + grow) * np.cos(turn), y0 + (b + grow) * np.sin(turn)], 1)
    return np.vstack([arc, [(a + grow, y1 + grow * 0.5)], [(-a - grow, y1 + grow * 0.5)]])


class Painter:
    """Draws on a picture in table millimetres."""

    def __init__(self, image: Image, camera: Camera) -> None:
        self.image, self.camera = image, camera
        self.scale = camera.pixels_per_mm

    def polygon(self, points: Floats, colour: Colour, z: float = 0.0) -> None:
        fill(self.image, self.camera.project(np.column_stack([points, np.full(len(points), z)])), colour)

    def line(self, points: Floats, colour: Colour, width: float, *, closed: bool = False) -> None:
        pixels = np.round(self.camera.project(points) * 16).astype(np.int32)
        cv2.polylines(self.image, [pixels], closed, colour, max(1, round(width * self.scale)), cv2.LINE_AA, 4)

    def rect(self, box: Rect, colour: Colour, z: float = 0.0) -> None:
        x0, y0, x1, y1 = box
        self.polygon(np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)]), colour, z)

    def rects(self, boxes: Sequence[tuple[Rect, Colour]], z: float) -> None:
        """Many rectangles at one height, in order; those outside the picture are left out."""
        corners = [((x0, y0, z), (x1, y0, z), (x1, y1, z), (x0, y1, z)) for (x0, y0, x1, y1), _ in boxes]
        pixels = self.camera.project(np.array(corners).reshape(-1, 3)).reshape(-1, 4, 2)
        inside = ((pixels.max(1) > 0) & (pixels.min(1) < self.camera.size)).all(1)
        fixed = np.round(pixels * 16).astype(np.int32)
        for corner, shown, (_, colour) in zip(fixed, inside, boxes, strict=True):
            if shown:
                cv2.fillPoly(self.image, [corner], colour, cv2.LINE_AA, 4)

    def sees(self, box: Rect) -> bool:
        """Tell whether any of a rectangle (with 60 mm around it) could be in the picture."""
        x0, y0, x1, y1 = box
        corners = np.array([(x0 - 60, y0 - 60), (x1 + 60, y0 - 60), (x1 + 60, y1 + 60), (x0 - 60, y1 + 60)])
        pixels = self.camera.project(corners)
        return bool((pixels.max(0) > 0).all() and (pixels.min(0) < self.camera.size).all())

    def block(self, box: Rect, top: float, colour: Colour) -> None:
        """Draw a box standing on the felt: its sides darker, its top in `colour`."""
        x0, y0, x1, y1 = box
        low = np.array([(x0, y0, 0.0), (x1, y0, 0.0), (x1, y1, 0.0), (x0, y1, 0.0)])
        high = low + np.array([0.0, 0.0, top])
        for i, shade in enumerate((0.75, 0.6, 0.5, 0.65)):
            wall = np.array([low[i], low[(i + 1) % 4], high[(i + 1) % 4], high[i]])
            fill(self.image, self.camera.project(wall), shaded(colour, shade))
        fill(self.image, self.camera.project(high), colour)

    def text(
        self,
        text: str,
        at: tuple[float, float],
        height: float,
        angle: float,
        font: str,
        colour: Colour,
        opacity: float = 0.8,
    ) -> None:
        """Print `text` centred at `at`, `height` mm high, turned clockwise by `angle`."""
        reach = height * len(text)
        if not self.sees((at[0] - reach, at[1] - reach, at[0] + reach, at[1] + reach)):
            return
        fine = max(1.0, height * self.scale * 1.3)
        texture = Texture.centred(_printed(text, font, fine, colour), fine / height)
        paste(self.image, texture, self.camera.homography() @ pose(at, angle), opacity)


@lru_cache(maxsize=64)
def _printed(text: str, font: str, height: float, colour: Colour) -> Image:
    """Text about `height` pixels high as premultiplied BGRA; a line repeats its letters."""
    mask = text_mask(text, font)
    size = (max(1, round(mask.shape[1] * height / mask.shape[0])), max(1, round(height)))
    small = np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    return premultiply(one_colour(size, colour), small)
