"""A buy-in: chips given for bills that looks showed, or that the hands which handle them tell of."""

from __future__ import annotations

from collections.abc import Sequence

from verifier.reconstruct.between.at_once import given_at_once, lay_meanwhile
from verifier.reconstruct.between.cash import Cash, cash_at, spread_out
from verifier.reconstruct.between.cash_hands import told_by_hands
from verifier.reconstruct.between.chip_group_events import clear, fan, from_tray
from verifier.reconstruct.between.chip_groups import ChipGroup
from verifier.reconstruct.between.drop_box import cash_dropped
from verifier.reconstruct.between.hand_paths import carried
from verifier.reconstruct.resting.bill_dwells import bill_dwells
from verifier.reconstruct.scene import Between, Drafts


def buy_in(between: Between, given: ChipGroup, pushed: Drafts, cash: Cash | None = None) -> Drafts:
    """Events of a buy-in: its bills as they were seen, or what the hands tell of them, then the chips `given` for them.

    `cash` are the bills that were seen to lie as the chips were taken; `pushed` the chips' push to the player.
    """
    if given.came is None:
        return []
    taken = given.came.t0
    chips = [*from_tray(given, "buy_in"), *fan(given, "buy_in"), *clear(given, given.t1), *pushed]
    if cash is None:
        return told_by_hands(between, given, taken, chips)
    return [*spread_out(between, cash, taken), *chips, *cash_dropped(between, cash, taken, given.t1)]


def unpaid(between: Between, chip_groups: Sequence[ChipGroup]) -> Drafts:
    """Cash for which no chips were seen to lie: as it lay when most of it did, if the dealer laid it.

    It must have gone to the drop box: a player may take back what was not spread. A hand that went from the tray right
    to a player gave the chips, which were never spread, unless chips lay there meanwhile.
    """
    dwells = bill_dwells(between.bills, between.hands)
    most = max(((sum(dwell.lay(one.t1) for dwell in dwells), one.t1) for one in dwells), default=None)
    cash = cash_at(between, most[1]) if most is not None else None
    if most is None or cash is None or not cash.dealers(between):
        return []
    dropped = cash_dropped(between, cash, cash.laid[1], most[1])
    if all(one.weak for one in dropped):
        return []
    way = carried(between.hands, between.table, cash.laid[1], dropped[0].t_start)
    if way is not None and lay_meanwhile(chip_groups, *way):
        way = None
    given = given_at_once(between, *way, "buy_in") if way is not None else []
    return [*spread_out(between, cash, way[0].t0 if way is not None else None), *given, *dropped]
