"""Forms and books that were written from the text alone: fields left blank or out, borders, sites, negations."""

from __future__ import annotations

from typing import Any

import pytest
from record_rows import (
    DAY,
    RED,
    Rows,
    broken,
    count,
    daily,
    disclosed,
    doc,
    judged,
    kit,
    names,
    other,
    poh,
    sample,
    slip,
    tournament,
)
from reports import Keep

Row = tuple[str, dict[str, Any]]
Case = tuple[str, str, Rows, dict[str, Any]]
READER = {"dealing_method": "hole_card_reader", "card_reader_cards": "non_jumbo"}
ABSENT = {"video_surveillance": "absent"}


def case(clause: str, verdict: str, *rows: Row, **house: Any) -> Case:
    return clause, verdict, list(rows), house


def numbered(number: Any) -> Row:
    """A fill slip whose number is written so."""
    kind, fields = slip("fill", int(number))
    return kind, {**fields, "number": number}


def seen(day: str, **own: Any) -> Row:
    """A review document of a day's footage, made a week later in the next year."""
    return doc(on="2027-01-07", footage_date=day, **own)


def log(**own: Any) -> Row:
    return "access_log", {"on": DAY, "user": "M1", "action": "change", **own}


def player(*people: dict[str, Any]) -> Row:
    return tournament(players=list(people))


def quarter(name: str, gross: int, **own: Any) -> Row:
    return poh(on=None, quarter=name, gross_proceeds=gross, prizes=0, **own)


def spare(**own: Any) -> Row:
    """A temporary table without video."""
    return kit(table="9", temporary=True, video=False, **own)


def tips(redeemed: Any, left: Any) -> Row:
    return other("tip_redemption", redeemed_at=redeemed, left_at=left)


def rent(*uses: int, **own: Any) -> Row:
    return other("rent", uses_per_quarter=list(uses), **own)


def rules(*tables: tuple[int, bool | None]) -> Row:
    return "house_rules", {"on": DAY, "tables": [{"min": least, "active": active} for least, active in tables]}


def approval(**own: Any) -> Row:
    return "approval", {"on": DAY, **own}


CAMERAS: list[Case] = [
    case("04.10-sample-14-days", "pass", sample(change_date="2026-10-06")),
    case("04.10-sample-14-days", "violation", sample(change_date="2026-10-05")),
    case("04.10-sample-14-days", "undetermined", sample(submitted="2026-10-09")),
    case("04.10-resubmit", "undetermined", sample(outcome="unsatisfactory"), sample(submitted="2026-10-15")),
    case("04.10-resubmit", "undetermined", sample(outcome="unsatisfactory", resubmitted="2026-10-19")),
    case("04.10-resubmit", "undetermined", sample(outcome="not satisfactory"), sample(site="0999", on="2026-11-01")),
    case("04.4.c-change-authorised", "undetermined", log(role="dealer")),
    case("04.4.c-change-authorised", "pass", log(role="dealer", authorised=True)),
    case("04.6-daily-review", "undetermined", daily(clear=None)),
    case("04.6-daily-review", "pass", daily(unobstructed=None, clear=None, deficiency="")),
    case("04.6-daily-review", "violation", daily(unobstructed="")),
    case("04.6-daily-review", "violation", daily(employee="software")),
    case("04.6-daily-review", "violation", daily(site="0999")),
    case("16.1.d-daily-surveillance-log", "violation", daily(table="5")),
    case("16.1.d-daily-surveillance-log", "violation", daily(purge_date="2029-12-30")),
    case("16.1.d-daily-surveillance-log", "pass", daily(purge_date="2029-12-31")),
    case("04.6-repair-48h-4d", "pass",
         broken(first_seen="2026-10-20", active_hours=60, action="limited to 2 dollars")),
    case("04.6-repair-48h-4d", "violation",
         broken(first_seen="2026-10-20", active_hours=60, action="not closed")),
    case("04.1.a-ag-approved", "undetermined", approval(subject="video system", outcome="pending")),
    case("02.3-nonjumbo-approval", "undetermined", approval(subject="cards", outcome="pending"), **READER),
    case("04.0-new-site", "pass", other("new_site", start_date="2026-08-01", operational=False),
         table_limits={"min": 100, "max": 200}),
    case("04.0-temporary-table", "undetermined", spare(days=14)),
    case("04.0-temporary-table", "violation", spare(days=15)),
    case("04.0-every-table", "violation", spare(days=14, events_in_quarter=3)),
    case("04.0-every-table", "not_assessed", kit(site="0999", table="3", video=False)),
    case("04.0-every-table", "not_assessed", kit(table="3", video=False), **ABSENT),
    case("04.0-system-required", "violation", quarter("2026Q1", 900_000), quarter("2026Q2", 1_100_000), **ABSENT),
    case("04.0-system-required", "not_assessed",
         quarter("2026Q1", 900_000), quarter("2026Q2", 1_099_999), **ABSENT),
    case("04.0-system-required", "not_assessed",
         quarter("2026Q1", 5_000_000, site="0999"), quarter("2026Q2", 5_000_000, site="0999"), **ABSENT),
    case("04.0-system-required", "not_assessed", quarter("2026Q2", 5_000_000), quarter("2026Q2", 5_000_000), **ABSENT),
    case("04.0-system-required", "not_assessed",
         quarter("2026Q1", 900_000), quarter("2026Q2", 5_000_000, game="paddlewheel"), **ABSENT),
]  # fmt: skip

SLIPS: list[Case] = [
    case("05.2-slip-separate", "undetermined", slip("fill", form="credit slip")),
    case("05.3.a-slip-header", "violation", slip("fill", game="BJ")),
    case("05.3.a-slip-header", "pass", slip("credit", game="PW")),
    case("05.3.a-slip-header", "undetermined", slip("fill", time="25:99")),
    case("05.3.a-slip-header", "pass", slip("fill", time=f"{DAY}T19:05:00")),
    case("05.3.b-slip-quantities", "violation", slip("fill", grand_total="")),
    case("05.3.b-slip-quantities", "undetermined", slip("fill", grand_total=None)),
    case("05.3.b-slip-quantities", "violation", slip("credit", chips={})),
    case("05.3.b-slip-quantities", "undetermined", slip("fill", totals={"500": 10000})),
    case("05.3.b-slip-quantities", "violation", slip("fill", grand_total=1_500_000)),
    case("05.3.b-slip-quantities", "pass",
         slip("fill", chips={"5.00": 20, "1.00": 50}, totals={"5.00": "$100.00", "1.00": "$50.00"})),
    case("05.3.b-slip-quantities", "pass", slip("fill", chips={"5": 20, "100": 1}, grand_total="$200.00")),
    case("05.3.b-slip-quantities", "not_assessed", slip("fill", void=True, grand_total=16000)),
    case("05.2-slip-numbering", "pass", slip("fill", 101), slip("fill", 102, site=None)),
    case("05.2-slip-numbering", "pass", numbered(101.0), numbered(102.0)),
    case("05.1-no-table-to-table", "pass", other("transfer", **{"from": "table 2", "to": "table 2"})),
    case("05.1-no-table-to-table", "violation", other("transfer", **{"from": "table 2", "to": "table 3"})),
    case("05.3.c-slip-initials", "pass",
         slip("fill", cashier_initials=None, preparer_role="dealer", acting_as_cashier=True)),
    case("05.3.c-slip-initials", "not_assessed", slip("fill", cashier_initials=None)),
    case("05.5-runner-verifies", "undetermined", slip("fill", runner_initials="")),
    case("05.5-runner-verifies", "not_assessed", slip("fill", runner_initials="", runner_on_duty=False)),
    case("05.1-no-table-to-table", "pass", slip("fill", from_table="bank", to_table="2")),
    case("05.1-no-table-to-table", "pass", slip("fill", from_table="Table 02", to_table="2")),
    case("03.1-25-chip-offered", "pass", slip("fill", chips={"2500": 4}, grand_total=10000)),
]  # fmt: skip

COUNTS: list[Case] = [
    case("14.2-no-family-pair", "violation", count(relationship="Husband and wife")),
    case("14.2-no-family-pair", "pass", count(relationship="not siblings")),
    case("14.2-no-family-pair", "pass", count(relationship="brother-in-law")),
    case("14.2-no-family-pair", "pass", count(relationship="no family, no supervisor")),
    case("14.2-no-family-pair", "violation", count(relationship="no supervisor, but siblings")),
    case("14.2-no-supervisor-pair", "pass", count(relationship="no family, no supervisor")),
    case("14.2-no-supervisor-pair", "violation", count(relationship="not family; supervisor and subordinate")),
    case("14.4-independent-counts", "violation", count(counts=[])),
    case("14.4-independent-counts", "undetermined", count(counts=[50000, None])),
    case("14.4-independent-counts", "pass", count(counts=[0, 0])),
    case("14.4-count-initials", "undetermined", count(dated=None)),
    case("14.4-count-initials", "undetermined", count(initials=None, dated=None, initials_1="AA", initials_2="BB")),
    case("14.1-drop-box-emptied", "not_assessed",
         count(site="0123", activity_date="2026-11-01", counted="2026-11-03"),
         count(site="0999", activity_date="2026-11-02", counted="2026-11-02")),
]  # fmt: skip

BOOKS: list[Case] = [
    case("01.4-extra-table-rent", "undetermined", rent(13, 13, 13)),
    case("01.4-extra-table-rent", "undetermined", rent(13, 12, 13, 13)),
    case("01.4-extra-table-rent", "violation", rent(13, 12, 13, 13, prorated=False)),
    case("01.4-extra-table-rent", "violation", rent(12, 12, 12, 12, prorated=True)),
    case("06.2-discontinued-30-days", "undetermined", other("discontinued", discontinued="2026-09-01")),
    case("06.2-discontinued-30-days", "violation",
         other("discontinued", discontinued="2026-09-01", redeemed_until=False)),
    case("06.3-redeem-before-leaving", "violation", tips(False, f"{DAY}T23:10:00")),
    case("06.3-redeem-before-leaving", "violation", tips(f"{DAY}T23:00:00-06:00", f"{DAY}T23:10:00-05:00")),
    case("06.3-redeem-before-leaving", "pass", tips(f"{DAY}T23:00:00-06:00", "2026-11-03T05:00:00+00:00")),
    case("06.3-redeem-before-leaving", "violation", tips("2026-11-03", DAY)),
    case("06.3-redeem-before-leaving", "not_assessed", tips(DAY, DAY)),
    case("16.1.g-daily-summary", "undetermined", other("daily_record", gross_proceeds=900, agp=200)),
    case("16.1.g-daily-summary", "violation",
         other("daily_record", gross_proceeds=900, prizes=700, agp=200, deposit="")),
    case("06.2-tips-cash-on-hand", "violation", other("tip_redemption", through="not cash on hand")),
    case("01.4-table-usage-doc", "undetermined", other("table_usage", on=None, table="3", drop_cash=40000)),
    case("01.4-table-usage-doc", "violation", other("table_usage", on=None, table="3", drop_cash=40000, date="")),
    case("16.1.h-review-docs-1-year", "pass", seen("2026-12-31", purge_date="2027-12-31")),
    case("16.1.h-review-docs-1-year", "violation", seen("2026-12-31", purge_date="2027-12-30")),
    case("16.1.h-review-docs-1-year", "violation", seen("2027-01-01", purge_date="2027-12-31")),
    case("16.1.h-review-docs-1-year", "undetermined", seen("2026-10-05", quarter="2026Q3", purge_date="2027-09-30")),
    case("16.1.h-review-docs-1-year", "violation", seen("2026-10-05", quarter="2026Q3", purge_date="2027-09-29")),
    case("04.7-poh-all-sites", "pass", poh(dealer="D1", sites=["0123", "0456"]),
         ("roster", {"site": "Site 456", "dealers": ["D1"]})),
    case("15.1-player-register", "violation",
         tournament(register=[{"name": "A", "entry_fee": 4000}], players=[{"name": "A", "entry_fee": 5000}])),
    case("09.1-min-wager-3", "pass", rules((500, True), (300, True))),
    case("09.1-min-wager-3", "violation", rules((500, True), (300, False))),
    case("09.1-min-wager-3", "undetermined", rules((500, True), (300, None))),
    case("15.1-fee-cap-200", "undetermined", player({"name": "A", "rebuys": [100]})),
    case("15.1-fee-cap-200", "undetermined", player({"name": "A", "entry_fee": 5000, "rebuys": [None]})),
    case("15.1-fee-cap-200", "violation", player({"name": "A", "entry_fee": 10000, "rebuys": [10000], "add_ons": [1]})),
    case("15.1-fee-cap-200", "undetermined", player(*[{"name": "A", "entry_fee": 15000}] * 2)),
    case("15.1-fee-cap-200", "pass", player({"name": "A", "entry_fee": 15000}, {"name": "B", "entry_fee": 15000})),
    case("15.3-no-early-cash-out", "pass", tournament(early_cash_outs=[{"name": "A", "withdrew": True}])),
    case("15.3-no-early-cash-out", "undetermined", tournament(early_cash_outs=[{"name": "A"}])),
    case("16.1.e-tournament-fees", "violation",
         tournament(collector_initials="CC", players=[{"name": "", "entry_fee": 5000}])),
]  # fmt: skip

POSTED: list[Case] = [
    case("13.1.a-limits", "undetermined", disclosed(limits={"min": 100})),
    case("13.1.a-limits", "violation", disclosed(limits={"min": 100, "max": ""})),
    case("13.1.a-limits", "pass", disclosed(limits="$1 to $25")),
    case("13.1.a-limits", "violation", disclosed(limits="$1 to $20")),
    case("13.1.a-limits", "violation", disclosed(limits={})),
    case("13.1.a-limits", "not_assessed", disclosed(table="3", limits={"min": 500, "max": 2500})),
    case("13.1.b-dealing-method", "not_assessed", disclosed(site="0999", dealing_method="no_hole_card")),
    case("12.0-alternative-policy", "not_assessed", ("mistake_policy", {"site": "0999", "written": False}),
         mistake_policy="alternative"),
    case("13.2.b-age-21", "pass", disclosed(age="21 or older")),
    case("13.2.b-age-21", "violation", disclosed(age="18 or older")),
    case("13.2.c-hand-signals", "violation", disclosed(hand_signals="not posted")),
    case("13.2.e-two-spaces", "violation", disclosed(two_spaces="no")),
    case("13.2.g-no-tie-payoff", "pass", disclosed(ties="not paid")),
    case("13.2.j-double-amount", "pass", disclosed(double_amount="must equal, not less"), double_down_equal="equal"),
    case("13.2.m-tip-double", "pass", disclosed(tip_double="may not exceed the tip: equal to or less"),
         tip_double_down="equal_or_less"),
    case("13.2.m-tip-double", "pass", disclosed(tip_double="is not permitted"), tip_double_down="not_permitted"),
    case("13.2.b-age-21", "pass", disclosed(missing=["no_touching"])),
    case("13.2.d-no-touching", "violation", disclosed(missing=["no_touching"])),
    case("13.2.l-tip-betting", "pass", disclosed(items=["tip_betting"]), tip_betting="not_permitted"),
    case("13.2.l-tip-betting", "violation", disclosed(items=["no_touching"]), tip_betting="not_permitted"),
    case("13.2.l-tip-betting", "violation", disclosed(missing=["(l)"]), tip_betting="not_permitted"),
    case("13.2.k-insurance", "pass", disclosed(items=["insurance"]), insurance_allowed=False),
    case("13.2.k-insurance", "violation", disclosed(insurance="permitted, pays 3 to 1"), insurance_allowed=True),
    case("13.2.k-insurance", "pass", disclosed(insurance="permitted, pays 2 to 1"), insurance_allowed=True),
    case("03.3-no-reversed-colours", "violation", kit(chips={"500": RED, "100": {
        "primary": "white", "secondary": "red"}})),
]  # fmt: skip


def table(name: str, cases: list[Case]) -> list[Any]:
    return [pytest.param(*one, id=f"{name} {label}") for one, label in zip(cases, names(cases), strict=True)]


@pytest.mark.parametrize(
    ("clause", "verdict", "rows", "house"),
    [*table("cameras", CAMERAS), *table("slips", SLIPS), *table("counts", COUNTS), *table("books", BOOKS),
     *table("posted", POSTED)],
)  # fmt: skip
def test_clause(clause: str, verdict: str, rows: Rows, house: dict[str, Any], keep: Keep) -> None:
    keep(judged(clause, verdict, rows, house))
