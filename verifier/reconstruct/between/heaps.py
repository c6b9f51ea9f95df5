"""Chips that lie in the inner table area between rounds: bought, exchanged, or tips being exchanged.

They lie in columns of one value. A heap is followed from its laying down to its going; the look that shows most chips
of it is its fan, if the columns were spread at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, product

from msgspec import Struct
from msgspec.structs import replace

from verifier.reconstruct import parameters as par
from verifier.reconstruct.between.trips import Trip, came_from, went_to
from verifier.reconstruct.between.unlooked import came_unlooked, went_unlooked
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.money.cleared import touched_by
from verifier.reconstruct.money.piles import Pile, apart, cluster
from verifier.reconstruct.resting.chip_stays import ChipStay, lying
from verifier.reconstruct.table.zones import TableMap, Xy, centre_of, distance


class Heap(Struct, frozen=True, kw_only=True):
    """Chips in the inner area from `t0` to the last sight of them, `t1`."""

    t0: float
    t1: float
    best: Pile
    """What lay there when most chips showed; of as many, those that more looks did: a nail may pass for a chip."""
    spread_at: float
    """When most of those chips lay there for the first time."""
    came: Trip | None
    """Where the hand that laid it had been."""
    went: Trip | None
    off: tuple[float, float] | None
    """When no hand was at it, after it was spread or laid, so that all of it was in view."""
    unlooked: tuple[float, float] | None = None
    """The longest stretch since then that nobody looked at."""

    @property
    def fanned(self) -> bool:
        """Whether a column was spread so that more than its top chip showed."""
        return any(column.size > 1 for column in cluster(self.best.stays))

    @property
    def sets(self) -> list[int]:
        """Chips of each column, from the dealer's left."""
        return [column.size for column in cluster(self.best.stays)]

    @property
    def range_cents(self) -> tuple[int, int]:
        """Least and most that its rows may be worth, where each break between two pieces of a column hides one chip."""
        shown = sum(stay.cents or 0 for stay in self.best.stays)
        hidden = [max(a.cents or 0, b.cents or 0) for a, b in _breaks(self.best.stays)]
        return shown, shown + sum(hidden)

    @property
    def points(self) -> list[Xy]:
        """Where its chips lay when most of them showed."""
        return [stay.xy for stay in self.best.stays]

    @property
    def middle(self) -> Xy:
        return centre_of(self.points)


def heaps_of(chips: Iterable[ChipStay], table: TableMap, hands: HandLog, since: float, until: float) -> list[Heap]:
    """Return the piles laid down in the inner area in [since, until), in order of time."""
    stays = [
        stay
        for stay in chips
        if since <= stay.t0 < until and stay.seen_to - stay.t0 >= par.HEAP_LEAST_S and table.within(stay.xy, "inner")
    ]
    stays = [stay for stay in stays if not _passing(stay, stays)]
    heaps = [_heap(group, table, hands) for group in _groups([_dated(stay, stays) for stay in stays])]
    return sorted(heaps, key=lambda heap: heap.t0)


def _passing(stay: ChipStay, stays: Sequence[ChipStay]) -> bool:
    """Tell whether a chip seen seldom lies where there is no room for it in a row: one of the row, on its way there."""
    near = [
        o
        for o in stays
        if o is not stay and distance(o.xy, stay.xy) < par.ROW_NO_ROOM_RADII * o.radius and o.n > 2 * stay.n
    ]
    return len(near) >= 2


def _dated(stay: ChipStay, stays: Sequence[ChipStay]) -> ChipStay:
    """Return a chip since it lay there: a chip that comes into sight between two neighbours in a column was spread with
    them.
    """
    near = [
        other
        for other in stays
        if abs(other.xy[0] - stay.xy[0]) <= par.COLUMN_MM
        and par.HEAP_SPOT_MM < distance(other.xy, stay.xy) <= par.HEAP_STEP_MM
        and other.t0 < stay.t0 <= other.seen_to
    ]
    sides = [[o.t0 for o in near if (o.xy[1] > stay.xy[1]) == nearer] for nearer in (True, False)]
    return replace(stay, t0=max(min(sides[0]), min(sides[1]))) if all(sides) else stay


def _groups(stays: Sequence[ChipStay]) -> list[list[ChipStay]]:
    groups: list[list[ChipStay]] = []
    for stay in stays:
        mine = [group for group in groups if any(_together(stay, other) for other in group)]
        groups = [group for group in groups if group not in mine] + [[*(s for group in mine for s in group), stay]]
    return groups


def _together(a: ChipStay, b: ChipStay) -> bool:
    """Tell whether two chips are of one heap: laid or spread at about one time, or seen where that one lay or was
    spread to.

    What is laid beside a heap later is another one.
    """
    gap, late = distance(a.xy, b.xy), abs(a.t0 - b.t0)
    column = abs(a.xy[0] - b.xy[0]) <= par.COLUMN_MM and gap <= par.HEAP_STEP_MM
    if gap <= par.HEAP_SPOT_MM or (column and late <= par.HEAP_FANNED_S):
        return a.t0 <= b.seen_to + par.HEAP_AGAIN_S and b.t0 <= a.seen_to + par.HEAP_AGAIN_S
    return (gap <= par.HEAP_MM and late <= par.HEAP_SPREAD_S) or (
        gap <= par.HEAP_WIDEST_MM and late <= par.HEAP_AT_ONCE_S
    )


def _heap(stays: Sequence[ChipStay], table: TableMap, hands: HandLog) -> Heap:
    t0, t1 = min(stay.t0 for stay in stays), max(stay.seen_to for stay in stays)
    shown = {t: apart(lying(stays, t)) for t in sorted(stay.t0 + par.MARK_S for stay in stays)}
    best = max(shown.values(), key=lambda there: (len(there), sum(stay.n for stay in there)))
    spread_at = min(t for t, there in shown.items() if len(there) >= par.HEAP_SPREAD_SHARE * len(best))
    first = [stay.xy for stay in stays if stay.t0 <= t0 + 0.5]
    touched = touched_by(hands, best, spread_at)
    if touched < spread_at and hands.blind(touched, spread_at) is None:
        t0, spread_at = min(t0, touched - par.HEAP_LAID_BEFORE_S), touched
    last = [stay.xy for stay in stays if stay.seen_to >= t1 - 0.5]
    return Heap(
        t0=t0,
        t1=t1,
        spread_at=spread_at,
        best=Pile(tuple(best), unsure=broken(best) or _odd_one(best)),
        came=came_from(hands, table, first, t0) or came_unlooked(hands, table, first, t0),
        went=went_to(hands, table, last, t1)
        or _went_later(hands, table, last, t1)
        or went_unlooked(hands, table, last, t1),
        off=hands_off(hands, [stay.xy for stay in best], spread_at, t1),
        unlooked=hands.blind(spread_at, t1),
    )


def _went_later(hands: HandLog, table: TableMap, points: Sequence[Xy], t1: float) -> Trip | None:
    """Where chips went that were lost from sight with no hand at them: with the dealer's hand that came there next."""
    visits: list[float] = []
    for t in hands.times_between(t1 - par.HEAP_AGAIN_S, t1 + par.HEAP_LOST_S):
        there = [hand for hand in hands.between(t, t) if any(hand.over(xy, par.HEAP_OFF_MM) for xy in points)]
        if visits and not there:
            break
        if there and (t < t1 + par.HEAP_AGAIN_S or any(hand.owner != "dealer" for hand in there)):
            return None
        visits += [t] if there else []
    return went_to(hands, table, points, visits[-1]) if visits else None


def with_hidden(stays: Sequence[ChipStay]) -> list[ChipStay]:
    """Return the chips of columns, and one in each gap of a column that has room for just one chip of its spread."""
    hidden = []
    for a, b in _breaks(stays):
        steps = [gap for s in stays for gap in [distance(s.xy, a.xy)] if s is not a and gap <= par.HEAP_STEP_MM] or [
            gap for s in stays for gap in [distance(s.xy, b.xy)] if s is not b and gap <= par.HEAP_STEP_MM
        ]
        if (
            a.cents == b.cents
            and steps
            and par.HEAP_ONE_STEPS[0] <= distance(a.xy, b.xy) / min(steps) <= par.HEAP_ONE_STEPS[1]
        ):
            hidden.append(replace(a, xy=centre_of([a.xy, b.xy])))
    return [*stays, *hidden]


def broken(stays: Sequence[ChipStay]) -> bool:
    """Tell whether a column shows in two pieces, between which a chip was missed."""
    return bool(_breaks(stays))


def _breaks(stays: Sequence[ChipStay]) -> list[tuple[ChipStay, ChipStay]]:
    """Return the two nearest chips of each two pieces of a column."""
    columns = [column.stays for column in cluster(stays)]
    found = []
    for one, other in combinations(columns, 2):
        in_line = [(a, b) for a, b in product(one, other) if abs(a.xy[0] - b.xy[0]) <= par.COLUMN_MM]
        if in_line:
            found.append(min(in_line, key=lambda pair: distance(pair[0].xy, pair[1].xy)))
    return found


def _odd_one(stays: Sequence[ChipStay]) -> bool:
    """Tell whether one chip of a column reads otherwise than all others: columns are of one value, so it may be
    misread.
    """
    columns = [Counter(stay.cents for stay in column.stays) for column in cluster(stays)]
    return any(
        len(values) == 2 and values.total() >= par.HEAP_MIXED_CHIPS and min(values.values()) == 1 for values in columns
    )


def hands_off(
    hands: HandLog, points: Sequence[Xy], since: float, until: float, margin: float = par.HEAP_OFF_MM
) -> tuple[float, float] | None:
    """Return the first stretch in [since, until] with no hand of the dealer at any of the points, long enough to be
    meant.

    A hand is at a point within `margin` mm of its box. What nobody looked at for long is no part of it.
    """
    start: float | None = None
    last = since
    for t in hands.times_between(since, until):
        at = any(hand.over(xy, margin) for hand in hands.between(t, t, "dealer") for xy in points)
        unseen = start is not None and t - last > par.HEAP_RETURN_S and hands.blind(last, t) is not None
        if start is not None and (at or unseen or t >= until) and last - start >= par.HEAP_OFF_S:
            break
        start = None if at else t if start is None or unseen else start
        last = t
    return (start, last) if start is not None and last - start >= par.HEAP_OFF_S else None
