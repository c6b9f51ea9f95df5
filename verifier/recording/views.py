"""Pictures that change within a file: from where on they are of another form, and whether they show the same view.

A form is a size, an orientation, a range of colours, progressive or interlaced. Packets tell where it may change; the
pictures before and after are then compared.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import av
import cv2
import numpy as np
from msgspec import Struct, structs

from verifier.recording.container import Track, demuxed, opened
from verifier.recording.upright import Pixels, Shape, axes_of, has_full_range, pixels_of

ASPECT: Final = 0.01
"""Share by which the sides of two pictures of one view may be off being similar: coders cut sides to whole blocks."""
COMPARED_WIDE: Final = 320
"""Width in pixels of the grey pictures that are compared."""
AGREES: Final = 0.85
"""Correlation from which two pictures show one view. Moments of the sample recordings that follow each other have 0.95
and more, also where one is half as large and strongly compressed; pictures of different tables 0.72 at most."""
OFF: Final = 0.005
"""Share of the width by which the same place may lie elsewhere in two pictures of one view: a seventh of a card."""
TURNED: Final = "the picture is turned there"
SHOWS: Final = 1.0
"""Standard deviation in grey levels below which a picture shows nothing that could be compared."""
TELLING: Final = 100
"""Packets in which a first picture is looked for."""
AFTER: Final = 16
"""Packets from a change on in which its first picture is looked for."""
SQUARE: Final = 0.005
"""Share by which pixels may be off square and count as square: 1280 pixels are off by 6 then."""
_SMOOTHED: Final = 5
_STEPS: Final = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 50, 1e-4)


class Run(Struct, frozen=True, kw_only=True):
    """Pictures of one form from number `first` on, up to the next run.

    `full` is whether colours take all values from 0 to 255. Runs with the same `view` provably show the same. `why`
    tells why its pictures are not watched; None if they are.
    """

    first: int
    shape: Shape
    full: bool = False
    interlaced: bool = False
    view: int = 0
    why: str | None = None


class Glimpse(Struct, frozen=True):
    """The form of a picture, and itself in grey as it is shown, COMPARED_WIDE pixels wide."""

    shape: Shape
    full: bool
    interlaced: bool
    picture: Pixels


def first_glimpse(path: Path, track: Track, aspect: float | None) -> Glimpse | None:
    """Return the first picture of a track; None if none of its first packets can be decoded.

    `aspect` is the width of a pixel by its height where a person tells it; else the file is asked.
    """
    with opened(path) as (container, _):
        stream: Any = container.streams[track.index]
        for number, packet in enumerate(itertools.islice(demuxed(container, stream), TELLING)):
            context = stream.codec_context
            context.copy_opaque = True
            told = stream.sample_aspect_ratio or context.sample_aspect_ratio
            for _, seen in _decoded(context, packet, number, _squared(told) if aspect is None else aspect):
                return seen
    return None


def runs_of(
    path: Path, track: Track, first: Glimpse, aspect: float | None, keys: Sequence[int], changes: Sequence[int]
) -> list[Run]:
    """Return the runs of a recording, `first` (of each of them) the number of the packet at which it begins.

    `changes` are packets from which on the form may be another, `keys` those at which decoding can begin, in order.
    A run whose own aspect is that of the first one's packets has `first`'s aspect, which the container may have told.
    """
    runs = [Run(first=0, shape=first.shape, full=first.full, interlaced=first.interlaced)]
    own: float | None = None
    for change, (before, after) in zip(changes, _pairs(path, track, aspect, keys, changes), strict=True):
        own = before.shape.aspect if own is None and before is not None else own
        if after is None:
            continue
        shape = structs.replace(after.shape, aspect=first.shape.aspect) if after.shape.aspect == own else after.shape
        run = Run(first=change, shape=shape, full=after.full, interlaced=after.interlaced)
        if form_of(run) != form_of(runs[-1]):
            runs.append(structs.replace(run, view=_view(runs, shape, before, after)))
    return runs


def form_of(run: Run) -> tuple[Shape, bool, bool]:
    """Return what the pictures of a run have in common."""
    return run.shape, run.full, run.interlaced


def _view(runs: Sequence[Run], shape: Shape, before: Glimpse | None, after: Glimpse) -> int:
    """Return the view of a run that begins: that of the run before, else of an earlier one of its shape, else a new
    one.
    """
    if before is not None and same_view(before.picture, after.picture):
        return runs[-1].view
    earlier = [run.view for run in runs if run.shape == shape]
    return earlier[-1] if earlier else max(run.view for run in runs) + 1


def fitted(runs: Sequence[Run], size: tuple[int, int], least: float) -> list[Run]:
    """Return the runs with their pictures scaled to `size` (width, height), or with the reason why they are not
    watched.

    The first run of that size tells which view is meant; without one nothing changes. A picture that is smaller than
    the share `least` of it is too small.
    """
    meant = next((run for run in runs if run.shape.own_size == size), None)
    if meant is None:
        return list(runs)
    return [_fitted(run, meant, size, least) for run in runs]


def _fitted(run: Run, meant: Run, size: tuple[int, int], least: float) -> Run:
    own = run.shape.own_size
    why = None if own == size else f"the picture is {own[0]}x{own[1]} there"
    if run.view != meant.view:
        why = f"{why}: nothing shows that it is the same view" if why else TURNED
    elif own[0] < least * size[0]:
        why = f"{why}: cards are too small to be read"
    else:
        why = None
    fit = size if why is None and own != size else None
    return structs.replace(run, shape=structs.replace(run.shape, fit=fit), why=why)


def told_of(run: Run, before: Run) -> str:
    """Return the words for a watched run that begins after another one."""
    told = []
    if run.shape.stored != before.shape.stored or run.why != before.why:
        told.append(
            "the picture is {}x{} from here on".format(*run.shape.own_size)
            + (", of the same view: it is scaled to {}x{}".format(*run.shape.fit) if run.shape.fit else "")
        )
    if (run.shape.axes, run.shape.aspect) != (before.shape.axes, before.shape.aspect) and not told:
        told.append("the picture is stored in another way from here on, and shown as before")
    if run.full != before.full:
        told.append(f"colours take values from {'0 to 255' if run.full else '16 to 235'} from here on")
    if run.interlaced != before.interlaced:
        told.append(f"pictures are {'interlaced' if run.interlaced else 'not interlaced'} from here on")
    return "; ".join(told)


def same_view(one: Pixels, other: Pixels) -> bool:
    """Tell whether two grey pictures of about the same moment, equally wide, provably show the same view."""
    if abs(one.shape[0] / other.shape[0] - 1) > ASPECT or min(one.std(), other.std()) < SHOWS:
        return False
    width, height = one.shape[1], one.shape[0]
    resized = np.asarray(cv2.resize(other, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    everywhere = np.full(one.shape, 255, np.uint8)
    try:
        agree, moved = cv2.findTransformECC(
            one, resized, np.eye(2, 3, dtype=np.float32), cv2.MOTION_AFFINE, _STEPS, everywhere, _SMOOTHED
        )
    except cv2.error:  # they have too little in common for one to be brought onto the other
        return False
    corners = np.asarray([(x, y, 1) for x in (0, width) for y in (0, height)], np.float32)
    off = float(np.abs(corners @ np.asarray(moved).T - corners[:, :2]).max())
    return bool(agree >= AGREES and off <= OFF * width)


def _pairs(
    path: Path, track: Track, aspect: float | None, keys: Sequence[int], changes: Sequence[int]
) -> Iterator[tuple[Glimpse | None, Glimpse | None]]:
    """Yield the last picture before each change and the first one from it on; None if it cannot be decoded."""
    part, last = 0, None
    for number, seen in _about(path, track, aspect, keys, changes):
        now = bisect_right(changes, number)
        while part < now:
            part += 1
            yield last, seen if part == now else None
            last = None
        last = seen
    for _ in changes[part:]:
        yield last, None
        last = None


def _about(
    path: Path, track: Track, aspect: float | None, keys: Sequence[int], changes: Sequence[int]
) -> Iterator[tuple[int, Glimpse]]:
    """Pictures from the key frame before each change to a little after it, with the numbers of their packets.

    Those from the change on have a decoder of their own: FFmpeg's keeps the range of colours of earlier ones.
    """
    begins = [keys[max(0, bisect_left(keys, change) - 1)] for change in changes]
    with opened(path) as (container, _):
        stream: Any = container.streams[track.index]
        context = None
        for number, packet in itertools.chain(enumerate(demuxed(container, stream)), [(-1, None)]):
            passed = bisect_right(changes, number - AFTER)
            wanted = packet is not None and passed < len(changes) and begins[passed] <= number
            if context is not None and (not wanted or number in changes):
                yield from _decoded(context, None, number, aspect)
                context = None
            if wanted:
                context = context or _decoder_of(stream)
                yield from _decoded(context, packet, number, aspect)


def _decoder_of(stream: Any) -> Any:
    """Return a new decoder for the packets of a stream."""
    told, context = stream.codec_context, av.CodecContext.create(stream.codec_context.name, "r")
    context.extradata, context.copy_opaque = told.extradata, True
    context.width, context.height = told.width, told.height
    return context


def _decoded(context: Any, packet: Any, number: int, aspect: float | None) -> Iterator[tuple[int, Glimpse]]:
    """Yield what comes out of the decoder when a packet is sent, or (None) the last one was."""
    if packet is not None:
        packet.opaque = number
    try:
        for frame in context.decode(packet):
            if not frame.is_corrupt and isinstance(frame.opaque, int):
                yield frame.opaque, _glimpse(frame, _squared(context.sample_aspect_ratio) if aspect is None else aspect)
    except av.error.FFmpegError:
        return


def _glimpse(frame: av.VideoFrame, aspect: float) -> Glimpse:
    shape = Shape((frame.width, frame.height), axes_of(frame), aspect, frame.rotation)
    grey = cv2.cvtColor(shape.shown(pixels_of(frame)), cv2.COLOR_BGR2GRAY)
    size = (COMPARED_WIDE, max(1, round(COMPARED_WIDE * grey.shape[0] / grey.shape[1])))
    small = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)
    return Glimpse(shape, has_full_range(frame), bool(frame.interlaced_frame), small)


def _squared(told: Fraction | None) -> float:
    """Return the width of a pixel by its height; 1 if nothing usable is told."""
    aspect = float(told) if told else 1.0
    return aspect if abs(aspect - 1) > SQUARE and 0.25 <= aspect <= 4 else 1.0
