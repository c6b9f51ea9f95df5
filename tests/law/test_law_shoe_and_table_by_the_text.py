"""More logs written from the text alone, at its limits: the shoe, the table, who sits there; named by clause."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from law_build import Log, hand_out, named, play_on, row
from reports import Keep

CARDS = "Th Jd 8s 9c 7h Td"
"""Space 2 has 19, space 4 has 17, the dealer 8-10 = 18."""
STAKES = {2: 1000, 4: 700}
Case = tuple[str, str, Callable[[], Log]]
SHOWN = dict.fromkeys(("left_palm", "left_back", "right_palm", "right_back", "fingers_extended"), True)


def dealt(rounds: int, **house: Any) -> Log:
    """Rounds of the same cards from one shoe."""
    log = hand_out(CARDS, STAKES, **house)
    for _ in range(rounds - 1):
        play_on(log, CARDS, STAKES)
    return log


# How many decks


def also_burned(card: str) -> Log:
    log = dealt(4, deck_count=4)
    log.add("card_burned", card=card, face_shown=True)
    return log


def turned_twice() -> Log:
    log = dealt(4, deck_count=4)
    hole = log.all("card_revealed")[0]
    log.insert_after(hole, "card_revealed", card=hole["card"], at="dealer", how="turned")
    return log


def two_shoes() -> Log:
    """Another shoe comes to the table; who shuffled it, and when, is not in the log."""
    log = dealt(3, deck_count=4)
    log.shoe, log.seq = 2, 0
    for _ in range(3):
        play_on(log, CARDS, STAKES)
    return log


DECKS = "02.3-deck-count"
SHOES: list[Case] = [
    (DECKS, "pass", lambda: dealt(4, deck_count=4)),
    (DECKS, "violation", lambda: dealt(5, deck_count=4)),
    (DECKS, "violation", lambda: also_burned("Th")),
    (DECKS, "pass", lambda: also_burned("2h")),
    (DECKS, "pass", turned_twice),
    (DECKS, "pass", two_shoes),
]


# Shuffle, cut and burn


def next_shoe(*without: str, rounds: int = 1, relief: bool = False, depth: int = 90, **house: Any) -> Log:
    """After a round the indicator card has come; another shoe is made up without some of its acts."""
    log = hand_out(CARDS, STAKES, **house)
    log.add("indicator_card", action="appeared", cards_remaining=75)
    if relief:
        log.add("hands_shown", duration=1.0, **SHOWN)
        log.add("dealer_shift", phase="end", how="sleeve")
        log.dealer = "D2"
        log.add("dealer_shift", phase="start", how="sleeve")
    log.shoe, log.seq = 2, 0
    if "shuffle" not in without:
        log.add("shuffle", 60.0, method="hand", scope="all")
    log.add("cut", by="player", depth_cards=depth)
    if "card_burned" not in without:
        log.add("card_burned", card="??", face_shown=False)
    for _ in range(rounds):
        play_on(log, CARDS, STAKES)
    return log


SHUFFLED, CUT, RELIEF = "08.1-shuffle-before-play", "08.1-cut-ten-cards", "08.3-new-dealer-burn"
ON_INDICATOR = "08.2-reshuffle-on-indicator"
ACTS: list[Case] = [
    (SHUFFLED, "violation", lambda: next_shoe("shuffle")),
    (SHUFFLED, "undetermined", lambda: next_shoe("shuffle", shuffle_method="machine")),
    (SHUFFLED, "undetermined", lambda: next_shoe("shuffle", shuffle_method=["hand", "machine"])),
    (ON_INDICATOR, "violation", lambda: next_shoe("shuffle")),
    (ON_INDICATOR, "undetermined", lambda: next_shoe("shuffle", shuffle_method="machine")),
    (CUT, "pass", lambda: next_shoe(depth=10)),
    (CUT, "undetermined", lambda: next_shoe(depth=9)),
    (CUT, "violation", lambda: next_shoe(depth=7)),
    (CUT, "pass", lambda: next_shoe(depth=302)),
    (CUT, "undetermined", lambda: next_shoe(depth=304)),
    (CUT, "violation", lambda: next_shoe(depth=305)),
    (RELIEF, "pass", lambda: next_shoe(relief=True)),
    (RELIEF, "violation", lambda: next_shoe("card_burned", relief=True, rounds=2)),
]


# Who sits at the table, and who stands behind it


def came(*acts: tuple[str, int]) -> Log:
    """Spaces 2 and 4 played; then players leave and come, and the same spaces play on without a burned card."""
    log = hand_out(CARDS, STAKES)
    for phase, space in acts:
        log.add("player_presence", phase=phase, spaces=[space])
    play_on(log, CARDS, STAKES)
    return log


def away(seconds: float, **own: Any) -> Log:
    """The dealer leaves an open table bare for so long."""
    log = hand_out(CARDS, STAKES)
    bare: dict[str, Any] = {"tray": "open", "cards_covered": False, "shoe_covered": False}
    log.add("table_state", state="open", dealer_present=False, **{**bare, **own})
    log.now += seconds - 1.0
    log.add("table_state", state="open", dealer_present=True, **bare)
    return log


RETURNING, TRAY = "08.3-returning-player", "03.4-unattended-tray"
PEOPLE: list[Case] = [
    (RETURNING, "violation", lambda: came(("leave", 2), ("leave", 4), ("arrive", 4))),
    (RETURNING, "not_applicable", lambda: came(("leave", 2), ("arrive", 2))),
    (RETURNING, "not_applicable", lambda: came(("leave", 2), ("arrive", 2), ("leave", 4), ("arrive", 4))),
    (TRAY, "not_applicable", lambda: away(3.0)),
    (TRAY, "violation", lambda: away(60.0)),
    (TRAY, "pass", lambda: away(60.0, tray="covered")),
    ("07.1-unattended-cards", "not_applicable", lambda: away(3.0)),
    ("07.1-unattended-cards", "violation", lambda: away(60.0)),
]


ALL = [*SHOES, *ACTS, *PEOPLE]


@pytest.mark.parametrize(("clause", "verdict", "make"), ALL, ids=[f"{c[0]}-{c[1]}-{i}" for i, c in enumerate(ALL)])
def test_clause(clause: str, verdict: str, make: Callable[[], Log], keep: Keep) -> None:
    report = make().judge()
    keep(report)
    assert row(report, f"ND-08-{clause}") == verdict, named(report) | named(report, "undetermined")
