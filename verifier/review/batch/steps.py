"""The steps of a night and their order: what can be run now, what is tried again, what is given up."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

from verifier.review.alike import Likeness
from verifier.review.batch.tasks import Compare, Conclude, Examine, Failed, Identify, Kind, Task, Watch
from verifier.review.pipeline.places import place_of
from verifier.review.pipeline.values import Facts, RecordingSet, Source

ATTEMPTS: Final[dict[Kind, int]] = {"killed": 3, "hung": 2, "memory": 2}
"""A task is given up after it has ended its process so many times."""
AGAIN_S: Final = (1.0, 2.0, 5.0, 10.0, 30.0)
"""Seconds after which what could not be reached is tried again; the last stays."""
WAITS: Final[frozenset[Kind]] = frozenset({"away", "disk"})

Order = tuple[int, int, int, int]
"""Priority, table, job, step: the smallest comes first."""
Place = tuple[str | None, str | None]
"""Site and table, as far as they are known."""


@dataclass(eq=False)
class Group:
    """The recordings of one table: which file belongs to which recording set is known when all have been examined.

    `asked` are pairs of files that are to be compared, by their SHA-256; `alike` holds the answers so far.
    """

    number: int
    priority: int
    sources: list[Source]
    place: Place = (None, None)
    examined: dict[str, Facts] = field(default_factory=dict)
    missing: set[str] = field(default_factory=set)
    asked: set[tuple[str, str]] = field(default_factory=set)
    alike: dict[tuple[str, str], Likeness] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        return len(self.examined) + len(self.missing) == len(self.sources)

    @property
    def compared(self) -> bool:
        """Whether every comparison that was asked for has been answered."""
        return self.asked == set(self.alike)


@dataclass(eq=False)
class Job:
    """A recording set under way. `ready` names recordings whose first segment is done, `left` counts segments to be
    watched.

    `members` are the jobs that this one ends all at once: recordings that cannot be watched for the same cause.
    """

    recording_set: RecordingSet
    config: str
    key: str
    ready: set[str] = field(default_factory=set)
    left: int = 0
    attempts: int = 1
    ended: bool = False
    place: Place = (None, None)
    members: list[Job] = field(default_factory=list)
    settings: str | None = None

    @property
    def paths(self) -> list[str]:
        """The files that it ends with: those it judges, and those whose time they show."""
        return [*(part.facts.path for part in self.recording_set.parts), *self.recording_set.covered]


@dataclass(eq=False)
class Step:
    """A task with what became of its attempts. `since` is when it first could not be reached."""

    task: Task
    order: Order
    job: Job | None = None
    group: Group | None = None
    attempts: int = 0
    not_before: float = 0.0
    since: float | None = None

    @property
    def about(self) -> str:
        """The recording that it is about: the review's id, or the file's path while that is not known."""
        if isinstance(self.task, Identify | Examine):
            return self.task.source.path
        if isinstance(self.task, Compare):
            return self.task.second.path
        return self.task.facts.sha256[:12] if isinstance(self.task, Watch) else self.task.recording_set.review_id

    @property
    def place(self) -> Place:
        """The table at which it works."""
        if self.job is not None:
            return self.job.place
        return self.group.place if self.group is not None else (None, None)

    @property
    def span(self) -> dict[str, float]:
        """The stretch that it watches, in seconds of media time."""
        if not isinstance(self.task, Watch):
            return {}
        return {"from": self.task.segment.begin, "to": self.task.segment.end}

    def can_run(self, now: float) -> bool:
        """Tell whether what it needs is there."""
        if now < self.not_before:
            return False
        if isinstance(self.task, Watch) and self.job is not None:
            return self.task.segment.first or self.task.facts.sha256 in self.job.ready
        return not isinstance(self.task, Conclude) or self.job is None or self.job.left == 0

    def again(self, failed: Failed, now: float, patience: float) -> bool:
        """Tell whether the step is to be tried again after this failure, and if so, not before when."""
        if failed.kind in ATTEMPTS:
            self.attempts += 1
            return self.attempts < ATTEMPTS[failed.kind]
        if failed.kind not in WAITS:
            return False
        self.since = now if self.since is None else self.since
        self.not_before = now + AGAIN_S[min(self.attempts, len(AGAIN_S) - 1)]
        self.attempts += 1
        return now - self.since < patience


class Queue:
    """The steps that wait, in order; taking one removes it."""

    def __init__(self) -> None:
        self._waiting: list[Step] = []

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, steps: Iterable[Step]) -> None:
        """Add steps, in their order."""
        self._waiting += steps
        self._waiting.sort(key=lambda step: step.order)

    def take(self, now: float) -> Step | None:
        """Return the first step that can run."""
        for place, step in enumerate(self._waiting):
            if step.can_run(now):
                return self._waiting.pop(place)
        return None

    def places(self) -> set[Place]:
        """Return the tables for which something waits."""
        return {step.place for step in self._waiting}

    def drop(self, unwanted: Callable[[Step], bool]) -> None:
        """Remove the steps for which `unwanted` is true."""
        self._waiting = [step for step in self._waiting if not unwanted(step)]


def group_sources(sources: Iterable[Source], priority_of: Callable[[Source], int]) -> list[Group]:
    """Group the sources by table, as far as they tell it: by the manifest's table and the layout.

    Those without a layout cannot be watched; what is wrong with them is told of all at once.
    """
    groups: dict[tuple[str, ...], list[Source]] = {}
    for source in sources:
        key = (source.site or "", source.table or "", source.layout or "")
        groups.setdefault(key, []).append(source)
    return [
        Group(number, min(map(priority_of, some)), some, place_of(some[0]))
        for number, some in enumerate(groups.values())
    ]


def examine_steps(group: Group) -> list[Step]:
    """Return the steps that look at a group's files."""
    return [
        Step(Examine(source), (group.priority, group.number, -1, place), group=group)
        for place, source in enumerate(group.sources)
    ]
