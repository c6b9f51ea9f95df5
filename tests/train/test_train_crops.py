import cv2
import numpy as np
import pytest

from verifier.domain.observations import CardSeen
from verifier.train.crop_sets import RANK_CLASSES, UNREADABLE, CropCollector, card_labels, load_crops
from verifier.train.crops import card_crop, chip_crop, hand_crop, jittered
from verifier.train.labels import rectangle
from verifier.vision import crops as vision_crops

RNG = np.random.default_rng(3)
NOISE = cv2.resize(RNG.integers(0, 255, (30, 30, 3)).astype(np.uint8), (300, 300), interpolation=cv2.INTER_CUBIC)


def corners(x: float, y: float, w: float, h: float, angle: float) -> np.ndarray:
    return cv2.boxPoints(((x, y), (w, h), angle))


def test_a_card_is_straightened_with_its_margin() -> None:
    image = np.zeros((300, 300, 3), np.uint8)
    quad = corners(150, 140, 50, 70, 30)
    cv2.fillPoly(image, [np.round(quad * 16).astype(np.int32)], (255, 255, 255), cv2.LINE_AA, 4)
    crop = card_crop(image, rectangle(quad))
    assert crop.shape == (96, 64, 3)
    inside = crop[10:86, 8:56].mean()
    edge = np.concatenate([crop[:3].ravel(), crop[-3:].ravel(), crop[:, :2].ravel(), crop[:, -2:].ravel()]).mean()
    assert inside > 250 and edge < 15


@pytest.mark.parametrize(("w", "h", "angle"), [(50, 70, 20), (120, 168, -40), (30, 42, 75)])
def test_training_and_reviewing_cut_cards_alike(w: float, h: float, angle: float) -> None:
    quad = corners(150, 150, w, h, angle)
    centre, sides, turn = rectangle(quad)
    mine = card_crop(NOISE, (centre, sides, turn)).astype(int)
    radians = np.radians(turn)
    across = np.array([np.cos(radians), np.sin(radians)]) * sides[0] / 2
    down = np.array([-np.sin(radians), np.cos(radians)]) * sides[1] / 2
    ordered = np.array(centre) + np.stack([-across - down, across - down, across + down, down - across])
    theirs = vision_crops.card_crop(NOISE, ordered.astype(np.float32), (64, 96)).astype(int)
    assert np.abs(mine - theirs).mean() < 1.5


def test_training_and_reviewing_cut_chips_and_hands_alike() -> None:
    chip = vision_crops.chip_crop(NOISE, (120.0, 90.0), 14.0, (32, 32)).astype(int)
    assert np.abs(chip - chip_crop(NOISE, (120.0, 90.0), 14.0)).mean() < 1.5
    box = (60.0, 50.0, 180.0, 220.0)
    hand = vision_crops.hand_crop(NOISE, box, (128, 128)).astype(int)
    assert np.abs(hand - hand_crop(NOISE, box)).mean() < 1.5


def test_jitter_stays_within_what_a_detector_errs() -> None:
    rng = np.random.default_rng(0)
    for _ in range(300):
        (x, y), (w, h), angle = jittered(((100.0, 100.0), (50.0, 70.0), 0.0), rng)
        assert abs(x - 100) <= 6.1 and abs(y - 100) <= 8.5
        assert 0.86 < w / 50 < 1.16 and 0.86 < h / 70 < 1.16 and abs(angle) <= 12


@pytest.mark.parametrize(
    ("face", "visible", "width", "expected"),
    [
        ("up", 1.0, 50, "7"),
        ("up", None, 50, "7"),
        ("up", 0.1, 50, UNREADABLE),
        ("up", 1.0, 12, UNREADABLE),
        ("down", 1.0, 50, UNREADABLE),
    ],
)
def test_what_counts_as_unreadable(face: str, visible: float | None, width: float, expected: str) -> None:
    quad = tuple(map(tuple, corners(100, 100, width, width * 1.4, 5).tolist()))
    up = face == "up"
    card = CardSeen(
        id=1, face=face, p=1, quad=quad, rank="7" if up else None, suit="h" if up else None, visible=visible
    )  # type: ignore[arg-type]
    assert RANK_CLASSES[card_labels(card)[0]] == expected


def test_crops_survive_the_file(tmp_path) -> None:
    from verifier.domain.observations import ChipSeen, HandSeen, Observation

    quad = tuple(map(tuple, corners(100, 100, 50, 70, 5).tolist()))
    truth = Observation(
        t=0,
        frame=0,
        cards=[CardSeen(id=1, face="up", p=1, quad=quad, rank="K", suit="s")],
        chips=[ChipSeen(id=2, colour="green", p=1, center=(200, 200), radius=12)],
        hands=[HandSeen(id=3, owner="player", side="right", facing="palm", p=1, box=(150, 50, 250, 150), fingers=2)],
    )
    collector = CropCollector()
    for _ in range(4):
        collector.add(NOISE, truth, np.random.default_rng(1))
    collector.save(tmp_path / "train-0.npz")
    crops, labels = load_crops([tmp_path / "train-0.npz"], "hands")
    assert crops.shape == (4, 128, 128, 3) and labels.tolist() == [[1, 1, 2, 1]] * 4
    assert load_crops([tmp_path / "train-0.npz"], "chips")[1].tolist() == [[4]] * 4
