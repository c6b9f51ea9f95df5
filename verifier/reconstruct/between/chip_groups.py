"""Chips that lie in the inner table area between rounds: bought, exchanged, or tips being exchanged.

They lie in columns of one value. A chip group is followed from its laying down to its going; the look that shows most
chips of it is its fan, if the columns were spread at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, product

from msgspec import Struct
from msgspec.structs import replace

from verifier.reconstruct import parameters as par
from verifier.reconstruct.between.hand_paths import HandPath, came_from, went_to
from verifier.reconstruct.between.unlooked import came_unlooked, went_unlooked
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.money.cleared import touched_by
from verifier.reconstruct.money.piles import Pile, apart, cluster
from verifier.reconstruct.resting.chip_dwells import ChipDwell, lying
from verifier.reconstruct.table.runs import groups_of
from verifier.reconstruct.table.zones import TableMap, Xy, centre_of, distance


class ChipGroup(Struct, frozen=True, kw_only=True):
    """Chips in the inner area from `t0` to the last detection of them, `t1`."""

    t0: float
    t1: float
    best: Pile
    """What lay there when most chips showed; of as many, those that more looks did: a nail may pass for a chip."""
    spread_at: float
    """When most of those chips lay there for the first time."""
    came: HandPath | None
    """Where the hand that laid it had been."""
    went: HandPath | None
    off: tuple[float, float] | None
    """When no hand was at it, after it was spread or laid, so that all of it was in view."""
    unlooked: tuple[float, float] | None = None
    """The longest stretch since then that nobody looked at."""

    @property
    def fanned(self) -> bool:
        """Whether a column was spread so that more than its top chip showed."""
        return any(column.size > 1 for column in cluster(self.best.dwells))

    @property
    def sets(self) -> list[int]:
        """Chips of each column, from the dealer's left."""
        return [column.size for column in cluster(self.best.dwells)]

    @property
    def range_cents(self) -> tuple[int, int]:
        """Least and most that its rows may be worth, where each break between two pieces of a column hides one chip."""
        shown = sum(dwell.cents or 0 for dwell in self.best.dwells)
        hidden = [max(a.cents or 0, b.cents or 0) for a, b in _breaks(self.best.dwells)]
        return shown, shown + sum(hidden)

    @property
    def points(self) -> list[Xy]:
        """Where its chips lay when most of them showed."""
        return [dwell.xy for dwell in self.best.dwells]

    @property
    def middle(self) -> Xy:
        return centre_of(self.points)


def chip_groups_of(
    chips: Iterable[ChipDwell], table: TableMap, hands: HandLog, since: float, until: float
) -> list[ChipGroup]:
    """Return the piles laid down in the inner area in [since, until), in order of time."""
    dwells = [
        dwell
        for dwell in chips
        if since <= dwell.t0 < until
        and dwell.seen_to - dwell.t0 >= par.CHIP_GROUP_LEAST_S
        and table.within(dwell.xy, "inner")
    ]
    groups = groups_of([_dated(dwell, dwells) for dwell in dwells], _together)
    chip_groups = [_chip_group(group, table, hands) for group in groups]
    return sorted(chip_groups, key=lambda chip_group: chip_group.t0)


def _dated(dwell: ChipDwell, dwells: Sequence[ChipDwell]) -> ChipDwell:
    """Return a chip since it lay there: a chip that comes into sight between two neighbours in a column was spread with
    them.
    """
    near = [
        other
        for other in dwells
        if abs(other.xy[0] - dwell.xy[0]) <= par.COLUMN_MM
        and par.CHIP_GROUP_SPOT_MM < distance(other.xy, dwell.xy) <= par.CHIP_GROUP_STEP_MM
        and other.t0 < dwell.t0 <= other.seen_to
    ]
    sides = [[o.t0 for o in near if (o.xy[1] > dwell.xy[1]) == nearer] for nearer in (True, False)]
    return replace(dwell, t0=max(min(sides[0]), min(sides[1]))) if all(sides) else dwell


def _together(a: ChipDwell, b: ChipDwell) -> bool:
    """Tell whether two chips are of one chip group: laid or spread at about one time, or seen where that one lay or was
    spread to.

    What is laid beside a chip group later is another one.
    """
    gap, late = distance(a.xy, b.xy), abs(a.t0 - b.t0)
    column = abs(a.xy[0] - b.xy[0]) <= par.COLUMN_MM and gap <= par.CHIP_GROUP_STEP_MM
    if gap <= par.CHIP_GROUP_SPOT_MM or (column and late <= par.CHIP_GROUP_FANNED_S):
        return a.t0 <= b.seen_to + par.CHIP_GROUP_AGAIN_S and b.t0 <= a.seen_to + par.CHIP_GROUP_AGAIN_S
    return (gap <= par.CHIP_GROUP_MM and late <= par.CHIP_GROUP_SPREAD_S) or (
        gap <= par.CHIP_GROUP_WIDEST_MM and late <= par.CHIP_GROUP_AT_ONCE_S
    )


def _chip_group(dwells: Sequence[ChipDwell], table: TableMap, hands: HandLog) -> ChipGroup:
    t0, t1 = min(dwell.t0 for dwell in dwells), max(dwell.seen_to for dwell in dwells)
    shown = {t: apart(lying(dwells, t)) for t in sorted(dwell.t0 + par.MARK_S for dwell in dwells)}
    best = max(shown.values(), key=lambda there: (len(there), sum(dwell.n for dwell in there)))
    spread_at = min(t for t, there in shown.items() if len(there) >= par.CHIP_GROUP_SPREAD_SHARE * len(best))
    first = [dwell.xy for dwell in dwells if dwell.t0 <= t0 + 0.5]
    touched = touched_by(hands, best, spread_at)
    if touched < spread_at and hands.blind(touched, spread_at) is None:
        t0, spread_at = min(t0, touched - par.CHIP_GROUP_LAID_BEFORE_S), touched
    last = [dwell.xy for dwell in dwells if dwell.seen_to >= t1 - 0.5]
    return ChipGroup(
        t0=t0,
        t1=t1,
        spread_at=spread_at,
        best=Pile(tuple(best), unsure=broken(best) or _odd_one(best)),
        came=came_from(hands, table, first, t0) or came_unlooked(hands, table, first, t0),
        went=went_to(hands, table, last, t1)
        or _went_later(hands, table, last, t1)
        or went_unlooked(hands, table, last, t1),
        off=hands.off([dwell.xy for dwell in best], spread_at, t1),
        unlooked=hands.blind(spread_at, t1),
    )


def _went_later(hands: HandLog, table: TableMap, points: Sequence[Xy], t1: float) -> HandPath | None:
    """Where chips went that were lost from sight with no hand at them: with the dealer's hand that came there next."""
    visits: list[float] = []
    for t in hands.times_between(t1 - par.CHIP_GROUP_AGAIN_S, t1 + par.CHIP_GROUP_LOST_S):
        there = [hand for hand in hands.between(t, t) if any(hand.over(xy, par.HAND_OVER_MM) for xy in points)]
        if visits and not there:
            break
        if there and (t < t1 + par.CHIP_GROUP_AGAIN_S or any(hand.owner != "dealer" for hand in there)):
            return None
        visits += [t] if there else []
    return went_to(hands, table, points, visits[-1]) if visits else None


def with_hidden(dwells: Sequence[ChipDwell]) -> list[ChipDwell]:
    """Return the chips of columns, and one in each gap of a column that has room for just one chip of its spread."""
    hidden = []
    for a, b in _breaks(dwells):
        steps = [
            gap for s in dwells for gap in [distance(s.xy, a.xy)] if s is not a and gap <= par.CHIP_GROUP_STEP_MM
        ] or [gap for s in dwells for gap in [distance(s.xy, b.xy)] if s is not b and gap <= par.CHIP_GROUP_STEP_MM]
        if (
            a.cents == b.cents
            and steps
            and par.CHIP_GROUP_ONE_STEPS[0] <= distance(a.xy, b.xy) / min(steps) <= par.CHIP_GROUP_ONE_STEPS[1]
        ):
            hidden.append(replace(a, xy=centre_of([a.xy, b.xy])))
    return [*dwells, *hidden]


def broken(dwells: Sequence[ChipDwell]) -> bool:
    """Tell whether a column shows in two pieces, between which a chip was missed."""
    return bool(_breaks(dwells))


def _breaks(dwells: Sequence[ChipDwell]) -> list[tuple[ChipDwell, ChipDwell]]:
    """Return the two nearest chips of each two pieces of a column."""
    columns = [column.dwells for column in cluster(dwells)]
    found = []
    for one, other in combinations(columns, 2):
        in_line = [(a, b) for a, b in product(one, other) if abs(a.xy[0] - b.xy[0]) <= par.COLUMN_MM]
        if in_line:
            found.append(min(in_line, key=lambda pair: distance(pair[0].xy, pair[1].xy)))
    return found


def _odd_one(dwells: Sequence[ChipDwell]) -> bool:
    """Tell whether one chip of a column reads otherwise than all others: columns are of one value, so it may be
    misread.
    """
    columns = [Counter(dwell.cents for dwell in column.dwells) for column in cluster(dwells)]
    return any(
        len(values) == 2 and values.total() >= par.CHIP_GROUP_MIXED_CHIPS and min(values.values()) == 1
        for values in columns
    )
