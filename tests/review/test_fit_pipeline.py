"""The check before judging in the one pipeline: what does not fit is not judged, by itself and in a night."""

from __future__ import annotations

from pathlib import Path

import batch_fakes
import pytest
from batch_fakes import make_table, record
from batch_night import run_night
from msgspec import structs
from review_fakes import FAN, fake_stages, finding, write_inputs

from verifier.domain.coverage import CoverageReport
from verifier.formats.coverage import read_coverage
from verifier.formats.layout import read_layout
from verifier.recording.probe import Probe
from verifier.review.fit.judgement import NO_SPACE, spaces_check
from verifier.review.fit.things import Things
from verifier.review.pipeline.account import CLOCK, PICTURE
from verifier.review.pipeline.chain import Chain
from verifier.review.recording import Reviewed, review_recording
from verifier.store.repository import Store
from verifier.vision.glimpse import Glimpse, Text


def says(site: str, *, clock: bool = True) -> Glimpse:
    """A site's sign, read upright in all three pictures; it has no zone in these layouts."""
    texts = [Text(what="site", says=site, score=0.98, box=(200, 150, 240, 160))] * 3
    shown = [Text(what="clock", says="2026-11-17T21:00:00", score=0.98, box=(5, 5, 80, 15))] * 3
    return Glimpse(pictures=3, texts=(*texts, *(shown if clock else [])))


def another_site() -> Chain:
    """The stages of the tests, over recordings whose sign reads another site than the layout says."""
    return structs.replace(batch_fakes.chain(), glimpse=lambda facts, layout: says("0026"))


def one_of_two() -> Chain:
    """The same, of which b.mp4 alone shows another site."""

    def glimpse(facts: Probe, layout: object) -> Glimpse:
        return says("0026" if facts.path.name == "b.mp4" else "0123")

    return structs.replace(batch_fakes.chain(), glimpse=glimpse)


def reviewed(tmp_path: Path, stages: Chain) -> Reviewed:
    return review_recording(*write_inputs(tmp_path), tmp_path / "out", stages=stages)


def test_what_does_not_fit_is_not_judged_and_says_why_and_what_to_do(tmp_path: Path) -> None:
    watched: list[object] = []
    base = fake_stages(finding())
    stages = structs.replace(
        base,
        glimpse=lambda facts, layout: says("0026"),
        eye=lambda *args: watched.append(args) or base.eye(*args),
    )
    result = reviewed(tmp_path, stages)
    assert watched == []
    assert result.exit_code == 3
    coverage = read_coverage(tmp_path / "out" / "coverage.json")
    assert coverage == result.coverage
    assert (coverage.watched, [one.state for one in coverage.stretches]) == (0.0, ["not_watched"])
    assert coverage.fit is not None and not coverage.fit.ok
    sign = next(one for one in coverage.fit.checks if one.name == "site_sign")
    assert (sign.ok, sign.expected, sign.seen) == (False, "0123", "0026")
    why = coverage.stretches[0].why or ""
    assert why.startswith("the layout does not fit this recording: the picture's sign reads site 0026")
    assert "draw it again" in why
    told = [one.finding for one in result.findings if one.finding.clause == PICTURE]
    assert [one.verdict for one in told] == ["undetermined"] and why in told[0].observed
    assert "pass" not in {row.verdict for row in result.report.clauses}


def test_what_fits_is_judged_and_says_so(tmp_path: Path) -> None:
    stages = structs.replace(fake_stages(finding()), glimpse=lambda facts, layout: says("0123"))
    result = reviewed(tmp_path, stages)
    assert result.coverage.fit is not None and result.coverage.fit.ok
    assert [one.finding.clause for one in result.findings] == [FAN]
    assert result.exit_code == 4


@pytest.mark.parametrize("name", ["another_site", "one_of_two"])
def test_a_night_tells_the_same_as_a_review(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    folder = make_table(tmp_path / "table")
    record(folder / "a.mp4", 8, clock="2026-11-17T21:00:00")
    record(folder / "b.mp4", 8, clock="2026-11-17T21:00:08", first=80)
    monkeypatch.setenv("VERIFIER_HOME", str(tmp_path / "night"))
    run_night(folder, length=3.0, chain=f"test_fit_pipeline:{name}")
    (review,) = Store().reviews()
    coverage: CoverageReport = read_coverage(Path(review.folder) / "coverage.json")
    assert coverage.fit is not None and not coverage.fit.ok
    states = [(one.t_start, one.t_end, one.state) for one in coverage.stretches]
    unfit_from = 8.0 if name == "one_of_two" else 0.0
    assert [one for one in states if one[2] == "not_watched"] == [(unfit_from, 16.0, "not_watched")]
    assert coverage.watched == pytest.approx(unfit_from)
    assert {(one.t_start, one.t_end) for one in coverage.fit.checks} == {(0.0, 8.0), (8.0, 16.0)}
    assert any("the layout does not fit" in one.finding.observed for one in Store().findings())


def test_a_missing_clock_where_the_layout_has_one_is_told(tmp_path: Path) -> None:
    video, layout, house = write_inputs(tmp_path)
    text = layout.read_text().replace("zones:", "zones:\n  clock: [[1, 1], [90, 1], [90, 20], [1, 20]]", 1)
    layout.write_text(text)
    stages = structs.replace(
        fake_stages(finding(), clock=False), glimpse=lambda facts, layout: says("0123", clock=False)
    )
    result = review_recording(video, layout, house, tmp_path / "out", stages=stages)
    told = next(one.finding for one in result.findings if one.finding.clause == CLOCK)
    assert (told.verdict, told.t_start, told.t_end) == ("undetermined", 0.0, 8.0)
    assert told.observed == "no clock was seen where the layout has one; tell the day of play by --date"
    assert result.exit_code == 4
    dated = review_recording(video, layout, house, tmp_path / "again", stages=stages, day="2026-11-17")
    told = next(one.finding for one in dated.findings if one.finding.clause == CLOCK)
    assert "the day of play is told: 2026-11-17" in told.observed
    assert dated.review.play_date == "2026-11-17"


def test_hands_where_the_layout_has_no_space_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    video, layout, house = write_inputs(tmp_path)
    elsewhere = structs.replace(spaces_check(Things(read_layout(layout))), says=NO_SPACE)
    monkeypatch.setattr("verifier.review.fit.judgement.spaces_check", lambda things: elsewhere)
    result = review_recording(video, layout, house, tmp_path / "out", stages=fake_stages(finding()))
    told = next(one.finding for one in result.findings if one.finding.clause == PICTURE)
    assert (told.verdict, told.t_start, told.t_end, told.observed) == ("undetermined", 0.0, 8.0, NO_SPACE)
    assert result.exit_code == 4
