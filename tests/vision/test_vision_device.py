"""On what the models run: the processor, or a graphics card where there is one and it is wanted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from verifier.domain.errors import BadInput
from verifier.vision import runtime


class FakeCore:
    """An OpenVINO that knows these devices and tells for which one, and how, it compiles."""

    available_devices = ("CPU",)
    get_property: Callable[[Any, str, str], Any]

    def compile_model(self, model: Any, device: str, options: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        return device, options


@pytest.fixture(autouse=True)
def core(monkeypatch: pytest.MonkeyPatch) -> type[FakeCore]:
    class Core(FakeCore):
        pass

    monkeypatch.setattr(runtime.ov, "Core", Core)
    monkeypatch.delenv(runtime.DEVICE_VARIABLE, raising=False)
    return Core


@pytest.mark.parametrize(
    ("told", "cards", "used"),
    [
        (None, ("CPU", "GPU.0"), "CPU"),
        ("auto", ("CPU",), "CPU"),
        ("auto", ("CPU", "GPU.0"), "GPU"),
        ("GPU", ("GPU",), "GPU"),
    ],
)
def test_a_card_is_used_where_it_is_wanted_and_there(
    told: str | None, cards: tuple[str, ...], used: str, core: type[FakeCore], monkeypatch: pytest.MonkeyPatch
) -> None:
    core.available_devices = cards
    if told is not None:
        monkeypatch.setenv(runtime.DEVICE_VARIABLE, told)
    assert runtime.compile_model(None, streams=1)[0] == used


def test_a_card_is_not_asked_for_what_only_a_processor_has(
    core: type[FakeCore], monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = {"streams": 1, "threads": 2, "precision": "bf16"}
    hints = {"INFERENCE_PRECISION_HINT": "bf16", "ENABLE_CPU_PINNING": False, "INFERENCE_NUM_THREADS": 2}
    assert runtime.compile_model(None, **wanted) == ("CPU", {"NUM_STREAMS": 1} | hints)
    core.available_devices = ("CPU", "GPU")
    monkeypatch.setenv(runtime.DEVICE_VARIABLE, "gpu")
    assert runtime.compile_model(None, **wanted) == ("GPU", {"NUM_STREAMS": 1, "INFERENCE_PRECISION_HINT": "f32"})


@pytest.mark.parametrize(("told", "says"), [("gpu", "no graphics card"), ("tpu", "expected cpu, gpu or auto")])
def test_what_cannot_be_used_is_told(told: str, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(runtime.DEVICE_VARIABLE, told)
    with pytest.raises(BadInput, match=says):
        runtime.compile_model(None, streams=1)


@pytest.mark.parametrize(
    ("name", "able", "flags", "machine", "precision"),
    [
        ("AMD EPYC 9R14", ["FP32", "BF16", "INT8"], "avx512_bf16 avx512_vnni", "x86_64", "bf16"),
        ("AMD EPYC", ["FP32", "BF16", "INT8"], "avx512_bf16 avx512_vnni avx_vnni", "x86_64", "int8"),
        ("AMD EPYC", ["FP32", "INT8"], "avx2", "x86_64", "int8"),
        ("Intel(R) Xeon(R) Processor", ["FP32", "BF16", "INT8"], "avx512_bf16 amx_bf16", "x86_64", "bf16"),
        ("Intel(R) Xeon(R) Processor", ["FP32", "BF16", "INT8"], "avx512_bf16 avx512_vnni", "x86_64", "int8"),
        ("Intel(R) Core(TM) i5", ["FP32", "INT8"], "avx2", "x86_64", "int8"),
        ("Intel(R) Core(TM) i5", ["FP32", "INT8"], None, "AMD64", "int8"),
        ("Apple M2", ["FP32", "INT8"], None, "arm64", "f32"),
        ("Intel(R) Core(TM) i5", ["FP32"], "avx2", "x86_64", "f32"),
    ],
    ids=[
        "AMD",
        "AMD with later bytes",
        "AMD with AVX2 alone",
        "Intel with matrix units",
        "Intel without",
        "Intel with AVX2 alone",
        "flags not told",
        "no x86",
        "no bytes",
    ],
)
def test_each_processor_computes_as_it_is_quickest(
    name: str,
    able: list[str],
    flags: str | None,
    machine: str,
    precision: str,
    core: type[FakeCore],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    told = {"OPTIMIZATION_CAPABILITIES": able, "FULL_DEVICE_NAME": name}
    core.get_property = lambda self, device, what: told[what]
    if flags is not None:
        (tmp_path / "cpuinfo").write_text(f"flags\t\t: fpu {flags}\n")
    monkeypatch.setattr(runtime, "PROCESSOR", tmp_path / "cpuinfo")
    monkeypatch.setattr("platform.machine", lambda: machine)
    core.available_devices = ("CPU",)
    assert runtime.best_precision() == precision


@pytest.mark.parametrize(("able", "has"), [(["FP32", "BF16"], True), (["FP32", "INT8"], False)])
def test_bfloat16_is_what_the_processor_tells(able: list[str], has: bool, core: type[FakeCore]) -> None:
    core.get_property = lambda self, device, what: able
    assert runtime.has_bfloat16() is has
