"""Whoever is killed, or finds another film at the recording's place, leaves evidence that fits the audit log."""

from __future__ import annotations

import gzip
import multiprocessing
import os
import signal
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from review_fakes import SHOWN, FakeWatch, fake_stages, finding, make_video, write_inputs

from verifier.cli import run
from verifier.domain.errors import BadInput
from verifier.review.bundle.collect import collect_finding
from verifier.review.bundle.whole import check_log
from verifier.review.bundle.write import write_bundle
from verifier.review.documents.keeping import keep_document
from verifier.review.people.roles import Person, Role
from verifier.review.playback import clip_file, film, recording
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
    """Does the act, and is killed at the `step`-th time that something is named or stored in the data folder."""
    left = [step]

    def counted(real: Callable[..., object]) -> Callable[..., object]:
        def instead(*given: object, **more: object) -> object:
            left[0] -= 1
            if left[0] < 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*given, **more)

        return instead

    for name in ("replace", "link", "rename"):
        setattr(os, name, counted(getattr(os, name)))
    from sqlalchemy.orm import Session

    Session.commit = counted(Session.commit)  # type: ignore[method-assign]
    act(folder)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")
@pytest.mark.parametrize("act", [second_review, own_finding, document])
def test_killed_at_any_step_the_kept_files_are_whole_and_fit_the_log(tmp_path: Path, act: Act) -> None:
    review_recording(*write_inputs(tmp_path), tmp_path / "out", stages=fake_stages(SHOWN, finding()))
    known = Store().findings()[0].id
    kills = 0
    for step in range(60):
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


def exchanged(video: Path, other: bytes) -> None:
    """Another file of the same size and times at the recording's place."""
    was = video.stat()
    video.write_bytes(other[: was.st_size].ljust(was.st_size, b"\0"))
    os.utime(video, ns=(was.st_atime_ns, was.st_mtime_ns))


def test_another_film_of_the_same_size_and_times_is_no_evidence(tmp_path: Path) -> None:
    inputs = write_inputs(tmp_path)
    made = review_recording(*inputs, tmp_path / "out", stages=fake_stages(SHOWN, finding()))
    recording(Store(), KIM, made.review.id)
    exchanged(inputs[0], make_video(tmp_path / "other.mp4", first=500).read_bytes())
    for use in (
        lambda: recording(Store(), KIM, made.review.id),
        lambda: film(made.review, 0),
        lambda: add_own(Store(), KIM, made.review.id, OWN),
    ):
        with pytest.raises(BadInput, match="another film"):
            use()
    assert not list((tmp_path / "home" / "evidence").rglob("person-*"))
    assert clip_file(Store(), KIM, made.findings[0].id).is_file()
    assert check_log(Store())[1] == []


def test_a_film_exchanged_while_it_is_watched_makes_no_clip_under_the_first_ones_hash(tmp_path: Path) -> None:
    inputs = write_inputs(tmp_path)
    other = make_video(tmp_path / "other.mp4", first=500).read_bytes()

    class Exchanging(FakeWatch):
        def __iter__(self):  # type: ignore[no-untyped-def]
            exchanged(inputs[0], other)
            yield from super().__iter__()

    stages = msgspec.structs.replace(fake_stages(SHOWN, finding()), eye=lambda stretch, *_: Exchanging(stretch, 8.0))
    with pytest.raises(BadInput, match="another film"):
        review_recording(*inputs, tmp_path / "out", stages=stages)
    assert not list((tmp_path / "home").rglob("*.mp4"))
