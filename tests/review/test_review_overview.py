"""What the overview tells of findings, decisions, minutes, days and quarters."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from review_fakes import FAN, SHOW, finding
from scipy.stats import binomtest

from verifier.review.overview import (
    Bar,
    Strip,
    findings_of,
    hold_by_quarter,
    minutes_of_weeks,
    strips_of,
    trust_of,
    weeks_until,
    wilson,
)
from verifier.review.people.roles import Forbidden, Person, Role
from verifier.review.queue import Filters, Tallied
from verifier.store.papers import HoldFigure, Papers
from verifier.store.repository import Store
from verifier.store.values import NewFinding, ReviewRecord

KIM = Person(name="kim", full_name="Kim", role=Role.MANAGER)
ANN = Person(name="ann", full_name="Ann", role=Role.ATTORNEY_GENERAL)
DAY = "2026-11-17"


def review(number: int, **changes: Any) -> ReviewRecord:
    fields: dict[str, Any] = {
        "id": f"r{number}",
        "video_sha256": f"{number:064d}",
        "video_name": f"cam-{number}.mp4",
        "site": "0123",
        "table": "2",
        "play_date": DAY,
        "rulebook": "nd-twenty-one",
        "law_as_of": "2025-01-01",
        "folder": "/nowhere",
        "duration": 3600.0,
        "reviewed_seconds": 3600.0,
        "coverage": 1.0,
        "clock_start": f"{DAY}T21:00:00",
    }
    return ReviewRecord(**fields | changes)


def kept(*clauses: str, number: int = 1, dealer: str | None = None, **changes: Any) -> list[str]:
    """The findings of a review that is stored with one for each clause."""
    found = [
        NewFinding(finding=finding(clause=clause, t_start=float(at), t_end=at + 1.0), dealer=dealer)
        for at, clause in enumerate(clauses)
    ]
    return [one.id for one in Store().save_review(review(number, **changes), found)]


def test_findings_are_counted_by_week_table_rule_and_dealer(own_home: object) -> None:
    first, _ = kept(FAN, SHOW, dealer="Lee")
    kept(FAN, number=2, table="3", play_date="2026-11-09")
    kept(FAN, number=3, play_date="2026-11-08")
    kept(SHOW, number=4, site="0999", play_date=None)
    Store().add_verdict(first, "confirmed", "kim")
    weeks = weeks_until(date(2026, 11, 17), 2)
    assert weeks == ["2026-W46", "2026-W47"]
    found = findings_of(Store(), KIM, Filters(), weeks)
    assert found.by_state == {"open": 3, "confirmed": 1, "rejected": 0, "undetermined": 0}
    assert found.by_week == [Bar("2026-W46", "open", 1), Bar("2026-W47", "confirmed", 1), Bar("2026-W47", "open", 1)]
    assert {(one.name, one.state, one.count) for one in found.by_table} == {
        ("Site 0123, table 2", "confirmed", 1),
        ("Site 0123, table 2", "open", 1),
        ("Site 0123, table 3", "open", 1),
        ("Site 0999, table 2", "open", 1),
    }
    assert found.by_clause == [Bar(FAN, "confirmed", 1), Bar(FAN, "open", 1), Bar(SHOW, "open", 2)]
    assert found.by_dealer == [Bar("Lee", "confirmed", 1), Bar("Lee", "open", 1)]
    assert findings_of(Store(), ANN, Filters(), weeks).by_dealer == [], "dealers are for managers"
    assert findings_of(Store(), KIM, Filters(sites=frozenset({"0999"})), weeks).by_state["open"] == 1


def tallied(state: str, count: int, **changes: Any) -> Tallied:
    fields: dict[str, Any] = {
        "day": DAY, "site": "0123", "table": "2", "dealer": None, "clause": FAN, "verdict": "violation",
        "origin": "software", "state": state, "count": count,
    }  # fmt: skip
    return Tallied(**fields | changes)


def test_trust_is_the_share_confirmed_with_wilsons_interval() -> None:
    """Wilson (1927): 8 of 10 lies between 0.490 and 0.943 with 95 of 100 certainty."""
    rows = [
        tallied("confirmed", 5),
        tallied("confirmed", 3, day="2026-11-18"),
        tallied("rejected", 2),
        tallied("open", 40),
        tallied("undetermined", 40),
        tallied("confirmed", 40, verdict="undetermined"),
        tallied("confirmed", 40, origin="person"),
        tallied("rejected", 1, clause=SHOW),
    ]
    fan, show = trust_of(rows)
    assert (fan.clause, fan.confirmed, fan.rejected, fan.share) == (FAN, 8, 2, 0.8)
    assert (fan.low, fan.high) == (pytest.approx(0.490, abs=5e-4), pytest.approx(0.943, abs=5e-4))
    assert (show.share, show.low) == (0.0, pytest.approx(0.0, abs=1e-9)) and show.high > 0.7, (
        "one decision tells little"
    )


@pytest.mark.parametrize(("hits", "whole"), [(0, 1), (1, 1), (8, 10), (3, 1000), (999, 1000)])
def test_wilsons_interval_is_that_of_scipy(hits: int, whole: int) -> None:
    known = binomtest(hits, whole).proportion_ci(0.95, method="wilson")
    assert wilson(hits, whole) == (pytest.approx(known.low, abs=1e-12), pytest.approx(known.high, abs=1e-12))


def test_a_day_is_told_as_stretches_by_the_tables_clock(own_home: object) -> None:
    gaps = [(600.0, 900.0, "the picture is dark"), (800.0, 1000.0, "cut off"), (3000.0, None, "the file ends")]
    kept(gaps=gaps)
    kept(number=2, clock_start=None)
    kept(number=3, play_date="2026-11-18")
    kept(number=4, table="3", duration=7200.0)
    strips, undated = strips_of(Store(), DAY)
    assert undated == ["cam-2.mp4"]

    def strip(start: str, end: str, why: str | None = None, table: str = "2") -> Strip:
        return Strip(where=f"Site 0123, table {table}", start=f"{DAY}T{start}", end=f"{DAY}T{end}", why=why)

    assert strips == [
        strip("21:00:00", "21:10:00"),
        strip("21:10:00", "21:15:00", "the picture is dark"),
        strip("21:15:00", "21:16:40", "cut off"),
        strip("21:16:40", "21:50:00"),
        strip("21:50:00", "22:00:00", "the file ends"),
        strip("21:00:00", "23:00:00", table="3"),
    ]


def test_minutes_stand_by_week_and_table_and_hold_by_quarter(own_home: object) -> None:
    kept()
    kept(number=2, table="3", play_date="2026-11-09")
    (before, after) = minutes_of_weeks(Store(), weeks_until(date(2026, 11, 17), 2))
    assert [(one.week, one.where, one.watched, one.wanted) for one in (before, after)] == [
        ("2026-W46", "Site 0123, table 3", 0.0, 60.0),
        ("2026-W47", "Site 0123, table 2", 0.0, 60.0),
    ]
    figures = [
        HoldFigure(site="0123", day=day, game=game, dealer="Lee", gross_cents=100_00, prizes_cents=prizes)
        for day, game, prizes in (
            ("2025-01-01", "twenty-one", 80_00),
            ("2024-12-31", "twenty-one", 70_00),
            ("2026-11-17", "twenty-one", 95_00),
            ("2026-11-17", "bingo", 10_00),
        )
    ]
    Papers(Store()).add_figures(figures, "kim")
    found = hold_by_quarter(Store(), KIM, date(2026, 11, 17))
    assert [(one.quarter, round(one.percent, 2)) for one in found] == [("2025-Q1", 0.2), ("2026-Q4", 0.05)]
    with pytest.raises(Forbidden):
        hold_by_quarter(Store(), ANN, date(2026, 11, 17))
