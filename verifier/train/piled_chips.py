"""Crops of chips made directly: rows, stacks and piles of any maker's chips on any ground, without a table round them.

Far faster than whole pictures, and of as many makers as there are piles; a chip's ground is often of its own colour.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from verifier.simulate.render.chip_prints import printed_face
from verifier.simulate.render.chips import RADIUS, ChipStyle, chip_shadow, chip_style, colour_of, face_of
from verifier.simulate.render.coins import RADIUS as COIN_RADIUS
from verifier.simulate.render.coins import coin_texture
from verifier.simulate.render.colours import Colour, as_colour
from verifier.simulate.render.look import WILD
from verifier.simulate.render.warp import Texture, level_for, paste, pose
from verifier.train.crop_sets import COLOURS
from verifier.train.crops import CHIP_MARGIN, Image, chip_crop
from verifier.train.piled_cards import cover, ground, recorded

Floats = NDArray[np.float64]
RADII: Final = (6.0, 30.0)
"""Radius of a chip in pixels, drawn evenly on a logarithmic scale."""
PRESCRIBED: Final = (50, 100, 200, 500, 2500, 10000)
"""Values in cents of the colours that the rules prescribe."""
OTHERS: Final = (25, 75, 250, 300, 400, 700, 800, 1000, 1500, 2000, 5000, 50000, 100000)
"""Values in cents for which no colour is prescribed."""
OTHER: Final = 0.12
"""Share of the values without a prescribed colour."""
ALIKE: Final = 0.5
"""Share of the piles of which most chips are of one value."""
ANY_MAKER: Final = 0.5
"""Share of the piles whose chips are marked in any way, not only as the rules have it."""
FADED: Final = 0.6
"""Share of the bodies that are lighter, darker, paler or of another hue than their maker's."""
COINS: Final = 0.3
"""Share of the piles in which half dollars are coins instead of chips."""
ASLANT: Final = 0.5
"""Share of the piles of sets for home and club that are seen from aside, on stacks of a few."""
THICK: Final = 3.3 / RADIUS
"""A chip's thickness in units of its radius."""
MUSTARD: Final = 50
"""Cents of a mustard chip."""
WHITE, PINK = 100, 200
"""Cents of a white and of a pink chip."""
BLUES: Final = ((70.0, 50.0, 10.0), (190.0, 120.0, 90.0))
"""Between these lie the colours (BGR) of blue grounds."""
TINTS: Final = np.array([(0.98, 0.9, 1.04), (0.9, 0.98, 1.04), (1.04, 0.98, 0.92), (0.95, 1.03, 0.95)])
"""Rosy, ivory, bluish and greenish white, BGR in units of a white chip's body: still white beside any pink one."""
YELLOW: Final = (80.0, 205.0, 238.0)
OWN_GROUND: Final = 0.25
"""Share of the piles on a ground of about the colour of a chip in them."""
LEAST_SHARE: Final = 0.35
"""A chip of whose face less shows gives no crop."""
DIM: Final = 40.0
"""Light (0..255) below which a pixel's colour is noise."""
COLOURED: Final = ("mustard", "pink", "red", "green")
LEAST_CHROMA: Final = 0.16
"""Least colour (0 grey, 1 pure) of the strongest quarter of a COLOURED chip's rim: what has less gives no crop."""


def pile(rng: Generator, sets: float = 0.0, pale: float = 0.0) -> tuple[list[Image], list[int]]:
    """Crops (32, 32, 3) BGR of one pile's chips and the number of each one's colour in COLOURS.

    `sets` is the share of the piles whose chips are of a set for home or club (`render.chip_prints`), `pale` that of
    piles of white and pink chips, half of them on blue ground, on which a rosy white is hard to tell from pink.
    """
    light = pale > 0 and rng.random() < pale
    radius = float(np.exp(rng.uniform(*np.log(RADII))))
    scale, side = radius / RADIUS, round(9 * radius) + 8
    values = [_cents(rng, light)] * 4 if rng.random() < ALIKE else []
    values = [*values[:3], *(_cents(rng, light) for _ in range(int(rng.integers(1, 4))))]
    styles = _styles(values, rng)
    maker = int(rng.integers(1 << 20)) if rng.random() < COINS else None
    image = _felt(styles[values[0]], side, rng, light)
    owner = np.full((side, side), -1, np.int16)
    places = _places(len(values), radius, side, rng)
    printed = rng.random() < sets
    faces = _faces(styles, level_for(scale), printed, rng)
    chips = _Chips(radius, float(rng.uniform(0.5, 1.0)) if printed and rng.random() < ASLANT else 1.0, faces, maker)
    for number, (cents, at) in enumerate(zip(values, places, strict=True)):
        chips.lay(image, cents, at, rng)
        axes = (round(chips.radius_of(cents)), round(chips.radius_of(cents) * chips.squeeze))
        cv2.ellipse(owner, (round(at[0]), round(at[1])), axes, 0, 0, 360, number, -1)
    for _ in range(int(rng.choice(3, p=[0.6, 0.3, 0.1]))):
        cover(image, owner, _square(places[int(rng.integers(len(places)))], radius), 1.3 * radius, rng)
    image = recorded(_developed(image, rng) if printed else image, rng)
    out: tuple[list[Image], list[int]] = ([], [])
    for number, (cents, at) in enumerate(zip(values, places, strict=True)):
        own, coin = chips.radius_of(cents), chips.is_coin(cents)
        if float((owner == number).sum()) >= LEAST_SHARE * np.pi * own**2 * chips.squeeze:
            x, y = at + rng.normal(0, 0.07 * radius, 2)
            crop = chip_crop(image, (float(x), float(y)), own * _found(rng, coin))
            colour = "other" if coin else colour_of(cents)
            if shows_colour(crop, colour):
                out[0].append(crop)
                out[1].append(COLOURS.index(colour))
    return out


@dataclass(frozen=True)
class _Chips:
    """The chips of one pile: their radius in pixels, how flat they are seen, and their faces by value.

    Where there is a `maker`, half dollars are that one's coins.
    """

    radius: float
    squeeze: float
    faces: dict[int, Texture]
    maker: int | None

    def is_coin(self, cents: int) -> bool:
        """Tell whether a value is a coin here."""
        return self.maker is not None and cents == 50

    def radius_of(self, cents: int) -> float:
        """Return the radius in pixels of a value's chip or coin."""
        return self.radius * (COIN_RADIUS / RADIUS if self.is_coin(cents) else 1.0)

    def lay(self, image: Image, cents: int, at: Floats, rng: Generator) -> None:
        """Draw a chip with its shadow, and what lies below it where it is seen from aside."""
        scale = self.radius / RADIUS
        level = level_for(scale)
        matrix = np.diag([scale, scale * self.squeeze, 1.0]) @ pose((0.0, 0.0), float(rng.uniform(0, 360)))
        matrix[:2, 2] = at
        shadow = chip_shadow(level, 1.5, COIN_RADIUS if self.is_coin(cents) else RADIUS)
        paste(image, shadow, _shifted(matrix, rng.normal(0, 0.08 * self.radius, 2)), 0.6)
        coin = coin_texture(self.maker, level) if self.maker is not None and self.is_coin(cents) else None
        rise = THICK * self.radius * float(np.sqrt(1 - self.squeeze**2)) * (self.squeeze < 1.0)
        for below in range(2 * int(rng.integers(1, 7)) if rise else 0, 0, -1):
            paste(image, self.faces[cents], _shifted(matrix, np.array([0.0, below * rise / 2])))
        paste(image, coin or self.faces[cents], matrix)


def shows_colour(crop: Image, colour: str) -> bool:
    """Tell whether a crop (n, n, 3) BGR of a chip of that colour still has it: glare and grey recorders take it away.

    What has lost it would teach that white chips are pink, and black ones green.
    """
    if colour not in COLOURED:
        return True
    side = crop.shape[0]
    y, x = np.mgrid[:side, :side] - (side - 1) / 2
    from_middle = np.hypot(x, y) / (side / 2 / (1 + 2 * CHIP_MARGIN))
    rim = crop[(from_middle > 0.55) & (from_middle < 0.95)].astype(np.float32)
    most = rim.max(1)
    return bool(np.percentile((most - rim.min(1)) / np.maximum(most, DIM), 75) >= LEAST_CHROMA)


def _faces(styles: dict[int, ChipStyle], level: float, printed: bool, rng: Generator) -> dict[int, Texture]:
    """Return the top faces of a pile's chips by value; in a printed set two values often share their design."""
    if not printed:
        return {cents: face_of(style, cents, level) for cents, style in styles.items()}
    design, one = int(rng.integers(1 << 30)), rng.random() < 0.5
    return {
        cents: printed_face(
            _yellowed(style.body, rng) if cents == MUSTARD else style.body,
            cents,
            level,
            np.random.default_rng([design, 0 if one else cents]),
        )
        for cents, style in styles.items()
    }


def _yellowed(body: Colour, rng: Generator) -> Colour:
    """Mustard, or as yellow as such sets often have in its place."""
    share = rng.uniform(0, 1) if rng.random() < 0.6 else 0.0
    return as_colour((1 - share) * np.array(body) + share * np.array(YELLOW))


def _developed(image: Image, rng: Generator) -> Image:
    """Paler, brighter, more or less coloured, as cameras for other uses give their pictures.

    Never so bright that the colours of light bodies burn out: a pink chip that is white to the eye would teach that
    white ones are pink.
    """
    grey = image.mean(axis=2, keepdims=True)
    out = grey + (image - grey) * rng.uniform(0.7, 1.4)
    if rng.random() < 0.5:
        brightest = max(1.0, float(np.percentile(out, 97)))
        out = out * rng.uniform(1.0, max(1.0, min(1.5, 255 / brightest)))
    if rng.random() < 0.3:
        out = out * (1 - (pale := rng.uniform(0, 0.25))) + 255 * pale
    return np.asarray(np.clip(out, 0, 255), np.uint8)


def _found(rng: Generator, coin: bool) -> float:
    """How much larger than the truth a radius is found; a detector that learnt chips finds coins larger."""
    return float(np.exp(rng.normal(0.15, 0.1) if coin else rng.normal(0, 0.06)))


def _cents(rng: Generator, light: bool) -> int:
    if light and rng.random() < 0.8:
        return WHITE if rng.random() < 0.6 else PINK
    return int(rng.choice(OTHERS if rng.random() < OTHER else PRESCRIBED))


def _styles(values: list[int], rng: Generator) -> dict[int, ChipStyle]:
    """How one maker of the training's fonts makes chips of these values, some of them faded."""
    maker = 2 * int(rng.integers(1 << 20)) + (WILD if rng.random() < ANY_MAKER else 0)
    styles = {cents: chip_style(cents, maker) for cents in sorted(set(values))}
    return {cents: _faded(style, rng, cents) if rng.random() < FADED else style for cents, style in styles.items()}


def _faded(style: ChipStyle, rng: Generator, cents: int) -> ChipStyle:
    body = np.array(style.body) * rng.uniform(0.75, 1.25) * np.exp(rng.normal(0, 0.05, 3))
    if cents == WHITE and rng.random() < 0.5:
        body *= rng.choice(TINTS) ** rng.uniform(0, 1)
    body += (body.mean() - body) * rng.uniform(0, 0.2)
    return replace(style, body=as_colour(np.clip(body, 8, 250)))


def _felt(style: ChipStyle, side: int, rng: Generator, light: bool) -> Image:
    """Return the ground under a pile of chips, with print on it now and then."""
    image = ground(side, rng)
    if light and rng.random() < 0.5:
        noise = rng.normal(0, rng.uniform(0, 9), image.shape)
        image = np.asarray(np.clip(rng.uniform(*BLUES) + noise, 0, 255), np.uint8)
    if rng.random() < OWN_GROUND:
        own = np.array(style.body) * rng.uniform(0.7, 1.2) * np.exp(rng.normal(0, 0.06, 3))
        image = np.asarray(np.clip(own + rng.normal(0, rng.uniform(0, 6), image.shape), 0, 255), np.uint8)
    if rng.random() < 0.4:
        shade = as_colour(rng.choice([rng.uniform(150, 245, 3), rng.uniform((60, 130, 150), (110, 190, 215))], axis=0))
        ends = rng.uniform(0, side, (2, 2)).astype(int)
        thick = max(1, round(side * float(rng.uniform(0.01, 0.05))))
        cv2.line(image, tuple(map(int, ends[0])), tuple(map(int, ends[1])), shade, thick, cv2.LINE_AA)
    return image


def _places(count: int, radius: float, side: int, rng: Generator) -> list[Floats]:
    """Middles of the chips in pixels, the lowest first: a row, a stack that slipped, or a pile."""
    turn = float(rng.uniform(0, 2 * np.pi))
    along = np.array([np.cos(turn), np.sin(turn)])
    kind = rng.random()
    step = rng.uniform(0.5, 2.1) if kind < 0.6 else rng.uniform(0.02, 0.25) if kind < 0.8 else 0.0
    spread = 0.05 if kind < 0.8 else 1.1
    middle = np.full(2, side / 2)
    return [
        np.clip(middle + along * (i - (count - 1) / 2) * step * radius + rng.normal(0, spread * radius, 2), 0, side)
        for i in range(count)
    ]


def _shifted(matrix: Floats, by: Floats) -> Floats:
    moved = matrix.copy()
    moved[:2, 2] += by
    return moved


def _square(at: Floats, radius: float) -> Floats:
    return np.asarray(at + radius * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]))


def write_piled_chips(path: Path, count: int, seed: int, sets: float = 0.0, pale: float = 0.0) -> int:
    """Write about `count` crops as chips, chips_labels (N, 1) to an npz file, shares as in `pile`; return how many."""
    rng = np.random.default_rng([seed, 62])
    crops: list[Image] = []
    labels: list[int] = []
    while len(crops) < count:
        more, colours = pile(rng, sets, pale)
        crops += more
        labels += colours
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez(path, chips=np.stack(crops), chips_labels=np.asarray(labels, np.int8)[:, None])
    return len(crops)
