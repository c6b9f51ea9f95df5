"""What only a person can attest: a signed statement counts for the days and the table that it names.

A statement is a `record_entry` of the kind `attestation` (docs/law-records.md). It is never told as seen: the row and
the finding that rest on one say `attested`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import Final

from verifier.domain.events import Event, RecordEntry
from verifier.domain.findings import Evidence, Verdict
from verifier.domain.house import House
from verifier.law import say
from verifier.law.catalogue import RULEBOOKS, Clause, clauses
from verifier.law.entries import Entry, as_date, plain, table_name
from verifier.law.instances import Instance, judged
from verifier.law.registry import session_check
from verifier.law.say import Said
from verifier.law.session import Session

KIND: Final = "attestation"
NOBODY: Final = "no person attested it"
NO_DAY: Final = "a person attested it, and the day of play is not known"
NOT_ALL: Final = "a person attested it, but not for the whole play"
UNSIGNED: Final = "a statement is there that nobody signed"
UNDATED: Final = "a statement is there that does not tell when it was signed"
STATED: Final = "a person's statement, not seen"


def attestable(rulebook: str) -> tuple[Clause, ...]:
    """Return the clauses of a rulebook that a person attests, in the order of the law."""
    return tuple(clause for clause in clauses(rulebook) if clause.attested is not None)


def applies(clause: Clause, house: House) -> bool:
    """Tell whether a clause that a person attests applies at a site with these options, or may apply."""
    return clause.video is None or house.video_surveillance in (None, clause.video)


def attestations(session: Session) -> Iterator[Instance]:
    """Judge what a person states of a clause: it holds for the days and the table of the statement."""
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
            observed=say.that(STATED).detail(say.listed("; ", map(_words, deciding))),
        )


for _rulebook in RULEBOOKS:
    session_check(*(clause.id for clause in attestable(_rulebook)), rulebooks=(_rulebook,), reads=(KIND,))(attestations)


def rests_on_statement(events: Sequence[Event]) -> bool:
    """Tell whether one of these events is a person's statement."""
    return any(isinstance(event, RecordEntry) and Entry(event).kind == KIND for event in events)


def passed_by_word(rows: Iterable[tuple[Verdict, Evidence | None]]) -> str:
    """How many of these clauses (verdict, evidence) passed on a person's statement, as a sentence; "" for none."""
    count = sum(verdict == "pass" and evidence == "attested" for verdict, evidence in rows)
    return f"{count} of those that passed rest on a person's statement, nobody saw them." if count else ""


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
    covering = [entry for entry in here if _covers(entry, day)]
    if not covering:
        return f"attested for {_listed(map(_span, here))}, not for {day.isoformat()}"
    faults = [_fault(entry, clause) for entry in covering]
    return NOT_ALL if None in faults else _listed(fault for fault in faults if fault is not None)


def _listed(words: Iterator[str]) -> str:
    return " and ".join(dict.fromkeys(words))


def _table(entry: Entry) -> str:
    return f"table {entry.where}"


def _told(session: Session, clause: Clause) -> list[Entry]:
    """Return the statements on a clause that say yes or no."""
    rows = session.records.of(KIND)
    return [e for e in rows if e.get("clause") == clause.id and e.flag("fulfilled") is not None]


def _deciding(session: Session, clause: Clause) -> list[Entry]:
    """Return the statements that count for the day and the table of a log: those that their signers did not
    supersede.
    """
    day = as_date(session.header.date)
    if day is None:
        return []
    here = [e for e in _told(session, clause) if _is_here(e, session)]
    sound = [e for e in here if _covers(e, day) and _fault(e, clause) is None]
    return [entry for entry in sound if not any(_supersedes(other, entry) for other in sound)]


def _fault(entry: Entry, clause: Clause) -> str | None:
    """Why a statement decides nothing whatever its days are: nobody signed it, or it was signed ahead."""
    if not _signer(entry)[1]:
        return UNSIGNED
    signed, first = entry.date("signed_on"), earliest_signature(clause, _first(entry), entry.date("to"))
    if signed is None:
        return UNDATED
    if first is not None and signed < first:
        return f"a statement was signed on {signed.isoformat()}, ahead of {first.isoformat()}"
    return None


def earliest_signature(clause: Clause, first: date | None, last: date | None) -> date | None:
    """Return the earliest day on which a statement of a clause may be signed, from the days that it is about.

    What is done in a day is told when its last day has come, what stands for longer when its first day has.
    """
    return last if clause.attested == "day" else first


def _supersedes(other: Entry, entry: Entry) -> bool:
    """Tell whether a statement takes the place of another: the same signer made it later, for the same table or
    for one of all. Nobody's statement takes the place of another person's.
    """
    same = _signer(other) == _signer(entry) and entry.where in (None, other.where)
    return same and _moment(other) > _moment(entry)


def _signer(entry: Entry) -> tuple[str, str]:
    """Who says it: the account that signed in the room, else the name on the paper."""
    account = entry.text("account")
    return ("account", account) if account else ("paper", entry.text("signed_by") or "")


def _moment(entry: Entry) -> tuple[date, date]:
    """Return the key that tells the later of two statements of a signer: the day of its signature, then the first of
    its days.
    """
    return entry.date("signed_on") or date.min, _first(entry) or date.min


def _is_here(entry: Entry, session: Session) -> bool:
    """Tell whether a statement is about the log's site, and about its table or all tables."""
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


def _words(entry: Entry) -> Said:
    """Return a statement in words: who signed it and when, for which days, and what it says."""
    keeper, signed, remark = entry.get("kept_by"), entry.date("signed_on"), entry.get("statement")
    said = say.that("{who}", who=entry.get("signed_by") or "somebody unnamed")
    if keeper and entry.get("account") != keeper:
        said += say.that(" (on a paper that {keeper} brought in)", keeper=keeper)
    said += " signed"
    if signed:
        said += say.that(" on {signed}", signed=say.day(signed))
    said += say.that(" for {days}", days=_span(entry))
    if entry.where is not None:
        said += say.that(", table {table}", table=entry.where)
    said += " that it was kept" if entry.flag("fulfilled") else " that it was not kept"
    if isinstance(remark, str) and plain(remark):
        said += say.that(' ("{remark}")', remark=remark)
    return said
