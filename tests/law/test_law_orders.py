"""Cards whose records overlap may have been dealt in either order; cards that follow each other may not."""

from __future__ import annotations

import msgspec
import pytest
from law_build import row
from manual_build import Manual

from verifier.domain.events import CardDealt
from verifier.law.orders import at_one_time, possible_orders


def dealt(to: str, t_start: float, t_end: float) -> CardDealt:
    fields = {"id": to, "t_start": t_start, "t_end": t_end, "p": 0.99, "source": "video", "card": "??", "to": to}
    return msgspec.convert({**fields, "face": "up", "shoe": 1, "seq": 1}, CardDealt)


@pytest.mark.parametrize(
    ("first", "second", "together"),
    [
        ((10.0, 11.0), (10.5, 11.5), True),
        ((10.0, 11.0), (10.51, 11.51), False),
        ((10.0, 11.0), (10.6, 10.8), True),
        ((10.0, 11.0), (11.0, 12.0), False),
        ((10.0, 11.0), (10.5, 10.5), False),
    ],
)
def test_two_cards_are_at_one_time_where_the_middle_of_one_is_within_the_other(
    first: tuple[float, float], second: tuple[float, float], together: bool
) -> None:
    a, b = dealt("space:1", *first), dealt("dealer", *second)
    assert at_one_time(a, b) == at_one_time(b, a) == together
    assert ([0, 1] in possible_orders([(1, a), (0, b)])) == together


@pytest.mark.parametrize(("overlap", "verdict"), [(0.6, "undetermined"), (0.1, "violation")])
def test_the_manual_leaves_the_order_open_where_two_cards_were_dealt_at_one_time(overlap: float, verdict: str) -> None:
    """The dealer's first card is told after the second of the first space, as where the dealer's arm hid it."""
    log = Manual().play("Th 9c 8d 9d Td 7h", {2: 1000, 5: 500}, {"space:2": "stand", "space:5": "stand"}).log
    own, second = log.all("card_dealt")[2:4]
    start = float(own["t_start"])
    log.change(second, t_start=start, t_end=start + 1.0)
    log.change(own, t_start=start + 1.0 - overlap, t_end=start + 2.0 - overlap)
    clause = "HM-shoe.4-order"
    assert row(log.judge(rulebook="house-manual"), clause) == verdict
