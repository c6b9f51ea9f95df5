"""Training pictures a second on one core: renders tables of each kind with their truth and prints the rates.

`python benchmarks/render_speed.py [--tables 12] [--size 640]`; processor time, so that a busy machine counts less.
"""

from __future__ import annotations

import argparse
import time

import cv2

from verifier.train.pictures import PicturePlan, shots

KINDS = {
    "performed": (1.0, 0.0),
    "random, card room": (0.0, 0.0),
    "random, of every kind": (0.0, 1.0),
    "training": (None, None),
}


def rate(tables: int, plan: PicturePlan) -> float:
    """Pictures a second of processor time, the first table (filling of caches) left out."""
    for _ in shots(0, plan):
        pass
    start = time.process_time()
    count = sum(1 for seed in range(1, tables + 1) for _ in shots(seed, plan))
    return count / (time.process_time() - start)


def main() -> None:
    """Prints a table of rates."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=12)
    parser.add_argument("--size", type=int, default=640)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    for name, (performed, wild) in KINDS.items():
        usual = PicturePlan(size=options.size)
        plan = (
            usual
            if performed is None or wild is None
            else PicturePlan(size=options.size, performed=performed, wild=wild)
        )
        print(f"{name:24} {rate(options.tables, plan):6.1f} pictures/s at {options.size} px")


if __name__ == "__main__":
    main()
