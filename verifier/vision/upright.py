"""Pictures as players show them: a recording may say that it lies on its side, stands on its head or is mirrored.

It says so by a display matrix (ISO/IEC 14496-12, 6.2.2), which FFmpeg hands on with every frame.
"""

from __future__ import annotations

import av
import numpy as np
from av.sidedata.sidedata import SideData
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
Axes = tuple[int, int, int, int]
AS_STORED: Axes = (1, 0, 0, 1)


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


def picture_of(frame: av.VideoFrame, axes: Axes | None = None) -> Pixels:
    """A frame as shown: (height, width, 3) uint8, blue first; its axes are asked for where they are not given."""
    return upright(np.asarray(frame.to_ndarray(format="bgr24", threads=1), np.uint8), axes or axes_of(frame))
