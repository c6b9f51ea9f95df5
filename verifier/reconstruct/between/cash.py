"""Cash as it was spread (99-01.3-08-07(3)(b)): the bills that lie while chips are taken, where the dealer left them.

What accuses is told only of bills that enough looks showed; what a player laid down first, and the dealer then took
and spread elsewhere, is the same cash. A bill hidden under another is not seen.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise, product

from msgspec import Struct
from msgspec.structs import replace

from verifier.domain.events import CurrencySpread
from verifier.reconstruct import parameters as par
from verifier.reconstruct.resting.bill_dwells import BillDwell, bill_dwells, rectangle, turned
from verifier.reconstruct.scene import Between, Drafts, event, hands_clear
from verifier.reconstruct.table.zones import TableMap, Xy, bounds, box_distance, distance


class Cash(Struct, frozen=True):
    """Bills that lay at one time, in the order of their row, and when the dealer laid the first and the last."""

    dwells: tuple[BillDwell, ...]
    laid: tuple[float, float]
    since: float
    """When the last of them may have lain there at the soonest."""

    @property
    def cents(self) -> int | None:
        """What they are worth; None where a value is not sure, or one may hide another."""
        bills = self.bills
        return None if bills is None else sum(int(value) * count for value, count in bills.items())

    @property
    def bills(self) -> dict[str, int] | None:
        """How many there are of each value."""
        values = [dwell.cents for dwell in self.dwells if dwell.cents is not None]
        if len(values) < len(self.dwells) or overlap(self.dwells):
            return None
        return dict(Counter(str(value) for value in values))

    @property
    def points(self) -> list[Xy]:
        """Corners, middles of the sides and middles of all bills."""
        found: list[Xy] = []
        for dwell in self.dwells:
            ring = [*dwell.corners, dwell.corners[0]]
            found += [dwell.xy, *dwell.corners, *(((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in pairwise(ring))]
        return found

    def dealers(self, between: Between) -> bool:
        """Tell whether a hand of the dealer's was the last at each bill's place before a look showed it."""
        for dwell in self.dwells:
            hands = between.hands.between(max(dwell.before, dwell.t0 - par.BILL_DWELL_LAID_S), dwell.t0)
            near = [hand.owner for hand in hands if hand.over(dwell.xy, par.BILL_DWELL_REACH_MM)]
            if near[-1:] != ["dealer"]:
                return False
        return True


def cash_at(between: Between, t: float) -> Cash | None:
    """Return the bills that lay at `t`, which somebody had laid there; None where none was seen."""
    dwells = [s for s in bill_dwells(between.bills, between.hands) if s.lay(t) and _was_laid(between, s)]
    if not dwells:
        return None
    laid = [_laid(between, dwell) for dwell in dwells]
    first, last = min(t0 for t0, _ in laid), max(t1 for _, t1 in laid)
    return Cash(tuple(_in_row(dwells)), (first, last), max(t0 for t0, _ in laid))


def looked_in_vain(between: Between, t0: float, t1: float) -> bool:
    """Tell whether bills were looked for again and again in [t0, t1] and none was seen."""
    looks = [look for look in between.bills if t0 <= look.t <= t1]
    return len(looks) >= par.BILLS_NONE_LOOKS and not any(look.bills for look in looks)


def spread_out(between: Between, cash: Cash, taken: float | None) -> Drafts:
    """Return the cash as it was spread, and the hands that left it before chips were taken; None where none were
    seen.
    """
    begin, end = (t if taken is None else min(t, taken) for t in cash.laid)
    sure = all(dwell.sure for dwell in cash.dwells)
    spread = event(
        CurrencySpread,
        begin,
        end,
        par.BILL_SEEN_P if sure else par.BILL_TWO_LOOKS_P,
        bills=cash.bills,
        cents=cash.cents,
        face_down=_all(None if dwell.face is None else dwell.face == "down" for dwell in cash.dwells),
        perpendicular=_all(_square(dwell, between.table) for dwell in cash.dwells),
        monotone=monotone(cash.dwells),
        overlap=overlap(cash.dwells),
    )
    return [spread, *([] if taken is None else _left(between, cash, min(cash.since, taken), taken))]


def _left(between: Between, cash: Cash, since: float, taken: float) -> Drafts:
    """Return the records that the hands left the bills lying there, for longer than the way to the tray takes.

    A weak one where that is not sure, or nobody looked for as long.
    """
    hands = between.hands
    off = hands.off(cash.points, since, taken, -par.BILL_BESIDE_MM)
    if off is not None and hands.look_before(taken) <= off[1]:
        off = (off[0], taken)
    p = par.WEAK_P if off is None or off[1] - off[0] < par.BILL_LEFT_S else par.SEEN_P
    if off is None or off[1] - off[0] < par.BILL_BRIEF_S:
        blind = hands.blind(since, taken)
        off = None if blind is None else (max(blind[0], since), min(blind[1], taken))
    return [] if off is None else [hands_clear(off, p)]


def _laid(between: Between, dwell: BillDwell) -> tuple[float, float]:
    """When the dealer's hand was last at a bill's place before a look showed it there: from, to.

    Where none was seen there, all of the gap in which nobody looked, if there was one.
    """
    since = dwell.t0 - par.BILL_DWELL_LAID_S
    times = [
        hand.t for hand in between.hands.between(since, dwell.t0, "dealer") if hand.over(dwell.xy, par.BILL_TOUCH_MM)
    ]
    if times:
        return times[-1], times[-1]
    return between.hands.blind(since, dwell.t0) or (dwell.t0, dwell.t0)


def _was_laid(between: Between, dwell: BillDwell) -> bool:
    """Tell whether a hand may have laid a bill before a look showed it: nothing comes by itself, print on felt
    lies on.
    """
    since = dwell.t0 - par.BILL_DWELL_LAID_S
    near = any(hand.over(dwell.xy, par.BILL_DWELL_REACH_MM) for hand in between.hands.between(since, dwell.t0))
    return near or between.hands.blind(since, dwell.t0) is not None


def _in_row(dwells: Sequence[BillDwell]) -> list[BillDwell]:
    """Bills in the order of their row, whichever way it runs."""
    x0, y0, x1, y1 = bounds(dwell.xy for dwell in dwells)
    return sorted(dwells, key=lambda dwell: dwell.xy[x1 - x0 < y1 - y0])


def _all(each: Iterable[bool | None]) -> bool | None:
    """Tell whether all are so: False where one surely is not, None where that is not known of one."""
    said = list(each)
    return False if False in said else None if None in said else True


def _square(dwell: BillDwell, table: TableMap) -> bool | None:
    """Tell whether a bill lies in the inner area at a right angle to the tray."""
    off = 90.0 - turned(dwell.angle, _tray(table))
    beside = box_distance(dwell.xy, bounds(table.zones["inner"])) if not table.within(dwell.xy, "inner") else 0.0
    if off <= par.BILL_SQUARE_DEGREES and not beside:
        return True
    return False if dwell.sure and (off > par.BILL_ASKEW_DEGREES or beside > par.BILL_OUTSIDE_MM) else None


def _tray(table: TableMap) -> float:
    """Direction of the tray's longest side, degrees clockwise from up."""
    corners = table.zones.get("tray") or ((0.0, 0.0), (1.0, 0.0))
    (ax, ay), (bx, by) = max(pairwise([*corners, corners[0]]), key=lambda side: distance(*side))
    return math.degrees(math.atan2(bx - ax, ay - by)) % 180.0


def monotone(dwells: Sequence[BillDwell]) -> bool | None:
    """Tell whether values go up or down along the row; None where they may or may not, or lie in no row."""
    x0, y0, x1, y1 = bounds(dwell.xy for dwell in dwells)
    if min(x1 - x0, y1 - y0) > par.BILL_ROW_MM:
        return None
    read = [dwell.may_be for dwell in dwells if dwell.may_be]
    if math.prod(len(each) for each in read) > par.MOST_WAYS:
        return None
    ways = {[*way] in (sorted(way), sorted(way, reverse=True)) for way in product(*read)}
    return False if ways == {False} else True if ways == {True} and len(read) == len(dwells) else None


def overlap(dwells: Sequence[BillDwell]) -> bool | None:
    """Tell whether two bills that looks showed together lie over one another by more than their places may be off.

    Their long sides turn an angle that is a few degrees off into as much: two that lie square lie side by side.
    """
    depths = [_depth(a, b) for a, b in combinations(dwells, 2)]
    sure = any(
        min(_depth(a, b), _depth(*_squared(a, b))) > par.BILL_OVER_MM
        and a.sure
        and b.sure
        and len({*a.times} & {*b.times}) >= 2
        for a, b in combinations(dwells, 2)
    )
    return True if sure else None if max(depths, default=-1.0) > par.BILL_APART_MM else False


def _squared(a: BillDwell, b: BillDwell) -> tuple[BillDwell, BillDwell]:
    """Two bills, both at the angle between theirs where these are no farther apart than a square bill's may be off."""
    off = (b.angle - a.angle + 90.0) % 180.0 - 90.0
    if abs(off) > par.BILL_SQUARE_DEGREES:
        return a, b
    angle = (a.angle + off / 2.0) % 180.0
    one, other = (replace(s, angle=angle, corners=rectangle(s.xy, angle, s.size)) for s in (a, b))
    return one, other


def _depth(a: BillDwell, b: BillDwell) -> float:
    """By how many mm two bills lie over one another along the side where that is least; below 0 where they do not."""
    depth = math.inf
    for dwell in (a, b):
        for turn in (0.0, 90.0):
            way = math.radians(dwell.angle + turn)
            along = (math.sin(way), -math.cos(way))
            (low, high), (least, most) = (_shadow(one, along) for one in (a, b))
            depth = min(depth, min(high, most) - max(low, least))
    return depth


def _shadow(dwell: BillDwell, along: Xy) -> tuple[float, float]:
    """Return the least and greatest of a bill's corners along a direction."""
    reach = [x * along[0] + y * along[1] for x, y in dwell.corners]
    return min(reach), max(reach)
