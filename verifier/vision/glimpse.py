"""What is written in a few pictures of a recording: clock and signs, where they stand, and which way up they read."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from statistics import median
from typing import Final, Literal

import numpy as np
from msgspec import Struct

from verifier.domain.layout import Layout, Polygon
from verifier.domain.observations import Box
from verifier.recording.decode import Picture
from verifier.vision.clock import parse_clock, read_clock
from verifier.vision.ocr import Line, LineReader, box_of
from verifier.vision.quality import colourfulness, of_table
from verifier.vision.signs import SignSeen, What, sign_in_zone, signs_in, text_lines

Written = Literal["clock", "site", "table"]
Turn = Literal[0, 90, 180, 270]
EDGE: Final = 3.0
"""Pixels from the picture's edge within which a text may be cut off."""
COVERED: Final = 0.05
"""Share of a text or zone that may lie under the burned-in clock and still be read whole."""
WORD: Final = 3
"""A word needs so many letters to show which way up a picture is: shorter ones are read into any picture."""
CLEAR: Final = 0.8
"""A line of text counts as read from this score on. Below it, an upside-down line may read as another text."""


class Pose(Struct, frozen=True):
    """How a picture was held to be read: mirrored left to right or not, then turned clockwise by degrees."""

    turn: Turn = 0
    mirrored: bool = False

    @property
    def upright(self) -> bool:
        return self == UPRIGHT


UPRIGHT: Final = Pose()
TURNED: Final = (Pose(180), Pose(0, mirrored=True), Pose(180, mirrored=True))
LYING: Final = tuple(Pose(turn, mirrored) for mirrored in (False, True) for turn in (90, 270))


class Text(Struct, frozen=True, kw_only=True):
    """A clock or a sign as one look read it: `says` is the moment (ISO 8601) or the number, `score` the reader's.

    `box` is where it stands in the picture as it is (x0, y0, x1, y1 pixels). `in_zone`: it was read in the zone where
    the layout has it, so that its box is that zone's and tells nothing of where it stands.
    """

    what: Written
    says: str
    score: float
    box: Box
    pose: Pose = UPRIGHT
    in_zone: bool = False


class Letters(Struct, frozen=True):
    """How many letters of clear words were read in a picture held so."""

    pose: Pose
    count: int


class Glimpse(Struct, frozen=True, kw_only=True):
    """What was read in `pictures` pictures. `posed`: whether they were also held otherwise than upright.

    `colour` is the median of their colourfulness over the table (`quality.colourfulness`), None if not measured.
    """

    pictures: int = 0
    texts: tuple[Text, ...] = ()
    letters: tuple[Letters, ...] = ()
    posed: bool = False
    colour: float | None = None

    @property
    def pose(self) -> Pose:
        """The way of holding a picture in which most of its clock and signs read; upright where that is not to be told.

        All pictures were read upright, one alone in other ways.
        """
        weights: dict[Pose, float] = {UPRIGHT: 0.0}
        for text in self.texts:
            if not text.in_zone:
                looks = self.pictures if text.pose.upright else 1
                weights[text.pose] = weights.get(text.pose, 0.0) + text.score / max(1, looks)
        return max(weights, key=lambda pose: weights[pose])


def glimpse(pictures: Sequence[Picture], layout: Layout, reader: LineReader) -> Glimpse:
    """Read clock and signs in pictures (h, w, 3) BGR of one recording.

    All pictures are searched. Where no sign was found, the first is held the other way up, and mirrored; where nothing
    was found that way, either, on its sides too. What was not found so is read in the zone where the layout has it.
    """
    looks = [_searched(picture, reader, UPRIGHT) for picture in pictures]
    texts = [text for found, _ in looks for text in found]
    found = {text.what for text in texts}
    signs: set[Written] = {"site", "table"}
    poses: tuple[Pose, ...] = TURNED if pictures and not signs & found else ()
    held_so = [(pose, _searched(pictures[0], reader, pose)) for pose in poses]
    texts += [text for _, (some, _) in held_so for text in some]
    found = {text.what for text in texts}
    poses = LYING if poses and not found else ()
    held_so += [(pose, _searched(pictures[0], reader, pose)) for pose in poses]
    texts += [text for pose, (some, _) in held_so for text in some if pose in poses]
    texts += [text for picture in pictures for text in _in_zones(picture, layout, reader, found)]
    letters = [Letters(UPRIGHT, count) for _, count in looks] + [Letters(pose, count) for pose, (_, count) in held_so]
    colours = [colourfulness(of_table(picture, layout)) for picture in pictures]
    return Glimpse(
        pictures=len(pictures),
        texts=tuple(texts),
        letters=tuple(letters),
        posed=bool(held_so),
        colour=round(median(colours), 1) if colours else None,
    )


def _in_zones(picture: Picture, layout: Layout, reader: LineReader, known: Collection[Written]) -> Iterable[Text]:
    """Yield the texts in the layout's zones, without the kinds that are known already."""
    zones, clock = layout.zones, layout.zones.clock
    if "clock" not in known and clock is not None and (shown := read_clock(picture, reader, box_of(clock))) is not None:
        yield Text(what="clock", says=shown.isoformat(), score=1.0, box=box_of(clock), in_zone=True)
    signs: tuple[tuple[What, Polygon | None], ...] = (("site", zones.site_id), ("table", zones.table_number))
    for what, zone in signs:
        if zone is None or what in known or (clock is not None and share_under(box_of(zone), box_of(clock)) > COVERED):
            continue
        sign = sign_in_zone(what, picture, reader, zone)
        if sign is not None:
            yield Text(what=what, says=sign.number, score=sign.score, box=sign.box, in_zone=True)


def _searched(picture: Picture, reader: LineReader, pose: Pose) -> tuple[list[Text], int]:
    """Return the clock and the signs of a whole picture in one orientation, and how many letters of clear words it
    has.
    """
    size = (picture.shape[1], picture.shape[0])
    read = text_lines(held(picture, pose), reader)
    lines = [line for line in read if line.score >= CLEAR and _lies_flat(line)]
    clocks = [(line, shown) for line in lines if (shown := parse_clock(line.text)) is not None]
    texts = [
        Text(what="clock", says=shown.isoformat(), score=line.score, box=back(line.box, pose, size), pose=pose)
        for line, shown in clocks
    ]
    for sign in signs_in(lines):
        box = back(sign.box, pose, size)
        if _whole(sign, [line.box for line, _ in clocks]) and not at_edge(box, size):
            texts.append(Text(what=sign.what, says=sign.number, score=sign.score, box=box, pose=pose))
    return texts, sum(map(_letters, lines))


def _whole(sign: SignSeen, clocks: Iterable[Box]) -> bool:
    """Tell whether a sign is not partly hidden by the clock; one that stands in the clock's own line is not."""
    return all(clock == sign.box or share_under(sign.box, clock) <= COVERED for clock in clocks)


def at_edge(box: Box, size: tuple[int, int]) -> bool:
    """Tell whether a text may be cut off by the edge of a picture of this size (width, height)."""
    return min(box[0], box[1], size[0] - box[2], size[1] - box[3]) < EDGE


def share_under(box: Box, other: Box) -> float:
    """Return the share of a box that lies under another one."""
    width, height = (min(box[2 + i], other[2 + i]) - max(box[i], other[i]) for i in (0, 1))
    area = (box[2] - box[0]) * (box[3] - box[1])
    return max(0.0, width) * max(0.0, height) / area if area > 0 else 0.0


def _lies_flat(line: Line) -> bool:
    """Tell whether a line runs across the picture: the reader turns upright ones and reads them, too."""
    x0, y0, x1, y1 = line.box
    return x1 - x0 > y1 - y0


def _letters(line: Line) -> int:
    words = "".join(c if c.isalpha() else " " for c in line.text).split()
    return sum(len(word) for word in words if len(word) >= WORD)


def held(picture: Picture, pose: Pose) -> Picture:
    """Return the picture in the given orientation."""
    turned = picture[:, ::-1] if pose.mirrored else picture
    return np.ascontiguousarray(np.rot90(turned, -(pose.turn // 90)))


def back(box: Box, pose: Pose, size: tuple[int, int]) -> Box:
    """Where a box of the held picture lies in the picture as it is, which has this size (width, height)."""
    width, height = size
    corners = [_unturned(x, y, pose.turn, width, height) for x, y in (box[:2], box[2:])]
    xs, ys = [width - x if pose.mirrored else x for x, _ in corners], [y for _, y in corners]
    return min(xs), min(ys), max(xs), max(ys)


def _unturned(x: float, y: float, turn: int, width: int, height: int) -> tuple[float, float]:
    if turn == 90:
        return y, height - x
    if turn == 180:
        return width - x, height - y
    return (width - y, x) if turn == 270 else (x, y)
