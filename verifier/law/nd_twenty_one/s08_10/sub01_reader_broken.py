"""A reader that does not work (99-01.3-08-10(1)(c)(5))."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.domain.events import HoleCardCheck
from verifier.law.entries import table_name
from verifier.law.instances import Instance
from verifier.law.registry import session_check
from verifier.law.rows import of_row, ours
from verifier.law.session import Session

READER_BROKEN = "ND-08-10.1.c-malfunction"


@session_check(READER_BROKEN, reads=("reader_malfunction", "other"))
def reader_broken(session: Session) -> Iterator[Instance]:
    """With a broken reader the table deals without it."""
    for entry in ours(session, "reader_malfunction", "malfunction"):
        used = [e for e in session.of(HoleCardCheck) if e.how == "reader" and not e.weak]
        elsewhere = entry.where and session.header.table and entry.where != table_name(session.header.table)
        if not elsewhere and entry.day in (None, session.records.play_date):
            yield of_row(
                READER_BROKEN,
                not used,
                entry,
                events=used[:1],
                expected="while the reader is broken the hole card is not checked before the players have acted",
                observed="the hole card was checked",
            )
