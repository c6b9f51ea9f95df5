"""The sample-recording check on a simulated recording, sound and with one fault made at a time."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from fractions import Fraction
from pathlib import Path
from typing import TypeVar

import av
import cv2
import msgspec
import numpy as np
import pytest
from pypdf import PdfReader

from verifier.cli import run
from verifier.domain.errors import BadInput
from verifier.domain.house import House
from verifier.domain.layout import Layout, SpaceZones, Zones
from verifier.domain.observations import CardSeen, ChipSeen, Observation
from verifier.formats.layout import read_layout, write_layout
from verifier.recording.decode import Decoder, Picture
from verifier.review.documents.keeping import DRAFT
from verifier.review.sample_check.check import check_sample
from verifier.review.sample_check.files import history_of, judged, keep_sample, sample_pdf
from verifier.review.sample_check.looking import Looked, Sample
from verifier.review.sample_check.readable import readable_items
from verifier.review.sample_check.showing import Stills
from verifier.review.sample_check.values import Checked, Cover, Item
from verifier.simulate.render.effects import burn_clock
from verifier.store.repository import Store
from verifier.vision.ocr import Line, LineReader, TextReader
from verifier.vision.signs import says_number

SOURCE = Path(__file__).parents[2] / "sample_videos" / "clean"
SIZE, FPS, SECONDS = (960, 540), 15, 8
START = datetime(2026, 11, 11, 20, 15, 55)
SAME_TEXT = 0.1
"""Share of its contrast by which a smoothed picture of the same text differs at most, where it was encoded again."""
T = TypeVar("T")
Frames = list[tuple[int, Picture]]
"""Frame number (its time of presentation) and picture."""


@pytest.fixture(scope="module")
def base() -> list[Picture]:
    """The first seconds of a simulated recording, its clock painted over."""
    pictures: list[Picture] = []
    for frame in Decoder(SOURCE / "video.mp4"):
        if len(pictures) == FPS * SECONDS:
            break
        picture = np.asarray(cv2.resize(frame.bgr(), SIZE, interpolation=cv2.INTER_AREA), np.uint8)
        cv2.rectangle(picture, (0, 0), (220, 42), (40, 45, 52), -1)
        pictures.append(picture)
    return pictures


class Remembering:
    """Reads text for true, but only once: a picture that hardly differs from one before says the same."""

    def __init__(self) -> None:
        self._reader = TextReader()
        self._known: dict[tuple[object, ...], list[tuple[Picture, object]]] = {}

    def line(self, crop: Picture) -> str | None:
        return self._once(self._reader.line, crop)

    def lines(self, picture: Picture) -> list[Line]:
        return self._once(self._reader.lines, picture)

    def _once(self, read: Callable[[Picture], T], picture: Picture) -> T:
        known = self._known.setdefault((read.__name__, picture.shape), [])
        smooth = np.asarray(cv2.blur(picture, (5, 5)), np.uint8)
        most = SAME_TEXT * float(np.ptp(smooth))
        for before, said in known:
            if cv2.absdiff(before, smooth).max() < most:
                return said  # type: ignore[return-value]
        known.append((smooth, read(picture)))
        return known[-1][1]  # type: ignore[return-value]


@pytest.fixture(scope="module")
def reader() -> Remembering:
    return Remembering()


def table(scale: float = SIZE[0] / 1280, **changes: object) -> Layout:
    layout = read_layout(SOURCE / "layout.yaml")

    def zones(values: object) -> dict[str, object]:
        names = values.__struct_fields__  # type: ignore[attr-defined]
        return {name: [(x * scale, y * scale) for x, y in zone] for name in names if (zone := getattr(values, name))}

    made = msgspec.structs.replace(
        layout,
        image_size=(round(1280 * scale), round(720 * scale)),
        zones=Zones(**zones(layout.zones)),  # type: ignore[arg-type]
        spaces={number: SpaceZones(**zones(space)) for number, space in layout.spaces.items()},  # type: ignore[arg-type]
        card_px=tuple(side * scale for side in layout.card_px) if layout.card_px else None,
        pixels_per_mm=layout.pixels_per_mm * scale if layout.pixels_per_mm else None,
    )
    return msgspec.structs.replace(made, **changes)


def clocked(
    pictures: Sequence[Picture], rate: float = 1.0, jump: tuple[float, float] = (1e9, 0.0), start: datetime = START
) -> Frames:
    """The pictures with a clock burned in that runs at `rate` from `start` and jumps by jump[1] seconds at jump[0]."""
    frames = []
    for number, picture in enumerate(pictures):
        t = number / FPS
        shown = start + timedelta(seconds=int(t * rate + (jump[1] if t >= jump[0] else 0.0)))
        copy = picture.copy()
        burn_clock(copy, shown.isoformat(sep=" "), 0)
        frames.append((number, copy))
    return frames


def written(path: Path, frames: Frames, after: float = 0.0) -> Path:
    height, width = frames[0][1].shape[:2]
    with av.open(str(path), "w", options={"movflags": "+faststart"}) as container:
        stream = container.add_stream("libx264", rate=FPS, options={"preset": "ultrafast", "crf": "20", "bf": "0"})
        stream.width, stream.height, stream.pix_fmt, stream.time_base = width, height, "yuv420p", Fraction(1, FPS)
        for number, picture in frames:
            frame = av.VideoFrame.from_ndarray(picture, format="bgr24")
            frame.pts, frame.time_base = number + round(after * FPS), Fraction(1, FPS)
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return path


def checked(
    folder: Path, frames: Frames, reader: LineReader, layout: Layout | None = None, **others: object
) -> Checked:
    write_layout(folder / "layout.yaml", layout or table())
    video = written(folder / "sample.mp4", frames)
    detect = lambda picture: Observation(t=0.0, frame=0)  # noqa: E731
    return check_sample(video, folder / "layout.yaml", reader=reader, detect=detect, **others)  # type: ignore[arg-type]


def verdicts(result: Checked) -> dict[str, str]:
    return {item.key: item.verdict for item in result.report.items}


def item_of(result: Checked, key: str) -> Item:
    return next(item for item in result.report.items if item.key == key)


def changed(change: Callable[[Picture], object]) -> Callable[[list[Picture]], Frames]:
    """A fault that every picture has."""

    def make(base: list[Picture]) -> Frames:
        frames = clocked(base)
        return [(number, made if isinstance(made := change(one), np.ndarray) else one) for number, one in frames]

    return make


def frozen(base: list[Picture]) -> Frames:
    frames = clocked(base)
    return [(number, frames[45][1] if 45 <= number < 100 else one) for number, one in frames]


def doubled(base: list[Picture]) -> Frames:
    frames = clocked(base)
    return [(number, frames[number - number % 3][1]) for number, _ in frames]


def dropped(base: list[Picture]) -> Frames:
    return [(number, one) for number, one in clocked(base) if number % 7 not in (2, 3)]


def painted(zone: str, from_number: int = 0) -> Callable[[list[Picture]], Frames]:
    """A cloth over a zone from some frame on."""

    def make(base: list[Picture]) -> Frames:
        outline = np.array(getattr(table().zones, zone)).round().astype(np.int32)
        for number, picture in (frames := clocked(base)):
            if number >= from_number:
                cv2.fillPoly(picture, [outline], (70, 90, 160))
                cv2.polylines(picture, [outline], True, (70, 90, 160), 6)
        return frames

    return make


FAULTS: dict[str, tuple[Callable[[list[Picture]], Frames], str]] = {
    "time lapse": (lambda base: clocked(base, rate=4.0), "real-time"),
    "slow motion": (lambda base: clocked(base, rate=0.3), "real-time"),
    "a missing stretch": (lambda base: clocked(base, jump=(4.0, 60.0)), "gaps"),
    "a frozen picture": (frozen, "frozen"),
    "dropped frames": (dropped, "dropped"),
    "frames shown three times": (doubled, "doubled"),
    "no clock": (lambda base: list(enumerate(base)), "clock"),
    "black and white": (changed(lambda one: cv2.merge([cv2.cvtColor(one, cv2.COLOR_BGR2GRAY)] * 3)), "colour"),
    "out of focus": (changed(lambda one: cv2.GaussianBlur(one, (0, 0), 5)), "sharpness"),
    "darkness": (changed(lambda one: cv2.convertScaleAbs(one, alpha=0.2)), "exposure"),
    "a covered shoe": (painted("shoe"), "view-shoe"),
    "a shoe covered later": (painted("shoe", 75), "view-shoe"),
    "a covered chip tray": (painted("tray"), "view-tray"),
    "a covered site id": (painted("site_id"), "site-id"),
}


@pytest.fixture(scope="module")
def sound(base: list[Picture], reader: LineReader, tmp_path_factory: pytest.TempPathFactory) -> Checked:
    cover = Cover(organization="Prairie", changed="2026-11-10", trigger="camera moved", by="Kim")
    return checked(tmp_path_factory.mktemp("sound"), clocked(base), reader, made=START, cover=cover)


def test_a_sound_recording_fails_in_nothing(sound: Checked) -> None:
    left = {key: verdict for key, verdict in verdicts(sound).items() if verdict != "pass"}
    assert left == {
        "resolution": "cannot_tell",
        "cards": "cannot_tell",
        "chips": "cannot_tell",
        "currency": "cannot_tell",
        "overlap": "not_applicable",
    }
    assert sound.report.exit_code == 4
    assert {"clock", "view-shoe", "table-number"} <= set(sound.pictures)


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_fails_in_its_item_alone(
    name: str, base: list[Picture], reader: LineReader, sound: Checked, tmp_path: Path
) -> None:
    make, key = FAULTS[name]
    found = verdicts(checked(tmp_path, make(base), reader, made=START))
    assert found[key] == "fail"
    follow = {
        "real-time": {"clock-right", "frozen"},
        "clock": set(),
        "frozen": {"real-time", "gaps", "dropped", "doubled"},
    }
    unseen = {item for item in found if item.startswith("view-")} | {"site-id", "table-number", "clock", "sharpness"}
    follow |= {"sharpness": unseen, "exposure": unseen | {"frozen"}, "gaps": {"clock-right"}}
    allowed = {key, *follow.get(key, set())}
    assert {item for item, verdict in found.items() if verdict == "fail"} <= allowed


@pytest.mark.parametrize(
    ("start", "jump", "zone", "verdict", "says"),
    [
        (datetime(2026, 11, 1, 1, 59, 56), -3600.0, None, "pass", "was set back by 3600 s: summer time ended"),
        (datetime(2026, 3, 8, 1, 59, 56), 3600.0, None, "cannot_tell", "A missing hour would look the same"),
        (datetime(2026, 11, 1, 1, 59, 56), -3600.0, "America/Phoenix", "fail", "the clock jumps by -3600 s"),
        (datetime(2026, 10, 25, 2, 59, 56), -3600.0, "Europe/Berlin", "pass", "summer time ended"),
        (datetime(2026, 11, 2, 1, 59, 56), -3600.0, None, "fail", "the clock jumps by -3600 s"),
    ],
)
def test_the_change_of_time_is_no_missing_stretch(
    start: datetime,
    jump: float,
    zone: str | None,
    verdict: str,
    says: str,
    base: list[Picture],
    reader: LineReader,
    tmp_path: Path,
) -> None:
    """cases/dst_set_back."""
    frames = clocked(base, jump=(4.0, jump), start=start)
    item = item_of(checked(tmp_path, frames, reader, house=House(time_zone=zone)), "gaps")
    assert item.verdict == verdict
    assert says in item.says


def test_a_frozen_picture_is_told_as_that_and_not_as_jumps(
    base: list[Picture], reader: LineReader, tmp_path: Path
) -> None:
    """cases/dst_set_back."""
    found = checked(tmp_path, frozen(base), reader)
    assert item_of(found, "frozen").says == "From 3.0 s to 6.7 s picture and clock stand still."
    assert item_of(found, "gaps").verdict == "pass"


def test_a_picture_that_changes_its_size_fails_and_is_not_compared(
    base: list[Picture], reader: LineReader, tmp_path: Path
) -> None:
    """cases/size_changes."""
    halves = [clocked(base[:60]), [(n, cv2.resize(one, (480, 270))) for n, one in clocked(base[60:])]]
    files = [written(tmp_path / f"{n}.ts", half, after=4 * n) for n, half in enumerate(halves)]
    (tmp_path / "size.ts").write_bytes(b"".join(file.read_bytes() for file in files))
    write_layout(tmp_path / "layout.yaml", table())
    detect = lambda picture: Observation(t=0.0, frame=0)  # noqa: E731
    found = check_sample(tmp_path / "size.ts", tmp_path / "layout.yaml", reader=reader, detect=detect)
    item = item_of(found, "one-size")
    assert (item.verdict, found.report.exit_code) == ("fail", 4)
    assert item.says.startswith("From 4.0 s to 8.0 s the picture is 480x270 there")


@pytest.mark.parametrize(
    ("changes", "key"),
    [({"table": "9"}, "table-number"), ({"site": "1111"}, "site-id"), ({"dealer_side": "top"}, "perspective")],
)
def test_what_the_layout_names_is_held_against_the_picture(
    changes: dict[str, str], key: str, base: list[Picture], reader: LineReader, tmp_path: Path
) -> None:
    assert verdicts(checked(tmp_path, clocked(base[:20]), reader, table(**changes)))[key] == "fail"


def test_a_region_cut_by_the_edge_and_a_clock_over_play(
    base: list[Picture], reader: LineReader, tmp_path: Path
) -> None:
    whole = table()
    shifted = [(x - min(x for x, _ in whole.zones.shoe or []) - 6, y) for x, y in whole.zones.shoe or []]
    over = [(x, y) for x, y in whole.spaces[1].area]
    zones = msgspec.structs.replace(whole.zones, shoe=shifted, clock=[(0, 0), (220, 0), (220, 42), (0, 42)])
    spaces = {**whole.spaces, 1: SpaceZones(area=[(0, 0), (300, 0), (300, 200), (0, 200)])}
    found = checked(tmp_path, clocked(base[:20]), reader, msgspec.structs.replace(whole, zones=zones, spaces=spaces))
    assert verdicts(found)["view-shoe"] == verdicts(found)["clock-covers"] == "fail"
    assert over


def test_a_clock_that_is_an_hour_off_fails_and_without_a_time_nobody_can_tell(
    base: list[Picture], reader: LineReader, tmp_path: Path
) -> None:
    found = verdicts(checked(tmp_path, clocked(base[:20]), reader, made=START - timedelta(hours=1)))
    assert found["clock-right"] == "fail"
    assert verdicts(checked(tmp_path, clocked(base[:20]), reader))["clock-right"] == "cannot_tell"


def test_a_small_picture_fails(base: list[Picture], reader: LineReader, tmp_path: Path) -> None:
    small = [(number, cv2.resize(one, (480, 270), interpolation=cv2.INTER_AREA)) for number, one in clocked(base[:20])]
    assert verdicts(checked(tmp_path, small, reader, table(0.375)))["resolution"] == "fail"  # type: ignore[arg-type]


def test_a_file_that_is_cut_off_is_no_playable_copy(base: list[Picture], reader: LineReader, tmp_path: Path) -> None:
    whole = written(tmp_path / "whole.mp4", clocked(base)).read_bytes()
    (tmp_path / "cut.mp4").write_bytes(whole[: len(whole) // 2])
    detect = lambda picture: Observation(t=0.0, frame=0)  # noqa: E731
    assert verdicts(check_sample(tmp_path / "cut.mp4", reader=reader, detect=detect))["playable"] == "fail"


def test_two_recorders(base: list[Picture], reader: LineReader, tmp_path: Path) -> None:
    other = written(tmp_path / "other.mp4", clocked(base[:20]))
    assert verdicts(checked(tmp_path, clocked(base[:20]), reader, other=other))["overlap"] == "fail"


def looked(picture: Picture) -> Looked:
    """A look at one picture."""
    return Looked(
        probe=None,
        coverage=None,
        times=[],
        changes=[],
        ticks=[],
        reads=[],
        unread=[],  # type: ignore[arg-type]
        samples=[Sample(0.0, picture)],
        clock_box=None,
    )


def test_the_share_of_cards_that_can_be_read() -> None:
    def cards(rank: str | None) -> Observation:
        one = CardSeen(id=1, face="up", p=0.9, rank=rank, suit=None, quad=((1, 1), (9, 1), (9, 12), (1, 12)))
        return Observation(t=0.0, frame=0, cards=[one] * 6)

    seen = looked(np.zeros((20, 20, 3), np.uint8))
    read = {rank: readable_items(seen, lambda picture, r=rank: cards(r), Stills())[0] for rank in ("K", None)}  # type: ignore[misc]
    assert [read["K"].verdict, read[None].verdict] == ["pass", "fail"]
    assert read["K"].measured == "100% of 6 seen"


def test_chips_are_judged_by_those_on_the_betting_spaces_only() -> None:
    layout, picture = table(), np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    tray = np.asarray(layout.zones.tray).mean(axis=0)
    space = np.asarray(layout.spaces[3].area).mean(axis=0)

    def item(centre: Sequence[float], count: int) -> Item:
        one = ChipSeen(id=1, colour="red", p=0.9, center=(float(centre[0]), float(centre[1])), radius=9.0)
        return readable_items(
            looked(picture), lambda _: Observation(t=0, frame=0, chips=[one] * count), Stills(), layout
        )[1]

    assert item(space, 6).verdict == "pass"
    assert item(space, 0).verdict == item(tray, 40).verdict == "cannot_tell"
    assert item(tray, 40).measured == "0 seen"


def test_currency_is_always_left_to_a_person() -> None:
    for detect in (None, lambda _: Observation(t=0.0, frame=0)):
        item = readable_items(looked(np.zeros((20, 20, 3), np.uint8)), detect, Stills())[2]
        assert (item.verdict, item.says.startswith("A person always decides")) == ("cannot_tell", True)


def test_due_days_and_a_persons_word(sound: Checked) -> None:
    assert sound.report.cover.due == "2026-11-24"
    marks = {"resolution": "pass", "cards": "pass", "chips": "pass", "currency": "pass"}
    assert judged(sound.report, marks, "Kim").exit_code == 0  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="was measured"):
        judged(sound.report, {"real-time": "fail"}, "Kim")
    with pytest.raises(BadInput, match="needs a name"):
        judged(sound.report, {"cards": "pass"}, "")


def test_each_submission_is_kept_and_the_pdf_tells_them(sound: Checked, tmp_path: Path) -> None:
    made = keep_sample(Store(), sound, tmp_path / "kept")
    with pytest.raises(BadInput, match="was made before"):
        keep_sample(Store(), sound, tmp_path / "kept")
    assert keep_sample(Store(), sound, tmp_path / "kept", "lens cleaned").document.version == 2
    assert {path.suffix for path in made.files.values()} == {".pdf", ".json", ".jpg"}
    for name, digest in made.document.files.items():
        assert hashlib.sha256((tmp_path / "kept" / name).read_bytes()).hexdigest() == digest
    history = history_of(Store(), sound.report)
    (tmp_path / "a.pdf").write_bytes(sample_pdf(sound, history, 3))
    text = " ".join(" ".join(page.extract_text().split()) for page in PdfReader(tmp_path / "a.pdf").pages)
    for part in (
        "Sample recording",
        "Prairie",
        "2026-11-24",
        "lens cleaned",
        "Version 3",
        "Face of the shoe",
        "supplementary",
        "Cannot tell",
    ):
        assert part.lower() in text.lower()
    signed = text.index("Signed for the sample recording of site")
    assert signed < text.index("Signature of the person who submits"), "it says what is signed, on any page"


def test_a_check_that_is_not_kept_is_a_draft(sound: Checked, tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(sample_pdf(sound, [], DRAFT))
    pages = [page.extract_text() for page in PdfReader(tmp_path / "a.pdf").pages]
    assert all("DRAFT, not kept as a submission" in page and "ersion 0" not in page for page in pages)


@pytest.mark.parametrize(
    ("text", "number", "same"),
    [("TABLE 6", "6", True), ("TABLE6", "6", False), ("SITE O877", "0877", True), ("TABLE 16", "6", False)],
)
def test_numbers_on_signs(text: str, number: str, same: bool) -> None:
    assert says_number(text, number) is same


def test_the_command_refuses_what_is_no_video(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.mp4").write_text("no video")
    assert run(["sample-check", str(tmp_path / "a.mp4")]) == 2
    assert run(["sample-check", str(tmp_path / "a.mp4"), "--judge", "cards=maybe"]) == 2
