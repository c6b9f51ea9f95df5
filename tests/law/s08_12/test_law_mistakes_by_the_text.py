"""Dealing mistakes and their recoveries (99-01.3-08-12), from logs that were written from the text alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from law_build import Log, findings, hand_out, row
from reports import Keep

Case = tuple[str, str, Callable[[], Log]]
THREE = "Th Jd Qs 8s 9c 7h 8d Td"
"""Space 2 has 19, space 4 has 17, space 6 has 18, the dealer 8-10 = 18."""
SHUFFLE: dict[str, Any] = {"event": "shuffle", "method": "hand", "scope": "discards"}
CUT: dict[str, Any] = {"event": "cut", "by": "player", "depth_cards": 30}
BURN: dict[str, Any] = {"event": "card_burned", "card": "??", "face_shown": False}


def put(log: Log, after: dict[str, Any], event: str, **own: Any) -> dict[str, Any]:
    """A further record after another one, for which those that follow make room."""
    for record in log.records:
        if record["t_start"] >= after["t_end"]:
            record["t_start"] += 2.0
            record["t_end"] += 2.0
    return log.insert_after(after, event, **own)


def numbered(log: Log) -> Log:
    """The log with its dealt cards numbered anew."""
    for number, card in enumerate(sorted(log.all("card_dealt"), key=lambda r: float(r["t_end"])), start=1):
        log.change(card, seq=number)
    return log


# A space that got one card only


def one_card(burned: bool = False, **own: Any) -> Log:
    """Space 4 got its first card only; `burned`: that card went to the discards."""
    log = hand_out(THREE, {2: 1000, 4: 700, 6: 500})
    mine = [r for r in log.records if "space:4" in (r.get("at"), r.get("to"), r.get("from"))]
    first = log.all("card_dealt", to="space:4")[0]
    log.drop(*(r for r in mine if r is not first and r["event"] != "wager_placed"), *log.all("chips_to_tray"))
    if burned:
        put(log, log.all("card_dealt")[-1], "card_burned", card=first["card"], face_shown=True, reason="error")
    return log.change(first, **own) and numbered(log)


ONE: list[Case] = [
    ("12.2-one-card-option", "pass", lambda: one_card(burned=True)),
    ("12.2-one-card-option", "violation", one_card),
    ("12.2-one-card-option", "undetermined", lambda: one_card(p=0.4)),
]


# A card that dropped off the table


def dropped(which: int, reason: str | None = "dropped", card: str | None = "2d") -> Log:
    """A card of the deal (0 first) is burned, and one that replaces it dealt to the same place."""
    log = hand_out(THREE, {2: 1000, 4: 700, 6: 500})
    lost = log.all("card_dealt")[which]
    burn = put(log, lost, "card_burned", card=card or "??", face_shown=card is not None, reason=reason)
    put(log, burn, "card_dealt", **{key: lost[key] for key in ("card", "to", "face")}, seq=None)
    if lost["card"] != "??":
        log.change(lost, card="2d")
    return numbered(log)


DROPPED: list[Case] = [
    *(("10.1.a-order", "pass", lambda which=which: dropped(which)) for which in range(8)),
    ("10.1.a-order", "pass", lambda: dropped(0, card=None)),
    ("10.1.a-order", "undetermined", lambda: dropped(0, reason=None)),
    ("10.1.a-order", "violation", lambda: dropped(0, reason="misdealt")),
    ("12.6-dropped-card", "pass", lambda: dropped(7)),
]  # fmt: skip


# A card drawn in error that nobody saw


def unseen(*, burned: bool) -> Log:
    """After the last stand a card is drawn from the shoe, face down, though nobody asked for it."""
    log = hand_out("5h Jd 8s 6c 7h Td 7s", {2: 1000, 4: 700}, "hit")
    drawn = put(log, log.all("hand_signal")[-1], "card_dealt", card="??", to="hand", face="down", seq=None)
    if burned:
        put(log, drawn, "card_burned", card="??", face_shown=False, reason="error")
    return numbered(log)


UNSEEN: list[Case] = [("12.7-unexposed-error-card", "violation", lambda: unseen(burned=True))]


# The shoe runs short


def short(*steps: dict[str, Any]) -> Log:
    """What is done before the hit card of space 2 comes."""
    log = hand_out("5h Jd 8s 6c 7h Td 7s", {2: 1000, 4: 700}, "hit")
    last = log.all("hand_signal")[0]
    for step in steps:
        last = put(log, last, **step)
    return log


SHORT: list[Case] = [
    ("12.9-shoe-shortage", "pass", lambda: short(SHUFFLE, CUT, BURN)),
    ("12.9-shoe-shortage", "violation", lambda: short(SHUFFLE, CUT)),
    ("12.9-shoe-shortage", "violation", lambda: short(SHUFFLE, BURN)),
    ("12.9-shoe-shortage", "violation", lambda: short(SHUFFLE, BURN, CUT)),
]


# A wager of fifty cents that was dealt a card


def fifty(cards: str = "burned", returned: bool = True, first: str = "Jd") -> Log:
    """Space 4 was dealt a card on 0.50; its `cards` are burned, picked up at once, or kept till the end."""
    log = hand_out(THREE, {2: 1000, 4: 700, 6: 500})
    mine = [r for r in log.records if "space:4" in (r.get("at"), r.get("to"), r.get("from"))]
    log.drop(*(r for r in mine if r["event"] != "wager_placed" and r.get("card") != first), *log.all("chips_to_tray"))
    log.change(log.one("wager_placed", at="space:4"), cents=50, chips={"50": 1})
    dealt = log.one("card_dealt", to="space:4")
    if returned:
        dealt = put(log, dealt, "chips_returned", kind="original", at="space:4", cents=50, reason="error")
    if cards == "burned":
        put(log, dealt, "card_burned", card=first, face_shown=True, reason="error")
    else:
        after = dealt if cards == "picked up" else log.one("cards_collected")
        put(log, after, "cards_collected", **{"from": "space:4", "order": 9, "to": "discard"})
    return numbered(log)


CENTS: list[Case] = [
    ("12.11-fifty-cent-wager", "pass", fifty),
    ("12.11-fifty-cent-wager", "pass", lambda: fifty("picked up")),
    ("12.11-fifty-cent-wager", "violation", lambda: fifty("kept")),
    ("12.11-fifty-cent-wager", "violation", lambda: fifty("kept", returned=False)),
    ("12.2-one-card-option", "pass", lambda: fifty("kept")),
]


# An exposed hole card and the card that replaces it


def exposed(new_after: str = "hand_signal") -> Log:
    """The hole card is exposed and burned; another is drawn after the last of some records."""
    log = hand_out(THREE, {2: 1000, 4: 700, 6: 500})
    shown = put(log, log.all("card_dealt")[-1], "card_revealed", card="4h", at="dealer", how="exposed_error")
    put(log, shown, "card_burned", card="4h", face_shown=True, reason="exposed")
    put(log, log.all(new_after)[-1], "card_dealt", card="??", to="dealer", face="down", seq=None)
    return numbered(log)


EXPOSED: list[Case] = [
    ("12.14-exposed-hole", "pass", exposed),
    ("12.14-exposed-hole", "violation", lambda: exposed("card_burned")),
]


# A hit card that was missed


def missed(until: str | None) -> Log:
    """Space 2 signals for a hit and gets its card only after the last of some records, or never."""
    log = hand_out("5h Jd 8s 6c 7h Td 7s", {2: 1000, 4: 700}, "hit")
    card, stand = log.one("card_dealt", card="7s"), log.one("hand_signal", at="space:2", meaning="stand")
    log.drop(card, stand)
    if until is not None:
        late = put(log, log.all(until)[-1], "card_dealt", **{key: card[key] for key in ("card", "to", "face", "seq")})
        put(log, late, "hand_signal", at="space:2", meaning="stand")
    return numbered(log)


MISSED: list[Case] = [
    ("12.15-missed-hit", "not_applicable", lambda: missed("hand_signal")),
    ("12.15-missed-hit", "violation", lambda: missed("card_revealed")),
    ("12.15-missed-hit", "violation", lambda: missed(None)),
]


ALL = [*ONE, *DROPPED, *UNSEEN, *SHORT, *CENTS, *EXPOSED, *MISSED]


@pytest.mark.parametrize(("clause", "verdict", "make"), ALL, ids=[f"{c[0]}-{c[1]}-{i}" for i, c in enumerate(ALL)])
def test_clause(clause: str, verdict: str, make: Callable[[], Log], keep: Keep) -> None:
    report = make().judge()
    keep(report)
    assert row(report, f"ND-08-{clause}") == verdict, [(f.verdict, f.clause, f.observed) for f in report.findings]


@pytest.mark.parametrize("which", range(8))
def test_a_dropped_card_that_is_burned_and_replaced_is_lawful_12_6(which: int) -> None:
    assert findings(dropped(which).judge()) == []


def test_a_card_drawn_in_error_is_not_taken_for_one_of_a_hand_12_7() -> None:
    (found,) = findings(unseen(burned=True).judge())
    assert found.clause == "ND-08-12.7-unexposed-error-card"


def test_a_recording_may_have_missed_a_second_card_12_2() -> None:
    assert row(one_card().judge(video="0" * 64), "ND-08-12.2-one-card-option") == "undetermined"


def test_a_missed_hit_is_one_finding_with_the_stand_that_was_not_signalled_12_15() -> None:
    found = [f for f in findings(missed(None).judge()) if f.at == "space:2" and "hand-signal" in " ".join(f.also)]
    assert [f.clause for f in found] == ["ND-08-11.5-deal-as-requested"]
