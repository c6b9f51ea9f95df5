"""Writes trained networks as ONNX with a JSON description beside each, as `verifier.vision` reads them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from verifier.train.labels import CLASSES

OPSET: Final = 17
LAYOUT: Final = (
    "output0 (N, 9, anchors): cx cy w h in input pixels, 4 class probabilities, angle in radians (clockwise, of w from "
    "the x axis); suppress doubles by rotated IoU"
)


def export_detector(weights: Path, folder: Path, size: int, facts: Mapping[str, Any]) -> Path:
    """Exports a checkpoint to `folder`/detector.onnx with free batch, height and width (multiples of 32)."""
    from verifier.train.detector import prepare

    prepare(weights.parent / "settings")
    from ultralytics import YOLO

    made = Path(YOLO(str(weights)).export(format="onnx", imgsz=size, dynamic=True, simplify=True, opset=OPSET))
    target = folder / "detector.onnx"
    folder.mkdir(parents=True, exist_ok=True)
    shutil.move(made, target)
    facts = {"classes": list(CLASSES), "input": [size, size], "stride": 32, "output": LAYOUT, **facts}
    write_facts(target, facts)
    return target


def export_classifier(network: Any, heads: Sequence[str], target: Path, facts: Mapping[str, Any]) -> Path:
    """Exports a classifier: input `images` (N, 3, h, w) RGB 0..1, one output of raw logits for each head."""
    import torch

    width, height = facts["input"]
    example = torch.rand(2, 3, height, width)
    axes = {name: {0: "batch"} for name in ("images", *heads)}
    target.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        network.eval().cpu(), (example,), str(target), input_names=["images"], output_names=list(heads),
        dynamic_axes=axes, opset_version=OPSET, dynamo=False,
    )  # fmt: skip
    write_facts(target, facts)
    return target


def write_facts(model: Path, facts: Mapping[str, Any]) -> None:
    """Writes the JSON beside a model."""
    model.with_suffix(".json").write_text(json.dumps(facts, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def read_facts(model: Path) -> dict[str, Any]:
    """Reads the JSON beside a model."""
    facts: dict[str, Any] = json.loads(model.with_suffix(".json").read_text(encoding="utf-8"))
    return facts
