"""Fits a detected card to its outline if it lies free on a darker ground: true corners, perspective included."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from verifier.recording.decode import Picture
from verifier.vision.detection import Detection
from verifier.vision.geometry import Floats, area

GROW: Final = 1.35
"""Side of the part looked at, in sides of the detection."""
SIDE: Final = 160
AREA: Final = (0.75, 1.3)
"""An outline is accepted if its area lies between these shares of the detection's."""
SOLID: Final = 0.93
"""Least share of its four-cornered outline that the bright patch fills."""
SHIFT: Final = 0.22
"""Most that a corner may move, in the card's long sides."""


def outlined(picture: Picture, found: Detection) -> Floats:
    """(4, 2) corners of the card in `picture`, clockwise from a short side; the detection's own where none is clear."""
    quad = found.quad
    centre = quad.mean(axis=0)
    target = np.array([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]], np.float32)
    back = cv2.getPerspectiveTransform(target, (centre + (quad - centre) * GROW).astype(np.float32))
    patch = cv2.warpPerspective(picture, back, (SIDE, SIDE), flags=cv2.WARP_INVERSE_MAP | cv2.INTER_LINEAR)
    grey = cv2.GaussianBlur(patch.min(axis=2), (0, 0), 1.5)
    _, mask = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    shapes = [np.asarray(contour, np.float32) for contour in contours]
    corners = _four_corners(max(shapes, key=cv2.contourArea)) if shapes else None
    if corners is None:
        return quad
    fitted = cv2.perspectiveTransform(corners[None], back)[0]
    return _like(np.asarray(fitted, np.float32), quad)


def _four_corners(contour: Floats) -> Floats | None:
    hull = cv2.convexHull(contour)
    filled = cv2.contourArea(hull)
    for share in (0.02, 0.035, 0.05, 0.07, 0.09):
        corners = cv2.approxPolyDP(hull, share * cv2.arcLength(hull, True), True)
        if len(corners) == 4:
            whole = cv2.contourArea(corners)
            patch = cv2.contourArea(contour)
            solid = whole > 0 and min(patch, filled) / whole >= SOLID * 0.95 and patch / max(filled, 1.0) >= SOLID
            return np.asarray(corners[:, 0], np.float32) if solid else None
    return None


def _like(fitted: Floats, quad: Floats) -> Floats:
    """`fitted` in the order of `quad`; `quad` itself where the two are too unlike."""
    turns = [np.roll(way, k, axis=0) for way in (fitted, fitted[::-1]) for k in range(4)]
    best = min(turns, key=lambda way: float(np.linalg.norm(way - quad, axis=1).sum()))
    most = SHIFT * float(np.linalg.norm(quad[3] - quad[0]))
    share = area(best) / max(area(quad), 1.0)
    moved = float(np.linalg.norm(best - quad, axis=1).max())
    return best if AREA[0] <= share <= AREA[1] and moved <= most else quad
