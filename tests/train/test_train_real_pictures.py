"""Real pictures, on drawn stand-ins for the public sets."""

from __future__ import annotations

import json
from collections import Counter
from importlib import resources
from pathlib import Path

import cv2
import numpy as np
import pytest
from real_stand_ins import GREEN, bounds, card, card_photo, green_hand, save_voc, seen

from verifier.domain.errors import BadInput
from verifier.domain.observations import CardSeen, ChipSeen, HandSeen, Observation
from verifier.train import real_pictures
from verifier.train.crop_sets import CARD_FACES, UNLABELLED, CropCollector, load_crops
from verifier.train.labels import labels_of
from verifier.train.pictures import Shot
from verifier.train.real_pictures import join
from verifier.train.real_pictures.cards import BoxedCard, cornered_cards, corners
from verifier.train.real_pictures.hand_crops import COPIES, forearm_boxes, hand_crops
from verifier.train.real_pictures.hands import ASL, FINGERCOUNT, FOREARM, RPS, hand_photo
from verifier.train.real_pictures.join import RealPlan, plan_of, read_sources, told, write_real
from verifier.train.real_pictures.layers import uncovered
from verifier.train.real_pictures.masks import before_green, before_paper
from verifier.train.real_pictures.paste import straightened, with_card, with_hand
from verifier.train.real_pictures.split import DIVIDED, MARTINABELEDA, part_of, pictures, scenes
from verifier.train.real_pictures.windows import SQUEEZE, Photo, cell, squeezed

HELD = json.loads(resources.files(real_pictures).joinpath("held_out.json").read_text(encoding="utf-8"))


@pytest.fixture
def real(tmp_path: Path) -> Path:
    """A folder with a few drawn photos for training of the sets of cards and of hands."""
    for number in range(6):
        image, quad = card_photo(15.0 * number)
        save_voc(tmp_path / "cards-edje", f"drawn{number}", image, {"king": bounds(quad)})
    for number in range(6):
        folder = tmp_path / RPS / ("paper" if number % 2 else "rock")
        folder.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(folder / f"drawn{number}.jpg"), green_hand())
    return tmp_path


def test_every_divided_set_holds_a_fifth_out() -> None:
    sizes = {
        "cards-edje": 296,
        "chips-degen101": 194,
        "hands-asl-digits": 300,
        "hands-fingercount": 839,
        "hands-forearm": 200,
        "hands-rps-overhead": 600,
    }
    assert set(HELD) == set(DIVIDED) == set(sizes)
    for name, files in HELD.items():
        assert len(set(files)) == len(files) and abs(len(files) / sizes[name] - 0.2) < 0.005


def test_what_is_held_out_is_never_trained_on(tmp_path: Path) -> None:
    held = HELD["cards-edje"][0]
    image, quad = card_photo(0)
    save_voc(tmp_path / "cards-edje", Path(held).stem, image, {"ace": bounds(quad)})
    (tmp_path / "cards-edje" / f"{Path(held).stem}.jpg").rename(tmp_path / "cards-edje" / held)
    save_voc(tmp_path / "cards-edje", "other", image, {"ace": bounds(quad)})
    assert [p.name for p in pictures(tmp_path, "cards-edje", "train")] == ["other.jpg"]
    assert [p.name for p in pictures(tmp_path, "cards-edje", "test")] == [held]
    assert part_of(MARTINABELEDA, "club1.jpg") == "test"


def test_pictures_that_look_alike_are_one_scene(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    first = cv2.resize(rng.integers(0, 255, (6, 6, 3)).astype(np.uint8), (120, 90))
    other = cv2.resize(rng.integers(0, 255, (6, 6, 3)).astype(np.uint8), (120, 90))
    paths = [tmp_path / name for name in ("a.png", "b.png", "c.png")]
    for path, image in zip(paths, (first, cv2.add(first, (4, 4, 4, 0)), other), strict=True):
        cv2.imwrite(str(path), image)
    a, b, c = scenes(paths, 0.09)
    assert a == b != c


@pytest.mark.parametrize("angle", [0, 12, 40, 75])
def test_corners_of_a_turned_card_in_its_box(angle: float) -> None:
    image, quad = card_photo(angle)
    found = corners(image, bounds(quad))
    assert found is not None
    assert cv2.intersectConvexConvex(found, quad)[0] > 0.95 * cv2.contourArea(quad)


def test_a_box_that_does_not_fit_gives_no_corners() -> None:
    image, quad = card_photo(40)
    x0, y0, x1, y1 = bounds(quad)
    assert corners(image, (x0 - 40, y0 - 45, x1 + 10, y1)) is None


def test_cards_whose_boxes_meet_have_no_corners() -> None:
    image, quad = card_photo(0)
    x0, y0, x1, y1 = bounds(quad)
    found = cornered_cards(image, [("A", (x0, y0, x1, y1)), ("K", (x0 + 30, y0 + 20, x1 + 30, y1 + 20))])
    assert [one.quad for one in found] == [None, None]


def test_a_hand_on_green_ends_at_its_wrist() -> None:
    mask = before_green(green_hand())
    assert mask is not None
    x0, _, x1, _ = mask.box
    assert x0 == pytest.approx(85, abs=6) and x1 == pytest.approx(228, abs=14)
    assert mask.toward[0] > 0.9 and mask.arm[100, 297] == 255 and mask.hand[100, 290] == 0


def paper_hand() -> np.ndarray:
    """The same hand before light paper, pointing up."""
    image = cv2.rotate(green_hand(), cv2.ROTATE_90_CLOCKWISE)
    image[(image == GREEN).all(2)] = (190, 190, 190)
    return image


def test_a_sleeve_is_no_part_of_the_hand() -> None:
    image = green_hand()
    cv2.rectangle(image, (232, 70), (299, 135), (200, 90, 120), -1)
    mask = before_green(image)
    assert mask is not None and mask.box[2] < 240 and mask.arm[100, 280] == 255


def test_an_empty_surface_shows_no_hand() -> None:
    assert before_green(np.full((200, 300, 3), GREEN, np.uint8)) is None
    assert before_paper(np.full((100, 100, 3), 200, np.uint8)) is None


@pytest.mark.parametrize(("mirrored", "side"), [(False, "right"), (True, "left")])
def test_the_side_of_a_palm_by_its_thumb(tmp_path: Path, mirrored: bool, side: str) -> None:
    image = paper_hand()
    folder = tmp_path / ASL / "5"
    folder.mkdir(parents=True)
    cv2.imwrite(str(folder / "drawn.png"), image if mirrored else image[:, ::-1])
    hand = hand_photo(folder / "drawn.png", ASL)
    assert hand is not None and (hand.fingers, hand.facing, hand.side) == (5, "palm", side)


def test_fingers_by_folder_and_by_class(tmp_path: Path) -> None:
    folder = tmp_path / RPS / "scissors"
    folder.mkdir(parents=True)
    cv2.imwrite(str(folder / "x.png"), green_hand())
    rps = hand_photo(folder / "x.png", RPS)
    assert rps is not None and (rps.fingers, rps.facing, rps.side) == (2, "back", "unknown")
    for name in ("images", "labels"):
        (tmp_path / FINGERCOUNT / "train" / name).mkdir(parents=True)
    picture = tmp_path / FINGERCOUNT / "train" / "images" / "x.png"
    cv2.imwrite(str(picture), green_hand())
    (tmp_path / FINGERCOUNT / "train" / "labels" / "x.txt").write_text("2 0.5 0.5 0.4 0.5\n", encoding="utf-8")
    boxed = hand_photo(picture, FINGERCOUNT)
    assert boxed is not None and boxed.fingers == 1 and boxed.mask is None
    assert boxed.box == pytest.approx((90, 50, 210, 150), abs=0.1)


def test_labels_move_with_the_card() -> None:
    image, quad = card_photo(25)
    photo = Photo(image, [BoxedCard("K", bounds(quad), quad)])
    for seed in range(8):
        piece, truth = cell(photo, 300, np.random.default_rng(seed))
        assert len(truth.cards) == 1
        covered = np.zeros(piece.shape[:2], np.uint8)
        cv2.fillConvexPoly(covered, np.array(truth.cards[0].quad).astype(np.int32), 1)
        light = piece.min(2) > 190
        assert np.count_nonzero(light & (covered > 0)) > 0.97 * np.count_nonzero(light)


def test_a_card_cut_by_the_edge_is_found_but_teaches_no_rank() -> None:
    image, quad = card_photo(0, width=200)
    photo = Photo(image, [BoxedCard("K", bounds(quad), quad)])
    truths = [cell(photo, 200, np.random.default_rng(seed))[1] for seed in range(12)]
    cut = [truth for truth in truths if truth.cards and truth.cards[0].rank is None]
    assert cut and all(labels_of(truth, (200, 200)) and not told(truth).cards for truth in cut)


def test_what_is_covered_leaves_the_truth() -> None:
    chips = [ChipSeen(id=None, colour="red", p=1, center=(x, 100), radius=10) for x in (20, 180)]
    hands = [HandSeen(id=None, owner="dealer", side="left", facing="back", p=1, box=(0, 120, 60, 180), fingers=3)]
    truth = seen(cards=[card(0, "7"), card(25, "8"), card(140, "9")], chips=chips, hands=hands)
    alpha = np.zeros((200, 200), np.float32)
    alpha[:, :50] = 1
    left = uncovered(truth, alpha)
    assert [one.rank for one in left.cards] == ["8", "9"]
    assert left.cards[0].visible == pytest.approx(0.5, abs=0.04) and left.cards[1].visible is None
    assert left.chips == chips[1:] and left.hands == []


def test_a_pasted_hand_is_labelled_where_it_lies(tmp_path: Path) -> None:
    folder = tmp_path / RPS / "paper"
    folder.mkdir(parents=True)
    cv2.imwrite(str(folder / "x.png"), green_hand())
    hand = hand_photo(folder / "x.png", RPS)
    assert hand is not None
    felt = Shot(np.full((400, 400, 3), (40, 90, 40), np.uint8), seen(cards=[card(150, "7")]))
    for seed in range(6):
        shot = with_hand(felt, hand, np.random.default_rng(seed))
        changed = np.abs(shot.image.astype(int) - felt.image).max(2) > 30
        for found in shot.truth.hands:
            x0, y0, x1, y1 = (int(v) for v in found.box)
            assert found.facing == "back" and found.owner == "unknown"
            assert changed[y0:y1, x0:x1].mean() > 0.25


def test_a_pasted_card_shows_its_face_in_its_quad() -> None:
    image, quad = card_photo(30)
    face = straightened(image, BoxedCard("K", bounds(quad), quad))
    assert face is not None and face[20:-20, 20:40].min() > 200
    felt = Shot(np.full((400, 400, 3), (40, 90, 40), np.uint8), seen(cards=[card(150, "7")]))
    shots = [with_card(felt, face, "K", np.random.default_rng(seed)) for seed in range(6)]
    kings = [(s, one) for s in shots for one in s.truth.cards if one.rank == "K"]
    assert kings and all(one.suit is None for _, one in kings)
    for shot, one in kings:
        inside = np.zeros((400, 400), np.uint8)
        cv2.fillConvexPoly(inside, np.array(one.quad).astype(np.int32), 1)
        assert np.median(shot.image[inside > 0].min(1)) > 75


def test_real_pictures_join_a_set(real: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def felts(seed: int, plan: object) -> object:
        return iter([Shot(np.full((256, 256, 3), (40, 90, 40), np.uint8), seen(cards=[card(100, "7")]))] * 4)

    monkeypatch.setattr(join, "shots", felts)
    monkeypatch.setattr(join, "_in_part", lambda part, path: True)
    out = tmp_path / "set"
    count = write_real(out, real, RealPlan(cards=4, hands=4, pasted=4, size=256))
    images = sorted(p.stem for p in (out / "images").rglob("*.jpg"))
    assert len(images) == count == len(list((out / "labels").rglob("*.txt"))) >= 12
    crops, labels = load_crops((out / "crops").glob("train-*.npz"), "hands")
    assert len(crops) == len(labels) and set(labels[:, 3]) == {UNLABELLED} and set(labels[:, 2]) <= {0, 5, UNLABELLED}
    again = tmp_path / "again"
    write_real(again, real, RealPlan(cards=4, hands=4, pasted=4, size=256))
    name = next((out / "images" / "train").glob("*.jpg")).name
    assert (out / "images/train" / name).read_bytes() == (again / "images/train" / name).read_bytes()


def test_the_readers_own_crops_tell_more_fingers(tmp_path: Path) -> None:
    name = next(iter(forearm_boxes()))
    fingers = int(name.split("/")[1])
    assert fingers != 3
    for path in (tmp_path / FOREARM / name, tmp_path / ASL / "8" / "drawn.png", tmp_path / ASL / "0" / "drawn.png"):
        path.parent.mkdir(parents=True)
        image = np.full((480, 640, 3), 120, np.uint8) if path.suffix == ".jpg" else paper_hand()
        cv2.imwrite(str(path), image)
    hand_crops(tmp_path, lambda _: True, np.random.default_rng(2)).save(tmp_path / "train-0.npz")
    _, labels = load_crops([tmp_path / "train-0.npz"], "hands")
    told_of = Counter(int(v) for v in labels[:, 2] if v != UNLABELLED)
    assert set(told_of) == {3, fingers}
    assert told_of[fingers] == COPIES[FOREARM]
    assert set(labels[labels[:, 2] == 3, 1]) <= {1, UNLABELLED}


def test_no_box_of_a_forearm_is_of_a_photo_held_out() -> None:
    assert len(forearm_boxes()) > 100
    for name, (x0, y0, x1, y1) in forearm_boxes().items():
        assert part_of(FOREARM, Path(name).name) == "train"
        assert 0 <= x0 < x1 <= 640 and 0 <= y0 < y1 <= 480


def test_a_folder_without_sets_joins_nothing(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="real sets"):
        read_sources(tmp_path)
    plan = plan_of(1900)
    assert plan.cards + plan.hands + plan.pasted == 1900


def test_unlabelled_cards_are_no_crops() -> None:
    collector = CropCollector()
    collector.add(
        np.zeros((100, 300, 3), np.uint8),
        told(seen(cards=[card(10, None), card(100, "K", None)])),
        np.random.default_rng(1),
    )
    assert sorted(tuple(row) for row in collector._labels["cards"]) == [(12, UNLABELLED, CARD_FACES.index("up"))]


@pytest.mark.parametrize("seed", range(4))
def test_a_window_is_pressed_together_with_its_cards(seed: int) -> None:
    image = np.zeros((200, 200, 3), np.uint8)
    cv2.rectangle(image, (60, 40), (119, 119), (255, 255, 255), -1)
    lies = CardSeen(id=None, face="up", p=1.0, quad=((60, 40), (120, 40), (120, 120), (60, 120)), rank="K")
    pressed = squeezed(Shot(image, Observation(t=0.0, frame=0, cards=[lies])), np.random.default_rng(seed))
    quad = np.array(pressed.truth.cards[0].quad)
    white = np.argwhere(pressed.image[..., 0] > 127)[:, ::-1]
    assert pressed.image.shape == image.shape and pressed.truth.cards[0].rank == "K"
    assert np.abs(quad.min(0) - white.min(0)).max() <= 1.5 and np.abs(quad.max(0) - 1 - white.max(0)).max() <= 1.5
    shares = sorted(np.ptp(quad, axis=0) / (60, 80))
    assert SQUEEZE[0] <= shares[0] + 0.01 <= SQUEEZE[1] + 0.02 and shares[1] == pytest.approx(1, abs=0.01)
