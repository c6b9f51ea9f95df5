"""Whoever is killed leaves evidence that fits the audit log; another film at the recording's place makes none."""

from __future__ import annotations

import gzip
import multiprocessing
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from review_fakes import SHOWN, fake_stages, finding, write_inputs

from verifier.cli import run
from verifier.domain.errors import BadInput
from verifier.review.bundle.collect import collect_finding
from verifier.review.bundle.whole import check_log
from verifier.review.bundle.write import write_bundle
from verifier.review.documents.keeping import keep_document
from verifier.review.people.roles import Person, Role
from verifier.review.recording import review_recording
from verifier.review.watch.marks import OwnFinding, add_own
from verifier.store.repository import Store

KIM = Person(name="kim", full_name="Kim Olson", role=Role.MANAGER)
OWN = OwnFinding(clause=finding().clause, t_start=2.0, t_end=3.0, observed="the payoff lay on the wager")
Act = Callable[[Path], object]


def second_review(folder: Path) -> None:
    """As an earlier review of the same recording, with other findings, so that files of all kinds differ."""
    inputs = folder / "video.mp4", folder / "layout.yaml", folder / "house.yaml"
    review_recording(*inputs, folder / "out", stages=fake_stages(finding(observed="other words"), until=6.0))


def own_finding(folder: Path) -> None:
    add_own(Store(), KIM, Store().reviews()[0].id, OWN)


def document(folder: Path) -> None:
    contents = {"pdf": b"%PDF-1.4", "csv": b"a\r\n"}
    keep_document(Store(), "weekly", "0123", "2026-W47", "kim", "{}", folder / "home" / "documents", lambda v: contents)


def _killed_at(act: Act, folder: Path, step: int) -> None:
    """Does the act, and is killed at the `step`-th time that a file is flushed or named."""
    left = [step]

    def counted(real: Callable[..., object]) -> Callable[..., object]:
        def instead(*given: object, **more: object) -> object:
            left[0] -= 1
            if left[0] < 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*given, **more)

        return instead

    for name in ("replace", "link", "rename", "fsync"):
        setattr(os, name, counted(getattr(os, name)))
    act(folder)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")
@pytest.mark.parametrize("act", [second_review, own_finding, document])
def test_killed_at_any_step_the_kept_files_are_whole_and_fit_the_log(tmp_path: Path, act: Act) -> None:
    """second_review_killed, and the same of an own finding and a document."""
    review_recording(*write_inputs(tmp_path), tmp_path / "out", stages=fake_stages(SHOWN, finding()))
    known = Store().findings()[0].id
    kills = 0
    for step in range(80):
        worker = multiprocessing.get_context("fork").Process(target=_killed_at, args=(act, tmp_path, step))
        worker.start()
        worker.join(120)
        assert check_log(Store())[1] == [], step
        for packed in (tmp_path / "home" / "evidence").rglob("*.gz"):
            gzip.decompress(packed.read_bytes())
        if worker.exitcode == 0:
            break
        assert worker.exitcode == -signal.SIGKILL
        kills += 1
    assert kills > 3, "there are steps at which it was killed"
    assert worker.exitcode == 0, "and at last it was done"
    write_bundle(Store(), collect_finding(Store(), known), tmp_path / "b.evidence.zip", "Kim")
    assert run(["evidence", "verify", str(tmp_path / "b.evidence.zip")]) == 0


def test_an_own_finding_takes_no_clip_of_another_film_of_the_same_size_and_times(tmp_path: Path) -> None:
    """recording_exchanged_afterwards; what is exchanged during a review is refused by the decoder and the cutter."""
    video, layout, house = write_inputs(tmp_path)
    made = review_recording(video, layout, house, tmp_path / "out", stages=fake_stages(SHOWN, finding()))
    was, data = video.stat(), bytearray(video.read_bytes())
    data[len(data) // 2] ^= 255
    video.write_bytes(data)
    os.utime(video, ns=(was.st_atime_ns, was.st_mtime_ns))
    with pytest.raises(BadInput, match="another film"):
        add_own(Store(), KIM, made.review.id, OWN)
    assert not list((tmp_path / "home" / "evidence").rglob("*person-*"))
    assert check_log(Store())[1] == []
