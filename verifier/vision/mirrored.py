"""Looks at a picture as it is and in the mirror: what both looks find is surer, what one alone finds is less so."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from verifier.recording.decode import Picture
from verifier.vision.detection import HAND, MIN_P, Detection, Finder, K
from verifier.vision.geometry import Bounds, Floats, likeness

ALIKE: Final = 0.5
"""Probabilistic IoU from which what two looks found is one object."""
UNSEEN: Final = math.log(0.08 / 0.92)
"""Log-odds that a look gives to what it did not find."""
CERTAIN: Final = 1e-6


@dataclass(frozen=True, slots=True)
class BothWays:
    """A finder of which each look at a single picture is two."""

    finder: Finder

    def stream(
        self, pictures: Iterable[tuple[K, Picture, Sequence[Bounds]]], long_side: int | None = None
    ) -> Iterator[tuple[K, list[Detection]]]:
        """As the finder itself: a recording shows its objects often enough."""
        return self.finder.stream(pictures, long_side)

    def detect(self, picture: Picture, long_side: int | None = None) -> list[Detection]:
        """Return the detections of one picture (h, w, 3) that both looks together tell, best first."""
        plain = self.finder.detect(picture, long_side)
        turned = self.finder.detect(np.ascontiguousarray(picture[:, ::-1]), long_side)
        return together(plain, [mirrored(d, picture.shape[1]) for d in turned])


def mirrored(found: Detection, width: int) -> Detection:
    """Return a detection of a mirrored picture, `width` pixels wide, where it lies in the picture itself."""
    x, y, w, h, angle = found.box.tolist()
    return replace(found, box=np.array([width - x, y, w, h, -angle], np.float32))


def together(one: Sequence[Detection], other: Sequence[Detection]) -> list[Detection]:
    """Return what two looks at a picture found. Each object has the probability of the looks' mean log-odds. Best
    first.
    """
    pairs = _pairs(one, other)
    both = [_joined(one[i], other[j]) for i, j in pairs.items()]
    alone = [d for i, d in enumerate(one) if i not in pairs]
    alone += [d for j, d in enumerate(other) if j not in pairs.values()]
    found = [*both, *(replace(d, p=_probability((_odds(d.p) + UNSEEN) / 2)) for d in alone)]
    return sorted((d for d in found if d.p >= MIN_P), key=lambda d: -d.p)


def _pairs(one: Sequence[Detection], other: Sequence[Detection]) -> dict[int, int]:
    """Which of the one are which of the other, the most alike first."""
    if not one or not other:
        return {}
    table = likeness(np.stack([d.box for d in one]), np.stack([d.box for d in other]))
    family = [[d.kind.split("_")[0] for d in found] for found in (one, other)]
    table[np.array(family[0])[:, None] != np.array(family[1])[None]] = 0.0
    pairs: dict[int, int] = {}
    for flat in np.argsort(-table, axis=None, kind="stable"):
        i, j = divmod(int(flat), len(other))
        if table[i, j] < ALIKE:
            break
        if i not in pairs and j not in pairs.values():
            pairs[i] = j
    return pairs


def _joined(one: Detection, other: Detection) -> Detection:
    """Return the surer of two detections with the probability of both; a hand's box lies between theirs."""
    best = one if one.p >= other.p else other
    p = _probability((_odds(one.p) + _odds(other.p)) / 2)
    return replace(best, p=p, box=_between(one, other) if best.kind == HAND else best.box)


def _between(one: Detection, other: Detection) -> Floats:
    """Return the mean of two upright boxes, the surer one counting more."""
    share = one.p / (one.p + other.p)
    x0, y0, x1, y1 = share * np.array(one.upright) + (1 - share) * np.array(other.upright)
    return np.array([(x0 + x1) / 2, (y0 + y1) / 2, x1 - x0, y1 - y0, 0.0], np.float32)


def _odds(p: float) -> float:
    p = min(max(p, CERTAIN), 1 - CERTAIN)
    return math.log(p / (1 - p))


def _probability(odds: float) -> float:
    return 1 / (1 + math.exp(-odds))
