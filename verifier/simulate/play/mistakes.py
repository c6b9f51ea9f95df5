"""Mistakes that a dealer makes and puts right as the rules say, so that no clause is broken (09(1), 12(3), 12(10))."""

from __future__ import annotations

from typing import Final

from verifier.engine.totals import hand_total
from verifier.simulate.play.hands_in_play import HandInPlay
from verifier.simulate.play.steps import BurnFrom, Deal, PlaceWager, ReturnExcess
from verifier.simulate.play.writer import RoundWriter

SHARE: Final = 0.02
"""Share of rounds with a mistake of one kind (a simulated dealer's, not the law's)."""
_OVERDRAWN: Final = (17, 18, 19)


def happens(writer: RoundWriter, times: float = 1.0) -> bool:
    """Tell whether a mistake of one kind happens in this round; none where a breach is planted or other rules are
    played.
    """
    return not writer.planted and writer.house.rulebook is None and writer.rng.random() < SHARE * times


def excess(writer: RoundWriter, hand: HandInPlay) -> bool:
    """Let a player now and then bet above the maximum, and the dealer return the excess before the deal."""
    if writer.house.table_limits.max != 2500 or not happens(writer, 0.5):
        return False
    chips = [2500, writer.rng.choice((500, 100))]
    writer.steps += [PlaceWager(at=hand.place, kind="original", chips=chips), ReturnExcess(at=hand.place)]
    hand.stakes["original"] = [2500]
    return True


def card_to_vacant_space(writer: RoundWriter) -> None:
    """Deal a card now and then to a space without a wager, and burn it."""
    vacant = {*writer.plan.spaces} - {hand.order[0] for hand in writer.hands}
    if vacant and happens(writer, 8.0):
        place = f"space:{writer.rng.choice(sorted(vacant))}"
        writer.steps += [Deal(to=place, card=writer.shoe.draw()), BurnFrom(place=place, reason="inactive space")]


def overdraw(writer: RoundWriter) -> None:
    """Let the dealer now and then draw on seventeen or more, see it, and burn the card."""
    total = hand_total([card.rank or "?" for card in writer.dealer])
    if not total.soft and total.best in _OVERDRAWN and happens(writer, 2.0):
        writer.deal(None)
        writer.dealer.pop()
        writer.steps.append(BurnFrom(place="dealer", reason="overdraw"))
