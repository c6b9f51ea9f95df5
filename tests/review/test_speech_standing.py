"""A transcript that is taken away, replaced or added after a review: judged anew, or told to be stale."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from batch_fakes import make_table, record
from batch_night import run_night
from law.law_build import hand_out
from law.law_build import row as row_of
from review_fakes import as_made

from verifier.cli import run
from verifier.domain.events import Announcement, EventLog, RecordEntry
from verifier.formats.events import read_events, write_events
from verifier.law.judge import judge
from verifier.law.registry import spoken_clauses
from verifier.review.batch.sources import find_sources
from verifier.review.pipeline.spoken import heard, spoken_key, with_speech
from verifier.review.pipeline.values import Facts, Part, RecordingSet, Source, Spoken
from verifier.review.recheck import recheck
from verifier.review.speech.beside import TRANSCRIPT
from verifier.review.speech.standing import changed, without_taken_away
from verifier.store.repository import Store

UPCARD = "ND-08-11.1-announce-upcard"
CUE = "00:00:01,000 --> 00:00:02,000\nDealer: showing a king\n"


def test_the_clause_of_these_tests_is_one_of_speech() -> None:
    assert UPCARD in spoken_clauses("nd-twenty-one")


def log_with(folder: Path, text: str = CUE) -> EventLog:
    """A round that was seen, with this transcript beside its recording."""
    (folder / "video.srt").write_text(text)
    return log_of(Part(facts=facts(folder / "video.mp4"), at=0.0, begin=0.0, end=100.0))


def log_of(*parts: Part) -> EventLog:
    source = Source(path=parts[0].facts.path, layout=None, house=None)
    log = hand_out("Th 7d 9s Tc", {2: 1000}).build(video="0" * 64)
    return with_speech(log, heard(RecordingSet(source=source, parts=list(parts))))


def facts(path: Path) -> Facts:
    return Facts(path=str(path), sha256="0" * 64, bytes=1, modified_ns=0, kept="k", seconds=100.0)


def states(log: EventLog, recording: Path | None) -> list[tuple[str, str]]:
    return [(one.file, one.state) for one in changed(log, recording)]


def test_a_transcript_that_lies_as_it_lay_is_told_of_by_nothing(tmp_path: Path) -> None:
    log = log_with(tmp_path)
    assert states(log, tmp_path / "video.mp4") == [] and without_taken_away(log, []) is log


def test_what_a_transcript_told_goes_with_it(tmp_path: Path) -> None:
    log = log_with(tmp_path, f"{CUE}\n00:01:30,000 --> 00:01:31,000\nDealer: thank you\n")
    assert row_of(judge(log), UPCARD) != "not_assessed"
    (tmp_path / "video.srt").rename(tmp_path / "video.txt")
    found = changed(log, tmp_path / "video.mp4")
    assert [(one.file, one.state) for one in found] == [("video.srt", "taken_away")]
    silent = without_taken_away(log, found)
    assert silent == hand_out("Th 7d 9s Tc", {2: 1000}).build(video="0" * 64)
    assert row_of(judge(silent), UPCARD) == "not_assessed"


@pytest.mark.parametrize("named", [True, False], ids=["by its path", "beside the recording, as in older logs"])
def test_a_transcript_that_is_another_now_is_stale(tmp_path: Path, named: bool) -> None:
    log = log_with(tmp_path)
    if not named:
        log = EventLog(log.header, tuple(_without_path(one) for one in log.events))
    (tmp_path / "video.srt").write_text(CUE.replace("king", "seven"))
    assert states(log, tmp_path / "video.mp4") == [("video.srt", "replaced")]
    assert without_taken_away(log, changed(log, tmp_path / "video.mp4")) is log


def _without_path(event: Any) -> Any:
    if not isinstance(event, RecordEntry):
        return event
    fields = {name: value for name, value in (event.fields or {}).items() if name != "path"}
    return msgspec.structs.replace(event, fields=fields)


def test_a_transcript_that_came_since_is_not_heard_yet(tmp_path: Path) -> None:
    silent = hand_out("Th 7d 9s Tc", {2: 1000}).build(video="0" * 64)
    assert states(silent, tmp_path / "video.mp4") == [] and states(silent, None) == []
    (tmp_path / "video.srt").write_text(CUE)
    assert states(silent, tmp_path / "video.mp4") == [("video.srt", "added")]


def test_a_disk_that_is_not_there_takes_nothing_away(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    log = log_with(disk)
    disk.rename(tmp_path / "unplugged")
    assert states(log, disk / "video.mp4") == []
    disk.mkdir()  # where it is mounted, an empty folder stays
    assert states(log, disk / "video.mp4") == []
    (disk / "video.mp4").touch()
    assert states(log, disk / "video.mp4") == [("video.srt", "taken_away")]


def test_of_two_files_only_the_words_of_the_one_are_taken_away(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.srt").write_text(CUE)
    first = Part(facts=facts(tmp_path / "a.mp4"), at=0.0, begin=0.0, end=100.0)
    log = log_of(first, Part(facts=facts(tmp_path / "b.mp4"), at=100.0, begin=0.0, end=100.0))
    (tmp_path / "b.srt").unlink()
    left = without_taken_away(log, changed(log, tmp_path / "a.mp4"))
    assert [one.t_start for one in left.events if isinstance(one, Announcement)] == [1.0]
    assert [one.fields["file"] for one in left.events if isinstance(one, RecordEntry) and one.type == TRANSCRIPT] == [  # type: ignore[index]
        "a.srt"
    ]
    assert "audio" in left.header.channels


def test_a_stored_review_is_judged_anew_without_its_transcript(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make_table(tmp_path / "night")
    record(folder / "a.mp4", 4)
    run_night(folder)
    (review,) = Store().reviews()
    events = Path(review.folder) / "events.jsonl"
    (folder / "a.srt").write_text(CUE)
    part = Part(facts=facts(folder / "a.mp4"), at=0.0, begin=0.0, end=100.0)
    write_events(events, log_of(part))
    as_made(events)
    (told,) = recheck(Store(), [review], {}, save=True)
    assert told.stale == []
    (folder / "a.srt").write_text(CUE.replace("king", "nine"))
    run(["recheck", review.id])
    assert "! the transcript a.srt was replaced since" in capsys.readouterr().out
    assert any(isinstance(one, Announcement) for one in read_events(events).events)
    (folder / "a.srt").unlink()
    (told,) = recheck(Store(), [review], {}, save=True)
    assert ["was taken away since" in one for one in told.stale] == [True]
    assert not any(isinstance(one, Announcement) for one in read_events(events).events)
    assert recheck(Store(), [review], {}).__next__().stale == []


def test_the_next_night_hears_no_longer_what_was_taken_away(tmp_path: Path) -> None:
    folder = make_table(tmp_path / "night")
    record(folder / "a.mp4", 4)
    (folder / "a.srt").write_text(CUE)
    run_night(folder)
    (review,) = Store().reviews()
    assert "showing a king" in (Path(review.folder) / "events.jsonl").read_text()
    (folder / "a.srt").unlink()
    _, tally = run_night(folder)
    (review,) = Store().reviews()
    assert (tally.stored, "showing a king" in (Path(review.folder) / "events.jsonl").read_text()) == (1, False)


# A transcript that a manifest names


def manifest(folder: Path, text: str) -> list[Source]:
    (folder / "night.csv").write_text(text)
    return find_sources([str(folder / "night.csv")])


def test_a_manifest_names_the_transcript_of_each_file(tmp_path: Path) -> None:
    (tmp_path / "said").mkdir()
    (tmp_path / "said" / "monday.srt").write_text(CUE)
    for name in ("a.mp4", "b.mp4", "c.mp4"):
        (tmp_path / name).write_bytes(b"x")
    rows = "a.mp4,said/monday.srt,1.5,yes\nb.mp4,,-2,\nc.mp4,,,\n"
    found = manifest(tmp_path, "file,transcript,transcript_offset,transcript_complete\n" + rows)
    assert [one.spoken for one in found] == [
        Spoken(path=str(tmp_path / "said" / "monday.srt"), offset=1.5, complete=True),
        Spoken(offset=-2.0),
        None,
    ]


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ("a.mp4,none.srt,,", r"night.csv: line 2, column transcript: there is no transcript 'none.srt'"),
        ("a.mp4,,soon,", r"line 2, column transcript_offset: found 'soon', expected seconds"),
        ("a.mp4,,inf,", "column transcript_offset"),
        ("a.mp4,,,perhaps", "column transcript_complete: found 'perhaps', expected yes or no"),
    ],
)
def test_a_row_that_tells_a_transcript_wrongly_is_refused(tmp_path: Path, row: str, says: str) -> None:
    (tmp_path / "a.mp4").write_bytes(b"x")
    with pytest.raises(Exception, match=says):
        manifest(tmp_path, f"file,transcript,transcript_offset,transcript_complete\n{row}\n")


def test_each_file_of_a_shift_is_heard_by_its_own_transcript(tmp_path: Path) -> None:
    for name, card in (("one", "king"), ("two", "seven")):
        (tmp_path / f"{name}.srt").write_text(CUE.replace("king", card))
    spoken = [Spoken(path=str(tmp_path / f"{name}.srt")) for name in ("one", "two")]
    parts = [
        Part(facts=facts(tmp_path / f"{n}.mp4"), at=100.0 * n, begin=0.0, end=100.0, spoken=spoken[n]) for n in (0, 1)
    ]
    said = [one for one in log_of(*parts).events if isinstance(one, Announcement)]
    assert [(one.t_start, one.text) for one in said] == [(1.0, "showing a king"), (101.0, "showing a seven")]
    recording_set = RecordingSet(source=Source(path="x", layout=None, house=None), parts=parts)
    both = msgspec.structs.replace(
        recording_set, parts=[msgspec.structs.replace(one, spoken=spoken[0]) for one in parts]
    )
    assert len(spoken_key(recording_set)) == 2
    assert spoken_key(both) == [], "a transcript that is named for both files has the times of neither"
