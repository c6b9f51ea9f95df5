"""Acts between rounds, read by what each leaves to be seen: one reader of the declarations (`declared`).

An act is declared by its traces: looks at a hand or a card at a fixture, in a time beside the act's own. Each trace
adds log odds by the number of its looks.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from verifier.reconstruct import parameters as par
from verifier.reconstruct.scene import Between
from verifier.reconstruct.table.detections import HandDetection
from verifier.reconstruct.table.runs import runs_of
from verifier.reconstruct.table.zones import Xy, distance

Places = Mapping[str, Xy]
"""Points of the table (mm) at which an act leaves a trace, beside the layout's fixtures."""


class Trace(NamedTuple):
    """Looks at what an act leaves, no farther than `mm` from the fixtures `at` which it is, and no nearer than `least`.

    `of` is `hand`, `dealer` or `player` (whose hand, with its side: `dealer right`; `dealer only`: no other hand of the
    dealer's has its side in that look), `back` (a card face down) or `carried` (one under a hand of the dealer's);
    without a fixture, anywhere. They count from `since` to `until` (s) after the first look at the act's core, those at
    the fixture `off` do not.
    """

    of: str
    at: tuple[str, ...] = ()
    mm: float = math.inf
    least: float = -math.inf
    since: float = 0.0
    until: float = 0.0
    off: str = ""


class Act(NamedTuple):
    """An act: what shows it itself (`core`, the surest first), the traces that go with it, and what they tell.

    `odds` has a row for each trace: the log odds that no look at it adds, that one does, that two do, and so on; more
    looks than the row has add what its last does. Looks at a core that lie no farther apart than `apart_s` are of one
    act. It begins with the first look at the traces that `begins` names, or `takes_s` before its core shows.
    """

    core: Mapping[str, Trace]
    odds: Mapping[str, Sequence[float]]
    traces: Mapping[str, Trace] = {}
    apart_s: float = par.RUN_GAP_S
    begins: tuple[str, ...] = ()
    takes_s: float = 0.0


class Reading(NamedTuple):
    """What may be an act: its core shows from `t0` to `t1` (s), it began at `begun`, and these are its looks by
    trace.
    """

    t0: float
    t1: float
    begun: float
    p: float
    seen: Mapping[str, Sequence[float]]


def readings(act: Act, between: Between, since: float, until: float, places: Places | None = None) -> list[Reading]:
    """Return what may be such acts in [since, until], in order of time.

    What a less sure core shows at the time of an act that a surer one tells of is the same act.
    """
    found: list[Reading] = []
    for trace in act.core.values():
        for t0, t1, _ in runs_of(looks(between, trace, since, until, places), act.apart_s):
            if not any(one.t0 - act.apart_s <= t1 and t0 <= one.t1 + act.apart_s for one in found):
                found.append(_reading(act, between, since, t0, t1, places))
    return sorted(found, key=lambda one: one.t0)


def told(act: Act, between: Between, since: float, until: float, places: Places | None = None) -> list[Reading]:
    """Return the acts in [since, until] that are likelier than not, in order of time."""
    return [one for one in readings(act, between, since, until, places) if one.p >= 0.5]


def looks(between: Between, trace: Trace, since: float, until: float, places: Places | None = None) -> list[float]:
    """Return the times of the looks in [since, until] that show a trace, in order, each once."""

    def shows(ends: tuple[Xy, ...]) -> bool:
        gaps = [_gap(between, ends, place, places) for place in trace.at]
        off = not trace.off or _gap(between, ends, trace.off, places) > par.FIXTURE_MM
        return off and (not gaps or any(trace.least <= gap <= trace.mm for gap in gaps))

    return sorted({t for t, ends in _seen(between, trace.of, since, until) if shows(ends)})


def chance(odds: float) -> float:
    """Return the probability of log odds, no surer than the best that looks tell."""
    return round(min(par.BEST_P, 1.0 / (1.0 + math.exp(-odds))), 3)


def _reading(act: Act, between: Between, since: float, t0: float, t1: float, places: Places | None) -> Reading:
    """Return the reading of an act whose core shows from `t0` to `t1`; nothing is looked for before `since`."""
    seen = {name: looks(between, trace, t0, t1, places) for name, trace in act.core.items()}
    for name, trace in act.traces.items():
        seen[name] = looks(between, trace, max(since, t0 + trace.since), t0 + trace.until, places)
    odds = sum(row[min(len(seen[name]), len(row) - 1)] for name, row in act.odds.items())
    begun = next((seen[name][0] for name in act.begins if seen[name]), t0 - act.takes_s)
    return Reading(t0, t1, begun, chance(odds), seen)


def _seen(between: Between, of: str, since: float, until: float) -> Iterator[tuple[float, tuple[Xy, ...]]]:
    """Yield the looks at such hands or cards: when, and the points by which one is at a fixture."""
    if of in ("back", "carried"):
        for back in between.backs:
            if since <= back.t <= until and (of == "back" or _carried(between, back.t, back.xy)):
                yield back.t, (back.xy,)
    else:
        owner, _, side = of.partition(" ")
        for hand in between.hands.between(since, until, None if owner == "hand" else owner):
            if side in ("", hand.side) or (side == "only" and _only(between, hand)):
                yield hand.t, (hand.tip, hand.xy)


def _only(between: Between, hand: HandDetection) -> bool:
    """Tell whether no other hand of the same owner has its side in that look: what passes for a hand makes a third."""
    return sum(other.side == hand.side for other in between.hands.between(hand.t, hand.t, hand.owner)) == 1


def _gap(between: Between, ends: Sequence[Xy], place: str, places: Places | None) -> float:
    """Return how far something is from a place (mm): a hand as far as its tip, or at it where its middle lies in it."""
    if places is not None and place in places:
        return distance(ends[0], places[place])
    gap = between.table.gap(ends[0], place)
    return min(gap, 0.0) if between.table.within(ends[-1], place) else gap


def _carried(between: Between, t: float, xy: Xy) -> bool:
    """Tell whether a hand of the dealer's may hold a card: print, players' chips and sleeves pass for backs
    elsewhere.
    """
    hands = between.hands.between(t - par.INSTANT_S, t + par.INSTANT_S, "dealer")
    return not between.hands.known or any(hand.over(xy, par.BURN_HELD_MM) for hand in hands)
