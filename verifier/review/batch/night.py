"""One night: plans the work, gives it to an engine, tries again what failed, and stores what is done as it goes."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct

from verifier.domain.errors import BadInput
from verifier.formats.whole import remove_file
from verifier.review.alike import Likeness
from verifier.review.batch.engines.base import Ended, Engine
from verifier.review.batch.faults import Faults
from verifier.review.batch.logs import Log, quiet
from verifier.review.batch.night_runs import NightRun
from verifier.review.batch.planner import Planner, why_unusable
from verifier.review.batch.saving import Keeper, record_of
from verifier.review.batch.steps import Group, Job, Queue, Step, examine_steps, group_sources
from verifier.review.batch.tally import Tally
from verifier.review.batch.tasks import Compare, Conclude, Done, Examine, Failed, Setup, Watch
from verifier.review.batch.unexamined import failed_source, hashing_only, line_of
from verifier.review.batch.urgent import Rank, told_rank
from verifier.review.entries import LeftOut
from verifier.review.pipeline.copies import Copies
from verifier.review.pipeline.segments import write_unwatched
from verifier.review.pipeline.values import Facts, Source
from verifier.review.twins import as_twin
from verifier.store.night.journal import JobRecord, State

WAIT_S: Final = 0.5
GRACE_S: Final = 60.0
"""Seconds that running tasks are given when the time window closes; what they have done since then is lost."""


class Rules(Struct, frozen=True, kw_only=True):
    """How a night goes: seconds of `patience` with what cannot be reached; `stop` says that the window has closed,
    `rank` what comes first. `watched` is told of each job of which one more segment has been watched."""

    night: str
    patience: float = 600.0
    stop: Callable[[], bool] = lambda: False
    tick: Callable[[Tally], None] = lambda tally: None
    rank: Rank = told_rank
    watched: Callable[[Job], None] = lambda job: None


class Night:
    """Reviews the sources once. `run` may be called again in another process at any time: what is done stays done."""

    def __init__(
        self, sources: Sequence[Source], setup: Setup, engine: Engine, keeper: Keeper, rules: Rules, log: Log = quiet
    ) -> None:
        self._setup, self._engine, self._keeper, self._rules, self._log = setup, engine, keeper, rules, log
        self._queue = Queue()
        self._faults = Faults()
        self._running: dict[int, Step] = {}
        self._numbers = 0
        self.sources = [source.path for source in sources]
        self._groups = group_sources(sources, lambda source: rules.rank(source, source.start))
        self.tally = Tally(files=len(sources))
        self._planner = Planner(setup, rules.rank, self.tally)
        self.copies = Copies(lambda name: as_twin(keeper.review(name, rules.patience)))
        self.keys: list[str] = []
        self.known: list[str] = []
        self.files: dict[str, str] = {}
        """The job (its key) that each file belongs to."""
        for group in self._groups:
            self._queue.add(examine_steps(group))

    def run(self) -> list[JobRecord]:
        """Works until all is done or the window closes; gives the jobs of all sources, done before or now.

        Raises BadInput if the database stays away.
        """
        self._setup.folders.forget_old()
        self._keeper.write_records(self._rules.patience)
        while (self._queue or self._running or self._faults) and not self._rules.stop():
            self._tell_faults()
            self._feed()
            self._take(self._engine.wait(WAIT_S))
            self._tend()
        self._finish()
        return self._keeper.jobs(self.keys, self._rules.patience)

    @property
    def left(self) -> int:
        """Steps that were not done because the window closed."""
        return len(self._queue) + len(self._running) + len(self._faults)

    def account(self, left_out: Sequence[LeftOut] = ()) -> NightRun:
        """Return what the night came to so far, as it is kept for the morning report."""
        return NightRun(
            looked=sorted({*self.sources, *(one.file for one in left_out)}),
            files={path: [key] for path, key in sorted(self.files.items())},
            known=self.known,
            left_out=list(left_out),
            repeats=list(self.copies.found),
            unfinished=self.left,
            seconds=self.tally.seconds,
            done=self.tally.done,
        )

    def _tell_faults(self) -> None:
        """End the jobs that cannot be watched, for tables at which nothing else is left to do."""
        if self._faults:
            busy = self._queue.places() | {step.place for step in self._running.values()}
            self._queue.add(self._faults.steps(busy))

    def _finish(self) -> None:
        """Wait for what runs, within bounds, and for the store."""
        until = time.monotonic() + GRACE_S
        late = self._faults.steps()
        while (self._running or late) and time.monotonic() < until:
            while late and len(self._running) < self._engine.slots:
                self._give(late.pop())
            self._take(self._engine.wait(WAIT_S))
            self._tend()
        until = time.monotonic() + self._rules.patience
        while self._keeper.waiting and time.monotonic() < until:
            self._tend()
            time.sleep(WAIT_S)
        if self._keeper.waiting:
            what = f"{self._keeper.waiting} finished reviews could not be stored"
            raise BadInput("the store", what, "start the database and run the same command again: they are kept")

    def _tend(self) -> None:
        self._keeper.save()
        self.tally.stored = self._keeper.saved
        watching = {number: step.place for number, step in self._running.items() if isinstance(step.task, Watch)}
        self.tally.progress({n: done for n, done in self._engine.progress().items() if n in watching}, watching)
        self._rules.tick(self.tally)

    def _feed(self) -> None:
        while len(self._running) < self._engine.slots:
            step = self._queue.take(time.monotonic())
            if step is None:
                return
            self._give(step)

    def _give(self, step: Step) -> None:
        if isinstance(step.task, Conclude):
            self._keeper.renew_records()
        self._numbers += 1
        self._running[self._numbers] = step
        self._engine.give(self._numbers, step.task)
        self._log("begun", recording=step.about, task=type(step.task).__name__.lower(), **step.span)

    def _take(self, ended: Sequence[Ended]) -> None:
        for one in ended:
            step = self._running.pop(one.number, None)
            if step is None or (step.job is not None and step.job.ended):
                continue
            if isinstance(one.outcome, Done):
                self._log("ended", recording=step.about, took=one.outcome.seconds, **step.span)
                self._done(step, one.outcome)
            else:
                self._failed(step, one.outcome)

    def _done(self, step: Step, done: Done) -> None:
        self.tally.spent(done.took)
        if isinstance(step.task, Examine):
            assert done.facts is not None
            self._examined(step, done.facts)
        elif isinstance(step.task, Compare):
            self._compared(step, step.task, done.likeness)
        elif isinstance(step.task, Watch):
            assert step.job is not None
            self._watched(step.job, step.task)
            self.tally.watched(step.task.segment.end - step.task.segment.begin, step.place)
        elif step.job is not None:
            self._concluded(step.job)

    def _failed(self, step: Step, failed: Failed) -> None:
        again = step.again(failed, time.monotonic(), self._rules.patience)
        name = "failed, tried again" if again else "failed, given up"
        self._log(name, recording=step.about, kind=failed.kind, cause=failed.cause, **step.span)
        self.tally.failures[failed.kind] += 1
        if step.job is not None:
            step.job.attempts += 1
        if again:
            self._queue.add([step])
        elif isinstance(step.task, Examine):
            self._unexamined(step, step.task, failed)
        elif isinstance(step.task, Compare):
            self._compared(step, step.task, None)
        elif isinstance(step.task, Watch):
            self._unwatchable(step, step.task, failed)
        elif step.job is not None:
            self._end(step.job, failed)

    def _unexamined(self, step: Step, task: Examine, failed: Failed) -> None:
        """Queue a file that could not be examined for hashing alone where its contents are to blame; else note a
        failure.
        """
        assert step.group is not None
        hashing, source = hashing_only(task, failed), task.source
        if hashing is not None:
            self._queue.add([Step(hashing, step.order, group=step.group)])
            return
        record = failed_source(source, self._rules.night, failed, step.attempts)
        self._keeper.note(record, self._rules.patience)
        self.keys.append(record.key)
        self.files[source.path] = record.key
        self.tally.failed += 1
        step.group.missing.add(source.path)
        self._plan_if_complete(step.group)

    def _unwatchable(self, step: Step, task: Watch, failed: Failed) -> None:
        """Write a segment that kills its worker down as not watched; end the job for other failures."""
        assert step.job is not None
        if failed.kind in ("hung", "memory", "killed"):
            causes = {"hung": "the decoder hangs here", "memory": "decoding it needs too much memory"}
            checkpoint = self._setup.folders.segment(task.facts, task.config, task.segment)
            write_unwatched(checkpoint, task.segment, causes.get(failed.kind, "decoding it ended the program"))
            self._watched(step.job, task)
        elif failed.kind == "input":
            self._give_up(step.job)
            self._faults.add(step.job, failed.cause)
        else:
            self._end(step.job, failed)

    def _give_up(self, job: Job) -> None:
        """Drop what is left to watch of a job."""
        self._queue.drop(lambda step: step.job is job)
        job.left = 0

    def _end(self, job: Job, failed: Failed) -> None:
        """End a job that failed; it is tried again the next night."""
        self._give_up(job)
        job.ended = True
        state: State = "waiting" if failed.kind == "changed" else "failed"
        for one in job.members or [job]:
            self.tally.failed += 1
            record = record_of(one, self._rules.night, state, cause=line_of(failed.cause))
            self._keeper.note(record, self._rules.patience)

    def _watched(self, job: Job, task: Watch) -> None:
        job.left -= 1
        if task.segment.first:
            job.ready.add(task.facts.sha256)
        self._rules.watched(job)

    def _concluded(self, job: Job) -> None:
        job.ended = True
        self._keeper.keep(job)

    def _examined(self, step: Step, facts: Facts) -> None:
        assert step.group is not None and isinstance(step.task, Examine)
        step.group.examined[step.task.source.path] = facts
        self._plan_if_complete(step.group)

    def _compared(self, step: Step, task: Compare, likeness: Likeness | None) -> None:
        """Files that could not be compared are not known to be the same: both are judged in full."""
        assert step.group is not None
        step.group.alike[task.names] = likeness or Likeness(verdict="unclear")
        self._plan_if_complete(step.group)

    def _plan_if_complete(self, group: Group) -> None:
        if not group.complete:
            return
        self._queue.add(self._planner.compare_steps(group))
        if not group.compared:
            return
        self.copies.note(group.examined[source.path] for source in group.sources if source.path in group.examined)
        planned = set(self.keys)
        jobs = [job for job in self._planner.jobs(group) if job.key not in planned]
        for job in jobs:
            job.recording_set, job.place = self.copies.told_apart(job.recording_set), group.place
        known = self._keeper.done([job.key for job in jobs], self._rules.patience)
        self.keys += [job.key for job in jobs]
        self.tally.looked_at += len(group.sources)
        self.files |= {path: job.key for job in jobs for path in job.paths}
        for number, job in enumerate(jobs):
            if job.key in known:
                self.known.append(job.key)
                self.tally.skipped += 1
                self.tally.skip(job.recording_set.seconds)
                remove_file(self._setup.folders.concluded(job.key))  # stored by a run that was killed then
                shutil.rmtree(self._setup.folders.concluding(job.key), ignore_errors=True)
            elif self._keeper.was_concluded(job):
                self._concluded(job)
            elif (cause := why_unusable(job.recording_set)) is not None:
                self._faults.add(job, cause)
            else:
                self._queue.add(self._planner.steps(group, number, job))
