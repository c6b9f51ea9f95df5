"""Signed-in browsers: a random token each, of which only the hash is kept; idle and absolute expiry."""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import select

from verifier.review.people.accounts import person_of
from verifier.review.people.roles import Person
from verifier.store.repository import Store
from verifier.store.room.tables import AccountRow, SessionRow

IDLE_MINUTES: Final = 45
LONGEST_HOURS: Final = 12
_TOUCH_SECONDS: Final = 60
_TOKEN_BYTES: Final = 32


def open_session(store: Store, person: Person, *, how: str = "password") -> str:
    """Start a session and return its token, for the browser only."""
    token, now = secrets.token_urlsafe(_TOKEN_BYTES), store.now()
    with store.acting(person.name, "sign_in", f"user/{person.name}", {"how": how}) as session:
        account = session.scalars(select(AccountRow).where(AccountRow.name == person.name)).one()
        for old in session.scalars(select(SessionRow).where(SessionRow.started_at < _before(now, hours=LONGEST_HOURS))):
            session.delete(old)
        session.add(SessionRow(token_sha256=_digest(token), account_id=account.id, started_at=now, seen_at=now))
    return token


def person_of_session(store: Store, token: str | None) -> Person | None:
    """Whose session this is; None if it is unknown, too old, idle for too long, or its account is shut."""
    if not token or len(token) > 200:
        return None
    now = store.now()
    query = (
        select(AccountRow, SessionRow.seen_at)
        .join(SessionRow, SessionRow.account_id == AccountRow.id)
        .where(
            SessionRow.token_sha256 == _digest(token),
            SessionRow.started_at >= _before(now, hours=LONGEST_HOURS),
            SessionRow.seen_at >= _before(now, minutes=IDLE_MINUTES),
            AccountRow.active,
        )
    )
    with store.reading() as session:
        found = session.execute(query).one_or_none()
        if found is None:
            return None
        person, seen_at = person_of(found[0]), found[1]
    if seen_at < _before(now, seconds=_TOUCH_SECONDS):
        _touch(store, token, now)
    return person


def close_session(store: Store, token: str | None) -> None:
    """End a session; do nothing where it is unknown."""
    person = person_of_session(store, token)
    if person is None or token is None:
        return
    with store.acting(person.name, "sign_out", f"user/{person.name}") as session:
        session.delete(session.get_one(SessionRow, _digest(token)))


def _touch(store: Store, token: str, now: str) -> None:
    with store.writing() as session:
        row = session.get(SessionRow, _digest(token))
        if row is not None:
            row.seen_at = now


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _before(now: str, **ago: float) -> str:
    return (datetime.fromisoformat(now) - timedelta(**ago)).isoformat(timespec="seconds")
