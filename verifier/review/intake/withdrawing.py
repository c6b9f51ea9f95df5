"""Takes a record back, or puts it back again, by those who may; then judges again what it bears on."""

from __future__ import annotations

from collections.abc import Sequence

from verifier.domain.errors import BadInput
from verifier.law.attested import KIND as STATEMENT
from verifier.review.intake.importing import judge_again
from verifier.review.people.roles import Act, Forbidden, Person, require
from verifier.review.recheck import Rechecked
from verifier.store.repository import Store
from verifier.store.site_records import KeptRecord, SiteRecords


def signer(record: KeptRecord) -> str | None:
    """Return the account that signed a statement in the room; None for a paper's statement and for any other record."""
    return str(record.fields.get("account") or "") or None if record.kind == STATEMENT else None


def may_withdraw(person: Person | None, record: KeptRecord) -> bool:
    """Tell whether a person may take a record back; None is who runs the command and names no account.

    What an account signed is its own: besides it only who manages accounts may. All else may who keeps records.
    """
    own = signer(record)
    if own is None:
        return person is None or person.may(Act.RECORDS)
    return person is not None and (person.name == own or person.may(Act.PEOPLE))


def require_withdrawal(person: Person | None, record: KeptRecord) -> None:
    """Raise Forbidden if `person` may not take a record back."""
    if may_withdraw(person, record):
        return
    own = signer(record)
    if person is not None and own is None:
        require(person, Act.RECORDS)
    who = "who runs the command" if person is None else person.name
    cause = f"was signed by the account {own}, and may not be taken back by {who}"
    raise Forbidden(
        f"record {record.id}", cause, f"let {own} take it back, or an administrator of accounts (--by NAME)"
    )


def withdraw(
    store: Store, person: Person | None, record: KeptRecord, actor: str, reason: str
) -> tuple[KeptRecord, list[Rechecked]]:
    """Take a record back (`take_back`). Return its last version and what was judged again."""
    return take_back(store, person, record, actor, reason), judge_again(store, [record])


def take_back(store: Store, person: Person | None, record: KeptRecord, actor: str, reason: str) -> KeptRecord:
    """Take a record back, with a deed that says who and why; judge nothing. Return its last version.

    `actor` is who does it, `person` the account for which they say to act, or None. Raises Forbidden if that account
    may not, BadInput if no reason is given or the record has changed meanwhile.
    """
    require_withdrawal(person, record)
    named = "" if person is None or person.name == actor else person.name
    return SiteRecords(store).withdraw(record, actor, reason, named=named)


def put_back(store: Store, person: Person, record: KeptRecord) -> list[Rechecked]:
    """Keep a record that was taken back (`keep_again`). Return what was judged again."""
    keep_again(store, person, record)
    return judge_again(store, [record])


def keep_again(store: Store, person: Person, record: KeptRecord) -> None:
    """Keep a record that was taken back as its next version, as it was; judge nothing.

    Raises Forbidden if the person may not take it back, BadInput if it, or another version, has stood since.
    """
    require_withdrawal(person, record)
    records = SiteRecords(store)
    last, *earlier = records.versions(record)
    if not last.withdrawn:
        raise BadInput(f"record {record.id}", "stands already", "look at the list again")
    if earlier[0].id != record.id:
        cause = "is not the version that was taken back last"
        raise BadInput(f"record {record.id}", cause, "look at the list again, or bring the record in anew")
    records.add([record], person.name)


def withdrawable(person: Person, records: Sequence[KeptRecord]) -> list[KeptRecord]:
    """Of these records those that a person may take back."""
    return [one for one in records if may_withdraw(person, one)]
