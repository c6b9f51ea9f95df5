"""Decodes on a graphics card if the machine has one. It is chosen automatically; if it fails, no picture is lost."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import av
from av.codec.hwaccel import HWAccel as HWAccel
from av.codec.hwaccel import hwdevices_available

from verifier.domain.errors import BadInput


class HardwareError(Exception):
    """A device could not decode a packet; the processor goes on from there."""


SWITCH: Final = "VERIFIER_DECODER"
"""Environment variable: `auto` (a graphics card where there is one), `cpu`, or a device such as `vaapi` or `cuda`."""
PREFERRED: Final = {
    "linux": ("vaapi", "cuda"),
    "win32": ("d3d11va", "cuda"),
    "darwin": ("videotoolbox",),
}


def candidates(told: str, platform: str, available: Sequence[str]) -> tuple[str, ...]:
    """Return the kinds of device to try, the preferred one first; none for the processor. Raises BadInput for another
    word.
    """
    if told == "cpu":
        return ()
    if told == "auto":
        return tuple(kind for kind in PREFERRED.get(platform, ()) if kind in available)
    if told in available:
        return (told,)
    known = ", ".join(["auto", "cpu", *sorted(available)])
    raise BadInput(SWITCH, f"is {told[:20]!r}, which FFmpeg does not know here", f"use one of {known}")


def acceleration() -> HWAccel | None:
    """Return the device that this process decodes on; None for the processor."""
    return _chosen()[1]


def accelerator() -> str | None:
    """FFmpeg's name of the kind of device that this process decodes on; None for the processor."""
    return _chosen()[0]


@lru_cache(maxsize=1)
def _chosen() -> tuple[str, HWAccel] | tuple[None, None]:
    for kind in candidates(os.environ.get(SWITCH, "auto"), sys.platform, hwdevices_available()):
        device = _opened(kind)
        if device is not None:
            return kind, device
    return None, None


def _opened(kind: str) -> HWAccel | None:
    """Return a device of that kind that can be used; None if the machine has none."""
    try:
        device = HWAccel(device_type=kind, allow_software_fallback=True)
        device.create(av.Codec("h264", "r"))
    except (av.error.FFmpegError, OSError, ValueError, RuntimeError, NotImplementedError):
        return None
    return HWAccel(device_type=kind, allow_software_fallback=True)
