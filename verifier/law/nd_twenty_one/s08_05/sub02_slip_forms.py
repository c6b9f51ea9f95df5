"""The form of fill and credit slips: separate, numbered, voided, prepared and filled in (99-01.3-08-05(2)-(6))."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime, time
from itertools import pairwise
from typing import Final

from verifier.law import say
from verifier.law.entries import Entry
from verifier.law.instances import Instance
from verifier.law.nd_twenty_one.s08_05.sub01_slips import SLIPS, direction
from verifier.law.registry import session_check
from verifier.law.rows import filled, of_row, site_of
from verifier.law.session import Session

SEPARATE = "ND-08-05.2-slip-separate"
NUMBERS = "ND-08-05.2-slip-numbering"
VOID = "ND-08-05.2-slip-void"
PREPARER = {"fill": "ND-08-05.3-fill-preparer", "credit": "ND-08-05.3-credit-preparer"}
HEADER = "ND-08-05.3.a-slip-header"
INITIALS = "ND-08-05.3.c-slip-initials"
ORIGINAL = "ND-08-05.4-fill-original"
RUNNER = "ND-08-05.5-runner-verifies"
CASHIER = "ND-08-05.6-cashier-verifies-credit"
_MAY_PREPARE: Final = {
    "fill": frozenset({"cashier", "chip bank cashier", "pit boss", "shift manager", "dealer acting as cashier"}),
    "credit": frozenset({"dealer", "wheel operator", "pit boss", "shift manager"}),
}
_KNOWN_ROLES: Final = frozenset().union(
    *_MAY_PREPARE.values(),
    {
        "runner",
        "player",
        "bartender",
        "employee",
        "gaming employee",
        "attendant",
        "gaming manager",
        "security",
    },
)
_GAME: Final = re.compile(r"21|twenty.?one|\bpw\b|paddle|wheel")
_HALF_DAY: Final = re.compile(r"^(\d|1[0-2]):\d{2}$")
"""A time of a clock with twelve hours without its half of the day; from 10 to 12 it may be one of 24 hours."""


@session_check(SEPARATE, reads=SLIPS)
def separate_forms(session: Session) -> Iterator[Instance]:
    """Fill and credit slips are separate forms."""
    for entry in session.records.of(*SLIPS):
        form = entry.words("form", "form_type")
        combined = entry.flag("separate") is False or (form is not None and "fill" in form and "credit" in form)
        crossed = not combined and form is not None and {"fill": "credit", "credit": "fill"}[direction(entry)] in form
        yield of_row(
            SEPARATE,
            None if crossed else not combined,
            entry,
            expected="fills and credits are on separate forms",
            observed=say.that("the form of a {entry} is called {form}", entry=direction(entry), form=form)
            if crossed
            else "one form serves for both",
        )


@session_check(NUMBERS, reads=SLIPS)
def numbered(session: Session) -> Iterator[Instance]:
    """Slips of a form are two-part, numbered in a row and used in order."""
    groups: dict[tuple[str, str | None], list[Entry]] = defaultdict(list)
    for entry in session.records.of(*SLIPS):
        if entry.number("parts") is not None:
            yield of_row(
                NUMBERS,
                entry.number("parts") == 2,
                entry,
                key="parts",
                expected="a slip has two parts",
                observed=say.that("it has {entry}", entry=entry.number("parts")),
            )
        if number_of(entry) is not None:
            groups[direction(entry), site_of(session, entry)].append(entry)
        elif entry.told("number", "slip_number", "serial", "slip_no") is False:
            yield of_row(NUMBERS, False, entry, expected="a slip is numbered", observed="it has no number")
    for (way, _), entries in groups.items():
        ordered = sorted(entries, key=lambda e: _when(e) or datetime.min) if all(map(_when, entries)) else entries
        for before, after in pairwise(ordered):
            first, second = number_of(before) or 0, number_of(after) or 0
            yield of_row(
                NUMBERS,
                second == first + 1,
                [before, after],
                key=str(second),
                expected=say.that(
                    "the {way} slip after number {first} is number {first_2}", way=way, first=first, first_2=first + 1
                ),
                observed=say.that("it is number {second}", second=second),
            )


def number_of(entry: Entry) -> int | None:
    """Return a slip's number, without the letters before it."""
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
    """Check that a voided slip is marked VOID and initialed by its preparer, original and copy."""
    for entry in session.records.of(*SLIPS):
        if entry.flag("void", "voided") is True:
            yield from filled(
                VOID,
                entry,
                (("the preparer's initials", ("void_initials", "initials", "preparer_initials")),),
                "a voided slip",
            )
            marked = entry.flag("marked_void", "marked", "both_parts", "copy_marked")
            if marked is not None:
                yield of_row(
                    VOID,
                    marked,
                    entry,
                    key="mark",
                    expected="original and copy of a voided slip are marked VOID",
                    observed="they are not both marked",
                )


@session_check(*PREPARER.values(), reads=SLIPS)
def prepared_by(session: Session) -> Iterator[Instance]:
    """Check that a fill slip is prepared by the cashier's side, a credit slip by the table's side."""
    for entry in session.records.of(*SLIPS):
        way = direction(entry)
        role = entry.words("preparer_role", "prepared_by_role", "role") or _role_of(entry)
        if role is None or way not in PREPARER:
            continue
        if role == "dealer" and _as_cashier(entry):
            role = "dealer acting as cashier"
        allowed = role in _MAY_PREPARE[way]
        yield of_row(
            PREPARER[way],
            True if allowed else (False if role in _KNOWN_ROLES else None),
            entry,
            expected=say.that(
                "a {way} slip is prepared by a {may_prepare}",
                way=way,
                may_prepare=say.listed(", ", sorted(_MAY_PREPARE[way])),
            ),
            observed=say.that("it was prepared by a {role}", role=role),
        )


def _as_cashier(entry: Entry) -> bool:
    """Tell whether a dealer made out the slip in the cashier's place."""
    role = entry.words("preparer_role", "prepared_by_role", "role")
    return role == "dealer acting as cashier" or entry.flag("acting_as_cashier", "acting_cashier") is True


def _role_of(entry: Entry) -> str | None:
    """Return the preparer where a role is named in place of a person."""
    named = entry.words("preparer", "prepared_by")
    return named if named in _KNOWN_ROLES else None


@session_check(HEADER, INITIALS, ORIGINAL, RUNNER, CASHIER, reads=SLIPS)
def slip_filled_in(session: Session) -> Iterator[Instance]:
    """Slips show game, site, date, time and table, and the initials of those who handled them."""
    for entry in session.records.of(*SLIPS):
        if entry.flag("void", "voided") is True:
            continue
        way = direction(entry)
        yield from filled(HEADER, entry, _header(entry), say.that("a {way} slip", way=way))
        yield from _readable(entry, way)
        yield from _half_told(entry, way)
        own: tuple[str, ...] = (
            ("cashier_initials", "cashier", *(("dealer_initials",) if _as_cashier(entry) else ()))
            if way == "fill"
            else ("dealer_initials", "operator_initials", "wheel_operator_initials")
        )
        yield from filled(
            INITIALS,
            entry,
            (
                (
                    say.that("the initials of the {which}", which="cashier" if way == "fill" else "dealer"),
                    (*own, "initials"),
                ),
            ),
            say.that("a {way} slip", way=way),
        )
        if way == "fill":
            yield from filled(
                ORIGINAL,
                entry,
                (("that the original is kept", ("original_kept", "original_filed", "original")),),
                "the daily file",
            )
        else:
            yield from filled(
                CASHIER,
                entry,
                (("the cashier's initials", ("cashier_initials", "cashier_verified")),),
                "the copy of a credit slip",
            )
        yield from _runner(entry, way)


def _half_told(entry: Entry, way: str) -> Iterator[Instance]:
    """Check that a time that may be in either half of the day is shown with a.m. or p.m."""
    clock = _HALF_DAY.match(entry.text("time") or "")
    if clock:
        yield of_row(
            HEADER,
            False if clock[1] in "123456789" else None,
            entry,
            key="half of the day",
            expected=say.that("a {way} slip shows its time with a.m. or p.m.", way=way),
            observed=say.that("it shows {clock}", clock=clock[0]),
        )


def _readable(entry: Entry, way: str) -> Iterator[Instance]:
    """Check that the game shown is 21 or PW, and that the time shown is a time."""
    game, clock = entry.text("game"), entry.text("time")
    if game and not _GAME.search(game):
        yield of_row(
            HEADER,
            False,
            entry,
            key="game",
            expected=say.that("a {way} slip shows 21 or PW", way=way),
            observed=say.that("it shows {game}", game=game),
        )
    if clock and _clock(clock) is None and entry.moment("time") is None:
        yield of_row(
            HEADER,
            None,
            entry,
            key="time",
            expected=say.that("a {way} slip shows its time", way=way),
            observed=say.that("it shows {clock}", clock=clock),
        )


def _runner(entry: Entry, way: str) -> Iterator[Instance]:
    """Check for the initials of the manager or employee who carried the chips, where one was on duty and not
    dealing.
    """
    names = ("runner_initials", "verifier_initials", "runner")
    on_duty = entry.flag("runner_on_duty", "manager_on_duty", "authorized_employee_on_duty")
    who = "the initials of the one who carried the chips"
    if on_duty or entry.told(*names):
        yield from filled(RUNNER, entry, ((who, names),), say.that("a {way} slip's original", way=way))
    elif on_duty is None and entry.told(*names) is False:
        yield of_row(
            RUNNER,
            None,
            entry,
            expected=say.that("a {way} slip's original shows {who}", way=way, who=who),
            observed="it lacks them, and nothing tells whether anybody was on duty who was not dealing",
        )


def _header(entry: Entry) -> tuple[tuple[str, tuple[str, ...]], ...]:
    dated = () if entry.event.date else (("the date", ("date",)),)
    return (
        ("the game", ("game",)),
        ("the site", ("site", "site_id")),
        *dated,
        ("the time", ("time", "datetime")),
        ("the table number", ("table", "table_number", "table_id")),
    )
