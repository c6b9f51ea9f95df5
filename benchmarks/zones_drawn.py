"""Tables of another style, on which `verifier zones` is tried: `python benchmarks/zones_drawn.py FOLDER SEED...`.

Nothing of the simulator's renderer is used: felts, print, cards, chips, fonts and proportions are drawn here with
OpenCV. The seed decides the shape of the table (half-moon, round, straight), the felt and the floor, the print (rings,
double rings, boxes, filled patches, squares, worn rings, none), what else is printed (words along an arc, a line,
side bets, cups), light, noise, the size of the picture, and how the camera hangs (turned by up to 20 degrees, aside,
aslant; of ten one upside down and one mirrored). It draws a recording of two rounds, proposes a layout from it, and
prints what is right, what is wrong, and what is wrong though it was said to be sure.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.domain.errors import BadInput
from verifier.domain.layout import Layout
from verifier.simulate.record import encode
from verifier.vision.networks import Networks, load_networks

Image = NDArray[np.uint8]
Xy = tuple[float, float]

SECONDS: Final = 60
SIZES: Final = ((1280, 720), (1280, 720), (1920, 1080), (640, 360))
PRINTS: Final = ("ring", "double", "box", "patch", "square", "worn", "none", "ring")
SHAPES: Final = ("half-moon", "half-moon", "round", "straight")
FELTS: Final = {
    "green": (58, 110, 34),
    "blue": (130, 70, 26),
    "red": (40, 30, 135),
    "purple": (95, 38, 80),
    "grey": (112, 112, 116),
    "tan": (110, 150, 178),
    "black": (38, 36, 35),
    "teal": (105, 105, 20),
}
PRINT_COLOURS: Final = ((225, 230, 230), (70, 200, 235), (60, 170, 210), (180, 215, 225))
CHIPS: Final = ((60, 50, 190), (170, 90, 40), (70, 130, 50), (35, 35, 35), (225, 225, 225), (150, 60, 130))
FONTS: Final = (cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_COMPLEX)
SPOT_MM: Final = 20.0
PX: Final = 1.0
"""Pixels a millimetre of the canvas on which a table is drawn, before it is seen by the camera."""
CANVAS: Final = (2600, 1900)
ORIGIN: Final = (1300.0, 1150.0)
"""The canvas in millimetres, and where the middle of the spots' arc lies on it."""


@dataclass(frozen=True)
class Table:
    """One drawn table: what a seed decided. Lengths in millimetres, angles in degrees."""

    seed: int
    size: tuple[int, int]
    shape: str
    felt: str
    printed: str
    spaces: int
    radius: float
    spread: float
    spot: float
    turn: float
    shift: Xy
    slant: Xy
    wide: float
    view: str
    side_bets: bool
    words: bool
    cups: int
    lamps: int
    noise: float
    jpeg: int
    site: str
    table: str

    @property
    def spots(self) -> list[Xy]:
        """Middles of the spots on the canvas, from the dealer's left."""
        turns = np.radians(np.linspace(-self.spread, self.spread, self.spaces))
        if self.shape == "straight":
            far = np.linspace(-1, 1, self.spaces) * min(700.0, 125.0 * self.spaces)
            return [(ORIGIN[0] + float(x), ORIGIN[1] - 520.0) for x in far]
        return [(ORIGIN[0] + self.radius * math.sin(turn), ORIGIN[1] - self.radius * math.cos(turn)) for turn in turns]


def table_of(seed: int) -> Table:
    """Return the table of a seed."""
    rng = np.random.default_rng([seed, 77])
    spaces = 3 + int(rng.integers(5))
    return Table(
        seed=seed,
        size=SIZES[int(rng.integers(len(SIZES)))],
        shape=SHAPES[int(rng.integers(len(SHAPES)))],
        felt=str(rng.choice(list(FELTS))),
        printed=PRINTS[seed % len(PRINTS)],
        spaces=spaces,
        radius=float(rng.uniform(560, 680)),
        spread=min(68.0, (spaces - 1) / 2 * float(rng.uniform(19, 26))),
        spot=float(rng.uniform(75, 125)),
        turn=float(rng.uniform(-20, 20)),
        shift=(float(rng.uniform(-0.05, 0.05)), float(rng.uniform(-0.04, 0.04))),
        slant=(float(rng.uniform(-0.06, 0.06)), float(rng.uniform(-0.06, 0.06))),
        wide=float(rng.uniform(2300, 2700)),
        view=("upside down" if seed % 10 == 3 else "mirrored" if seed % 10 == 6 else "plain"),
        side_bets=bool(rng.random() < 0.4),
        words=bool(rng.random() < 0.7),
        cups=int(rng.integers(0, 3)),
        lamps=int(rng.integers(0, 4)),
        noise=float(rng.uniform(1, 8)),
        jpeg=int(rng.integers(35, 95)),
        site=f"{int(rng.integers(1, 999)):04d}",
        table=str(int(rng.integers(1, 20))),
    )


class Drawn:
    """A table's bare canvas, and its pictures."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._rng = np.random.default_rng([table.seed, 78])
        self._print = PRINT_COLOURS[int(self._rng.integers(len(PRINT_COLOURS)))]
        self._font = FONTS[int(self._rng.integers(len(FONTS)))]
        self._bare = self._floor()
        self._felt()
        self._printing()
        self._fixtures()
        self._camera = self._matrix()
        self._light = self._lamps()
        self._plays = [self._round(first) for first in (3, 33)]

    def _floor(self) -> Image:
        """Wooden boards, a carpet, or a plain floor."""
        rng, (wide, high) = self._rng, CANVAS
        kind = int(rng.integers(3))
        base = np.array(((60, 90, 130), (70, 60, 75), (120, 125, 130))[kind], np.float64)
        floor = np.tile(base, (high, wide, 1))
        if kind == 0:
            for top in range(0, high, 95):
                floor[top : top + 95] *= rng.uniform(0.75, 1.15)
                floor[top : top + 3] *= 0.5
        elif kind == 1:
            floor += cv2.resize(rng.normal(0, 22, (high // 12, wide // 12)), (wide, high))[..., None]
        return np.clip(floor, 0, 255).astype(np.uint8)

    def _felt(self) -> None:
        colour, rim = FELTS[self._table.felt], (35, 45, 70)
        for grow, tone in ((85.0, rim), (0.0, colour)):
            cv2.fillPoly(self._bare, [_ints(self._outline(grow))], tone, cv2.LINE_AA)
        weave = self._rng.normal(0, 2.5, (*self._bare.shape[:2], 1))
        self._bare = np.clip(self._bare + weave, 0, 255).astype(np.uint8)

    def _outline(self, grow: float) -> NDArray[np.float64]:
        """(n, 2) The felt's edge, larger by `grow` millimetres."""
        table = self._table
        reach = table.radius + 240.0 + grow
        if table.shape == "straight":
            x, y, deep = 950.0 + grow, 700.0 + grow, 330.0 + grow
            return np.array([(-x, -y), (x, -y), (x, deep), (-x, deep)]) + ORIGIN
        if table.shape == "round":
            turns = np.radians(np.arange(0, 360, 3))
            return np.stack([reach * np.sin(turns), -0.93 * reach * np.cos(turns)], 1) + ORIGIN
        turns = np.radians(np.arange(-90, 91, 3))
        arc = np.stack([reach * np.sin(turns), -reach * np.cos(turns)], 1)
        return np.vstack([arc, [(reach, 330.0 + grow), (-reach, 330.0 + grow)]]) + ORIGIN

    def _printing(self) -> None:
        table, line = self._table, 3 + int(self._rng.integers(4))
        for at in table.spots:
            self._spot(at, line)
            if table.side_bets:
                inward = np.array(ORIGIN) - at
                x, y = np.array(at) + inward / np.hypot(*inward) * (0.5 * table.spot + 45.0)
                cv2.circle(self._bare, _int(x, y), 27, self._print, 3, cv2.LINE_AA)
        if table.words:
            self._words()
        for number in self._rng.permutation(table.spaces)[: table.cups]:
            away = np.array(table.spots[number]) - ORIGIN
            x, y = np.array(ORIGIN) + away * (1 + 150.0 / np.hypot(*away)) + self._rng.normal(0, 20, 2)
            for half, tone in ((46, (50, 90, 140)), (36, (200, 205, 205)), (30, (30, 50, 90))):
                cv2.circle(self._bare, _int(x, y), half, tone, -1, cv2.LINE_AA)

    def _spot(self, at: Xy, line: int) -> None:
        table, half = self._table, self._table.spot / 2
        x, y = _int(*at)
        if table.printed in ("ring", "double"):
            cv2.circle(self._bare, (x, y), round(half), self._print, line, cv2.LINE_AA)
            if table.printed == "double":
                cv2.circle(self._bare, (x, y), round(half - 14), self._print, 2, cv2.LINE_AA)
        elif table.printed == "worn":
            for start in range(0, 360, 12):
                if self._rng.random() < 0.78:
                    tone = tuple(float(v) for v in np.array(self._print) * self._rng.uniform(0.7, 1.0))
                    box = (round(half), round(half))
                    cv2.ellipse(self._bare, (x, y), box, 0, start, start + 12, tone, line, cv2.LINE_AA)
        elif table.printed == "patch":
            cv2.circle(self._bare, (x, y), round(half), self._print, -1, cv2.LINE_AA)
        elif table.printed in ("box", "square"):
            tall = half * (1.25 if table.printed == "box" else 1.0)
            turn = math.degrees(math.atan2(at[0] - ORIGIN[0], ORIGIN[1] - at[1]))
            turn = 0.0 if table.shape == "straight" else turn
            points = cv2.boxPoints(((float(x), float(y)), (2 * half, 2 * tall), turn))
            cv2.polylines(self._bare, [_ints(points)], True, self._print, line, cv2.LINE_AA)

    def _words(self) -> None:
        """Words along an arc between the spots and the dealer, between two lines."""
        far = 0.58 * self._table.radius
        text = "BLACKJACK PAYS 3 TO 2   INSURANCE PAYS 2 TO 1"
        for off in (-38.0, 38.0):
            axes = (round(far + off), round(far + off))
            cv2.ellipse(self._bare, _int(*ORIGIN), axes, 0, 200, 340, self._print, 3, cv2.LINE_AA)
        for letter, turn in zip(text, np.linspace(-64, 64, len(text)), strict=True):
            tile = np.zeros((90, 90), np.uint8)
            cv2.putText(tile, letter, (25, 62), self._font, 1.3, 255, 2, cv2.LINE_AA)
            tile = cv2.warpAffine(tile, cv2.getRotationMatrix2D((45, 45), -turn, 1.0), (90, 90))
            x, y = _int(*_polar(far, turn))
            part = self._bare[y - 45 : y + 45, x - 45 : x + 45]
            share = (tile[..., None] / 255.0) * 0.9
            part[:] = np.clip(part * (1 - share) + np.array(self._print) * share, 0, 255).astype(np.uint8)

    def _fixtures(self) -> None:
        """Rack, shoe, discard holder, tip box, drop slot and the signs, on the dealer's side."""
        x, y = ORIGIN
        cv2.rectangle(self._bare, _int(x - 260, y + 130), _int(x + 260, y + 300), (45, 40, 40), -1)
        for tube in range(10):
            left = x - 245 + 50 * tube
            for row in range(8):
                colour = CHIPS[tube % len(CHIPS)]
                cv2.rectangle(
                    self._bare, _int(left, y + 142 + 18 * row), _int(left + 38, y + 156 + 18 * row), colour, -1
                )
        cv2.rectangle(self._bare, _int(x - 560, y + 60), _int(x - 400, y + 300), (30, 30, 30), -1)
        cv2.rectangle(self._bare, _int(x - 540, y + 80), _int(x - 470, y + 180), (200, 205, 205), -1)
        cv2.rectangle(self._bare, _int(x + 400, y + 80), _int(x + 520, y + 240), (40, 35, 120), -1)
        cv2.rectangle(self._bare, _int(x + 300, y + 220), _int(x + 370, y + 290), (190, 190, 180), -1)
        cv2.putText(self._bare, "TIPS", _int(x + 303, y + 265), self._font, 0.9, (20, 20, 20), 2, cv2.LINE_AA)
        for left, words in ((x + 545, f"SITE {self._table.site}"), (x - 330, f"TABLE {self._table.table}")):
            top = y + 255.0 if left > x else y + 40.0
            (wide, _), _ = cv2.getTextSize(words, self._font, 1.0, 2)
            cv2.rectangle(self._bare, _int(left, top), _int(left + wide + 20, top + 46), (240, 240, 240), -1)
            cv2.putText(self._bare, words, _int(left + 10, top + 34), self._font, 1.0, (15, 15, 15), 2, cv2.LINE_AA)

    def _matrix(self) -> NDArray[np.float64]:
        """(3, 3) From the canvas to the picture."""
        table, (wide, high) = self._table, self._table.size
        scale = wide / table.wide
        turn = math.radians(table.turn)
        middle = np.array([[1, 0, -ORIGIN[0]], [0, 1, -(ORIGIN[1] - 240.0)], [0, 0, 1]])
        cosine, sine = scale * math.cos(turn), scale * math.sin(turn)
        seen = np.array([[cosine, -sine, 0], [sine, cosine, 0], [table.slant[0] / wide, table.slant[1] / high, 1]])
        place = np.array([[1, 0, wide * (0.5 + table.shift[0])], [0, 1, high * (0.5 + table.shift[1])], [0, 0, 1]])
        flip = np.eye(3)
        if table.view == "upside down":
            flip = np.array([[-1, 0, wide], [0, -1, high], [0, 0, 1]])
        elif table.view == "mirrored":
            flip = np.array([[-1, 0, wide], [0, 1, 0], [0, 0, 1]])
        return np.asarray(flip @ place @ seen @ middle, np.float64)

    def _lamps(self) -> NDArray[np.float64]:
        """(h, w, 1) How light falls: darker toward a corner, and brighter under each lamp."""
        wide, high = self._table.size
        x, y = np.meshgrid(np.linspace(0, 1, wide), np.linspace(0, 1, high))
        light = 0.8 + 0.2 * x * self._rng.uniform(-0.5, 1) + 0.2 * y * self._rng.uniform(-0.5, 1)
        for _ in range(self._table.lamps):
            cx, cy, broad = self._rng.uniform(0.2, 0.8), self._rng.uniform(0.2, 0.8), self._rng.uniform(0.06, 0.2)
            light += self._rng.uniform(0.2, 0.7) * np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / (2 * broad**2))
        return np.asarray(light[..., None])

    def _round(self, first: int) -> list[tuple[int, int, str, Xy, Any]]:
        """Return what lies when and where in a round that begins at second `first`: (from, to, kind, place, which)."""
        rng, table = self._rng, self._table
        played = [number for number in range(table.spaces) if rng.random() < 0.75] or [0]
        out: list[tuple[int, int, str, Xy, Any]] = []
        for number in played:
            x, y = table.spots[number]
            wager = (x + float(rng.normal(0, 5)), y + float(rng.normal(0, 5)))
            out.append((first, first + 25, "chip", wager, CHIPS[int(rng.integers(len(CHIPS)))]))
            inward = np.array(ORIGIN) - (x, y)
            if table.shape == "straight":
                inward = np.array([0.0, 1.0])
            at = np.array([x, y]) + inward / np.hypot(*inward) * (table.spot / 2 + (155 if table.side_bets else 95))
            for card in range(2 + int(rng.integers(2))):
                place = at + card * np.array([-30.0, 40.0]) + rng.normal(0, 3, 2)
                since = first + 4 + 3 * card + number // 2
                out.append((since, first + 24, "card", (float(place[0]), float(place[1])), int(rng.integers(52))))
        for card in range(2):
            place = (ORIGIN[0] + 75.0 * card - 40.0, ORIGIN[1] + 20.0)
            out.append((first + 6 + 3 * card, first + 26, "card", place, int(rng.integers(52))))
        return out

    def frames(self) -> Iterator[Image]:
        """Yield the pictures, one a second."""
        for t in range(SECONDS):
            canvas = self._bare.copy()
            for play in self._plays:
                for since, until, kind, at, what in play:
                    if since <= t < until:
                        (_chip if kind == "chip" else _card)(canvas, at, what)
            yield self._seen(canvas, t)

    def _seen(self, canvas: Image, t: int) -> Image:
        table = self._table
        # A picture that is smaller than the canvas is made from one twice its size, so that thin lines stay whole.
        twice = np.diag([2.0, 2.0, 1.0]) @ self._camera
        wide, high = table.size
        seen = cv2.warpPerspective(
            canvas, twice, (2 * wide, 2 * high), flags=cv2.INTER_LINEAR, borderValue=(60, 60, 60)
        )
        seen = cv2.resize(seen, table.size, interpolation=cv2.INTER_AREA)
        rng = np.random.default_rng([table.seed, 79, t])
        lit = np.clip(seen * self._light + rng.normal(0, table.noise, seen.shape), 0, 255).astype(np.uint8)
        clock = f"2026-11-{2 + table.seed % 25:02d} 21:{t // 60:02d}:{t % 60:02d}"
        high_ = wide / 1280
        cv2.rectangle(lit, (0, 0), (round(330 * high_), round(34 * high_)), (0, 0, 0), -1)
        cv2.putText(
            lit,
            clock,
            (round(8 * high_), round(25 * high_)),
            cv2.FONT_HERSHEY_SIMPLEX,
            0.75 * high_,
            (255, 255, 255),
            1 + (wide > 900),
        )
        _, packed = cv2.imencode(".jpg", lit, [cv2.IMWRITE_JPEG_QUALITY, table.jpeg])
        return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)

    def seen_at(self) -> list[Xy]:
        """Middles of the spots in the picture, from the dealer's left."""
        points = np.array(self._table.spots, np.float64).reshape(-1, 1, 2)
        return [(float(x), float(y)) for x, y in cv2.perspectiveTransform(points, self._camera).reshape(-1, 2)]

    def scale(self) -> float:
        """Pixels a millimetre at the middle of the spots."""
        x, y = np.mean(self._table.spots, axis=0)
        points = np.array([(x, y), (x + 1, y), (x, y + 1)]).reshape(-1, 1, 2)
        here, right, down = cv2.perspectiveTransform(points, self._camera).reshape(-1, 2)
        return float((math.dist(here, right) + math.dist(here, down)) / 2)


def _polar(far: float, turn: float) -> Xy:
    angle = math.radians(turn)
    return ORIGIN[0] + far * math.sin(angle), ORIGIN[1] - far * math.cos(angle)


def _int(x: float, y: float) -> tuple[int, int]:
    return round(float(x)), round(float(y))


def _ints(points: Any) -> NDArray[np.int32]:
    return np.asarray(points).round().astype(np.int32)


def _chip(canvas: Image, at: Xy, colour: tuple[int, int, int]) -> None:
    """Draw a chip of 39 mm with six edge spots and a pale middle."""
    x, y = _int(*at)
    cv2.circle(canvas, (x + 3, y + 3), 20, (15, 15, 15), -1, cv2.LINE_AA)
    cv2.circle(canvas, (x, y), 20, colour, -1, cv2.LINE_AA)
    for turn in range(0, 360, 60):
        cv2.ellipse(canvas, (x, y), (18, 18), 0, turn, turn + 22, (235, 235, 235), 4, cv2.LINE_AA)
    cv2.circle(canvas, (x, y), 11, (215, 220, 222), -1, cv2.LINE_AA)
    cv2.putText(canvas, "5", (x - 6, y + 7), cv2.FONT_HERSHEY_SIMPLEX, 0.6, colour, 2, cv2.LINE_AA)


def _card(canvas: Image, at: Xy, what: int) -> None:
    """Draw a card of 63 x 88 mm, upright, with rank and suit in two corners and pips in its middle."""
    x, y = _int(*at)
    cv2.rectangle(canvas, (x - 31, y - 43), (x + 34, y + 47), (20, 20, 20), -1)
    cv2.rectangle(canvas, (x - 32, y - 44), (x + 31, y + 44), (246, 246, 246), -1)
    cv2.rectangle(canvas, (x - 32, y - 44), (x + 31, y + 44), (120, 120, 120), 1)
    colour = (30, 30, 200) if what % 2 else (20, 20, 20)
    rank = "A23456789TJQK"[what % 13]
    tile = np.full((88, 63, 3), 246, np.uint8)
    cv2.putText(tile, rank, (4, 26), cv2.FONT_HERSHEY_DUPLEX, 0.9, colour, 2, cv2.LINE_AA)
    cv2.circle(tile, (13, 37), 6, colour, -1, cv2.LINE_AA)
    tile = np.maximum.reduce([np.minimum(tile, tile[::-1, ::-1]), np.zeros_like(tile)])
    cv2.circle(tile, (31, 44), 9, colour, -1, cv2.LINE_AA)
    canvas[y - 43 : y + 44, x - 31 : x + 31] = tile[1:, 1:]


def drawn(folder: Path, seed: int) -> Path:
    """Return the folder of a seed's recording; draw the recording where it is not there."""
    out = folder / str(seed)
    if not (out / "truth.json").exists():
        out.mkdir(parents=True, exist_ok=True)
        table = table_of(seed)
        made = Drawn(table)
        bitrate = 300_000 * max(1, table.size[0] // 640)
        encode(out / "video.mp4", made.frames(), SECONDS, table.size, 1, bitrate, preset="ultrafast")
        facts = {name: getattr(table, name) for name in Table.__dataclass_fields__}
        truth = {"spots_px": made.seen_at(), "scale_px": made.scale()}
        (out / "truth.json").write_text(json.dumps({**facts, **truth}))
    return out


def told(folder: Path, seed: int, networks: Networks) -> dict[str, Any]:
    """Return what a proposal for a seed's recording says, compared with what was drawn."""
    from verifier.zones import propose

    out = drawn(folder, seed)
    truth = json.loads((out / "truth.json").read_text())
    row = {key: truth[key] for key in ("seed", "size", "shape", "felt", "printed", "spaces", "view", "turn")}
    try:
        found = propose(out / "video.mp4", networks=networks)
    except BadInput as error:
        return {**row, "refused": str(error)}
    side = "top" if truth["view"] == "upside down" else "bottom"
    return {
        **row,
        "side": found.layout.dealer_side == side,
        "direction": found.mirrored == (truth["view"] == "mirrored"),
        "count": len(found.layout.spaces),
        "off": off(found.layout, truth),
        "scale": round(found.layout.scale / truth["scale_px"], 3),
        "site": found.layout.site == truth["site"],
        "table": found.layout.table == truth["table"],
        "parts": {name: part.confidence for name, part in found.parts.items()},
        "unsure": found.unsure,
        "reasons": found.reasons,
    }


def off(layout: Layout, truth: dict[str, Any]) -> list[float]:
    """Millimetres from each true spot to the proposed one of its number; 999 where there is none."""
    out = []
    for number, at in enumerate(truth["spots_px"], start=1):
        space = layout.spaces.get(number)
        wager = None if space is None else space.wager
        far = 999.0 if wager is None else math.dist(np.mean(wager, axis=0), at) / truth["scale_px"]
        out.append(round(far, 1))
    return out


SCALE_OFF: Final = 0.1
"""Share by which the scale may be off: at the picture's edge an aslant camera shows as much."""


def silent(row: dict[str, Any]) -> list[str]:
    """Return what was said to be sure and is wrong."""
    if "refused" in row:
        return []
    sure = {name: value >= 0.8 for name, value in row["parts"].items()}
    count = row["count"] == row["spaces"]
    wrong = {
        "dealer side": not row["side"],
        "direction": not row["direction"],
        "spaces": not count,
        "scale": abs(row["scale"] - 1) > SCALE_OFF,
        "site": not row["site"],
        "table": not row["table"],
    }
    found = [name for name, bad in wrong.items() if bad and sure[name]]
    numbered = count and row["side"] and row["direction"]
    if numbered:
        found += [
            f"space {n} wager" for n, far in enumerate(row["off"], 1) if far > SPOT_MM and sure[f"space {n} wager"]
        ]
    return found


def summary(rows: list[dict[str, Any]]) -> None:
    """Print what is right, wrong, unsure and silently wrong, in all and by kind of print."""
    kinds = [("all", rows)]
    for field in ("printed", "shape", "size", "view"):
        for value in sorted({str(row[field]) for row in rows}):
            kinds.append((f"{field} {value}", [row for row in rows if str(row[field]) == value]))
    print(f"{'':<24}{'n':>4}{'right':>7}{'of it sure':>12}{'wrong':>7}{'of it silent':>14}{'refused':>9}")
    for name, some in kinds:
        seen = [row for row in some if "refused" not in row]
        right = [row for row in seen if is_right(row)]
        wrong = [row for row in seen if not is_right(row)]
        print(
            f"{name:<24}{len(some):>4}{len(right):>7}{sum(not row['unsure'] for row in right):>12}"
            f"{len(wrong):>7}{sum(not row['unsure'] for row in wrong):>14}{len(some) - len(seen):>9}"
        )
    for name in ("side", "direction", "site", "table"):
        print(name, "right", sum(row.get(name, False) for row in rows), "of", len(rows))


def is_right(row: dict[str, Any]) -> bool:
    """Tell whether what judging needs is right."""
    return bool(
        row["side"]
        and row["direction"]
        and row["count"] == row["spaces"]
        and max(row["off"]) <= SPOT_MM
        and abs(row["scale"] - 1) <= SCALE_OFF
    )


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("seeds", nargs="+", help="seeds, or ranges such as 100-123")
    asked = parser.parse_args()
    networks, rows = load_networks(), []
    for text in asked.seeds:
        first, _, last = text.partition("-")
        for seed in range(int(first), int(last or first) + 1):
            row = told(asked.folder, seed, networks)
            rows.append(row)
            shown = {key: value for key, value in row.items() if key not in ("parts", "reasons")}
            print(shown, "SILENT" if silent(row) else "", silent(row), file=sys.stderr, flush=True)
    summary(rows)


if __name__ == "__main__":
    main()
