"""Further clauses, each with what breaks it and what does not."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from law_build import Log, findings, hand_out, named, opening, play_on, row
from reports import Keep


def two(**house: object) -> Log:
    return hand_out("Th Td Kd 6s 5c Tc", {2: 1000, 4: 500}, **house)


def again(log: Log, shoe: bool = True) -> Log:
    play_on(log, "Th Td Kd 6s 5c Tc", {2: 1000, 4: 500})
    return log


def reshuffle(ground: str | None) -> Log:
    log = two()
    if ground in ("indicator", "indicator perhaps"):
        sure = {} if ground == "indicator" else {"p": 0.3, "occluded": True}
        log.insert_after(log.all("card_dealt")[-1], "indicator_card", action="appeared", cards_remaining=60, **sure)
    if ground == "inactivity":
        log.now += 16 * 60
    if ground == "closed":
        log.add("table_state", state="temp_closed", dealer_present=True)
    log.shoe = 2
    log.add("shuffle", 60.0, method="hand", scope="all")
    log.add("cut", by="player", depth_cards=90)
    log.add("card_burned", card="??", face_shown=False)
    return again(log)


def indicator_ignored() -> Log:
    log = two()
    log.insert_after(log.all("card_dealt")[-1], "indicator_card", action="appeared", cards_remaining=60)
    return again(log)


def fifty(returned: bool) -> Log:
    log = hand_out("Th Td Kd 6s 5c Tc", {2: 1000, 4: 500})
    log.change(log.one("wager_placed", at="space:4"), cents=50, chips={"50": 1})
    log.drop(log.one("chips_collected", at="space:4"))
    log.change(log.one("chips_to_tray"), cents=1000)
    if returned:
        log.insert_after(
            log.one("card_dealt", to="space:4"),
            "chips_returned",
            kind="original",
            at="space:4",
            cents=50,
            reason="error",
        )
        log.change(log.one("chips_returned"), reason="excess")
        log.drop(*log.all("card_dealt", to="space:4")[1:], *log.all("hand_signal", at="space:4"))
        log.insert_after(log.one("chips_returned"), "card_burned", card="Td", face_shown=True, reason="fifty cents")
    return log


def face_up_card(burned: bool) -> Log:
    log = two()
    seen = log.insert_after(log.one("round_started"), "card_revealed", card="9c", at="shoe", how="shoe_mouth")
    if burned:
        log.insert_after(seen, "card_burned", card="9c", face_shown=True, reason="face up")
        log.records[-1]["t_start"] = seen["t_end"]
    return log


def hole_exposed_and_kept() -> Log:
    log = two()
    log.insert_after(log.all("card_dealt")[-1], "card_revealed", card="Tc", at="dealer", how="exposed_error")
    return log.drop(log.one("card_revealed", how="turned"))


def shortage(burn: bool) -> Log:
    log = hand_out("5h 7d 6s Tc 7h", {2: 1000}, "hit")
    at = log.one("hand_signal", meaning="hit")
    start = log.insert_after(at, "shuffle", method="hand", scope="discards")
    start["t_start"], start["t_end"] = at["t_end"] + 0.01, at["t_end"] + 0.05
    cut = log.insert_after(start, "cut", by="player", depth_cards=30)
    cut["t_end"] = cut["t_start"] + 0.05
    if burn:
        card = log.insert_after(cut, "card_burned", card="??", face_shown=False)
        card["t_end"] = card["t_start"] + 0.05
    return log


def empty_table(burn: bool) -> Log:
    log = two()
    log.add("player_presence", phase="leave", spaces=[2, 4])
    log.add("player_presence", phase="arrive", spaces=[3])
    if burn:
        log.add("card_burned", card="??", face_shown=False)
    play_on(log, "Th Kd 6s Tc", {3: 1000})
    return log


def state(**own: object) -> Log:
    log = opening(Log())
    log.add("table_state", state="open", **own)
    return log


def insured_late() -> Log:
    log = hand_out("Th Td Ad 5s 9c 2c 4h", {2: 1000, 4: 500}, "insurance")
    return log.move_after(log.one("chips_collected", kind="insurance"), log.one("card_dealt", card="4h"))


def carried(taps: bool = True) -> Log:
    """A tie leaves the wager on space 2; it plays the next round without being placed again."""
    log = hand_out("Th Kd 7s 7c", {2: 1000})
    play_on(log, "Th Kd 6s Tc", {2: 1000})
    return log.drop(log.all("wager_placed")[1])


CASES: list[tuple[str, Callable[[], Log], str]] = [
    ("ND-08-08.2-reshuffle-only-when", lambda: reshuffle(None), "violation"),
    ("ND-08-08.2-reshuffle-only-when", lambda: reshuffle("indicator"), "pass"),
    ("ND-08-08.2-reshuffle-only-when", lambda: reshuffle("indicator perhaps"), "undetermined"),
    ("ND-08-08.2-reshuffle-only-when", lambda: reshuffle("inactivity"), "pass"),
    ("ND-08-08.2-reshuffle-only-when", lambda: reshuffle("closed"), "pass"),
    ("ND-08-08.2-reshuffle-on-indicator", indicator_ignored, "violation"),
    ("ND-08-08.1-shuffle-before-play", lambda: (g := reshuffle("indicator")).drop(g.all("shuffle")[1]), "violation"),
    ("ND-08-12.11-fifty-cent-wager", lambda: fifty(returned=True), "pass"),
    ("ND-08-12.11-fifty-cent-wager", lambda: fifty(returned=False), "violation"),
    ("ND-08-12.1-faceup-in-shoe", lambda: face_up_card(burned=False), "violation"),
    ("ND-08-12.1-faceup-in-shoe", lambda: face_up_card(burned=True), "pass"),
    ("ND-08-12.14-exposed-hole", hole_exposed_and_kept, "violation"),
    ("ND-08-12.9-shoe-shortage", lambda: shortage(burn=True), "pass"),
    ("ND-08-12.9-shoe-shortage", lambda: shortage(burn=False), "violation"),
    ("ND-08-08.3-returning-player", lambda: empty_table(burn=True), "pass"),
    ("ND-08-08.3-returning-player", lambda: empty_table(burn=False), "violation"),
    ("ND-08-03.4-unattended-tray", lambda: state(dealer_present=False, tray="open"), "violation"),
    ("ND-08-03.4-unattended-tray", lambda: state(dealer_present=False, tray="covered"), "pass"),
    ("ND-08-07.2-unattended-shoe", lambda: state(dealer_present=False, shoe_covered=False), "violation"),
    ("ND-08-07.2-unattended-shoe", lambda: state(dealer_present=True, shoe_covered=False), "not_applicable"),
    ("ND-08-11.10.a-insurance-collect-first", insured_late, "violation"),
    ("ND-08-03.1-chip-values", lambda: (g := two()).change(g.one("wager_placed"), chips={"1000": 1}), "violation"),
    ("ND-08-01.2-two-adjacent-spaces", lambda: (g := two()).change(g.add(
        "player_presence", phase="arrive", spaces=[2, 5])), "violation"),
    ("ND-08-11.2-no-switch-card", lambda: (g := two()).change(g.insert_after(
        g.one("card_revealed"), "card_revealed", card="Ah", at="space:4", how="exposed_error")), "violation"),
    ("ND-08-04.4.b-continue-to-close", lambda: (g := two()).change(
        g.add("recording_segment", recorder_id="A")).change(g.add("hands_clear", region="x", duration=1.0)).change(
            g.change(g.add("recording_segment", recorder_id="A"), t_start=900.0, t_end=901.0).records[-1]),
     "violation"),
    ("ND-08-10.1.a-order", lambda: (g := two()).change(g.all("card_dealt", to="dealer")[1], face="up", card="Tc").drop(
        g.one("card_revealed")), "violation"),
    ("ND-08-02.3-deck-count", lambda: (g := hand_out("Th Th 7d 9s 9h Tc", {2: 500, 3: 500}, deck_count=4)).change(
        g.all("card_dealt")[0], card="Ks").change(g.all("card_dealt")[1], card="Ks").change(
            g.all("card_dealt")[3], card="Ks").change(g.all("card_dealt")[4], card="Ks").change(
                g.one("card_revealed"), card="Ks"), "violation"),
    ("ND-08-11.12-highest-wins", carried, "pass"),
]  # fmt: skip


@pytest.mark.parametrize(("clause", "log", "verdict"), CASES, ids=[f"{c[0]}-{c[2]}-{i}" for i, c in enumerate(CASES)])
def test_clause(clause: str, log: Callable[[], Log], verdict: str, keep: Keep) -> None:
    report = log().judge()
    keep(report)
    assert row(report, clause) == verdict, [(f.verdict, f.clause, f.observed) for f in report.findings]
    if verdict == "violation":
        assert clause in named(report)
    else:
        assert not findings(report), [(f.clause, f.observed) for f in findings(report)]


def test_all_cards_that_show_too_often_in_a_shoe_are_one_finding() -> None:
    log = hand_out("Th Th Tc Tc Td 7d 9s 9h 9c 9d 9s Tc", dict.fromkeys(range(1, 6), 500), deck_count=4)
    for event, card in zip(log.all("card_dealt"), [*["Ks"] * 5, "7d", *["Qs"] * 5], strict=False):
        log.change(event, card=card)
    (found,) = [one for one in findings(log.judge()) if one.clause == "ND-08-02.3-deck-count"]
    assert (len(found.events), found.observed) == (2, "Ks, Qs were dealt more than 4 times")
