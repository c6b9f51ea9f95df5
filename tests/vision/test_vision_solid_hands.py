"""The shipped reader of hands on ninety-six hands in three dimensions that it never learned from.

`hands/solid.jpg` holds their crops, twelve in a row; `hands/solid.csv` what is true of each (benchmarks/hands.py drew
them, seed 5,400,000). The limits lie below what was measured, by what one weight or another may differ.
"""

from __future__ import annotations

import csv
from pathlib import Path

import cv2
import numpy as np
import pytest

from verifier.vision.models import find_model, form_of
from verifier.vision.readers import Reader, Reading

HERE = Path(__file__).parent / "hands"
SIDE, ACROSS = 128, 12
LEAST = {"side": 0.8, "facing": 0.92, "fingers": 0.66}
SURE = 0.9


@pytest.fixture(scope="module", params=["f32", "int8"])
def readings(request: pytest.FixtureRequest) -> list[Reading]:
    sheet = np.asarray(cv2.imread(str(HERE / "solid.jpg")), np.uint8)
    rows = np.split(sheet, len(sheet) // SIDE)
    crops = [np.ascontiguousarray(crop) for row in rows for crop in np.split(row, ACROSS, axis=1)]
    return Reader(find_model(form_of("hands", request.param, None), None), list(LEAST)).read(crops)


@pytest.mark.parametrize("head", list(LEAST))
def test_solid_hands_are_told(readings: list[Reading], head: str) -> None:
    with (HERE / "solid.csv").open(encoding="utf-8", newline="") as file:
        truth = [row[head] for row in csv.DictReader(file)]
    told = [max(reading[head].items(), key=lambda pair: pair[1]) for reading in readings]
    right = [name == true for (name, _), true in zip(told, truth, strict=True) if true]
    sure = [name == true for (name, p), true in zip(told, truth, strict=True) if true and p >= SURE]
    assert np.mean(right) >= LEAST[head]
    assert np.mean(sure) >= 0.95, "what is surely told is right"
