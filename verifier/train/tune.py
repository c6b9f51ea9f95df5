"""Sets what stands between a detector's scores and honest probabilities: a logistic curve and a threshold a class."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from verifier.train.calibration import binned_error, fitted_logistic
from verifier.train.export import read_facts, write_facts
from verifier.train.labels import CLASSES, box_quad
from verifier.train.matching import Floats, matched
from verifier.vision.detector import Detector
from verifier.vision.models import find_model

LOWEST: Final = 0.04
"""Scores below this are not looked at."""
FLOOR: Final = 0.3
"""Objects below this probability are never written, so no threshold lies below."""


HIGHEST: Final = 0.46
"""Tracks over several looks forgive a false object sooner than a missed one, so no threshold lies above."""


class Scores(Struct, frozen=True, kw_only=True):
    """Scores of one class over many pictures, whether each was right, and how many objects there truly were."""

    scores: NDArray[np.float64]
    right: NDArray[np.float64]
    true: int


def tune_detector(models: Path, data: Path, pictures: int = 300) -> dict[str, dict[str, float]]:
    """Fits calibration and thresholds on validation pictures and writes them beside the model; figures by class."""
    path = models / "detector.onnx"
    facts = read_facts(path)
    write_facts(path, {**facts, "calibration": {}, "thresholds": {}})
    table = collect(models, data, pictures)
    curves = {name: fitted_logistic(found.scores, found.right) for name, found in table.items()}
    figures, thresholds = {}, {}
    for name, found in table.items():
        p = curve(found.scores, *curves[name])
        thresholds[name], figures[name] = best_threshold(p, found)
        figures[name]["ece"] = round(binned_error(p[p >= FLOOR], found.right[p >= FLOOR]), 4)
    write_facts(path, {**facts, "calibration": curves, "thresholds": thresholds, "validation": figures})
    return figures


def collect(models: Path, data: Path, pictures: int) -> dict[str, Scores]:
    """Every detection on the validation pictures of `data`, judged at IoU 0.5, by class."""
    detector = Detector(find_model("detector", models), min_p=LOWEST)
    rows: dict[str, list[tuple[float, bool]]] = {name: [] for name in CLASSES}
    true = dict.fromkeys(CLASSES, 0)
    for image, labels in labelled(data, pictures):
        found = detector.detect(image, max(image.shape[:2]))
        for number, name in enumerate(CLASSES):
            mine = [d for d in found if d.kind == name]
            truth = [quad for kind, quad in labels if kind == number]
            boxes = [d.quad if name.startswith("card") else box_quad(d.upright) for d in mine]
            hits = set(matched(boxes, truth).values())
            rows[name] += [(d.p, i in hits) for i, d in enumerate(mine)]
            true[name] += len(truth)
    return {name: _scores(rows[name], true[name]) for name in CLASSES}


def labelled(data: Path, pictures: int) -> Iterator[tuple[NDArray[np.uint8], list[tuple[int, Floats]]]]:
    """Validation pictures (BGR) with (class number, corners in pixels) of each label."""
    for path in sorted((data / "images" / "val").glob("*.jpg"))[:pictures]:
        image = np.asarray(cv2.imread(str(path)), dtype=np.uint8)
        size = (image.shape[1], image.shape[0])
        lines = (data / "labels" / "val" / f"{path.stem}.txt").read_text(encoding="utf-8").split("\n")
        yield image, [_label(line, size) for line in lines if line]


def _label(line: str, size: tuple[int, int]) -> tuple[int, Floats]:
    kind, *numbers = line.split()
    return int(kind), (np.array(numbers, dtype=np.float32).reshape(4, 2) * size).astype(np.float32)


def _scores(rows: list[tuple[float, bool]], true: int) -> Scores:
    table = np.array(rows, dtype=np.float64).reshape(-1, 2)
    return Scores(scores=table[:, 0], right=table[:, 1], true=true)


def curve(scores: NDArray[np.float64], scale: float, bias: float) -> NDArray[np.float64]:
    """Calibrated probabilities of scores."""
    logits = np.log(np.clip(scores, 1e-6, 1 - 1e-6)) - np.log1p(-np.clip(scores, 1e-6, 1 - 1e-6))
    out: NDArray[np.float64] = 1 / (1 + np.exp(-(scale * logits + bias)))
    return out


def best_threshold(p: NDArray[np.float64], found: Scores) -> tuple[float, dict[str, float]]:
    """The threshold from FLOOR up with the best F1, with its recall and precision."""
    best = (0.0, FLOOR, 0.0, 0.0)
    for threshold in np.arange(FLOOR, HIGHEST, 0.05):
        said, right = int((p >= threshold).sum()), float(found.right[p >= threshold].sum())
        recall, precision = right / max(1, found.true), right / max(1, said)
        best = max(best, (2 * right / max(1, said + found.true), round(float(threshold), 2), recall, precision))
    f1, threshold, recall, precision = best
    return threshold, {"F1": round(f1, 4), "recall": round(recall, 4), "precision": round(precision, 4)}
