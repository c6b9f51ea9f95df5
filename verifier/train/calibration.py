"""How far probabilities can be trusted: softmax temperatures and expected calibration error (Guo et al. 2017)."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize, minimize_scalar

BINS: Final = 15
Floats = NDArray[np.float32] | NDArray[np.float64]


def softmax(logits: Floats) -> NDArray[np.float64]:
    """(N, classes) logits to probabilities."""
    shifted = np.exp(logits.astype(np.float64) - logits.max(1, keepdims=True))
    out: NDArray[np.float64] = shifted / shifted.sum(1, keepdims=True)
    return out


def fitted_temperature(logits: Floats, labels: NDArray[np.int64]) -> float:
    """Return the temperature with the least negative log-likelihood; labels below 0 are left out."""
    known = labels >= 0
    if not known.any():
        return 1.0
    logits, labels = logits[known], labels[known]

    def loss(log_t: float) -> float:
        p = softmax(logits / np.exp(log_t))[np.arange(len(labels)), labels]
        return float(-np.log(np.maximum(p, 1e-12)).mean())

    return round(float(np.exp(minimize_scalar(loss, bounds=(-2.0, 2.0), method="bounded").x)), 4)


def calibration_error(logits: Floats, labels: NDArray[np.int64]) -> float:
    """Return the expected calibration error of the most probable class over BINS equal bins."""
    p = softmax(logits)
    return binned_error(p.max(1), (p.argmax(1) == labels).astype(np.float64))


def binned_error(p: Floats, right: Floats) -> float:
    """Mean gap between stated probability and share of right answers, weighted by the bins' sizes."""
    if not len(p):
        return 0.0
    stated, share, weight = reliability(p, right)
    return float((np.abs(stated - share) * weight).sum())


def reliability(p: Floats, right: Floats) -> tuple[Floats, Floats, Floats]:
    """(mean stated probability, share right, share of all answers) of each of BINS equal bins that has answers."""
    bins = np.minimum((np.asarray(p) * BINS).astype(int), BINS - 1)
    rows = [(p[bins == b].mean(), right[bins == b].mean(), (bins == b).mean()) for b in np.unique(bins)]
    table = np.array(rows, dtype=np.float64).reshape(-1, 3)
    return table[:, 0], table[:, 1], table[:, 2]


def fitted_logistic(scores: Floats, right: Floats) -> tuple[float, float]:
    """(scale, bias) with P(right) = sigmoid(scale * logit(score) + bias), by Platt's method with his smoothing."""
    p = np.clip(np.asarray(scores, dtype=np.float64), 1e-6, 1 - 1e-6)
    x = np.log(p) - np.log1p(-p)
    yes, no = float(right.sum()), float(len(right) - right.sum())
    target = np.where(right > 0.5, (yes + 1) / (yes + 2), 1 / (no + 2))

    def loss(parts: NDArray[np.float64]) -> float:
        z = parts[0] * x + parts[1]
        return float((np.logaddexp(0, z) - target * z).mean())

    scale, bias = minimize(loss, np.array([1.0, 0.0]), method="BFGS").x
    return round(float(scale), 4), round(float(bias), 4)
