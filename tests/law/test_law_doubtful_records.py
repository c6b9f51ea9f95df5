"""A record that was seen doubtfully and speaks against a breach, or alone for it, leaves the breach open."""

from __future__ import annotations

import pytest
from law_build import Log, Record, findings, hand_out, named, opening, play_on, row

STAKES = {2: 1000, 4: 700}
CARDS = "Th Jd 8s 9c 7h Td"
"""Space 2 has 19, space 4 has 17, the dealer 8-10 = 18."""
RECORDING = {"video": "0" * 64}
SURE, DOUBTFUL = 0.99, 0.6


def in_recording(log: Log, clause: str, record: Record, p: float) -> str:
    log.change(record, p=p)
    return row(log.judge(**RECORDING), clause)


@pytest.mark.parametrize(("p", "verdict"), [(SURE, "violation"), (DOUBTFUL, "undetermined")])
def test_a_signal_that_was_perhaps_misread_11_4(p: float, verdict: str) -> None:
    log = hand_out(CARDS, STAKES)
    signal = log.change(log.one("hand_signal", at="space:4"), meaning="hit").one("hand_signal", at="space:4")
    assert in_recording(log, "ND-08-11.4-hand-signal-bypass", signal, p) == verdict


@pytest.mark.parametrize(("p", "verdict"), [(SURE, "violation"), (DOUBTFUL, "undetermined")])
def test_a_look_that_was_perhaps_the_reader_10_3(p: float, verdict: str) -> None:
    log = hand_out("Th Jd As 9c 7h 8d", STAKES, dealing_method="hole_card_reader")
    check = log.one("hole_card_check")
    log.change(check, how="peek")
    assert in_recording(log, "ND-08-10.3.a-reader-timing", check, p) == verdict


@pytest.mark.parametrize(("p", "verdict"), [(SURE, "violation"), (DOUBTFUL, "undetermined")])
def test_chips_that_perhaps_went_to_the_tray_before_the_payoff_11_13(p: float, verdict: str) -> None:
    log = hand_out(CARDS, STAKES)
    tray = log.one("chips_to_tray")
    log.move_after(tray, log.one("payoff_placed"))
    assert in_recording(log, "ND-08-11.13-tray-before-pay", tray, p) == verdict


@pytest.mark.parametrize(("p", "verdict"), [(SURE, "violation"), (DOUBTFUL, "undetermined")])
def test_buy_in_chips_that_a_left_hand_perhaps_took_07_3_b(p: float, verdict: str) -> None:
    log = opening(Log())
    log.add("currency_spread", bills={"2000": 1}, cents=2000, face_down=False)
    taken = log.add("chips_from_tray", cents=2000, origin="buy_in", hand="left")
    log.add("chips_fanned", owner="buy_in", at="inner", cents=2000, chips={"500": 4}, set_sizes=[4])
    log.add("chips_pushed", at="space:2", cents=2000, reason="buy_in")
    play_on(log, CARDS, STAKES)
    assert in_recording(log, "ND-08-07.3.b-stack-right-hand", taken, p) == verdict


@pytest.mark.parametrize(("p", "verdict"), [(SURE, "pass"), (0.3, "undetermined"), (None, "violation")])
def test_a_burn_of_a_card_at_a_space_without_wager_12_3(p: float | None, verdict: str) -> None:
    log = hand_out(CARDS, STAKES)
    dealt = log.all("card_dealt")
    stray = log.insert_after(dealt[1], "card_dealt", card="5c", to="space:5", face="up", seq=90)
    if p is not None:
        own = {"card": "5c", "face_shown": True, "reason": "inactive_space"}
        log.change(log.insert_after(dealt[4], "card_burned", **own), p=p)
    assert stray in log.records
    assert row(log.judge(**RECORDING), "ND-08-12.3-inactive-space-card") == verdict


def test_a_fifth_king_that_may_be_a_queen_02_3() -> None:
    log = opening(Log(deck_count=4))
    for suits in ("dscd", "cdhs", "hcdc", "shsh", "dscd"):
        play_on(log, "Ks J{0} 8{1} 9{2} 7{3} T{3}".format(*suits), STAKES)
    assert "ND-08-02.3-deck-count" in named(log.judge())
    last = log.all("card_dealt", card="Ks")[-1]
    log.change(last, ranks={"K": 0.55, "Q": 0.45})
    report = log.judge()
    assert "ND-08-02.3-deck-count" not in named(report)
    assert row(report, "ND-08-02.3-deck-count") == "undetermined"


@pytest.mark.parametrize(("ace", "verdict"), [(0.45, "undetermined"), (0.1, "not_applicable")])
def test_a_hit_on_split_cards_that_may_be_aces_09_2_c(ace: float, verdict: str) -> None:
    log = hand_out("4h 7d 4s Td 8h 6c Tc 9s", {2: 1000}, "split hit stand stand")
    for card in log.all("card_dealt", to="space:2")[:2]:
        log.change(card, ranks={"4": 1.0 - ace, "A": ace})
    assert row(log.judge(), "ND-08-09.2.c-split-aces-one") == verdict
    assert not [f for f in findings(log.judge(), "violation") if "split-aces" in f.clause]
