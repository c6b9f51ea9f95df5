"""Gathers recordings that cannot be watched: those of one table and one fault make one review with one finding."""

from __future__ import annotations

import hashlib
from collections.abc import Container

from verifier.review.batch.steps import Job, Place, Step
from verifier.review.batch.tasks import Conclude


class Faults:
    """A night's jobs that cannot be watched, by table and by what is wrong with them."""

    def __init__(self) -> None:
        self._jobs: dict[tuple[Place, str], list[Job]] = {}

    def __len__(self) -> int:
        return sum(len(some) for some in self._jobs.values())

    def add(self, job: Job, cause: str) -> None:
        """Take a job that cannot be watched."""
        self._jobs.setdefault((job.place, cause), []).append(job)

    def steps(self, busy: Container[Place] = ()) -> list[Step]:
        """Return the last steps of these jobs, one for each table and cause; leave out tables at which work goes on."""
        ready = [key for key in self._jobs if key[0] not in busy]
        return [_step(self._jobs.pop(key), key[1]) for key in ready]


def _step(jobs: list[Job], cause: str) -> Step:
    members = sorted(jobs, key=lambda job: job.recording_set.parts[0].facts.path)
    job = members[0] if len(members) == 1 else _joined(members, cause)
    task = Conclude(job.recording_set, job.config, job.key, cause, [one.recording_set for one in members[1:]])
    return Step(task, (0, 0, 0, 0), job=job)


def _joined(members: list[Job], cause: str) -> Job:
    """Return one job for all of them, under a key that the same jobs always have."""
    first, keys = members[0], sorted(one.key for one in members)
    key = hashlib.sha256(" ".join([cause, *keys]).encode()).hexdigest()
    return Job(first.recording_set, first.config, key, place=first.place, members=members)
