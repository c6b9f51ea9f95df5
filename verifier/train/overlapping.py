"""Crops for the counter of overlapping cards: what the detector finds of fans, pairs and lone cards, each with a count.

A detector boxes a tight fan as one card. These crops show more than the box: what looks out beside it tells that other
cards lie there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from msgspec import Struct
from numpy.random import Generator
from numpy.typing import NDArray

from verifier.domain.cards import RANKS, SUITS
from verifier.domain.layout import CARD_MM
from verifier.simulate.render.backs import back_texture
from verifier.simulate.render.cards import face_texture
from verifier.simulate.render.decks import sample_deck
from verifier.simulate.render.warp import Texture, darken, level_for, paste, pose, premultiply, transform
from verifier.train.crops import Image, jittered, overlap_crop
from verifier.train.found import read_cards
from verifier.train.labels import rectangle
from verifier.train.piled_cards import HALF_CARD, cover, ground, recorded
from verifier.train.workers import worker_pool
from verifier.vision.detection import CARD_UP
from verifier.vision.detector import Detector
from verifier.vision.fitting import side_for
from verifier.vision.models import DETECTOR, find_model
from verifier.vision.overlapping import MOST, shared

Floats = NDArray[np.float64]
WIDTHS: Final = (28.0, 62.0)
"""Width of a card in pixels, drawn evenly on a logarithmic scale."""
CELLS: Final = (4, 3)
"""Groups across and down a picture."""
PITCH: Final = (5.2, 4.2)
"""Widths of a card from group to group."""
KINDS: Final = {
    "lone": 0.24,
    "dealt": 0.16,
    "half": 0.06,
    "pair": 0.2,
    "fan": 0.16,
    "spread": 0.08,
    "crossed": 0.04,
    "strewn": 0.06,
}
"""Share of each kind of group."""
PAIR_STEPS: Final = (0.07, 0.3)
"""Step of a tight pair in widths of a card, drawn evenly: of those is seldom told that they are two."""
STEPS: Final = (0.1, 0.7)
"""Step of a fan in widths of a card, drawn evenly."""
REAL: Final = 0.4
"""Share of the pictures whose cards are cut from photos, where there are any."""
COUNTED: Final = 0.1
"""A card counts if it shares as much of a card's area with the box."""
VISIBLE: Final = 0.04
"""A card counts if as much of it shows."""
CARD: Final = 0.25
"""A box with less IoU with every card is none."""
BATCH: Final = 60
Face = tuple[Image, str]
"""A straightened card (h, w, 3) and its rank."""
Place = tuple[float, float, float]
"""Middle of a card in its widths, and degrees."""


class Shown(Struct):
    """A picture of groups of cards: the quads (4, 2) of those that lie face up, and the share of each that shows."""

    image: Image
    quads: list[Floats]
    visible: list[float]
    width: float


def group(rng: Generator) -> list[Place]:
    """Return where the cards of a group lie, the lowest first."""
    kind = str(rng.choice(list(KINDS), p=list(KINDS.values())))
    if kind == "lone":
        return [(0.0, 0.0, 0.0)]
    if kind == "dealt":
        return _dealt(rng)
    if kind == "half":
        across = float(rng.uniform(0.35, 0.65))
        return [(-across / 2, float(rng.normal(0, 0.1)), 0.0), (across / 2, 0.0, 0.0)]
    if kind == "pair":
        step, way = float(rng.uniform(*PAIR_STEPS)), float(rng.choice((-1, 1)))
        turn = float(rng.choice((0.0, rng.normal(0, 4))))
        return [(0.0, 0.0, 0.0), (way * step, float(rng.normal(0, 0.03)), turn)]
    if kind == "crossed":
        return [(0.0, 0.0, 0.0), (float(rng.normal(0, 0.3)), float(rng.normal(0, 0.4)), 90.0)]
    count = int(rng.integers(2, 7))
    if kind == "strewn":
        return [
            (float(x), float(y), float(turn))
            for x, y, turn in zip(*rng.normal(0, 0.55, (2, count)), rng.uniform(0, 360, count), strict=True)
        ]
    offsets = float(rng.choice((-1, 1))) * (np.arange(count) - (count - 1) / 2)
    if kind == "spread":
        each, radius = math.radians(float(rng.uniform(3, 16))), 1.6 * CARD_MM[1] / CARD_MM[0]
        return [
            (radius * math.sin(each * i), radius * (1 - math.cos(each * i)), math.degrees(each * i)) for i in offsets
        ]
    step, down = float(rng.uniform(*STEPS)), float(rng.choice((0.0, 1.0), p=(0.85, 0.15)))
    return [(step * float(i) * (1 - down), step * float(i) * down, 0.0) for i in offsets]


def _dealt(rng: Generator) -> list[Place]:
    """Return cards as a hand of twenty-one grows: edge to edge, or each over a corner of the one before."""
    count = int(rng.integers(2, 5))
    step = (
        np.array([rng.choice((-1, 1)) * rng.uniform(1.0, 1.08), rng.normal(0, 0.02)])
        if rng.random() < 0.4
        else np.array([rng.choice((-1, 1)) * rng.uniform(0.35, 0.7), rng.uniform(0.3, 0.9)])
    )
    if count > 2:
        step = step * 0.75 if abs(step[0]) < 1 else step
    return [(*(step * (i - (count - 1) / 2)).tolist(), float(rng.normal(0, 1.5))) for i in range(count)]


def shown(rng: Generator, real: Sequence[Face]) -> Shown:
    """Return a picture of groups on any ground, as a recorder gives it."""
    width = float(np.exp(rng.uniform(*np.log(WIDTHS))))
    scale = width / CARD_MM[0]
    size = (round(CELLS[0] * PITCH[0] * width), round(CELLS[1] * PITCH[1] * width))
    image = np.asarray(cv2.resize(ground(256, rng), size, interpolation=cv2.INTER_CUBIC), np.uint8)
    owner = np.full(image.shape[:2], -1, np.int16)
    faces = _faces(rng, real, scale)
    quads: list[Floats] = []
    for column, row in ((c, r) for c in range(CELLS[0]) for r in range(CELLS[1])):
        middle = (np.array([column, row]) + 0.5) * PITCH * width + rng.uniform(-0.2, 0.2, 2) * width
        _lay(image, owner, quads, middle, rng, faces, scale)
    for _ in range(int(rng.integers(0, 5))):
        cover(image, owner, quads[int(rng.integers(len(quads)))], width, rng)
    for _ in range(int(rng.integers(0, 7))):
        _reach(image, owner, quads[int(rng.integers(len(quads)))], width, rng)
    areas = np.bincount(owner[owner >= 0].ravel(), minlength=len(quads))
    visible = [float(n) / max(1.0, cv2.contourArea(q.astype(np.float32))) for n, q in zip(areas, quads, strict=True)]
    return Shown(recorded(image, rng), quads, visible, width)


def _faces(rng: Generator, real: Sequence[Face], scale: float) -> partial[Texture]:
    if real and rng.random() < REAL:
        return partial(_real_face, rng, real)
    return partial(_drawn_face, rng, sample_deck(rng, "train", wild=bool(rng.random() < 0.5)), level_for(scale))


def _real_face(rng: Generator, real: Sequence[Face]) -> Texture:
    pixels = real[int(rng.integers(len(real)))][0]
    whole = np.full(pixels.shape[:2], 255, np.uint8)
    return Texture.centred(premultiply(pixels, whole), pixels.shape[1] / CARD_MM[0])


def _drawn_face(rng: Generator, deck: str, level: float) -> Texture:
    return face_texture(deck, str(rng.choice(list(RANKS))), str(rng.choice(list(SUITS))), level)


def _lay(
    image: Image,
    owner: NDArray[np.int16],
    quads: list[Floats],
    middle: Floats,
    rng: Generator,
    face: partial[Texture],
    scale: float,
) -> None:
    """Lay a group; below a few groups lies a card face down, which does not count."""
    turn, shaded = float(rng.uniform(0, 360)), rng.random() < 0.7
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    along = np.array([[cos, -sin], [sin, cos]])
    places = group(rng)
    back = rng.random() < 0.1
    for number, (x, y, bend) in enumerate([*([(*rng.normal(0, 0.6, 2), 0.0)] if back else []), *places]):
        at = middle + along @ (np.array([x, y]) * CARD_MM[0] * scale)
        lies = np.array([[1, 0, at[0]], [0, 1, at[1]], [0, 0, 1.0]]) @ np.diag([scale, scale, 1.0])
        matrix = lies @ pose((0, 0), turn + bend + float(rng.normal(0, 0.7)))
        quad = np.asarray(transform(matrix, HALF_CARD))
        if shaded:
            darken(image, quad + rng.uniform(0.5, 1.6) * scale, float(rng.uniform(0.08, 0.35)))
        down = back and number == 0
        paste(image, back_texture(int(rng.integers(400)), level_for(scale)) if down else face(), matrix)
        cv2.fillConvexPoly(owner, np.round(quad).astype(np.int32), -1 if down else len(quads))
        if not down:
            quads.append(quad)


def _reach(image: Image, owner: NDArray[np.int16], quad: Floats, width: float, rng: Generator) -> None:
    """Draw a hand with its sleeve that reaches over a card or just beside it."""
    angle = float(rng.uniform(0, 2 * np.pi))
    along = np.array([math.cos(angle), math.sin(angle)])
    tip = quad.mean(0) + rng.normal(0, 0.7, 2) * width
    wrist, elbow = tip + along * width * rng.uniform(1.2, 2.2), tip + along * width * 7
    skin, sleeve = rng.uniform((60, 80, 110), (170, 190, 235)), rng.uniform(10, 220, 3)
    lines = [(wrist, elbow, sleeve, float(rng.uniform(0.9, 1.7))), (tip, wrist, skin, float(rng.uniform(0.6, 1.1)))]
    spread = np.array([-along[1], along[0]]) * width
    knuckles = tip + along * width * 0.5
    for finger in rng.uniform(-0.5, 0.5, int(rng.integers(0, 5))):
        lines.append((knuckles, tip - along * width * rng.uniform(0.2, 0.8) + spread * finger, skin, 0.22))
    for start, end, shade, thick in lines:
        points = [tuple(int(v) for v in np.clip(point, -4000, 4000)) for point in (start, end)]
        pixels = max(2, round(width * thick))
        cv2.line(image, points[0], points[1], tuple(map(float, shade)), pixels, cv2.LINE_AA)
        cv2.line(owner, points[0], points[1], -1, pixels)


def labelled(box: Floats, picture: Shown) -> int | None:
    """Return how many cards lie at a box (4, 2), at most MOST; None where it is no card's."""
    shares = [shared(box, quad) for quad in picture.quads]
    best = max(shares, default=0.0)
    if best < CARD:
        return None
    area = CARD_MM[1] / CARD_MM[0] * picture.width**2
    there = [
        quad
        for quad, visible in zip(picture.quads, picture.visible, strict=True)
        if visible >= VISIBLE and _common(box, quad) >= COUNTED * area
    ]
    return min(MOST, max(1, len(there)))


def _common(one: Floats, other: Floats) -> float:
    return float(cv2.intersectConvexConvex(one.astype(np.float32), other.astype(np.float32))[0])


@cache
def _finder(models: Path | None) -> Detector:
    return Detector(find_model(DETECTOR, models), streams=1, threads=1)


def crops_of(picture: Shown, finder: Detector, rng: Generator) -> tuple[list[Image], list[list[int]]]:
    """Return a crop of each card that the detector finds, and of true ones that show, with their counts."""
    longest = max(picture.image.shape[:2])
    found = [d.quad for d in finder.detect(picture.image, side_for(picture.width, longest)) if d.kind == CARD_UP]
    plain = [
        q for q, visible in zip(picture.quads, picture.visible, strict=True) if visible > 0.3 and rng.random() < 0.25
    ]
    crops, labels = [], []
    for quad in [np.asarray(q, np.float64) for q in (*found, *plain)]:
        count = labelled(quad, picture)
        if count is not None:
            crops.append(overlap_crop(picture.image, jittered(rectangle(quad.astype(np.float32)), rng, 0.6)))
            labels.append([count - 1])
    return crops, labels


def write_overlapping(path: Path, count: int, seed: int, real: Sequence[Face] = (), models: Path | None = None) -> int:
    """Write about `count` crops as overlaps and overlaps_labels to an npz file; return how many."""
    rng, finder = np.random.default_rng([seed, 97]), _finder(models)
    crops: list[Image] = []
    labels: list[list[int]] = []
    while len(crops) < count:
        more = crops_of(shown(rng, real), finder, rng)
        crops += more[0]
        labels += more[1]
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez(path, overlaps=np.stack(crops), overlaps_labels=np.asarray(labels, np.int8))
    return len(crops)


def write_overlapping_of_tables(folder: Path, models: Path | None = None, jobs: int = 2) -> int:
    """Write crops of what the detector finds in the pictures of folder/images to folder/crops; return how many."""
    (folder / "crops").mkdir(parents=True, exist_ok=True)
    batches = []
    for part in ("train", "val"):
        pictures = sorted((folder / "images" / part).glob("*.jpg"))
        batches += [pictures[i : i + BATCH] for i in range(0, len(pictures), BATCH)]
    with worker_pool(jobs) as pool:
        return sum(pool.map(partial(_of_tables, folder, models), batches))


def _of_tables(folder: Path, models: Path | None, pictures: Sequence[Path]) -> int:
    finder, rng = _finder(models), np.random.default_rng(len(pictures[0].stem))
    crops: list[Image] = []
    labels: list[list[int]] = []
    part = pictures[0].parent.name
    for path in pictures:
        image = np.asarray(cv2.imread(str(path)), np.uint8)
        cards = read_cards(folder / "labels" / part / f"{path.stem}.txt", (image.shape[1], image.shape[0]))
        quads = [np.asarray(quad, np.float64) for kind, quad in cards if kind == CARD_UP]
        if not quads:
            continue
        width = float(np.median([min(rectangle(q.astype(np.float32))[1]) for q in quads]))
        found = [d for d in finder.detect(image, max(image.shape[:2])) if d.kind == CARD_UP]
        truth = Shown(image, quads, [1.0] * len(quads), width)
        for quad in [np.asarray(d.quad, np.float64) for d in found]:
            count = labelled(quad, truth)
            if count is not None:
                crops.append(overlap_crop(image, jittered(rectangle(quad.astype(np.float32)), rng, 0.4)))
                labels.append([count - 1])
    if crops:
        np.savez(
            folder / "crops" / f"{part}-overlaps-{pictures[0].stem}.npz",
            overlaps=np.stack(crops),
            overlaps_labels=np.asarray(labels, np.int8),
        )
    return len(crops)
