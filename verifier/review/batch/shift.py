"""The night shift from its beginning to its report: lease, window, passes over the places, report, e-mail."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from verifier.domain.errors import BadInput
from verifier.domain.names import path_of, path_text
from verifier.recording.timeline import AS_TOLD, Reading
from verifier.review.batch.engines.base import Engine, Limits
from verifier.review.batch.hours import Hours, night_of
from verifier.review.batch.identify import identified
from verifier.review.batch.logs import FileLog, Log
from verifier.review.batch.mail import send_report
from verifier.review.batch.metrics import write_metrics
from verifier.review.batch.night import Night, Rules
from verifier.review.batch.night_runs import NightRun, begun_run, merged
from verifier.review.batch.report import MorningReport, kept_account, morning_report, night_report
from verifier.review.batch.report_files import ReportFiles, write_report
from verifier.review.batch.saving import Keeper
from verifier.review.batch.sources import look_for
from verifier.review.batch.tally import Tally, under_way
from verifier.review.batch.tasks import Setup
from verifier.review.documents.setting import log_head
from verifier.review.entries import LeftOut
from verifier.review.order_values import OrderProgress, ReviewOrder, ended, in_hand, real_path
from verifier.review.pipeline.chain import OWN
from verifier.review.pipeline.folders import Folders
from verifier.review.pipeline.plan import SEGMENT_S
from verifier.review.pipeline.values import Source
from verifier.store.database import database_url, home
from verifier.store.night.journal import JobRecord
from verifier.store.night.lease import LASTS_S, Lease
from verifier.store.queue import OrderState
from verifier.store.repository import Store

LOOK_AGAIN_S: Final = 60.0
SETTLED_S: Final = 60.0
"""A file that was written to less than so many seconds ago is still being copied, and waits for the next pass."""
_COPIED: Final = "written to less than a minute ago: still being copied"
_IN_HAND: Final = "it is being reviewed in the dashboard just now"
METRICS_S: Final = 15.0
TELL_S: Final = 2.0
"""Seconds between two reports to the dashboard's queue."""


class Order(Struct, frozen=True, kw_only=True):
    """What a night shift is to do. `workers` None: one for each core; `address` is that of a Ray cluster.

    `how` is what a person tells of all recordings.
    """

    places: list[str]
    how: Reading = AS_TOLD
    layout: Path | None = None
    house: Path | None = None
    folders: Folders
    workers: int | None = None
    limits: Limits = Limits()
    engine: str = "pool"
    address: str | None = None
    hours: Hours = Hours()
    watch: bool = False
    patience: float = 600.0
    metrics: Path | None = None
    report: Path | None = None
    mail_to: list[str] = []
    chain: str = OWN


Told = Callable[[Tally], None]


class Shift:
    """One night shift; `tell` is told of the progress, `now` gives local time."""

    def __init__(self, order: Order, tell: Told, now: Callable[[], datetime] = datetime.now) -> None:
        self._order, self._tell, self._now = order, tell, now
        self._metrics_due = 0.0
        self._lease_due = 0.0
        self._lease: Lease | None = None
        self._stop_at: datetime | None = None
        self._runs: dict[str, tuple[int, NightRun]] = {}
        self._ordered: tuple[int, Keeper] | None = None
        self._settled: set[str] = set()
        self._tell_due = 0.0
        self._stopped = False

    def run(self) -> tuple[MorningReport, ReportFiles]:
        """Works, and gives the report of the last pass, with the files of the report of the whole night.

        Raises BadInput if another night shift is at work, where there is nothing to review, or where the database or
        the mail server does not answer.
        """
        self._lease = Lease(database_url(), "night")
        self._take_lease()
        try:
            while True:
                made = self._pass()
                if not self._order.watch or self._stopped:
                    return made
                time.sleep(LOOK_AGAIN_S)
        finally:
            self._lease.release()

    def _pass(self) -> tuple[MorningReport, ReportFiles]:
        """One pass over the places, within the window: its own report, and the files of the night's."""
        self._wait_for_window()
        now = self._now()
        self._stop_at = self._order.hours.stop_after(now)
        night = night_of(now)
        log = FileLog(home() / "logs" / f"night-{night}.jsonl")
        sources, left_out = self._sources()
        setup = Setup(chain=self._order.chain, root=path_text(self._order.folders.root), length=SEGMENT_S)
        keeper = Keeper(self._order.folders, night, log)
        engine = make_engine(self._order, setup)
        folder = path_text((self._order.report or self._order.folders.report(night)).absolute())
        try:
            sources, left_out = self._enqueued(keeper, night, sources, left_out)
            number, before = self._begun(keeper, night, folder, sources, left_out)
            rank = keeper.urgent(now.date(), self._order.patience).rank
            rules = Rules(night=night, patience=self._order.patience, stop=self._closed, tick=self._tick, rank=rank)
            sources = identified(sources, keeper.tables(self._order.patience), engine, self._closed, log)
            one = Night(sources, setup, engine, keeper, rules, log)
            jobs = one.run()
            self._write_metrics(one.tally)
            account = merged([before, one.account(left_out)])
            keeper.end_run(number, account, self._order.patience)
            self._runs[night] = number, account
            every, so_far = keeper.night_so_far(folder, self._order.patience)
            found = keeper.to_look_at(so_far, self._order.patience)
            self._tell_ended(one, jobs, sources)
        finally:
            self._tell_queue(OrderProgress(), "cancelled")  # where it did not come to its end
            engine.close()
            keeper.close()
        now = self._now()
        own = {job.review_id for job in jobs}
        own_found = [one for one in found if one.review in own]
        report = morning_report(
            night, jobs, one.account(), one.left, now, one.copies.found, left_out, kept_account, own_found
        )
        whole = night_report(night, every, so_far, now, kept_account, found)
        return report, self._publish(whole, one.tally, log)

    def _enqueued(
        self, keeper: Keeper, night: str, sources: list[Source], left_out: list[LeftOut]
    ) -> tuple[list[Source], list[LeftOut]]:
        """Enter the dashboard's queue; leave out the files that its runner is reviewing now."""
        files = [real_path(one.path) for one in sources]
        if set(files) <= self._settled:  # of an earlier pass: nothing to do, and nothing to tell
            return sources, left_out
        order = msgspec.json.encode(ReviewOrder(files=files, night=night)).decode()
        number, running = keeper.begin_order(order, f"night/{night}", self._order.patience)
        self._ordered = number, keeper
        taken = in_hand(running)
        busy = [one.path for one in sources if real_path(one.path) in taken]
        left = [one for one in sources if one.path not in busy]
        return left, [*left_out, *(LeftOut(file=one, state="waiting", cause=_IN_HAND) for one in busy)]

    def _tell_queue(self, progress: OrderProgress, state: OrderState | None = None) -> None:
        """Report the progress of this pass to the dashboard's queue, or once its result."""
        if self._ordered is None:
            return
        number, keeper = self._ordered
        self._tell_due = time.monotonic() + TELL_S
        self._ordered = None if state else self._ordered
        self._stopped = keeper.tell_order(number, msgspec.json.encode(progress).decode(), state) or self._stopped

    def _tell_ended(self, one: Night, jobs: list[JobRecord], sources: Sequence[Source]) -> None:
        """Tell the dashboard's queue what became of this pass, and remember its sources where all were reviewed."""
        self._tell_queue(ended(jobs, under_way(one.tally)), "cancelled" if one.left else "done")
        if not one.left and all(job.state == "reviewed" for job in jobs):
            self._settled = {real_path(source.path) for source in sources}

    def _begun(
        self, keeper: Keeper, night: str, folder: str, sources: list[Source], left_out: list[LeftOut]
    ) -> tuple[int, NightRun]:
        """Return the run under which this pass is kept, with the results of its earlier passes of the same night."""
        if night in self._runs:
            return self._runs[night]
        begun = begun_run([source.path for source in sources], left_out)
        return keeper.begin_run(folder, begun, self._order.patience), NightRun()

    def _sources(self) -> tuple[list[Source], list[LeftOut]]:
        """Return the recordings of this pass, and what is left out of it. Raises BadInput if there is nothing."""
        found = look_for(self._order.places, self._order.layout, self._order.house, self._order.how)
        if not self._order.watch:
            if not found.sources and not found.left_out:
                remedy = "name a folder that holds recordings"
                raise BadInput(", ".join(self._order.places), "no recordings there", remedy)
            return found.sources, found.left_out
        settled = [source for source in found.sources if _settled(path_of(source.path))]
        names = {source.path for source in settled}
        waiting = [source.path for source in found.sources if source.path not in names]
        return settled, [*found.left_out, *(LeftOut(file=one, state="waiting", cause=_COPIED) for one in waiting)]

    def _publish(self, report: MorningReport, tally: Tally, log: Log) -> ReportFiles:
        """Write the report and send it; send nothing after a pass that did nothing new."""
        files = write_report(report, self._order.report or self._order.folders.report(report.night))
        log(
            "report", recording=None, complete=report.complete, hours=report.hours_reviewed, files=path_text(files.page)
        )
        if self._order.mail_to and (tally.stored or tally.failed or not self._order.watch):
            send_report(report, files, self._order.mail_to, head=_log_head())
        return files

    def _wait_for_window(self) -> None:
        while (seconds := self._order.hours.wait_from(self._now())) > 0:
            self._take_lease()
            time.sleep(min(seconds, LOOK_AGAIN_S))

    def _closed(self) -> bool:
        return self._stopped or (self._stop_at is not None and self._now() >= self._stop_at)

    def _tick(self, tally: Tally) -> None:
        """Renew the lease, write metrics and show progress where they are due. Runs now and then while the night
        works.
        """
        now = time.monotonic()
        if now >= self._lease_due:
            self._renew_lease()
        if now >= self._metrics_due:
            self._metrics_due = now + METRICS_S
            self._write_metrics(tally)
        if now >= self._tell_due:
            self._tell_queue(under_way(tally))
        self._tell(tally)

    def _write_metrics(self, tally: Tally) -> None:
        """Write the metrics where they are wanted; a full disk must not end the night."""
        if self._order.metrics is not None:
            with contextlib.suppress(OSError):
                write_metrics(tally, self._order.metrics)

    def _take_lease(self) -> None:
        assert self._lease is not None
        holder = self._lease.take()
        self._lease_due = time.monotonic() + LASTS_S / 3
        if holder is not None:
            host, _, rest = holder.partition(":")
            who = f"process {rest.partition(':')[0]} on {host}" if rest else holder
            raise BadInput("the night shift", f"{who} is at work already", "let it finish, or stop it first")

    def _renew_lease(self) -> None:
        """Renews the lease; where the database is away just now, later."""
        try:
            self._take_lease()
        except BadInput as error:
            if error.__cause__ is None:
                raise
            self._lease_due = time.monotonic() + 5.0


def make_engine(order: Order, setup: Setup) -> Engine:
    """Return the engine that the order names. Raises BadInput if it is not to be had."""
    if order.engine == "ray":
        from verifier.review.batch.engines.cluster import Cluster

        return Cluster(setup, order.address, order.limits)
    from verifier.review.batch.engines.pool import Pool, usual_workers

    return Pool(setup, order.workers or usual_workers(), order.limits)


def _settled(path: Path) -> bool:
    try:
        return time.time() - path.stat().st_mtime >= SETTLED_S
    except OSError:
        return False


def _log_head() -> str:
    """Where the audit log ends; nothing where it has not begun, or the store is away."""
    with contextlib.suppress(BadInput):
        head = log_head(Store())
        return head if ":" in head else ""
    return ""
