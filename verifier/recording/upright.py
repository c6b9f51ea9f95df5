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


class Shape(Struct, frozen=True):
    """How stored pictures become shown ones.

    `stored` is the stored size (width, height) in pixels, `axes` are as `axes_of` tells them, `aspect` is the width of
    a stored pixel by its height, `rotation` is in degrees as PyAV tells it.
    """

    stored: tuple[int, int]
    axes: Axes = AS_STORED
    aspect: float = 1.0
    rotation: int = 0

    @property
    def size(self) -> tuple[int, int]:
        """Width and height as shown, in square pixels."""
        width, height = max(1, round(self.stored[0] * self.aspect)), self.stored[1]
        return (width, height) if self.axes[0] else (height, width)

    def shown(self, picture: Pixels) -> Pixels:
        """A stored picture (height, width, ...) as shown: with square pixels, and upright."""
        width = max(1, round(self.stored[0] * self.aspect))
        if width != picture.shape[1]:
            picture = np.asarray(cv2.resize(picture, (width, picture.shape[0]), interpolation=cv2.INTER_AREA), np.uint8)
        return upright(picture, self.axes)


def axes_of(frame: av.VideoFrame) -> Axes:
    """(a, b, c, d): stored x goes to (a, b) of the picture shown, stored y to (c, d); each is -1, 0 or 1.

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
    """A stored picture (height, width, ...) as shown."""
    if axes == AS_STORED:
        return picture
    a, b, c, d = axes
    across, down = a + c, b + d
    shown = picture if a else picture.swapaxes(0, 1)
    return np.ascontiguousarray(shown[::down, ::across])


def pixels_of(frame: av.VideoFrame) -> Pixels:
    """A frame as stored: (height, width, 3) uint8, blue first."""
    return np.asarray(frame.to_ndarray(format="bgr24", threads=1), np.uint8)
