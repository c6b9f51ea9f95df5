"""Accounts: the first administrator, new people, changes, and signing in with lock-out."""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime, timedelta
from typing import Final

from msgspec import Struct
from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from verifier.domain.errors import BadInput
from verifier.domain.names import shown
from verifier.review.people.passwords import fits, hashed
from verifier.review.people.roles import Act, Person, Role, require
from verifier.store.repository import Store
from verifier.store.room.tables import AccountRow, SessionRow

FAILURES_ALLOWED: Final = 5
LOCKED_MINUTES: Final = 15
_NAME = re.compile(r"[a-z0-9][a-z0-9._@+-]{1,118}")


class Account(Struct, frozen=True, kw_only=True):
    """An account as administrators see it."""

    person: Person
    active: bool
    local: bool
    locked_until: str | None
    created_at: str


class NewAccount(Struct, frozen=True, kw_only=True):
    """An account to be made; without a password another service (OpenID Connect) signs the person in."""

    name: str
    full_name: str
    role: Role
    password: str | None = None
    authority: bool = False


def anybody(store: Store) -> bool:
    """Tell whether there is any account yet."""
    with store.reading() as session:
        return session.scalar(select(func.count(AccountRow.id))) != 0


def create_first(store: Store, name: str, full_name: str, password: str) -> Person:
    """Make the first administrator. Raises BadInput if there is an account already, or was one before."""
    new = NewAccount(name=name, full_name=full_name, role=Role.ADMINISTRATOR, password=password)
    row = _row(new, store.now())
    if store.was_exchanged():
        cause = "cannot be made in this database: it is not the one whose log was pinned"
        raise BadInput("first account", cause, "see verifier evidence log, and put the database back from a backup")
    with store.acting(row.name, "first_account", f"user/{row.name}") as session:
        if session.scalar(select(func.count(AccountRow.id))):
            raise BadInput("first account", "there is one already", "ask an administrator for an account")
        if store.audit(act="first_account", limit=1):
            cause = "was made before, and all accounts are gone from the database"
            raise BadInput("first account", cause, "see verifier evidence log, and put the database back from a backup")
        session.add(row)
        return person_of(row)


def create(store: Store, by: Person, new: NewAccount) -> Person:
    """Make an account. Raises BadInput if the name is taken or unusable, Forbidden if `by` may not."""
    require(by, Act.PEOPLE)
    row = _row(new, store.now())
    with store.acting(by.name, "account", f"user/{row.name}", {"role": new.role, "video": new.authority}) as session:
        session.add(row)
        try:
            session.flush()
        except IntegrityError as error:
            raise BadInput(row.name, "is taken", "choose another name") from error
        return person_of(row)


def add_account(store: Store, new: NewAccount, by: str) -> None:
    """Add an account of this program's own, such as the demo's; `by` stands in the audit log."""
    row = _row(new, store.now())
    with store.acting(by, "account", f"user/{row.name}", {"role": new.role, "video": new.authority}) as session:
        session.add(row)


def change(store: Store, by: Person, name: str, *, role: Role, authority: bool, active: bool) -> None:
    """Change what a person may do and end their sessions; an administrator cannot lock themselves out."""
    require(by, Act.PEOPLE)
    if name == by.name and (role is not by.role or not active):
        raise BadInput(name, "is your own account", "let another administrator change it")
    detail = {"role": role, "video": authority, "active": active}
    with store.acting(by.name, "account", f"user/{name}", detail) as session:
        row = _known(session, name)
        row.role, row.authority, row.active = role.value, authority, active
        row.failures, row.locked_until = 0, None
        _end_sessions(session, row)


def set_password(store: Store, by: Person, name: str, password: str) -> None:
    """Set one's own password, or as an administrator another's; end all sessions of that account."""
    if by.name != name:
        require(by, Act.PEOPLE)
    with store.acting(by.name, "password", f"user/{name}") as session:
        row = _known(session, name)
        row.password, row.failures, row.locked_until = hashed(password, name), 0, None
        _end_sessions(session, row)


def change_own_password(store: Store, person: Person, old: str, new: str, again: str) -> None:
    """Change one's own password and end all one's sessions; a wrong old password counts as a failed sign-in."""
    if new != again:
        raise BadInput("the new password", "was typed differently the second time", "type it again")
    if check_password(store, person.name, old) is None:
        raise BadInput("the password now", "is wrong, or another service signs you in", "type it again")
    if new == old:
        raise BadInput("the new password", "is the old one", "choose another")
    set_password(store, person, person.name, new)


def password_by_another(store: Store, person: Person) -> str | None:
    """Who chose the person's password, where that was somebody else; None also where there is no password."""
    with store.reading() as session:
        if session.scalar(select(AccountRow.password).where(AccountRow.name == person.name)) is None:
            return None
    deeds = [link.deed for link in store.audit(subject=f"user/{person.name}") if link.deed is not None]
    made = next((deed for deed in deeds if deed.act in ("account", "first_account")), None)
    chosen = next((deed for deed in reversed(deeds) if deed.act == "password"), made)
    return chosen.actor if chosen is not None and chosen.actor != person.name else None


def accounts(store: Store, by: Person) -> list[Account]:
    """All accounts by name."""
    require(by, Act.PEOPLE)
    with store.reading() as session:
        return [
            Account(
                person=person_of(row),
                active=row.active,
                local=row.password is not None,
                locked_until=row.locked_until,
                created_at=row.created_at,
            )
            for row in session.scalars(select(AccountRow).order_by(AccountRow.name))
        ]


def check_password(store: Store, name: str, password: str) -> Person | None:
    """Return the person whose name and password these are; None otherwise, without telling why.

    After five failures the account stays shut for fifteen minutes, whatever the password.
    """
    wanted = account_name(name)
    with store.reading() as session:
        row = session.scalar(select(AccountRow).where(AccountRow.name == wanted))
        shut = row is None or not row.active or (row.locked_until or "") > store.now()
        kept = None if row is None or shut else row.password
        person = person_of(row) if row is not None else None
    if fits(password, kept):
        _forget_failures(store, wanted)
        return person
    _count_failure(store, wanted, known=person is not None and not shut)
    return None


def by_other_service(store: Store, name: str) -> Person | None:
    """Return the active account of a person whom another service signed in; nobody is let in without one."""
    with store.reading() as session:
        row = session.scalar(select(AccountRow).where(AccountRow.name == account_name(name)))
        return person_of(row) if row is not None and row.active else None


def person_named(store: Store, name: str) -> Person:
    """Whose account that is, as it stands now; raises BadInput if there is none, or it is shut."""
    with store.reading() as session:
        row = session.scalars(select(AccountRow).where(AccountRow.name == name, AccountRow.active)).one_or_none()
        if row is None:
            raise BadInput("account", f"{shown(name)[:80]} is none that is open", "ask an administrator")
        return person_of(row)


def full_names(store: Store) -> dict[str, str]:
    """Return the full name of the person of each account, by the account's name, also of accounts that are shut."""
    with store.reading() as session:
        return {row.name: row.full_name for row in session.scalars(select(AccountRow))}


def person_of(row: AccountRow) -> Person:
    """Return the person of an account."""
    return Person(name=row.name, full_name=row.full_name, role=Role(row.role), authority=row.authority)


def _row(new: NewAccount, now: str) -> AccountRow:
    name = account_name(new.name)
    if not _NAME.fullmatch(name):
        raise BadInput("name", f"{name[:40]!r} cannot be an account's name", "use 2 to 119 of a-z, 0-9 and . _ @ + -")
    return AccountRow(
        name=name,
        full_name=_full_name(new.full_name),
        role=new.role.value,
        authority=new.authority,
        password=hashed(new.password, name) if new.password is not None else None,
        active=True,
        failures=0,
        locked_until=None,
        created_at=now,
    )


def account_name(typed: str) -> str:
    """Return a typed name in the form by which accounts are looked up; letters that only look like an account's
    are others.
    """
    name = typed.strip()
    return name.lower() if name.isascii() else name


def _full_name(typed: str) -> str:
    """Return a full name as it is kept and shown. Raises BadInput if it could be taken for another."""
    name = " ".join(unicodedata.normalize("NFKC", typed).split())[:200]
    if not name:
        raise BadInput("full name", "is empty", "write the person's name as it should stand in documents")
    if shown(name) != name:
        raise BadInput("full name", "holds letters that nobody sees", "type it anew")
    if len({unicodedata.name(one, "?").partition(" ")[0] for one in name if one.isalpha()}) > 1:
        raise BadInput("full name", "mixes letters of several scripts that look alike", "type it in one script")
    return name


def _known(session: Session, name: str) -> AccountRow:
    row = session.scalar(select(AccountRow).where(AccountRow.name == name))
    if row is None:
        raise BadInput(name, "there is no such account", "choose one of the list")
    return row


def _end_sessions(session: Session, row: AccountRow) -> None:
    for one in session.scalars(select(SessionRow).where(SessionRow.account_id == row.id)):
        session.delete(one)


def _forget_failures(store: Store, name: str) -> None:
    with store.writing() as session:
        row = _known(session, name)
        row.failures, row.locked_until = 0, None


def _count_failure(store: Store, name: str, *, known: bool) -> None:
    """Note a failed sign-in; leave out a name that is no account's, for it may be a password."""
    subject = f"user/{name}" if known else "user/unknown"
    with store.acting("nobody", "sign_in_failed", subject) as session:
        if not known:
            return
        row = _known(session, name)
        row.failures += 1
        if row.failures >= FAILURES_ALLOWED:
            until = datetime.fromisoformat(store.now()) + timedelta(minutes=LOCKED_MINUTES)
            row.failures, row.locked_until = 0, until.isoformat(timespec="seconds")
