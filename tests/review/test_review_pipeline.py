"""One pipeline: a recording gives the same review alone and in a night, whole and in segments, at once and resumed."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import av
import batch_fakes
import cv2
import numpy as np
import pytest
from batch_fakes import make_table, record, settled
from batch_night import run_night
from msgspec import structs
from review_fakes import FPS, SIZE, FakeWatch, fake_stages, finding, write_inputs

from verifier.domain.coverage import CoverageReport
from verifier.formats.coverage import read_coverage
from verifier.recording.probe import Coverage, Gap, Note
from verifier.recording.timeline import NO_PICTURES
from verifier.review.pipeline.chain import Chain
from verifier.review.recording import Reviewed, review_recording
from verifier.store.repository import Store
from verifier.store.values import ReviewRecord, StoredFinding

CLOCK = "2026-11-17T21:00:00"


def review(folder: Path, out: Path, length: float, stages: Chain | None = None) -> Reviewed:
    """The review of the recording in a table's folder by itself."""
    files = (folder / "a.mp4", folder / "layout.yaml", folder / "house.yaml")
    return review_recording(*files, out, stages=stages or batch_fakes.chain(), length=length)


def stored() -> tuple[ReviewRecord, list[StoredFinding]]:
    """The one stored review without what depends on the day and the place of its folder, and its findings."""
    (one,) = Store().reviews()
    return structs.replace(one, folder="", reviewed_at=""), Store().findings()


def kept(folder: str) -> dict[str, bytes]:
    """Every file in a review's folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", ["chain", "doubting_chain"])
def test_review_and_night_give_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    folder = make_table(tmp_path / "table")
    record(folder / "a.mp4", 20, clock=CLOCK, dark=[8.0, 15.0], jump=[17.0, 60.0])
    monkeypatch.setenv("VERIFIER_HOME", str(tmp_path / "one"))
    alone = review(folder, tmp_path / "out", 3.0, getattr(batch_fakes, name)())
    by_itself = stored()
    monkeypatch.setenv("VERIFIER_HOME", str(tmp_path / "two"))
    run_night(folder, length=3.0, chain=f"batch_fakes:{name}")
    assert stored() == by_itself
    files = kept(alone.review.folder)
    assert kept(Store().reviews()[0].folder) == files
    assert {"coverage.json", "events.jsonl", "findings.json", "observations.jsonl.gz"} < set(files)
    for written in ("coverage.json", "events.jsonl", "findings.json"):
        assert (tmp_path / "out" / written).read_bytes() == files[written]
    assert {one.finding.clause for one in alone.findings} >= {"ND-08-04.6-picture-clear", "ND-08-04.1.a-real-time"}


def test_one_two_and_five_segments_give_the_same_findings_and_coverage(tmp_path: Path) -> None:
    folder = make_table(tmp_path / "table")
    record(folder / "a.mp4", 10, clock=CLOCK, dark=[1.0, 7.5])
    made = [review(folder, tmp_path / "out", length) for length in (10.0, 5.0, 2.0)]
    assert made[0].findings == made[1].findings == made[2].findings
    assert made[0].coverage == made[1].coverage == made[2].coverage
    assert [one.state for one in made[0].coverage.stretches] == ["watched", "obstructed", "watched"]
    assert made[0].exit_code == 3


def test_an_interrupted_review_goes_on_where_it_was(tmp_path: Path, own_home: Path) -> None:
    folder = make_table(tmp_path / "table")
    record(folder / "a.mp4", 12, clock=CLOCK)
    whole = review(folder, tmp_path / "whole", 3.0)
    files = (folder / "a.mp4", folder / "layout.yaml", folder / "house.yaml", tmp_path / "out")
    watched: list[float] = []

    def killed(stage: str, done: float, whole: float | None) -> None:
        if done >= 7.0:
            raise KeyboardInterrupt

    def tell(stage: str, done: float, whole: float | None) -> None:
        watched.extend([done] if stage == "watching" else [])

    with pytest.raises(KeyboardInterrupt):
        review_recording(*files, killed, stages=batch_fakes.chain(), length=3.0)
    assert not (tmp_path / "out" / "findings.json").exists()
    again = review_recording(*files, tell, stages=batch_fakes.chain(), length=3.0)
    assert watched[0] == 1.0, "the third segment, from five seconds before it on"
    assert (again.findings, again.coverage) == (whole.findings, whole.coverage)
    assert not list((own_home / "reviewing").iterdir()), "nothing is left of the checkpoints"


def test_a_changed_layout_makes_new_checkpoints(tmp_path: Path) -> None:
    folder = make_table(tmp_path / "table")
    record(folder / "a.mp4", 6, clock=CLOCK)

    def stop(stage: str, done: float, whole: float | None) -> None:
        if stage == "reconstructing":
            raise KeyboardInterrupt

    files = (folder / "a.mp4", folder / "layout.yaml", folder / "house.yaml", tmp_path / "out")
    with pytest.raises(KeyboardInterrupt):
        review_recording(*files, stop, stages=batch_fakes.chain(), length=3.0)
    make_table(folder, table="7")
    watched: list[float] = []
    again = review_recording(
        *files,
        lambda stage, done, _: watched.append(done) if stage == "watching" else None,
        stages=batch_fakes.chain(),
        length=3.0,
    )
    assert (again.review.table, watched[0]) == ("7", 0.0)


def test_kept_evidence_is_never_written_in_place(tmp_path: Path) -> None:
    files = write_inputs(tmp_path)
    first = review_recording(*files, tmp_path / "out", stages=fake_stages(finding()))
    before = {path: path.stat().st_ino for path in Path(first.review.folder).rglob("*") if path.is_file()}
    held = {path: path.open("rb") for path in before}
    review_recording(*files, tmp_path / "out", stages=fake_stages(finding()))
    try:
        for path, old in held.items():
            assert path.stat().st_ino != before[path], f"{path.name} is another file now"
            assert old.read(), "who read the old one reads it to its end"
        outside = {path.stat().st_ino for path in (tmp_path / "out").rglob("*")}
        assert not outside & {path.stat().st_ino for path in before}, "a change under --out changes no evidence"
    finally:
        for old in held.values():
            old.close()


def paused(path: Path, *spans: tuple[int, int]) -> None:
    """A recording that holds pictures in these spans (s) only."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=FPS, options={"bf": "0"})
        stream.width, stream.height = SIZE
        stream.pix_fmt, stream.time_base = "yuv420p", Fraction(1, FPS)
        for number in (n for start, end in spans for n in range(start * FPS, end * FPS)):
            frame = av.VideoFrame.from_ndarray(np.full((SIZE[1], SIZE[0], 3), 90, np.uint8), format="bgr24")
            frame.pts, frame.time_base = number, Fraction(1, FPS)
            container.mux(stream.encode(frame))
        container.mux(stream.encode())


@pytest.mark.parametrize("length", [6.0, 2.0])
def test_a_pause_at_a_seam_is_one_gap(tmp_path: Path, length: float) -> None:
    folder = make_table(tmp_path / "table")
    paused(folder / "a.mp4", (0, 5), (10, 15))
    (folder / "a.mp4.notes").write_text(f'{{"clock": "{CLOCK}"}}')
    made = review(folder, tmp_path / "out", length)
    assert [(one.t_start, one.t_end, one.state, one.why) for one in made.coverage.stretches] == [
        (0.0, 5.0, "watched", None),
        (5.0, 10.0, "gap", NO_PICTURES),
        (10.0, 15.0, "watched", None),
    ]
    gap = made.coverage.stretches[1]
    assert (gap.clock_start, gap.clock_end) == ("2026-11-17T21:00:04", "2026-11-17T21:00:10")
    assert made.review.gaps == [(5.0, 10.0, NO_PICTURES)]
    assert (made.review.duration, made.review.reviewed_seconds, made.exit_code) == (15.0, 10.0, 3)


Part = tuple[int, int, int]
"""Seconds, the width of the picture, and the view that it shows."""


def changing(path: Path, *parts: Part) -> None:
    """A transport stream whose pictures change."""
    path.write_bytes(b"")
    for number, (seconds, width, view) in enumerate(parts):
        part, begin, marks = (
            path.with_suffix(".part"),
            sum(one[0] for one in parts[:number]),
            np.random.default_rng(view),
        )
        table = cv2.resize(marks.integers(0, 256, (9, 16, 3), np.uint8), SIZE, interpolation=cv2.INTER_CUBIC)
        options = {"output_ts_offset": str(10 + begin)}
        with av.open(str(part), "w", format="mpegts", options=options) as container:
            stream = container.add_stream("libx264", rate=FPS, options={"bf": "0"})
            stream.width, stream.height, stream.pix_fmt = width, width * 9 // 16, "yuv420p"
            for _ in range(seconds * FPS):
                picture = cv2.resize(table, (stream.width, stream.height), interpolation=cv2.INTER_CUBIC)
                container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="bgr24")))
            container.mux(stream.encode())
        with path.open("ab") as whole:
            whole.write(part.read_bytes())
        part.unlink()


UNPROVEN = "nothing shows that it is the same view"


@pytest.mark.parametrize("length", [10.0, 4.0, 2.0])
@pytest.mark.parametrize(
    ("parts", "told"),
    [
        (
            [(3, 320, 1), (3, 640, 1), (3, 320, 1)],
            [
                (0.0, "watched", None),
                (3.0, "watched", "the picture is 640x360 from here on, of the same view: it is scaled to 320x180"),
                (6.0, "watched", "the picture is 320x180 from here on"),
            ],
        ),
        (
            [(3, 320, 1), (3, 640, 2), (3, 320, 1)],
            [
                (0.0, "watched", None),
                (3.0, "not_watched", f"the picture is 640x360 there: {UNPROVEN}"),
                (6.0, "watched", "the picture is 320x180 from here on"),
            ],
        ),
        (
            [(3, 640, 2), (6, 320, 1)],
            [
                (0.0, "not_watched", f"the picture is 640x360 there: {UNPROVEN}"),
                (3.0, "watched", "the picture is 320x180 from here on"),
            ],
        ),
        (
            [(6, 320, 1), (3, 160, 1)],
            [
                (0.0, "watched", None),
                (6.0, "not_watched", "the picture is 160x90 there: cards are too small to be read"),
            ],
        ),
    ],
)
def test_pictures_that_change_are_told_alike_by_review_and_night(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    length: float,
    parts: list[Part],
    told: list[tuple[float, str, str]],
) -> None:
    folder = make_table(tmp_path / "table")
    changing(folder / "a.ts", *parts)
    (folder / "a.ts.notes").write_text(f'{{"clock": "{CLOCK}"}}')
    settled(folder / "a.ts")
    monkeypatch.setenv("VERIFIER_HOME", str(tmp_path / "one"))
    files = (folder / "a.ts", folder / "layout.yaml", folder / "house.yaml")
    alone = review_recording(*files, tmp_path / "out", stages=batch_fakes.chain(), length=length)
    by_itself = stored()
    assert [(one.t_start, one.state, one.why) for one in alone.coverage.stretches] == told
    assert alone.exit_code == (4 if all(state == "watched" for _, state, _ in told) else 3)
    monkeypatch.setenv("VERIFIER_HOME", str(tmp_path / "two"))
    run_night(folder, length=length)
    assert stored() == by_itself
    assert kept(Store().reviews()[0].folder) == kept(alone.review.folder)


class Standing(FakeWatch):
    """The picture stands still for three seconds, and later a stamp is odd."""

    @property
    def coverage(self) -> Coverage:
        gap, note = Gap(2.0, 5.0, "the picture stands still", "frozen"), Note(6.0, "the stamps jump back by 60 s")
        return Coverage(8.0, 8.0, (gap,), (note,))


def test_what_a_segment_tells_of_its_pictures_reaches_the_account(tmp_path: Path) -> None:
    stages = structs.replace(fake_stages(), eye=lambda stretch, *_: Standing(stretch, 8.0))
    made = review_recording(*write_inputs(tmp_path), tmp_path / "out", stages=stages)
    assert [(one.t_start, one.t_end, one.state, one.why) for one in made.coverage.stretches] == [
        (0.0, 2.0, "watched", None),
        (2.0, 5.0, "frozen", "the picture stands still"),
        (5.0, 6.0, "watched", None),
        (6.0, 8.0, "watched", "the stamps jump back by 60 s"),
    ]
    assert (made.coverage.watched, made.review.reviewed_seconds, made.exit_code) == (8.0, 8.0, 3)
    assert made.review.coverage < 1.0
    assert [one.finding.clause for one in made.findings] == ["ND-08-04.6-picture-clear"]


def test_coverage_stands_beside_the_findings_of_a_file_that_cannot_be_watched(tmp_path: Path) -> None:
    folder = make_table(tmp_path / "table")
    (folder / "a.mp4").write_text("This is no recording at all.\n")
    run_night(folder)
    (one,) = Store().reviews()
    made = read_coverage(Path(one.folder) / "coverage.json")
    assert made == CoverageReport(recorded=0.0, watched=0.0, stretches=made.stretches)
    assert [(stretch.state, stretch.why) for stretch in made.stretches] == [("not_watched", one.gaps[0][2])]
    assert not made.complete
