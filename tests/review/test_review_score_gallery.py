"""The gallery of a score: a figure for each mistake, findings first."""

from __future__ import annotations

import msgspec
import pytest
from review_fakes import EVENTS, FAN, SHOW, finding, report

from verifier.domain.events import EventLog, EventsHeader
from verifier.formats.events import write_events
from verifier.formats.findings import write_findings
from verifier.review.score import Deviation
from verifier.review.score_gallery import mistakes, write_gallery


@pytest.fixture
def folders(tmp_path):
    """A truth with one planted breach, and a review that lost its first event and names another breach."""
    truth, review = tmp_path / "truth", tmp_path / "review"
    for folder in (truth, review):
        folder.mkdir()
    header = EventsHeader(format="verifier-events", version=1, rulebook="nd-twenty-one")
    write_events(truth / "truth.events.jsonl", EventLog(header, tuple(EVENTS)))
    write_events(review / "events.jsonl", EventLog(header, tuple(EVENTS[1:])))
    planted = [Deviation(clause=FAN, round=1, at="space:1", t_start=5.0, t_end=6.0)]
    (truth / "truth.deviations.json").write_bytes(msgspec.json.encode(planted))
    write_findings(review / "findings.json", report(finding(SHOW)))
    return truth, review


def test_findings_come_first_then_the_event_that_was_missed(folders):
    found = mistakes(*folders, tolerance=2.0)
    assert [mistake.what for mistake in found] == [
        "planted, missed", "false violation", f"missed {EVENTS[0].name}",
    ]  # fmt: skip


def test_the_page_tells_each_mistake_without_a_video_too(folders, tmp_path):
    page = write_gallery(*folders, tmp_path / "gallery", 2.0).read_text()
    assert page.count("<figure>") == 3
    assert FAN in page
    assert "<img" not in page
