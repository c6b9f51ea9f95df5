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


def dots(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Dark crops with one bright dot each, and where it lies (shares of the side)."""
    rng = np.random.default_rng(0)
    places = rng.uniform(0.3, 0.7, (count, 2))
    ys, xs = (np.mgrid[:128, :128] + 0.5) / 128
    gaps = (xs - places[:, 0, None, None]) ** 2 + (ys - places[:, 1, None, None]) ** 2
    shine = (30 + 220 * np.exp(-gaps / (2 * 0.04**2))).astype(np.uint8)
    return np.repeat(shine[..., None], 3, axis=3), places


def test_points_follow_the_crop_through_every_change() -> None:
    torch = pytest.importorskip("torch")
    from verifier.train.classifiers import as_input
    from verifier.train.hand_augment import augmented_hands

    crops, places = dots(48)
    points = torch.ones(48, 21, 3)
    points[..., :2] = torch.from_numpy(places).float()[:, None]
    labels = torch.zeros(48, 4, dtype=torch.long)
    images, changed, moved = augmented_hands(
        as_input(torch.from_numpy(crops)), labels, points, torch.Generator().manual_seed(1)
    )
    assert labels.sum() == 0 and set(changed[:, 0].tolist()) == {0, 1}
    assert set(changed[:, 3].tolist()) == {0, -1}
    assert (changed[:, 1:3] == 0).all()
    off = []
    for image, (x, y) in zip(images.mean(1), moved[:, 0, :2].tolist(), strict=True):
        row, column = divmod(int(torch.nn.functional.avg_pool2d(image[None], 9, 1, 4).argmax()), 128)
        off.append(np.hypot((column + 0.5) / 128 - x, (row + 0.5) / 128 - y))
    assert np.median(off) < 0.03
    assert (abs(moved[:, 0, :2].numpy() - places).max(1) > 0.1).any()


def test_a_reader_of_hands_learns_and_reads_the_same_after_export(tmp_path) -> None:
    torch = pytest.importorskip("torch")
    from verifier.train.classifiers import ReaderPlan
    from verifier.train.crop_sets import HEADS
    from verifier.train.export import export_reader
    from verifier.train.hand_network import POINTS, SPAN
    from verifier.train.hand_training import predict_hands, train_hands
    from verifier.vision.hand_points import decoded
    from verifier.vision.models import find_model
    from verifier.vision.readers import Reader

    crops, places = dots(48)
    points = np.ones((48, 21, 3), np.float16)
    points[..., :2] = places[:, None]
    for part in ("train", "val"):
        labels = np.zeros((48, 4), np.int8)
        np.savez(tmp_path / f"{part}-0.npz", hands=crops, hands_labels=labels, hands_points=points)
    plan = ReaderPlan(epochs=1, batch=16, minutes=0.5, rate=0.002, threads=1)
    trained = train_hands(tmp_path, plan, tmp_path / "hands.pt")
    assert {"side_accuracy", "points_pck10", "points_ece"} <= set(trained.figures)
    weights = torch.load(tmp_path / "hands.pt", weights_only=True)
    weights["mix.0.bias"] = torch.zeros(3)
    torch.save(weights, tmp_path / "hands.pt")
    again = train_hands(tmp_path, plan, tmp_path / "hands.pt")
    export_reader("hands", again, tmp_path, {"seed": 0})
    ours = decoded(predict_hands(again.network, crops[:3])[POINTS], SPAN, again.temperatures[POINTS])
    reader = Reader(find_model("hands", tmp_path), tuple(HEADS["hands"]))
    for mine, (reading, theirs) in zip(ours, reader.read_with_points(list(crops[:3])), strict=True):
        assert theirs is not None and np.abs(mine - theirs).max() < 1e-3
        assert reading["facing"]["back"] == max(reading["facing"].values())


def test_a_keypoint_off_the_crop_or_unknown_teaches_nothing() -> None:
    torch = pytest.importorskip("torch")
    from verifier.train.hand_network import BINS
    from verifier.train.hand_training import class_loss, points_loss

    logits = torch.zeros(2, 21, 2, BINS, requires_grad=True)
    points = torch.full((2, 21, 3), float("nan"))
    assert points_loss(logits, points).item() == 0.0
    points[0] = torch.tensor([1.4, 0.5, 1.0])
    assert points_loss(logits, points).item() == 0.0
    points[0, 3] = torch.tensor([0.5, 0.5, 1.0])
    points_loss(logits, points).backward()
    assert logits.grad[0, 3].abs().sum() > 0 and logits.grad[1].abs().sum() == 0 and logits.grad[0, 4].abs().sum() == 0
    blank = torch.tensor([-1, -1])
    assert float(class_loss(torch.zeros(2, 3), blank, torch.zeros(2), torch.ones(3))) == 0.0


def test_rare_classes_count_more_and_the_average_row_counts_one() -> None:
    torch = pytest.importorskip("torch")
    from verifier.train.hand_training import class_weights

    labels = torch.tensor([0] * 16 + [2] * 4 + [-1] * 30)
    weights = class_weights(labels, 3)
    assert float(weights[2] / weights[0]) == pytest.approx(2.0)
    assert float(weights[labels[labels >= 0]].mean()) == pytest.approx(1.0)
