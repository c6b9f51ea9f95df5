"""The papers that ship beside the flagged sample, and what is left open of a review that has them."""

from __future__ import annotations

import re
from pathlib import Path

from verifier.cli import run
from verifier.domain.events import EventLog
from verifier.domain.findings import FindingsReport
from verifier.review.pipeline.spoken import heard, with_speech
from verifier.review.pipeline.values import Facts, Part, RecordingSet, Source, Spoken
from verifier.review.records.joining import judged_with, play_of, records_for, with_records
from verifier.store.repository import Store

ROOT = Path(__file__).parents[2]
SITE = ROOT / "sample_videos" / "flagged" / "site"
RECORDS, ATTESTED, SAID = SITE / "records.json", SITE / "attestations.csv", SITE / "what-was-said.vtt"


def with_papers(log: EventLog, seconds: float) -> FindingsReport:
    """Imports the papers into the store of the test, and judges a log of the sample with them, as a review does."""
    assert run(["records", "import", str(RECORDS), str(ATTESTED), "--no-recheck"]) == 0
    facts = Facts(path="video.mp4", sha256="0" * 64, bytes=1, modified_ns=0, kept="k", seconds=seconds)
    source = Source(path=facts.path, layout=None, house=None, spoken=Spoken(path=str(SAID)))
    recording_set = RecordingSet(source=source, parts=[Part(facts=facts, at=0.0, begin=0.0, end=seconds)])
    spoken = with_speech(log, heard(recording_set))
    play = play_of(spoken)
    return judged_with(with_records(spoken, records_for(Store(), play)), play)


def listed_as_left() -> set[str]:
    """The clauses that docs/law-coverage.md lists as left open by the demo."""
    page = (ROOT / "docs" / "law-coverage.md").read_text(encoding="utf-8")
    return set(re.findall(r"^- `([^`]+)`", page.partition("## Left open by the review in demo")[2], re.MULTILINE))
