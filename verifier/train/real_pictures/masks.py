"""Cuts hands with their arms out of photos before plain backgrounds, and finds where the hand begins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.domain.observations import Box

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
SAMPLES: Final = 64
"""Slices across the arm at which its width is measured."""
NEAR_LEAST: Final = 1.07
"""The wrist is the first slice that is at most this many times the least width."""


@dataclass(frozen=True)
class HandMask:
    """A hand before a plain background: `arm` is 255 on hand, wrist, forearm and sleeve, `hand` on the hand alone.

    `palm` is the middle of the largest circle in the hand, `radius` that circle's, `toward` the unit vector from there
    along the arm; pixels of the photo.
    """

    arm: Image
    hand: Image
    palm: tuple[float, float]
    radius: float
    toward: tuple[float, float]

    @property
    def box(self) -> Box:
        """Wrist to fingertips, axis-aligned."""
        x, y, w, h = cv2.boundingRect(self.hand)
        return float(x), float(y), float(x + w), float(y + h)


def before_green(image: Image) -> HandMask | None:
    """Return the hand on a green surface; None where no hand with an arm to the picture's edge is found."""
    a = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2LAB)[:, :, 1], (0, 0), 1.0)
    _, mask = cv2.threshold(a, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    arm = _largest(np.asarray(mask, np.uint8))
    sleeve = _other_colour(image, arm)
    return None if sleeve is None else _hand(arm, _edge(image), sleeve)


def _other_colour(image: Image, arm: Image) -> Image | None:
    """255 where an arm has another colour than the palm, in patches; None where the palm has no skin's colour."""
    lab = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2LAB), (0, 0), 2.0).astype(np.float32)
    depth = _depth(arm)
    palm = np.median(lab[depth > 0.6 * depth.max()], axis=0)
    if palm[0] < 45 or palm[1:].sum() < 270:
        return None
    far = (np.hypot(*(lab - palm)[:, :, 1:].transpose(2, 0, 1)) > 13) & (cv2.erode(arm, np.ones((9, 9), np.uint8)) > 0)
    return np.asarray(cv2.dilate(np.where(far, 255, 0).astype(np.uint8), np.ones((9, 9), np.uint8)), np.uint8)


def _depth(arm: Image) -> Floats:
    """Distance to the nearest place that is not the arm; the world beyond the picture is not."""
    padded = cv2.copyMakeBorder(arm, 1, 1, 1, 1, cv2.BORDER_CONSTANT)
    return np.asarray(cv2.distanceTransform(padded, cv2.DIST_L2, 5)[1:-1, 1:-1], np.float32)


def before_paper(image: Image) -> HandMask | None:
    """Return the bare hand and wrist close up before plain light paper; None where none is found."""
    lab = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2LAB), (0, 0), 1.0).astype(np.int16)
    wall = np.median(np.concatenate([lab[0], lab[:, 0], lab[:, -1]]), axis=0)
    warm = np.clip((lab[:, :, 1] - wall[1]) + (lab[:, :, 2] - wall[2]), 0, 255).astype(np.uint8)
    level, mask = cv2.threshold(warm, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    return _hand(_largest(mask), _edge(image)) if level >= 5 else None


def _largest(mask: Image) -> Image:
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    out = np.zeros_like(mask)
    if contours:
        cv2.drawContours(out, [max(contours, key=cv2.contourArea)], -1, 255, -1)
    return out


def _edge(image: Image) -> Image:
    out = np.full(image.shape[:2], 255, np.uint8)
    out[2:-2, 2:-2] = 0
    return out


def _hand(arm: Image, ends: Image, sleeve: Image | None = None) -> HandMask | None:
    """Split the hand off at the wrist; `ends` marks where an arm may leave: the picture's edge and sleeves."""
    area = int(np.count_nonzero(arm))
    if not 0.015 * arm.size < area < 0.6 * arm.size:
        return None
    leaving = np.argwhere((np.asarray(cv2.dilate(ends, np.ones((5, 5), np.uint8))) > 0) & (arm > 0))
    if len(leaving) < 4:
        return None
    depth = _depth(arm)
    y, x = np.unravel_index(int(np.argmax(depth)), depth.shape)
    radius, palm = float(depth[y, x]), np.array([x, y], np.float64)
    way = leaving.mean(0)[::-1] - palm
    length = float(np.hypot(*way))
    toward = way / max(length, 1e-6)
    hand = _before_wrist(arm, palm, radius, toward, sleeve) if length > 0.5 * radius else arm
    return HandMask(arm, hand, (float(x), float(y)), radius, (float(toward[0]), float(toward[1])))


def _before_wrist(
    arm: Image, palm: NDArray[np.float64], radius: float, toward: NDArray[np.float64], sleeve: Image | None
) -> Image:
    """Return the arm before its narrowest slice past the palm, or before the sleeve if that begins earlier."""
    ys, xs = np.nonzero(arm)
    along = (xs - palm[0]) * toward[0] + (ys - palm[1]) * toward[1]
    if sleeve is not None:
        cloth = along[(sleeve[ys, xs] > 0) & (along > radius)]
        bare = along < (np.percentile(cloth, 2) if len(cloth) > radius else np.inf)
        ys, xs, along = ys[bare], xs[bare], along[bare]
    edges = np.linspace(0.9, 2.3, SAMPLES) * radius
    step = float(edges[1] - edges[0])
    widths = np.array([np.count_nonzero(np.abs(along - at) < step) for at in edges], np.float64)
    end = float(along.max())
    reach = edges < end - 2 * step
    wrist = end
    if np.count_nonzero(reach) >= 4:
        wrist = edges[reach][int(np.argmax(widths[reach] <= NEAR_LEAST * widths[reach].min()))]
    out = np.zeros_like(arm)
    keep = along <= wrist
    out[ys[keep], xs[keep]] = 255
    return _largest(out)
