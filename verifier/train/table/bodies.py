"""Meshes of what lies on a table. Frame: millimetres, `x` right and `y` down in the picture, `z` up from the felt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from verifier.train.solid.draw import CLOTH, PLAIN, SKIN, Mesh, normals

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Colour = Sequence[float] | Floats
PRINTED, FELT = 2.0, 4.0
"""Kinds beside those of `solid.draw`: what takes its colour from a layer of the prints, and the felt."""
AROUND: Final = 40
"""Segments of a circle."""
__all__ = ["CLOTH", "FELT", "PLAIN", "PRINTED", "SKIN", "Body", "Packed"]


@dataclass(frozen=True)
class Body:
    """Triangles (m, 3) of vertices (n, 3) with normals (n, 3).

    `texel` (n, 3) is a place in shares of a print and its layer, `colour` (n, 3) BGR 0..1, `look` (n, 3) kind, the
    number by which the picture of numbers tells what a pixel shows (0 for what nobody asks for), and gloss.
    """

    vertices: Floats
    triangles: Ints
    normals: Floats
    texel: Floats
    colour: Floats
    look: Floats
    rest: Floats
    rest_normals: Floats

    def packed(self) -> NDArray[np.float32]:
        """(3 m, 21) attributes of the triangles' corners."""
        parts = (self.vertices, self.normals, self.texel, self.colour, self.look, self.rest, self.rest_normals)
        rows = np.concatenate(parts, axis=1).astype(np.float32)
        return np.asarray(rows[self.triangles.ravel()])


@dataclass(frozen=True)
class Packed:
    """Bodies that were packed before, since they never move: `rows` as `Body.packed` gives them."""

    rows: NDArray[np.float32]

    def packed(self) -> NDArray[np.float32]:
        """Return the rows."""
        return self.rows


def body(
    vertices: Floats,
    triangles: Ints,
    *,
    texel: Floats | None = None,
    colour: Colour = (1.0, 1.0, 1.0),
    kind: float = PLAIN,
    number: int = 0,
    gloss: float = 0.0,
    flat: bool = False,
) -> Body:
    """Return a body of one kind; `flat` gives each triangle its own normal, so that edges are sharp."""
    colours = np.broadcast_to(np.asarray(colour, np.float64), (len(vertices), 3))
    texels = np.zeros((len(vertices), 3)) if texel is None else texel
    if flat:
        order = triangles.ravel()
        vertices, colours, texels = vertices[order], colours[order], texels[order]
        triangles = np.arange(len(order)).reshape(-1, 3)
    look = np.tile((kind, float(number), gloss), (len(vertices), 1))
    out = normals(vertices, triangles)
    return Body(vertices, triangles, out, texels, colours, look, vertices, out)


def of_mesh(mesh: Mesh, hand: NDArray[np.bool_], number: int, gloss: float) -> Body:
    """Return a dressed arm; what belongs to the hand has `number`, the forearm `number` + 1."""
    numbers = np.where(hand, number, number + 1).astype(np.float64)
    look = np.column_stack([mesh.kind, numbers, np.full(len(numbers), gloss)])
    out = normals(mesh.vertices, mesh.triangles)
    texel = np.zeros((len(numbers), 3))
    return Body(mesh.vertices, mesh.triangles, out, texel, mesh.colour, look, mesh.rest, mesh.rest_normals)


def joined(bodies: Sequence[Body | Packed]) -> NDArray[np.float32]:
    """Return the packed attributes of many bodies."""
    return np.concatenate([one.packed() for one in bodies])


def grid(columns: int, rows: int) -> tuple[Floats, Ints]:
    """(n, 2) places 0..1 of a grid, row by row, and its triangles."""
    u, v = np.meshgrid(np.linspace(0, 1, columns), np.linspace(0, 1, rows))
    index = np.arange(columns * rows).reshape(rows, columns)
    a, b, c, d = index[:-1, :-1], index[:-1, 1:], index[1:, 1:], index[1:, :-1]
    triangles = np.concatenate([np.stack([a, b, c], -1).reshape(-1, 3), np.stack([a, c, d], -1).reshape(-1, 3)])
    return np.stack([u.ravel(), v.ravel()], 1), triangles


def turned(points: Floats, angle: float, at: Sequence[float]) -> Floats:
    """(n, 2) places turned by `angle` (degrees, clockwise on screen) and moved to `at`."""
    a = np.radians(angle)
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    return np.asarray(points @ turn.T + np.asarray(at[:2]))


def disc(
    at: Sequence[float],
    radius: float,
    height: float,
    *,
    axis: Floats | None = None,
    spin: float = 0.0,
    layer: int = -1,
    face: Colour = (1.0, 1.0, 1.0),
    side: Colour = (1.0, 1.0, 1.0),
    numbers: tuple[int, int] = (0, 0),
    gloss: float = 0.0,
    narrow: float = 1.0,
) -> tuple[list[Body], Floats]:
    """Return a cylinder that stands at `at` (its lower middle, mm), and the (AROUND, 3) ring around its upper face.

    `axis` is its upward unit vector; `numbers` those of its face and its side; `side` may have a colour for each
    segment; `narrow` is the lower radius in upper ones.
    """
    up = np.array([0.0, 0.0, 1.0]) if axis is None else axis
    x, y = _across(up)
    turn = np.linspace(0, 2 * np.pi, AROUND, endpoint=False)
    ring = np.outer(np.cos(turn), x) + np.outer(np.sin(turn), y)
    middle = np.asarray(at, np.float64)
    high = middle + up * height + ring * radius
    low = middle + ring * radius * narrow
    own = turn + np.radians(spin)
    uv = np.column_stack([0.5 + 0.5 * np.cos(own), 0.5 + 0.5 * np.sin(own), np.full(AROUND, float(layer))])
    top = np.vstack([high, middle + up * height])
    fan = np.array([[i, (i + 1) % AROUND, AROUND] for i in range(AROUND)])
    texel = np.vstack([uv, [0.5, 0.5, float(layer)]])
    cap = body(
        top, fan, texel=texel, colour=face, kind=PRINTED if layer >= 0 else PLAIN, number=numbers[0], gloss=gloss
    )
    cap = replace(cap, normals=np.tile(up, (len(top), 1)))
    quads, walls = _wall(high, low)
    colours = np.asarray(side, np.float64)
    colours = np.repeat(colours, 4, 0) if colours.ndim == 2 else np.tile(colours, (4 * AROUND, 1))
    wall = body(quads, walls, colour=colours, number=numbers[1], gloss=gloss)
    return [cap, replace(wall, normals=_wall(ring, ring)[0])], high


def _across(up: Floats) -> tuple[Floats, Floats]:
    """Return two unit vectors that lie across `up` and across each other."""
    x = np.cross(np.array([0.0, 1.0, 0.0]), up)
    x = np.asarray(x / np.linalg.norm(x))
    return x, np.asarray(np.cross(up, x))


def _wall(high: Floats, low: Floats) -> tuple[Floats, Ints]:
    """Return corners (4n, 3) and triangles of the wall between two rings (n, 3)."""
    nxt = (np.arange(AROUND) + 1) % AROUND
    quads = np.stack([high, high[nxt], low[nxt], low], 1).reshape(-1, 3)
    corner = np.arange(AROUND) * 4
    first, second = (np.stack([corner, corner + 1 + k, corner + 2 + k], 1) for k in (0, 1))
    return quads, np.concatenate([first, second])


def box(
    at: Sequence[float],
    size: tuple[float, float, float],
    angle: float = 0.0,
    *,
    layer: int = -1,
    colour: Colour = (0.5, 0.5, 0.5),
    side: Colour | None = None,
    gloss: float = 0.0,
    number: int = 0,
) -> list[Body]:
    """Return a box whose lower middle stands at `at`; its top shows a print where `layer` is given."""
    w, d, h = size
    flat = turned(np.array([(-w, -d), (w, -d), (w, d), (-w, d)]) / 2, angle, at)
    low = np.column_stack([flat, np.full(4, at[2])])
    high = low + np.array((0.0, 0.0, h))
    uv = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float64)
    texel = np.column_stack([uv, np.full(4, float(layer))])
    two = np.array([[0, 1, 2], [0, 2, 3]])
    top = body(
        high,
        two,
        texel=texel,
        colour=(1, 1, 1) if layer >= 0 else colour,
        kind=PRINTED if layer >= 0 else PLAIN,
        gloss=gloss,
        number=number,
    )
    walls = np.array(
        [[i, (i + 1) % 4, 4 + (i + 1) % 4] for i in range(4)] + [[i, 4 + (i + 1) % 4, 4 + i] for i in range(4)]
    )
    return [
        top,
        body(np.vstack([low, high]), walls, colour=side if side is not None else colour, gloss=gloss, flat=True),
    ]


def strip(lines: Sequence[Floats], colour: Colour, *, kind: float = PLAIN, gloss: float = 0.0) -> Body:
    """Return the surface between (n, 3) lines of as many points each."""
    rows, columns = len(lines), len(lines[0])
    _, triangles = grid(columns, rows)
    return body(np.concatenate([np.asarray(line) for line in lines]), triangles, colour=colour, kind=kind, gloss=gloss)
