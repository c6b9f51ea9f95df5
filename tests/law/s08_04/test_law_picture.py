"""The recorded picture and what stands in it: 99-01.3-08-02(1),(2), 04(1)-(4), 04(6), 09(1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from law_build import Log, findings, hand_out, row
from reports import Keep

T0 = 60.0
"""Media time of the first sample; the clock then shows 21:00:00."""


def played(**house: Any) -> Log:
    return hand_out("Th 7d 9s Tc", {2: 1000}, **house)


def clock(*seconds: int, every: float = 10.0, **own: Any) -> Log:
    """The clock in the picture, read every ten seconds of media time, showing `seconds` past nine."""
    log = played()
    for index, shown in enumerate(seconds):
        read(log, T0 + index * every, "clock", f"2026-11-02T21:{shown // 60:02d}:{shown % 60:02d}", **own)
    return log


def read(log: Log, at: float, what: str, text: str | None, **own: Any) -> Log:
    record = log.add("overlay_read", what=what, text=text, **own)
    return log.change(record, t_start=at, t_end=at + 0.1)


def reads(what: str, *texts: str | None, **house: Any) -> Log:
    log = played(**house)
    for index, text in enumerate(texts):
        read(log, T0 + index, what, text)
    return log


def view(**own: Any) -> Log:
    log = played()
    log.add("view_check", **own)
    return log


def views(name: str, *values: Any) -> Log:
    log = played()
    for value in values:
        log.add("view_check", **{name: value})
    return log


def segment(**own: Any) -> Log:
    log = played()
    log.change(log.add("recording_segment", **own), t_start=0.0)
    return log


def start(tray: str) -> Log:
    log = segment(recorder_id="R1")
    log.change(log.add("table_state", state="open", tray=tray, dealer_present=True), t_start=0.0, t_end=1.0)
    return log


ALL = dict.fromkeys(("shoe_face", "spaces", "discard", "tray", "plunger", "table_number"), True)
STAND = "BLACKJACK PAYS 3 TO 2. DEALER MUST STAND ON 17 AND MUST DRAW TO 16"
HIT = "Blackjack pays 3 to 2 and dealer must hit soft 17"
SOFT = {"hit_soft_17": True}

CASES: list[tuple[str, str, Callable[[], Log]]] = [
    ("04.1.a-time-date-overlay", "pass", lambda: clock(0, 10, 20)),
    ("04.1.a-time-date-overlay", "violation", lambda: clock(0, 0, 0)),
    ("04.1.a-time-date-overlay", "violation", lambda: clock(0, 10, 5)),
    ("04.1.a-time-date-overlay", "pass", lambda: clock(0, 10, 500, 30, 40)),
    ("04.1.a-time-date-overlay", "violation", lambda: reads("clock", "")),
    ("04.1.a-time-date-overlay", "undetermined", lambda: reads("clock", None)),
    ("04.1.a-time-date-overlay", "not_assessed", played),
    ("04.1.a-real-time", "pass", lambda: clock(0, 10, 20)),
    ("04.1.a-real-time", "pass", lambda: clock(0, 12, 20)),
    ("04.1.a-real-time", "violation", lambda: clock(0, 13, 26)),
    ("04.1.a-real-time", "violation", lambda: clock(0, 100, 110)),
    ("04.1.a-overlay-not-obstructing", "violation", lambda: clock(0, region="spaces")),
    ("04.1.a-overlay-not-obstructing", "pass", lambda: clock(0, region="top left corner")),
    ("02.1-table-number", "pass", lambda: reads("table_number", "TABLE 02")),
    ("02.1-table-number", "undetermined", lambda: reads("table_number", None)),
    ("04.2-id-visible", "pass", lambda: reads("table_number", "2")),
    ("04.2-id-visible", "violation", lambda: reads("table_number", "3", "3", "2")),
    ("04.2-site-id", "pass", lambda: reads("site_id", "Site 0123")),
    ("04.2-id-visible", "violation", lambda: reads("site_id", "0456")),
    ("02.2-drop-box-number", "pass", lambda: reads("drop_box_number", "2")),
    ("02.2-drop-box-number", "violation", lambda: reads("drop_box_number", "4")),
    ("09.1-plaque", "pass", lambda: reads("plaque", "MIN $1 MAX $25")),
    ("09.1-plaque", "violation", lambda: reads("plaque", "MIN $3 MAX $25")),
    ("09.1-plaque", "pass", lambda: reads("plaque", "$3 - $10", table_limits={"min": 300, "max": 1000})),
    ("02.1-felt-statement-s17", "pass", lambda: reads("felt", STAND)),
    ("02.1-felt-statement-s17", "violation", lambda: reads("felt", HIT)),
    ("02.1-felt-statement-s17", "undetermined", lambda: reads("felt", "Dealer plays as the house says")),
    ("02.1-felt-statement-s17", "violation", lambda: reads("felt", STAND.replace("3 TO 2", "6 TO 5"))),
    ("02.1-felt-statement-h17", "pass", lambda: reads("felt", HIT, **SOFT)),
    ("02.1-felt-statement-h17", "violation", lambda: reads("felt", STAND, **SOFT)),
    ("11.10.g-soft17-posted", "pass", lambda: reads("felt", HIT, **SOFT)),
    ("04.1.b-hires-colour", "pass", lambda: segment(colour=True)),
    ("04.1.b-hires-colour", "violation", lambda: segment(colour="monochrome")),
    ("04.1.b-dealer-perspective", "pass", lambda: view(orientation="dealer_bottom")),
    ("04.1.b-dealer-perspective", "violation", lambda: view(orientation="mirrored")),
    ("04.1.b-dealer-perspective", "pass", lambda: view(orientation=-12)),
    ("04.1.b-dealer-perspective", "undetermined", lambda: view(orientation=30)),
    ("04.1.b-dealer-perspective", "violation", lambda: view(orientation=180)),
    ("04.1.b-above-centre", "pass", lambda: view(orientation={"ok": True, "above_centre": True})),
    ("04.1.b-above-centre", "violation", lambda: view(orientation={"ok": True, "above_centre": False})),
    ("04.3-proper-view", "pass", lambda: view(regions_ok=ALL)),
    ("04.3-proper-view", "violation", lambda: view(regions_ok={**ALL, "tray": False})),
    ("04.1.c-view-tray", "violation", lambda: view(regions_ok={**ALL, "tray": False})),
    ("04.6-picture-clear", "pass", lambda: views("readable_share", 0.9, 0.2, 0.95)),
    ("04.6-picture-clear", "violation", lambda: views("readable_share", 0.3, 0.9, 0.2)),
    ("04.6-picture-clear", "undetermined", lambda: views("readable_share", 0.6)),
    ("04.6-picture-clear", "violation", lambda: view(readable_share={"cards": 0.9, "chips": 0.1})),
    ("04.6-picture-clear", "violation", lambda: views("occlusion", 0.9, 0.8, 0.0)),
    ("04.4.b-start-at-chips", "pass", lambda: start("covered")),
    ("04.4.b-start-at-chips", "undetermined", lambda: start("open")),
]  # fmt: skip


@pytest.mark.parametrize(("clause", "verdict", "log"), CASES, ids=[f"{c[0]}-{c[1]}-{i}" for i, c in enumerate(CASES)])
def test_clause(clause: str, verdict: str, log: Callable[[], Log], keep: Keep) -> None:
    report = log().judge(table="2", site="0123")
    keep(report)
    said = [(f.clause, f.observed) for f in report.findings]
    assert row(report, f"ND-08-{clause}") == verdict, said
    if verdict in ("pass", "not_applicable", "not_assessed"):
        assert not findings(report), said


def test_a_region_out_of_view_is_one_finding() -> None:
    (found,) = findings(view(regions_ok={**ALL, "tray": False}).judge())
    assert found.clause == "ND-08-04.1.c-view-tray" and "ND-08-04.3-proper-view" in found.also


def test_left_and_right_are_not_judged_in_a_turned_picture() -> None:
    """The deal runs the wrong way only because the camera looks from the players' side."""
    log = hand_out("Th Td Kd 6s 5c Tc", {2: 1000, 4: 500})
    for record in log.all("card_dealt", to="space:2"):
        log.change(record, from_hand="right")
    assert "ND-08-10.2-left-hand-draw" in {f.clause for f in findings(log.judge())}
    log.add("view_check", orientation="rotated")
    report = log.judge()
    assert {f.clause for f in findings(report)} == {"ND-08-04.1.b-dealer-perspective"}
    assert row(report, "ND-08-10.2-left-hand-draw") == "undetermined"


@pytest.mark.parametrize("weak", [{"p": 0.3}, {"occluded": True}])
def test_a_weak_reading_accuses_nobody(weak: dict[str, object]) -> None:
    log = reads("table_number", "3")
    log.change(log.one("overlay_read"), **weak)
    assert not findings(log.judge(table="2"))


@pytest.mark.parametrize(
    ("zone", "day", "right"),
    [(None, "01", True), ("America/Phoenix", "01", False), (None, "02", False)],
)
def test_a_clock_that_follows_the_change_of_time_runs_right(zone: str | None, day: str, right: bool) -> None:
    """cases/dst_set_back."""
    log = played(**({"time_zone": zone} if zone else {}))
    for index, shown in enumerate(("01:58:58", "01:59:58", "01:00:58", "01:01:58")):
        read(log, T0 + 60 * index, "clock", f"2026-11-{day}T{shown}")
    assert bool(findings(log.judge())) != right
