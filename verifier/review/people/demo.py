"""The demo's accounts, one for each role: nobody can sign in to them with a password, for they have none."""

from __future__ import annotations

from typing import Final

from sqlalchemy import select

from verifier.domain.errors import BadInput
from verifier.review.people.accounts import NewAccount, add_account, person_of
from verifier.review.people.roles import Person, Role
from verifier.store.repository import Store
from verifier.store.room.tables import AccountRow

NAMES: Final = {
    Role.ADMINISTRATOR: ("demo-administrator", "Demo Administrator"),
    Role.MANAGER: ("demo-manager", "Demo Manager"),
    Role.REVIEWER: ("demo-reviewer", "Demo Reviewer"),
    Role.INDEPENDENT: ("demo-independent", "Demo Independent Person"),
    Role.ATTORNEY_GENERAL: ("demo-attorney-general", "Demo Attorney General"),
}
"""Name and full name of each role's account."""


def is_demo(store: Store) -> bool:
    """Tell whether the home is the demo's: there are accounts, all of them are the demo's, and none has a password."""
    names = {name for name, _ in NAMES.values()}
    with store.reading() as session:
        found = session.execute(select(AccountRow.name, AccountRow.password)).all()
    return bool(found) and all(name in names and password is None for name, password in found)


def make_demo(store: Store) -> None:
    """Make the demo's accounts in a home that has none. Raises BadInput if there are other accounts."""
    if is_demo(store):
        return
    with store.reading() as session:
        if session.scalar(select(AccountRow.id).limit(1)) is not None:
            raise BadInput(
                "the demo", "this home has accounts of its own", "sign in with one, or use another VERIFIER_HOME"
            )
    for role, (name, full_name) in NAMES.items():
        add_account(store, NewAccount(name=name, full_name=full_name, role=role), by="demo")


def demo_person(store: Store, role: Role) -> Person:
    """Return the person of a role. Raises BadInput if this home is not the demo's."""
    if not is_demo(store):
        raise BadInput("the demo", "is not what this home is for", "sign in with your account")
    with store.reading() as session:
        return person_of(session.scalars(select(AccountRow).where(AccountRow.name == NAMES[role][0])).one())
