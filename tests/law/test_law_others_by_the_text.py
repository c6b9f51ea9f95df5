"""The manual and the Washington proposals: what their text says of cases at a limit, open by option, or seen badly."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
import test_law_manual as manual
import test_law_washington as washington
from law_build import findings, words
from manual_build import Manual
from washington_build import Washington

Change = Callable[[Any], Any]
VIOLATION, PASS, OPEN = "violation", "pass", "undetermined"
TRIPLE_SEVEN = "7h Tc Kd 7s 8c Ah 7d"
"""Space 2 draws to 7-7-7, the dealer has K-A."""
HIT = {"space:2": "hit"}


def untouched(game: Any) -> Any:
    return game


def both(*changes: Change) -> Change:
    return lambda game: [change(game) for change in changes]


def hole_unread(game: Any) -> None:
    game.log.change(game.log.all("card_revealed")[-1], card="??")


def dealer_draws(card: str) -> Change:
    """One more card to the dealer, after the last of the dealer's own."""

    def change(game: Any) -> None:
        own = [r for r in game.log.records if r["event"] in ("card_dealt", "card_revealed")]
        last = max((r for r in own if "dealer" in (r.get("to"), r.get("at"))), key=lambda r: r["t_end"])
        game.log.insert_after(last, "card_dealt", card=card, to="dealer", face="up", seq=99)

    return change


def verdict(report: Any, clause: str) -> str:
    """The clause's worst verdict, as root or companion of a finding."""
    return str(next(r.verdict for r in report.clauses if r.clause == clause))


MANUAL: list[tuple[str, str, Manual, Change]] = [
    # A simple 21 against a blackjack where the casino's rule is not told
    ("HM-play.3-push", OPEN, manual.table(TRIPLE_SEVEN, HIT, push_rule=None), manual.uncollected("space:2")),
    ("HM-play.2-lose", PASS, manual.table(TRIPLE_SEVEN, HIT, push_rule=None), untouched),
    ("HM-play.2-lose", OPEN, manual.table(TRIPLE_SEVEN, HIT, push_rule=None),
     both(manual.uncollected("space:2"), hole_unread)),
    ("HM-play.2-lose", VIOLATION, manual.table(TRIPLE_SEVEN, HIT, push_rule=None),
     both(manual.uncollected("space:2"), manual.payoff("space:2", 1000))),
    ("HM-play.2-lose", VIOLATION, manual.table("Th Tc Kd Ts 8c Ah", push_rule=None), manual.uncollected("space:2")),
    ("HM-play.2-lose", VIOLATION, manual.table("Th Tc Kd Ts 8c Ah", push_rule="simple21_vs_bj_push"),
     manual.uncollected("space:2")),
    # A split ace and ten is a simple 21
    ("HM-play.3-push", PASS,
     manual.table("Ah Tc 6d As 8c 9h Td 9c 6c", {"space:2": "split"}), untouched),
    # Any soft 17, at the casino's option
    ("HM-shoe.8.a-h17", PASS, manual.table("Th Tc Ad 9s 8c 6h Ts"), untouched),
    ("HM-shoe.8.a-h17", VIOLATION, manual.table("Th Tc Ad 9s 8c 7h"), dealer_draws("2c")),
    ("HM-shoe.8.a-s17-option", VIOLATION, manual.table("Th Tc Ad 9s 8c 2h 4h", hit_soft_17=False),
     dealer_draws("2c")),
    # Neither amount nor odds of insurance are given
    ("HM-def.4-insurance", PASS, manual.table("Th Tc Ad 9s 8c Kh", insured=(2,)),
     manual.payoff("space:2", 500, "insurance")),
    # Whose wagers the log does not hold may still depend on the dealer's total
    ("HM-shoe.8.b-no-effect", OPEN,
     manual.table("Th 8c 6d 9s 9c Th Kd 5c", {"space:2": "double"}),
     lambda g: g.log.drop(*g.log.records[: g.log.records.index(g.log.one("round_started"))])),
    # A hand given up to a blackjack is not signalled, whether or not the log tells that hands may be given up
    ("HM-shoe.5-turns-left", PASS,
     manual.table("Th Tc Ad 6s 8c Kh", {"space:2": "surrender"}, surrender_allowed=None), untouched),
    # A sign before the first card is turned, given again in turn, is no decision
    ("HM-shoe.4-order", PASS, manual.table("5h 4c 9d 6s 8c 9h 5d 6d", manual.BOTH_HIT),
     lambda g: g.log.insert_after(g.log.all("card_dealt")[5], "hand_signal", at="space:2", meaning="hit")),
    # Burned cards: at least as many as the casino says
    ("HM-shoe.3-burn", VIOLATION, manual.table(manual.PLAIN, burn_cards=3),
     lambda g: g.log.drop(g.log.all("card_burned")[0])),
    ("HM-shoe.3-burn", PASS, manual.table(manual.PLAIN, burn_cards=3),
     lambda g: g.log.insert_after(g.log.all("card_burned")[0], "card_burned", card="??", face_shown=False)),
]  # fmt: skip
NATURAL = "Ah Tc 9d Ks 8c 9h"
INSURED = "Th Tc Ad 9s 8c 7h"


def half(cents: int) -> Change:
    return lambda g: (
        g.log.change(g.log.one("wager_placed", kind="insurance"), cents=cents),
        g.log.change(g.log.one("chips_collected", kind="insurance"), cents=cents),
    )


def blank(cards: int) -> Change:
    return lambda g: g.log.change(g.log.one("indicator_card"), cards_remaining=cards)


WASHINGTON: list[tuple[str, str, Washington, Change]] = [
    ("WA-125.4-max-25", PASS, washington.table(washington.PLAIN, stakes={1: 2500, 3: 500}), untouched),
    ("WA-125.4-max-25", VIOLATION,
     washington.table(washington.PLAIN, stakes={1: 2600, 3: 500}, table_limits={"min": 100, "max": 5000}), untouched),
    ("WA-125.2-decks-A", PASS, washington.table(washington.PLAIN, deck_count=6), untouched),
    ("WA-125.2-decks-A", VIOLATION, washington.table(washington.PLAIN, deck_count=7), untouched),
    ("WA-125.13-soft-17", PASS, washington.table("Th Tc Ad 9s 8c 2h 4d", hit_soft_17=True), untouched),
    ("WA-125.13-soft-17", VIOLATION, washington.table("Th Tc Ad 9s 8c 2h 4d", hit_soft_17=True), dealer_draws("2c")),
    ("WA-125.13-stand-17", VIOLATION, washington.table("Th Tc Ad 9s 8c 6h Ac", hit_soft_17=True), dealer_draws("2c")),
    ("WA-125.5-natural-pays-1.5", PASS, washington.table(NATURAL, stakes={1: 500, 3: 500}), untouched),
    ("WA-125.5-natural-pays-1.5", VIOLATION, washington.table(NATURAL, stakes={1: 500, 3: 500}),
     manual.payoff("space:1", 700)),
    ("WA-125.16-insurance-A", VIOLATION, washington.table(INSURED, insured=(1,), peek=True), half(400)),
    ("WA-125.16-insurance-A", VIOLATION, washington.table(INSURED, insured=(1,), peek=True), half(600)),
    ("WA-125.3-min-bank-500", PASS, washington.table(washington.PLAIN, wa_min_bank=50000), untouched),
    ("WA-125.3-min-bank-500", VIOLATION, washington.table(washington.PLAIN, wa_min_bank=50100), untouched),
    ("WA-125.9-blank-card", PASS, washington.table(washington.PLAIN), blank(26)),
    ("WA-125.9-blank-card", OPEN, washington.table(washington.PLAIN), blank(40)),
    ("WA-125.9-blank-card", VIOLATION, washington.table(washington.PLAIN), blank(42)),
    # A wager that was covered in two parts before the deal was never frozen
    ("WA-125.6-pay-naturals-from-left", VIOLATION, washington.table("Ah Ac 9d Ks Kc 9h"),
     both(lambda g: g.log.change(g.log.all("wager_covered")[0], cents=600),
          lambda g: g.log.insert_after(g.log.all("wager_covered")[0], "wager_covered", at="space:1", cents=400),
          manual.swap(manual.record("payoff_placed", 0), manual.record("payoff_placed", 1)))),
    # Players declare by word: a sign of the hand is no play
    ("WA-125.7-play-left", PASS, washington.table("5h 4c 9d 6s 8c 9h 5d 6d", washington.BOTH_HIT),
     lambda g: g.log.insert_after(g.log.all("card_dealt")[5], "hand_signal", at="space:3", meaning="hit")),
    ("WA-125.7-bust-turn-down", PASS, washington.table("Th 4c 6d 6s 8c Kh Kd 5d Td", washington.BOTH_HIT),
     lambda g: g.log.insert_after(g.log.all("card_dealt")[6], "hand_signal", at="space:3", meaning="hit")),
    ("WA-125.17-split-pair", OPEN,
     washington.table("8h Tc 6d 8s 9c Th 8c Kd 9s 5h 4c", {"space:1": "split split"}, wa_resplit=None), untouched),
    ("WA-125.14-double-one-card", VIOLATION,
     washington.table("3h Tc 9d 2s 8c 9h 4d 2d", {"space:1": "hit double"}), untouched),
]  # fmt: skip


@pytest.mark.parametrize(("clause", "expected", "game", "change"), [*MANUAL, *WASHINGTON],
                         ids=lambda v: v if isinstance(v, str) else "")  # fmt: skip
def test_a_clause_says_of_a_case(clause: str, expected: str, game: Any, change: Change) -> None:
    change(game)
    report = game.judge()
    assert verdict(report, clause) == expected, list(words(report))
    assert bool(findings(report)) == (expected == VIOLATION), list(words(report))


def of_washington(seed: int) -> Washington:
    game = Washington("ab"[seed % 2], seed=seed, bank=(3000, 8000, 50000)[seed % 3])
    for _ in range(2):
        game.play(stakes=dict.fromkeys(range(1, 3 + seed % 3), (500, 1000, 2500)[seed % 3]))
        if game.out or game.bank == 0 or game.short:
            game.pass_on(5000)
    return game


def of_manual(seed: int) -> Manual:
    game = Manual(seed=seed, push_rule=("standard", "simple21_vs_bj_push", None)[seed % 3])
    for _ in range(2):
        game.play(stakes=dict.fromkeys(range(1 + seed % 3, 6), 500))
    return game


def weak(records: list[dict[str, Any]], rng: random.Random) -> None:
    for record in rng.sample(records, rng.randint(1, 12)):
        record |= {"p": 0.3} if rng.random() < 0.5 else {"occluded": True}


def not_seen(records: list[dict[str, Any]], rng: random.Random) -> None:
    for record in rng.sample([r for r in records if r.get("cents") is not None], 3):
        record["cents"] = None
    for record in rng.sample([r for r in records if "?" not in r.get("card", "?")], 3):
        record["card"] = rng.choice(["??", record["card"][0] + "?", "?" + record["card"][1]])


def breaks_off(records: list[dict[str, Any]], rng: random.Random) -> None:
    del records[rng.randrange(3, len(records)) :]


def begins_late(records: list[dict[str, Any]], rng: random.Random) -> None:
    del records[: rng.randrange(1, len(records) - 2)]


@pytest.mark.parametrize("blur", [weak, not_seen, breaks_off, begins_late])
@pytest.mark.parametrize("play", [of_washington, of_manual])
def test_lawful_rounds_seen_badly_are_not_accused(play: Callable[[int], Any], blur: Callable[..., None]) -> None:
    for seed in range(6):
        game = play(seed)
        blur(game.log.records, random.Random(seed))
        assert findings(game.judge()) == [], (seed, list(words(game.judge())))


def test_a_log_that_begins_at_a_split_is_judged() -> None:
    """Its hand has no card or wager in the log (HM-play.8-split-option)."""
    game = manual.table("8h Tc 6d 8s 9c Th 8c 9s 5c", {"space:2": "split"}, split_allowed=False)
    split = game.log.records.index(game.log.one("cards_moved"))
    game.log.records = game.log.records[split : split + 1]
    assert verdict(game.judge(), "HM-play.8-split-option") == VIOLATION
