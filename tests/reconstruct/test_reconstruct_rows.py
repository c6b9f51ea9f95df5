"""Rows of chips: one that lies in two pieces hides a chip, columns laid side by side do not."""

from __future__ import annotations

import pytest

from verifier.reconstruct.piles import ChipStay, Pile


def chip(x: float, y: float, cents: int) -> ChipStay:
    return ChipStay(
        xy=(x, y), cents=cents, t0=1.0, t1=9.0, p=0.98, radius=19.5, n=60, life=int(x + y), first=True, seen_to=9.0,
        mean=0.98,
    )  # fmt: skip


def row(*chips: tuple[float, float, int]) -> Pile:
    return Pile(tuple(chip(*one) for one in chips))


@pytest.mark.parametrize(
    ("pile", "cents"),
    [
        (row((0, 0, 500), (0, 34, 100), (0, 55, 100), (0, 76, 100)), 800),
        (row((0, 0, 500), (0, 34, 100), (0, 76, 100)), None),
        (row((0, 0, 100), (0, 22, 100), (0, 88, 100)), None),
        (row((0, 0, 100), (0, 22, 100), (41, 0, 500), (41, 22, 500)), 1200),
        (row((0, 0, 100), (0, 22, 100), (0, 110, 100)), 300),
    ],
    ids=["whole", "one missing", "one missing at the end", "columns", "too far to belong to it"],
)
def test_a_row_in_two_pieces_states_no_amount(pile: Pile, cents: int | None) -> None:
    assert pile.cents == cents
