"""Photos of hands: what each public set tells of its hands, and their outlines."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.domain.observations import Box, Facing, Side
from verifier.train.real_pictures.masks import HandMask, before_green, before_paper
from verifier.train.real_pictures.split import doubtful, read_picture

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
RPS: Final = "hands-rps-overhead"
ASL: Final = "hands-asl-digits"
FINGERCOUNT: Final = "hands-fingercount"
FOREARM: Final = "hands-forearm"
RPS_FINGERS: Final = {"rock": 0, "scissors": 2, "paper": 5}
FINGERCOUNT_FINGERS: Final = {"0": 5, "1": 4, "2": 1, "3": 3, "4": 2}
THUMB_OUT: Final = 1.3
"""A thumb is seen where the hand reaches this many times farther to one side of the palm than to the other."""


@dataclass(frozen=True)
class HandPhoto:
    """A photo (BGR) of one hand. `outline` (N, 2): points on the hand's edge in pixels, or the corners of a drawn box.

    `mask` is there where the hand could be cut out; None for fingers, and "unknown", where the set does not tell.
    """

    path: Path
    image: Image
    outline: Floats
    mask: HandMask | None
    fingers: int | None
    facing: Facing = "unknown"
    side: Side = "unknown"

    @property
    def box(self) -> Box:
        """Wrist to fingertips, axis-aligned."""
        (x0, y0), (x1, y1) = self.outline.min(0), self.outline.max(0)
        return float(x0), float(y0), float(x1), float(y1)


def hand_photo(path: Path, set_name: str) -> HandPhoto | None:
    """Return the hand of a photo of one of the sets; None where it is not found surely (or a label file is missing)."""
    image = read_picture(path)
    if set_name == FINGERCOUNT:
        return _boxed(path, image)
    rps = set_name == RPS
    mask = before_green(image) if rps else before_paper(image)
    if mask is None:
        return None
    facing: Facing = "back" if rps else "palm"
    told = told_fingers(path, set_name)
    side = side_of(mask, facing) if not rps and told in (3, 5) else "unknown"
    return HandPhoto(path, image, _outline(mask.hand), mask, told, facing, side)


def side_of(mask: HandMask, facing: Facing) -> Side:
    """Return the anatomical side by where the thumb stands out: fingers up, a right hand's back has it on the left."""
    ys, xs = np.nonzero(mask.hand)
    dx, dy = xs - mask.palm[0], ys - mask.palm[1]
    up = -(dx * mask.toward[0] + dy * mask.toward[1])
    right = dx * mask.toward[1] - dy * mask.toward[0]
    near = (up > -0.6 * mask.radius) & (up < 0.9 * mask.radius)
    reach = (-float(right[near].min()), float(right[near].max())) if near.any() else (1.0, 1.0)
    if max(reach) < THUMB_OUT * min(reach):
        return "unknown"
    on_left = reach[0] > reach[1]
    return "right" if on_left == (facing == "back") else "left"


def told_fingers(path: Path, set_name: str) -> int | None:
    """Return extended fingers by the folder that a photo lies in; None where it does not tell."""
    folder = path.parent.name
    return RPS_FINGERS.get(folder) if set_name == RPS else int(folder) if folder in tuple("12345") else None


def _outline(hand: Image) -> Floats:
    contours, _ = cv2.findContours(hand, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    return max(contours, key=cv2.contourArea).reshape(-1, 2).astype(np.float32)


def _boxed(path: Path, image: Image) -> HandPhoto | None:
    """Return the hand of a photo by its one line of YOLO's: class, middle and size as shares; None without one line."""
    labels = path.parent.parent / "labels" / (path.stem + ".txt")
    lines = labels.read_text(encoding="utf-8").split("\n") if labels.is_file() else []
    rows = [line.split() for line in lines if line.strip()]
    if len(rows) != 1 or len(rows[0]) != 5:
        return None
    x, y, w, h = (float(v) for v in rows[0][1:])
    corners = np.array([[x - w / 2, y - h / 2], [x + w / 2, y - h / 2], [x + w / 2, y + h / 2], [x - w / 2, y + h / 2]])
    outline = (corners * (image.shape[1], image.shape[0])).astype(np.float32)
    fingers = None if doubtful(FINGERCOUNT, path.name) else FINGERCOUNT_FINGERS[rows[0][0]]
    return HandPhoto(path, image, outline, None, fingers)
