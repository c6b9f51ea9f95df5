"""A file that ends amid a part, that another recording was appended to, or whose edit list leaves pictures out."""

from __future__ import annotations

import struct
from pathlib import Path

import av
import pytest
from kinds import RATE, dahua, write

from verifier.recording.decode import CUT_OFF, HIDDEN, UNREAD, Decoder
from verifier.recording.ending import Ending, ending
from verifier.recording.heads import _PROPERTIES, head_length
from verifier.recording.probe import CUT_TOLERANCE, Coverage, _hidden, probe

COUNT = 100
LIVE = {
    "fragments.mp4": ("mp4", {"movflags": "frag_keyframe+empty_moov+default_base_moof"}),
    "live.mkv": ("matroska", {"live": "1"}),
    "live.flv": ("flv", {"flvflags": "no_duration_filesize"}),
    "a.ts": ("mpegts", {}),
}
"""Recordings that do not tell their length: as they are written while the recorder records."""


def coverage_of(path: Path) -> Coverage:
    decoder = Decoder(probe(path, sha256=False))
    assert sum(1 for _ in decoder)
    return decoder.coverage


def made(folder: Path, name: str, count: int = COUNT, first: int = 0) -> Path:
    """A recording of that name, in a folder of its own."""
    folder.mkdir(exist_ok=True)
    source = write(folder / "source.mp4", count=count, first=first)
    if name.endswith(".dav"):
        return dahua(source, folder / name)
    if name not in LIVE:
        return write(folder / name, count=count, first=first)
    container, options = LIVE[name]
    with av.open(str(source)) as whole, av.open(str(folder / name), "w", format=container, options=options) as out:
        copied = out.add_stream_from_template(whole.streams.video[0])
        for packet in whole.demux(video=0):
            if packet.size:
                packet.stream = copied
                out.mux(packet)
    return folder / name


@pytest.mark.parametrize("name", [*LIVE, "a.dav"])
def test_a_copy_that_broke_off_amid_a_part_is_told_though_no_length_is(tmp_path: Path, name: str) -> None:
    """cut_off_flv_avi."""
    path = made(tmp_path, name)
    whole = coverage_of(path)
    assert (whole.gaps, whole.recorded) == ((), pytest.approx(COUNT / RATE, abs=0.01))
    data = path.read_bytes()
    for share in (0.6, 0.7, 0.83):
        path.write_bytes(data[: int(len(data) * share)])
        assert coverage_of(path).gaps[-1].cause == CUT_OFF, share


@pytest.mark.parametrize(
    "name", ["fragments.mp4", "live.mkv", "live.flv", "a.ts", "a.dav", "a.mp4", "a.mkv", "a.flv", "a.asf"]
)
@pytest.mark.parametrize("behind", [bytes(1000), b"no part of any recording" * 90, b"\xff" * 500])
def test_what_is_no_part_of_a_recording_behind_it_is_no_cut(tmp_path: Path, name: str, behind: bytes) -> None:
    path = made(tmp_path, name)
    path.write_bytes(path.read_bytes() + behind)
    assert coverage_of(path).gaps == ()


def test_an_flv_whose_last_bytes_never_came_to_the_disk_is_cut_off(tmp_path: Path) -> None:
    """Zeros stand there: behind each tag its length is written again."""
    path = made(tmp_path, "live.flv")
    path.write_bytes(path.read_bytes()[:-300] + bytes(300))
    assert coverage_of(path).gaps[-1].cause == CUT_OFF


@pytest.mark.parametrize(("name", "offset"), [("a.asf", 0.0), ("a.flv", 1000.0)])
def test_the_length_that_a_head_tells_holds_for_a_copy_that_lost_its_end(
    tmp_path: Path, name: str, offset: float
) -> None:
    """FFmpeg drops it in ASF where the file is shorter than its head says; FLV counts it from the first picture."""
    path = write(tmp_path / name, count=COUNT, offset=offset)
    assert coverage_of(path).gaps == ()
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 6 // 10])
    coverage = coverage_of(path)
    assert coverage.gaps[-1].cause == CUT_OFF
    assert coverage.recorded == pytest.approx(COUNT / RATE, abs=0.05)


@pytest.mark.parametrize("content", [b"", b"onMetaData", b"onMetaData\0\x08duration\0", _PROPERTIES + bytes(70)])
def test_a_head_that_breaks_off_tells_no_length(tmp_path: Path, content: bytes) -> None:
    (path := tmp_path / "a").write_bytes(content + b"x")
    assert (head_length(path, "flv"), head_length(path, "asf")) == (None, None)


@pytest.mark.parametrize("name", ["a.mp4", "a.flv", "a.asf"])
def test_a_short_recording_that_was_appended_is_told(tmp_path: Path, name: str) -> None:
    """Less than a fifth of the bytes; the container tells where it begins."""
    path, other = made(tmp_path, name), made(tmp_path / "other", name, 12, COUNT)
    path.write_bytes(path.read_bytes() + other.read_bytes())
    (gap,) = coverage_of(path).gaps
    assert (gap.start, gap.cause) == (pytest.approx(COUNT / RATE, abs=0.01), UNREAD)


def test_a_program_of_other_tracks_that_was_appended_is_found(tmp_path: Path) -> None:
    """In a short file FFmpeg knows both tracks at once; one that begins behind its first 5 MB it never tells of."""
    path, other = made(tmp_path, "a.ts"), tmp_path / "other.ts"
    source = write(tmp_path / "b.mp4", count=12, first=COUNT)
    with av.open(str(source)) as whole, av.open(str(other), "w", options={"mpegts_start_pid": "500"}) as out:
        copied = out.add_stream_from_template(whole.streams.video[0])
        for packet in whole.demux(video=0):
            if packet.size:
                packet.stream = copied
                out.mux(packet)
    begins = path.stat().st_size
    path.write_bytes(path.read_bytes() + other.read_bytes())
    for tracks, found in (({256}, True), ({256, 500}, False)):
        another = ending(path, "mpegts", 0, 100, tracks).another
        assert (another is not None and begins <= another < begins + 10 * 188) is found


@pytest.mark.parametrize("name", ["a.mkv", "a.avi", "a.ts"])
def test_a_recording_that_was_appended_and_is_read_is_watched(tmp_path: Path, name: str) -> None:
    path, other = made(tmp_path, name), made(tmp_path / "other", name, 12, COUNT)
    path.write_bytes(path.read_bytes() + other.read_bytes())
    coverage = coverage_of(path)
    assert (coverage.gaps, coverage.reviewed) == ((), pytest.approx((COUNT + 12) / RATE, abs=0.01))


def edited(path: Path, length: float, begin: float) -> Path:
    """Set a recording's edit list: what is played begins at `begin` and lasts `length`, shares of the whole."""
    data = bytearray(path.read_bytes())
    place = data.index(b"elst") + 12
    whole, _, rate = struct.unpack(">IiI", data[place : place + 12])
    track = probe(path, sha256=False).timeline
    stamp = int(track.pts[0] + begin * (track.pts[-1] - track.pts[0]))
    data[place : place + 12] = struct.pack(">IiI", round(whole * length), stamp, rate)
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(("length", "begin", "shown"), [(0.9, 0.0, 0.9), (0.5, 0.5, 0.5), (0.3, 0.36, 0.3)])
def test_pictures_that_an_edit_list_leaves_out_are_told(
    tmp_path: Path, length: float, begin: float, shown: float
) -> None:
    coverage = coverage_of(edited(made(tmp_path, "a.mp4"), length, begin))
    assert coverage.gaps[-1].cause == HIDDEN
    assert coverage.reviewed == pytest.approx(shown * COUNT / RATE, abs=0.1)
    told = sum(int(note.text.rpartition("(")[2].rstrip(")")) for note in coverage.notes) / RATE
    assert coverage.recorded + told == pytest.approx(COUNT / RATE, abs=0.1)


def test_one_picture_that_does_not_come_is_no_gap_two_are_and_a_cut_is_a_cut(tmp_path: Path) -> None:
    """As with pictures that are lost, singles are not told."""
    timeline = probe(made(tmp_path, "a.mp4"), sha256=False).timeline
    assert [_hidden(missing, timeline.end, timeline) for missing in (0, 1, 2)] == [0.0, 0.0, 2 / RATE]
    assert _hidden(2, timeline.end + CUT_TOLERANCE + 0.01, timeline) == 0.0


def test_a_broken_head_is_no_part(tmp_path: Path) -> None:
    """What the search meets may be anything: it ends there."""
    for kind in ("mov,mp4,m4a,3gp,3g2,mj2", "matroska,webm", "flv", "asf", "avi", "mpegts", "dhav", "mpeg"):
        for content in (b"\0", b"\xa3", b"\xa3\0", b"ftyp" * 9, b"G" * 1000, b"DHAV", b"RIFF" * 8, bytes(300)):
            (path := tmp_path / "a").write_bytes(content)
            assert isinstance(ending(path, kind, 0, 0), Ending)
