"""Rent for further tables, and the record of their use (99-01.3-08-01(4))."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date

from verifier.law import say
from verifier.law.entries import Entry
from verifier.law.figures import Figures
from verifier.law.instances import Instance
from verifier.law.registry import session_check
from verifier.law.rows import end_of_quarter, filled, of_row
from verifier.law.session import Session

RENT = "ND-08-01.4-extra-table-rent"
USAGE = "ND-08-01.4-table-usage-doc"
"""Quarters before whose uses decide about the rent."""


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
            expected=say.that(
                "a further table is rented only where it is used {rent_uses} times a quarter, else prorated",
                rent_uses=say.figure("rent_uses", figures.rent_uses),
            ),
            observed="it was used " + say.listed(", ", (count for count in known)) + " times",
        )


def _may_rent(uses: Sequence[int], prorated: bool | None, figures: Figures) -> bool | None:
    """Tell whether rent is lawful after the uses in the previous four quarters; None where not all of them are told."""
    met, whole = [count >= figures.rent_uses for count in uses], len(uses) >= figures.rent_quarters
    if not any(met):
        return False if whole or prorated is False else None
    if all(met):
        return True if whole else None
    return prorated
