"""What each run of a night came to, kept in the store: the morning report is made of all of them together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce

import msgspec
from msgspec import Struct

from verifier.review.entries import LeftOut
from verifier.review.pipeline.copies import Repeat
from verifier.store.night.journal import JobRecord, Journal


class NightRun(Struct, frozen=True, kw_only=True):
    """One run of `verifier batch`, or several merged. It is kept when it begins and again after each pass.

    `files` names for each file the jobs that it belonged to, the latest last; `looked` are all files of its places.
    `known` are jobs that an earlier night had done. `begun` runs that have not ended, and the steps that the time
    window left (`unfinished`), make the night incomplete. `seconds` are on the wall, `done` of recordings watched.
    """

    looked: list[str] = []
    files: dict[str, list[str]] = {}
    known: list[str] = []
    left_out: list[LeftOut] = []
    repeats: list[Repeat] = []
    unfinished: int = 0
    begun: int = 0
    seconds: float = 0.0
    done: float = 0.0

    @property
    def skipped(self) -> int:
        """How many of its reviews had been made before."""
        return len(self.known)

    @property
    def keys(self) -> set[str]:
        """All jobs that it names."""
        return {key for keys in self.files.values() for key in keys}


def begun_run(sources: Sequence[str], left_out: Sequence[LeftOut]) -> NightRun:
    """Return a run that begins: until it ends, none of its files counts as done."""
    return NightRun(looked=sorted(sources), left_out=list(left_out), begun=1)


def merged(runs: Sequence[NightRun]) -> NightRun:
    """Return the runs of a night, oldest first, as one: of a file that several looked at, the last result counts.

    What a run left undone is made good where later ones looked at all of its files.
    """
    later: set[str] = set()
    settled: list[NightRun] = []
    for run in reversed(runs):
        done_since = later.issuperset(run.looked)
        settled.insert(0, msgspec.structs.replace(run, unfinished=0, begun=0) if done_since else run)
        later.update(run.looked)
    return reduce(_merged, settled, NightRun())


def _merged(first: NightRun, second: NightRun) -> NightRun:
    again = set(second.looked)
    earlier = first.keys
    return NightRun(
        looked=sorted({*first.looked, *again}),
        files={
            path: [*first.files.get(path, []), *second.files.get(path, [])]
            for path in sorted({*first.files, *second.files})
        },
        known=[*first.known, *(key for key in second.known if key not in earlier)],
        left_out=[*(one for one in first.left_out if one.file not in again), *second.left_out],
        repeats=[*(one for one in first.repeats if one.file not in again), *second.repeats],
        unfinished=first.unfinished + second.unfinished,
        begun=first.begun + second.begun,
        seconds=first.seconds + second.seconds,
        done=first.done + second.done,
    )


def jobs_of(run: NightRun, known: Mapping[str, JobRecord], others: Sequence[JobRecord] = ()) -> list[JobRecord]:
    """Return the jobs that stand for the files of a run: for each file the last job that came to an end.

    `others` are jobs of the night that no run names: of one that was killed. What a later review replaced is left out.
    """
    last = [next((key for key in reversed(keys) if key in known), None) for keys in run.files.values()]
    jobs = [known[key] for key in dict.fromkeys(last) if key is not None]
    names = {job.key for job in jobs}
    jobs += [job for job in others if job.key not in names and job.key not in run.keys]
    replaced = {review for job in jobs for review in job.replaces}
    kept = [job for job in jobs if job.review_id is None or job.review_id not in replaced]
    return sorted(kept, key=lambda job: (job.site or "", job.table or "", job.clock_start or "", job.names))


def night_so_far(journal: Journal, night: str, folder: str | None = None) -> tuple[NightRun, list[JobRecord]]:
    """Return the runs of a night (whose report goes to `folder`) as one, with the jobs that stand for their files.

    Jobs of the night that no run names, because theirs was killed, belong to every report.
    """
    every = [decoded(body) for body in journal.runs(night)]
    run = merged(every if folder is None else [decoded(body) for body in journal.runs(night, folder)])
    named = {key for one in every for key in one.keys}
    known = {job.key: job for job in journal.jobs(keys=run.keys)}
    return run, jobs_of(run, known, [job for job in journal.jobs(night=night) if job.key not in named])


def encoded(run: NightRun) -> str:
    """Encode a run as the store keeps it."""
    return msgspec.json.encode(run).decode()


def decoded(body: str) -> NightRun:
    """Decode a run as the store gave it."""
    return msgspec.json.decode(body, type=NightRun)
