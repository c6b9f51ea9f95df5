"""The detector's form in whole numbers (INT8), for processors that are quicker so (docs/speed.md).

Post-training quantisation by NNCF: the ranges of activations are those of whole frames of tables that no scored picture
shows. The last layers, which tell scores, boxes and angles, stay in float32. SiLU is one operation first, so that the
convolution before it computes it in passing; by itself it costs as much as all convolutions.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

import numpy as np

from verifier.train.export import read_facts, write_facts
from verifier.train.tune import KINDS
from verifier.train.unseen import cases, make
from verifier.vision.detector import LONG_SIDE
from verifier.vision.fitting import fit
from verifier.vision.geometry import Floats
from verifier.vision.runtime import read_model

FIRST_SEED: Final = 7_100_000
HEAD: Final = "/model.23/"
LAST: Final = "2"
"""Of the head's three convolutions in a row the last one."""
KEPT: Final = "(Concat|Mul|Add|Sub|Div|Split|Sigmoid|dfl|Cos|Sin|Slice|Softmax).*"
CONVOLUTIONS: Final = ("Convolution", "GroupConvolution")


def quantise_detector(models: Path, pictures: int = 180, tick: Callable[[int], object] = int) -> Path:
    """Writes detector.int8.xml, .bin and .json beside the detector of `models`; `tick` hears of each frame made."""
    nncf: Any = importlib.import_module("nncf")
    ov: Any = importlib.import_module("openvino")
    passes: Any = importlib.import_module("openvino._offline_transformations")
    network = read_model(models / "detector.onnx")
    passes.apply_moc_transformations(network, False)
    whole = nncf.quantize(
        network,
        nncf.Dataset(list(_blobs(pictures, tick))),
        preset=nncf.QuantizationPreset.MIXED,
        subset_size=pictures,
        ignored_scope=nncf.IgnoredScope(names=last_convolutions(network), patterns=[HEAD + KEPT], validate=False),
    )
    target = models / "detector.int8.xml"
    ov.save_model(whole, str(target), compress_to_fp16=False)
    write_facts(target, read_facts(models / "detector.onnx"))
    return target


def last_convolutions(network: Any) -> list[str]:
    """Names of the head's last convolutions."""
    names = [node.get_friendly_name() for node in network.get_ordered_ops() if node.get_type_name() in CONVOLUTIONS]
    return [name for name in names if name.startswith(HEAD) and name.split("/")[3].split(".")[-1] == LAST]


def _blobs(pictures: int, tick: Callable[[int], object]) -> Iterable[Floats]:
    """Whole frames (1, 3, h, w), red-first from 0 to 1, as the network gets them."""
    for case in cases(pictures, FIRST_SEED, KINDS, "train"):
        blob = fit(make(case).image, LONG_SIDE).blob
        tick(1)
        yield np.ascontiguousarray(blob[..., ::-1].transpose(0, 3, 1, 2), dtype=np.float32) / 255.0
