"""What holds of any log: lawful rounds accuse nobody, weak records decide nothing, order and cuts change nothing."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from law_build import Log, findings, play

import verifier.law.nd_twenty_one
from verifier.domain.events import EventLog
from verifier.domain.findings import FindingsReport
from verifier.engine.strategy import adventurous, sensible
from verifier.law.judge import judge

houses = st.fixed_dictionaries({
    "dealing_method": st.sampled_from(["hole_card_no_peek", "no_hole_card", "hole_card_reader"]),
    "hit_soft_17": st.booleans(),
    "payoff_fan_hand": st.sampled_from(["left", "right"]),
    "tips_fanned_after": st.booleans(),
    "natural_pay_timing": st.sampled_from(["immediate", "in_order", "either"]),
    "tip_double_down": st.sampled_from(["not_permitted", "equal", "equal_or_less"]),
    "double_down_equal": st.sampled_from(["equal", "equal_or_less"]),
    "insurance_allowed": st.booleans(),
    "even_money": st.booleans(),
    "deck_count": st.sampled_from([4, 6, 8]),
    "mistake_policy": st.sampled_from(["statute", "alternative"]),
    "video_surveillance": st.sampled_from(["present", "absent", None]),
})  # fmt: skip
seeds = st.integers(0, 10_000)
SLOW = settings(max_examples=15, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])


def lawful(seed: int, house: dict[str, Any], rounds: int = 2) -> Log:
    return play(seed, rounds, strategy=adventurous if seed % 2 else sensible, **house)


def spoiled(log: Log, seed: int) -> Log:
    """The log with things done wrongly: records dropped, amounts changed."""
    rng = random.Random(seed)
    for record in rng.sample(log.records, 4):
        if "cents" in record and rng.random() < 0.5:
            record["cents"] += 500
        elif record["event"] != "round_started":
            log.drop(record)
    return log


@SLOW
@given(seeds, houses)
def test_lawful_rounds_give_no_finding_under_any_options(seed: int, house: dict[str, Any]) -> None:
    assert lawful(seed, house).judge().findings == []


@SLOW
@given(seeds, houses, st.integers(1, 12), st.booleans())
def test_lawful_rounds_seen_badly_accuse_nobody(seed: int, house: dict[str, Any], count: int, covered: bool) -> None:
    log = lawful(seed, house)
    for record in random.Random(seed).sample(log.records, count):
        record |= {"occluded": True} if covered else {"p": 0.3}
    assert findings(log.judge()) == []


@SLOW
@given(seeds, houses)
def test_judging_does_not_depend_on_the_order_of_the_records(seed: int, house: dict[str, Any]) -> None:
    log = spoiled(lawful(seed, house), seed).build()
    mixed = list(log.events)
    random.Random(seed).shuffle(mixed)
    assert judge(EventLog(log.header, tuple(mixed))) == judge(log) == judge(log)


def told(report: FindingsReport, rounds: set[int]) -> set[tuple[Any, ...]]:
    return {(f.clause, f.round, f.at, f.verdict) for f in report.findings if f.round in rounds}


@SLOW
@given(seeds, houses)
def test_a_shift_cut_at_the_end_of_a_round_is_judged_as_the_whole(seed: int, house: dict[str, Any]) -> None:
    """What is wrong within a round is found in either half; the first round after a cut may lack its history, and the
    next round's cards may tell that the whole lacks a record of the one before.
    """
    whole = spoiled(lawful(seed, house, 3), seed).build()
    cut = next((i for i, e in enumerate(whole.events) if e.round == 2), len(whole.events))
    ends = [i for i, e in enumerate(whole.events) if e.round == 1]
    if not ends or cut <= ends[-1]:
        return
    first = judge(EventLog(whole.header, whole.events[:cut]))
    second = judge(EventLog(whole.header, whole.events[cut:]))
    report = judge(whole)
    in_first = {f[:3] for f in told(report, {1}) if f[3] in ("violation", "undetermined")}
    in_second = {f for f in told(report, {3}) if f[3] == "violation"}
    assert {f[:3] for f in told(first, {1}) if f[3] == "violation"} <= in_first
    assert in_second <= told(second, {3})


@SLOW
@given(seeds, houses, st.integers(5, 60))
def test_a_log_that_breaks_off_is_judged_up_to_there(seed: int, house: dict[str, Any], kept: int) -> None:
    log = lawful(seed, house)
    log.records = log.records[:kept]
    assert findings(log.judge()) == []


def test_judging_the_same_bytes_gives_the_same_bytes() -> None:
    log = spoiled(lawful(7, {}), 7).build()
    assert msgspec.json.encode(judge(log)) == msgspec.json.encode(judge(log))


anything = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 10**12) | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
)
OPEN_FIELDS = [
    ("recording_segment", "clock_gaps"), ("recording_segment", "colour"), ("overlay_read", "region"),
    ("view_check", "orientation"), ("view_check", "readable_share"), ("review_action", "footage_from"),
    ("review_action", "footage_to"), ("shuffle", "phases"), ("cut", "seat"), ("announcement", "total"),
    ("payoff_placed", "rack_sets"), ("record_entry", "fields"),
]  # fmt: skip
NEEDED: dict[str, dict[str, Any]] = {
    "overlay_read": {"what": "clock", "text": "x"}, "shuffle": {"method": "hand", "scope": "all"},
    "cut": {"by": "player"}, "announcement": {"topic": "total"},
    "payoff_placed": {"kind": "original", "at": "space:2", "cents": 100}, "record_entry": {"type": "percent_of_hold"},
}  # fmt: skip


@SLOW
@given(st.lists(st.tuples(st.sampled_from(OPEN_FIELDS), anything), min_size=1, max_size=6))
def test_fields_that_may_hold_anything_never_stop_the_judging(given_fields: list[tuple[tuple[str, str], Any]]) -> None:
    log = play(3, 1, shuffle_method=["a", "b"])
    for (event, name), value in given_fields:
        if event == "record_entry" and not isinstance(value, dict):
            value = {"week": value, "dealer": value, "quarter": value}
        log.add(event, **{**NEEDED.get(event, {}), name: value})
    log.judge(channels=["video", "audio", "records"], date="2026-11-02", table="2", site="1")


CHECKS = [file.read_text() for file in Path(verifier.law.nd_twenty_one.__file__).parent.rglob("*.py")]
OF_RECORDS = [text for text in CHECKS if "verifier.law.entries" in text or "verifier.law.rows" in text]
WORDS = sorted({word for text in OF_RECORDS for word in re.findall(r'"([a-z_]{3,30})"', text)})
"""Every name of a kind or field that a check of records asks for."""
NEVER_A_DAY = ["9999-12-31T23:59:59", "Q4 9999", "0000Q1", "9" * 400]


@pytest.mark.parametrize("value", NEVER_A_DAY, ids=lambda value: str(value)[:12])
def test_days_and_sums_that_no_record_has_never_stop_the_judging(value: Any) -> None:
    log = Log()
    for kind in WORDS:
        log.add("record_entry", type=kind, fields=dict.fromkeys(WORDS, value))
    log.judge(channels=["video", "records"], date="2026-11-02", table="2", site="1")
