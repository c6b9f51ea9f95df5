"""The journal of the night shift: which jobs are done, and what came of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal

import msgspec
from msgspec import Struct
from sqlalchemy import select

from verifier.store.night_tables import NightJobRow, NightRunRow
from verifier.store.repository import SOFTWARE, Store

State = Literal["reviewed", "unusable", "failed", "waiting"]
"""Reviewed as far as it can be; no usable recording; failed, or still being written, and to be tried again."""
AGAIN: Final = ("failed", "waiting")


class JobRecord(Struct, frozen=True, kw_only=True):
    """A job that came to an end. `key` names its contents and configuration; `recorded`, `reviewed` are seconds.

    `findings` counts by severity; `unwatched` are stretches (clock or media time from, to, why) of the job; `replaces`
    are the reviews whose place its review took, `covered` the files whose stretch of the clock its files show.
    """

    key: str
    night: str
    site: str | None
    table: str | None
    names: list[str]
    review_id: str | None
    state: State
    cause: str | None
    attempts: int
    recorded: float
    reviewed: float
    clock_start: str | None
    clock_end: str | None
    findings: dict[str, int]
    unwatched: list[tuple[str, str, str]]
    finished_at: str
    replaces: list[str] = []
    covered: list[str] = []


class Journal:
    """The journal in the database at `address`, opened anew where no `store` is given."""

    def __init__(self, address: str, store: Store | None = None) -> None:
        self._store = store or Store(address)

    def close(self) -> None:
        """Close all connections."""
        self._store.close()

    def note(self, job: JobRecord) -> None:
        """Write a job down. The same job again replaces what was known of it."""
        fields = {name: getattr(job, name) for name in _COLUMNS}
        row = NightJobRow(table_name=job.table, body=msgspec.json.encode(job).decode(), **fields)
        with self._store.acting(SOFTWARE, "job", f"job/{job.key}", {"night": job.night, "state": job.state}) as session:
            session.merge(row)

    def done(self, keys: Iterable[str]) -> set[str]:
        """Which of these jobs need no second review: all but those that failed or wait."""
        wanted = list(keys)
        found: set[str] = set()
        with self._store.reading() as session:
            for start in range(0, len(wanted), _AT_ONCE):
                some = wanted[start : start + _AT_ONCE]
                query = select(NightJobRow.key).where(NightJobRow.key.in_(some), NightJobRow.state.not_in(AGAIN))
                found.update(session.scalars(query))
        return found

    def jobs(self, night: str | None = None, keys: Iterable[str] | None = None) -> list[JobRecord]:
        """Return the jobs of a night, or of these keys, by site, table and beginning."""
        query = select(NightJobRow.body)
        if night is not None:
            query = query.where(NightJobRow.night == night)
        with self._store.reading() as session:
            known = [msgspec.json.decode(body, type=JobRecord) for body in session.scalars(query)]
        wanted = None if keys is None else set(keys)
        kept = [job for job in known if wanted is None or job.key in wanted]
        return sorted(kept, key=lambda job: (job.site or "", job.table or "", job.clock_start or "", job.names))

    def begin_run(self, night: str, folder: str, body: str) -> int:
        """Write down that a run of a night has begun, whose report goes to `folder`; give its number."""
        with self._store.acting(SOFTWARE, "night_begun", f"night/{night}", {"report": folder}) as session:
            row = NightRunRow(night=night, folder=folder, body=body)
            session.add(row)
            session.flush()
            return row.id

    def end_run(self, number: int, body: str) -> None:
        """Write down what a run came to."""
        with self._store.acting(SOFTWARE, "night_ended", f"night_run/{number}") as session:
            session.get_one(NightRunRow, number).body = body

    def runs(self, night: str, folder: str | None = None) -> list[str]:
        """Return what the runs of a night came to (of those whose report goes to `folder`), oldest first."""
        query = select(NightRunRow.body).where(NightRunRow.night == night).order_by(NightRunRow.id)
        if folder is not None:
            query = query.where(NightRunRow.folder == folder)
        with self._store.reading() as session:
            return list(session.scalars(query))

    def last_night(self) -> str | None:
        """Return the night of the newest run; None before the first."""
        with self._store.reading() as session:
            return session.scalar(select(NightRunRow.night).order_by(NightRunRow.night.desc()).limit(1))


_AT_ONCE = 500
_COLUMNS = ("key", "night", "site", "review_id", "state", "attempts", "recorded", "reviewed", "finished_at")
