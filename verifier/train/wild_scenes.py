"""Scenes off the table: cards laid out or held, piles and fans face down, chips in piles, as people photograph them."""

from __future__ import annotations

from typing import Final, Literal

from verifier.simulate.render.chips import OTHER_CENTS
from verifier.simulate.scene import ChipSprite, HandShape, PropSprite, Vec
from verifier.simulate.table import CHIP_THICKNESS_MM
from verifier.train.arms import FACINGS, reach
from verifier.train.scene_parts import SHAPES, SceneParts

CLUTTER: Final = ("cup", "glass", "phone", "ashtray", "keys", "pen", "paper", "napkin", "wallet", "cloth", "cut card",
                  "dealer button", "plate", "lighter", "remote", "hair", "label")  # fmt: skip
PITCH: Final = (78.0, 108.0)
"""Least distances of the middles of cards that lie side by side, millimetres."""


class WildParts(SceneParts):
    """Arrangements of cards, chips, hands and clutter about a place."""

    def _face(self, down: float) -> Literal["up", "down"]:
        return "down" if self._chance(down) else "up"

    def _rows(self, middle: Vec, down: float) -> None:
        """Cards side by side in rows, all turned alike."""
        columns, rows = int(self.rng.integers(1, 7)), int(self.rng.integers(1, 4))
        turn, gap = float(self.rng.uniform(0, 360)), float(self.rng.uniform(1.0, 1.5))
        for row in range(rows):
            for column in range(columns):
                if self._chance(0.08):
                    continue
                along = reach(middle, turn + 90.0, (column - (columns - 1) / 2) * PITCH[0] * gap)
                at = reach(along, turn + 180.0, (row - (rows - 1) / 2) * PITCH[1] * gap)
                self._card(
                    self._near(at, 4 * self._haste), turn + float(self.rng.normal(0, 3 * self._haste)), self._face(down)
                )

    def _fan_of_cards(self, pivot: Vec, count: int, down: float, heading: float) -> None:
        """Cards spread round a pivot like a hand of cards; 0.3 mm higher each."""
        step, reach_mm = float(self.rng.uniform(6, 24)), float(self.rng.uniform(50, 110))
        face = self._face(down)
        base = float(self.rng.uniform(0.5, 30))
        for index in range(count):
            turn = heading + (index - (count - 1) / 2) * step
            self._card(reach(pivot, turn, reach_mm), turn, face, base + 0.3 * index)

    def _ladder(self, start: Vec, count: int, down: float) -> None:
        """Cards overlapping along a line, from a tenth to nine tenths covered; half of them edge along edge."""
        turn, along = float(self.rng.uniform(0, 360)), float(self.rng.uniform(0, 360))
        if self._chance(0.5):
            along = turn + 90.0 * int(self.rng.integers(4))
        step, face = float(self.rng.uniform(8, 75)), self._face(down)
        for index in range(count):
            shown = self._face(0.5) if self._chance(0.15) else face
            at = reach(start, along, index * step)
            self._card(self._near(at, 1.5 * self._haste), turn + float(self.rng.normal(0, 3)), shown, 0.5 + 0.3 * index)

    def _pile(self, middle: Vec, count: int, down: float) -> None:
        """Cards thrown on each other."""
        spread = float(self.rng.uniform(20, 140))
        for index in range(count):
            self._card(self._near(middle, spread), float(self.rng.uniform(0, 360)), self._face(down), 0.5 + 0.3 * index)

    def _tucked(self, middle: Vec) -> None:
        """Add a face-down card partly under a face-up one, or with chips or a cut card on it."""
        turn = float(self.rng.uniform(0, 360))
        self._card(middle, turn + float(self.rng.normal(0, 6)), "down", 0.5)
        if self._chance(0.65):
            at = reach(middle, float(self.rng.uniform(0, 360)), float(self.rng.uniform(15, 65)))
            self._card(at, turn + float(self.rng.choice([0.0, 0.0, 90.0])) + float(self.rng.normal(0, 8)), "up", 1.0)
        else:
            self._chips_here(self._near(middle, 22), 1.2)

    def _held_fan(self, at: Vec) -> None:
        """Add a hand that holds cards, their backs or faces to the camera."""
        heading = float(self.rng.uniform(0, 360))
        self._fan_of_cards(reach(at, heading, 40.0), int(self.rng.integers(1, 6)), 0.7, heading)
        shapes: tuple[HandShape, ...] = ("pinch", "grip", "relaxed")
        shape = shapes[int(self.rng.integers(3))]
        self._hand("player", at, heading, shape, FACINGS[int(self.rng.integers(3))])

    def _chips_here(self, xy: Vec, z: float = 0.0) -> None:
        """Chips at one place: a stack, stacks side by side, a pile or a pyramid, of one or of mixed values."""
        one = self._any_cents() if self._chance(0.5) else None
        kind = self.rng.random()
        if kind < 0.2:
            self._stacks(xy, z)
        elif kind < 0.55:
            slips = float(self.rng.choice([0.4, 1.2, 3.0]))
            for level in range(int(self.rng.choice([1, 1, 2, 3, 5, 9, 16]))):
                self._chip(self._near(xy, slips), z + level * CHIP_THICKNESS_MM, one or self._any_cents())
        elif kind < 0.8:
            spread = float(self.rng.uniform(15, 70))
            for level in range(int(self.rng.integers(3, 14))):
                self._chip(self._near(xy, spread), z + level * 0.8, one or self._any_cents())
        else:
            for index in range(3):
                self._chip(reach(xy, index * 120.0, 22.6), z, one or self._any_cents())
            self._chip(xy, z + CHIP_THICKNESS_MM, one or self._any_cents())

    def _stacks(self, xy: Vec, z: float) -> None:
        """Two to eight stacks side by side in a row or two, as players keep them; most of one value each."""
        heading, columns = float(self.rng.uniform(0, 360)), int(self.rng.integers(2, 5))
        pitch, slips = float(self.rng.uniform(40, 56)), float(self.rng.choice([0.3, 0.8, 2.0]))
        for row in range(int(self.rng.integers(1, 3))):
            for column in range(columns):
                place = reach(reach(xy, heading, column * pitch), heading + 90.0, row * pitch)
                one = self._any_cents() if self._chance(0.8) else None
                for level in range(int(self.rng.integers(1, 19))):
                    at = self._near(place, slips)
                    self._chip(at, z + level * CHIP_THICKNESS_MM, one or self._any_cents())

    def _any_cents(self) -> int:
        return int(self.rng.choice(OTHER_CENTS)) if self._chance(0.35) else self._cents()

    def _clutter(self, count: int) -> None:
        for _ in range(count):
            kind = CLUTTER[int(self.rng.integers(len(CLUTTER)))]
            size = {
                "pen": (float(self.rng.uniform(8, 12)), float(self.rng.uniform(120, 150))),
                "phone": (float(self.rng.uniform(66, 80)), float(self.rng.uniform(130, 165))),
                "keys": (float(self.rng.uniform(25, 60)), float(self.rng.uniform(50, 90))),
                "label": (float(self.rng.uniform(50, 100)), float(self.rng.uniform(60, 130))),
                "lighter": (float(self.rng.uniform(22, 26)), float(self.rng.uniform(70, 85))),
                "hair": (float(self.rng.uniform(170, 260)), float(self.rng.uniform(190, 280))),
                "plate": (float(self.rng.uniform(150, 260)),) * 2,
            }.get(kind, (float(self.rng.uniform(45, 110)), float(self.rng.uniform(45, 150))))
            seed, angle = int(self.rng.integers(1 << 30)), float(self.rng.uniform(0, 360))
            sprite = PropSprite(id=self._id(), kind=kind, xy=self._anywhere(), angle=angle, size=size, seed=seed)
            self._props.append(sprite)

    def _rest_on_cards(self) -> None:
        """Lone chips laid on cards."""
        for card in self._cards[:: int(self.rng.integers(2, 6))]:
            if self._chance(0.2):
                at = self._near(card.xy, 20)
                self._chips.append(ChipSprite(id=self._id(), cents=self._any_cents(), xy=at, z=card.z + 0.5))

    def _arrange(self, middle: Vec, down: float) -> None:
        """One arrangement about `middle`."""
        heading = float(self.rng.uniform(0, 360))
        choice = int(self.rng.choice(8, p=[0.19, 0.12, 0.18, 0.1, 0.12, 0.06, 0.2, 0.03]))
        if choice == 0:
            self._rows(middle, down)
        elif choice == 1:
            self._fan_of_cards(middle, int(self.rng.integers(2, 8)), down, heading)
        elif choice == 2:
            self._ladder(middle, int(self.rng.integers(2, 7)), down)
        elif choice == 3:
            self._pile(middle, int(self.rng.integers(2, 9)), down)
        elif choice == 4:
            self._tucked(middle)
        elif choice == 5:
            self._held_fan(middle)
        elif choice == 6:
            self._chips_here(middle)
        else:
            shape = SHAPES[int(self.rng.integers(len(SHAPES)))]
            self._hand("player", middle, heading, shape, FACINGS[int(self.rng.integers(3))])

    def _close(self) -> None:
        """Add a few arrangements near the middle, to be seen from near."""
        down = float(self.rng.choice([0.0, 0.2, 0.5, 1.0], p=[0.35, 0.3, 0.2, 0.15]))
        for _ in range(int(self.rng.integers(1, 6))):
            self._arrange((float(self.rng.normal(0, 190)), float(self.rng.normal(0, 150))), down)
        self._rest_on_cards()
        self._clutter(int(self.rng.choice([0, 0, 1, 3])))

    def _strewn(self) -> None:
        """Arrangements all over the picture, face-down cards as many as face-up ones."""
        for _ in range(int(self.rng.integers(5, 16))):
            self._arrange(self._anywhere(), 0.5)
        self._rest_on_cards()
        self._clutter(int(self.rng.integers(0, 8)))
