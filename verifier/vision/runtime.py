"""The OpenVINO runtime on this computer's processor."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import openvino as ov
from openvino.preprocess import ColorFormat, PrePostProcessor

from verifier.domain.errors import BadInput

MODELS_VARIABLE: Final = "VERIFIER_MODELS"
RESTORE: Final = f"restore the models folder from the release, or set {MODELS_VARIABLE} to a folder that holds it"


def read_model(path: Path) -> Any:
    """An OpenVINO model of an ONNX or OpenVINO file; raises BadInput where it cannot be read as one."""
    try:
        return ov.Core().read_model(str(path))
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


def best_precision() -> str:
    """ "bf16" where this processor multiplies in bfloat16 by itself, else "f32"."""
    able = ov.Core().get_property("CPU", "OPTIMIZATION_CAPABILITIES")
    return "bf16" if "BF16" in able else "f32"


def compile_model(model: Any, *, streams: int, threads: int = 0, precision: str = "f32") -> Any:
    """Compiles for the processor; `streams` requests run at once, `threads` 0 leaves the count to OpenVINO.

    `precision` "f32" or "bf16" is that of the sums' factors; weights and results are float32 either way.
    """
    options: dict[str, Any] = {"NUM_STREAMS": streams, "INFERENCE_PRECISION_HINT": precision}
    if threads:
        options["INFERENCE_NUM_THREADS"] = threads
    return ov.Core().compile_model(model, "CPU", options)
