"""Files whose stamps, pictures or tracks change: nothing is lost, nothing unseen counts as watched, all is told."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from kinds import RATE, with_sound, write
from numbered import SIZE, number_of

from verifier.domain.errors import BadInput
from verifier.recording import decode, hardware
from verifier.recording.container import opened
from verifier.recording.coverage import Gap
from verifier.recording.decode import CUT_OFF, UNREAD, Decoder, _united
from verifier.recording.identity import ExchangedError
from verifier.recording.probe import Probe, probe
from verifier.recording.timeline import LONGER, NO_PICTURES, STILL_S, Reading, Timeline
from verifier.review.clips import cut_clip, make_clip
from verifier.review.frames import frames_at
from verifier.review.stepping import Stepper

Encode = Callable[..., Path]


def joined(folder: Path, *parts: Path) -> Path:
    path = folder / "joined.ts"
    path.write_bytes(b"".join(part.read_bytes() for part in parts))
    return path


def watched(facts: Probe) -> tuple[list[tuple[int, int]], Decoder]:
    """Milliseconds and number of each frame."""
    decoder = Decoder(facts)
    return [(round(frame.t * 1000), number_of(frame.bgr())) for frame in decoder], decoder


@pytest.mark.parametrize("begin", [3600.0, 50.0, 120.0, 90_000.0])
@pytest.mark.parametrize("after", [0.0, 7.0])
def test_a_clock_that_is_set_back_amid_a_file_costs_nothing(tmp_path: Path, begin: float, after: float) -> None:
    """ts_clock_reset: times, coverage, stills, steps and clips agree to the picture."""
    parts = write(tmp_path / "a.ts", count=50, offset=begin), write(tmp_path / "b.ts", count=50, first=50, offset=after)
    path = joined(tmp_path, *parts)
    facts = probe(path)
    shown, decoder = watched(facts)
    assert shown == [(n * 40, n) for n in range(100)]
    assert (decoder.coverage.recorded, decoder.coverage.reviewed, decoder.coverage.gaps) == (4.0, 4.0, ())
    assert [note.t for note in decoder.coverage.notes] == [2.0]
    assert [number_of(picture) for _, picture in frames_at(path, [1.96, 2.0, 3.6])] == [49, 50, 90]
    step = Stepper().frame(path, 3.2)
    assert step is not None
    assert (number_of(step.picture), step.before, step.after) == (80, 3.16, 3.24)
    cut_clip(path, 1.8, 2.6, tmp_path / "clip.mp4")
    assert [n for _, n in watched(probe(tmp_path / "clip.mp4"))[0]] == list(range(45, 65))


def test_the_counter_of_33_bits_goes_on_at_its_end(tmp_path: Path) -> None:
    path = write(tmp_path / "a.ts", count=100, offset=2**33 / 90_000 - 2 - 1.4, b_frames=2)
    shown, decoder = watched(probe(path))
    assert shown == [(n * 40, n) for n in range(100)]
    assert (decoder.coverage.gaps, decoder.coverage.notes) == ((), ())


def test_a_leap_forward_is_time_without_pictures(tmp_path: Path) -> None:
    parts = write(tmp_path / "a.ts", count=50, offset=10), write(tmp_path / "b.ts", count=50, first=50, offset=40)
    facts = probe(joined(tmp_path, *parts))
    decoder = watched(facts)[1]
    assert decoder.coverage.gaps == (Gap(2.0, 30.0, NO_PICTURES, "gap"),)
    assert (decoder.coverage.recorded, decoder.coverage.reviewed) == (32.0, 4.0)


@pytest.mark.parametrize("seam", [6.0, 12.0, 30.5])
def test_a_pause_is_the_same_gap_whole_and_in_stretches(encode: Encode, seam: float) -> None:
    """pause_without_pictures: wherever a seam lies, and never damage."""
    facts = probe(encode([1000 * t for t in (*range(11), *range(20, 31))]))
    whole = watched(facts)[1].coverage
    assert whole.gaps == (Gap(11.0, 20.0, NO_PICTURES, "gap"),)
    parts = [watched(facts.stretch(a, b))[1].coverage for a, b in ((0.0, seam), (seam, 99.0))]
    assert sum(part.recorded for part in parts) == whole.recorded == 31.0
    assert sum(part.reviewed for part in parts) == whole.reviewed == 22.0
    assert {gap.cause for part in parts for gap in part.gaps} <= {NO_PICTURES}


@pytest.mark.parametrize(("step", "gaps"), [(int(STILL_S * 1000), 0), (int(STILL_S * 1000) + 10, 1)])
def test_a_picture_stands_for_as_long_as_a_hand_signal_lasts(encode: Encode, step: int, gaps: int) -> None:
    facts = probe(encode([*range(0, 2000, 40), *range(1960 + step, 4000 + step, 40)]))
    assert len(facts.timeline.pauses) == gaps


def test_a_slow_recorder_has_no_gap_at_every_picture(encode: Encode) -> None:
    facts = probe(encode([1000 * n for n in range(20)]))
    assert facts.timeline.pauses == ()
    assert LONGER < 1


def test_another_size_is_not_watched_and_the_rest_is(tmp_path: Path) -> None:
    """size_changes."""
    big, small = (
        write(tmp_path / "a.ts", count=50, offset=10),
        write(tmp_path / "b.ts", "libx264", 50, offset=12, size=(160, 120)),
    )
    more = write(tmp_path / "c.ts", count=25, first=100, offset=14)
    facts = probe(joined(tmp_path, big, small, more))
    shown, decoder = watched(facts)
    assert shown == [(n * 40, n) for n in range(50)] + [(4000 + n * 40, 100 + n) for n in range(25)]
    assert decoder.coverage.gaps == (
        Gap(2.0, 4.0, "the picture is 160x120 there: nothing shows that it is the same view", "not_watched"),
    )
    assert decoder.coverage.reviewed == 3.0


@pytest.mark.parametrize("name", ["a.flv", "a.avi", "a.mkv", "a.mp4"])
def test_a_copy_that_broke_off_is_told(tmp_path: Path, name: str) -> None:
    """cut_off_flv_avi."""
    path = write(tmp_path / name, count=250)
    if name == "a.mp4":
        whole = path.rename(tmp_path / "late.mp4")
        with av.open(str(whole)) as source, av.open(str(path), "w", options={"movflags": "faststart"}) as out:
            copied = out.add_stream_from_template(source.streams.video[0])
            for packet in source.demux(video=0):
                if packet.size:
                    packet.stream = copied
                    out.mux(packet)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) * 6 // 10])
    coverage = watched(probe(path))[1].coverage
    assert coverage.recorded == pytest.approx(10.0, abs=0.1)
    assert (coverage.gaps[-1].cause, coverage.gaps[-1].end) == (CUT_OFF, pytest.approx(10.0, abs=0.1))


@pytest.mark.parametrize("name", ["a.mkv", "a.flv", "a.mp4"])
@pytest.mark.parametrize("sound", [{"early": 1.5}, {"longer": 5.0}])
def test_sound_that_begins_earlier_or_ends_later_is_no_cut(tmp_path: Path, name: str, sound: dict[str, float]) -> None:
    """sound_and_matroska."""
    path = with_sound(write(tmp_path / "b.mp4", b_frames=2), tmp_path / name, **sound)
    coverage = watched(probe(path))[1].coverage
    assert (coverage.gaps, coverage.recorded) == ((), pytest.approx(3.0, abs=0.01))


def two_tracks(path: Path, first: Path, second: Path, default: int | None) -> Path:
    with av.open(str(path), "w") as out, av.open(str(first)) as a, av.open(str(second)) as b:
        copied = [out.add_stream_from_template(one.streams.video[0]) for one in (a, b)]
        for number, track in enumerate(copied):
            flag = av.stream.Disposition.default
            track.disposition = flag if number == default else av.stream.Disposition(0)
        for source, track in zip((a, b), copied, strict=True):
            for packet in source.demux(video=0):
                if packet.size:
                    packet.stream = track
                    out.mux(packet)
    return path


def test_the_default_track_is_watched_then_the_larger_one_and_the_other_is_told(tmp_path: Path) -> None:
    """two_picture_tracks."""
    small, large = write(tmp_path / "a.mp4", size=(160, 120)), write(tmp_path / "b.mp4", first=200)
    for default, number, size in ((0, 1, (160, 120)), (1, 2, SIZE), (None, 2, SIZE)):
        facts = probe(two_tracks(tmp_path / f"two{default}.mkv", small, large, default))
        assert (facts.facts.track.number, (facts.info.width, facts.info.height)) == (number, size)
        (note,) = Decoder(facts).coverage.notes
        assert "the file holds 2 picture tracks" in note.text
        assert f"track {3 - number}" in note.text
    told = probe(tmp_path / "two0.mkv", Reading(track=2))
    assert number_of(next(iter(Decoder(told))).bgr()) == 200
    with pytest.raises(BadInput, match=r"has no picture track 3; it holds track 1 .*; choose one of .* with --track"):
        probe(tmp_path / "two0.mkv", Reading(track=3))


@pytest.mark.parametrize(
    "name", ["21:08:02.mp4", "50%d.mp4", "a'b\"c.mp4", "line\nend.mp4", "-i.mp4", "http:x.mp4", "ü" * 125 + ".mp4"]
)
def test_a_name_is_a_name(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """name_with_colon: given by a relative path and by a whole one."""
    write(tmp_path / "a.mp4", count=25).rename(tmp_path / name)
    monkeypatch.chdir(tmp_path)
    for path in (Path(name), tmp_path / name):
        assert len(watched(probe(path))[0]) == 25
    cut_clip(Path(name), 0.0, 0.5, tmp_path / "clip:1.mp4")
    assert (tmp_path / "clip:1.mp4").stat().st_size > 0


def test_a_name_of_bytes_that_are_no_text(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/latin\xe9.mp4"))
    write(tmp_path / "a.mp4", count=25).rename(path)
    assert len(watched(probe(path))[0]) == 25
    assert probe(path).info.name == r"latin\xe9.mp4"


def test_what_is_no_regular_file_is_told_at_once(tmp_path: Path) -> None:
    """night_stoppers."""
    os.mkfifo(tmp_path / "pipe.mp4")
    (tmp_path / "zero.mp4").symlink_to("/dev/zero")
    for name, what in (("pipe.mp4", "is a named pipe"), ("zero.mp4", "is a device")):
        with pytest.raises(BadInput, match=f"{what}, not a video file"):
            probe(tmp_path / name)


def test_a_playlist_opens_no_other_file(tmp_path: Path) -> None:
    write(tmp_path / "a.ts", count=25)
    (tmp_path / "list.mp4").write_text("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\na.ts\n#EXT-X-ENDLIST\n")
    with pytest.raises(BadInput), opened(tmp_path / "list.mp4") as (container, _):
        assert list(container.demux()) == []
        raise BadInput("list.mp4", "nothing of it was opened", "")


def test_pixels_that_are_not_square_are_straightened(tmp_path: Path) -> None:
    path = tmp_path / "wide.mp4"
    with av.open(str(path), "w") as out:
        track = out.add_stream("libx264", rate=RATE)
        track.width, track.height, track.pix_fmt = *SIZE, "yuv420p"
        track.codec_context.sample_aspect_ratio = Fraction(3, 2)
        for number in range(10):
            frame = av.VideoFrame.from_ndarray(np.full((*SIZE[::-1], 3), 90, np.uint8), "bgr24")
            frame.pts = number
            out.mux(track.encode(frame))
        out.mux(track.encode())
    for how, width in ((Reading(), 480), (Reading(aspect=1.0), 320), (Reading(aspect=2.0), 640)):
        facts = probe(path, how)
        assert (facts.info.width, facts.info.height) == (width, 240)
        assert next(iter(Decoder(facts))).bgr().shape == (240, width, 3)


def test_the_hash_is_of_the_film_that_was_read_whatever_the_path_leads_to_afterwards(tmp_path: Path) -> None:
    """recording_exchanged_during_review: a link, or a folder above, leads to another film for a moment and back."""
    films = [write(tmp_path / f"{number}.mp4", count=count) for number, count in enumerate((20, 30))]
    link = tmp_path / "link.mp4"
    link.symlink_to(films[0])
    before = probe(link, sha256=False)
    link.unlink()
    link.symlink_to(films[1])

    def back(read: float) -> None:
        link.unlink()
        link.symlink_to(films[0])

    with pytest.raises(ExchangedError):
        before.hashed(back)
    known = before.hashed()
    with pytest.raises(ExchangedError):  # the path leads to the film again, but another one was opened
        known.check_same(probe(films[1], sha256=False).facts.identity)
    copy = tmp_path / "copy.mp4"
    shutil.copyfile(films[0], copy)
    link.unlink()
    link.symlink_to(copy)
    known.check_same(probe(link, sha256=False).facts.identity)  # the same film, brought back


def test_a_film_that_is_exchanged_while_it_is_watched_is_refused(tmp_path: Path) -> None:
    """recording_exchanged_during_review: by another file, or written over with the same size and time."""
    path, other = write(tmp_path / "a.mp4"), write(tmp_path / "b.mp4", first=300)
    frames = iter(Decoder(probe(path)))
    next(frames)
    other.replace(path)
    with pytest.raises(BadInput, match="holds another film than the one that was read"):
        list(frames)
    facts, before = probe(path), path.stat()
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 255
    path.write_bytes(data)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    with pytest.raises(BadInput, match="holds another film"):
        list(Decoder(facts))
    with pytest.raises(BadInput, match="holds another film"):
        cut_clip(facts, 0.0, 1.0, tmp_path / "clip.mp4")


def test_a_film_that_was_only_touched_is_the_same(tmp_path: Path) -> None:
    path = write(tmp_path / "a.mp4")
    facts = probe(path)
    os.utime(path, (1, 1))
    assert len(list(Decoder(facts))) == 75


def test_a_timeline_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    facts = probe(write(tmp_path / "a.ts", b_frames=2))
    with (tmp_path / "kept.npz").open("wb") as stream:
        facts.timeline.write(stream, facts.facts)
    timeline, again = Timeline.read(tmp_path / "kept.npz")
    assert again == facts.facts
    for name in ("pts", "dts", "place", "size", "key", "needless", "ready", "packet", "times"):
        assert np.array_equal(getattr(timeline, name), getattr(facts.timeline, name))


def test_a_timeline_of_an_earlier_version_is_read(tmp_path: Path) -> None:
    facts = probe(write(tmp_path / "a.ts", b_frames=2))
    with (tmp_path / "kept.npz").open("wb") as stream:
        facts.timeline.write(stream, facts.facts)
    with np.load(tmp_path / "kept.npz") as kept:
        np.savez(tmp_path / "earlier.npz", **{name: kept[name] for name in kept if name != "ready"})
    earlier = Timeline.read(tmp_path / "earlier.npz")[0]
    assert [earlier.begin_for(n) for n in range(75)] == [facts.timeline.begin_for(n) for n in range(75)]


@pytest.mark.parametrize(
    ("told", "platform", "available", "tried"),
    [
        ("auto", "linux", ("cuda", "vaapi"), ("vaapi", "cuda")),
        ("auto", "win32", ("d3d11va",), ("d3d11va",)),
        ("auto", "darwin", ("videotoolbox",), ("videotoolbox",)),
        ("auto", "linux", (), ()),
        ("cpu", "linux", ("cuda",), ()),
        ("cuda", "linux", ("cuda", "vaapi"), ("cuda",)),
    ],
)
def test_a_graphics_card_is_chosen_by_itself_or_by_the_switch(
    told: str, platform: str, available: tuple[str, ...], tried: tuple[str, ...]
) -> None:
    assert hardware.candidates(told, platform, available) == tried


def test_an_unknown_device_is_refused() -> None:
    with pytest.raises(BadInput, match="use one of auto, cpu, cuda"):
        hardware.candidates("gpu", "linux", ("cuda",))


def test_a_graphics_card_that_fails_hands_over_without_loss(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "a.mp4", b_frames=2)
    facts, failed = probe(path), []
    real: Callable[..., Iterator[Any]] = decode.Decoder._frames

    def failing(self: Decoder, stream: Any, packet: Any, number: int, accelerated: bool) -> Iterator[Any]:
        if accelerated and number == 40:
            failed.append(number)
            raise hardware.HardwareError
        return real(self, stream, packet, number, accelerated)

    monkeypatch.setattr(decode, "acceleration", lambda: hardware.HWAccel("cuda", allow_software_fallback=True))
    monkeypatch.setattr(decode, "opened", lambda path, hwaccel=None: opened(path))
    monkeypatch.setattr(decode.Decoder, "_frames", failing)
    assert watched(facts)[0] == [(n * 40, n) for n in range(75)]
    assert failed == [40]


@pytest.mark.parametrize("b_frames", [0, 2])
@pytest.mark.parametrize("back", [0.1, 0.5, 0.9, 1.0])
def test_a_clock_that_is_set_back_a_little_costs_nothing(tmp_path: Path, back: float, b_frames: int) -> None:
    parts = [
        write(tmp_path / f"{first}.ts", count=50, first=first, offset=offset, b_frames=b_frames)
        for first, offset in ((0, 10.0), (50, 12.0 - back))
    ]
    facts = probe(joined(tmp_path, *parts))
    shown, decoder = watched(facts)
    assert shown == [(n * 40, n) for n in range(100)]
    assert (decoder.coverage.gaps, len(decoder.coverage.notes)) == ((), 1)
    assert shown == watched(facts.stretch(0.0, 1.9))[0] + watched(facts.stretch(1.9, 9.0))[0]


def test_what_is_appended_and_not_read_is_told(tmp_path: Path) -> None:
    path = write(tmp_path / "a.mp4")
    path.write_bytes(path.read_bytes() + write(tmp_path / "b.mp4", first=100).read_bytes())
    coverage = watched(probe(path))[1].coverage
    (gap,) = coverage.gaps
    assert (gap.start, gap.cause, coverage.reviewed) == (3.0, UNREAD, 3.0)


def test_gaps_that_overlap_are_counted_once() -> None:
    assert _united([Gap(0.0, 2.0, "a"), Gap(1.0, 3.0, "b"), Gap(1.5, 2.5, "c"), Gap(4.0, 5.0, "d")]) == 4.0


def test_the_last_picture_of_a_slow_recording_makes_a_clip(tmp_path: Path) -> None:
    path, clip = write(tmp_path / "a.mp4", stamps=[1000 * n for n in range(30)]), tmp_path / "clip.mp4"
    make_clip(path, 29.3, 30.0, clip)
    assert watched(probe(clip))[0] == [(0, 29)]


def test_a_name_with_a_null_byte_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="is no name of a file"):
        probe(tmp_path / "a\0b.mp4")
