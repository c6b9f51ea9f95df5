"""Trains the reader of hands: classes and keypoints together, on rendered hands and, where given, real ones."""

from __future__ import annotations

import logging
import time
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.optim import Optimizer

from verifier.train.calibration import binned_error, fitted_temperature
from verifier.train.classifiers import LEAST_TEMPERATURE, ReaderPlan, TrainedReader, as_input, figures, set_rate
from verifier.train.crop_sets import HEADS, UNLABELLED, load_hands
from verifier.train.crops import HAND_SCALE, Floats
from verifier.train.hand_augment import augmented_hands
from verifier.train.hand_network import BINS, POINTS, SPAN, HandNetwork, bin_centres
from verifier.train.mixed import mixed
from verifier.vision.hand_points import decoded

LOG = logging.getLogger(__name__)

POINTS_WEIGHT: Final = 1.0
HIDDEN_WEIGHT: Final = 0.5
"""Weight of a keypoint that the picture does not show."""
SMOOTHING: Final = (0.03, 0.12)
"""Label smoothing of rendered hands and of real ones (hands without keypoints), some of which are labelled wrongly."""
BLUR_BINS: Final = 1.2
"""Width (standard deviation) of a keypoint's target, in bins."""
KEEP: Final = 0.998
"""Share of the averaged weights that stays at each step."""

Hands = tuple[NDArray[np.uint8], NDArray[np.int64], Floats]


def train_hands(folder: Path, plan: ReaderPlan, checkpoint: Path | None = None) -> TrainedReader:
    """Train on folder/train-*.npz, calibrate on folder/val-*.npz.

    Weights, averaged over the steps, are kept in `checkpoint` after each epoch; what fits of an existing one is where
    training starts.
    """
    torch.set_num_threads(plan.threads)
    torch.manual_seed(plan.seed)
    train, val = (load_hands(sorted(folder.glob(f"{part}-*.npz"))) for part in ("train", "val"))
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    network = HandNetwork({head: len(values) for head, values in HEADS["hands"].items()})
    network = network.to(device, memory_format=torch.channels_last)
    if checkpoint is not None and checkpoint.exists():
        _take_fitting(network, torch.load(checkpoint, weights_only=True))
    network = _fit(network, train, val, plan, checkpoint)
    logits = predict_hands(network, val[0])
    temperatures = {
        head: max(LEAST_TEMPERATURE, fitted_temperature(logits[head], val[1][:, i]))
        for i, head in enumerate(HEADS["hands"])
    }
    temperatures[POINTS] = points_temperature(logits[POINTS], val[2])
    return TrainedReader(network=network, temperatures=temperatures, figures=hand_figures(logits, val, temperatures))


def _take_fitting(network: nn.Module, weights: dict[str, Tensor]) -> None:
    """Load those weights whose names and shapes are the network's own."""
    own = network.state_dict()
    network.load_state_dict({k: v for k, v in weights.items() if k in own and own[k].shape == v.shape}, strict=False)


def _fit(network: HandNetwork, train: Hands, val: Hands, plan: ReaderPlan, checkpoint: Path | None) -> HandNetwork:
    """One-cycle training over the wall time that the plan allows; the averaged network."""
    crops, labels, points = (torch.from_numpy(part) for part in train)
    weights = [class_weights(labels[:, i], len(values)) for i, values in enumerate(HEADS["hands"].values())]
    generator = torch.Generator().manual_seed(plan.seed)
    optimizer = torch.optim.AdamW(network.parameters(), plan.rate, weight_decay=0.03)
    average = torch.optim.swa_utils.AveragedModel(network, multi_avg_fn=_averaged, use_buffers=True)
    start, seen, total = time.monotonic(), 0, plan.epochs * len(crops)
    for epoch in range(plan.epochs):
        network.train()
        losses = []
        for index in torch.randperm(len(crops), generator=generator).split(plan.batch):
            share = max(seen / total, (time.monotonic() - start) / (60 * plan.minutes))
            if len(index) < 8 or share >= 1:
                break
            set_rate(optimizer, plan.rate, share)
            batch = augmented_hands(as_input(crops[index]), labels[index], points[index], generator)
            losses.append(_step(network, optimizer, weights, *batch))
            average.update_parameters(network)
            seen += len(index)
        if checkpoint is not None:
            torch.save(average.module.state_dict(), checkpoint)
        few = (val[0][:1500], val[1][:1500], val[2][:1500])
        scores = hand_figures(predict_hands(average.module, few[0]), few, {})
        text = " ".join(f"{key} {value:.4f}" for key, value in scores.items() if not key.endswith("ece"))
        LOG.info(
            "hands epoch %d %.0f s loss %.4f %s", epoch + 1, time.monotonic() - start, np.mean(losses or [0]), text
        )
        if time.monotonic() - start >= 60 * plan.minutes:
            break
    trained: HandNetwork = average.module
    return trained


def _averaged(kept: list[Tensor], now: list[Tensor], count: Tensor) -> None:
    """Move averaged weights towards the present ones, faster in the first steps."""
    keep = min(KEEP, (1.0 + int(count)) / (10.0 + int(count)))
    torch.optim.swa_utils.get_ema_multi_avg_fn(keep)(kept, now, count)


def _step(
    network: HandNetwork, optimizer: Optimizer, weights: list[Tensor], images: Tensor, labels: Tensor, points: Tensor
) -> float:
    device = next(network.parameters()).device
    images, labels, points = images.to(device), labels.to(device), points.to(device)
    with mixed(device.type):
        outputs = network(images.contiguous(memory_format=torch.channels_last))
    unknown = torch.isnan(points[:, 0, 0])
    smoothing = torch.where(unknown, SMOOTHING[1], SMOOTHING[0])
    loss = POINTS_WEIGHT * points_loss(outputs[-1].float(), points)
    for i, logits in enumerate(outputs[:-1]):
        loss = loss + class_loss(logits.float(), labels[:, i], smoothing, weights[i].to(device))
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
    optimizer.step()
    return float(loss.detach())


def class_weights(labels: Tensor, classes: int) -> Tensor:
    """(classes,) weights by which rare classes count more, by the root of their rarity; 1 on the average row."""
    counts = torch.bincount(labels[labels != UNLABELLED], minlength=classes).float()
    weights = counts.clamp(min=1.0).rsqrt()
    return weights * counts.sum() / (weights * counts).sum()


def class_loss(logits: Tensor, target: Tensor, smoothing: Tensor, weights: Tensor) -> Tensor:
    """Cross entropy averaged over the labelled rows by their classes' weights; each row has its own label smoothing."""
    known = target != UNLABELLED
    if not bool(known.any()):
        return logits.sum() * 0.0
    logs = torch.log_softmax(logits[known], 1)
    right = -logs.gather(1, target[known, None])[:, 0]
    share, weight = smoothing[known], weights[target[known]]
    return (((1 - share) * right - share * logs.mean(1)) * weight).sum() / weight.sum()


def points_loss(logits: Tensor, points: Tensor) -> Tensor:
    """Mean cross entropy of (N, 21, 2, BINS) logits to bells about the known points within SPAN, hidden ones less."""
    low, high = SPAN
    xy = points[..., :2]
    known = ((xy > low) & (xy < high)).all(2)
    if not bool(known.any()):
        return logits.sum() * 0.0
    width = BLUR_BINS * (high - low) / BINS
    centres = bin_centres().to(logits.device)
    bell = torch.softmax(-(((centres - xy[known][..., None]) / width) ** 2) / 2, 2)
    loss = -(bell * torch.log_softmax(logits[known], 2)).sum(2).mean(1)
    weight = torch.where(points[known][:, 2] >= 0.9, 1.0, HIDDEN_WEIGHT)
    return (loss * weight).sum() / weight.sum()


def predict_hands(network: HandNetwork, crops: NDArray[np.uint8]) -> dict[str, NDArray[np.float32]]:
    """Logits of each head, the keypoints' included, for (N, h, w, 3) BGR crops."""
    device = next(network.parameters()).device
    network.eval()
    parts: dict[str, list[NDArray[np.float32]]] = {head: [] for head in network.names}
    with torch.no_grad():
        for chunk in torch.from_numpy(crops).split(128):
            for head, logits in zip(network.names, network(as_input(chunk).to(device)), strict=True):
                parts[head].append(logits.float().cpu().numpy())
    return {head: np.concatenate(chunks) for head, chunks in parts.items()}


def point_errors(points: Floats, truth: Floats) -> Floats:
    """(N, 21) distances in longer sides of the hand's box; NaN where the truth is unknown or lies beyond SPAN."""
    gaps = np.hypot(*np.moveaxis(points[..., :2] - truth[..., :2], 2, 0)) * HAND_SCALE
    with np.errstate(invalid="ignore"):
        inside = ((truth[..., :2] > SPAN[0]) & (truth[..., :2] < SPAN[1])).all(2)
    return np.where(inside, gaps, np.nan).astype(np.float32)


def points_temperature(logits: Floats, truth: Floats) -> float:
    """Return the temperature at which keypoints' p best matches the share of them within a tenth of the box."""
    gaps = {}
    for temperature in np.arange(0.6, 2.01, 0.1):
        points = decoded(logits, SPAN, float(temperature))
        errors = point_errors(points, truth)
        known = ~np.isnan(errors)
        if not known.any():
            return 1.0
        gaps[round(float(temperature), 1)] = binned_error(points[..., 2][known], (errors[known] <= 0.1).astype(float))
    return min(gaps, key=lambda value: gaps[value])


def hand_figures(
    logits: dict[str, NDArray[np.float32]], truth: Hands, temperatures: dict[str, float]
) -> dict[str, float]:
    """Accuracy and calibration error of the heads; shares of keypoints within 0.1 and 0.2 of the box."""
    out = figures({head: logits[head] for head in HEADS["hands"]}, truth[1], temperatures)
    points = decoded(logits[POINTS], SPAN, temperatures.get(POINTS, 1.0))
    errors = point_errors(points, truth[2])
    known = ~np.isnan(errors)
    if known.any():
        near = (errors[known] <= 0.1).astype(np.float64)
        out["points_pck10"], out["points_pck20"] = float(near.mean()), float((errors[known] <= 0.2).mean())
        out["points_ece"] = binned_error(points[..., 2][known], near)
    return {key: round(value, 5) for key, value in out.items()}
