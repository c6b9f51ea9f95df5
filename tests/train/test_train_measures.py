"""Small cases by hand of every measure: average precision, fans, calibration, keypoints, confusion, bins."""

import cv2
import numpy as np
import pytest

from verifier.domain.errors import BadInput
from verifier.domain.observations import CardSeen, ChipSeen, HandSeen, Observation
from verifier.train.calibration import reliability
from verifier.train.fans import exact, rows
from verifier.train.labels import box_quad
from verifier.train.matching import matched, overlaps, unexplained
from verifier.train.precision import Ranking
from verifier.train.report import bins_table, confusion_table, figures_table, insert, real, write_plot
from verifier.train.scoring import Tally, share_bin, width_bin


def boxes(*lefts: float):
    return [box_quad((x, 0, x + 10, 10)) for x in lefts]


def chip(x: float, y: float = 0.0, colour: str = "red") -> ChipSeen:
    return ChipSeen(id=None, colour=colour, p=0.9, center=(x, y), radius=10.0)  # type: ignore[arg-type]


def hand(**extra: object) -> HandSeen:
    facts = {"owner": "dealer", "side": "left", "facing": "back", "p": 0.9, "box": (0.0, 0.0, 80.0, 100.0)}
    return HandSeen(id=None, **{**facts, **extra})  # type: ignore[arg-type]


def look(**things: list) -> Observation:
    return Observation(t=0, frame=0, **things)


# Average precision


def test_average_precision_of_a_perfect_and_of_an_empty_ranking() -> None:
    perfect, nothing = Ranking(), Ranking()
    perfect.add(boxes(0, 50), [0.9, 0.2], boxes(0, 50))
    nothing.add([], [], boxes(0))
    assert perfect.average_precision() == 1 and nothing.average_precision() == 0
    assert Ranking().average_precision() is None


def test_average_precision_is_the_area_under_the_envelope() -> None:
    ranking = Ranking()
    # sure right, surer-than-the-next wrong, then right; a third truth is never found: (1 + 2/3) / 3
    ranking.add(boxes(0, 200, 50), [0.9, 0.8, 0.7], boxes(0, 50, 100))
    assert ranking.average_precision() == pytest.approx((1 + 2 / 3) / 3)


def test_a_second_find_of_one_thing_is_wrong() -> None:
    ranking = Ranking()
    ranking.add(boxes(0, 1), [0.6, 0.9], boxes(0))
    assert ranking.said == [(0.9, True), (0.6, False)]


def test_what_hardly_shows_is_neither_right_nor_wrong() -> None:
    ranking = Ranking()
    ranking.add(boxes(0, 50), [0.9, 0.8], boxes(0), boxes(50))
    assert ranking.said == [(0.9, True)] and ranking.average_precision() == 1


# Matching


def test_overlaps_agree_with_the_plain_ones_and_find_only_neighbours() -> None:
    table = overlaps(boxes(0, 100), boxes(5, 300))
    assert table[0, 0] == pytest.approx(1 / 3, abs=1e-4) and table.sum() == table[0, 0]
    assert overlaps([], boxes(0)).shape == (0, 1)


def test_doubtful_things_excuse_a_false_alarm() -> None:
    seen, truth = boxes(0, 50, 100), boxes(0)
    assert unexplained(seen, matched(seen, truth), boxes(51)) == [2]


# Fans


def fan(count: int, step: float = 14.0, x: float = 0.0) -> list[tuple[float, float, float]]:
    return [(x + i * step, 0.0, 10.0) for i in range(count)]


def test_rows_are_straight_overlapping_and_no_stacks() -> None:
    assert rows(fan(5)) == [[0, 1, 2, 3, 4]]
    assert rows([*fan(2), *fan(3, x=100)]) == [[0, 1], [2, 3, 4]]
    assert rows(fan(1)) == rows(fan(6)) == []
    assert rows(fan(3, step=2.0)) == [], "a leaning stack"
    assert rows([(0, 0, 10), (14, 0, 10), (7, 12, 10)]) == [], "a spill"


def test_a_fan_counts_only_if_exactly_its_chips_are_seen() -> None:
    chips = [*fan(3), (200.0, 0.0, 10.0)]
    assert exact([0, 1, 2], chips, [*fan(3), (200.0, 0.0, 10.0), (400.0, 0.0, 10.0)])
    assert not exact([0, 1, 2], chips, fan(2))
    assert not exact([0, 1, 2], chips, [*fan(3), (30.0, 3.0, 10.0)]), "one too many"
    assert not exact([0, 1, 2], chips, [])


def test_fans_with_a_chip_that_hardly_shows_are_left_out() -> None:
    tally = Tally()
    truth = look(chips=[chip(0), chip(14)])
    tally.add(truth, truth, doubtful_chips=[(28.0, 0.0, 10.0)])
    assert tally.counts["fans"] == 0
    tally.add(truth, truth)
    assert tally.figures()["exact count in a fan of 2 to 5"] == 1


# Hands


def points(shift: float) -> list[tuple[float, float, float]]:
    return [(i + shift, 50.0, 1.0 if i < 7 else 0.5) for i in range(21)]


def test_keypoints_are_right_within_a_tenth_of_the_hand() -> None:
    tally = Tally()
    tally.add(look(hands=[hand(keypoints=points(9.9))]), look(hands=[hand(keypoints=points(0))]))
    tally.add(look(hands=[hand(keypoints=points(10.1))]), look(hands=[hand(keypoints=points(0))]))
    tally.add(look(hands=[hand()]), look(hands=[hand(keypoints=points(0))]))
    found = tally.figures()
    assert found["keypoints within 0.1 of the hand"] == found["visible keypoints within 0.1"] == 0.5
    assert found["keypoints given"] == pytest.approx(2 / 3, abs=1e-3)
    assert tally.counts["clear_points"] == 14


def test_confusion_of_fingers_and_an_answer_left_open() -> None:
    tally = Tally()
    truth = look(hands=[hand(fingers=5)])
    for said in (5, 4, None):
        tally.add(look(hands=[hand(fingers=said)]), truth)
    assert tally.figures()["fingers accuracy"] == 0.5 and tally.figures()["fingers within one"] == 1
    assert "| **5** | 1 | 1 | 1 |" in confusion_table(tally.confused["fingers"])


# Cards and calibration


def card(width: float, rank: str | None = "K", visible: float | None = None) -> CardSeen:
    quad = ((0.0, 0.0), (width, 0.0), (width, width * 1.4), (0.0, width * 1.4))
    return CardSeen(id=None, face="up", p=0.9, quad=quad, rank=rank, suit="h", visible=visible)  # type: ignore[arg-type]


def test_cards_are_binned_by_width_and_by_what_shows() -> None:
    assert [width_bin(card(w)) for w in (23.9, 28, 44, 80)] == [
        "width 0-24 px",
        "width 24-32 px",
        "width 44-64 px",
        "width 64-1000 px",
    ]
    assert [share_bin(card(30, visible=v)) for v in (0.2, 0.3, 0.31, None)] == [
        "shows 0.15-0.30",
        "shows 0.15-0.30",
        "shows 0.30-0.50",
        "shows 0.75-1.00",
    ]
    tally = Tally()
    tally.add(look(cards=[card(28, "Q")]), look(cards=[card(28)]))
    assert tally.bins["width 24-32 px"] == {"cards": 1, "said": 1, "right": 0}
    assert "| width 24-32 px | 1 | 0.000 | 0.000 | 0.000 |" in bins_table(tally.bins)


def test_heads_are_trusted_by_their_answers() -> None:
    tally = Tally()
    seen = look(cards=[card(30)], hands=[hand(fingers=2)])
    answers = {"rank": [("K", 0.8)], "suit": [("s", 0.6)], "fingers": [("3", 0.5)], "side": [("left", 0.9)]}
    tally.add(seen, look(cards=[card(30)], hands=[hand(fingers=3)]), answers=answers)
    assert tally.sure["rank"] == [(0.8, True)] and tally.sure["suit"] == [(0.6, False)]
    assert tally.sure["fingers"] == [(0.5, True)] and tally.sure["side"] == [(0.9, True)]
    assert tally.figures()["rank calibration error"] == pytest.approx(0.2)


def test_reliability_has_a_point_for_each_bin_with_answers() -> None:
    p, right = np.array([0.51, 0.52, 0.99, 0.98]), np.array([1.0, 0.0, 1.0, 1.0])
    stated, share, weight = reliability(p, right)
    assert share.tolist() == [0.5, 1.0] and weight.tolist() == [0.5, 0.5]
    assert stated.tolist() == pytest.approx([0.515, 0.985])


def test_a_missed_target_stands_in_bold() -> None:
    tally = Tally()
    tally.add(look(cards=[card(30, "Q")]), look(cards=[card(30)]))
    text = figures_table({"all": tally})
    assert "| card rank F1 | 0.985 | **0.000** |" in text and "| suit accuracy | 0.97 | 1.000 |" in text


def test_real_figures_stand_beside_their_targets() -> None:
    text = real({"cards-edje": {"pictures": 59, "rank F1": 0.5}, "chips-degen101": {"stacks": 3.0}})
    assert "| cards-edje | rank F1 | 0.95 | **0.500** |" in text and "| chips-degen101 | stacks |  | 3 |" in text


def test_tables_replace_what_stood_in_their_place(tmp_path) -> None:
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- real -->\nold\n<!-- end of real -->\nafter\n", encoding="utf-8")
    insert(page, "real", "new")
    insert(page, "real", "newer")
    assert page.read_text(encoding="utf-8") == "before\n<!-- real -->\nnewer\n<!-- end of real -->\nafter\n"
    with pytest.raises(BadInput, match="no place for simulated"):
        insert(page, "simulated", "x")


def test_plots_have_a_panel_for_each_head(tmp_path) -> None:
    tally = Tally()
    tally.sure["rank"] = tally.sure["suit"] = [(0.9, True), (0.6, False)]
    write_plot(tmp_path / "plot.png", tally)
    image = cv2.imread(str(tmp_path / "plot.png"))
    assert image is not None and image.shape == (268, 4 * 268, 3)
