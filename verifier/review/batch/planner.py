"""Plans a table's night after its files have been examined: which files make one review, and what is left to do."""

from __future__ import annotations

from verifier.domain.names import path_of
from verifier.review.batch.steps import Group, Job, Order, Step
from verifier.review.batch.tally import Tally
from verifier.review.batch.tasks import Compare, Conclude, Setup, Watch
from verifier.review.batch.urgent import Rank
from verifier.review.entries import is_file
from verifier.review.pipeline.chain import load_chain
from verifier.review.pipeline.plan import config_of, key_of, segments_of, settings_of
from verifier.review.pipeline.recording_sets import claims, make_recording_sets
from verifier.review.pipeline.segments import was_watched
from verifier.review.pipeline.values import Facts, RecordingSet, Source


class Planner:
    """Makes jobs of groups, and steps of jobs; what an earlier run has watched is counted, and not planned again."""

    def __init__(self, setup: Setup, rank: Rank, tally: Tally) -> None:
        self._setup, self._rank, self._tally = setup, rank, tally

    def jobs(self, group: Group) -> list[Job]:
        """Return the jobs of a group of which every file has been examined or given up, and compared where clocks
        overlap.
        """
        return [self._job(recording_set) for recording_set in make_recording_sets(_pairs(group), group.alike)]

    def compare_steps(self, group: Group) -> list[Step]:
        """Return the steps that compare files of a group which show the same moments by their clocks; ask for
        each only once.
        """
        wanted = [Compare(one.layout, one.first, one.second, one.offset) for one in claims(_pairs(group))]
        new = [task for task in wanted if task.names not in group.asked]
        group.asked |= {task.names for task in new}
        order = (group.priority, group.number, -1)
        return [Step(task, (*order, len(group.sources) + place), group=group) for place, task in enumerate(new)]

    def steps(self, group: Group, number: int, job: Job) -> list[Step]:
        """Return what is left to do of a job: segments that were not watched, or given up in an earlier run, and
        its end.
        """
        order = (self._rank_of(group, job.recording_set), group.number, number, 0)
        steps: list[Step] = []
        for part in job.recording_set.parts:
            for segment in segments_of(part, self._setup.length):
                length = segment.end - segment.begin
                if was_watched(self._setup.folders.segment(part.facts, job.config, segment)):
                    job.ready.add(part.facts.sha256)
                    self._tally.resumed(length)
                    continue
                job.left += 1
                self._tally.plan(length, job.place)
                task = Watch(job.recording_set.source, part.facts, segment, job.config)
                steps.append(Step(task, (*order[:3], len(steps)), job=job))
        return [*steps, _conclude_step(job, (*order[:3], len(steps)))]

    def _job(self, recording_set: RecordingSet) -> Job:
        config = config_of(recording_set.source, load_chain(self._setup.chain), self._setup.length)
        return Job(recording_set, config, key_of(recording_set, config), settings=settings_of(recording_set.source))

    def _rank_of(self, group: Group, recording_set: RecordingSet) -> int:
        """Return the rank of a recording set: that of its most urgent file, by the clock where that is known."""
        files = {part.facts.path: part.facts.clock for part in recording_set.parts}
        return min(self._rank(one, files[one.path]) for one in group.sources if one.path in files)


def _conclude_step(job: Job, order: Order) -> Step:
    """Return the last step of a job."""
    return Step(Conclude(job.recording_set, job.config, job.key, settings=job.settings), order, job=job)


def _pairs(group: Group) -> list[tuple[Source, Facts]]:
    return [(source, group.examined[source.path]) for source in group.sources if source.path in group.examined]


def why_unusable(recording_set: RecordingSet) -> str | None:
    """Return why a recording set cannot be watched, as far as this is known before watching."""
    if recording_set.parts[0].facts.error is not None:
        return recording_set.parts[0].facts.error
    for what, name in (("layout", recording_set.source.layout), ("house options", recording_set.source.house)):
        if name is None or not is_file(path_of(name)):
            if recording_set.source.unknown is not None:
                return f"its table is not known: {recording_set.source.unknown}"
            return f"there is no {what} file for it"
    return None
