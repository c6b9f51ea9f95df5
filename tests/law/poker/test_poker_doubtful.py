"""A rank that may be another one decides nothing alone (09-04(1), (8), (24))."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from poker_script import RIVER, log_of, verdict

from verifier.law.judge import judge

RANKING, DRAW = "1-hand-ranking", "8-first-button-random"
SHOWN = f"{RIVER}; show 1 Kc Kd; show 2 Ah 4c; show 3 5c 6d; award 1 300; end"
"""Kings win over an ace high."""
DRAWN = "shuffle; up 1 Kh; up 2 Qd; up 3 5c; button {}; collect 1 hand; collect 2 hand; collect 3 hand; shuffle; cut"
BLINDS = "blind 2 50 small; blind 3 100 big; deal 2 3 1 2 3 1"


def judged(script: str, ranks: dict[str, dict[str, float]]) -> Any:
    """Judge a script whose cards have these probabilities of ranks, by their text."""
    raw = msgspec.to_builtins(log_of(script))
    for record in raw["events"]:
        if record.get("card") in ranks:
            record["ranks"] = ranks[record["card"]]
    return judge(msgspec.convert(raw, type(log_of(script))))


@pytest.mark.parametrize(
    ("ranks", "expected"),
    [
        ({}, "pass"),
        ({"Kc": {"K": 0.97, "Q": 0.03}}, "undetermined"),  # a king and a queen lose to the ace
        ({"Kc": {"K": 0.99, "Q": 0.01}}, "pass"),
        ({"6d": {"6": 0.6, "8": 0.4}}, "pass"),  # the kings win in both
    ],
)
def test_a_hand_of_a_doubtful_card_wins_in_every_reading_or_is_open(ranks: Any, expected: str) -> None:
    assert verdict(judged(SHOWN, ranks), RANKING) == expected


@pytest.mark.parametrize(
    ("ranks", "expected"),
    [
        ({}, "violation"),
        ({"Ah": {"A": 0.9, "K": 0.1}}, "violation"),
        ({"Kc": {"K": 0.6, "8": 0.4}}, "undetermined"),
        ({"?c": {"K": 0.6, "Q": 0.4}}, "undetermined"),
    ],
)
def test_the_wrong_winner_is_one_in_every_reading_or_open(ranks: Any, expected: str) -> None:
    script = SHOWN.replace("award 1", "award 2")
    script = script.replace("Kc", "?c") if "?c" in ranks else script
    assert verdict(judged(script, ranks), RANKING) == expected


def test_an_unread_rank_is_one_of_those_left() -> None:
    """Of a king, a queen and a jack, with a king beside it, none beats two aces; any rank would leave it open."""
    script = f"{RIVER}; show 1 ?c Kd; show 2 Ah Ad; show 3 5c 6d; award 1 300; end"
    assert verdict(judged(script, {}), RANKING) == "violation"
    assert verdict(judged(script.replace("Kd", "7c"), {}), RANKING) == "undetermined"
    assert verdict(judged(script.replace("Kd", "7c"), {"?c": {"K": 0.6, "Q": 0.4}}), RANKING) == "violation"


@pytest.mark.parametrize(
    ("given", "ranks", "expected"),
    [
        (1, {}, "pass"),
        (1, {"Kh": {"K": 0.9, "J": 0.1}}, "undetermined"),
        (1, {"5c": {"5": 0.9, "6": 0.1}}, "pass"),
        (2, {}, "violation"),
        (2, {"Qd": {"Q": 0.8, "A": 0.2}}, "undetermined"),
        (2, {"Kh": {"K": 0.8, "A": 0.2}}, "violation"),
        (3, {"Qd": {"Q": 0.8, "A": 0.2}}, "violation"),
    ],
)
def test_the_draw_for_the_button(given: int, ranks: Any, expected: str) -> None:
    assert verdict(judged(f"{DRAWN.format(given)}; {BLINDS}", ranks), DRAW) == expected
