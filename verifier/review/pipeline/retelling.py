"""Reconstructs a reel from what was seen in its segments, with a checkpoint after each stretch of them."""

from __future__ import annotations

import pickle
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import msgspec

from verifier.domain.events import EventLog
from verifier.domain.observations import ObservationsHeader
from verifier.review.pipeline.account import Sightings
from verifier.review.pipeline.chain import Mind
from verifier.review.pipeline.folders import whole_file
from verifier.review.pipeline.seams import Joiner, Run
from verifier.review.pipeline.segments import Beat
from verifier.review.products import KEPT_OBSERVATIONS

STRETCH: Final = 4
"""Segments between two checkpoints: 8 minutes of recording."""
_STATE: Final = "state.pickle"


@dataclass
class _State:
    """All that is known after so many stretches."""

    mind: Mind
    joiner: Joiner = field(default_factory=Joiner)
    sight: Sightings = field(default_factory=Sightings)
    done: int = 0


def retell(
    runs: Sequence[Run],
    header: ObservationsHeader,
    begin: Callable[[], Mind],
    stage: Path,
    beat: Beat,
    judged: Callable[[float], bool] = lambda t: True,
) -> tuple[EventLog, Sightings]:
    """The log of all runs, and the account of what was seen; goes on where an earlier call was killed.

    What was seen at a moment (s) that is not `judged` is kept, but the log does not tell of it.

    Leaves the joined observations in `stage`, packed: a file of as many members as there are stretches.
    """
    state = _known(stage / _STATE) or _State(begin())
    stretches = [runs[first : first + STRETCH] for first in range(0, len(runs), STRETCH)]
    for number in range(state.done, len(stretches)):
        _take(state, stretches[number], _seen(stage, number), beat, judged)
        state.done = number + 1
        with whole_file(stage / _STATE) as stream:
            stream.write(pickle.dumps(state))
    _join_seen(header, [_seen(stage, number) for number in range(len(stretches))], stage / KEPT_OBSERVATIONS)
    return state.mind.log(), state.sight


def _take(state: _State, stretch: Sequence[Run], seen: Path, beat: Beat, judged: Callable[[float], bool]) -> None:
    """Takes a stretch, and keeps what was seen for the dashboard."""
    with whole_file(seen, packed=True) as kept:
        for run in stretch:
            for observation in state.joiner.take(run):
                state.sight.take(observation)
                if judged(observation.t):
                    state.mind.take(observation)
                kept.write(msgspec.json.encode(observation) + b"\n")
                beat(observation.t)


def _seen(stage: Path, number: int) -> Path:
    return stage / "seen" / f"{number:05d}.jsonl.gz"


def _join_seen(header: ObservationsHeader, parts: Sequence[Path], target: Path) -> None:
    first = target.with_name("header.jsonl.gz")
    with whole_file(first, packed=True) as stream:
        stream.write(msgspec.json.encode(header) + b"\n")
    with whole_file(target) as stream:
        for part in (first, *parts):
            with part.open("rb") as packed:
                shutil.copyfileobj(packed, stream)


def _known(path: Path) -> _State | None:
    """What an earlier call left; written by this program into its own folder, hence trusted.

    None where there is nothing, or where another version of this program wrote it.
    """
    try:
        state = pickle.loads(path.read_bytes())
    except (FileNotFoundError, AttributeError, ImportError, pickle.UnpicklingError):
        return None
    return state if isinstance(state, _State) else None
