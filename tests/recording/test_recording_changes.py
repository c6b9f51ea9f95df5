"""Pictures that change within a file: a new stretch begins. What provably shows the same view is scaled to the layout's
size and watched; what does not is not watched, and is told.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
import pytest
from av.bitstream import BitStreamFilterContext
from kinds import bare, remux, scene, write
from numbered import SIZE, number_of

from verifier.recording.decode import Decoder
from verifier.recording.probe import Probe, probe
from verifier.recording.upright import Shape
from verifier.recording.views import AGREES, ASPECT, OFF, SHOWS, Run, fitted, same_view
from verifier.review.clips import copy_clip, make_clip
from verifier.review.frames import frames_at
from verifier.review.stepping import Stepper

BIG, SMALL = (640, 480), (240, 180)
TOLD = "nothing shows that it is the same view"


def joined(path: Path, *parts: Path) -> Path:
    path.write_bytes(b"".join(part.read_bytes() for part in parts))
    return path


def parts(folder: Path, *sizes: tuple[int, int], views: tuple[int, ...] = (0, 0, 0), **how: Any) -> list[Path]:
    """Transport streams of 25 pictures each, one after the other."""
    return [
        write(
            folder / f"{number}.ts",
            count=25,
            first=25 * number,
            offset=10.0 + number,
            size=size,
            draw=partial(scene, view=view),
            **how,
        )
        for number, (size, view) in enumerate(zip(sizes, views, strict=False))
    ]


def shown(facts: Probe) -> tuple[list[tuple[int, int]], Decoder]:
    """Milliseconds and number of each frame, whose picture has the layout's size."""
    decoder, came = Decoder(facts), []
    for frame in decoder:
        picture = frame.bgr()
        assert picture.shape[1::-1] == frame.size == (facts.info.width, facts.info.height)
        grey = frame.luma(*frame.size).astype(int)
        assert np.abs(grey - cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) * (219 / 255) - 16).mean() < 4
        came.append((round(frame.t * 1000), number_of(cv2.resize(picture, SIZE, interpolation=cv2.INTER_AREA))))
    return came, decoder


def gaps(decoder: Decoder) -> list[tuple[float, float, str, str]]:
    return [(gap.start, gap.end, gap.cause, gap.state) for gap in decoder.coverage.gaps]


EVERY = [(n * 40, n) for n in range(75)]


@pytest.mark.parametrize("other", [BIG, SMALL])
def test_the_same_view_in_another_size_is_scaled_and_watched(tmp_path: Path, other: tuple[int, int]) -> None:
    facts = probe(joined(tmp_path / "a.ts", *parts(tmp_path, SIZE, other, SIZE)))
    came, decoder = shown(facts)
    assert came == EVERY
    assert gaps(decoder) == []
    told = f"the picture is {other[0]}x{other[1]} from here on, of the same view: it is scaled to 320x240"
    assert [(note.t, note.text) for note in decoder.coverage.notes] == [
        (1.0, told),
        (2.0, "the picture is 320x240 from here on"),
    ]


def test_stills_steps_and_clips_of_a_scaled_stretch_show_its_pictures(tmp_path: Path) -> None:
    facts = probe(joined(tmp_path / "a.ts", *parts(tmp_path, SIZE, BIG, SIZE)))
    assert [number_of(picture) for _, picture in frames_at(facts, [0.6, 1.2, 1.6, 2.0])] == [15, 30, 40, 50]
    step = Stepper().frame(facts, 1.2)
    assert step is not None
    assert (number_of(step.picture), step.before, step.after) == (30, 1.16, 1.24)
    assert not copy_clip(facts, 0.8, 1.2, tmp_path / "clip.mp4"), "a copy has one head for both"
    make_clip(facts, 0.8, 1.2, tmp_path / "clip.mp4")
    assert [n for _, n in shown(probe(tmp_path / "clip.mp4"))[0]] == list(range(20, 30))


@pytest.mark.parametrize("other", [BIG, SMALL])
def test_another_view_in_another_size_is_not_watched(tmp_path: Path, other: tuple[int, int]) -> None:
    facts = probe(joined(tmp_path / "a.ts", *parts(tmp_path, SIZE, other, SIZE, views=(0, 1, 0))))
    came, decoder = shown(facts)
    assert came == EVERY[:25] + EVERY[50:]
    assert gaps(decoder) == [(1.0, 2.0, f"the picture is {other[0]}x{other[1]} there: {TOLD}", "not_watched")]
    assert [note.text for note in decoder.coverage.notes] == ["the picture is 320x240 from here on"]


def test_another_aspect_is_another_view(tmp_path: Path) -> None:
    facts = probe(joined(tmp_path / "a.ts", *parts(tmp_path, SIZE, (320, 180))))
    assert gaps(shown(facts)[1]) == [(1.0, 2.0, f"the picture is 320x180 there: {TOLD}", "not_watched")]


def test_what_is_too_small_for_the_layout_is_not_watched_though_it_is_the_same_view(tmp_path: Path) -> None:
    facts = probe(joined(tmp_path / "a.ts", *parts(tmp_path, SIZE, SMALL, BIG)))
    assert gaps(shown(facts.fitted(SIZE, 0.75))[1]) == []
    why = "the picture is 240x180 there: cards are too small to be read"
    assert gaps(shown(facts.fitted(SIZE, 0.76))[1]) == [(1.0, 2.0, why, "not_watched")]


def test_the_layout_says_which_pictures_are_meant_not_the_first_ones(tmp_path: Path) -> None:
    """The first pictures have another size than the layout: the part that fits is watched, the other told."""
    facts = probe(joined(tmp_path / "a.ts", *parts(tmp_path, SMALL, SIZE, SIZE, views=(1, 0, 0)))).fitted(SIZE, 1.0)
    came, decoder = shown(facts)
    assert (facts.info.width, facts.info.height) == SIZE
    assert came == EVERY[25:]
    assert gaps(decoder) == [(0.0, 1.0, f"the picture is 240x180 there: {TOLD}", "not_watched")]
    assert shown(probe(tmp_path / "a.ts").fitted(SMALL))[0] == EVERY[:25]
    assert probe(tmp_path / "a.ts").fitted((100, 100)).info.width == 240, "no pictures of the layout's size: as it was"


@pytest.mark.parametrize("views", [(0, 0, 0), (0, 1, 0)])
def test_whole_and_in_stretches_the_same_is_watched_and_told(tmp_path: Path, views: tuple[int, ...]) -> None:
    facts = probe(joined(tmp_path / "a.ts", *parts(tmp_path, SIZE, BIG, SIZE, views=views)))
    whole, decoder = shown(facts)
    ends = [0.0, 0.52, 1.32, 1.72, 2.4, 3.0]
    some = [shown(facts.stretch(a, b)) for a, b in pairwise(ends)]
    assert [one for came, _ in some for one in came] == whole
    assert sum(part.coverage.reviewed for _, part in some) == pytest.approx(decoder.coverage.reviewed)
    assert [note for _, part in some for note in part.coverage.notes] == list(decoder.coverage.notes)


def turned(source: Path, target: Path, degrees: int) -> Path:
    """The recording with messages that ask players to turn it."""
    with av.open(str(source)) as whole, av.open(str(target), "w") as out:
        track = whole.streams.video[0]
        added = BitStreamFilterContext(f"h264_metadata=display_orientation=insert:rotate={degrees}", track)
        copied = out.add_stream_from_template(track)
        for packet in whole.demux(track):
            for one in added.filter(packet) if packet.size else ():
                one.stream = copied
                out.mux(one)
    return target


def test_pictures_that_are_stored_turned_and_say_so_are_watched(tmp_path: Path) -> None:
    def overturned(number: int, size: tuple[int, int]) -> np.ndarray:
        return np.ascontiguousarray(scene(number, size)[::-1, ::-1])

    first = write(tmp_path / "0.ts", count=25, offset=10.0, draw=scene)
    second = write(tmp_path / "1.ts", count=25, first=25, offset=11.0, gop=25, draw=overturned)
    facts = probe(joined(tmp_path / "a.ts", first, turned(second, tmp_path / "2.ts", 180)))
    came, decoder = shown(facts)
    assert (came, gaps(decoder)) == (EVERY[:50], [])
    assert [note.text for note in decoder.coverage.notes] == [
        "the picture is stored in another way from here on, and shown as before"
    ]


def test_pictures_that_are_turned_only_when_shown_are_not_watched(tmp_path: Path) -> None:
    first, second = parts(tmp_path, SIZE, SIZE, gop=25)
    facts = probe(joined(tmp_path / "a.ts", first, turned(second, tmp_path / "2.ts", 180)))
    came, decoder = shown(facts)
    assert (came, gaps(decoder)) == (EVERY[:25], [(1.0, 2.0, "the picture is turned there", "not_watched")])


@pytest.mark.parametrize("later", [True, False])
def test_a_change_of_the_range_of_colours_changes_no_picture(tmp_path: Path, later: bool) -> None:
    first = write(tmp_path / "0.ts", count=25, offset=10.0, draw=scene, full=not later)
    second = write(tmp_path / "1.ts", count=25, first=24, offset=11.0, draw=scene, full=later)
    facts = probe(joined(tmp_path / "a.ts", first, second))
    frames = list(Decoder(facts))
    one, other = frames[24], frames[25]
    assert np.abs(one.bgr().astype(int) - other.bgr()).mean() < 3, "both are picture 24"
    assert np.abs(one.luma(*SIZE).astype(int) - other.luma(*SIZE)).mean() < 3
    (note,) = Decoder(facts).coverage.notes
    assert (note.t, note.text) == (1.0, f"colours take values from {'0 to 255' if later else '16 to 235'} from here on")


def test_a_change_to_interlaced_pictures_is_told_and_watched(tmp_path: Path) -> None:
    (first,) = parts(tmp_path, SIZE)
    second = write(
        tmp_path / "1.ts", count=25, first=25, offset=11.0, draw=scene, more={"x264-params": "interlaced=1:tff=1"}
    )
    came, decoder = shown(probe(joined(tmp_path / "a.ts", first, second)))
    assert (came, gaps(decoder)) == (EVERY[:50], [])
    assert [(n.t, n.text) for n in decoder.coverage.notes] == [(1.0, "pictures are interlaced from here on")]


def in_matroska(folder: Path, *some: Path) -> Path:
    """Streams one after the other in Matroska, each with its own parameter sets amid the packets."""
    streams = [bare(part, part.with_suffix(".h264")) for part in some]
    return remux(joined(folder / "all.h264", *streams), folder / "a.mkv")


def in_avi(folder: Path, *sizes: tuple[int, int]) -> Path:
    """Motion JPEG whose pictures change their size."""
    with av.open(str(folder / "a.avi"), "w") as out:
        track = out.add_stream("mjpeg", rate=25)
        track.width, track.height, track.pix_fmt = *sizes[0], "yuvj420p"
        for place, size in enumerate(sizes):
            with av.open(
                str(write(folder / f"{place}.avi", "mjpeg", 25, first=25 * place, size=size, draw=scene))
            ) as a:
                for number, packet in enumerate(p for p in a.demux(video=0) if p.size):
                    packet.pts = packet.dts = 25 * place + number
                    packet.time_base, packet.stream = Fraction(1, 25), track
                    out.mux(packet)
    return folder / "a.avi"


def mpeg2(folder: Path, *sizes: tuple[int, int]) -> Path:
    some = [
        write(folder / f"{n}.ts", "mpeg2video", 25, first=25 * n, offset=10.0 + n, size=size, draw=scene)
        for n, size in enumerate(sizes)
    ]
    return joined(folder / "a.ts", *some)


def hevc(folder: Path, *sizes: tuple[int, int]) -> Path:
    some = [
        write(folder / f"{n}.ts", "libx265", 25, first=25 * n, offset=10.0 + n, size=size, draw=scene)
        for n, size in enumerate(sizes)
    ]
    return joined(folder / "a.ts", *some)


@pytest.mark.parametrize(
    "made", [lambda folder, *sizes: in_matroska(folder, *parts(folder, *sizes)), in_avi, mpeg2, hevc]
)
def test_the_change_is_seen_in_every_kind_of_stream(tmp_path: Path, made: Callable[..., Path]) -> None:
    facts = probe(made(tmp_path, SIZE, BIG, SIZE))
    came, decoder = shown(facts)
    assert [number for _, number in came] == list(range(75))
    assert gaps(decoder) == []
    assert [note.text.split(",")[0] for note in decoder.coverage.notes if "picture is" in note.text] == [
        "the picture is 640x480 from here on",
        "the picture is 320x240 from here on",
    ]


def test_a_file_whose_pictures_do_not_change_is_decoded_once(tmp_path: Path) -> None:
    assert probe(write(tmp_path / "a.ts", count=75, draw=scene)).facts.runs == ()


def grey(view: int, number: int = 0) -> np.ndarray:
    return cv2.cvtColor(scene(number, SIZE, view), cv2.COLOR_BGR2GRAY)


def moved(picture: np.ndarray, pixels: float) -> np.ndarray:
    return cv2.warpAffine(picture, np.float32([[1, 0, pixels], [0, 1, 0]]), SIZE, borderMode=cv2.BORDER_REPLICATE)


def test_the_same_view_is_at_the_same_place() -> None:
    edge = OFF * SIZE[0]
    assert same_view(grey(0), grey(0, 1))
    assert same_view(grey(0), moved(grey(0), edge - 0.3))
    assert not same_view(grey(0), moved(grey(0), edge + 0.3))
    assert not same_view(grey(0), grey(1))
    larger = cv2.warpAffine(grey(0), np.float32([[1.03, 0, -4.8], [0, 1.03, -3.6]]), SIZE)
    assert not same_view(grey(0), larger), "the camera looks at a smaller part"


@pytest.mark.parametrize(("off", "same"), [(ASPECT - 0.003, True), (ASPECT + 0.003, False)])
def test_sides_may_be_cut_to_whole_blocks(off: float, same: bool) -> None:
    assert same_view(grey(0), cv2.resize(grey(0), (320, round(240 * (1 + off))))) is same


@pytest.mark.parametrize(("share", "same"), [(0.3, True), (1.2, False)])
def test_a_part_may_differ_but_not_the_most(share: float, same: bool) -> None:
    """Noise of so many times the picture's own deviation: correlation is 1 / sqrt(1 + share**2)."""
    assert bool(1 / np.sqrt(1 + share**2) > AGREES) is same
    one = grey(0).astype(float)
    noise = cv2.GaussianBlur(np.random.default_rng(5).normal(size=one.shape), (0, 0), 4)
    other = one + noise / noise.std() * one.std() * share
    assert same_view(grey(0), np.clip(other * 0.5 + 60, 0, 255).astype(np.uint8)) is same


@pytest.mark.parametrize(("deviation", "shows"), [(SHOWS * 0.9, False), (SHOWS * 4, True)])
def test_a_picture_that_shows_nothing_proves_nothing(deviation: float, shows: bool) -> None:
    faint = np.round((grey(0) - grey(0).mean()) / grey(0).std() * deviation + 30).astype(np.uint8)
    assert same_view(faint, faint) is shows


def test_without_pictures_of_the_layouts_size_nothing_is_fitted() -> None:
    runs = [Run(first=0, shape=Shape(SIZE)), Run(first=9, shape=Shape(BIG))]
    assert fitted(runs, (100, 100), 0.5) == runs
    assert [run.shape.size for run in fitted(runs, BIG, 0.5)] == [BIG, BIG]
