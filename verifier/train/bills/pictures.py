"""Straight pictures of the inner area with the bills in them, and crops of bills with their values and sides."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Final, Literal, cast

import cv2
import numpy as np
from msgspec import Struct
from numpy.random import Generator
from numpy.typing import NDArray

from verifier.domain.layout import Layout
from verifier.domain.observations import BillSeen
from verifier.simulate.layouts import layout_for
from verifier.simulate.render import Camera, Look, Renderer, annotate_shares
from verifier.simulate.render.camera import Difficulty
from verifier.simulate.render.truth import BILL_SHOWS
from verifier.simulate.table import plan_table
from verifier.train.bills.scenes import BillSampler
from verifier.train.crop_sets import BILL_FACES, BILL_VALUES, UNREADABLE
from verifier.train.crops import BILL_INPUT
from verifier.train.degrade import degrade
from verifier.train.faults import faulty
from verifier.vision.bills import InnerView
from verifier.vision.crops import bill_crop

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
VIEW: Final = (448, 208)
"""Pixels of the straight pictures to learn from."""
MOST: Final = 10
"""Bills of a picture that are labelled at most."""
READABLE_SHARE: Final = 0.45
READABLE_LENGTH: Final = 62.0
"""A bill of which less shows, or that is shorter (pixels of the picture), cannot be read by definition."""
SIZES: Final = ((1280, 720), (1280, 720), (960, 540), (1920, 1080))
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
    crops: list[Image]
    labels: list[list[int]]


def shown(seed: int) -> Shown:
    """What one random table shows, to learn from; the same seed gives the same."""
    rng = np.random.default_rng([seed, FIRST, 0])
    return _labelled(_photographed(rng, "train"), rng)


def unseen(seed: int, *, plain: bool) -> Photo:
    """One random table of the split "test", to score on; its notes are plain, or of designs that were never drawn."""
    return _photographed(np.random.default_rng([seed, FIRST, 1]), "test", plain=plain)


def _photographed(rng: Generator, split: Literal["train", "test"], *, plain: bool = False) -> Photo:
    table = plan_table(int(rng.integers(1, 8)))
    level = cast(Difficulty, str(rng.choice(["easy", "normal", "hard"])))
    camera = Camera.sample(rng, SIZES[int(rng.integers(len(SIZES)))], level)
    look = Look.sample(rng, split, wild=float(split == "train" and rng.random() < 0.3))
    sampler = BillSampler(table, rng)
    sampler.plain = plain
    scene = sampler.cash()
    image = degrade(faulty(Renderer(table, look, camera).render(scene), rng, 0.4), rng)
    truth, shares = annotate_shares(scene, camera, look, keypoints=False)
    bills = truth.bills if isinstance(truth.bills, list) else []
    share = [shares.bills[bill.id] for bill in scene.bills if shares.bills[bill.id] >= BILL_SHOWS]
    return Photo(image, layout_for(table, camera, look=look), bills, share)


def readable(bill: BillSeen, share: float) -> bool:
    """Whether a bill of which `share` shows can be read by definition."""
    (ax, ay), (bx, by) = bill.quad[:2]
    return share >= READABLE_SHARE and float(np.hypot(bx - ax, by - ay)) >= READABLE_LENGTH


def _labelled(photo: Photo, rng: Generator) -> Shown:
    view = InnerView.of(photo.layout, VIEW)
    rows, crops, labels = [], [], []
    for bill, share in zip(photo.bills, photo.shares, strict=True):
        quad = np.asarray(bill.quad, np.float32)
        rows.append(_row(np.asarray(quad @ view.to_view[:, :2].T + view.to_view[:, 2], np.float32), share))
        x, y = quad.mean(axis=0)
        if 0 <= x < photo.image.shape[1] and 0 <= y < photo.image.shape[0]:
            crops.append(bill_crop(photo.image, _loose(quad, rng), BILL_INPUT))
            value = str(bill.cents) if readable(bill, share) else UNREADABLE
            labels.append([BILL_VALUES.index(value), BILL_FACES.index(bill.face or "down")])
    bills = np.full((MOST, 7), np.nan, np.float32)
    for place, row in enumerate(rows[:MOST]):
        bills[place] = row
    return Shown(view.cut(photo.image), bills, crops, labels)


def _row(quad: Floats, share: float) -> Floats:
    """A quad of the straight picture, its first two corners on a long side, as what the finder learns."""
    along, across = (quad[1] - quad[0] + quad[2] - quad[3]) / 2, (quad[3] - quad[0] + quad[2] - quad[1]) / 2
    turn = 2 * np.arctan2(along[1], along[0])
    sizes = np.hypot(*along), np.hypot(*across)
    return np.array([*quad.mean(axis=0), *sizes, np.cos(turn), np.sin(turn), share], np.float32)


def _loose(quad: Floats, rng: Generator) -> Floats:
    """A quad as the finder gets it, from either end."""
    side = float(np.hypot(*(quad[3] - quad[0])))
    moved = quad + rng.normal(0, 0.035 * side, 2) + rng.normal(0, 0.03 * side, (4, 2))
    return np.asarray(np.roll(moved, 2, axis=0) if rng.random() < 0.5 else moved, np.float32)


def write(folder: Path, count: int, first: int = 0, jobs: int = 1) -> int:
    """Writes so many pictures as `folder`/crops/PART-bills-SEED.npz; one in ten is for validation."""
    (folder / "crops").mkdir(parents=True, exist_ok=True)
    batches = [range(start, min(first + count, start + 100)) for start in range(first, first + count, 100)]
    fresh = get_context("spawn")  # a fork would inherit the locks of OpenCV's threads
    with ProcessPoolExecutor(jobs, mp_context=fresh) as pool:
        return sum(pool.map(partial(_write_batch, folder), batches))


def _write_batch(folder: Path, seeds: range) -> int:
    cv2.setNumThreads(1)
    for part, chosen in (("train", [s for s in seeds if s % 10]), ("val", [s for s in seeds if not s % 10])):
        path = folder / "crops" / f"{part}-bills-{seeds[0]:06d}.npz"
        if chosen and not path.exists():
            np.savez(path, **_arrays([shown(seed) for seed in chosen]))  # type: ignore[arg-type]
    return len(seeds)


def _arrays(made: list[Shown]) -> dict[str, NDArray[np.uint8] | NDArray[np.int8] | Floats]:
    arrays: dict[str, NDArray[np.uint8] | NDArray[np.int8] | Floats] = {
        "views": np.stack([one.view for one in made]), "views_bills": np.stack([one.bills for one in made]),
    }  # fmt: skip
    crops = [crop for one in made for crop in one.crops]
    if crops:
        arrays["bills"] = np.stack(crops)
        arrays["bills_labels"] = np.asarray([label for one in made for label in one.labels], np.int8)
    return arrays


def load_views(files: list[Path]) -> Iterator[tuple[Image, Floats]]:
    """Straight pictures (h, w, 3) and their bills (MOST, 7), NaN where there are fewer."""
    for path in files:
        with np.load(path) as data:
            yield from zip(data["views"], data["views_bills"], strict=True)
