"""Limits that the house makes known or changes (99-01.3-08-09(1))."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from verifier.law import say
from verifier.law.entries import Entry, as_cents, as_flag
from verifier.law.instances import Instance, judged
from verifier.law.registry import session_check
from verifier.law.rows import of_row
from verifier.law.session import Session

MINIMUM = "ND-08-09.1-min-wager-3"
MAXIMUM = "ND-08-09.1-table-max"
NOTICE = "ND-08-09.1-limit-change-notice"


@session_check(MINIMUM, reads=("house_rules", "disclosure"))
def low_minimum(session: Session) -> Iterator[Instance]:
    """At least one active table of the site has a minimum of 3 dollars or less."""
    posted = session.figures.posted_minimum_cents
    for entry in session.records.of("house_rules", "disclosure"):
        tables = entry.get("tables", "table_limits_by_table", "limits_by_table")
        rows = list(tables.values()) if isinstance(tables, Mapping) else tables
        if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
            continue
        maybe = [row for row in rows if as_flag(row.get("active")) is not False]
        surely = [row for row in maybe if as_flag(row.get("active"))] or maybe
        least = [as_cents(row.get("min", row.get("minimum"))) for row in maybe]
        known = [cents for cents in least if cents is not None]
        if maybe:
            low = any((as_cents(r.get("min", r.get("minimum"))) or 10**9) <= posted for r in surely)
            none = None not in least and min(known) > posted
            yield of_row(
                MINIMUM,
                True if low else (False if none else None),
                entry,
                expected=say.that(
                    "one active table has a minimum of {posted} or less",
                    posted=say.figure("posted_minimum_cents", posted, money=True),
                ),
                observed="the least minimum is "
                + (say.that("{known}", known=say.cents(min(known))) if known else "not told"),
            )


@session_check(MAXIMUM)
def table_maximum(session: Session) -> Iterator[Instance]:
    """No table's maximum is above 25 dollars; the chips of a tournament have no value (08-15(1))."""
    if session.house.tournament_rules == "on":
        return
    lawful = session.figures.wager_most_cents
    if "table_limits" in session.header.house:
        most = session.house.table_limits.max
        yield judged(
            MAXIMUM,
            most <= lawful,
            expected=say.that(
                "a table's maximum is {lawful} or less", lawful=say.figure("wager_most_cents", lawful, money=True)
            ),
            observed=say.that("it is set at {most}", most=say.cents(most)),
        )
    for entry in session.records.of("house_rules", "disclosure"):
        most_posted = max(_maxima(entry), default=None)
        if most_posted is not None:
            yield of_row(
                MAXIMUM,
                most_posted <= lawful,
                entry,
                expected=say.that(
                    "a table's maximum is {lawful} or less", lawful=say.figure("wager_most_cents", lawful, money=True)
                ),
                observed=say.that("it is set at {most_posted}", most_posted=say.cents(most_posted)),
            )


def _maxima(entry: Entry) -> list[int]:
    """Return the maxima that a record names: its own, that of its limits, and those of its tables."""
    limits, tables = entry.get("table_limits", "limits"), entry.get("tables")
    rows = [entry.fields, limits, *(tables if isinstance(tables, list) else ())]
    found = [
        as_cents(r.get(n)) for r in rows if isinstance(r, Mapping) for n in ("max", "maximum", "table_max", "max_cents")
    ]
    return [cents for cents in found if cents is not None]


@session_check(NOTICE, reads=("house_rules",))
def change_announced(session: Session) -> Iterator[Instance]:
    """Check that a change of limits is posted and announced with adequate notice."""
    for entry in session.records.of("house_rules", "limit_change"):
        if entry.kind != "limit_change" and "limit" not in (entry.words("change", "changed") or ""):
            continue
        said = [entry.flag("posted"), entry.flag("announced", "notice", "adequate_notice")]
        yield of_row(
            NOTICE,
            False if False in said else (True if None not in said else None),
            entry,
            expected="new limits are posted and announced with notice",
            observed="they were not posted" if said[0] is False else "they were not announced",
        )
