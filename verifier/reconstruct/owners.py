"""Whose hand it is, decided over its path: a reader errs for single frames, above all on closed hands.

A player's hand comes over the rim and lies outside of what it reaches for; a dealer's comes from the table's middle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from verifier.reconstruct.sights import Body, HandSight, far_end
from verifier.reconstruct.zones import TableMap, distance

STEP_MM_PER_SECOND, UNSEEN_MM_PER_SECOND, STEP_SECONDS = 2300.0, 1700.0, 0.2
"""A hand's speed at most from one look to the next, and where looks between did not show it."""
OTHER_OWNER = 0.35
"""A hand read as another's goes on a path only from this share of the distance: else it is that other's."""
CROSSED_MM = 150.0
"""Hands that pass each other closely are told apart by their sides: another side is as good as so far away."""
LOST_SECONDS = 0.35
SIDE_SECONDS = 0.6
READING = {"dealer": -2.0, "player": 2.0, "unknown": 0.0}
END_MM, END_SPREAD_MM, END_MOST = -45.0, 28.0, 3.0
"""A path's end this far inside of the wager spot tells nothing; farther out a player's, farther in a dealer's."""
STILL_MM, LOST_WEIGHT = 15.0, 0.5
"""Where a hand moves by less than the first along its reach, its path's end weighs so much: it was lost from sight."""


@dataclass
class _Path:
    """Sightings of one hand, as (frame, place in the frame)."""

    at: list[tuple[int, int]] = field(default_factory=list)
    hands: list[HandSight] = field(default_factory=list)

    @property
    def last(self) -> HandSight:
        return self.hands[-1]

    def score(self, table: TableMap) -> float:
        """Log odds of a player's hand: its mean reading, and where its path begins and ends."""
        weight = sum(hand.p for hand in self.hands)
        reading = sum(READING[hand.owner] * hand.p for hand in self.hands) / weight
        return reading + _end(self.hands, table) + _end(self.hands[::-1], table)


def with_owners(frames: Sequence[Sequence[HandSight]], table: TableMap, body: Body) -> list[tuple[HandSight, ...]]:
    """The frames' hands (in order of time) with their owners decided, and fingertips and elbows to match."""
    result = [list(hands) for hands in frames]
    for path in _paths(frames):
        owner = "player" if path.score(table) > 0 else "dealer"
        for i, j in path.at:
            hand = result[i][j]
            side = _side(path.hands, hand.t)
            if (hand.owner, hand.side) != (owner, side):
                elbow = body.elbow(owner, side, hand.xy)
                tip = hand.touch or far_end(hand.box, hand.xy, elbow)
                result[i][j] = replace(hand, owner=owner, side=side, elbow=elbow, tip=tip)
    return [tuple(hands) for hands in result]


def _side(hands: Sequence[HandSight], t: float) -> str:
    """The side that most sightings of the path about `t` name; unknown where they disagree."""
    sides = [hand.side for hand in hands if abs(hand.t - t) <= SIDE_SECONDS and hand.side != "unknown"]
    for side in ("left", "right"):
        if len(sides) >= 3 and sides.count(side) >= 0.75 * len(sides):
            return side
    return "unknown" if len(sides) >= 3 or not sides else max(sides, key=sides.count)


def _paths(frames: Sequence[Sequence[HandSight]]) -> list[_Path]:
    done: list[_Path] = []
    live: list[_Path] = []
    for i, hands in enumerate(frames):
        if not hands:
            continue
        t = hands[0].t
        done += [path for path in live if t - path.last.t > LOST_SECONDS]
        live = [path for path in live if t - path.last.t <= LOST_SECONDS]
        for j, path in _links(hands, live):
            if path is None:
                path = _Path()
                live.append(path)
            path.at.append((i, j))
            path.hands.append(hands[j])
    return done + live


def _links(hands: Sequence[HandSight], live: Sequence[_Path]) -> list[tuple[int, _Path | None]]:
    """Each hand with the path that it goes on, nearest first; None where it begins one."""
    pairs = []
    for j, hand in enumerate(hands):
        for k, path in enumerate(live):
            gap = distance(hand.xy, path.last.xy)
            alike = 1.0 if hand.owner == path.last.owner else OTHER_OWNER
            late = hand.t - path.last.t
            speed = STEP_MM_PER_SECOND if late <= STEP_SECONDS else UNSEEN_MM_PER_SECOND
            if gap <= alike * (60.0 + speed * late):
                crossed = {hand.side, path.last.side} == {"left", "right"}
                pairs.append((gap + (CROSSED_MM if crossed else 0.0), j, k))
    taken: dict[int, int] = {}
    for _, j, k in sorted(pairs):
        if j not in taken and k not in taken.values():
            taken[j] = k
    return [(j, live[taken[j]] if j in taken else None) for j in range(len(hands))]


def _end(hands: Sequence[HandSight], table: TableMap) -> float:
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
    lost = any(abs(out - other) < STILL_MM for other in others)
    return min(END_MOST, max(-END_MOST, (out - END_MM) / END_SPREAD_MM)) * (LOST_WEIGHT if lost else 1.0)
