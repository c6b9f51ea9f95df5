"""Measures how fast a recording is watched: `python benchmarks/vision_speed.py VIDEO [--layout L] [--hz 7.5]`.

Prints, for decoding alone and for the whole of vision: wall time as times real time, processor seconds for a second of
recording, the ratio of the two, the looks taken, and the peak memory of this process.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from verifier.formats.layout import read_layout
from verifier.vision.decode import Decoder
from verifier.vision.eyes import load_eyes
from verifier.vision.observe import HZ, observe
from verifier.vision.probe import probe


def timed(work: Callable[[], int], duration: float) -> dict[str, float]:
    """Runs `work`, which gives a count, on a recording of `duration` seconds."""
    wall, used = time.perf_counter(), time.process_time()
    count = work()
    wall, used = time.perf_counter() - wall, time.process_time() - used
    return {
        "seconds": round(wall, 2),
        "times_real_time": round(duration / wall, 2),
        "cpu_per_media_second": round(used / duration, 4),
        "count": count,
    }


def peak_mib() -> float:
    """Peak resident memory of this process in MiB (Linux counts KiB, macOS bytes)."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / (1 << 20 if sys.platform == "darwin" else 1 << 10), 1)


def measure(video: Path, layout: Path | None, hz: float, models: Path | None, long_side: int | None) -> dict[str, Any]:
    """The figures of one recording; loading the models is not counted."""
    eyes = load_eyes(models, long_side=long_side, faint_hands=True)
    facts = probe(video)
    duration = facts.info.duration or 0.0
    table = read_layout(layout) if layout else None
    decode = timed(lambda: sum(1 for _ in Decoder(facts)), duration)
    watch = timed(lambda: sum(1 for _ in observe(video, table, eyes=eyes, hz=hz)), duration)
    return {
        "video": str(video),
        "size": [facts.info.width, facts.info.height],
        "fps": facts.info.fps_nominal,
        "duration": duration,
        "decode": decode,
        "watch": watch,
        "watch_to_decode": round(watch["seconds"] / max(decode["seconds"], 1e-6), 2),
        "peak_mib": peak_mib(),
    }


def main() -> None:
    """Reads the command line and prints one JSON object a video."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("video", type=Path, nargs="+")
    parser.add_argument("--layout", type=Path, help="default: layout.yaml beside the video, where there is one")
    parser.add_argument("--hz", type=float, default=HZ)
    parser.add_argument("--models", type=Path)
    parser.add_argument("--long-side", type=int, help="long side of the picture that the detector gets, in pixels")
    options = parser.parse_args()
    for video in options.video:
        beside = video.parent / "layout.yaml"
        layout = options.layout or (beside if beside.is_file() else None)
        print(json.dumps(measure(video, layout, options.hz, options.models, options.long_side), indent=1))


if __name__ == "__main__":
    main()
