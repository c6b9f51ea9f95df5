"""Pictures as players show them: a recording may say that it lies on its side, stands on its head or is mirrored, and
that its pixels are not square.

It says the first by a display matrix (ISO/IEC 14496-12, 6.2.2), which FFmpeg hands on with every frame, the second by a
sample aspect ratio.
"""

from __future__ import annotations

import av
import cv2
import numpy as np
from av.sidedata.sidedata import SideData
from msgspec import Struct
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
Axes = tuple[int, int, int, int]
AS_STORED: Axes = (1, 0, 0, 1)
_FULL = 2
"""FFmpeg's AVCOL_RANGE_JPEG."""


class Shape(Struct, frozen=True):
    """How stored pictures become shown ones.

    `stored` is the stored size (width, height) in pixels, `axes` are as `axes_of` tells them, `aspect` is the width of
    a stored pixel by its height, `rotation` is in degrees as PyAV tells it. `fit` is the size (width, height) to which
    upright pictures are scaled, None if they keep their own.
    """

    stored: tuple[int, int]
    axes: Axes = AS_STORED
    aspect: float = 1.0
    rotation: int = 0
    fit: tuple[int, int] | None = None

    @property
    def size(self) -> tuple[int, int]:
        """Width and height as shown, in square pixels."""
        return self.fit or self.own_size

    @property
    def own_size(self) -> tuple[int, int]:
        """The same without scaling."""
        width, height = max(1, round(self.stored[0] * self.aspect)), self.stored[1]
        return (width, height) if self.axes[0] else (height, width)

    def shown(self, picture: Pixels) -> Pixels:
        """Return a stored picture (height, width, ...) as shown: with square pixels, upright, and scaled."""
        width, height = self.size if self.axes[0] else self.size[::-1]
        if (height, width) != picture.shape[:2]:
            larger = self.fit is not None and height > picture.shape[0]
            how = cv2.INTER_CUBIC if larger else cv2.INTER_AREA
            picture = np.asarray(cv2.resize(picture, (width, height), interpolation=how), np.uint8)
        return upright(picture, self.axes)


def axes_of(frame: av.VideoFrame) -> Axes:
    """Return (a, b, c, d): stored x goes to (a, b) of the picture shown, stored y to (c, d); each is -1, 0 or 1.

    A matrix that turns by anything but right angles is left aside, as there is none. Ask of a recording's first frame
    only: PyAV's frame and its side data hold each other, and with them megabytes until the next collection of garbage.
    """
    told = frame.side_data.get("DISPLAYMATRIX")
    if not isinstance(told, SideData):
        return AS_STORED
    matrix = np.frombuffer(bytes(told), np.int32).reshape(3, 3)[:2, :2]
    signs = np.sign(matrix) * (np.abs(matrix) > np.abs(matrix).max() / 2)
    a, b, c, d = (int(sign) for sign in signs.ravel())
    return (a, b, c, d) if abs(a * d - b * c) == 1 else AS_STORED


def upright(picture: Pixels, axes: Axes) -> Pixels:
    """Return a stored picture (height, width, ...) as shown."""
    if axes == AS_STORED:
        return picture
    a, b, c, d = axes
    across, down = a + c, b + d
    shown = picture if a else picture.swapaxes(0, 1)
    return np.ascontiguousarray(shown[::down, ::across])


def has_full_range(frame: av.VideoFrame) -> bool:
    """Tell whether a frame's colours take all values from 0 to 255, and not only those from 16 to 235."""
    return frame.color_range == _FULL or frame.format.name.startswith("yuvj")


def pixels_of(frame: av.VideoFrame) -> Pixels:
    """Return a frame as stored: (height, width, 3) uint8, blue first."""
    return np.asarray(frame.to_ndarray(format="bgr24", threads=1), np.uint8)
