"""Single things for random scenes: cards, chips, bills, props and hands with what they hold (millimetres)."""

from __future__ import annotations

import math
from typing import Final, Literal, get_args

import numpy as np
from numpy.random import Generator

from verifier.domain.cards import FULL_DECK
from verifier.domain.money import CHIP_COLOURS
from verifier.simulate.scene import BillSprite, CardSprite, ChipSprite, HandShape, HandSprite, PropSprite, Vec
from verifier.simulate.table import CHIP_THICKNESS_MM, TablePlan
from verifier.train.arms import arm_from, reach

PROPS: Final = ("cup", "phone", "ashtray", "cut card", "dealer button", "cloth")
BILLS: Final = (100, 500, 1000, 2000, 5000, 10000)
SHAPES: Final[tuple[HandShape, ...]] = get_args(HandShape)


class SceneParts:
    """Collects sprites; `rng` decides everything, so the same seed gives the same scene."""

    def __init__(self, plan: TablePlan, rng: Generator) -> None:
        self.plan = plan
        self.rng = rng
        self._next_id = 0
        self._free_fingers = 0.05
        self._cards: list[CardSprite] = []
        self._chips: list[ChipSprite] = []
        self._bills: list[BillSprite] = []
        self._hands: list[HandSprite] = []
        self._props: list[PropSprite] = []
        self._haste = float(rng.choice([0.4, 1.0, 2.0], p=[0.5, 0.35, 0.15]))
        self._down_only = bool(rng.random() < 0.04)

    def _id(self) -> int:
        self._next_id += 1
        return self._next_id

    def _near(self, xy: Vec, spread: float) -> Vec:
        """Return a point about `xy`, normally distributed."""
        return (xy[0] + float(self.rng.normal(0, spread)), xy[1] + float(self.rng.normal(0, spread)))

    def _anywhere(self) -> Vec:
        return (float(self.rng.uniform(-860, 860)), float(self.rng.uniform(-470, 440)))

    def _chance(self, p: float) -> bool:
        return bool(self.rng.random() < p)

    def _card(self, xy: Vec, angle: float, face: Literal["up", "down"] = "up", z: float = 0.5) -> None:
        card = FULL_DECK[int(self.rng.integers(len(FULL_DECK)))]
        turned = angle + (180.0 if self._chance(0.5) else 0.0)
        shown: Literal["up", "down"] = "down" if self._down_only else face
        self._cards.append(CardSprite(id=self._id(), card=card, face=shown, xy=xy, angle=turned, z=z))

    def _cents(self) -> int:
        """Return a chip's value; a few chips have colours that no rule knows."""
        if self._chance(0.04):
            return int(self.rng.integers(20_000, 900_000))
        return int(self.rng.choice(list(CHIP_COLOURS)))

    def _chip(self, xy: Vec, z: float, cents: int) -> None:
        angle = float(self.rng.uniform(0, 360))
        self._chips.append(ChipSprite(id=self._id(), cents=cents, xy=xy, z=z, angle=angle))

    def _stack(self, xy: Vec, count: int) -> None:
        """Add a stack; its chips are ordered with the lowest value on top, mostly."""
        values = sorted((self._cents() for _ in range(count)), reverse=self._chance(0.85))
        for level, cents in enumerate(values):
            self._chip(self._near(xy, 0.8 * self._haste), level * CHIP_THICKNESS_MM, cents)

    def _fan(self, xy: Vec, count: int, direction: float) -> None:
        """Add a row of overlapping chips along `direction` (degrees, 0 along x, 90 toward the dealer)."""
        step = float(self.rng.uniform(19, 29))
        turn = math.radians(direction + float(self.rng.normal(0, 4 * self._haste)))
        backwards = self._chance(0.5)
        for index in range(count):
            place = count - 1 - index if backwards else index
            at = (xy[0] + place * step * math.cos(turn), xy[1] + place * step * math.sin(turn))
            self._chip(self._near(at, 0.8 * self._haste), min(index, 2) * 1.4 + index * 0.1, self._cents())

    def _spill(self, xy: Vec, count: int) -> None:
        for index in range(count):
            self._chip(self._near(xy, 34.0), index * 0.8, self._cents())

    def _hand(
        self,
        owner: Literal["dealer", "player"],
        target: Vec,
        heading: float,
        shape: HandShape,
        facing: Literal["back", "palm", "edge"],
        side: Literal["left", "right"] | None = None,
    ) -> None:
        """Add a hand whose fingers lie about `target`, pointing along `heading`, with what it holds."""
        side = side or ("left" if self._chance(0.5) else "right")
        angle = heading + float(self.rng.normal(0, 22))
        xy = reach(target, angle + 180.0, 95.0)
        person = f"{owner}-{int(self.rng.integers(1, 9))}"
        elbow = arm_from(self.rng, xy, angle, owner, side)
        curls = self._curls(shape)
        spread = float(self.rng.uniform(0.2, 1.0)) if self._chance(0.2) else None
        self._held(xy, angle, shape)
        self._hands.append(
            HandSprite(
                id=self._id(),
                owner=owner,
                person=person,
                side=side,
                facing=facing,
                shape=shape,
                xy=xy,
                angle=angle,
                elbow=elbow,
                z=float(self.rng.uniform(8, 70)),
                curls=curls,
                spread=spread,
            )
        )

    def _curls(self, shape: HandShape) -> tuple[float, float, float, float, float] | None:
        """None mostly; sometimes any fingers extended, and for a relaxed hand five curls of its own."""
        if self._chance(self._free_fingers):
            closed = self.rng.random(5) < float(self.rng.uniform(0.1, 0.9))
            free = np.where(closed, self.rng.uniform(0.8, 1.0, 5), self.rng.uniform(0.0, 0.12, 5))
            return (float(free[0]), float(free[1]), float(free[2]), float(free[3]), float(free[4]))
        if shape != "relaxed" or self._chance(0.6):
            return None
        low, high = sorted(self.rng.uniform(0.1, 0.75, 2))
        a, b, c, d, e = (float(v) for v in np.clip(self.rng.uniform(low, high, 5), 0, 1))
        return (a, b, c, d, e)

    def _held(self, xy: Vec, angle: float, shape: HandShape) -> None:
        if shape == "pinch" and self._chance(0.75):
            face: Literal["up", "down"] = "up" if self._chance(0.55) else "down"
            held = reach(xy, angle, float(self.rng.uniform(125, 165)))
            self._card(held, angle + float(self.rng.normal(0, 25)), face, float(self.rng.uniform(2, 8)))
        elif shape == "grip" and self._chance(0.7):
            self._stack(reach(xy, angle, float(self.rng.uniform(85, 125))), int(self.rng.integers(1, 5)))

    def _bill(self, xy: Vec) -> None:
        cents = int(self.rng.choice(BILLS))
        face: Literal["up", "down"] = "up" if self._chance(0.6) else "down"
        angle = float(self.rng.uniform(0, 360))
        self._bills.append(BillSprite(id=self._id(), cents=cents, xy=xy, angle=angle, face=face))

    def _add_props(self, count: int) -> None:
        for _ in range(count):
            kind = PROPS[int(self.rng.integers(len(PROPS)))]
            size = (float(self.rng.uniform(45, 110)), float(self.rng.uniform(45, 150)))
            seed, angle = int(self.rng.integers(1 << 30)), float(self.rng.uniform(0, 360))
            self._props.append(
                PropSprite(id=self._id(), kind=kind, xy=self._anywhere(), angle=angle, size=size, seed=seed)
            )
