"""Posted rules, books, retention, tournaments: 99-01.3-08-01(4), 06, 09(1), 13, 15, 16."""

from __future__ import annotations

from typing import Any

import pytest
from record_rows import (
    DAY,
    POINTS,
    Case,
    Rows,
    count,
    daily,
    disclosed,
    judged,
    kit,
    names,
    other,
    poh,
    tournament,
)

CASES: list[Case] = [
    *((c, "pass", [disclosed(**{name: True})]) for c, name in POINTS.items()),
    *((c, "violation", [disclosed(**{name: False})]) for c, name in POINTS.items()),
    *((c, "violation", [disclosed(missing=[name])]) for c, name in POINTS.items()),
    ("13.2.f-no-side-bets", "violation", [disclosed(no_side_bets=False)]),
    ("13.3-cheating-notice", "pass", [disclosed(cheating_notice=True)]),
    ("13.3-cheating-notice", "violation", [disclosed(cheating_notice=False)]),
    ("13.1.a-limits", "pass", [disclosed(limits={"min": 100, "max": 2500})]),
    ("13.1.a-limits", "violation", [disclosed(limits={"min": 100, "max": 1000})]),
    ("13.1.b-dealing-method", "pass", [disclosed(dealing_method="hole_card_no_peek")]),
    ("13.1.b-dealing-method", "violation", [disclosed(dealing_method="no_hole_card")]),
    ("13.2.j-double-amount", "pass", [disclosed(double_amount="equal")]),
    ("13.2.j-double-amount", "violation", [disclosed(double_amount="equal_or_less")]),
    ("13.2.k-insurance", "pass", [disclosed(insurance=True)]),
    ("13.2.k-insurance", "violation", [disclosed(insurance="not permitted")]),
    ("13.2.l-tip-betting", "pass", [disclosed(tip_betting="permitted")]),
    ("13.2.l-tip-betting", "pass", [disclosed(tip_betting="yes")]),
    ("13.2.j-double-amount", "pass", [disclosed(double_amount="must equal the original wager")]),
    ("13.2.j-double-amount", "violation", [disclosed(double_amount="equal to or less than the original")]),
    ("13.2.j-double-amount", "undetermined", [disclosed(double_amount="as posted")]),
    ("13.2.k-insurance", "pass", [disclosed(insurance="permitted, pays two to one")]),
    ("13.1.b-dealing-method", "pass", [disclosed(dealing_method="Hole card, no peek")]),
    ("13.1.b-dealing-method", "violation", [disclosed(dealing_method="card reader")]),
    ("13.2.l-tip-betting", "violation", [disclosed(tip_betting="not_permitted")]),
    ("13.2.m-tip-double", "pass", [disclosed(tip_double="equal")]),
    ("13.2.m-tip-double", "violation", [disclosed(tip_double="not permitted")]),
    ("09.1-min-wager-3", "pass",
     [("house_rules", {"tables": [{"table": "1", "min": 300}, {"table": "2", "min": 500}]})]),
    ("09.1-min-wager-3", "violation", [("house_rules", {"tables": [{"table": "1", "min": 500}]})]),
    ("09.1-min-wager-3", "violation", [("house_rules", {"tables": [{"min": 300, "active": False}, {"min": 500}]})]),
    ("09.1-table-max", "pass", [("house_rules", {"max": 2500})]),
    ("09.1-table-max", "violation", [("house_rules", {"max": 5000})]),
    ("09.1-limit-change-notice", "pass", [("house_rules", {"change": "limits", "posted": True, "announced": True})]),
    ("09.1-limit-change-notice", "violation",
     [("house_rules", {"change": "limits", "posted": True, "announced": False})]),
    ("09.1-table-max", "pass", [("house_rules", {"table_limits": {"min": 100, "max": 2500}})]),
    ("09.1-table-max", "violation", [("house_rules", {"table_limits": {"min": 100, "max": 5000}})]),
    ("09.1-table-max", "violation",
     [("house_rules", {"tables": [{"table": "1", "min": 100, "max": 2500}, {"table": "2", "min": 300, "max": 5000}]})]),
    ("03.1-25-chip-offered", "pass", [kit(chips=["100", "500", "2500"])]),
    ("03.1-25-chip-offered", "violation", [kit(chips=["50", "100", "200", "500"])]),
    ("03.1-25-chip-offered", "undetermined", [kit(chips=["100", "500"])]),
    ("01.4-extra-table-rent", "pass", [other("rent", uses_per_quarter=[13, 14, 20, 13])]),
    ("01.4-extra-table-rent", "violation", [other("rent", uses_per_quarter=[13, 12, 20, 13])]),
    ("01.4-extra-table-rent", "pass", [other("rent", uses_per_quarter=[13, 12, 20, 13], prorated=True)]),
    ("01.4-table-usage-doc", "pass", [other("table_usage", table="3", drop_cash=40000)]),
    ("01.4-table-usage-doc", "violation", [other("table_usage", table="3", drop_cash="")]),
    ("06.2-redeem-at-value", "pass", [other("redemption", value=5000, paid=5000)]),
    ("06.2-redeem-at-value", "violation", [other("redemption", value=5000, paid=4500)]),
    ("06.2-discontinued-30-days", "pass",
     [other("discontinued", discontinued="2026-09-01", redeemed_until="2026-10-01")]),
    ("06.2-discontinued-30-days", "violation",
     [other("discontinued", discontinued="2026-09-01", redeemed_until="2026-09-30")]),
    ("06.2-tips-cash-on-hand", "pass", [other("tip_redemption", through="cash on hand")]),
    ("06.2-tips-cash-on-hand", "violation", [other("tip_redemption", through="drop box")]),
    ("06.3-redeem-before-leaving", "pass",
     [other("tip_redemption", redeemed_at="2026-11-02T23:00:00", left_at="2026-11-02T23:20:00")]),
    ("06.3-redeem-before-leaving", "violation", [other("tip_redemption", redeemed=False)]),
    ("16.0-retain-3-years", "pass", [count(purge_date="2029-12-31")]),
    ("16.0-retain-3-years", "violation", [count(purge_date="2029-12-30")]),
    ("16.0-retain-3-years", "violation", [daily(purge_date="2027-12-31")]),
    ("16.1.h-review-docs-1-year", "pass", [poh(purge_date="2027-09-30")]),
    ("16.1.h-review-docs-1-year", "violation", [poh(purge_date="2027-09-29")]),
    ("16.1.a-bank-records", "pass", [other("daily_record", starting_bank=100, ending_bank=200)]),
    ("16.1.a-bank-records", "violation", [other("daily_record", starting_bank=100, ending_bank="")]),
    ("16.1.a-bank-records", "undetermined", [other("daily_record", starting_bank=100)]),
    ("16.1.b-drop-fill-credit", "pass", [other("daily_record", drop_cash=1, fills=0, credits=0)]),
    ("16.1.b-drop-fill-credit", "violation", [other("daily_record", drop_cash="", fills=1, credits=1)]),
    ("16.1.c-cash-profit", "pass", [other("daily_record", cash_profit=5000)]),
    ("16.1.c-cash-profit", "violation", [other("daily_record", cash_profit="")]),
    ("16.1.g-daily-summary", "pass", [other("daily_record", gross_proceeds=900, prizes=700, agp=200)]),
    ("16.1.g-daily-summary", "violation", [other("daily_record", gross_proceeds=900, prizes=700, agp=250)]),
    ("16.1.g-daily-summary", "violation", [
        other("daily_record", gross_proceeds=900), other("tax_return", gross_proceeds=800, activity_date=DAY)]),
    ("16.2-inventory", "pass", [other("inventory")]),
    ("16.2-inventory", "violation", [other("inventory", kept=False)]),
    ("16.3-ideal-cash-bank", "pass", [other("ideal_cash_bank")]),
    ("16.3-ideal-cash-bank", "violation", [other("ideal_cash_bank", on_file=False)]),
    ("16.4-combined-bank", "pass", [other("combined_bank", allocated_to="twenty-one")]),
    ("16.4-combined-bank", "violation", [other("combined_bank", allocated_to="paddlewheel")]),
    ("16.5-deposit-audit", "pass", [other("deposit", verified=True)]),
    ("16.5-deposit-audit", "violation", [other("deposit", verified=True, audited=False)]),
    ("16.6-bank-reconciliation", "pass", [other("bank_reconciliation")]),
    ("16.6-bank-reconciliation", "violation", [other("bank_reconciliation", done=False)]),
    ("16.1.e-tournament-fees", "pass", [tournament(collector_initials="EE")]),
    ("16.1.e-tournament-fees", "violation", [tournament(collector_initials="")]),
    ("16.1.f-tournament-prizes", "pass", [tournament(prize_register=True, record_of_win="Ann")]),
    ("16.1.f-tournament-prizes", "violation", [tournament(prize_register=False, record_of_win="Ann")]),
]  # fmt: skip


@pytest.mark.parametrize(("clause", "verdict", "rows"), CASES, ids=names(CASES))
def test_clause(clause: str, verdict: str, rows: Rows) -> None:
    judged(clause, verdict, rows)


OPTIONS: list[tuple[str, str, Rows, dict[str, Any]]] = [
    ("03.1-half-dollar-clarity", "pass", [kit(coin_clear=True)], {"fifty_cent_piece": "metal_coin"}),
    ("03.1-half-dollar-clarity", "violation", [kit(coin_clear=False)], {"fifty_cent_piece": "metal_coin"}),
    ("03.1-half-dollar-clarity", "not_applicable", [kit(coin_clear=False)], {}),
    ("09.1-table-max", "violation", [], {"table_limits": {"min": 100, "max": 5000}}),
    ("09.1-table-max", "pass", [], {"table_limits": {"min": 100, "max": 1000}}),
    ("11.10.g-soft17-posted", "pass", [disclosed(soft_17=True)], {"hit_soft_17": True}),
    ("11.10.g-soft17-posted", "violation", [disclosed(soft_17=False)], {"hit_soft_17": True}),
    ("11.10.g-soft17-posted", "not_applicable", [disclosed(soft_17=False)], {"hit_soft_17": False}),
    ("12.0-alternative-policy", "pass", [("mistake_policy", {"written": True})], {"mistake_policy": "alternative"}),
    ("12.0-alternative-policy", "violation",
     [("mistake_policy", {"written": False})], {"mistake_policy": "alternative"}),
    ("10.1.c-malfunction", "pass", [other("reader_malfunction", table="2")], {}),
    ("15.0-tournament-rules", "pass", [tournament(rules_disclosed=True)], {"tournament_rules": "on"}),
    ("15.0-tournament-rules", "violation", [tournament(rules_disclosed=False)], {"tournament_rules": "on"}),
    ("15.0-tournament-rules", "violation", [tournament(rules_disclosed=False)], {}),
    ("15.1-fee-cap-200", "pass", [tournament(players=[{"name": "A", "entry_fee": 10000, "rebuys": [10000]}])], {
        "tournament_rules": "on"}),
    ("15.1-fee-cap-200", "violation",
     [tournament(players=[{"name": "A", "entry_fee": 10000, "rebuys": [10000, 100]}])], {
        "tournament_rules": "on"}),
    ("15.1-fee-cap-200", "violation", [tournament(players=[{"name": "A", "entry_fee": 5000, "add_ons": [6000]}])], {
        "tournament_rules": "on"}),
    ("15.1-player-register", "pass",
     [tournament(players=[{"name": "A", "entry_fee": 10000}])], {"tournament_rules": "on"}),
    ("15.1-player-register", "violation", [tournament(register=False)], {"tournament_rules": "on"}),
    ("15.2-length-set", "pass", [tournament(hands=20, rounds_played=20)], {"tournament_rules": "on"}),
    ("15.2-length-set", "violation", [tournament(hands=20, rounds_played=18)], {"tournament_rules": "on"}),
    ("15.3-no-early-cash-out", "pass", [tournament(early_cash_outs=[])], {"tournament_rules": "on"}),
    ("15.3-no-early-cash-out", "violation", [tournament(early_cash_outs=["Ann"])], {"tournament_rules": "on"}),
    ("15.1-no-value-chips", "pass", [tournament(starting_chips={"A": 500, "B": 500})], {"tournament_rules": "on"}),
    ("15.1-no-value-chips", "violation", [tournament(starting_chips={"A": 500, "B": 600})], {"tournament_rules": "on"}),
    ("15.4-most-chips-wins", "pass",
     [tournament(final_chips={"A": 900, "B": 600}, winner="A")], {"tournament_rules": "on"}),
    ("15.4-most-chips-wins", "violation", [tournament(final_chips={"A": 900, "B": 600}, winner="B")], {
        "tournament_rules": "on"}),
    ("15.4-most-chips-wins", "pass",
     [tournament(final_chips={"A": 900, "B": 600}, winners=["A", "B"], split_prize=True)], {
        "tournament_rules": "on"}),
]  # fmt: skip


@pytest.mark.parametrize(("clause", "verdict", "rows", "house"), OPTIONS, ids=names(OPTIONS))
def test_clause_under_an_option(clause: str, verdict: str, rows: Rows, house: dict[str, Any]) -> None:
    judged(clause, verdict, rows, house)
