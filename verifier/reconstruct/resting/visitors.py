"""Which hands came near a place of late, or may have come while nobody looked: nothing comes or goes by itself."""

from __future__ import annotations

from collections import deque

from verifier.reconstruct import parameters as par
from verifier.reconstruct.hands.hands import Cover
from verifier.reconstruct.table.zones import Xy


class Visitors:
    """Hands of the last seconds. Feed `remember` with every frame."""

    def __init__(self) -> None:
        self._covers: deque[tuple[float, Cover]] = deque()

    @property
    def known(self) -> bool:
        """Whether hands are known to this detector."""
        return bool(self._covers)

    def remember(self, t: float, cover: Cover) -> None:
        """Take what hides the table at `t`."""
        if cover.hands or cover.unlooked:
            self._covers.append((t, cover))
        while len(self._covers) > 1 and t - self._covers[0][0] > par.VISITOR_HANDS_S:
            self._covers.popleft()

    def came(self, xy: Xy, since: float, before: float = 0.0) -> bool:
        """Tell whether a hand came near a place after `since`, or so long before; or may have. True where none is
        known.
        """
        return self.first(xy, since, before) is not None

    def first(self, xy: Xy, since: float, before: float = 0.0) -> float | None:
        """When a hand came so, `since` where none is known or nobody looked; None where none came.

        What was seen since nobody looked was not taken then.
        """
        if not self._covers:
            return since
        near = (
            since if cover.unlooked else t
            for t, cover in self._covers
            if (t > since or (t >= since - before and not cover.unlooked)) and cover.near(xy)
        )
        return next(near, None)

    def carried(self, xy: Xy, left: float, bare: float, back: float) -> bool:
        """Tell whether a hand may have taken what was last seen at `left`, its place bare since `bare`, and laid it
        there.

        It shows there again since `back`. What went out of sight and came back in looks that follow closely, with no
        hand near meanwhile, lay there hidden: that nobody looked for a while between tells nothing.
        """
        if not self.came(xy, bare, par.INSTANT_S):
            return False
        known = back - left < par.VISITOR_HANDS_S - 1.0
        since = [(t, cover) for t, cover in self._covers if left - par.VISITOR_BEFORE_S <= t <= back]
        return not known or any(cover.at(xy) or (cover.unlooked and (t <= bare or t == back)) for t, cover in since)
