"""Actors of a performance: hands that move.

All in the table frame of `scene.py`: millimetres, degrees clockwise in the picture, seconds.
"""

from __future__ import annotations

import math
from typing import Final, Literal

from msgspec import Struct

from verifier.simulate.motion import Path, Steps, Values, distance
from verifier.simulate.scene import HandShape, HandSprite, Vec
from verifier.simulate.table import ABOVE_RECEPTACLE_MM

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
        self,
        ident: int,
        owner: Literal["dealer", "player"],
        person: str,
        side: Literal["left", "right"],
        elbow: Elbow,
        rest: Vec,
        t: float,
        *,
        rest_shape: HandShape = "relaxed",
    ) -> None:
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
        self,
        t: float,
        to: Vec,
        *,
        shape: HandShape | None = None,
        speed: float = 850.0,
        least: float = 0.16,
        z: float = 25.0,
        bias: float = 0.0,
        lift: float | None = None,
        bow: float = 0.0,
        by: float | None = None,
        shape_at: float = 0.4,
    ) -> float:
        """Move the working point to `to` from time `t` (or when free) at `speed` mm/s; return the time of arrival.

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
        """Hold still until a time."""
        if until > self.free:
            self._path.move(self.free, until, self._path.last)
        return self.free

    def go_rest(self, t: float, speed: float = 800.0) -> float:
        """Go back to its resting place."""
        return self.go(t, self.rest, shape=self.rest_shape, speed=speed, bow=0.0)

    def take_up(self, at: Vec, since: float) -> float:
        """Comes back to a thing and closes on it; gives the time when it is held."""
        return self.wait(
            self.go(max(since, self.free), (at[0], at[1] + 10.0), shape="grip", z=ABOVE_RECEPTACLE_MM) + 0.2
        )

    def turn_over(self, t: float, facing: Facing) -> None:
        """Turn the hand so that the camera sees another side; hold it on edge for an eighth of a second."""
        if facing != self._facing.last:
            self._facing.put(t, "edge")
            self._facing.put(t + 0.12, facing)

    def tool_at(self, t: float) -> Values:
        """x, y, z of the working point at time `t`."""
        return self._path.at(t)[:3]

    def sprite_at(self, t: float) -> HandSprite | None:
        """Return the hand at time `t`; None when it is far out of view or an idle player's."""
        x, y, z, bias, reach = self._path.at(t)
        resting_player = self.owner == "player" and distance((x, y), self.rest) < 1.0
        if resting_player or abs(x) > _FAR_MM[0] or abs(y) > _FAR_MM[1]:
            return None
        elbow = self.elbow.at((x, y))
        angle = math.atan2(x - elbow[0], elbow[1] - y) + math.radians(bias)
        wrist = (x - reach * math.sin(angle), y + reach * math.cos(angle))
        return HandSprite(
            id=self.ident,
            owner=self.owner,
            person=self.person,
            side=self.side,
            facing=self._facing.at(t),
            shape=self._shape.at(t),
            xy=wrist,
            angle=math.degrees(angle),
            elbow=elbow,
            z=z,
        )

    def _rest_while_waiting(self, t: float) -> None:
        away = distance(self.tool, self.rest)
        if away > 30.0 and t - self.free > 0.5 + 2.2 * away / (800.0 * self.pace):
            self.go_rest(self.free + 0.05)
