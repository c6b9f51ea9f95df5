"""The empty table in the picture: floor, rail, felt and its print, and the fixtures."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.simulate.poker_table import PokerPlan
from verifier.simulate.render.camera import Camera
from verifier.simulate.render.colours import as_colour, shaded
from verifier.simulate.render.fixtures import draw_discard, draw_drop, draw_plaque, draw_shoe, draw_tray, site_box
from verifier.simulate.render.glyphs import FONTS
from verifier.simulate.render.look import Look
from verifier.simulate.render.painter import Colour, Floats, Image, Painter, felt_edge
from verifier.simulate.render.poker_felt import poker_edge, print_poker
from verifier.simulate.render.surfaces import draw_surface
from verifier.simulate.render.warp import fill, level_for, one_colour, soften
from verifier.simulate.table import TablePlan

_LINES: Final = (
    "BLACKJACK PAYS 3 TO 2",
    "TWENTY-ONE",
    "BLACKJACK PAYS 3 TO 2",
    "INSURANCE PAYS 2 TO 1",
    "CHARITABLE GAMING",
)
_RULES: Final = ("DEALER MUST DRAW TO 16 AND STAND ON ALL 17'S", "DEALER STANDS ON ALL 17S", "DEALER HITS SOFT 17")


def _arc_text(
    painter: Painter, text: str, radius: float, height: float, font: str, colour: Colour, opacity: float
) -> None:
    """Text along the arc round the dealer, letter by letter."""
    advance = height * 0.86
    middle = (len(text) - 1) / 2
    for index, letter in enumerate(text):
        if letter == " ":
            continue
        turn = (index - middle) * advance / radius
        at = (radius * math.sin(turn), 300.0 - radius * math.cos(turn))
        painter.text(
            letter, at, height if letter not in "'-" else height * 0.3, math.degrees(turn), font, colour, opacity
        )


def _arc(radius: float, span: float = 75.0, y0: float = 300.0) -> Floats:
    turn = np.radians(np.linspace(-span, span, 60))
    return np.stack([radius * np.sin(turn), y0 - radius * np.cos(turn)], 1)


@lru_cache(maxsize=8)
def _fibres(level: float) -> NDArray[np.float32]:
    """Return a tile of cloth at about `level` px/mm, 1024 pixels square, standard deviation about four."""
    raw = np.random.default_rng(int(level * 100)).standard_normal((1024, 1024), dtype=np.float32)
    return np.asarray(soften(raw, max(0.4, 0.8 * level)) * 4.0, dtype=np.float32)


def _grain(image: Image, rng: np.random.Generator, mask: Image | None, scale: float) -> None:
    """Cloth: fine fibres and broad patches of wear, inside `mask` or everywhere."""
    h, w = image.shape[:2]
    tile = _fibres(level_for(scale))
    if h > 1023 or w > 1023:
        tile = np.tile(tile, (1 + h // 1024, 1 + w // 1024))
    dy, dx = rng.integers(0, (tile.shape[0] - h + 1, tile.shape[1] - w + 1))
    coarse = rng.normal(0, 2.2, (max(2, h // 60), max(2, w // 60))).astype(np.float32)
    field = tile[dy : dy + h, dx : dx + w] + cv2.resize(coarse, (w, h), interpolation=cv2.INTER_CUBIC)
    grey = cv2.convertScaleAbs(field, alpha=1.0, beta=128.0)
    if mask is not None:
        grey[mask == 0] = 128
    noise = cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR)
    cv2.addWeighted(image, 1.0, noise, 1.0, -128.0, dst=image)


def _print_felt(painter: Painter, plan: TablePlan, look: Look, rng: np.random.Generator) -> None:
    ink: Colour = ((225, 230, 230), (70, 190, 225), (200, 215, 220), (60, 160, 215))[int(rng.integers(4))]
    font = FONTS[look.split][int(rng.integers(len(FONTS[look.split])))]
    font = "sans:700" if font.startswith("strokes") else font
    opacity = float(rng.uniform(0.45, 0.9))
    faded = as_colour(np.array(ink) * opacity + np.array(look.felt) * (1 - opacity))
    _arc_text(painter, _LINES[int(rng.integers(len(_LINES)))], 390.0, float(rng.uniform(30, 42)), font, ink, opacity)
    if rng.random() < 0.8:
        _arc_text(painter, _RULES[int(rng.integers(len(_RULES)))], 330.0, 19.0, font, ink, opacity)
    if rng.random() < 0.7:
        for radius in (286.0, 312.0) if rng.random() < 0.5 else (425.0, 300.0):
            painter.line(_arc(radius), faded, 2.5)
    shape, size = int(rng.integers(3)), float(rng.uniform(45, 56))
    for spots in plan.spaces.values():
        turn = math.atan2(spots.outward[0], -spots.outward[1])
        sides = (64, 4, 64)[shape]
        angles = np.arange(sides) * 2 * np.pi / sides + turn + (np.pi / 4 if sides == 4 else 0)
        grow = size * (1.25 if sides == 4 else 1.0)
        ring = np.stack([np.cos(angles), np.sin(angles)], 1) * grow + spots.wager
        painter.line(ring, faded, 3.0, closed=True)
        if shape == 2:
            painter.line((ring - spots.wager) * 0.86 + spots.wager, faded, 1.5, closed=True)
    if rng.random() < 0.35:
        for spots in plan.spaces.values():
            box = np.array([(-34, -47), (34, -47), (34, 47), (-34, 47)]) + spots.cards
            painter.line(box, faded, 1.5, closed=True)


def _fills(felt: Floats, size: tuple[int, int]) -> bool:
    """Tell whether the felt's outline in pixels, a convex one, goes round the whole picture, with a few pixels to
    spare.
    """
    w, h = size
    outline = felt.astype(np.float32)
    corners = ((-4, -4), (w + 4, -4), (w + 4, h + 4), (-4, h + 4))
    return all(cv2.pointPolygonTest(outline, corner, False) > 0 for corner in corners)


def _floor(colour: tuple[int, int, int], speckle: Floats, size: tuple[int, int]) -> Image:
    """Return the floor round the table: one colour with a coarse speckle."""
    fine = cv2.resize(speckle.astype(np.float32), size, interpolation=cv2.INTER_LINEAR)
    planes = [np.clip(fine + np.float32(value), 0, 255).astype(np.uint8) for value in colour]
    return np.asarray(cv2.merge(planes), np.uint8)


def draw_table(plan: TablePlan, look: Look, camera: Camera) -> Image:
    """Return the empty table as BGR pixels of the camera's size, before light and lens."""
    rng, cloth, ink, trays, rest = (np.random.default_rng([look.seed, 11, part]) for part in range(5))
    if look.surface != "table":
        return draw_surface(look, camera, rng)
    w, h = camera.size
    floor = ((60, 70, 85), (90, 80, 75), (45, 45, 50), (110, 120, 130))[int(rng.integers(4))]
    speckle = cloth.normal(0, 14, (h // 3 + 1, w // 3 + 1))
    rail: Colour = ((25, 30, 45), (30, 30, 32), (35, 55, 95), (40, 40, 80))[int(rng.integers(4))]
    edge = poker_edge if isinstance(plan, PokerPlan) else felt_edge
    felt = camera.project(edge())
    mask = None if _fills(felt, camera.size) else np.zeros((h, w), np.uint8)
    image = one_colour(camera.size, np.rint(look.felt)) if mask is None else _floor(floor, speckle, camera.size)
    painter = Painter(image, camera)
    if mask is not None:
        for grow, shade in ((105, 0.55), (95, 0.8), (75, 1.1), (50, 1.35), (25, 1.0), (8, 0.6)):
            painter.polygon(edge(float(grow)), shaded(rail, shade), 18.0 if grow > 8 else 0.0)
        fill(image, felt, look.felt)
        cv2.fillPoly(mask, [np.round(felt * 16).astype(np.int32)], (255.0,), cv2.LINE_8, 4)
    if isinstance(plan, PokerPlan):
        print_poker(painter, plan, look, ink)
    else:
        _print_felt(painter, plan, look, ink)
    _grain(image, cloth, mask, painter.scale)
    if painter.sees(plan.tray):
        draw_tray(painter, plan.tray, look, trays)
    if not isinstance(plan, PokerPlan):
        draw_shoe(painter, plan.shoe, look, rest)
        draw_discard(painter, plan.discard, look, rest)
    draw_drop(painter, plan.drop, rest)
    name = look.table or str(int(rest.integers(1, 13)))
    draw_plaque(painter, plan.table_number, f"TABLE {name}", rest)
    if look.site:
        draw_plaque(painter, site_box(plan), f"SITE {look.site}", rest)
    return np.asarray(image, dtype=np.uint8)
