"""Chips on top of the stacks in held-out photos: whether they were found, and their colours."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from verifier.domain.observations import Observation
from verifier.train.labels import box_quad
from verifier.train.real_pictures.judged import Judged, doubt_figures, how_sure, share

Image = NDArray[np.uint8]
Figures = dict[str, float]
STACK_COLOURS: Final = Path(__file__).with_name("stack_colours.json")
"""Colour of each stack's top chip in the held-out photos, in the order of their boxes, as told by eye; blue is other.

None where a chip's top face hardly shows.
"""


def judge_stacks(image: Image, path: Path, seen: Observation) -> Judged:
    """Stacks on top of which a chip was found: weak, since the boxes go round whole stacks seen from the side."""
    h, w = image.shape[:2]
    labels = path.parent.parent / "labels" / (path.stem + ".txt")
    rows = [line.split() for line in labels.read_text(encoding="utf-8").split("\n") if line.strip()]
    boxes = np.array([[float(v) for v in row[1:5]] for row in rows], np.float64).reshape(-1, 4) * (w, h, w, h)
    topped, told, right, sure = 0, 0, 0, Counter[str]()
    for (x, y, bw, bh), colour in zip(boxes, stack_colours(path, len(boxes)), strict=True):
        near = [c for c in seen.chips if abs(c.center[0] - x) < bw / 2 and y - bh / 2 <= c.center[1] <= y]
        topped += bool(near)
        told += bool(near) and colour is not None
        if near and colour is not None:
            chip = max(near, key=lambda chip: chip.p)
            right += chip.colour == colour
            sure[f"colour {how_sure(chip.colour, chip.colours, colour)}"] += 1
    corners = [box_quad((x - bw / 2, y - bh / 2, x + bw / 2, y + bh / 2)) for x, y, bw, bh in boxes]
    wrong = "" if topped == len(boxes) else f"{topped} of {len(boxes)} stacks"
    counts = Counter({"stacks": len(boxes), "topped": topped, "chips": len(seen.chips), "told": told, "right": right})
    return Judged(counts + sure, corners, wrong)


def stack_colours(path: Path, count: int) -> list[str | None]:
    """Return the colours of a photo's `count` stacks, by its file name; unknown where nobody looked through it."""
    return _told_colours().get(path.name, [None] * count)


@cache
def _told_colours() -> dict[str, list[str | None]]:
    told: dict[str, list[str | None]] = json.loads(STACK_COLOURS.read_text(encoding="utf-8"))
    return told


def stack_figures(n: Counter[str]) -> Figures:
    """Share of the stacks with a chip found in their upper half, with its colour right, and chips for each stack."""
    return {
        "stacks": float(n["stacks"]),
        "stacks with a chip found on top": share(n["topped"], n["stacks"]),
        "colour of that chip": share(n["right"], n["told"]),
        **doubt_figures(n, "colour"),
        "chips for each stack": share(n["chips"], n["stacks"]),
    }
