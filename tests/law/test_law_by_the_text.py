"""Logs that were written from the text alone: each clause kept, broken, and not to be told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from law_build import Log, hand_out, play_on, row
from reports import Keep

CARDS = "Th Jd 8s 9c 7h Td"
"""Space 2 has 19, space 4 has 17, the dealer 8-10 = 18."""
Case = tuple[str, str, Callable[[], Log]]


def plain(**house: Any) -> Log:
    return hand_out(CARDS, {2: 1000, 4: 700}, **house)


# Tips


def tip(late: bool, **own: Any) -> Log:
    """A winning tip that lay before the cards, or came to lie after the first ones."""
    log = hand_out("Th Jd 8s 9c 7h Td", {2: (1000, 100), 4: 700})
    placed = log.one("wager_placed", kind="tip")
    if late:
        log.move_after(placed, log.all("card_dealt")[3])
    return log.change(placed, **own)


TIPS: list[Case] = [
    ("09.2-no-change-after-first-card", "pass", lambda: tip(late=False)),
    ("09.2-no-change-after-first-card", "violation", lambda: tip(late=True)),
    ("09.2-no-change-after-first-card", "undetermined", lambda: tip(late=True, p=0.4)),
]


# A look at the hole card


def peek(after: str, stands: bool = True, **own: Any) -> Log:
    """The dealer looks under the hole card after the last of some records; without `stands` nobody signals."""
    log = plain()
    log.insert_after(log.all(after)[-1], "hole_card_check", how="peek", **own)
    return log if stands else log.drop(*log.all("hand_signal"))


PEEKS: list[Case] = [
    ("10.1.a-no-peek", "pass", lambda: peek("hand_signal")),
    ("10.1.a-no-peek", "violation", lambda: peek("card_dealt")),
    ("10.1.a-no-peek", "undetermined", lambda: peek("card_dealt", stands=False)),
    ("10.1.a-no-peek", "undetermined", lambda: peek("card_dealt", p=0.4)),
]


# Even money


def even_money(late: str | None = None, card: dict[str, Any] | None = None, turned: bool = True) -> Log:
    """Space 2 takes even money; the event `late` follows only after space 4 was dealt another card."""
    log = hand_out("Ah 9d Ad Ks 3c 7c 6c", {2: 1000, 4: 500}, "even_money hit")
    drawn = log.change(log.one("card_dealt", card="6c"), **card or {}).one("card_dealt", to="space:4", seq=7)
    if late == "payoff_placed":
        log.move_after(log.one("payoff_placed", at="space:2"), drawn)
    if late:
        log.move_after(log.one("cards_collected", **{"from": "space:2"}), drawn)
    return log if turned else log.drop(*log.all("card_revealed"))


EVEN_MONEY: list[Case] = [
    ("09.2.b-even-money-pay", "pass", even_money),
    ("09.2.b-even-money-pay", "violation", lambda: even_money("payoff_placed")),
    ("09.2.b-even-money-pay", "undetermined", lambda: even_money("payoff_placed", {"p": 0.4})),
    ("09.2.b-even-money-pay", "undetermined", lambda: even_money("payoff_placed", turned=False)),
    ("09.2.b-even-money-cards", "pass", even_money),
    ("09.2.b-even-money-cards", "violation", lambda: even_money("cards_collected")),
    ("09.2.b-even-money-cards", "undetermined", lambda: even_money("cards_collected", {"p": 0.4})),
]


# The shoe


def present(log: Log, phase: str, *spaces: int) -> None:
    log.add("player_presence", phase=phase, spaces=list(spaces))


def states(log: Log, *each: str) -> None:
    for state in each:
        log.add("table_state", state=state, dealer_present=state == "open")


def reshuffled(meanwhile: Callable[[Log], None], scope: str = "all") -> Log:
    """Two rounds, and between them something that may be a ground, a shuffle and another shoe."""
    log = plain()
    meanwhile(log)
    log.shoe, log.seq = 2, 0
    log.add("shuffle", 60.0, method="hand", scope=scope)
    log.add("cut", by="player", depth_cards=90)
    log.add("card_burned", card="??", face_shown=False)
    play_on(log, CARDS, {2: 1000, 4: 700})
    return log


def short_shoe(scope: str) -> Log:
    """The shoe is dealt out amid a round: the discards are shuffled and the round goes on with another stack."""
    log = reshuffled(lambda g: None, scope)
    amid = log.all("card_dealt", shoe=2)[3]
    since = amid["t_start"] - 0.25
    for record in (log.all("shuffle")[1], log.all("cut")[1], log.all("card_burned")[1]):
        log.change(record, t_start=since, t_end=since + 0.05, round=2)
        since += 0.06
    for card in log.all("card_dealt", round=2)[:3]:
        log.change(card, shoe=1)
    return log


def first_shuffle(scope: str) -> Log:
    return (g := plain()).change(g.one("shuffle"), scope=scope)


def indicator(decks: int, rounds: int = 1, **shuffle: Any) -> Log:
    """The indicator card appears, after some rounds, and nobody says how many cards are left."""
    log = plain(deck_count=decks)
    log.change(log.one("shuffle"), **shuffle).drop(log.one("indicator_card"))
    for _ in range(rounds - 1):
        play_on(log, CARDS, {2: 1000, 4: 700})
    log.add("indicator_card", action="appeared", cards_remaining=None)
    return log


ONLY_WHEN, SHUFFLED, DEPTH = "08.2-reshuffle-only-when", "08.1-shuffle-before-play", "08.2-indicator-50-100"
SHOE: list[Case] = [
    (ONLY_WHEN, "pass", lambda: reshuffled(lambda g: present(g, "leave", 2, 4))),
    (ONLY_WHEN, "violation", lambda: reshuffled(lambda g: present(g, "leave", 4))),
    (ONLY_WHEN, "violation", lambda: reshuffled(lambda g: present(g, "arrive", 6))),
    (ONLY_WHEN, "undetermined", lambda: reshuffled(lambda g: present(g, "leave"))),
    (ONLY_WHEN, "pass", lambda: reshuffled(lambda g: states(g, "temp_closed", "open"))),
    (ONLY_WHEN, "undetermined", lambda: reshuffled(lambda g: states(g, "open"))),
    (ONLY_WHEN, "violation", lambda: reshuffled(lambda g: None, "discards")),
    (ONLY_WHEN, "pass", lambda: short_shoe("discards")),
    (SHUFFLED, "violation", lambda: reshuffled(lambda g: present(g, "leave", 2, 4), "discards")),
    (SHUFFLED, "pass", lambda: reshuffled(lambda g: present(g, "leave", 2, 4))),
    (SHUFFLED, "pass", lambda: short_shoe("discards")),
    (SHUFFLED, "pass", lambda: first_shuffle("all")),
    (SHUFFLED, "violation", lambda: first_shuffle("discards")),
    (SHUFFLED, "not_applicable", lambda: (g := first_shuffle("discards")).change(g.one("card_dealt"), seq=40)),
    (DEPTH, "pass", lambda: indicator(2, rounds=2)),
    (DEPTH, "violation", lambda: indicator(1, rounds=3)),
    (DEPTH, "undetermined", lambda: indicator(6)),
    (DEPTH, "undetermined", lambda: indicator(1, rounds=9)),
    (DEPTH, "not_assessed", lambda: indicator(1, rounds=3, scope=None)),
    (DEPTH, "not_assessed", lambda: (g := indicator(1, rounds=3)).drop(g.all("card_dealt")[7])),
]  # fmt: skip


# Splits, suits, the dealer's own cards


def split(*without: str, **shows: Any) -> Log:
    """Space 2 splits eights, without the records of some events about the split wager."""
    log = hand_out("8h 6d 8s Tc Kh Kd 9s", {2: 1000}, "split")
    log.change(log.one("cards_moved"), **shows)
    return log.drop(*(r for event in without for r in log.all(event, kind="split") if event != "cards_moved"))


SETTLED = ("chips_fanned", "payoff_placed", "chips_collected")


def turned_up(card: str, **own: Any) -> Log:
    log = plain()
    log.insert_after(log.all("card_dealt")[-1], "card_revealed", card=card, at="space:2", how="turned", **own)
    return log


def overdrawn(**house: Any) -> Log:
    log = plain(**house)
    log.insert_after(log.one("card_revealed"), "card_dealt", card="2d", to="dealer", face="up", seq=7)
    return log


def soft_17(up: str, hole: str, **house: Any) -> Log:
    """The dealer stays on an ace and a six, or on another hand."""
    return (g := hand_out(f"Th {up} 9c {hole} 4h", {2: 1000}, **house)).drop(*g.all("card_dealt", card="4h"))


def reviewed(decks: int | None) -> Log:
    log = plain()
    shuffle = log.one("shuffle")
    since = 0.01
    for action in ("inspect", "spread", "review"):
        record = log.insert_after(shuffle, "cards_inspected", action=action, decks=6 if action == "inspect" else decks)
        log.change(record, t_start=since, t_end=since + 0.05)
        since += 0.06
    return log


def resplit(swapped: bool, moved_from: str = "space:2") -> Log:
    """A space is split to three hands; `swapped`: the third is played before the second."""
    log = hand_out("8h 6d 8s Tc 8c Kd 2s 3c 9s", {2: 1000}, "split split")
    moved = log.all("cards_moved", kind="split")[1]
    log.change(moved, **{"from": moved_from})
    names = {"space:2/1": "space:2/2", "space:2/2": "space:2/1"} if swapped else {}
    for record in log.records[log.records.index(moved) + 1 :]:
        record.update({k: names[record[k]] for k in ("to", "at", "from") if record.get(k) in names})
    return log


EQUAL, SWITCHED, OVERDRAW = "09.2.c-split-wager-equal", "11.2-no-switch-card", "12.10-dealer-overdraw-burn"
OTHERS: list[Case] = [
    (EQUAL, "pass", split),
    (EQUAL, "violation", lambda: split("wager_placed", *SETTLED)),
    (EQUAL, "undetermined", lambda: split("wager_placed")),
    (EQUAL, "undetermined", lambda: split("wager_placed", *SETTLED, p=0.4)),
    (SWITCHED, "pass", lambda: turned_up("Th")),
    (SWITCHED, "pass", lambda: turned_up("T?")),
    (SWITCHED, "violation", lambda: turned_up("Ts")),
    (SWITCHED, "undetermined", lambda: turned_up("Ts", p=0.8)),
    (OVERDRAW, "violation", overdrawn),
    (OVERDRAW, "not_assessed", lambda: overdrawn(mistake_policy="alternative")),
    ("11.10.g-soft17-option", "undetermined", lambda: soft_17("Ad", "6h", hit_soft_17=True)),
    ("11.10.g-soft17-option", "not_applicable", lambda: soft_17("Ad", "6h")),
    ("11.10.g-soft17-option", "not_applicable", lambda: soft_17("Td", "7h", hit_soft_17=True)),
    ("07.1-spread-face-up", "pass", lambda: reviewed(6)),
    ("07.1-spread-face-up", "not_assessed", lambda: reviewed(None)),
    ("07.1-spread-face-up", "violation", lambda: reviewed(5)),
    ("09.2.c-right-hand-first", "pass", lambda: resplit(swapped=False)),
    ("09.2.c-right-hand-first", "undetermined", lambda: resplit(swapped=True)),
    ("09.2.c-right-hand-first", "violation", lambda: resplit(swapped=True, moved_from="space:2/1")),
]


ALL = [*TIPS, *PEEKS, *EVEN_MONEY, *SHOE, *OTHERS]


@pytest.mark.parametrize(("clause", "verdict", "make"), ALL, ids=[f"{c[0]}-{c[1]}-{i}" for i, c in enumerate(ALL)])
def test_clause(clause: str, verdict: str, make: Callable[[], Log], keep: Keep) -> None:
    report = make().judge()
    keep(report)
    assert row(report, f"ND-08-{clause}") == verdict, [(f.verdict, f.clause, f.observed) for f in report.findings]


def test_who_left_a_recorded_table_is_not_surely_told() -> None:
    log = reshuffled(lambda g: present(g, "leave", 4))
    assert row(log.judge(video="0" * 64), "ND-08-08.2-reshuffle-only-when") == "undetermined"


def test_cards_counted_in_a_recording_accuse_nobody() -> None:
    assert row(indicator(1, rounds=3).judge(video="0" * 64), "ND-08-08.2-indicator-50-100") == "undetermined"


@pytest.mark.parametrize(("clause", "make"), [
    ("ND-08-09.2.c-split-wager-equal", lambda: split("wager_placed", *SETTLED)),
    ("ND-08-11.2-no-switch-card", lambda: turned_up("Ts")),
])  # fmt: skip
def test_chips_hidden_and_suits_misread_in_a_recording_accuse_nobody(clause: str, make: Callable[[], Log]) -> None:
    assert row(make().judge(video="0" * 64), clause) == "undetermined"
