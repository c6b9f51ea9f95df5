"""Findings of a recording set that is still being watched. None is kept: the finished review replaces them."""

from __future__ import annotations

import copy
from collections import deque

from verifier.domain.events import EventLog
from verifier.domain.findings import Finding
from verifier.domain.names import path_of
from verifier.formats.layout import read_layout
from verifier.review.fit.judgement import fit_checks, misfits
from verifier.review.fit.things import Things
from verifier.review.pipeline.chain import Chain, Reconstructor
from verifier.review.pipeline.conclude import options_of
from verifier.review.pipeline.fit import named_layout
from verifier.review.pipeline.seams import Joiner, Run
from verifier.review.pipeline.segments import read_head
from verifier.review.pipeline.values import Part, Segment
from verifier.review.pipeline.watched import Checkpoints
from verifier.review.products import told


class Preliminary:
    """Takes the segments of a recording set in their order, as far as they have been watched.

    `until` is the end (s of the recording set) of what it has taken. Raises BadInput if the
    layout or the house options cannot be read.
    """

    def __init__(self, checkpoints: Checkpoints, chain: Chain) -> None:
        self._checkpoints, self._chain = checkpoints, chain
        self._recording_set = recording_set = checkpoints.recording_set
        self._layout = read_layout(path_of(recording_set.source.layout or ""))
        self._house = options_of(recording_set.source, self._layout.game)
        self._ahead = deque(zip(checkpoints.segments(), checkpoints.runs(), strict=True))
        self._things: dict[str, Things] = {}
        self._joiner = Joiner()
        self._reconstructor: Reconstructor | None = None
        self._missed = False
        self.until = 0.0

    def more(self) -> bool:
        """Take what has been watched since the last call; return whether there was anything."""
        before = len(self._ahead)
        while self._ahead:
            (part, segment), run = self._ahead[0]
            if not self._checkpoints.file(part, segment).exists():
                break
            self._take(part, segment, run)
            self._ahead.popleft()
        return len(self._ahead) < before

    def _take(self, part: Part, segment: Segment, run: Run) -> None:
        head = read_head(self._checkpoints.file(part, segment))
        header = head.header
        self.until = part.at + segment.end
        self._missed |= header is None or bool(head.gaps)
        if header is None:
            return  # it was not watched
        reconstructor = self._reconstructor = self._reconstructor or self._chain.reconstructor(
            self._layout, self._house, header
        )
        named = named_layout(self._layout, self._recording_set.source)
        things = self._things.setdefault(part.facts.sha256, Things(named))
        for seen in self._joiner.take(run):
            things.take(seen)
            reconstructor.take(seen)

    @property
    def whole(self) -> bool:
        """Whether all until then was watched, under a layout that seems to fit; else no finding tells nothing."""
        return (
            self._reconstructor is not None
            and not self._missed
            and not any(map(self._unfit, self._recording_set.parts))
        )

    def findings(self) -> list[Finding]:
        """Return the violations in rounds that are over; none where the layout does not seem to fit."""
        if self._reconstructor is None or any(map(self._unfit, self._recording_set.parts)):
            return []
        reconstructor = copy.deepcopy(self._reconstructor)  # `log` ends a reconstruction, and this one goes on
        source = self._recording_set.source
        log = told(reconstructor.log(), site=source.site, table=source.table, day=source.day)
        over = last_round_began(log)
        report = self._chain.judge(log)
        return [one for one in report.findings if one.verdict == "violation" and one.t_end < over]

    def _unfit(self, part: Part) -> bool:
        things, source = self._things.get(part.facts.sha256), self._recording_set.source
        if things is None:
            return False
        named = named_layout(self._layout, source)
        checks = fit_checks(
            named, part.facts.glimpse, things, clock_read=True, start=0.0, end=self.until, day=source.day
        )
        return misfits(checks) is not None


def last_round_began(log: EventLog) -> float:
    """When the last round of a log began (s of media time); 0.0 if it has none."""
    rounds = [(event.round, event.t_start) for event in log.events if event.round is not None]
    last = max((number for number, _ in rounds), default=None)
    return min((t for number, t in rounds if number == last), default=0.0)
