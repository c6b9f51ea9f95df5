"""Bank notes at rest: followed by place from look to look, with what all looks together tell of each.

A look at a bill errs as the next one does, so a value that most looks misread stays a doubt: it is told only where it
is sure, and so is the side that shows.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from msgspec import Struct

from verifier.reconstruct import parameters as par
from verifier.reconstruct.hands.hands import Cover, HandLog
from verifier.reconstruct.resting.bills import BillLook
from verifier.reconstruct.table.detections import BillDetection
from verifier.reconstruct.table.runs import nearest_first
from verifier.reconstruct.table.zones import Xy, centre_of, distance


class BillDwell(Struct, frozen=True, kw_only=True):
    """A bill that lay still at `xy` (mm), its long side at `angle` (degrees clockwise from up, 0..180)."""

    xy: Xy
    angle: float
    size: tuple[float, float]
    """Its shorter and longer side in mm, as the map has them."""
    corners: tuple[Xy, ...]
    before: float
    """The last look that showed its place bare, before the hand that laid it came; -inf where there was none."""
    t0: float
    t1: float
    gone: float | None
    """The first look that showed its place bare again; None where none did."""
    times: tuple[float, ...]
    """The looks that showed it, without those that told one again because nothing had moved."""
    values: dict[int, float]
    """Probabilities of its values in cents; empty where too few looks read it."""
    face: str | None
    """None where that is not sure."""

    @property
    def cents(self) -> int | None:
        """Its value; None where that is not sure."""
        return next((value for value, p in self.values.items() if p >= par.BILL_SURE_VALUE_P), None)

    @property
    def may_be(self) -> list[int]:
        """The values that it may have; none where nothing tells."""
        return [value for value, p in self.values.items() if p >= 1.0 - par.BILL_SURE_VALUE_P]

    @property
    def sure(self) -> bool:
        """Whether enough looks showed it to accuse anybody of how it lies."""
        return len(self.times) >= par.SURE_LOOKS

    def lay(self, t: float) -> bool:
        """Tell whether it may have lain there at `t`."""
        return self.before < t and (self.gone is None or t < self.gone)


@dataclass
class _Track:
    detections: list[tuple[float, BillDetection]]
    before: float
    bare: list[float] = field(default_factory=list)
    """Looks since the last detection that showed its place, and not it."""
    missed: int = 0

    def gone(self, t: float) -> bool:
        late = bool(self.bare) and t - self.detections[-1][0] > par.BILL_DWELL_LONGEST_S
        return late or len(self.bare) >= par.BILL_MISSED_LOOKS

    @property
    def last(self) -> BillDetection:
        return self.detections[-1][1]

    @property
    def told(self) -> list[tuple[float, BillDetection]]:
        """Its detections without those repeated to the last digit: one look, told again because nothing had moved."""
        return [one for i, one in enumerate(self.detections) if i == 0 or one[1] != self.detections[i - 1][1]]


def bill_dwells(looks: Iterable[BillLook], hands: HandLog) -> list[BillDwell]:
    """Return the bills that lay still, in order of time, by looks in order of time."""
    tracks: list[_Track] = []
    done: list[BillLook] = []
    for look in looks:
        cover = Cover(tuple(hands.between(look.t, look.t)))
        open_ = [track for track in tracks if not track.gone(look.t)]
        found = _matched(open_, look.bills)
        for track in open_:
            bill = found.get(id(track))
            if bill is not None:
                track.missed, track.bare = track.missed + len(track.bare), []
                track.detections.append((look.t, bill))
            elif not _hidden(track.last, cover):
                track.bare.append(look.t)
        known = {id(bill) for bill in found.values()}
        tracks += [
            _Track([(look.t, b)], _bare_before(look.t, b, done, hands)) for b in look.bills if id(b) not in known
        ]
        done.append(look)
    return sorted((_dwell(track) for track in tracks if _there(track)), key=lambda dwell: dwell.t0)


def _matched(tracks: Sequence[_Track], bills: Sequence[BillDetection]) -> dict[int, BillDetection]:
    """Which sight is of which track, by the track's id: the nearest first."""
    gaps = ((distance(a.last.xy, b.xy), a, b, i, j) for i, a in enumerate(tracks) for j, b in enumerate(bills))
    found = nearest_first(
        (gap, i, j)
        for gap, track, bill, i, j in gaps
        if gap <= par.BILL_DWELL_SAME_MM and turned(track.last.angle, bill.angle) <= par.BILL_DWELL_SAME_DEGREES
    )
    return {id(tracks[i]): bills[j] for i, j in found.items()}


def _hidden(bill: BillDetection, cover: Cover) -> bool:
    """Tell whether a hand or a forearm may hide a bill's middle, or a hand reaches over a corner."""
    return cover.hides(bill.xy) or any(hand.over(xy, 0.0) for hand in cover.hands for xy in bill.corners)


def _bare_before(t: float, bill: BillDetection, looks: Sequence[BillLook], hands: HandLog) -> float:
    """Return the last look that showed the place of a bill bare, before the hand that was last there until it was seen
    at `t`.

    A look since then has missed it, for nothing comes by itself; where no hand was there the look before tells.
    """
    visits = [
        hand.t for hand in hands.between(t - par.BILL_DWELL_LAID_S, t) if hand.over(bill.xy, par.BILL_DWELL_REACH_MM)
    ]
    since = max(visits, default=t)
    for look in reversed(looks):
        if look.t < since and not _hidden(bill, Cover(tuple(hands.between(look.t, look.t)))):
            return look.t
    return -math.inf


def _there(track: _Track) -> bool:
    seen, told = len(track.detections), track.told
    if sum(detection.p for _, detection in told) < par.SURE_BILL_P * len(told):
        return False
    return len(told) >= par.TWICE_LOOKS and seen >= par.BILL_LEAST_SHARE * (seen + track.missed)


def _dwell(track: _Track) -> BillDwell:
    detections = [detection for _, detection in track.told]
    xy, angle = centre_of([detection.xy for detection in detections]), _mean_angle(detections)
    size = (sum(s.size[0] for s in detections) / len(detections), sum(s.size[1] for s in detections) / len(detections))
    return BillDwell(
        xy=xy,
        angle=angle,
        size=size,
        corners=rectangle(xy, angle, size),
        before=track.before,
        t0=track.detections[0][0],
        t1=track.detections[-1][0],
        gone=next(iter(track.bare), None),
        times=tuple(t for t, _ in track.told),
        values=_values(detections),
        face=_face(detections),
    )


def rectangle(xy: Xy, angle: float, size: Xy) -> tuple[Xy, ...]:
    """Corners of a bill with such sides, its longer one at `angle`."""
    sine, cosine = math.sin(math.radians(angle)), math.cos(math.radians(angle))
    (short, long), sides = size, ((-1, -1), (-1, 1), (1, 1), (1, -1))
    return tuple(
        (xy[0] + (a * short * cosine + b * long * sine) / 2, xy[1] + (a * short * sine - b * long * cosine) / 2)
        for a, b in sides
    )


def turned(a: float, b: float) -> float:
    """Degrees between two directions that stand for their opposites too, 0..90."""
    return abs((a - b + 90.0) % 180.0 - 90.0)


def _mean_angle(detections: Sequence[BillDetection]) -> float:
    first = detections[0].angle
    return (first + sum((s.angle - first + 90.0) % 180.0 - 90.0 for s in detections) / len(detections)) % 180.0


def _values(detections: Sequence[BillDetection]) -> dict[int, float]:
    """Probabilities of its values, by the mean of what the looks say, taken as two looks that err apart."""
    read = [detection.values for detection in detections if sum(detection.values.values()) >= par.BILL_LEAST_READ_P]
    if len(read) < par.SURE_LOOKS:
        return {}
    logs = {
        value: par.BILL_INDEPENDENT_LOOKS
        * sum(math.log(max(par.BILL_FLOOR_P, values.get(value, 0.0))) for values in read)
        / len(read)
        for value in {value for values in read for value in values}
    }
    best = max(logs.values())
    whole = sum(math.exp(log - best) for log in logs.values())
    return {int(value): math.exp(log - best) / whole for value, log in logs.items()}


def _face(detections: Sequence[BillDetection]) -> str | None:
    votes = Counter(detection.face for detection in detections if detection.face is not None)
    if votes.total() < par.SURE_LOOKS:
        return None
    face, count = votes.most_common(1)[0]
    return face if count >= par.BILL_SURE_FACE_P * votes.total() else None
