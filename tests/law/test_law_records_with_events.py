"""Records together with what the camera saw, and records that hold anything at all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import test_law_records_cameras as cameras
import test_law_records_hold as hold
import test_law_records_slips as slips
from case_files import FOLDER, read_cases
from law_build import Log, hand_out, row
from record_rows import DAY, LOW, given, other, slip


def moved(way: str, cents: int, *rows: tuple[str, dict[str, Any]]) -> Log:
    log = given(list(rows))
    log.add("tray_transfer", direction=way, cents=cents)
    log.add("currency_dropped", what="form")
    return log


@pytest.mark.parametrize(
    ("clause", "verdict", "log"),
    [
        ("05.1-fill-slip", "pass", lambda: moved("fill", 15000, slip("fill"))),
        ("05.1-fill-slip", "violation", lambda: moved("fill", 15000)),
        ("05.1-fill-slip", "violation", lambda: moved("fill", 15000, slip("credit"))),
        ("05.1-fill-slip", "violation", lambda: moved("fill", 15000, slip("fill", on="2026-11-01"))),
        ("05.1-fill-slip", "pass", lambda: moved("fill", 15000, slip("fill", on="2026-11-03", time="12:30 a.m."))),
        ("05.1-fill-slip", "violation", lambda: moved("fill", 15000, slip("fill", site="0999"))),
        ("05.1-fill-slip", "violation", lambda: moved("fill", 15000, slip("fill", table="3"))),
        ("05.1-credit-slip", "pass", lambda: moved("credit", 15000, slip("credit"))),
        ("05.1-credit-slip", "violation", lambda: moved("credit", 15000, slip("credit", void=True))),
        ("05.3.b-slip-quantities", "violation", lambda: moved("fill", 20000, slip("fill"))),
    ],
)
def test_each_transfer_has_its_slip(clause: str, verdict: str, log: Callable[[], Log]) -> None:
    report = log().judge(date=DAY, table="2", site="0123", channels=["video", "records"])
    assert row(report, f"ND-08-{clause}") == verdict, [(f.clause, f.observed) for f in report.findings]


def test_without_records_no_slip_is_missed() -> None:
    report = moved("fill", 15000).judge()
    assert row(report, "ND-08-05.1-fill-slip") == "not_assessed"


@pytest.mark.parametrize(("kinds", "verdict"), [(("fill", "credit"), "pass"), (("fill",), "undetermined")])
def test_a_tray_that_comes_back_has_both_slips(kinds: tuple[str, ...], verdict: str) -> None:
    log = given([slip(kind) for kind in kinds])
    log.add("tray_transfer", direction="tray_out")
    log.add("tray_transfer", direction="tray_in")
    assert row(log.judge(table="2", channels=["video", "records"]), "ND-08-05.1-temporary-tray") == verdict


@pytest.mark.parametrize("used", [True, False])
def test_a_broken_reader_is_not_used(used: bool) -> None:
    log = given(
        [other("reader_malfunction", table="2")], dealing_method="hole_card_reader" if used else "hole_card_no_peek"
    )
    if used:
        log.insert_after(log.all("card_dealt")[-1], "hole_card_check", how="reader")
    report = log.judge(date=DAY, table="2")
    assert row(report, "ND-08-10.1.c-malfunction") == ("violation" if used else "pass")


@pytest.mark.parametrize(("policy", "verdict"), [("adopted", "pass"), ("not_adopted", "violation")])
def test_colour_up_needs_a_policy(policy: str, verdict: str) -> None:
    log = given([], colour_up_policy=policy)
    log.add("chips_received", at="space:2", cents=2500)
    log.add("chips_pushed", at="space:2", cents=2500, reason="colour_up")
    assert row(log.judge(), "ND-08-11.19-colour-up-policy") == verdict


def test_a_dashboard_reviewer_who_dealt_is_not_independent() -> None:
    log = given([LOW])
    log.add(
        "review_action",
        reviewer_id="D1",
        role="independent person",
        table="2",
        watched_seconds=3600,
        footage_from=f"{DAY}T20:00:00",
        footage_to=f"{DAY}T21:00:00",
    )
    report = log.judge(date=DAY, table="2")
    assert row(report, "ND-08-04.8-reviewer-independence") == "violation"
    assert row(report, "ND-08-04.4.a-access-restricted") == "pass"
    assert row(report, "ND-08-04.8-one-hour-per-week") == "pass"


ODD = [
    None,
    [],
    {},
    "?",
    -1,
    1e300,
    True,
    {"a": {"b": []}},
    [[1]],
    "2026-13-45",
    "",
    " ",
    [None],
    "9999-12-31T23:59:59+23:59",
]


@pytest.mark.parametrize("value", ODD)
def test_odd_values_are_no_error(value: Any) -> None:
    """Whatever stands in a field of a record, judging goes on."""
    given_rows = [row for module in (cameras, hold, slips) for _, _, rows in module.CASES for row in rows]
    written = [record for file in FOLDER.rglob("*.yaml") for case in read_cases(file) for record in case.records]
    assert len(written) > 150
    given_rows += [(record["record"], {name: 1 for name in record if name != "record"}) for record in written]
    rows = [(kind, dict.fromkeys(fields, value)) for kind, fields in given_rows]
    log = hand_out("Th 7d 9s Tc", {2: 1000}, tournament_rules="on")
    for kind, fields in rows:
        own = {**fields, "kind": "daily_record"} if kind == "other" else fields
        log.add("record_entry", type=kind, date=None, fields=own, source="record")
    log.judge(date=DAY, table="2", channels=["video", "records"])
