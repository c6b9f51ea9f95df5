"""What lies on a table and is neither card nor chip: phones, cups, boxes of cards, papers, notes, rings, fixtures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

import numpy as np

from verifier.simulate.render.notes import BILL_MM, bill_texture
from verifier.train.table import bodies as shapes
from verifier.train.table.backs import back, sample_back
from verifier.train.table.bodies import disc
from verifier.train.table.discs import colours, label
from verifier.train.table.faces import outline

if TYPE_CHECKING:
    from verifier.train.table.stager import Stager

Place = tuple[float, float]


def _print(stager: Stager, picture: np.ndarray) -> int:
    return stager.layer(("thing", len(stager.table.prints)), picture)


def phone(stager: Stager, at: Place) -> None:
    """Add a phone, dark or lit, with its lens or its screen up."""
    rng = stager.rng
    size = (float(rng.uniform(66, 80)), float(rng.uniform(138, 168)), float(rng.uniform(7, 11)))
    image = (
        label(rng)
        if rng.random() < 0.4
        else np.full((352, 252, 4), (*rng.uniform(5, 60, 3), 255.0), np.float32).astype(np.uint8)
    )
    image = image.copy()
    image[..., 3] = outline(float(rng.uniform(4, 9)))
    if rng.random() < 0.5:
        import cv2

        for y in (30, 62):
            cv2.circle(image, (34, y), 13, (25.0, 22.0, 20.0, 255.0), -1, cv2.LINE_AA)
            cv2.circle(image, (34, y), 7, (70.0, 55.0, 50.0, 255.0), -1, cv2.LINE_AA)
    stager.table.bodies += shapes.box(
        (*at, 0),
        size,
        float(rng.uniform(0, 360)),
        layer=_print(stager, image),
        side=rng.uniform(0.02, 0.5, 3),
        gloss=0.5,
    )


def cup(stager: Stager, at: Place) -> None:
    """Add a cup, glass or can seen from above: rings and a round surface."""
    rng = stager.rng
    radius, high = float(rng.uniform(24, 46)), float(rng.uniform(60, 140))
    wall = np.full(3, rng.uniform(0.2, 0.95)) * rng.uniform(0.7, 1.1, 3)
    parts, _ = disc(
        (*at, 0),
        radius,
        high,
        side=np.clip(wall, 0, 1),
        face=np.clip(wall, 0, 1),
        gloss=0.4,
        narrow=float(rng.uniform(0.7, 1.0)),
    )
    drink, _ = disc(
        (*at, high),
        radius * float(rng.uniform(0.82, 0.93)),
        0.3,
        face=rng.uniform(0.02, 0.8, 3),
        side=(0.1, 0.1, 0.1),
        gloss=0.5,
    )
    stager.table.bodies += parts + drink
    if rng.random() < 0.3:
        tab, _ = disc(
            (at[0] + radius * 0.2, at[1], high + 0.4), radius * 0.3, 0.5, face=wall * 0.7, side=wall * 0.6, gloss=0.5
        )
        stager.table.bodies += tab


def coaster(stager: Stager, at: Place) -> None:
    """Add a round paper or plastic mat with print, larger than a chip."""
    rng = stager.rng
    layer = _print(stager, label(rng, round_one=True))
    parts, _ = disc(
        (*at, 0),
        float(rng.uniform(38, 55)),
        float(rng.uniform(0.8, 4)),
        layer=layer,
        side=(0.7, 0.7, 0.7),
        spin=float(rng.uniform(0, 360)),
    )
    stager.table.bodies += parts


def button(stager: Stager, at: Place) -> None:
    """Add a dealer button or a round tin of stamps: a disc half as large again as a chip."""
    rng = stager.rng
    layer = _print(stager, label(rng, round_one=True)) if rng.random() < 0.6 else -1
    tone = rng.uniform(0.1, 0.95) * rng.uniform(0.8, 1.1, 3)
    parts, _ = disc(
        (*at, 0),
        float(rng.uniform(27, 40)),
        float(rng.uniform(5, 16)),
        layer=layer,
        face=np.clip(tone, 0, 1),
        side=np.clip(tone, 0, 1),
        gloss=0.4,
    )
    stager.table.bodies += parts


def cap(stager: Stager, at: Place) -> None:
    """Add a bottle's cap or a finger ring: round, smaller than a chip."""
    rng = stager.rng
    tone = rng.uniform(0.1, 0.9, 3)
    radius = float(rng.uniform(8, 14))
    parts, _ = disc((*at, 0), radius, float(rng.uniform(3, 9)), face=tone, side=tone, gloss=0.6)
    stager.table.bodies += parts
    if rng.random() < 0.5:
        hole, _ = disc((*at, 9.1), radius * 0.75, 0.1, face=(0.06, 0.1, 0.05), side=tone)
        stager.table.bodies += hole


def card_box(stager: Stager, at: Place) -> None:
    """Add a box that cards are sold in: a card's size and a back's ornament, but thick and with another edge."""
    rng = stager.rng
    picture = back(sample_back(rng, "train" if rng.random() < 0.5 else "test")) if rng.random() < 0.6 else label(rng)
    picture = picture.copy()
    picture[..., 3] = 255
    picture[: int(rng.integers(40, 110)), :, :3] = rng.uniform(20, 230, 3)
    size = (float(rng.uniform(66, 72)), float(rng.uniform(92, 112)), float(rng.uniform(16, 36)))
    stager.table.bodies += shapes.box(
        (*at, 0),
        size,
        float(rng.uniform(0, 360)),
        layer=_print(stager, picture),
        side=rng.uniform(0.1, 0.9, 3),
        gloss=0.15,
    )


def paper(stager: Stager, at: Place) -> None:
    """Add a slip, form or label with text, of any size that is no card's."""
    rng = stager.rng
    size = (
        (float(rng.uniform(80, 220)), float(rng.uniform(100, 300)))
        if rng.random() < 0.6
        else (float(rng.uniform(20, 48)), float(rng.uniform(12, 40)))
    )
    stager.table.bodies += shapes.box(
        (*at, 0), (*size, 0.25), float(rng.uniform(0, 360)), layer=_print(stager, label(rng)), side=(0.8, 0.8, 0.8)
    )


def note(stager: Stager, at: Place) -> None:
    """One or a few bank notes, drawn as for their reader."""
    rng = stager.rng
    angle = float(rng.uniform(0, 360))
    for k in range(int(rng.integers(1, 4))):
        texture = bill_texture(
            int(rng.choice([100, 500, 1000, 2000, 5000, 10000])),
            str(rng.choice(["up", "down"])),
            2.4,
            int(rng.integers(1, 5000)),
        )
        image = np.ascontiguousarray(
            np.dstack([texture.pixels[..., :3], np.full(texture.pixels.shape[:2], 255, np.uint8)])
        )
        x, y = np.array(at) + rng.normal(0, 18, 2) * (k > 0)
        stager.table.bodies += shapes.box(
            (float(x), float(y), 0.4 * k),
            (*BILL_MM, 0.3),
            angle + float(rng.normal(0, 9)),
            layer=_print(stager, image),
            side=(0.6, 0.7, 0.6),
        )


def pen(stager: Stager, at: Place) -> None:
    """Add a pen or a lighter."""
    rng = stager.rng
    size = (float(rng.uniform(7, 12)), float(rng.uniform(80, 150)), 8.0) if rng.random() < 0.6 else (24.0, 80.0, 12.0)
    tone = rng.uniform(0.02, 0.9, 3)
    stager.table.bodies += shapes.box(
        (*at, 0), size, float(rng.uniform(0, 360)), colour=tone, side=tone * 0.7, gloss=0.6
    )


def plastic(stager: Stager, at: Place) -> None:
    """Add a cut card: a card's size, of one strong colour."""
    rng = stager.rng
    tone = rng.choice([(0.1, 0.8, 0.95), (0.1, 0.1, 0.8), (0.6, 0.25, 0.05), (0.1, 0.5, 0.1)], axis=0) * rng.uniform(
        0.7, 1.1
    )
    stager.table.bodies += shapes.box(
        (*at, 0), (63, 88, 0.6), float(rng.uniform(0, 360)), colour=np.clip(tone, 0, 1), gloss=0.25
    )


def fixtures(stager: Stager, *, whole: bool = False) -> None:
    """Shoe, discard rack and tray of a table; the tray's chips stand on edge and are no chips to be counted.

    By default any of them may be missing; a `whole` table has all of them and no pack beside the discard rack.
    """
    rng, plan = stager.rng, stager.table.plan
    add = stager.table.bodies.extend
    for rect, high in (
        (plan.shoe, rng.uniform(70, 120)),
        (plan.discard, rng.uniform(40, 110)),
        (plan.drop, rng.uniform(2, 12)),
    ):
        if whole or rng.random() < 0.85:
            middle = ((rect[0] + rect[2]) / 2, (rect[1] + rect[3]) / 2, 0.0)
            tone = rng.uniform(0.02, 0.35) * rng.uniform(0.8, 1.2, 3)
            add(
                shapes.box(
                    middle,
                    (rect[2] - rect[0] - 20, rect[3] - rect[1] - 30, float(high)),
                    float(rng.normal(0, 3)),
                    colour=tone,
                    side=tone * 0.8,
                    gloss=0.4,
                )
            )
    if not whole and rng.random() < 0.3:
        x0, y0, x1, y1 = plan.discard
        stager.pack(((x0 + x1) / 2, (y0 + y1) / 2 - 190), float(rng.normal(0, 5)))
    if whole or rng.random() < 0.8:
        tray(stager)


def tray(stager: Stager) -> None:
    """Add the dealer's tray: channels in which chips stand on edge."""
    rng, (x0, y0, x1, y1) = stager.rng, stager.table.plan.tray
    tone = float(rng.uniform(0.02, 0.5))
    stager.table.bodies += shapes.box(
        ((x0 + x1) / 2, (y0 + y1) / 2, 0), (x1 - x0, y1 - y0, 3.0), colour=(tone, tone, tone), gloss=0.3
    )
    count = int((x1 - x0) // 46)
    turn = np.linspace(0, np.pi, 9)
    for i in range(count):
        x = x0 + (i + 0.5) * (x1 - x0) / count
        cents = stager.any_value()
        told = colours(stager.house.maker, cents)
        length = float(rng.uniform(0.2, 0.95)) * (y1 - y0 - 16)
        slices = max(2, int(length / 3.3))
        start = y0 + 8
        for k in range(slices):
            shade = (
                np.array(told.spot if (k * 7 + i) % 5 == 0 and rng.random() < 0.5 else told.body)
                / 255
                * rng.uniform(0.8, 1.0)
            )
            ring = np.stack([x + 19.5 * np.cos(turn), np.zeros(9), 3 + 16 * np.sin(turn)], 1)
            near, far = ring.copy(), ring.copy()
            near[:, 1], far[:, 1] = start + 3.3 * k, start + 3.3 * (k + 1) - 0.3
            stager.table.bodies.append(shapes.strip([near, far], shade, gloss=0.2))


THINGS: Final[Mapping[str, Callable[[Stager, Place], None]]] = {
    "phone": phone, "cup": cup, "coaster": coaster, "button": button, "cap": cap, "card box": card_box, "paper": paper,
    "note": note, "pen": pen, "cut card": plastic,
}  # fmt: skip
"""What may lie about."""
