"""The OpenVINO runtime: the models run on this computer's processor, or on a graphics card that it is told to use."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any, Final

import cv2
import numpy as np
import openvino as ov
from openvino.preprocess import ColorFormat, PrePostProcessor

from verifier.domain.errors import BadInput
from verifier.vision.geometry import Floats

DEVICE_VARIABLE: Final = "VERIFIER_DEVICE"
MODELS_VARIABLE: Final = "VERIFIER_MODELS"
PROCESSOR: Final = Path("/proc/cpuinfo")
MATRIX_UNITS: Final = "amx_bf16"
LATER_BYTE_UNITS: Final = "avx_vnni"
BYTES_QUICKER: Final = ("x86_64", "amd64")
"""Families of processors that multiply bytes quicker than float32, by whatever units (docs/speed.md)."""
RESTORE: Final = f"restore the models folder from the release, or set {MODELS_VARIABLE} to a folder that holds it"


def read_model(path: Path) -> Any:
    """Return an OpenVINO model of an ONNX or OpenVINO file. Raises BadInput if it cannot be read as one."""
    try:
        return ov.Core().read_model(str(path))
    except RuntimeError as error:
        raise BadInput(path, "cannot be read as a model", RESTORE) from error


def with_byte_pictures(model: Any) -> Any:
    """Let the model take pictures (n, height, width, 3) uint8 blue-first instead of NCHW float RGB 0..1."""
    steps = PrePostProcessor(model)
    entry = steps.input()
    entry.tensor().set_element_type(ov.Type.u8).set_layout(ov.Layout("NHWC")).set_color_format(ColorFormat.BGR)
    entry.preprocess().convert_element_type(ov.Type.f32).convert_color(ColorFormat.RGB).scale(255.0)
    entry.model().set_layout(ov.Layout("NCHW"))
    return steps.build()


def best_precision() -> str:
    """ "bf16" where this processor is quicker in bfloat16, else "int8" where it is in whole numbers, else "f32".

    Intel's are quicker in bfloat16 by their matrix units (AMX) alone; AMD's that multiply bytes in the later way
    (AVX-VNNI) are quicker in whole numbers, those before in bfloat16, where they have it. Without bfloat16 whole
    numbers are quicker with any units, AVX2's too (docs/speed.md).
    """
    if device() == "GPU":
        return "f32"
    core = ov.Core()
    intel = "Intel" in core.get_property("CPU", "FULL_DEVICE_NAME")
    if has_bfloat16() and (_has(MATRIX_UNITS) if intel else not _has(LATER_BYTE_UNITS)):
        return "bf16"
    whole = "INT8" in core.get_property("CPU", "OPTIMIZATION_CAPABILITIES")
    return "int8" if whole and platform.machine().lower() in BYTES_QUICKER else "f32"


def has_bfloat16() -> bool:
    """Tell whether this processor computes in bfloat16 by itself."""
    return "BF16" in ov.Core().get_property("CPU", "OPTIMIZATION_CAPABILITIES")


def _has(flag: str) -> bool:
    """Tell whether the processor's flags name it; False if the system does not tell them."""
    return PROCESSOR.exists() and flag in PROCESSOR.read_text().split()


@dataclass(slots=True)
class _OneThread:
    """How many keep OpenCV to one thread now, and how many it had `before` the first of them: it is one per process."""

    inside: int = 0
    before: int = 1
    lock: Lock = field(default_factory=Lock)


_one_thread: Final = _OneThread()


@contextmanager
def opencv_on_one_thread() -> Iterator[None]:
    """Keep OpenCV to the calling thread: where stages fill the cores, its own threads spin while they wait.

    Where several overlap it has its threads back when the last one leaves.
    """
    with _one_thread.lock:
        if not _one_thread.inside:
            _one_thread.before = cv2.getNumThreads()
            cv2.setNumThreads(1)
        _one_thread.inside += 1
    try:
        yield
    finally:
        with _one_thread.lock:
            _one_thread.inside -= 1
            if not _one_thread.inside:
                cv2.setNumThreads(_one_thread.before)


def device() -> str:
    """OpenVINO's name of what computes: "CPU", or "GPU" as `VERIFIER_DEVICE` tells.

    `cpu` (also where nothing is told), `gpu`, or `auto`: a graphics card where OpenVINO knows one. Raises BadInput for
    another word, and where `gpu` is told and none is known.
    """
    told = (os.environ.get(DEVICE_VARIABLE) or "cpu").lower()
    if told not in ("cpu", "gpu", "auto"):
        raise BadInput(DEVICE_VARIABLE, f"found {told!r}, expected cpu, gpu or auto", "correct it, or leave it out")
    if told == "cpu":
        return "CPU"
    known = any(name.split(".")[0] == "GPU" for name in ov.Core().available_devices)
    if told == "gpu" and not known:
        remedy = "install the card's OpenCL driver, or leave the variable out"
        raise BadInput(DEVICE_VARIABLE, "OpenVINO finds no graphics card here (it knows those of Intel)", remedy)
    return "GPU" if known else "CPU"


def cores() -> int:
    """Processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def compile_model(model: Any, *, streams: int, threads: int = 0, precision: str = "f32") -> Any:
    """Compiles for `device()`; `streams` requests run at once, `threads` 0 leaves the count to OpenVINO.

    `precision` "bf16" is that of the sums' factors on a processor; weights and results are float32 either way. With
    "int8", which is a matter of the model's file, what that leaves open is float32. A graphics card computes in float32
    and has no threads.
    """
    where = device()
    hint = "bf16" if precision == "bf16" and where == "CPU" else "f32"
    options: dict[str, Any] = {"NUM_STREAMS": streams, "INFERENCE_PRECISION_HINT": hint}
    if where == "CPU":
        options["ENABLE_CPU_PINNING"] = False  # several networks at work would all be held to the same first cores
    if threads and where == "CPU":
        options["INFERENCE_NUM_THREADS"] = threads
    return ov.Core().compile_model(model, where, options)


@dataclass(frozen=True, slots=True)
class Requests:
    """A compiled network and its requests that are done.

    A request holds its outputs until it runs again: who takes one has it alone, on whatever thread, until it is back.
    """

    network: Any
    _free: list[Any] = field(default_factory=list)

    def take(self) -> Any:
        """Return a request that is done, or a new one where none is."""
        try:
            return self._free.pop()
        except IndexError:
            return self.network.create_infer_request()

    def give_back(self, request: Any) -> None:
        """Take back a request whose outputs are read."""
        self._free.append(request)

    def run(self, pictures: Any) -> list[Floats]:
        """Return the network's outputs for pictures (n, h, w, 3) uint8 blue-first, in its order."""
        request = self.take()
        request.infer({0: pictures}, share_inputs=True)
        outputs = [np.array(tensor.data) for tensor in request.output_tensors]
        self.give_back(request)
        return outputs
