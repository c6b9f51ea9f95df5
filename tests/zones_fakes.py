"""A drawn table, and looks at it, for tests of the zones."""

from __future__ import annotations

import math

import cv2
import numpy as np

from verifier.recording.decode import Picture
from verifier.vision.detection import CARD_UP, CHIP, Detection
from verifier.vision.ocr import Line
from verifier.zones.watch import PictureLook

SIZE = (1280, 720)
SCALE = 0.7
CENTRE = (640.0, 560.0)
RADIUS = 460.0


def spot(turn: float) -> tuple[float, float]:
    """A place on the arc of spots, `turn` degrees to the right of its middle."""
    angle = math.radians(turn)
    return CENTRE[0] + RADIUS * math.sin(angle), CENTRE[1] - RADIUS * math.cos(angle)


def outward(spots: np.ndarray, centre: tuple[float, float]) -> np.ndarray:
    """(n, 2) The directions from a middle to each of (n, 2) spots, of length 1."""
    off = spots - np.array(centre)
    return np.asarray(off / np.hypot(*off.T)[:, None])


def table(turns: list[float], *, gap: float = 0.0, boxes: bool = False) -> Picture:
    """A green felt with a printed ring at each turn; `gap` degrees of every ring's line are missing."""
    picture = np.full((SIZE[1], SIZE[0], 3), (60, 55, 50), np.uint8)
    cv2.ellipse(picture, (640, 680), (620, 640), 0, 180, 360, (60, 120, 40), -1)
    rng = np.random.default_rng(7)
    picture = np.clip(picture + rng.normal(0, 2, picture.shape), 0, 255).astype(np.uint8)
    for turn in turns:
        x, y = spot(turn)
        cv2.ellipse(picture, (round(x), round(y)), (35, 35), 0, 0, 360 - gap, (215, 220, 220), 2, cv2.LINE_AA)
        if boxes:
            cx, cy = (np.array([x, y]) + 0.26 * (np.array(CENTRE) - (x, y))).round().astype(int)
            cv2.rectangle(picture, (cx - 24, cy - 33), (cx + 24, cy + 33), (215, 220, 220), 1)
    return picture


def thing(kind: str, x: float, y: float, wide: float, high: float, p: float = 0.9) -> Detection:
    return Detection(kind, p, np.array([x, y, wide, high, 0.0], np.float32))


def picture_look(t: float, chips: list[tuple[float, float]] = (), cards: list[tuple[float, float]] = ()) -> PictureLook:  # type: ignore[assignment]
    things = [thing(CHIP, x, y, 39 * SCALE, 39 * SCALE) for x, y in chips]
    things += [thing(CARD_UP, x, y, 63 * SCALE, 88 * SCALE) for x, y in cards]
    return PictureLook(t, tuple(things), ())


class Written:
    """Reads the same lines in every picture."""

    def __init__(self, *lines: Line) -> None:
        self._lines = list(lines)

    def line(self, crop: Picture) -> str | None:
        return self._lines[0].text if self._lines else None

    def lines(self, picture: Picture) -> list[Line]:
        return self._lines
