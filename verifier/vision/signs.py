"""Site and table signs in the picture, printed or burned in: found, read, and pooled over several pictures."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import cv2
import numpy as np

from verifier.domain.layout import Polygon
from verifier.domain.observations import Box
from verifier.recording.decode import Picture
from verifier.vision.ocr import LEAST_SCORE, Line, LineReader, box_crop, box_of

What = Literal["site", "table"]
SIGN_HEIGHT: Final = 96
"""Height in pixels to which the crop of a sign is enlarged for reading."""
SEARCH_SIDE: Final = 1280
"""Long side in pixels to which a smaller picture is enlarged before signs are searched in it."""
DOUBT: Final = 0.05
"""Reads, as a weight, that are taken to say something else: no number of reads makes a sign certain."""
NEAR_LINES: Final = 1.5
"""Heights of a line within which a number stands below or beside the word that it belongs to."""

_WORD: Final = re.compile(r"[A-Z0-9]*\d[A-Z0-9]*")
_NAMES: Final[dict[What, str]] = {"site": r"SITE|LOCATION|LOC", "table": r"TABLE|TBL"}
_FILLER: Final = r"(?:\s*(?:ID|NUMBER|NUM|NO|NR|N0)(?![A-Z]))?[\s.:#-]*"
_NUMBER: Final = r"(?P<number>[A-Z]{0,3}-?[0-9OIL]*\d[0-9OIL]*(?:[A-Z](?![A-Z]))?)(?![0-9])"
_SIGN: Final = {what: re.compile(rf"(?<![A-Z])(?:{names}){_FILLER}{_NUMBER}") for what, names in _NAMES.items()}
_LABEL: Final = {what: re.compile(rf"^\W*(?:{names}){_FILLER}$") for what, names in _NAMES.items()}
_PREFIX: Final = re.compile(rf"^(?:{'|'.join(_NAMES.values())}){_FILLER}")


@dataclass(frozen=True, slots=True)
class SignSeen:
    """A sign as one look at a picture read it.

    `number` is what it names (`0131`), `text` the whole line, `score` the reader's own (0..1), `box` where the line
    stands (x0, y0, x1, y1 pixels of the picture).
    """

    what: What
    number: str
    text: str
    score: float
    box: Box


@dataclass(frozen=True, slots=True)
class Sign:
    """A sign as several looks agree on it: `p` is the probability (0..1) that it says `number`, `reads` how many do."""

    what: What
    number: str
    p: float
    box: Box
    reads: int


def find_signs(picture: Picture, reader: LineReader) -> list[SignSeen]:
    """All site and table signs of a picture (h, w, 3) BGR that say what they are: `TABLE 6`, `SITE NO. 0131`."""
    return signs_in(text_lines(picture, reader))


def text_lines(picture: Picture, reader: LineReader) -> list[Line]:
    """All lines of text in a picture; a small one is enlarged for it. Boxes are in pixels of the picture given."""
    scale = max(1.0, SEARCH_SIDE / max(picture.shape[:2]))
    lines = reader.lines(_enlarged(picture, scale))
    return [Line(line.text, line.score, _scaled(line.box, 1 / scale)) for line in lines]


def signs_in(lines: Sequence[Line]) -> list[SignSeen]:
    """Return the signs among lines of text; a number may stand on a line of its own below or beside its word."""
    return [sign for what in _NAMES for sign in (*_whole(what, lines), *_joined(what, lines))]


def sign_in_zone(what: What, picture: Picture, reader: LineReader, zone: Polygon) -> SignSeen | None:
    """Return the sign that a layout places in `zone` (pixels); its word may be missing. None if no number is
    read.
    """
    lines = _zone_lines(picture, reader, zone)
    if not lines:
        return None
    text, score = " ".join(line.text for line in lines), min(line.score for line in lines)
    plain = text.upper()
    found = _SIGN[what].search(plain)
    number = found["number"] if found else next(iter(_WORD.findall(_PREFIX.sub("", plain).replace("O", "0"))), None)
    return None if number is None else SignSeen(what, _digits(number), text, score, box_of(zone))


def read_sign(picture: Picture, reader: LineReader, zone: Polygon) -> str | None:
    """Return what a sign in a zone says, its lines joined; None if nothing can be read."""
    return " ".join(line.text for line in _zone_lines(picture, reader, zone)) or None


def pooled(what: What, seen: Iterable[SignSeen]) -> Sign | None:
    """Return what the looks at one kind of sign agree on; None if none was read.

    Each look counts by its score against all looks and `DOUBT`.
    """
    groups: dict[str, list[SignSeen]] = defaultdict(list)
    for one in seen:
        if one.what == what:
            groups[plain_number(one.number)].append(one)
    if not groups:
        return None
    weights = {number: sum(one.score for one in some) for number, some in groups.items()}
    best = max(weights, key=lambda number: weights[number])
    surest = max(groups[best], key=lambda one: one.score)
    p = weights[best] / (sum(weights.values()) + DOUBT)
    return Sign(what, surest.number, p, surest.box, len(groups[best]))


def says_number(text: str, number: str) -> bool:
    """Tell whether a sign's text holds this number or name: `TABLE 6` says `6`; letter O and digit 0 are alike."""
    return _plain(number) in {_plain(word) for word in _WORD.findall(text.upper().replace("O", "0"))}


def plain_number(name: str) -> str:
    """Return a site's or table's name as it is compared: `Table 07` as `7`, `Site 0131` as `131`; O and 0 are alike."""
    plain = _plain(_PREFIX.sub("", name.strip().upper()))
    return plain.lstrip("0") or plain[-1:]


def _whole(what: What, lines: Iterable[Line]) -> Iterator[SignSeen]:
    for line in lines:
        for found in _SIGN[what].finditer(line.text.upper()):
            yield SignSeen(what, _digits(found["number"]), line.text, line.score, line.box)


def _joined(what: What, lines: Sequence[Line]) -> Iterator[SignSeen]:
    """Signs of which the word and the number are two lines."""
    for label in (line for line in lines if _LABEL[what].match(line.text.upper())):
        height = label.box[3] - label.box[1]
        numbers = [
            (gap, line)
            for line in lines
            if _WORD.fullmatch(line.text.upper().strip(" .:#-")) and (gap := _gap(label.box, line.box)) is not None
        ]
        gap, number = min(numbers, key=lambda one: one[0], default=(float("inf"), label))
        if gap <= NEAR_LINES * height:
            text, score = f"{label.text} {number.text}", min(label.score, number.score)
            box = (*np.minimum(label.box[:2], number.box[:2]), *np.maximum(label.box[2:], number.box[2:]))
            yield SignSeen(what, _digits(number.text.strip(" .:#-").upper()), text, score, _floats(box))


def _gap(label: Box, number: Box) -> float | None:
    """Pixels from a word to a number below or to the right of it; None if it stands elsewhere."""
    across = max(0.0, max(label[0], number[0]) - min(label[2], number[2]))
    down = max(0.0, max(label[1], number[1]) - min(label[3], number[3]))
    middle = (number[0] + number[2]) / 2
    if across == 0.0 and number[1] > label[1]:
        return down
    return across if down == 0.0 and middle > label[2] else None


def _zone_lines(picture: Picture, reader: LineReader, zone: Polygon) -> list[Line]:
    """Return the lines of text in a zone, enlarged; boxes are those of the enlarged crop."""
    x0, y0, x1, y1 = box_of(zone)
    margin = 0.15 * (y1 - y0)
    crop = box_crop(picture, (x0 - margin, y0 - margin, x1 + margin, y1 + margin))
    if min(crop.shape[:2]) < 4:
        return []
    lines = reader.lines(_enlarged(crop, max(1.0, SIGN_HEIGHT / crop.shape[0])))
    if lines:
        return lines
    text = reader.line(crop)
    return [Line(text, LEAST_SCORE, (0.0, 0.0, 0.0, 0.0))] if text else []


def _enlarged(picture: Picture, scale: float) -> Picture:
    if scale <= 1.0:
        return picture
    return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC), np.uint8)


def _scaled(box: Box, scale: float) -> Box:
    return box[0] * scale, box[1] * scale, box[2] * scale, box[3] * scale


def _floats(box: Sequence[float]) -> Box:
    x0, y0, x1, y1 = (float(value) for value in box)
    return x0, y0, x1, y1


def _digits(number: str) -> str:
    """Return a number of a sign as it is told: letters that readers take for digits are digits where digits stand
    beside.
    """
    body = re.sub(r"(?<=[0-9OIL])[OIL]|[OIL](?=[0-9OIL]*\d)", lambda m: {"O": "0"}.get(m[0], "1"), number.upper())
    return body.strip("-")


def _plain(word: str) -> str:
    return re.sub(r"[^A-Z0-9]", "", word.upper().replace("O", "0"))
