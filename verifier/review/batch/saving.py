"""Stores concluded reviews; if the store cannot take one now, it waits in its file."""

from __future__ import annotations

import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TypeVar

import msgspec
from sqlalchemy.exc import InterfaceError, OperationalError

from verifier.domain.errors import BadInput
from verifier.formats.whole import remove_file
from verifier.review.batch.logs import Log
from verifier.review.batch.night_runs import NightRun, encoded, night_so_far
from verifier.review.batch.steps import Job
from verifier.review.batch.to_look_at import ToLookAt, to_look_at
from verifier.review.batch.urgent import Urgent, urgent_now
from verifier.review.pipeline.account import placed
from verifier.review.pipeline.conclude import Concluded, put_in_place
from verifier.review.pipeline.folders import Folders
from verifier.review.pipeline.places import place_of
from verifier.review.records.joining import write_standing
from verifier.store.database import database_url
from verifier.store.floor import Floor, GamingTable
from verifier.store.night.journal import JobRecord, Journal, State
from verifier.store.queue import Ordered, OrderState, ReviewQueue
from verifier.store.repository import SOFTWARE, Store
from verifier.store.values import ReviewRecord

AGAIN_S = 2.0
SLACK_S = 1.0
"""Seconds by which the length of a file that grew may be less than that of its earlier state."""
T = TypeVar("T")


class Keeper:
    """The store and the journal, opened when they are first needed and again after they were away."""

    def __init__(self, folders: Folders, night: str, log: Log, address: str | None = None) -> None:
        self._folders, self._night, self._log = folders, night, log
        self.address = address or database_url()
        self._store: Store | None = None
        self._journal: Journal | None = None
        self._waiting: list[Job] = []
        self._not_before = 0.0
        self.away_since: float | None = None
        self.saved = 0

    @property
    def waiting(self) -> int:
        """Jobs that are done but not stored."""
        return len(self._waiting)

    def done(self, keys: list[str], patience: float) -> set[str]:
        """Which jobs need no second review; waits for a database that is away, then raises BadInput."""
        return self._patiently(lambda: self.journal.done(keys), patience)

    def jobs(self, keys: list[str], patience: float) -> list[JobRecord]:
        """Return what the journal knows of jobs."""
        return self._patiently(lambda: self.journal.jobs(keys=keys), patience)

    def begin_run(self, folder: str, run: NightRun, patience: float) -> int:
        """Write down that a run has begun; return its number."""
        return self._patiently(lambda: self.journal.begin_run(self._night, folder, encoded(run)), patience)

    def write_records(self, patience: float) -> None:
        """Write the site's records where the workers read them."""
        self._patiently(lambda: write_standing(self._folders.records, self.store), patience)

    def renew_records(self) -> None:
        """Write the records again before a review is concluded; while the database is away, leave them as last
        written.
        """
        try:
            write_standing(self._folders.records, self.store)
        except BadInput as error:
            if not is_away(error):
                raise
            self._log("database away", cause=str(error))

    def end_run(self, number: int, run: NightRun, patience: float) -> None:
        """Write down what a run came to."""
        self._patiently(lambda: self.journal.end_run(number, encoded(run)), patience)

    def night_so_far(self, folder: str | None, patience: float) -> tuple[NightRun, list[JobRecord]]:
        """Return the runs of this night as one, with the jobs that stand for their files."""
        return self._patiently(lambda: night_so_far(self.journal, self._night, folder), patience)

    def tables(self, patience: float) -> list[GamingTable]:
        """Return the kept tables."""
        return self._patiently(lambda: Floor(self.store).tables(), patience)

    def urgent(self, today: date, patience: float) -> Urgent:
        """Return what the store says comes first."""
        return self._patiently(lambda: urgent_now(self.store, today), patience)

    def review(self, name: str, patience: float) -> ReviewRecord | None:
        """Return a stored review."""
        return self._patiently(lambda: self.store.review(name), patience)

    def to_look_at(self, jobs: Iterable[JobRecord], patience: float) -> list[ToLookAt]:
        """Return what a person must look at of the reviews of these jobs."""
        reviews = [job.review_id for job in jobs if job.review_id]
        return self._patiently(lambda: to_look_at(self.store, reviews), patience)

    def begin_order(self, order: str, subject: str, patience: float) -> tuple[int, list[Ordered]]:
        """Put this night shift into the queue; return its number, and what the dashboard's runner has in hand."""
        return self._patiently(lambda: ReviewQueue(self.store).begin_night(order, SOFTWARE, subject), patience)

    def tell_order(self, number: int, progress: str, state: OrderState | None = None) -> bool:
        """Tell the queue how far this night shift is; give whether it is to stop. A database that is away is none."""
        try:
            return ReviewQueue(self.store).tell(number, progress, state)
        except BadInput as error:
            if not is_away(error):
                raise
            return False

    def note(self, record: JobRecord, patience: float) -> None:
        """Write down a job that has no review."""
        self._patiently(lambda: self.journal.note(record), patience)

    def keep(self, job: Job) -> None:
        """Take a job whose outcome lies in its file."""
        self._waiting.append(job)

    def save(self) -> None:
        """Store what waits, unless the database was away just now."""
        now = time.monotonic()
        if not self._waiting or now < self._not_before:
            return
        try:
            while self._waiting:
                self._save(self._waiting[0])
                self._waiting.pop(0)
                self.saved += 1
            self.away_since = None
        except BadInput as error:
            if not is_away(error):
                raise
            self._not_before = now + AGAIN_S
            if self.away_since is None:
                self.away_since = now
                self._log("database away", cause=str(error))

    def was_concluded(self, job: Job) -> bool:
        """Tell whether a whole conclusion of the job waits to be stored: a run was killed before it could."""
        try:
            _read_concluded(self._folders.concluded(job.key))
        except (OSError, msgspec.DecodeError, RecursionError):
            return False
        return True

    def _save(self, job: Job) -> None:
        path = self._folders.concluded(job.key)
        made = _read_concluded(path)
        self.store.announce(SOFTWARE, f"review/{made.review.id}", made.files)
        _place(made)
        self.store.save_review(made.review, made.found, made.files)
        earlier = self._earlier(job, made)
        for one in earlier:
            self.store.supersede(one.id, made.review.id)
        for record in self._records(job, made, [one.id for one in earlier]):
            self.journal.note(record)
        remove_file(path)
        shutil.rmtree(self._folders.concluding(job.key), ignore_errors=True)
        self._log("stored", recording=made.review.id, findings=len(made.found), coverage=made.review.coverage)

    def _earlier(self, job: Job, made: Concluded) -> list[ReviewRecord]:
        """Return the reviews that this one replaces: not those of a copy at another table."""
        own = made.review
        parts = [one for one in self.store.reviews(ids=made.retired) if one.superseded_by is None and one.id != own.id]
        files = [part.facts.path for part in job.recording_set.parts]
        states = [one for one in self.store.reviews_of(files) if is_earlier_state(one, own)]
        by_id = {one.id: one for one in [*parts, *states] if (one.site, one.table) == (own.site, own.table)}
        return [by_id[name] for name in sorted(by_id)]

    def _records(self, job: Job, made: Concluded, replaces: list[str]) -> Iterator[JobRecord]:
        """Yield the journal's entries, one for each job that ended this way; only the first one counts the findings."""
        state: State = "unusable" if made.nothing else "reviewed"
        for number, one in enumerate(job.members or [job]):
            record = record_of(one, self._night, state, made)
            if number == 0:
                yield msgspec.structs.replace(record, replaces=replaces)
            else:
                yield msgspec.structs.replace(record, findings={})

    @property
    def store(self) -> Store:
        if self._store is None:
            self._store = Store(self.address)
        return self._store

    @property
    def journal(self) -> Journal:
        if self._journal is None:
            self._journal = Journal(self.address)
        return self._journal

    def close(self) -> None:
        """Close the database."""
        for one in (self._store, self._journal):
            if one is not None:
                one.close()
        self._store = self._journal = None

    def _patiently(self, call: Callable[[], T], patience: float) -> T:
        until = time.monotonic() + patience
        while True:
            try:
                return call()
            except BadInput as error:
                if not is_away(error) or time.monotonic() >= until:
                    raise
                self._log("database away", cause=str(error))
                time.sleep(AGAIN_S)


def _read_concluded(path: Path) -> Concluded:
    return msgspec.json.decode(path.read_bytes(), type=Concluded)


def _place(made: Concluded) -> None:
    try:
        put_in_place(made)
    except OSError as error:
        cause = f"its files could not be put in place ({error})"
        raise BadInput(f"review {made.review.id}", cause, "check the data folder and its free space") from error


def is_earlier_state(one: ReviewRecord, later: ReviewRecord) -> bool:
    """Tell whether a review of the same path is of the same recording before it was all written.

    Recorders use names again: only where the burned-in clocks overlap, and the later is not shorter, is it the same.
    """
    if one.id == later.id or one.duration is None or later.duration is None:
        return False
    if not (one.clock_start and one.clock_end and later.clock_start and later.clock_end):
        return False
    overlap = one.clock_start < later.clock_end and later.clock_start < one.clock_end
    return overlap and later.duration >= one.duration - SLACK_S


def is_away(error: BadInput) -> bool:
    """Tell whether the database or the data folder could not be reached or written, which may pass."""
    return isinstance(error.__cause__, OperationalError | InterfaceError | OSError)


def record_of(job: Job, night: str, state: State, made: Concluded | None = None, cause: str | None = None) -> JobRecord:
    """Return the journal's entry of a job that ended."""
    recording_set, review = job.recording_set, made.review if made else None
    site, table = place_of(recording_set.source)
    counts: Counter[str] = Counter(one.finding.severity for one in made.found) if made else Counter()
    missed = (
        list(placed(made.unwatched, recording_set))
        if made
        else [(recording_set.clock_at(0.0) or "0 s", "?", cause or "")]
    )
    return JobRecord(
        key=job.key,
        night=night,
        site=site,
        table=table,
        names=recording_set.names,
        review_id=review.id if review else None,
        state=state,
        cause=cause or (made.unwatched[0].cause if made and made.nothing else None),
        attempts=job.attempts,
        recorded=round(recording_set.end, 3),
        reviewed=review.reviewed_seconds if review else 0.0,
        clock_start=review.clock_start if review else recording_set.clock,
        clock_end=review.clock_end if review else recording_set.clock_at(recording_set.end),
        findings=dict(counts),
        unwatched=missed,
        finished_at=datetime.now(UTC).isoformat(timespec="seconds"),
        covered=recording_set.covered,
    )
