"""Bank notes on a betting space as its hand is dealt (99-01.3-08-03(1)); before that they may be for buying chips."""

from __future__ import annotations

from verifier.domain.events import CurrencyWagered
from verifier.domain.places import space as space_text
from verifier.reconstruct import parameters as par
from verifier.reconstruct.dealt_hands import Layout
from verifier.reconstruct.resting.bill_dwells import BillDwell, bill_dwells
from verifier.reconstruct.scene import Drafts, RoundScene, event
from verifier.reconstruct.table.zones import SpaceMap, inside


def currency_events(scene: RoundScene, layout: Layout) -> Drafts:
    """`currency_wagered` for each bank note that lay on a betting space from before its hand's first card until after
    its second.

    None where too few looks showed the note, and none at a space whose betting space the layout does not have.
    """
    dwells = [dwell for dwell in bill_dwells(scene.bills, scene.hands) if dwell.sure]
    return [
        event(CurrencyWagered, dwell.t0, dwell.t1, par.BILL_SEEN_P, at=space_text(number), cents=dwell.cents)
        for number, spot in sorted(scene.table.spaces.items())
        for dwell in dwells
        if _on(spot, dwell) and _through_the_deal(layout, number, dwell)
    ]


def _on(spot: SpaceMap, dwell: BillDwell) -> bool:
    """Tell whether a note's middle lies in the betting space."""
    return spot.wager_zone is not None and inside(dwell.xy, spot.wager_zone)


def _through_the_deal(layout: Layout, number: int, dwell: BillDwell) -> bool:
    """Tell whether a note was seen to lie before the first card of a space lay, and still once its second did."""
    cards = sorted(card.t_rest for hand in layout.space(number) for card in hand.cards)[:2]
    return len(cards) == 2 and dwell.t0 < cards[0] and cards[1] < dwell.t1
