"""Pictures of single hands in three dimensions with their truth: any person, pose, side, facing, lamp and camera.

They stand beside the flat drawings of `simulate.render`: bodies have volume, fingers hide one another, palms have
creases and backs have nails, knuckles and tendons, and a shadow is cast by what casts it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from verifier.domain.layout import CARD_MM
from verifier.domain.observations import Facing, HandSeen, Keypoint, Observation
from verifier.simulate.render.camera import Camera
from verifier.simulate.render.hands import RADII
from verifier.train.pictures import Shot
from verifier.train.solid.arm import Curls, Posed, person, posed
from verifier.train.solid.draw import CLOTH, GROUND, PLAIN, SKIN, Drawer, Lamps, Mesh, Paint, normals

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
WIDE: Final = 2.2
"""Side of a picture in lengths of the hand."""
LONG_PX: Final = (60.0, 200.0)
"""A hand's length from wrist to tip, in pixels: as large as hands are in recordings, and larger."""
LENGTH_MM: Final = 185.0
REACH_MM: Final = 420.0
"""What lies so far from the hand's middle is drawn and casts its shadow."""
GLOVED, SLEEVED, WATCH, RING, VARNISHED = 0.08, 0.75, 0.2, 0.3, 0.2
"""Shares of people with each."""
MOVED: Final = np.array([1.0, -1.0, 1.0])
"""From a frame with y up in the picture to the camera's, whose y points down."""


@dataclass(frozen=True)
class Pose:
    """Curls of thumb to little finger, spread, how far the thumb stands before the palm, and how the wrist is bent."""

    curls: Curls
    spread: float
    opposed: float
    bend: tuple[float, float]


_HELD: Final[tuple[tuple[float, Curls], ...]] = (
    (0.20, (0.0, 0.0, 0.0, 0.0, 0.0)),
    (0.12, (0.1, 0.22, 0.24, 0.24, 0.22)),
    (0.10, (0.45, 0.45, 0.5, 0.55, 0.55)),
    (0.10, (0.5, 0.62, 0.62, 0.65, 0.68)),
    (0.12, (0.85, 0.95, 0.97, 0.97, 0.95)),
    (0.07, (0.85, 0.02, 0.95, 0.97, 0.97)),
    (0.07, (0.85, 0.02, 0.02, 0.95, 0.97)),
    (0.05, (0.85, 0.02, 0.02, 0.02, 0.95)),
    (0.05, (0.85, 0.02, 0.02, 0.02, 0.05)),
    (0.04, (0.0, 0.02, 0.02, 0.9, 0.95)),
    (0.04, (0.0, 0.95, 0.97, 0.97, 0.95)),
    (0.04, (0.0, 0.02, 0.95, 0.97, 0.95)),
)
"""How often a hand is held so: stretched, relaxed and nearly straight, half bent, gripping, a fist, one to four
fingers, the thumb with others or alone."""
AT_WILL: Final = 0.25
"""Share of hands whose every finger is bent at will."""


def pose(rng: Generator) -> Pose:
    """How a hand is held. No finger is bent to where it is neither stretched nor bent (a curl of 0.28 to 0.42)."""
    shares = np.array([share for share, _ in _HELD])
    if rng.random() < AT_WILL:
        wanted = np.where(rng.random(5) < 0.5, rng.uniform(0.0, 0.28, 5), rng.uniform(0.42, 1.0, 5))
    else:
        base = np.array(_HELD[int(rng.choice(len(_HELD), p=shares / shares.sum()))][1])
        wanted = np.clip(base + rng.normal(0, 0.06, 5), 0.0, 1.0)
    low, high = UNCLEAR
    wanted = np.where((wanted > low) & (wanted < high), np.where(wanted < (low + high) / 2, low, high), wanted)
    a, b, c, d, e = (float(value) for value in wanted)
    bend = (float(rng.normal(0, 0.2)), float(rng.normal(0, 0.12)))
    return Pose((a, b, c, d, e), float(rng.beta(1.2, 1.5)), float(rng.uniform(0.0, 1.1)), bend)


UNCLEAR: Final = (0.28, 0.42)
"""Curls between which people would not agree whether a finger is stretched."""


def hand_picture(drawer: Drawer, ground: Callable[[Generator], Image], rng: Generator) -> Shot:
    """One hand over a ground, and its truth. `ground` gives the picture (BGR) that lies below."""
    one = person(rng)
    held = pose(rng)
    shown = posed(one, held.curls, held.spread, bend=held.bend, opposed=held.opposed)
    facing: Facing = ("back", "palm", "edge")[int(rng.choice(3, p=(0.46, 0.46, 0.08)))]
    left = bool(rng.random() < 0.5)
    shown = shown.mirrored() if left else shown
    turn, height = turned(facing, rng), float(rng.uniform(8, 90))
    middle = shown.keypoints[9] * 0.9
    low = float(((shown.vertices - middle) @ turn.T)[near(shown)].min(0)[2])
    lift = np.array([0.0, 0.0, height - low])
    vertices = ((longer(shown) - middle) @ turn.T + lift) * MOVED
    keypoints = ((shown.keypoints - middle) @ turn.T + lift) * MOVED
    camera = _camera(rng)
    mesh, paint = dressed(shown, vertices, shown.triangles[:, ::-1], rng)
    meshes = [_floor(camera), mesh, *([_card(keypoints, rng)] if rng.random() < OVER_CARD else [])]
    image, depths = drawer.draw(
        meshes, ground(rng), camera.size, camera.matrix, camera.position, REACH_MM, lamps(rng), paint
    )
    seen = truth(vertices, keypoints, shown, facing, camera, depths)
    return Shot(image, Observation(t=0.0, frame=0, hands=[seen]))


def longer(shown: Posed) -> Floats:
    """Return the arm's vertices with its forearm drawn out, so that it leaves the picture as a whole arm does."""
    out = shown.vertices.copy()
    elbow = out[shown.rest[:, 1] < FOREARM_MM].mean(0)
    way = elbow / np.linalg.norm(elbow)
    beyond = np.maximum(0.0, FOREARM_MM - shown.rest[:, 1])
    return np.asarray(out + np.outer(beyond * 6.0, way))


FOREARM_MM: Final = -170.0
"""Beyond it a forearm is drawn out."""
OVER_CARD: Final = 0.2
"""Share of the hands under whose fingertips a card lies."""


def _card(keypoints: Floats, rng: Generator) -> Mesh:
    """Return a card under the fingertips, some of it beyond them."""
    at = keypoints[[4, 8, 12]].mean(0) + np.append(rng.normal(0, 15, 2), 0.0)
    angle = rng.uniform(0, np.pi)
    across, down = np.array([np.cos(angle), np.sin(angle), 0]), np.array([-np.sin(angle), np.cos(angle), 0])
    low = max(0.5, float(keypoints[[4, 8, 12], 2].min()) - 8.0)
    at[2] = low
    corners = np.array(
        [at + a * CARD_MM[0] / 2 * across + b * CARD_MM[1] / 2 * down for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    )
    colour = np.full(3, rng.uniform(0.75, 0.95)) if rng.random() < 0.6 else rng.uniform(0.1, 0.8, 3)
    return Mesh(
        corners,
        np.array([[0, 1, 2], [0, 2, 3]]),
        np.tile(colour, (4, 1)),
        np.full(4, PLAIN),
        corners,
        np.tile((0, 0, 1.0), (4, 1)),
    )


def near(shown: Posed) -> NDArray[np.bool_]:
    """Vertices of the hand itself, without its forearm."""
    return np.asarray(shown.rest[:, 1] > WRIST_MM)


WRIST_MM: Final = -6.0
"""Where a hand ends in its frame: just beyond the wrist's crease."""


def turned(facing: Facing, rng: Generator, yaw: float | None = None) -> Floats:
    """(3, 3) from the arm's frame to one with x right and y up in the picture and z to the camera.

    `yaw` (radians) turns the arm about the view; any by default.
    """
    roll = {"back": 0.0, "palm": np.pi, "edge": np.pi / 2 * (1 if rng.random() < 0.5 else -1)}[facing]
    roll += float(np.clip(rng.normal(0, 0.3), -0.75, 0.75)) * (0.4 if facing == "edge" else 1.0)
    pitch, any_yaw = float(np.clip(rng.normal(0, 0.25), -0.7, 0.7)), float(rng.uniform(-np.pi, np.pi))
    yaw = any_yaw if yaw is None else yaw
    about_y = np.array([[np.cos(roll), 0, np.sin(roll)], [0, 1, 0], [-np.sin(roll), 0, np.cos(roll)]])
    about_x = np.array([[1, 0, 0], [0, np.cos(pitch), -np.sin(pitch)], [0, np.sin(pitch), np.cos(pitch)]])
    about_z = np.array([[np.cos(yaw), -np.sin(yaw), 0], [np.sin(yaw), np.cos(yaw), 0], [0, 0, 1]])
    return np.asarray(about_z @ about_x @ about_y)


def _camera(rng: Generator) -> Camera:
    height = float(rng.uniform(900, 2600))
    tilt, pan = (float(value) for value in np.clip(rng.normal(0, 9, 2), -25, 25))
    at = (-height * float(np.tan(np.radians(pan))), height * float(np.tan(np.radians(tilt))))
    slant = float(np.hypot(height, np.hypot(*at)))
    long = float(np.exp(rng.uniform(*np.log(LONG_PX))))
    side = round(WIDE * long)
    return Camera((side, side), long / LENGTH_MM * slant, height, at, tilt, pan, float(rng.normal(0, 2)))


def lamps(rng: Generator) -> Lamps:
    """Any two lamps and the light from all round."""
    turn, lean = rng.uniform(0, 2 * np.pi, 2), rng.uniform(0.1, 0.9, 2)
    first, second = (
        np.array([np.sin(b) * np.cos(a), np.sin(b) * np.sin(a), np.cos(b)]) for a, b in zip(turn, lean, strict=True)
    )
    whole = float(rng.uniform(0.8, 1.15))
    direct, other = float(rng.uniform(0.2, 0.75)), float(rng.uniform(0.0, 0.3))
    return Lamps(
        first,
        whole * direct,
        second,
        whole * other,
        whole * max(0.15, 1.0 - direct - other),
        np.clip(rng.normal(1.0, 0.06, 3), 0.8, 1.2),
        float(rng.uniform(0.5, 6.0)),
        float(rng.uniform(0.0, 0.25)),
    )


def _floor(camera: Camera) -> Mesh:
    side = 1.2 * max(camera.size) / camera.pixels_per_mm
    vertices = np.array([[-side, -side, 0], [side, -side, 0], [side, side, 0], [-side, side, 0]], np.float64)
    rest = np.column_stack([(vertices[:, :2] / side + 1) / 2, np.zeros(4)])
    return Mesh(
        vertices,
        np.array([[0, 1, 2], [0, 2, 3]]),
        np.ones((4, 3)),
        np.full(4, GROUND),
        rest,
        np.tile((0, 0, 1.0), (4, 1)),
    )


def _skin(rng: Generator) -> Floats:
    """Return a skin's colour, BGR 0..1: from fair to dark, more or less red."""
    share = float(rng.beta(1.1, 1.3))
    fair, dark = np.array([0.66, 0.74, 0.92]), np.array([0.13, 0.18, 0.28])
    colour = fair ** (1 - share) * dark**share
    return np.asarray(np.clip(colour * (1 + rng.normal(0, 0.05, 3)), 0.05, 1.0))


def dressed(shown: Posed, vertices: Floats, triangles: NDArray[np.int64], rng: Generator) -> tuple[Mesh, Paint]:
    """Return the arm with its skin or glove, nails, ring, watch and sleeve; what is worn stands off from the skin."""
    skin = _skin(rng)
    dark = float(skin.mean()) < 0.4
    colour = np.tile(skin, (len(vertices), 1))
    kind = np.full(len(vertices), SKIN)
    along = shown.rest[:, 1]
    out = normals(vertices, triangles)
    stand = np.zeros(len(vertices))
    gloved = rng.random() < GLOVED
    varnish = rng.uniform(0.1, 0.95, 3) if rng.random() < VARNISHED else None
    nail = varnish if varnish is not None else np.clip(skin * 1.12 + (0.08, 0.06, 0.06), 0, 1)
    colour += shown.nails[:, None] * (nail - colour)
    if rng.random() < RING and not gloved:
        on = _ringed(shown, int(rng.integers(1, 5)))
        colour[on], kind[on], stand[on] = rng.choice([(0.25, 0.65, 0.85), (0.75, 0.75, 0.75)], axis=0), PLAIN, 1.0
    if rng.random() < WATCH:
        on = (along < -18) & (along > -48)
        colour[on], kind[on], stand[on] = rng.uniform(0.05, 0.5, 3), PLAIN, 3.0
    if gloved:
        on = along > -40
        colour[on], kind[on], stand[on] = np.tile(rng.uniform(0.1, 0.95), 3) * rng.uniform(0.85, 1.1, 3), CLOTH, 0.6
    if rng.random() < SLEEVED:
        on = along < -float(rng.uniform(8, 60) if rng.random() < 0.7 else rng.uniform(60, 200))
        colour[on], kind[on], stand[on] = rng.uniform(0.03, 0.95) * rng.uniform(0.6, 1.2, 3), CLOTH, rng.uniform(3, 9)
    paint = Paint(
        shown.rest_joints,
        creases=0.0 if gloved else float(rng.uniform(0.1, 0.5)),
        knuckles=0.0 if gloved else float(rng.uniform(0.05, 0.45)),
        mottle=float(rng.uniform(0.02, 0.14)),
        palm_lighter=float(rng.uniform(0.25, 0.5) if dark else rng.uniform(0.0, 0.3)),
        seed=float(rng.random()),
    )
    rest_normals = normals(shown.rest, shown.triangles if not shown.left else shown.triangles[:, ::-1])
    worn = vertices + out * stand[:, None]
    return Mesh(worn, triangles, np.clip(colour, 0, 1), kind, shown.rest, rest_normals), paint


def _ringed(shown: Posed, finger: int) -> NDArray[np.bool_]:
    """Tell of each vertex (n,) whether a ring on that finger (1..4) lies on it."""
    root, tip = shown.rest_joints[1 + 4 * finger], shown.rest_joints[2 + 4 * finger]
    axis = (tip - root) / np.linalg.norm(tip - root)
    gap = shown.rest - (root + tip) / 2
    over = gap @ axis
    return np.asarray((np.abs(over) < 2.6) & (np.linalg.norm(gap - np.outer(over, axis), axis=1) < 13))


def truth(
    vertices: Floats, keypoints: Floats, shown: Posed, facing: Facing, camera: Camera, depths: Floats
) -> HandSeen:
    """Return what a picture shows of a hand: `vertices` (n, 3) and `keypoints` (21, 3) in mm, `depths` (h, w) in mm."""
    outline = camera.project(vertices[near(shown)])
    low, high = np.clip(outline.min(0), 0, camera.size), np.clip(outline.max(0), 0, camera.size)
    away = np.column_stack([keypoints, np.ones(len(keypoints))]) @ camera.matrix[2]
    points: list[Keypoint] = [
        (float(x), float(y), 1.0 if _shows(x, y, far, flesh, depths) else 0.5)
        for (x, y), far, flesh in zip(camera.project(keypoints), away, RADII, strict=True)
    ]
    return HandSeen(
        id=None,
        owner="unknown",
        side="left" if shown.left else "right",
        facing=facing,
        p=1.0,
        box=(float(low[0]), float(low[1]), float(high[0]), float(high[1])),
        fingers=shown.fingers,
        keypoints=points,
    )


def _shows(x: float, y: float, far: float, flesh: float, depths: Floats) -> bool:
    """Tell whether nothing but its own flesh lies before a keypoint that is `far` mm away."""
    h, w = depths.shape
    return 0 <= x < w and 0 <= y < h and far - float(depths[int(y), int(x)]) < flesh + 4.0
