"""Arranges whole tables of each kind."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np
from numpy.random import Generator

from verifier.domain.layout import CARD_MM
from verifier.domain.observations import Owner
from verifier.simulate.table import SpaceSpots
from verifier.train.table import bodies as shapes
from verifier.train.table.kinds import SolidKind
from verifier.train.table.laid import House, Table
from verifier.train.table.stager import Stager
from verifier.train.table.things import THINGS, fixtures

KINDS: Final[dict[SolidKind, float]] = {
    "play": 0.36,
    "fans": 0.24,
    "spread": 0.1,
    "chips": 0.1,
    "packs": 0.08,
    "clutter": 0.12,
}
"""How often a scene is of each kind; "clutter" has neither a card nor a chip."""
LITTERED: Final = 0.45
"""Share of the tables with cards or chips on which other things lie, too."""
EMPTY: Final = 0.2
"""Share of the spaces at which nobody plays."""


def stage(house: House, rng: Generator, kind: SolidKind | None = None) -> Table:
    """Return a table of a kind, of any by default."""
    stager = Stager(house, rng)
    kind = kind or any_kind(rng)
    _SCENES[kind](stager)
    if kind != "clutter" and rng.random() < LITTERED:
        clutter(stager, int(rng.integers(1, 5)))
    return stager.table


def any_kind(rng: Generator) -> SolidKind:
    """Return a kind of scene, by KINDS."""
    names: Sequence[SolidKind] = list(KINDS)
    return names[int(rng.choice(len(names), p=np.array(list(KINDS.values()))))]


def _play(stager: Stager) -> None:
    rng, plan = stager.rng, stager.table.plan
    fixtures(stager)
    for space in plan.spaces.values():
        if rng.random() >= EMPTY:
            _hand_dealt(stager, space)
            _wagers(stager, space)
    _dealers_cards(stager)
    for _ in range(int(rng.choice([0, 1, 2, 3], p=(0.25, 0.35, 0.3, 0.1)))):
        owner: Owner = "dealer" if rng.random() < 0.65 else "player"
        at = stager.table.focus[int(rng.integers(len(stager.table.focus)))]
        if owner == "dealer" or at[1] < 60:
            stager.hand((at[0] + float(rng.normal(0, 25)), at[1] + float(rng.normal(0, 25))), owner)
        else:
            stager.hand((at[0], -abs(at[1]) - 120), owner)


def _hand_dealt(stager: Stager, space: SpaceSpots) -> None:
    """Add a player's cards."""
    rng = stager.rng
    turn = math.degrees(math.atan2(space.outward[0], -space.outward[1]))
    x, y = np.array(space.cards) + rng.normal(0, 14, 2)
    if rng.random() < 0.85:
        count = int(rng.choice([1, 2, 3, 4, 5, 6], p=(0.06, 0.46, 0.26, 0.14, 0.06, 0.02)))
        form = str(rng.choice(["straight", "stairs", "half"], p=(0.3, 0.6, 0.1)))
        stager.fan(
            (float(x), float(y)),
            turn + float(rng.normal(0, 8)),
            count,
            float(rng.uniform(0.2, 0.6)),
            form=form,
            downs=0.04,
        )


def _wagers(stager: Stager, space: SpaceSpots) -> None:
    """Add a wager, a tip and a player's own chips."""
    rng = stager.rng
    x, y = np.array(space.wager) + rng.normal(0, 9, 2)
    if rng.random() < 0.8:
        stager.stack(
            (float(x), float(y)),
            int(rng.choice([1, 2, 3, 4, 5, 8, 12], p=(0.2, 0.2, 0.2, 0.15, 0.13, 0.08, 0.04))),
        )
    if rng.random() < 0.3:
        x, y = np.array(space.tip) + rng.normal(0, 6, 2)
        stager.stack((float(x), float(y)), int(rng.integers(1, 4)))
    if rng.random() < 0.25:
        x, y = np.array(space.wager) + np.array(space.outward) * rng.uniform(45, 90) + rng.normal(0, 25, 2)
        for _ in range(int(rng.integers(1, 4))):
            stager.stack((float(x + rng.normal(0, 50)), float(y + rng.normal(0, 20))), int(rng.integers(1, 14)))


def _dealers_cards(stager: Stager) -> None:
    """Two to five cards, at times the second face down."""
    rng, plan = stager.rng, stager.table.plan
    x, y = np.array(plan.dealer_cards) + rng.normal(0, 20, 2)
    apart = rng.random() < 0.5
    for k in range(int(rng.integers(2, 6))):
        away = k * (CARD_MM[0] * (1.12 if apart else float(rng.uniform(0.25, 0.6))))
        stager.card(
            (float(x) + away - 60, float(y) + float(rng.normal(0, 2))),
            180 + float(rng.normal(0, 2)),
            up=k != 1 or rng.random() < 0.5,
        )


def _fans(stager: Stager) -> None:
    rng = stager.rng
    for _ in range(int(rng.integers(5, 18))):
        at = stager.anywhere()
        if rng.random() < 0.75:
            stager.any_fan(at)
        else:
            stager.card(at, float(rng.uniform(0, 360)), up=bool(rng.random() < 0.7))
    for _ in range(int(rng.choice([0, 1, 2], p=(0.5, 0.35, 0.15)))):
        at = stager.table.focus[int(rng.integers(len(stager.table.focus)))]
        stager.hand(
            (at[0] + float(rng.normal(0, 50)), at[1] + float(rng.normal(0, 50))),
            "dealer" if rng.random() < 0.5 else "player",
        )


def _spread(stager: Stager) -> None:
    rng = stager.rng
    middle = stager.anywhere()
    wide = rng.uniform(60, 420)
    for _ in range(int(rng.integers(6, 36))):
        x, y = np.array(middle) + rng.normal(0, wide, 2) * (1.0, 0.6)
        stager.card((float(x), float(y)), float(rng.uniform(0, 360)), up=bool(rng.random() < 0.7))
    if rng.random() < 0.5:
        stager.hand(middle, "dealer" if rng.random() < 0.6 else "player")


def _chips(stager: Stager) -> None:
    rng = stager.rng
    for _ in range(int(rng.integers(2, 12))):
        at = stager.anywhere()
        kind = rng.random()
        if kind < 0.4:
            for _ in range(int(rng.integers(1, 5))):
                x, y = np.array(at) + rng.normal(0, 45, 2)
                stager.stack((float(x), float(y)), int(rng.integers(1, 21)))
        elif kind < 0.8:
            stager.spread_row(at, float(rng.uniform(0, 360)), int(rng.integers(2, 8)))
        else:
            for _ in range(int(rng.integers(5, 20))):
                x, y = np.array(at) + rng.normal(0, 45, 2)
                stager.chip((float(x), float(y)), stager.any_value())
    if rng.random() < 0.5:
        stager.any_fan(stager.anywhere())
    if rng.random() < 0.4:
        stager.hand(stager.table.focus[0], "dealer" if rng.random() < 0.6 else "player")


def _packs(stager: Stager) -> None:
    rng = stager.rng
    for _ in range(int(rng.integers(1, 5))):
        stager.pack(stager.anywhere(), float(rng.uniform(0, 360)), up=bool(rng.random() < 0.15))
    if rng.random() < 0.6:
        at, step = stager.anywhere(), float(rng.uniform(3, 12))
        angle, up = float(rng.uniform(-12, 12)), bool(rng.random() < 0.5)
        for k in range(int(rng.integers(12, 52))):
            x, y = shapes.turned(np.array([(k * step, 0.05 * (k - 20) ** 2 * 0.5)]), angle, at)[0]
            stager.card((float(x), float(y)), angle + float(rng.normal(0, 1)), up=up, bend=("flat", 0.0))
    if rng.random() < 0.6:
        stager.hand(stager.table.focus[0], "dealer")
        stager.hand((stager.table.focus[0][0] + 40, stager.table.focus[0][1]), "dealer")


def _clutter(stager: Stager) -> None:
    clutter(stager, int(stager.rng.integers(4, 14)))
    if stager.rng.random() < 0.5:
        stager.hand(stager.anywhere(), "dealer" if stager.rng.random() < 0.6 else "player")


def clutter(stager: Stager, count: int) -> None:
    """Things that are neither cards nor chips, laid beside these."""
    names = list(THINGS)
    for _ in range(count):
        at = stager.free()
        if at is not None:
            THINGS[names[int(stager.rng.integers(len(names)))]](stager, at)
            stager.table.focus.append(at)


_SCENES: Final[Mapping[SolidKind, Callable[[Stager], None]]] = {
    "play": _play, "fans": _fans, "spread": _spread, "chips": _chips, "packs": _packs, "clutter": _clutter,
}  # fmt: skip
