"""The Washington proposals: each clause kept, broken, left open, at its boundary and with its option off."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from law_build import findings, named, row, words
from reports import Keep, hold, hold_titles, numbered
from test_law_manual import collected, dealt, payoff, record, swap, uncollected, with_record, without
from washington_build import Washington

from verifier.domain.findings import FindingsReport
from verifier.law.assessed import NO_CHECK, reason_without_check
from verifier.law.catalogue import clauses
from verifier.law.registry import REASONS, checked_clauses

Change = Callable[[Any], Any]
PLAIN = "Th Tc 9d 9s 8c 9h"
STIFF = "Th Tc 9d 9s 8c 5h 6d"
BUST = "Th Tc 6d 6s 8c Kh Kd 5d"
BOTH_HIT = {"space:1": "hit", "space:3": "hit"}


def table(cards: str, choices: dict[str, str] | None = None, version: str = "a", **more: Any) -> Washington:
    """One round with given cards: a wager of 10.00 at space 1 and one of 5.00 at space 3."""
    round_options = {name: more.pop(name) for name in ("stakes", "insured", "peek") if name in more}
    return Washington(version, **more).play(cards, choices=choices or {}, **round_options)


def seats(count: int = 3) -> dict[str, Any]:
    return {"seats": [f"seat:{n}" for n in range(1, count + 1)]}


def two_deals(version: str = "a", between: Change = lambda game: None, **more: Any) -> Washington:
    """A hand of seat 2 and, after the deal has passed, one of seat 4 (or of who is next)."""
    game = Washington(version, **more).play(PLAIN, choices={})
    between(game)
    return game.pass_on(**{k: v for k, v in more.items() if k == "bank"}).play(PLAIN, choices={})


@pytest.mark.parametrize("seed", range(30))
def test_lawful_rounds_are_not_accused(seed: int) -> None:
    game = Washington(
        "ab"[seed % 2],
        seed=seed,
        full=seed % 3 != 0,
        bank=(3000, 8000, 50000)[seed % 3],
        hit_soft_17=[True, False, None][seed % 3],
        wa_resplit=seed % 5 != 0,
        insurance_allowed=seed % 4 != 0,
    )
    for _ in range(5):
        game.play(stakes=dict.fromkeys(range(1, 3 + seed % 3), (500, 1000, 2500)[seed % 3]))
        if game.out or game.bank == 0 or game.short:
            game.pass_on(5000)
    report = game.judge()
    assert not findings(report), list(words(report))


UNUSUAL: dict[str, Washington] = {
    "a frozen natural is made up from a losing wager": table("Ah Tc 9d Ks 8c 9h", bank=1500, stakes={1: 1000, 3: 500}),
    "a natural with a short bank gets what is covered": table("Ah Tc 9d Ks 9c 9h", bank=1500),
    "frozen naturals are made up in order": table(
        "Ah Ac Tc 9d Ks Qc 8c 9h", bank=3500, stakes={1: 1000, 2: 1000, 3: 1500}
    ),
    "an insured natural is lost under A": table("Ah Tc Ad Ks 8c Kh", insured=(1,), peek=True),
    "an insured natural is saved under B": table("Ah Tc Ad Ks 8c Kh", version="b", insured=(1,)),
    "no look with a ten up under A": table("Th Tc Kd 9s 8c 9h", peek=False),
    "a natural of the dealer found at the end": table("Th 5c Kd 9s 8c Ah Td", {"space:3": "hit"}, peek=False),
    "a double for the rest of the bank": table("5h Tc 9d 6s 8c 9h 2d", {"space:1": "double"}, bank=1900),
    "a split with a short bank": table("8h Tc 6d 8s 9c Th 3c Kd 9s", {"space:1": "split"}, bank=2100),
    "an uncovered wager goes back": table(PLAIN, bank=1000),
    "the last wager covered in part": table(PLAIN, bank=1300),
    "multi-card soft seventeen stands": table("Th Tc Ad 9s 8c 2h 4d", hit_soft_17=True),
    "ace and six are hit by option": table("Th Tc Ad 9s 8c 6h 4d", hit_soft_17=True),
    "a natural after a split": table("Ah Tc 6d As 9c Th Kd 4c 9s", {"space:1": "split stand"}),
    "the bank is added to between hands": two_deals(
        between=lambda g: g.log.add("bank_changed", action="added", cents=30000)
    ),
    "the left neighbour declines": Washington()
    .play(PLAIN, choices={})
    .pass_on(skip=["seat:4"])
    .play(PLAIN, stakes={2: 500}, choices={}),
    "who deals passes after a hand and plays the next": two_deals("b"),
    "two players only": table(PLAIN, stakes={1: 500}, **seats(2)),
}


@pytest.mark.parametrize("name", UNUSUAL)
def test_what_is_unusual_but_lawful(name: str, keep: Keep) -> None:
    report = UNUSUAL[name].judge()
    keep(report)
    assert not findings(report), list(words(report))


def house(**options: Any) -> Change:
    return lambda game: game.log.house.update(options)


def second_hand(game: Washington) -> Washington:
    return game.play(PLAIN, choices={})


def every(game: Washington, event: str, **own: Any) -> None:
    for found in game.log.all(event):
        found.update(own)


def dealer_after(game: Washington, round_: int, seat: str) -> None:
    for found in game.log.records:
        if found["round"] == round_:
            found["dealer"] = seat


VIOLATIONS: list[tuple[str, Washington, Change]] = [
    ("0-game-type", table(PLAIN), with_record("cut", "record_entry", type="approval", fields={"room_class": "B"})),
    ("1-time-fee", table(PLAIN), with_record("cut", "record_entry", type="other", fields={"fee_basis": "per hand"})),
    ("2-decks-A", table(PLAIN), house(deck_count=8)),
    ("2-decks-A", table("Th Th Th 9s 8c 9h"), lambda g: None),
    ("2-decks-B", table(PLAIN, version="b"), house(deck_count=3)),
    ("2-decks-B", table("Th Th Th 9s 8c 9h", version="b"), lambda g: None),
    ("2-values", table("Th Tc 9d 9s 8c 9h", stakes={1: 1000, 3: 500}),
     lambda g: (payoff("space:1", None)(g), collected("space:1", 1000)(g), collected("space:3", 500)(g))),
    ("2-shoe", table(PLAIN), dealt(2, source_place="elsewhere")),
    ("2-player-is-dealer-banker", table(PLAIN), lambda g: every(g, "card_dealt", dealer="D1")),
    ("3-first-dealer-cut", table(PLAIN), lambda g: g.log.drop(*[c for c in g.log.all("cut") if c["t_end"] < 10])),
    ("3-min-bank-500", table(PLAIN), house(wa_min_bank=60000)),
    ("4-first-wager-left", table(PLAIN), lambda g: (
        swap(record("wager_placed", 0), record("wager_placed", 1))(g),
        swap(record("wager_covered", 0), record("wager_covered", 1))(g))),
    ("4-match-wager", table(PLAIN), swap(record("wager_placed", 1), record("wager_covered", 0))),
    ("4-match-wager", table(PLAIN), lambda g: g.log.change(g.log.all("wager_covered")[0], cents=500)),
    ("4-match-wager", table(PLAIN), lambda g: g.log.change(g.log.all("wager_covered")[0], cents=1500)),
    ("4-max-25", table(PLAIN, stakes={1: 3000, 3: 500}), lambda g: None),
    ("4-max-25", table(PLAIN), house(table_limits={"min": 100, "max": 500})),
    ("4-only-covered-dealt", table(PLAIN), without("wager_covered", at="space:3")),
    ("5-deal-order", table(PLAIN), swap(record("card_dealt", 0), record("card_dealt", 1))),
    ("5-deal-order", table(PLAIN), dealt(2, face="down", card="??")),
    ("5-multi-hand", table(PLAIN, stakes={1: 500, 2: 500}, **seats(2)), lambda g: None),
    ("5-natural-pays-1.5", table("Ah Tc 9d Ks 8c 9h"), payoff("space:1", 1000)),
    ("5-natural-pays-1.5", table("Ah Tc 9d Ks 8c 9h"), payoff("space:1", None)),
    ("5-tie-recover", table("Th Tc Td 9s 8c 9h", peek=False), collected("space:1", 1000)),
    ("5-tie-recover", table("Th Tc Td 9s 8c 9h", peek=False), payoff("space:1", 1000)),
    ("15-peek-may-A", table(PLAIN), with_record("card_dealt", "hole_card_check", how="peek")),
    ("6-peek-shall-B", table("Th 5c Kd 9s 8c 9h 4d", {"space:3": "hit"}, version="b"), without("hole_card_check")),
    ("6-peek-shall-B", table("Th 5c 9d 9s 8c 9h 4d", {"space:3": "hit"}, version="b"),
     lambda g: g.log.insert_after(g.log.all("card_dealt")[5], "hole_card_check", how="peek")),
    ("6-dealer-natural-collect", table("Th Tc Kd 9s 8c Ah", peek=True), uncollected("space:1")),
    ("6-pay-naturals-from-left", table("Ah Ac 9d Ks Kc 9h"),
     swap(record("payoff_placed", 0), record("payoff_placed", 1))),
    ("6-freeze-short-bank", table("Ah Tc 9d Ks 8c 9h", bank=1500),
     lambda g: (g.log.drop(*g.log.all("payoff_placed", at="space:1"), g.log.all("wager_covered")[-1]),
                g.log.insert_after(g.log.all("card_dealt")[5], "payoff_placed", kind="original", at="space:1",
                                   cents=1000))),
    ("7-play-left", table("5h 4c 9d 6s 8c 9h 5d 6d", BOTH_HIT), swap(record("card_dealt", 6), record("card_dealt", 7))),
    ("7-hits-faceup", table("5h 4c 9d 6s 8c 9h 5d 6d", BOTH_HIT), dealt(6, face="down")),
    ("7-bust-turn-down", table(BUST, {"space:1": "hit"}), without("cards_moved")),
    ("7-bust-turn-down", table("Th 4c 6d 6s 8c Kh Kd 5d Td", BOTH_HIT),
     lambda g: g.log.move_after(g.log.one("chips_collected", at="space:1"), g.log.all("card_dealt")[7])),
    ("7-dealer-bust-pays", table("Th Tc 9d 9s 8c 5h Kd"), payoff("space:3", None)),
    ("7-compare-totals", table(PLAIN), payoff("space:1", None)),
    ("7-compare-totals", table("Th Tc 9d 8s 8c Th"), uncollected("space:3")),
    ("7-frozen-made-up-left", table("Ah Ac Tc 9d Ks Qc 8c 9h", bank=3500, stakes={1: 1000, 2: 1000, 3: 1500}),
     lambda g: (swap(record("payoff_placed", 0), record("payoff_placed", 1))(g),
                swap(record("wager_covered", 3), record("wager_covered", 4))(g))),
    ("8-cannot-cover-pass", second_hand(table("Ah Tc 9d Ks 9c 9h", bank=1500)), lambda g: None),
    ("8-cannot-cover-pass", two_deals(), lambda g: g.log.drop(g.log.all("shuffle")[1])),
    ("8-bank-topup", table(PLAIN), with_record("card_dealt", "bank_changed", action="added", cents=90000)),
    ("8-bank-topup", second_hand(table(PLAIN)), lambda g: (
        g.log.house.update(wa_bank_topup=False),
        g.log.insert_after(g.log.all("round_ended")[0], "bank_changed", action="added", cents=90000, round=None))),
    ("9-right-cuts", table(PLAIN), lambda g: g.log.change(g.log.all("cut")[-1], by="seat:4")),
    ("9-right-cuts", table(PLAIN), lambda g: g.log.drop(g.log.all("cut")[-1])),
    ("9-blank-card", table(PLAIN), lambda g: g.log.change(g.log.one("indicator_card"), cards_remaining=60)),
    ("9-blank-card", second_hand(table(PLAIN)),
     lambda g: g.log.insert_after(g.log.all("card_dealt")[3], "indicator_card", action="appeared")),
    ("9-offer-next-dealer", Washington().play(PLAIN, choices={}).pass_on(skip=["seat:4"]).play(PLAIN, choices={}),
     without("player_presence")),
    ("12-bank-passes-left", Washington().play(PLAIN, choices={}).pass_on(skip=["seat:4"]).play(PLAIN, choices={}),
     without("player_presence")),
    ("9-discards-reshuffle", second_hand(table(PLAIN)),
     lambda g: g.log.insert_after(g.log.all("round_ended")[0], "shuffle", method="hand", scope="discards",
                                  round=None)),
    ("10-no-touch-wagers", table(PLAIN), with_record("card_dealt", "touch", by="player", object="wager", at="space:1",
                                                     displaced=False)),
    ("10-no-touch-wagers", table(PLAIN), with_record("card_dealt", "wager_changed", kind="original", at="space:1",
                                                     cents_before=1000, cents_after=1500)),
    ("11-no-lifting-cards", table(PLAIN), with_record("card_dealt", "touch", by="player", object="card", at="space:1",
                                                      displaced=True)),
    ("12-one-shoe", two_deals(), lambda g: dealer_after(g, 2, "seat:2")),
    ("13-new-player-wait-B", two_deals("b"),
     lambda g: g.log.insert_after(g.log.all("round_started")[0], "player_presence", phase="arrive", at=["seat:4"])),
    ("13-passer-sits-out-B", Washington("b").play(PLAIN, choices={}).pass_on(skip=["seat:4"]).play(
        PLAIN, stakes={2: 500, 4: 1000}, choices={}),
     lambda g: g.log.change(g.log.all("wager_placed")[-1], by="seat:4")),
    ("13-stand-17", table("Th Tc 9d 9s 8c 8h"),
     lambda g: g.log.insert_after(g.log.all("card_revealed")[0], "card_dealt", card="2h", to="dealer", face="up",
                                  seq=7)),
    ("13-stand-17", table("Th Tc 9d 9s 8c 5h 3d"), without("card_dealt", seq=7)),
    ("13-soft-17", table("Th Tc Ad 9s 8c 6h 4d", hit_soft_17=True), without("card_dealt", seq=7)),
    ("13-soft-17", table("Th Tc Ad 9s 8c 6h 4d", hit_soft_17=True), house(hit_soft_17=False)),
    ("13-soft-17", table("Th Tc Ad 9s 8c 2h 4d", hit_soft_17=True),
     lambda g: g.log.insert_after(g.log.all("card_dealt")[6], "card_dealt", card="2h", to="dealer", face="up", seq=8)),
    ("13-rules-posted", table(PLAIN), with_record("cut", "record_entry", type="disclosure", fields={"posted": False})),
    ("14-double-one-card", table("5h Tc 6d 3s 9c Th 2d 5c", {"space:1": "double"}),
     lambda g: g.log.insert_after(g.log.all("card_dealt")[6], "card_dealt", card="4h", to="space:1", face="up",
                                  seq=99)),
    ("14-double-one-card", table("5h Tc 6d 3s 9c Th 2d 5c", {"space:1": "double"}), house(wa_double_allowed=False)),
    ("14-double-short-bank", table("5h Tc 9d 6s 8c 9h 2d", {"space:1": "double"}, bank=1900),
     lambda g: g.log.change(g.log.one("wager_placed", kind="double"), cents=1000)),
    ("14-double-short-bank", table("5h Tc 9d 6s 8c 9h 2d", {"space:1": "double"}),
     lambda g: g.log.drop(g.log.all("wager_covered")[-1])),
    ("16-insurance-A", table("Th Tc Ad 9s 8c Kh", insured=(1,), peek=True), payoff("space:1", 500, "insurance")),
    ("16-insurance-A", table("Th Tc Ad 9s 8c Kh", insured=(1,), peek=True), uncollected("space:1")),
    ("16-insurance-A", table("Th Tc Ad 9s 8c 7h", insured=(1,), peek=True), uncollected("space:1", "insurance")),
    ("16-insurance-A", table("Th Tc Ad 9s 8c 7h", insured=(1,), peek=True), house(insurance_allowed=False)),
    ("7-insurance-B", table("Ah Tc Ad Ks 8c Kh", version="b", insured=(1,)), collected("space:1", 1000)),
    ("7-insurance-B", table("Th Tc Ad 9s 8c Kh", version="b", insured=(1,)),
     lambda g: g.log.change(g.log.one("wager_placed", kind="insurance"), cents=1000)),
    ("7-insurance-before-peek", table("Th Tc Ad 9s 8c 7h", version="b", insured=(1,)),
     swap(record("hole_card_check"), record("wager_placed", 2))),
    ("17-split-pair", table("8h Tc 6d 9s 9c Th 3c Kd 9s", {"space:1": "split"}), lambda g: None),
    ("17-split-pair", table("8h Tc 6d 8s 9c Th 3c Kd 9s", {"space:1": "split"}),
     lambda g: (g.log.change(g.log.one("wager_placed", kind="split"), cents=500),
                g.log.change(g.log.all("wager_covered")[-1], cents=500))),
    ("17-split-pair", table("8h Tc 6d 8s 9c Th 8c Kd 9s 5h 4c", {"space:1": "split split"}), house(wa_resplit=False)),
    ("17-split-short-bank", table("8h Tc 6d 8s 9c Th 3c Kd 9s", {"space:1": "split"}, bank=2100),
     lambda g: (g.log.drop(*g.log.all("wager_changed")),
                g.log.change(g.log.one("wager_placed", kind="split"), cents=1000))),
    ("18-value-only", table("5h Tc 9d 4s 8c 9h 7d 5d", {"space:1": "hit hit"}), payoff("space:1", 1500)),
]  # fmt: skip
OF_SITE = ("game-type", "time-fee", "rules-posted", "min-bank", "decks", "first-dealer-cut", "right-cuts", "blank-card")


@cache
def _plain(version: str, channels: tuple[str, ...]) -> FindingsReport:
    """The report of a plain lawful round."""
    return table(PLAIN, version=version).judge(channels=list(channels))


def _id(value: object) -> str:
    return value if isinstance(value, str) else ""


@pytest.mark.parametrize(("clause", "game", "change", "number"), numbered(VIOLATIONS), ids=_id)
def test_what_breaks_a_clause(clause: str, game: Washington, change: Change, number: int) -> None:
    change(game)
    report = game.judge(channels=["video", "records"])
    hold("washington", f"violations {clause} {number}", report, _plain(game.version, ("video", "records")))
    assert f"WA-125.{clause}" in named(report), list(words(report))
    if clause != "15-peek-may-A":  # how long the look comes before the dealer's turn decides
        assert f"WA-125.{clause}" in named(game.judge_touching(channels=["video", "records"]))
    own = [f for f in findings(report) if f"WA-125.{clause}" in (f.clause, *f.also)]
    last = max(f.round or 0 for f in own)
    assert last == game.number or any(part in clause for part in OF_SITE), [f.round for f in own]


OPEN: list[tuple[str, Washington, Change]] = [
    ("16-insurance-A", table("Ah Tc Ad Ks 8c Kh", insured=(1,), peek=True), uncollected("space:1")),
    ("16-insurance-A", table("Ah Tc Ad Ks 8c Kh", insured=(1,), peek=True), lambda g: None),
    ("7-compare-totals", table(PLAIN), lambda g: g.log.change(g.log.all("card_revealed")[0], card="??")),
    ("4-match-wager", table(PLAIN), lambda g: (without("bank_changed")(g),
                                               g.log.change(g.log.all("wager_covered")[1], cents=300))),
    ("17-split-pair", table("Kh Tc 6d Qs 9c Th 3c Kd 9s", {"space:1": "split"}), lambda g: None),
    ("8-bank-topup", second_hand(table(PLAIN)), lambda g: (
        g.log.house.pop("wa_bank_topup"),
        g.log.insert_after(g.log.all("round_ended")[0], "bank_changed", action="added", cents=90000, round=None))),
    ("11-no-lifting-cards", table(PLAIN), with_record("card_dealt", "touch", by="player", object="card", at="space:1",
                                                      displaced=None)),
    ("4-max-25", table("Th Tc 9d 6s 8c 9h", stakes={1: 2000, 3: 500}), lambda g: (
        g.log.change(g.log.all("wager_placed")[0], lower_bound=True),
        g.log.change(g.log.one("chips_collected", at="space:1"), cents=None))),
    ("9-right-cuts", table(PLAIN), lambda g: g.log.change(g.log.all("cut")[-1], by=None)),
    ("6-peek-shall-B", table(PLAIN, version="b"), lambda g: g.log.change(
        g.log.one("card_dealt", card="9d"), card="??", ranks={"9": 0.5, "T": 0.5}, p=0.9)),
]  # fmt: skip


@pytest.mark.parametrize(("clause", "game", "change", "number"), numbered(OPEN), ids=_id)
def test_what_cannot_be_told_is_left_open(clause: str, game: Washington, change: Change, number: int) -> None:
    change(game)
    report = game.judge()
    hold("washington", f"open {clause} {number}", report, _plain(game.version, ("video",)))
    assert f"WA-125.{clause}" in named(report, "undetermined"), list(words(report))
    assert f"WA-125.{clause}" not in named(report)


def test_each_kept_report_is_of_a_row() -> None:
    rows = {"violations": VIOLATIONS, "open": OPEN}
    hold_titles("washington", [f"{kind} {row[0]} {row[-1]}" for kind, table in rows.items() for row in numbered(table)])


def looked(version: str, up: str, *words_after: str, how: str = "peek") -> Washington:
    """Space 1 draws, then the down card is looked at, and then these words are spoken."""
    game = table(f"5h Tc {up} 6s 9d Th 9c", {"space:1": "hit"}, version)
    last = game.log.insert_after(game.log.all("card_dealt")[6], "hole_card_check", how=how)
    for word in words_after:
        last = game.log.insert_after(last, "announcement", topic="other", text=word, source="audio")
    return game


LOOKS: list[tuple[str, Washington, str]] = [
    ("15-peek-may-A", looked("a", "6d", "stand"), "violation"),
    ("15-peek-may-A", looked("a", "6d"), "undetermined"),
    ("15-peek-may-A", looked("a", "Kd", "stand"), "pass"),
    ("6-peek-shall-B", looked("b", "6d", "stand"), "violation"),
    ("15-peek-may-A", looked("a", "6d", "stand", how="reader"), "undetermined"),
    ("15-peek-may-A", looked("a", "Kd", "stand", how="reader"), "pass"),
    ("6-peek-shall-B", looked("b", "6d", "stand", how="reader"), "undetermined"),
]


@pytest.mark.parametrize(("clause", "game", "verdict"), LOOKS)
def test_a_look_before_the_turn_to_draw(clause: str, game: Washington, verdict: str, keep: Keep) -> None:
    report = game.judge(channels=["video", "audio"])
    assert row(report, f"WA-125.{clause}") == verdict
    keep(report)


def newcomer(deals_after: int, arrives: str = "amid") -> Washington:
    """A player comes to the seat that deals after so many others; the first of them deals when the player comes."""
    game = Washington("b", seats=[f"seat:{n}" for n in range(1, 6)]).opening()
    seat = game.clockwise()[deals_after - 1]
    if arrives == "amid":
        game.play(PLAIN, choices={})
    game.log.add("player_presence", phase="arrive", at=[seat], round=None)
    game.play(PLAIN, choices={})
    for _ in range(deals_after):
        game.pass_on().play(PLAIN, choices={})
    return game


PASSED: list[tuple[str, Washington, Change]] = [
    ("nobody deals after the pass", Washington("b").play(PLAIN, choices={}),
     lambda g: g.log.add("player_presence", phase="pass_deal", at=["seat:4"])),
    ("nobody ever dealt", Washington("b").opening(),
     lambda g: g.log.add("player_presence", phase="pass_deal", at=["seat:4"])),
    ("the dealer passes after a hand and plays on", Washington("b").play(PLAIN, choices={}),
     lambda g: (g.log.add("player_presence", phase="pass_deal", at=[g.log.dealer]),
                g.pass_on().play(PLAIN, choices={}).play(PLAIN, choices={}))),
    ("another passes and comes back with the third hand", Washington("b").play(PLAIN, choices={}),
     lambda g: (g.pass_on(skip=["seat:4"]).play(PLAIN, choices={}, stakes={1: 1000}).play(PLAIN, choices={}),
                g.play(PLAIN))),
    ("a double that is covered in full", table("5h Tc 9d 6s 8c 9h 2d", {"space:1": "double"}), lambda g: None),
    ("a double that is covered in part", table("5h Tc 9d 6s 8c 9h 2d", {"space:1": "double"}),
     lambda g: g.log.change(g.log.all("wager_covered")[-1], cents=900)),
    ("a double that nobody covers", table("5h Tc 9d 6s 8c 9h 2d", {"space:1": "double"}),
     lambda g: g.log.drop(g.log.all("wager_covered")[-1])),
    ("a double in a stack that may hide chips", table("5h Tc 9d 6s 8c 9h 2d", {"space:1": "double"}),
     lambda g: g.log.change(g.log.one("wager_placed", kind="double"), lower_bound=True)),
    ("a double of one cent more", table("5h Tc 9d 6s 8c 9h 2d", {"space:1": "double"}),
     lambda g: g.log.change(g.log.one("wager_placed", kind="double"), cents=1001)),
]  # fmt: skip


@pytest.mark.parametrize(("name", "game", "change"), PASSED, ids=[row[0] for row in PASSED])
def test_passes_and_doubles(name: str, game: Washington, change: Change, keep: Keep) -> None:
    change(game)
    keep(game.judge())


NEWCOMERS = [(newcomer(1), "violation"), (newcomer(1, "first"), "violation"), (newcomer(2), "undetermined"),
             (newcomer(3), "pass")]  # fmt: skip


@pytest.mark.parametrize(("game", "verdict"), NEWCOMERS)
def test_a_newcomer_waits_for_two_others(game: Washington, verdict: str, keep: Keep) -> None:
    report = game.judge()
    keep(report)
    assert row(report, "WA-125.13-new-player-wait-B") == verdict, list(words(report))
    assert len(findings(report)) == (verdict == "violation"), "one incident is told once"


def test_the_bank_is_announced_or_the_transcript_tells_that_it_was_not() -> None:
    game = table(PLAIN)
    without("bank_changed")(game)
    assert row(game.judge(), "WA-125.3-announce-bank") == "not_assessed"
    game.log.insert_after(game.log.all("card_dealt")[-1], "announcement", topic="total", text="19")
    assert "WA-125.3-announce-bank" in named(game.judge(channels=["video", "audio"]))


def test_a_peek_that_is_free_under_a_is_due_under_b() -> None:
    game = table("Th Tc Kd 9s 8c 9h", peek=False)
    assert not findings(game.judge())
    game.version = "b"
    assert "WA-125.6-peek-shall-B" in named(game.judge())


def test_what_a_reading_of_pixels_never_tells_is_not_held_against_the_dealer() -> None:
    game = table(BUST, {"space:1": "hit"}, version="b")
    without("wager_covered")(game)
    without("cards_moved")(game)
    without("hole_card_check")(game)
    every(game, "card_dealt", dealer="D1")
    assert findings(game.judge())
    assert not findings(game.judge(video="0" * 64))


@pytest.mark.parametrize(("kept", "verdict"), [(True, "pass"), (False, "violation"), (None, "not_assessed")])
@pytest.mark.parametrize("version", ["a", "b"])
def test_that_nobody_bought_the_bank_is_attested(version: str, kept: bool | None, verdict: str) -> None:
    """12-no-buying-bank: no event tells it."""
    day = "2026-11-02"
    game = table(PLAIN, version=version)
    signed = {"signed_by": "Lee", "signed_on": day}
    fields = {"clause": "WA-125.12-no-buying-bank", "from": day, "to": day, "fulfilled": kept, **signed}
    game.log.add("record_entry", type="attestation", fields=fields, source="manual")
    assert row(game.judge(date=day), "WA-125.12-no-buying-bank") == verdict


@pytest.mark.parametrize("version", ["a", "b"])
def test_every_clause_is_checked_or_says_why_not(version: str) -> None:
    rulebook = f"wa-blackjack-{version}"
    checked, rows = checked_clauses(rulebook), clauses(rulebook)
    own = {clause.id for clause in rows}
    reasons = {c.id: reason_without_check(c, ("video", "audio", "records")) for c in rows if c.id not in checked}
    assert NO_CHECK not in reasons.values()
    assert set(reasons.values()) <= {*REASONS.values()}
    assert len(checked & own) == {"a": 48, "b": 50}[version]


def test_every_checked_clause_of_the_proposals_stands_in_a_test() -> None:
    text = Path(__file__).read_text()
    both = checked_clauses("wa-blackjack-a") | checked_clauses("wa-blackjack-b")
    assert not [clause for clause in both if clause.removeprefix("WA-125.") not in text]


@pytest.mark.parametrize("version", ["a", "b"])
def test_a_tie_lost_to_a_miscounted_hand_is_one_finding(version: str) -> None:
    game = table("Th Tc Td 9s 8c 9h", version=version, peek=False)
    collected("space:1", 1000)(game)
    found = game.judge().findings
    assert [(one.clause, one.at) for one in found] == [("WA-125.2-values", "dealer")]
    assert "WA-125.5-tie-recover" in found[0].also


def test_a_tie_lost_by_the_only_hand_compared_is_told_of_that_hand() -> None:
    game = table("Th Td 9s 9h", stakes={1: 1000}, peek=False)
    collected("space:1", 1000)(game)
    assert [(one.clause, one.at) for one in game.judge().findings] == [("WA-125.5-tie-recover", "space:1")]
