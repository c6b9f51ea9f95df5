"""What is seen of a table over the first minutes of a recording: sparse pictures, and the things found in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from verifier.domain.errors import BadInput
from verifier.recording.decode import Picture
from verifier.recording.glimpses import glimpses
from verifier.recording.probe import Probe
from verifier.vision.detection import HAND, Detection
from verifier.vision.networks import Networks

MINUTES: Final = 10.0
"""Minutes from the beginning that are looked at: several rounds of play."""
PICTURES: Final = 64
"""Pictures looked at in them."""
KEPT: Final = 25
"""Pictures of which the clear table is made, or up to twice as many: more cost time and hardly change a median."""
LONGEST: Final = 1920
"""Longest side in pixels at which pictures are looked at."""
SHORTEST: Final = 960
"""Longest side in pixels below which pictures are enlarged to twice their size: print is a pixel broad there, and what
is measured in whole pixels is too coarse."""
HANDS_EVERY: Final = 3
"""Of so many pictures hands are read in one for whose they are."""

OnProgress = Callable[[float], None]
"""Called with the share done, 0..1."""


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand: its detection, and the probability that it is the dealer's (None if that was not read)."""

    found: Detection
    dealer: float | None


@dataclass(frozen=True, slots=True)
class PictureLook:
    """What one picture at media time `t` (seconds) shows."""

    t: float
    things: tuple[Detection, ...]
    hands: tuple[Hand, ...]


@dataclass(frozen=True, slots=True)
class Watched:
    """The looks in order, a few of the pictures, and the median of these: the table without what moves.

    `size` (width, height) is that of all pictures here, `grow` the recording's pixels for one of them.
    """

    picture_looks: tuple[PictureLook, ...]
    pictures: tuple[Picture, ...]
    clear: Picture
    size: tuple[int, int]
    grow: float


def watch(source: Probe, networks: Networks, on_progress: OnProgress) -> Watched:
    """Watch a recording's first minutes. Raises BadInput if no picture can be decoded."""
    part = source.stretch(source.begin, source.begin + 60.0 * MINUTES)
    width, height = source.info.width, source.info.height
    grow = max(1.0, max(width, height) / LONGEST)
    size = (round(width / grow), round(height / grow))
    kept: list[Picture] = []
    every = 1
    picture_looks: list[PictureLook] = []
    bounds = [(0, 0, *size)]
    last = max(1e-6, part.end - part.begin)
    stream = ((_Key(t, number, picture), picture, bounds) for number, (t, picture) in enumerate(_scaled(part, size)))
    for key, found in networks.finder.stream(stream):
        hands = [d for d in found if d.kind == HAND]
        read = networks.readers.hands(key.picture, hands) if key.number % HANDS_EVERY == 0 else [None] * len(hands)
        owners = [None if one is None else one.owner["dealer"] for one in read]
        picture_looks.append(
            PictureLook(key.t, tuple(d for d in found if d.kind != HAND), tuple(map(Hand, hands, owners)))
        )
        if key.number % every == 0:
            kept.append(key.picture)
        if len(kept) >= 2 * KEPT:
            kept, every = kept[::2], 2 * every
        on_progress((key.t - part.begin) / last)
    if not picture_looks:
        raise BadInput(source.path, "no picture of its first minutes can be decoded", "copy the recording again")
    some = tuple(kept)
    return enlarged(Watched(tuple(picture_looks), some, median(some), size, grow))


def enlarged(watched: Watched) -> Watched:
    """Return what was seen in small pictures, in pictures of twice their size; others as they are."""
    if max(watched.size) >= SHORTEST:
        return watched
    size = (2 * watched.size[0], 2 * watched.size[1])

    def twice(picture: Picture) -> Picture:
        return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_CUBIC), np.uint8)

    def moved(found: Detection) -> Detection:
        return replace(found, box=found.box * np.array([2.0, 2.0, 2.0, 2.0, 1.0]))

    picture_looks = tuple(
        PictureLook(
            one.t, tuple(map(moved, one.things)), tuple(Hand(moved(hand.found), hand.dealer) for hand in one.hands)
        )
        for one in watched.picture_looks
    )
    clear, pictures = twice(watched.clear), tuple(map(twice, watched.pictures))
    return Watched(picture_looks, pictures, clear, size, watched.grow / 2)


@dataclass(frozen=True, slots=True, eq=False)
class _Key:
    t: float
    number: int
    picture: Picture


def _scaled(part: Probe, size: tuple[int, int]) -> Iterator[tuple[float, Picture]]:
    for frame in glimpses(part, PICTURES):
        picture = frame.bgr()
        if (picture.shape[1], picture.shape[0]) != size:
            picture = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
        yield frame.t, picture


def median(pictures: tuple[Picture, ...]) -> Picture:
    """Return the median (h, w, 3) of pictures of one size."""
    out = np.empty_like(pictures[0])
    for top in range(0, out.shape[0], 64):
        rows = np.stack([picture[top : top + 64] for picture in pictures])
        out[top : top + 64] = np.sort(rows, axis=0)[len(pictures) // 2]
    return out
