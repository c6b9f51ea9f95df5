"""What only a person can attest: a signed statement counts for the days and the table that it names.

A statement is a `record_entry` of the kind `attestation` (docs/law-records.md). It is never told as seen: the row and
the finding that rest on one say `attested`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final

from verifier.domain.events import Event, RecordEntry
from verifier.domain.house import House
from verifier.law.catalogue import RULEBOOKS, Clause, clauses
from verifier.law.entries import Entry, as_date, plain, table_name
from verifier.law.instances import Instance, judged
from verifier.law.registry import session_check
from verifier.law.session import Session

KIND: Final = "attestation"
NOBODY: Final = "no person attested it"
NO_DAY: Final = "a person attested it, and the day of play is not known"
NOT_ALL: Final = "a person attested it, but not for the whole play"
STATED: Final = "a person's statement, not seen"


def attestable(rulebook: str) -> tuple[Clause, ...]:
    """The clauses of a rulebook that a person attests, in the order of the law."""
    return tuple(clause for clause in clauses(rulebook) if clause.attested is not None)


def applies(clause: Clause, house: House) -> bool:
    """Whether a clause that a person attests applies at a site with these options."""
    if clause.applies_when.startswith("no video surveillance"):
        return house.video_surveillance != "present"
    return clause.applies_when != "video surveillance present" or house.video_surveillance != "absent"


def attestations(session: Session) -> Iterator[Instance]:
    """What a person states of a clause holds for the days and the table of the statement."""
    for clause in attestable(session.rulebook):
        deciding = _deciding(session, clause) if applies(clause, session.house) else []
        if not deciding:
            continue
        said = {entry.flag("fulfilled") for entry in deciding}
        yield judged(
            clause.id,
            said.pop() if len(said) == 1 else None,
            key="attested",
            events=[entry.event for entry in deciding],
            expected=clause.requirement,
            observed=f"{STATED}: " + "; ".join(map(_words, deciding)),
        )


for _rulebook in RULEBOOKS:
    session_check(*(clause.id for clause in attestable(_rulebook)), rulebooks=(_rulebook,), reads=(KIND,))(attestations)


def rests_on_statement(events: Sequence[Event]) -> bool:
    """Whether one of these events is a person's statement."""
    return any(isinstance(event, RecordEntry) and Entry(event).kind == KIND for event in events)


def why_not_attested(clause: Clause, session: Session) -> str | None:
    """Why no statement counts for a clause; None where the clause does not apply."""
    if not applies(clause, session.house):
        return None
    told = _told(session, clause)
    if not told:
        return NOBODY
    day = as_date(session.header.date)
    if day is None:
        return NO_DAY
    here = [entry for entry in told if _is_here(entry, session)]
    if not here:
        return f"attested for {_listed(_table(entry) for entry in told)}, not for this one"
    if not any(_covers(entry, day) for entry in here):
        return f"attested for {_listed(map(_span, here))}, not for {day.isoformat()}"
    return NOT_ALL


def _listed(words: Iterator[str]) -> str:
    return " and ".join(dict.fromkeys(words))


def _table(entry: Entry) -> str:
    return f"table {entry.where}"


def _told(session: Session, clause: Clause) -> list[Entry]:
    """The statements on a clause that say yes or no."""
    rows = session.records.of(KIND)
    return [e for e in rows if e.get("clause") == clause.id and e.flag("fulfilled") is not None]


def _deciding(session: Session, clause: Clause) -> list[Entry]:
    """The statements that count for the day and the table of a log: of several those that begin last."""
    day = as_date(session.header.date)
    if day is None:
        return []
    covering = [e for e in _told(session, clause) if _is_here(e, session) and _covers(e, day)]
    newest = max((first for entry in covering if (first := _first(entry)) is not None), default=None)
    return [entry for entry in covering if _first(entry) == newest]


def _is_here(entry: Entry, session: Session) -> bool:
    """Whether a statement is about the log's site, and about its table or all tables."""
    site, table = table_name(session.header.site), table_name(session.header.table)
    return entry.site in (None, site) and entry.where in (None, table)


def _first(entry: Entry) -> date | None:
    return entry.date("from", "date")


def _covers(entry: Entry, day: date) -> bool:
    first, last = _first(entry), entry.date("to")
    return first is not None and last is not None and first <= day <= last


def _span(entry: Entry) -> str:
    first, last = _first(entry), entry.date("to")
    if first is None or last is None:
        return "days that it does not tell"
    return first.isoformat() if first == last else f"{first.isoformat()} to {last.isoformat()}"


def _words(entry: Entry) -> str:
    """A statement in words: who signed it and when, for which days, what it says."""
    who = entry.get("signed_by") or "somebody unnamed"
    keeper = entry.get("kept_by")
    who += f" (on a paper that {keeper} brought in)" if keeper and entry.get("account") != keeper else ""
    on = f" on {signed.isoformat()}" if (signed := entry.date("signed_on")) else ""
    where = "" if entry.where is None else f", table {entry.where}"
    kept = "it was kept" if entry.flag("fulfilled") else "it was not kept"
    more = f' ("{remark}")' if isinstance(remark := entry.get("statement"), str) and plain(remark) else ""
    return f"{who} signed{on} for {_span(entry)}{where} that {kept}{more}"
