"""What a poker log tells weakly or not at all: open, and by the clause that asks for it."""

from __future__ import annotations

import poker_script as script
from law_build import named


def test_a_pot_of_an_unread_card_names_the_ranking() -> None:
    report = script.judged(f"{script.RIVER}; show 1 Ah ??; show 2 Kh Kd; show 3 8h 8d; award 1 300; end")
    assert {"ND-09-04.1-hand-ranking", "ND-09-04.24.b-cards-speak"} <= named(report, "undetermined")


def test_a_card_shown_twice_was_read_weakly() -> None:
    told = f"{script.RIVER}; show 1 Ah Ad; weak show 2 Ah Kd; show 3 8h 8d; award 1 300; end"
    assert script.verdict(script.judged(told), "2-one-deck") == "undetermined"
    assert script.verdict(script.judged(told.replace("weak ", "")), "2-one-deck") == "violation"
