"""The layout of a simulated poker table as a camera sees it."""

from __future__ import annotations

import math
from typing import Final

import msgspec
import numpy as np

from verifier.domain.layout import Layout, SeatZones, Zones
from verifier.simulate.poker_table import PokerPlan, Rectangle, button_spot, seat_area
from verifier.simulate.render.camera import Camera
from verifier.simulate.render.effects import clock_box
from verifier.simulate.render.fixtures import site_box
from verifier.simulate.render.look import Look
from verifier.simulate.scene import Vec
from verifier.simulate.table import CARD_MM

_SPOT_MM: Final = 60.0
"""Radius of the place where bets are pushed, and half of that of the button."""
_CARDS_MM: Final = (100.0, CARD_MM[1] / 2 + 12.0)
"""Half width and half height of the place of a seat's cards, as the player sees it."""
_CORNERS: Final = 12


def poker_layout(
    plan: PokerPlan, camera: Camera, site: str | None = None, table: str | None = None, look: Look | None = None
) -> Layout:
    """Return the layout of `plan` in the camera's picture; with a `look`, with what is written in its pictures."""
    zones = _zones(plan, camera)
    if look is not None:
        x0, y0, x1, y1 = clock_box(look.clock_style, camera.size)
        zones = msgspec.structs.replace(
            zones,
            clock=[(float(x0), float(y0)), (float(x1), float(y0)), (float(x1), float(y1)), (float(x0), float(y1))],
            table_number=_box(plan.table_number, camera),
            site_id=_box(site_box(plan), camera) if site else None,
        )
    return Layout(
        version=1,
        image_size=camera.size,
        zones=zones,
        seats={number: _seat(plan, camera, number) for number in sorted(plan.spaces)},
        name=f"Simulated poker table {table}" if table else "simulated poker table",
        site=site,
        table=table,
        pixels_per_mm=round(camera.pixels_per_mm, 4),
    )


def _zones(plan: PokerPlan, camera: Camera) -> Zones:
    return Zones(
        dealer=_box(plan.inner, camera),
        inner=_box(plan.inner, camera),
        tray=_box(plan.tray, camera),
        board=_box(plan.board, camera),
        pot=_box(plan.pot, camera),
        muck=_box(plan.muck, camera),
        burns=_box(plan.burns, camera),
        drop=_box(plan.drop, camera),
    )


def _seat(plan: PokerPlan, camera: Camera, number: int) -> SeatZones:
    seats = len(plan.spaces)
    return SeatZones(
        area=_outline(seat_area(number, seats), camera),
        cards=_outline(_cards_outline(plan, number), camera),
        bets=_outline(_circle(plan.spaces[number].wager, _SPOT_MM), camera),
        button=_outline(_circle(button_spot(number, seats), _SPOT_MM / 2), camera),
    )


def _outline(points: list[Vec], camera: Camera) -> list[tuple[float, float]]:
    """Return points of the table (mm) in the camera's picture."""
    shown = np.clip(camera.project(np.array(points)), 0, camera.size)
    return [(round(float(x), 1), round(float(y), 1)) for x, y in shown]


def _box(rectangle: Rectangle, camera: Camera) -> list[tuple[float, float]]:
    x0, y0, x1, y1 = rectangle
    return _outline([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], camera)


def _circle(at: Vec, radius: float) -> list[Vec]:
    turns = [2 * math.pi * corner / _CORNERS for corner in range(_CORNERS)]
    return [(at[0] + radius * math.cos(turn), at[1] + radius * math.sin(turn)) for turn in turns]


def _cards_outline(plan: PokerPlan, number: int) -> list[Vec]:
    spots = plan.spaces[number]
    (x, y), (ox, oy) = spots.cards, spots.outward
    half, deep = _CARDS_MM
    signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return [(x - oy * half * a + ox * deep * b, y + ox * half * a + oy * deep * b) for a, b in signs]
