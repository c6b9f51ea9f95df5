"""The roster: who dealt on which shift, and whether a reviewer is independent of it, 08-04(8)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from verifier.domain.errors import BadInput
from verifier.formats.days import read_day
from verifier.formats.tables import read_table
from verifier.review.people.makers import is_named, names_of
from verifier.review.people.roles import Person
from verifier.store.papers import Duty

COLUMNS = ("site", "day", "shift", "person", "duty")
DEALING = frozenset({"twenty-one", "paddlewheel"})
"""Duties that keep a person from reviewing the video of that shift at that site."""


def read_roster(path: Path) -> list[Duty]:
    """One line for each duty: site, day, shift, person, duty. Raises BadInput with the line for anything else."""
    return [_duty(path, where, row) for where, row in read_table(path, COLUMNS)[1]]


def _duty(path: Path, where: str, row: dict[str, str]) -> Duty:
    values = {name: " ".join(row[name].split()) for name in COLUMNS}
    empty = [name for name, value in values.items() if not value]
    if empty:
        raise BadInput(path, f"{empty[0]} is empty", "fill it in", where=where)
    try:
        values["day"] = read_day(values["day"]).isoformat()
    except ValueError as error:
        raise BadInput(path, "day is no date of these years", "write it as 2026-11-17", where=where) from error
    return Duty(**{**values, "duty": values["duty"].lower()})


def independence(
    duties: Iterable[Duty], days: Iterable[str], reviewer: str, shift: str = "", account: Person | None = None
) -> tuple[str, str]:
    """Tell whether the reviewer dealt on the shifts reviewed: (`clear`, `conflict` or `unknown`, a sentence).

    It is judged by the account: by each name of its person, and by the one that was typed. Without an account only a
    conflict can be told, for a name can be spelled in many ways. Without a shift, any dealing on one of the days is a
    conflict; a day without any roster is unknown.
    """
    names = [name for name in (reviewer, *(names_of(account) if account is not None else ())) if name.strip()]
    who = account.signature if account is not None else reviewer
    wanted = sorted(set(days))
    known = [duty for duty in duties if duty.day in wanted and (not shift or _same(duty.shift, shift))]
    dealt = sorted(duty for duty in known if duty.duty in DEALING and is_named(duty.person, names))
    if dealt:
        where = ", ".join(f"{duty.day} {duty.shift}: {duty.duty}" for duty in dealt)
        return "conflict", f"The roster has {who} dealing at this site ({where})."
    bare = [day for day in wanted if day not in {duty.day for duty in known}]
    if bare or not names:
        return "unknown", f"No roster to check against for {', '.join(bare) or 'an unnamed reviewer'}."
    if account is None:
        return (
            "unknown",
            f"{reviewer.strip()!r} is no account's name, so the roster cannot tell whether they dealt.",
        )
    return "clear", f"The roster has no dealing of {who} at this site on the shifts reviewed."


def dealers_on(duties: Iterable[Duty], days: Iterable[str]) -> list[str]:
    """Who dealt twenty-one on these days."""
    wanted = set(days)
    return sorted({duty.person for duty in duties if duty.day in wanted and duty.duty == "twenty-one"})


def _same(one: str, other: str) -> bool:
    return " ".join(one.split()).casefold() == " ".join(other.split()).casefold()
