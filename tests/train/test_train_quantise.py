"""The ranges of the networks in whole numbers are those of simulated tables and of real photos."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from verifier.train.quantise import WINDOWS, real_windows


@pytest.mark.parametrize(("cards", "hands", "pictures"), [(0, 0, 0), (3, 2, 2), (2 * WINDOWS, 0, WINDOWS // 2)])
def test_windows_of_real_photos_stand_beside_each_other(tmp_path: Path, cards: int, hands: int, pictures: int) -> None:
    folder = tmp_path / "images" / "train"
    folder.mkdir(parents=True)
    names = [f"real-1-cards-{n:05d}" for n in range(cards)] + [f"real-1-hands-{n:05d}" for n in range(hands)]
    for name in [*names, "real-1-pasted-00001", "own-00001"]:
        cv2.imwrite(str(folder / f"{name}.png"), np.zeros((64, 64, 3), np.uint8))
    found = real_windows(tmp_path)
    assert [one.shape for one in found] == [(64, 128, 3)] * pictures
