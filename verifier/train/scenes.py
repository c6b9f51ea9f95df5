"""Random still scenes for training pictures: tables in play, hurried and careless ones, and anything anywhere.

All lengths are millimetres in the table frame of `verifier.simulate.scene`.
"""

from __future__ import annotations

import math
from typing import Final, Literal

from verifier.simulate.scene import HandShape, PropSprite, Scene, Vec
from verifier.simulate.table import SpaceSpots
from verifier.train.arms import FACINGS
from verifier.train.scene_parts import SHAPES
from verifier.train.wild_scenes import WildParts

SceneKind = Literal["play", "inner", "carpet", "chaos", "hands", "empty", "close", "strewn"]
KINDS: Final[tuple[tuple[SceneKind, float], ...]] = (
    ("play", 0.56),
    ("inner", 0.10),
    ("carpet", 0.14),
    ("chaos", 0.12),
    ("hands", 0.05),
    ("empty", 0.03),
)
WILD_KINDS: Final[tuple[tuple[SceneKind, float], ...]] = (
    ("play", 0.20),
    ("inner", 0.05),
    ("carpet", 0.10),
    ("chaos", 0.12),
    ("hands", 0.08),
    ("empty", 0.02),
    ("close", 0.22),
    ("strewn", 0.21),
)
"""Kinds of scenes with their shares, at a card room's tables and at any."""


class SceneSampler(WildParts):
    """Draws scenes on one table; `rng` decides everything, so the same seed gives the same scene."""

    def sample(self, kind: SceneKind | None = None, *, wild: bool = False) -> Scene:
        """One scene; `kind` is drawn by its weight unless given."""
        kinds = WILD_KINDS if wild else KINDS
        kind = kind or kinds[int(self.rng.choice(len(kinds), p=[share for _, share in kinds]))][0]
        if kind == "close":
            self._close()
        elif kind == "strewn":
            self._strewn()
        elif kind in ("play", "inner"):
            self._play(covered=kind == "inner")
        elif kind == "carpet":
            self._carpet(int(self.rng.integers(18, 46)))
        elif kind == "chaos":
            self._chaos()
        elif kind == "hands":
            self._many_hands()
        elif self.rng.random() < 0.5:
            self._clutter(6) if wild else self._add_props(3)
        return Scene(
            t=float(self.rng.uniform(0, 100)),
            cards=tuple(self._cards),
            chips=tuple(self._chips),
            bills=tuple(self._bills),
            hands=tuple(self._hands),
            props=tuple(self._props),
        )

    def _chips_about(self, xy: Vec) -> None:
        """Chips as play leaves them at `xy`: mostly a stack, else a fan or a spill, perhaps a payoff beside it."""
        draw = self.rng.random()
        if draw < 0.58:
            self._stack(xy, int(self.rng.integers(1, 5)))
        elif draw < 0.95:
            self._fan(xy, int(self.rng.integers(2, 7)), float(self.rng.choice([90.0, 0.0, 90.0, -90.0, 180.0])))
        else:
            self._spill(xy, int(self.rng.integers(3, 9)))
        if self._chance(0.3):
            beside = self._near((xy[0] + 70.0, xy[1]), 5.0)
            if self._chance(0.5):
                self._stack(beside, int(self.rng.integers(1, 5)))
            else:
                self._fan(beside, int(self.rng.integers(2, 7)), 0.0)

    def _hand_of_cards(self, spot: Vec, turn: float) -> None:
        """Cards laid one over the lower-left quarter of the other, perhaps with a doubled one across."""
        count = int(self.rng.choice([1, 2, 3, 4, 5, 6], p=[0.16, 0.46, 0.2, 0.1, 0.05, 0.03]))
        dx, dy = float(self.rng.normal(-30, 3 * self._haste)), float(self.rng.normal(42, 4 * self._haste))
        base = turn * float(self.rng.choice([0.0, 1.0]))
        x, y = self._near(spot, 8 * self._haste)
        doubled = count >= 3 and self._chance(0.45)
        for index in range(count):
            angle = base + float(self.rng.normal(0, 4 * self._haste))
            angle += 90.0 if doubled and index == count - 1 else 0.0
            face: Literal["up", "down"] = "down" if self._chance(0.05) else "up"
            self._card(self._near((x + index * dx, y + index * dy), 2.5 * self._haste), angle, face, 0.5 + 0.4 * index)

    def _space(self, spots: SpaceSpots) -> None:
        turn = math.degrees(math.atan2(spots.outward[0], -spots.outward[1]))
        if self._chance(0.85):
            self._chips_about(self._near(spots.wager, 7 * self._haste))
        if self._chance(0.3):
            self._stack(self._near(spots.tip, 5), int(self.rng.integers(1, 4)))
        if self._chance(0.15):
            self._chips_about(self._near(spots.insurance, 8))
        if self._chance(0.85):
            split = self._chance(0.14)
            for index in range(int(self.rng.integers(2, 5)) if split else 1):
                offset = (index - 0.5) * 75.0 if split else 0.0
                self._hand_of_cards((spots.cards[0] + offset, spots.cards[1]), turn)
        if self._chance(0.3):
            about = (spots.wager[0] + spots.cards[0]) / 2, (spots.wager[1] + spots.cards[1]) / 2
            self._player_hand(self._near(about, 40.0), spots.outward)

    def _player_hand(self, tip: Vec, outward: Vec) -> None:
        shape = SHAPES[int(self.rng.integers(len(SHAPES)))]
        facing = FACINGS[int(self.rng.choice(3, p=[0.72, 0.12, 0.16]))]
        self._hand("player", tip, math.degrees(math.atan2(-outward[0], outward[1])), shape, facing)

    def _dealer(self) -> None:
        """Add the dealer's cards, with or without a hole card, and the dealer's hands at work."""
        x, y = self._near(self.plan.dealer_cards, 8 * self._haste)
        if self._chance(0.8):
            for index in range(int(self.rng.choice([1, 2, 3, 4, 5], p=[0.2, 0.5, 0.17, 0.09, 0.04]))):
                offset = 0.0 if index == 0 else 72.0 + (index - 1) * 50.0
                face: Literal["up", "down"] = "down" if index == 1 and self._chance(0.6) else "up"
                angle = float(self.rng.normal(0, 4 * self._haste))
                self._card(self._near((x + offset, y), 3 * self._haste), angle, face, 0.5 + 0.4 * index)
        for side in ("left", "right"):
            if self._chance(0.62):
                away = -1.0 if side == "left" else 1.0
                at = (float(self.rng.normal(140 * away, 220)), float(self.rng.uniform(-330, 330)))
                shape = SHAPES[int(self.rng.integers(len(SHAPES)))]
                self._hand("dealer", at, 0.0, shape, FACINGS[int(self.rng.choice(3, p=[0.66, 0.2, 0.14]))], side)

    def _show_hands(self) -> None:
        """Both of the dealer's hands held flat over the inner area, backs or palms up."""
        facing: Literal["back", "palm"] = "back" if self._chance(0.5) else "palm"
        x0, y0, x1, y1 = self.plan.inner
        middle, y = float(self.rng.uniform(x0, x1)) * 0.4, float(self.rng.uniform(y0, y1)) - 60
        shape: HandShape = "flat" if self._chance(0.5) else "open"
        sides: tuple[tuple[float, Literal["left", "right"]], ...] = ((-1.0, "left"), (1.0, "right"))
        for away, side in sides:
            at = self._near((middle + away * float(self.rng.uniform(70, 190)), y), 20)
            self._hand("dealer", at, -10 * away, shape, facing, side)

    def _play(self, *, covered: bool) -> None:
        busy = float(self.rng.uniform(0.3, 1.0))
        for spots in self.plan.spaces.values():
            if self._chance(busy):
                self._space(spots)
        if covered:
            self._show_hands()
        else:
            self._dealer()
        if self._chance(0.2):
            self._card(self._near((self.plan.discard[0] - 30, self.plan.discard[1] + 80), 25), 0.0, "down")
        self._add_props(int(self.rng.integers(0, 4)))
        if self._chance(0.12):
            self._shuffle()
        for _ in range(int(self.rng.choice([0, 1, 3], p=[0.84, 0.12, 0.04]))):
            self._bill(self._near((0.0, 0.0), 330))

    def _shuffle(self) -> None:
        """Piles and loose face-down cards in the inner area."""
        x0, y0, x1, y1 = self.plan.inner
        for _ in range(int(self.rng.integers(4, 12))):
            at = (float(self.rng.uniform(x0, x1)), float(self.rng.uniform(y0, y1)))
            self._card(at, float(self.rng.normal(90, 50)), "down", float(self.rng.uniform(0.5, 3)))
        for offset in (-70.0, 70.0):
            at = self._near((offset, (y0 + y1) / 2), 25)
            self._props.append(PropSprite(id=self._id(), kind="pile", xy=at, size=(63.0, 88.0), z=0.0))

    def _carpet(self, count: int) -> None:
        """Many cards, mostly face up, at every angle: food for the card reader."""
        close = self._chance(0.4)
        for index in range(count):
            at = self._near((0.0, -50.0), 230) if close else self._anywhere()
            face: Literal["up", "down"] = "down" if self._chance(0.1) else "up"
            self._card(at, float(self.rng.uniform(0, 360)), face, 0.5 + 0.3 * index)
        self._loose_hands(int(self.rng.integers(0, 3)))

    def _chaos(self) -> None:
        """Anything anywhere, as no rule would have it."""
        for _ in range(int(self.rng.integers(0, 16))):
            face: Literal["up", "down"] = "up" if self._chance(0.55) else "down"
            self._card(self._anywhere(), float(self.rng.uniform(0, 360)), face, float(self.rng.uniform(0.5, 3)))
        for _ in range(int(self.rng.integers(0, 9))):
            self._chips_about(self._anywhere())
        for _ in range(int(self.rng.integers(0, 12))):
            self._chip(self._anywhere(), 0.0, self._cents())
        for _ in range(int(self.rng.integers(0, 4))):
            self._bill(self._anywhere())
        self._add_props(int(self.rng.integers(0, 6)))
        self._loose_hands(int(self.rng.integers(0, 6)))

    def _many_hands(self) -> None:
        """Hands of all shapes over a few cards and chips: food for the hand reader."""
        self._free_fingers = 0.3
        for _ in range(int(self.rng.integers(0, 6))):
            self._card(self._anywhere(), float(self.rng.uniform(0, 360)))
            self._chips_about(self._anywhere())
        self._loose_hands(int(self.rng.integers(6, 13)))

    def _loose_hands(self, count: int) -> None:
        for _ in range(count):
            owner: Literal["dealer", "player"] = "dealer" if self._chance(0.5) else "player"
            heading = float(self.rng.normal(0 if owner == "dealer" else 180, 35))
            shape = SHAPES[int(self.rng.integers(len(SHAPES)))]
            self._hand(owner, self._anywhere(), heading, shape, FACINGS[int(self.rng.integers(3))])
