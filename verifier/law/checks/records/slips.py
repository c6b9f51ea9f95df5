"""Fill and credit slips: form, numbers, people, values (99-01.3-08-05)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import datetime, time
from itertools import pairwise
from typing import Any, Final

from verifier.domain.events import AnyEvent, TrayTransfer
from verifier.law.checks.records.rows import filled, of_row
from verifier.law.entries import Entry, as_cents, as_number, table_name
from verifier.law.instances import Instance, judged
from verifier.law.registry import session_check
from verifier.law.session import Session

USED = {"fill": "ND-08-05.1-fill-slip", "credit": "ND-08-05.1-credit-slip"}
DIRECT = "ND-08-05.1-no-table-to-table"
TRAY = "ND-08-05.1-temporary-tray"
SEPARATE = "ND-08-05.2-slip-separate"
NUMBERS = "ND-08-05.2-slip-numbering"
VOID = "ND-08-05.2-slip-void"
PREPARER = {"fill": "ND-08-05.3-fill-preparer", "credit": "ND-08-05.3-credit-preparer"}
HEADER = "ND-08-05.3.a-slip-header"
VALUES = "ND-08-05.3.b-slip-quantities"
INITIALS = "ND-08-05.3.c-slip-initials"
ORIGINAL = "ND-08-05.4-fill-original"
RUNNER = "ND-08-05.5-runner-verifies"
CASHIER = "ND-08-05.6-cashier-verifies-credit"
SLIPS: Final = ("fill_slip", "credit_slip")
_MAY_PREPARE: Final = {
    "fill": frozenset({"cashier", "chip bank cashier", "pit boss", "shift manager", "dealer acting as cashier"}),
    "credit": frozenset({"dealer", "wheel operator", "pit boss", "shift manager"}),
}
_KNOWN_ROLES: Final = frozenset().union(*_MAY_PREPARE.values(), {
    "runner", "player", "bartender", "employee", "gaming employee", "attendant", "gaming manager", "security",
})  # fmt: skip


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
            if total is not None and move.cents is not None:
                yield of_row(
                    VALUES, total == move.cents, slip, key="moved", events=[move],
                    expected=f"the slip's total is the value moved, {move.cents / 100:.2f}",
                    observed=f"the slip says {total / 100:.2f}",
                )  # fmt: skip
        for move in unmatched:
            yield _slip_used(clause, False if session.has_records else None, move, way)


def _here(session: Session, entry: Entry) -> bool:
    return entry.where is None or session.header.table is None or entry.where == table_name(session.header.table)


def _pairs(moves: list[TrayTransfer], left: list[Entry]) -> tuple[list[tuple[TrayTransfer, Entry]], list[TrayTransfer]]:
    """Transfers with their slips: first those of equal value, then the rest in order."""
    pairs: list[tuple[TrayTransfer, Entry]] = []
    rest = []
    for move in moves:
        same = next((e for e in left if move.cents is not None and slip_total(e) == move.cents), None)
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
        clause, right, key=move.id, at="tray", events=[move], expected=f"a {way} slip is made for the chips moved",
        observed="no slip for them is among the records",
    )  # fmt: skip


def slip_total(entry: Entry) -> int | None:
    """A slip's grand total in cents, else what its chips add up to."""
    total = entry.cents("grand_total", "total", "total_value", "value", "amount")
    return total if total is not None else _chips_sum(entry.get("chips", "quantities"))


def _chips_sum(chips: Any) -> int | None:
    if not isinstance(chips, Mapping) or not chips:
        return None
    sums = []
    for value, count in chips.items():
        cents, number = as_number(value), as_number(count)
        if cents is None or number is None:
            return None
        sums.append(cents * number)
    return round(sum(sums))


@session_check(DIRECT, reads=(*SLIPS, "other"))
def no_direct_transfer(session: Session) -> Iterator[Instance]:
    """Chips do not go from one table straight to another."""
    for entry in session.records.of(*SLIPS, "transfer", "table_transfer"):
        source, target = entry.text("from_table", "source_table"), entry.text("to_table", "destination_table")
        ends = (entry.words("from", "source") or "", entry.words("to", "destination") or "")
        between = bool(source and target and source != target) or all(end.startswith("table") for end in ends)
        yield of_row(
            DIRECT, not between, entry, expected="chips move between a table and the chip bank",
            observed=f"chips went from {source or ends[0]} to {target or ends[1]}",
        )  # fmt: skip


@session_check(TRAY, reads=("tray_transfer",))
def temporary_tray(session: Session) -> Iterator[Instance]:
    """A tray that leaves the table and comes back has a credit and a fill slip."""
    moves = [e for e in session.of(TrayTransfer) if e.direction in ("tray_out", "tray_in")]
    for out, back in pairwise(moves):
        if (out.direction, back.direction) != ("tray_out", "tray_in") or not session.has_records:
            continue
        kinds = {direction(e) for e in slips(session) if _here(session, e)}
        yield judged(
            TRAY, True if kinds >= {"fill", "credit"} else None, key=out.id, at="tray", events=[out, back],
            expected="a credit and a fill slip are made for the tray", observed="they are not among the records",
        )  # fmt: skip


@session_check(SEPARATE, reads=SLIPS)
def separate_forms(session: Session) -> Iterator[Instance]:
    """Fill and credit slips are separate forms."""
    for entry in session.records.of(*SLIPS):
        form = entry.words("form", "form_type")
        combined = entry.flag("separate") is False or (form is not None and "fill" in form and "credit" in form)
        yield of_row(
            SEPARATE, not combined, entry, expected="fills and credits are on separate forms",
            observed="one form serves for both",
        )  # fmt: skip


@session_check(NUMBERS, reads=SLIPS)
def numbered(session: Session) -> Iterator[Instance]:
    """Slips of a form are two-part, numbered in a row and used in order."""
    groups: dict[tuple[str, str | None], list[Entry]] = defaultdict(list)
    for entry in session.records.of(*SLIPS):
        if entry.number("parts") is not None:
            yield of_row(
                NUMBERS, entry.number("parts") == 2, entry, key="parts", expected="a slip has two parts",
                observed=f"it has {entry.number('parts'):g}",
            )  # fmt: skip
        if number_of(entry) is not None:
            groups[direction(entry), entry.site].append(entry)
        elif entry.told("number", "slip_number", "serial", "slip_no") is False:
            yield of_row(NUMBERS, False, entry, expected="a slip is numbered", observed="it has no number")
    for (way, _), entries in groups.items():
        ordered = sorted(entries, key=lambda e: _when(e) or datetime.min) if all(map(_when, entries)) else entries
        for before, after in pairwise(ordered):
            first, second = number_of(before) or 0, number_of(after) or 0
            yield of_row(
                NUMBERS, second == first + 1, [before, after], key=str(second),
                expected=f"the {way} slip after number {first} is number {first + 1}",
                observed=f"it is number {second}",
            )  # fmt: skip


def number_of(entry: Entry) -> int | None:
    """A slip's number, without letters before it."""
    text = entry.text("number", "slip_number", "serial", "slip_no", "serial_number")
    digits = re.search(r"(\d+)\D*$", text) if text else None
    return int(digits[1]) if digits else None


def _when(entry: Entry) -> datetime | None:
    whole = entry.moment("time", "datetime", "at")
    if whole is not None or entry.day is None:
        return whole
    clock = _clock(entry.text("time") or "")
    return datetime.combine(entry.day, clock) if clock else None


def _clock(text: str) -> time | None:
    found = re.match(r"^(\d{1,2}):(\d{2})(?::\d{2})?\s*([ap])?\.?\s*m?\.?$", text)
    if not found:
        return None
    hour = int(found[1]) % 12 + (12 if found[3] == "p" else 0) if found[3] else int(found[1])
    return time(hour, int(found[2])) if hour < 24 and int(found[2]) < 60 else None


@session_check(VOID, reads=SLIPS)
def voided(session: Session) -> Iterator[Instance]:
    """A voided slip is marked VOID and initialed by its preparer, original and copy."""
    for entry in session.records.of(*SLIPS):
        if entry.flag("void", "voided") is True:
            yield from filled(VOID, entry, (
                ("the preparer's initials", ("void_initials", "initials", "preparer_initials")),
            ), "a voided slip")  # fmt: skip
            marked = entry.flag("marked_void", "marked", "both_parts", "copy_marked")
            if marked is not None:
                yield of_row(
                    VOID, marked, entry, key="mark", expected="original and copy of a voided slip are marked VOID",
                    observed="they are not both marked",
                )  # fmt: skip


@session_check(*PREPARER.values(), reads=SLIPS)
def prepared_by(session: Session) -> Iterator[Instance]:
    """A fill slip is prepared by the cashier's side, a credit slip by the table's side."""
    for entry in session.records.of(*SLIPS):
        way = direction(entry)
        role = entry.words("preparer_role", "prepared_by_role", "role") or _role_of(entry)
        if role is None or way not in PREPARER:
            continue
        if role == "dealer" and entry.flag("acting_as_cashier", "acting_cashier") is True:
            role = "dealer acting as cashier"
        allowed = role in _MAY_PREPARE[way]
        yield of_row(
            PREPARER[way], True if allowed else (False if role in _KNOWN_ROLES else None), entry,
            expected=f"a {way} slip is prepared by a {', '.join(sorted(_MAY_PREPARE[way]))}",
            observed=f"it was prepared by a {role}",
        )  # fmt: skip


def _role_of(entry: Entry) -> str | None:
    """A preparer that is named by the role itself."""
    named = entry.words("preparer", "prepared_by")
    return named if named in _KNOWN_ROLES else None


@session_check(HEADER, INITIALS, ORIGINAL, RUNNER, CASHIER, reads=SLIPS)
def slip_filled_in(session: Session) -> Iterator[Instance]:
    """Slips show game, site, date, time and table, and the initials of those who handled them."""
    for entry in session.records.of(*SLIPS):
        if entry.flag("void", "voided") is True:
            continue
        way = direction(entry)
        yield from filled(HEADER, entry, _header(entry), f"a {way} slip")
        own = (
            ("cashier_initials", "cashier")
            if way == "fill"
            else ("dealer_initials", "operator_initials", "wheel_operator_initials")
        )
        yield from filled(INITIALS, entry, (
            (f"the initials of the {'cashier' if way == 'fill' else 'dealer'}", (*own, "initials")),), f"a {way} slip",
        )  # fmt: skip
        if way == "fill":
            yield from filled(ORIGINAL, entry, (
                ("that the original is kept", ("original_kept", "original_filed", "original")),
            ), "the daily file")  # fmt: skip
        else:
            yield from filled(CASHIER, entry, (
                ("the cashier's initials", ("cashier_initials", "cashier_verified")),), "the copy of a credit slip",
            )  # fmt: skip
        if entry.flag("runner_on_duty", "manager_on_duty", "authorized_employee_on_duty") is not False:
            yield from filled(RUNNER, entry, (
                ("the initials of the one who carried the chips", ("runner_initials", "verifier_initials", "runner")),
            ), f"a {way} slip's original")  # fmt: skip


def _header(entry: Entry) -> tuple[tuple[str, tuple[str, ...]], ...]:
    dated = () if entry.event.date else (("the date", ("date",)),)
    return (
        ("the game", ("game",)), ("the site", ("site", "site_id")), *dated, ("the time", ("time", "datetime")),
        ("the table number", ("table", "table_number", "table_id")),
    )  # fmt: skip


@session_check(VALUES, reads=SLIPS)
def quantities(session: Session) -> Iterator[Instance]:
    """A slip's chips add up to its values and its grand total."""
    for entry in session.records.of(*SLIPS):
        chips = entry.get("chips", "quantities")
        total = entry.cents("grand_total", "total", "total_value", "value", "amount")
        summed = _chips_sum(chips)
        if summed is not None and total is not None:
            yield of_row(
                VALUES, total in (summed, 100 * summed), entry,
                expected=f"the slip's chips add up to {summed / 100:.2f}",
                observed=f"its total says {total / 100:.2f}",
            )  # fmt: skip
        lines = entry.get("totals", "values", "total_by_value")
        if isinstance(lines, Mapping) and isinstance(chips, Mapping):
            yield from _lines(entry, chips, lines)


def _lines(entry: Entry, chips: Mapping[str, Any], lines: Mapping[str, Any]) -> Iterator[Instance]:
    for value, said in lines.items():
        cents, count, amount = as_number(value), as_number(chips.get(value)), as_cents(said)
        if cents is not None and count is not None and amount is not None:
            yield of_row(
                VALUES, round(cents * count) == amount, entry, key=str(value),
                expected=f"{count:g} chips of {cents / 100:.2f} are {cents * count / 100:.2f}",
                observed=f"the slip says {amount / 100:.2f}",
            )  # fmt: skip
