"""Rendered training pictures with their truth: windows of random tables at native scale, degraded as recorders do."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import count, islice
from multiprocessing import get_context
from pathlib import Path
from typing import Final, Literal

import cv2
import numpy as np
from msgspec import Struct, structs
from numpy.random import Generator
from numpy.typing import NDArray

from verifier.domain.layout import CARD_MM
from verifier.domain.observations import Observation
from verifier.simulate.perform import perform
from verifier.simulate.render import Camera, Look, Renderer, annotate, visibility
from verifier.simulate.scene import Scene
from verifier.simulate.table import TablePlan, plan_table
from verifier.train.crop_sets import CropCollector
from verifier.train.degrade import degrade
from verifier.train.labels import labels_of, write_labels
from verifier.train.scenes import SceneKind, SceneSampler

Image = NDArray[np.uint8]
Split = Literal["train", "test"]
SHEET: Final = (1280, 720)
"""Size of the whole picture from which windows are taken, before magnification."""
CARD_WIDTHS: Final = ((28.0, 38.0, 0.27), (38.0, 72.0, 0.55), (72.0, 130.0, 0.18))
"""Widths of a card in pixels at the middle of the table: from, to, share of the pictures."""
PERFORMED_SEED: Final = 20_000_000
HAND_VISIBLE: Final = 0.4
TRIES: Final = 2
"""Windows that are considered; the fullest is taken."""


class PicturePlan(Struct, frozen=True, kw_only=True):
    """What to render: `size` of the square windows in pixels, `windows` of each drawn table."""

    size: int = 512
    windows: int = 8
    split: Split = "train"
    kind: SceneKind | None = None
    performed: float = 0.4
    """Share of the tables whose scenes are instants of simulated recordings; the others are random stills."""


@dataclass(frozen=True)
class Shot:
    """One picture (BGR) and what it truly shows, in its pixels."""

    image: Image
    truth: Observation


def shots(seed: int, plan: PicturePlan) -> Iterator[Shot]:
    """Windows of one random table; the same seed gives the same pictures."""
    rng = np.random.default_rng([seed, 0 if plan.split == "train" else 1, 26])
    table, scenes = random_scenes(rng, plan.kind) if rng.random() >= plan.performed else performed_scenes(seed, rng)
    look = Look.sample(rng, plan.split)
    camera = Camera.sample(rng, SHEET, str(rng.choice(["easy", "normal", "hard"], p=[0.3, 0.45, 0.25])))  # type: ignore[arg-type]
    for scene in islice(scenes, plan.windows):
        view = window(camera, scene, plan.size, rng)
        image = degrade(Renderer(table, look, view).render(scene), rng)
        yield Shot(image, truth_of(scene, view, table, look))


def random_scenes(rng: Generator, kind: SceneKind | None = None) -> tuple[TablePlan, Iterator[Scene]]:
    """A random table and endless random scenes on it."""
    table = plan_table(int(rng.integers(1, 8)))
    return table, (SceneSampler(table, rng).sample(kind) for _ in count())


def performed_scenes(seed: int, rng: Generator) -> tuple[TablePlan, Iterator[Scene]]:
    """A table and endless instants of a simulated recording on it; performances have seeds from PERFORMED_SEED up."""
    played = perform(PERFORMED_SEED + seed, rounds=2)
    return played.plan, (played.scene_at(float(rng.uniform(0, played.duration))) for _ in count())


def truth_of(scene: Scene, view: Camera, table: TablePlan, look: Look) -> Observation:
    """What a picture shows; hands of which less than HAND_VISIBLE shows are left out."""
    truth = annotate(scene, view, table, look)
    shares = visibility(scene, view, look).hands
    hands = [hand for hand in truth.hands if hand.id is not None and shares.get(hand.id, 0.0) >= HAND_VISIBLE]
    return structs.replace(truth, hands=hands)


def window(camera: Camera, scene: Scene, size: int, rng: Generator) -> Camera:
    """The view of a square window about something in the scene, at a random scale."""
    low, high, _ = CARD_WIDTHS[int(rng.choice(len(CARD_WIDTHS), p=[share for _, _, share in CARD_WIDTHS]))]
    scale = float(rng.uniform(low, high)) / (camera.pixels_per_mm * CARD_MM[0])
    things = [thing.xy for group in (scene.cards, scene.chips, scene.hands) for thing in group]
    side = size / scale
    spots = camera.project([(x, y, 0.0) for x, y in things or [(0.0, 0.0)]])
    corners = [spots[int(rng.integers(len(spots)))] - side * rng.uniform(0.2, 0.8, 2) for _ in range(TRIES)]
    filled = [int(((spots >= corner) & (spots <= corner + side)).all(1).sum()) for corner in corners]
    x0, y0 = corners[int(np.argmax(filled))]
    return camera.window(float(x0), float(y0), (size, size), scale)


def write_pictures(folder: Path, tables: int, plan: PicturePlan, *, first: int = 0, jobs: int = 2) -> int:
    """Renders `tables` tables into folder/images and folder/labels, train and val, and the readers' crops; how many.

    One table in twenty is for validation; a table is never in both. Crops go to folder/crops, one file a batch.
    """
    for name in ("images", "labels"):
        for part in ("train", "val"):
            (folder / name / part).mkdir(parents=True, exist_ok=True)
    (folder / "crops").mkdir(exist_ok=True)
    seeds = list(range(first, first + tables))
    batches = [seeds[i : i + 20] for i in range(0, len(seeds), 20)]
    fresh = get_context("spawn")  # a fork would inherit the locks of OpenCV's and OpenVINO's threads
    with ProcessPoolExecutor(jobs, mp_context=fresh) as pool:
        written = sum(pool.map(partial(write_batch, folder, plan), batches))
    facts = {"tables": tables, "first_seed": first, "windows": written, "split": plan.split}
    (folder / f"pictures-{first}.json").write_text(json.dumps(facts) + "\n", encoding="utf-8")
    return written


def write_batch(folder: Path, plan: PicturePlan, seeds: list[int]) -> int:
    """Renders the tables of some seeds; the last of twenty goes to validation."""
    cv2.setNumThreads(1)
    collectors = {part: CropCollector() for part in ("train", "val")}
    written = 0
    for seed in seeds:
        part = "val" if seed % 20 == 19 else "train"
        rng = np.random.default_rng([seed, 77])
        for number, shot in enumerate(shots(seed, plan)):
            name = f"{seed:06d}-{number}"
            cv2.imwrite(str(folder / "images" / part / f"{name}.jpg"), shot.image, [cv2.IMWRITE_JPEG_QUALITY, 96])
            size = (shot.image.shape[1], shot.image.shape[0])
            write_labels(folder / "labels" / part / f"{name}.txt", labels_of(shot.truth, size), size)
            collectors[part].add(shot.image, shot.truth, rng)
            written += 1
    for part, collector in collectors.items():
        collector.save(folder / "crops" / f"{part}-{seeds[0]:06d}.npz")
    return written
