"""Whose hand it is, decided over its path: a reader errs for single frames, above all on closed hands.

A player's hand comes over the rim and lies outside of what it reaches for; a dealer's comes from the table's middle,
and no player's lies on the dealer's side of the inner area. A dealer has two hands, one of each side: a third one that
reads as a player's is, and of a second one of a side nobody knows which it is.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from msgspec.structs import replace

from verifier.reconstruct import parameters as par
from verifier.reconstruct.table.detections import Body, HandDetection, far_end
from verifier.reconstruct.table.runs import nearest_first
from verifier.reconstruct.table.zones import TableMap, centre_of, distance


@dataclass
class _Path:
    """Detections of one hand, as (frame, place in the frame), with the side decided for each."""

    at: list[tuple[int, int]] = field(default_factory=list)
    hands: list[HandDetection] = field(default_factory=list)
    owner: str = "dealer"
    sides: list[str] = field(default_factory=list)

    @property
    def last(self) -> HandDetection:
        return self.hands[-1]

    def score(self, table: TableMap) -> float:
        """Log odds of a player's hand: its mean reading, where its path begins and ends, and how deep it lies."""
        return _reading(self.hands) + _end(self.hands, table) + _end(self.hands[::-1], table) - _deep(self.hands, table)


def with_owners(
    frames: Sequence[Sequence[HandDetection]], table: TableMap, body: Body
) -> list[tuple[HandDetection, ...]]:
    """Return the frames' hands (in order of time) with their owners decided, and fingertips and elbows to match."""
    result = [list(hands) for hands in frames]
    paths = [part for path in _paths(frames) for part in _parts(path)]
    for path in paths:
        path.owner = "player" if path.score(table) > 0 else "dealer"
        path.sides = _sides(path.hands)
    for path in _third_hands(paths):
        path.owner = "player"
    looks = sorted(
        (
            (hand.t, side, path)
            for path in paths
            if path.owner == "dealer" and len(path.at) >= par.SURE_LOOKS
            for hand, side in zip(path.hands, path.sides, strict=True)
        ),
        key=lambda look: look[0],
    )
    times = [t for t, _, _ in looks]
    for path in paths:
        sides = path.sides if path.owner == "player" else _told_apart(path, looks, times)
        for (i, j), side in zip(path.at, sides, strict=True):
            hand = result[i][j]
            if (hand.owner, hand.side) != (path.owner, side):
                elbow = body.elbow(path.owner, side, hand.xy)
                tip = hand.touch or far_end(hand.box, hand.xy, elbow)
                result[i][j] = replace(hand, owner=path.owner, side=side, elbow=elbow, tip=tip)
    return [tuple(hands) for hands in result]


def _third_hands(paths: Sequence[_Path]) -> list[_Path]:
    """Paths that read as a player's and pass for the dealer's, while both of the dealer's hands are seen elsewhere."""
    dealers = [path for path in paths if path.owner == "dealer"]
    sure = Counter(i for path in dealers if _reading(path.hands) <= -par.OWNER_AGREED for i, _ in path.at)
    return [
        path
        for path in dealers
        if _reading(path.hands) >= par.OWNER_AGREED and 2 * sum(sure[i] >= 2 for i, _ in path.at) >= len(path.at)
    ]


def _told_apart(path: _Path, looks: Sequence[tuple[float, str, _Path]], times: Sequence[float]) -> list[str]:
    """Return the sides of a dealer's hand, unknown where another of that side was about, by the `looks` at dealers'
    hands.

    It was seen shortly before and after, as this one was too. `times` are those of the looks.
    """
    first, last = path.hands[0].t, path.last.t
    sides = []
    for hand, side in zip(path.hands, path.sides, strict=True):
        since, until = max(first, hand.t - par.OWNER_SIDE_S), min(last, hand.t + par.OWNER_SIDE_S)
        about = [
            t
            for t, other, theirs in looks[bisect_left(times, since) : bisect_right(times, until)]
            if other == side and theirs is not path
        ]
        sides.append("unknown" if about and about[0] <= hand.t <= about[-1] else side)
    return sides


def _sides(hands: Sequence[HandDetection]) -> list[str]:
    """For each detection of a path the side that most about it name."""
    times = [hand.t for hand in hands]
    reach = par.OWNER_SIDE_S + par.ROUNDING
    about = [(bisect_left(times, t - reach), bisect_right(times, t + reach)) for t in times]
    return [_side(hands[a:b], t) for (a, b), t in zip(about, times, strict=True)]


def _side(hands: Sequence[HandDetection], t: float) -> str:
    """Return the side that most looks about `t` name; unknown where they disagree."""
    sides = [hand.side for hand in hands if abs(hand.t - t) <= par.OWNER_SIDE_S and hand.side != "unknown"]
    for side in ("left", "right"):
        if len(sides) >= par.SURE_LOOKS and sides.count(side) >= par.OWNER_SIDE_SHARE * len(sides):
            return side
    return "unknown" if len(sides) >= par.SURE_LOOKS or not sides else max(sides, key=sides.count)


def _paths(frames: Sequence[Sequence[HandDetection]]) -> list[_Path]:
    done: list[_Path] = []
    live: list[_Path] = []
    for i, hands in enumerate(frames):
        if not hands:
            continue
        t = hands[0].t
        done += [path for path in live if t - path.last.t > par.PATH_LOST_S]
        live = [path for path in live if t - path.last.t <= par.PATH_LOST_S]
        for j, path in _links(hands, live):
            if path is None:
                path = _Path()
                live.append(path)
            path.at.append((i, j))
            path.hands.append(hands[j])
    return done + live


def _links(hands: Sequence[HandDetection], live: Sequence[_Path]) -> list[tuple[int, _Path | None]]:
    """Each hand with the path that it goes on, nearest first; None where it begins one."""
    pairs = []
    for j, hand in enumerate(hands):
        for k, path in enumerate(live):
            far = _far(path.last, hand)
            if far <= (1.0 if hand.owner == path.last.owner else par.OTHER_OWNER_SHARE):
                crossed = {hand.side, path.last.side} == {"left", "right"}
                other = {hand.owner, path.last.owner} == {"dealer", "player"}
                worse = (par.HANDS_CROSSED_MM if crossed or other else 0.0) + (
                    par.HANDS_PASSING_MM if len(path.at) < par.SURE_LOOKS else 0.0
                )
                pairs.append((distance(hand.xy, path.last.xy) + worse, j, k))
    taken = nearest_first(pairs)
    return [(j, live[taken[j]] if j in taken else None) for j in range(len(hands))]


def _far(before: HandDetection, hand: HandDetection) -> float:
    """How far it is from one look at a hand to the next, as a share of what a hand can go."""
    late = hand.t - before.t
    speed = par.OWNER_STEP_MM_S if late <= par.OWNER_STEP_S else par.OWNER_UNSEEN_MM_S
    return distance(hand.xy, before.xy) / (par.OWNER_STEP_MM + speed * late)


def _parts(path: _Path) -> list[_Path]:
    """Return the parts of a path, cut at its leaps between looks that agree on the dealer's hand and looks that agree
    on a player's.

    One look may err on whose hand it was as one came and the other left; those that follow it do not.
    """
    leaps = [i for i, (a, b) in enumerate(pairwise(path.hands), 1) if _far(a, b) > par.OTHER_OWNER_SHARE]
    parts: list[_Path] = []
    for first, last in pairwise([0, *leaps, len(path.hands)]):
        part = _Path(path.at[first:last], path.hands[first:last])
        if parts and not _another(parts[-1].hands, part.hands):
            parts[-1].at += part.at
            parts[-1].hands += part.hands
        else:
            parts.append(part)
    return parts


def _another(before: Sequence[HandDetection], after: Sequence[HandDetection]) -> bool:
    """Tell whether the looks before a leap surely show another's hand than those after it."""
    told = [_reading(hands) for hands in (before, after) if len(hands) >= par.SURE_LOOKS]
    return len(told) == 2 and min(told) <= -par.OWNER_AGREED and max(told) >= par.OWNER_AGREED


def _reading(hands: Sequence[HandDetection]) -> float:
    """Log odds of a player's hand by the mean reading."""
    return sum(par.OWNER_READING[hand.owner] * hand.p for hand in hands) / (sum(hand.p for hand in hands) or 1.0)


def _deep(hands: Sequence[HandDetection], table: TableMap) -> float:
    """How far a path reaches from the middle of the inner area to the tray, as log odds of a dealer's hand."""
    deepest = max(hand.xy[1] for hand in hands) - centre_of(table.zones["inner"])[1]
    return min(2 * par.PATH_END_MOST, max(0.0, deepest / par.PATH_END_SPREAD_MM))


def _end(hands: Sequence[HandDetection], table: TableMap) -> float:
    """How far a path's end lies on the player's side of the nearest wager spot, as log odds of a player's hand.

    `hands` from that end on: a hand that neither comes nor goes there was lost from sight, which tells less.
    """
    if not table.spaces:
        return 0.0
    xy = hands[0].xy
    spot = min(table.spaces.values(), key=lambda s: distance(s.wager, xy))
    out, *others = (
        (hand.xy[0] - spot.wager[0]) * spot.outward[0] + (hand.xy[1] - spot.wager[1]) * spot.outward[1]
        for hand in hands[:2]
    )
    lost = any(abs(out - other) < par.PATH_STILL_MM for other in others)
    return min(par.PATH_END_MOST, max(-par.PATH_END_MOST, (out - par.PATH_END_MM) / par.PATH_END_SPREAD_MM)) * (
        par.PATH_LOST_WEIGHT if lost else 1.0
    )
