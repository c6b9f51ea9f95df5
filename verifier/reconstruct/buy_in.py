"""A buy-in: chips given for bills that looks showed, or that the hands which handle them tell of."""

from __future__ import annotations

from verifier.reconstruct.bill_stays import bill_stays
from verifier.reconstruct.cash import Cash, cash_at, spread_out
from verifier.reconstruct.cash_hands import told_by_hands
from verifier.reconstruct.drop_box import cash_dropped
from verifier.reconstruct.heap_events import clear, fan, from_tray
from verifier.reconstruct.heaps import Heap
from verifier.reconstruct.scene import Between, Drafts


def buy_in(between: Between, given: Heap, pushed: Drafts, cash: Cash | None = None) -> Drafts:
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


def unpaid(between: Between) -> Drafts:
    """Cash for which no chips were seen to be taken: as it lay when most of it did, if the dealer laid it.

    It must have gone to the drop box: a player may take back what was not spread.
    """
    stays = bill_stays(between.bills, between.hands)
    most = max(((sum(stay.lay(one.t1) for stay in stays), one.t1) for one in stays), default=None)
    cash = cash_at(between, most[1]) if most is not None else None
    if most is None or cash is None or not cash.dealers(between):
        return []
    dropped = cash_dropped(between, cash, cash.laid[1], most[1])
    return [*spread_out(between, cash, None), *dropped] if any(not one.weak for one in dropped) else []
