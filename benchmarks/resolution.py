"""Measures accuracy and speed by the size to which frames are scaled before the detector looks at them.

    python benchmarks/resolution.py --pictures 60 --out out/resolution

The same unseen pictures are looked at with every long side: instants of simulated rounds of all difficulties at
1280 x 720 and at 1920 x 1080, and 1920 x 1080 from afar with cards 28 pixels wide. Prints a Markdown table; the time is
that of one processor core (processor seconds) for one look, finding and reading. What was done is kept in the folder,
so that an interrupted run goes on; empty the folder when code changes.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec
import numpy as np
from msgspec import Struct

from verifier.train.cases import FAR_FRAME, FIRST_SEED, FRAME, Case, Kind, Unseen
from verifier.train.evaluate import add
from verifier.train.evaluation_samples import EvaluatedModels, EvaluationSample, Setup, sample_at
from verifier.train.looking import mend
from verifier.train.report import insert, table
from verifier.train.scoring import Tally
from verifier.train.unseen import make
from verifier.train.workers import worker_pool

LONG_SIDES: Final = (640, 800, 960, 1120, 1280, 1600, 1920)
PLAY: Final[tuple[Kind, ...]] = ("easy", "normal", "hard")
SOURCES: Final[dict[str, tuple[tuple[Kind, ...], tuple[int, int]]]] = {
    "1280 x 720": (PLAY, FRAME),
    "1920 x 1080": (PLAY, FAR_FRAME),
    "1920 x 1080, far": (("far",), FAR_FRAME),
}
FIGURES: Final = (
    "card rank F1", "face-up recall", "face-down recall", "chip recall", "chip precision",
    "exact count in a fan of 2 to 5", "hand recall", "mAP50",
)  # fmt: skip


class Timed(Struct, frozen=True):
    """A look with its processor seconds."""

    source: str
    long_side: int
    seconds: float
    sample: EvaluationSample


def planned(count: int) -> list[tuple[str, Case]]:
    """`count` pictures of each source."""
    return [
        (name, Case(kind=kinds[number % len(kinds)], seed=FIRST_SEED + number, size=size))
        for number in range(count)
        for name, (kinds, size) in SOURCES.items()
    ]


def looked(job: tuple[str, Case]) -> list[Timed]:
    """One picture with every long side up to half as much again as its own."""
    source, case = job
    picture = make(case)
    return [_timed(source, case, picture, side) for side in LONG_SIDES if side <= 1.5 * max(case.size)]


def _timed(source: str, case: Case, picture: Unseen, side: int) -> Timed:
    evaluated = _here[0]
    if side not in _warm:
        sample_at(case, picture, evaluated, side)
        _warm.add(side)
    began = time.process_time()
    sample = sample_at(case, picture, evaluated, side)
    return Timed(source, side, round(time.process_time() - began, 4), sample)


_here: list[EvaluatedModels] = []
_warm: set[int] = set()


def begin(models: Path | None) -> None:
    """Prepare a process."""
    _here[:] = [Setup(models=models).open()]


def read(path: Path) -> list[Timed]:
    """Return what an earlier run wrote; a line cut short ends it."""
    if not path.is_file():
        return []
    mend(path)
    return [msgspec.json.decode(line, type=Timed) for line in path.read_bytes().splitlines()]


def run(jobs: Sequence[tuple[str, Case]], models: Path | None, processes: int) -> Iterator[list[Timed]]:
    """All looks at each picture, in order."""
    with worker_pool(processes, begin, models) as pool:
        yield from pool.map(looked, jobs)


def rows(done: Sequence[Timed]) -> list[list[str]]:
    """Return the table's rows."""
    groups: dict[tuple[str, int], list[Timed]] = defaultdict(list)
    for one in done:
        groups[(one.source, one.long_side)].append(one)
    return [_row(*key, groups[key]) for key in sorted(groups, key=lambda key: (list(SOURCES).index(key[0]), key[1]))]


def _row(source: str, side: int, group: Sequence[Timed]) -> list[str]:
    tally = Tally()
    for one in group:
        add(tally, one.sample)
    found = tally.figures()
    figures = [f"{found[name]:.3f}" if name in found else "" for name in FIGURES]
    return [source, str(side), *figures, f"{1000 * float(np.median([one.seconds for one in group])):.0f}"]


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=int, default=60, help="of each source")
    parser.add_argument("--out", type=Path, default=Path("out/resolution"))
    parser.add_argument("--models", type=Path)
    parser.add_argument("--markdown", type=Path, help="page to put the table into")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    path = Setup(models=options.models).file(options.out)
    path.parent.mkdir(parents=True, exist_ok=True)
    done = read(path)
    seen = {(one.source, one.sample.case.seed) for one in done}
    left = [job for job in planned(options.pictures) if (job[0], job[1].seed) not in seen]
    with path.open("ab") as out:
        for looks in run(left, options.models, options.jobs):
            out.write(b"".join(msgspec.json.encode(one) + b"\n" for one in looks))
            out.flush()
            done += looks
    short = [name.replace("exact count in a fan of 2 to 5", "fan exact") for name in FIGURES]
    text = table(["source", "long side", *short, "ms a look"], rows(done))
    print(text)
    if options.markdown:
        insert(options.markdown, "resolution", f"{options.pictures} pictures of each source.\n\n{text}")


if __name__ == "__main__":
    main()
