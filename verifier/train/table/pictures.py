"""Pictures of solid tables with their truth, in the same form as those of `train.pictures` and `train.unseen`."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Final, cast

import cv2
import numpy as np
from msgspec import Struct, structs
from numpy.random import Generator
from numpy.typing import NDArray

from verifier.domain.layout import CARD_MM
from verifier.domain.observations import CardSeen, ChipSeen, HandSeen, Observation, Quad, Rank, Suit
from verifier.simulate.render import Camera
from verifier.simulate.render.camera import Difficulty
from verifier.simulate.render.chips import colour_of
from verifier.simulate.render.effects import lens_maps
from verifier.simulate.render.splits import Split
from verifier.simulate.render.truth import CHIP_SHOWS
from verifier.train.cases import FAR_CARD_PX, Case, Doubtful, Unseen
from verifier.train.crop_sets import CropCollector
from verifier.train.degrade import degrade
from verifier.train.faults import faulty
from verifier.train.labels import labels_of, write_labels
from verifier.train.pictures import HAND_VISIBLE, HOUSE_FAULTS, Shot, caption
from verifier.train.solid.draw import opengl
from verifier.train.solid.hands import lamps
from verifier.train.solid.hands import truth as hand_truth
from verifier.train.table.draw import Stage, TableDrawer
from verifier.train.table.kinds import SolidKind
from verifier.train.table.laid import CardThere, ChipThere, HandThere, Table, sample_house
from verifier.train.table.scene import stage
from verifier.train.views import SHEET, WATCHED_WIDTHS
from verifier.train.workers import worker_pool
from verifier.vision.fitting import fit

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
WIDTHS: Final = ((24.0, 34.0, 0.3), (34.0, 52.0, 0.4), (52.0, 90.0, 0.2), (90.0, 180.0, 0.1))
"""Widths of a card in pixels at the middle of a window: from, to, share of the pictures."""
ROLLED, BENT_LENS, CAPTIONED = 0.3, 0.3, 0.1
"""Shares of the pictures by a camera at any roll, by a lens that bends straight lines, and with text over them."""
CAMERAS: Final = {"easy": 0.3, "normal": 0.4, "hard": 0.3}
"""Share of the cameras of each difficulty."""
SHRUNK: Final = 0.5
"""Share of the pictures for watching that were shrunk, from up to 1.6 times their size."""
CARDS_LEAST: Final = 0.02
CHIPS_LEAST: Final = 0.05
SEED: Final = 83
WINDOWS: Final = 4
"""Windows of one table."""


class SolidPlan(Struct, frozen=True, kw_only=True):
    """What to render: `size` of the square windows in pixels; `kind` of scene, any by default."""

    size: int = 512
    split: Split = "train"
    kind: SolidKind | None = None
    windows: int = WINDOWS
    watched: bool = False
    """As recordings are watched: cards of about one width, some pictures shrunk after they were recorded."""


@cache
def drawer() -> TableDrawer:
    """Return this process's drawer."""
    return TableDrawer()


def shots(seed: int, plan: SolidPlan) -> Iterator[Shot]:
    """Windows of one random table; the same seed gives the same pictures."""
    rng = np.random.default_rng([seed, 0 if plan.split == "train" else 1, SEED])
    table = stage(sample_house(rng, plan.split), rng, plan.kind)
    for _ in range(plan.windows):
        view = _window(_camera(rng, SHEET), table, plan.size, rng, WATCHED_WIDTHS if plan.watched else WIDTHS)
        larger = float(rng.uniform(1, 1.6)) if plan.watched and rng.random() < SHRUNK else 1.0
        side = round(plan.size * larger)
        image, truth, _ = shown(table, view.window(0.0, 0.0, (side, side), larger), rng)
        image = faulty(image, rng, HOUSE_FAULTS)
        if rng.random() < CAPTIONED:
            caption(image, rng)
        image = degrade(image, rng)
        if larger > 1.0:
            image, truth = fit(image, plan.size).blob[0], smaller(truth, plan.size / side)
        yield Shot(image, truth)


def smaller(truth: Observation, scale: float) -> Observation:
    """Return the truth of a picture that was scaled."""

    def point(at: tuple[float, float]) -> tuple[float, float]:
        return at[0] * scale, at[1] * scale

    cards = [structs.replace(card, quad=cast(Quad, tuple(point(at) for at in card.quad))) for card in truth.cards]
    chips = [structs.replace(chip, center=point(chip.center), radius=chip.radius * scale) for chip in truth.chips]
    hands = [
        structs.replace(
            hand,
            box=(*point(hand.box[:2]), *point(hand.box[2:])),
            keypoints=[(*point((x, y)), p) for x, y, p in hand.keypoints or []],
        )
        for hand in truth.hands
    ]
    return structs.replace(truth, cards=cards, chips=chips, hands=hands)


def unseen(case: Case) -> Unseen:
    """Return the whole frame of a case of the kinds "solid" and "solid far"; the same case gives the same picture."""
    table, camera, rng = _setting(case)
    image, truth, doubtful = shown(table, camera, rng)
    image = degrade(faulty(image, rng, HOUSE_FAULTS), rng)
    return Unseen(image, truth, doubtful, camera.card_px[0])


def felt_of(case: Case) -> Floats:
    """Return the outline (n, 2) of the felt in the picture of a case, in pixels; nothing is drawn."""
    table, camera, _ = _setting(case)
    return camera.project(np.column_stack([table.edge, np.zeros(len(table.edge))]))


def _setting(case: Case) -> tuple[Table, Camera, Generator]:
    rng = np.random.default_rng([case.seed, 0 if case.split == "train" else 1, SEED])
    table = stage(sample_house(rng, case.split), rng)
    camera = replace(_camera(rng, case.size), roll=float(rng.normal(0, 2)))
    if case.kind == "solid far":
        camera = _about(camera, (case.size[0] / 2, case.size[1] / 2), FAR_CARD_PX, case.size)
    return table, camera, rng


def _camera(rng: Generator, size: tuple[int, int]) -> Camera:
    level = str(rng.choice(list(CAMERAS), p=list(CAMERAS.values())))
    camera = Camera.sample(rng, size, cast(Difficulty, level))
    roll = float(rng.uniform(0, 360)) if rng.random() < ROLLED else camera.roll
    bend = float(rng.uniform(-0.45, 0.1)) if rng.random() < BENT_LENS else 0.0
    return replace(camera, roll=roll, bend=bend)


def _about(camera: Camera, pixel: Sequence[float], width: float, size: tuple[int, int]) -> Camera:
    """Return the view of `size` about a pixel of the whole picture, in which a card is `width` pixels wide."""
    scale = width / (camera.pixels_per_mm * CARD_MM[0])
    return camera.window(pixel[0] - size[0] / 2 / scale, pixel[1] - size[1] / 2 / scale, size, scale)


def _window(
    camera: Camera, table: Table, size: int, rng: Generator, widths: Sequence[tuple[float, float, float]]
) -> Camera:
    low, high, _ = widths[int(rng.choice(len(widths), p=[share for _, _, share in widths]))]
    width = float(rng.uniform(low, high))
    at = (
        table.focus[int(rng.integers(len(table.focus)))]
        if table.focus and rng.random() < 0.9
        else rng.uniform((-950, -520), (950, 520))
    )
    pixel = camera.project([(float(at[0]), float(at[1]), 0.0)])[0]
    side = size * camera.pixels_per_mm * CARD_MM[0] / width
    return _about(camera, pixel + rng.uniform(-0.3, 0.3, 2) * side, width, (size, size))


def shown(table: Table, camera: Camera, rng: Generator) -> tuple[Image, Observation, Doubtful]:
    """Return the picture of a table (BGR), what it truly shows, and what it hardly shows."""
    pinhole = camera.pinhole()
    corners = camera.ground(np.array([(0, 0), (camera.size[0], 0), camera.size, (0, camera.size[1])], np.float64))
    middle = np.clip(corners, -1500, 1500).mean(0)
    reach = float(np.clip(np.abs(np.clip(corners, -1500, 1500) - middle).max() * 1.15 + 60, 120, 1400))
    arms = [(hand.arm, hand.paint) for hand in table.hands]
    seen = Stage(table.bodies, arms, table.stacked(), table.felt, table.nap)
    image, ids, far = drawer().draw(seen, pinhole, lamps(rng), (float(middle[0]), float(middle[1])), reach)
    if camera.bend:
        maps = lens_maps(camera)
        image = np.asarray(
            cv2.remap(image, *maps, interpolation=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8
        )
        ids = np.asarray(
            cv2.remap(ids.astype(np.float32), *maps, interpolation=cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT),
            np.int32,
        )
        far = np.asarray(
            cv2.remap(far.astype(np.float32), *maps, interpolation=cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE),
            np.float64,
        )
    truth, doubtful = truth_of(table, camera, ids, far)
    return image, truth, doubtful


def truth_of(table: Table, camera: Camera, ids: NDArray[np.int32], far: Floats) -> tuple[Observation, Doubtful]:
    """Return what a picture shows, by the number (h, w) and the depth in mm (h, w) of each pixel."""
    things: list[CardThere | ChipThere | HandThere] = [*table.cards, *table.chips, *table.hands]
    numbers = [0, *(one.number for one in things)]
    counts = np.bincount(ids.ravel(), minlength=1 + max(numbers))
    cards = [shown for card in table.cards if (shown := _card(card, camera, counts[card.number])) is not None]
    chips, doubtful_chips = [], []
    for chip in table.chips:
        ring = camera.project(chip.ring)
        share = _share(counts[chip.number], ring)
        middle = ring.mean(0)
        radius = float(np.hypot(*(ring - middle).T).mean())
        at = (float(middle[0]), float(middle[1]))
        if share >= CHIP_SHOWS:
            colour = colour_of(chip.cents)
            cents = None if colour == "other" else chip.cents
            chips.append(ChipSeen(id=None, colour=colour, p=1.0, center=at, radius=radius, cents=cents))
        elif share >= CHIPS_LEAST:
            doubtful_chips.append((*at, radius))
    hands, doubtful_hands = [], []
    for hand in table.hands:
        if counts[hand.number] == 0:
            continue
        seen = _hand(hand, camera, far)
        share = counts[hand.number] / max(1.0, _alone(hand, camera))
        if share >= HAND_VISIBLE:
            hands.append(seen)
        else:
            doubtful_hands.append(seen.box)
    return Observation(t=0.0, frame=0, cards=cards, chips=chips, hands=hands), Doubtful(
        chips=doubtful_chips, hands=doubtful_hands
    )


def _card(card: CardThere, camera: Camera, pixels: int) -> CardSeen | None:
    """Return what `pixels` show of a card; None where that is too little."""
    quad = camera.project(card.corners)
    share = _share(pixels, quad)
    if share < CARDS_LEAST:
        return None
    return CardSeen(
        id=card.id,
        face="up" if card.up else "down",
        p=1.0,
        quad=cast(Quad, tuple((float(x), float(y)) for x, y in quad)),
        visible=round(share, 3),
        rank=cast(Rank, card.rank) if card.up else None,
        suit=cast(Suit, card.suit) if card.up else None,
    )


def _share(pixels: int, outline: Floats) -> float:
    """Share of a convex outline (n, 2) that shows; what lies outside the picture does not."""
    area = abs(float(cv2.contourArea(outline.astype(np.float32))))
    return min(1.0, float(pixels) / max(area, 1.0))


def _hand(hand: HandThere, camera: Camera, far: Floats) -> HandSeen:
    seen = hand_truth(hand.vertices, hand.keypoints, hand.shown, hand.facing, camera, far)
    return structs.replace(seen, owner=hand.owner)


def _alone(hand: HandThere, camera: Camera) -> float:
    """Pixels that the hand would fill if nothing lay over it and the picture had no edge: by a wider, coarser one."""
    outline = camera.pinhole().project(hand.vertices[hand.shown.rest[:, 1] > -6.0])
    low, high = outline.min(0), outline.max(0)
    side = float((high - low).max()) + 4
    scale = min(1.0, 256 / side)
    room = math.ceil(side * scale)
    view = camera.pinhole().window(float(low[0]) - 2, float(low[1]) - 2, (room, room), scale)
    return float((drawer().alone(hand.arm, view) == hand.number).sum()) / scale**2


def write_solid(folder: Path, tables: int, plan: SolidPlan, *, first: int = 0, jobs: int = 2) -> int:
    """Render `tables` tables into folder/images and folder/labels, train and val, and the readers' crops; return how
    many.

    One table in twenty is for validation; a table is never in both. Crops go to folder/crops, one file a batch.
    Raises BadInput where OpenGL is missing.
    """
    opengl()
    for name in ("images", "labels"):
        for part in ("train", "val"):
            (folder / name / part).mkdir(parents=True, exist_ok=True)
    (folder / "crops").mkdir(exist_ok=True)
    seeds = list(range(first, first + tables))
    batches = [seeds[i : i + 20] for i in range(0, len(seeds), 20)]
    with worker_pool(jobs) as pool:
        written = sum(pool.map(partial(write_batch, folder, plan), batches))
    facts = {"tables": tables, "first_seed": first, "windows": written, "split": plan.split}
    (folder / f"solid-{first}.json").write_text(json.dumps(facts) + "\n", encoding="utf-8")
    return written


def write_batch(folder: Path, plan: SolidPlan, seeds: list[int]) -> int:
    """Render the tables of some seeds; the last of twenty goes to validation."""
    collectors = {part: CropCollector() for part in ("train", "val")}
    written = 0
    for seed in seeds:
        part = "val" if seed % 20 == 19 else "train"
        rng = np.random.default_rng([seed, 77])
        for number, shot in enumerate(shots(seed, plan)):
            name = f"solid-{seed:06d}-{number}"
            cv2.imwrite(str(folder / "images" / part / f"{name}.jpg"), shot.image, [cv2.IMWRITE_JPEG_QUALITY, 96])
            size = (shot.image.shape[1], shot.image.shape[0])
            write_labels(folder / "labels" / part / f"{name}.txt", labels_of(shot.truth, size), size)
            collectors[part].add(shot.image, shot.truth, rng)
            written += 1
    for part, collector in collectors.items():
        collector.save(folder / "crops" / f"{part}-solid-table-{seeds[0]:06d}.npz")
    return written
