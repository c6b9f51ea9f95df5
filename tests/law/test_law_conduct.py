"""Bets, stacks, cards brought to the table, stray cards: 99-01.3-08-01(2), 07(1), 08(1), 09, 11(13), 12, 13, 15."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from law_build import Log, findings, hand_out, opening, play_on, row
from reports import Keep

ON = {"tournament_rules": "on"}


def two(**house: Any) -> Log:
    return hand_out("Th Td Kd 6s 5c Tc", {2: 1000, 4: 500}, **house)


def seated(log: Log, *players: list[int]) -> Log:
    """Players arrive before anything else, each with the spaces they play."""
    for spaces in players:
        log.change(log.add("player_presence", phase="arrive", spaces=spaces), t_start=0.01, t_end=0.02)
    return log


def by(who: str, *players: list[int]) -> Log:
    log = seated(two(), *players)
    return log.change(log.one("wager_placed", at="space:4"), by=who)


def side_bet(at: str, kind: str) -> Log:
    log = two()
    log.insert_after(log.one("round_started"), "wager_placed", kind=kind, at=at, cents=500)
    return log


def given_back(cents: int, reason: str, wager: int = 500) -> Log:
    log = two()
    log.change(log.one("wager_placed", at="space:4"), cents=wager, chips=None)
    placed = log.one("wager_placed", at="space:4")
    log.insert_after(placed, "chips_returned", kind="original", at="space:4", cents=cents, reason=reason)
    return log


def stack(top: dict[str, int], fan: dict[str, int], moved: bool = False) -> Log:
    log = hand_out("Th 7d 9s Tc", {2: 1000})
    log.change(log.one("wager_placed"), chips=top, lower_bound=True)
    log.change(log.one("chips_fanned", owner="wager"), chips=fan)
    if moved:
        record = {"kind": "original", "from": "space:2", "to": "space:2", "hand": "right"}
        log.insert_after(log.one("wager_placed"), "wager_moved", **record)
    return log


def peek(method: str) -> Log:
    log = hand_out("Th 7d 9s Tc", {2: 1000}, dealing_method=method)
    log.insert_after(log.all("hand_signal")[-1], "hole_card_check", how="peek")
    return log


def modes(*given: str, **house: Any) -> Log:
    log = Log(**house)
    opening(log)
    for mode in given:
        play_on(log, "Th Td 6s 9c", {2: 1000})
        log.change(log.all("chips_collected")[-1], mode=mode)
    return log


def cuts(*seats: int, players: int = 2) -> Log:
    log = seated(Log(), *([n + 1] for n in range(players)))
    for number, seat in enumerate(seats, 1):
        log.shoe = number
        log.add("shuffle", 60.0, method="hand", scope="all")
        log.add("cut", by="player", depth_cards=100, seat=seat)
        log.add("card_burned", card="??", face_shown=False)
        play_on(log, "Th Td 6s 9c", {2: 1000})
    return log


def shuffled(method: str, **house: Any) -> Log:
    log = two(**house)
    return log.change(log.one("shuffle"), method=method)


def brought(*acts: tuple[str, int | None]) -> Log:
    log = Log()
    log.add("table_state", state="open", tray="open", dealer_present=True)
    log.add("dealer_shift", phase="start")
    for action, decks in acts:
        log.add("cards_inspected", action=action, decks=decks)
    log.shoe = 1
    log.add("shuffle", 60.0, method="hand", scope="all")
    log.add("cut", by="player", depth_cards=100)
    log.add("card_burned", card="??", face_shown=False)
    play_on(log, "Th Td Kd 6s 5c Tc", {2: 1000, 4: 500})
    return log


def stored(again: bool) -> Log:
    log = brought(("inspect", 6), ("spread", None))
    log.add("cards_inspected", action="store")
    if again:
        log.add("cards_inspected", action="inspect", decks=6)
        log.add("cards_inspected", action="spread")
        log.add("shuffle", 60.0, method="hand", scope="all")
        log.add("cut", by="player", depth_cards=100)
        log.add("card_burned", card="??", face_shown=False)
    play_on(log, "Th Td Kd 6s 5c Tc", {2: 1000, 4: 500})
    return log


def burned(reason: str, shown: bool | None, card: str = "??") -> Log:
    log = two()
    log.insert_after(log.all("card_dealt")[-1], "card_burned", card=card, face_shown=shown, reason=reason)
    return log


def drawn_in_error(burn: bool) -> Log:
    """A card is drawn face down and held; it is then burned, or becomes the dealer's next card."""
    log = hand_out("Th 6d 9s Tc 3d", {2: 1000})
    drawn = log.insert_after(log.one("card_revealed"), "card_dealt", card="??", to="hand", face="down", seq=None)
    if burn:
        log.insert_after(drawn, "card_burned", card="??", face_shown=False, reason="held")
    return log


def tournament(*players: list[int], rounds: int = 2, spaces: tuple[int, ...] = (2, 4)) -> Log:
    log = seated(opening(Log(**ON)), *players)
    for _ in range(rounds):
        cards = "Th Td Kd 6s 5c Tc" if len(spaces) == 2 else "Th Td 6s Tc"
        play_on(log, cards, dict.fromkeys(spaces, 500))
    return log


def buttons(*spaces: int) -> Log:
    log = tournament([2], [4])
    for number in spaces:
        log.add("button_moved", to=f"space:{number}")
    return log


def left_and_back(back: bool) -> Log:
    log = tournament([2], [4], rounds=1)
    log.add("player_presence", phase="leave", spaces=[4])
    play_on(log, "Th Td 6s Tc", {2: 500})
    if back:
        log.add("player_presence", phase="arrive", spaces=[4])
    return log


CASES: list[tuple[str, str, Callable[[], Log]]] = [
    ("01.2-no-outsider-wager", "not_applicable", two),
    ("01.2-no-cross-wager", "violation", lambda: by("space:2", [2], [4])),
    ("01.2-no-cross-wager", "pass", lambda: by("space:3", [3, 4])),
    ("13.2.f-no-side-bets", "pass", two),
    ("13.2.f-no-side-bets", "violation", lambda: side_bet("space:4", "bet")),
    ("09.1-one-dollar-increments", "violation", lambda: given_back(500, "excess")),
    ("09.1-one-dollar-increments", "violation", lambda: given_back(200, "excess")),
    ("09.1-one-dollar-increments", "not_applicable", lambda: given_back(500, "excess", wager=3000)),
    ("09.3-stack-order", "pass", lambda: stack({"100": 1}, {"100": 5, "500": 1})),
    ("09.3-stack-order", "violation", lambda: stack({"500": 1}, {"100": 5, "500": 1})),
    ("09.3-stack-order", "not_applicable", lambda: stack({"500": 1}, {"100": 5, "500": 1}, moved=True)),
    ("11.10-second-unseen", "violation", lambda: peek("no_hole_card")),
    ("11.10-second-unseen", "not_applicable", lambda: peek("hole_card_no_peek")),
    ("11.13-option-consistent", "pass", lambda: modes("sweep", "sweep")),
    ("11.13-option-consistent", "pass", lambda: modes("hand_by_hand", sweep_or_hand_by_hand="hand_by_hand")),
    ("11.13-option-consistent", "violation",
     lambda: modes("hand_by_hand", "sweep", sweep_or_hand_by_hand="hand_by_hand")),
    ("11.13-option-consistent", "undetermined", lambda: modes("sweep", "hand_by_hand")),
    ("08.1-rotate-cut", "pass", lambda: cuts(1, 2, 1)),
    ("08.1-rotate-cut", "undetermined", lambda: cuts(1, 1, 1)),
    ("08.1-rotate-cut", "pass", lambda: cuts(1, 1, 1, players=1)),
    ("08.1-standard-shuffle", "not_assessed", lambda: shuffled("hand", shuffle_method=None)),
    ("07.1-approve-decks", "pass", lambda: brought(("inspect", 6), ("spread", None))),
    ("07.1-approve-decks", "violation", lambda: brought(("spread", None))),
    ("07.1-approve-decks", "violation", lambda: brought(("inspect", 5), ("spread", None))),
    ("07.1-approve-decks", "pass", lambda: brought(("inspect", 3), ("inspect", 3), ("spread", None))),
    ("07.1-removed-cards-stored", "pass", lambda: stored(again=True)),
    ("07.1-removed-cards-stored", "violation", lambda: stored(again=False)),
    ("07.2-shoe-inspected-daily", "pass", lambda: brought(("inspect", 6), ("spread", None))),
    ("12.7-unexposed-error-card", "violation", lambda: burned("error", False)),
    ("12.7-unexposed-error-card", "not_applicable", lambda: burned("error", True, "4h")),
    ("12.7-unexposed-error-card", "pass", lambda: drawn_in_error(burn=False)),
    ("12.7-unexposed-error-card", "violation", lambda: drawn_in_error(burn=True)),
    ("15.2-one-or-two-spaces", "pass", lambda: tournament([2, 3])),
    ("15.2-one-or-two-spaces", "violation", lambda: tournament([2, 3, 4])),
    ("15.3-min-bet-each-hand", "pass", lambda: tournament([2], [4])),
    ("15.3-min-bet-each-hand", "violation", lambda: tournament([2], [4], spaces=(2,))),
    ("15.3-no-move-stop", "violation", lambda: left_and_back(back=True)),
    ("15.3-no-move-stop", "undetermined", lambda: left_and_back(back=False)),
    ("15.2-button-clockwise", "pass", lambda: buttons(2, 4, 2)),
    ("15.2-button-clockwise", "violation", lambda: buttons(2, 2)),
]  # fmt: skip


@pytest.mark.parametrize(("clause", "verdict", "log"), CASES, ids=[f"{c[0]}-{c[1]}-{i}" for i, c in enumerate(CASES)])
def test_clause(clause: str, verdict: str, log: Callable[[], Log], keep: Keep) -> None:
    report = log().judge()
    keep(report)
    said = [(f.clause, f.observed) for f in report.findings]
    assert row(report, f"ND-08-{clause}") == verdict, said
    if verdict == "violation":
        assert any(f"ND-08-{clause}" in (f.clause, *f.also) for f in findings(report)), said
    elif verdict == "pass":
        assert not any(f"ND-08-{clause}" in (f.clause, *f.also) for f in report.findings), said
