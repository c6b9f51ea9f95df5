"""What stands on an empty table: the rack with its chips, shoe, discard holder, drop slot and plaques."""

from __future__ import annotations

import numpy as np

from verifier.simulate.render.chips import RADIUS, ChipStyle, chip_style
from verifier.simulate.render.colours import shaded
from verifier.simulate.render.glyphs import text_mask
from verifier.simulate.render.look import Look
from verifier.simulate.render.painter import Colour, Painter, Rect
from verifier.simulate.table import TablePlan


def draw_tray(painter: Painter, box: Rect, look: Look, rng: np.random.Generator) -> None:
    """Draw the rack: a frame with tubes, chips standing on edge in rows of one value."""
    x0, y0, x1, y1 = box
    dark: Colour = ((40, 40, 42), (30, 45, 70), (70, 72, 75))[int(rng.integers(3))]
    painter.block((x0 - 8, y0 - 8, x1 + 8, y1 + 8), 12.0, dark)
    tubes = int((x1 - x0) // 44)
    step = (x1 - x0) / tubes
    values = (2500, 500, 500, 100, 100, 50, 200, 10000, 500, 100, 2500, 50, 100, 500)
    for index in range(tubes):
        left = x0 + index * step + 2
        tube = (left, y0, left + step - 4, y1)
        painter.rect(tube, shaded(dark, 0.5), 12.0)
        style = chip_style(values[(index + int(rng.integers(2))) % len(values)], look.maker)
        count = int(rng.integers(8, round((y1 - y0) / 3.4)))
        chips = _tube_chips(tube, style, count, rng)
        if painter.sees(tube):
            painter.rects(chips, 20.0)


def _tube_chips(tube: Rect, style: ChipStyle, count: int, rng: np.random.Generator) -> list[tuple[Rect, Colour]]:
    """Rectangles of the chips on edge in a tube, some with an edge spot."""
    x0, _, x1, y1 = tube
    middle, half = (x0 + x1) / 2, min(RADIUS, (x1 - x0) / 2)
    chips: list[tuple[Rect, Colour]] = []
    for chip in range(count):
        y = y1 - 2 - (chip + 1) * 3.3
        shade = 0.8 + 0.25 * float(rng.random())
        chips.append(((middle - half, y, middle + half, y + 2.9), shaded(style.body, shade)))
        if style.spots and rng.random() < 0.75:
            at = middle + float(rng.uniform(-0.75, 0.55)) * half
            chips.append(((at, y, at + half * 0.3, y + 2.9), style.spot))
    return chips


def draw_shoe(painter: Painter, box: Rect, look: Look, rng: np.random.Generator) -> None:
    """Draw the shoe: a box with the cards in it and its mouth to the right."""
    x0, y0, x1, y1 = box
    body: Colour = ((35, 35, 38), (40, 45, 90), (120, 118, 115), (60, 35, 25))[int(rng.integers(4))]
    painter.rect((x0 + 10, y0 + 12, x1 + 8, y1 + 14), shaded(look.felt, 0.55))
    painter.block(box, 85.0, body)
    inset = 18.0
    painter.rect((x0 + inset, y0 + inset, x1 - inset * 2, y1 - inset), shaded(body, 0.55), 85.0)
    painter.rect((x0 + inset, y0 + inset + 30, x1 - inset * 3, y1 - inset - 30), (215, 220, 222), 80.0)
    painter.rect((x1 - 26, y0 + 25, x1 + 6, y1 - 25), shaded(body, 1.4, 15), 20.0)


def draw_discard(painter: Painter, box: Rect, look: Look, rng: np.random.Generator) -> None:
    """Draw the discard holder, clear or red."""
    x0, y0, x1, y1 = box
    clear = shaded(look.felt, 0.65, 66.0) if rng.random() < 0.5 else (45.0, 45.0, 120.0)
    painter.block((x0, y0, x1, y1), 30.0, clear)
    cx, cy = (x0 + x1) / 2, (y0 + y1) / 2
    painter.rect((cx - 38, cy - 50, cx + 38, cy + 50), shaded(clear, 0.6), 30.0)


def draw_drop(painter: Painter, box: Rect, rng: np.random.Generator) -> None:
    """Draw the currency slot with its plunger."""
    x0, _, x1, _ = box
    cx, cy = (x0 + x1) / 2, (box[1] + box[3]) / 2
    painter.rect((x0, cy - 30, x1, cy + 30), (150, 155, 158))
    painter.rect((cx - 42, cy - 6, cx + 42, cy + 6), (20, 20, 20), 1.0)
    painter.rect((cx - 12, cy - 24, cx + 12, cy + 22), (120, 125, 215) if rng.random() < 0.3 else (205, 205, 205), 12.0)


def draw_plaque(painter: Painter, box: Rect, text: str, rng: np.random.Generator) -> None:
    """Draw a sign that says `text`."""
    x0, y0, x1, y1 = box
    dark = rng.random() < 0.5
    paper: Colour = (40, 40, 45) if dark else (225, 232, 235)
    ink: Colour = (235, 235, 235) if dark else (30, 30, 30)
    painter.rect(box, paper)
    mask = text_mask(text, "sans:700")
    height = min((y1 - y0) * 0.55, (x1 - x0) * 0.86 * mask.shape[0] / mask.shape[1])
    painter.text(text, ((x0 + x1) / 2, (y0 + y1) / 2), height, 0.0, "sans:700", ink, 1.0)


def site_box(plan: TablePlan) -> Rect:
    """Where the site's number stands: to the left of the table's number, or right of it."""
    x0, _, _, y1 = plan.table_number
    return (x0 - 130.0, y1 - 45.0, x0 - 15.0, y1)
