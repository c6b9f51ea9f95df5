"""What only a person can attest: the clauses that a form asks, and the statements that are kept of it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Final, Literal

import msgspec
from msgspec import Struct

from verifier.domain.errors import BadInput
from verifier.formats.house import house_from
from verifier.formats.site_records import MOST_DAYS, SiteRecord
from verifier.formats.wording import closest, printable
from verifier.law.attested import KIND, applies, attestable, earliest_signature
from verifier.law.catalogue import RULEBOOKS, Clause
from verifier.law.entries import table_name
from verifier.review.people.roles import Act, Person, require
from verifier.review.records.floor_options import site_options
from verifier.store.repository import Store
from verifier.store.site_records import Imported, KeptRecord, SiteRecords

Term = Literal["day", "week"]
FORMS: Final[dict[Term, str]] = {"day": "daily form", "week": "weekly form"}
RULEBOOK: Final = "nd-twenty-one"
MOST_REMARK: Final = 500
"""Letters of a remark, as of any text of a record."""


class Answer(Struct, frozen=True, kw_only=True):
    """What a person says of a clause; `fulfilled` is None if nothing is said."""

    clause: str
    fulfilled: bool | None
    statement: str = ""


class Attested(Struct, frozen=True, kw_only=True):
    """What came of a form: the statements that were kept, and those that the person took back."""

    made: Imported
    withdrawn: list[KeptRecord]

    @property
    def changed(self) -> list[KeptRecord]:
        """All on which the verdicts of reviews may rest."""
        return [*self.made.kept, *self.withdrawn]


class Span(Struct, frozen=True, kw_only=True):
    """For which site, days (both ends included) and table a form is filled in; no table means all tables."""

    site: str
    first: date
    last: date
    table: str = ""


class StatementLine(Struct, frozen=True, kw_only=True):
    """A statement as a document lists it: `says` is `kept` or `NOT KEPT`, `days` the span, `kept_by` the account."""

    clause: str
    cite: str
    title: str
    table: str
    days: str
    says: str
    signed_by: str
    signed_on: str
    kept_by: str
    remark: str


def asked(store: Store, span: Span, term: Term) -> list[Clause]:
    """Return the clauses that the form of a day or a week asks about at a site, by its house options on the last
    day.
    """
    house = house_from(site_options(store, span.site, span.last), "house options")
    return [one for one in attestable(RULEBOOK) if one.attested == term and applies(one, house)]


def answered(store: Store, span: Span, person: Person) -> dict[str, Answer]:
    """Return what this person has stated about these days and this table, by clause."""
    mine = [one for one in SiteRecords(store).standing(span.site, kind=KIND) if _is_of(one, span, person)]
    return {
        str(one.fields.get("clause")): Answer(
            clause=str(one.fields.get("clause")),
            fulfilled=bool(one.fields.get("fulfilled")),
            statement=str(one.fields.get("statement") or ""),
        )
        for one in mine
    }


def statements(store: Store, site: str, first: date, last: date) -> list[KeptRecord]:
    """Return the standing statements about a site that hold on at least one of these days."""
    records, bare = SiteRecords(store), table_name(site)
    found = [one for name in records.sites() if table_name(name) == bare for one in records.standing(name, kind=KIND)]
    return [one for one in found if one.day <= last.isoformat() and str(one.fields.get("to")) >= first.isoformat()]


def statement_lines(store: Store, site: str, first: date, last: date) -> list[StatementLine]:
    """Return the statements that hold on one of these days, in the order of the law, then of their days."""
    order = {one.id: (number, one) for number, one in enumerate(attestable(RULEBOOK))}
    found = [one for one in statements(store, site, first, last) if str(one.fields.get("clause")) in order]
    return [
        _line(order[str(one.fields["clause"])][1], one)
        for one in sorted(found, key=lambda one: (order[str(one.fields["clause"])][0], one.day, one.id))
    ]


def _line(clause: Clause, one: KeptRecord) -> StatementLine:
    first, last = one.day, str(one.fields.get("to"))
    return StatementLine(
        clause=clause.id,
        cite=clause.cite,
        title=clause.title,
        table=one.table or "all",
        days=first if first == last else f"{first} to {last}",
        says="kept" if one.fields.get("fulfilled") else "NOT KEPT",
        signed_by=str(one.fields.get("signed_by")),
        signed_on=str(one.fields.get("signed_on")),
        kept_by=one.made_by,
        remark=str(one.fields.get("statement") or ""),
    )


def attest(
    store: Store, person: Person, span: Span, term: Term, answers: Sequence[Answer], today: date | None = None
) -> Attested:
    """Keep the answers that say something, signed with the person's account and today's date.

    A statement of the same person, days and table whose clause is now left open is withdrawn.

    Raises Forbidden if the person may not write documents, and BadInput for a clause that the form does not ask, for
    a span of more than a year, for a signature ahead (`check_statement`), and where no answer says anything.
    """
    require(person, Act.DOCUMENT)
    on = today or date.today()
    _check_form(term, span, answers, on)
    told = [one for one in answers if one.fulfilled is not None]
    back = _taken_back(store, person, span, answers)
    if not told and not back:
        raise BadInput(FORMS[term], "no clause is answered", "answer at least one")
    body = msgspec.json.encode([span, term, person.name, on.isoformat(), told])
    digest = hashlib.sha256(body).hexdigest()
    kept = [_kept(one, span, term, person, on, digest) for one in told]
    records = SiteRecords(store)
    for record in back:
        records.withdraw(record, person.name, f"the answer was taken back in the {FORMS[term]}")
    made = records.add([one for one in kept if not _stands(store, one)], person.name)
    return Attested(made=made, withdrawn=back)


def _taken_back(store: Store, person: Person, span: Span, answers: Sequence[Answer]) -> list[KeptRecord]:
    """Return the person's own statements on the clauses that are now left open."""
    left = {one.clause for one in answers if one.fulfilled is None}
    mine = [one for one in SiteRecords(store).standing(span.site, kind=KIND) if _is_of(one, span, person)]
    return [one for one in mine if one.fields.get("clause") in left]


def check_statement(path: Path, one: SiteRecord, today: date) -> None:
    """Refuse a statement on a clause that nobody attests, and one that was signed ahead.

    No signature is of a day after `today`. What is done in a day is signed on the last day of the statement or later,
    what stands for longer on its first day or later.
    """
    clause = str(one.fields.get("clause"))
    known = {each.id: each for rulebook in RULEBOOKS for each in attestable(rulebook)}
    if clause not in known:
        cause = f"{printable(clause)} is no clause that a person attests{closest(clause, list(known))}"
        raise BadInput(path, cause, "see docs/law-coverage.md", where=f"{one.where}, column clause")
    if not isinstance(one.fields.get("fulfilled"), bool):
        raise BadInput(path, "is empty", "write yes or no", where=f"{one.where}, column fulfilled")
    days = [date.fromisoformat(str(one.fields.get(name))) for name in ("from", "to", "signed_on")]
    _check_signed(path, known[clause], (days[0], days[1]), days[2], f"{one.where}, column signed_on")
    if days[2] > today:
        cause = f"{days[2].isoformat()} is after today, {today.isoformat()}"
        raise BadInput(path, cause, "correct the day of the signature", where=f"{one.where}, column signed_on")


def _check_signed(source: Path | str, clause: Clause, days: tuple[date, date], signed: date, where: str = "") -> None:
    """Refuse a signature ahead of what a clause's statement about these days is about."""
    needed = earliest_signature(clause, *days)
    if needed is None or signed >= needed:
        return
    what = "what was done until" if clause.attested == "day" else "what stands from"
    cause = f"{what} {needed.isoformat()} cannot be attested before that day"
    raise BadInput(source, cause, "sign it on that day or later", where=where or None)


def _check_form(term: Term, span: Span, answers: Sequence[Answer], on: date) -> None:
    """Refuse days that no statement may have, and clauses that the form of a day or a week does not ask."""
    form = FORMS[term]
    if not 0 <= (span.last - span.first).days < MOST_DAYS:
        cause = f"{span.last.isoformat()} is not within a year from {span.first.isoformat()} on"
        raise BadInput(form, cause, "correct one of the two")
    known = {one.id: one for one in attestable(RULEBOOK) if one.attested == term}
    for answer in answers:
        if answer.clause not in known:
            cause = f"{printable(answer.clause)} is no clause that it asks{closest(answer.clause, list(known))}"
            raise BadInput(form, cause, "see docs/law-coverage.md")
        if answer.fulfilled is not None:
            _check_signed(form, known[answer.clause], (span.first, span.last), on)


def _key(clause: str, span: Span, person: Person) -> str:
    """Return the name of a statement that an account signed in the room.

    It begins with the account. The name of a record that was brought in begins with its clause (`record_kinds.yaml`),
    so that no import is ever the next version of what an account signed.
    """
    table = f" table {span.table}" if span.table else ""
    return f"account {person.name} clause {clause}{table} from {span.first.isoformat()}"[:200]


def _kept(one: Answer, span: Span, term: Term, person: Person, on: date, digest: str) -> KeptRecord:
    fields: dict[str, object] = {
        "site": span.site,
        "clause": one.clause,
        "from": span.first.isoformat(),
        "to": span.last.isoformat(),
        "fulfilled": one.fulfilled,
        "signed_by": person.signature,
        "signed_on": on.isoformat(),
        "account": person.name,
    }
    fields |= {"table": span.table} if span.table else {}
    fields |= {"statement": one.statement.strip()[:MOST_REMARK]} if one.statement.strip() else {}
    return KeptRecord(
        site=span.site,
        kind=KIND,
        name=_key(one.clause, span, person),
        day=span.first.isoformat(),
        table=span.table,
        fields=fields,
        source=f"{FORMS[term]}: {one.clause}",
        sha256=digest,
    )


def _stands(store: Store, one: KeptRecord) -> bool:
    """Tell whether the same was stated before, on whatever day it was signed."""
    own = [each for each in SiteRecords(store).standing(one.site, kind=KIND) if each.name == one.name]
    return any({**each.fields, "signed_on": ""} == {**one.fields, "signed_on": ""} for each in own)


def _is_of(one: KeptRecord, span: Span, person: Person) -> bool:
    days = (one.fields.get("from"), one.fields.get("to"))
    return (
        days == (span.first.isoformat(), span.last.isoformat())
        and one.table == span.table
        and one.fields.get("account") == person.name
    )
