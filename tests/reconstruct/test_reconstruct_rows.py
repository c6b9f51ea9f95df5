"""Rows of chips that lie side by side: what shows between two of them is no chip."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from recon_scenes import stay

from verifier.reconstruct.money.piles import cluster, without_bridges

ROWS = [stay(26.0 * i, y, 10.0, 40.0) for y in (-410.0, -361.0) for i in range(4)]
COLUMN = [stay(0.0, 26.0 * i, 10.0, 40.0) for i in (0, 2, 3)]


@pytest.mark.parametrize("mean", [0.49, 0.99], ids=["doubtful", "sure"])
def test_a_doubtful_chip_between_two_rows_joins_them_not(mean: float) -> None:
    between = replace(stay(57.0, -387.0, 11.0, 40.0), mean=mean)
    left = without_bridges([*ROWS, between])
    assert sorted(pile.size for pile in cluster(left)) == ([4, 4] if mean < 0.5 else [9])


def test_a_half_covered_chip_amid_a_row_is_of_it() -> None:
    amid = replace(stay(0.0, 26.0, 11.0, 40.0), mean=0.49)
    beside = [stay(26.0 + 26.0 * i, 0.0, 10.0, 40.0) for i in range(2)]
    assert amid in without_bridges([*COLUMN, amid, *beside])
