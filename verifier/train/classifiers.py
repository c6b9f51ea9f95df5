"""Trains the readers of cards and chips on crops, and sets their temperatures on crops held out."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import numpy as np
import torch
from msgspec import Struct
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional
from torch.optim import Optimizer

from verifier.train.augment import augmented, augmented_cards
from verifier.train.calibration import calibration_error, fitted_temperature
from verifier.train.crop_sets import HEADS, UNLABELLED, load_corners, load_crops
from verifier.train.mixed import mixed
from verifier.train.networks import CORNERS, Reader, build

LEAST_TEMPERATURE: Final = 1.0
"""Unseen tables are harder than validation tables, so probabilities are never sharpened."""
MEMORY: Final = 0.995
"""How much of the weights' running mean stays at each step."""
WEIGHT_OF_CORNERS: Final = 6.0
RARER: Final = {"chips": {"colour": {"other": 1 / 3}}}
"""Classes that tables show so much more seldom than the crops do: readers are trained to know them, then told so."""
LOG = logging.getLogger(__name__)


class ReaderPlan(Struct, frozen=True, kw_only=True):
    """How to train a reader; `minutes` bounds the wall time of all epochs."""

    epochs: int = 20
    batch: int = 128
    rate: float = 0.003
    minutes: float = 9.0
    seed: int = 0
    threads: int = 2


class TrainedReader(Struct, frozen=True, kw_only=True):
    """A trained network with the temperature of each head and its figures on the validation crops."""

    network: nn.Module
    temperatures: dict[str, float]
    figures: dict[str, float]


def train_reader(name: str, folder: Path, plan: ReaderPlan, checkpoint: Path | None = None) -> TrainedReader:
    """Train reader `name` (cards, chips) on folder/train-*.npz, calibrate it on folder/val-*.npz.

    After each epoch the weights are kept in `checkpoint`; where it exists already, training starts from them.
    """
    torch.set_num_threads(plan.threads)
    torch.manual_seed(plan.seed)
    train, val = (load_crops(sorted(folder.glob(f"{part}-*.npz")), name) for part in ("train", "val"))
    network = build(name, {head: len(values) for head, values in HEADS[name].items()})
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    network = network.to(device, memory_format=torch.channels_last)
    if checkpoint is not None and checkpoint.exists():
        network.load_state_dict(torch.load(checkpoint, weights_only=True), strict=False)
    corners = load_corners(sorted(folder.glob("train-*.npz"))) if CORNERS in network.names else None
    _fit(network, (*train, corners), val, plan, checkpoint)
    logits = predict(network, val[0])
    fitted = {head: fitted_temperature(logits[head], val[1][:, i]) for i, head in enumerate(HEADS[name])}
    temperatures = {head: max(LEAST_TEMPERATURE, value) for head, value in fitted.items()}
    told_what_is_rare(network, name, temperatures)
    return TrainedReader(network=network, temperatures=temperatures, figures=figures(logits, val[1], temperatures))


def told_what_is_rare(network: Reader, name: str, temperatures: Mapping[str, float]) -> None:
    """Lowers the logits of classes that are RARER at tables by the logarithm of how much (Bayes' rule)."""
    for head, classes in RARER.get(name, {}).items():
        for index, value in enumerate(HEADS[name][head]):
            with torch.no_grad():
                network.heads[head].bias[index] += temperatures[head] * math.log(classes.get(str(value), 1.0))


def _fit(
    network: Reader,
    train: tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.float32] | None],
    val: tuple[NDArray[np.uint8], NDArray[np.int64]],
    plan: ReaderPlan,
    checkpoint: Path | None,
) -> None:
    """One-cycle training over the wall time that the plan allows; what is kept is the weights' running mean."""
    crops, labels = torch.from_numpy(train[0]), torch.from_numpy(train[1])
    corners = None if train[2] is None else torch.from_numpy(train[2])
    mean = torch.optim.swa_utils.AveragedModel(network, avg_fn=_running, use_buffers=True)
    generator = torch.Generator().manual_seed(plan.seed)
    optimizer = torch.optim.AdamW(network.parameters(), plan.rate, weight_decay=0.02)
    start, seen, total = time.monotonic(), 0, plan.epochs * len(crops)
    for epoch in range(plan.epochs):
        network.train()
        losses = []
        for index in torch.randperm(len(crops), generator=generator).split(plan.batch):
            if len(index) < 8:
                continue
            share = max(seen / total, (time.monotonic() - start) / (60 * plan.minutes))
            if share >= 1:
                break
            set_rate(optimizer, plan.rate, share)
            batch, places = as_input(crops[index]), None
            if corners is None:
                batch = augmented(batch, generator)
            else:
                batch, places = augmented_cards(batch, corners[index], generator)
            losses.append(_step(network, optimizer, batch, labels[index], places))
            mean.update_parameters(network)
            seen += len(index)
        if checkpoint is not None:
            torch.save(mean.module.state_dict(), checkpoint)
        scores = figures(predict(mean.module, val[0][:3000]), val[1][:3000], {})
        text = " ".join(f"{key} {value:.4f}" for key, value in scores.items())
        LOG.info("epoch %d %.0f s loss %.4f %s", epoch + 1, time.monotonic() - start, np.mean(losses or [0]), text)
        if time.monotonic() - start >= 60 * plan.minutes:
            break
    network.load_state_dict(mean.module.state_dict())


def _running(mean: Tensor, value: Tensor, steps: Tensor) -> Tensor:
    """Return the running mean of a weight after one more step; early steps are soon forgotten."""
    keep = min(MEMORY, (1 + int(steps)) / (10 + int(steps)))
    return mean * keep + value * (1 - keep) if mean.is_floating_point() else value


def set_rate(optimizer: Optimizer, highest: float, share: float) -> None:
    """Set the rate at a share (0..1) of training: linear warm-up over 5 %, then a cosine to nothing."""
    rate = share / 0.05 if share < 0.05 else 0.5 * (1 + np.cos(np.pi * (share - 0.05) / 0.95))
    for group in optimizer.param_groups:
        group["lr"] = highest * max(float(rate), 0.002)


def _step(network: Reader, optimizer: Optimizer, batch: Tensor, labels: Tensor, corners: Tensor | None) -> float:
    """One step; heads without a label (UNLABELLED) and unknown corners (NaN) add nothing."""
    device = next(network.parameters()).device
    batch = batch.to(device).contiguous(memory_format=torch.channels_last)
    with mixed(device.type):
        outputs = network(batch)
    loss = torch.zeros((), device=device)
    for i, logits in enumerate(outputs[: len(network.counted)]):
        target = labels[:, i].to(device)
        if bool((target != UNLABELLED).any()):
            loss = loss + functional.cross_entropy(
                logits.float(), target, ignore_index=UNLABELLED, label_smoothing=0.02
            )
    if corners is not None:
        known = ~corners.isnan().flatten(1).any(1)
        if bool(known.any()):
            loss = loss + WEIGHT_OF_CORNERS * functional.smooth_l1_loss(
                outputs[-1][known].float(), corners[known].flatten(1).to(device), beta=0.02
            )
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
    optimizer.step()
    return float(loss.detach())


def as_input(crops: Tensor) -> Tensor:
    """(N, h, w, 3) uint8 BGR to (N, 3, h, w) float RGB 0..1."""
    return crops.flip(-1).permute(0, 3, 1, 2).float() / 255.0


def predict(network: Reader, crops: NDArray[np.uint8]) -> dict[str, NDArray[np.float32]]:
    """Logits (N, classes) of each head for (N, h, w, 3) BGR crops."""
    device = next(network.parameters()).device
    network.eval()
    parts: dict[str, list[NDArray[np.float32]]] = {head: [] for head in network.names}
    with torch.no_grad():
        for chunk in torch.from_numpy(crops).split(256):
            for head, logits in zip(network.names, network(as_input(chunk).to(device)), strict=True):
                parts[head].append(logits.float().cpu().numpy())
    return {head: np.concatenate(chunks) for head, chunks in parts.items()}


def figures(
    logits: Mapping[str, NDArray[np.float32]], labels: NDArray[np.int64], temperatures: Mapping[str, float]
) -> dict[str, float]:
    """Accuracy and expected calibration error of each head over its labelled crops."""
    out = {}
    for i, (head, values) in enumerate((head, values) for head, values in logits.items() if head != CORNERS):
        known = labels[:, i] != UNLABELLED
        if known.any():
            out[f"{head}_accuracy"] = float((values[known].argmax(1) == labels[known, i]).mean())
            out[f"{head}_ece"] = calibration_error(values[known] / temperatures.get(head, 1.0), labels[known, i])
    return {key: round(value, 5) for key, value in out.items()}
