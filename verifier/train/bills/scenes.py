"""Random scenes of cash in the inner area: spread as the law has it, or not at all so; hands and chips about it."""

from __future__ import annotations

from typing import Final, Literal

from verifier.simulate.render.notes import PLAIN
from verifier.simulate.scene import BillSprite, PropSprite, Scene, Vec
from verifier.train.arms import FACINGS
from verifier.train.scene_parts import SHAPES
from verifier.train.scenes import SceneSampler

VALUES: Final = (100, 200, 500, 1000, 2000, 5000, 10000)
_OFTEN: Final = (0.17, 0.03, 0.16, 0.16, 0.2, 0.12, 0.16)
FLAT: Final = ("paper", "napkin", "cloth", "phone", "pile", "cut_card")
"""Things of a bill's size that are none."""


class BillSampler(SceneSampler):
    """Draws scenes on one table; `rng` decides everything, so the same seed gives the same scene."""

    plain = False
    """Whether all notes are of the plain design, that of simulated recordings, which is for scoring alone."""

    def cash(self) -> Scene:
        """One scene; one in ten has no bill."""
        if self._chance(0.3):
            self._play(covered=False)
            self._bills.clear()
        else:
            for spots in self.plan.spaces.values():
                if self._chance(0.4):
                    self._chips_about(self._near(spots.wager, 7))
        draw = self.rng.random()
        if draw < 0.55:
            self._row()
        elif draw < 0.65:
            self._wad()
        elif draw < 0.9:
            for _ in range(int(self.rng.integers(1, 5))):
                self._note(self._inside(40.0), float(self.rng.uniform(0, 180)))
        self._about_it()
        return Scene(
            t=0.0,
            cards=tuple(self._cards),
            chips=tuple(self._chips),
            bills=tuple(self._bills),
            hands=tuple(self._hands),
            props=tuple(self._props),
        )

    def _row(self) -> None:
        """Lay notes beside each other, apart or overlapping, mostly square to the tray."""
        count = int(self.rng.choice([1, 2, 3, 4, 5, 7], p=[0.22, 0.24, 0.22, 0.16, 0.1, 0.06]))
        lying = self._chance(0.15)
        least = 164.0 if lying else 70.0
        gap = float(self.rng.uniform(20, 62) if self._chance(0.25) else least + self.rng.uniform(-3, 25))
        turn = 0.0 if lying else 90.0
        x0, y0, x1, y1 = self.plan.inner
        x = float(self.rng.uniform(x0, max(x0 + 1, x1 - gap * (count - 1))))
        y = (y0 + y1) / 2 + float(self.rng.normal(0, 30))
        slant = float(self.rng.normal(0, 3))
        facing: Literal["up", "down"] = "up" if self._chance(0.4) else "down"
        for place in range(count):
            at = self._near((x + gap * place, y), 2.0 * self._haste)
            face = facing if self._chance(0.9) else ("up" if facing == "down" else "down")
            self._note(at, turn + slant + float(self.rng.normal(0, 2 * self._haste)), face)

    def _wad(self) -> None:
        at, turn = self._inside(60.0), float(self.rng.uniform(0, 180))
        for _ in range(int(self.rng.integers(2, 5))):
            self._note(self._near(at, 8.0), turn + float(self.rng.normal(0, 8)))

    def _inside(self, rim: float) -> Vec:
        """Somewhere in the inner area or so far about it."""
        x0, y0, x1, y1 = self.plan.inner
        return float(self.rng.uniform(x0 - rim, x1 + rim)), float(self.rng.uniform(y0 - rim, y1 + rim))

    def _note(self, xy: Vec, angle: float, face: Literal["up", "down"] | None = None) -> None:
        side: Literal["up", "down"] = face or ("up" if self._chance(0.5) else "down")
        cents = int(self.rng.choice(VALUES, p=_OFTEN))
        turned = angle + (180.0 if self._chance(0.5) else 0.0)
        design = PLAIN if self.plain else int(self.rng.integers(1, 1 << 30))
        height = 0.1 + 0.1 * len(self._bills)
        self._bills.append(
            BillSprite(id=self._id(), cents=cents, xy=xy, angle=turned, z=height, face=side, design=design)
        )

    def _about_it(self) -> None:
        """Chips given for it, things that are no bills, cards, and hands at work."""
        if self._chance(0.4):
            at = self._inside(0.0)
            for column in range(int(self.rng.integers(1, 4))):
                place = (at[0] + 47.0 * column, at[1])
                if self._chance(0.5):
                    self._fan(place, int(self.rng.integers(2, 6)), 90.0)
                else:
                    self._stack(place, int(self.rng.integers(1, 6)))
        for _ in range(int(self.rng.choice([0, 1, 2], p=[0.6, 0.25, 0.15]))):
            kind = FLAT[int(self.rng.integers(len(FLAT)))]
            size = (float(self.rng.uniform(50, 110)), float(self.rng.uniform(60, 170)))
            seed, turn = int(self.rng.integers(1 << 30)), float(self.rng.uniform(0, 360))
            at = self._inside(30.0)
            self._props.append(PropSprite(id=self._id(), kind=kind, xy=at, angle=turn, size=size, seed=seed))
        for _ in range(int(self.rng.choice([0, 1, 3], p=[0.6, 0.25, 0.15]))):
            face: Literal["up", "down"] = "up" if self._chance(0.3) else "down"
            self._card(self._inside(20.0), float(self.rng.uniform(0, 360)), face)
        for _ in range(int(self.rng.choice([0, 1, 2], p=[0.45, 0.35, 0.2]))):
            shape = SHAPES[int(self.rng.integers(len(SHAPES)))]
            owner: Literal["dealer", "player"] = "dealer" if self._chance(0.7) else "player"
            heading = 0.0 if owner == "dealer" else 180.0
            self._hand(owner, self._inside(0.0), heading, shape, FACINGS[int(self.rng.integers(3))])
