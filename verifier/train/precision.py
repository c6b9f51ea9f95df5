"""Average precision at IoU 0.5: the area under the curve of precision over recall, at all points of the curve.

As COCO judges (Lin et al. 2014), detections are taken surest first, each with the best free truth; one that meets only
what hardly shows is neither right nor wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from verifier.train.matching import MATCH_IOU, Floats, overlaps


@dataclass(slots=True)
class Ranking:
    """Detections of one class over many pictures: probability and whether right; and how many there truly were."""

    said: list[tuple[float, bool]] = field(default_factory=list)
    true: int = 0

    def add(
        self, seen: Sequence[Floats], p: Sequence[float], truth: Sequence[Floats], doubtful: Sequence[Floats] = ()
    ) -> None:
        """Judge the detections of one picture: quads (4, 2) with their probabilities."""
        self.true += len(truth)
        table = overlaps(seen, [*truth, *doubtful])
        free = np.ones(table.shape[1], bool)
        for i in sorted(range(len(seen)), key=lambda index: -p[index]):
            scores = np.where(free[: len(truth)], table[i, : len(truth)], 0.0)
            best = int(scores.argmax()) if len(truth) else -1
            if best >= 0 and scores[best] >= MATCH_IOU:
                free[best] = False
                self.said.append((p[i], True))
            elif not (table[i, len(truth) :] >= MATCH_IOU).any():
                self.said.append((p[i], False))

    def average_precision(self) -> float | None:
        """0..1; None where there is nothing to find."""
        if not self.true:
            return None
        p, right = self.arrays()
        order = np.argsort(-p, kind="stable")
        hits = right[order].cumsum()
        precision = hits / np.arange(1, len(hits) + 1)
        envelope = np.maximum.accumulate(precision[::-1])[::-1]
        return float((envelope * right[order]).sum() / self.true)

    def arrays(self, least: float = 0.0) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Probabilities from `least` up, and 1.0 where right."""
        table = np.array(self.said, dtype=np.float64).reshape(-1, 2)
        table = table[table[:, 0] >= least]
        return table[:, 0], table[:, 1]
