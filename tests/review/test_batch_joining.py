"""How a night's files are joined: by clock, by pictures, by file times and names; what a clock that was set leaves."""

from __future__ import annotations

import os
from fractions import Fraction
from pathlib import Path

import av
import msgspec
import numpy as np
import pytest
from batch_fakes import make_table, record
from batch_night import run_night
from review_fakes import SIZE, make_video

from verifier.domain.errors import BadInput
from verifier.domain.observations import Observation
from verifier.formats.house import read_house, write_house
from verifier.review.alike import MOMENTS, MOVES, SAME, Film, Likeness, judged, likeness
from verifier.review.pipeline.account import ObservationAccount, standstills
from verifier.review.pipeline.recording_sets import COMPARED, claims, make_recording_sets
from verifier.review.pipeline.values import Facts, RecordingSet, Source, clock_after
from verifier.store.repository import Store

HOUR = 3600.0


def file(name: str, clock: str, seconds: float, *, written: float = 0.0, **others: object) -> tuple[Source, Facts]:
    facts = Facts(
        path=f"/night/{name}",
        sha256=name,
        bytes=1,
        modified_ns=round(written * 1e9),
        kept="",
        width=1280,
        height=720,
        seconds=seconds,
        clock=clock,
        **others,  # type: ignore[arg-type]
    )
    return Source(path=facts.path, layout="/night/layout.yaml", house=None), facts


def told(recording_set: RecordingSet) -> list[tuple[str, float, float]]:
    """Each file of a recording set: its name, where it is in the recording set's time, and from where on it is
    judged.
    """
    return [(name, part.at, part.begin) for name, part in zip(recording_set.names, recording_set.parts, strict=True)]


def changes(recording_set: RecordingSet) -> list[tuple[str, float] | None]:
    seams = [part.seam for part in recording_set.parts]
    return [(seam.change.kind, seam.change.seconds) if seam and seam.change else None for seam in seams]


# cases/clock_set_back_between_files


def test_a_clock_that_was_set_back_between_files_costs_no_second() -> None:
    for second, back in (("2026-11-01T01:00:00", -10.0), ("2026-11-01T01:00:05", -5.0)):
        pairs = [file("rec_2", second, 10.4), file("rec_1", "2026-11-01T01:00:00", 10.0)]
        (recording_set,) = make_recording_sets(pairs)
        assert told(recording_set) == [("rec_1", 0.0, 0.0), ("rec_2", 10.0, 0.0)]
        assert (recording_set.seconds, recording_set.end, changes(recording_set)) == (
            20.4,
            20.4,
            [None, ("set_back", back)],
        )
        assert recording_set.clock_at(12.0) == clock_after(second, 2)


def test_an_overlap_is_judged_once_only_where_the_pictures_are_the_same() -> None:
    pairs = [file("a", "2026-11-17T21:00:00", 600.0), file("b", "2026-11-17T21:09:50", 600.0)]
    (claim,) = claims(pairs)
    assert (claim.first.sha256, claim.second.sha256, claim.offset) == ("a", "b", 590.0)
    (recording_set,) = make_recording_sets(pairs, {("a", "b"): Likeness(verdict="same", offset=590.4)})
    assert told(recording_set) == [("a", 0.0, 0.0), ("b", 590.4, 9.6)]
    for verdict in ("other", "unclear"):
        (recording_set,) = make_recording_sets(pairs, {("a", "b"): Likeness(verdict=verdict)})
        assert told(recording_set) == [("a", 0.0, 0.0), ("b", 600.0, 0.0)]
        assert changes(recording_set) == [None, ("set_back", -10.0)]


def test_a_file_that_another_shows_wholly_is_covered_only_if_compared() -> None:
    pairs = [file("a", "2026-11-17T21:00:00", 600.0), file("b", "2026-11-17T21:02:00", 100.0)]
    (recording_set,) = make_recording_sets(pairs, {("a", "b"): Likeness(verdict="same", offset=119.6)})
    assert (recording_set.names, recording_set.covered) == (["a"], ["/night/b"])
    both = make_recording_sets(pairs, {("a", "b"): Likeness(verdict="other")})
    assert sum(recording_set.seconds for recording_set in both) == 700.0
    assert both[1].parts[0].seam is not None


def test_the_longer_of_two_that_begin_alike_covers_the_other_and_loses_nothing_before_it() -> None:
    pairs = [file("a", "2026-11-17T21:00:00", 10.0), file("b", "2026-11-17T21:00:00", 10.4)]
    (recording_set,) = make_recording_sets(pairs, {("a", "b"): Likeness(verdict="same", offset=-0.3)})
    assert (told(recording_set), recording_set.covered) == ([("b", 0.0, 0.0)], ["/night/a"])
    (recording_set,) = make_recording_sets(pairs, {("a", "b"): Likeness(verdict="same", offset=-0.8)})
    assert told(recording_set) == [("b", 0.0, 0.0), ("a", 0.8, 9.6)]


def test_two_recorders_that_show_one_hour_are_two_recordings_and_told() -> None:
    pairs = [
        file("x1", "2026-06-17T21:00:00", HOUR),
        file("y1", "2026-06-17T21:00:00", HOUR),
        file("x2", "2026-06-17T22:00:00", HOUR),
        file("y2", "2026-06-17T22:00:00", HOUR),
    ]
    recording_sets = make_recording_sets(pairs)
    assert [recording_set.names for recording_set in recording_sets] == [["x1", "x2"], ["y1", "y2"]]
    assert recording_sets[1].parts[0].seam is not None
    assert recording_sets[1].parts[0].seam.change is None


@pytest.mark.parametrize("place", range(2))
def test_the_hour_that_comes_twice_is_put_in_order_by_file_times_or_names(place: int) -> None:
    clocks = ["01:00", "01:15", "01:30", "01:45"] * 2 + ["02:00"]
    if place == 0:  # the names mislead, the times at which the files were written do not
        pairs = [file(f"{9 - n}", f"2026-11-01T{at}:00", 900.0, written=900.0 * n) for n, at in enumerate(clocks)]
    else:  # copied in one go
        pairs = [file(f"rec_{n + 3}", f"2026-11-01T{at}:00", 900.0, written=0.1 * n) for n, at in enumerate(clocks)]
    expected = [facts.sha256 for _, facts in pairs]
    (recording_set,) = make_recording_sets(sorted(pairs, key=lambda pair: pair[1].sha256))
    assert recording_set.names == expected
    assert recording_set.seconds == recording_set.end == 9 * 900.0
    assert [change for change in changes(recording_set) if change] == [("summer_time_ends", -HOUR)]


def test_where_clocks_tell_names_do_not_matter() -> None:
    pairs = [
        file("c", "2026-11-17T21:00:00", 600.0, written=3),
        file("a", "2026-11-17T21:10:00", 600.0, written=2),
        file("b", "2026-11-17T21:20:00", 600.0, written=1),
    ]
    (recording_set,) = make_recording_sets(pairs)
    assert recording_set.names == ["c", "a", "b"]


def test_the_hour_that_summer_time_skips_was_not_lost() -> None:
    pairs = [file("a", "2026-03-08T01:30:00", 1800.0), file("b", "2026-03-08T03:00:05", 600.0)]
    (recording_set,) = make_recording_sets(pairs)
    assert told(recording_set) == [("a", 0.0, 0.0), ("b", 1805.0, 0.0)]
    assert changes(recording_set) == [None, ("summer_time_begins", HOUR)]
    assert recording_set.clock_at(1806.0) == "2026-03-08T03:00:06"
    elsewhere = [(source, msgspec.structs.replace(facts, time_zone="America/Phoenix")) for source, facts in pairs]
    assert len(make_recording_sets(elsewhere)) == 2, "a zone without summer time"
    later = [file("a", "2026-03-09T01:30:00", 1800.0), file("b", "2026-03-09T03:00:05", 600.0)]
    assert len(make_recording_sets(later)) == 2, "no day of a change"


def test_the_known_error_of_a_recorders_clock_is_taken_out_before_files_are_joined() -> None:
    pairs = [file("a", "2026-11-17T21:05:00", 600.0, clock_error=300.0), file("b", "2026-11-17T21:10:00", 600.0)]
    (recording_set,) = make_recording_sets(pairs)
    assert told(recording_set) == [("a", 0.0, 0.0), ("b", 600.0, 0.0)]
    assert recording_set.clock_at(601.0) == "2026-11-17T21:10:01"


def test_hundreds_of_files_that_show_one_clock_cost_few_comparisons() -> None:
    pairs = [file(f"rec_{n}", "2000-01-01T00:00:00", 600.0) for n in range(200)]
    assert len(claims(pairs)) <= COMPARED * 200
    assert sum(recording_set.seconds for recording_set in make_recording_sets(pairs)) == 200 * 600.0


# alike


def test_the_verdict_at_the_boundaries() -> None:
    offsets = np.array([10.0, 10.5, 11.0, 11.5, 12.0, 12.5, 13.0])

    def verdict(apart: float, step: float, moved: int = MOMENTS - 1) -> str:
        table = np.full((MOMENTS, 7), 40.0)
        table[:, 3] = apart
        steps = np.where(np.arange(MOMENTS - 1) < moved, step, 0.0)
        return judged(table, steps, offsets).verdict

    assert verdict(SAME, MOVES) == "same"
    assert verdict(SAME + 0.01, MOVES) == "other"
    assert verdict(SAME, MOVES - 0.01) == "unclear"
    assert [verdict(0.0, 50.0, moved) for moved in (0, 1, 2)] == ["unclear", "unclear", "same"]


def test_one_moment_that_differs_makes_other_recordings() -> None:
    table = np.full((MOMENTS, 7), 1.0)
    table[4] = 30.0
    assert judged(table, np.full(MOMENTS - 1, 20.0), np.arange(7.0)).verdict == "other"


def encoded_anew(path: Path, target: Path, begin: int, crf: str) -> None:
    """The pictures of a recording from `begin` on, worse."""
    with av.open(str(path)) as source, av.open(str(target), "w") as made:
        stream = made.add_stream("libx264", rate=10, options={"crf": crf, "g": "25"})
        stream.width, stream.height, stream.pix_fmt = *SIZE, "yuv420p"
        for number, frame in enumerate(source.decode(video=0)):
            if number >= begin:
                frame.pts, frame.time_base = number - begin, Fraction(1, 10)
                made.mux(stream.encode(frame))
        made.mux(stream.encode(None))


def test_the_same_pictures_encoded_anew_are_found_to_the_picture(tmp_path: Path) -> None:
    make_video(tmp_path / "a.mp4", 12)
    encoded_anew(tmp_path / "a.mp4", tmp_path / "b.mp4", 43, "22")
    first, second = Film(tmp_path / "a.mp4", 12.0, SIZE), Film(tmp_path / "b.mp4", 7.7, SIZE)
    found = likeness(first, second, 5.0)
    assert found.verdict == "same"
    assert found.offset == pytest.approx(4.3, abs=0.06)
    make_video(tmp_path / "c.mp4", 8, first=300)
    assert likeness(first, Film(tmp_path / "c.mp4", 8.0, SIZE), 4.0).verdict == "other"


def still(path: Path, seconds: int, shade: int) -> Path:
    with av.open(str(path), "w") as made:
        stream = made.add_stream("libx264", rate=10)
        stream.width, stream.height, stream.pix_fmt = *SIZE, "yuv420p"
        picture = np.full((SIZE[1], SIZE[0], 3), (60, 90, 30), np.uint8)
        picture[60:120, 100:180] = shade
        for _ in range(seconds * 10):
            made.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="bgr24")))
        made.mux(stream.encode(None))
    return path


def test_a_table_at_rest_does_not_tell(tmp_path: Path) -> None:
    films = [Film(still(tmp_path / f"{n}.mp4", 8, shade), 8.0, SIZE) for n, shade in enumerate((200, 202, 120))]
    assert likeness(films[0], films[1], 2.0).verdict == "unclear"
    assert likeness(films[0], films[2], 2.0).verdict == "other"


# whole nights


def observed() -> list[str]:
    return [one.finding.observed for one in Store().findings()]


def test_a_night_tells_a_clock_set_back_between_files_and_watches_all(tmp_path: Path) -> None:
    folder = make_table(tmp_path / "night")
    record(folder / "rec_1.mp4", 8, clock="2026-11-01T01:00:00")
    record(folder / "rec_2.mp4", 8, 500, clock="2026-11-01T01:00:04")
    (job,), _ = run_night(folder)
    assert (job.names, job.recorded, job.reviewed, job.unwatched) == (["rec_1.mp4", "rec_2.mp4"], 16.0, 16.0, [])
    jumps = [text for text in observed() if "clock" in text]
    says = "Between rec_1.mp4 and rec_2.mp4 the recorder's clock was set back by 4 s. Their pictures differ"
    assert jumps == [f"{says}: both were judged"]
    (again,), tally = run_night(folder)
    assert (tally.skipped, again.key) == (1, job.key)


def test_a_jump_within_a_file_on_the_day_of_the_change_is_summer_time(tmp_path: Path) -> None:
    folder = make_table(tmp_path / "night")
    record(folder / "a.mp4", 8, clock="2026-11-01T01:59:56", jump=[4.0, -HOUR])
    run_night(folder)
    (text,) = [text for text in observed() if "clock" in text]
    assert text.endswith("it was set back by 3600 s: summer time ended")


def test_a_picture_that_froze_is_told_once_and_not_as_so_many_jumps() -> None:
    """cases/dst_set_back: 19 equal lines for a frozen picture of 250 s."""
    account = ObservationAccount()
    for step in range(700):
        t = step * 0.5
        true = 50 + int(t) if t < 20 or t >= 270 else 70 + int(t - 20) % 13  # read anew every 13 s: it stands still
        account.take(Observation(t=t, frame=step, clock=clock_after("2026-11-17T21:00:00", true)))
    assert len(account.jumps) == 20
    ((still,), jumps) = standstills(account.jumps)
    assert (still.clock, jumps) == ("2026-11-17T21:01:10", [])
    assert (still.start, still.end) == pytest.approx((20.0, 270.0), abs=1.0)


def test_clocks_set_back_twice_are_no_standstill() -> None:
    account = ObservationAccount()
    for step in range(60):
        clock = clock_after("2026-11-17T21:00:00", step - (30 if step >= 20 else 0) - (30 if step >= 40 else 0))
        account.take(Observation(t=float(step), frame=step, clock=clock))
    stood, jumps = standstills(account.jumps)
    assert (stood, len(jumps)) == ([], 2)


def test_a_file_that_cannot_be_compared_is_judged_in_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make_table(tmp_path / "night")
    record(folder / "a.mp4", 8, clock="2026-11-17T21:00:00")
    record(folder / "b.mp4", 8, 60, clock="2026-11-17T21:00:06")

    def broken(*_: object) -> Likeness:
        raise RuntimeError

    monkeypatch.setattr("verifier.review.batch.tasks.compare", broken)
    (job,), _ = run_night(folder)
    assert (job.recorded, job.reviewed) == (16.0, 16.0)


def test_copies_made_in_a_row_are_ordered_by_their_names(tmp_path: Path) -> None:
    folder = make_table(tmp_path / "night")
    for name, first, written in (("rec_10.mp4", 300, 1.0), ("rec_9.mp4", 0, 2.0)):
        record(folder / name, 8, first, clock="2026-11-01T01:00:00")
        os.utime(folder / name, (written, written))
    (job,), _ = run_night(folder)
    assert job.names == ["rec_9.mp4", "rec_10.mp4"]
    assert job.reviewed == 16.0


def test_a_time_zone_that_does_not_exist_is_told_in_one_line(tmp_path: Path) -> None:
    for name in ("Mars/Phobos", "America", "../etc/passwd"):
        (tmp_path / "house.yaml").write_text(f"deck_count: 6\ntime_zone: {name}\n")
        with pytest.raises(BadInput, match="line 2, field time_zone: there is no time zone") as told:
            read_house(tmp_path / "house.yaml")
        assert "\n" not in str(told.value)


def test_house_options_tell_the_clock(tmp_path: Path) -> None:
    folder = make_table(tmp_path / "night")
    house = msgspec.structs.replace(
        read_house(folder / "house.yaml"), time_zone="America/Denver", clock_error_seconds=6.0
    )
    write_house(folder / "a.house.yaml", house)
    record(folder / "a.mp4", 16, clock="2026-11-17T21:00:06", dark=[4.0, 12.0])
    assert read_house(folder / "a.house.yaml") == house
    (job,), _ = run_night(folder)
    cause = "the picture is dark; by a right clock 2026-11-17T21:00:04 to 2026-11-17T21:00:12"
    assert job.unwatched == [("2026-11-17T21:00:10", "2026-11-17T21:00:18", cause)]
    assert job.clock_start == "2026-11-17T21:00:06", "clocks stay as the picture shows them"
