"""The dealer manual: each clause kept, broken, left open, at its boundary and with its option off."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from law_build import findings, named, row, words
from manual_build import Manual
from reports import hold, hold_titles, numbered

from verifier.domain.findings import FindingsReport
from verifier.law.assessed import NO_CHECK, PERMISSION, reason_without_check
from verifier.law.catalogue import clauses
from verifier.law.registry import REASONS, checked_clauses

Change = Callable[[Manual], Any]


def table(cards: str, choices: dict[str, str] | None = None, **house: Any) -> Manual:
    """One round with given cards: a wager of 10.00 at space 2 and one of 5.00 at space 4."""
    insured = house.pop("insured", ())
    stakes = house.pop("stakes", None)
    return Manual(**house).play(cards, stakes, choices or {}, insured)


@pytest.mark.parametrize("seed", range(25))
def test_lawful_rounds_are_not_accused(seed: int) -> None:
    house: dict[str, Any] = {
        "hit_soft_17": [True, False, None][seed % 3],
        "surrender_allowed": seed % 2 == 0,
        "push_rule": ["standard", "simple21_vs_bj_push"][seed % 2],
        "blackjack_payoff": ["3:2", "6:5"][seed // 2 % 2],
        "burn_cards": [None, 1, 3][seed % 3],
        "double_allowed": seed % 5 != 0,
        "split_allowed": seed % 7 != 0,
    }
    game = Manual(full=seed % 4 != 0, seed=seed, **house)
    for _ in range(4):
        game.play(stakes=dict.fromkeys(range(1 + seed % 3, 6), 500))
    report = game.judge()
    assert not report.findings, list(words(report))


UNUSUAL: dict[str, Manual] = {
    "any soft seventeen is hit": table("Th Tc Ad 9s 8c 2h 4d 5s", {}),
    "soft seventeen is stood on by option": table("Th Tc Ad 9s 8c 6h", {}, hit_soft_17=False),
    "blackjack against an ace waits": table("Ah Tc Ad Ks 8c 6h 9d", {}),
    "blackjack pays six to five": table("Ah Tc 5d Ks 8c Th 9d", {}, blackjack_payoff="6:5"),
    "surrendered hand": table("Th Tc 9d 6s 8c 9h", {"space:2": "surrender"}),
    "surrender to a ten with blackjack": table("Th Tc Kd 6s 8c Ah", {"space:2": "surrender"}),
    "surrender does not stand against an ace blackjack": table("Th Tc Ad 6s 8c Kh", {"space:2": "surrender"}),
    "simple 21 ties with a blackjack": table(
        "7h Tc Kd 7s 8c Ah 7d", {"space:2": "hit"}, push_rule="simple21_vs_bj_push"
    ),
    "simple 21 loses to a blackjack": table("7h Tc Kd 7s 8c Ah 7d", {"space:2": "hit"}),
    "no card when all are over": table("Th Tc 6d 6s 6c 9h Kd Kh", {"space:2": "hit", "space:4": "hit"}),
    "split aces get one card each": table("Ah Tc 6d As 8c 9h Kd 9c 5d", {"space:2": "split"}),
    "split twenty": table("Kh Tc 6d Ts 8c 9h Kd 9c 6h", {"space:2": "split"}),
    "insured blackjack": table("Ah Tc Ad Ks 8c Kh", {}, insured=(2,)),
    "doubled split hand": table("8h Tc 6d 8s 9c Th 3c Kd 9s 5c", {"space:2": "split double"}),
    "one split in multiple action": table(
        "8h Tc 6d 8s 9c Th 8c 9s 5c", {"space:2": "split"}, multiple_action=True, surrender_allowed=False
    ),
    "left-handed table": table("Th Tc 9d 9s 8c 9h"),
}
for _record in UNUSUAL["left-handed table"].log.all("card_dealt"):
    _record.update(from_hand="right", placed_hand="left")


@pytest.mark.parametrize("name", UNUSUAL)
def test_what_is_unusual_but_lawful(name: str) -> None:
    report = UNUSUAL[name].judge()
    assert not findings(report), list(words(report))


def last_act(game: Manual) -> Any:
    """The last record before the round ends."""
    return game.log.records[game.log.records.index(game.log.all("round_ended")[-1]) - 1]


def payoff(at: str, cents: int | None, kind: str = "original") -> Change:
    """Pays another amount (None: nothing) at a place."""

    def change(game: Manual) -> None:
        found = game.log.all("payoff_placed", at=at, kind=kind)
        if cents is None:
            game.log.drop(*found)
        elif found:
            found[0]["cents"] = cents
        else:
            game.log.insert_after(last_act(game), "payoff_placed", kind=kind, at=at, cents=cents)

    return change


def uncollected(at: str, kind: str = "original") -> Change:
    return lambda game: game.log.drop(*game.log.all("chips_collected", at=at, kind=kind))


def collected(at: str, cents: int, kind: str = "original") -> Change:
    return lambda game: game.log.insert_after(
        last_act(game),
        "chips_collected",
        kind=kind,
        at=at,
        cents=cents,
        to="tray",
    )


def swap(first: Callable[[Manual], Any], second: Callable[[Manual], Any]) -> Change:
    """Swaps the times of two records."""

    def change(game: Manual) -> None:
        a, b = first(game), second(game)
        for key in ("t_start", "t_end"):
            a[key], b[key] = b[key], a[key]

    return change


def dealt(index: int, **own: Any) -> Change:
    return lambda game: game.log.change(game.log.all("card_dealt")[index], **own)


def record(event: str, index: int = 0, **own: Any) -> Callable[[Manual], Any]:
    return lambda game: game.log.all(event, **own)[index]


def without(event: str, **own: Any) -> Change:
    return lambda game: game.log.drop(*game.log.all(event, **own))


def with_record(after: str, event: str, **own: Any) -> Change:
    return lambda game: game.log.insert_after(game.log.all(after)[-1], event, **own)


PLAIN = "Th Tc 9d 9s 8c 9h"
SOFT = "Th Tc Ad 9s 8c 6h 5d"
STIFF = "Th Tc 9d 9s 8c 5h 6d"
BUSTS = "Th Tc 6d 6s 6c Kh Kd Kc 2d"
BOTH_HIT = {"space:2": "hit", "space:4": "hit"}
INSURED: dict[str, Any] = {"insured": (2,)}

VIOLATIONS: list[tuple[str, Manual, Change]] = [
    ("def.1-blackjack", table("Ah Tc 6d As 8c 9h Kd 9c 9d", {"space:2": "split"}), payoff("space:2", 1500)),
    ("def.2-double", table("5h Tc 6d 6s 9c Th Kd 5c", {"space:2": "double"}),
     lambda g: g.log.change(g.log.one("wager_placed", kind="double"), cents=500)),
    ("def.2-double", table("5h Tc 6d 2s 9c Th 4d 8h 5c", {"space:2": "hit double"}), lambda g: None),
    ("play.7-double-option", table("5h Tc 6d 6s 9c Th Kd 5c", {"space:2": "double"}, double_allowed=False),
     lambda g: None),
    ("def.4-insurance", table(PLAIN), with_record("card_revealed", "wager_placed", kind="insurance", at="space:2",
                                                  cents=500)),
    ("def.4-insurance", table("Th Tc Ad 9s 8c Kh", {}, **INSURED), payoff("space:2", None, "insurance")),
    ("def.4-insurance", table("Th Tc Ad 9s 8c 7h", {}, **INSURED), payoff("space:2", 1000, "insurance")),
    ("play.6-insurance-option", table("Th Tc Ad 9s 8c 7h", {}, insured=(2,)),
     lambda g: g.log.house.update(insurance_allowed=False)),
    ("def.5-push", table("7h Tc Kd 7s 8c Ah 7d", {"space:2": "hit"}), uncollected("space:2")),
    ("def.6-split", table("8h Tc 6d 9s 9c Th 8c 9s 5c", {"space:2": "split"}), lambda g: None),
    ("def.6-split", table("8h Tc 6d 8s 9c Th 8c 9s 5c", {"space:2": "split"}),
     lambda g: g.log.change(g.log.one("wager_placed", kind="split"), cents=500)),
    ("play.8-split-option", table("8h Tc 6d 8s 9c Th 8c 9s 5c", {"space:2": "split"}, split_allowed=False),
     lambda g: None),
    ("def.7-surrender-timing", table(PLAIN, {"space:2": "surrender"}),
     lambda g: (g.log.change(g.log.one("chips_collected", at="space:2"), cents=300),
                g.log.change(g.log.one("chips_returned"), cents=700))),
    ("def.7-surrender-timing", table("5h Tc 9d 4s 8c 9h 5d", {"space:2": "hit surrender"}), lambda g: None),
    ("def.7-no-surrender-bj", table("Th Tc Ad 9s 8c Kh"),
     lambda g: (uncollected("space:2")(g), collected("space:2", 500)(g),
                with_record("card_revealed", "chips_returned", kind="original", at="space:2", cents=500,
                            reason="surrender")(g))),
    ("play.5-surrender-option", table(PLAIN, {"space:2": "surrender"}, surrender_allowed=False), lambda g: None),
    ("play.5-surrender-option", table(PLAIN, {"space:2": "surrender"}, multiple_action=True), lambda g: None),
    ("shoe.1-on-table", table(PLAIN), with_record("cut", "view_check", regions_ok={"shoe_face": False})),
    ("shoe.2-load", table(PLAIN), without("cut")),
    ("shoe.2-load", table(PLAIN), swap(record("shuffle"), record("cut"))),
    ("shoe.3-burn", table(PLAIN), without("card_burned")),
    ("shoe.3-burn", table(PLAIN, burn_cards=2), lambda g: g.log.drop(g.log.all("card_burned")[0])),
    ("shoe.4-hand-nearest", table(PLAIN), dealt(0, from_hand="right")),
    ("shoe.4-hand-nearest", table(PLAIN), dealt(1, placed_hand="left")),
    ("shoe.4-clockwise", table(PLAIN), swap(record("card_dealt", 0), record("card_dealt", 1))),
    ("shoe.4-order", table(PLAIN), swap(record("card_dealt", 1), record("card_dealt", 2))),
    ("shoe.4-order", table(PLAIN), dealt(2, face="up", card="9d")),
    ("shoe.4-order", table(PLAIN), lambda g: g.log.move_after(g.log.all("card_revealed")[0],
                                                             g.log.all("hand_signal")[-1])),
    ("shoe.5-turns-left", table("5h 4c 9d 6s 8c 9h 5d 6d", BOTH_HIT), swap(record("card_dealt", 6),
                                                                           record("card_dealt", 7))),
    ("shoe.5-turns-left", table(PLAIN), without("hand_signal", at="space:2")),
    ("shoe.6-faceup", table("5h 4c 9d 6s 8c 9h 5d 6d", BOTH_HIT), dealt(6, face="down")),
    ("shoe.4-order", table("5h 4c 9d 6s 8c 9h 5d 6d", BOTH_HIT), dealt(3, face="down")),
    ("shoe.6-faceup", table("8h Tc 6d 8s 9c Th 9c 9s 5c", {"space:2": "split"}), dealt(6, face="down")),
    ("shoe.7-draw-under-21", table(BUSTS, BOTH_HIT),
     lambda g: g.log.insert_after(g.log.all("card_dealt")[6], "card_dealt", card="2h", to="space:2", face="up",
                                  seq=99)),
    ("shoe.7.a-no-draw-bj", table("5h 4c 9d 6s 8c 9h Td 6d", BOTH_HIT),
     lambda g: g.log.insert_after(g.log.all("card_dealt")[6], "card_dealt", card="2h", to="space:2", face="up",
                                  seq=99)),
    ("shoe.7.a-no-draw-bj", table("Ah 4c Td Ts 8c 9h"),
     lambda g: g.log.insert_after(g.log.all("card_revealed")[0], "card_dealt", card="2h", to="space:2", face="up",
                                  seq=99)),
    ("shoe.7.b-double-one", table("5h Tc 6d 3s 9c Th 2d 5c", {"space:2": "double"}),
     lambda g: g.log.insert_after(g.log.all("card_dealt")[6], "card_dealt", card="4h", to="space:2", face="up",
                                  seq=99)),
    ("shoe.7.c-aces-one", table("Ah Tc 6d As 8c 9h 2d 9c 9d", {"space:2": "split"}),
     lambda g: g.log.insert_after(g.log.all("card_dealt")[6], "card_dealt", card="4h", to="space:2", face="up",
                                  seq=99)),
    ("shoe.8-hole-last", table("5h 4c 9d 6s 8c 9h 5d 6d", BOTH_HIT),
     lambda g: g.log.move_after(g.log.all("card_revealed")[1], g.log.all("card_dealt")[6])),
    ("shoe.8-faceup", table(STIFF), dealt(6, face="down")),
    ("shoe.8.a-h17", table("Th Tc Ad 9s 8c 6h Ts"), without("card_dealt", seq=7)),
    ("shoe.8.a-h17", table("Th Tc Ad 9s 8c 2h 4h 4d"), without("card_dealt", seq=8)),
    ("shoe.8.a-h17", table("Th Tc 9d 9s 8c 8h"),
     lambda g: g.log.insert_after(g.log.all("card_revealed")[1], "card_dealt", card="2h", to="dealer", face="up",
                                  seq=7)),
    ("shoe.8.a-s17-option", table("Th Tc Ad 9s 8c 6h 3d"), lambda g: g.log.house.update(hit_soft_17=False)),
    ("shoe.8.b-no-effect", table(BUSTS, BOTH_HIT),
     lambda g: g.log.insert_after(g.log.all("cards_collected", **{"from": "space:4"})[0], "card_dealt", card="2h",
                                  to="dealer", face="up", seq=99)),
    ("shoe.9-right-ccw", table(PLAIN), swap(record("cards_collected", 0), record("cards_collected", 1))),
    ("shoe.9-reconstruct", table("8h Tc 6d 8s 9c Th 9c 9s 5c", {"space:2": "split"}),
     swap(record("cards_collected", 0), record("cards_collected", 1))),
    ("shoe.9-dealer-on-top", table(PLAIN), swap(record("cards_collected", 1), record("cards_collected", 2))),
    ("conduct.a-no-handling", table(PLAIN), with_record("card_revealed", "touch", by="player", object="card",
                                                        at="space:2", displaced=True)),
    ("conduct.a-no-handling", table(PLAIN), with_record("card_revealed", "touch", by="other", object="card",
                                                        at="space:2", displaced=True)),
    ("play.1-win", table(PLAIN), payoff("space:2", None)),
    ("play.1-win", table(PLAIN), payoff("space:2", 500)),
    ("play.1-win", table("Th Tc 9d 9s 8c 5h Kd"), payoff("space:4", None)),
    ("play.2-lose", table("Th Tc 9d 8s 8c Th"), payoff("space:2", 1000)),
    ("play.2-lose", table("Th Tc 9d 8s 8c Th"), uncollected("space:4")),
    ("play.2-lose", table("5h Tc Kd 6s 9c Ah Td", {"space:2": "double"}), uncollected("space:2", "double")),
    ("play.3-push", table("Th Tc Td 9s 8c 9h"), payoff("space:2", 1000)),
    ("play.3-push", table("Th Tc Td 9s 8c 9h"), collected("space:2", 1000)),
    ("play.3-push", table("7h Tc Kd 7s 8c Ah 7d", {"space:2": "hit"}),
     lambda g: g.log.house.update(push_rule="simple21_vs_bj_push")),
    ("play.4.a-bj-pay-low", table("Ah Tc 5d Ks 8c Th 9d"), payoff("space:2", 1000)),
    ("play.4.a-bj-pay-low", table("Ah Tc 5d Ks 8c Th 9d", blackjack_payoff="6:5"), payoff("space:2", 1500)),
    ("play.4.b-bj-hold", table("Ah Tc Td Ks 8c 9h"),
     lambda g: g.log.move_after(g.log.one("payoff_placed", at="space:2"), g.log.all("card_revealed")[0])),
    ("play.4.b-bj-resolve", table("Ah Tc Td Ks 8c 9h"), payoff("space:2", 1000)),
    ("play.4.b-bj-resolve", table("Ah Tc Td Ks 8c Ac"), payoff("space:2", 1500)),
    ("play.8-multi-action-split", table("8h Tc 6d 8s 9c Th 8c 9s 9h 9d 5c", {"space:2": "split split"},
                                        multiple_action=True, surrender_allowed=False), lambda g: None),
    ("play.3-push-posted", table(PLAIN), with_record("cut", "record_entry", type="disclosure",
                                                     fields={"push_rule": False})),
]  # fmt: skip


@cache
def _plain(channels: tuple[str, ...]) -> FindingsReport:
    """The report of a plain lawful round."""
    return table(PLAIN).judge(channels=list(channels))


def _id(value: object) -> str:
    return value if isinstance(value, str) else ""


@pytest.mark.parametrize(("clause", "game", "change", "number"), numbered(VIOLATIONS), ids=_id)
def test_what_breaks_a_clause(clause: str, game: Manual, change: Change, number: int) -> None:
    change(game)
    report = game.judge(channels=["video", "records"])
    hold("manual", f"violations {clause} {number}", report, _plain(("video", "records")))
    assert f"HM-{clause}" in named(report), list(words(report))
    assert f"HM-{clause}" in named(game.judge_touching(channels=["video", "records"]))
    own = [f for f in findings(report) if f"HM-{clause}" in (f.clause, *f.also)]
    of_site = any(part in clause for part in ("posted", "on-table", "load", "surrender-option"))
    assert {f.round for f in own} <= ({1, None} if of_site else {1})


OPEN: list[tuple[str, Manual, Change]] = [
    ("shoe.7-draw-under-21", table("Ah 4c 9d 6s 8c 9h 4d 6d", BOTH_HIT),
     lambda g: g.log.insert_after(g.log.all("card_dealt")[6], "card_dealt", card="2h", to="space:2", face="up",
                                  seq=99)),
    ("play.1-win", table(PLAIN), lambda g: g.log.change(g.log.all("card_revealed")[1], card="??")),
    ("shoe.4-hand-nearest", table(PLAIN), dealt(0, from_hand="unknown")),
    ("play.5-surrender-option", table(PLAIN, {"space:2": "surrender"}, surrender_allowed=None), lambda g: None),
    ("shoe.3-burn", table(PLAIN), lambda g: g.log.change(g.log.one("card_burned"), face_shown=True, card="2h")),
    ("shoe.8.a-h17", table("Th Tc 9d 9s 8c 8h"),
     lambda g: g.log.change(g.log.insert_after(g.log.all("card_revealed")[1], "card_dealt", card="2h", to="dealer",
                                               face="up", seq=7), p=0.3)),
]  # fmt: skip


@pytest.mark.parametrize(("clause", "game", "change", "number"), numbered(OPEN), ids=_id)
def test_what_cannot_be_told_is_left_open(clause: str, game: Manual, change: Change, number: int) -> None:
    change(game)
    report = game.judge()
    hold("manual", f"open {clause} {number}", report, _plain(("video",)))
    assert f"HM-{clause}" in named(report, "undetermined"), list(words(report))
    assert f"HM-{clause}" not in named(report)


def test_each_kept_report_is_of_a_row() -> None:
    rows = {"violations": VIOLATIONS, "open": OPEN}
    hold_titles("manual", [f"{kind} {row[0]} {row[-1]}" for kind, table in rows.items() for row in numbered(table)])


def test_what_a_lawful_round_shows_is_passed() -> None:
    report = table("Ah Tc Ad Ks 8c 6h 9d").judge()
    for clause in ("shoe.4-order", "shoe.8-hole-last", "play.4.b-bj-hold", "play.4.b-bj-resolve", "shoe.3-burn"):
        assert row(report, f"HM-{clause}") == "pass"


def test_every_clause_of_the_manual_is_checked_or_says_why_not() -> None:
    checked = checked_clauses("house-manual")
    rows = clauses("house-manual")
    assert checked <= {clause.id for clause in rows}
    reasons = {c.id: reason_without_check(c, ("video", "audio", "records")) for c in rows if c.id not in checked}
    assert NO_CHECK not in reasons.values()
    assert set(reasons.values()) <= {PERMISSION, *REASONS.values()}
    assert len(checked) == 40


def test_every_checked_clause_of_the_manual_stands_in_a_test() -> None:
    text = Path(__file__).read_text()
    assert not [c for c in checked_clauses("house-manual") if c.removeprefix("HM-") not in text]
