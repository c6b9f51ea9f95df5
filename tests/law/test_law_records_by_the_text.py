"""Records that were written from the text alone: limits and days at their borders, sites, fields left out."""

from __future__ import annotations

from typing import Any

import pytest
from record_rows import LOSS, LOW, Case, Rows, doc, judged, names, other, poh


def today(day: str) -> tuple[str, dict[str, Any]]:
    """A row that only tells of a later day."""
    return other("memo", on=day)


def roster(**own: Any) -> tuple[str, dict[str, Any]]:
    return "roster", {"on": "2026-10-05", "site": "0123", "dealers": ["D1", "D2"], **own}


def part(start: str, end: str, **own: Any) -> tuple[str, dict[str, Any]]:
    """A review of footage between two times of one evening."""
    return doc(footage_from=f"2026-10-05T{start}:00", footage_to=f"2026-10-05T{end}:00", **own)


def dated(*days: str) -> Rows:
    """Reviews of these days' footage, without the number of their week."""
    return [(kind, {**fields, "week": None}) for kind, fields in (doc(on=day, footage_date=day) for day in days)]


LOST = 1_100_000
KNOWN = poh(prizes=950_000, determined="2026-10-05")
WEEKLY = [poh(dealer="D1", week=n, prizes=1) for n in range(1, 13)]
OLD = {"on": "2026-04-06", "footage_date": "2026-04-06"}

OCTOBER = ("2026-10-05", "2026-10-12", "2026-10-19", "2026-10-26", "2026-11-02", "2026-11-09")

HOLD: list[Case] = [
    ("01.3-contact-ag", "pass", [poh(prizes=1_000_001, ag_contacted="2026-10-30")]),
    ("01.3-contact-ag", "not_assessed", [poh(prizes=1_000_000, ag_contacted=False)]),
    ("01.3-contact-ag", "not_assessed", [poh(game="paddlewheel", prizes=LOST, ag_contacted=False)]),
    ("01.3-contact-ag", "pass", [LOSS, other("ag_contact", on="2026-10-30", site="0123")]),
    ("01.3-contact-ag", "violation", [LOSS, other("ag_contact", on="2026-10-30", site="0999")]),
    ("01.3-contact-ag", "violation", [LOSS, other("ag_contact", on="2026-10-30", quarter="2026Q2")]),
    ("01.3-poh-formula", "pass", [poh(prizes=876_543, percent_of_hold=12)]),
    ("01.3-poh-formula", "pass", [poh(prizes=876_543, percent_of_hold=12.3)]),
    ("01.3-poh-formula", "pass", [poh(prizes=876_543, percent_of_hold="12.35 %")]),
    ("01.3-poh-formula", "pass", [poh(prizes=876_543, percent_of_hold=0.1234)]),
    ("01.3-poh-formula", "violation", [poh(prizes=876_543, percent_of_hold=12.5)]),
    ("01.3-poh-formula", "violation", [poh(prizes=876_543, percent_of_hold=12.37)]),
    ("01.3-poh-formula", "violation", [poh(prizes=876_543, percent_of_hold=13)]),
    ("01.3-poh-formula", "pass", [poh(prizes=LOST, percent_of_hold=-10)]),
    ("01.3-poh-formula", "violation", [poh(prizes=LOST, percent_of_hold=10)]),
    ("01.3-poh-formula", "violation", [poh(adjusted_gross_proceeds=300_000, percent_of_hold=30)]),
    ("01.3-dealer-poh-12-weeks", "pass", [LOSS, *WEEKLY]),
    ("01.3-dealer-poh-12-weeks", "violation", [LOSS, *WEEKLY[:5], *WEEKLY[6:]]),
    ("01.3-dealer-poh-12-weeks", "undetermined", [LOSS, *WEEKLY[:3]]),
    ("01.3-dealer-poh-12-weeks", "violation", [LOSS, *WEEKLY[:11], today("2027-06-01")]),
    ("01.3-dealer-poh-12-weeks", "violation", [LOSS, *WEEKLY, roster(dealers=["D2"]), today("2027-06-01")]),
    ("01.3-dealer-poh-12-weeks", "pass", [LOSS, *WEEKLY, roster(site="0999", dealers=["D2"]), today("2027-06-01")]),
    ("01.3-dealer-poh-12-weeks", "not_assessed",
     [LOSS, *(poh(dealer="D1", week=f"2026-W{n}") for n in range(20, 32))]),
    ("04.8-poh-trigger", "violation", [LOW, doc(site="0999")]),
]  # fmt: skip

REVIEWS: list[Case] = [
    ("04.8-one-hour-per-week", "undetermined", [LOW, doc(minutes=None)]),
    ("04.8-one-hour-per-week", "undetermined", [LOW, doc(minutes=40), doc(minutes=None)]),
    ("04.8-one-hour-per-week", "pass", [LOW, doc(minutes=60), doc(minutes=None)]),
    ("04.8-one-hour-per-week", "pass", [LOW, part("20:00", "20:40", minutes=40), part("20:20", "21:00", minutes=40)]),
    ("04.8-one-hour-per-week", "violation",
     [LOW, part("20:00", "20:40", minutes=40), part("20:25", "20:55", minutes=30)]),
    ("04.8-one-hour-per-week", "violation",
     [LOW, part("20:00", "20:30", minutes=30), part("20:00", "20:30", minutes=30), doc(minutes=20)]),
    ("04.8-one-hour-per-week", "violation", [LOW, doc(minutes=30), doc(minutes=30, site="0999")]),
    ("04.8-one-hour-per-week", "not_assessed", [poh(), doc(minutes=5)]),
    ("04.8-six-weeks", "violation", [LOW, doc(1), doc(3, reason_determined="2026-10-20")]),
    ("04.8-six-weeks", "pass", [LOW, doc(1), doc(2, reason_determined="2026-10-16")]),
    ("04.8-six-weeks", "violation", [LOW, doc(1), doc(2, reason_determined=""), today("2026-12-31")]),
    ("04.8-six-weeks", "pass", [LOW, *dated("2026-04-06", *OCTOBER)]),
    ("04.8-six-weeks", "violation", [LOW, *(doc(n, site="0999") for n in range(1, 7)), today("2026-12-31")]),
    ("04.8-six-weeks", "violation", [
        poh(on="2026-04-06", quarter="2026Q1", prizes=950_000),
        *dated("2026-04-06", "2026-04-13", "2026-04-20", "2026-04-27", "2026-05-04", "2026-05-11"),
        LOW, today("2026-12-31")]),
    ("04.8-start-immediately", "pass", [KNOWN, doc(footage_date="2026-10-12")]),
    ("04.8-start-immediately", "undetermined", [KNOWN, doc(footage_date=None)]),
    ("04.8-start-immediately", "pass", [KNOWN, doc(**OLD), doc()]),
    ("04.8-reviewer-independence", "pass", [LOW, doc(reviewer="D1"), roster(site="0999"), roster(dealers=["D5"])]),
    ("04.8-reviewer-independence", "violation", [LOW, doc(reviewer="D1", independent=True), roster()]),
    ("04.8-reviewer-independence", "undetermined", [LOW, doc(reviewer="D1", footage_date=None), roster()]),
    ("04.8-review-documented", "violation", [LOW, doc(status="in progress")]),
]  # fmt: skip


@pytest.mark.parametrize(("clause", "verdict", "rows"), HOLD, ids=names(HOLD))
def test_percent_of_hold(clause: str, verdict: str, rows: Rows) -> None:
    judged(clause, verdict, rows)


@pytest.mark.parametrize(("clause", "verdict", "rows"), REVIEWS, ids=names(REVIEWS))
def test_weekly_review(clause: str, verdict: str, rows: Rows) -> None:
    judged(clause, verdict, rows)
