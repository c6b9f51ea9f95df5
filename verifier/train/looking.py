"""Looks at many unseen pictures in several processes and keeps each evaluation sample in a file; goes on where it
stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec
from msgspec import structs

from verifier.domain.errors import BadInput
from verifier.train.cases import Case
from verifier.train.evaluation_samples import EvaluatedModels, EvaluationSample, Setup, sample
from verifier.train.workers import worker_pool

CHUNK: Final = 4


def seen_of(
    todo: Sequence[Case], path: Path, setup: Setup, *, jobs: int = 2, tick: Callable[[int], object] = int
) -> list[EvaluationSample]:
    """Return the looks at all cases of `todo`, read from `path` or made and added to it; tell `tick` how many more."""
    wanted = {_key(case): number for number, case in enumerate(todo)}
    out = {_key(one.case): one for one in read_samples(path) if _key(one.case) in wanted}
    tick(len(out))
    for one in _added([case for case in todo if _key(case) not in out], path, setup, jobs):
        out[_key(one.case)] = one
        tick(1)
    return sorted(out.values(), key=lambda one: wanted[_key(one.case)])


def read_samples(path: Path) -> list[EvaluationSample]:
    """Read the looks of a file, without a last line that was cut short. Raises BadInput for another kind of file."""
    if not path.is_file():
        return []
    lines = path.read_bytes().split(b"\n")[:-1]
    try:
        return [msgspec.json.decode(line, type=EvaluationSample) for line in lines]
    except msgspec.DecodeError as error:
        raise BadInput(path, f"is no file of evaluation samples ({error})", "delete it and evaluate again") from error


def _key(case: Case) -> tuple[object, ...]:
    return structs.astuple(case)


def _added(todo: Sequence[Case], path: Path, setup: Setup, jobs: int) -> Iterator[EvaluationSample]:
    """Look at the cases, add each look to `path`, and yield the looks as they come."""
    mend(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as out:
        for one in _samples(todo, setup, jobs):
            out.write(msgspec.json.encode(one) + b"\n")
            out.flush()
            yield one


def _samples(todo: Sequence[Case], setup: Setup, jobs: int) -> Iterator[EvaluationSample]:
    if jobs <= 1:
        evaluated = setup.open()
        yield from (sample(case, evaluated) for case in todo)
        return
    with worker_pool(jobs, _begin, setup) as pool:
        yield from pool.map(_sample_here, todo, chunksize=CHUNK)


_here: list[EvaluatedModels] = []


def _begin(setup: Setup) -> None:
    _here[:] = [setup.open()]


def _sample_here(case: Case) -> EvaluationSample:
    return sample(case, _here[0])


def mend(path: Path) -> None:
    """Cuts off a last line that an interruption left unfinished."""
    data = path.read_bytes() if path.is_file() else b""
    if data and not data.endswith(b"\n"):
        path.write_bytes(data[: data.rfind(b"\n") + 1])
