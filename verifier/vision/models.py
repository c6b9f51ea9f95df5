"""Finds the trained models, checks that they are whole, and compiles them for OpenVINO on this computer."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec

os.environ.setdefault("OPENVINO_TELEMETRY_OPT_OUT", "1")  # nothing leaves this computer

import openvino as ov
from openvino import opset13 as ops
from openvino.preprocess import ColorFormat, PrePostProcessor

from verifier.domain.errors import BadInput
from verifier.domain.observations import NamedHash
from verifier.vision.probe import sha256_of

MODELS_VARIABLE: Final = "VERIFIER_MODELS"
RESTORE: Final = f"restore the models folder from the release, or set {MODELS_VARIABLE} to a folder that holds it"


class ModelCard(msgspec.Struct, frozen=True, kw_only=True):
    """What stands beside a model in its JSON file.

    `classes` lists the detector's classes, or for a reader each head's; `temperatures` divides a head's logits;
    `calibration` maps a detector score s to a probability: sigmoid(scale * logit(s) + bias), by class.
    """

    classes: list[str] | dict[str, list[str | int]]
    sha256: str | None = None
    file: str | None = None
    input: list[int] | None = None
    long_side: int | None = None
    temperatures: dict[str, float] = {}
    thresholds: dict[str, float] = {}
    calibration: dict[str, tuple[float, float]] = {}


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A model on disk, with its card."""

    name: str
    path: Path
    card: ModelCard
    sha256: str

    @property
    def identity(self) -> NamedHash:
        """Name and hash as the observations' header lists them."""
        return NamedHash(name=self.path.name, sha256=self.sha256)


def models_folder(folder: Path | str | None = None) -> Path:
    """The folder of models: the one given, else VERIFIER_MODELS, else the repository's, else the package's."""
    chosen = folder or os.environ.get(MODELS_VARIABLE)
    if chosen:
        path = Path(chosen)
        if not path.is_dir():
            raise BadInput(path, "no such folder of models", RESTORE)
        return path
    package = Path(__file__).resolve().parents[1]
    for path in (package.parent / "models", package / "models"):
        if (path / "detector.json").is_file():
            return path
    raise BadInput(package.parent / "models", "the trained models are missing", RESTORE)


def find_model(name: str, folder: Path | str | None = None) -> ModelFile:
    """Model `name` with its card; raises BadInput where a file is missing or is not the one the card names."""
    home = models_folder(folder)
    card_path = home / f"{name}.json"
    if not card_path.is_file():
        raise BadInput(card_path, "the model's card is missing", RESTORE)
    try:
        card = msgspec.json.decode(card_path.read_bytes(), type=ModelCard)
    except msgspec.DecodeError as error:
        raise BadInput(card_path, f"is no model card ({error})", RESTORE) from error
    path = home / (card.file or f"{name}.onnx")
    if not path.is_file():
        raise BadInput(path, "the trained model is missing", RESTORE)
    digest = sha256_of(path)
    if card.sha256 is not None and card.sha256 != digest:
        raise BadInput(path, "is not the model that its card describes: damaged or exchanged", RESTORE)
    return ModelFile(name, path, card, digest)


def runtime() -> ov.Core:
    """A fresh OpenVINO runtime."""
    return ov.Core()


def read_model(path: Path) -> Any:
    """An OpenVINO model; raises BadInput where the file cannot be read as one."""
    try:
        return runtime().read_model(str(path))
    except RuntimeError as error:
        raise BadInput(path, "cannot be read as a model", RESTORE) from error


def with_byte_pictures(model: Any) -> Any:
    """Lets the model take pictures (n, height, width, 3) uint8 blue-first instead of NCHW float RGB 0..1."""
    steps = PrePostProcessor(model)
    entry = steps.input()
    entry.tensor().set_element_type(ov.Type.u8).set_layout(ov.Layout("NHWC")).set_color_format(ColorFormat.BGR)
    entry.preprocess().convert_element_type(ov.Type.f32).convert_color(ColorFormat.RGB).scale(255.0)
    entry.model().set_layout(ov.Layout("NCHW"))
    return steps.build()


def compile_model(model: Any, *, streams: int, threads: int = 0) -> Any:
    """Compiles for the processor; `streams` requests run at once, `threads` 0 leaves the count to OpenVINO."""
    options: dict[str, Any] = {"NUM_STREAMS": streams, "INFERENCE_PRECISION_HINT": "f32"}
    if threads:
        options["INFERENCE_NUM_THREADS"] = threads
    return runtime().compile_model(model, "CPU", options)


def head_model(size: tuple[int, int], heads: Mapping[str, Sequence[float]]) -> Any:
    """A model that answers each picture with the same logits: stands in for a reader where none is wanted (tests)."""
    images = ops.parameter([-1, 3, *size], ov.Type.f32, name="images")
    total = ops.reduce_sum(images, ops.constant([1, 2, 3]), keep_dims=False)
    zero = ops.multiply(ops.unsqueeze(total, ops.constant([1])), ops.constant(0.0, ov.Type.f32))
    outputs = []
    for name, logits in heads.items():
        node = ops.add(zero, ops.constant([list(logits)], ov.Type.f32))
        node.output(0).set_names({name})
        outputs.append(node)
    model = ov.Model(outputs, [images], "constant")
    model.inputs[0].set_names({"images"})
    return model
