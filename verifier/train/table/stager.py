"""Lays cards, packs, chips and hands on a table: each thing lies on what is below it."""

from __future__ import annotations

import math
from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from verifier.domain.cards import RANKS, SUITS
from verifier.domain.layout import CARD_MM
from verifier.domain.observations import Facing, Owner
from verifier.simulate.table import CHIP_DIAMETER_MM, CHIP_THICKNESS_MM, TablePlan, plan_table
from verifier.train.solid.arm import Posed, person, posed
from verifier.train.solid.hands import FOREARM_MM, MOVED, dressed, near, pose, turned
from verifier.train.table import bodies as shapes
from verifier.train.table.backs import back
from verifier.train.table.bodies import PRINTED, body, disc, grid, of_mesh
from verifier.train.table.discs import Maker, colours, side_of, top
from verifier.train.table.faces import CARD_PX, face
from verifier.train.table.felts import print_felt
from verifier.train.table.laid import FAN_NUMBERS, CardThere, ChipThere, HandThere, Heights, House, Table
from verifier.train.table.room import build

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
STEPS: Final = (0.12, 0.6)
"""Steps between a fan's cards, in widths of a card."""
CARD_THICK: Final = 0.32
VALUES: Final = (50, 100, 100, 200, 500, 500, 500, 2500, 2500, 10000)
OTHERS: Final = 0.1
"""Share of the chips of colours that no rule prescribes."""
LONGER_MM: Final = 1500.0
"""How far an arm is drawn out beyond FOREARM_MM: its end must not be seen."""
RISE: Final = (0.03, 0.25)
"""How steeply it rises, in its length."""
HIGHEST: Final = 90.0
"""A hand that would have to be lifted farther over what lies below it is left out."""


class Stager:
    """Lays things on one table; `table` is what came of it."""

    def __init__(self, house: House, rng: Generator, plan: TablePlan | None = None) -> None:
        """Put up the table of `plan`, by default one with any number of betting spaces."""
        plan = plan or plan_table(int(rng.integers(1, 8)))
        self.rng, self.house = rng, house
        self.table = Table(plan, print_felt(house.felt, plan), float(rng.uniform(0.04, 0.22)))
        self.heights = Heights()
        self._next, self._fan_count = 1, 0
        self._layers: dict[object, int] = {}
        self.bend = float(np.abs(rng.normal(0, 2.0)) if rng.random() < 0.6 else 0.0)
        self.gloss = float(rng.choice([0.0, rng.uniform(0.05, 0.55)], p=(0.5, 0.5)))
        build(self.table, rng, self.layer)

    def _number(self, count: int = 1) -> int:
        out, self._next = self._next, self._next + count
        return out

    def layer(self, key: object, picture: Image) -> int:
        """Return the layer of a print; a print that is known by `key` is kept once."""
        if key not in self._layers:
            fitted = (
                picture
                if picture.shape[1::-1] == CARD_PX
                else cv2.resize(picture, CARD_PX, interpolation=cv2.INTER_AREA)
            )
            self._layers[key] = len(self.table.prints)
            self.table.prints.append(np.asarray(fitted, np.uint8))
        return self._layers[key]

    def card(
        self,
        at: tuple[float, float],
        angle: float,
        *,
        up: bool = True,
        name: tuple[str, str] | None = None,
        fan: int | None = None,
        bend: tuple[str, float] | None = None,
        lift: float = 0.0,
    ) -> None:
        """Lay a card with its middle at `at`; `bend` is how it is curved and by how many millimetres."""
        rank, suit = name or self.any_card()
        uv, triangles = grid(7, 9)
        local = (uv - 0.5) * CARD_MM
        curve = bend or self.any_bend()
        profile = self._profile(local, curve)
        fine, _ = grid(22, 30)
        footprint = shapes.turned((fine - 0.5) * CARD_MM, angle, at)
        shape = self._profile((fine - 0.5) * CARD_MM, curve)
        z = self.heights.drop(footprint, shape, shape + CARD_THICK) + lift + 0.05
        vertices = np.column_stack([shapes.turned(local, angle, at), profile + z + CARD_THICK])
        texel = np.column_stack([uv, np.full(len(uv), float(self._print(rank, suit, up)))])
        number = self._number()
        tone = (float(self.rng.uniform(0.93, 1.0)),) * 3
        self.table.bodies.append(
            body(vertices, triangles, texel=texel, colour=tone, kind=PRINTED, number=number, gloss=self.gloss)
        )
        corners = vertices[[0, 6, 62, 56]]
        self.table.cards.append(CardThere(number, corners, up, rank, suit, fan))
        self.table.focus.append(at)

    def _print(self, rank: str, suit: str, up: bool) -> int:
        """Return the layer of a card's face, or of the house's back."""
        picture = (self.house.deck, rank, suit) if up else self.house.back
        return self.layer(
            picture, face(*picture) if isinstance(picture, tuple) else back(picture, self.house.deck.round_mm)
        )

    def any_card(self) -> tuple[str, str]:
        """Any rank and suit."""
        return str(self.rng.choice(list(RANKS))), str(self.rng.choice(list(SUITS)))

    def any_bend(self) -> tuple[str, float]:
        """How a card is curved: mostly as the house's cards are."""
        rng = self.rng
        form = str(rng.choice(["long", "short", "dome", "corner"], p=(0.35, 0.25, 0.25, 0.15)))
        return form, self.bend * float(rng.uniform(0, 1))

    @staticmethod
    def _profile(local: Floats, bend: tuple[str, float]) -> Floats:
        """Heights (n,) above its lowest point of places (n, 2) mm on a card."""
        kind, high = bend
        u, v = local[:, 0] / (CARD_MM[0] / 2), local[:, 1] / (CARD_MM[1] / 2)
        if kind == "long":
            return np.asarray(high * v**2)
        if kind == "short":
            return np.asarray(high * u**2)
        if kind == "dome":
            return np.asarray(high * (1 - v**2))
        return np.asarray(2.5 * high * np.maximum(0.0, (u + v) / 2 - 0.3) ** 2)

    def fan(
        self,
        at: tuple[float, float],
        angle: float,
        count: int,
        step: float,
        *,
        form: str = "straight",
        downs: float = 0.08,
    ) -> None:
        """Add a fan of `count` cards from `at` on; `step` is the distance of neighbours in widths of a card.

        `form` is "straight" (along the width), "stairs" (along the diagonal, as players' hands), "spread" (about a
        point below) or "half" (along the height).
        """
        rng, self._fan_count = self.rng, self._fan_count + 1
        way = float(rng.choice([-1, 1]))
        bend = (str(rng.choice(["long", "short", "dome"])), self.bend * float(rng.uniform(0, 1)))
        turn = float(rng.uniform(4, 13))
        for k in range(count):
            place = (k - (count - 1) / 2) * way
            own = angle + float(rng.normal(0, 1.2)) + (place * turn if form == "spread" else 0.0)
            local = self._in_fan(form, place, step, way, turn)
            spot = shapes.turned(np.array([local]), angle, at)[0]
            self.card(
                (float(spot[0]), float(spot[1])),
                own,
                up=bool(rng.random() >= downs),
                fan=FAN_NUMBERS * self._fan_count + k,
                bend=bend,
            )

    def _in_fan(self, form: str, place: float, step: float, way: float, turn: float) -> tuple[float, float]:
        """Return where a card lies (mm) in a fan's own frame; neighbours' `place` differ by one."""
        rng = self.rng
        if form == "half":
            return float(rng.normal(0, 2)), place * CARD_MM[1] * max(0.25, step)
        if form == "stairs":
            down = -place * step * CARD_MM[0] * way * float(rng.choice([1.0, 1.0, 0.6]))
            return place * step * CARD_MM[0] * 0.85, down
        if form == "spread":
            far, a = step * CARD_MM[0] / math.radians(turn), math.radians(place * turn)
            return far * math.sin(a), far * (1 - math.cos(a))
        return place * step * CARD_MM[0], float(rng.normal(0, 1.2))

    def any_fan(self, at: tuple[float, float], angle: float | None = None) -> None:
        """Add a fan of 2 to 6 cards at any step."""
        rng = self.rng
        count = int(rng.choice([2, 3, 4, 5, 6], p=(0.34, 0.28, 0.18, 0.12, 0.08)))
        form = str(rng.choice(["straight", "stairs", "spread", "half"], p=(0.35, 0.35, 0.15, 0.15)))
        turn = float(rng.uniform(0, 360)) if angle is None else angle
        self.fan(at, turn, count, float(rng.uniform(*STEPS)), form=form)

    def pack(self, at: tuple[float, float], angle: float, *, up: bool = False) -> None:
        """Add a pack of 20 to 300 cards with its sides, a card on top."""
        rng = self.rng
        high = float(rng.uniform(6, 90))
        tone = float(rng.uniform(0.6, 0.9))
        spread, _ = grid(22, 30)
        places = shapes.turned((spread - 0.5) * CARD_MM, angle, at)
        z = self.heights.drop(places, np.zeros(len(places)), np.full(len(places), high))
        self.table.bodies += shapes.box(
            (*at, z),
            (CARD_MM[0] - 1, CARD_MM[1] - 1, high),
            angle,
            colour=(tone, tone, tone),
            side=(tone, tone, tone * 0.97),
        )
        if rng.random() < 0.25:
            plastic = rng.choice([(0.1, 0.8, 0.95), (0.1, 0.1, 0.8), (0.7, 0.3, 0.1)], axis=0)
            self.table.bodies += shapes.box((*at, z + high), (*CARD_MM, 0.6), angle, colour=plastic, gloss=0.2)
        else:
            self.card(at, angle, up=up, bend=("flat", 0.0))
        self.table.focus.append(at)

    def chip(
        self,
        at: tuple[float, float],
        cents: int,
        *,
        axis: Floats | None = None,
        z: float | None = None,
        maker: Maker | None = None,
    ) -> None:
        """Lay a chip; `axis` leans it and `z` is then where its lower middle lies."""
        maker = maker or self.house.maker
        told = colours(maker, cents)
        radius = CHIP_DIAMETER_MM / 2
        if z is None:
            spread, _ = grid(13, 13)
            inside = (spread - 0.5) * CHIP_DIAMETER_MM
            inside = inside[np.hypot(*inside.T) <= radius]
            places = inside + np.array(at)
            z = self.heights.drop(places, np.zeros(len(places)), np.full(len(places), CHIP_THICKNESS_MM)) + 0.02
        spin = float(self.rng.uniform(0, 360))
        number = self._number(2)
        layer = self.layer(("chip", maker, cents), top(maker, cents))
        parts, ring = disc(
            (*at, z),
            radius,
            CHIP_THICKNESS_MM,
            axis=axis,
            spin=spin,
            layer=layer,
            side=side_of(told, spin),
            numbers=(number, number + 1),
            gloss=float(0.12 + 0.1 * (maker.seed % 3)),
        )
        self.table.bodies += parts
        self.table.chips.append(ChipThere(number, ring, cents))
        self.table.focus.append(at)

    def any_value(self) -> int:
        """Return a value, or at times a colour that no rule prescribes."""
        rng = self.rng
        return int(rng.integers(1, 7)) if rng.random() < OTHERS else int(rng.choice(VALUES))

    def stack(self, at: tuple[float, float], count: int, *, mixed: float = 0.3) -> None:
        """Add a stack of chips, not quite upright."""
        rng = self.rng
        values = [self.any_value()] * count if rng.random() > mixed else [self.any_value() for _ in range(count)]
        lean = rng.normal(0, 0.35, 2)
        for k, cents in enumerate(values):
            x, y = np.array(at) + lean * k + rng.normal(0, 0.5, 2)
            self.chip((float(x), float(y)), cents)

    def spread_row(self, at: tuple[float, float], angle: float, count: int) -> None:
        """Chips fanned in a line, each leaning on the one before, or flat and apart."""
        rng = self.rng
        step = float(rng.uniform(0.32, 0.92)) * CHIP_DIAMETER_MM
        cents = self.any_value()
        way = np.array([math.cos(math.radians(angle)), math.sin(math.radians(angle))])
        for k in range(count):
            x, y = np.array(at) + way * step * (k - (count - 1) / 2) + rng.normal(0, 0.4, 2)
            if k == 0:
                self.chip((float(x), float(y)), cents)
                continue
            tilt = math.atan(1.08 * CHIP_THICKNESS_MM / step)
            up = np.array([*(way * math.sin(tilt)), math.cos(tilt)])
            if rng.random() < 0.2:
                cents = self.any_value()
            self.chip((float(x), float(y)), cents, axis=up, z=CHIP_DIAMETER_MM / 2 * math.sin(tilt) + 0.05)

    def hand(self, over: tuple[float, float], owner: Owner) -> None:
        """Add a hand whose fingertips are about `over`; the dealer's arm comes from below, a player's from outside."""
        rng = self.rng
        one, held = person(rng), pose(rng)
        shown = posed(one, held.curls, held.spread, bend=held.bend, opposed=held.opposed)
        facing: Facing = ("back", "palm", "edge")[int(rng.choice(3, p=(0.68, 0.22, 0.1)))]
        shown = shown.mirrored() if rng.random() < 0.5 else shown
        if owner == "dealer":
            toward = np.array([rng.normal(0, 0.45), 1.0])
        else:
            x, y = over[0], over[1] - 300
            toward = np.array([x, y - 120]) / max(1.0, math.hypot(x, y - 120)) + rng.normal(0, 0.25, 2)
        turn = turned(facing, rng, math.atan2(float(toward[0]), float(toward[1])))
        middle = shown.keypoints[9] * 0.9
        tips = ((shown.keypoints[[8, 12]] - middle) @ turn.T * MOVED).mean(0)
        low = float(((shown.vertices - middle) @ turn.T)[near(shown)].min(0)[2])
        high = float(rng.uniform(3, 25) if rng.random() < 0.6 else rng.uniform(25, 140))
        lift = np.array([over[0] - tips[0], over[1] - tips[1], high - low])
        vertices = reaching(shown, (shown.vertices - middle) @ turn.T * MOVED + lift)
        own = vertices[near(shown)]
        spot = np.array([0.0, 0.0, self.heights.drop(own[:, :2], own[:, 2] - 1.0, own[:, 2])])
        if spot[2] > HIGHEST:
            return
        vertices = vertices + spot
        keypoints = (shown.keypoints - middle) @ turn.T * MOVED + lift + spot
        mesh, paint = dressed(shown, vertices, shown.triangles[:, ::-1], rng)
        number = self._number(2)
        arm = of_mesh(mesh, near(shown), number, float(rng.uniform(0.0, 0.2)))
        self.table.hands.append(HandThere(number, arm, paint, vertices, keypoints, shown, facing, owner))
        self.table.focus.append(over)

    def anywhere(self) -> tuple[float, float]:
        """Return a place on the table."""
        return float(self.rng.uniform(-720, 720)), float(self.rng.uniform(-330, 380))

    def free(self) -> tuple[float, float] | None:
        """Return a place that nothing is near, or None."""
        taken = [np.array(at) for at in self.table.focus]
        for _ in range(12):
            at = self.anywhere()
            if all(float(np.hypot(*(np.array(at) - other))) > 150 for other in taken):
                return at
        return None


def reaching(shown: Posed, vertices: Floats) -> Floats:
    """Return a posed arm's vertices (n, 3) in the table's frame, the forearm drawn out beyond the table's edge."""
    beyond = shown.rest[:, 1] < FOREARM_MM
    way = vertices[beyond].mean(0) - vertices[near(shown)].mean(0)
    way /= np.linalg.norm(way)
    way[2] = float(np.clip(way[2], *RISE))
    return np.asarray(vertices + np.outer(beyond * LONGER_MM, way))
