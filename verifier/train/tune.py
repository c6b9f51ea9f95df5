"""Sets what stands between a detector's scores and honest probabilities: a logistic curve and a threshold a class.

Both are fitted on whole frames, scaled as recordings are watched: what a detector finds where nothing is (print, cups,
the clock) weighs there as it does in use, unlike in the training windows. The tables are new ones; decks, felts and
backs are those of the training split, so that nothing of the scored pictures is used.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from verifier.train.calibration import binned_error, fitted_logistic
from verifier.train.cases import Case, Kind, cases
from verifier.train.evaluate import add_found
from verifier.train.evaluation_samples import Setup
from verifier.train.export import read_facts, write_facts
from verifier.train.labels import CLASSES
from verifier.train.looking import seen_of
from verifier.train.precision import Ranking

FIRST_SEED: Final = 7_000_000
FIRST_SOLID_SEED: Final = 7_100_000
KINDS: Final[tuple[Kind, ...]] = ("easy", "normal", "hard", "easy", "normal", "hard", "any")
FLOOR: Final = 0.3
"""Objects below this probability are never written, so no threshold lies below."""
HIGHEST: Final = 0.46
"""Tracks over several looks forgive a false object sooner than a missed one, so no threshold lies above."""
Figures = dict[str, float]
Floats = NDArray[np.float64]


def tune_detector(models: Path, pictures: int = 280, jobs: int = 2, solid: int = 0) -> dict[str, Figures]:
    """Fits calibration and thresholds and writes them beside the detector of `models`; its figures by class.

    They are fitted on `pictures` of the flat world and `solid` ones of the solid world (which need moderngl).
    """
    path = models / "detector.onnx"
    facts = read_facts(path)
    write_facts(path, {**facts, "calibration": {}, "thresholds": {}})
    try:
        rankings = collect(models, fitted_on(pictures, solid), jobs)
    finally:
        write_facts(path, facts)
    curves = {name: fitted_logistic(*ranking.arrays()) for name, ranking in rankings.items()}
    figures, thresholds = {}, {}
    for name, ranking in rankings.items():
        scores, right = ranking.arrays()
        p = curve(scores, *curves[name])
        thresholds[name], figures[name] = best_threshold(p, right, ranking.true)
        figures[name]["ece"] = round(binned_error(p[p >= FLOOR], right[p >= FLOOR]), 4)
    write_facts(path, {**facts, "calibration": curves, "thresholds": thresholds, "validation": figures})
    return figures


def fitted_on(pictures: int, solid: int) -> list[Case]:
    """Return the frames to fit on: so many of the flat world, so many of the solid one, of the training's styles."""
    flat = cases(pictures, FIRST_SEED, KINDS, "train") if pictures else []
    return [*flat, *(cases(solid, FIRST_SOLID_SEED, ("solid",), "train") if solid else [])]


def collect(models: Path, todo: Sequence[Case], jobs: int) -> dict[str, Ranking]:
    """Every detection on whole frames of unseen tables, judged at IoU 0.5, by class."""
    rankings = {name: Ranking() for name in CLASSES}
    with tempfile.TemporaryDirectory() as folder:
        setup = Setup(models=models)
        for sample in seen_of(todo, setup.file(Path(folder)), setup, jobs=jobs):
            add_found(rankings, sample)
    return rankings


def curve(scores: Floats, scale: float, bias: float) -> Floats:
    """Calibrated probabilities of scores."""
    logits = np.log(np.clip(scores, 1e-6, 1 - 1e-6)) - np.log1p(-np.clip(scores, 1e-6, 1 - 1e-6))
    out: Floats = 1 / (1 + np.exp(-(scale * logits + bias)))
    return out


def best_threshold(p: Floats, right: Floats, true: int) -> tuple[float, Figures]:
    """Return the threshold from FLOOR to HIGHEST with the best F1 of `true` objects, with its recall and precision."""
    best = (0.0, FLOOR, 0.0, 0.0)
    for threshold in np.arange(FLOOR, HIGHEST, 0.05):
        said, hits = int((p >= threshold).sum()), float(right[p >= threshold].sum())
        recall, precision = hits / max(1, true), hits / max(1, said)
        best = max(best, (2 * hits / max(1, said + true), round(float(threshold), 2), recall, precision))
    f1, threshold, recall, precision = best
    return threshold, {"F1": round(f1, 4), "recall": round(recall, 4), "precision": round(precision, 4)}
