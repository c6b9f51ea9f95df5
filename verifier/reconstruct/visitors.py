"""Which hands came near a place of late, or may have come while nobody looked: nothing comes or goes by itself."""

from __future__ import annotations

from collections import deque

from verifier.reconstruct.hands import Cover, moved
from verifier.reconstruct.zones import Xy

HANDS_SECONDS = 12.0
"""Hands are remembered for this long; an object that comes back sooner, with no hand near meanwhile, had never left."""
UNWATCHED_SECONDS = 0.8
"""Between looks farther apart, with hands that moved meanwhile, one may have taken what lay anywhere."""


class Visitors:
    """Hands of the last seconds. Feed `remember` with every frame."""

    def __init__(self) -> None:
        self._covers: deque[tuple[float, Cover]] = deque()
        self._last: tuple[float, Cover] | None = None
        self._unwatched = -HANDS_SECONDS

    @property
    def known(self) -> bool:
        """Whether hands are known to this detector."""
        return bool(self._covers)

    def remember(self, t: float, cover: Cover) -> None:
        """Takes what hides the table at `t`."""
        if self._last is not None and t - self._last[0] > UNWATCHED_SECONDS and moved(self._last[1].hands, cover.hands):
            self._unwatched = t
        self._last = (t, cover)
        if cover.hands:
            self._covers.append((t, cover))
        while len(self._covers) > 1 and t - self._covers[0][0] > HANDS_SECONDS:
            self._covers.popleft()

    def came(self, xy: Xy, since: float, before: float = 0.0) -> bool:
        """Whether a hand came near a place after `since`, or so long before; or may have. True where none is known."""
        if not self._covers or self._unwatched > since:
            return True
        return any(cover.near(xy) for t, cover in self._covers if t >= since - before)
