"""Times a mixed night and says what it means for more tables: `python benchmarks/night.py OUT [--minutes 15]`.

Makes (once) the recording of `vision_recording.py` in 1080p, so many minutes long, lays it out as eight recordings of
eight tables (each with a hash of its own), puts a corrupt, a truncated and a dark one beside them, and runs `verifier
batch` on them with two workers. Prints seconds of recording for a second on the wall, how busy the cores were, the
memory of the largest process, and the capacity that follows. For the targets (two hours of recordings) use 15 minutes
on a machine that does nothing else.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import av
import numpy as np
from vision_recording import main as make_recording

RECORDINGS: Final = 8
NIGHT_H: Final = 10.0
"""Hours of a night in which recordings are reviewed."""


def make_night(folder: Path, minutes: float) -> None:
    """The recordings: one is made, the others are it again with another hash, and the damaged ones."""
    first = folder / "first"
    if not (first / "video.mp4").exists():
        sys.argv = ["vision_recording", str(first), "--seconds", str(minutes * 60), "--rounds", "2"]
        make_recording()
    for number in range(RECORDINGS):
        table = folder / "recordings" / f"table{number}"
        table.mkdir(parents=True, exist_ok=True)
        shutil.copy(first / "layout.yaml", table)
        (table / "house.yaml").write_text("{video_surveillance: present}\n")
        data = (first / "video.mp4").read_bytes()
        (table / "video.mp4").write_bytes(data + b"\0\0\0\x10free" + f"{number:8d}".encode())
    damaged = folder / "recordings" / "table0"
    (damaged / "corrupt.mp4").write_bytes(os.urandom(1 << 20))
    data = (first / "video.mp4").read_bytes()
    (damaged / "truncated.mp4").write_bytes(data[: len(data) // 2])
    make_dark(damaged / "dark.mp4", (1920, 1080), 60)


def make_dark(path: Path, size: tuple[int, int], seconds: int) -> None:
    """A recording of a dark picture."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=10)
        stream.width, stream.height, stream.pix_fmt = *size, "yuv420p"
        for _ in range(seconds * 10):
            container.mux(stream.encode(av.VideoFrame.from_ndarray(np.zeros((*size[::-1], 3), np.uint8), "bgr24")))
        container.mux(stream.encode())


def capacity(pace: float) -> None:
    """What a pace (seconds of recording for a second of two cores) means, if cores do not hinder each other."""
    for name, cores in (("one 2-core computer", 2), ("16 cores", 16), ("four nodes of 16 cores", 64)):
        hours = pace / 2 * cores * NIGHT_H
        print(f"{name:24} {hours:8.0f} table-hours in a night of {NIGHT_H:.0f} h")
    print(f"300 tables x 12 h need {300 * 12 / (pace / 2 * NIGHT_H):.0f} cores")


def main() -> None:
    """Makes the night, runs it and prints what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--minutes", type=float, default=15.0)
    options = parser.parse_args()
    make_night(options.out, options.minutes)
    home = options.out / "home"
    shutil.rmtree(home, ignore_errors=True)
    command = [
        sys.executable,
        "-m",
        "verifier.cli",
        "batch",
        str(options.out / "recordings"),
        "--workers",
        "2",
        "--json",
    ]
    began = time.perf_counter()
    done = subprocess.run(command, env={**os.environ, "VERIFIER_HOME": str(home)}, check=False)
    wall = time.perf_counter() - began
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    recorded = RECORDINGS * options.minutes * 60
    print(f"exit code {done.returncode}: {recorded / 3600:.2f} h in {wall / 60:.1f} min", end=", ")
    print(f"{recorded / wall:.1f} times real time")
    print(f"cores busy {(used.ru_utime + used.ru_stime) / (2 * wall):.0%}, largest process {used.ru_maxrss >> 10} MiB")
    capacity(recorded / wall)


if __name__ == "__main__":
    main()
