"""The indicator card: put in before the shoe is loaded, laid beside the shoe as it comes out (99-01.3-08-08(2)).

While it lies there it is seen. How it is put in the hands tell, and where nobody looks for cut cards, that one takes it
away before the cards are fetched.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from verifier.domain.events import AnyEvent, IndicatorCard, Shuffle
from verifier.reconstruct import parameters as par
from verifier.reconstruct.scene import Between, Drafts, event
from verifier.reconstruct.table.detections import HandDetection
from verifier.reconstruct.table.zones import Xy, bounds, box_distance, centre_of, distance


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


def appeared(between: Between, shuffle: Shuffle) -> Drafts:
    """Return that the card is taken from beside the shoe before a reshuffle; else a doubtful record, so that nobody is
    accused.
    """
    if not between.played:
        return []
    t = _taken(between, shuffle.t_start)
    if t is not None:
        return [event(IndicatorCard, t, t, par.INDICATOR_TAKEN_P, action="appeared", cards_remaining=None)]
    t = shuffle.t_start
    return [event(IndicatorCard, t, t, par.INDICATOR_PERHAPS_P, action="appeared", cards_remaining=None, occluded=True)]


def _taken(between: Between, until: float) -> float | None:
    """When a hand of the dealer's came to beside the shoe and turned back there, before it came for the cards."""
    shoe = between.table.zones.get("shoe")
    if shoe is None:
        return None
    box, found = bounds(shoe), list[float]()
    for side in ("left", "right"):
        hands = [hand for hand in between.hands.between(between.start, until, "dealer") if hand.side == side]
        gaps = [(box_distance(hand.tip, box), hand.t) for hand in hands]
        dwells = [list(run) for near, run in groupby(gaps, key=lambda gap: gap[0] <= par.INDICATOR_FAR_MM) if near]
        nearest = [min(run) for run in dwells if run[0] != gaps[0] and run[-1] != gaps[-1]]
        fetched = [t for gap, t in nearest if gap <= par.INDICATOR_IN_SHOE_MM]
        found += [
            t
            for gap, t in nearest
            if par.INDICATOR_BESIDE_MM[0] <= gap <= par.INDICATOR_BESIDE_MM[1]
            and any(t < later <= t + par.INDICATOR_FETCHED_S for later in fetched)
        ]
    return max(found, default=None)


def inserted(between: Between, shuffle: Shuffle, cut: float) -> Drafts:
    """Return that a hand of the dealer's leaves the cut stack and comes back to it before the stack goes to the
    shoe.
    """
    hands = list(between.hands.between(max(cut, shuffle.t_end), min(between.end, cut + par.SHOE_LOADED_S), "dealer"))
    loaded = next((hand.t for hand in hands if between.table.near(hand.tip, "shoe", par.INDICATOR_SHOE_MM)), None)
    stack = _stack(between, shuffle, cut)
    if loaded is None or stack is None:
        return []
    right = [hand for hand in hands if hand.t < loaded and hand.side == "right"]
    back = _came_back(right, stack)
    if back is None:
        return []
    return [
        event(
            IndicatorCard,
            back - par.INDICATOR_INSERTING_S,
            back,
            par.INDICATOR_INSERTED_P,
            action="inserted",
            cards_remaining=None,
        )
    ]


def _stack(between: Between, shuffle: Shuffle, cut: float) -> Xy | None:
    """Where the stack lies in the inner area before it is loaded."""
    inner = [back for back in between.backs if between.table.within(back.xy, "inner")]
    late = [back.xy for back in inner if cut < back.t < cut + par.SHOE_LOADED_S]
    mixed = [back.xy for back in inner if shuffle.t_start <= back.t <= shuffle.t_end]
    return centre_of(late or mixed) if late or mixed else None


def _came_back(hands: list[HandDetection], stack: Xy) -> float | None:
    """Return the last time at which a hand was at the stack that had been away from it before."""
    away = next((hand.t for hand in hands if distance(hand.tip, stack) > par.INDICATOR_AWAY_MM), None)
    at = [
        hand.t
        for hand in hands
        if away is not None and hand.t > away and distance(hand.tip, stack) < par.INDICATOR_AT_MM
    ]
    return at[-1] if at else None
