"""Text that stands in the picture: the burned-in clock, the site id and the table number."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final

import cv2
import numpy as np

from verifier.domain.layout import Polygon
from verifier.domain.observations import Box
from verifier.recording.decode import Picture
from verifier.vision.clock import PAD, ClockSeen, parse_clock, search_clock
from verifier.vision.ocr import LineReader, box_crop

_WORD: Final = re.compile(r"[A-Z0-9]*\d[A-Z0-9]*")
_SIGN_HEIGHT: Final = 96
"""Height in pixels to which a sign is enlarged for reading."""


def find_clock(picture: Picture, reader: LineReader, zone: Polygon | None = None) -> ClockSeen | None:
    """The clock of a picture (h, w, 3): in its zone, or else searched at the top and the bottom."""
    if zone is None:
        return search_clock(picture, reader)
    shown = read_clock(picture, reader, box_of(zone))
    return ClockSeen(shown, box_of(zone)) if shown is not None else None


def read_clock(picture: Picture, reader: LineReader, box: Box) -> datetime | None:
    """The date and time in a box of the picture, None where it cannot be read."""
    x0, y0, x1, y1 = box
    text = reader.line(box_crop(picture, (x0 - PAD, y0 - PAD, x1 + PAD, y1 + PAD)))
    return parse_clock(text) if text is not None else None


def read_sign(picture: Picture, reader: LineReader, zone: Polygon) -> str | None:
    """What a sign in a zone says, its lines joined; None where nothing can be read."""
    x0, y0, x1, y1 = box_of(zone)
    margin = 0.15 * (y1 - y0)
    crop = box_crop(picture, (x0 - margin, y0 - margin, x1 + margin, y1 + margin))
    if min(crop.shape[:2]) < 4:
        return None
    scale = max(1.0, _SIGN_HEIGHT / crop.shape[0])
    enlarged = np.asarray(cv2.resize(crop, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC), np.uint8)
    words = [line.text for line in reader.lines(enlarged)]
    return " ".join(words) or reader.line(crop)


def says_number(text: str, number: str) -> bool:
    """Whether a sign's text holds this number or name: `TABLE 6` says `6`; letter O and digit 0 are alike."""
    return _plain(number) in {_plain(word) for word in _WORD.findall(text.upper().replace("O", "0"))}


def _plain(word: str) -> str:
    return re.sub(r"[^A-Z0-9]", "", word.upper().replace("O", "0"))


def box_of(zone: Polygon) -> Box:
    """The upright rectangle about a polygon."""
    x, y = [p[0] for p in zone], [p[1] for p in zone]
    return min(x), min(y), max(x), max(y)
