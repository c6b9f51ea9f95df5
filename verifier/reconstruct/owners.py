"""Whose hand it is, decided over its path: a reader errs for single frames, above all on closed hands.

A player's hand comes over the rim and lies outside of what it reaches for; a dealer's comes from the table's middle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from verifier.reconstruct.sights import Body, HandSight, far_end
from verifier.reconstruct.zones import TableMap, Xy, distance

STEP_MM_PER_SECOND = 1700.0
LOST_SECONDS = 0.35
READING = {"dealer": -1.2, "player": 1.2, "unknown": 0.0}


@dataclass
class _Path:
    """Sightings of one hand, as (frame, place in the frame)."""

    at: list[tuple[int, int]] = field(default_factory=list)
    score: float = 0.0
    last: HandSight | None = None


def with_owners(frames: Sequence[Sequence[HandSight]], table: TableMap, body: Body) -> list[tuple[HandSight, ...]]:
    """The frames' hands (in order of time) with their owners decided, and fingertips and elbows to match."""
    result = [list(hands) for hands in frames]
    for path in _paths(frames, table):
        owner = "player" if path.score > 0 else "dealer"
        for i, j in path.at:
            hand = result[i][j]
            if hand.owner != owner:
                elbow = body.elbow(owner, hand.side, hand.xy)
                result[i][j] = replace(hand, owner=owner, elbow=elbow, tip=far_end(hand.box, hand.xy, elbow))
    return [tuple(hands) for hands in result]


def _paths(frames: Sequence[Sequence[HandSight]], table: TableMap) -> list[_Path]:
    done: list[_Path] = []
    live: list[_Path] = []
    for i, hands in enumerate(frames):
        if not hands:
            continue
        t = hands[0].t
        done += [path for path in live if path.last is not None and t - path.last.t > LOST_SECONDS]
        live = [path for path in live if path.last is not None and t - path.last.t <= LOST_SECONDS]
        for j, path in _links(hands, live):
            if path is None:
                path = _Path()
                live.append(path)
            path.at.append((i, j))
            path.score += (READING[hands[j].owner] + _outside(hands[j].xy, table)) * hands[j].p
            path.last = hands[j]
    return done + live


def _links(hands: Sequence[HandSight], live: Sequence[_Path]) -> list[tuple[int, _Path | None]]:
    """Each hand with the path that it goes on, nearest first; None where it begins one."""
    pairs = []
    for j, hand in enumerate(hands):
        for k, path in enumerate(live):
            if path.last is None:
                continue
            gap = distance(hand.xy, path.last.xy)
            alike = 1.0 if hand.owner == path.last.owner else 0.5
            if gap <= alike * (60.0 + STEP_MM_PER_SECOND * (hand.t - path.last.t)):
                pairs.append((gap, j, k))
    taken: dict[int, int] = {}
    for _, j, k in sorted(pairs):
        if j not in taken and k not in taken.values():
            taken[j] = k
    return [(j, live[taken[j]] if j in taken else None) for j in range(len(hands))]


def _outside(xy: Xy, table: TableMap) -> float:
    """How far a hand lies on the player's side of the nearest wager spot, as log odds of its being a player's."""
    if not table.spaces:
        return 0.0
    spot = min(table.spaces.values(), key=lambda s: distance(s.wager, xy))
    out = (xy[0] - spot.wager[0]) * spot.outward[0] + (xy[1] - spot.wager[1]) * spot.outward[1]
    return min(1.6, max(-1.6, (out + 35.0) / 55.0))
