"""A night of tiny recordings, watched by a stand-in for the models that sees what a file beside the recording says."""

from __future__ import annotations

import errno
import json
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec import structs
from review_fakes import EVENTS, SIZE, finding, make_layout, make_video, report

from verifier.domain.events import AnyEvent, EventLog, EventsHeader
from verifier.domain.findings import FindingsReport
from verifier.domain.house import House
from verifier.domain.layout import Layout
from verifier.domain.observations import CardSeen, NamedHash, Observation, ObservationsHeader, Quality
from verifier.formats.house import write_house
from verifier.formats.layout import write_layout
from verifier.recording import clips
from verifier.recording.decode import Decoder
from verifier.recording.probe import Coverage, Probe, probe
from verifier.recording.timeline import Reading
from verifier.review.entries import is_file
from verifier.review.pipeline import segments
from verifier.review.pipeline.chain import Chain
from verifier.review.pipeline.segments import Beat
from verifier.review.pipeline.values import clock_after
from verifier.store.home import home
from verifier.vision.quality import Bearings

CHAIN = "batch_fakes:chain"
Notes = dict[str, float | str | list[float]]


def make_table(folder: Path, site: str = "0123", table: str = "2") -> Path:
    """A folder with a layout and house options."""
    folder.mkdir(parents=True, exist_ok=True)
    layout = make_layout()
    write_layout(folder / "layout.yaml", type(layout)(**{**_fields(layout), "site": site, "table": table}))
    write_house(folder / "house.yaml", House(video_surveillance="present"))
    return folder


def _fields(layout: Layout) -> dict[str, object]:
    return {name: getattr(layout, name) for name in layout.__struct_fields__}


def record(path: Path, seconds: int, first: int = 0, **notes: float | str | list[float]) -> Path:
    """A recording whose pictures are numbered from `first`.

    `notes` say its `clock` and what happens when it is watched (dark, hang, swell, slow, held).
    """
    make_video(path, seconds, first)
    with path.open("ab") as stream:  # a hash of its own for each file of a night
        stream.write(b"\0\0\0\x10free" + os.fsencode(f"{path.parent.name}/{path.name}")[-8:].rjust(8))
    Path(f"{path}.notes").write_text(json.dumps(notes))
    return settled(path)


def settled(path: Path) -> Path:
    """The file as one that was copied an hour ago: a night waits a moment where one was written to just now."""
    then = time.time() - 3600
    os.utime(path, (then, then))
    return path


def hanging(pid: int | None) -> Path:
    """The file that tells that a process hangs."""
    return home() / f"hanging-{pid}"


def _notes(path: Path) -> Notes:
    notes = Path(f"{path}.notes")
    return json.loads(notes.read_text()) if is_file(notes) else {}


def _hold(file: Path) -> None:
    """Writes beside the file on which node of a cluster this is, and waits until the file is gone."""
    import ray

    file.with_suffix(".node").write_text(ray.get_runtime_context().get_node_id())
    until = time.monotonic() + 120
    while file.exists() and time.monotonic() < until:
        time.sleep(0.05)


class FakeWatch:
    """Decodes the stretch for its coverage, and sees a card twice a second that lies longer than any segment."""

    def __init__(self, stretch: Probe, bearings: Bearings | None) -> None:
        self._notes = _notes(stretch.path)
        self._decoder = Decoder(stretch)
        self.header = ObservationsHeader(video=stretch.info, sample_hz=2.0)
        self.bearings = bearings or Bearings(None, None)

    @property
    def coverage(self) -> Coverage:
        return self._decoder.coverage

    def __iter__(self) -> Iterator[Observation]:
        first = None
        for frame in self._decoder:
            if frame.index % 5:
                continue
            first = frame.index if first is None else first
            self._misbehave(frame.t)
            yield self._seen(frame.t, frame.index, first)

    def _misbehave(self, t: float) -> None:
        if t >= float(self._notes.get("hang", 1e9)):  # type: ignore[arg-type]
            hanging(os.getpid()).touch()
            time.sleep(3600)
        if t >= float(self._notes.get("swell", 1e9)):  # type: ignore[arg-type]
            bytearray(1 << 32)
        time.sleep(float(self._notes.get("slow", 0.0)))  # type: ignore[arg-type]
        held = Path(str(self._notes.get("held", "")))
        if held.is_file():
            _hold(held)

    def _seen(self, t: float, index: int, first: int) -> Observation:
        dark = self._notes.get("dark", [1e9, 1e9])
        assert isinstance(dark, list)
        clock = self._notes.get("clock")
        jump = self._notes.get("jump", [1e9, 0.0])
        assert isinstance(jump, list)
        off = jump[1] if t >= jump[0] else 0.0
        return Observation(
            t=t,
            frame=index,
            clock=clock_after(str(clock), t + off) if clock else None,
            cards=[
                CardSeen(id=first + 1, face="up", p=0.9, rank="K", suit="h", quad=_quad(40)),
                CardSeen(id=first + 2, face="up", p=0.9, rank="9", suit="s", quad=_quad(90 + int(t) // 4 * 40)),
            ],
            quality=Quality(sharpness=50.0, obstructed=0.0, luma=3.0 if dark[0] <= t < dark[1] else 90.0),
        )


def _quad(x: float) -> tuple[tuple[float, float], ...]:
    return ((x, 30), (x + 22, 30), (x + 22, 60), (x, 60))


class FakeReconstructor:
    """Tells everything that was seen, so that a difference anywhere shows in the log."""

    def __init__(self, layout: Layout, house: House, header: ObservationsHeader) -> None:
        self._layout = layout
        self.told: list[AnyEvent] = []
        self._told: list[tuple[float, int, str | None, list[int | None]]] = []

    def take(self, seen: Observation) -> None:
        self._told.append((seen.t, seen.frame, seen.clock, [card.id for card in seen.cards]))

    def goes_on_as(self, other: FakeReconstructor) -> bool:
        return self._told == other._told

    def log(self) -> EventLog:
        day = next((str(clock)[:10] for _, _, clock, _ in self._told if clock), None)
        head = EventsHeader(
            format="verifier-events",
            version=1,
            rulebook="nd-twenty-one",
            site=self._layout.site,
            table=self._layout.table,
            date=day,
            video=json.dumps(self._told),
        )
        return EventLog(head, EVENTS if self._told and self._told[-1][0] >= 5.0 else ())  # type: ignore[arg-type]


def judge(log: EventLog) -> FindingsReport:
    """A violation of any play; what the recording tells of itself is none."""
    return report(finding()) if any(one.round is not None for one in log.events) else report()


def clock(facts: Probe, layout: Layout) -> str | None:
    told = _notes(facts.path).get("clock")
    return str(told) if told else None


def _probe(path: Path, how: Reading, beat: Beat) -> Probe:
    if _notes(path).get("hang_at_once"):
        time.sleep(3600)
    return probe(path, how, sha256=False, beat=beat)


def eye(stretch: Probe, layout: Layout, layout_file: NamedHash, bearings: Bearings | None) -> FakeWatch:
    assert (stretch.info.width, stretch.info.height) == SIZE
    return FakeWatch(stretch, bearings)


def chain() -> Chain:
    """The stages of these tests."""
    return Chain(probe=_probe, clock=clock, eye=eye, reconstructor=FakeReconstructor, judge=judge, version="test")


def doubting_chain() -> Chain:
    """The same where a closer look shows an empty table, and there the law finds nothing broken."""

    def sober(log: EventLog) -> FindingsReport:
        told = json.loads(str(log.header.video))
        return judge(log) if told[0][0] == 0.0 else report()

    return structs.replace(chain(), closer=lambda facts, *_: Empty(facts), judge=sober)


class RoundsReconstructor(FakeReconstructor):
    """Tells of a wager at every full four seconds: each is a round of its own."""

    def log(self) -> EventLog:
        log, times = super().log(), [t for t, *_ in self._told if t % 4.0 == 0.0]
        wagers = [
            structs.replace(EVENTS[0], id=f"e{n}", t_start=t, t_end=t + 0.5, round=n) for n, t in enumerate(times)
        ]  # type: ignore[type-var]
        return EventLog(log.header, tuple(wagers))


def rounds_chain() -> Chain:
    """The same with rounds, of which each breaks a clause; what is doubtful breaks none."""

    def judged(log: EventLog) -> FindingsReport:
        found = [
            finding(round=one.round, t_start=one.t_start, t_end=one.t_end, title=f"Round {one.round}")
            for one in log.events
            if one.round is not None
        ]
        return report(*found, finding(verdict="undetermined", t_start=0.0, t_end=0.5))

    return structs.replace(chain(), reconstructor=RoundsReconstructor, judge=judged)


class Empty:
    """Watches all of a stretch, in which nothing is."""

    def __init__(self, facts: Probe) -> None:
        self.header, self.bearings = ObservationsHeader(video=facts.info), Bearings(None, None)
        self.coverage = Coverage(1.0, 1.0)

    def __iter__(self) -> Iterator[Observation]:
        return iter(())


def full_disk_chain() -> Chain:
    """The same on a worker whose disk is full until the file that FREE_DISK names is there."""
    segments.write_seen = _unless_full(segments.write_seen)
    return chain()


def no_space_for_clips_chain() -> Chain:
    """The same where only clips find the disk full."""
    clips._write = _unless_full(clips._write)
    return chain()


def _unless_full(write: Callable[..., None]) -> Callable[..., None]:
    def full(*arguments: object) -> None:
        free = os.environ.get("FREE_DISK")  # not set in what else runs in this process
        if free is not None and not Path(free).exists():
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        write(*arguments)

    return full
