"""The daily log, repairs, approval and the sample recording: 99-01.3-08-04, 16(1)(d)."""

from __future__ import annotations

from typing import Any

import pytest
from record_rows import DAY, Case, Rows, broken, count, daily, judged, kit, names, other, poh, sample
from reports import Keep

CASES: list[Case] = [
    ("04.6-daily-review", "pass", [daily()]),
    ("04.6-daily-review", "violation", [daily(employee="")]),
    ("04.6-daily-review", "violation", [daily(on="2026-11-01")]),
    ("04.6-daily-review", "undetermined", [("surveillance_log", {"on": DAY, "table": "2", "employee": "EE"})]),
    ("04.6-repair-48h-4d", "pass", [broken(first_seen="2026-10-30", repaired="2026-11-03", active_hours=48)]),
    ("04.6-repair-48h-4d", "violation", [broken(first_seen="2026-10-30", repaired="2026-11-04", active_hours=20)]),
    ("04.6-repair-48h-4d", "violation", [broken(first_seen="2026-11-01", repaired="2026-11-02", active_hours=49)]),
    ("04.6-repair-48h-4d", "pass", [broken(first_seen="2026-10-20", active_hours=60, action="closed")]),
    ("04.6-repair-48h-4d", "undetermined", [broken(first_seen="2026-11-01")]),
    ("04.6-repair-48h-4d", "violation", [broken(first_seen="2026-10-20")]),
    ("04.6-repair-48h-4d", "violation", [broken(on="2026-10-20"), broken(on="2026-10-30")]),
    ("04.6-repair-48h-4d", "undetermined", [broken(on="2026-11-01"), broken(on="2026-11-02")]),
    ("16.1.d-daily-surveillance-log", "pass", [daily(), count()]),
    ("16.1.d-daily-surveillance-log", "violation", [daily(), count(table="3")]),
    ("04.10-sample-recording", "pass", [sample()]),
    ("04.10-sample-recording", "violation", [sample(submitted="")]),
    ("04.10-sample-14-days", "pass", [sample(submitted="2026-10-24")]),
    ("04.10-sample-14-days", "violation", [sample(submitted="2026-10-25")]),
    ("04.10-sample-14-days", "violation", [kit(on="2026-10-01", change="moved camera", table="2")]),
    ("04.10-sample-14-days", "undetermined", [kit(on="2026-10-25", change="moved camera", table="2")]),
    ("04.10-resubmit", "pass", [sample(outcome="unsatisfactory"), sample(submitted="2026-10-30")]),
    ("04.10-resubmit", "violation", [sample(outcome="unsatisfactory", resubmitted=False)]),
    ("04.10-resubmit", "undetermined", [sample(outcome="unsatisfactory")]),
    ("04.10-resubmit", "not_assessed", [sample(outcome="satisfactory")]),
    ("04.1.a-ag-approved", "pass", [("approval", {"subject": "video system", "approved": True})]),
    ("04.1.a-ag-approved", "violation", [("approval", {"subject": "video system", "approved": False})]),
    ("04.1.a-ag-approved", "pass", [("approval", {"subject": "video system"})]),
    ("04.0-system-required", "pass", [poh(quarter="2026Q1"), poh(quarter="2026Q2")]),
    ("04.0-system-required", "not_assessed", [poh(quarter="2026Q1", gross_proceeds=900_000), poh(quarter="2026Q2")]),
    ("04.0-seasonal-average", "pass", [poh(seasonal=True, active_quarters=[1_200_000, 800_000], average=1_000_000)]),
    ("04.0-seasonal-average", "violation", [poh(seasonal=True, active_quarters=[1_200_000, 0], average=600_000)]),
    ("04.0-new-site", "pass", [other("new_site", start_date="2026-08-01", operational="2026-09-15")]),
    ("04.0-new-site", "violation", [other("new_site", start_date="2026-08-01", operational="2026-09-16")]),
    ("04.0-new-site", "pass", [other("new_site", start_date="2026-08-01", limited_to_2=True)]),
    ("04.0-every-table", "pass", [kit(table="2", video=True)]),
    ("04.0-every-table", "violation", [kit(table="3", video=False)]),
    ("04.0-temporary-table", "pass", [kit(table="9", temporary=True, days=14, events_in_quarter=2, video=False)]),
    ("04.0-temporary-table", "violation", [kit(table="9", temporary=True, days=15, events_in_quarter=2, video=False)]),
    ("04.7-ag-recordkeeping", "pass", [other("records", recordkeeping_system="AG")]),
    ("04.7-ag-recordkeeping", "violation", [other("records", recordkeeping_system="TableTrack", approved=False)]),
    ("04.7-ag-recordkeeping", "undetermined", [other("records", recordkeeping_system="TableTrack")]),
    ("04.9-defer-half-payment", "pass", [kit(price=100_000, paid_before_approval=50_000)]),
    ("04.9-defer-half-payment", "violation", [kit(price=100_000, payments=[
        {"date": "2026-01-02", "cents": 60_000},
        {"date": "2026-05-01", "cents": 40_000}], approval_date="2026-04-01")]),
    ("04.5-retain-30-days", "pass", [other("recording", recording_date="2026-09-01", deleted="2026-10-01")]),
    ("04.5-retain-30-days", "violation", [other("recording", recording_date="2026-09-01", deleted="2026-09-30")]),
    ("04.5-retain-30-days", "violation",
     [("other", {"record": "video", "activity_date": "2026-09-01", "purge_date": "2026-09-20"})]),
]  # fmt: skip


@pytest.mark.parametrize(("clause", "verdict", "rows"), CASES, ids=names(CASES))
def test_clause(clause: str, verdict: str, rows: Rows, keep: Keep) -> None:
    keep(judged(clause, verdict, rows))


OPTIONS: list[tuple[str, str, Rows, dict[str, Any]]] = [
    ("04.0-system-required", "violation",
     [poh(quarter="2026Q1"), poh(quarter="2026Q2")], {"video_surveillance": "absent"}),
    ("04.0-system-required", "not_assessed", [poh(quarter="2026Q1"), poh(quarter="2026Q2")], {
        "video_surveillance": "absent", "table_limits": {"min": 100, "max": 200}}),
    ("02.3-nonjumbo-approval", "pass", [("approval", {"subject": "cards", "approved": True})], {
        "card_reader_cards": "non_jumbo", "dealing_method": "hole_card_reader"}),
    ("02.3-nonjumbo-approval", "violation", [("approval", {"subject": "cards", "approved": True})], {
        "card_reader_cards": "non_jumbo"}),
    ("02.3-nonjumbo-approval", "undetermined", [], {
        "card_reader_cards": "non_jumbo", "dealing_method": "hole_card_reader"}),
]  # fmt: skip


@pytest.mark.parametrize(("clause", "verdict", "rows", "house"), OPTIONS, ids=names(OPTIONS))
def test_clause_under_an_option(clause: str, verdict: str, rows: Rows, house: dict[str, Any], keep: Keep) -> None:
    keep(judged(clause, verdict, rows, house))
