"""Things of one evening together: what one procedure leaves open must not be laid to the next (99-01.3-08-07(3))."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from law_build import Log, hand_out, named

CASH = "ND-08-07.3.b-chips-equal-cash"
DROP = "ND-08-07.3.b-cash-to-drop-last"
EXCHANGE = "ND-08-07.3.c-exchange-equal"


def bought_and_changed(paid: int = 2000, given: int = 500, dropped: str = "at once") -> Log:
    """A buy-in of 20 dollars, and before the next round a five is changed for ones."""
    log = hand_out("Th Kd 6s Tc", {2: 1000})
    log.add("currency_spread", bills={"2000": 1}, cents=2000, face_down=True)
    log.add("hands_clear", region="inner", duration=1.0)
    log.add("chips_from_tray", cents=paid, hand="right", origin="buy_in")
    log.add("chips_fanned", owner="buy_in", at="space:2", cents=paid)
    log.add("hands_clear", region="inner", duration=1.0)
    log.add("chips_pushed", at="space:2", cents=paid, reason="buy_in")
    if dropped == "at once":
        log.add("currency_dropped", what="currency", cents=2000)
    log.add("chips_received", at="space:2", cents=500, chips={"500": 1})
    log.add("hands_clear", region="inner", duration=1.0)
    log.add("chips_from_tray", cents=given, hand="right", origin="exchange")
    log.add("chips_fanned", owner="exchange_out", at="space:2", cents=given)
    log.add("hands_clear", region="inner", duration=1.0)
    log.add("chips_pushed", at="space:2", cents=given, reason="exchange")
    log.add("chips_to_tray", cents=500)
    if dropped == "later":
        log.add("currency_dropped", what="currency", cents=2000)
    return log


CASES: list[tuple[str, Callable[[], Log], bool]] = [
    (CASH, bought_and_changed, False),
    (CASH, lambda: bought_and_changed(paid=2500), True),
    (EXCHANGE, bought_and_changed, False),
    (EXCHANGE, lambda: bought_and_changed(given=600), True),
    (DROP, lambda: bought_and_changed(dropped="later"), False),
]


@pytest.mark.parametrize(("clause", "log", "broken"), CASES)
def test_a_buy_in_and_an_exchange_are_weighed_apart(clause: str, log: Callable[[], Log], broken: bool) -> None:
    assert named(log().judge()) == ({clause} if broken else set())
