"""Chips bought and exchanged between rounds (99-01.3-08-07(3)): whose chip groups lie there, and what became of
them.
"""

from __future__ import annotations

from collections.abc import Sequence

from verifier.domain.events import ChipsPushed, CurrencySpread
from verifier.reconstruct import parameters as par
from verifier.reconstruct.between.at_once import exchanged_at_once, received
from verifier.reconstruct.between.buy_in import buy_in, unpaid
from verifier.reconstruct.between.cash import cash_at
from verifier.reconstruct.between.chip_group_events import clear, fan, from_tray, to_tray, worth
from verifier.reconstruct.between.chip_groups import ChipGroup
from verifier.reconstruct.between.hand_paths import FELT, RECEPTACLE, TRAY, nearest_space
from verifier.reconstruct.between.missed_chips import with_misread, with_missed
from verifier.reconstruct.between.tip_exchange import tip_exchange
from verifier.reconstruct.scene import Between, Drafts, event
from verifier.reconstruct.table.zones import TableMap


def exchange_events(between: Between, chip_groups: Sequence[ChipGroup]) -> Drafts:
    """Events of all buy-ins, chip exchanges and tip exchanges of a stretch between rounds, by its chip groups.

    A chip group that a hand brought from the tray is exchanged for the chip group that was laid before it, which came
    from a player or out of the tip receptacle; where there is none and it is pushed to a player, or bills lie there, it
    was bought.
    """
    drafts: Drafts = []
    free = [
        chip_group
        for chip_group in chip_groups
        if chip_group.came is not None and chip_group.came.place in (FELT, RECEPTACLE)
    ]
    for given in chip_groups:
        if given.came is None or given.came.place != TRAY:
            continue
        cash = cash_at(between, given.came.t0)
        brought = _exchanged_for(free, given) if cash is None else None
        if brought is not None:
            free.remove(brought)
            brought, given = with_misread(brought, worth(given)), with_misread(given, worth(brought))
            given = with_missed(between, given, worth(brought, given))
            tips = brought.came is not None and brought.came.place == RECEPTACLE
            drafts += tip_exchange(between, brought, given) if tips else _chip_exchange(between, brought, given)
        elif cash is not None or (given.went is not None and given.went.place == FELT):
            given = given if cash is None else with_missed(between, with_misread(given, cash.cents), cash.cents)
            drafts += buy_in(between, given, pushed(between.table, given, "buy_in"), cash)
    drafts += [draft for brought in free for draft in exchanged_at_once(between, brought, chip_groups)]
    told = any(isinstance(draft, CurrencySpread) for draft in drafts)
    return drafts if told else [*drafts, *unpaid(between, chip_groups)]


def _exchanged_for(free: Sequence[ChipGroup], given: ChipGroup) -> ChipGroup | None:
    taken = given.came.t0 if given.came is not None else given.t0
    earlier = [
        chip_group for chip_group in free if chip_group.t0 < given.t0 and taken - chip_group.t1 <= par.TRAYED_FIRST_S
    ]
    return max(earlier, key=lambda chip_group: chip_group.t0, default=None)


def _chip_exchange(between: Between, brought: ChipGroup, given: ChipGroup) -> Drafts:
    if brought.came is None or given.came is None:
        return []
    drafts: Drafts = [received(between.table, brought, given)]
    drafts += fan(brought, "exchange_in", given)
    drafts += clear(brought, given.came.t0)
    drafts += from_tray(given, "exchange", brought)
    drafts += fan(given, "exchange_out", brought)
    drafts += clear(given, given.t1)
    drafts += pushed(between.table, given, "exchange", worth(given, brought))
    return drafts + to_tray(brought, "exchange", given)


def pushed(table: TableMap, chip_group: ChipGroup, reason: str, cents: int | None = None) -> Drafts:
    """`chips_pushed` of a chip group that a hand brought to the players' side."""
    went = chip_group.went
    if went is None or went.place != FELT:
        return []
    cents = worth(chip_group) if cents is None else cents
    return [
        event(
            ChipsPushed,
            chip_group.t1,
            went.t0 + par.TWO_LOOKS_S,
            went.p,
            at=nearest_space(table, went.at),
            cents=cents,
            reason=reason,
        )
    ]
