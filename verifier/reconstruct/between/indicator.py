"""The indicator card: put in before the shoe is loaded, laid beside the shoe as it comes out (99-01.3-08-08(2)).

While it lies there it is seen. What hands tell of it stands in `handled`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from verifier.domain.events import AnyEvent, IndicatorCard, Shuffle
from verifier.reconstruct import parameters as par
from verifier.reconstruct.scene import Drafts, event
from verifier.reconstruct.table.zones import Xy, distance


@dataclass
class _Lying:
    """A cut card that lies at `xy`: last look without it, first and last with it, and how many."""

    xy: Xy
    before: float
    first: float
    last: float
    looks: int = 1


class CutCards:
    """Follows the cut cards that lie beside the shoe."""

    def __init__(self) -> None:
        self._lying: list[_Lying] = []
        self._bare = 0.0
        """The last look that showed none."""

    def add(self, t: float, seen: tuple[Xy, ...] | None) -> None:
        """Take a look at `t`; None where nobody looked for them."""
        for xy in seen or ():
            for one in self._lying:
                if distance(one.xy, xy) < par.INDICATOR_LIES_MM and t - one.last < par.INDICATOR_AWAY_S:
                    one.xy, one.last, one.looks = xy, t, one.looks + 1
                    break
            else:
                self._lying.append(_Lying(xy, self._bare, t, t))
        if seen == ():
            self._bare = t

    def forget_before(self, t: float) -> None:
        """Drop what was not seen again for long by `t`."""
        self._lying = [one for one in self._lying if one.last > t - par.INDICATOR_AWAY_S]

    def appeared(self, since: float, until: float) -> Drafts:
        """Return the indicator card that came out from `since` on and stayed, once; what lay there before is none.

        Later looks are kept for a round that may have begun.
        """
        came = [one for one in self._lying if since <= one.first <= until and one.looks >= par.SURE_LOOKS]
        lay = [one for one in self._lying if one.first < since and one.last > until - par.INDICATOR_AWAY_S]
        self.forget_before(until)
        for one in came[:1] if not lay else ():
            begun = max(since, one.before)
            return [event(IndicatorCard, begun, one.first, par.INDICATOR_P, action="appeared", cards_remaining=None)]
        return []


def without_needless(events: Iterable[AnyEvent]) -> list[AnyEvent]:
    """Return a log, in order, without a second record that the card appeared, where it was seen since the last
    shuffle.
    """
    kept: list[AnyEvent] = []
    seen = False
    for one in events:
        if isinstance(one, IndicatorCard) and one.action == "appeared":
            if seen:
                continue
            seen = not one.weak
        seen = seen and not isinstance(one, Shuffle)
        kept.append(one)
    return kept
