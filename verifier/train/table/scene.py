"""Arranges whole tables: what lies where, how high, and what each thing is. Frame and units as `table.bodies`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
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
from verifier.train.solid.draw import Paint
from verifier.train.solid.hands import FOREARM_MM, MOVED, dressed, near, pose, turned
from verifier.train.table import bodies as shapes
from verifier.train.table.bodies import FELT, PRINTED, Body, body, disc, grid, of_mesh
from verifier.train.table.discs import Maker, colours, sample_maker, top
from verifier.train.table.faces import CARD_PX, Back, Deck, back, face, sample_back, sample_deck
from verifier.train.table.felts import FELT_MM, Felt, print_felt, sample_felt
from verifier.train.table.kinds import SolidKind
from verifier.train.table.splits import Split

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
KINDS: Final[dict[SolidKind, float]] = {
    "play": 0.36,
    "fans": 0.24,
    "spread": 0.1,
    "chips": 0.1,
    "packs": 0.08,
    "clutter": 0.12,
}
"""How often a scene is of each kind; "clutter" has neither a card nor a chip."""
STEPS: Final = (0.12, 0.6)
"""Steps between a fan's cards, in widths of a card."""
CARD_THICK: Final = 0.32
CELL: Final = 3.0
"""Millimetres of a cell of the map of heights."""
VALUES: Final = (50, 100, 100, 200, 500, 500, 500, 2500, 2500, 10000)
OTHERS: Final = 0.1
"""Share of the chips of colours that no rule prescribes."""
LONGER_MM: Final = 1500.0
"""How far an arm is drawn out beyond FOREARM_MM: its end must not be seen."""
RISE: Final = (0.03, 0.25)
"""How steeply it rises, in its length."""
HIGHEST: Final = 90.0
"""A hand that would have to be lifted farther over what lies below it is left out."""
FAN_NUMBERS: Final = 10
"""A card of fan `n` at place `k` from below has the id FAN_NUMBERS * n + k; other cards have none."""


@dataclass(frozen=True)
class CardThere:
    """A card: its number in the picture of numbers, its bent corners (4, 3) mm, what it shows, and its fan."""

    number: int
    corners: Floats
    up: bool
    rank: str
    suit: str
    id: int | None = None


@dataclass(frozen=True)
class ChipThere:
    """A chip: the number of its upper face, the ring (n, 3) mm round that face, and its value."""

    number: int
    ring: Floats
    cents: int


@dataclass(frozen=True)
class HandThere:
    """A hand: its number, the dressed arm, and what it is in the table's frame."""

    number: int
    arm: Body
    paint: Paint
    vertices: Floats
    keypoints: Floats
    shown: Posed
    facing: Facing
    owner: Owner


@dataclass
class Table:
    """Everything on one table, ready to be drawn."""

    plan: TablePlan
    felt: Image
    nap: float
    bodies: list[Body] = field(default_factory=list)
    prints: list[Image] = field(default_factory=list)
    cards: list[CardThere] = field(default_factory=list)
    chips: list[ChipThere] = field(default_factory=list)
    hands: list[HandThere] = field(default_factory=list)
    focus: list[tuple[float, float]] = field(default_factory=list)
    """Places worth looking at."""
    edge: Floats = field(default_factory=lambda: np.zeros((0, 2)))
    """The felt's outline (n, 2), mm."""

    def stacked(self) -> Image:
        """All prints as one array (n, h, w, 4)."""
        return np.stack(self.prints) if self.prints else np.zeros((1, 4, 4, 4), np.uint8)


class Heights:
    """How high what lies on the felt reaches, in cells of CELL mm; things are dropped on it."""

    def __init__(self) -> None:
        self._map = np.zeros((round(FELT_MM[1] / CELL) + 1, round(FELT_MM[0] / CELL) + 1))

    def drop(self, places: Floats, low: Floats, high: Floats) -> float:
        """How much a thing must be lifted that covers `places` (n, 2) mm from `low` (n,) to `high` (n,); keeps it."""
        cells = np.round((places + np.array(FELT_MM) / 2) / CELL).astype(int)
        x = np.clip(cells[:, 0], 0, self._map.shape[1] - 1)
        y = np.clip(cells[:, 1], 0, self._map.shape[0] - 1)
        lift = max(0.0, float((self._map[y, x] - low).max()))
        np.maximum.at(self._map, (y, x), high + lift)
        return lift


@dataclass(frozen=True)
class House:
    """What one house has: decks, backs, makers, felt, of one split."""

    deck: Deck
    back: Back
    maker: Maker
    felt: Felt


def sample_house(rng: Generator, split: Split) -> House:
    """A house of `split`."""
    return House(sample_deck(rng, split), sample_back(rng, split), sample_maker(rng, split), sample_felt(rng, split))


class Stager:
    """Lays out one table at random; `table` is what came of it."""

    def __init__(self, house: House, rng: Generator) -> None:
        plan = plan_table(int(rng.integers(1, 8)))
        self.rng, self.house = rng, house
        self.table = Table(plan, print_felt(house.felt, plan), float(rng.uniform(0.04, 0.22)))
        self.heights = Heights()
        self._next, self._fan_count = 1, 0
        self._layers: dict[object, int] = {}
        self.bend = float(np.abs(rng.normal(0, 2.0)) if rng.random() < 0.6 else 0.0)
        self.gloss = float(rng.choice([0.0, rng.uniform(0.05, 0.55)], p=(0.5, 0.5)))
        self._ground()

    def stage(self, kind: SolidKind) -> Table:
        """Fills the table."""
        getattr(self, f"_{kind}")()
        if kind != "clutter" and self.rng.random() < 0.45:
            self.clutter(int(self.rng.integers(1, 5)))
        return self.table

    def _number(self, count: int = 1) -> int:
        out, self._next = self._next, self._next + count
        return out

    def layer(self, key: object, picture: Image) -> int:
        """The layer of a print; one that is known by `key` is kept once."""
        if key not in self._layers:
            fitted = (
                picture
                if picture.shape[1::-1] == CARD_PX
                else cv2.resize(picture, CARD_PX, interpolation=cv2.INTER_AREA)
            )
            self._layers[key] = len(self.table.prints)
            self.table.prints.append(np.asarray(fitted, np.uint8))
        return self._layers[key]

    # ---- the table itself

    def _ground(self) -> None:
        rng = self.rng
        a, b, y0, y1 = rng.uniform(930, 1060), rng.uniform(800, 930), rng.uniform(290, 350), rng.uniform(470, 530)
        turn = np.radians(np.linspace(180, 360, 61))
        arc = np.stack([a * np.cos(turn), y0 + b * np.sin(turn)], 1)
        edge = np.vstack([[(-a, y1)], arc, [(a, y1)]])
        self.table.edge = edge
        vertices = np.column_stack([np.vstack([edge, [(0.0, y1)]]), np.zeros(len(edge) + 1)])
        fan = np.array([[i, i + 1, len(edge)] for i in range(len(edge) - 1)])
        texel = np.column_stack([vertices[:, :2] / FELT_MM + 0.5, np.zeros(len(vertices))])
        self.table.bodies.append(body(vertices, fan, texel=texel, kind=FELT))
        floor = np.array([(-4e3, -4e3, -750.0), (4e3, -4e3, -750.0), (4e3, 4e3, -750.0), (-4e3, 4e3, -750.0)])
        tiles = floor[:, :2] / rng.uniform(150, 900)
        layer = self.layer("floor", _carpet(rng))
        texel = np.column_stack([tiles, np.full(4, float(layer))])
        self.table.bodies.append(body(floor, np.array([[0, 1, 2], [0, 2, 3]]), texel=texel, kind=PRINTED))
        self._rim(np.vstack([edge, edge[:1]]), rng.uniform(60, 150))

    def _rim(self, edge: Floats, width: float) -> None:
        """The padded or wooden edge about the felt, at times with holders for cups in it."""
        rng = self.rng
        middle = np.array([0.0, 150.0])
        out = edge - middle
        out /= np.linalg.norm(out, axis=1, keepdims=True)
        high, colour = rng.uniform(8, 45), rng.uniform(0.02, 0.55) * rng.uniform(0.5, 1.2, 3)
        if rng.random() < 0.4:
            colour = np.array([0.1, 0.2, 0.38]) * rng.uniform(0.3, 1.4)
        profile = [
            (0.0, -2.0),
            (2.0, 0.5 * high),
            (0.2 * width, 0.92 * high),
            (0.5 * width, high),
            (0.85 * width, 0.8 * high),
            (width, 0.0),
            (width, -200.0),
        ]
        lines = [np.column_stack([edge + out * away, np.full(len(edge), z)]) for away, z in profile]
        self.table.bodies.append(shapes.strip(lines, np.clip(colour, 0.01, 1), gloss=float(rng.uniform(0, 0.4))))
        if rng.random() < 0.5:
            for i in rng.permutation(len(edge) - 2)[: rng.integers(1, 6)]:
                x, y = edge[i] + out[i] * width * 0.5
                metal = rng.uniform(0.3, 0.8)
                parts, _ = disc(
                    (x, y, high - 1),
                    min(48.0, 0.45 * width),
                    4,
                    face=(metal, metal, metal),
                    side=(metal, metal, metal),
                    gloss=0.5,
                )
                hole, _ = disc(
                    (x, y, high + 3.1), min(40.0, 0.36 * width), 0.2, face=(0.02, 0.02, 0.02), side=(0.02, 0.02, 0.02)
                )
                self.table.bodies += parts + hole

    # ---- cards

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
        """Lays a card with its middle at `at`; `bend` is how it is curved and by how many millimetres."""
        rng = self.rng
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
        picture = (self.house.deck, rank, suit) if up else self.house.back
        layer = self.layer(
            picture, face(*picture) if isinstance(picture, tuple) else back(picture, self.house.deck.round_mm)
        )
        texel = np.column_stack([uv, np.full(len(uv), float(layer))])
        number = self._number()
        tone = float(rng.uniform(0.93, 1.0))
        self.table.bodies.append(
            body(
                vertices,
                triangles,
                texel=texel,
                colour=(tone, tone, tone),
                kind=PRINTED,
                number=number,
                gloss=self.gloss,
            )
        )
        corners = vertices[[0, 6, 62, 56]]
        self.table.cards.append(CardThere(number, corners, up, rank, suit, fan))
        self.table.focus.append(at)

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
        """A fan of `count` cards from `at` on: `step` is the distance of neighbours in widths of a card.

        `form` is "straight" (along the width), "stairs" (along the diagonal, as players' hands), "spread" (about a
        point below) or "half" (along the height).
        """
        rng, self._fan_count = self.rng, self._fan_count + 1
        way = float(rng.choice([-1, 1]))
        bend = (str(rng.choice(["long", "short", "dome"])), self.bend * float(rng.uniform(0, 1)))
        turn = float(rng.uniform(4, 13))
        for k in range(count):
            place = (k - (count - 1) / 2) * way
            own = angle + float(rng.normal(0, 1.2))
            if form == "half":
                local = (float(rng.normal(0, 2)), place * CARD_MM[1] * max(0.25, step))
            elif form == "stairs":
                local = (
                    place * step * CARD_MM[0] * 0.85,
                    -place * step * CARD_MM[0] * way * float(rng.choice([1.0, 1.0, 0.6])),
                )
            elif form == "spread":
                far = step * CARD_MM[0] / math.radians(turn)
                a = math.radians(place * turn)
                local = (far * math.sin(a), far * (1 - math.cos(a)))
                own += place * turn
            else:
                local = (place * step * CARD_MM[0], float(rng.normal(0, 1.2)))
            spot = shapes.turned(np.array([local]), angle, at)[0]
            self.card(
                (float(spot[0]), float(spot[1])),
                own,
                up=bool(rng.random() >= downs),
                fan=FAN_NUMBERS * self._fan_count + k,
                bend=bend,
            )

    def any_fan(self, at: tuple[float, float], angle: float | None = None) -> None:
        """A fan of 2 to 6 at any step."""
        rng = self.rng
        count = int(rng.choice([2, 3, 4, 5, 6], p=(0.34, 0.28, 0.18, 0.12, 0.08)))
        form = str(rng.choice(["straight", "stairs", "spread", "half"], p=(0.35, 0.35, 0.15, 0.15)))
        turn = float(rng.uniform(0, 360)) if angle is None else angle
        self.fan(at, turn, count, float(rng.uniform(*STEPS)), form=form)

    def pack(self, at: tuple[float, float], angle: float, *, up: bool = False) -> None:
        """A pack of 20 to 300 cards with its sides, a card on top."""
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

    # ---- chips

    def chip(
        self,
        at: tuple[float, float],
        cents: int,
        *,
        axis: Floats | None = None,
        z: float | None = None,
        maker: Maker | None = None,
    ) -> None:
        """Lays a chip; `axis` leans it and `z` is then where its lower middle lies."""
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
        degrees = (np.arange(shapes.AROUND) + 0.5) * 360 / shapes.AROUND + spin
        side = np.tile(np.array(told.body) / 255, (shapes.AROUND, 1))
        for start, end in told.stripes:
            on = ((degrees - start) % 360) < (end - start)
            side[on] = np.array(told.spot) / 255
        number = self._number(2)
        layer = self.layer(("chip", maker, cents), top(maker, cents))
        parts, ring = disc(
            (*at, z),
            radius,
            CHIP_THICKNESS_MM,
            axis=axis,
            spin=spin,
            layer=layer,
            side=side * 0.96,
            numbers=(number, number + 1),
            gloss=float(0.12 + 0.1 * (maker.seed % 3)),
        )
        self.table.bodies += parts
        self.table.chips.append(ChipThere(number, ring, cents))
        self.table.focus.append(at)

    def any_value(self) -> int:
        """A value, or at times a colour that no rule prescribes."""
        rng = self.rng
        return int(rng.integers(1, 7)) if rng.random() < OTHERS else int(rng.choice(VALUES))

    def stack(self, at: tuple[float, float], count: int, *, mixed: float = 0.3) -> None:
        """A stack of chips, not quite upright."""
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

    # ---- hands

    def hand(self, over: tuple[float, float], owner: Owner) -> None:
        """A hand whose fingertips are about `over`; the dealer's arm comes from below, a player's from outside."""
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
        vertices = _reaching(shown, (shown.vertices - middle) @ turn.T * MOVED + lift)
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

    # ---- scenes

    def _play(self) -> None:
        rng, plan = self.rng, self.table.plan
        self._fixtures()
        for space in plan.spaces.values():
            if rng.random() < 0.2:
                continue
            turn = math.degrees(math.atan2(space.outward[0], -space.outward[1]))
            x, y = np.array(space.cards) + rng.normal(0, 14, 2)
            if rng.random() < 0.85:
                count = int(rng.choice([1, 2, 3, 4, 5, 6], p=(0.06, 0.46, 0.26, 0.14, 0.06, 0.02)))
                form = str(rng.choice(["straight", "stairs", "half"], p=(0.3, 0.6, 0.1)))
                self.fan(
                    (float(x), float(y)),
                    turn + float(rng.normal(0, 8)),
                    count,
                    float(rng.uniform(0.2, 0.6)),
                    form=form,
                    downs=0.04,
                )
            x, y = np.array(space.wager) + rng.normal(0, 9, 2)
            if rng.random() < 0.8:
                self.stack(
                    (float(x), float(y)),
                    int(rng.choice([1, 2, 3, 4, 5, 8, 12], p=(0.2, 0.2, 0.2, 0.15, 0.13, 0.08, 0.04))),
                )
            if rng.random() < 0.3:
                x, y = np.array(space.tip) + rng.normal(0, 6, 2)
                self.stack((float(x), float(y)), int(rng.integers(1, 4)))
            if rng.random() < 0.25:
                x, y = np.array(space.wager) + np.array(space.outward) * rng.uniform(45, 90) + rng.normal(0, 25, 2)
                for _ in range(int(rng.integers(1, 4))):
                    self.stack((float(x + rng.normal(0, 50)), float(y + rng.normal(0, 20))), int(rng.integers(1, 14)))
        x, y = np.array(plan.dealer_cards) + rng.normal(0, 20, 2)
        apart = rng.random() < 0.5
        for k in range(int(rng.integers(2, 6))):
            away = k * (CARD_MM[0] * (1.12 if apart else float(rng.uniform(0.25, 0.6))))
            self.card(
                (float(x) + away - 60, float(y) + float(rng.normal(0, 2))),
                180 + float(rng.normal(0, 2)),
                up=k != 1 or rng.random() < 0.5,
            )
        for _ in range(int(rng.choice([0, 1, 2, 3], p=(0.25, 0.35, 0.3, 0.1)))):
            owner: Owner = "dealer" if rng.random() < 0.65 else "player"
            at = self.table.focus[int(rng.integers(len(self.table.focus)))]
            if owner == "dealer" or at[1] < 60:
                self.hand((at[0] + float(rng.normal(0, 25)), at[1] + float(rng.normal(0, 25))), owner)
            else:
                self.hand((at[0], -abs(at[1]) - 120), owner)

    def _anywhere(self) -> tuple[float, float]:
        return float(self.rng.uniform(-720, 720)), float(self.rng.uniform(-330, 380))

    def _fans(self) -> None:
        rng = self.rng
        for _ in range(int(rng.integers(5, 18))):
            at = self._anywhere()
            if rng.random() < 0.75:
                self.any_fan(at)
            else:
                self.card(at, float(rng.uniform(0, 360)), up=bool(rng.random() < 0.7))
        for _ in range(int(rng.choice([0, 1, 2], p=(0.5, 0.35, 0.15)))):
            at = self.table.focus[int(rng.integers(len(self.table.focus)))]
            self.hand(
                (at[0] + float(rng.normal(0, 50)), at[1] + float(rng.normal(0, 50))),
                "dealer" if rng.random() < 0.5 else "player",
            )

    def _spread(self) -> None:
        rng = self.rng
        middle = self._anywhere()
        wide = rng.uniform(60, 420)
        for _ in range(int(rng.integers(6, 36))):
            x, y = np.array(middle) + rng.normal(0, wide, 2) * (1.0, 0.6)
            self.card((float(x), float(y)), float(rng.uniform(0, 360)), up=bool(rng.random() < 0.7))
        if rng.random() < 0.5:
            self.hand(middle, "dealer" if rng.random() < 0.6 else "player")

    def _chips(self) -> None:
        rng = self.rng
        for _ in range(int(rng.integers(2, 12))):
            at = self._anywhere()
            kind = rng.random()
            if kind < 0.4:
                for _ in range(int(rng.integers(1, 5))):
                    x, y = np.array(at) + rng.normal(0, 45, 2)
                    self.stack((float(x), float(y)), int(rng.integers(1, 21)))
            elif kind < 0.8:
                self.spread_row(at, float(rng.uniform(0, 360)), int(rng.integers(2, 8)))
            else:
                for _ in range(int(rng.integers(5, 20))):
                    x, y = np.array(at) + rng.normal(0, 45, 2)
                    self.chip((float(x), float(y)), self.any_value())
        if rng.random() < 0.5:
            self.any_fan(self._anywhere())
        if rng.random() < 0.4:
            self.hand(self.table.focus[0], "dealer" if rng.random() < 0.6 else "player")

    def _packs(self) -> None:
        rng = self.rng
        for _ in range(int(rng.integers(1, 5))):
            self.pack(self._anywhere(), float(rng.uniform(0, 360)), up=bool(rng.random() < 0.15))
        if rng.random() < 0.6:
            at, step = self._anywhere(), float(rng.uniform(3, 12))
            angle, up = float(rng.uniform(-12, 12)), bool(rng.random() < 0.5)
            for k in range(int(rng.integers(12, 52))):
                x, y = shapes.turned(np.array([(k * step, 0.05 * (k - 20) ** 2 * 0.5)]), angle, at)[0]
                self.card((float(x), float(y)), angle + float(rng.normal(0, 1)), up=up, bend=("flat", 0.0))
        if rng.random() < 0.6:
            self.hand(self.table.focus[0], "dealer")
            self.hand((self.table.focus[0][0] + 40, self.table.focus[0][1]), "dealer")

    def _clutter(self) -> None:
        self.clutter(int(self.rng.integers(4, 14)))
        if self.rng.random() < 0.5:
            self.hand(self._anywhere(), "dealer" if self.rng.random() < 0.6 else "player")

    # ---- other things

    def clutter(self, count: int) -> None:
        """Things that are neither cards nor chips, laid beside these."""
        from verifier.train.table.things import THINGS

        names = list(THINGS)
        for _ in range(count):
            at = self._free()
            if at is not None:
                THINGS[names[int(self.rng.integers(len(names)))]](self, at)
                self.table.focus.append(at)

    def _free(self) -> tuple[float, float] | None:
        """A place that nothing is near, or None."""
        taken = [np.array(at) for at in self.table.focus]
        for _ in range(12):
            at = self._anywhere()
            if all(float(np.hypot(*(np.array(at) - other))) > 150 for other in taken):
                return at
        return None

    def _fixtures(self) -> None:
        """Shoe, rack of discards, tray with its chips on edge."""
        from verifier.train.table.things import fixtures

        fixtures(self)


def _carpet(rng: Generator) -> Image:
    """A floor's repeated pattern, BGRA."""
    w, h = CARD_PX
    image = np.full((h, w, 3), rng.uniform(5, 140, 3), np.float32).astype(np.uint8)
    for _ in range(int(rng.choice([0, 6, 25]))):
        colour = tuple(map(float, rng.uniform(5, 170, 3)))
        at = (int(rng.integers(w)), int(rng.integers(h)))
        for dx in (-w, 0, w):
            for dy in (-h, 0, h):
                cv2.circle(
                    image, (at[0] + dx, at[1] + dy), int(rng.integers(6, 40)), colour, int(rng.choice([-1, 3, 8]))
                )
    return np.dstack([image, np.full((h, w), 255, np.uint8)])


def _reaching(shown: Posed, vertices: Floats) -> Floats:
    """A posed arm's vertices (n, 3) in the table's frame, the forearm drawn out beyond the table's edge."""
    beyond = shown.rest[:, 1] < FOREARM_MM
    way = vertices[beyond].mean(0) - vertices[near(shown)].mean(0)
    way /= np.linalg.norm(way)
    way[2] = float(np.clip(way[2], *RISE))
    return np.asarray(vertices + np.outer(beyond * LONGER_MM, way))


def any_kind(rng: Generator) -> SolidKind:
    """A kind of scene, by KINDS."""
    names: Sequence[SolidKind] = list(KINDS)
    return names[int(rng.choice(len(names), p=np.array(list(KINDS.values()))))]
