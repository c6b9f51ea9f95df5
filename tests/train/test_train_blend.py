"""The mean of several detectors' weights."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import numpy as np
import pytest

from verifier.domain.errors import BadInput
from verifier.train.blend import blended

MODELS = Path(__file__).parents[2] / "models"
SHIPPED = [*sorted(MODELS.glob("*.onnx")), *sorted(MODELS.glob("checkpoints/*.pt"))]


class Weights(np.ndarray):
    """An array with the few manners of a tensor that averaging needs."""

    def float(self) -> Weights:
        return self.astype(np.float32).view(Weights)

    def is_floating_point(self) -> bool:
        return self.dtype.kind == "f"


def weights(*values: float, kind: str = "f4") -> Weights:
    return np.array(values, kind).view(Weights)


def test_weights_are_averaged_and_counters_are_the_last_networks() -> None:
    one = {"w": weights(0.0, 2.0), "n": weights(3, kind="i8")}
    other = {"w": weights(1.0, 4.0), "n": weights(5, kind="i8")}
    mean = blended([one, other])
    assert mean["w"].tolist() == [0.5, 3.0]
    assert mean["n"].tolist() == [5]


def test_other_networks_are_refused() -> None:
    with pytest.raises(BadInput, match="different networks"):
        blended([{"w": weights(0.0)}, {"w": weights(0.0, 1.0)}])
    with pytest.raises(BadInput):
        blended([{"w": weights(0.0)}, {"v": weights(0.0)}])


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_what_ships_names_no_file_of_the_computer_that_made_it(path: Path) -> None:
    content = path.read_bytes()
    if path.suffix == ".pt":
        with zipfile.ZipFile(path) as archive:
            content = b"".join(archive.read(name) for name in archive.namelist() if name.endswith("data.pkl"))
    assert content
    assert re.findall(rb"/[\w.-]+/[\w./-]*\.(?:pt|yaml)", content) == []
