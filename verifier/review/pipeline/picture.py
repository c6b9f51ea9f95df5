"""What the recording shows of itself, told as events, so that the law judges the clauses on its picture in each review.

Only what was measured is told. A recording whose clock jumps, or that does not fit its layout, is told by the account
(`account.py`); of it there is no event here that could pass for a proof of the contrary.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeVar

import msgspec
from shapely.geometry import Polygon as Shape
from shapely.geometry import box as rectangle

from verifier.domain.coverage import FitCheck
from verifier.domain.events import AnyEvent, EventLog, OverlayRead, RecordingSegment
from verifier.domain.layout import Layout
from verifier.domain.observations import ObservationsHeader
from verifier.review.fit.judgement import sign_of
from verifier.review.pipeline.account import JUMP_S, ObservationAccount
from verifier.review.pipeline.fit import PartFit
from verifier.review.pipeline.values import Part, RecordingSet, Unwatched, clock_after, clock_between
from verifier.vision.glimpse import Glimpse
from verifier.vision.quality import COLOURED, GREY
from verifier.vision.signs import What

FEWEST_READS: Final = 3
SHORTEST_S: Final = 5.0
"""Readings of the clock, and seconds between the first and the last, from which they tell whether time runs true."""
DRIFT: Final = 0.01
"""Share of the time by which the clock may run fast or slow and still go with the recording."""
OFF, COVERS = 0.02, 0.25
"""Share of a region under the clock: up to the first it is free, from the second on covered (policy of this product;
the rule says `significantly`). Between them the record is weak: it can make a verdict undetermined only."""
REAL_TIME_FPS: Final = 10.0
"""Pictures a second below which the rate that a file names is no certain one: it may be a mean."""
READ_P, DOUBT_P, WEAK_P = 0.99, 0.7, 0.45
"""Probability of what was measured, of what another recorder or a mean rate would explain, and of a weak record."""
REGIONS: Final = {
    "shoe": "shoe",
    "discard": "discard",
    "tray": "tray",
    "plunger": "drop",
    "table_number": "table_number",
}
"""Regions that must be seen, by the layout's zones; the betting spaces besides."""
SIGNS: Final[tuple[tuple[What, str], ...]] = (("site", "site_id"), ("table", "table_number"))


def with_picture(
    log: EventLog,
    recording_set: RecordingSet,
    header: ObservationsHeader,
    layout: Layout,
    fits: Sequence[PartFit],
    account: ObservationAccount,
    lost: Sequence[Unwatched],
) -> EventLog:
    """Return the log with what was measured in the recording: its files, the clock in the picture, the signs.

    `lost` are stretches without a picture. Times are seconds of the recording set. An event of a stretch ends when the
    stretch does, so that none stands before the play of a log that begins with it.
    """
    fitting = [(part, fit) for part, fit in zip(recording_set.parts, fits, strict=True) if fit.cause is None]
    made: list[AnyEvent] = []
    for number, (part, fit) in enumerate(fitting):
        made += _segments(recording_set, part, header, account, lost)
        made += _signs(part, fit)
        if number == 0:
            made += _clocks(part.facts.glimpse, layout, fitting, account)
    named = [msgspec.structs.replace(event, id=f"p{n:05d}") for n, event in enumerate(made, start=1)]
    return EventLog(log.header, tuple(sorted([*log.events, *named], key=lambda e: (e.t_end, e.t_start, e.id))))


E = TypeVar("E", OverlayRead, RecordingSegment)


def _event(kind: Callable[..., E], start: float, end: float, p: float, /, **fields: object) -> E:
    return kind(id="p00000", t_start=round(start, 3), t_end=round(end, 3), p=round(p, 3), source="video", **fields)


def _runs_true(account: ObservationAccount) -> bool:
    """Tell whether the clock was read often enough, never jumped, and went on with the recording."""
    reads = account.readings
    if sum(read.count for read in reads) < FEWEST_READS or reads[-1].last - reads[0].t < SHORTEST_S:
        return False
    return not account.jumps and _steady(account)


def _steady(account: ObservationAccount) -> bool:
    """Tell whether the clock went with the recording, from its first reading to its last."""
    first, last = account.readings[0], account.readings[-1]
    passed = last.last - first.t
    return abs(clock_between(first.clock, last.clock_last) - passed) <= JUMP_S + DRIFT * passed


def _segments(
    recording_set: RecordingSet,
    part: Part,
    header: ObservationsHeader,
    account: ObservationAccount,
    lost: Sequence[Unwatched],
) -> Iterator[AnyEvent]:
    """Yield the file of a part: when its clock began and ended, its size, and its colour where that was measured."""
    facts, info = part.facts, header.video
    start, end = part.at + part.begin, part.at + part.end
    colour = facts.glimpse.colour
    told = None if colour is None or GREY <= colour < COLOURED else colour >= COLOURED
    rate = info.fps_nominal if info is not None and not info.variable_frame_rate else None
    whole = _runs_true(account) and not any(one.start < end and start < (one.end or end) for one in lost)
    slow = rate is not None and rate < REAL_TIME_FPS
    other = part.seam is not None and part.seam.change is None
    yield _event(
        RecordingSegment,
        start,
        end,
        DOUBT_P if slow or other else READ_P,
        start=facts.clock,
        end=clock_after(facts.clock, facts.seconds),
        fps=rate if whole or slow else None,
        clock_gaps=[] if whole else None,
        recorder_id=_recorder(recording_set, part),
        sha256=facts.sha256,
        resolution=[facts.width, facts.height] if told is not None else None,
        colour=told,
    )


def _recorder(recording_set: RecordingSet, part: Part) -> str:
    """Which of two recorders made a file: the other one after each seam that no change of the clock explains."""
    changes = sum(
        p.seam is not None and p.seam.change is None for p in recording_set.parts[: recording_set.parts.index(part) + 1]
    )
    return "2" if changes % 2 else "1"


def _signs(part: Part, fit: PartFit) -> Iterator[AnyEvent]:
    """Each reading of the signs of site and table; weak where the check of the layout leaves open whether it fits."""
    start, end = part.at + part.begin, part.at + part.end
    for what, name in SIGNS:
        sign, check = sign_of(what, part.facts.glimpse), _check(fit, f"{what}_sign")
        if sign is None or check is None or check.expected is None:
            continue
        p = min(READ_P, sign.p) if check.ok else WEAK_P
        for _ in range(sign.reads):
            yield _event(OverlayRead, start, end, p, what=name, text=sign.number, region="sign")


def _check(fit: PartFit, name: str) -> FitCheck | None:
    return next((check for check in fit.checks if check.name == name), None)


def _clocks(
    seen: Glimpse, layout: Layout, fitting: Sequence[tuple[Part, PartFit]], account: ObservationAccount
) -> Iterator[AnyEvent]:
    """Yield the clock in the picture, a reading a minute and the last one.

    Of a clock that jumps, the first reading only; of one that runs fast or slow, the first and the last. A reading that
    is not of a file which fits the layout is left out.
    """
    region, p = _region(seen, layout)
    reads = [(one.t, one.last, one.clock) for one in account.readings]
    reads += [(one.last, one.last, one.clock_last) for one in account.readings[-1:] if one.last > one.t]
    if not reads:
        return
    fits = [(fit.start, fit.end) for _, fit in fitting]
    seams = [fit.start for _, fit in fitting[1:]]
    if account.jumps or not _steady(account):
        reads = reads[:1] if account.jumps else [reads[0], reads[-1]]
    for t, last, clock in reads:
        if any(start - 1e-6 <= t <= end + 1e-6 for start, end in fits) and not any(t < seam <= last for seam in seams):
            yield _event(OverlayRead, t, last, READ_P, what="clock", text=clock)
    if region is not None:
        yield _event(OverlayRead, reads[0][0], reads[-1][1], p, what="clock", text=None, region=region)


def _region(seen: Glimpse, layout: Layout) -> tuple[str | None, float]:
    """Over which region the clock stands (`margin`: over none, None: not known), and how surely."""
    boxes = [text.box for text in seen.texts if text.what == "clock" and text.pose.upright and not text.in_zone]
    if not boxes:
        return None, READ_P
    zones = {name: getattr(layout.zones, zone) for name, zone in REGIONS.items()}
    shapes = [(name, Shape(zone).buffer(0)) for name, zone in zones.items() if zone]
    shapes += [("spaces", Shape(area).buffer(0)) for area in layout.areas.values()]
    clock = rectangle(*boxes[0])
    share, name = max(
        ((shape.intersection(clock).area / shape.area, name) for name, shape in shapes), default=(0.0, "")
    )
    if share <= OFF:
        return "margin", READ_P
    return name, READ_P if share >= COVERS else WEAK_P
