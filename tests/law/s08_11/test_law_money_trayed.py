"""Where money goes: collected chips to the tray, exchanged ones back, tips each with its payoff, named by clause."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from law_build import Log, Record, hand_out, named, play_on, row
from reports import Keep

from verifier.law.assessed import UNCOUNTED

TRAY = "ND-08-11.13-tray-before-pay"
ORDER = "ND-08-07.3.c-exchange-order"
BACK = "ND-08-11.18.b-tray-then-receptacle"
RECORDING = "0" * 64


def lost_tip(**trayed: Any) -> Log:
    """Space 2 loses 10.00 and a tip of 2.00."""
    log = hand_out("Th 6d 7s Td 5c", {2: (1000, 200)})
    return log.change(log.one("chips_to_tray"), **trayed) if trayed else log


def tip_kept() -> Log:
    """The wager is trayed, then the tip is collected and is not."""
    log = lost_tip(cents=1000)
    return log.move_after(log.one("chips_collected", kind="tip"), log.one("chips_to_tray"))


def bust(**own: Any) -> Log:
    """Space 2 busts with 10.00 and a tip of 1.00, space 4 has 19 and beats the dealer's 17."""
    log = hand_out("Th Td Kd 5s 9c 7h Kc", {2: (1000, 100), 4: 500}, "hit")
    taken = log.all("chips_to_tray")[0]
    if "cents" in own and own["cents"] == 0:
        return log.drop(taken)
    return log.change(taken, **own)


def made_up_later() -> Log:
    """The bust's stake is trayed, its tip only after the next player has stood."""
    log = bust(cents=1000)
    late = log.insert_after(log.one("hand_signal", at="space:4", meaning="stand"), "chips_to_tray", cents=100)
    late["t_end"] = late["t_start"] + 0.02
    return log


def held_bust(option: str, early: bool) -> Log:
    """A doubled hand busts against a ten and is held; its cards are discarded before its chips are trayed."""
    log = hand_out("Th Ts Kd 5d 9s 7h Kc", {2: 1000, 4: 500}, "double", sweep_or_hand_by_hand=option)
    cards, tray = log.one("cards_collected", **{"from": "space:2"}), log.one("chips_to_tray")
    if early:
        taken = log.all("chips_collected", at="space:2")[-1]
        log.move_after(cards, taken)
        log.move_after(tray, cards)
    return log


def held_moved(moved: bool) -> Log:
    log = held_bust("sweep", early=False)
    return log if moved else log.drop(*log.all("wager_moved"))


def natural(early: bool) -> Log:
    """Space 2 has a natural against an ace, space 4 has 18; the dealer draws to 18."""
    log = hand_out("Ah 9h As Kd 9d 4h 3c", {2: 1000, 4: 500})
    cards = log.one("cards_collected", **{"from": "space:2"})
    return log if early else log.move_after(cards, log.one("cards_collected", **{"from": "space:4"}))


def fan(sizes: list[int], **counts: int) -> Log:
    """A winning wager of 19.00 fanned in sets."""
    log = hand_out("Th 8d 9s 9c", {2: 1900})
    return log.change(log.one("chips_fanned", owner="wager"), set_sizes=sizes, chips=counts or {"500": 3, "100": 4})


def two_tips(pooled: bool, **own: Any) -> Log:
    """Spaces 2 and 6 win; their tips of 1.00 and 2.00 get a payoff each, or one together."""
    log = hand_out("Th Qh 6d 9d 9s Td 2c", {2: (1000, 100), 6: (500, 200)})
    if pooled:
        first, second = log.all("payoff_placed", kind="tip")
        log.change(first, cents=300, chips=None, **own)
        log.drop(second, log.one("chips_fanned", owner="tip_payoff", at=second["at"]))
    return log


def exchange(trayed: int | None = 2500, pushed: bool = True) -> Log:
    """A chip of 25.00 is exchanged, then a round is played."""
    log = hand_out("Th 8d 9s 9c", {2: 1000})
    log.add("chips_received", at="space:2", cents=2500, round=None)
    log.add("chips_fanned", owner="exchange_in", at="inner", cents=2500)
    log.add("hands_clear", region="inner", duration=0.7)
    log.add("chips_from_tray", cents=2500)
    log.add("chips_fanned", owner="exchange_out", at="inner", cents=2500)
    log.add("hands_clear", region="inner", duration=0.7)
    if pushed:
        log.add("chips_pushed", at="space:2", cents=2500, reason="exchange")
    log.add("chips_to_tray", cents=trayed)
    play_on(log, "Th 8d 9s 9c", {2: 1000})
    return log


def tips_exchanged(put_back: str, goes_on: bool = True) -> Log:
    log = hand_out("Th 8d 9s 9c", {2: 1000})
    steps = ("emptied", "placed_left", "fanned_in", "taken", "placed_right", "fanned_out")
    for step in steps:
        log.add("tip_exchange", step=step, cents=500)
    log.add("hands_clear", region="inner", duration=0.7)
    log.add("tip_exchange", step="to_tray", cents=500)
    if put_back == "step":
        log.add("tip_exchange", step="to_receptacle", cents=500)
    elif put_back == "deposit":
        log.add("tip_deposited", cents=500)
    shown = dict.fromkeys(("left_palm", "left_back", "right_palm", "right_back", "fingers_extended"), True)
    log.add("hands_shown", duration=1.0, **shown)
    if goes_on:
        play_on(log, "Th 8d 9s 9c", {2: 1000})
    return log


def two_wins() -> Log:
    return hand_out("Th Qh 6d 9d 9s Td 2c", {2: 1000, 6: 500})


def next_taken_early() -> Log:
    """Chips for space 2 leave the tray before the payoff of space 6 is fanned."""
    log = two_wins()
    paid, taken = log.one("payoff_placed", at="space:6"), log.all("chips_from_tray")[1]
    log.move_after(taken, paid)
    return log


def cleared_early() -> Log:
    """The hands leave the payoff and fan it only then."""
    log = hand_out("Th 8d 9s 9c", {2: 1000})
    clear = log.one("hands_clear")
    log.move_after(clear, log.one("payoff_placed"))
    return log.move_after(log.one("chips_fanned", owner="payoff"), clear)


def collected(**own: Any) -> Log:
    log = lost_tip()
    for record in log.all("chips_collected"):
        log.change(record, **own)
    return log


def tip_moved(hand: str | None) -> Log:
    log = hand_out("Th 8d 9s 9c", {2: (1000, 200)})
    return log.change(log.one("wager_moved"), hand=hand)


def away(**own: Any) -> Log:
    log = lost_tip()
    covered = {"tray": "covered", "cards_covered": True, "shoe_covered": True}
    log.add("table_state", state="temp_closed", dealer_present=False, **{**covered, **own})
    return log


def racked(cents: int, counts: dict[str, int] | None) -> Log:
    log = hand_out("Th 8d 9s 9c", {2: cents})
    return log.change(log.one("payoff_placed"), chips=counts, rack_sets=1)


Case = tuple[str, str, Callable[[], Log]]
CASES: list[Case] = [
    (TRAY, "pass", lost_tip),
    (TRAY, "violation", lambda: lost_tip(cents=1000)),
    (TRAY, "undetermined", lambda: lost_tip(cents=None)),
    ("ND-08-11.13-lose-tip", "pass", lost_tip),
    ("ND-08-11.13-lose-tip", "violation", tip_kept),
    ("ND-08-11.13-lose-tip", "violation", lambda: lost_tip(cents=1000)),
    ("ND-08-11.13-lose-tip", "pass", lambda: lost_tip(cents=200)),
    ("ND-08-11.13-lose-tip", "pass", lambda: lost_tip(cents=None)),
    ("ND-08-09.2.a-tip-lose", "violation", tip_kept),
    ("ND-08-11.6-bust-collect-now", "pass", lambda: bust(cents=1100)),
    ("ND-08-11.6-bust-collect-now", "pass", lambda: bust(cents=None)),
    ("ND-08-11.6-bust-collect-now", "violation", lambda: bust(cents=0)),
    ("ND-08-11.6-bust-collect-now", "violation", lambda: bust(cents=1000)),
    ("ND-08-11.6-bust-collect-now", "violation", made_up_later),
    ("ND-08-11.10.b-busted-collect", "pass", lambda: held_bust("sweep", early=False)),
    ("ND-08-11.10.b-busted-collect", "violation", lambda: held_bust("sweep", early=True)),
    ("ND-08-11.10.b-busted-collect", "pass", lambda: held_bust("hand_by_hand", early=True)),
    ("ND-08-11.8-bust-hold-chips", "pass", lambda: held_moved(True)),
    ("ND-08-11.8-bust-hold-chips", "undetermined", lambda: held_moved(False)),
    ("ND-08-11.10.a-naturals-next", "pass", lambda: natural(early=True)),
    ("ND-08-11.10.a-naturals-next", "violation", lambda: natural(early=False)),
    ("ND-08-11.16.a-sets-of-five", "pass", lambda: fan([3, 4])),
    ("ND-08-11.16.a-sets-of-five", "pass", lambda: fan([5, 5, 4], **{"500": 5, "100": 9})),
    ("ND-08-11.16.a-sets-of-five", "violation", lambda: fan([5, 2])),
    ("ND-08-11.16.a-sets-of-five", "violation", lambda: fan([5, 5, 4], **{"500": 7, "100": 7})),
    ("ND-08-11.16.a-sets-of-five", "undetermined", lambda: fan([4, 4])),
    ("ND-08-11.16.b-tip-beside-fan", "pass", lambda: two_tips(pooled=False)),
    ("ND-08-11.16.b-tip-beside-fan", "violation", lambda: two_tips(pooled=True)),
    ("ND-08-11.16.b-tip-beside-fan", "violation", lambda: two_tips(pooled=True, at="inner")),
    (ORDER, "pass", exchange),
    (ORDER, "violation", lambda: exchange(trayed=2000)),
    (ORDER, "undetermined", lambda: exchange(trayed=None)),
    (ORDER, "violation", lambda: exchange(pushed=False)),
    (BACK, "pass", lambda: tips_exchanged("step")),
    (BACK, "pass", lambda: tips_exchanged("deposit")),
    (BACK, "violation", lambda: tips_exchanged("")),
    (BACK, "undetermined", lambda: tips_exchanged("", goes_on=False)),
    ("ND-08-11.16-hand-by-hand", "pass", two_wins),
    ("ND-08-11.16-hand-by-hand", "violation", next_taken_early),
    ("ND-08-11.16.a-hands-away", "violation", cleared_early),
    ("ND-08-11.13-sweep-one-hand", "pass", lambda: collected(hand="left")),
    ("ND-08-11.13-sweep-one-hand", "violation", lambda: collected(hand="both")),
    ("ND-08-11.13-sweep-one-hand", "undetermined", lambda: collected(hand=None)),
    ("ND-08-11.16.a-tip-reposition", "pass", lambda: tip_moved("left")),
    ("ND-08-11.16.a-tip-reposition", "undetermined", lambda: tip_moved(None)),
    ("ND-08-03.4-unattended-tray", "pass", away),
    ("ND-08-03.4-unattended-tray", "violation", lambda: away(tray="open")),
    ("ND-08-03.4-unattended-tray", "undetermined", lambda: away(tray=None)),
    ("ND-08-07.2-unattended-shoe", "undetermined", lambda: away(shoe_covered=None)),
    ("ND-08-11.16.a-rack-20", "pass", lambda: racked(2500, {"100": 25})),
    ("ND-08-11.16.a-rack-20", "violation", lambda: racked(1000, None)),
    ("ND-08-11.16.a-rack-20", "undetermined", lambda: racked(2100, None)),
]


@pytest.mark.parametrize(("clause", "verdict", "make"), CASES, ids=[f"{c[0]}-{c[1]}-{i}" for i, c in enumerate(CASES)])
def test_clause(clause: str, verdict: str, make: Callable[[], Log], keep: Keep) -> None:
    report = make().judge()
    keep(report)
    assert row(report, clause) == verdict, named(report, "violation") | named(report, "undetermined")


UNSEEN: list[tuple[str, str, Callable[[], Log]]] = [
    (TRAY, "pass", lambda: lost_tip(cents=None)),
    ("ND-08-11.16.a-sets-of-five", "undetermined", lambda: fan([5, 2])),
    ("ND-08-11.8-bust-hold-chips", "pass", lambda: held_moved(False)),
    (ORDER, "not_applicable", lambda: exchange(pushed=False)),
    ("ND-08-11.13-sweep-one-hand", "not_assessed", lambda: collected(hand=None)),
    ("ND-08-03.4-unattended-tray", "not_assessed", lambda: away(tray=None)),
]


@pytest.mark.parametrize(("clause", "verdict", "make"), UNSEEN, ids=[c[0] for c in UNSEEN])
def test_in_a_recording_what_nobody_could_see_is_not_asked(clause: str, verdict: str, make: Callable[[], Log]) -> None:
    assert row(make().judge(video=RECORDING), clause) == verdict


def test_a_clause_that_arose_and_was_not_seen_says_so() -> None:
    (told,) = [
        one for one in collected(hand=None).judge(video=RECORDING).clauses if one.clause == "ND-08-11.13-sweep-one-hand"
    ]
    assert told.why == UNCOUNTED


def findings_of(log: Log) -> list[Record]:
    return [{"clause": f.clause, "also": f.also} for f in log.judge().findings]


def test_tips_paid_together_are_one_finding() -> None:
    log = two_tips(pooled=True)
    assert [f["clause"] for f in findings_of(log)] == ["ND-08-11.16.b-tip-beside-fan"]


@pytest.mark.parametrize("make", [lambda: bust(cents=0), lambda: bust(cents=1000), tip_kept])
def test_chips_that_never_reach_the_tray_are_one_finding(make: Callable[[], Log]) -> None:
    assert [f["clause"] for f in findings_of(make())] == [TRAY]
