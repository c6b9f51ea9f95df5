"""Writes trained networks as ONNX with a JSON description beside each, as `verifier.vision` reads them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from verifier.train.crops import BILL_INPUT, CARD_INPUT, CHIP_INPUT, HAND_INPUT, OVERLAP_INPUT
from verifier.train.labels import CLASSES
from verifier.vision.models import digest_of

if TYPE_CHECKING:
    from torch import nn

    from verifier.train.classifiers import TrainedReader

OPSET: Final = 17
INPUTS: Final = {
    "cards": CARD_INPUT,
    "chips": CHIP_INPUT,
    "hands": HAND_INPUT,
    "bills": BILL_INPUT,
    "overlaps": OVERLAP_INPUT,
}
LAYOUT: Final = (
    "output0 (N, 9, anchors): cx cy w h in input pixels, 4 class probabilities, angle in radians (clockwise, of w from "
    "the x axis); suppress doubles by rotated IoU"
)


def export_detector(weights: Path, folder: Path, size: int, facts: Mapping[str, object]) -> Path:
    """Export a checkpoint to `folder`/detector.onnx with free batch, height and width (multiples of 32)."""
    from verifier.train.detector import prepare

    prepare(weights.parent / "settings")
    import ultralytics

    made = Path(
        ultralytics.YOLO(str(weights)).export(format="onnx", imgsz=size, dynamic=True, simplify=True, opset=OPSET)
    )
    target = folder / "detector.onnx"
    folder.mkdir(parents=True, exist_ok=True)
    shutil.move(made, target)
    _describe(target, "Finds playing cards, chips and hands from above; see detector.md.")
    facts = {"classes": list(CLASSES), "input": [size, size], "stride": 32, "output": LAYOUT, **facts}
    write_facts(target, facts)
    return target


def _describe(target: Path, text: str) -> None:
    """Say what a network is for, where the exporter names files of the computer that trained it."""
    import onnx

    network = onnx.load(target)
    for entry in network.metadata_props:
        if entry.key in ("description", "args"):
            entry.value = text if entry.key == "description" else ""
    onnx.save(network, target)


def export_reader(name: str, trained: TrainedReader, folder: Path, facts: Mapping[str, object]) -> Path:
    """Export a trained reader: input `images` (N, 3, h, w) RGB 0..1, raw logits for each head.

    Hands have the output `points` too, (N, 21, 2, bins); its card says where the bins begin and end.
    """
    import torch

    from verifier.train.crop_sets import HEADS
    from verifier.train.hand_network import POINTS, SPAN

    width, height = INPUTS[name]
    target = folder / f"{name}.onnx"
    folder.mkdir(parents=True, exist_ok=True)
    outputs = list(trained.network.names)
    axes = {output: {0: "batch"} for output in ("images", *outputs)}
    if POINTS in outputs:
        facts = {POINTS: list(SPAN), **facts}
    torch.onnx.export(
        trained.network.eval().cpu(),
        (torch.rand(2, 3, height, width),),
        str(target),
        input_names=["images"],
        output_names=outputs,
        dynamic_axes=axes,
        opset_version=OPSET,
        dynamo=False,
    )
    write_facts(
        target,
        {
            "classes": {head: list(values) for head, values in HEADS[name].items()},
            "input": [width, height],
            "temperatures": trained.temperatures,
            "validation": trained.figures,
            **facts,
        },
    )
    return target


def export_finder(network: nn.Module, size: tuple[int, int], folder: Path, facts: Mapping[str, object]) -> Path:
    """Export the finder of bank notes: input `images` (N, 3, h, w) RGB 0..1, output `map` (N, 7, h/4, w/4).

    `size` is the width and height in pixels of the pictures that it learned from.
    """
    width, height = size
    import torch

    target = folder / "bill_finder.onnx"
    folder.mkdir(parents=True, exist_ok=True)
    sides = {2: "height", 3: "width"}
    torch.onnx.export(
        network.eval(),
        (torch.rand(1, 3, height, width),),
        str(target),
        input_names=["images"],
        output_names=["map"],
        dynamic_axes={"images": {0: "batch", **sides}, "map": {0: "batch", **sides}},
        opset_version=OPSET,
        dynamo=False,
    )
    write_facts(target, {"classes": ["bill"], "input": [width, height], **facts})
    return target


def write_facts(model: Path, facts: Mapping[str, object]) -> None:
    """Write the JSON beside a model, with the model's SHA-256."""
    text = json.dumps({**facts, "file": model.name, "sha256": digest_of(model)}, indent=1, sort_keys=True)
    model.with_suffix(".json").write_text(text + "\n", encoding="utf-8")


def read_facts(model: Path) -> dict[str, object]:
    """Read the JSON beside a model."""
    facts: dict[str, object] = json.loads(model.with_suffix(".json").read_text(encoding="utf-8"))
    return facts
