"""Fill and credit slips, the drop box count: 99-01.3-08-05, 14."""

from __future__ import annotations

import pytest
from record_rows import DAY, TEAM, Case, Rows, count, judged, names, other, slip
from reports import Keep

CASES: list[Case] = [
    ("05.2-slip-separate", "pass", [slip("fill")]),
    ("05.2-slip-separate", "violation", [slip("fill", form="fill/credit")]),
    ("05.2-slip-numbering", "pass", [slip("fill", 101), slip("fill", 102), slip("credit", 77)]),
    ("05.2-slip-numbering", "violation", [slip("fill", 101), slip("fill", 103)]),
    ("05.2-slip-numbering", "violation", [slip("fill", 102, time="1:15 p.m."), slip("fill", 101, time="2:15 p.m.")]),
    ("05.2-slip-numbering", "pass", [slip("fill", 101), slip("fill", 102, void=True), slip("fill", 103)]),
    ("05.2-slip-numbering", "violation", [slip("fill", parts=1)]),
    ("05.2-slip-void", "pass", [slip("fill", void=True, void_initials="CC", marked_void=True)]),
    ("05.2-slip-void", "violation", [slip("fill", void=True, void_initials="")]),
    ("05.3-fill-preparer", "pass", [slip("fill")]),
    ("05.3-fill-preparer", "violation", [slip("fill", preparer_role="dealer")]),
    ("05.3-fill-preparer", "pass", [slip("fill", preparer_role="dealer", acting_as_cashier=True)]),
    ("05.3-credit-preparer", "pass", [slip("credit")]),
    ("05.3-credit-preparer", "violation", [slip("credit", preparer_role="cashier")]),
    ("05.3.a-slip-header", "pass", [slip("fill")]),
    ("05.3.a-slip-header", "violation", [slip("fill", table="")]),
    ("05.3.a-slip-header", "undetermined", [slip("fill", time=None)]),
    ("05.3.a-slip-header", "violation", [slip("fill", time="7:05")]),
    ("05.3.a-slip-header", "undetermined", [slip("fill", time="11:05")]),
    ("05.3.a-slip-header", "pass", [slip("fill", time="19:05")]),
    ("05.3.b-slip-quantities", "pass", [slip("fill")]),
    ("05.3.b-slip-quantities", "violation", [slip("fill", grand_total=16000)]),
    ("05.3.b-slip-quantities", "violation", [slip("fill", totals={"500": 9000})]),
    ("05.3.c-slip-initials", "pass", [slip("credit")]),
    ("05.3.c-slip-initials", "violation", [slip("fill", cashier_initials="", initials=None)]),
    ("05.4-fill-original", "pass", [slip("fill")]),
    ("05.4-fill-original", "violation", [slip("fill", original_kept=False)]),
    ("05.5-runner-verifies", "pass", [slip("fill")]),
    ("05.5-runner-verifies", "violation", [slip("credit", runner_initials="", runner_on_duty=True)]),
    ("05.6-cashier-verifies-credit", "pass", [slip("credit")]),
    ("05.6-cashier-verifies-credit", "violation", [slip("credit", cashier_initials="")]),
    ("05.1-no-table-to-table", "pass", [slip("fill")]),
    ("05.1-no-table-to-table", "violation", [other("transfer", from_table="2", to_table="3")]),
    ("05.1-no-table-to-table", "violation", [("other", {"on": DAY, "from_table": "2", "to_table": "3"})]),
    ("14.2-two-person-team", "pass", [count()]),
    ("14.2-two-person-team", "violation", [count(counters=["Ann"])]),
    ("14.2-two-person-team", "undetermined", [count(counters=["Ann", "Bob"])]),
    ("14.2-two-person-team", "violation", [count(counters=TEAM, dealt=["Ann", "Bob"])]),
    ("14.2-two-person-team", "pass", [count(counters=TEAM, dealt=["Ann"])]),
    ("14.2-two-person-team", "violation", [count(counters=[
        {"name": "A", "role": "independent"}, {"name": "B", "role": "nongaming employee"}])]),
    ("14.2-no-supervisor-pair", "pass", [count(relationship="none")]),
    ("14.2-no-supervisor-pair", "violation", [count(relationship="supervisor")]),
    ("14.2-no-family-pair", "pass", [count(relationship="none")]),
    ("14.2-no-family-pair", "violation", [count(relationship="siblings")]),
    ("14.2-no-family-pair", "pass", [count(relationship="spouse", independent_contractor=True)]),
    ("14.2-not-auditor", "pass", [count(auditor="Eve")]),
    ("14.2-not-auditor", "violation", [count(auditor="Ann")]),
    ("14.4-independent-counts", "pass", [count()]),
    ("14.4-independent-counts", "violation", [count(counts=[50000, 49000])]),
    ("14.4-independent-counts", "pass", [count(counts=[50000, 49000], resolution="recounted: 50000")]),
    ("14.4-independent-counts", "violation", [count(counts=[50000])]),
    ("14.4-count-initials", "pass", [count()]),
    ("14.4-count-initials", "violation", [count(initials=["AA"])]),
    ("14.4-count-initials", "undetermined", [count(initials=None, initials_1="AA")]),
    ("14.1-drop-box-removed-daily", "pass", [count(removed=DAY)]),
    ("14.1-drop-box-removed-daily", "violation", [count(removed="2026-11-03")]),
    ("14.1-drop-box-emptied", "pass", [count(counted=DAY), count(on="2026-11-03")]),
    ("14.1-drop-box-emptied", "violation", [count(counted="2026-11-04"), count(on="2026-11-03")]),
    ("02.2-drop-box-number", "pass", [count()]),
    ("02.2-drop-box-number", "violation", [count(drop_box_number="3")]),
]  # fmt: skip


@pytest.mark.parametrize(("clause", "verdict", "rows"), CASES, ids=names(CASES))
def test_clause(clause: str, verdict: str, rows: Rows, keep: Keep) -> None:
    keep(judged(clause, verdict, rows))
