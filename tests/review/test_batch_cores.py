"""Workers that do not know of each other take a core each, and leave it when they end."""

from __future__ import annotations

import multiprocessing
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from verifier.review.batch.engines import cores
from verifier.review.batch.engines.cores import cores_of, take_core
from verifier.review.batch.engines.process import hold_to, usable_cores


def taker(pipe: Connection, folder: str) -> None:
    """Takes a core, tells which and where it runs, and waits to be told to end."""
    cores.user_cache_path = lambda _: Path(folder)  # type: ignore[attr-defined]
    pipe.send((take_core(), usable_cores()))
    pipe.recv()


def begun(folder: Path) -> tuple[multiprocessing.process.BaseProcess, Connection, int | None, list[int]]:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=taker, args=(theirs, str(folder)), daemon=True)
    process.start()
    core, runs_on = ours.recv()
    return process, ours, core, runs_on


def test_each_takes_another_core_until_none_is_left_and_a_killed_one_gives_its_back(tmp_path: Path) -> None:
    mine = usable_cores()
    some = mine[:1]
    hold_to(some)  # what is begun from here has one core to share
    try:
        first, _, core, runs_on = begun(tmp_path)
        second, _, none, still = begun(tmp_path)
        first.kill()
        first.join()
        third, _, again, _ = begun(tmp_path)
    finally:
        hold_to(mine)
    second.kill()
    third.kill()
    assert [core] == runs_on == some
    assert none is None
    assert still == some
    assert again == core


def test_a_pool_shares_the_cores_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cores, "usable_cores", lambda: [0, 1, 2, 3])
    assert [cores_of(place, 2) for place in range(2)] == [{0, 1}, {2, 3}]
    assert [cores_of(place, 5) for place in range(5)] == [{0}, {1}, {2}, {3}, {0}]
