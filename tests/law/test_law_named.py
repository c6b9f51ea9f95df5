"""Clauses about single acts of play, each named with what keeps it and what breaks it: 99-01.3-08-01 to 12."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from law_build import Log, findings, hand_out, play_on, row
from reports import Keep

TEN = 1000
READER: dict[str, Any] = {"dealing_method": "hole_card_reader"}
NO_HOLE: dict[str, Any] = {"dealing_method": "no_hole_card"}


def one(cards: str = "Th 7d 9s Tc", decisions: str = "", wager: Any = TEN, **house: Any) -> Log:
    return hand_out(cards, {2: wager}, decisions, **house)


def two(cards: str = "Th Td Kd 6s 5c Tc", decisions: str = "", **house: Any) -> Log:
    return hand_out(cards, {2: TEN, 4: 500}, decisions, **house)


def changed(log: Log, event: str, /, with_: dict[str, Any] | None = None, **own: Any) -> Log:
    return log.change(log.one(event, **own), **(with_ or {}))


def dropped(log: Log, event: str, **own: Any) -> Log:
    return log.drop(*log.all(event, **own))


def split(**own: Any) -> Log:
    """Space 2 splits eights: 8-10 and 8-9, dealer 17."""
    return one("8h 7d 8s Tc Td 9d", "split stand stand", **own)


def split_aces() -> Log:
    return one("Ah 7d As Tc Kd 9d", "split")


def tip_double(placed: bool = True, **house: Any) -> Log:
    """A double with its tip doubled too."""
    log = one("6h 7d 5s Tc 9d", "double", wager=(TEN, 200), **{"tip_double_down": "equal", **house})
    if placed and not log.all("wager_placed", kind="tip_double"):
        log.insert_after(
            log.one("wager_placed", kind="double"), "wager_placed", kind="tip_double", at="space:2", cents=200
        )
    return log


def view(region: str, seen: bool) -> Log:
    log = one()
    log.add("view_check", regions_ok={region: seen})
    return log


def gaps(found: Any) -> Log:
    log = one()
    log.change(log.add("recording_segment", recorder_id="A", clock_gaps=found), t_start=0.0)
    return log


def closed(tray: str) -> Log:
    log = one()
    log.add("table_state", state="closed_day", dealer_present=False, tray=tray, cards_covered=True, shoe_covered=True)
    return log


def away(**own: Any) -> Log:
    log = one()
    safe = {"tray": "covered", "cards_covered": True, "shoe_covered": True}
    log.add("table_state", state="temp_closed", dealer_present=False, **{**safe, **own})
    return log


def transfer(way: str, form: bool = True) -> Log:
    log = one()
    log.add("tray_transfer", direction=way, cents=10000)
    if form:
        log.add("currency_dropped", what="form")
    return log


def new_cards(*acts: str) -> Log:
    log = Log()
    log.add("dealer_shift", phase="start")
    for act in acts:
        log.add("cards_inspected", action=act)
    log.shoe = 1
    log.add("shuffle", 60.0, method="hand", scope="all")
    log.add("cut", by="player", depth_cards=100)
    log.add("card_burned", card="??", face_shown=False)
    play_on(log, "Th 7d 9s Tc", {2: TEN})
    return log


def buy_in(without: str | None = None, **bills: Any) -> Log:
    log = one()
    steps: list[tuple[str, dict[str, Any]]] = [
        (
            "currency_spread",
            {"bills": {"2000": 2}, "cents": 4000, "face_down": True, "monotone": True, "perpendicular": True, **bills},
        ),
        ("hands_clear", {"region": "inner", "duration": 1.0}),
        ("chips_from_tray", {"cents": 4000, "hand": "right"}),
        ("chips_fanned", {"owner": "buy_in", "at": "inner", "cents": 4000, "hand": "right"}),
        ("hands_clear", {"region": "inner", "duration": 1.0}),
        ("chips_pushed", {"at": "space:2", "cents": 4000, "reason": "buy_in"}),
        ("currency_dropped", {"what": "currency", "cents": 4000}),
    ]
    for index, (event, own) in enumerate(steps):
        if f"{event}{index}" != without:
            log.add(event, **own)
    play_on(log, "Th 7d 9s Tc", {2: TEN})
    return log


def chip_exchange(without: int | None = None, **own: Any) -> Log:
    log = one()
    steps: list[tuple[str, dict[str, Any]]] = [
        ("chips_received", {"at": "space:2", "cents": 2500}),
        ("chips_fanned", {"owner": "exchange_in", "at": "inner", "cents": 2500, "hand": "left"}),
        ("hands_clear", {"region": "inner", "duration": 1.0}),
        ("chips_from_tray", {"cents": 2500, "hand": "right"}),
        ("chips_fanned", {"owner": "exchange_out", "at": "inner", "cents": 2500, "hand": "right"}),
        ("hands_clear", {"region": "inner", "duration": 1.0}),
        ("chips_pushed", {"at": "space:2", "cents": 2500, "reason": "exchange"}),
        ("chips_to_tray", {"cents": 2500, "origin": "exchange"}),
    ]
    for index, (event, fields) in enumerate(steps):
        if index != without:
            log.add(event, **fields, **own)
    play_on(log, "Th 7d 9s Tc", {2: TEN})
    return log


def insured(up: str = "Ad", hole: str = "7c", decisions: str = "insurance", **house: Any) -> Log:
    return one(f"Th {up} 9s {hole}", decisions, **house)


def two_insured() -> Log:
    return two("Th Td Ad 9s 8c 7c", "insurance insurance")


def swapped(log: Log, event: str, **own: Any) -> Log:
    """Exchanges the places of the first two such records."""
    first, second = log.all(event, **own)[:2]
    first["at"], second["at"] = second["at"], first["at"]
    first["cents"], second["cents"] = second["cents"], first["cents"]
    return log


def held_busts() -> Log:
    """Two doubled hands bust against a ten; the dealer has 17."""
    return hand_out("Th 6d Td Js 6c 7c Kh Qh", {2: TEN, 4: 500}, "double double")


def one_card_left() -> Log:
    """A pair is split; one hand is over 21, the other got no second card, and the dealer draws."""
    log = one("8h 7d 8s 6c Td Kh 9d 5s", "split hit stand")
    return log.drop(log.one("card_dealt", card="9d"), log.one("hand_signal", at="space:2/1"))


def by_hand(option: str) -> Log:
    """Two held busts, the first's cards taken up before the other's chips."""
    log = hand_out("Th 6d Td Js 6c 7c Kh Qh", {2: TEN, 4: 500}, "double double", sweep_or_hand_by_hand=option)
    at = log.all("chips_collected")[0]["at"]
    return log.move_after(log.one("cards_collected", **{"from": at}), log.all("chips_collected", at=at)[-1])


def two_naturals(up: str) -> Log:
    return hand_out(f"Ah As {up} Kd Qd 7c", {2: TEN, 4: 500}, "decline decline")


def angled(log: Log, angle: float) -> Log:
    for record in log.all("card_dealt")[-2:]:
        log.change(record, angle=angle)
    return log


def even_money(**paid: Any) -> Log:
    log = hand_out("Ah Td Ad Ks 9c 7c", {2: (TEN, 200), 4: 500}, "even_money")
    return log.change(log.one("payoff_placed"), **paid)


def early(cents: int) -> Log:
    """A natural against a ten is paid before the hole card is turned."""
    log = two_naturals("Td")
    taken, paid = log.all("chips_from_tray")[-1], log.all("payoff_placed", at="space:2")[0]
    log.change(paid, cents=cents)
    log.move_after(taken, log.all("card_dealt")[-1])
    return log.move_after(paid, taken)


def insured_with_tip(bet: int) -> Log:
    log = one("Th Ad 9s Kc", "insurance", wager=(TEN, 200))
    return log.change(log.one("wager_placed", kind="insurance"), cents=bet)


def tip_to(hand: int) -> Log:
    log = split(wager=(TEN, 200))
    target = "space:2" + (f"/{hand}" if hand else "")
    log.insert_after(
        log.one("cards_moved"), "wager_moved", **{"kind": "tip", "from": "space:2", "to": target, "hand": "left"}
    )
    return log


def overdrawn(*drawn: str) -> Log:
    """The dealer has a soft 18 and draws."""
    log = one("Th 7d 9s Ac", hit_soft_17=True)
    last = log.one("card_revealed")
    for card in drawn:
        last = log.insert_after(last, "card_dealt", card=card, to="dealer", face="up", seq=None)
    return log


def all_bust(draw: bool) -> Log:
    log = one("Th Td 6s 7c Kh", "hit")
    if draw:
        log.insert_after(log.all("chips_collected")[-1], "card_revealed", card="7c", at="dealer", how="turned")
        log.insert_after(log.all("card_revealed")[-1], "card_dealt", card="5c", to="dealer", face="up", seq=None)
    return log


def rack(chips: dict[str, int]) -> Log:
    log = one(wager=2500)
    log.change(log.one("payoff_placed"), rack_sets=[20], chips=chips)
    return log


def only_one_card(paid: bool) -> Log:
    """Space 4 got one card, which was burned; its wager stays."""
    log = hand_out("Th 7d 9s Tc", {2: TEN})
    log.insert_after(log.all("wager_placed")[-1], "wager_placed", kind="original", at="space:4", cents=500)
    if paid:
        log.insert_after(
            log.one("card_revealed"), "chips_collected", kind="original", at="space:4", cents=500, to="tray"
        )
    return log


def one_card(paid: bool) -> Log:
    log = only_one_card(paid)
    first = log.all("card_dealt")[0]
    card = log.insert_after(first, "card_dealt", card="4h", to="space:4", face="up", seq=None)
    log.insert_after(card, "card_burned", card="4h", face_shown=True, reason="one card")
    return log


def face_up(burned: bool) -> Log:
    log = two()
    seen = log.insert_after(log.one("round_started"), "card_revealed", card="9c", at="shoe", how="shoe_mouth")
    if burned:
        log.insert_after(seen, "card_burned", card="9c", face_shown=True, reason="face up")
    return log


def unanswered() -> Log:
    log = one("5h 7d 4s Tc", "")
    stand = log.one("hand_signal", meaning="stand")
    return log.change(stand, meaning="hit")


def late_dealer_card() -> Log:
    log = two()
    return log.move_after(log.one("card_dealt", to="dealer"), log.all("card_dealt")[4])


def tips_after(fan: str) -> Log:
    """Tips are fanned with each hand by the option, here in another way."""
    log = one(wager=(TEN, 200), tips_fanned_after=fan == "after")
    log.house["tips_fanned_after"] = False
    return log


CASES: list[tuple[str, str, Callable[[], Log]]] = [
    ("01.2-max-seven-players", "pass", one),
    ("03.4-chips-safeguarded", "pass", lambda: closed("covered")),
    ("03.4-chips-safeguarded", "violation", lambda: closed("open")),
    ("07.1-unattended-cards", "pass", lambda: away(cards_covered=True)),
    ("07.1-unattended-cards", "violation", lambda: away(cards_covered=False)),
    ("04.1.a-real-time", "pass", lambda: gaps([])),
("04.1.c-view-shoe-face", "pass", lambda: view("shoe_face", True)),
    ("04.1.c-view-discard", "pass", lambda: view("discard", True)),
    ("04.1.c-view-discard", "violation", lambda: view("discard", False)),
    ("04.1.c-view-plunger", "pass", lambda: view("plunger", True)),
    ("04.1.c-view-plunger", "violation", lambda: view("plunger", False)),
    ("04.1.c-view-table-number", "pass", lambda: view("table_number", True)),
    ("04.1.c-view-table-number", "violation", lambda: view("table_number", False)),
    ("05.4-credit-original", "pass", lambda: transfer("credit")),
    ("05.4-credit-original", "undetermined", lambda: transfer("credit", form=False)),
    ("05.6-dealer-verifies-fill", "pass", lambda: transfer("fill")),
    ("07.1-spread-face-up", "not_assessed", lambda: new_cards("inspect", "spread", "review")),
    ("07.1-spread-face-up", "violation", lambda: new_cards("inspect")),
    ("07.1-shuffle-after-review", "pass", lambda: new_cards("inspect", "spread", "review")),
    ("07.3.b-bills-in-sequence", "violation", lambda: buy_in(monotone=False)),
    ("07.3.b-bills-inner-area", "violation", lambda: buy_in(perpendicular=False)),
    ("07.3.b-hands-clear-chips", "violation", lambda: buy_in(without="hands_clear4")),
    ("07.3.c-exchange-hands-clear-in", "pass", chip_exchange),
    ("07.3.c-exchange-hands-clear-in", "violation", lambda: chip_exchange(without=2)),
    ("07.3.c-exchange-hands-clear-out", "violation", lambda: chip_exchange(without=5)),
    ("07.3.c-exchange-in-left", "pass", chip_exchange),
    ("09.2.c-four-hands", "pass", lambda: split(wager=500)),
    ("09.2.d-tip-double-permitted", "violation", lambda: tip_double(tip_double_down="not_permitted")),
    ("10.1.b-order", "violation", lambda: (g := two("Th Td 7d 9s 9c Tc", **NO_HOLE)).move_after(
        g.all("card_dealt")[0], g.all("card_dealt")[1])),
    ("10.1.c-order", "pass", lambda: two("Th Td 7d 9s 9c Tc", **READER)),
    ("10.2-right-hand-place", "pass", lambda: hand_out("Th Td Jd 7s 9c 9d 9h Tc", {3: TEN, 4: 500, 5: 500})),
    ("10.3.a-reader-natural-collect", "pass", lambda: one("Th Kd 9s Ac", **READER)),
    ("10.3.b-reader-no-natural", "pass", lambda: insured(**READER)),
    ("11.10-draw-second", "pass", lambda: one("Th 7d 9s Tc", **NO_HOLE)),
    ("11.10-reveal-hole", "pass", one),
    ("11.10.a-insurance-right-to-left", "pass", two_insured),
    ("11.10.a-insurance-right-to-left", "violation",
     lambda: swapped(two_insured(), "chips_collected", kind="insurance")),
    ("11.10.a-one-hand-sweep", "pass", two_insured),
    ("11.10.a-one-hand-sweep", "violation",
     lambda: changed(two_insured(), "chips_collected", {"hand": "both"}, kind="insurance")),
    ("11.10.b-naturals-next", "pass", lambda: two_naturals("Td")),
    ("11.10.b-naturals-next", "violation", lambda: swapped(two_naturals("Td"), "payoff_placed")),
    ("11.10.a-naturals-next", "pass", lambda: two_naturals("Ad")),
    ("11.10.a-naturals-next", "violation", lambda: swapped(two_naturals("Ad"), "payoff_placed")),
    ("11.13-lose-tip", "pass", lambda: one("Th 7d 6s Tc", wager=(TEN, 200))),
    ("11.13-repeat-order", "pass", two),
    ("11.16.b-tip-right-hand", "pass", lambda: one(wager=(TEN, 200))),
    ("11.16.b-tip-hands-away", "pass", lambda: one(wager=(TEN, 200))),
    ("11.17-reconstructable", "pass", lambda: two("Th Td 7d 9s 9c Tc")),
    ("11.2-no-remove-chip", "violation", lambda: (g := one(), g.insert_after(
        g.all("card_dealt")[1], "wager_changed", kind="original", at="space:2", cents_before=1000, cents_after=500,
        by="player"))[0]),
    ("11.3.a-split-separately", "pass", split),
    ("11.3.a-split-ace-card-angle", "pass", lambda: angled(split_aces(), 90)),
    ("11.3.a-split-ace-card-angle", "violation", lambda: angled(split_aces(), 0)),
    ("11.7-bust-lowcard-collect", "pass", lambda: one("6h 7d 6s Tc Td", "double")),
    ("11.8-bust-tip-lost", "pass", lambda: one("6h Td 6s 7c Kd", "double", wager=(TEN, 200))),
    ("09.2.b-even-money-pay", "pass", even_money),
    ("09.2.b-even-money-tip-push", "pass", even_money),
    ("09.2.b-even-money-cards", "pass", even_money),
    ("09.2.b-even-money-cards", "violation",
     lambda: (g := even_money()).move_after(g.one("cards_collected", **{"from": "space:2"}), g.one("card_revealed"))),
    ("11.11-natural-not-early", "violation", lambda: early(1500)),
    ("09.2.b-no-tip-insurance", "violation", lambda: insured_with_tip(600)),
    ("09.2.b-no-tip-insurance", "pass", lambda: insured_with_tip(500)),
    ("10.3.a-reader-natural-pay", "pass", lambda: insured(hole="Kc", **READER)),
    ("11.10.b-busted-collect", "pass", held_busts),
    ("11.10.b-busted-collect", "violation", lambda: swapped(held_busts(), "chips_collected", kind="original")),
    ("11.10.b-busted-collect", "pass", lambda: by_hand("hand_by_hand")),
    ("11.10.b-busted-collect", "violation", lambda: by_hand("sweep")),
    ("11.10.a-busted-collect", "pass", lambda: hand_out("Th 6d Ad Js 6c 7c Kh Qh", {2: TEN, 4: 500}, "double double")),
    ("11.10.a-hand-by-hand-option", "violation", lambda: changed(
        insured(sweep_or_hand_by_hand="hand_by_hand"), "chips_collected", {"hand": "left"}, kind="insurance")),
    ("11.3.a-tip-to-leftmost", "pass", lambda: tip_to(0)),
    ("11.3.a-tip-to-leftmost", "violation", lambda: tip_to(1)),
    ("11.10.g-soft18-21", "violation", lambda: overdrawn("2c")),
    ("11.9-all-bust-end-low", "not_applicable", one_card_left),
    ("11.9-all-bust-end-high", "violation", lambda: all_bust(draw=True)),
    ("11.16.a-rack-20", "pass", lambda: rack({"100": 25})),
    ("11.16.a-rack-20", "violation", lambda: rack({"500": 5})),
    ("11.16.a-repeat", "pass", lambda: two("Th Td 7d 9s 9c Tc")),
    ("11.16-option-consistent", "violation", lambda: tips_after("after")),
    ("11.16-option-consistent", "pass", lambda: tips_after("each")),
    ("12.2-one-card-option", "pass", lambda: one_card(paid=False)),
    ("12.2-one-card-option", "violation", lambda: one_card(paid=True)),
    ("12.1-faceup-in-shoe", "violation", lambda: face_up(burned=False)),
    ("08.2-load-facedown", "violation", lambda: face_up(burned=False)),
    ("12.2-no-cards-inactive", "pass", lambda: only_one_card(paid=False)),
    ("12.2-no-cards-inactive", "violation", lambda: only_one_card(paid=True)),
    ("12.15-missed-hit", "violation", unanswered),
    ("12.4-missed-dealer-card", "pass", late_dealer_card),
]  # fmt: skip


@pytest.mark.parametrize(("clause", "verdict", "log"), CASES, ids=[f"{c[0]}-{c[1]}-{i}" for i, c in enumerate(CASES)])
def test_clause(clause: str, verdict: str, log: Callable[[], Log], keep: Keep) -> None:
    report = log().judge()
    keep(report)
    said = [(f.clause, f.also, f.observed) for f in report.findings]
    if verdict == "violation":
        assert any(f"ND-08-{clause}" in (f.clause, *f.also) for f in findings(report)), said
    else:
        assert row(report, f"ND-08-{clause}") == verdict, said
    if verdict == "pass":
        assert not report.findings, said


def test_cards_taken_up_of_a_hand_that_may_be_a_bust_make_no_stake_late() -> None:
    log = by_hand("hand_by_hand")
    at = log.all("chips_collected")[0]["at"]
    log.change(log.all("card_dealt", to=at)[-1], card="??", occluded=True, ranks=None)
    assert "ND-08-11.10.b-busted-collect" not in {
        finding.clause for finding in log.judge().findings if finding.verdict == "violation"
    }


def test_a_held_hand_whose_chips_went_too_soon_makes_no_other_late() -> None:
    log = hand_out("Th 6d Td Js 6c 7c Kh Qh", {2: TEN, 4: 500}, "double double", sweep_or_hand_by_hand="hand_by_hand")
    for record in log.all("chips_collected", at="space:4"):
        log.move_after(record, log.all("cards_moved")[-1])
    report = log.judge()
    assert row(report, "ND-08-11.10.b-busted-collect") == "pass"
    assert row(report, "ND-08-11.8-bust-hold-chips") == "violation"
