"""Rows of chips that lie side by side: what shows between two of them is no chip, and whose payoff each is."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from recon_scenes import dwell, frames, hand, layout

from verifier.reconstruct import parameters as par
from verifier.reconstruct.hands.hands import HandLog
from verifier.reconstruct.money.payoffs import shared, with_open_ends
from verifier.reconstruct.money.piles import Pile, cluster, without_bridges
from verifier.reconstruct.money.stakes import Stake
from verifier.reconstruct.resting.chip_dwells import ChipDwell
from verifier.reconstruct.table.detections import Body, detections_of
from verifier.reconstruct.table.zones import TableMap

ROWS = [dwell(26.0 * i, y, 10.0, 40.0) for y in (-410.0, -361.0) for i in range(4)]
COLUMN = [dwell(0.0, 26.0 * i, 10.0, 40.0) for i in (0, 2, 3)]


@pytest.mark.parametrize("mean", [0.49, 0.99], ids=["doubtful", "sure"])
def test_a_doubtful_chip_between_two_rows_joins_them_not(mean: float) -> None:
    between = replace(dwell(57.0, -387.0, 11.0, 40.0), mean=mean)
    left = without_bridges([*ROWS, between])
    assert sorted(pile.size for pile in cluster(left)) == ([4, 4] if mean < 0.5 else [9])


def test_a_half_covered_chip_amid_a_row_is_of_it() -> None:
    amid = replace(dwell(0.0, 26.0, 11.0, 40.0), mean=0.49)
    beside = [dwell(26.0 + 26.0 * i, 0.0, 10.0, 40.0) for i in range(2)]
    assert amid in without_bridges([*COLUMN, amid, *beside])


def column(x: float, y: float, t: float) -> list[ChipDwell]:
    """A chip of five dollars and one of one dollar, laid apart by value, as the dealer spreads them."""
    return [dwell(x, y, t, 40.0, 500), dwell(x, y + 35.0, t + 0.6, 40.0, 100)]


def test_columns_behind_split_hands_are_paid_one_after_the_other_not_as_rows_across() -> None:
    wagers = {0.0: 22.0, 46.0: 18.0}
    stakes = [
        Stake("split" if x else "original", 2, f"space:2{'/1' * (x > 0)}", [dwell(x, 0.0, 1.0, t)])
        for x, t in wagers.items()
    ]
    own = [Pile(tuple(column(x, 0.0, t))) for x, t in wagers.items()]
    payoffs = [Pile(tuple(column(x, -79.0, t + 1.5))) for x, t in wagers.items()]
    assert shared(payoffs, stakes, own) == [[payoffs[0]], [payoffs[1]]]
    pieces = [Pile((one,)) for one in payoffs[1].dwells]
    assert shared([payoffs[0], *pieces], stakes, own) == [[payoffs[0]], pieces], "a chip between them was missed"


@pytest.mark.parametrize(
    ("dollars", "covered", "left", "cents"),
    [(4, 20.0, 20.0, None), (4, 20.0, 15.0, 2000), (5, 20.0, 20.0, 2500)],
    ids=["a chip less, and the hand stays", "a chip less, and the hand leaves", "as many, and the hand stays"],
)
def test_a_chip_that_a_payoff_lacks_may_lie_under_the_hand_that_never_left_its_end(
    dollars: int, covered: float, left: float, cents: int | None
) -> None:
    own = Pile(tuple(dwell(0.0, 26.0 * i, 5.0, 20.0) for i in range(5)))
    won = Pile(tuple(dwell(46.0 + 26.0 * i, 0.0, 8.0, 20.0) for i in range(dollars)))
    x, y = won.dwells[-1].xy[0] + 600.0, won.dwells[-1].xy[1] + 400.0
    table, hands = TableMap.of(layout()), HandLog()
    seen = [*frames(left, hands=[hand(x + 60.0, y)]), *frames(covered - left, left)]
    for one in seen:
        hands.add(detections_of(one, table, Body.of(table)))
    assert with_open_ends(hands, own, won, par.ODDS_EVEN).cents == cents
