"""Real time: the burned-in clock against the times of presentation, frames that are missing or stand still."""

from __future__ import annotations

from datetime import datetime
from itertools import pairwise
from statistics import median
from typing import Final

import numpy as np
from scipy.ndimage import maximum_filter1d

from verifier.domain.clock_change import ClockChange, clock_change, told_change
from verifier.review.sample_check.looking import Looked
from verifier.review.sample_check.showing import Stills
from verifier.review.sample_check.values import Item, ItemVerdict

CITE: Final = "99-01.3-08-04(1)(a)"
RATE_OFF: Final = 0.05
"""Share by which the clock may go wrong against the recording (this product's policy; the rule says real-time)."""
SHORTEST: Final = 5.0
FEWEST: Final = 3
"""Seconds and readings below which the clock tells nothing."""
JUMP: Final = 2.0
"""Seconds by which the clock jumps between two reads where a stretch is missing or stands still."""
STILL: Final = 2.5
"""Seconds without a tick of the clock from which the recording stands still."""
LONG_STEP: Final = 1.6
"""A step between frames beyond this many usual ones lacks a frame."""
LOST_SHARE: Final = 0.01
MOVING: Final = 0.12
"""Mean grey levels by which frames differ in a stretch with movement."""
COPY: Final = 0.25
NEAR: Final = 3
"""A frame that changes less than COPY times the most of its NEAR neighbours on either side is a copy: what the encoder
makes of a frame that is shown again."""
COPIES: Final = 0.3
"""Share of copies among the frames of moving stretches from which the camera did not record in real time."""
ENOUGH_FPS, TOO_FEW_FPS = 15.0, 5.0


def timing_items(seen: Looked, stills: Stills, zone: str | None = None) -> list[Item]:
    """All items on real time; `zone` is the site's time zone (IANA name), by which the clock may change by an hour."""
    return [
        _rate(seen, stills),
        _jumps(seen, stills, zone),
        _frozen(seen, stills),
        _dropped(seen),
        _copies(seen),
        _fps(seen),
    ]


def _item(
    key: str, title: str, verdict: ItemVerdict, says: str, measured: str = "", stills: list[str] | None = None
) -> Item:
    return Item(key=key, title=title, cite=CITE, verdict=verdict, says=says, measured=measured, stills=stills or [])


def clock_rate(seen: Looked) -> tuple[float, float] | None:
    """Seconds of the clock for each second of the recording, jumps left out, and the span in seconds.

    None with too little to tell. What was read while the clock stood still is left out.
    """
    reads = _running(seen)
    span = reads[-1][0] - reads[0][0] if len(reads) >= FEWEST else 0.0
    if span < SHORTEST:
        return None
    steps = [((c1 - c0).total_seconds(), t1 - t0) for (t0, c0), (t1, c1) in pairwise(reads)]
    usual = median(clock / media for clock, media in steps)
    even = [(clock, media) for clock, media in steps if abs(clock - usual * media) <= JUMP]
    if not even:
        return None
    return sum(clock for clock, _ in even) / sum(media for _, media in even), span


def _rate(seen: Looked, stills: Stills) -> Item:
    title = "Real time, no time lapse"
    rated = clock_rate(seen)
    if rated is None:
        return _item("real-time", title, "cannot_tell", "The clock was not read often enough to compare.")
    rate, span = rated
    measured = f"{rate:.3f} s of clock for each second over {span:.0f} s"
    if abs(rate - 1) <= RATE_OFF + 1.0 / span:
        return _item("real-time", title, "pass", "The clock in the picture goes with the recording.", measured)
    names = _ends(seen, stills, "real-time")
    if rate > 1:
        return _item(
            "real-time", title, "fail", "The recording is a time lapse: its clock runs ahead.", measured, names
        )
    return _item("real-time", title, "fail", "The recording is slowed down or repeats frames.", measured, names)


def _ends(seen: Looked, stills: Stills, key: str) -> list[str]:
    marks = [seen.clock_box] if seen.clock_box else []
    return [
        stills.add(f"{key}-{number}", one, f"{one.t:.1f} s into the recording", marks)
        for number, one in enumerate((seen.samples[0], seen.samples[-1]), start=1)
    ]


def _standing(seen: Looked) -> list[tuple[float, float]]:
    """Stretches, from and to in seconds, in which the clock does not tick."""
    if seen.clock_box is None or not seen.times:
        return []
    ends = [seen.times[0], *seen.ticks, seen.times[-1]]
    return [(earlier, later) for earlier, later in pairwise(ends) if later - earlier >= STILL]


def _running(seen: Looked) -> list[tuple[float, datetime]]:
    """Return the readings of the clock while it ran: a clock that stands still is reported as that, not as many jumps.

    All of them where too few are left to tell anything: then the clock itself is slow.
    """
    standing = _standing(seen)
    running = [one for one in seen.reads if not any(start + STILL / 2 < one[0] < end for start, end in standing)]
    return running if len(running) >= FEWEST else seen.reads


def _jumps(seen: Looked, stills: Stills, zone: str | None) -> Item:
    title = "No stretch missing"
    rated = clock_rate(seen)
    if rated is None:
        return _item("gaps", title, "cannot_tell", "The clock was not read often enough to find a missing stretch.")
    rate, reads, told = rated[0], _running(seen), None
    for earlier, later in pairwise(reads):
        change = clock_change(earlier[1], later[1], rate * (later[0] - earlier[0]), JUMP, zone)
        if change is None:
            continue
        when, measured = f"Between {earlier[0]:.1f} s and {later[0]:.1f} s the clock", f"{earlier[1]} to {later[1]}"
        if not change.summer_time:
            says = f"{when} jumps by {change.seconds:+.0f} s."
            return _item("gaps", title, "fail", says, measured, _ends(seen, stills, "gaps"))
        told = told or _summer_time(title, f"{when} {told_change(change)}.", change, measured)
    return told or _item("gaps", title, "pass", "The clock runs on without a jump.", f"{len(reads)} readings compared")


def _summer_time(title: str, says: str, change: ClockChange, measured: str) -> Item:
    """Return the item on a change of summer time: an hour that comes twice is not missing; a skipped one looks
    missing.
    """
    if change.kind == "summer_time_ends":
        return _item("gaps", title, "pass", says, measured)
    return _item("gaps", title, "cannot_tell", f"{says} A missing hour would look the same.", measured)


def _frozen(seen: Looked, stills: Stills) -> Item:
    title = "Picture does not freeze"
    if seen.clock_box is None or len(seen.reads) < 2:
        return _item("frozen", title, "cannot_tell", "Without a clock a frozen picture looks like a quiet table.")
    ends = [seen.times[0], *seen.ticks, seen.times[-1]]
    longest, start = max((later - earlier, earlier) for earlier, later in pairwise(ends))
    others = len(_standing(seen)) - 1
    if longest < STILL:
        return _item(
            "frozen", title, "pass", "The clock ticks all the time.", f"longest without a tick {longest:.1f} s"
        )
    moved = [c for t, c in zip(seen.times, seen.changes, strict=True) if start + 0.1 < t < start + longest - 0.1]
    what = "the clock stands still while play goes on" if _mean(moved) > MOVING else "picture and clock stand still"
    near = min(seen.samples, key=lambda one: abs(one.t - start - longest / 2))
    name = stills.add("frozen", near, f"{near.t:.1f} s: {what}", [seen.clock_box])
    says = f"From {start:.1f} s to {start + longest:.1f} s {what}."
    measured = f"{longest:.1f} s without a tick" + (f", {others} more stretches" if others else "")
    return _item("frozen", title, "fail", says, measured, [name])


def _mean(values: list[float]) -> float:
    return float(np.mean(values)) if values else 0.0


def _dropped(seen: Looked) -> Item:
    title = "No frames dropped"
    steps = np.diff(np.asarray(seen.times))
    if len(steps) < 10:
        return _item("dropped", title, "cannot_tell", "Too few frames to tell.", f"{len(seen.times)} frames")
    usual = float(np.median(steps))
    long = steps > max(LONG_STEP * usual, 0.05)
    lost = int(np.round(steps[long] / usual - 1).sum())
    measured = f"{lost} of {len(steps) + 1 + lost} frames, longest step {steps.max():.2f} s"
    if lost / (len(steps) + lost) > LOST_SHARE or steps.max() >= 1.0:
        at = seen.times[int(steps.argmax())]
        return _item("dropped", title, "fail", f"Frames are missing, most of them after {at:.1f} s.", measured)
    return _item("dropped", title, "pass", "The frames follow each other evenly.", measured)


def _copies(seen: Looked) -> Item:
    title = "No frames doubled"
    times, changes = np.asarray(seen.times), np.asarray(seen.changes)
    moving = np.zeros(len(times), np.bool_)
    for second in range(int(times[-1]) + 1):
        within = (times >= second) & (times < second + 1)
        if within.any() and changes[within].mean() > MOVING:
            moving |= within
    if int(moving.sum()) < 20:
        return _item("doubled", title, "cannot_tell", "Too little moves in the recording to tell.")
    most = maximum_filter1d(changes, 2 * NEAR + 1)
    share = float((changes[moving] < COPY * most[moving]).mean())
    measured = f"{share:.0%} copies among {int(moving.sum())} frames with movement"
    if share >= COPIES:
        return _item("doubled", title, "fail", "Frames are shown several times: the camera recorded fewer.", measured)
    says = f"Fewer copies than the {COPIES:.0%} from which the camera would have recorded fewer frames."
    return _item("doubled", title, "pass", says, measured)


def _fps(seen: Looked) -> Item:
    title = "Frames a second"
    rate = seen.probe.info.fps_nominal or 0.0
    measured = f"{rate:.1f} frames a second"
    if rate >= ENOUGH_FPS:
        return _item("frame-rate", title, "pass", "Movements can be followed.", measured)
    if rate >= TOO_FEW_FPS:
        return _item(
            "frame-rate", title, "cannot_tell", "Few frames: the rule names no number, a person decides.", measured
        )
    return _item("frame-rate", title, "fail", "So few frames are no real-time recording.", measured)
