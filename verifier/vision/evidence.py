"""Joins several looks at one object into one posterior, without counting similar looks as independent."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Final

import numpy as np

FLOOR: Final = 1e-3
"""A single look never excludes a label more firmly than this."""
WORTH: Final = 2.0
"""All looks together count at most as this many independent ones as good as the best: the same glare, or the hand
over most of the object, misleads each of them."""
ERROR: Final = 0.005
"""Share of objects that are misread for good, however sure the looks are; spread over all labels."""
CLEAR, MOST = 0.9, 0.05
"""Probabilities of a label in a look that contradicts the ones before, and in these."""
LEAST_WEIGHT: Final = 0.5
"""A posterior counts after at least one look of this weight."""


class Evidence:
    """Weighted mean of the looks' log-probabilities, scaled by what the looks are worth together.

    `memory` below 1 lets earlier looks fade with each new one.
    """

    def __init__(self, labels: Sequence[str], memory: float = 1.0) -> None:
        self._labels = tuple(labels)
        self._memory = memory
        self._logs = np.zeros(len(self._labels))
        self._weight = 0.0
        self._posterior: Mapping[str, float] | None = None
        self.looks = 0
        self.best_weight = 0.0

    def add(self, probabilities: Mapping[str, float], weight: float = 1.0) -> None:
        """Add a look; `weight` 0..1 says how far it showed the object."""
        self.looks += 1
        self.best_weight = max(self.best_weight, weight)
        share = weight * weight
        values = [math.log(max(FLOOR, probabilities.get(label, 0.0))) for label in self._labels]
        self._logs = self._logs * self._memory + share * np.asarray(values)
        self._weight = self._weight * self._memory + share
        self._posterior = None

    @property
    def posterior(self) -> Mapping[str, float]:
        """Probability of each label; equal ones before the first look."""
        if self._posterior is None:
            self._posterior = self._weighed()
        return self._posterior

    def _weighed(self) -> dict[str, float]:
        if self._weight <= 0:
            return dict.fromkeys(self._labels, 1 / len(self._labels))
        worth = min(self._weight, math.sqrt(self._weight), WORTH * self.best_weight**2)
        scaled = self._logs / self._weight * worth
        powers = np.exp(scaled - scaled.max())
        shares = (1 - ERROR) * powers / powers.sum() + ERROR / len(self._labels)
        return dict(zip(self._labels, map(float, shares), strict=True))

    def top(self, least: float) -> str | None:
        """Return the likeliest label, None if it is below `least` or no look showed enough."""
        if self.best_weight < LEAST_WEIGHT:
            return None
        label, p = max(self.posterior.items(), key=lambda item: item[1])
        return label if p >= least else None

    def contradicted_by(
        self,
        probabilities: Mapping[str, float],
        weight: float,
        *,
        clear: float = CLEAR,
        most: float = MOST,
        together: Sequence[Collection[str]] = (),
    ) -> bool:
        """Tell whether a clear look shows another label than the clear looks before: then it is another object.

        Clear is one whose label has at least the probability `clear`, and so far at most `most`. The labels of each of
        `together` also count as one: a card surely black is no red one, though its suit be in doubt.
        """
        if weight < 0.8 or self.best_weight < 0.8:
            return False
        so_far = self.posterior
        groups: tuple[Collection[str], ...] = (*((label,) for label in self._labels), *together)
        return any(_share(probabilities, group) >= clear and _share(so_far, group) < most for group in groups)


def _share(probabilities: Mapping[str, float], labels: Collection[str]) -> float:
    return sum(probabilities.get(label, 0.0) for label in labels)
