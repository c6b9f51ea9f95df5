"""Runs a night of the tests: in this process, or with workers of its own where their fate is what is tested."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from batch_fakes import CHAIN

from verifier.review.batch.engines.base import Ended, Engine, Limits
from verifier.review.batch.engines.pool import Pool
from verifier.review.batch.logs import FileLog
from verifier.review.batch.night import Night, Rules
from verifier.review.batch.saving import Keeper
from verifier.review.batch.sources import find_sources
from verifier.review.batch.tally import Tally
from verifier.review.batch.tasks import Setup, Task, perform
from verifier.review.batch.urgent import Rank, told_rank
from verifier.review.pipeline.folders import usual_folders
from verifier.store.database import home
from verifier.store.night.journal import JobRecord

LENGTH = 3.0
LIMITS = Limits()


class Here:
    """Runs one task at a time, in this very process: nothing to start, nothing that a busy computer delays."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._waiting: list[tuple[int, Task]] = []
        self.slots = 1

    def give(self, number: int, task: Task) -> None:
        self._waiting.append((number, task))

    def wait(self, seconds: float) -> list[Ended]:
        done = [Ended(number, perform(self._setup, task, lambda seen: None)) for number, task in self._waiting]
        self._waiting.clear()
        return done

    def progress(self) -> dict[int, float]:
        return {}

    def close(self) -> None:
        self._waiting.clear()


def run_night(
    *places: Path,
    engine: Callable[[Setup], Engine] = Here,
    patience: float = 20.0,
    length: float = LENGTH,
    stop: Callable[[], bool] = lambda: False,
    tick: Callable[[Tally], None] = lambda tally: None,
    night: str = "2026-11-17",
    chain: str = CHAIN,
    rank: Rank = told_rank,
) -> tuple[list[JobRecord], Tally]:
    """One night over these places."""
    folders = usual_folders()
    setup = Setup(chain=chain, root=str(folders.root), length=length)
    log = FileLog(home() / "logs" / "night.jsonl")
    keeper = Keeper(folders, night, log)
    runs_on = engine(setup)
    try:
        rules = Rules(night=night, patience=patience, stop=stop, tick=tick, rank=rank)
        one = Night(find_sources([str(place) for place in places]), setup, runs_on, keeper, rules, log)
        return one.run(), one.tally
    finally:
        runs_on.close()
        keeper.close()


def run_pool_night(
    *places: Path, workers: int = 2, limits: Limits = LIMITS, **options: Any
) -> tuple[list[JobRecord], Tally]:
    """One night with so many fresh processes, as OpenCV must not be forked."""
    return run_night(*places, engine=lambda setup: Pool(setup, workers, limits), **options)


def live_night(home: str, night: str) -> None:
    """What a process of its own does that is a night."""
    os.environ["VERIFIER_HOME"] = home
    os.environ.pop("VERIFIER_DATABASE_URL", None)
    run_pool_night(Path(night))
