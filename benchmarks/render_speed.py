"""Pictures a second on one core: training pictures of each kind with their truth and faults, and recordings' frames.

`python benchmarks/render_speed.py [--tables 12] [--size 640] [--against FOLDER]`; processor time, so that a busy
machine counts less. `--against` names a checkout of another version: both are measured in turn and compared.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import cv2

KINDS = ("performed", "random, card room", "random, of every kind", "training", "recording, 1280x720")
FRAMES = 60


def made(kind: str, seed: int, size: int) -> Iterator[object]:
    """Yield the pictures of one table, or the first frames of one recording."""
    from verifier.simulate.commands import look_and_camera
    from verifier.simulate.perform import perform
    from verifier.simulate.record import pictures
    from verifier.train.pictures import PicturePlan, shots

    plans = {
        "performed": PicturePlan(size=size, performed=1.0),
        "random, card room": PicturePlan(size=size, performed=0.0, wild=0.0),
        "random, of every kind": PicturePlan(size=size, performed=0.0, wild=1.0),
        "training": PicturePlan(size=size),
    }
    if kind in plans:
        yield from shots(seed, plans[kind])
        return
    look, camera = look_and_camera(seed, (1280, 720), "typical", "test")
    yield from islice(pictures(perform(seed, 1), look, camera, 20), FRAMES)


def measure(kind: str, first: int, tables: int, size: int) -> tuple[int, float]:
    """How many pictures of `tables` tables, and the seconds of processor time; one table fills the caches before."""
    for _ in made(kind, 0, size):
        pass
    start = time.process_time()
    count = sum(1 for seed in range(first, first + tables) for _ in made(kind, seed, size))
    return count, time.process_time() - start


def elsewhere(root: Path, kind: str, first: int, tables: int, size: int) -> tuple[int, float]:
    """`measure` in a fresh process with the package of the checkout `root`."""
    command = [sys.executable, __file__, "--only", kind, "--first", str(first), "--tables", str(tables)]
    command += ["--size", str(size)]
    done = subprocess.run(command, env=os.environ | {"PYTHONPATH": str(root)}, check=True, capture_output=True)
    count, seconds = json.loads(done.stdout)
    return int(count), float(seconds)


def compare(roots: list[Path], kind: str, tables: int, size: int) -> None:
    """Print a kind's rate of every version, measured in turn in chunks of a few tables."""
    chunk = max(1, tables // 3)
    sums = [[0, 0.0] for _ in roots]
    for first in range(1, tables + 1, chunk):
        for root, total in zip(roots, sums, strict=True):
            count, seconds = elsewhere(root, kind, first, chunk, size)
            total[0] += count
            total[1] += seconds
    each = [seconds / count * 1000 for count, seconds in sums]
    rates = "  ".join(f"{1000 / ms:6.1f}/s ({ms:5.1f} ms)" for ms in each)
    ratio = f"  {each[-1] / each[0]:4.2f} times as fast" if len(each) > 1 else ""
    print(f"{kind:24} {rates}{ratio}", flush=True)


def main() -> None:
    """Print a table of rates: this version first, then the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=12)
    parser.add_argument("--size", type=int, default=640)
    parser.add_argument("--against", type=Path, help="root of a checkout of another version")
    parser.add_argument("--first", type=int, default=1, help=argparse.SUPPRESS)
    parser.add_argument("--only", choices=KINDS, help="one kind alone; prints its pictures and seconds")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    if options.only:
        print(json.dumps(measure(options.only, options.first, options.tables, options.size)))
        return
    roots = [Path(__file__).resolve().parents[1]] + ([options.against.resolve()] if options.against else [])
    for kind in KINDS:
        compare(roots, kind, options.tables, options.size)


if __name__ == "__main__":
    main()
