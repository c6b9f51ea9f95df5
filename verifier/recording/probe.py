"""What a video file holds, learned from its packets without decoding them; unusable files are refused here."""

from __future__ import annotations

import itertools
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import av
import msgspec
import numpy as np

from verifier.domain.errors import BadInput
from verifier.domain.names import path_text
from verifier.domain.observations import VideoInfo
from verifier.recording.container import COPY_AGAIN, Track, check_readable, chosen, demuxed, opened, tracks_of
from verifier.recording.coverage import Coverage, Gap, Note
from verifier.recording.ending import ending
from verifier.recording.heads import dahua_start, head_length
from verifier.recording.identity import Identity, check_same, nothing_done, sha256_of, sha256_read
from verifier.recording.references import Packets as Reader
from verifier.recording.stamps import (
    Flags,
    Floats,
    Numbers,
    Packets,
    Times,
    at_rate,
    media_times,
    order_is_told,
    without_stray_pts,
)
from verifier.recording.timeline import AS_TOLD, NO_STAMP, Facts, Reading, Timeline, seconds
from verifier.recording.upright import Shape
from verifier.recording.views import Glimpse, Run, first_glimpse, fitted, runs_of

__all__ = ["Coverage", "Gap", "Note", "Probe", "check_readable", "probe", "sha256_of"]

RATE_TOLERANCE: Final = 0.25
"""A step between two frames that is off the usual one by more than this share makes the frame rate variable."""
LOST: Final = 2
"""Frames missing one after another that make a gap."""
CUT_TOLERANCE: Final = 0.25
"""Seconds by which a file may hold less than it promises before it counts as cut off."""
UNREAD_SHARE: Final = 0.2
"""If a larger share of a file lies behind its last packet, and is larger than an index, something was not read."""
INDEX_BYTES: Final = 64
"""Bytes that an index takes for a packet at most: MP4 writes its size, place, time, and order, 4 to 8 bytes each."""
_COUNTED: Final = 1 / 90_000
"""Time base in seconds of the containers whose counter has 33 bits."""


@dataclass(frozen=True)
class Probe:
    """A video's facts and its timeline, or a stretch of them.

    `first` and `last` are numbers of pictures of the whole recording: a stretch has those from `first` up to, not with,
    `last`. `begin` and `end` (seconds of media time) bound what a stretch accounts for.
    """

    path: Path
    facts: Facts
    timeline: Timeline
    first: int
    last: int
    begin: float
    end: float

    @property
    def info(self) -> VideoInfo:
        """The video's facts for the observations' header."""
        return self.facts.info

    @property
    def promised(self) -> float | None:
        """The length in seconds that the file claims for its pictures, None if it claims none."""
        return self.facts.promised

    @property
    def times(self) -> Floats:
        """(frames,) Media times in seconds, of the stretch's pictures."""
        return self.timeline.times[self.first : self.last]

    @property
    def spare(self) -> Flags:
        """(frames,) Whether no other picture is built on one of them."""
        return self.timeline.spare[self.first : self.last]

    @property
    def divisible(self) -> bool:
        """Whether stretches of the recording can be watched on their own."""
        return len(self.timeline) > 1

    @property
    def as_decoded(self) -> bool:
        """Whether packets were stamped in the order in which they are decoded, not shown (AVI)."""
        return self.facts.by_decoding

    @property
    def length(self) -> float:
        """Seconds of the whole recording: what it holds, or what it promises if that is more."""
        held, promised, step = self.timeline.end, self.promised or 0.0, self.timeline.step
        counted = self.facts.container == "avi"  # it promises a number of pictures, not a length
        tolerance = 1.5 * step if counted else max(CUT_TOLERANCE, 2 * step)
        more = max(self.facts.unread, self.facts.hidden, step if self.facts.broken else 0.0)
        return max(promised if promised - held > tolerance else held, held + more)

    def stretch(self, start: float, end: float) -> Probe:
        """Return the recording from `start` to `end`, seconds of media time."""
        low, high = np.searchsorted(self.timeline.times, [start - 1e-6, end - 1e-6])
        begin, finish = max(0.0, start), min(self.length, end)
        return replace(self, first=int(low), last=int(high), begin=begin, end=max(begin, finish))

    def fitted(self, size: tuple[int, int], least: float = 0.0) -> Probe:
        """Return the recording as it is watched by a layout of this size (width, height).

        Where its pictures change, those of another size are scaled to it, if they show the same view and are not
        smaller than the share `least` of it. The others are not watched.
        """
        if not any(run.shape.own_size == size for run in self.facts.runs):
            return self
        runs = fitted(self.facts.runs, size, least)
        shape = next(run.shape for run in runs if run.shape.own_size == size)
        info = msgspec.structs.replace(self.info, width=size[0], height=size[1])
        return replace(self, facts=msgspec.structs.replace(self.facts, info=info, shape=shape, runs=tuple(runs)))

    def closed(self, pictures: Sequence[int]) -> Probe:
        """Return the whole recording without the leaps of its time stamps before these pictures (their numbers)."""
        timeline, facts, before = self.timeline.closed(pictures), self.facts, self.timeline.times
        notes = [Note(float(np.interp(note.t, before, timeline.times)), note.text) for note in facts.notes]
        for number in pictures:
            leap = float(before[number] - before[number - 1]) - timeline.step
            text = f"the stamps leap by {leap:+.1f} s here, but the clock in the picture runs on: so does the time"
            notes.append(Note(float(timeline.times[number]), text))
        shorter = float(before[-1] - timeline.times[-1])
        info = _info(self.path, timeline, facts.shape)
        changed = msgspec.structs.replace(
            facts,
            info=msgspec.structs.replace(info, sha256=facts.info.sha256),
            promised=None if facts.promised is None else facts.promised - shorter,
            notes=tuple(sorted(notes, key=lambda note: note.t)),
            plain=False,
        )
        return whole(self.path, changed, timeline)

    def pictures(self, first: int, last: int) -> Probe:
        """Return the pictures numbered `first` up to, not with, `last`."""
        times = self.timeline.times
        end = float(times[last]) if last < len(times) else self.timeline.end
        begin = float(times[first]) if first < len(times) else end
        return replace(self, first=first, last=min(last, len(times)), begin=begin, end=end)

    def hashed(self, beat: Callable[[float], None] = nothing_done) -> Probe:
        """Return the recording with its SHA-256, which is computed now. Raises BadInput if it changed meanwhile."""
        sha256, read = sha256_read(self.path, beat)
        check_same(self.path, self.facts.identity, None, read)
        info = msgspec.structs.replace(self.info, sha256=sha256)
        return replace(self, facts=msgspec.structs.replace(self.facts, info=info))

    def seen_again(self, identity: Identity) -> Probe:
        """Return the recording in a file of that identity, which is known to hold the same."""
        return replace(self, facts=msgspec.structs.replace(self.facts, identity=identity))

    def check_same(self, opened: Identity | None = None) -> None:
        """Raise BadInput if the file at the path, or the one that was `opened` there, is no longer the one that was
        read, and OSError if it is out of reach.
        """
        check_same(self.path, self.facts.identity, self.info.sha256, opened)


def probe(
    path: Path | str,
    how: Reading = AS_TOLD,
    *,
    sha256: bool = True,
    beat: Callable[[float], None] = nothing_done,
) -> Probe:
    """Read a video's facts from its packets. Raises BadInput if it is no usable video or has no frames.

    `how` is what a person tells of the file. `beat` is called now and then while this takes.
    """
    path = Path(path)
    facts, timeline = _read(path, how, beat)
    found = whole(path, facts, timeline)
    return found.hashed(beat) if sha256 else found


def whole(path: Path, facts: Facts, timeline: Timeline) -> Probe:
    """Return the whole recording of which these are the facts."""
    probed = Probe(path, facts, timeline, 0, len(timeline), 0.0, 0.0)
    return replace(probed, end=probed.length)


def probed(path: Path) -> Probe:
    """Return the timeline of a file, without its hash; kept in memory while the file stays as it is."""
    try:
        told = path.stat()
    except OSError:
        return probe(path, sha256=False)
    return _kept(path, Identity.of(told))


@lru_cache(maxsize=16)
def _kept(path: Path, identity: Identity) -> Probe:
    return probe(path, sha256=False)


def read_probe(path: Path, kept: Path) -> Probe:
    """Return the recording at `path` by the timeline that `Timeline.write` left in `kept`."""
    timeline, facts = Timeline.read(kept)
    return whole(path, facts, timeline)


def _read(path: Path, how: Reading, beat: Callable[[float], None]) -> tuple[Facts, Timeline]:
    with opened(path) as (container, identity):
        tracks = tracks_of(container)
        track = chosen(path, tracks, how.track)
        stream: Any = container.streams[track.index]
        _check_track(path, stream)
        raw = _packets(container, stream, beat)
        bare = not np.any(raw.pts != NO_STAMP) and not np.any(raw.dts != NO_STAMP)
        _check_frames(path, track, raw, timed=not bare or how.rate is not None)
        told = _told(path, raw, stream, container.format.name)
        promised = _promised(path, container, stream, raw)
        start, kind = (container.start_time or 0) / 1e6, container.format.name
        indexed = stream.frames if "mp4" in kind else 0
        known = frozenset(one.id for one in container.streams)
        pixels = stream.codec_context.pix_fmt or ""
    by_decoding = bare or not order_is_told(told)
    order = order_by_decoding(path, track, len(raw.pts), beat) if by_decoding else None
    shown = np.flatnonzero(raw.shown) if order is None else order
    times = at_rate(shown, how.rate) if bare and how.rate is not None else _times(told, raw.shown, order)
    timeline = Timeline(
        raw.pts, raw.dts, raw.place, raw.size, raw.key, raw.needless, raw.ready, times.order, times.times
    )
    first = first_glimpse(path, track, how.aspect)
    shape = first.shape if first is not None else Shape((track.width, track.height), aspect=how.aspect or 1.0)
    runs = _runs(path, track, first, how.aspect, timeline, raw.changes) if first is not None and raw.changes else ()
    ends = ending(path, kind, int(raw.place[-1]), int(raw.size[-1]), known)
    facts = Facts(
        info=_info(path, timeline, shape),
        identity=identity,
        track=track,
        shape=shape,
        promised=promised,
        notes=(*_untold(tracks, track), *_left_out(raw.shown), *times.notes),
        others=tuple(other for other in tracks if other is not track),
        by_decoding=by_decoding and not bare,
        plain=_plain(told, times),
        player_zero=_first_stamp(told, times) - start,
        container=kind,
        pixels=pixels,
        unread=_unread(raw, identity.size, times.times, ends.another),
        broken=ends.broken,
        hidden=_hidden(indexed - len(raw.pts), promised, timeline),
        runs=runs,
    )
    return facts, timeline


def _check_frames(path: Path, track: Track, raw: _Raw, *, timed: bool) -> None:
    """Raise BadInput if a track has no frames, or if neither the file nor the person gives their times."""
    if not raw.shown.any():
        raise BadInput(path, "has no frames", COPY_AGAIN)
    if not timed:
        raise BadInput(
            path,
            f"carries no times: a bare {track.codec} stream, not a recording in a container",
            "give its pictures a second with --fps, or export it as MP4 or MKV",
        )


def _runs(
    path: Path, track: Track, first: Glimpse, aspect: float | None, timeline: Timeline, changes: list[int]
) -> tuple[Run, ...]:
    """Return the recording's runs of pictures of one form, in the view of the first ones; none where all are of one
    form.
    """
    found = runs_of(path, track, first, aspect, np.flatnonzero(timeline.key).tolist(), changes)
    placed = [msgspec.structs.replace(run, first=timeline.shown_from(run.first)) for run in found]
    return tuple(fitted(placed, first.shape.size, 0.0)) if len(placed) > 1 else ()


def _times(told: Packets, shown: Flags, order: Numbers | None) -> Times:
    """Return the times of the packets that show a picture; those before an edit list's beginning show none."""
    if order is not None or shown.all():
        return media_times(told, order)
    kept = np.flatnonzero(shown)
    times = media_times(told._replace(pts=told.pts[kept], dts=told.dts[kept]))
    return times._replace(order=kept[times.order])


def _untold(tracks: list[Track], watched: Track) -> list[Note]:
    others = [str(track) for track in tracks if track is not watched]
    if not others:
        return []
    return [Note(0.0, f"the file holds {len(tracks)} picture tracks: {watched} is watched, {', '.join(others)} not")]


def _left_out(shown: Flags) -> list[Note]:
    left_out = int(np.count_nonzero(~shown))
    return [Note(0.0, f"an edit list of the file leaves out pictures at an edge ({left_out})")] if left_out else []


def _plain(told: Packets, times: Times) -> bool:
    """Tell whether every picture's own stamp less the first one's is its media time, as a player takes it."""
    stamps = told.pts[times.order]
    return bool(np.all(np.abs(stamps - stamps[:1] - times.times) < 0.002))


def _first_stamp(told: Packets, times: Times) -> float:
    first = float(told.pts[times.order[0]])
    return 0.0 if np.isnan(first) else first


class _Raw(NamedTuple):
    """What `Timeline` tells of packets, and which of them show a picture; `ends` is where other tracks end
    (s), `last` the byte at which the last packet ends, `all_packets` how many packets all tracks have. `changes` are
    packets from which on pictures may be of another form."""

    pts: Numbers
    dts: Numbers
    place: Numbers
    size: Numbers
    key: Flags
    needless: Flags
    shown: Flags
    ready: Numbers
    ends: float
    last: int
    all_packets: int
    changes: list[int]


def _packets(container: av.container.InputContainer, stream: Any, beat: Callable[[float], None]) -> _Raw:
    reader = Reader(stream.codec_context.name, stream.codec_context.extradata)
    numbers = [array("q") for _ in range(4)]
    flags = [bytearray() for _ in range(3)]
    ends, last, count = -np.inf, 0, -1
    form, changes, late, packed = b"", list[int](), dict[int, int](), False
    for count, packet in enumerate(demuxed(container)):
        if count % 1000 == 0:
            beat(count / 1000)
        last = max(last, (packet.pos or 0) + packet.size if packet.pos is not None else 0)
        if packet.stream_index != stream.index:
            ends = max(ends, _end_of(packet))
            continue
        stamps = (NO_STAMP if stamp is None else stamp for stamp in (packet.pts, packet.dts))
        place = -1 if packet.pos is None else packet.pos
        for column, value in zip(numbers, (*stamps, place, packet.size), strict=True):
            column.append(value)
        packed = packed or reader.stands_in(memoryview(packet))
        if packet.is_keyframe and (now := _form(packet, reader)) and now != form:
            changes += [len(flags[0])] if form or len(flags[0]) else []
            form = now
        if packet.is_keyframe and (frames := reader.recovery(memoryview(packet))):
            late[len(flags[0])] = frames
        told = (packet.is_keyframe, reader.spare(memoryview(packet)), not packet.is_discard)
        for marks, mark in zip(flags, told, strict=True):
            marks.append(mark)
    whole = [np.array(column, np.int64) for column in numbers]
    marked = [np.frombuffer(bytes(marks), np.bool_) for marks in flags]
    if packed:  # pictures come with the packet after their own: none may be skipped, decoding begins with the file
        marked[0], marked[1] = np.arange(len(marked[0])) == 0, np.zeros_like(marked[1])
    ready = _ready(late, marked[1])
    pts, dts, places, sizes = whole
    key, needless, shown = marked
    return _Raw(pts, dts, places, sizes, key, needless, shown, ready, float(ends), last, count + 1, changes)


def _ready(late: dict[int, int], needless: Flags) -> Numbers:
    """(packets,) What `Timeline.ready` is, of packets after whose beginning so many built-on frames are not whole."""
    ready = np.arange(len(needless), dtype=np.int64)
    for packet, frames in late.items():
        later = np.flatnonzero(~needless[packet + 1 :])
        ready[packet] = packet + 1 + later[frames - 1] if len(later) >= frames else -1
    return ready


def _form(packet: Any, reader: Reader) -> bytes:
    """Return the bytes by which a packet tells the form of the pictures that follow, in itself or beside it."""
    beside = bytes(packet.get_sidedata("new_extradata")) if packet.has_sidedata("new_extradata") else b""
    return beside + reader.form(memoryview(packet))


def _end_of(packet: Any) -> float:
    if packet.pts is None or packet.time_base is None:
        return -np.inf
    return float((packet.pts + (packet.duration or 0)) * packet.time_base)


def _told(path: Path, raw: _Raw, stream: Any, container: str) -> Packets:
    unit = float(stream.time_base)
    pts, dts = seconds(raw.pts, unit), seconds(raw.dts, unit)
    if container == "dhav":
        count, passed = dahua_start(path, raw.place)
        pts[:count], dts[:count] = pts[:count] + passed, dts[:count] + passed
    fell = len(dts) > 1 and not np.any(np.diff(dts) < 0) and bool(np.any(np.diff(pts) < 0))
    reorders = bool(stream.codec_context.has_b_frames) or fell
    wraps = abs(unit - _COUNTED) < 1e-9 and container in ("mpegts", "mpeg")
    if container == "avi":  # it tells when packets are decoded; FFmpeg guesses when they are shown
        return Packets(dts, dts, wraps, reorders)
    if reorders and not np.isnan(pts).any() and not np.any(np.diff(pts) < 0):  # so these are stamps of decoding
        return Packets(pts, pts, wraps, reorders)
    return without_stray_pts(Packets(pts, dts, wraps, reorders))


def order_by_decoding(path: Path, track: Track, packets: int, beat: Callable[[float], None]) -> Numbers:
    """(packets,) The order in which a track's packets are shown, learned by decoding it once.

    A packet of which no picture comes stands behind the one that is decoded before it.
    """
    came: list[int] = []
    with opened(path) as (container, _):
        stream: Any = container.streams[track.index]
        stream.thread_type = "AUTO"
        stream.codec_context.copy_opaque = True
        for number, packet in enumerate(itertools.chain(demuxed(container, stream), [None])):
            if number % 100 == 0:
                beat(number / 100)
            came += _numbers(stream, packet, number)
    return _completed(came, packets)


def _numbers(stream: Any, packet: Any, number: int) -> list[int]:
    """Return the numbers of the packets whose pictures come out when this one is sent."""
    if packet is not None:
        packet.opaque = number
    try:
        return [frame.opaque for frame in stream.codec_context.decode(packet) if isinstance(frame.opaque, int)]
    except av.error.FFmpegError:
        return []


def _completed(came: list[int], packets: int) -> Numbers:
    """Return the order with the packets that gave no picture, each behind the packet that is decoded before it."""
    order = list(dict.fromkeys(came))
    known = set(order)
    for number in range(packets):
        if number not in known:
            order.insert(order.index(number - 1) + 1 if number else 0, number)
    return np.asarray(order, np.int64)


def _hidden(missing: int, promised: float | None, timeline: Timeline) -> float:
    """About how many seconds of pictures an edit list leaves out: `missing` of the index do not come, though what
    comes is as long as the file promises. Where it is shorter, the file is cut off.
    """
    if missing < LOST or (promised or 0.0) - timeline.end > CUT_TOLERANCE:
        return 0.0
    return round(missing * timeline.step, 3)


def _unread(raw: _Raw, size: int, times: Floats, another: int | None) -> float:
    """About how many seconds lie behind the last packet that could be read, as by the bytes before it; 0 for little.

    A second recording that was appended (at byte `another`, where the container tells it), or another program, is read
    by no one: its bytes are all that tells of it.
    """
    tail = size - raw.last
    if another is not None and 0 < raw.last <= another:
        return max(0.001, round((size - another) / raw.last * float(times[-1]), 3))
    if raw.last <= 0 or tail <= max(UNREAD_SHARE * size, INDEX_BYTES * raw.all_packets + 4096):
        return 0.0
    return round(tail / raw.last * float(times[-1]), 3)


def _check_track(path: Path, stream: Any) -> None:
    context = stream.codec_context
    if context is None:
        raise BadInput(path, "there is no decoder for its codec", "convert the recording to H.264")
    if context.width <= 0 or context.height <= 0:
        raise BadInput(path, "its picture has no size: the file is damaged", COPY_AGAIN)


def _promised(path: Path, container: av.container.InputContainer, stream: Any, raw: _Raw) -> float | None:
    """Seconds that the file claims for its pictures, counted from the first of them.

    An index counts them for the track. Where only the whole file's length is claimed, sound that reaches it, or begins
    before the picture, is no missing picture.
    """
    unit = float(stream.time_base)
    stamps = raw.pts[raw.pts != NO_STAMP] if np.any(raw.pts != NO_STAMP) else raw.dts
    first = float(stamps.min() * unit) if len(stamps) else 0.0
    kind = container.format.name
    if kind == "avi":
        return float(stream.frames * unit) if stream.frames else None
    if kind.startswith("matroska"):
        own = _duration_tag(stream.metadata.get("DURATION"))
        return own - first if own is not None else _claimed(container, first, raw.ends)
    if kind in ("flv", "asf"):
        return _headed(head_length(path, kind), first, float(stamps.max(initial=0) * unit), raw.ends)
    if "mp4" in kind and stream.duration:
        return float(stream.duration * unit)
    return None


def _claimed(container: av.container.InputContainer, first: float, others: float) -> float | None:
    """Return the whole file's length after the first picture; None if another track reaches it."""
    if not container.duration:
        return None
    end = container.duration / 1e6 + min(0, container.start_time or 0) / 1e6
    return None if others >= end - CUT_TOLERANCE else end - first


def _headed(length: float | None, first: float, last: float, others: float) -> float | None:
    """Return the length after the first picture, of one that the file's head tells; None if it tells none, or
    another track reaches it.

    It counts from 0, or where the last picture lies behind it, from the first one.
    """
    if length is None:
        return None
    end = length if length > last - CUT_TOLERANCE else first + length
    return None if others >= end - CUT_TOLERANCE else end - first


def _duration_tag(text: str | None) -> float | None:
    """Seconds of Matroska's DURATION of a track, such as 00:00:20.467000000."""
    try:
        hours, minutes, rest = (text or "").split(":")
        return int(hours) * 3600 + int(minutes) * 60 + float(rest)
    except ValueError:
        return None


def _info(path: Path, timeline: Timeline, shape: Shape) -> VideoInfo:
    times = timeline.times
    variable = _varies(times)
    width, height = shape.size
    return VideoInfo(
        name=path_text(path.name),
        sha256=None,
        width=width,
        height=height,
        frames=len(times),
        duration=round(timeline.end, 6),
        fps_nominal=_rate(times, timeline.step, variable),
        variable_frame_rate=variable,
    )


def _rate(times: Floats, step: float, variable: bool) -> float | None:
    """Frames a second: over the whole recording, or of the usual step where the rate varies."""
    if len(times) < 2:
        return None
    return round(1 / step if variable else (len(times) - 1) / float(times[-1] - times[0]), 3)


def _varies(times: Floats) -> bool:
    """Tell whether the steps between frames vary."""
    if len(times) < 2:
        return False
    steps = np.diff(times)
    usual = float(np.median(steps))
    return bool(np.any(np.abs(steps - usual) > max(RATE_TOLERANCE * usual, 0.0015)))
