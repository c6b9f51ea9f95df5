"""Actors of a performance: hands that move, and cards, chips and props that lie or are carried by a hand.

All in the table frame of `scene.py`: millimetres, degrees clockwise in the picture, seconds.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from typing import Final, Literal

from msgspec import Struct

from verifier.domain.cards import Card
from verifier.simulate.motion import Path, Steps, Values, blend, distance, min_jerk
from verifier.simulate.scene import BillSprite, CardSprite, ChipSprite, HandShape, HandSprite, PropSprite, Vec

Facing = Literal["back", "palm", "edge"]
Pose = tuple[float, float, float, float]
"""x, y, height, angle of an object."""

REACH: Final[dict[str, float]] = {
    "open": 115.0, "flat": 110.0, "point": 168.0, "two": 160.0, "fist": 70.0, "grip": 98.0, "pinch": 120.0,
    "relaxed": 110.0,
}  # fmt: skip
"""Distance in millimetres from the wrist crease to the point with which a hand of that shape works."""

_FAR_MM: Final = (1180.0, 780.0)
"""Working points beyond this are out of every camera's view; the hand is left out of the scene."""


class Elbow(Struct, frozen=True):
    """Where the forearm of a hand comes from: `base`, the share of the hand's own x that it follows, and how far it
    stays behind the working point (toward the dealer) at least; None where it does not move back.
    """

    base: Vec
    follow: float = 0.0
    behind: float | None = None

    def at(self, tool: Vec) -> Vec:
        """Elbow for a working point."""
        y = self.base[1] if self.behind is None else max(self.base[1], tool[1] + self.behind)
        return (self.base[0] + self.follow * tool[0], y)


class Hand:
    """One hand of one person; its working point (`tool`) is what is steered, wrist and angle follow from the elbow."""

    def __init__(
        self, ident: int, owner: Literal["dealer", "player"], person: str, side: Literal["left", "right"],
        elbow: Elbow, rest: Vec, t: float, *, rest_shape: HandShape = "relaxed",
    ) -> None:  # fmt: skip
        self.ident, self.owner, self.person, self.side = ident, owner, person, side
        self.elbow, self.rest, self.rest_shape = elbow, rest, rest_shape
        self.pace = 1.0
        self.gone = False
        self._path = Path(t, (*rest, 25.0, 0.0, REACH[rest_shape]))
        self._shape: Steps[HandShape] = Steps(t, rest_shape)
        self._facing: Steps[Facing] = Steps(t, "back")

    @property
    def free(self) -> float:
        """Time from which the hand has nothing to do."""
        return self._path.free

    @property
    def tool(self) -> Vec:
        """Working point after the last movement."""
        return (self._path.last[0], self._path.last[1])

    def go(
        self, t: float, to: Vec, *, shape: HandShape | None = None, speed: float = 850.0, least: float = 0.16,
        z: float = 25.0, bias: float = 0.0, lift: float | None = None, bow: float = 0.0, by: float | None = None,
        shape_at: float = 0.4,
    ) -> float:  # fmt: skip
        """Moves the working point to `to` from time `t` (or when free) at `speed` mm/s; returns the time of arrival.

        `by` arrives no earlier than that; `shape` is taken on after share `shape_at` of the way.
        """
        self._rest_while_waiting(t)
        start = max(t, self.free)
        way = distance(self.tool, to)
        end = max(start + max(least, way / (speed * self.pace)), by or 0.0)
        shape = shape or self._shape.last
        if shape != self._shape.last:
            self._shape.put(start + shape_at * (end - start), shape)
        rise = min(45.0, way * 0.12) if lift is None else lift
        self._path.move(start, end, (*to, z, bias, REACH[shape]), lift=rise, bow=bow)
        return end

    def wait(self, until: float) -> float:
        """Holds still until a time."""
        if until > self.free:
            self._path.move(self.free, until, self._path.last)
        return self.free

    def go_rest(self, t: float, speed: float = 800.0) -> float:
        """Goes back to its resting place."""
        return self.go(t, self.rest, shape=self.rest_shape, speed=speed, bow=0.0)

    def take_up(self, at: Vec, since: float) -> float:
        """Comes back to a thing and closes on it; gives the time when it is held."""
        return self.wait(self.go(max(since, self.free), (at[0], at[1] + 10.0), shape="grip", z=78.0) + 0.2)

    def turn_over(self, t: float, facing: Facing) -> None:
        """Turns the hand so that the camera sees another side; on edge for an eighth of a second."""
        if facing != self._facing.last:
            self._facing.put(t, "edge")
            self._facing.put(t + 0.12, facing)

    def tool_at(self, t: float) -> Values:
        """x, y, z of the working point at time `t`."""
        return self._path.at(t)[:3]

    def sprite_at(self, t: float) -> HandSprite | None:
        """The hand at time `t`; None when it is far out of view or an idle player's."""
        x, y, z, bias, reach = self._path.at(t)
        resting_player = self.owner == "player" and distance((x, y), self.rest) < 1.0
        if resting_player or abs(x) > _FAR_MM[0] or abs(y) > _FAR_MM[1]:
            return None
        elbow = self.elbow.at((x, y))
        angle = math.atan2(x - elbow[0], elbow[1] - y) + math.radians(bias)
        wrist = (x - reach * math.sin(angle), y + reach * math.cos(angle))
        return HandSprite(
            id=self.ident, owner=self.owner, person=self.person, side=self.side, facing=self._facing.at(t),
            shape=self._shape.at(t), xy=wrist, angle=math.degrees(angle), elbow=elbow, z=z,
        )  # fmt: skip

    def _rest_while_waiting(self, t: float) -> None:
        away = distance(self.tool, self.rest)
        if away > 30.0 and t - self.free > 0.5 + 2.2 * away / (800.0 * self.pace):
            self.go_rest(self.free + 0.05)


class _Lying(Struct, frozen=True):
    """A movement of its own (or none) from one pose to another."""

    t0: float
    t1: float
    start: Pose
    end: Pose

    def at(self, t: float) -> Pose:
        share = 1.0 if self.t1 <= self.t0 else min_jerk((t - self.t0) / (self.t1 - self.t0))
        x, y, z, angle = blend(self.start, self.end, share)
        return (x, y, z, angle)


class _Carried(Struct, frozen=True):
    """Moves with a hand: the offset from its working point goes from `start` to `end`."""

    t0: float
    t1: float
    hand: Hand
    start: Pose
    end: Pose

    def at(self, t: float) -> Pose:
        t = min(max(t, self.t0), self.t1)
        share = 0.0 if self.t1 <= self.t0 else min_jerk((t - self.t0) / (self.t1 - self.t0))
        x, y, z = self.hand.tool_at(t)
        dx, dy, dz, angle = blend(self.start, self.end, share)
        return (x + dx, y + dy, max(0.0, z + dz), angle)


class Body:
    """An object on the table: there from `born` until `gone`, lying, sliding or carried."""

    def __init__(self, ident: int, t: float, pose: Pose) -> None:
        self.ident, self.born, self.gone = ident, t, math.inf
        self._pieces: list[_Lying | _Carried] = [_Lying(t, t, pose, pose)]
        self._times = [t]

    @property
    def pose(self) -> Pose:
        """Pose after the last movement."""
        return self._pieces[-1].at(math.inf)

    @property
    def xy(self) -> Vec:
        """Place after the last movement."""
        return self.pose[:2]

    def pose_at(self, t: float) -> Pose:
        """Pose at time `t`."""
        return self._pieces[max(0, bisect_right(self._times, t) - 1)].at(t)

    def lie(self, t: float, pose: Pose) -> None:
        """Lies at `pose` from time `t`."""
        self._add(_Lying(t, t, pose, pose))

    def slide(self, t0: float, t1: float, end: Pose) -> None:
        """Moves by itself to a pose."""
        self._add(_Lying(t0, t1, self.pose, end))

    def carry(self, hand: Hand, t0: float, t1: float, end: Pose) -> None:
        """Is carried by `hand` from `t0` and lies at `end` at `t1`; the hand's path until `t1` must be known."""
        b = hand.tool_at(t1)
        self.hold(hand, t0, t1, (end[0] - b[0], end[1] - b[1], end[2] - b[2], end[3]))

    def hold(self, hand: Hand, t0: float, t1: float, offset: Pose) -> None:
        """Is carried by `hand` from `t0` to `t1`, ending at `offset` (and angle) from its working point."""
        x0, y0, z0, angle0 = self.pose
        a = hand.tool_at(t0)
        self._add(_Carried(t0, t1, hand, (x0 - a[0], y0 - a[1], z0 - a[2], angle0), offset))

    @property
    def settled(self) -> float:
        """Time of the last movement's beginning."""
        return self._times[-1]

    def vanish(self, t: float) -> None:
        """Is gone from time `t`."""
        self.gone = t

    def there(self, t: float) -> bool:
        """Whether the object can be seen at time `t`."""
        return self.born <= t < self.gone

    def _add(self, piece: _Lying | _Carried) -> None:
        if piece.t0 < self._pieces[-1].t1 - 1e-6:
            raise ValueError(f"object {self.ident} is moved at {piece.t0:.3f} s while it still moves")
        self._pieces.append(piece)
        self._times.append(piece.t0)


class CardBody(Body):
    """A card; it turns over while it moves or lies."""

    def __init__(self, ident: int, t: float, pose: Pose, card: Card, face: Literal["up", "down"]) -> None:
        super().__init__(ident, t, pose)
        self.card = card
        self._face: Steps[Literal["up", "down"]] = Steps(t, face)
        self._turn = Path(t, (0.0, 0.0, 0.0))

    def turn(self, t0: float, t1: float, face: Literal["up", "down"]) -> None:
        """Turns over to `face`, standing on edge half-way."""
        middle = (t0 + t1) / 2
        self._turn.move(t0, middle, (0.5, 0.0, 0.0))
        self._turn.move(middle, t1, (0.0, 0.0, 0.0))
        self._face.put(middle, face)

    def lift_edge(self, t0: float, up: float, end: float, down: float, share: float = 0.22) -> None:
        """Is tilted up, held so and laid back, without being turned over."""
        self._turn.move(t0, up, (share, 0.0, 0.0))
        self._turn.move(up, end, (share, 0.0, 0.0))
        self._turn.move(end, down, (0.0, 0.0, 0.0))

    def sprite_at(self, t: float) -> CardSprite:
        """The card at time `t`."""
        x, y, z, angle = self.pose_at(t)
        return CardSprite(
            id=self.ident, card=self.card, face=self._face.at(t), xy=(x, y), angle=angle, z=z, turn=self._turn.at(t)[0]
        )


class ChipBody(Body):
    """A chip of `cents` value."""

    def __init__(self, ident: int, t: float, pose: Pose, cents: int) -> None:
        super().__init__(ident, t, pose)
        self.cents = cents

    def sprite_at(self, t: float) -> ChipSprite:
        """The chip at time `t`."""
        x, y, z, angle = self.pose_at(t)
        return ChipSprite(id=self.ident, cents=self.cents, xy=(x, y), z=z, angle=angle)


class PropBody(Body):
    """Any other object."""

    def __init__(self, ident: int, t: float, pose: Pose, kind: str, size: Vec, seed: int = 0) -> None:
        super().__init__(ident, t, pose)
        self.kind, self.size, self.seed = kind, size, seed

    def sprite_at(self, t: float) -> PropSprite:
        """The prop at time `t`."""
        x, y, z, angle = self.pose_at(t)
        return PropSprite(id=self.ident, kind=self.kind, xy=(x, y), angle=angle, size=self.size, z=z, seed=self.seed)


class BillBody(Body):
    """A bank note of `cents` value; `face` is the side that lies up."""

    def __init__(self, ident: int, t: float, pose: Pose, cents: int, face: Literal["up", "down"]) -> None:
        super().__init__(ident, t, pose)
        self.cents, self.face = cents, face

    def sprite_at(self, t: float) -> BillSprite:
        """The note at time `t`."""
        x, y, z, angle = self.pose_at(t)
        return BillSprite(id=self.ident, cents=self.cents, xy=(x, y), angle=angle, z=z, face=self.face)
