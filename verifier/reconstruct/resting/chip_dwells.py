"""Dwells of visible chips at rest: where each lay, of which value, since when and until when."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby, pairwise
from operator import itemgetter
from statistics import median

from msgspec import Struct
from msgspec.structs import replace

from verifier.reconstruct import parameters as par
from verifier.reconstruct.resting.card_tracks import presence
from verifier.reconstruct.resting.tracks import Track
from verifier.reconstruct.table.detections import ChipDetection
from verifier.reconstruct.table.zones import Xy, distance

_when = itemgetter(0)


class ChipDwell(Struct, frozen=True):
    """A visible chip at rest between `t0` and `t1` (infinite while it lies there); `cents` None where unread."""

    xy: Xy
    cents: int | None
    t0: float
    t1: float
    p: float
    radius: float
    """Median, in the layout's millimetres; against 19.5 it tells the scale where the chip lies."""
    n: int
    track: int
    first: bool
    """Whether it came to rest here out of nowhere (else it was there before under another reading or place)."""
    seen_to: float
    seldom: bool = False
    """Whether it was seen in fewer than half of the looks: half covered, so that its value is doubtful."""
    mean: float = 1.0
    """Mean probability of its detections: of a felt's print that passes for a chip it is low, however often seen."""
    unseen: tuple[tuple[float, float], ...] = ()
    """Stretches (last detection, next detection) in which it was out of sight while it lay there."""
    faces: tuple[tuple[int, float, float], ...] = ()
    """The top faces seen there (number, first detection, last detection), where detectors tell them apart."""

    def at(self, t: float) -> bool:
        """Tell whether it lay there at `t`."""
        return self.t0 <= t < self.t1


def chip_dwells(tracks: Iterable[Track[ChipDetection]]) -> list[ChipDwell]:
    """All dwells of chips, in order; a lasting change of the visible chip at one place begins a new dwell."""
    dwells = [dwell for track in tracks if track.settled for dwell in _dwells(track)]
    return sorted(dwells, key=lambda dwell: dwell.t0)


def _dwells(track: Track[ChipDetection]) -> list[ChipDwell]:
    end = math.inf if track.gone is None else track.gone
    pace = median(b[0] - a[0] for a, b in pairwise(track.trail)) if len(track.trail) > 1 else 0.0
    result: list[ChipDwell] = []
    trail = list(track.trail)
    for dwell, until in zip(track.dwells, [*(later.t0 for later in track.dwells[1:]), end], strict=True):
        detections = trail[bisect_left(trail, dwell.t0, key=_when) : bisect_left(trail, until, key=_when)]
        for t0, t1, part in _by_label(detections, until):
            cents, seen = _cents(part), [t for t, _ in part]
            if result and distance(result[-1].xy, dwell.xy) < par.UNTOUCHED_MM and result[-1].cents == cents:
                last = result[-1]
                unseen, faces = last.unseen + _unseen([last.seen_to, *seen]), last.faces + _faces(part)
                result[-1] = replace(last, t1=t1, n=last.n + len(part), seen_to=seen[-1], unseen=unseen, faces=faces)
                continue
            mean = sum(detection.p for _, detection in part) / len(part)
            radius = median(detection.radius for _, detection in part)
            seldom = len(part) * pace < 0.5 * (seen[-1] - t0)
            first = all(before.n < par.NEW_COLOUR_LOOKS for before in result)
            told = (presence(mean, len(part)), radius, len(part), track.number, first, seen[-1], seldom, mean)
            result.append(ChipDwell(dwell.xy, cents, t0, t1, *told, _unseen(seen), _faces(part)))
    return result


def _unseen(seen: Sequence[float]) -> tuple[tuple[float, float], ...]:
    return tuple((a, b) for a, b in pairwise(seen) if b - a > par.CARD_TRACK_UNSEEN_S)


def _faces(part: Part) -> tuple[tuple[int, float, float], ...]:
    runs = groupby(((detection.face, t) for t, detection in part if detection.face is not None), key=itemgetter(0))
    told = ((face, [t for _, t in run]) for face, run in runs)
    return tuple((face, times[0], times[-1]) for face, times in told)


Part = list[tuple[float, ChipDetection]]


def _by_label(detections: Part, until: float) -> list[tuple[float, float, Part]]:
    """Return the runs of one reading that last; a flicker stays with the run that it interrupts, or that it comes
    before.

    So does another reading for a moment, if the one before it comes back: a shadow fell on the chip.
    """
    if not detections:
        return []
    parts: list[Part] = [[detections[0]]]
    votes = Counter([detections[0][1].cents])
    for index in range(1, len(detections)):
        label = detections[index][1].cents
        ahead = [detection.cents for _, detection in detections[index : index + par.NEW_COLOUR_LOOKS]]
        if label != _voted(votes, votes.total()) and len(ahead) == par.NEW_COLOUR_LOOKS and set(ahead) == {label}:
            parts.append([])
            votes.clear()
        parts[-1].append(detections[index])
        votes[label] += 1
    if len(parts) > 1 and len(parts[0]) < par.NEW_COLOUR_LOOKS:
        parts[:2] = [parts[0] + parts[1]]
    for i in range(len(parts) - 2, 0, -1):
        brief = i + 1 < len(parts) and parts[i + 1][0][0] - parts[i][0][0] < par.FLICKER_S
        if brief and _cents(parts[i - 1]) == _cents(parts[i + 1]):
            parts[i - 1 : i + 2] = [parts[i - 1] + parts[i] + parts[i + 1]]
    ends = [part[0][0] for part in parts[1:]] + [until]
    return [(part[0][0], end, part) for part, end in zip(parts, ends, strict=True)]


def _cents(part: Part) -> int | None:
    """Return the value that so many looks tell, each as surely as it does; None where too few do."""
    votes: dict[int | None, float] = {}
    for _, detection in part:
        votes[detection.cents] = votes.get(detection.cents, 0.0) + detection.cents_p
    return _voted(votes, len(part))


def _voted(votes: Mapping[int | None, float], looks: int) -> int | None:
    value = max(votes, key=lambda value: votes[value])
    return value if votes[value] >= par.VOTED_SHARE * looks else None


def lying(dwells: Iterable[ChipDwell], t: float) -> list[ChipDwell]:
    """Dwells (in order of time) that hold at `t`; of two on one spot the later one."""
    result: list[ChipDwell] = []
    for dwell in dwells:
        if dwell.at(t):
            result = [old for old in result if distance(old.xy, dwell.xy) > par.CHIP_COVERED_MM] + [dwell]
    return result


def linked(a: ChipDwell, b: ChipDwell, link: float = par.FAN_LINK_RADII) -> bool:
    """Tell whether two chips lie within `link` mean radii."""
    return distance(a.xy, b.xy) <= link * (a.radius + b.radius) / 2


def shows_again(dwell: ChipDwell, other: ChipDwell, until: float) -> bool:
    """Tell whether a chip of its value comes into sight, by `until` seconds, where one was lost from sight."""
    there = other is not dwell and distance(other.xy, dwell.xy) <= par.SAME_SPOT_MM
    return there and other.cents == dwell.cents and dwell.seen_to < other.t0 <= until


def as_one(dwell: ChipDwell, again: ChipDwell) -> ChipDwell:
    """Return one dwell of a chip that was lost from sight and shows again."""
    return replace(
        dwell,
        t1=again.t1,
        seen_to=again.seen_to,
        n=dwell.n + again.n,
        p=max(dwell.p, again.p),
        mean=(dwell.mean * dwell.n + again.mean * again.n) / (dwell.n + again.n),
        faces=dwell.faces + again.faces,
        unseen=(*dwell.unseen, (dwell.seen_to, again.t0), *again.unseen),
    )
