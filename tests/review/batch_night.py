"""Runs a night of the tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from batch_fakes import CHAIN

from verifier.review.batch.engines.base import Engine, Limits
from verifier.review.batch.engines.pool import Pool
from verifier.review.batch.folders import usual_folders
from verifier.review.batch.logs import FileLog
from verifier.review.batch.night import Night, Rules
from verifier.review.batch.saving import Keeper
from verifier.review.batch.sources import find_sources
from verifier.review.batch.tally import Tally
from verifier.review.batch.tasks import Setup
from verifier.review.batch.urgent import Rank, told_rank
from verifier.store.database import home
from verifier.store.night.journal import JobRecord

LENGTH = 3.0
LIMITS = Limits()


def run_night(
    *places: Path,
    engine: Callable[[Setup], Engine] | None = None,
    workers: int = 2,
    start: str = "spawn",
    limits: Limits = LIMITS,
    patience: float = 20.0,
    length: float = LENGTH,
    stop: Callable[[], bool] = lambda: False,
    tick: Callable[[Tally], None] = lambda tally: None,
    night: str = "2026-11-17",
    chain: str = CHAIN,
    rank: Rank = told_rank,
) -> tuple[list[JobRecord], Tally]:
    """One night over these places, by default with fresh processes, as OpenCV must not be forked."""
    folders = usual_folders()
    setup = Setup(chain=chain, root=str(folders.root), length=length)
    log = FileLog(home() / "logs" / "night.jsonl")
    keeper = Keeper(folders, night, log)
    runs_on = engine(setup) if engine else Pool(setup, workers, limits, start=start)
    try:
        rules = Rules(night=night, patience=patience, stop=stop, tick=tick, rank=rank)
        one = Night(find_sources([str(place) for place in places]), setup, runs_on, keeper, rules, log)
        return one.run(), one.tally
    finally:
        runs_on.close()
        keeper.close()
