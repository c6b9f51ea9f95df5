import numpy as np
import pytest

from verifier.domain.observations import HandSeen, Observation
from verifier.train.crop_sets import CropCollector, load_hands
from verifier.train.crops import HAND_INPUT, hand_crop, hand_points

BOX = (100.0, 50.0, 200.0, 130.0)


def spot_picture(x: float, y: float) -> np.ndarray:
    """A dark picture with one bright dot."""
    ys, xs = np.mgrid[:300, :300]
    dot = np.exp(-((xs - x) ** 2 + (ys - y) ** 2) / 18.0) * 255
    return np.repeat(dot[:, :, None], 3, axis=2).astype(np.uint8)


@pytest.mark.parametrize("spot", [(120.0, 60.0), (150.0, 90.0), (195.0, 125.0)])
def test_keypoints_fall_where_the_crop_shows_them(spot: tuple[float, float]) -> None:
    crop = hand_crop(spot_picture(*spot), BOX)[:, :, 0].astype(float)
    ys, xs = np.mgrid[: HAND_INPUT[1], : HAND_INPUT[0]]
    seen = np.array([(xs * crop).sum(), (ys * crop).sum()]) / crop.sum()
    points = hand_points([(*spot, 1.0)] * 21, BOX)
    assert points.shape == (21, 3)
    assert points[0, :2] * HAND_INPUT - 0.5 == pytest.approx(seen, abs=1.0)


def test_unknown_keypoints_stay_unknown_in_the_file(tmp_path) -> None:
    known = [(150.0, 90.0, 0.5)] * 21
    hand = HandSeen(id=1, owner="player", side="left", facing="edge", p=1, box=BOX, fingers=3, keypoints=known)
    blank = HandSeen(id=2, owner="unknown", side="right", facing="palm", p=1, box=BOX)
    collector = CropCollector()
    collector.add(spot_picture(150, 90), Observation(t=0, frame=0, hands=[hand, blank]), np.random.default_rng(0))
    collector.save(tmp_path / "train-0.npz")
    crops, labels, points = load_hands([tmp_path / "train-0.npz"])
    assert crops.shape == (2, HAND_INPUT[1], HAND_INPUT[0], 3)
    assert labels.tolist() == [[0, 2, 3, 1], [1, 1, -1, -1]]
    assert abs(points[0, 0, :2] - 0.5).max() < 0.1 and points[0, 0, 2] == 0.5
    assert np.isnan(points[1]).all()


def test_files_of_older_programs_are_read(tmp_path) -> None:
    crops = np.full((3, 96, 96, 3), 90, np.uint8)
    np.savez(tmp_path / "train-0.npz", hands=crops, hands_labels=np.zeros((3, 4), np.int8))
    crops, labels, points = load_hands([tmp_path / "train-0.npz"])
    assert crops.shape[1:] == (HAND_INPUT[1], HAND_INPUT[0], 3) and (crops == 90).all()
    assert labels.shape == (3, 4) and np.isnan(points).all()
