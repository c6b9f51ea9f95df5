"""Makes a mixed night for `night.py`: eight recordings of eight tables, 720p and 1080p, three of them damaged.

Five are whole, one has a stretch of noise in its middle, one is cut off after three fifths, one shows a dark picture.
To be cheap, none is rendered at full length: the sample recordings (1280 x 720, 15 frames a second) and one of
`vision_recording.py` (1920 x 1080, 30 frames a second, 180 s) are repeated end to end without encoding anew, so that
each round comes again and again, and findings are more frequent than at a real table. The software remembers nothing
of a picture, so that a repeated one costs what the first did.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import av
import numpy as np

ROOT: Final = Path(__file__).parents[1]
SAMPLES: Final = ROOT / "sample_videos"
HD: Final = "1080p"
DARK: Final = "table7"
DARK_S: Final = 30
NOISE: Final = 1 << 21
"""Bytes of noise in the damaged recording."""


def make_night(folder: Path, minutes: float) -> float:
    """Write the recordings of so many minutes each below `folder`/recordings; give their seconds together."""
    sources = [SAMPLES / "clean", SAMPLES / "clean", SAMPLES / "flagged", _hd(folder), _hd(folder)]
    seconds = minutes * 60
    whole = sum(make_table(folder, number, source, seconds) for number, source in enumerate(sources))
    noisy = make_table(folder, 5, SAMPLES / "clean", seconds)
    _spoil(folder / "recordings" / "table5" / "video.mp4")
    cut = make_table(folder, 6, _hd(folder), seconds, ".mkv")
    _cut_off(folder / "recordings" / "table6" / "video.mkv")
    return whole + noisy + cut * 3 / 5 + make_dark(folder, 7, seconds / 2)


def make_short(folder: Path, seconds: float) -> Path:
    """Return the folder of two recordings of at least so many seconds, 720p and 1080p; make them unless there."""
    short = folder / "short"
    if not short.exists():
        for number, source in enumerate((SAMPLES / "clean", _hd(folder))):
            make_table(short, number, source, seconds)
    return short / "recordings"


def make_table(folder: Path, number: int, source: Path, seconds: float, ending: str = ".mp4") -> float:
    """Make a table's recording: that of `source`, repeated; give its seconds."""
    table = folder / "recordings" / f"table{number}"
    table.mkdir(parents=True, exist_ok=True)
    shutil.copy(source / "layout.yaml", table)
    (table / "house.yaml").write_text("{video_surveillance: present}\n")
    if (source / "house.yaml").exists():
        shutil.copy(source / "house.yaml", table)
    made = repeat(source / "video.mp4", table / f"video{ending}", seconds)
    with (table / f"video{ending}").open("ab") as stream:  # a hash of its own
        stream.write(b"\0\0\0\x10free" + f"{number:8d}".encode() if ending == ".mp4" else b"")
    return made


def repeat(source: Path, target: Path, seconds: float) -> float:
    """Write the video of `source` again and again, packet by packet, for at least so many seconds; give how many."""
    packets, step, length = _packets(source)
    with av.open(str(source)) as given, av.open(str(target), "w") as container:
        stream = container.add_stream_from_template(given.streams.video[0])
        for turn in range(int(np.ceil(seconds / float(length * step)))):
            for data, pts, dts, key in packets:
                packet = av.Packet(data)
                packet.pts, packet.dts, packet.time_base = pts + turn * length, dts + turn * length, step
                packet.is_keyframe, packet.stream = key, stream
                container.mux(packet)
    return float((turn + 1) * length * step)


def _packets(source: Path) -> tuple[list[tuple[bytes, int, int, bool]], Any, int]:
    """Return the packets (data, pts, dts, whether a key frame), their time base, and the video's length in it."""
    with av.open(str(source)) as given:
        stream: Any = given.streams.video[0]
        packets = [(bytes(p), p.pts, int(p.dts or 0), p.is_keyframe) for p in given.demux(stream) if p.pts is not None]
        frame = round(1 / (stream.average_rate * stream.time_base))
        return packets, stream.time_base, max(pts for _, pts, _, _ in packets) + frame


def make_dark(folder: Path, number: int, seconds: float) -> float:
    """Make a table whose camera shows a dark picture; give the recording's seconds."""
    short = folder / "dark"
    if not (short / "video.mp4").exists():
        short.mkdir(parents=True, exist_ok=True)
        shutil.copy(_hd(folder) / "layout.yaml", short)
        black = np.zeros((1080, 1920, 3), np.uint8)
        with av.open(str(short / "video.mp4"), "w") as container:
            stream = container.add_stream("libx264", rate=30)
            stream.width, stream.height, stream.pix_fmt = 1920, 1080, "yuv420p"
            for _ in range(DARK_S * 30):
                container.mux(stream.encode(av.VideoFrame.from_ndarray(black, "bgr24")))
            container.mux(stream.encode())
    return make_table(folder, number, short, seconds)


def _spoil(path: Path) -> None:
    with path.open("r+b") as stream:
        stream.seek(path.stat().st_size // 2)
        stream.write(random.Random(8).randbytes(NOISE))


def _cut_off(path: Path) -> None:
    os.truncate(path, path.stat().st_size * 3 // 5)


def _hd(folder: Path) -> Path:
    """Return the recording in 1080p; render it once."""
    made = folder / HD
    if not (made / "video.mp4").exists():
        subprocess.run([sys.executable, str(ROOT / "benchmarks" / "vision_recording.py"), str(made)], check=True)
    return made
