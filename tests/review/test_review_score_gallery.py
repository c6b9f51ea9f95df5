"""The gallery of a score: a figure for each mistake, findings first."""

from __future__ import annotations

import msgspec
import pytest
from review_fakes import EVENTS, FAN, SHOW, finding, report

from verifier.cli import run
from verifier.domain.errors import BadInput
from verifier.domain.events import EventLog, EventsHeader
from verifier.formats.events import write_events
from verifier.formats.findings import write_findings
from verifier.review import score_gallery
from verifier.review.score_findings import Deviation
from verifier.review.score_gallery import figures, mistakes, write_gallery
from verifier.review.score_several import score_all, write_page


def recording(truth, review, lost, *findings):
    """A truth with one planted breach, and a review that lost its first events."""
    for folder in (truth, review):
        folder.mkdir(parents=True)
    header = EventsHeader(format="verifier-events", version=1, rulebook="nd-twenty-one")
    write_events(truth / "truth.events.jsonl", EventLog(header, tuple(EVENTS)))
    write_events(review / "events.jsonl", EventLog(header, tuple(EVENTS[lost:])))
    planted = [Deviation(clause=FAN, round=1, at="space:1", t_start=5.0, t_end=6.0)]
    (truth / "truth.deviations.json").write_bytes(msgspec.json.encode(planted))
    write_findings(review / "findings.json", report(*findings))


@pytest.fixture
def folders(tmp_path):
    """A recording whose review names another breach than the planted one."""
    truth, review = tmp_path / "truth", tmp_path / "review"
    recording(truth, review, 1, finding(SHOW))
    return truth, review


@pytest.fixture
def several(tmp_path):
    """Three recordings with their reviews within: a poor one, one without a mistake, and a worse one."""
    recording(tmp_path / "a", tmp_path / "a" / "review", 1, finding(FAN))
    recording(tmp_path / "b", tmp_path / "b" / "review", 0, finding(FAN))
    recording(tmp_path / "c", tmp_path / "c" / "review", 1, finding(SHOW))
    return tmp_path


def test_findings_come_first_then_the_event_that_was_missed(folders):
    found = mistakes(*folders, tolerance=2.0)
    assert [mistake.what for mistake in found] == [
        "planted, missed",
        "false violation",
        f"missed {EVENTS[0].name}",
    ]


def test_the_page_tells_each_mistake_without_a_video_too(folders, tmp_path):
    page = write_gallery(*folders, tmp_path / "gallery", 2.0).read_text()
    assert page.count("<figure>") == 3
    assert FAN in page
    assert "<img" not in page


def test_the_worst_of_several_recordings_comes_first(several):
    assert [one.recording for one in score_all(several, several, 2.0)] == ["c", "a", "b"]


def test_one_page_tells_the_mistakes_of_all_recordings(several, tmp_path):
    page = write_page(score_all(several, several, 2.0), tmp_path / "page", 2.0).read_text()
    assert [page.index(f"<h2>{name}:") for name in "cab"] == sorted(page.index(f"<h2>{name}:") for name in "cab")
    assert page.count("<figure>") == 4
    assert "3 recordings: 4 mistakes" in page


def test_pictures_of_one_of_several_recordings_are_linked_in_its_folder(folders, tmp_path, monkeypatch):
    (folders[0] / "video.mp4").touch()
    monkeypatch.setattr(score_gallery, "_pictures", lambda *_: [(0, "000.jpg")])
    body, count = figures(*folders, tmp_path / "page" / "truth", 2.0, prefix="truth/")
    assert 'src="truth/000.jpg"' in body
    assert count == 3


def test_a_recording_without_a_review_is_named(several):
    recording(several / "d", several / "elsewhere", 0)
    with pytest.raises(BadInput, match="no review"):
        score_all(several, several, 2.0)


def test_a_folder_without_recordings_is_refused(tmp_path):
    with pytest.raises(BadInput, match="no simulated recording"):
        score_all(tmp_path, tmp_path, 2.0)


def test_the_command_scores_a_folder_of_recordings(several, capsys):
    both = ["--truth", str(several), "--review", str(several)]
    assert run(["score", *both, "--json"]) == 0
    assert [one["recording"] for one in msgspec.json.decode(capsys.readouterr().out)] == ["c", "a", "b"]
    assert run(["score", *both]) == 0
    assert "the worst first" in capsys.readouterr().out
