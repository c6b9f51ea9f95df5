"""The demo's papers: lawful, honest about what they are, and judged together with what truly happened."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest
from demo_papers import ATTESTED, RECORDS, ROOT, SAID, SITE, listed_as_left, with_papers

from verifier.cli import run
from verifier.domain.findings import FindingsReport
from verifier.formats.events import read_events
from verifier.formats.house import read_house
from verifier.law.attested import applies, attestable
from verifier.law.catalogue import by_id
from verifier.review.records.site import check_site
from verifier.store.floor import Floor
from verifier.store.repository import Store

UNSAID = {"ND-08-11.2-no-altered-outcome"}
"""The recording shows breaches: nobody signs that there was none."""


@pytest.fixture
def report() -> FindingsReport:
    return with_papers(read_events(SITE.parent / "truth.events.jsonl"), 120.0)


def test_they_say_that_they_are_made_up() -> None:
    assert "Made up for the demo" in SAID.read_text()
    assert all("made up for the demo" in line for line in ATTESTED.read_text().splitlines()[1:])
    assert "Demo" in RECORDS.read_text() and "made up" in (ROOT / "sample_videos" / "README.md").read_text()
    assert all(path.stat().st_size < 20_000 for path in (RECORDS, ATTESTED, SAID))


def test_nothing_is_wrong_with_them() -> None:
    assert run(["records", "import", str(RECORDS), str(ATTESTED)]) == 0
    Floor(Store()).add_house("0131", "7", read_house(SITE.parent / "house.yaml"), "kim")
    assert check_site(Store(), "0131", date(2026, 11, 16), date(2026, 11, 22)).findings == []


def test_every_clause_that_applies_is_attested_but_one(report: FindingsReport) -> None:
    house = read_house(SITE.parent / "house.yaml")
    asked = {one.id for one in attestable("nd-twenty-one") if applies(one, house)}
    attested = {row.clause for row in report.clauses if row.evidence == "attested"}
    assert asked - attested == UNSAID


def test_the_words_are_what_was_dealt(report: FindingsReport) -> None:
    spoken = [row for row in report.clauses if by_id("nd-twenty-one")[row.clause].observability == "audio"]
    assert {row.clause for row in spoken if row.verdict == "pass"} == {
        "ND-08-11.1-announce-upcard",
        "ND-08-11.10-announce-two-card",
        "ND-08-11.10.f-announce",
        "ND-08-11.10.g-announce-final",
    }
    assert not {row.verdict for row in spoken} & {"violation", "undetermined"}


def test_the_papers_hide_and_add_no_finding(report: FindingsReport) -> None:
    planted = json.loads((SITE.parent / "truth.deviations.json").read_text())
    told = {clause for one in report.findings for clause in (one.clause, *one.also)}
    assert {one["clause"] for one in planted} <= told
    assert len([one for one in report.findings if one.verdict == "violation"]) == len(planted)


def test_the_docs_list_at_most_sixty_clauses_that_the_demo_leaves_open() -> None:
    left = listed_as_left()
    assert 0 < len(left) <= 60 and left <= set(by_id("nd-twenty-one"))


def test_the_makefile_brings_them_in_and_says_so() -> None:
    text = (ROOT / "Makefile").read_text()
    assert "records import $(PAPERS)" in text and "--transcript ,$(SAID)" in text
    assert 'echo "$(TOLD) $(PAPERS) $(SAID)"' in text and "made up for the demo" in text


def test_paths_are_where_the_makefile_looks(tmp_path: Path) -> None:
    assert {path.suffix for path in SITE.iterdir()} == {".json", ".csv", ".vtt"}
