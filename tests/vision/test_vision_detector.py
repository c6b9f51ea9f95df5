from __future__ import annotations

import math
import time
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import openvino as ov
import pytest
from openvino import opset13 as ops
from vision_fakes import detection

from verifier.domain.errors import BadInput
from verifier.vision.detection import CLASSES, WATCHING, without_doubles
from verifier.vision.detector import SIZES, Detector
from verifier.vision.fitting import fit, side_for
from verifier.vision.geometry import any_near, corners, extent, likeness, share_inside, suppress, upright
from verifier.vision.models import ModelCard, ModelFile
from verifier.vision.runtime import Requests, compile_model


def saved(path: Path, output: np.ndarray) -> None:
    """A network that answers every picture with `output`."""
    images = ops.parameter([-1, 3, -1, -1], ov.Type.f32, name="images")
    zero = ops.multiply(ops.reduce_sum(images, ops.constant([0, 1, 2, 3]), False), ops.constant(0.0, ov.Type.f32))
    model = ov.Model([ops.add(zero, ops.constant(output.astype(np.float32)))], [images], "fixed")
    model.inputs[0].set_names({"images"})
    ov.save_model(model, str(path), compress_to_fp16=False)


def detector(tmp_path: Path, output: np.ndarray, **facts: object) -> Detector:
    path = tmp_path / "detector.xml"
    saved(path, output)
    return Detector(ModelFile("detector", path, ModelCard(classes=list(CLASSES), **facts), "0"), long_side=640)


BOX = (320.0, 160.0, 40.0, 60.0)
RAW = np.zeros((1, 9, 40))
RAW[0, :, 3] = [*BOX, 0.9, 0.1, 0.0, 0.0, 0.25]
RAW[0, :, 7] = [322, 161, 40, 60, 0.7, 0.0, 0.0, 0.0, 0.25]
RAW[0, :, 9] = [100, 100, 20, 20, 0.0, 0.0, 0.8, 0.0, 0.0]
RAW[0, :, 11] = [500, 100, 20, 20, 0.0, 0.0, 0.2, 0.0, 0.0]
END = np.zeros((1, 300, 7))
END[0, 0] = [*BOX, 0.9, 0, 0.25]
END[0, 1] = [100, 100, 20, 20, 0.8, 2, 0.0]


@pytest.mark.parametrize("output", [RAW, END], ids=["raw head", "end to end"])
def test_both_output_layouts_give_the_same_objects_in_original_pixels(tmp_path: Path, output: np.ndarray) -> None:
    found = detector(tmp_path, output).detect(np.zeros((720, 1280, 3), np.uint8))
    assert [(d.kind, round(d.p, 3)) for d in found] == [("card_up", 0.9), ("chip", 0.8)]
    assert found[0].box == pytest.approx([640, 320, 80, 120, 0.25])
    assert found[1].upright == pytest.approx((180, 180, 220, 220))


def test_a_stream_keeps_the_order(tmp_path: Path) -> None:
    picture, parts = np.zeros((360, 640, 3), np.uint8), [(0, 0, 640, 200), (0, 0, 640, 360)]
    pictures = [(n, picture, parts[n % 2 :]) for n in range(9)]
    results = list(detector(tmp_path, RAW).stream(iter(pictures)))
    assert [key for key, _ in results] == list(range(9))
    assert all(len(found) == 2 for _, found in results)


@pytest.mark.parametrize("parts", [1, 2])
def test_what_one_parts_edge_cuts_does_not_count_though_it_lies_whole_in_another(tmp_path: Path, parts: int) -> None:
    bounds = [(0, 0, 340, 352), (160, 0, 640, 352)]
    picture = np.zeros((360, 640, 3), np.uint8)
    ((_, found),) = detector(tmp_path, RAW).stream([(0, picture, bounds[:parts])])
    # the card lies at 320 from where a part begins: at the first part's right edge, in the middle of the second
    assert [d.centre[0] for d in found if d.kind == "card_up"] == [480.0][: parts - 1]


def test_recordings_of_many_sizes_leave_few_networks_behind_and_none_is_built_twice_for_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built: list[weakref.ref[object]] = []

    def compiled(*arguments: object, **options: object) -> object:
        network = compile_model(*arguments, **options)
        built.append(weakref.ref(network))
        return network

    monkeypatch.setattr("verifier.vision.detector.compile_model", compiled)
    watching, picture = detector(tmp_path, RAW), np.zeros((360, 640, 3), np.uint8)
    for side in (640, 320, 480, 800, 960):
        parts = [[(0, 0, 640, 32 * n)] for n in (2, 4, 6, 8)] * 3
        list(watching.stream(((n, picture, part) for n, part in enumerate(parts)), side))
    assert len(built) == 20
    assert sum(one() is not None for one in built) <= SIZES


def test_threads_that_share_a_detector_build_one_network_for_a_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built: list[object] = []

    def compiled(*arguments: object, **options: object) -> object:
        time.sleep(0.05)
        built.append(compile_model(*arguments, **options))
        return built[-1]

    monkeypatch.setattr("verifier.vision.detector.compile_model", compiled)
    watching, picture = detector(tmp_path, RAW), np.zeros((360, 640, 3), np.uint8)
    with ThreadPoolExecutor(4) as pool:
        seen = list(pool.map(lambda n: list(watching.stream([(n, picture, [(0, 0, 640, 352)])])), range(40)))
    assert len(built) == 1
    assert [len(found) for ((_, found),) in seen] == [2] * 40


class Network:
    """A stand-in for a compiled network."""

    def create_infer_request(self) -> object:
        return object()


class Raced(list[object]):
    """A list from which another thread takes the last one as soon as it is known to have any."""

    def __bool__(self) -> bool:
        return True


def test_a_request_is_with_who_took_it_until_it_is_back() -> None:
    requests = Requests(Network(), Raced())
    first, second = requests.take(), requests.take()
    assert first is not second
    requests.give_back(first)
    assert requests.take() is first


def test_the_cards_calibration_changes_p_and_its_thresholds_hold(tmp_path: Path) -> None:
    picture = np.zeros((360, 640, 3), np.uint8)
    (card, chip) = detector(tmp_path, RAW, calibration={"card_up": (1.0, -1.0)}).detect(picture)
    assert {card.kind: card.p, chip.kind: chip.p}["card_up"] == pytest.approx(1 / (1 + math.exp(1) / 9), abs=1e-4)
    assert [d.kind for d in detector(tmp_path, RAW, thresholds={"chip": 0.85}).detect(picture)] == ["card_up"]


def test_another_models_classes_are_refused(tmp_path: Path) -> None:
    saved(tmp_path / "detector.xml", RAW)
    with pytest.raises(BadInput, match="restore the models folder"):
        Detector(ModelFile("detector", tmp_path / "detector.xml", ModelCard(classes=["dog"]), "0"))


@pytest.mark.parametrize(
    ("size", "shape"), [((1280, 720), (544, 960)), ((300, 200), (640, 960)), ((7, 900), (960, 32))]
)
def test_pictures_are_padded_to_the_stride(size: tuple[int, int], shape: tuple[int, int]) -> None:
    fitted = fit(np.zeros((size[1], size[0], 3), np.uint8), 960)
    assert fitted.blob.shape[1:3] == shape
    assert fitted.scale == 960 / max(size)


def test_corners_run_clockwise_from_a_short_side() -> None:
    lying = corners(100, 100, 60, 40, 0.0)
    assert np.linalg.norm(lying[1] - lying[0]) == pytest.approx(40)
    for box in ([100, 100, 60, 40, 0.0], [100, 100, 40, 60, 0.7], [50, 80, 30, 90, -2.0]):
        quad = corners(*box)
        x, y = quad[:, 0], quad[:, 1]
        assert np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)) == pytest.approx(2 * box[2] * box[3], rel=1e-3)


def test_upright_boxes_ignore_a_quarter_turn() -> None:
    for box in ((100, 100, 60, 40, 0.1), (100, 100, 40, 60, math.pi / 2 + 0.1)):
        assert upright(*box) == pytest.approx((70, 80, 130, 120))


def test_an_extent_holds_the_corners() -> None:
    box = (50, 80, 30, 90, 0.7)
    quad = corners(*box)
    assert extent(*box) == pytest.approx((*quad.min(axis=0), *quad.max(axis=0)))


def test_likeness_is_one_for_the_same_box_and_falls_with_distance() -> None:
    boxes = np.array(
        [[0, 0, 40, 60, 0.3], [0, 0, 60, 40, 0.3 + math.pi / 2], [30, 0, 40, 60, 0.3], [300, 0, 40, 60, 0.3]]
    )
    table = likeness(boxes.astype(np.float32), boxes.astype(np.float32))
    assert table[0, 1] > 0.99
    assert 0.05 < table[0, 2] < 0.5
    assert table[0, 3] < 0.01


def test_overlapping_cards_and_fanned_chips_are_no_doubles() -> None:
    scale = 0.5
    hand = [
        detection("card_up", 100, 100, 63 * scale, 88 * scale),
        detection("card_up", 85, 121, 63 * scale, 88 * scale),
    ]
    across = [
        detection("card_up", 200, 100, 63 * scale, 88 * scale),
        detection("card_up", 185, 121, 88 * scale, 63 * scale),
    ]
    fan = [detection("chip", 300 + 24 * scale * n, 100, 39 * scale, 39 * scale) for n in range(4)]
    assert len(without_doubles([*hand, *across, *fan])) == 8


def test_a_card_is_face_up_or_down_and_a_hand_above_it_stays() -> None:
    found = [
        detection("card_up", 100, 100, 40, 60, 0.6),
        detection("card_down", 101, 100, 40, 60, 0.8),
        detection("hand", 100, 100, 44, 60, 0.7),
    ]
    assert [d.kind for d in without_doubles(found)] == ["card_down", "hand"]


def test_suppression_keeps_the_best_of_each() -> None:
    boxes = np.array([[0, 0, 40, 60, 0], [1, 1, 40, 60, 0], [200, 0, 40, 60, 0]], np.float32)
    assert suppress(boxes, np.array([0.5, 0.9, 0.4], np.float32), 0.45).tolist() == [1, 2]


def test_boxes_that_are_not_compared_are_not_alike() -> None:
    chance = np.random.default_rng(7)
    near = 0
    for _ in range(3000):
        centres, sides, angles = (
            chance.uniform(0, 120, (2, 2)),
            chance.uniform(3, 90, (2, 2)),
            chance.uniform(-3, 3, (2, 1)),
        )
        pair = np.hstack([centres, sides, angles]).astype(np.float32)
        near += any_near(pair, 0.45)
        assert any_near(pair, 0.45) or likeness(pair, pair)[0, 1] < 0.45
    assert near < 1500


def test_what_covers_half_of_another_stays_if_both_are_sure() -> None:
    strip = [detection("card_up", 100, 100, 63, 88, 0.95), detection("card_up", 122, 100, 63, 88, 0.9)]
    tight = [detection("chip", 300, 100, 39, 39, 0.95), detection("chip", 316, 100, 39, 39, 0.9)]
    assert len(without_doubles([*strip, *tight])) == 4
    assert len(without_doubles([*strip, *tight], WATCHING)) == 3
    unsure = [detection("card_up", 122, 100, 63, 88, 0.5), detection("chip", 316, 100, 39, 39, 0.5)]
    assert len(without_doubles([strip[0], tight[0], *unsure])) == 2


def test_what_is_nearly_in_the_same_place_is_one_however_sure() -> None:
    strip = [detection("card_up", 100, 100, 63, 88, 0.95), detection("card_up", 108, 100, 63, 88, 0.95)]
    chips = [detection("chip", 300, 100, 39, 39, 0.95), detection("chip", 308, 100, 39, 39, 0.95)]
    hands = [detection("hand", 100, 300, 80, 80, 0.95), detection("hand", 120, 300, 80, 80, 0.95)]
    assert len(without_doubles([*strip, *chips, *hands])) == 3


def test_the_share_of_one_quad_in_another() -> None:
    whole = corners(50, 50, 100, 100, 0)
    part = corners(100, 50, 20, 20, 0)
    assert share_inside(part, whole) == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize(
    ("card", "longest", "side"),
    [
        (63.0, 1920, 960),
        (42.0, 1280, 960),
        (28.0, 1920, 1920),
        (120.0, 1920, 640),
        (20.0, 1280, 1280),
        (50.0, 1920, 1280),
    ],
)
def test_a_card_is_wide_enough_for_the_network_and_no_wider(card: float, longest: int, side: int) -> None:
    assert side_for(card, longest) == side


def test_a_stream_takes_chips_that_lie_close_from_a_nearer_look_and_all_else_from_the_first(tmp_path: Path) -> None:
    row = RAW.copy()
    row[0, :, 13] = [114, 100, 20, 20, 0.0, 0.0, 0.8, 0.0, 0.0]
    picture = np.zeros((960, 1280, 3), np.uint8)
    ((_, found),) = detector(tmp_path, row).stream([(0, picture, [(0, 0, 1280, 960)])])
    assert [(d.kind, *d.centre) for d in found if d.kind == "card_up"] == [("card_up", 640.0, 320.0)]
    # chips at 200 and 228 by the first look; the square about them begins at 22, 8 and is seen a third larger
    chips = sorted((round(x), round(y)) for x, y in (d.centre for d in found if d.kind == "chip"))
    assert chips == [(172, 158), (193, 158)]


def test_a_picture_at_its_own_size_is_not_looked_at_from_nearer(tmp_path: Path) -> None:
    row = RAW.copy()
    row[0, :, 13] = [114, 100, 20, 20, 0.0, 0.0, 0.8, 0.0, 0.0]
    ((_, found),) = detector(tmp_path, row).stream([(0, np.zeros((480, 640, 3), np.uint8), [(0, 0, 640, 480)])])
    assert sorted(d.centre for d in found if d.kind == "chip") == [(100.0, 100.0), (114.0, 100.0)]
