"""Who makes something: the account that is signed in, or whoever runs the command. A typed name is neither."""

from __future__ import annotations

import getpass
from collections.abc import Iterable

from msgspec import Struct
from sqlalchemy import select

from verifier.review.people.accounts import person_of
from verifier.review.people.roles import Person
from verifier.store.repository import Store
from verifier.store.room.tables import AccountRow


class Maker(Struct, frozen=True, kw_only=True):
    """Who acts: `actor` as the audit log names them, `shown` as documents do."""

    actor: str
    shown: str


def maker_of(person: Person) -> Maker:
    """Somebody who is signed in."""
    return Maker(actor=person.name, shown=person.signature)


def at_the_command_line(named: str = "") -> Maker:
    """Who runs the command: the user of this computer, whatever name (`named`) is typed. No account has such a name."""
    user = f"{getpass.getuser()} at the command line"
    return Maker(actor=user, shown=f"{user}, who typed {named.strip()!r}" if named.strip() else user)


def names_of(person: Person) -> tuple[str, ...]:
    """Return the names under which an account's person may stand in a roster or sign."""
    return person.name, person.full_name, person.signature


def account_named(store: Store, text: str) -> Person | None:
    """Return the account that has this name, full name or signature; None if no account has it, or more than one."""
    with store.reading() as session:
        people = [person_of(row) for row in session.scalars(select(AccountRow))]
    fitting = [person for person in people if is_named(text, names_of(person))]
    return fitting[0] if len(fitting) == 1 else None


def is_named(text: str, names: Iterable[str]) -> bool:
    """Tell whether a text is one of these names, whatever its blanks and capitals."""
    return _plain(text) in {_plain(name) for name in names}


def typed_name(store: Store, typed: str, person: Person | None) -> str:
    """Return what is to be said of a name that was typed into a form; empty if it is the name of who is signed
    in.
    """
    if not typed.strip() or (person is not None and is_named(typed, names_of(person))):
        return ""
    account = account_named(store, typed)
    whose = f"the name of the account {account.name}" if account is not None else "no account's name"
    who = f"{person.signature} was signed in" if person is not None else "nobody was signed in (command line)"
    return f"The name {typed.strip()!r} was typed; it is {whose}, and {who}."


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
