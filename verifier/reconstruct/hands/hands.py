"""Hands: what they hide, where they were, and how they moved.

Hands are lost under motion and change their track ids, so a hand is asked for by owner, place and time, never by id.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from msgspec import Struct

from verifier.reconstruct import parameters as par
from verifier.reconstruct.hands.owners import with_owners
from verifier.reconstruct.table.detections import Body, Box, FrameDetections, HandDetection
from verifier.reconstruct.table.zones import TableMap, Xy, box_distance, distance


class Cover(Struct, frozen=True):
    """What hides the table in one frame: hands with their forearms."""

    hands: tuple[HandDetection, ...]
    unlooked: bool = False
    """Whether hands moved while nobody looked right before: one may have been anywhere."""

    def hides(self, xy: Xy) -> bool:
        """Tell whether an object at `xy` may lie under a hand or a forearm."""
        return any(
            hand.over(xy, par.HAND_AT_MM) or _to_segment(xy, hand.xy, hand.elbow) < par.FOREARM_MM
            for hand in self.hands
        )

    def near(self, xy: Xy) -> bool:
        """Tell whether a hand or a forearm may have been near enough to have handled an object at `xy`."""
        return self.unlooked or self.at(xy)

    def at(self, xy: Xy) -> bool:
        """Tell whether one is seen as near."""
        return any(
            hand.over(xy, par.HAND_NEAR_MM) or _to_segment(xy, hand.xy, hand.elbow) < par.FOREARM_MM
            for hand in self.hands
        )


def _to_segment(point: Xy, a: Xy, b: Xy) -> float:
    length = (b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2
    share = ((point[0] - a[0]) * (b[0] - a[0]) + (point[1] - a[1]) * (b[1] - a[1])) / (length or 1.0)
    share = min(1.0, max(0.0, share))
    return distance(point, (a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])))


def moved(before: Sequence[HandDetection], after: Sequence[HandDetection], least: float = par.HAND_MOVED_MM) -> bool:
    """Tell whether hands came, went or moved farther than `least` mm from one look to the next."""
    return len(before) != len(after) or any(
        min(distance(hand.xy, other.xy) for other in after) > least for hand in before
    )


class HandLog:
    """Hand detections by time. `times` holds every looked-at frame, so that absence can be told from no picture."""

    def __init__(self) -> None:
        self.times: list[float] = []
        self._hands: list[tuple[HandDetection, ...]] = []
        self.known = False
        """Whether hands were ever seen: other detectors may tell of cards alone."""

    def add(self, detection: FrameDetections) -> None:
        """Take a frame's hands."""
        self.times.append(detection.t)
        self._hands.append(detection.hands)
        self.known = self.known or bool(detection.hands)

    def decide_owners(self, table: TableMap, body: Body) -> None:
        """Decides whose hands they are over the paths of all frames held."""
        self._hands = with_owners(self._hands, table, body)

    def forget_before(self, t: float) -> None:
        """Drop frames before `t`."""
        start = bisect_left(self.times, t)
        del self.times[:start], self._hands[:start]

    def frames(self, t0: float, t1: float) -> int:
        """Return the number of frames looked at in [t0, t1]."""
        return bisect_right(self.times, t1) - bisect_left(self.times, t0)

    def times_between(self, t0: float, t1: float) -> list[float]:
        """Return the times of the frames looked at in [t0, t1]."""
        return self.times[bisect_left(self.times, t0) : bisect_right(self.times, t1)]

    def bare(self, xy: Xy, t0: float, t1: float) -> list[float]:
        """Return the times of the frames looked at in [t0, t1] in which no hand or forearm is near `xy`."""
        first, last = bisect_left(self.times, t0), bisect_right(self.times, t1)
        return [self.times[i] for i in range(first, last) if not Cover(self._hands[i]).at(xy)]

    def searched(self, xy: Xy, before: float, looks: int) -> float:
        """When the last but `looks` of the looks before a time were that nothing hides `xy` from; the first look held
        where there are fewer.
        """
        for i in range(bisect_left(self.times, before) - 1, -1, -1):
            looks -= not Cover(self._hands[i]).hides(xy)
            if looks < 0:
                return self.times[i]
        return min(before, self.times[0]) if self.times else before

    def look_before(self, t: float) -> float:
        """When the last look before `t` was; `t` itself where there was none."""
        i = bisect_left(self.times, t)
        return self.times[i - 1] if i else t

    def blind(self, t0: float, t1: float) -> tuple[float, float] | None:
        """Return the longest stretch within [t0, t1] that nobody looked at while hands moved; None where there is none.

        At a table at rest looks are far apart too, but then the hands lie where they lay.
        """
        first, last = max(0, bisect_right(self.times, t0) - 1), bisect_left(self.times, t1) + 1
        found = [
            (min(self.times[i + 1], t1) - max(self.times[i], t0), i)
            for i in range(first, min(last, len(self.times)) - 1)
            if self.times[i + 1] - self.times[i] > par.BLIND_S
            and (self._moving(i) or moved(self._hands[i], self._hands[i + 1]))
        ]
        if not found or max(found)[0] < par.BLIND_S:
            return None
        return self.times[max(found)[1]], self.times[max(found)[1] + 1]

    def unlooked(self, xy: Xy, t: float) -> tuple[float, float] | None:
        """Return the stretch, as `blind` has it, in which what shows at `xy` since `t` came to lie there.

        None where there was none right before, but for a look or two that missed it, or a hand was seen near since.
        """
        gap = self.blind(t - par.LAYS_S, t)
        late = gap is not None and t - gap[1] > par.HAND_LOST_S
        return None if gap is None or late or self._near(xy, gap[1], t - par.INSTANT_S) else gap

    def unwatched(self, xy: Xy, t: float) -> tuple[float, float] | None:
        """Return the same for what the dealer laid, or since a hand of the dealer's was last there, where something hid
        it.
        """
        gap = self.unlooked(xy, t)
        since = self.hidden_since(xy, t) if gap is None else None
        return gap if since is None else (since, t)

    def hidden_since(self, xy: Xy, t: float) -> float | None:
        """When a hand of the dealer's was last where something shows since `t` that no hand was seen to lay.

        Nothing comes by itself: something hid it, or it is hardly seen. None where a hand may have laid it at `t`, also
        one that was missed as it came, and is seen to leave.
        """
        if self._near(xy, t - par.LAYS_S, t + par.HAND_LOST_S) or self.blind(t - par.LAYS_S, t) is not None:
            return None
        visits = [hand.t for hand in self.between(t - par.HIDDEN_S, t, "dealer") if hand.over(xy, par.REACH_MM)]
        return visits[-1] if visits else None

    def left(self, xy: Xy, t: float) -> float | None:
        """When the dealer's hand had left where something shows since `t` that the looks right before missed."""
        visits = [hand.t for hand in self.between(t - par.LAYS_S, t, "dealer") if hand.over(xy, par.REACH_MM)]
        return visits[-1] if visits and t - visits[-1] > par.HAND_LOST_S else None

    def _near(self, xy: Xy, t0: float, t1: float) -> bool:
        return any(hand.over(xy, par.REACH_MM) for hand in self.between(t0, t1))

    def cover(self, detection: FrameDetections) -> Cover:
        """Return what hides the table in a frame that comes after those held."""
        late = bool(self.times) and detection.t - self.times[-1] > par.BLIND_S
        return Cover(detection.hands, unlooked=late and (self._moving(-1) or moved(self._hands[-1], detection.hands)))

    def _moving(self, i: int) -> bool:
        """Tell whether a hand was on its way in the look `i`."""
        i %= len(self.times)
        soon = i > 0 and self.times[i] - self.times[i - 1] <= par.BLIND_S
        return soon and moved(self._hands[i - 1], self._hands[i], par.HAND_MOVING_MM)

    def between(self, t0: float, t1: float, owner: str | None = None) -> Iterator[HandDetection]:
        """Hands seen in [t0, t1], in order; `owner` dealer or player leaves out the other's."""
        for i in range(bisect_left(self.times, t0), bisect_right(self.times, t1)):
            for hand in self._hands[i]:
                if owner is None or hand.owner == owner:
                    yield hand

    def owner_at(self, xy: Xy, t0: float, t1: float, reach: float = par.HAND_OWNER_MM) -> str | None:
        """Whose hand was at `xy` in [t0, t1]: the owner with most detections there, or None."""
        votes: dict[str, float] = {}
        for hand in self.between(t0, t1):
            if hand.owner != "unknown" and hand.over(xy, reach):
                votes[hand.owner] = votes.get(hand.owner, 0.0) + hand.p
        return max(votes, key=lambda owner: votes[owner]) if votes else None

    def laid_by(self, xy: Xy, t: float) -> str | None:
        """Whose hand laid a chip that shows at `xy` since `t`: the owner of most detections over it, or None."""
        return self.owner_at(xy, t - par.LAID_BY_S, t + par.SLACK_S)

    def off(
        self, points: Sequence[Xy], since: float, until: float, margin: float = par.HAND_OVER_MM
    ) -> tuple[float, float] | None:
        """Return the first stretch in [since, until] with no hand of the dealer's over any of the points, long enough
        to be meant.

        A hand is over a point within `margin` mm of its box. What nobody looked at for long is no part of it.
        """
        start: float | None = None
        last = since
        for t in self.times_between(since, until):
            at = any(hand.over(xy, margin) for hand in self.between(t, t, "dealer") for xy in points)
            unseen = start is not None and t - last > par.HANDS_BACK_S and self.blind(last, t) is not None
            end = last if unseen else t
            if start is not None and (at or unseen) and end - start >= par.CLEARED_S:
                return start, end
            start = None if at else t if start is None or unseen else start
            last = t
        return (start, last) if start is not None and last - start >= par.CLEARED_S else None

    def took(self, xy: Xy, seen: float) -> str | None:
        """Whose hand took a chip that was last `seen` then: the owner of most detections over it, or None."""
        return self.owner_at(xy, seen - par.THREE_LOOKS_S, seen + par.TAKEN_AT_ONCE_S)

    def lost_near(self, box: Box, t0: float, t1: float, reach: float) -> tuple[float, float] | None:
        """Return the first stretch in which a hand of the dealer's went out of sight for a moment on its way to a box
        (mm).

        A hand over dark or busy things is often lost there, or at the picture's rim: it was seen before, or one more
        step would have led it, and was seen again nearer than 2 * `reach`, and one of these nearer than `reach`.
        None where no hand was lost so.
        """
        last: dict[str, HandDetection] = {}
        ahead: dict[str, Xy] = {}
        for hand in self.between(t0, t1, "dealer"):
            before, bound = last.get(hand.side), ahead.get(hand.side)
            last[hand.side], ahead[hand.side] = hand, _next_place(before, hand)
            if before is None or bound is None or not par.HAND_LOST_S <= hand.t - before.t <= par.HAND_MISSING_S:
                continue
            went = min(box_distance(xy, box) for xy in _way(before.xy, bound))
            came = box_distance(hand.xy, box)
            if min(went, came) <= reach and max(went, came) <= 2 * reach:
                return before.t, hand.t
        return None

    def side_at(self, points: Sequence[Xy], t0: float, t1: float, reach: float = par.HAND_SIDE_MM) -> str | None:
        """Which of the dealer's hands worked at the points: of each frame the hand whose fingertips came nearest.

        None where fewer than two frames show one, or their sides disagree; a frame with two left hands tells nothing.
        """
        sides: list[str] = []
        for i in range(bisect_left(self.times, t0), bisect_right(self.times, t1)):
            dealers = [hand for hand in self._hands[i] if hand.owner == "dealer"]
            near = [(min(distance(hand.tip, xy) for xy in points), hand.side) for hand in dealers]
            if near and min(near)[0] <= reach and sum(hand.side == min(near)[1] for hand in dealers) == 1:
                sides.append(min(near)[1])
        return agreed_side(sides)

    def side_laid(self, xy: Xy, t: float) -> str | None:
        """Which of the dealer's hands laid what shows at `xy` since `t`, None where that is not told."""
        return self.side_at([xy], t - par.LAYING_S, t + par.SLACK_S)

    def both_gaps(self, xy: Xy, t0: float, t1: float) -> dict[float, dict[str, float]]:
        """How far the fingertips of the dealer's left and right hand were from `xy`, in the looks that show both.

        Of two the one whose side is not told is the other; told alike, the one nearer to the dealer's left is the left.
        """
        gaps: dict[float, dict[str, float]] = {}
        for i in range(bisect_left(self.times, t0), bisect_right(self.times, t1)):
            mine = sorted((hand for hand in self._hands[i] if hand.owner == "dealer"), key=lambda hand: hand.xy[0])
            if len(mine) != 2:
                continue
            sides = _told_apart(*mine)
            if sides is not None:
                gaps[self.times[i]] = {side: distance(hand.tip, xy) for side, hand in zip(sides, mine, strict=True)}
        return gaps


def _told_apart(one: HandDetection, other: HandDetection) -> tuple[str, str] | None:
    """Which of a dealer's two hands is the left one and which the right, None where that is not known."""
    known = {one.side, other.side} - {"unknown"}
    if known == {"left", "right"}:
        return one.side, other.side
    if len(known) == 1 and "unknown" in (one.side, other.side):
        fellow = "left" if "right" in known else "right"
        return (fellow, other.side) if one.side == "unknown" else (one.side, fellow)
    return ("left", "right") if distance(one.xy, other.xy) > par.HAND_APART_MM else None


def _next_place(before: HandDetection | None, hand: HandDetection) -> Xy:
    """Where a hand would be seen next if it went on as from the look before."""
    if before is None or hand.t - before.t > par.HAND_LOST_S:
        return hand.xy
    return 2 * hand.xy[0] - before.xy[0], 2 * hand.xy[1] - before.xy[1]


def _way(start: Xy, end: Xy, steps: int = par.HAND_WAY_STEPS) -> list[Xy]:
    """Points on the straight way from one place to another."""
    (x, y), (to_x, to_y) = start, end
    return [(x + (to_x - x) * i / steps, y + (to_y - y) * i / steps) for i in range(steps + 1)]


def agreed_side(sides: Sequence[str]) -> str | None:
    """Return the side that two or more looks name and that no or few looks contradict, else None."""
    known = [side for side in sides if side != "unknown"]
    for side in ("left", "right"):
        if known.count(side) >= 2 and known.count(side) >= par.HAND_SIDE_SHARE * len(known):
            return side
    return None
