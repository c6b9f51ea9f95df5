"""The process that works off the queue of reviews: apart from the dashboard, whose end it outlives.

`python -m verifier.review.orders.runner`. It works as a night does (the same stages, engine, checkpoints, watchdogs),
one order after the other, and ends when nothing has been asked for during a minute.
"""

from __future__ import annotations

import logging
import os
import sys
import time
from collections.abc import Callable
from threading import Event, Thread
from typing import Final

import msgspec

from verifier.domain.errors import BadInput
from verifier.domain.names import path_of, path_text
from verifier.review.batch.engines.base import Engine, Limits
from verifier.review.batch.identify import identified
from verifier.review.batch.logs import FileLog
from verifier.review.batch.night import Night, Rules
from verifier.review.batch.saving import Keeper
from verifier.review.batch.steps import Job
from verifier.review.batch.tally import Tally, under_way
from verifier.review.batch.tasks import Setup
from verifier.review.order_values import (
    OrderProgress,
    Preview,
    ReviewOrder,
    ended,
    free,
    order_of,
    preview_of,
    progress_of,
)
from verifier.review.pipeline.chain import OWN, load_chain
from verifier.review.pipeline.folders import Folders
from verifier.review.pipeline.plan import SEGMENT_S
from verifier.review.pipeline.preliminary import Preliminary
from verifier.review.pipeline.values import Source
from verifier.review.pipeline.watched import Checkpoints
from verifier.store.floor import Floor
from verifier.store.home import database_url, home
from verifier.store.night.lease import LASTS_S, Lease
from verifier.store.queue import Ordered, ReviewQueue
from verifier.store.repository import Store

LEASE: Final = "room"
"""Name of the lease: one runner at a time works at a store."""
NIGHT: Final = "room"
"""What the journal has in the place of a night for reviews that people asked for."""
IDLE_S: Final = 60.0
TELL_S: Final = 1.0
PATIENCE_S: Final = 600.0
"""Seconds for which a share or a database that is away is waited for, as in a night."""

MakeEngine = Callable[[Setup], Engine]


class Runner:
    """Works off the queue of `store`, each order by the stages of `chain` on the engine that `engine` makes."""

    def __init__(self, store: Store, engine: MakeEngine, chain: str = OWN) -> None:
        self._store, self._engine, self._chain = store, engine, chain
        self._queue = ReviewQueue(store)
        self._lease = Lease(database_url(), LEASE)
        self._tell_due = 0.0
        self._stop = False

    def run(self, idle: float = IDLE_S) -> bool:
        """Works until nothing has been asked for during `idle` seconds; False if another runner is at work."""
        if self._lease.take() is not None:
            return False
        over = Event()
        Thread(target=self._keep_lease, args=(over,), daemon=True).start()
        try:
            self._queue.give_back()
            until = time.monotonic() + idle
            while (ordered := self._queue.take(free)) is not None or time.monotonic() < until:
                if ordered is None:
                    time.sleep(1.0)
                    until = time.monotonic() + idle if self._held_up() else until
                    continue
                self._do(ordered)
                until = time.monotonic() + idle
        finally:
            over.set()
            self._lease.release()
        return True

    def _held_up(self) -> bool:
        """Tell whether an order waits for a night shift that is at work."""
        waits = any(one.state == "waiting" for one in self._queue.open_orders())
        return waits and Lease(database_url(), "night").held_by() is not None

    def _keep_lease(self, over: Event) -> None:
        """Renews the lease beside the work, of which one step may take longer than the lease lasts."""
        while not over.wait(LASTS_S / 6):
            try:
                if self._lease.take() is not None:
                    os._exit(0)  # it was taken away while this computer slept: another one works at the queue now
            except BadInput:
                logging.warning("the database cannot be reached; the lease is renewed later")

    def _do(self, ordered: Ordered) -> None:
        """Do one order. This is the one place that catches whatever goes wrong with it: the next one is not held up."""
        try:
            if order_of(ordered).propose:
                self._propose(ordered)
            else:
                self._review(ordered)
        except BadInput as error:
            self._fail(ordered, str(error))
        except Exception as error:
            logging.exception("review %s failed", ordered.id)
            self._fail(ordered, f"{type(error).__name__}: {error}")

    def _fail(self, ordered: Ordered, cause: str) -> None:
        found = self._queue.order(ordered.id) or ordered
        last = msgspec.structs.replace(progress_of(found), stage="", left=None, pace=None, told=[cause])
        self._queue.tell(ordered.id, _json(last), "failed")

    def _propose(self, ordered: Ordered) -> None:
        """Propose a table's layout from a recording, in this process."""
        from verifier.review.orders.proposing import propose_table

        def told(share: float) -> None:
            stage = "Looking at the table"
            self._tell(ordered.id, OrderProgress(stage=stage, seen=round(100 * share, 1), planned=100.0))

        self._tell_due = 0.0
        told(0.0)
        propose_table(ordered.id, path_of(order_of(ordered).files[0]), told)
        self._queue.tell(ordered.id, _json(OrderProgress(seen=100.0, planned=100.0)), "done")

    def _review(self, ordered: Ordered) -> None:
        order, folders = order_of(ordered), Folders(home() / "room")
        log = FileLog(home() / "logs" / "room.jsonl")
        setup = Setup(chain=self._chain, root=path_text(folders.root), length=SEGMENT_S)
        keeper = Keeper(folders, NIGHT, log)
        self._stop, self._tell_due = False, 0.0
        previews = Previews(self._chain, folders)
        last = OrderProgress()

        def tick(tally: Tally) -> None:
            nonlocal last
            last = msgspec.structs.replace(under_way(tally), previews=previews.told())
            self._tell(ordered.id, last)

        self._tell(ordered.id, OrderProgress(stage="Starting"))
        engine = self._engine(setup)
        try:
            floor = Floor(self._store)
            told = [_source(path, order, floor) for path in order.files]
            self._tell(ordered.id, OrderProgress(stage="Reading which table it is"))
            sources = identified(told, floor.tables(), engine, self._stopped(ordered.id), log)
            rules = Rules(
                night=NIGHT,
                patience=PATIENCE_S,
                stop=self._stopped(ordered.id),
                tick=tick,
                watched=previews.watched,
            )
            night = Night(sources, setup, engine, keeper, rules, log)
            jobs = night.run()
        finally:
            engine.close()
            keeper.close()
        done = ended(jobs, last)
        if self._stop and night.left:
            self._queue.tell(ordered.id, _json(msgspec.structs.replace(last, stage="", left=None)), "cancelled")
        else:
            self._queue.tell(ordered.id, _json(done), "done" if any(one.review_id for one in jobs) else "failed")

    def _stopped(self, number: int) -> Callable[[], bool]:
        """Tell whether the order is to be stopped, as last told."""

        def asked() -> bool:
            if not self._stop and time.monotonic() >= self._tell_due:
                found = self._queue.order(number)
                self._stop = found is None or found.cancelled
                self._tell_due = time.monotonic() + TELL_S
            return self._stop

        return asked

    def _tell(self, number: int, progress: OrderProgress) -> None:
        if time.monotonic() >= self._tell_due:
            self._tell_due = time.monotonic() + TELL_S
            self._stop = self._queue.tell(number, _json(progress)) or self._stop


class Previews:
    """What the recordings of an order show so far, while they are watched."""

    def __init__(self, chain: str, folders: Folders) -> None:
        self._chain, self._folders = chain, folders
        self._under_way: dict[str, Preliminary | None] = {}
        self._told: dict[str, tuple[Job, Preview]] = {}

    def watched(self, job: Job) -> None:
        """Look at what has been watched of a job by now; forget the job when all of it has been."""
        if job.left == 0:
            self._under_way.pop(job.key, None)
            return
        try:
            self._look(job)
        except Exception:  # a preview that fails costs the preview, not the review, which tells what is wrong
            logging.exception("no preliminary findings of %s", job.recording_set.review_id)
            self._under_way[job.key] = None

    def _look(self, job: Job) -> None:
        if job.key not in self._under_way:
            chain = load_chain(self._chain)
            checkpoints = Checkpoints(job.recording_set, job.config, SEGMENT_S, self._folders)
            self._under_way[job.key] = Preliminary(checkpoints, chain)
        so_far = self._under_way[job.key]
        if so_far is not None and so_far.more():
            name = " + ".join(job.recording_set.names)
            self._told[job.key] = (job, preview_of(name, so_far.until, so_far.findings(), whole=so_far.whole))

    def told(self) -> list[Preview]:
        """One for each recording whose review is not stored yet."""
        return [preview for job, preview in self._told.values() if not job.ended]


def _source(path: str, order: ReviewOrder, floor: Floor) -> Source:
    """Return a file of an order with what the order tells of it; its site may be that of the folder where it lies."""
    site = order.site or floor.site_of_file(path_of(path))
    return Source(path=path, layout=None, house=None, site=site, table=order.table, day=order.day, spoken=order.spoken)


def _json(progress: OrderProgress) -> str:
    return msgspec.json.encode(progress).decode()


def own_pool(setup: Setup) -> Engine:
    """Return a pool of processes on this computer; half as many while a night shift is at work."""
    from verifier.review.batch.engines.pool import Pool, usual_workers

    night = Lease(database_url(), "night").held_by() is not None
    return Pool(setup, max(1, usual_workers() // 2) if night else usual_workers(), Limits())


def main() -> None:
    """Run a runner; a second one ends at once."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(message)s")
    chain = sys.argv[1] if len(sys.argv) > 1 else OWN
    Runner(Store(), own_pool, chain).run()


if __name__ == "__main__":
    main()
