"""Workers that do not know of each other take a core each, and leave it when they end."""

from __future__ import annotations

import multiprocessing
import os
import tempfile
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from verifier.review.batch.engines.cores import cores_of, take_core


def taker(pipe: Connection, folder: str) -> None:
    """Takes a core, tells which and where it runs, and waits to be told to end."""
    tempfile.tempdir = folder
    pipe.send((take_core(), os.sched_getaffinity(0)))
    pipe.recv()


def begun(folder: Path) -> tuple[multiprocessing.process.BaseProcess, Connection, int | None, set[int]]:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=taker, args=(theirs, str(folder)), daemon=True)
    process.start()
    core, runs_on = ours.recv()
    return process, ours, core, runs_on


def test_each_takes_another_core_until_none_is_left_and_a_killed_one_gives_its_back(tmp_path: Path) -> None:
    mine = os.sched_getaffinity(0)
    some = set(sorted(mine)[:1])
    os.sched_setaffinity(0, some)  # what is begun from here has one core to share
    try:
        first, _, core, runs_on = begun(tmp_path)
        second, _, none, still = begun(tmp_path)
        first.kill()
        first.join()
        third, _, again, _ = begun(tmp_path)
    finally:
        os.sched_setaffinity(0, mine)
    second.kill()
    third.kill()
    assert {core} == runs_on == some
    assert none is None
    assert still == some
    assert again == core


def test_a_pool_shares_the_cores_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2, 3})
    assert [cores_of(place, 2) for place in range(2)] == [{0, 1}, {2, 3}]
    assert [cores_of(place, 5) for place in range(5)] == [{0}, {1}, {2}, {3}, {0}]
