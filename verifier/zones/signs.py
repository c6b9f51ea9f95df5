"""What is written on the table and in the picture: site and table signs, the clock, and whether it reads mirrored."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from verifier.domain.observations import Box
from verifier.recording.decode import Picture
from verifier.vision.clock import PAD, parse_clock, read_clock
from verifier.vision.ocr import Line, LineReader, box_crop

SIGN_HEIGHT: Final = 96
"""Height in pixels to which a sign is enlarged for reading."""
WORDS: Final = {
    name: re.compile(rf"\b{name.upper()}\W*(?:N(?:O|UMBER)\b\W*)?([A-Z0-9-]+)") for name in ("site", "table")
}
"""What stands on the signs (99-01.3-08-04(2)): a word and the number."""
MARGIN: Final = 0.4
"""Height of a sign's letters by which it is cut out larger than its text: a tight cut loses strokes."""
CLOCK_TRIES: Final = 2
"""Pictures that are searched for a clock."""
LETTERS: Final = 3
"""Letters from which a line tells whether the picture is mirrored: single letters look alike in the mirror."""
MIRRORED: Final = 1.6
"""So many times more must be readable in the mirror for the picture to count as mirrored."""
LOOKS: Final = 0.5
"""Share of the looks at a sign in which it must be read to be sure: what is read once, between failures, is not."""
SMALL_PX: Final = 12.0
"""Height in pixels of a line of text below which every look may misread it alike: digits are then 7 pixels high."""
SMALL_SHARE: Final = 0.7
_DIGITS: Final = str.maketrans("OQDILZSB", "00011258")


@dataclass(frozen=True, slots=True)
class Sign:
    """A sign's number, its box in the upright picture's pixels, and the share of looks that read this."""

    text: str
    box: Box
    share: float


def readable(lines: Sequence[Line]) -> float:
    """How much of a picture's writing can be read: letters, weighed by how surely they are read."""
    return sum(line.score * len(line.text) for line in lines if sum(map(str.isalnum, line.text)) >= LETTERS)


def find_signs(
    pictures: Sequence[Picture], lines: Sequence[Line], reader: LineReader, *, grow: float = 1.0
) -> dict[str, Sign]:
    """Return the site's and the table's sign among the lines of the clear table, read again close up in several
    pictures.

    `grow` is the recording's pixels for one of the pictures'.
    """
    found: dict[str, Sign] = {}
    for name in WORDS:
        line = next((one for one in lines if _number(name, one.text) is not None), None)
        if line is None:
            continue
        texts = [line.text, *(text for picture in pictures for text in _close_up(picture, line, reader))]
        votes = Counter(number for number in (_number(name, text) for text in texts) if number)
        text, count = votes.most_common(1)[0]
        share = count / max(votes.total(), LOOKS * (1 + len(pictures)))
        small = _height(line) * min(1.0, grow) < SMALL_PX
        found[name] = Sign(text, line.box, min(share, SMALL_SHARE) if small else share)
    return found


def _height(line: Line) -> float:
    """Height of a line's letters in pixels."""
    return math.dist(line.corners[0], line.corners[3]) if len(line.corners) == 4 else line.box[3] - line.box[1]


def _close_up(picture: Picture, line: Line, reader: LineReader) -> list[str]:
    crop = level(picture, line)
    if min(crop.shape[:2]) < 4:
        return []
    scale = max(1.0, SIGN_HEIGHT / crop.shape[0])
    enlarged = np.asarray(cv2.resize(crop, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC), np.uint8)
    text = reader.line(enlarged)
    return [text] if text else []


def level(picture: Picture, line: Line) -> Picture:
    """Return the line with a margin, its letters upright: text that stands aslant is misread (13 as 15)."""
    x0, y0, x1, y1 = line.box
    if len(line.corners) != 4:
        margin = MARGIN * (y1 - y0)
        return box_crop(picture, (x0 - margin, y0 - margin, x1 + margin, y1 + margin))
    corners = np.array(line.corners, np.float32)
    wide = float(np.hypot(*(corners[1] - corners[0])))
    high = float(np.hypot(*(corners[3] - corners[0])))
    margin = MARGIN * high
    size = (round(wide + 2 * margin), round(high + 2 * margin))
    if min(size) < 4:
        return picture[:0]
    flat = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32) + np.float32(margin)
    matrix = cv2.getPerspectiveTransform(corners, flat)
    return np.asarray(cv2.warpPerspective(picture, matrix, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _number(name: str, text: str) -> str | None:
    """Return the number that a sign of this name tells; letters that look like digits are digits where all others
    are.
    """
    found = WORDS[name].search(text.upper())
    if found is None:
        return None
    number = found[1]
    likely = number.translate(_DIGITS)
    if not any(map(str.isdigit, number)) and number not in ("I", "L", "O"):
        return None
    return likely if likely.isdigit() else number


def clock_box(pictures: Sequence[Picture], reader: LineReader) -> tuple[Box | None, int]:
    """Where the clock stands, and in how many of the pictures it is read there. Pictures are as they were recorded.

    A picture is searched whole: a strip of it would be enlarged by the reader, which takes ten times as long.
    """
    for picture in pictures[:CLOCK_TRIES]:
        box = next((line.box for line in reader.lines(picture) if parse_clock(line.text)), None)
        if box is not None:
            x0, y0, x1, y1 = box
            height, width = picture.shape[:2]
            box = (max(0.0, x0 - PAD), max(0.0, y0 - PAD), min(width, x1 + 2 * PAD), min(height, y1 + PAD))
            return box, max(1, sum(read_clock(one, reader, box) is not None for one in pictures))
    return None, 0


def without_box(picture: Picture, box: Box | None) -> Picture:
    """Return the picture with a box painted over in one colour."""
    if box is None:
        return picture
    out = picture.copy()
    x0, y0, x1, y1 = (max(0, round(float(value))) for value in box)
    out[y0:y1, x0:x1] = np.median(picture.reshape(-1, 3), axis=0)
    return out
