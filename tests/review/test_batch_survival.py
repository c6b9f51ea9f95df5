"""What a night survives: killed processes, hanging and swelling decoders, a full disk, a share or database away."""

from __future__ import annotations

import gzip
import os
import pickle
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from batch_fakes import hanging, make_table, record
from batch_night import run_night, run_pool_night

from verifier.domain.observations import ObservationsHeader
from verifier.review.batch import compare as comparing
from verifier.review.batch.engines.base import Limits
from verifier.review.batch.engines.pool import Pool
from verifier.review.batch.tally import Tally
from verifier.review.pipeline import examine as examining
from verifier.review.pipeline.folders import usual_folders
from verifier.review.pipeline.segments import SegmentHead, was_watched, write_seen
from verifier.store.night.journal import JobRecord
from verifier.store.night.lease import Lease
from verifier.store.repository import Store


class Sensing(Pool):
    """Takes a worker for hung when its decoder hangs indeed: on a busy computer seconds tell nothing."""

    def _silence_of(self, worker: Any) -> float:
        return 1e9 if hanging(worker.process.pid).exists() else 0.0


def test_a_decoder_that_hangs_or_swells_costs_only_its_segment(tmp_path: Path) -> None:
    folder = make_table(tmp_path / "night")
    record(folder / "hang.mp4", 6, hang=4.0)
    record(folder / "swell.mp4", 6, swell=4.0)
    jobs, tally = run_night(folder, engine=lambda setup: Sensing(setup, 2, Limits(memory=1 << 30)))
    by_name = {job.names[0]: job for job in jobs}
    assert [why for *_, why in by_name["hang.mp4"].unwatched] == ["the decoder hangs here"]
    assert [why for *_, why in by_name["swell.mp4"].unwatched] == ["decoding it needs too much memory"]
    assert by_name["hang.mp4"].reviewed == by_name["swell.mp4"].reviewed == 3.0
    assert tally.failures == {"hung": 2, "memory": 2}, "each segment twice"


def test_a_decoder_that_hangs_when_it_opens_the_file_is_ended_after_a_silence(tmp_path: Path) -> None:
    folder = make_table(tmp_path / "night")
    record(folder / "a.mp4", 3, hang_at_once=1.0)
    ((job,), tally) = run_pool_night(folder, workers=1, limits=Limits(silence=2.0))
    assert (job.cause, job.state) == ("the decoder hangs when it opens the file", "unusable")
    assert tally.failures == {"hung": 2}


def test_a_share_that_vanishes_and_comes_back_leaves_no_gap(tmp_path: Path) -> None:
    folder = make_table(tmp_path / "night")
    record(folder / "a.mp4", 12, slow=0.02)
    gone = tmp_path / "away"
    checkpoints = usual_folders().root

    def vanish(tally: Tally) -> None:
        if tally.failures["away"] and gone.exists():
            gone.rename(folder)
        elif not tally.failures["away"] and folder.exists() and list(checkpoints.glob("segments/*/*/*.gz")):
            folder.rename(gone)

    (job,), tally = run_pool_night(folder, tick=vanish)
    assert tally.failures["away"] >= 1
    assert (job.state, job.reviewed, job.unwatched) == ("reviewed", 12.0, [])


def test_a_recording_that_stays_away_has_failed_and_is_tried_again_the_next_night(tmp_path: Path) -> None:
    folder = make_table(tmp_path / "night")
    path = record(folder / "a.mp4", 4)
    manifest = tmp_path / "night.csv"
    manifest.write_text("file\nnight/a.mp4\n")
    path.rename(tmp_path / "elsewhere")
    (job,), _ = run_night(manifest, patience=1.0)
    assert (job.state, job.reviewed) == ("failed", 0.0)
    (tmp_path / "elsewhere").rename(path)
    (job,), _ = run_night(manifest)
    assert (job.state, job.reviewed) == ("reviewed", 4.0)


def test_a_full_disk_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _night_on_full_disk(tmp_path, 4, "full_disk_chain", monkeypatch).reviewed == 4.0


def test_a_disk_that_is_full_when_a_clip_is_cut_costs_no_clip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _night_on_full_disk(tmp_path, 8, "no_space_for_clips_chain", monkeypatch).state == "reviewed"
    assert len(list((tmp_path / "home" / "evidence").rglob("*.mp4"))) == 1


def _night_on_full_disk(tmp_path: Path, seconds: int, chain: str, monkeypatch: pytest.MonkeyPatch) -> JobRecord:
    """The job of a night with one recording whose disk is full until it has failed for that."""
    folder = make_table(tmp_path / "night")
    record(folder / "a.mp4", seconds)
    free = tmp_path / "free"
    monkeypatch.setenv("FREE_DISK", str(free))
    (job,), tally = run_pool_night(
        folder,
        chain=f"batch_fakes:{chain}",
        tick=lambda tally: free.touch() if tally.failures["disk"] else None,
    )
    assert tally.failures["disk"] >= 1
    return job


def test_reviews_wait_for_a_database_that_is_away(tmp_path: Path) -> None:
    folder = make_table(tmp_path / "night")
    record(folder / "a.mp4", 4)
    database = tmp_path / "home" / "verifier.sqlite"
    Store().close()

    database.rename(tmp_path / "db")
    database.mkdir()

    def back() -> None:
        log = tmp_path / "home" / "logs" / "night.jsonl"
        while not (log.exists() and b"database away" in log.read_bytes()):
            time.sleep(0.05)
        database.rmdir()
        (tmp_path / "db").rename(database)

    threading.Thread(target=back).start()
    (job,), _ = run_night(folder)
    assert job.reviewed == 4.0
    assert len(Store().reviews()) == 1


def test_the_window_closes_and_the_next_night_goes_on(tmp_path: Path) -> None:
    folder = make_table(tmp_path / "night")
    record(folder / "a.mp4", 12, slow=0.05)
    checkpoints = usual_folders().root
    run_night(folder, stop=lambda: bool(list(checkpoints.glob("segments/*/*/*.gz"))))
    assert Store().reviews() == []
    before = len(list(checkpoints.glob("segments/*/*/*.gz")))
    (job,), tally = run_night(folder)
    assert 1 <= before < 4
    assert tally.before == before * 3.0
    assert job.reviewed == 12.0


class Command:
    """A pickle that makes a folder when it is read."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (str(self.path),)


@pytest.mark.parametrize("which", ["facts/*.json", "facts/*.npz", "segments/*/*/*.gz", "segments/*/*/*.npz"])
def test_what_was_planted_among_the_checkpoints_runs_nothing_and_is_done_anew(tmp_path: Path, which: str) -> None:
    """Case pickle_in_work_folder."""
    folder = make_table(tmp_path / "night")
    record(folder / "a.mp4", 12, slow=0.05)
    checkpoints = usual_folders().root
    run_night(folder, stop=lambda: bool(list(checkpoints.glob("segments/*/*/*.gz"))))
    planted = pickle.dumps(Command(tmp_path / "ran"))
    left = list(checkpoints.glob(which))
    for path in left:
        path.write_bytes(planted)
    (job,), _ = run_night(folder)
    assert left, "there was nothing to exchange"
    assert not (tmp_path / "ran").exists()
    assert job.reviewed == 12.0


def nested(path: Path) -> None:
    path.write_bytes(b'{"path":' + b"[" * 100_000)


def nested_line(path: Path) -> None:
    write_seen(path, SegmentHead(header=ObservationsHeader(), gaps=[], took=0.0), [b'{"t":' + b"[" * 100_000 + b"\n"])


def no_observation(path: Path) -> None:
    write_seen(path, SegmentHead(header=ObservationsHeader(), gaps=[], took=0.0), [b"no JSON\n"])


def a_line_that_unfolds(path: Path) -> None:
    with gzip.open(path, "wb", 1) as stream:
        for _ in range(64):
            stream.write(bytes(1 << 20))


@pytest.mark.parametrize("plant", [nested, nested_line, no_observation, a_line_that_unfolds, os.mkfifo, Path.mkdir])
def test_what_was_planted_in_the_place_of_a_checkpoint_is_none(tmp_path: Path, plant: Callable[[Path], None]) -> None:
    """Kin of pickle_in_work_folder: it was waited for, ended a task with a traceback, or filled the memory."""
    plant(tmp_path / "planted")
    assert not was_watched(tmp_path / "planted")
    assert examining._known(tmp_path / "planted") is None
    assert comparing._known(tmp_path / "planted") is None


def test_a_damaged_conclusion_that_waits_for_the_store_is_made_anew(tmp_path: Path) -> None:
    folder = make_table(tmp_path / "night")
    record(folder / "a.mp4", 4)
    folders = usual_folders()
    (job,), _ = run_night(folder)
    left = folders.concluded(job.key)
    (tmp_path / "home" / "verifier.sqlite").rename(tmp_path / "before.sqlite")  # as if it had not been stored
    left.parent.mkdir(parents=True, exist_ok=True)
    left.write_bytes(b'{"review": {')
    (again,), _ = run_night(folder)
    assert (again.reviewed, left.exists()) == (4.0, False)


def test_two_nights_do_not_overlap_but_a_dead_one_holds_nothing(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'store.sqlite'}"
    now = [1000.0]
    mine = Lease(url, "night", lambda: now[0])
    assert mine.take() is None
    other = Lease(url, "night", lambda: now[0])
    other._me = "elsewhere:1:2"
    assert other.take() == mine._me
    now[0] += 1000.0
    assert other.take() is None, "a holder that says nothing for long holds nothing"
    assert mine.take() == "elsewhere:1:2"
    other.release()
    pid = os.fork()
    if pid == 0:
        Lease(url, "night", lambda: now[0]).take()
        os._exit(0)
    os.waitpid(pid, 0)
    assert mine.take() is None, "its process has ended"
