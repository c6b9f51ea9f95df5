"""A closer look at stretches of a recording set, where the first look at them tells of a breach."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from verifier.domain.errors import BadInput
from verifier.domain.layout import Layout
from verifier.domain.names import path_of
from verifier.domain.observations import Observation
from verifier.review.closer import Span
from verifier.review.pipeline.chain import Chain
from verifier.review.pipeline.examine import probe_of
from verifier.review.pipeline.folders import Folders
from verifier.review.pipeline.segments import Progress, read_bearings
from verifier.review.pipeline.values import Part, RecordingSet


@dataclass(frozen=True)
class Nearer:
    """Looks at a recording set's stretches from nearer, and tells what the whole shows then."""

    recording_set: RecordingSet
    config: str
    layout: Layout
    chain: Chain
    folders: Folders
    progress: Progress

    def look(self, span: Span) -> list[Observation] | None:
        """Return what a stretch of the recording set's time shows; None if it is not in one file, or cannot be
        looked at again.
        """
        parts = [
            part for part in self.recording_set.parts if part.at + part.begin < span[1] and span[0] < part.at + part.end
        ]
        if len(parts) != 1:
            return None
        try:
            return self._seen(parts[0], span)
        except (BadInput, OSError):  # the file is out of reach by now: the first look stands
            return None

    def _seen(self, part: Part, span: Span) -> list[Observation] | None:
        probe, known = probe_of(part.facts, self.folders), self.folders.bearings(part.facts, self.config)
        own = (max(part.begin, span[0] - part.at), min(part.end, span[1] - part.at))
        enrolment = self.recording_set.source.enrolment
        chain = self.chain.at_table(self.chain, probe, path_of(enrolment))[0] if enrolment else self.chain
        watch = chain.closer(probe, self.layout, read_bearings(known), own)
        if watch is None:
            return None
        seen = []
        for observation in watch:
            self.progress("looking closer", observation.t - own[0], own[1] - own[0])
            seen.append(msgspec.structs.replace(observation, t=round(observation.t + part.at, 6)))
        return seen if watch.coverage.complete else None
