"""Measures the finder of the dealer button on drawn poker tables: every second picture has a button, the others none.

    python benchmarks/dealer_button.py --first 2000 --pictures 200

Each picture has another look of the split that is not for training, another camera (a third of each difficulty), cards,
chips and stacks (many of them white), and things that people leave at a table: cups, coins, napkins, cut cards. The
cards that lie there tell the scale, with what a detector would err (2 % of a side); no network runs.
"""

from __future__ import annotations

import argparse
import math
import time
from dataclasses import replace
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.domain.cards import Card
from verifier.domain.layout import CARD_MM, Layout
from verifier.simulate.poker.layouts import poker_layout
from verifier.simulate.poker_table import PokerPlan, board_spot, button_spot, hole_spot, plan_poker
from verifier.simulate.render import Camera, Look, Renderer
from verifier.simulate.scene import CardSprite, ChipSprite, PropSprite, Scene
from verifier.vision.card_size import scale_of
from verifier.vision.dealer_button import TOLD, buttons_in

SIZE = (1280, 720)
LEVELS = ("easy", "normal", "hard")
BUTTONS_MM = (50, 50, 57, 63, 76)
THINGS = {
    "cup": (78.0, 78.0), "glass": (66.0, 66.0), "phone": (72.0, 148.0), "coin": (26.0, 26.0), "napkin": (120.0, 120.0),
    "ashtray": (95.0, 95.0), "keys": (70.0, 70.0), "cut_card": (66.0, 92.0), "lighter": (25.0, 80.0),
}  # fmt: skip
VALUES = (100, 100, 100, 200, 500, 2500)
OFF = 0.02
Floats = NDArray[np.float64]


class Drawn(NamedTuple):
    """A picture, its table's layout, the cards' corners as a detector tells them, and where the button is."""

    picture: NDArray[np.uint8]
    layout: Layout
    quads: list[NDArray[np.float32]]
    button: Floats | None


class _Things:
    """Puts cards, chips and other things on a table."""

    def __init__(self, plan: PokerPlan, camera: Camera, rng: np.random.Generator) -> None:
        self.plan, self.camera, self.rng, self.ident = plan, camera, rng, 0
        self.cards: list[CardSprite] = []
        self.chips: list[ChipSprite] = []
        self.props: list[PropSprite] = []
        self.quads: list[NDArray[np.float32]] = []

    def _next(self) -> int:
        self.ident += 1
        return self.ident

    def card(self, x: float, y: float, angle: float, z: float, *, up: bool) -> None:
        x, y, angle = (float(value + self.rng.normal(0.0, 3.0)) for value in (x, y, angle))
        face = "up" if up else "down"
        self.cards.append(CardSprite(id=self._next(), card=Card("A", "s"), face=face, xy=(x, y), angle=angle, z=z))  # type: ignore[arg-type]
        half = np.array(CARD_MM) / 2 * self.rng.normal(1.0, OFF, 2)
        turn = math.radians(angle)
        axes = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
        corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half @ axes + (x, y)
        self.quads.append(np.asarray(self.camera.project(corners), np.float32))

    def stack(self, x: float, y: float, most: int) -> None:
        for level in range(int(self.rng.integers(1, most))):
            value, angle = int(self.rng.choice(VALUES)), float(self.rng.uniform(0, 360))
            self.chips.append(ChipSprite(id=self._next(), cents=value, xy=(x, y), z=3.3 * level, angle=angle))

    def thing(self, kind: str, at: tuple[float, float], size: tuple[float, float]) -> None:
        seed, angle = int(self.rng.integers(1 << 16)), float(self.rng.uniform(0, 360)) if kind != "dealer_button" else 0
        self.props.append(PropSprite(id=self._next(), kind=kind, xy=at, size=size, seed=seed, angle=angle))

    def seat(self, number: int) -> None:
        """Put a player's cards, bets, chips and other things on the table."""
        rng, spots = self.rng, self.plan.spaces[number]
        if rng.random() < 0.8:
            up = bool(rng.random() < 0.2)
            for index in (0, 1):
                x, y, angle = hole_spot(self.plan, number, index)
                self.card(x, y, angle, 0.5 + 0.3 * index, up=up)
        for _ in range(int(rng.integers(0, 4))):
            self.stack(*rng.normal(spots.wager, 40.0), 4)
        if rng.random() < 0.5:
            out = np.array(spots.outward) * rng.uniform(70.0, 110.0)
            self.stack(*rng.normal(spots.cards + out, (60.0, 20.0)), 12)
        if rng.random() < 0.3:
            kind = str(rng.choice(list(THINGS)))
            x, y = rng.normal((spots.cards[0] * 1.15, spots.cards[1] * 1.25), (60.0, 30.0))
            self.thing(kind, (float(x), float(y)), THINGS[kind])

    def scene(self) -> Scene:
        chips = tuple(sorted(self.chips, key=lambda chip: chip.z))
        clock = "2026-11-02 21:14:07"
        return Scene(cards=tuple(self.cards), chips=chips, props=tuple(self.props), clock=clock)


def drawn(seed: int, *, button: bool, split: str = "test") -> Drawn:
    """Return a table of `seed`, with a button before a seat or without one."""
    rng = np.random.default_rng([seed, 5])
    seats = int(rng.integers(4, 9))
    plan, look = plan_poker(seats), Look.sample(rng, split)  # type: ignore[arg-type]
    camera = Camera.sample(rng, SIZE, LEVELS[seed % len(LEVELS)])  # type: ignore[arg-type]
    things = _Things(plan, camera, rng)
    for number in plan.spaces:
        things.seat(number)
    for index in range(int(rng.integers(0, 6))):
        things.card(*board_spot(plan, index), 0.0, 0.5, up=True)
    at = None
    if button:
        spot = rng.normal(button_spot(int(rng.integers(1, seats + 1)), seats), 12.0)
        size = float(rng.choice(BUTTONS_MM))
        things.thing("dealer_button", (float(spot[0]), float(spot[1])), (size, size))
        at = camera.project(spot[None])[0]
    picture = Renderer(plan, replace(look, site="1", table="2"), camera).render(things.scene())
    packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 70])[1]
    shown = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    return Drawn(shown, poker_layout(plan, camera, "1", "2", look), things.quads, at)


def main() -> None:
    """Draw the pictures and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=2000)
    parser.add_argument("--pictures", type=int, default=200)
    parser.add_argument("--split", choices=("train", "test"), default="test")
    arguments = parser.parse_args()
    found = sure = true = false = falsely = 0
    took = 0.0
    for seed in range(arguments.first, arguments.first + arguments.pictures):
        one = drawn(seed, button=seed % 2 == 0, split=arguments.split)
        started = time.process_time()
        told = buttons_in(one.picture, one.layout, scale_of(one.quads[:24]), one.quads)
        took += time.process_time() - started
        right = [b for b in told if one.button is not None and math.dist(b.center, one.button) < b.radius]
        wrong = [b for b in told if b not in right]
        true += one.button is not None
        found, sure = found + bool(right), sure + any(b.p >= TOLD for b in right)
        false, falsely = false + len(wrong), falsely + sum(b.p >= TOLD for b in wrong)
        if wrong or (one.button is not None and not right):
            print(f"{seed}: {'missed' if one.button is not None and not right else 'false'} {wrong}", flush=True)
    print(
        f"{true} buttons: {sure} found surely, {found - sure} unsurely. {arguments.pictures} pictures: {falsely} false"
    )
    print(f"buttons told surely, {false - falsely} unsurely. {1000 * took / arguments.pictures:.0f} ms a picture.")


if __name__ == "__main__":
    main()
