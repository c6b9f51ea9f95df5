"""The daily books and the books of the cash bank (99-01.3-08-16(1)-(6))."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from typing import Final

from verifier.law import say
from verifier.law.entries import Entry
from verifier.law.instances import Instance
from verifier.law.registry import session_check
from verifier.law.rows import end_of_quarter, filled, of_row
from verifier.law.session import Session

BANK = "ND-08-16.1.a-bank-records"
DROP = "ND-08-16.1.b-drop-fill-credit"
PROFIT = "ND-08-16.1.c-cash-profit"
SUMMARY = "ND-08-16.1.g-daily-summary"
INVENTORY = "ND-08-16.2-inventory"
IDEAL = "ND-08-16.3-ideal-cash-bank"
COMBINED = "ND-08-16.4-combined-bank"
AUDIT = "ND-08-16.5-deposit-audit"
RECONCILED = "ND-08-16.6-bank-reconciliation"
_DAILY: Final = ("daily_record", "daily_summary", "daily", "daily_game_record", "quarterly_summary")


@session_check(BANK, DROP, PROFIT, SUMMARY, reads=_DAILY)
def daily_books(session: Session) -> Iterator[Instance]:
    """Each day's banks, drop, fills and credits, profit and summary are recorded and add up."""
    for entry in session.records.of(*_DAILY):
        yield from filled(
            BANK,
            entry,
            (
                (
                    "the starting cash and chip banks",
                    ("starting_bank", "starting_cash", "starting_banks", "start_bank"),
                ),
                ("the ending banks", ("ending_bank", "ending_cash", "ending_banks", "end_bank")),
            ),
            "the day's record",
        )
        yield from filled(
            DROP,
            entry,
            (
                ("the drop box cash", ("drop_cash", "drop", "drop_box_cash")),
                ("fills", ("fills", "fill_total")),
                ("credits", ("credits", "credit_total")),
            ),
            "each table's record",
        )
        yield from filled(PROFIT, entry, (("the cash profit", ("cash_profit",)),), "the day's record")
        yield from _adds_up(entry)
        blank = [words for words, names in _SUMMARY if entry.get(*names) == ""]
        if blank:
            yield of_row(
                SUMMARY,
                False,
                entry,
                key="blank",
                expected="the day's summary is filled in",
                observed=say.that("it lacks {blank}", blank=say.listed(", ", blank)),
            )
    yield from _quarter(session)


def _adds_up(entry: Entry) -> Iterator[Instance]:
    """Check that gross proceeds less prizes are the adjusted ones; where a sum is missing, that it is filled in."""
    gross, prizes = entry.cents("gross_proceeds", "gp"), entry.cents("prizes", "total_prizes")
    adjusted = entry.cents("adjusted_gross_proceeds", "agp")
    if gross is not None and prizes is not None and adjusted is not None:
        yield of_row(
            SUMMARY,
            gross - prizes == adjusted,
            entry,
            expected=say.that("adjusted gross proceeds are gross proceeds less prizes").detail(
                "{gross}", gross=say.cents(gross - prizes)
            ),
            observed=say.that("the record says {adjusted}", adjusted=say.cents(adjusted)),
        )
    elif _summarised(entry):
        yield from filled(SUMMARY, entry, _SUMMARY[:3], "the day's summary")


def _summarised(entry: Entry) -> bool:
    """Tell whether a row sums up the day: prizes or adjusted gross proceeds are among what it tells."""
    return any(entry.get(*names) not in (None, "") for _, names in _SUMMARY[1:3])


def _quarter(session: Session) -> Iterator[Instance]:
    """Check a quarter's tax return against the sum of its days, where every day is given."""
    days: dict[date, list[Entry]] = defaultdict(list)
    for entry in session.records.of("daily_record", "daily_summary", "daily", "daily_game_record"):
        end = end_of_quarter(entry)
        if end and entry.cents("gross_proceeds", "gp") is not None:
            days[end].append(entry)
    for entry in session.records.of("tax_return", "quarterly_summary"):
        end, said = end_of_quarter(entry), entry.cents("gross_proceeds", "gp")
        rows = days.get(end, []) if end else []
        wanted = entry.number("days", "activity_days")
        if said is None or not rows:
            continue
        total = sum(row.cents("gross_proceeds", "gp") or 0 for row in rows)
        whole = wanted is not None and wanted == len(rows)
        yield of_row(
            SUMMARY,
            total == said or (False if whole or total > said else None),
            [entry, *rows],
            expected=say.that("the days of the quarter add up to the return").detail("{total}", total=say.cents(total)),
            observed=say.that("the return says {said}", said=say.cents(said)),
        )


_PRESENCE: Final = {
    INVENTORY: ("inventory", "inventory_record"), IDEAL: ("ideal_cash_bank",),
    AUDIT: ("deposit", "deposit_audit", "audit"), RECONCILED: ("bank_reconciliation", "reconciliation"),
}  # fmt: skip
_SUMMARY: Final = (
    ("the gross proceeds", ("gross_proceeds", "gp")), ("the prizes", ("prizes", "total_prizes")),
    ("the adjusted gross proceeds", ("adjusted_gross_proceeds", "agp")),
    ("the cash long or short", ("cash_long_short", "long_short")), ("the bank deposit", ("deposit", "bank_deposit")),
)  # fmt: skip
_AUDIT_OPEN: Final = "it does not tell of both the bank statement and the audit"
_DONE: Final = ("kept", "done", "verified", "audited", "reconciled", "on_file", "present", "by_bank_statement")


@session_check(*_PRESENCE, COMBINED, reads=("other",))
def books_kept(session: Session) -> Iterator[Instance]:
    """Inventory, ideal banks, deposits and reconciliations are on file."""
    for clause, kinds in _PRESENCE.items():
        for entry in session.records.of(*kinds):
            told = {name: entry.flag(name) for name in _DONE if entry.get(name) is not None}
            half = clause == AUDIT and len({"audited", "verified", "by_bank_statement"} & told.keys()) == 1
            yield of_row(
                clause,
                False if False in told.values() else (None if half else True),
                entry,
                expected=say.that("the {kinds} record is kept", kinds=kinds[0].replace("_", " ")),
                observed=_AUDIT_OPEN if False not in told.values() else "the record says that it is not",
            )
    for entry in session.records.of("combined_bank"):
        given = entry.words("allocated_to", "long_short_to", "allocation")
        if given is not None:
            yield of_row(
                COMBINED,
                given.replace(" ", "") in ("twentyone", "21"),
                entry,
                expected="the long or short of a combined bank goes to twenty-one",
                observed=say.that("it goes to {given}", given=given),
            )
