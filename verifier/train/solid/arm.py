"""A forearm and hand as a mesh: any grown person's build, any pose, with the 21 keypoints of that pose.

Frame of a posed arm, millimetres: the wrist is the origin, `x` to the little finger's side, `y` along the hand to the
middle finger's knuckle, `z` out of the back of the hand. It is a right hand; `Posed.mirrored` gives the left one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from verifier.simulate.render.hands import EXTENDED_BELOW

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Curls = tuple[float, float, float, float, float]
WRIST, ELBOW, FOREARM = 0, 21, 22
KNUCKLES: Final = (5, 9, 13, 17)
"""Joints of the index, middle, ring and little finger's knuckle; the joints' first 21 are MediaPipe's keypoints."""
BENT_WHOLLY: Final = np.radians([78.0, 98.0, 62.0])
"""How far the three joints of a finger bend at a curl of 1 (as `simulate.render.hands`: what counts as extended is
the same)."""
THUMB_WHOLLY: Final = np.radians([18.0, 42.0, 62.0])
"""The same of the thumb's joints, which bend it across the palm."""
RACES: Final = 12
BUILDS: Final = 36
_SHARES: Final = (0.45, 0.35)
"""How far a person goes, at most, to either end of how thick and how long fingers are."""


@dataclass(frozen=True)
class Person:
    """A grown person's right arm at rest, in the arm's frame."""

    vertices: Floats
    joints: Floats
    triangles: Ints
    nails: Floats
    weights: Floats


@dataclass(frozen=True)
class Posed:
    """A posed arm: vertices (n, 3), their places at rest (n, 3), triangles (m, 3), keypoints (21, 3).

    `rest_joints` (23, 3) are the joints before the pose.
    `left` tells that it was mirrored.
    `nails` (n,) is how far a vertex is of a nail, 0..1.
    """

    vertices: Floats
    rest: Floats
    triangles: Ints
    nails: Floats
    keypoints: Floats
    rest_joints: Floats
    fingers: int
    left: bool = False

    def mirrored(self) -> Posed:
        """Return the other hand in the same pose; the back stays on top, the thumb changes its side."""
        other = np.array([-1.0, 1.0, 1.0])
        return replace(
            self,
            vertices=self.vertices * other,
            triangles=self.triangles[:, ::-1],
            keypoints=self.keypoints * other,
            left=not self.left,
        )


@cache
def _asset() -> dict[str, NDArray[np.float64]]:
    with resources.files(__package__).joinpath("arm.npz").open("rb") as file, np.load(file) as data:
        return {name: data[name].astype(np.float64) for name in data.files}


def person(rng: Generator) -> Person:
    """Return a grown person of any race, sex, age and weight; fingers thicker or thinner, longer or shorter."""
    asset = _asset()
    races, builds = rng.dirichlet(np.full(RACES, 0.25)), rng.dirichlet(np.full(BUILDS, 0.12))
    thick, apart, long = rng.uniform(-1, 1, 3) * (_SHARES[0], 0.5, _SHARES[1])
    hand = [max(0.0, -thick), max(0.0, thick), max(0.0, -apart), max(0.0, apart), max(0.0, -long), max(0.0, long)]
    shares = np.concatenate([races, builds, hand])
    vertices = asset["vertices"] + np.tensordot(shares, asset["shapes"], 1)
    joints = asset["joints"] + np.tensordot(shares, asset["shape_joints"], 1)
    along = joints[KNUCKLES[1]] - joints[WRIST]
    y = along / np.linalg.norm(along)
    across = joints[KNUCKLES[3]] - joints[KNUCKLES[0]]
    x = across - y * (across @ y)
    x /= np.linalg.norm(x)
    frame = np.stack([x, y, np.cross(x, y)], 1)
    return Person(
        (vertices - joints[WRIST]) @ frame,
        (joints - joints[WRIST]) @ frame,
        asset["triangles"].astype(np.int64),
        asset["nails"],
        asset["weights"],
    )


def posed(
    one: Person, curls: Curls, spread: float, *, bend: tuple[float, float] = (0.0, 0.0), opposed: float = 0.5
) -> Posed:
    """Return the arm with its fingers curled (0 straight, 1 closed) and spread (0 together, 1 wide).

    `opposed` is how far the thumb stands before the palm: 0 in its plane, 1 as at rest, beyond it across. `bend` turns
    the hand at the wrist: towards its palm, and towards the thumb (radians). The forearm moves, since the hand stays
    in its frame.
    """
    turns = _turns(one, curls, spread, bend, opposed)
    vertices, joints = one.vertices, one.joints
    homogeneous = np.column_stack([vertices, np.ones(len(vertices))])
    moved = np.einsum("bij,nj->nbi", turns[:, :3], homogeneous)
    blended = (moved * one.weights[:, :, None]).sum(1)
    keypoints = np.array([_carried(joints[i], turns[_bone_of(i)]) for i in range(21)])
    fingers = sum(curl < EXTENDED_BELOW for curl in curls)
    return Posed(blended, vertices, one.triangles, one.nails, keypoints, joints, fingers)


def _bone_of(joint: int) -> int:
    """Column of the bone that carries a joint, a finger's tip with the last bone."""
    if joint == WRIST:
        return 2
    finger, part = divmod(joint - 1, 4)
    before = 2 if finger == 0 else 2 + finger
    return before if part == 0 else 7 + 3 * finger + part - 1


def _carried(point: Floats, matrix: Floats) -> Floats:
    return np.asarray(matrix[:3, :3] @ point + matrix[:3, 3])


def _about(point: Floats, axis: Floats, angle: float) -> Floats:
    """(4, 4) turn by `angle` about an axis through a point (Rodrigues)."""
    k = axis / np.linalg.norm(axis)
    cross = np.array([[0, -k[2], k[1]], [k[2], 0, -k[0]], [-k[1], k[0], 0]])
    turn = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
    out = np.eye(4)
    out[:3, :3], out[:3, 3] = turn, point - turn @ point
    return out


def _turns(one: Person, curls: Curls, spread: float, bend: tuple[float, float], opposed: float) -> Floats:
    """(bones, 4, 4) what the pose does to each bone, in the order of `extract.BONES`."""
    joints = one.joints
    out = np.tile(np.eye(4), (22, 1, 1))
    forearm = _about(joints[WRIST], np.array([1.0, 0, 0]), bend[0]) @ _about(
        joints[WRIST], np.array([0, 0, 1.0]), bend[1]
    )
    out[0] = out[1] = forearm
    for finger in range(5):
        base = np.eye(4)
        chain = joints[1 + 4 * finger : 5 + 4 * finger]
        bones = np.diff(chain, axis=0)
        axes = _thumb_axes(joints, bones) if finger == 0 else _finger_axes(bones)
        bends = _bends(finger, chain, bones, curls[finger])
        aside = _aside(finger, bones, curls[finger], spread)
        for part in range(3):
            turn = _about(chain[part], axes[part], float(bends[part]))
            if part == 0:
                turn = _about(chain[0], np.array([0, 0, 1.0]), aside) @ turn
            if part == 0 and finger == 0:
                turn = _about(chain[0], np.array([0, 1.0, 0]), float(_THUMB_FLAT * (1 - opposed))) @ turn
            base = base @ turn
            out[7 + 3 * finger + part] = base
    return out


def _finger_axes(bones: Floats) -> list[Floats]:
    """Axes about which a finger bends towards the palm."""
    return [np.cross(np.array([0, 0, 1.0]), bone) for bone in bones]


def _thumb_axes(joints: Floats, bones: Floats) -> list[Floats]:
    """Axes about which the thumb bends towards the ring finger's root, in front of the palm."""
    goal = 0.5 * (joints[13] + joints[WRIST]) + np.array([0, 0, -28.0])
    return [np.cross(bone, goal - joints[1 + part]) for part, bone in enumerate(bones)]


def _bends(finger: int, chain: Floats, bones: Floats, curl: float) -> Floats:
    """How far each joint turns from rest, so that a curl of 0 is straight and 1 is closed."""
    if finger == 0:
        return np.asarray(THUMB_WHOLLY * (curl - 0.1))
    units = bones / np.linalg.norm(bones, axis=1, keepdims=True)
    tilt = np.arcsin(np.clip(-units[:, 2], -1, 1))
    at_rest = np.diff(np.concatenate([[0.0], tilt]))
    return np.asarray(BENT_WHOLLY * curl + np.radians([4.0, 3.0, 3.0]) - at_rest)


_FAN: Final = ((0.0, 0.0), (2.0, 14.0), (0.0, 1.0), (-1.5, -11.0), (-3.0, -24.0))
"""Degrees towards the thumb at spread 0 and 1, index to little finger (as `simulate.render.hands`)."""
_THUMB_FLAT: Final = np.radians(40.0)
"""Turn about the hand's length that lays the thumb, which stands before the palm at rest, into the palm's plane."""
_THUMB_AWAY: Final = (-6.0, 22.0)
"""Degrees by which the thumb turns from rest, away from the hand."""


def _aside(finger: int, bones: Floats, curl: float, spread: float) -> float:
    """Turn about the hand's normal that brings a finger to its place in the fan, less where it is bent."""
    if finger == 0:
        low, high = _THUMB_AWAY
        return float(np.radians(low + (high - low) * spread) * (1 - curl))
    low, high = _FAN[finger]
    wanted = np.radians(low + (high - low) * spread) * (1 - 0.7 * curl)
    now = np.arctan2(-bones[0][0], bones[0][1])
    return float(wanted - now)
