"""From the stamps of a file's packets to media time: one time for every picture, in order of presentation.

A file's own stamps wrap, fall back, leap, repeat, or are missing. The times made of them always rise. Everything odd
is noted with its place.
"""

from __future__ import annotations

import itertools
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from verifier.recording.coverage import Note

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]

WRAP_S: Final = 2**33 / 90_000
"""Seconds after which the counter of MPEG-TS and MPEG-PS begins again (ISO/IEC 13818-1, 2.4.3.7: 33 bits, 90 kHz)."""
WRAP_PAUSE_S: Final = 60.0
"""Seconds without a picture across such a wrap; after more it is taken for a clock that was set anew."""
BEHIND_STEPS: Final = 0.5
"""Usual steps by which a decoding stamp must fall back, and stay back, for a clock to have been set back."""
REORDERED_S: Final = 5.0
"""Seconds by which a presentation stamp may be away from where decoding stamps put it: codecs reorder 16 pictures."""
NEAR_LINE_S: Final = 1.0
"""Seconds by which stamps may be off the usual steps and still go on from earlier ones."""
STRAY: Final = 16
"""Packets of one clock between two stretches that belong together: fewer are stray stamps, not a clock that was set."""
NEAR_S: Final = 10.0
"""Odd stamps within so many seconds give one note."""
USUAL_STEP_S: Final = 0.04
"""Seconds between pictures if no two stamps give a step."""


class Packets(NamedTuple):
    """What the packets of a track tell, in the order in which they are decoded.

    `pts` and `dts` (packets,) are seconds as the file counts them, NaN if missing; `wraps` is whether they count
    33 bits; `reorders` whether the codec may show pictures in another order than they are decoded in.
    """

    pts: Floats
    dts: Floats
    wraps: bool
    reorders: bool


class Times(NamedTuple):
    """`order` (pictures,): packet numbers in order of presentation. `times` (pictures,): their media time in seconds,
    rising, the first 0. `notes`: what was odd, by place.
    """

    order: Numbers
    times: Floats
    notes: tuple[Note, ...]


def without_stray_pts(packets: Packets) -> Packets:
    """Return the packets; presentation stamps that contradict their decoding stamps are taken for missing."""
    apart = packets.pts - packets.dts
    if np.isnan(apart).all():
        return packets
    stray = np.abs(apart - np.nanmedian(apart)) > REORDERED_S
    return packets._replace(pts=np.where(stray, np.nan, packets.pts))


def order_is_told(packets: Packets) -> bool:
    """Tell whether stamps tell the order of presentation; where they do not, only decoding does."""
    if not packets.reorders:
        return True
    known = packets.pts[~np.isnan(packets.pts)]
    return len(known) == len(packets.pts) and bool(np.any(np.diff(known) < 0))


def at_rate(order: Numbers, rate: float) -> Times:
    """Return the times of a bare stream, which has no stamps: `rate` pictures a second."""
    return Times(order, np.arange(len(order)) / rate, ())


def media_times(packets: Packets, order: Numbers | None = None) -> Times:
    """Return the times of a track. `order` is the order of presentation where stamps do not tell it."""
    clock = packets.dts if np.count_nonzero(~np.isnan(packets.dts)) * 2 > len(packets.dts) else packets.pts
    ordered = clock is packets.dts or not packets.reorders
    behind = BEHIND_STEPS * usual_step(clock[~np.isnan(clock)]) if ordered else REORDERED_S
    breaks = _breaks(clock, behind)
    stray, breaks = _without_strays(clock, breaks)
    shown = _shown_stamps(packets, order)
    shown = np.where(stray, np.nan, shown)
    shown, told = _continued(shown, clock, breaks, packets.wraps)
    if order is None:
        order = np.argsort(shown, kind="stable") if packets.reorders else np.arange(len(shown), dtype=np.int64)
        in_order = shown[order]
    else:
        in_order = shown[order] if _rises(shown[order]) else np.sort(shown)  # missing stamps sort last
    times, odd = _rising(np.asarray(in_order, np.float64))
    times = np.round(times - times[:1], 6)
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    notes = [Note(float(times[rank[place]]), text) for place, text in told] + _noted(times, odd)
    return Times(order, times, tuple(sorted(notes, key=lambda note: note.t)))


def usual_step(times: Floats) -> float:
    """Return the median step between pictures in seconds."""
    steps = np.diff(times)
    steps = steps[steps > 0]
    return float(np.median(steps)) if len(steps) else USUAL_STEP_S


def _shown_stamps(packets: Packets, order: Numbers | None) -> Floats:
    """Return the stamps by which pictures are shown.

    Some containers tell only when packets are decoded, and FFmpeg guesses the rest. Their stamps do not rise in the
    order of presentation, or the codec keeps the order of decoding: then the decoding stamps count.
    """
    if np.isnan(packets.dts).any():
        return packets.pts
    if order is None:
        return packets.pts if packets.reorders else packets.dts
    return packets.pts if _rises(packets.pts[order]) else packets.dts


def _rises(stamps: Floats) -> bool:
    known = stamps[~np.isnan(stamps)]
    return bool(np.all(np.diff(known) > 0))


def _breaks(clock: Floats, behind: float) -> list[int]:
    """Packets at which the clock falls back, or leaps by more than the whole way that it could have fallen back."""
    known = np.flatnonzero(~np.isnan(clock))
    steps = np.diff(clock[known])
    leap = max(NEAR_LINE_S, behind, STRAY * usual_step(clock[known]))
    return [int(known[place + 1]) for place in np.flatnonzero((steps < -behind) | (steps > leap))]


def _without_strays(clock: Floats, breaks: list[int]) -> tuple[Flags, list[int]]:
    """Which packets carry stray stamps, and the breaks that are left without them."""
    stray = np.zeros(len(clock), np.bool_)
    step = usual_step(clock[~np.isnan(clock)])
    left: list[int] = []
    for place in breaks:
        if left and place - left[-1] <= STRAY:
            before, passed = _last_known(clock, left[-1]), place - left[-1] + 1
            if 0 < clock[place] - before <= 2 * passed * step + NEAR_LINE_S:
                stray[left.pop() : place] = True
                continue
        back = _back_on_line(clock, place, step)
        if back is not None:
            stray[place:back] = True
            continue
        left.append(place)
    return stray, left


def _back_on_line(clock: Floats, place: int, step: float) -> int | None:
    """Return the packet, a few after `place`, from which stamps go on as if they had never fallen back there; else
    None.
    """
    before = _last_known(clock, place)
    if clock[place] > before:
        return None
    earlier = np.flatnonzero(~np.isnan(clock[:place]))[-3:]
    before = min(float(clock[number]) + (place - 1 - number) * step for number in earlier.tolist())
    for number in range(place + 1, min(place + STRAY, len(clock) - 1) + 1):
        usual = before + (number - place + 1) * step
        if usual - step / 2 <= clock[number] <= usual + NEAR_LINE_S:
            return number
    return None


def _last_known(clock: Floats, place: int) -> float:
    known = clock[:place][~np.isnan(clock[:place])]
    return float(known[-1]) if len(known) else 0.0


def _continued(shown: Floats, clock: Floats, breaks: list[int], wraps: bool) -> tuple[Floats, list[tuple[int, str]]]:
    """Return stamps in one count: wraps are undone, a clock set back goes on at the usual step, a leap stays."""
    step = usual_step(clock[~np.isnan(clock)])
    out, offset, told = shown.copy(), 0.0, []
    for place, end in itertools.pairwise([*breaks, len(shown)]):
        leap = float(clock[place] - _last_known(clock, place))
        turned = _unwrapped(leap) if wraps else None
        if turned is not None:
            offset += turned - leap
        elif leap < 0 or (wraps and leap > WRAP_S / 2):
            last = float(np.nanmax(out[:place])) if np.any(~np.isnan(out[:place])) else 0.0
            begin = float(np.nanmin(shown[place : min(end, place + 2 * STRAY)]))
            offset = last + step - begin
            told.append((place, f"the stamps leap by {leap - step:+.1f} s here; the time goes on at the usual step"))
        out[place:] = shown[place:] + offset
    return out, told


def _unwrapped(leap: float) -> float | None:
    """Return the true step across a wrap of the counter; None if it is no wrap."""
    step = leap + WRAP_S
    return step if -NEAR_LINE_S <= step <= WRAP_PAUSE_S else None


def _rising(stamps: Floats) -> tuple[Floats, Flags]:
    """Stamps in order of presentation that rise always, and which of them were missing, repeated or behind.

    Such pictures are spread evenly between their neighbours, a usual step apart at most.
    """
    known = ~np.isnan(stamps)
    step = usual_step(stamps[known])
    if not known.any():
        return np.asarray(np.arange(len(stamps)) * step, np.float64), np.ones(len(stamps), np.bool_)
    highest = np.fmax.accumulate(np.where(known, stamps, -np.inf))
    good = known & (np.append(-np.inf, highest[:-1]) < stamps)
    places = np.flatnonzero(good)
    out = stamps.copy()
    first = places[0]
    out[:first] = stamps[first] - step * np.arange(first, 0, -1)
    for here, after in itertools.pairwise([*places.tolist(), len(stamps)]):
        between = after - here - 1
        if between:
            room = (stamps[after] - stamps[here]) / (between + 1) if after < len(stamps) else step
            out[here + 1 : after] = stamps[here] + min(room, step) * np.arange(1, between + 1)
    return np.asarray(out, np.float64), ~good


def _noted(times: Floats, odd: Flags) -> list[Note]:
    """Return a note for each stretch of pictures whose stamps were missing, repeated or behind."""
    places = np.flatnonzero(odd)
    if not len(places):
        return []
    parts = np.split(places, np.flatnonzero(np.diff(times[places]) > NEAR_S) + 1)
    return [
        Note(float(times[part[0]]), f"stamps are missing, repeated or out of order here (pictures: {len(part)})")
        for part in parts
    ]
