"""Training windows of stacks of chips: grounds, shadows, chips, what camera and editor make of them, the labels."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from verifier.domain.observations import ChipSeen, Observation
from verifier.simulate.render.truth import CHIP_SHOWS
from verifier.train.degrade import degrade
from verifier.train.faults import faulty
from verifier.train.labels import labels_of, write_labels
from verifier.train.pictures import Shot
from verifier.train.stacks.arrange import RADIUS, Arranger
from verifier.train.stacks.grounds import ground
from verifier.train.stacks.solids import Drawing, Solid, Viewpoint, half_axis, seen

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
SIZE: Final = 512
"""Pixels of a window's side."""
FINE: Final = 1.5
"""Times as large a window is drawn."""
WIDTHS: Final = ((18.0, 40.0, 0.15), (40.0, 90.0, 0.45), (90.0, 220.0, 0.4))
"""Widths in pixels of a chip in the middle of a window: from, to, share."""
ANGLES: Final = ((8.0, 35.0, 0.6), (35.0, 65.0, 0.4))
"""Degrees above the table from which it is seen: from, to, share."""

ABOVE: Final = 1.4
"""Least height of the camera in units of the tallest stack's."""


@dataclass(frozen=True)
class Sources:
    """What photos lend, all of it optional: straightened faces of chips, and pieces that show no chip, card or hand."""

    faces: Sequence[Image] = ()
    pieces: Sequence[Image] = ()


def stack_shot(rng: Generator, sources: Sources | None = None) -> Shot:
    """One window and its chips: those of whose top face CHIP_SHOWS shows, as wide as the face's ellipse is long."""
    sources = sources or Sources()
    groups = Arranger(rng, sources.faces).groups()
    view = _viewpoint(rng, max(float(solid.top[2]) for group in groups for solid in group))
    groups.sort(key=lambda group: -view.depth(group[0].top * (1, 1, 0)))
    side = round(FINE * SIZE)
    image = np.asarray(cv2.resize(ground(view, SIZE, rng, sources.pieces), (side, side)), np.uint8)
    fine = Viewpoint(view.at, view.turn, view.focal * FINE, view.middle * FINE + (FINE - 1) / 2)
    light = float(rng.uniform(0, 2 * np.pi))
    image = _shaded(image, groups, fine, light, rng)
    drawing = Drawing(image, fine)
    solids = [solid for group in groups for solid in group]
    for number, solid in enumerate(solids):
        drawing.add(number, solid, light)
    shown = zip(solids, drawing.shares(solids), strict=True)
    chips = [_chip(solid, view) for solid, share in shown if solid.chip and _shows(drawing, solid, share)]
    small = np.asarray(cv2.resize(drawing.image, (SIZE, SIZE), interpolation=cv2.INTER_AREA), np.uint8)
    return Shot(photographed(small, rng), Observation(t=0.0, frame=0, chips=chips))


def _drawn(table: Sequence[tuple[float, float, float]], rng: Generator) -> float:
    low, high, _ = table[int(rng.choice(len(table), p=[share for *_, share in table]))]
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def _viewpoint(rng: Generator, tallest: float) -> Viewpoint:
    """Return a camera that looks down on everything, `tallest` millimetres high at most."""
    angle, width = float(np.radians(_drawn(ANGLES, rng))), _drawn(WIDTHS, rng)
    away = max(float(np.exp(rng.uniform(np.log(220), np.log(1600)))), ABOVE * tallest / np.sin(angle))
    middle = SIZE * np.array([rng.uniform(0.3, 0.7), rng.uniform(0.4, 0.8)])
    return Viewpoint.low(away, angle, float(rng.normal(0, 0.06)), width / (2 * RADIUS) * away, middle)


def _shows(drawing: Drawing, solid: Solid, whole: float) -> bool:
    """Tell whether enough of a chip's top shows; what the picture's edge cuts off is the labels' affair."""
    if whole >= CHIP_SHOWS:
        return True
    frame, _ = seen(solid, drawing.view)
    inside = _inside(drawing.view.project(solid.top), frame, drawing.image.shape[0])
    return 0.5 <= inside < 1 and whole >= CHIP_SHOWS * inside


def _inside(centre: Floats, frame: Floats, size: int) -> float:
    """Return the share of a top face that lies in the picture."""
    turns, radii = np.meshgrid(np.linspace(0, 2 * np.pi, 24, endpoint=False), np.sqrt([0.1, 0.3, 0.5, 0.7, 0.9]))
    points = centre + (np.stack([np.cos(turns), np.sin(turns)], -1) * radii[..., None]) @ frame.T
    return float(((points >= 0) & (points < size)).all(-1).mean())


def _chip(solid: Solid, view: Viewpoint) -> ChipSeen:
    x, y = view.project(solid.top)
    radius = half_axis(solid, view)
    return ChipSeen(id=None, colour="other", p=1.0, center=(float(x), float(y)), radius=radius)


def _shaded(image: Image, groups: Sequence[Sequence[Solid]], view: Viewpoint, light: float, rng: Generator) -> Image:
    """Return the ground with the soft shadows of the groups: close about their feet, and away from the light."""
    scale = 4 * FINE
    side = round(image.shape[0] / scale)
    cast, near = np.zeros((side, side), np.uint8), np.zeros((side, side), np.uint8)
    long = float(rng.uniform(0.1, 1.3))
    away = np.array([-np.cos(light), np.sin(light)]) * long
    turns = np.linspace(0, 2 * np.pi, 20, endpoint=False)
    ring = np.stack([np.cos(turns), np.sin(turns)], -1)
    for group in groups:
        feet = [group[0], group[-1]] if len(group) > 1 else [group[0]]
        rings = [solid.top[:2] + ring * solid.radius * 1.02 for solid in feet]
        thrown = [r + away * solid.top[2] for r, solid in zip(rings, feet, strict=True)]
        for mask, outline in ((near, rings[0]), (cast, np.concatenate([rings[0], *thrown]))):
            flat = view.project(np.column_stack([outline, np.zeros(len(outline))])) / scale
            if np.abs(flat).max() < 8 * side:
                cv2.fillConvexPoly(mask, cv2.convexHull(np.round(flat * 16).astype(np.int32)), (255,), cv2.LINE_AA, 4)
    wide = max(0.6, float(rng.uniform(0.02, 0.12)) * half_axis(groups[0][0], view) / scale * 6)
    thrown_dark = cv2.GaussianBlur(cast, (0, 0), wide) * np.float32(rng.uniform(0.1, 0.6) / 255)
    near_dark = cv2.GaussianBlur(near, (0, 0), max(0.5, wide / 3)) * np.float32(rng.uniform(0.3, 0.8) / 255)
    gain = cv2.resize(1 - np.maximum(thrown_dark, near_dark), image.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    return np.asarray(image * gain[..., None], np.uint8)


def photographed(image: Image, rng: Generator) -> Image:
    """Return what lens, light, camera and editor make of a picture."""
    if rng.random() < 0.35:
        image = locally_contrasted(image, rng)
    if rng.random() < 0.3:
        image = _glared(image, rng)
    image = faulty(image, rng, 0.6)
    noise = rng.normal(0, float(rng.uniform(0, 5)), image.shape).astype(np.float32)
    return degrade(np.asarray(np.clip(image + noise, 0, 255), np.uint8), rng)


def locally_contrasted(image: Image, rng: Generator) -> Image:
    """Return the picture with the strong local contrast and colour of pictures made of several exposures."""
    lab = cv2.cvtColor(image, cv2.COLOR_BGR2LAB)
    tiles = int(rng.integers(4, 17))
    lab[..., 0] = cv2.createCLAHE(float(rng.uniform(1.5, 7)), (tiles, tiles)).apply(np.ascontiguousarray(lab[..., 0]))
    out = cv2.cvtColor(lab, cv2.COLOR_LAB2BGR)
    for sigma in (float(rng.uniform(6, 20)), float(rng.uniform(1, 3))):
        more = float(rng.uniform(0.2, 0.9))
        out = cv2.addWeighted(out, 1 + more, cv2.GaussianBlur(out, (0, 0), sigma), -more, 0)
    grey = cv2.cvtColor(cv2.cvtColor(out, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    vivid = float(rng.uniform(-0.2, 0.7))
    return np.asarray(cv2.addWeighted(out, 1 + vivid, grey, -vivid, 0), np.uint8)


def _glared(image: Image, rng: Generator) -> Image:
    """Return the picture with a broad soft light over a part of it."""
    field = np.zeros((32, 32), np.float32)
    at = (int(rng.integers(32)), int(rng.integers(32)))
    cv2.circle(field, at, int(rng.integers(3, 12)), float(rng.uniform(30, 120)), -1)
    wide = cv2.resize(cv2.GaussianBlur(field, (0, 0), 5), image.shape[1::-1], interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.clip(image + wide[..., None], 0, 255), np.uint8)


def write_stacks(folder: Path, count: int, seed: int, sources: Sources | None = None) -> int:
    """Add pictures and labels for the detector to a set folder, one in twenty for validation; return how many."""
    cv2.setNumThreads(1)
    for part in ("train", "val"):
        for name in ("images", "labels"):
            (folder / name / part).mkdir(parents=True, exist_ok=True)
    for number in range(count):
        part = "val" if number % 20 == 19 else "train"
        shot = stack_shot(np.random.default_rng([seed, 61, number]), sources)
        name = f"stacks-{seed}-{number:05d}"
        cv2.imwrite(str(folder / "images" / part / f"{name}.jpg"), shot.image, [cv2.IMWRITE_JPEG_QUALITY, 96])
        write_labels(folder / "labels" / part / f"{name}.txt", labels_of(shot.truth, (SIZE, SIZE)), (SIZE, SIZE))
    facts = {"stacks": count, "seed": seed}
    (folder / f"stacks-{seed}.json").write_text(json.dumps(facts) + "\n", encoding="utf-8")
    return count
