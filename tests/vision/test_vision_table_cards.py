"""A table's own cards: which face each card of a show has, and how they are read once they are known."""

from __future__ import annotations

import base64
import json
import math
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.random import default_rng
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from verifier.domain.enrolment import FACES, EnrolledFace, Enrolment
from verifier.domain.errors import BadInput
from verifier.domain.observations import NamedHash
from verifier.formats.enrolment import MOST_LOOKS, look_of, read_enrolment, write_enrolment
from verifier.simulate.render.cards import face_texture
from verifier.simulate.render.warp import level_for, paste, pose, transform
from verifier.vision.composition import STRANGE, most_of_each, named
from verifier.vision.crops import card_crop
from verifier.vision.enrolling import (
    AGAINST,
    KEPT,
    LEAST_LOOKS,
    SAME_PLACE,
    SURE,
    Look,
    OutOfOrderError,
    Shown,
    joined,
    learnt,
)
from verifier.vision.models import find_model
from verifier.vision.readers import CardReading
from verifier.vision.table_cards import LIKE, Deck, TableCardReader, likeness
from verifier.vision.table_cards import joined as pooled

DECK = "style:test:10162"
"""Of a drawn deck of the split that no model learnt, few ranks are read."""
Image = NDArray[np.uint8]


def logs(*rows: list[float]) -> NDArray[np.float64]:
    return np.log(np.array(rows))


def test_what_is_in_doubt_is_told_by_the_cards_that_are_not() -> None:
    names = named(logs([0.55, 0.43, 0.02], [0.99, 0.005, 0.005], [0.01, 0.01, 0.98]), most=1)
    assert [face for face, _ in names] == [1, 0, 2]
    assert all(p > 0.95 for _, p in names)


def test_a_face_that_lies_twice_is_learnt_from_neither() -> None:
    names = named(logs([0.99, 0.01], [0.99, 0.01]), most=1)
    assert max(p for _, p in names) < SURE
    assert all(face == 0 and p >= SURE for face, p in named(logs([0.99, 0.01], [0.99, 0.01]), most=2))


@pytest.mark.parametrize(("p", "face"), [(STRANGE * 1.01, 0), (STRANGE * 0.99, None)])
def test_a_name_that_is_too_unlikely_is_not_given(p: float, face: int | None) -> None:
    assert named(logs([p, 1e-9]), most=1)[0][0] == face


@pytest.mark.parametrize(("cards", "most", "seed"), [(1, 1, 0), (4, 1, 1), (7, 1, 2), (6, 2, 3), (9, 2, 4), (12, 3, 5)])
def test_a_name_is_as_sure_as_the_best_way_without_it_is_worse(cards: int, most: int, seed: int) -> None:
    rng = default_rng(seed)
    for _ in range(20):
        said = np.log(np.maximum(rng.dirichlet(np.full(4, 0.3), cards), 1e-9))
        found = named(said, most)
        names = [face for face, _ in found]
        least = cheapest(said, most)
        for number, (face, p) in enumerate(found):
            other = cheapest(said, most, (number, face))
            assert p == pytest.approx(1 / (1 + math.exp(least - other)), abs=1e-9)
        told = sum(-math.log(STRANGE) if face is None else -said[n, face] for n, face in enumerate(names))
        assert told == pytest.approx(least)


def cheapest(said: NDArray[np.float64], most: int, without: tuple[int, int | None] | None = None) -> float:
    """What the best way to name the cards costs, one name of one card left out, by trying: by how full each face is."""
    best = {(0,) * said.shape[1]: 0.0}
    for card, row in enumerate(said):
        following: dict[tuple[int, ...], float] = {}
        for full, cost in best.items():
            for face in (*range(len(row)), None):
                if (card, face) == without or (face is not None and full[face] == most):
                    continue
                now = full if face is None else (*full[:face], full[face] + 1, *full[face + 1 :])
                added = cost + (-math.log(STRANGE) if face is None else -row[face])
                following[now] = min(following.get(now, math.inf), added)
        best = following
    return min(best.values())


def test_a_recording_of_play_with_many_cards_is_named_in_one_go(monkeypatch: pytest.MonkeyPatch) -> None:
    solved = []

    def counted(costs: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        solved.append(costs.shape)
        return linear_sum_assignment(costs)

    monkeypatch.setattr("verifier.vision.composition.linear_sum_assignment", counted)
    said = np.log(np.maximum(default_rng(0).dirichlet(np.full(52, 0.05), 300), 1e-12))
    assert len(named(said, most_of_each(300))) == 300
    assert len(solved) == 1


def test_no_cards_have_no_names() -> None:
    assert named(np.zeros((0, 52)), most=1) == []


@pytest.mark.parametrize(("cards", "most"), [(1, 1), (52, 4), (208, 10), (520, 20)])
def test_in_play_a_face_occurs_little_more_often_than_its_share(cards: int, most: int) -> None:
    assert most_of_each(cards) == most


def card(face: str, p: float, at: tuple[float, float] = (0, 0), times: tuple[float, float] = (0, 1)) -> Shown:
    """A card that is read as a face in so many looks; the rest of p lies on the next rank."""
    quad = np.array([[0, 0], [40, 0], [40, 56], [0, 56]], np.float32) + np.array(at, np.float32)
    made = Shown(quad, *times)
    other = FACES[(FACES.index(face) + 4) % 52][0]
    for _ in range(6):
        made.ranks.add({face[0]: p, other: 1 - p})
        made.suits.add({face[1]: 1.0})
    made.looks = [Look(np.full((96, 64, 3), number, np.uint8), number / 10) for number in range(5)]
    return made


def test_of_a_whole_deck_all_faces_are_learnt_and_those_that_can_be_read_best_kept() -> None:
    told = learnt([card(face, 0.99) for face in FACES], "show")
    assert list(told.faces) == list(FACES)
    assert told.unnamed == 0
    assert all(len(face.looks) == KEPT for face in told.faces.values())
    best = look_of(np.full((96, 64, 3), 4, np.uint8))
    assert told.faces["As"].looks[0] == best


def test_a_missing_card_is_no_reason_to_learn_a_wrong_one() -> None:
    cards = [card(face, 0.99) for face in FACES if face not in ("Kh", "5c")]
    told = learnt([*cards, card("5c", 0.55)], "show")
    assert "Kh" not in told.faces
    assert set(told.faces) <= set(FACES) - {"Kh"}
    twice = learnt([*cards, card("9d", 0.99, at=(200, 0))], "show")  # a second nine of diamonds in the place of one
    assert not {"Kh", "5c", "9d"} & set(twice.faces)
    assert twice.unnamed == 2


def test_a_card_that_comes_back_to_its_place_is_one_card() -> None:
    first, again = card("Kh", 0.99), card("Kh", 0.99, times=(2, 3))
    assert len(joined([first, again])) == 1
    assert len(joined([card("Kh", 0.99), card("4s", 0.99, times=(2, 3))])) == 2
    assert len(joined([card("Kh", 0.99), card("Kh", 0.99, times=(0.5, 3))])) == 2  # both lie there at once
    near, far = 40 * SAME_PLACE - 0.1, 40 * SAME_PLACE + 0.1
    assert len(joined([card("Kh", 0.99), card("Kh", 0.99, at=(near, 0), times=(2, 3))])) == 1
    assert len(joined([card("Kh", 0.99), card("Kh", 0.99, at=(far, 0), times=(2, 3))])) == 2
    assert first.ranks.looks >= LEAST_LOOKS


def test_the_order_tells_what_cannot_be_read_and_is_refused_where_it_was_not_kept() -> None:
    order = [rank + suit for suit in "shdc" for rank in "A23456789TJQK"]
    doubtful = [card(face, 0.5 if face[0] in "57" else 0.99, times=(n, 60)) for n, face in enumerate(order)]
    assert set(learnt(doubtful, "show", order=order).faces) == set(FACES)
    with pytest.raises(OutOfOrderError, match="51 cards were seen"):
        learnt(doubtful[1:], "show", order=order)
    swapped = [doubtful[1], doubtful[0], *doubtful[2:]]
    with pytest.raises(OutOfOrderError, match="card 1 is surely 2s, by the order it would be As"):
        learnt(swapped, "show", order=order)
    assert 0.9 < AGAINST < float(card("As", 0.99).faces.max())


def test_of_cards_that_came_into_sight_together_the_order_tells_nothing() -> None:
    order = [rank + suit for suit in "shdc" for rank in "A23456789TJQK"]
    laid = [card(face, 0.5 if face in ("5s", "9s") else 0.99, times=(n, 60)) for n, face in enumerate(order)]
    first, second = order.index("5s"), order.index("9s")
    for one in (laid[first], laid[second]):  # each may be either, and a hand lay over both
        one.ranks.add({"5": 0.5, "9": 0.5}, 50.0)
    assert set(learnt(laid, "show", order=order).faces) == set(FACES)
    near = [*order[:first], "5s", "9s", *(face for face in order[first + 1 :] if face != "9s")]
    told = [laid[order.index(face)] for face in near]
    told[first].begin = told[first + 1].begin
    assert set(FACES) - set(learnt(told, "show", order=near).faces) == {"5s", "9s"}
    told[first] = card("Ks", 0.99, times=(told[first].begin, 60))  # surely neither of the two
    with pytest.raises(OutOfOrderError, match="card 5 is surely Ks"):
        learnt(told, "show", order=near)


def test_faces_that_were_not_shown_keep_what_the_shipped_reader_says() -> None:
    rng = default_rng(1)
    before = tuple(rng.dirichlet(np.ones(n), 5).astype(np.float32) for n in (13, 4))
    own = tuple(rng.dirichlet(np.ones(n), 5).astype(np.float32) for n in (13, 4))
    nothing = pooled(before, own, np.zeros(52, bool))  # type: ignore[arg-type]
    np.testing.assert_allclose(nothing[0], before[0], atol=1e-6)
    np.testing.assert_allclose(nothing[1], before[1], atol=1e-6)
    kings = np.array([face[0] != "K" for face in FACES])
    ranks, _ = pooled(before, own, kings)  # type: ignore[arg-type]
    np.testing.assert_allclose(ranks[:, 12], before[0][:, 12], atol=1e-6)
    whole, _ = pooled(before, own, np.ones(52, bool))  # type: ignore[arg-type]
    mean = np.sqrt(before[0] * own[0])
    np.testing.assert_allclose(whole, mean / mean.sum(axis=1, keepdims=True), atol=1e-5)


@pytest.mark.parametrize(("p", "unreadable", "tells"), [(0.9, 0.0, 1), (0.89, 0.0, 0), (0.95, 0.09, 1), (0.95, 0.1, 0)])
def test_only_what_is_surely_read_tells_whether_cards_are_alike(p: float, unreadable: float, tells: int) -> None:
    deck = Deck({}, np.ones(52, bool), {"Kh": np.array([[1.0, 0.0]], np.float32)})
    reading = CardReading({"K": p, "Q": 1 - p}, {"h": 1.0}, unreadable)
    own = np.array([[1.0, 1.0]], np.float32)
    assert likeness(deck, [reading], own) == pytest.approx([math.sqrt(0.5)] * tells)
    assert likeness(deck, [CardReading({"4": 1.0}, {"h": 1.0}, 0.0)], own) == []  # a face that was not shown


def crops(deck: str, seed: int, each: int) -> dict[str, list[Image]]:
    """Crops of the faces of a deck, dim and under noise, as a camera over a table gives them."""
    rng, scale = default_rng(seed), 40 / 63
    made: dict[str, list[Image]] = {}
    for face in FACES:
        for _ in range(each):
            image = np.full((120, 120, 3), (60, 110, 40), np.uint8)
            turn = pose((0, 0), float(rng.normal(0, 3)), (1.0, 1.0))
            matrix = np.array([[1, 0, 60.0], [0, 1, 60.0], [0, 0, 1]]) @ np.diag([scale, scale, 1.0]) @ turn
            paste(image, face_texture(deck, face[0], face[1], level_for(scale)), matrix)
            noisy = np.clip(image * 0.75 + rng.normal(0, 7, image.shape), 0, 255).astype(np.uint8)
            corners = np.array([[-31.5, -44], [31.5, -44], [31.5, 44], [-31.5, 44]])
            quad = transform(matrix, corners).astype(np.float32) + rng.normal(0, 0.7, (4, 2)).astype(np.float32)
            made.setdefault(face, []).append(card_crop(noisy, quad, (64, 96)))
    return made


def enrolment(shown: dict[str, list[Image]]) -> Enrolment:
    return Enrolment(
        format="verifier-enrolment",
        version=1,
        learnt_from="show",
        video=NamedHash(name="show.mp4", sha256="0" * 64),
        faces={face: EnrolledFace(p=0.99, looks=[look_of(one) for one in looks]) for face, looks in shown.items()},
    )


def loss(reader: TableCardReader, looks: dict[str, list[Image]]) -> float:
    """Mean negative logarithm of the right rank's probability."""
    read = [(face, reader.read(own)) for face, own in looks.items()]
    return float(np.mean([-math.log(max(1e-9, one["rank"][face[0]])) for face, own in read for one in own]))


def test_a_deck_that_was_shown_is_read_better_and_another_one_is_not_like_it() -> None:
    reader, unseen = TableCardReader(find_model("cards")), crops(DECK, 2, 1)
    before = loss(reader, unseen)
    deck = reader.learn(enrolment(crops(DECK, 1, 2)))
    assert loss(reader, unseen) < 0.8 * before
    other = crops("style:test:45", 3, 1)

    def like(looks: dict[str, list[Image]]) -> float:
        plain = [reader._plain(own) for own in looks.values()]
        return float(np.median([one for readings, own in plain for one in likeness(deck, readings, own)]))

    assert like(unseen) > LIKE > like(other)


def test_an_enrolment_is_read_as_it_was_written(tmp_path: Path) -> None:
    told = enrolment({face: [np.full((96, 64, 3), 90, np.uint8)] for face in FACES[:20]})
    write_enrolment(tmp_path / "enrolment.json", told)
    assert read_enrolment(tmp_path / "enrolment.json") == told
    assert told.missing == list(FACES[20:])


WHOLE = {
    "format": "verifier-enrolment",
    "version": 1,
    "learnt_from": "show",
    "video": {"name": "a", "sha256": None},
    "faces": {"Kh": {"p": 0.99, "looks": ["bm9uZQ=="]}},
}


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ({"format": "verifier-layout"}, "enrolment, field format: "),
        ({"video": None}, "enrolment, field video: "),
        ({"faces": {}}, "enrolment, field faces: holds no face"),
        ({}, "enrolment, field faces.Kh.looks: a picture cannot be read"),
        ({"faces": {"1h": {"p": 0.99, "looks": ["bm9uZQ=="]}}}, "expected a map from a card such as Kh"),
    ],
)
def test_what_is_no_enrolment_is_named(tmp_path: Path, told: dict[str, object], cause: str) -> None:
    path = tmp_path / "enrolment.json"
    path.write_text(json.dumps(WHOLE | told))
    with pytest.raises(BadInput) as error:
        read_enrolment(path)
    assert cause in str(error.value)


def test_a_picture_that_unfolds_is_not_decoded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The case bombs, in an enrolment: its size is judged before."""
    huge = cv2.imencode(".png", np.zeros((1000, 1001), np.uint8))[1].tobytes()
    told = {"faces": {"Kh": {"p": 0.99, "looks": [base64.b64encode(huge).decode()]}}}
    (path := tmp_path / "enrolment.json").write_text(json.dumps(WHOLE | told))
    monkeypatch.setattr(cv2, "imdecode", lambda *_: pytest.fail("it was decoded"))
    with pytest.raises(BadInput, match="a picture cannot be read"):
        read_enrolment(path)


def test_an_enrolment_of_too_many_pictures_is_refused(tmp_path: Path) -> None:
    looks = [np.zeros((8, 8, 3), np.uint8)] * (MOST_LOOKS + 1)
    write_enrolment(tmp_path / "enrolment.json", enrolment({"Kh": looks}))
    with pytest.raises(BadInput, match=f"more than {MOST_LOOKS} pictures"):
        read_enrolment(tmp_path / "enrolment.json")
    write_enrolment(tmp_path / "enrolment.json", enrolment({"Kh": looks[1:]}))
    assert len(read_enrolment(tmp_path / "enrolment.json").faces["Kh"].looks) == MOST_LOOKS
