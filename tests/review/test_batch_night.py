"""A night over tiny recordings: what is found, joined, skipped, stored and accounted for."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import av
import pytest
from batch_fakes import make_table, record
from batch_night import run_night
from review_fakes import FAN, make_layout

from verifier.formats.events import read_events
from verifier.formats.layout import read_layout, write_layout
from verifier.recording.probe import sha256_of
from verifier.review.bundle.whole import check_log
from verifier.review.looked_at import layout_of, observations_between
from verifier.review.originals import original_at
from verifier.review.pipeline.plan import key_of
from verifier.review.pipeline.values import Facts, Part, RecordingSet, Source, Spoken
from verifier.store.repository import Store


def test_a_recording_is_reviewed_and_stored(tmp_path: Path) -> None:
    record(make_table(tmp_path / "night") / "a.mp4", 8, clock="2026-11-17T21:00:00")
    (job,), _ = run_night(tmp_path / "night")
    assert (job.state, job.recorded, job.reviewed, job.unwatched) == ("reviewed", 8.0, 8.0, [])
    (review,) = Store().reviews()
    assert (review.site, review.table, review.play_date, review.coverage) == ("0123", "2", "2026-11-17", 1.0)
    (found,) = Store().findings()
    assert found.clip is not None
    assert (Path(review.folder) / found.clip).exists()


def told(review: str) -> list[tuple[float, int, str | None, list[int]]]:
    """What reached the reconstruction, as the stand-in wrote it into the log's header."""
    log = read_events(Path(next(one.folder for one in Store().reviews() if one.id == review)) / "events.jsonl")
    return [tuple(one) for one in json.loads(str(log.header.video))]


def test_segments_make_one_stream_in_which_a_thing_keeps_its_id(tmp_path: Path) -> None:
    record(make_table(tmp_path / "night") / "a.mp4", 12)
    (job,), _ = run_night(tmp_path / "night")
    seen = told(str(job.review_id))
    assert [t for t, *_ in seen] == [step / 2 for step in range(24)]
    assert [frame for _, frame, *_ in seen] == [5 * step for step in range(24)]
    assert {ids[0] for *_, ids in seen} == {1}, "the card that lies all the time"
    assert {ids[1] for *_, ids in seen} == {2}, "the card that is moved now and then"


def test_split_files_are_joined_by_their_clock_and_what_both_show_is_judged_once(tmp_path: Path) -> None:
    folder = make_table(tmp_path / "night")
    record(folder / "a.mp4", 8, clock="2026-11-17T21:00:00")
    record(folder / "b.mp4", 8, 60, clock="2026-11-17T21:00:06")
    record(folder / "c.mp4", 4, clock="2026-11-17T21:00:20")
    (job,), _ = run_night(folder)
    assert job.names == ["a.mp4", "b.mp4", "c.mp4"]
    assert (job.recorded, job.reviewed) == (24.0, 18.0)
    assert job.unwatched == [("2026-11-17T21:00:14", "2026-11-17T21:00:20", "nothing was recorded")]
    seen = told(str(job.review_id))
    assert [t for t, *_ in seen] == [step / 2 for step in range(48) if not 14.0 <= step / 2 < 20.0]
    assert [clock for _, _, clock, _ in seen] == sorted(clock for _, _, clock, _ in seen if clock)
    assert {ids[0] for t, _, _, ids in seen if t < 14} == {1}
    assert [one.id for one in Store().reviews()] == [job.review_id]


def test_the_review_page_finds_all_it_shows_and_the_frames_of_each_file(tmp_path: Path) -> None:
    folder = make_table(tmp_path / "night")
    first = record(folder / "a.mp4", 8, clock="2026-11-17T21:00:00")
    second = record(folder / "b.mp4", 8, 60, clock="2026-11-17T21:00:06")
    run_night(folder)
    (review,) = Store().reviews()
    (found,) = Store().findings()
    assert (review.video_path, review.video_sha256) == (str(first), sha256_of(first))
    assert layout_of(Path(review.folder)) == read_layout(folder / "layout.yaml")
    assert read_events(Path(review.folder) / "events.jsonl").events
    seen = observations_between(Path(review.folder), 3.0, 10.0)
    assert [one.t for one in seen] == [3.0 + step / 2 for step in range(15)]
    files = [original_at(review, t) for t in (found.finding.t_end, 7.9, 8.0, 13.9)]
    assert [(Path(one.path), one.at) for one in files] == [(first, 0.0), (first, 0.0), (second, 6.0), (second, 6.0)]
    assert files[-1].sha256 == sha256_of(second)


def test_a_night_stands_in_the_audit_log_with_the_recordings_hash(tmp_path: Path) -> None:
    video = record(make_table(tmp_path / "night") / "a.mp4", 4)
    (job,), _ = run_night(tmp_path / "night")
    (deed,) = [link.deed for link in Store().audit() if link.deed and link.deed.act == "ingest"]
    assert (deed.subject, deed.detail["video_sha256"]) == (f"review/{job.review_id}", sha256_of(video))
    assert check_log(Store())[1] == []


def test_files_of_different_shifts_stay_apart_and_copies_count_once(tmp_path: Path) -> None:
    folder = make_table(tmp_path / "night")
    first = record(folder / "a.mp4", 4, clock="2026-11-17T21:00:00")
    record(folder / "b.mp4", 4, clock="2026-11-18T09:00:00")
    shutil.copy(first, folder / "copy of a.mp4")
    jobs, _ = run_night(folder)
    assert sorted(job.names[0] for job in jobs) == ["a.mp4", "b.mp4"]


def test_a_second_night_skips_what_is_reviewed_and_a_new_layout_does_not(tmp_path: Path) -> None:
    folder = make_table(tmp_path / "night")
    record(folder / "a.mp4", 4)
    run_night(folder)
    jobs, tally = run_night(folder)
    assert (tally.skipped, tally.planned, len(jobs)) == (1, 0.0, 1)
    make_table(folder, table="3")
    _, tally = run_night(folder)
    assert (tally.skipped, tally.stored) == (0, 1)


def test_a_transcript_beside_a_reviewed_recording_is_heard_the_next_night(tmp_path: Path) -> None:
    folder = make_table(tmp_path / "night")
    record(folder / "a.mp4", 4)
    (silent,), _ = run_night(folder)
    transcript = folder / "a.srt"
    for text in ("showing a king", "showing a seven"):
        transcript.write_text(f"00:00:01,000 --> 00:00:02,000\nDealer: {text}\n")
        (heard,), tally = run_night(folder)
        assert (tally.stored, tally.planned, heard.review_id) == (1, 0.0, silent.review_id)
        (review,) = Store().reviews()
        assert text in (Path(review.folder) / "events.jsonl").read_text()
        _, tally = run_night(folder)
        assert (tally.skipped, tally.stored) == (1, 0)


def test_the_key_of_a_conclusion_holds_its_transcript(tmp_path: Path) -> None:
    file = Facts(path=str(tmp_path / "a.mp4"), sha256="0", bytes=1, modified_ns=0, kept="k", seconds=9.0)
    parts = [Part(facts=file, at=0.0, begin=0.0, end=9.0)]

    def key(spoken: Spoken | None = None) -> str:
        return key_of(
            RecordingSet(source=Source(path=file.path, layout=None, house=None, spoken=spoken), parts=parts), "c"
        )

    silent = key()
    other = tmp_path / "other.srt"
    other.write_text("x")
    told = [Spoken(path=str(other)), Spoken(path=str(other), offset=1.0), Spoken(path=str(other), complete=True)]
    (tmp_path / "a.srt").write_text("y")
    told += [Spoken(), Spoken(offset=1.0), Spoken(complete=True)]
    assert len({silent, *(key(one) for one in told)}) == 7
    assert key() == key(Spoken())


def test_a_file_added_to_a_shift_extends_its_review(tmp_path: Path) -> None:
    folder = make_table(tmp_path / "night")
    record(folder / "a.mp4", 8, clock="2026-11-17T21:00:00")
    (first,), _ = run_night(folder)
    record(folder / "b.mp4", 4, clock="2026-11-17T21:00:08")
    (second,), tally = run_night(folder)
    assert (first.review_id, second.recorded) == (second.review_id, 12.0)
    assert tally.planned == 4.0, "the first file is not watched again"
    assert len(Store().reviews()) == len([one for one in Store().findings() if one.current]) == 1


def damaged(folder: Path) -> None:
    record(folder / "cut.mp4", 10)
    whole = (folder / "cut.mp4").read_bytes()
    (folder / "cut.mp4").write_bytes(whole[: len(whole) // 2])
    (folder / "text.mp4").write_text("This is no recording at all.\n")
    (folder / "empty.mkv").write_bytes(b"")
    record(folder / "dark.mp4", 20, dark=[4.0, 12.0], clock="2026-11-17T21:00:00")
    record(folder / "jump.mp4", 8, jump=[4.0, 60.0], clock="2026-11-17T22:00:00")
    other = record(folder / "codec.mp4", 4)
    other.write_bytes(other.read_bytes().replace(b"avc1", b"zzz1"))


def test_nothing_counts_as_clean_that_was_not_watched(tmp_path: Path) -> None:
    folder = make_table(tmp_path / "night")
    damaged(folder)
    jobs, _ = run_night(folder)
    by_name = {job.names[0]: job for job in jobs}
    assert {name: job.state for name, job in by_name.items()} == {
        "cut.mp4": "unusable",
        "text.mp4": "unusable",
        "empty.mkv": "unusable",
        "codec.mp4": "unusable",
        "dark.mp4": "reviewed",
        "jump.mp4": "reviewed",
    }
    assert by_name["dark.mp4"].unwatched == [("2026-11-17T21:00:04", "2026-11-17T21:00:12", "the picture is dark")]
    assert (by_name["dark.mp4"].recorded, by_name["dark.mp4"].reviewed) == (20.0, 12.0)
    observed = {one.review_id: one.finding.observed for one in Store().findings() if one.finding.clause != FAN}
    assert set(observed) == {job.review_id for job in jobs}
    assert "no recording at all" not in str(observed)
    assert observed[str(by_name["codec.mp4"].review_id)].startswith("Nothing could be watched")
    assert "jumps from 2026-11-17T22:00:03 to 2026-11-17T22:01:04" in observed[str(by_name["jump.mp4"].review_id)]
    assert all(one.coverage < 1 for one in Store().reviews() if one.id != by_name["jump.mp4"].review_id)


def test_a_truncated_stream_is_watched_as_far_as_it_goes(tmp_path: Path) -> None:
    folder = make_table(tmp_path / "night")
    path = record(folder / "cut.mp4", 12)
    with av.open(str(path)) as source, av.open(str(folder / "cut.mkv"), "w") as target:
        stream = target.add_stream_from_template(source.streams.video[0])
        for packet in source.demux(video=0):
            if packet.pts is not None:
                packet.stream = stream
                target.mux(packet)
    path.unlink()
    whole = (folder / "cut.mkv").read_bytes()
    (folder / "cut.mkv").write_bytes(whole[: len(whole) * 6 // 10])
    (job,), _ = run_night(folder)
    assert job.state == "reviewed"
    assert 2.0 < job.reviewed < 11.0
    assert job.recorded == pytest.approx(12.0, abs=0.2)
    assert [why for *_, why in job.unwatched] == ["the file is cut off here"]


def test_a_recording_without_a_layout_or_of_another_size_is_told(tmp_path: Path) -> None:
    (tmp_path / "night").mkdir()
    record(tmp_path / "night" / "a.mp4", 3)
    other = make_table(tmp_path / "other")
    write_layout(other / "layout.yaml", make_layout((640, 360)))
    record(other / "b.mp4", 3)
    jobs, _ = run_night(tmp_path / "night", other)
    causes = {job.names[0]: str(job.cause) for job in jobs}
    assert causes["a.mp4"] == "there is no layout file for it"
    assert "320x180" in causes["b.mp4"]
    assert "640x360" in causes["b.mp4"]
