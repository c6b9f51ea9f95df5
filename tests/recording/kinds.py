"""Recordings as recorders and export programs write them, of numbered pictures at 25 a second."""

from __future__ import annotations

import datetime as dt
import struct
from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
from av.bitstream import BitStreamFilterContext
from numbered import SIZE, picture_at

RATE = 25


def write(
    path: Path,
    codec: str = "libx264",
    count: int = 75,
    *,
    b_frames: int = 0,
    gop: int = 12,
    first: int = 0,
    offset: float = 0.0,
    size: tuple[int, int] = SIZE,
    container: str | None = None,
    stamps: Iterable[int] | None = None,
    draw: Callable[[int, tuple[int, int]], np.ndarray] = picture_at,
    more: dict[str, str] | None = None,
    full: bool | None = None,
) -> Path:
    """A recording of the pictures `first`.. whose stamps begin at `offset` seconds, or are `stamps` (milliseconds).

    `more` are options of the codec; `full` has colours from 0 to 255, False from 16 to 235; None tells neither.
    """
    unit = Fraction(1, RATE) if stamps is None else Fraction(1, 1000)
    ticks = list(range(count)) if stamps is None else list(stamps)
    options = {"output_ts_offset": str(offset)} if offset else {}
    with av.open(str(path), "w", format=container, options=options) as out:
        track = out.add_stream(codec, rate=RATE if stamps is None else 1000)
        track.width, track.height = size
        track.pix_fmt = "yuvj420p" if codec == "mjpeg" else "yuv420p"
        track.codec_context.time_base = unit
        track.codec_context.gop_size, track.codec_context.max_b_frames = gop, b_frames
        track.options = _options(codec, b_frames) | (more or {})
        track.codec_context.color_range = 0 if full is None else 1 + full
        for number, tick in enumerate(ticks, start=first):
            frame = av.VideoFrame.from_ndarray(draw(number, size), "bgr24")
            if full:
                frame = frame.reformat(format="yuv420p", dst_color_range="JPEG")
            frame.pts, frame.time_base = tick, unit
            out.mux(track.encode(frame))
        out.mux(track.encode())
    return path


def scene(number: int, size: tuple[int, int], view: int = 0) -> np.ndarray:
    """A numbered picture of a table that has its own marks in each view, drawn in SIZE and scaled."""
    out, draws = picture_at(number), np.random.default_rng(view)
    for _ in range(40):
        x, y, radius, grey = (int(draws.integers(low, high)) for low, high in ((0, 320), (0, 190), (4, 20), (0, 256)))
        cv2.circle(out, (x, y), radius, (grey, grey, grey), 2)
    return cv2.resize(out, size, interpolation=cv2.INTER_AREA)


def _options(codec: str, b_frames: int) -> dict[str, str]:
    if codec == "libx264":
        return {"preset": "veryfast", "crf": "20", "bf": str(b_frames), "sc_threshold": "0"}
    if codec == "libx265":
        return {"preset": "ultrafast", "x265-params": f"log-level=none:bframes={b_frames}:pools=1"}
    return {} if codec.startswith("lib") else {"qscale": "3", "global_quality": "354"}


def bare(source: Path, target: Path) -> Path:
    """The H.264 or H.265 of a recording, without a container."""
    with av.open(str(source)) as whole:
        track = whole.streams.video[0]
        plain = BitStreamFilterContext(f"{track.codec_context.name}_mp4toannexb", track)
        packets = [packet for packet in whole.demux(track) if packet.size]
        target.write_bytes(b"".join(bytes(one) for packet in packets for one in plain.filter(packet)))
    return target


def remux(source: Path, target: Path, container: str | None = None) -> Path:
    """The same packets in another container."""
    with av.open(str(source)) as whole, av.open(str(target), "w", format=container) as out:
        track = whole.streams.video[0]
        copied = out.add_stream_from_template(track)
        for packet in whole.demux(track):
            if packet.size:
                packet.stream = copied
                out.mux(packet)
    return target


def packed(source: Path, target: Path) -> Path:
    """An AVI of MPEG-4 with B pictures as DivX and Xvid write it: a B picture lies in the packet of the later one that
    it needs, and a packet without a picture stands behind.
    """
    with av.open(str(source)) as whole, av.open(str(target), "w") as out:
        track = whole.streams.video[0]
        copied = out.add_stream_from_template(track)
        kept: list[tuple[bytes, bool]] = []
        held = False  # a picture lies in the packet before its own
        for data, key in [(bytes(one), one.is_keyframe) for one in whole.demux(track) if one.size] + [(b"", False)]:
            if data[data.find(_PICTURE) + 4 :][:1] >= b"\x80":  # a B picture
                kept += [(data, False)] if held else [(kept[-1][0] + data, kept.pop()[1])]
                held = True
                continue
            kept += [(_PICTURE + b"\x5c\x4f", False)] if held else []
            kept += [(data.replace(_PICTURE, _PACKED + _PICTURE, 1), key)] if data else []
            held = False
        for number, (data, key) in enumerate(kept):
            new = av.Packet(data)
            new.pts = new.dts = number
            new.time_base, new.is_keyframe, new.stream = Fraction(1, RATE), key, copied
            out.mux(new)
    return target


_PICTURE = b"\0\0\1\xb6"
_PACKED = b"\0\0\1\xb2DivX503b1393p"
"""User data by which a codec says that it packs B pictures."""


def with_sound(source: Path, target: Path, *, early: float = 0.0, longer: float = 0.0) -> Path:
    """The recording with sound that begins `early` seconds before the picture and goes on `longer` after it."""
    with av.open(str(source)) as whole, av.open(str(target), "w") as out:
        track = whole.streams.video[0]
        copied, sound = out.add_stream_from_template(track), out.add_stream("aac", rate=16000)
        seconds = float(track.duration * track.time_base if track.duration else whole.duration / 1e6)
        for begin in range(0, int(16000 * (seconds + early + longer)), 1024):
            frame = av.AudioFrame.from_ndarray(np.zeros((1, 1024), np.float32), "fltp", "mono")
            frame.sample_rate, frame.pts = 16000, begin
            out.mux(sound.encode(frame))
        out.mux(sound.encode())
        for packet in whole.demux(track):
            if packet.size:
                packet.pts += round(early / packet.time_base)
                packet.dts += round(early / packet.time_base)
                packet.stream = copied
                out.mux(packet)
    return target


def dahua(source: Path, target: Path, into: int = 0) -> Path:
    """An H.264 recording as a Dahua recorder exports it (.dav), `into` milliseconds after a full second."""
    begin, out = dt.datetime(2026, 11, 16, 21, 8, 5), b""
    with av.open(str(source)) as whole:
        track = whole.streams.video[0]
        plain = BitStreamFilterContext("h264_mp4toannexb", track)
        for number, packet in enumerate(p for p in whole.demux(track) if p.size):
            key = packet.is_keyframe
            data = b"".join(bytes(one) for one in plain.filter(packet))
            milliseconds = into + round(number * 1000 / RATE)
            clock = begin + dt.timedelta(milliseconds=milliseconds)
            date = clock.second | clock.minute << 6 | clock.hour << 12 | clock.day << 17 | clock.month << 22
            date |= (clock.year - 2000) << 26
            more = bytes([0x82, 0, 0, 0]) + struct.pack("<HH", *SIZE) + bytes([0x81, 0, 2, RATE])
            length = 24 + len(more) + len(data) + 8
            head = b"DHAV" + bytes([0xFD if key else 0xFC, 0, 0, 0])
            head += struct.pack("<IIIH", number, length, date, milliseconds & 0xFFFF) + bytes([len(more)])
            out += head + bytes([sum(head) & 0xFF]) + more + data + b"dhav" + struct.pack("<I", length)
    target.write_bytes(out)
    return target
