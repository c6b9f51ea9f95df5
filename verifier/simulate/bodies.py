"""Things of a performance: cards, chips, notes and props that lie, slide or are carried by a hand.

All in the table frame of `scene.py`: millimetres, degrees clockwise in the picture, seconds.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from typing import Literal

from msgspec import Struct

from verifier.domain.cards import Card
from verifier.simulate.actors import Hand
from verifier.simulate.motion import Path, Steps, blend, min_jerk
from verifier.simulate.scene import BillSprite, CardSprite, ChipSprite, PropSprite, Vec

Pose = tuple[float, float, float, float]
"""x, y, height, angle of an object."""


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
        self._lies: tuple[int, Pose] | None = None

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
        index = max(0, bisect_right(self._times, t) - 1)
        piece = self._pieces[index]
        if t < piece.t1:
            return piece.at(t)
        if self._lies is None or self._lies[0] != index:
            self._lies = (index, piece.at(t))
        return self._lies[1]

    def slide(self, t0: float, t1: float, end: Pose) -> None:
        """Make the body move to a pose by itself."""
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
        """Tell whether the object can be seen at time `t`."""
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
        """Turn the card over to `face`; it stands on edge half-way."""
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
        """Return the card at time `t`."""
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
        """Return the chip at time `t`."""
        x, y, z, angle = self.pose_at(t)
        return ChipSprite(id=self.ident, cents=self.cents, xy=(x, y), z=z, angle=angle)


class PropBody(Body):
    """Any other object."""

    def __init__(self, ident: int, t: float, pose: Pose, kind: str, size: Vec, seed: int = 0) -> None:
        super().__init__(ident, t, pose)
        self.kind, self.size, self.seed = kind, size, seed

    def sprite_at(self, t: float) -> PropSprite:
        """Return the prop at time `t`."""
        x, y, z, angle = self.pose_at(t)
        return PropSprite(id=self.ident, kind=self.kind, xy=(x, y), angle=angle, size=self.size, z=z, seed=self.seed)


class BillBody(Body):
    """A bank note of `cents` value; `face` is the side that lies up."""

    def __init__(self, ident: int, t: float, pose: Pose, cents: int, face: Literal["up", "down"]) -> None:
        super().__init__(ident, t, pose)
        self.cents, self.face = cents, face

    def sprite_at(self, t: float) -> BillSprite:
        """Return the note at time `t`."""
        x, y, z, angle = self.pose_at(t)
        return BillSprite(id=self.ident, cents=self.cents, xy=(x, y), angle=angle, z=z, face=self.face)
