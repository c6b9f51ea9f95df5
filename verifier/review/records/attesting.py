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
from verifier.formats.site_records import SiteRecord
from verifier.formats.wording import closest, printable
from verifier.law.attested import KIND, applies, attestable
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
    """What a person says of a clause; `fulfilled` is None where nothing is said."""

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
    """The clauses that the form of a day or of a week asks at a site, by its house options on the last day."""
    house = house_from(site_options(store, span.site, span.last), "house options")
    return [one for one in attestable(RULEBOOK) if one.attested == term and applies(one, house)]


def answered(store: Store, span: Span, person: Person) -> dict[str, Answer]:
    """What this person has stated of these days and this table, by clause."""
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
    """The statements that stand of a site and hold on one of these days at least."""
    records, bare = SiteRecords(store), table_name(site)
    found = [one for name in records.sites() if table_name(name) == bare for one in records.standing(name, kind=KIND)]
    return [one for one in found if one.day <= last.isoformat() and str(one.fields.get("to")) >= first.isoformat()]


def statement_lines(store: Store, site: str, first: date, last: date) -> list[StatementLine]:
    """The statements that hold on one of these days, in the order of the law, then of their days."""
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
    """Keeps the answers that say something, signed with the person's account and today's date.

    A statement of the same person, days and table whose clause is now left open is withdrawn.

    Raises Forbidden where the person may not write documents, BadInput for a span that is not over where the clause
    is about what was done in it, and where no answer says anything.
    """
    require(person, Act.DOCUMENT)
    on = today or date.today()
    told = [one for one in answers if one.fulfilled is not None]
    back = _taken_back(store, person, span, answers)
    if not told and not back:
        raise BadInput(FORMS[term], "no clause is answered", "answer at least one")
    if term == "day" and on < span.last:
        raise _too_early(FORMS[term], span.last.isoformat(), "")
    body = msgspec.json.encode([span, term, person.name, on.isoformat(), told])
    digest = hashlib.sha256(body).hexdigest()
    kept = [_kept(one, span, term, person, on, digest) for one in told]
    records = SiteRecords(store)
    for record in back:
        records.withdraw(record, person.name, f"the answer was taken back in the {FORMS[term]}")
    made = records.add([one for one in kept if not _stands(store, one)], person.name)
    return Attested(made=made, withdrawn=back)


def _taken_back(store: Store, person: Person, span: Span, answers: Sequence[Answer]) -> list[KeptRecord]:
    """The person's own statements on the clauses that are now left open."""
    left = {one.clause for one in answers if one.fulfilled is None}
    mine = [one for one in SiteRecords(store).standing(span.site, kind=KIND) if _is_of(one, span, person)]
    return [one for one in mine if one.fields.get("clause") in left]


def check_statement(path: Path, one: SiteRecord) -> None:
    """Refuses a statement on a clause that nobody attests, and one that was signed before what it is about was over."""
    clause = str(one.fields.get("clause"))
    known = {each.id: each for rulebook in RULEBOOKS for each in attestable(rulebook)}
    if clause not in known:
        cause = f"{printable(clause)} is no clause that a person attests{closest(clause, list(known))}"
        raise BadInput(path, cause, "see docs/law-coverage.md", where=f"{one.where}, column clause")
    if not isinstance(one.fields.get("fulfilled"), bool):
        raise BadInput(path, "is empty", "write yes or no", where=f"{one.where}, column fulfilled")
    last, signed = str(one.fields.get("to")), str(one.fields.get("signed_on"))
    if known[clause].attested == "day" and signed < last:
        raise _too_early(path, last, f"{one.where}, column signed_on")


def _too_early(source: Path | str, last: str, where: str) -> BadInput:
    cause = f"what was done until {last} cannot be attested before that day"
    return BadInput(source, cause, "sign it on that day or later", where=where or None)


def _key(clause: str, span: Span, person: Person) -> str:
    """What names a statement, as an import of the same fields would name it."""
    table = f" table {span.table}" if span.table else ""
    return f"clause {clause}{table} from {span.first.isoformat()} signed_by {person.signature}"[:200]


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
    """Whether the same was stated before, on whatever day it was signed."""
    own = [each for each in SiteRecords(store).standing(one.site, kind=KIND) if each.name == one.name]
    return any({**each.fields, "signed_on": ""} == {**one.fields, "signed_on": ""} for each in own)


def _is_of(one: KeptRecord, span: Span, person: Person) -> bool:
    days = (one.fields.get("from"), one.fields.get("to"))
    return (
        days == (span.first.isoformat(), span.last.isoformat())
        and one.table == span.table
        and one.fields.get("account") == person.name
    )
