"""What is told of any chip group in the inner area: its fan, the hands leaving it, its way from or to the tray."""

from __future__ import annotations

import math

from verifier.domain.events import ChipsFanned, ChipsFromTray, ChipsToTray
from verifier.domain.money import CENTS_BY_COLOUR
from verifier.reconstruct import parameters as par
from verifier.reconstruct.between.chip_groups import ChipGroup
from verifier.reconstruct.between.hand_paths import FELT, TRAY
from verifier.reconstruct.scene import Drafts, event, hands_clear


def worth(chip_group: ChipGroup, other: ChipGroup | None = None) -> int | None:
    """Cents of a chip group where all its chips showed: fanned and left, or single chips by what `other` shows.

    Not of one chip that is as much in another colour: it was misread likelier than exchanged wrongly.
    """
    shown = (chip_group.fanned and chip_group.off is not None) or (other is not None and single(chip_group, other))
    return chip_group.best.cents if shown and not (other is not None and _another_colour(chip_group, other)) else None


def _another_colour(chip_group: ChipGroup, other: ChipGroup) -> bool:
    """Tell whether a chip group is one chip, and another one's value is what the row that it was exchanged for is
    worth.
    """
    theirs = other.best.cents if other.fanned else None
    return len(chip_group.best.dwells) == 1 and theirs != chip_group.best.cents and theirs in CENTS_BY_COLOUR.values()


def single(chip_group: ChipGroup, other: ChipGroup) -> bool:
    """Tell whether a chip group that was not fanned is of single chips, by the chip group that it was exchanged for.

    With chips of the same values below its tops it could be worth as much as the other: then it was a stack. Tops that
    are worth as much already, or that no such chips make equal, are taken for single ones; and where a chip of the
    other's rows may be hidden, tops that are worth as much as it may be, and would be worth more with one chip below.
    """
    mine, theirs = chip_group.best.cents, other.best.cents
    if chip_group.fanned or mine is None:
        return False
    if theirs is None:
        low, high = other.range_cents
        return low <= mine <= high < mine + min(dwell.cents or 0 for dwell in chip_group.best.dwells)
    if not other.fanned:
        return mine >= theirs
    stacked = {mine}
    for value in {dwell.cents for dwell in chip_group.best.dwells if dwell.cents}:
        stacked |= {total for start in stacked for total in range(start, theirs + 1, value)}
    return mine == theirs or theirs not in stacked


def fan(chip_group: ChipGroup, owner: str, other: ChipGroup | None = None) -> Drafts:
    """Its `chips_fanned`: spread columns, or single chips, which need no spread.

    Where nothing tells what lies below a lone chip, or a chip group cannot be read, they may be single: a weak one.
    So it is where a hand that never left a lone chip may have hidden others beside it, and where nobody looked from
    before the chip group was spread, if it was, until it was taken up.
    """
    gap = None if chip_group.fanned else _unlooked(chip_group)
    alone = other is not None and single(chip_group, other)
    lone = len(chip_group.best.dwells) == 1 and (other is None or chip_group.off is None)
    unsure = not chip_group.fanned and (
        lone or (other is not None and None in (chip_group.best.cents, other.best.cents))
    )
    if not (chip_group.fanned or alone or unsure or gap):
        return []
    t1 = chip_group.spread_at if chip_group.fanned else chip_group.t0 + par.SLACK_S
    t0, t1 = (t1 - par.CHIP_GROUP_FAN_S, t1) if chip_group.fanned else gap if gap and not alone else (chip_group.t0, t1)
    p = chip_group.best.p if chip_group.fanned or alone else par.WEAK_P
    cents = worth(chip_group, other)
    return [
        event(
            ChipsFanned,
            t0,
            t1,
            min(par.SURELY_SEEN_P, p),
            owner=owner,
            at="inner",
            cents=cents,
            chips=None if cents is None else chip_group.best.chips,
            hand=None,
            direction="dealer",
            set_sizes=chip_group.sets,
        )
    ]


def _unlooked(chip_group: ChipGroup) -> tuple[float, float] | None:
    """Return a stretch that nobody looked at in which a pile may have been spread: it was taken up right after."""
    gap = chip_group.unlooked
    long = (
        gap is not None
        and gap[1] - gap[0] >= par.CHIP_GROUP_FAN_S
        and chip_group.t1 - gap[1] < par.CHIP_GROUP_TAKEN_UP_S
    )
    return gap if long else None


def clear(chip_group: ChipGroup, until: float) -> Drafts:
    """Return the records that the hands left a pile after it was laid or fanned, before `until`; none where they did
    not.

    A weak one where they may have left it while nobody looked.
    """
    for stretch, p in ((chip_group.off, par.SEEN_P), (chip_group.unlooked, par.WEAK_P)):
        if stretch is not None and min(stretch[1], until) - stretch[0] >= par.CLEARED_S:
            return [hands_clear((stretch[0], min(stretch[1], until)), p)]
    return []


def from_tray(chip_group: ChipGroup, origin: str, other: ChipGroup | None = None) -> Drafts:
    """Return the taking of its chips from the tray; the amount is what showed of them later."""
    if chip_group.came is None:
        return []
    shown = worth(chip_group, other) is not None
    return [
        event(
            ChipsFromTray,
            chip_group.came.t0,
            chip_group.came.t1,
            chip_group.came.p,
            cents=worth(chip_group, other),
            chips=chip_group.best.chips if shown else None,
            hand=chip_group.came.side,
            origin=origin,
        )
    ]


def _one_way(chip_group: ChipGroup, other: ChipGroup) -> bool:
    """Tell whether one hand seems to have taken two chip groups to the players at one time: they are pushed one by
    one.
    """
    ways = [
        hand_path for hand_path in (chip_group.went, other.went) if hand_path is not None and hand_path.place == FELT
    ]
    return len(ways) == 2 and ways[0].side == ways[1].side and abs(ways[0].t0 - ways[1].t0) <= par.CHIP_GROUP_FAN_S


def to_tray(chip_group: ChipGroup, origin: str, other: ChipGroup | None = None) -> Drafts:
    """Return the way of its chips to the tray; a weak one where they went and the hand that took them was not seen.

    The hand that pushed the other chip group to the player may have passed by as these were lost from sight.
    """
    unseen = chip_group.went is None or (other is not None and _one_way(chip_group, other))
    if unseen and not any(math.isinf(dwell.t1) for dwell in chip_group.best.dwells):
        return [
            event(
                ChipsToTray,
                chip_group.t1,
                chip_group.t1 + 1.0,
                par.WEAK_P,
                cents=None,
                origin=origin,
                occluded=True,
            )
        ]
    if chip_group.went is None or chip_group.went.place != TRAY:
        return []
    shown = worth(chip_group, other) is not None
    return [
        event(
            ChipsToTray,
            chip_group.went.t0,
            chip_group.went.t0 + par.CHIP_GROUP_LATER_S,
            chip_group.went.p,
            cents=worth(chip_group, other),
            chips=chip_group.best.chips if shown else None,
            hand=chip_group.went.side,
            origin=origin,
        )
    ]
