"""NumPy archives of ours: a small file that unfolds to a huge one costs nothing."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest

from verifier.formats import arrays
from verifier.formats.arrays import arrays_in
from verifier.recording.timeline import DAMAGED, Timeline
from verifier.vision.quality import Bearings


def test_arrays_come_back(tmp_path: Path) -> None:
    np.savez_compressed(tmp_path / "kept.npz", one=np.arange(3))
    with arrays_in(tmp_path / "kept.npz") as kept:
        assert kept["one"].tolist() == [0, 1, 2]


@pytest.mark.parametrize(("most", "refused"), [(8 * 1000 + 128, False), (8 * 1000 + 127, True)])
def test_an_archive_that_unfolds_too_far_is_refused(
    most: int, refused: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    np.savez_compressed(tmp_path / "kept.npz", one=np.zeros(1000))
    monkeypatch.setattr(arrays, "MOST_ARRAY_BYTES", most)
    if not refused:
        with arrays_in(tmp_path / "kept.npz") as kept:
            assert kept["one"].size == 1000
        return
    for read in (Timeline.read, Bearings.read):
        with pytest.raises(ValueError, match="unfolds"):
            read(tmp_path / "kept.npz")


def test_a_head_that_tells_of_an_endless_array_is_damage(tmp_path: Path) -> None:
    head = io.BytesIO()
    np.lib.format.write_array_header_1_0(head, {"descr": "<f8", "fortran_order": False, "shape": (1 << 57,)})
    with zipfile.ZipFile(tmp_path / "kept.npz", "w") as archive:
        archive.writestr("facts.npy", head.getvalue())
    with pytest.raises(DAMAGED):
        Timeline.read(tmp_path / "kept.npz")


def test_what_is_no_archive_is_damage(tmp_path: Path) -> None:
    np.save(tmp_path / "kept.npy", np.zeros(3))
    with pytest.raises(DAMAGED), arrays_in(tmp_path / "kept.npy"):
        pass
