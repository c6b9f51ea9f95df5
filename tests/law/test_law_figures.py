"""Figures that the law names or that protect people, each with its neighbours on both sides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from law_build import Log, findings, hand_out, named, play_on, row, words

from verifier.law import judge as judging
from verifier.law.catalogue import by_id
from verifier.law.incidents import UNKNOWN_CHANCE, finding
from verifier.law.instances import judged
from verifier.law.money import LEAST_SURE

SETS = "ND-08-11.16.a-sets-of-five"
FAN_WAGER = "ND-08-11.16.a-fan-wager"
FAN_HAND = "ND-08-11.16.a-fan-hand"
IDLE = "ND-08-08.2-reshuffle-only-when"
VIDEO: dict[str, Any] = {"video": "night.mp4"}


def fan(cents: int, sizes: list[int], chips: dict[str, int] | None = None) -> Log:
    """A winning wager whose chips are fanned in sets of these sizes."""
    log = hand_out("Th 8d 9s 9c", {2: cents})
    return log.change(log.one("chips_fanned", owner="wager"), set_sizes=sizes, chips=chips)


WHITES = {"100": 7}
TWO_VALUES = {"500": 2, "100": 7}
FANS: list[tuple[str, int, list[int], dict[str, int] | None, str]] = [
    ("five and the rest", 700, [5, 2], WHITES, "pass"),
    ("three and four", 700, [3, 4], WHITES, "violation"),
    ("the rest first", 700, [2, 5], WHITES, "violation"),
    ("one by one", 700, [1] * 7, WHITES, "violation"),
    ("all in one fan", 700, [7], WHITES, "violation"),
    ("the first set one short", 900, [4, 5], {"100": 9}, "violation"),
    ("full sets only", 1000, [5, 5], {"100": 10}, "pass"),
    ("a rest of one", 1100, [5, 5, 1], {"100": 11}, "pass"),
    ("two values, each by itself", 1700, [2, 5, 2], TWO_VALUES, "pass"),
    ("two values, their rests after all full sets", 1700, [5, 2, 2], TWO_VALUES, "pass"),
    ("two values, one of them not in five", 1700, [2, 4, 3], TWO_VALUES, "violation"),
    ("two values in one fan", 700, [3], {"500": 1, "100": 2}, "violation"),
    ("values not read, only five whites and two make the sum", 700, [5, 2], None, "pass"),
    ("values not read, three and four can be two values", 1900, [3, 4], None, "pass"),
    ("values not read, and no way makes sets of five", 600, [3, 3], None, "violation"),
    ("values not read, two fifties and a red, or three pinks", 600, [2, 1], None, "undetermined"),
    ("the chips and the sets do not count the same", 700, [4, 4], WHITES, "undetermined"),
    ("more than 5 dollars: 5.50 is", 550, [3, 3], {"100": 5, "50": 1}, "violation"),
    ("5 dollars are not more than 5", 500, [3, 2], {"100": 5}, "not_applicable"),
]


@pytest.mark.parametrize(("cents", "sizes", "chips", "verdict"), [f[1:] for f in FANS], ids=[f[0] for f in FANS])
def test_sets_of_five(cents: int, sizes: list[int], chips: dict[str, int] | None, verdict: str) -> None:
    assert row(fan(cents, sizes, chips).judge(), SETS) == verdict


def doubled(sizes: list[int]) -> Log:
    """A wager of 5.00 in whites that was doubled: the stack is not above 5.00, the bet is."""
    log = hand_out("5h 7d 6s Tc Th", {2: 500}, "double")
    return log.change(log.one("chips_fanned", owner="wager", kind="original"), set_sizes=sizes, chips={"100": 5})


@pytest.mark.parametrize(("sizes", "verdict"), [([5], "pass"), ([3, 2], "undetermined")])
def test_whether_the_stack_or_the_bet_counts_is_open(sizes: list[int], verdict: str) -> None:
    assert row(doubled(sizes).judge(), SETS) == verdict


@pytest.mark.parametrize(
    ("sizes", "verdict"), [([4, 3], "undetermined"), ([2, 5], "undetermined"), ([3, 4], "violation")]
)
def test_one_chip_or_the_order_of_sets_may_be_misseen_from_above(sizes: list[int], verdict: str) -> None:
    assert row(fan(700, sizes, WHITES).judge(**VIDEO), SETS) == verdict


@pytest.mark.parametrize(
    ("p", "verdict"), [(judging.LEAST_SURE, "violation"), (judging.LEAST_SURE - 0.01, "undetermined")]
)
def test_a_record_that_was_not_seen_surely_accuses_nobody(p: float, verdict: str) -> None:
    log = hand_out("Th 8d 9s 9c", {2: 1000})
    log.change(log.one("chips_fanned", owner="wager"), hand="right", p=p)
    report = log.judge(**VIDEO)
    assert row(report, FAN_HAND) == verdict
    (found,) = findings(report, verdict)
    assert found.p == pytest.approx(p)
    assert row(log.judge(), FAN_HAND) == "violation", "a log that a person wrote is not doubted"


@pytest.mark.parametrize(("nine", "verdict"), [(LEAST_SURE, "violation"), (LEAST_SURE - 0.01, "undetermined")])
def test_a_card_that_may_be_misread_accuses_nobody(nine: float, verdict: str) -> None:
    """10-9 against 10-8 was swept; the nine may be a seven."""
    log = hand_out("Th Td 9s 8c", {2: 1000})
    paid = [r for r in log.records if r["event"] in ("chips_fanned", "chips_from_tray", "payoff_placed", "hands_clear")]
    log.insert_after(paid[-1], "chips_collected", kind="original", at="space:2", cents=1000, to="tray", hand="right")
    log.drop(*paid)
    log.change(log.one("card_dealt", card="9s"), ranks={"9": nine, "7": round(1 - nine, 4)})
    report = log.judge()
    assert row(report, "ND-08-11.12-highest-wins") == verdict, list(words(report))


@pytest.mark.parametrize(("after", "verdict"), [(0.0, "violation"), (-0.01, "pass")])
def test_the_wager_is_fanned_before_the_payoff_has_left_the_tray(after: float, verdict: str) -> None:
    log = hand_out("Th 8d 9s 9c", {2: 1000})
    taken, wager = log.one("chips_from_tray"), log.one("chips_fanned", owner="wager")
    start = round(taken["t_end"] + after, 3)
    log.change(wager, t_start=start, t_end=round(start + 0.05, 3), chips=None)
    assert row(log.judge(), FAN_WAGER) == verdict


def reshuffled(idle: float, between: Callable[[Log, float], None] = lambda log, t: None, **house: Any) -> Log:
    """A round, then nothing played for so many seconds, then a reshuffle and a round."""
    log = hand_out("Th 8d 9s 9c", {2: 1000}, **house)
    last = log.now
    between(log, last)
    log.now = round(last + idle - 0.3, 3)
    log.shoe, log.seq = 2, 0
    log.add("shuffle", 60.0, method="hand", scope="all")
    log.add("cut", 3.0, by="player", depth_cards=100)
    log.add("card_burned", card="??", face_shown=False)
    play_on(log, "Th 8d 9s 9c", {2: 1000})
    return log


def looks(log: Log, last: float) -> None:
    for minute in range(1, 15):
        log.now = last + 60.0 * minute
        log.add("view_check", orientation="ok")


def buys_in(log: Log, last: float) -> None:
    log.now = last + 14 * 60
    log.add("currency_spread", cents=2000, bills={"2000": 1}, face_down=True)
    log.add("hands_clear", region="inner", duration=0.7)
    log.add("chips_from_tray", cents=2000, hand="right")
    log.add("chips_fanned", owner="buy_in", at="inner", cents=2000)
    log.add("hands_clear", region="inner", duration=0.7)
    log.add("chips_pushed", at="space:2", cents=2000, reason="buy_in")
    log.add("currency_dropped", what="currency", cents=2000)


def signals(log: Log, last: float) -> None:
    log.now = last + 60.0
    log.add("hand_signal", at="space:2", meaning="stand", round=1)


QUARTER = 15 * 60.0
IDLING: list[tuple[str, Log, str]] = [
    ("for the whole period", reshuffled(QUARTER), "pass"),
    ("a second less", reshuffled(QUARTER - 1), "violation"),
    ("looked at every minute", reshuffled(QUARTER, looks), "pass"),
    ("a player bought in", reshuffled(QUARTER, buys_in), "pass"),
    ("play went on", reshuffled(QUARTER, signals), "violation"),
    ("no period was set", reshuffled(QUARTER, inactivity_reshuffle=None), "violation"),
]


@pytest.mark.parametrize(("log", "verdict"), [case[1:] for case in IDLING], ids=[case[0] for case in IDLING])
def test_a_reshuffle_after_inactivity(log: Log, verdict: str) -> None:
    assert row(log.judge(), IDLE) == verdict, list(words(log.judge()))


@pytest.mark.parametrize(
    ("chance", "p"), [(None, UNKNOWN_CHANCE), (1.0, UNKNOWN_CHANCE), (0.999, 0.99), (0.4, 0.4), (0.0, 0.01)]
)
def test_an_open_finding_is_never_certain(chance: float | None, p: float) -> None:
    instance = judged(FAN_HAND, None, observed="-", chance=chance)
    assert finding(instance, by_id("nd-twenty-one")[FAN_HAND]).p == p


def test_only_what_is_named_is_found() -> None:
    assert named(fan(700, [3, 4], WHITES).judge()) == {SETS}
