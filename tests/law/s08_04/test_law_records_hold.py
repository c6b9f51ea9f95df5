"""Percent-of-hold, the weekly review and access to recordings: 99-01.3-08-01(3), 04(4), (7), (8)."""

from __future__ import annotations

import pytest
from record_rows import DAY, LOSS, LOW, Case, Rows, doc, judged, names, poh, weeks
from reports import Keep

LOSS_Q1 = poh(on="2026-04-05", quarter="2026Q1", prizes=1_100_000)
CASES: list[Case] = [
    ("01.3-poh-formula", "pass", [poh(percent_of_hold=20)]),
    ("01.3-poh-formula", "pass", [poh(percent_of_hold=0.2)]),
    ("01.3-poh-formula", "violation", [poh(percent_of_hold=35)]),
    ("01.3-poh-formula", "not_assessed", [poh(prizes=None, percent_of_hold=20)]),
    ("01.3-contact-ag", "pass", [poh(prizes=1_100_000, ag_contacted="2026-10-30")]),
    ("01.3-contact-ag", "violation", [poh(prizes=1_100_000, ag_contacted="2026-10-31")]),
    ("01.3-contact-ag", "violation", [LOSS]),
    ("01.3-contact-ag", "undetermined", [poh(prizes=2_000_000, quarter="2026Q4")]),
    ("01.3-contact-ag", "not_assessed", [poh()]),
    ("01.3-dealer-poh-12-weeks", "pass",
     [LOSS_Q1, *(poh(dealer="D1", week=f"2026-W{n}") for n in range(20, 32))]),
    ("01.3-dealer-poh-12-weeks", "violation",
     [LOSS_Q1, *(poh(dealer="D1", week=f"2026-W{n}") for n in range(20, 32) if n != 25)]),
    ("01.3-dealer-poh-12-weeks", "undetermined",
     [LOSS, *(poh(dealer="D1", week=f"2026-W{n}") for n in range(41, 44))]),
    ("04.7-track-dealer-poh", "pass", [poh(dealer="D1"), ("roster", {"on": DAY, "dealers": ["D1"]})]),
    ("04.7-track-dealer-poh", "violation", [poh(dealer="D1"), ("roster", {"on": DAY, "dealers": ["D1", "D2"]})]),
    ("04.7-poh-all-sites", "pass",
     [poh(dealer="D1", sites=["0123", "0456"]), ("roster", {"site": "0456", "dealers": ["D1"]})]),
    ("04.7-poh-all-sites", "violation", [poh(dealer="D1"), ("roster", {"site": "0456", "dealers": ["D1"]})]),
    ("04.8-poh-trigger", "pass", [poh()]),
    ("04.8-poh-trigger", "pass", [poh(prizes=900_000)]),
    ("04.8-poh-trigger", "pass", [LOW, doc()]),
    ("04.8-poh-trigger", "violation", [LOW]),
    ("04.8-poh-trigger", "violation", [poh(game="paddlewheel", prizes=860_000)]),
    ("04.8-poh-trigger", "pass", [poh(game="paddlewheel", prizes=850_000)]),
    ("04.8-one-hour-per-week", "pass", weeks(1, 2)),
    ("04.8-one-hour-per-week", "violation", weeks(1, 2, minutes=59)),
    ("04.8-one-hour-per-week", "violation", [poh(prizes=950_000, active_tables=["2", "3"]), doc()]),
    ("04.8-one-hour-per-week", "violation", weeks(
        1, footage_from="2026-10-05T20:00:00", footage_to="2026-10-05T20:40:00", minutes=80)),
    ("04.8-start-immediately", "pass", weeks(1)),
    ("04.8-start-immediately", "violation", weeks(4, 5)),
    ("04.8-start-immediately", "violation", weeks(1, footage_date="2026-09-10")),
    ("04.8-start-immediately", "undetermined", weeks(1, footage_date="2026-10-17")),
    ("04.8-six-weeks", "pass", weeks(1, 2, 3, 4, 5, 6)),
    ("04.8-six-weeks", "violation", weeks(1, 2, 4)),
    ("04.8-six-weeks", "undetermined", weeks(1, 2)),
    ("04.8-six-weeks", "violation", [poh(on="2026-07-03", quarter="2026Q2", prizes=950_000, percent_of_hold=5.0),
                                     ("review_document", {"on": "2026-07-06", "table": "2", "week": 1})]),
    ("04.8-six-weeks", "pass", weeks(1, 2, reason_determined="a thief was found")),
    ("04.8-reviewer-independence", "pass", [*weeks(1), ("roster", {"on": "2026-10-05", "dealers": ["D1", "D2"]})]),
    ("04.8-reviewer-independence", "violation", [*weeks(1), ("roster", {"on": "2026-10-05", "dealers": ["R7"]})]),
    ("04.8-reviewer-independence", "undetermined", weeks(1)),
    ("04.8-reviewer-independence", "violation", weeks(1, independent=False)),
    ("04.8-review-documented", "pass", weeks(1)),
    ("04.8-review-documented", "violation", weeks(1, status="draft")),
    ("04.8-review-documented", "violation", weeks(1, reviewer="")),
    ("04.4.a-access-restricted", "pass", [("access_log", {"user": "M1", "role": "shift_manager", "action": "view"})]),
    ("04.4.a-access-restricted", "violation", [("access_log", {"user": "D1", "role": "dealer", "action": "export"})]),
    ("04.4.a-access-restricted", "undetermined", [("access_log", {"user": "X", "role": "reviewer", "action": "view"})]),
    ("04.4.b-start-stop-authorised", "pass", [("access_log", {"role": "gaming manager", "action": "start"})]),
    ("04.4.b-start-stop-authorised", "violation", [("access_log", {"role": "dealer", "action": "stop"})]),
    ("04.4.c-change-authorised", "pass", [("access_log", {"role": "dealer", "action": "change", "authorised": True})]),
    ("04.4.c-change-authorised", "undetermined", [("access_log", {"role": "dealer", "action": "change"})]),
    ("04.4.c-change-authorised", "violation", [
        ("access_log", {"role": "dealer", "action": "change", "authorised": False})]),
]  # fmt: skip


@pytest.mark.parametrize(("clause", "verdict", "rows"), CASES, ids=names(CASES))
def test_clause(clause: str, verdict: str, rows: Rows, keep: Keep) -> None:
    keep(judged(clause, verdict, rows))
