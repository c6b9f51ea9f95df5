"""Straight pictures of the inner area with the bills in them, and crops of bills with their values and sides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final, cast

import numpy as np
from msgspec import Struct
from numpy.random import Generator
from numpy.typing import NDArray

from verifier.domain.layout import Layout
from verifier.domain.observations import BillSeen
from verifier.simulate.layouts import layout_for
from verifier.simulate.render import Camera, Look, Renderer, annotate_shares
from verifier.simulate.render.camera import Difficulty
from verifier.simulate.render.splits import Split
from verifier.simulate.render.truth import BILL_SHOWS
from verifier.simulate.scene import BillSprite, Scene
from verifier.simulate.table import TablePlan, plan_table
from verifier.train.bills.scenes import BillSampler
from verifier.train.crop_sets import BILL_FACES, BILL_VALUES, UNREADABLE
from verifier.train.crops import BILL_INPUT
from verifier.train.degrade import degrade
from verifier.train.faults import faulty
from verifier.train.workers import worker_pool
from verifier.vision.bills import BILL_MM, InnerView
from verifier.vision.crops import bill_crop

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
VIEW: Final = (448, 208)
"""Pixels of the straight pictures to learn from."""
MOST: Final = 10
"""Bills of a picture that are labelled at most."""
READABLE_SHARE: Final = 0.45
READABLE_LENGTH: Final = 78.0
"""A bill of which less shows, or that is shorter (pixels of the picture), cannot be read by definition."""
SIZES: Final = ((1280, 720), (1280, 720), (1280, 720), (960, 540), (1920, 1080), (1920, 1080))
CLOSE_ROOM: Final = 1.35
"""Side of the picture about one bill by the bill's length."""
CLOSE_SCENES: Final = 8
"""Scenes of each table that are looked at closely."""
FIRST: Final = 30_000_000


class Photo(Struct, frozen=True):
    """A picture (h, w, 3) of a table, its layout, the bills in it and how much of each shows."""

    image: Image
    layout: Layout
    bills: list[BillSeen]
    shares: list[float]


class Shown(Struct, frozen=True):
    """A straight picture; its bills (n, 7): x, y, length, width, cosine, sine of twice the angle, share that shows."""

    view: Image
    bills: Floats


class Crop(Struct, frozen=True):
    """A bill as the reader gets it, with the numbers of its value and of its side."""

    image: Image
    labels: list[int]


def shown(seed: int) -> Shown:
    """Return what one random table shows, to learn from; the same seed gives the same."""
    rng = np.random.default_rng([seed, FIRST, 0])
    return _labelled(_photographed(rng, "train"))


def close(seed: int) -> list[Crop]:
    """Crops of bills on one random table: no more of each picture is made than is about a bill."""
    rng = np.random.default_rng([seed, FIRST, 2])
    table, camera, look = _setting(rng, "train")
    crops: list[Crop] = []
    for _ in range(CLOSE_SCENES):
        scene = BillSampler(table, rng).cash()
        if scene.bills:
            about = scene.bills[int(rng.integers(len(scene.bills)))]
            view = _about(camera, about)
            image = degrade(faulty(Renderer(table, look, view).render(scene), rng, 0.4), rng)
            crops += _crops(image, _seen(scene, view, look), rng)
    return crops


def unseen(seed: int, *, plain: bool) -> Photo:
    """One random table of the split "test", to score on; its notes are plain, or of designs that were never drawn."""
    return _photographed(np.random.default_rng([seed, FIRST, 1]), "test", plain=plain)


def _photographed(rng: Generator, split: Split, *, plain: bool = False) -> Photo:
    table, camera, look = _setting(rng, split)
    sampler = BillSampler(table, rng)
    sampler.plain = plain
    scene = sampler.cash()
    image = degrade(faulty(Renderer(table, look, camera).render(scene), rng, 0.4), rng)
    bills, shares = _seen(scene, camera, look)
    return Photo(image, layout_for(table, camera, look=look), bills, shares)


def _setting(rng: Generator, split: Split) -> tuple[TablePlan, Camera, Look]:
    table = plan_table(int(rng.integers(1, 8)))
    level = cast(Difficulty, str(rng.choice(["easy", "normal", "hard"])))
    camera = Camera.sample(rng, SIZES[int(rng.integers(len(SIZES)))], level)
    return table, camera, Look.sample(rng, split, wild=float(split == "train" and rng.random() < 0.3))


def _seen(scene: Scene, camera: Camera, look: Look) -> tuple[list[BillSeen], list[float]]:
    """Return the bills to be seen, and how much of each shows."""
    truth, shares = annotate_shares(scene, camera, look, keypoints=False)
    bills = truth.bills if isinstance(truth.bills, list) else []
    return bills, [shares.bills[bill.id] for bill in scene.bills if shares.bills[bill.id] >= BILL_SHOWS]


def _about(camera: Camera, bill: BillSprite) -> Camera:
    """Return the part of a camera's picture about a bill."""
    x, y = camera.project([(*bill.xy, bill.z)])[0]
    side = 2 * round(CLOSE_ROOM * BILL_MM[0] * camera.pixels_per_mm / 2)
    return camera.window(float(x) - side / 2, float(y) - side / 2, (side, side))


def readable(bill: BillSeen, share: float) -> bool:
    """Tell whether a bill of which `share` shows can be read by definition."""
    (ax, ay), (bx, by) = bill.quad[:2]
    return share >= READABLE_SHARE and float(np.hypot(bx - ax, by - ay)) >= READABLE_LENGTH


def _labelled(photo: Photo) -> Shown:
    view = InnerView.of(photo.layout, VIEW)
    bills = np.full((MOST, 7), np.nan, np.float32)
    for place, (bill, share) in enumerate(list(zip(photo.bills, photo.shares, strict=True))[:MOST]):
        quad = np.asarray(bill.quad, np.float32)
        bills[place] = _row(np.asarray(quad @ view.to_view[:, :2].T + view.to_view[:, 2], np.float32), share)
    return Shown(view.cut(photo.image), bills)


def _crops(image: Image, seen: tuple[list[BillSeen], list[float]], rng: Generator) -> Iterator[Crop]:
    """Crops of the bills that lie whole in a picture."""
    for bill, share in zip(*seen, strict=True):
        quad = np.asarray(bill.quad, np.float32)
        if quad.min() >= 0 and (quad.max(axis=0) < (image.shape[1], image.shape[0])).all():
            value = str(bill.cents) if readable(bill, share) else UNREADABLE
            labels = [BILL_VALUES.index(value), BILL_FACES.index(bill.face or "down")]
            yield Crop(bill_crop(image, _loose(quad, rng), BILL_INPUT), labels)


def _row(quad: Floats, share: float) -> Floats:
    """Return what the finder learns of a quad of the straight picture, its first two corners on a long side."""
    along, across = (quad[1] - quad[0] + quad[2] - quad[3]) / 2, (quad[3] - quad[0] + quad[2] - quad[1]) / 2
    turn = 2 * np.arctan2(along[1], along[0])
    sizes = np.hypot(*along), np.hypot(*across)
    return np.array([*quad.mean(axis=0), *sizes, np.cos(turn), np.sin(turn), share], np.float32)


def _loose(quad: Floats, rng: Generator) -> Floats:
    """Return a quad as the finder gets it, from either end."""
    side = float(np.hypot(*(quad[3] - quad[0])))
    moved = quad + rng.normal(0, 0.035 * side, 2) + rng.normal(0, 0.03 * side, (4, 2))
    return np.asarray(np.roll(moved, 2, axis=0) if rng.random() < 0.5 else moved, np.float32)


def write(folder: Path, count: int, tables: int, first: int = 0, jobs: int = 1) -> int:
    """Write so many straight pictures, and crops of so many tables, to `folder`/crops; one in ten is for validation.

    What is there already is kept. Returns how many files there are.
    """
    (folder / "crops").mkdir(parents=True, exist_ok=True)
    jobs_of = [("bills", start, min(first + count, start + 100)) for start in range(first, first + count, 100)]
    jobs_of += [("notes", start, min(first + tables, start + 100)) for start in range(first, first + tables, 100)]
    with worker_pool(jobs) as pool:
        return sum(pool.map(partial(_write_batch, folder), jobs_of))


def _write_batch(folder: Path, batch: tuple[str, int, int]) -> int:
    kind, first, end = batch
    written = 0
    for part, held in (("train", False), ("val", True)):
        seeds = [seed for seed in range(first, end) if (seed % 10 == 0) == held]
        path = folder / "crops" / f"{part}-{kind}-{first:06d}.npz"
        if seeds and not path.exists():
            arrays = _views(seeds) if kind == "bills" else _notes(seeds)
            np.savez(path, **arrays)
        written += path.exists()
    return written


def _views(seeds: Sequence[int]) -> dict[str, Image | Floats]:
    made = [shown(seed) for seed in seeds]
    return {"views": np.stack([one.view for one in made]), "views_bills": np.stack([one.bills for one in made])}


def _notes(seeds: Sequence[int]) -> dict[str, Image | NDArray[np.int8]]:
    crops = [crop for seed in seeds for crop in close(seed)]
    labels = np.asarray([crop.labels for crop in crops], np.int8)
    return {"bills": np.stack([crop.image for crop in crops]), "bills_labels": labels} if crops else {}


def load_views(files: list[Path]) -> Iterator[tuple[Image, Floats]]:
    """Straight pictures (h, w, 3) and their bills (MOST, 7), NaN where there are fewer."""
    for path in files:
        with np.load(path) as data:
            yield from zip(data["views"], data["views_bills"], strict=True)
