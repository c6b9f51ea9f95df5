"""Reconstructs a recording set from what was seen in its segments, stretch by stretch.

Told again with closer looks, only the stretches with such a look are, and those after them until all is as it was.
"""

from __future__ import annotations

import itertools
import pickle
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from verifier.domain.events import AnyEvent, EventLog
from verifier.domain.observations import ObservationsHeader
from verifier.review.closer import Looked, replaced
from verifier.review.looked_at import observations_in
from verifier.review.pipeline.account import ObservationAccount
from verifier.review.pipeline.chain import Reconstructor
from verifier.review.pipeline.folders import checkpoint_file
from verifier.review.pipeline.seams import Joiner, Run
from verifier.review.pipeline.segments import Beat
from verifier.review.products import KEPT_OBSERVATIONS

STRETCH: Final = 4
"""Segments that are told together: 8 minutes of recording."""


class Stretch(NamedTuple):
    """Moments of the first and the last observation of a stretch, and how many events were complete after it.

    `reconstructor` is what the reconstruction held then, without what it had told: a copy of this process's own.
    """

    first: float
    last: float
    told: int
    reconstructor: bytes


class Telling:
    """Tells what a recording set shows. `begin` begins a reconstruction, `stage` is the folder for what was seen.

    What was seen at a moment (s) that is not `judged` is kept, but the log does not tell of it. What is known between
    two stretches is kept in memory alone: an interrupted call begins anew, which costs far less than watching.
    """

    def __init__(
        self,
        header: ObservationsHeader,
        begin: Callable[[], Reconstructor],
        stage: Path,
        judged: Callable[[float], bool] = lambda t: True,
    ) -> None:
        self._header, self._begin, self._stage, self._judged = header, begin, stage, judged
        self._stretches: list[Stretch] = []
        self._told: list[AnyEvent] = []

    def whole(self, runs: Sequence[Run], beat: Beat) -> tuple[EventLog, ObservationAccount]:
        """Return the log of all runs, and the account of what was seen.

        Leaves the joined observations in the stage, packed: a file of as many members as there are stretches.
        """
        self._stretches, self._told = [], []
        reconstructor, joiner, account = self._begin(), Joiner(), ObservationAccount()
        parts = [runs[first : first + STRETCH] for first in range(0, len(runs), STRETCH)]
        for number, part in enumerate(parts):
            begun = self._take(reconstructor, joiner, account, part, _seen(self._stage, number), beat)
            self._told += reconstructor.told
            reconstructor.told = []
            last = self._stretches[-1].last if self._stretches else 0.0
            first, last = (last, last) if begun is None else (begun, account.last)
            self._stretches.append(Stretch(first, last, len(self._told), pickle.dumps(reconstructor)))
        _join_seen(self._header, [_seen(self._stage, n) for n in range(len(parts))], self._stage / KEPT_OBSERVATIONS)
        reconstructor.told = list(self._told)
        return reconstructor.log(), account

    def _take(
        self,
        reconstructor: Reconstructor,
        joiner: Joiner,
        account: ObservationAccount,
        stretch: Sequence[Run],
        seen: Path,
        beat: Beat,
    ) -> float | None:
        """Take a stretch, and keep what was seen for the dashboard; return the moment of the first observation."""
        first: float | None = None
        with checkpoint_file(seen, packed=True) as kept:
            for run in stretch:
                for observation in joiner.take(run):
                    account.take(observation)
                    if self._judged(observation.t):
                        reconstructor.take(observation)
                    kept.write(msgspec.json.encode(observation) + b"\n")
                    beat(observation.t)
                    first = observation.t if first is None else first
        return first

    def again(self, looks: Sequence[Looked], beat: Beat) -> EventLog:
        """Return the log with these closer looks in place of what was seen in their stretches, after `whole` has run.

        It is that of telling all again. Where the reconstruction holds what it held at that place before, the rest is
        told already.
        """
        reconstructor: Reconstructor | None = None
        told: list[AnyEvent] = []
        for first, last, own in _groups(self._stretches, looks):
            begun = self._stretches[first - 1].told if first else 0
            if reconstructor is None and not own:
                told += self._told[begun : self._stretches[last].told]
                continue
            reconstructor = reconstructor or self._reconstructor_after(first - 1)
            seen = itertools.chain.from_iterable(observations_in(_seen(self._stage, n)) for n in range(first, last + 1))
            for observation in replaced(seen, own):
                beat(observation.t)
                if self._judged(observation.t):
                    reconstructor.take(observation)
            told, reconstructor.told = [*told, *reconstructor.told], []
            reconstructor = None if reconstructor.goes_on_as(self._reconstructor_after(last)) else reconstructor
        reconstructor = reconstructor or self._reconstructor_after(len(self._stretches) - 1)
        reconstructor.told = told
        return reconstructor.log()

    def _reconstructor_after(self, number: int) -> Reconstructor:
        """Return the reconstruction after a stretch, without what it told; before the first stretch, a new one."""
        if number < 0:
            return self._begin()
        reconstructor: Reconstructor = pickle.loads(self._stretches[number].reconstructor)
        return reconstructor


def _groups(stretches: Sequence[Stretch], looks: Sequence[Looked]) -> Iterator[tuple[int, int, list[Looked]]]:
    """Stretches (first, last) between which no closer look goes on, with the looks in them."""
    waiting, first = list(looks), 0
    for number, stretch in enumerate(stretches):
        after = stretches[number + 1].first if number + 1 < len(stretches) else float("inf")
        begun = [look for look in waiting if look[0][0] <= stretch.last or look[0][1] <= after]
        if any(span[1] > after for span, _ in begun):
            continue
        yield first, number, begun
        waiting, first = waiting[len(begun) :], number + 1


def _seen(stage: Path, number: int) -> Path:
    return stage / "seen" / f"{number:05d}.jsonl.gz"


def _join_seen(header: ObservationsHeader, parts: Sequence[Path], target: Path) -> None:
    first = target.with_name("header.jsonl.gz")
    with checkpoint_file(first, packed=True) as stream:
        stream.write(msgspec.json.encode(header) + b"\n")
    with checkpoint_file(target) as stream:
        for part in (first, *parts):
            with part.open("rb") as packed:
                shutil.copyfileobj(packed, stream)
