"""Trains the finder of bank notes on straight pictures, and says how well it finds those kept for validation."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
import torch
from msgspec import Struct
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional
from torch.optim import Optimizer

from verifier.train.bills.network import OUTPUTS, Finder
from verifier.train.bills.pictures import load_views
from verifier.train.classifiers import as_input, set_rate
from verifier.train.mixed import mixed
from verifier.vision.bills import BILL_MM, CELL, PIXELS_A_MM, boxes_of

Floats = NDArray[np.float32]
NEAR: Final = 6.0
AROUND: Final = 12.0
"""Pixels from a bill's middle within which a cell tells of it, and within which it need tell nothing."""
FOCUS: Final = 2.0
"""Exponent of the focal loss (Lin et al. 2017, arXiv 1708.02002)."""
PLACING: Final = 0.5
"""Weight of the places beside that of the middles."""
FOUND: Final = 0.5
"""Probability of a bill that counts as found in the figures."""
CLOSE: Final = 8.0
"""Pixels by which its middle may be off there."""
LOG = logging.getLogger(__name__)


class FinderPlan(Struct, frozen=True, kw_only=True):
    """How to train; `minutes` bounds the wall time."""

    minutes: float = 12.0
    epochs: int = 30
    batch: int = 24
    rate: float = 0.003
    seed: int = 0
    threads: int = 1


def train_finder(folder: Path, plan: FinderPlan, checkpoint: Path | None = None) -> tuple[Finder, dict[str, float]]:
    """Train on folder/train-bills-*.npz; the network and its figures on folder/val-bills-*.npz.

    After each epoch the weights are kept in `checkpoint`; where it exists already, training starts from them.
    """
    torch.set_num_threads(plan.threads)
    torch.manual_seed(plan.seed)
    train, val = ([*load_views(sorted(folder.glob(f"{part}-bills-*.npz")))] for part in ("train", "val"))
    network = Finder().to(memory_format=torch.channels_last)
    if checkpoint is not None and checkpoint.exists():
        network.load_state_dict(torch.load(checkpoint, weights_only=True))
    optimizer = torch.optim.AdamW(network.parameters(), plan.rate, weight_decay=0.02)
    generator = torch.Generator().manual_seed(plan.seed)
    start, done, total = time.monotonic(), 0, plan.epochs * len(train)
    for epoch in range(plan.epochs):
        network.train()
        losses = []
        for index in torch.randperm(len(train), generator=generator).split(plan.batch):
            share = max(done / total, (time.monotonic() - start) / (60 * plan.minutes))
            if share >= 1 or len(index) < 4:
                break
            set_rate(optimizer, plan.rate, share)
            losses.append(_step(network, optimizer, *_batch([train[i] for i in index.tolist()], generator)))
            done += len(index)
        if checkpoint is not None:
            torch.save(network.state_dict(), checkpoint)
        LOG.info("epoch %d %.0f s loss %.4f", epoch + 1, time.monotonic() - start, np.mean(losses or [0]))
        if time.monotonic() - start >= 60 * plan.minutes:
            break
    return network, figures(network, val)


def _batch(chosen: Sequence[tuple[Tensor, Floats]], generator: torch.Generator) -> tuple[Tensor, Tensor, Tensor]:
    """Pictures mirrored and in another light; what their maps should be, and how much each cell counts."""
    pictures = as_input(torch.from_numpy(np.stack([picture for picture, _ in chosen])))
    bills = np.stack([bills for _, bills in chosen]).copy()
    width, height = pictures.shape[3], pictures.shape[2]
    for axis, size, dimension in ((0, width, 3), (1, height, 2)):
        if torch.rand(1, generator=generator) < 0.5:
            pictures = pictures.flip(dimension)
            bills[..., axis] = size - bills[..., axis]
            bills[..., 5] *= -1
    n = len(chosen)
    gain = 0.7 + 0.6 * torch.rand(n, 1, 1, 1, generator=generator)
    cast = 0.9 + 0.2 * torch.rand(n, 3, 1, 1, generator=generator)
    noise = 0.03 * torch.rand(n, 1, 1, 1, generator=generator) ** 2 * torch.randn(pictures.shape, generator=generator)
    maps, counts = zip(*(targets(rows, (width, height)) for rows in bills), strict=True)
    return (
        (pictures * gain * cast + noise).clamp(0, 1),
        torch.from_numpy(np.stack(maps)),
        torch.from_numpy(np.stack(counts)),
    )


def targets(bills: Floats, size: tuple[int, int]) -> tuple[Floats, Floats]:
    """Return the map (7, rows, columns) due for a picture of `size` (w, h) with these bills, and which cells count."""
    columns, rows = size[0] // CELL, size[1] // CELL
    xs, ys = np.meshgrid((np.arange(columns) + 0.5) * CELL, (np.arange(rows) + 0.5) * CELL)
    out, counts = np.zeros((OUTPUTS, rows, columns), np.float32), np.ones((rows, columns), np.float32)
    nearest = np.full((rows, columns), np.inf, np.float32)
    for x, y, length, width, cosine, sine, _ in bills[~np.isnan(bills[:, 0])]:
        away = np.hypot(xs - x, ys - y)
        own = (away < NEAR) & (away < nearest)
        nearest = np.minimum(nearest, away)
        logs = (np.log(side / (mm * PIXELS_A_MM)) for side, mm in zip((length, width), BILL_MM, strict=True))
        flat = (np.full_like(xs, value) for value in (*logs, cosine, sine))
        values = np.stack([np.ones_like(xs), (x - xs) / CELL, (y - ys) / CELL, *flat])
        out[:, own] = values[:, own]
    counts[(nearest >= NEAR) & (nearest < AROUND)] = 0.0
    return out, counts


def _step(network: Finder, optimizer: Optimizer, pictures: Tensor, maps: Tensor, counts: Tensor) -> float:
    with mixed("cpu"):
        out = network(pictures.contiguous(memory_format=torch.channels_last))
    out, own = out.float(), maps[:, 0]
    p = torch.sigmoid(out[:, 0])
    wrong = torch.where(own > 0.5, 1 - p, p)
    middles = functional.binary_cross_entropy_with_logits(out[:, 0], own, reduction="none") * wrong**FOCUS
    number = own.sum().clamp(min=1.0)
    loss = (middles * counts).sum() / number
    apart = functional.smooth_l1_loss(out[:, 1:], maps[:, 1:], beta=0.1, reduction="none").sum(1)
    loss = loss + PLACING * (apart * own).sum() / number
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
    optimizer.step()
    return float(loss.detach())


def figures(network: Finder, val: Sequence[tuple[Tensor, Floats]]) -> dict[str, float]:
    """Recall and precision, and the mean error of place (mm) and angle (degrees) of the bills found."""
    network.eval()
    right = said = true = 0
    off: list[float] = []
    turned: list[float] = []
    for picture, rows in val:
        with torch.no_grad():
            output = network(as_input(torch.from_numpy(picture[None])))[0].numpy()
        boxes, scores = boxes_of(output, FOUND)
        bills = rows[~np.isnan(rows[:, 0])]
        said, true = said + len(scores), true + len(bills)
        free = list(range(len(bills)))
        for box in boxes:
            away = [(float(np.hypot(*(bills[i, :2] - box[:2]))), i) for i in free]
            if away and min(away)[0] < CLOSE:
                near, chosen = min(away)
                free.remove(chosen)
                right += 1
                off.append(near / PIXELS_A_MM)
                turn = np.arctan2(bills[chosen, 5], bills[chosen, 4]) / 2 - box[4]
                turned.append(abs(float(np.degrees((turn + np.pi / 2) % np.pi - np.pi / 2))))
    shares = {"recall": right / max(1, true), "precision": right / max(1, said)}
    errors = {"place_mm": float(np.mean(off or [0])), "angle": float(np.mean(turned or [0]))}
    return {name: round(value, 4) for name, value in (shares | errors).items()}
