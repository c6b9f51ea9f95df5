"""Chips that a hand took from the tray and pushed to a player without leaving them: they were never seen to lie."""

from __future__ import annotations

from collections.abc import Sequence

from verifier.domain.events import ChipsFanned, ChipsFromTray, ChipsPushed, ChipsReceived
from verifier.reconstruct import parameters as par
from verifier.reconstruct.between.chip_group_events import clear, fan, to_tray, worth
from verifier.reconstruct.between.chip_groups import ChipGroup
from verifier.reconstruct.between.hand_paths import FELT, TRAY, HandPath, carried, nearest_space
from verifier.reconstruct.scene import Between, Drafts, event, hands_clear
from verifier.reconstruct.table.zones import TableMap, distance


def given_at_once(between: Between, taken: HandPath, given: HandPath, reason: str, cents: int | None = None) -> Drafts:
    """Return the chips that a hand took from the tray and pushed to a player without leaving them."""
    return [
        event(
            ChipsFromTray,
            taken.t0,
            taken.t1,
            par.AT_ONCE_CARRIED_P,
            cents=cents,
            hand=taken.side,
            origin=reason,
            chips=None if cents is None else {str(cents): 1},
        ),
        event(
            ChipsPushed,
            taken.t1,
            given.t1 + par.TWO_LOOKS_S,
            par.AT_ONCE_CARRIED_P,
            at=nearest_space(between.table, given.at),
            cents=cents,
            reason=reason,
        ),
    ]


def exchanged_at_once(between: Between, brought: ChipGroup, chip_groups: Sequence[ChipGroup]) -> Drafts:
    """Return an exchange of a player's chips that went to the tray, for chips given at once.

    One chip that a look shows on their way, worth as much, needs no spread; else they may have been spread, weakly.
    """
    if brought.came is None or brought.came.place != FELT or brought.went is None or brought.went.place != TRAY:
        return []
    way = carried(between.hands, between.table, brought.t0, brought.t1 + par.AT_ONCE_LATER_S)
    if way is None or lay_meanwhile([chip_group for chip_group in chip_groups if chip_group is not brought], *way):
        return []
    due = worth(brought) if brought.fanned else brought.best.cents
    one = _one_chip(between, brought, *way, due)
    spread = event(
        ChipsFanned,
        way[0].t1,
        way[1].t0,
        par.AT_ONCE_CARRIED_P if one else par.WEAK_P,
        owner="exchange_out",
        at="inner",
        cents=one,
        chips=None if one is None else {str(one): 1},
        hand=None,
        direction="dealer",
        set_sizes=None if one is None else [1],
    )
    given = [*given_at_once(between, *way, "exchange", one), *_perhaps_left(between, *way)]
    laid = [received(between.table, brought), *fan(brought, "exchange_in"), *clear(brought, way[0].t0)]
    return [*laid, *given, spread, *to_tray(brought, "exchange")]


def _perhaps_left(between: Between, taken: HandPath, given: HandPath) -> Drafts:
    """Return a weak record that the hand left the chips on its way, where nobody looked for a while."""
    gap = between.hands.blind(taken.t1, given.t0)
    return [] if gap is None else [hands_clear(gap, par.WEAK_P)]


def received(table: TableMap, chip_group: ChipGroup, given: ChipGroup | None = None) -> ChipsReceived:
    """Return the arrival of a player's chips at the dealer: before they were fanned, though a hand hid the stack until
    then.

    What goes to the tray for what was taken from it came from nowhere else, seen or not.
    """
    came, cents = chip_group.came, worth(chip_group, given)
    assert came is not None
    trayed = chip_group.went.p if chip_group.went is not None and chip_group.went.place == TRAY else 0.0
    laid = (
        min(chip_group.t0 + par.SLACK_S, chip_group.spread_at - par.CHIP_GROUP_FAN_S)
        if chip_group.fanned
        else chip_group.t0 + par.SLACK_S
    )
    return event(
        ChipsReceived,
        came.t1,
        max(came.t1, laid),
        min(max(came.p, trayed), chip_group.best.p),
        at=nearest_space(table, came.at),
        cents=cents,
        chips=chip_group.best.chips if cents is not None else None,
    )


def lay_meanwhile(chip_groups: Sequence[ChipGroup], taken: HandPath, given: HandPath) -> bool:
    """Tell whether chips lay in the inner area while a hand was on its way: it gave those."""
    return any(chip_group.t0 <= given.t0 and chip_group.t1 >= taken.t0 for chip_group in chip_groups)


def _one_chip(between: Between, brought: ChipGroup, taken: HandPath, given: HandPath, due: int | None) -> int | None:
    """Return the cents of the one chip that looks show on its way to the player, if it is what is due; else None."""
    seen = [
        one
        for one in between.glimpses
        if taken.t1 <= one.t <= given.t0 and min(distance(one.xy, xy) for xy in brought.points) > par.AT_ONCE_HELD_MM
    ]
    alone = len({one.t for one in seen}) == len(seen) > 0
    return due if alone and due is not None and {one.cents for one in seen} == {due} else None
