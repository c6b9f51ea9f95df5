"""Scores the finder and the reader of bank notes on single pictures of tables that they never saw.

    python benchmarks/bills.py --count 300

Felts, lights, decks, chips and hands are of the split "test"; the notes are of new designs, or of the plain one, which
no training picture shows. Bills of which less than 30 % shows are not asked for. A bill is found where the middle of
one that was said lies within 25 mm of its own; values and sides are counted where it can be read by definition.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from pathlib import Path

import cv2
import numpy as np

from verifier.domain.observations import BillSeen
from verifier.train.bills.pictures import Photo, readable, unseen
from verifier.vision.bills import BillFinder, InnerView
from verifier.vision.models import BILLS, find_model

FIRST_SEED = 1_000_000
SURE = 0.5
WITHIN_MM = 25.0


def middle(bill: BillSeen) -> np.ndarray:
    """Return the middle of a bill, (2,) pixels."""
    return np.asarray(bill.quad).mean(axis=0)


def compare(photo: Photo, seen: list[BillSeen], counts: Counter[str], off: list[float]) -> None:
    """Add one picture: match each bill said to the nearest true one that is free."""
    view = InnerView.of(photo.layout)
    inside = [i for i, bill in enumerate(photo.bills) if _within(middle(bill), view)]
    free = set(range(len(photo.bills)))
    counts["true"] += len(inside)
    for bill in (one for one in seen if one.p >= SURE):
        away = [(float(np.hypot(*(middle(photo.bills[i]) - middle(bill)))) / photo.layout.scale, i) for i in free]
        counts["said"] += 1
        if not away or min(away)[0] > WITHIN_MM:
            continue
        near, chosen = min(away)
        free.discard(chosen)
        counts["right"] += 1
        counts["found"] += chosen in inside
        off.append(near)
        true = photo.bills[chosen]
        if readable(true, photo.shares[chosen]):
            counts["readable"] += 1
            counts["valued"] += bill.cents is not None
            counts["value"] += bill.cents == true.cents
            counts["faced"] += bill.face is not None
            counts["face"] += bill.face == true.face
        else:
            counts["unreadable"] += 1
            counts["guessed"] += bill.cents is not None and bill.cents != true.cents


def _within(at: np.ndarray, view: InnerView) -> bool:
    x, y = view.to_view[:, :2] @ at + view.to_view[:, 2]
    return bool(0 <= x < view.size[0] and 0 <= y < view.size[1])


def score(finder: BillFinder, count: int, first: int, *, plain: bool) -> dict[str, float | int]:
    """Figures over `count` pictures."""
    counts: Counter[str] = Counter()
    off: list[float] = []
    seconds = 0.0
    for seed in range(first, first + count):
        photo = unseen(seed, plain=plain)
        view = InnerView.of(photo.layout)
        finder.find(photo.image, view)
        start = time.perf_counter()
        seen = finder.find(photo.image, view)
        seconds += time.perf_counter() - start
        compare(photo, seen, counts, off)
    shares = {
        "recall": ("found", "true"),
        "precision": ("right", "said"),
        "value told": ("valued", "readable"),
        "value right where told": ("value", "valued"),
        "side told": ("faced", "readable"),
        "side right where told": ("face", "faced"),
        "wrong value of one that cannot be read": ("guessed", "unreadable"),
    }
    figures: dict[str, float | int] = {name: round(counts[a] / max(1, counts[b]), 4) for name, (a, b) in shares.items()}
    return {
        "bills": counts["true"],
        **figures,
        "place, mm": round(float(np.mean(off or [0])), 2),
        "milliseconds a picture": round(1000 * seconds / count, 2),
    }


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--first-seed", type=int, default=FIRST_SEED)
    parser.add_argument("--models", type=Path)
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    finder = BillFinder(*(find_model(name, arguments.models) for name in BILLS))
    for words, plain in (("new designs", False), ("plain design", True)):
        print(words, json.dumps(score(finder, arguments.count, arguments.first_seed, plain=plain), indent=1))


if __name__ == "__main__":
    main()
