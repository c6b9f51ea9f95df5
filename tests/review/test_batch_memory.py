"""A worker keeps what it needs for the next task, and not what the last one needed."""

from __future__ import annotations

import os
from pathlib import Path

from verifier.domain.errors import BadInput
from verifier.domain.layout import Layout
from verifier.recording.probe import Probe
from verifier.review.batch.engines.base import Limits
from verifier.review.batch.engines.pool import Pool
from verifier.review.batch.tasks import Done, Examine, Setup, Watch
from verifier.review.pipeline.chain import OWN, Chain
from verifier.review.pipeline.values import Segment, Source

MIB = 1 << 20
START = "2026-11-17T21:00:00"
_kept: list[bytearray] = []


def scattering_chain() -> Chain:
    """A chain whose look at a file takes 200 MiB in small pieces and keeps one in four hundred of them."""

    def scatter(path: Path, *_: object) -> Probe:
        pieces = [bytearray(64 << 10) for _ in range(3200)]
        _kept.extend(pieces[399::400])
        raise BadInput(path, "is none", "look elsewhere")

    def unused(*arguments: object) -> None:
        raise AssertionError

    return Chain(probe=scatter, clock=_no_clock, eye=unused, reconstructor=unused, judge=unused)  # type: ignore[arg-type]


def _no_clock(facts: Probe, layout: Layout) -> str | None:
    return None


def resident(pid: int | None) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_what_a_task_has_freed_goes_back_to_the_system(tmp_path: Path) -> None:
    setup = Setup(chain="test_batch_memory:scattering_chain", root=str(tmp_path / "night"), length=3.0)
    pool = Pool(setup, 1, Limits())
    levels = []
    try:
        for number in range(4):
            file = tmp_path / f"{number}.mp4"
            file.write_bytes(b"no video %d" % number)
            done(pool, Examine(Source(path=str(file), layout=None, house=None)))
            levels.append(resident(pool._workers[0].process.pid))
    finally:
        pool.close()
    assert max(levels) - levels[0] < 40 * MIB, "it does not grow from task to task"
    assert levels[-1] < 200 * MIB, "nor does it hold what it needed once"


def test_segment_after_segment_a_worker_with_the_models_stays_as_it_is(tmp_path: Path) -> None:
    sample = Path(__file__).parents[2] / "sample_videos" / "clean"
    setup = Setup(chain=OWN, root=str(tmp_path / "night"), length=3.0)
    source = Source(path=str(sample / "video.mp4"), layout=str(sample / "layout.yaml"), house=None, start=START)
    pool, levels = Pool(setup, 1, Limits()), []
    try:
        facts = done(pool, Examine(source)).facts
        assert facts is not None
        for turn in range(12):
            segment = Segment(warm=29.0, begin=30.0, end=32.0, first=True)
            done(pool, Watch(source, facts, segment, f"turn {turn}"))
            levels.append(resident(pool._workers[0].process.pid))
    finally:
        pool.close()
    early, late = min(levels[1:4]), min(levels[-3:])  # the first turn builds networks
    assert late - early < 60 * MIB, f"it grows by less than 7 MiB a turn: {[level // MIB for level in levels]}"


def done(pool: Pool, task: Examine | Watch) -> Done:
    """Runs a task to its good end."""
    pool.give(1, task)
    while not (ended := pool.wait(0.5)):
        pass
    assert isinstance(ended[0].outcome, Done), ended[0].outcome
    return ended[0].outcome
