"""A lease in the database: at most one holder at a time, on however many computers."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable

import psutil
from sqlalchemy import delete, insert, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from verifier.store.database import open_engine, readable_errors
from verifier.store.night_tables import LeaseRow

LASTS_S = 180.0
"""Seconds after which the lease of a holder that says nothing is free again."""


class Lease:
    """The lease `name` in the database at `address`; `clock` gives seconds since 1970."""

    def __init__(self, address: str, name: str, clock: Callable[[], float] = time.time) -> None:
        self._address, self._name, self._clock = address, name, clock
        self._engine = open_engine(address)
        self._me = f"{socket.gethostname()}:{os.getpid()}:{_started(os.getpid())}"

    def take(self) -> str | None:
        """Take or renew the lease; give None, or who holds it where somebody else does.

        A holder on this computer whose process has ended holds nothing any more.
        """
        now = self._clock()
        with readable_errors(self._address), Session(self._engine) as session, session.begin():
            holder = session.scalar(select(LeaseRow.holder).where(LeaseRow.name == self._name))
            if holder is None:
                return self._insert(session, now)
            free = or_(LeaseRow.holder == self._me, LeaseRow.expires < now)
            if _ended(holder):
                free = or_(free, LeaseRow.holder == holder)
            values = {"holder": self._me, "expires": now + LASTS_S}
            taking = update(LeaseRow).where(LeaseRow.name == self._name, free).values(values)
            return None if session.connection().execute(taking).rowcount else holder

    def _insert(self, session: Session, now: float) -> str | None:
        row = {"name": self._name, "holder": self._me, "expires": now + LASTS_S}
        try:
            with session.begin_nested():
                session.execute(insert(LeaseRow).values(row))
        except IntegrityError:
            return "another night shift that has just begun"
        return None

    def held_by(self) -> str | None:
        """Who holds the lease now; None where nobody does, or its holder has ended or says nothing any more."""
        with readable_errors(self._address), Session(self._engine) as session:
            row = session.get(LeaseRow, self._name)
            held = row is not None and row.expires >= self._clock() and not _ended(row.holder)
            return row.holder if row is not None and held else None

    def release(self) -> None:
        """Give the lease back, where it is held here."""
        mine = delete(LeaseRow).where(LeaseRow.name == self._name, LeaseRow.holder == self._me)
        with readable_errors(self._address), Session(self._engine) as session, session.begin():
            session.execute(mine)
        self._engine.dispose()


def _started(pid: int) -> str:
    """When a process began, in seconds, by a count that a corrected clock does not change; empty where it is gone.

    Linux counts from the computer's start, and psutil adds when that was by today's clock. Windows and macOS keep the
    time of day at which it began.
    """
    try:
        began = psutil.Process(pid).create_time()
    except psutil.Error:
        return ""
    return f"{began - psutil.boot_time() if psutil.LINUX else began:.2f}"


def _ended(holder: str) -> bool:
    host, _, rest = holder.partition(":")
    pid, _, started = rest.partition(":")
    return host == socket.gethostname() and bool(started) and _started(int(pid)) != started
