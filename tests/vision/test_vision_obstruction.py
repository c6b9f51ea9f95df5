from __future__ import annotations

import pickle

import cv2
import numpy as np
import pytest

from verifier.domain.observations import Drift
from verifier.vision.detection import CARD_UP, HAND, Detection
from verifier.vision.obstruction import ObstructionMeter
from verifier.vision.quality import QualityMeter


@pytest.fixture
def table() -> np.ndarray:
    """Green felt with printed circles and lines, 640 x 360."""
    picture = np.full((360, 640, 3), (50, 110, 40), np.uint8)
    for x in range(80, 640, 120):
        cv2.circle(picture, (x, 120), 40, (210, 220, 215), 5)
        cv2.line(picture, (x - 60, 260), (x + 40, 300), (210, 220, 215), 6)
    noise = np.random.default_rng(1).integers(-6, 7, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def hidden(table: np.ndarray, now: np.ndarray, found: tuple[Detection, ...] = (), drift: Drift | None = None) -> float:
    meter = ObstructionMeter()
    assert meter.measure(table, [], None) == 0.0
    return meter.measure(now, found, drift)


@pytest.mark.parametrize("gain", [0.3, 0.6, 1.15])
def test_light_hides_nothing(table: np.ndarray, gain: float) -> None:
    assert hidden(table, (table * gain).astype(np.uint8)) == 0.0


def test_a_cover_hides_what_it_covers(table: np.ndarray) -> None:
    covered = table.copy()
    covered[:, :320] = (90, 120, 175)
    assert hidden(table, covered) == pytest.approx(0.5, abs=0.08)


def test_a_hand_over_the_lens_hides_all_whatever_its_colour(table: np.ndarray) -> None:
    for colour in [(40, 60, 80), (50, 110, 40), (120, 150, 210)]:
        assert hidden(table, np.full_like(table, colour)) == 1.0


def test_thick_dirt_hides_and_thin_dirt_does_not(table: np.ndarray) -> None:
    grey = np.full_like(table, 90)
    assert hidden(table, cv2.addWeighted(table, 0.15, grey, 0.85, 0)) > 0.5
    assert hidden(table, cv2.addWeighted(table, 0.8, grey, 0.2, 0)) < 0.05


def test_cards_hide_nothing_and_hands_do(table: np.ndarray) -> None:
    now = table.copy()
    now[100:260, 200:320] = (235, 235, 235)
    box = np.asarray([260, 180, 120, 160, 0], np.float32)
    assert hidden(table, now) > 0.05
    assert hidden(table, now, (Detection(HAND, 0.9, box),)) > 0.05
    assert hidden(table, now, (Detection(CARD_UP, 0.9, box),)) < 0.02


def test_a_moved_table_is_not_hidden(table: np.ndarray) -> None:
    turn = cv2.getRotationMatrix2D((320, 180), -2.5, 1.0)
    turn[:, 2] += (14, -9)
    now = cv2.warpAffine(table, turn, (640, 360), borderMode=cv2.BORDER_REPLICATE)
    drift = Drift(dx=14.0, dy=-9.0, roll=2.5, scale=1.0, p=0.99)
    assert hidden(table, now, drift=drift) < 0.06 < hidden(table, now)


@pytest.mark.parametrize("size", [(640, 360), (640, 480), (704, 576), (480, 640)])
def test_a_moved_table_is_not_hidden_whatever_the_pictures_shape(table: np.ndarray, size: tuple[int, int]) -> None:
    whole = cv2.resize(table, size)
    turn = cv2.getRotationMatrix2D((size[0] / 2, size[1] / 2), -2.5, 1.02)
    turn[:, 2] += (9, -30)
    now = cv2.warpAffine(whole, turn, size, borderMode=cv2.BORDER_REPLICATE)
    drift = Drift(dx=9.0, dy=-30.0, roll=2.5, scale=1.02, p=0.99)
    assert hidden(whole, now, drift=drift) < 0.12 < hidden(whole, now)


@pytest.mark.parametrize("bare_before", [0, 1], ids=["cards from the start", "bare at first"])
def test_where_cards_lay_for_long_the_table_is_remembered_or_waited_for(table: np.ndarray, bare_before: int) -> None:
    now = table.copy()
    now[100:260, 200:320] = (235, 235, 235)
    card = Detection(CARD_UP, 0.9, np.asarray([260, 180, 120, 160, 0], np.float32))
    meter = ObstructionMeter()
    for _ in range(bare_before):
        meter.measure(table, [], None)
    for _ in range(300):
        meter.measure(now, [card], None)
    assert max(meter.measure(table, [], None) for _ in range(3)) < 0.02
    assert meter.measure(now, [], None) > 0.05


def test_a_later_stretch_knows_where_the_table_was_never_seen_bare(table: np.ndarray) -> None:
    now = table.copy()
    now[100:260, 200:320] = (235, 235, 235)
    card = Detection(CARD_UP, 0.9, np.asarray([260, 180, 120, 160, 0], np.float32))
    first = QualityMeter()
    for t in range(5):
        first.measure(float(t), now, [card])
    later = QualityMeter(None, pickle.loads(pickle.dumps(first.bearings)))
    assert later.measure(120.0, table, []).obstructed < 0.02
    assert later.measure(121.0, now, []).obstructed > 0.05
