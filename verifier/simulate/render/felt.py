"""The empty table in the picture: felt and its print, rail, floor, tray, shoe, discard holder, plaques."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.simulate.render.camera import Camera
from verifier.simulate.render.chips import RADIUS, chip_style
from verifier.simulate.render.glyphs import FONTS, text_mask
from verifier.simulate.render.look import Look, as_colour, shaded
from verifier.simulate.render.warp import Texture, fill, level_for, paste, pose, premultiply, soften
from verifier.simulate.table import TablePlan

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
Colour = tuple[float, float, float]
Rect = tuple[float, float, float, float]
_EDGE: Final = (905.0, 800.0, 300.0, 478.0)
"""The felt's edge: half width and depth of its arc, the arc's middle, and the dealer's edge (y)."""
_LINES: Final = (
    "BLACKJACK PAYS 3 TO 2",
    "TWENTY-ONE",
    "BLACKJACK PAYS 3 TO 2",
    "INSURANCE PAYS 2 TO 1",
    "CHARITABLE GAMING",
)
_RULES: Final = ("DEALER MUST DRAW TO 16 AND STAND ON ALL 17'S", "DEALER STANDS ON ALL 17S", "DEALER HITS SOFT 17")


def felt_edge(grow: float = 0.0) -> Floats:
    """(N, 2) outline of the playing surface, millimetres, moved out by `grow`."""
    a, b, y0, y1 = _EDGE
    turn = np.radians(np.linspace(180.0, 360.0, 73))
    arc = np.stack([(a + grow) * np.cos(turn), y0 + (b + grow) * np.sin(turn)], 1)
    return np.vstack([arc, [(a + grow, y1 + grow * 0.5)], [(-a - grow, y1 + grow * 0.5)]])


class Painter:
    """Draws on a picture in table millimetres."""

    def __init__(self, image: Image, camera: Camera) -> None:
        self.image, self.camera = image, camera
        self.scale = camera.pixels_per_mm

    def polygon(self, points: Floats, colour: Colour, z: float = 0.0) -> None:
        fill(self.image, self.camera.project(np.column_stack([points, np.full(len(points), z)])), colour)

    def line(self, points: Floats, colour: Colour, width: float, *, closed: bool = False) -> None:
        pixels = np.round(self.camera.project(points) * 16).astype(np.int32)
        cv2.polylines(self.image, [pixels], closed, colour, max(1, round(width * self.scale)), cv2.LINE_AA, 4)

    def rect(self, box: Rect, colour: Colour, z: float = 0.0) -> None:
        x0, y0, x1, y1 = box
        self.polygon(np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)]), colour, z)

    def sees(self, box: Rect) -> bool:
        """Whether any of a rectangle (with 60 mm around it) could be in the picture."""
        x0, y0, x1, y1 = box
        corners = np.array([(x0 - 60, y0 - 60), (x1 + 60, y0 - 60), (x1 + 60, y1 + 60), (x0 - 60, y1 + 60)])
        pixels = self.camera.project(corners)
        return bool((pixels.max(0) > 0).all() and (pixels.min(0) < self.camera.size).all())

    def block(self, box: Rect, top: float, colour: Colour) -> None:
        """A box standing on the felt: its sides darker, its top in `colour`."""
        x0, y0, x1, y1 = box
        low = np.array([(x0, y0, 0.0), (x1, y0, 0.0), (x1, y1, 0.0), (x0, y1, 0.0)])
        high = low + np.array([0.0, 0.0, top])
        for i, shade in enumerate((0.75, 0.6, 0.5, 0.65)):
            wall = np.array([low[i], low[(i + 1) % 4], high[(i + 1) % 4], high[i]])
            fill(self.image, self.camera.project(wall), shaded(colour, shade))
        fill(self.image, self.camera.project(high), colour)

    def text(
        self,
        text: str,
        at: tuple[float, float],
        height: float,
        angle: float,
        font: str,
        colour: Colour,
        opacity: float = 0.8,
    ) -> None:
        """Prints `text` centred at `at`, `height` mm high, turned clockwise by `angle`."""
        reach = height * len(text)
        if not self.sees((at[0] - reach, at[1] - reach, at[0] + reach, at[1] + reach)):
            return
        mask = text_mask(text, font)
        fine = max(1.0, height * self.scale * 1.3)
        size = (max(1, round(mask.shape[1] * fine / mask.shape[0])), max(1, round(fine)))
        small = np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
        bgr = np.full((*small.shape, 3), colour, np.uint8)
        texture = Texture.centred(premultiply(bgr, small), fine / height)
        paste(self.image, texture, self.camera.homography() @ pose(at, angle), opacity)


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
    """A tile of cloth at about `level` px/mm, 1024 pixels square, standard deviation about four."""
    raw = np.random.default_rng(int(level * 100)).standard_normal((1024, 1024), dtype=np.float32)
    return np.asarray(soften(raw, max(0.4, 0.8 * level)) * 4.0, dtype=np.float32)


def _grain(image: Image, rng: np.random.Generator, mask: Image, scale: float) -> None:
    """Cloth: fine fibres and broad patches of wear, inside `mask`."""
    h, w = mask.shape
    tile = _fibres(level_for(scale))
    tile = np.tile(tile, (1 + h // 1024, 1 + w // 1024))
    dy, dx = rng.integers(0, (tile.shape[0] - h + 1, tile.shape[1] - w + 1))
    coarse = rng.normal(0, 2.2, (max(2, h // 60), max(2, w // 60))).astype(np.float32)
    field = tile[dy : dy + h, dx : dx + w] + cv2.resize(coarse, (w, h), interpolation=cv2.INTER_CUBIC)
    grey = np.where(mask > 0, cv2.convertScaleAbs(field, alpha=1.0, beta=128.0), 128).astype(np.uint8)
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


def _tray(painter: Painter, box: Rect, look: Look, rng: np.random.Generator) -> None:
    """The rack: a frame with tubes, chips standing on edge in rows of one value."""
    x0, y0, x1, y1 = box
    dark: Colour = ((40, 40, 42), (30, 45, 70), (70, 72, 75))[int(rng.integers(3))]
    painter.block((x0 - 8, y0 - 8, x1 + 8, y1 + 8), 12.0, dark)
    tubes = int((x1 - x0) // 44)
    step = (x1 - x0) / tubes
    values = (2500, 500, 500, 100, 100, 50, 200, 10000, 500, 100, 2500, 50, 100, 500)
    for index in range(tubes):
        left = x0 + index * step + 2
        painter.rect((left, y0, left + step - 4, y1), shaded(dark, 0.5), 12.0)
        style = chip_style(values[(index + int(rng.integers(2))) % len(values)], look.maker)
        count = int(rng.integers(8, round((y1 - y0) / 3.4)))
        middle, half = left + (step - 4) / 2, min(RADIUS, (step - 4) / 2)
        for chip in range(count):
            y = y1 - 2 - (chip + 1) * 3.3
            shade = 0.8 + 0.25 * float(rng.random())
            painter.rect((middle - half, y, middle + half, y + 2.9), shaded(style.body, shade), 20.0)
            if style.spots and rng.random() < 0.75:
                at = middle + float(rng.uniform(-0.75, 0.55)) * half
                painter.rect((at, y, at + half * 0.3, y + 2.9), style.spot, 20.0)


def _shoe(painter: Painter, box: Rect, look: Look, rng: np.random.Generator) -> None:
    x0, y0, x1, y1 = box
    body: Colour = ((35, 35, 38), (40, 45, 90), (120, 118, 115), (60, 35, 25))[int(rng.integers(4))]
    painter.rect((x0 + 10, y0 + 12, x1 + 8, y1 + 14), shaded(look.felt, 0.55))
    painter.block(box, 85.0, body)
    inset = 18.0
    painter.rect((x0 + inset, y0 + inset, x1 - inset * 2, y1 - inset), shaded(body, 0.55), 85.0)
    painter.rect((x0 + inset, y0 + inset + 30, x1 - inset * 3, y1 - inset - 30), (215, 220, 222), 80.0)
    painter.rect((x1 - 26, y0 + 25, x1 + 6, y1 - 25), shaded(body, 1.4, 15), 20.0)


def _discard(painter: Painter, box: Rect, look: Look, rng: np.random.Generator) -> None:
    x0, y0, x1, y1 = box
    clear = shaded(look.felt, 0.65, 66.0) if rng.random() < 0.5 else (45.0, 45.0, 120.0)
    painter.block((x0, y0, x1, y1), 30.0, clear)
    cx, cy = (x0 + x1) / 2, (y0 + y1) / 2
    painter.rect((cx - 38, cy - 50, cx + 38, cy + 50), shaded(clear, 0.6), 30.0)


def _drop(painter: Painter, box: Rect, rng: np.random.Generator) -> None:
    x0, _, x1, _ = box
    cx, cy = (x0 + x1) / 2, (box[1] + box[3]) / 2
    painter.rect((x0, cy - 30, x1, cy + 30), (150, 155, 158))
    painter.rect((cx - 42, cy - 6, cx + 42, cy + 6), (20, 20, 20), 1.0)
    painter.rect((cx - 12, cy - 24, cx + 12, cy + 22), (120, 125, 215) if rng.random() < 0.3 else (205, 205, 205), 12.0)


def _plaque(painter: Painter, box: Rect, text: str, rng: np.random.Generator) -> None:
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


def _strange(look: Look, camera: Camera, rng: np.random.Generator) -> Image:
    """Wood, carpet or a plain ground over the whole picture, so that detectors do not lean on green felt."""
    w, h = camera.size
    base = np.array(
        ((60, 95, 140), (95, 120, 150), (150, 150, 155), (90, 80, 75), (70, 110, 160), (215, 215, 215))[
            int(rng.integers(6))
        ]
    )
    base = np.clip(base + rng.normal(0, 18, 3), 10, 245)
    kind = {"wood": (0.02, 0.6), "carpet": (0.7, 0.7), "plain": (0.01, 0.01)}[look.surface]
    size = (max(2, int(w * kind[0])), max(2, int(h * kind[1])))
    noise = rng.normal(0, 1, size[::-1]).astype(np.float32)
    grain = np.asarray(cv2.resize(noise, (w, h), interpolation=cv2.INTER_LINEAR), np.float32)
    grain = grain.T.copy() if w == h and rng.random() < 0.5 else grain
    strength = {"wood": 12.0, "carpet": 22.0, "plain": 8.0}[look.surface]
    image: Image = np.asarray(np.clip(base + grain[..., None] * strength, 0, 255), dtype=np.uint8)
    painter = Painter(image, camera)
    for _ in range(int(rng.integers(0, 4))):
        at, size_mm = rng.uniform((-800, -450), (800, 450)), rng.uniform(80, 500, 2)
        box = (at[0], at[1], at[0] + size_mm[0], at[1] + size_mm[1])
        painter.rect(box, as_colour(np.clip(base + rng.normal(0, 50, 3), 5, 250)))
    return image


def draw_table(plan: TablePlan, look: Look, camera: Camera) -> Image:
    """The empty table as BGR pixels of the camera's size, before light and lens."""
    rng, cloth, ink, trays, rest = (np.random.default_rng([look.seed, 11, part]) for part in range(5))
    if look.surface != "table":
        return _strange(look, camera, rng)
    w, h = camera.size
    floor = np.array(((60, 70, 85), (90, 80, 75), (45, 45, 50), (110, 120, 130))[int(rng.integers(4))], np.float32)
    image = np.full((h, w, 3), floor, np.uint8)
    speckle = cv2.resize(
        rng.normal(0, 14, (h // 3 + 1, w // 3 + 1)).astype(np.float32), (w, h), interpolation=cv2.INTER_LINEAR
    )
    image = np.clip(image + speckle[..., None], 0, 255).astype(np.uint8)
    painter = Painter(image, camera)
    rail: Colour = ((25, 30, 45), (30, 30, 32), (35, 55, 95), (40, 40, 80))[int(rng.integers(4))]
    for grow, shade in ((105, 0.55), (95, 0.8), (75, 1.1), (50, 1.35), (25, 1.0), (8, 0.6)):
        painter.polygon(felt_edge(float(grow)), shaded(rail, shade), 18.0 if grow > 8 else 0.0)
    painter.polygon(felt_edge(), look.felt)
    mask = np.zeros((h, w), np.uint8)
    fill_mask = np.round(camera.project(felt_edge()) * 16).astype(np.int32)
    cv2.fillPoly(mask, [fill_mask], (255.0,), cv2.LINE_8, 4)
    _print_felt(painter, plan, look, ink)
    _grain(image, cloth, mask, painter.scale)
    if painter.sees(plan.tray):
        _tray(painter, plan.tray, look, trays)
    _shoe(painter, plan.shoe, look, rest)
    _discard(painter, plan.discard, look, rest)
    _drop(painter, plan.drop, rest)
    _plaque(
        painter, plan.table_number, f"TABLE {look.table}" if look.table else f"TABLE {int(rng.integers(1, 13))}", rng
    )
    if look.site:
        _plaque(painter, site_box(plan), f"SITE {look.site}", rest)
    return np.asarray(image, dtype=np.uint8)
