"""What recorders do to a picture: blur, noise, JPEG, H.264 and H.265 at the rates that surveillance uses."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

import av
import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Image = NDArray[np.uint8]


def degrade(image: Image, rng: Generator) -> Image:
    """Return a BGR picture as some recorder would keep it; a quarter stay as they are."""
    if rng.random() < 0.12:
        image = resampled(image, float(rng.uniform(0.55, 0.9)))
    if rng.random() < 0.12:
        image = motion_blurred(image, int(rng.integers(3, 8)), float(rng.uniform(0, 180)))
    draw = rng.random()
    if draw < 0.25:
        return image
    if draw < 0.5:
        return jpeg(image, int(rng.integers(28, 92)))
    if draw < 0.6:
        return recoded(image, int(rng.integers(22, 38)), "hevc")
    return recoded(image, int(rng.integers(19, 36)))


def resampled(image: Image, share: float) -> Image:
    """Shrunk to `share` and enlarged again."""
    h, w = image.shape[:2]
    small = cv2.resize(image, (max(8, round(w * share)), max(8, round(h * share))), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, (w, h), interpolation=cv2.INTER_LINEAR), dtype=np.uint8)


def motion_blurred(image: Image, length: int, angle: float) -> Image:
    """Smeared over `length` pixels along `angle` degrees."""
    kernel = np.zeros((length, length), np.float32)
    kernel[length // 2] = 1.0
    turn = cv2.getRotationMatrix2D(((length - 1) / 2, (length - 1) / 2), angle, 1.0)
    kernel = np.asarray(cv2.warpAffine(kernel, turn, (length, length)), dtype=np.float32)
    return np.asarray(cv2.filter2D(image, -1, kernel / max(float(kernel.sum()), 1e-6)), dtype=np.uint8)


def jpeg(image: Image, quality: int) -> Image:
    """Through JPEG of `quality`."""
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)


def recoded(image: Image, crf: int, codec: Literal["h264", "hevc"] = "h264") -> Image:
    """Through two frames of H.264 or H.265 at constant rate factor `crf`; the second frame comes back."""
    h, w = image.shape[0] // 2 * 2, image.shape[1] // 2 * 2
    encoder = av.CodecContext.create({"h264": "libx264", "hevc": "libx265"}[codec], "w")
    decoder = av.CodecContext.create(codec, "r")
    assert isinstance(encoder, av.VideoCodecContext)
    assert isinstance(decoder, av.VideoCodecContext)
    encoder.width, encoder.height, encoder.pix_fmt, encoder.framerate = w, h, "yuv420p", Fraction(25)
    preset = {"h264": "superfast", "hevc": "ultrafast"}[codec]
    encoder.options = {"crf": str(crf), "preset": preset, "tune": "zerolatency", "threads": "1"}
    if codec == "hevc":
        encoder.options = encoder.options | {"x265-params": "log-level=none:pools=none:frame-threads=1"}
    decoder.thread_count = 1
    shown: list[av.VideoFrame] = []
    for _ in range(2):
        for packet in encoder.encode(av.VideoFrame.from_ndarray(image[:h, :w], format="bgr24")):
            shown += decoder.decode(packet)
    for packet in encoder.encode(None):
        shown += decoder.decode(packet)
    shown += decoder.decode(None)
    if not shown:
        return image
    out = image.copy()
    out[:h, :w] = shown[-1].to_ndarray(format="bgr24")
    return out
