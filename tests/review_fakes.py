"""A tiny recording and stand-ins for the stages, so that the review can be tested without models."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import av
import cv2
import numpy as np

from verifier.domain.events import AnyEvent, CardDealt, CardRevealed, EventLog, EventsHeader, PayoffPlaced, WagerPlaced
from verifier.domain.findings import ClauseVerdict, Finding, FindingsReport
from verifier.domain.house import House
from verifier.domain.layout import Layout, SpaceZones, Zones
from verifier.domain.observations import CardSeen, HandSeen, Observation, ObservationsHeader
from verifier.formats.house import write_house
from verifier.formats.layout import write_layout
from verifier.recording.probe import Coverage, Gap, Probe, probe
from verifier.review.pipeline.chain import Chain
from verifier.store.kept import file_digest, file_name
from verifier.store.repository import Store
from verifier.vision.quality import Bearings

SECONDS, FPS, SIZE = 8, 10, (320, 180)
FAN = "ND-08-11.16.a-fan-payoff"
SHOW = "ND-08-11.18.a-show-hands"
CITE = "N.D. Admin. Code 99-01.3-08-"


def make_video(path: Path, seconds: int = SECONDS, first: int = 0) -> Path:
    """A recording of `seconds` whose picture tells its frame number, counted from `first`."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=FPS)
        stream.width, stream.height = SIZE
        stream.pix_fmt = "yuv420p"
        for number in range(seconds * FPS):
            picture = np.full((SIZE[1], SIZE[0], 3), (60, 90, 30), np.uint8)
            cv2.putText(picture, str(first + number), (20, 100), cv2.FONT_HERSHEY_SIMPLEX, 2, (255, 255, 255), 3)
            for packet in stream.encode(av.VideoFrame.from_ndarray(picture, format="bgr24")):
                container.mux(packet)
        for packet in stream.encode():
            container.mux(packet)
    return path


def make_layout(size: tuple[int, int] = SIZE) -> Layout:
    width, height = size

    def box(x0: float, y0: float, x1: float, y1: float) -> list[tuple[float, float]]:
        return [(x * width, y * height) for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))]

    return Layout(
        version=1,
        image_size=size,
        name="test",
        site="0123",
        table="2",
        pixels_per_mm=0.345,
        zones=Zones(dealer=box(0.3, 0.8, 0.7, 0.99), inner=box(0.3, 0.5, 0.7, 0.75)),
        spaces={1: SpaceZones(area=box(0.1, 0.1, 0.4, 0.4)), 2: SpaceZones(area=box(0.6, 0.1, 0.9, 0.4))},
    )


def write_inputs(folder: Path) -> tuple[Path, Path, Path]:
    """Video, layout and house files in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    write_layout(folder / "layout.yaml", make_layout())
    write_house(folder / "house.yaml", House(video_surveillance="present"))
    return make_video(folder / "video.mp4"), folder / "layout.yaml", folder / "house.yaml"


def as_made(*paths: Path) -> None:
    """Have a deed tell of these files as they are, as the act would that made them."""
    Store().note("kim", "made", files={file_name(path): file_digest(path) for path in paths})


class FakeWatch:
    """Sees a card and a hand twice a second, up to `until` seconds."""

    bearings = Bearings(None, None)

    def __init__(self, stretch: Probe, until: float, clock: bool = True) -> None:
        self.header = ObservationsHeader(video=stretch.info, sample_hz=2.0)
        self._until, self._clock = until, clock
        self._whole = float(stretch.info.duration or SECONDS)

    def __iter__(self) -> Iterator[Observation]:
        for step in range(int(self._until * 2)):
            yield Observation(
                t=step / 2,
                frame=step * FPS // 2,
                clock=f"2026-11-17T21:00:{step // 2:02d}" if self._clock else None,
                cards=[
                    CardSeen(id=1, face="up", p=0.9, rank="K", suit="h", quad=((40, 30), (62, 30), (62, 60), (40, 60)))
                ],
                hands=[HandSeen(id=2, owner="dealer", side="left", facing="back", p=0.9, box=(150, 90, 190, 130))],
            )

    @property
    def coverage(self) -> Coverage:
        if self._until >= self._whole:
            return Coverage(self._whole, self._whole)
        return Coverage(self._whole, self._until, (Gap(self._until, self._whole, "the file is cut off here"),))


def _event(type_: type, number: int, t_start: float, t_end: float, **fields: object) -> object:
    return type_(id=f"e{number}", t_start=t_start, t_end=t_end, p=0.97, source="video", round=1, **fields)


EVENTS = (
    _event(WagerPlaced, 1, 0.5, 1.0, at="space:1", kind="original", cents=500),
    _event(CardDealt, 2, 1.0, 1.5, card="Kh", to="space:1", face="up", seq=1, ranks={"K": 0.94, "Q": 0.05}),
    _event(CardDealt, 3, 1.5, 2.0, card="9s", to="dealer", face="up", seq=2),
    _event(CardDealt, 4, 2.0, 2.5, card="Td", to="space:1", face="up", seq=3),
    _event(CardDealt, 5, 2.5, 3.0, card="??", to="dealer", face="down", seq=4),
    _event(CardRevealed, 6, 3.2, 3.6, card="9c", at="dealer", how="turned"),
    _event(PayoffPlaced, 7, 4.0, 4.6, at="space:1", kind="original", cents=500),
)


def finding(clause: str = FAN, **changes: object) -> Finding:
    fields: dict[str, object] = {
        "cite": CITE + "11(16)(a)",
        "title": "Payoff fanned",
        "verdict": "violation",
        "severity": "major",
        "round": 1,
        "at": "space:1",
        "t_start": 4.0,
        "t_end": 5.0,
        "clock": "2026-11-17T21:00:04",
        "p": 0.93,
        "expected": "The payoff is fanned to the side before the hands leave.",
        "observed": "The payoff of $5.00 stayed a stack.",
        "events": ["e2", "e7"],
    }
    return Finding(clause=clause, **{**fields, **changes})  # type: ignore[arg-type]


def report(*findings: Finding) -> FindingsReport:
    counts: dict[str, int] = {}
    for one in findings:
        counts[one.verdict] = counts.get(one.verdict, 0) + 1
    return FindingsReport(
        rulebook="nd-twenty-one",
        law_as_of="2025-01-01",
        summary=counts,
        findings=list(findings),
        clauses=[ClauseVerdict(clause=one.clause, verdict=one.verdict, checked=1) for one in findings],
    )


SHOWN = finding(
    SHOW,
    cite=CITE + "11(18)(a)",
    title="Hands shown at the end of a shift",
    verdict="undetermined",
    severity="critical",
    round=None,
    at=None,
    t_start=6.0,
    t_end=7.0,
    p=0.6,
    expected="Both hands are shown, palms and backs.",
    observed="The hands were out of the picture.",
    events=[],
)


class FakeReconstructor:
    """Takes the events above for true, whatever is seen; the first observation tells the day."""

    def __init__(self, layout: Layout, house: House, header: ObservationsHeader) -> None:
        self._layout = layout
        self._clock: str | None = None
        self.told: list[AnyEvent] = []

    def take(self, seen: Observation) -> None:
        self._clock = self._clock or seen.clock

    def goes_on_as(self, other: FakeReconstructor) -> bool:
        return self._clock == other._clock

    def log(self) -> EventLog:
        day = self._clock[:10] if self._clock else None
        header = EventsHeader(
            format="verifier-events",
            version=1,
            rulebook="nd-twenty-one",
            site=self._layout.site,
            table=self._layout.table,
            date=day,
        )
        return EventLog(header, EVENTS)  # type: ignore[arg-type]


def fake_stages(*findings: Finding, until: float = SECONDS, clock: bool = True) -> Chain:
    """Stages that see little, take the events above for true, and judge as told."""
    return Chain(
        probe=lambda path, how, beat: probe(path, how, sha256=False),
        clock=lambda facts, layout: "2026-11-17T21:00:00" if clock else None,
        eye=lambda stretch, *_: FakeWatch(stretch, until, clock),
        reconstructor=FakeReconstructor,
        judge=lambda log: report(*findings),
        version="test",
    )
