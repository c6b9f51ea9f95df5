import numpy as np
import pytest

from verifier.domain.observations import CardSeen, ChipSeen, HandSeen, Observation
from verifier.train.calibration import binned_error, calibration_error, fitted_logistic, fitted_temperature
from verifier.train.labels import box_quad
from verifier.train.matching import matched, overlap
from verifier.train.scoring import Tally


def card(
    x: float, rank: str | None = "7", *, face: str = "up", visible: float | None = None, **extra: object
) -> CardSeen:
    quad = ((x, 0.0), (x + 50, 0.0), (x + 50, 70.0), (x, 70.0))
    suit = "h" if face == "up" else None
    return CardSeen(id=1, face=face, p=0.9, quad=quad, rank=rank, suit=suit, visible=visible, **extra)  # type: ignore[arg-type]


def look(*cards: CardSeen, chips: list[ChipSeen] | None = None, hands: list[HandSeen] | None = None) -> Observation:
    return Observation(t=0, frame=0, cards=list(cards), chips=chips or [], hands=hands or [])


def figures(seen: Observation, truth: Observation) -> dict[str, float]:
    tally = Tally()
    tally.add(seen, truth)
    return tally.figures()


def test_all_right_scores_one() -> None:
    truth = look(card(0), card(100, "K"), card(200, None, face="down"))
    found = figures(truth, truth)
    assert found["card rank F1"] == found["face-down recall"] == found["card precision"] == found["suit accuracy"] == 1


def test_a_wrong_rank_costs_precision_and_recall() -> None:
    found = figures(look(card(0, "8"), card(100, "K")), look(card(0), card(100, "K")))
    assert found["card rank precision"] == found["card rank recall"] == 0.5
    assert found["face-up recall"] == 1


def test_a_rank_left_open_costs_recall_alone() -> None:
    found = figures(look(card(0, None), card(100, "K")), look(card(0), card(100, "K")))
    assert found["card rank precision"] == 1 and found["card rank recall"] == 0.5


def test_an_invented_card_costs_precision() -> None:
    found = figures(look(card(0), card(300, "Q")), look(card(0)))
    assert found["card precision"] == 0.5 and found["card rank precision"] == 0.5


def test_face_down_cards_of_which_little_shows_are_scored_apart_too() -> None:
    backs = [card(x, None, face="down", visible=share) for x, share in ((200, 0.9), (400, 0.3))]
    found = figures(look(backs[0]), look(*backs))
    assert found["face-down recall"] == 0.5
    assert found["face-down recall, at least half showing"] == 1


def test_a_rank_said_of_a_face_down_card_is_wrong() -> None:
    found = figures(look(card(0, "Q")), look(card(0, None, face="down")))
    assert found["face-down recall"] == 0 and found["card rank precision"] == 0


def test_cards_that_hardly_show_neither_help_nor_hurt() -> None:
    found = figures(look(card(0), card(100, "K")), look(card(0), card(100, "K", visible=0.05)))
    assert found["card rank recall"] == 1 and found["card precision"] == 1


def test_chips_and_hands() -> None:
    chip = ChipSeen(id=1, colour="red", p=1, center=(50, 50), radius=10)
    off = ChipSeen(id=1, colour="pink", p=1, center=(51, 50), radius=10)
    hand = HandSeen(id=1, owner="dealer", side="left", facing="back", p=1, box=(0, 0, 80, 100), fingers=5)
    other = HandSeen(id=1, owner="dealer", side="right", facing="back", p=1, box=(2, 0, 80, 100), fingers=4)
    found = figures(look(chips=[off], hands=[other]), look(chips=[chip], hands=[hand]))
    assert found["chip recall"] == 1 and found["chip colour accuracy"] == 0
    assert found["hand recall"] == 1 and found["hand side accuracy"] == 0 and found["hand facing accuracy"] == 1
    assert found["fingers accuracy"] == 0 and found["fingers within one"] == 1


def test_overlap_and_matching_take_the_best_once() -> None:
    a, b = box_quad((0, 0, 10, 10)), box_quad((5, 0, 15, 10))
    assert overlap(a, b) == pytest.approx(1 / 3, abs=1e-4)
    assert matched([box_quad((1, 0, 11, 10)), a], [a]) == {0: 1}
    assert matched([b], [a]) == {}


def test_calibration_error_of_honest_and_of_boastful_probabilities() -> None:
    rng = np.random.default_rng(0)
    p = rng.uniform(0.5, 1, 20_000)
    right = (rng.random(20_000) < p).astype(float)
    assert binned_error(p, right) < 0.02
    assert binned_error(np.full(1000, 0.99), (rng.random(1000) < 0.7).astype(float)) == pytest.approx(0.29, abs=0.05)


def test_temperature_undoes_a_scaling() -> None:
    rng = np.random.default_rng(1)
    logits = rng.normal(0, 2, (5000, 5))
    p = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
    labels = np.array([rng.choice(5, p=row) for row in p])
    assert fitted_temperature(logits * 3, labels) == pytest.approx(3, rel=0.1)
    assert calibration_error(logits, labels) < 0.03 < calibration_error(logits * 3, labels)


def test_logistic_calibration_of_scores() -> None:
    rng = np.random.default_rng(2)
    z = rng.normal(0, 2, 20_000)
    right = (rng.random(20_000) < 1 / (1 + np.exp(-(1.5 * z + 0.5)))).astype(float)
    assert fitted_logistic(1 / (1 + np.exp(-z)), right) == pytest.approx((1.5, 0.5), abs=0.12)
