"""Nights and their workers killed at random moments: whoever runs it again gets what an undisturbed night gives."""

from __future__ import annotations

import multiprocessing
import os
import random
import shutil
import signal
import time
from multiprocessing.process import BaseProcess
from pathlib import Path

import msgspec
import pytest
from batch_fakes import make_table, record
from batch_night import live_night

from verifier.store.night.journal import Journal
from verifier.store.repository import Store

KILLS = int(os.environ.get("VERIFIER_KILLS", "20"))
"""Kills in all; before a release there are more of them (CONTRIBUTING.md)."""


def a_night(folder: Path) -> Path:
    """Two files of one shift that overlap, and a damaged one of another table."""
    shift = make_table(folder / "one")
    record(shift / "a.mp4", 12, clock="2026-11-17T21:00:00")
    record(shift / "b.mp4", 8, clock="2026-11-17T21:00:08")
    other = make_table(folder / "two", table="5")
    record(other / "c.mp4", 8, dark=[1.0, 7.0])
    (other / "d.mp4").write_text("no recording")
    return folder


def outcome(home: Path) -> dict[str, object]:
    """Everything that a night left behind, but for times of day and the number of attempts."""
    url = f"sqlite:///{home / 'verifier.sqlite'}"
    store, journal = Store(url), Journal(url)
    files = {
        str(path.relative_to(home)): path.read_bytes()
        for path in (home / "evidence").rglob("*")
        if path.suffix in (".json", ".jsonl")
    }
    clips = sorted(str(path.relative_to(home)) for path in (home / "evidence").rglob("*.mp4"))
    return {
        "reviews": [msgspec.structs.replace(one, reviewed_at="", folder="") for one in store.reviews()],
        "findings": store.findings(),
        "jobs": [msgspec.structs.replace(one, attempts=0, finished_at="") for one in journal.jobs()],
        "files": files,
        "clips": clips,
        "left": sorted(str(path) for path in (home / "night" / "concluded").glob("*")),
        "unfinished": sorted(str(path) for path in (home / "evidence").rglob("*.part")),
    }


def live(home: Path, night: Path) -> BaseProcess:
    """Begins a night in a process of its own, from a server that has loaded what it needs and runs no threads."""
    server = multiprocessing.get_context("forkserver")
    server.set_forkserver_preload(["batch_night"])
    process = server.Process(target=live_night, args=(str(home), str(night)))
    process.start()
    return process


def lived(home: Path, night: Path) -> int | None:
    process = live(home, night)
    process.join()
    return process.exitcode


def workers(pid: int) -> list[int]:
    try:
        return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


@pytest.mark.slow
def test_killed_at_any_moment_it_resumes_with_the_same_results(tmp_path: Path) -> None:
    night = a_night(tmp_path / "night")
    empty = tmp_path / "empty.sqlite"
    Store(f"sqlite:///{empty}").close()
    Journal(f"sqlite:///{empty}").close()
    began = time.monotonic()
    assert lived(tmp_path / "home", night) == 0
    usual, expected = time.monotonic() - began, outcome(tmp_path / "home")
    assert len(expected["reviews"]) == 3  # type: ignore[arg-type]
    chance, kills = random.Random(8), 0
    while kills < KILLS:
        home, done, spared = tmp_path / f"home{kills}", False, 1.0
        home.mkdir()
        shutil.copy(empty, home / "verifier.sqlite")
        while not done:
            process, of_worker, killed = live(home, night), chance.random() < 0.4, False
            process.join(chance.uniform(0.05, 0.8) * usual * spared)
            spared *= 1.15  # a computer that has become slower gets on, too
            if process.is_alive() and process.pid is not None:
                kills += 1
                victims = workers(process.pid) if of_worker else []
                os.kill(chance.choice(victims or [process.pid]), signal.SIGKILL)
                killed = not victims
            process.join()
            done = process.exitcode == 0
            assert done or killed, "a night survives its workers"
        assert lived(home, night) == 0, "one more night finds nothing to do, and tidies"
        assert outcome(home) == expected
        shutil.rmtree(home)
