"""Rows of chips: one in two pieces hides a chip, columns laid side by side do not; a chip's place tells its value."""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate

import pytest
from msgspec.structs import replace

from verifier.reconstruct.chip_stays import ChipStay
from verifier.reconstruct.piles import Pile, apart
from verifier.reconstruct.rowvalues import retold
from verifier.reconstruct.sums import EVEN, INSURED, NATURAL, reconciled


def chip(x: float, y: float, cents: int | None) -> ChipStay:
    return ChipStay(
        xy=(x, y), cents=cents, t0=1.0, t1=9.0, p=0.98, radius=19.5, n=60, life=int(x + y), first=True, seen_to=9.0,
        mean=0.98,
    )  # fmt: skip


def row(*chips: tuple[float, float, int | None]) -> Pile:
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


def spread(*values: int | None, sets: tuple[int, ...] = ()) -> Pile:
    """A row spread from (0, 0) whose sets begin at the places `sets`."""
    at = accumulate([0, *(33 if i in sets else 24 for i in range(1, len(values)))])
    return row(*((0, y, cents) for y, cents in zip(at, values, strict=True)))


@pytest.mark.parametrize(
    ("own", "paid", "odds", "sums"),
    [
        (spread(500, 500, None, 500), spread(500, 500, 500, 500), EVEN, (2000, 2000)),
        (spread(100, 50, 100), spread(100, 100, 100), EVEN, (300, 300)),
        (spread(500, 200, 100, sets=(2,)), spread(500, 500, 100, sets=(2,)), EVEN, (1100, 1100)),
        (spread(500, 500), spread(None, 500), EVEN, (1000, 1000)),
        (spread(None, 200, sets=(1,)), spread(500, 500, 50, sets=(2,)), NATURAL, (700, 1050)),
        (spread(200, 100), spread(500, 100), INSURED, (300, 600)),
        (spread(500, 200, sets=(1,)), spread(500, 500, sets=(1,)), EVEN, (None, None)),
        (spread(100, 100, 100), spread(100, 100, 50), EVEN, (None, None)),
        (spread(500, 500, None, 500), spread(500, 500, 500), EVEN, (None, 1500)),
        (spread(500, None, None, 500), spread(500, 500, 500, 500), EVEN, (None, 2000)),
    ],
    ids=[
        "unread between its like", "a half dollar between dollars", "two values in one set", "unread beside its like",
        "unread, dearer than the next set", "insurance", "a set of its own", "the last of a small bet",
        "right with no value", "two unread",
    ],
)  # fmt: skip
def test_a_chips_place_tells_its_value_where_the_payment_is_right_then(
    own: Pile, paid: Pile, odds: Fraction, sums: tuple[int | None, int | None]
) -> None:
    one, other = retold(own, paid, odds, (0.0, 0.0)) or reconciled(own, paid, odds=odds)
    assert (one.cents, other.cents) == sums


def test_a_wager_and_a_payoff_that_agree_keep_their_values() -> None:
    mixed = spread(500, 200, 200)
    assert retold(mixed, mixed, EVEN, (0.0, 0.0)) is None


@pytest.mark.parametrize(
    ("own", "paid", "tops", "sums"),
    [
        (spread(500, 200, 500), spread(500, 200, 100), ({100}, set()), (800, 800)),
        (spread(200, None), spread(200, 100), ({100}, set()), (300, 300)),
        (spread(200, 100), spread(200, 200), (set(), {100}), (300, 300)),
        (spread(500, 500, 500), spread(500, 200, 200), ({200}, set()), None),
        (spread(500, 200, 200), spread(100, 200, 200), ({100}, set()), None),
    ],
    ids=["the last", "unread", "of the payoff", "not right with it", "not the last"],
)
def test_a_row_without_the_chip_on_top_of_its_stack_has_it_last_where_the_payment_is_right_then(
    own: Pile, paid: Pile, tops: tuple[set[int], set[int]], sums: tuple[int, int] | None
) -> None:
    told = retold(own, paid, EVEN, (0.0, 0.0), tops)
    assert (told and (told[0].cents, told[1].cents)) == sums


def test_a_chip_with_no_room_beside_one_of_its_row_that_is_seen_oftener_is_none() -> None:
    twice = replace(chip(0, 9, 200), n=4)
    assert apart([*spread(500, 500).stays, twice]) == [*spread(500, 500).stays]
