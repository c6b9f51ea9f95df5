"""Where cards and chips of a round are put, in the table frame (millimetres).

Cards overlap the lower-left quarter of the one before by less than 25 % (99-01.3-08-10(2)).
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from verifier.domain.places import Place
from verifier.simulate.scene import Vec
from verifier.simulate.table import CARD_MM, TablePlan

NEXT_CARD: Final[Vec] = (-36.0, 47.0)
SPLIT_GAP_MM: Final = 98.0
"""Distance in x between the first cards of two split hands."""
EXTRA_STAKE: Final[Vec] = (45.0, 0.0)
"""A double or split wager touches the original at the dealer's right."""
PAYOFF_MM: Final = 70.0
FAN_STEP_MM: Final = 24.0
SET_GAP_MM: Final = 34.0
"""From the last chip of one value to the first of the next where a bet over five dollars is fanned by value."""
DEALER_SECOND_MM: Final = 72.0
DEALER_NEXT_MM: Final = 50.0
_CORNER_SHARE: Final = 0.05
DRAWN_ASTRAY_MM: Final = -72.0
"""Planted: a card that the dealer draws lies so far from the first, at its left."""
PAID_ASTRAY_MM: Final = 60.0
"""Planted: a payoff lies so much farther from its wager than it should."""
TIP_ASTRAY: Final[Vec] = (50.0, -50.0)
"""Planted: a tip from its wager, at the upper right instead of the lower left."""
SPLIT_CARD_ASTRAY: Final[Vec] = (1.0, -62.0)
"""Planted: the second card of a split from its place, above the first one's row."""
SPLIT_ASTRAY: Final[Vec] = (0.0, -45.0)
"""Planted: a split wager from the original, behind it instead of beside it."""
READER: Final[Vec] = (462.0, 196.0)
"""Where a card reader stands: between the dealer's cards and the discard holder."""


def shoe_mouth(plan: TablePlan) -> Vec:
    """Where a card leaves the shoe."""
    return (plan.shoe[2], (plan.shoe[1] + plan.shoe[3]) / 2)


def middle(rectangle: tuple[float, float, float, float]) -> Vec:
    """Centre of a fixture."""
    return ((rectangle[0] + rectangle[2]) / 2, (rectangle[1] + rectangle[3]) / 2)


def tray_point(plan: TablePlan, towards: Vec) -> Vec:
    """Where a hand takes chips from the tray or drops them, on its way from or to a point."""
    return (min(max(towards[0] * 0.35, -250.0), 250.0), plan.tray[1] + 45.0)


def on_top(at: Vec) -> Vec:
    """Working point of a flat hand whose fingertips press on a chip at `at`."""
    return (at[0], at[1] + 48.0)


def card_spot(plan: TablePlan, place: str, index: int, *, split: bool = False) -> Vec:
    """Centre of card `index` of a hand."""
    if place == "dealer":
        x, y = plan.dealer_cards
        return (x + (DEALER_SECOND_MM + DEALER_NEXT_MM * (index - 1) if index else 0.0), y)
    parsed = Place.parse(place)
    x, y = plan.spaces[parsed.number].cards
    if split:
        x += (parsed.hand - 0.5) * SPLIT_GAP_MM
    return (x + NEXT_CARD[0] * index, y + NEXT_CARD[1] * index)


def crowded(plan: TablePlan, cards: list[Vec], others: list[Vec]) -> bool:
    """Tell whether upright cards would lie on others by more than a corner, or reach the dealer's fixtures."""
    if any(y + CARD_MM[1] / 2 > plan.tray[1] - 4.0 for _, y in cards):
        return True
    for x, y in cards:
        for other_x, other_y in others:
            wide, high = CARD_MM[0] - abs(x - other_x), CARD_MM[1] - abs(y - other_y)
            if wide > 0 and high > 0 and wide * high > _CORNER_SHARE * CARD_MM[0] * CARD_MM[1]:
                return True
    return False


def stake_spot(plan: TablePlan, place: str, kind: str) -> Vec:
    """Centre of a stake's stack."""
    parsed = Place.parse(place)
    spots = plan.spaces[parsed.number]
    if kind == "tip":
        return spots.tip
    if kind == "tip_double":
        return (spots.tip[0] - 6.0, spots.tip[1] + 42.0)
    if kind == "insurance":
        return spots.insurance
    count = max(1, parsed.hand) if kind in ("double", "split") else 0
    return (spots.wager[0] + EXTRA_STAKE[0] * count, spots.wager[1] + EXTRA_STAKE[1] * count)


def astray_spot(plan: TablePlan, place: str, kind: str) -> Vec:
    """Centre of a stake that lies where it should not: insurance between wager and cards, a tip, or a split wager."""
    spots = plan.spaces[Place.parse(place).number]
    x, y = spots.wager
    if kind == "insurance":
        return ((x + spots.cards[0]) / 2, (y + spots.cards[1]) / 2)
    dx, dy = TIP_ASTRAY if kind == "tip" else SPLIT_ASTRAY
    return (x + dx, y + dy)


def insured_spot(plan: TablePlan, place: str) -> Vec:
    """Where the dealer moves an insurance bet: at the right of the space's cards."""
    x, y = plan.spaces[Place.parse(place).number].cards
    return (x + 62.0, y - 8.0)


def hold_spot(plan: TablePlan, place: str) -> Vec:
    """Where a busted hand's cards are held: outside of the space, beside its wagers."""
    parsed = Place.parse(place)
    x, y = plan.spaces[parsed.number].wager
    return (x - 108.0, y) if parsed.hand == 0 else (x + 108.0 + 45.0 * parsed.hand, y)


def payoff_spot(
    plan: TablePlan, place: str, kind: str, kinds: list[str], *, hands: int = 1, length: float = 0.0
) -> tuple[Vec, Vec]:
    """Centre of a payoff's stack and the unit vector in which it is fanned.

    A single stake: beside it at the dealer's right. With a double: both beside the double, the double's payoff nearer
    the dealer where no cards lie there. Of a split (`hands` of the space): hand 1 at the right of its own stake, hand 0
    at its left; of three and four hands beyond the stake, so that a fan of `length` mm ends at it; insurance likewise.
    """
    parsed = Place.parse(place)
    x, y = plan.spaces[parsed.number].wager
    if kind == "insurance":
        x, y = insured_spot(plan, place)
        return (x, y - 44.0 - length), (0.0, 1.0)
    if hands > 2:
        return (x + EXTRA_STAKE[0] * parsed.hand, y - 44.0 - length), (0.0, 1.0)
    if hands == 2:
        if "split" in kinds:
            return (x + EXTRA_STAKE[0] + PAYOFF_MM, y - 12.0), (1.0, 0.0)
        return (x - 62.0, y - 12.0), (-1.0, 0.0)
    if "double" in kinds:
        farther = 0.0 if kind != "double" else (46.0 if x > -150.0 else -46.0)
        return (x + EXTRA_STAKE[0] + PAYOFF_MM, y - 12.0 + farther), (1.0, 0.0)
    return (x + PAYOFF_MM, y - 12.0), (1.0, 0.0)


def tip_spot(plan: TablePlan, number: int) -> Vec:
    """Where won tip `number` of a round is fanned in the inner table area."""
    return (plan.inner[0] + 60.0 + 105.0 * number, plan.inner[1] + 60.0)


def fan_offsets(values: list[int], *, by_value: bool) -> list[float]:
    """Distances of the chips of a fanned stack (lowest first) along the fan; `by_value` separates values."""
    offsets = [0.0]
    for before, value in pairwise(values):
        offsets.append(offsets[-1] + (SET_GAP_MM if by_value and value != before else FAN_STEP_MM))
    return offsets


def set_sizes(values: list[int], *, by_value: bool) -> list[int]:
    """Numbers of chips in the sets of a fan, at most five in one."""
    sizes: list[int] = []
    last: int | None = None
    for value in values:
        if sizes and sizes[-1] < 5 and (not by_value or value == last):
            sizes[-1] += 1
        else:
            sizes.append(1)
        last = value
    return sizes
