"""A recording of several files: which file shows which moment, and each of them can be played."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest
from forging import by_other_hands
from review_fakes import FAN, SECONDS, as_made, fake_stages, finding, make_video, write_inputs
from sqlalchemy import text

from verifier.domain.errors import BadInput
from verifier.recording.identity import sha256_of
from verifier.recording.timeline import Timeline
from verifier.review.originals import KEPT_ORIGINALS, Original, number_at, stretch_of, timeline_name
from verifier.review.people.roles import Forbidden, Person, Role
from verifier.review.playback import piece, recording_at, recording_file
from verifier.review.recording import review_recording
from verifier.review.watch.marks import OwnFinding, add_own
from verifier.store.home import database_url
from verifier.store.repository import Store
from verifier.store.values import ReviewRecord

KIM = Person(name="kim", full_name="Kim", role=Role.MANAGER)
ROB = Person(name="rob", full_name="Rob", role=Role.REVIEWER)


@pytest.fixture
def split(tmp_path: Path) -> ReviewRecord:
    """A review of two files, the second of which begins half a second before the first ends."""
    video, layout, house = write_inputs(tmp_path)
    made = review_recording(video, layout, house, tmp_path / "out", stages=fake_stages(finding())).review
    second = tmp_path / "second.mp4"
    second.write_bytes(video.read_bytes() + b"\0\0\0\x08free")
    files = [
        Original(path=str(video), sha256=sha256_of(video), at=0.0, begin=0.0, end=8.0),
        Original(path=str(second), sha256=sha256_of(second), at=7.5, begin=8.0, end=None),
    ]
    (Path(made.folder) / KEPT_ORIGINALS).write_bytes(msgspec.json.encode(files))
    as_made(Path(made.folder) / KEPT_ORIGINALS)
    return msgspec.structs.replace(made, duration=7.5 + SECONDS)


def test_each_moment_is_in_one_file(split: ReviewRecord) -> None:
    assert [number_at(split, t) for t in (0.0, 7.9, 8.0, 15.0)] == [0, 0, 1, 1]
    assert [stretch_of(split, number) for number in (0, 1)] == [(0.0, 8.0), (8.0, 15.5)]


def test_each_file_plays_for_whom_may_see_it(split: ReviewRecord) -> None:
    assert Path(recording_file(Store(), KIM, split.id, 1)[1].path).name == "second.mp4"
    with pytest.raises(Forbidden):
        recording_file(Store(), ROB, split.id, 1)
    for number in (-1, 2):
        with pytest.raises(BadInput, match="none of the files 0 to 1"):
            recording_file(Store(), KIM, split.id, number)


def test_a_file_that_is_gone_is_named(split: ReviewRecord) -> None:
    Path(recording_file(Store(), KIM, split.id, 1)[1].path).unlink()
    assert recording_file(Store(), KIM, split.id, 0)
    with pytest.raises(BadInput, match=r"second\.mp4"):
        recording_file(Store(), KIM, split.id, 1)


def test_pieces_of_two_files_are_not_taken_for_one_another(split: ReviewRecord) -> None:
    names = {piece(split, recording_file(Store(), KIM, split.id, number)[1], 0).name for number in (0, 1)}
    assert len(names) == 2
    with pytest.raises(BadInput, match="pieces 0 to 0"):
        piece(split, recording_file(Store(), KIM, split.id, 1)[1], 1)


def forged_files(folder: Path, other: Path) -> None:
    """Another film is named as the one that was reviewed, and no timeline tells of the first."""
    (one,) = msgspec.json.decode((folder / KEPT_ORIGINALS).read_bytes(), type=list[Original])
    named = msgspec.structs.replace(one, path=str(other), sha256=sha256_of(other))
    (folder / KEPT_ORIGINALS).write_bytes(msgspec.json.encode([named]))
    (folder / timeline_name(0)).unlink()


def forged_times(folder: Path, other: Path) -> None:
    """The timeline tells that each picture was two seconds earlier."""
    timeline, facts = Timeline.read(folder / timeline_name(0))
    with (folder / timeline_name(0)).open("wb") as stream:
        replace(timeline, times=np.maximum(0.0, timeline.times - 2.0)).write(stream, facts)


def forged_row(folder: Path, other: Path) -> None:
    """The list is gone, and the review's row names another film."""
    for name in (KEPT_ORIGINALS, timeline_name(0)):
        (folder / name).unlink()
    with by_other_hands(database_url()) as connection:
        named = {"path": str(other), "sha256": sha256_of(other)}
        connection.execute(text("UPDATE reviews SET video_path = :path, video_sha256 = :sha256"), named)


@pytest.mark.parametrize("forge", [forged_files, forged_times, forged_row])
def test_no_evidence_is_made_by_files_of_the_review_that_other_hands_changed(
    tmp_path: Path, forge: Callable[[Path, Path], None]
) -> None:
    """Case recording_exchanged_afterwards: the film is as it was, and what tells of it is not.

    Whoever put the files back afterwards left a clip of another film, for which a deed vouched.
    """
    store = Store()
    made = review_recording(*write_inputs(tmp_path / "in"), tmp_path / "out", stages=fake_stages(finding())).review
    before = sorted(Path(made.folder).rglob("*"))
    forge(Path(made.folder), make_video(tmp_path / "other.mp4", first=5000))
    with pytest.raises(BadInput, match="see verifier evidence log"):
        add_own(store, KIM, made.id, OwnFinding(clause=FAN, t_start=3, t_end=4, observed="seen"))
    for ask in (recording_file, recording_at):
        with pytest.raises(BadInput, match="see verifier evidence log"):
            ask(store, KIM, made.id, 0)
    assert set(Path(made.folder).rglob("*")) <= set(before), "no clip was kept"


def test_what_tells_of_the_film_may_be_gone_and_the_film_is_shown(tmp_path: Path) -> None:
    made = review_recording(*write_inputs(tmp_path / "in"), tmp_path / "out", stages=fake_stages(finding())).review
    for name in (KEPT_ORIGINALS, timeline_name(0)):
        (Path(made.folder) / name).unlink()
    assert recording_file(Store(), KIM, made.id, 0)[1].sha256 == made.video_sha256


def test_a_kept_piece_that_was_exchanged_is_not_shown(split: ReviewRecord) -> None:
    """Case recording_exchanged_afterwards, for what the player shows of files that browsers do not play."""
    original = recording_file(Store(), KIM, split.id, 0)[1]
    cut = piece(split, original, 0)
    whole, before = cut.read_bytes(), cut.stat().st_mtime_ns
    assert piece(split, original, 0).stat().st_mtime_ns == before, "it is cut once"
    cut.write_bytes(b"another film")
    assert piece(split, original, 0).read_bytes() == whole
    cut.unlink()
    (cut.parent / "elsewhere.mp4").write_bytes(whole)
    cut.symlink_to(cut.parent / "elsewhere.mp4")
    assert not piece(split, original, 0).is_symlink()


def test_another_film_at_the_recordings_place_is_refused(split: ReviewRecord) -> None:
    """recording_exchanged_afterwards: neither the player nor a clip nor a step takes it for the reviewed one."""
    original = recording_file(Store(), KIM, split.id, 0)[1]
    path = Path(original.path)
    before = path.stat()
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    for ask in (recording_file, recording_at):
        with pytest.raises(BadInput, match="is another film than the one that was reviewed"):
            ask(Store(), KIM, split.id, 0)
    with pytest.raises(BadInput, match="is another film"):
        piece(split, original, 0)
