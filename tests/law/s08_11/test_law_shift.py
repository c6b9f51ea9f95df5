"""Leaving the table, tip exchange, buy-ins and chip exchanges: 99-01.3-08-06(1), 07(3), 11(18)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from law_build import Log, findings, hand_out, named, play_on, row
from reports import Keep

SHOWN = {"left_palm": True, "left_back": True, "right_palm": True, "right_back": True, "fingers_extended": True}
SHOW, SHOW_B = "ND-08-11.18.a-show-hands", "ND-08-11.18.b-show-hands"


def played(**house: object) -> Log:
    return hand_out("Th Kd 6s Tc", {2: 1000}, **house)


def leave(shown: dict[str, object] | None = SHOWN, **house: object) -> Log:
    log = played(**house)
    if shown is not None:
        log.add("hands_shown", duration=1.5, **shown)
    log.add("tip_receptacle_taken")
    log.add("dealer_shift", phase="end", how="sleeve")
    return log


def in_two_parts() -> Log:
    log = played()
    log.add("hands_shown", **{**SHOWN, "left_palm": False, "right_palm": False})
    log.add("hands_shown", **{**SHOWN, "left_back": False, "right_back": False})
    log.add("dealer_shift", phase="end")
    return log


def exchange(taken: int = 2000, shown: bool = True, without: str | None = None) -> Log:
    log = played()
    for step in ("emptied", "placed_left", "fanned_in", "taken", "placed_right", "fanned_out"):
        if step == without:
            continue
        log.add("tip_exchange", step=step, cents=2000)
        if step == "fanned_in":
            log.add("chips_fanned", owner="tip_exchange_in", at="inner", cents=2000)
        if step == "taken":
            log.add("chips_from_tray", cents=taken)
        if step == "fanned_out":
            log.add("chips_fanned", owner="tip_exchange_out", at="inner", cents=taken)
    log.add("hands_clear", region="inner", duration=1.0)
    log.add("tip_exchange", step="to_tray", cents=2000)
    log.add("chips_to_tray", cents=2000)
    log.add("tip_exchange", step="to_receptacle", cents=taken)
    if shown:
        log.add("hands_shown", **SHOWN)
    log.add("tip_receptacle_taken")
    log.add("dealer_shift", phase="end")
    return log


def touched_after() -> Log:
    log = played()
    log.add("hands_shown", **SHOWN)
    log.add("chips_to_tray", cents=100)
    log.add("dealer_shift", phase="end")
    return log


def taken_first() -> Log:
    log = played()
    log.add("tip_receptacle_taken")
    log.add("hands_shown", **SHOWN)
    log.add("dealer_shift", phase="end")
    return log


def relieved_silently() -> Log:
    log = played()
    log.dealer = "D2"
    log.add("dealer_shift", phase="start")
    log.add("card_burned", card="??", face_shown=False)
    return log


def new_dealer(burn: bool) -> Log:
    log = leave()
    log.dealer = "D2"
    log.add("dealer_shift", phase="start")
    if burn:
        log.add("card_burned", card="??", face_shown=False)
    play_on(log, "Th Kd 6s Tc", {2: 1000})
    return log


def buy_in(chips: int = 2000, fan: bool = True, clear: bool = True, drop: str = "after", spread: bool = True) -> Log:
    log = played()
    if spread:
        log.add("currency_spread", bills={"2000": 1}, cents=2000, face_down=True)
    if clear:
        log.add("hands_clear", region="inner", duration=1.0)
    if drop == "before":
        log.add("currency_dropped", what="currency", cents=2000)
    log.add("chips_from_tray", cents=chips, hand="right", origin="buy_in")
    if fan:
        log.add("chips_fanned", owner="buy_in", at="inner", cents=chips)
    log.add("hands_clear", region="inner", duration=1.0)
    log.add("chips_pushed", at="space:2", cents=chips, reason="buy_in")
    if drop == "after":
        log.add("currency_dropped", what="currency", cents=2000)
    play_on(log, "Th Kd 6s Tc", {2: 1000})
    return log


def chip_exchange(given: int = 2500, tray_first: bool = False, then_tips: bool = False) -> Log:
    log = played()
    log.add("chips_received", at="space:2", cents=2500, chips={"2500": 1})
    log.add("hands_clear", region="inner", duration=1.0)
    if tray_first:
        log.add("chips_to_tray", cents=2500)
    log.add("chips_from_tray", cents=given)
    log.add("chips_fanned", owner="exchange_out", at="inner", cents=given)
    log.add("hands_clear", region="inner", duration=1.0)
    log.add("chips_pushed", at="space:2", cents=given, reason="exchange")
    if not tray_first:
        log.add("chips_to_tray", cents=2500)
    if then_tips:
        log.add("tip_exchange", step="emptied", cents=500)
        log.add("chips_to_tray", cents=500, origin="tip")
    play_on(log, "Th Kd 6s Tc", {2: 1000})
    return log


CASES: list[tuple[str, Callable[[], Log], str]] = [
    (SHOW, leave, "pass"),
    (SHOW, in_two_parts, "pass"),
    (SHOW, lambda: leave(None), "violation"),
    (SHOW, lambda: leave({**SHOWN, "right_back": False}), "violation"),
    (SHOW, lambda: leave({**SHOWN, "right_back": None}), "undetermined"),
    (SHOW, lambda: leave({**SHOWN, "fingers_extended": False}), "violation"),
    (SHOW, lambda: leave({**SHOWN, "p": 0.3}), "undetermined"),
    (SHOW, lambda: leave(None, video_surveillance="absent"), "not_applicable"),
    (SHOW, lambda: leave(None, video_surveillance=None), "undetermined"),
    (SHOW, touched_after, "violation"),
    (SHOW, relieved_silently, "undetermined"),
    (SHOW, played, "not_applicable"),
    ("ND-08-11.18.a-then-take-receptacle", taken_first, "violation"),
    ("ND-08-11.18.a-then-take-receptacle", leave, "pass"),
    (SHOW_B, exchange, "pass"),
    (SHOW_B, lambda: exchange(shown=False), "violation"),
    ("ND-08-11.18.b-equal-value", exchange, "pass"),
    ("ND-08-11.18.b-equal-value", lambda: exchange(taken=2500), "violation"),
    ("ND-08-11.18.b-empty-receptacle", lambda: exchange(without="emptied"), "violation"),
    ("ND-08-11.18.b-place-left", lambda: exchange(without="placed_left"), "violation"),
    ("ND-08-11.18.b-place-right", lambda: exchange(without="placed_right"), "violation"),
    ("ND-08-11.18.b-fan-exchanged-only", exchange, "pass"),
    ("ND-08-11.18.b-hands-away", lambda: (g := exchange()).drop(g.all("hands_clear")[-1]), "violation"),
    ("ND-08-11.18.b-tray-then-receptacle", lambda: (g := exchange()).move_after(
        g.one("tip_exchange", step="to_tray"), g.one("tip_exchange", step="to_receptacle")), "violation"),
    ("ND-08-08.3-new-dealer-burn", lambda: new_dealer(burn=True), "pass"),
    ("ND-08-08.3-new-dealer-burn", lambda: new_dealer(burn=False), "violation"),
    ("ND-08-07.3.b-chips-equal-cash", buy_in, "pass"),
    ("ND-08-07.3.b-chips-equal-cash", lambda: buy_in(chips=2500), "violation"),
    ("ND-08-07.3.b-fan-buyin", lambda: buy_in(fan=False), "violation"),
    ("ND-08-07.3.b-hands-clear-cash", lambda: buy_in(clear=False), "violation"),
    ("ND-08-07.3.b-cash-to-drop-last", lambda: buy_in(drop="never"), "violation"),
    ("ND-08-07.3.b-cash-to-drop-last", lambda: buy_in(drop="before"), "violation"),
    ("ND-08-06.1-cash-only", lambda: buy_in(spread=False, drop="never"), "violation"),
    ("ND-08-06.1-cash-only", buy_in, "pass"),
    ("ND-08-07.3.c-exchange-equal", chip_exchange, "pass"),
    ("ND-08-07.3.c-exchange-equal", lambda: chip_exchange(given=3000), "violation"),
    ("ND-08-07.3.c-exchange-order", lambda: chip_exchange(tray_first=True), "violation"),
]  # fmt: skip


@pytest.mark.parametrize(("clause", "log", "verdict"), CASES, ids=[f"{c[0]}-{c[2]}-{i}" for i, c in enumerate(CASES)])
def test_clause(clause: str, log: Callable[[], Log], verdict: str, keep: Keep) -> None:
    report = log().judge()
    keep(report)
    assert row(report, clause) == verdict, [(f.verdict, f.clause, f.observed) for f in report.findings]
    if verdict == "violation":
        assert {c for c in named(report) if c != clause} <= set(findings(report)[0].also) | {SHOW_B, SHOW}
    elif verdict in ("pass", "not_applicable"):
        assert not findings(report)


@pytest.mark.parametrize(("given", "verdicts"), [(None, ["undetermined"]), (2000, ["violation"])])
def test_an_exchange_is_told_once_whether_it_is_not_counted_or_not_spread(
    given: int | None, verdicts: list[str]
) -> None:
    log = chip_exchange()
    log.change(log.one("chips_fanned", owner="exchange_out"), p=0.4)
    received, pushed = log.one("chips_received"), log.one("chips_pushed")
    taken = [e for e in log.all("chips_from_tray") if received["t_start"] < e["t_start"] < pushed["t_start"]]
    for event in (*taken, pushed):
        log.change(event, cents=given, chips=None)
    found = [one.verdict for one in log.judge().findings if one.clause == "ND-08-07.3.c-exchange-equal"]
    assert sorted(found, reverse=True)[:1] == verdicts and found.count("undetermined") <= 1


def test_tips_that_are_exchanged_next_are_no_part_of_an_exchange_of_chips() -> None:
    report = chip_exchange(tray_first=True, then_tips=True).judge()
    assert row(report, "ND-08-07.3.c-exchange-order") == "violation"


@pytest.mark.parametrize(
    ("palms", "words"),
    [
        ((None, True), "not surely seen while the hands were shown: left palm"),
        ((False, True), "not seen while the hands were shown: left palm"),
        (
            (False, None),
            "not seen while the hands were shown: left palm; not surely seen while the hands were shown: right palm",
        ),
    ],
)
def test_what_a_showing_lacked_and_what_was_only_in_doubt_are_told_apart(
    palms: tuple[bool | None, bool | None], words: str
) -> None:
    left, right = palms
    report = leave({**SHOWN, "left_palm": left, "right_palm": right}).judge()
    verdict = "undetermined" if False not in palms else "violation"
    (observed,) = [found.observed for found in findings(report, verdict) if found.clause == SHOW]
    assert observed == words
