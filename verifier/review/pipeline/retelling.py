"""Reconstructs a reel from what was seen in its segments, with a checkpoint after each stretch of them.

Told again with closer looks, only the stretches with such a look are, and those after them until all is as it was.
"""

from __future__ import annotations

import itertools
import pickle
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from verifier.domain.events import AnyEvent, EventLog
from verifier.domain.observations import ObservationsHeader
from verifier.review.closer import Looked, replaced
from verifier.review.looked_at import observations_in
from verifier.review.pipeline.account import Sightings
from verifier.review.pipeline.chain import Mind
from verifier.review.pipeline.folders import whole_file
from verifier.review.pipeline.seams import Joiner, Run
from verifier.review.pipeline.segments import Beat
from verifier.review.products import KEPT_OBSERVATIONS

STRETCH: Final = 4
"""Segments between two checkpoints: 8 minutes of recording."""
_STATE: Final = "state.pickle"


class Stretch(NamedTuple):
    """Moments of the first and the last observation of a stretch, and how many events were complete after it."""

    first: float
    last: float
    told: int


@dataclass
class _State:
    """All that is known after so many stretches; what the mind told lies apart from it, in `told`."""

    mind: Mind
    joiner: Joiner = field(default_factory=Joiner)
    sight: Sightings = field(default_factory=Sightings)
    told: list[AnyEvent] = field(default_factory=list)
    stretches: list[Stretch] = field(default_factory=list)


def retell(
    runs: Sequence[Run], header: ObservationsHeader, begin: Callable[[], Mind], stage: Path, beat: Beat
) -> tuple[EventLog, Sightings]:
    """The log of all runs, and the account of what was seen; goes on where an earlier call was killed.

    Leaves the joined observations in `stage`, packed: a file of as many members as there are stretches.
    """
    state = _known(stage / _STATE) or _State(begin())
    stretches = [runs[first : first + STRETCH] for first in range(0, len(runs), STRETCH)]
    for number in range(len(state.stretches), len(stretches)):
        _take(state, stretches[number], _seen(stage, number), beat)
        with whole_file(_mind(stage, number)) as stream:
            stream.write(pickle.dumps(state.mind))
        with whole_file(stage / _STATE) as stream:
            stream.write(pickle.dumps(state))
    _join_seen(header, [_seen(stage, number) for number in range(len(stretches))], stage / KEPT_OBSERVATIONS)
    state.mind.told = state.told
    return state.mind.log(), state.sight


def told_again(stage: Path, looks: Sequence[Looked], begin: Callable[[], Mind], beat: Beat) -> EventLog:
    """The log with these closer looks in place of what was seen in their stretches; `retell` has told all before.

    It is that of telling all again. Where the mind holds what it held at that place before, the rest is told already.
    """
    known = _known(stage / _STATE)
    if known is None:
        raise FileNotFoundError(stage / _STATE)
    mind: Mind | None = None
    told: list[AnyEvent] = []
    for first, last, own in _groups(known.stretches, looks):
        begun = known.stretches[first - 1].told if first else 0
        if mind is None and not own:
            told += known.told[begun : known.stretches[last].told]
            continue
        mind = mind or _kept_mind(stage, first - 1) or begin()
        seen = itertools.chain.from_iterable(observations_in(_seen(stage, n)) for n in range(first, last + 1))
        for observation in replaced(seen, own):
            beat(observation.t)
            mind.take(observation)
        told, mind.told = [*told, *mind.told], []
        before = _kept_mind(stage, last)
        mind = None if before is not None and mind.goes_on_as(before) else mind
    mind = mind or _kept_mind(stage, len(known.stretches) - 1) or begin()
    mind.told = told
    return mind.log()


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


def _take(state: _State, stretch: Sequence[Run], seen: Path, beat: Beat) -> None:
    """Takes a stretch, and keeps what was seen for the dashboard."""
    first: float | None = None
    with whole_file(seen, packed=True) as kept:
        for run in stretch:
            for observation in state.joiner.take(run):
                state.sight.take(observation)
                state.mind.take(observation)
                kept.write(msgspec.json.encode(observation) + b"\n")
                beat(observation.t)
                first = observation.t if first is None else first
    state.told += state.mind.told
    state.mind.told = []
    last = state.stretches[-1].last if state.stretches else 0.0
    begun, ended = (last, last) if first is None else (first, state.sight.last)
    state.stretches.append(Stretch(begun, ended, len(state.told)))


def _seen(stage: Path, number: int) -> Path:
    return stage / "seen" / f"{number:05d}.jsonl.gz"


def _mind(stage: Path, number: int) -> Path:
    return stage / "minds" / f"{number:05d}.pickle"


def _kept_mind(stage: Path, number: int) -> Mind | None:
    """The mind after a stretch, without what it told; None before the first one."""
    if number < 0:
        return None
    mind: Mind = pickle.loads(_mind(stage, number).read_bytes())
    return mind


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
