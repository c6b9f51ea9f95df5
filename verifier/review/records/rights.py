"""Who may take records in: a manager or an administrator."""

from __future__ import annotations

from verifier.domain.errors import BadInput
from verifier.review.people.makers import account_named
from verifier.review.people.roles import Act, Person, require
from verifier.store.repository import Store


def account_at(store: Store, name: str) -> Person:
    """Return the account of that name. Raises BadInput if there is none."""
    person = account_named(store, name)
    if person is None:
        raise BadInput("--by", f"{name[:40]!r} is no account", "name the account of a manager or an administrator")
    return person


def require_account(store: Store, name: str) -> None:
    """Raise Forbidden if the named account may not keep records, BadInput if there is no account of that name."""
    require(account_at(store, name), Act.RECORDS)
