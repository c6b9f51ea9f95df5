"""Counting the drop box: the two counters, their counts, the box (99-01.3-08-14)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from itertools import pairwise
from typing import Final

from verifier.law import say
from verifier.law.entries import Entry, as_cents, as_date, as_flag
from verifier.law.instances import Instance
from verifier.law.registry import session_check
from verifier.law.rows import filled, of_row, site_of
from verifier.law.session import Session

TEAM = "ND-08-14.2-two-person-team"
SUPERVISOR = "ND-08-14.2-no-supervisor-pair"
FAMILY = "ND-08-14.2-no-family-pair"
AUDITOR = "ND-08-14.2-not-auditor"
COUNTS = "ND-08-14.4-independent-counts"
INITIALS = "ND-08-14.4-count-initials"
REMOVED = "ND-08-14.1-drop-box-removed-daily"
EMPTIED = "ND-08-14.1-drop-box-emptied"
READS = ("drop_count",)
_GAMING, _OTHER, _INDEPENDENT = "gaming employee", "nongaming employee", "independent person"
_ROLES: Final = {
    "gaming employee": _GAMING, "dealer": _GAMING, "cashier": _GAMING, "pit boss": _GAMING, "shift manager": _GAMING,
    "gaming manager": _GAMING, "wheel operator": _GAMING, "nongaming employee": _OTHER, "non gaming employee": _OTHER,
    "independent person": _INDEPENDENT, "independent": _INDEPENDENT, "bank": "bank", "bank representative": "bank",
    "accounting firm": "accounting", "accounting": "accounting", "security firm": "security", "security": "security",
    "accountant": "accounting", "security agency": "security",
}  # fmt: skip
_PARTS: Final = re.compile(r"[,;.]|\band\b|\bbut\b")
_DENIED: Final = re.compile(r"\b(no|not|none|never|neither|nor|without)\b")
_BOSS: Final = re.compile(r"supervis|subordinate")
_KIN: Final = re.compile(
    r"\b(famil|household|spouse|husband|wife|married|child|son\b|daughter|parent|father|mother|sibling|brother|sister)"
)


def counters(entry: Entry) -> list[Mapping[str, object]] | None:
    """Return the people who counted, each with what is told of them; None where nobody is named."""
    value = entry.get("counters", "count_team", "team", "counted_by")
    if value is None:
        pair = [
            entry.get("counter_1", "counter1", "first_counter"),
            entry.get("counter_2", "counter2", "second_counter"),
        ]
        if pair == [None, None]:
            return None
        value = [person for person in pair if person not in (None, "")]
    if isinstance(value, str):
        value = list(entry.names("counters", "count_team", "team", "counted_by") or ())
    if not isinstance(value, Sequence):
        return None
    return [person if isinstance(person, Mapping) else {"name": str(person)} for person in value]


def _name(person: Mapping[str, object]) -> str:
    return (
        str(person.get("name") or person.get("id") or person.get("person") or person.get("initials") or "")
        .strip()
        .lower()
    )


def _role(person: Mapping[str, object]) -> str | None:
    given = person.get("role") or person.get("position")
    return _ROLES.get(" ".join(str(given).lower().replace("_", " ").replace("-", " ").split())) if given else None


@session_check(TEAM, reads=READS)
def two_persons(session: Session) -> Iterator[Instance]:
    """Two persons independent of each other open and count the box."""
    for entry in session.records.of("drop_count"):
        people = counters(entry)
        if people is None:
            continue
        names = {_name(p) for p in people if _name(p)}
        right = False if len(people) < 2 or len(names) == 1 else _pairing(people, entry)
        yield of_row(
            TEAM,
            right,
            entry,
            expected="the box is opened by two persons of a pairing that the rule names",
            observed=say.that("it was counted by {names}", names=say.listed(", ", sorted(names)) or "nobody named")
            + (
                say.that(" ({people})", people=say.listed(", ", (_role(p) or "role not told" for p in people)))
                if len(people) > 1
                else ""
            ),
        )


def _pairing(people: Sequence[Mapping[str, object]], entry: Entry) -> bool | None:
    roles = [_role(person) for person in people[:2]]
    if None in roles:
        return None
    found = set(roles)
    if found in ({_INDEPENDENT, _GAMING}, {_OTHER}, {"bank"}, {"accounting"}, {"security"}):
        return True
    if found != {_GAMING}:
        return found <= {"bank", "accounting", "security"}
    dealt = [as_flag(p.get("dealt", p.get("conducted_games"))) for p in people[:2]]
    known = _dealers_named(entry)
    if known is not None:
        dealt = [_name(person) in known for person in people[:2]]
    return True if False in dealt else (False if all(dealt) else None)


def _dealers_named(entry: Entry) -> set[str] | None:
    names = entry.names("dealt", "dealers", "conducted_games")
    return None if names is None else {name.lower() for name in names}


@session_check(SUPERVISOR, FAMILY, AUDITOR, reads=READS)
def independent_counters(session: Session) -> Iterator[Instance]:
    """Counters are not supervisor and subordinate, not of one family, and none of them audits the game."""
    for entry in session.records.of("drop_count"):
        related = entry.words("relationship", "relation", "related")
        boss = entry.flag("supervisor_subordinate", "direct_supervisor", "supervisor_pair")
        kin = entry.flag("family", "same_household", "common_household", "family_pair")
        if related is not None:
            parts = [part for part in _PARTS.split(related) if not _DENIED.search(part)]
            boss = boss if boss is not None else any(_BOSS.search(part) for part in parts)
            kin = kin if kin is not None else any(_KIN.search(part) and "in law" not in part for part in parts)
        if boss is not None:
            yield of_row(
                SUPERVISOR,
                not boss,
                entry,
                expected="the counters are not supervisor and subordinate",
                observed="one directly supervises the other",
            )
        if kin is not None:
            contractor = entry.flag("independent_contractor") is True
            yield of_row(
                FAMILY,
                not kin or contractor,
                entry,
                expected="the counters are not of one family or household",
                observed=say.that("they are ({related})", related=related or "family"),
            )
        yield from _auditor(entry)


def _auditor(entry: Entry) -> Iterator[Instance]:
    auditor, people = entry.text("auditor", "auditor_id", "audited_by"), counters(entry)
    if auditor and people:
        yield of_row(
            AUDITOR,
            auditor not in {_name(p) for p in people},
            entry,
            expected="no counter audits the twenty-one activity",
            observed=say.that("{auditor} counted and audits", auditor=auditor),
        )


@session_check(COUNTS, INITIALS, reads=READS)
def counted_twice(session: Session) -> Iterator[Instance]:
    """Both count, differences are resolved, both initial and date the result."""
    for entry in session.records.of("drop_count"):
        yield from _counts(entry)
        initials = entry.get("initials", "initialed_by")
        if initials is not None:
            given = len(entry.names("initials", "initialed_by") or ())
            unread = isinstance(initials, list | tuple) and given < 2 <= given + sum(one is None for one in initials)
            dated = entry.told("dated", "initial_dates", "date_signed", "initialed_on")
            yield of_row(
                INITIALS,
                False if dated is False or (given < 2 and not unread) else None if unread else dated,
                entry,
                expected="both counters initial and date the count",
                observed=say.that("{given} of them initialed it", given=given)
                + ("" if dated else ", without a date that is told"),
            )
        else:
            yield from filled(
                INITIALS,
                entry,
                (
                    ("the first counter's initials", ("initials_1", "counter_1_initials", "initials1")),
                    ("the second counter's initials", ("initials_2", "counter_2_initials", "initials2")),
                    ("the date", ("dated", "initial_dates", "date_signed", "initialed_on")),
                ),
                "the count",
            )


def _counts(entry: Entry) -> Iterator[Instance]:
    given = entry.get("counts", "count_values")
    if isinstance(given, Mapping):
        given = list(given.values())
    if not isinstance(given, list):
        given = [
            v
            for v in (entry.get("count_1", "count1", "first_count"), entry.get("count_2", "count2", "second_count"))
            if v is not None
        ]
    values = [as_cents(value) for value in given]
    if not values and entry.told("counts", "count_values") is not False:
        return
    resolved = entry.told("resolved", "resolution", "difference_resolved", "resolution_note")
    same = None if None in values else len(set(values)) == 1
    right = False if len(values) < 2 else (True if resolved else same)
    yield of_row(
        COUNTS,
        right,
        entry,
        expected="each counter counts, and a difference is resolved",
        observed="counts of "
        + (say.listed(", ", ("?" if v is None else say.that("{v}", v=say.cents(v)) for v in values)) or "nobody")
        + (" and no resolution" if len(values) > 1 else " only"),
    )


@session_check(REMOVED, EMPTIED, reads=READS)
def box_removed(session: Session) -> Iterator[Instance]:
    """Check that a used box is removed the same day and emptied before it is used on another."""
    tables: dict[tuple[str | None, str | None], list[tuple[date, datetime | date | None, Entry]]] = defaultdict(list)
    for entry in session.records.of("drop_count"):
        day = entry.date("activity_date", "day_of_activity", "play_date") or entry.day
        removed = entry.date("removed", "removed_at", "removal_date", "removed_on")
        counted = entry.date("counted", "counted_at", "count_date", "counted_on") or as_date(entry.event.date)
        if day is None:
            continue
        tables[site_of(session, entry), entry.where].append((day, counted, entry))
        left = entry.told("removed", "removed_at") is False
        if removed is not None or left:
            yield of_row(
                REMOVED,
                not left and removed is not None and removed <= day,
                entry,
                expected=say.that("the box is removed by the end of {day}", day=say.day(day)),
                observed="it was left on the table"
                if left
                else say.that("it was removed on {removed}", removed=say.day(removed)),
            )
    for rows in tables.values():
        rows.sort(key=lambda row: row[0])
        for (day, counted, entry), (next_day, _, other) in pairwise(rows):
            if counted is not None and next_day > day:
                yield of_row(
                    EMPTIED,
                    counted <= next_day,
                    [entry, other],
                    expected=say.that(
                        "the box of {day} is emptied before it is used on {next_day}",
                        day=say.day(day),
                        next_day=say.day(next_day),
                    ),
                    observed=say.that("it was counted on {as_date}", as_date=say.day(as_date(str(counted)))),
                )
