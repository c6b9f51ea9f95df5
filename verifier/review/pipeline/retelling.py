"""Reconstructs a reel from what was seen in its segments."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import msgspec

from verifier.domain.events import EventLog
from verifier.domain.observations import ObservationsHeader
from verifier.review.pipeline.account import Sightings
from verifier.review.pipeline.chain import Mind
from verifier.review.pipeline.folders import checkpoint_file
from verifier.review.pipeline.seams import Joiner, Run
from verifier.review.pipeline.segments import Beat
from verifier.review.products import KEPT_OBSERVATIONS

STRETCH: Final = 4
"""Segments of which what was seen is kept in one file: 8 minutes of recording."""


def retell(
    runs: Sequence[Run],
    header: ObservationsHeader,
    begin: Callable[[], Mind],
    stage: Path,
    beat: Beat,
    judged: Callable[[float], bool] = lambda t: True,
) -> tuple[EventLog, Sightings]:
    """The log of all runs, and the account of what was seen.

    What was seen at a moment (s) that is not `judged` is kept, but the log does not tell of it.

    Leaves the joined observations in `stage`, packed: a file of as many members as there are stretches. What is known
    between two stretches is kept nowhere: an interrupted call begins anew, which costs far less than watching.
    """
    mind, joiner, sight = begin(), Joiner(), Sightings()
    stretches = [runs[first : first + STRETCH] for first in range(0, len(runs), STRETCH)]
    for number, stretch in enumerate(stretches):
        with checkpoint_file(_seen(stage, number), packed=True) as kept:
            for run in stretch:
                for observation in joiner.take(run):
                    sight.take(observation)
                    if judged(observation.t):
                        mind.take(observation)
                    kept.write(msgspec.json.encode(observation) + b"\n")
                    beat(observation.t)
    _join_seen(header, [_seen(stage, number) for number in range(len(stretches))], stage / KEPT_OBSERVATIONS)
    return mind.log(), sight


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
