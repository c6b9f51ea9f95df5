"""Fill and credit slips against the chips moved (99-01.3-08-05(1), 05(3)(b))."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import timedelta
from itertools import pairwise
from typing import Final

import msgspec

from verifier.domain.events import AnyEvent, TrayTransfer
from verifier.law import say
from verifier.law.entries import Entry, as_cents, as_number, table_name
from verifier.law.instances import Instance, judged
from verifier.law.registry import session_check
from verifier.law.rows import filled, home, of_row, site_of
from verifier.law.session import Session

USED = {"fill": "ND-08-05.1-fill-slip", "credit": "ND-08-05.1-credit-slip"}
DIRECT = "ND-08-05.1-no-table-to-table"
TRAY = "ND-08-05.1-temporary-tray"
VALUES = "ND-08-05.3.b-slip-quantities"
SLIPS: Final = ("fill_slip", "credit_slip")
_TOTAL: Final = ("grand_total", "total", "total_value", "value", "amount")
_DOLLARS: Final = frozenset({"1", "2", "5", "25"})
"""Values that no chip has in cents."""
_BANK: Final = re.compile(r"\b(bank|cashier|cage|vault|safe)\b")


def direction(entry: Entry) -> str:
    """`fill` or `credit`."""
    return entry.kind.removesuffix("_slip")


def slips(session: Session) -> list[Entry]:
    """Slips that were not voided."""
    return [e for e in session.records.of(*SLIPS) if e.flag("void", "voided") is not True]


@session_check(*USED.values(), VALUES, reads=(*SLIPS, "tray_transfer"))
def slip_for_each_transfer(session: Session) -> Iterator[Instance]:
    """Each movement of chips between bank and table has its slip, and the slip's total is what was moved."""
    if not session.has_records and not session.records.of(*SLIPS):
        return
    for way, clause in USED.items():
        left = [e for e in slips(session) if direction(e) == way and _here(session, e)]
        moves = [e for e in session.of(TrayTransfer) if e.direction == way]
        pairs, unmatched = _pairs(moves, left)
        for move, slip in pairs:
            yield _slip_used(clause, True, move, way)
            total = slip_total(slip)
            if total is not None:
                yield _value_moved(move, slip, total)
        for move in unmatched:
            yield _slip_used(clause, False if session.has_records else None, move, way)


def _value_moved(move: TrayTransfer, slip: Entry, total: int) -> Instance:
    """Compare a slip's total with the value of the chips moved, which is open where nobody saw it."""
    moved = moved_cents(move)
    found = of_row(
        VALUES,
        None if moved is None else total == moved,
        slip,
        key="moved",
        events=[move],
        expected="the slip's total is the value moved"
        if moved is None
        else say.that("the slip's total is the value moved, {cents}", cents=say.cents(moved)),
        observed=say.that("the slip says {total}", total=say.cents(total))
        + (", and what was moved was not seen" if moved is None else ""),
    )
    return msgspec.structs.replace(found, uncounted=moved is None)


def moved_cents(move: TrayTransfer) -> int | None:
    """Return the value of the chips moved in cents, by their sum or by their counts; None where neither was seen."""
    return move.cents if move.cents is not None else _chips_sum(move.chips)


def _here(session: Session, entry: Entry) -> bool:
    """Tell whether a slip may be of the log's site, table and day of play, which may go on after midnight."""
    table, day = table_name(session.header.table), session.records.play_date
    if entry.where and table and entry.where != table:
        return False
    if entry.day and day and not day <= entry.day <= day + timedelta(days=1):
        return False
    return home(session) in (None, site_of(session, entry))


def _pairs(moves: list[TrayTransfer], left: list[Entry]) -> tuple[list[tuple[TrayTransfer, Entry]], list[TrayTransfer]]:
    """Transfers with their slips: first those of equal value, then the rest in order."""
    pairs: list[tuple[TrayTransfer, Entry]] = []
    rest = []
    for move in moves:
        same = next((e for e in left if slip_total(e) is not None and slip_total(e) == moved_cents(move)), None)
        if same is None:
            rest.append(move)
        else:
            left.remove(same)
            pairs.append((move, same))
    while rest and left:
        pairs.append((rest.pop(0), left.pop(0)))
    return pairs, rest


def _slip_used(clause: str, right: bool | None, move: AnyEvent, way: str) -> Instance:
    return judged(
        clause,
        right,
        key=move.id,
        at="tray",
        events=[move],
        expected=say.that("a {way} slip is made for the chips moved", way=way),
        observed="no slip for them is among the records",
        incident=slip_incident(move),
        rank=4,
    )


def slip_incident(move: AnyEvent) -> str:
    """Return the incident of chips moved without a slip, which then cannot be dropped either."""
    return f"slip {move.id}"


def slip_total(entry: Entry) -> int | None:
    """Return a slip's grand total in cents, else what its chips add up to."""
    total = entry.cents(*_TOTAL)
    return total if total is not None else _chips_sum(chips_of(entry))


def _chips_sum(chips: object) -> int | None:
    if not isinstance(chips, Mapping) or not chips:
        return None
    sums = []
    for value, count in chips.items():
        cents, number = as_number(value), as_number(count)
        if cents is None or number is None:
            return None
        sums.append(cents * number)
    return round(sum(sums))


def chips_of(entry: Entry) -> object:
    """Return a slip's chips, from value in cents to count. Values that only make sense as dollars are read as such."""
    chips = entry.get("chips", "quantities")
    return _in_cents(chips) if isinstance(chips, Mapping) else chips


def _in_cents(lines: Mapping[str, object]) -> Mapping[str, object]:
    bare = {str(value).strip().lstrip("$") for value in lines}
    if not any(value in _DOLLARS or "." in value for value in bare):
        return lines
    numbers = ((as_number(str(value).strip().lstrip("$")), count) for value, count in lines.items())
    return {str(round(100 * number)): count for number, count in numbers if number is not None}


@session_check(DIRECT, reads=(*SLIPS, "other"))
def no_direct_transfer(session: Session) -> Iterator[Instance]:
    """Chips do not go from one table straight to another."""
    for entry in session.records.of(*SLIPS, "transfer", "table_transfer", "other"):
        source, target = entry.text("from_table", "source_table"), entry.text("to_table", "destination_table")
        ends = (entry.words("from", "source") or "", entry.words("to", "destination") or "")
        if entry.kind == "other" and not (source and target):
            continue
        named = [table_name(end) for end in (source, target) if end and not _BANK.search(end)]
        between = len(set(named)) == 2 or (ends[0] != ends[1] and all(end.startswith("table") for end in ends))
        yield of_row(
            DIRECT,
            not between,
            entry,
            expected="chips move between a table and the chip bank",
            observed=say.that(
                "chips went from {source} to {target}", source=source or ends[0], target=target or ends[1]
            ),
        )


@session_check(TRAY, reads=("tray_transfer",))
def temporary_tray(session: Session) -> Iterator[Instance]:
    """Check that a tray that leaves the table and comes back has a credit and a fill slip."""
    moves = [e for e in session.of(TrayTransfer) if e.direction in ("tray_out", "tray_in")]
    for out, back in pairwise(moves):
        if (out.direction, back.direction) != ("tray_out", "tray_in") or not session.has_records:
            continue
        kinds = {direction(e) for e in slips(session) if _here(session, e)}
        yield judged(
            TRAY,
            True if kinds >= {"fill", "credit"} else None,
            key=out.id,
            at="tray",
            events=[out, back],
            expected="a credit and a fill slip are made for the tray",
            observed="they are not among the records",
        )


@session_check(VALUES, reads=SLIPS)
def quantities(session: Session) -> Iterator[Instance]:
    """Check that a slip's chips add up to its values and its grand total."""
    for entry in slips(session):
        yield from filled(
            VALUES,
            entry,
            (
                ("the chips", ("chips", "quantities")),
                ("the grand total", _TOTAL),
            ),
            say.that("a {entry} slip", entry=direction(entry)),
        )
        chips, total = chips_of(entry), entry.cents(*_TOTAL)
        summed = _chips_sum(chips)
        if summed is not None and total is not None:
            yield of_row(
                VALUES,
                total == summed,
                entry,
                expected=say.that("the slip's chips add up to {summed}", summed=say.cents(summed)),
                observed=say.that("its total says {total}", total=say.cents(total)),
            )
        elif isinstance(chips, Mapping) and chips and total is not None:
            yield of_row(
                VALUES,
                None,
                entry,
                expected="a slip shows how many chips of each value were moved",
                observed="how many of one value is not told",
            )
        lines = entry.get("totals", "values", "total_by_value")
        if isinstance(lines, Mapping) and isinstance(chips, Mapping):
            yield from _lines(entry, chips, _in_cents(lines))


def _lines(entry: Entry, chips: Mapping[str, object], lines: Mapping[str, object]) -> Iterator[Instance]:
    if lines and chips.keys() - lines.keys():
        yield of_row(
            VALUES,
            None,
            entry,
            key="lines",
            expected="a slip shows the total of each value of chip",
            observed=say.that(
                "none is told for {keys}", keys=say.listed(", ", sorted(map(str, chips.keys() - lines.keys())))
            ),
        )
    for value, said in lines.items():
        cents, count, amount = as_number(value), as_number(chips.get(value)), as_cents(said)
        if cents is None or count is None:
            continue
        yield of_row(
            VALUES,
            None if amount is None else round(cents * count) == amount,
            entry,
            key=str(value),
            expected=say.that(
                "{count} chips of {cents} are {cents_2}",
                count=say.number(count),
                cents=say.cents(cents),
                cents_2=say.cents(cents * count),
            ),
            observed="the slip does not tell their total"
            if amount is None
            else say.that("the slip says {amount}", amount=say.cents(amount)),
        )
