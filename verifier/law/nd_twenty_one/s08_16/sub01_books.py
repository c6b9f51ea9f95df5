"""Daily books, retention, rent (99-01.3-08-01(4), 04(5), 16)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Final

from verifier.law.checks.records.cameras import LOG
from verifier.law.checks.records.equipment import end_of_quarter
from verifier.law.checks.records.rows import day_words, filled, of_row
from verifier.law.entries import Entry, quarter_end, years_after
from verifier.law.figures import Figures
from verifier.law.instances import Instance
from verifier.law.registry import session_check
from verifier.law.session import Session

VIDEO_30 = "ND-08-04.5-retain-30-days"
THREE_YEARS = "ND-08-16.0-retain-3-years"
ONE_YEAR = "ND-08-16.1.h-review-docs-1-year"
BANK = "ND-08-16.1.a-bank-records"
DROP = "ND-08-16.1.b-drop-fill-credit"
PROFIT = "ND-08-16.1.c-cash-profit"
SUMMARY = "ND-08-16.1.g-daily-summary"
INVENTORY = "ND-08-16.2-inventory"
IDEAL = "ND-08-16.3-ideal-cash-bank"
COMBINED = "ND-08-16.4-combined-bank"
AUDIT = "ND-08-16.5-deposit-audit"
RECONCILED = "ND-08-16.6-bank-reconciliation"
RENT = "ND-08-01.4-extra-table-rent"
USAGE = "ND-08-01.4-table-usage-doc"
"""Quarters before whose uses decide about the rent."""
DAYS_KEPT = 30
_DAILY: Final = ("daily_record", "daily_summary", "daily", "daily_game_record", "quarterly_summary")
_GONE: Final = (
    "purge_date", "purged", "purged_on", "destroyed", "destroyed_on", "deleted", "deleted_on", "retained_until",
)  # fmt: skip
_VIDEO: Final = frozenset({"recording", "video", "recorded_video", "recording_retention", "video_retention"})
_ONE_YEAR_KINDS: Final = frozenset({"percent_of_hold", "review_document"})


@session_check(VIDEO_30, THREE_YEARS, ONE_YEAR, LOG)
def kept_long_enough(session: Session) -> Iterator[Instance]:
    """Video is kept 30 days, percent-of-hold and review documents a year, other records three years."""
    for entry in session.records.entries:
        gone = entry.date(*_GONE)
        if gone is None:
            continue
        if entry.kind in _VIDEO or entry.date("recording_date", "recorded", "recorded_on"):
            day = entry.date("recording_date", "recorded", "recorded_on", "activity_date") or entry.day
            due = day + timedelta(days=session.figures.video_kept_days) if day else None
            yield _kept(VIDEO_30, entry, gone, due, "recorded video")
        elif entry.kind in _ONE_YEAR_KINDS:
            yield _a_year(entry, gone)
        else:
            log = entry.kind == "surveillance_log"
            reported = quarter_end(entry.get("reported_quarter", "quarter_reported", "reported"))
            end = reported or end_of_quarter(entry)
            for clause in (THREE_YEARS, LOG) if log else (THREE_YEARS,):
                yield _kept(clause, entry, gone, years_after(end, 3) if end else None, f"this {_words(entry)}")


def _a_year(entry: Entry, gone: date) -> Instance:
    """A year from the end of the activity's quarter: of the footage, where a review names another quarter besides."""
    named = quarter_end(entry.get("activity_quarter")) or end_of_quarter(entry)
    seen = quarter_end(entry.get("footage_date", "footage_from")) if entry.get("activity_quarter") is None else None
    ends = sorted({end for end in (seen or named, named if entry.get("quarter") is not None else None) if end})
    dues = [years_after(end, 1) for end in ends]
    due = dues[-1] if dues and gone < dues[0] else (dues[0] if len(dues) == 1 else None)
    if dues and gone >= dues[-1]:
        due = dues[-1]
    return _kept(ONE_YEAR, entry, gone, due, f"this {_words(entry)}")


def _words(entry: Entry) -> str:
    return entry.kind.replace("_", " ") + ("" if entry.kind.endswith("record") else " record")


def _kept(clause: str, entry: Entry, gone: date, due: date | None, what: str) -> Instance:
    return of_row(
        clause,
        None if due is None else gone >= due,
        entry,
        key="kept",
        incident=f"kept {entry.event.id}",
        rank=1 if clause != LOG else 5,
        expected=f"{what} is kept until {day_words(due)}",
        observed=f"it is kept only until {day_words(gone)}" if due else "it is not told to which quarter it belongs",
    )


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
        gross, prizes = entry.cents("gross_proceeds", "gp"), entry.cents("prizes", "total_prizes")
        adjusted = entry.cents("adjusted_gross_proceeds", "agp")
        if gross is not None and prizes is not None and adjusted is not None:
            yield of_row(
                SUMMARY,
                gross - prizes == adjusted,
                entry,
                expected=f"adjusted gross proceeds are gross proceeds less prizes: {(gross - prizes) / 100:.2f}",
                observed=f"the record says {adjusted / 100:.2f}",
            )
        else:
            yield from filled(SUMMARY, entry, _SUMMARY[:3], "the day's summary") if _summarised(entry) else ()
        blank = [words for words, names in _SUMMARY if entry.get(*names) == ""]
        if blank:
            yield of_row(
                SUMMARY,
                False,
                entry,
                key="blank",
                expected="the day's summary is filled in",
                observed=f"it lacks {', '.join(blank)}",
            )
    yield from _quarter(session)


def _summarised(entry: Entry) -> bool:
    """Whether a row sums up the day: prizes or adjusted gross proceeds are among what it tells."""
    return any(entry.get(*names) not in (None, "") for _, names in _SUMMARY[1:3])


def _quarter(session: Session) -> Iterator[Instance]:
    """A quarter's tax return against the sum of its days, where every day is given."""
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
            expected=f"the days of the quarter add up to the return: {total / 100:.2f}",
            observed=f"the return says {said / 100:.2f}",
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
                expected=f"the {kinds[0].replace('_', ' ')} record is kept",
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
                observed=f"it goes to {given}",
            )


@session_check(RENT, USAGE, reads=("table_usage", "rent"))
def extra_tables(session: Session) -> Iterator[Instance]:
    """Rent for a further table needs 13 uses a quarter, and each use is documented."""
    uses: Counter[tuple[str, date]] = Counter()
    for entry in session.records.of("table_usage"):
        yield from filled(
            USAGE,
            entry,
            (
                ("the table number", ("table", "table_number")),
                ("the drop box cash", ("drop_cash", "drop_box_cash", "cash", "drop")),
                *(() if entry.event.date else (("the date", ("date", "day", "activity_date")),)),
            ),
            "the record of a table's use",
        )
        end = end_of_quarter(entry)
        if entry.where and end:
            uses[entry.where, end] += int(entry.number("uses", "times_used") or 1)
    for entry in session.records.of("rent", "table_rent"):
        yield from _rent(entry, uses, session.figures)


def _rent(entry: Entry, uses: Counter[tuple[str, date]], figures: Figures) -> Iterator[Instance]:
    history = entry.get("uses_per_quarter", "quarters", "history")
    counts: Sequence[object] = (
        list(history.values()) if isinstance(history, dict) else history if isinstance(history, list) else []
    )
    known = [int(c) for c in counts if isinstance(c, int) and not isinstance(c, bool)]
    end = end_of_quarter(entry)
    if not known and entry.where and end and uses[entry.where, end]:
        known = [uses[entry.where, end]]
    if known:
        yield of_row(
            RENT,
            _may_rent(known, entry.flag("prorated"), figures),
            entry,
            expected=f"a further table is rented only where it is used {figures.rent_uses} times a quarter, "
            "else prorated",
            observed="it was used " + ", ".join(str(count) for count in known) + " times",
        )


def _may_rent(uses: Sequence[int], prorated: bool | None, figures: Figures) -> bool | None:
    """Whether rent is lawful after the uses in the previous four quarters; None where not all of them are told."""
    met, whole = [count >= figures.rent_uses for count in uses], len(uses) >= figures.rent_quarters
    if not any(met):
        return False if whole or prorated is False else None
    if all(met):
        return True if whole else None
    return prorated
