"""Lawful play that looks unusual: none of it is a violation. And what a recovery does not excuse."""

from __future__ import annotations

import pytest
from law_build import Log, findings, hand_out, named, play, play_on, row, words

from verifier.engine.strategy import adventurous


def lawful(log: Log) -> None:
    report = log.judge()
    assert not report.findings, list(words(report))


def overdraw(kept: bool) -> Log:
    """The dealer draws 3 on 18; it is burned and space 4's 18 ties."""
    log = hand_out("Th Jd 8s 9c 8h Td", {2: 1000, 4: 500})
    card = log.insert_after(log.one("card_revealed"), "card_dealt", card="3d", to="dealer", face="up", seq=None)
    if not kept:
        log.insert_after(card, "card_burned", card="3d", face_shown=True, reason="overdraw")
    return log


def test_a_burned_overdraw_is_lawful_12_10() -> None:
    lawful(overdraw(kept=False))


def test_a_kept_overdraw_is_one_incident() -> None:
    report = overdraw(kept=True).judge()
    roots = [f for f in findings(report) if "10.g" in f.clause]
    assert len(roots) == 1
    assert "ND-08-12.10-dealer-overdraw-burn" in roots[0].also


def test_a_kept_overdraw_settled_by_the_hand_before_it_is_one_finding() -> None:
    """The dealer keeps a 3 drawn on 18 but settles by the 18, as 12(10) wants: space 2 and 4 tie and nothing moves."""
    (found,) = findings(overdraw(kept=True).judge())
    assert "10.g" in found.clause and not any("miscount" in clause for clause in (found.clause, *found.also))


def test_a_missed_first_dealer_card_is_dealt_after_the_players_12_4() -> None:
    log = hand_out("Th Td Kd 6s 5c Tc", {2: 1000, 4: 500})
    first, cards = log.one("card_dealt", to="dealer"), log.all("card_dealt")
    log.move_after(first, cards[4])
    lawful(log)


@pytest.mark.parametrize("before_dealer", [True, False])
def test_a_space_with_one_card_gets_its_second_last_12_2(before_dealer: bool) -> None:
    log = hand_out("Th Td Kd 6s 5c Tc", {2: 1000, 4: 500})
    cards = log.all("card_dealt")
    log.move_after(cards[3], cards[4] if before_dealer else cards[5])
    lawful(log)


def test_a_card_on_a_space_without_a_wager_is_burned_12_3() -> None:
    log = hand_out("Th Td Kd 6s 5c Tc", {2: 1000, 4: 500})
    stray = log.insert_after(log.all("card_dealt")[0], "card_dealt", card="2c", to="space:3", face="up", seq=None)
    kept = Log(**log.house)
    kept.records = [dict(r) for r in log.records]
    assert "ND-08-12.3-inactive-space-card" in named(kept.judge())
    log.insert_after(stray, "card_burned", card="2c", face_shown=True, reason="error")
    lawful(log)


def test_a_missed_hit_card_is_dealt_after_the_others_12_15() -> None:
    log = hand_out("5h Td 7d 6s 9c Tc 7h", {2: 1000, 4: 500}, "hit")
    hit, stand = log.one("card_dealt", card="7h"), log.one("hand_signal", at="space:2", meaning="stand")
    log.move_after(hit, log.one("hand_signal", at="space:4"))
    log.move_after(stand, hit)
    lawful(log)


def test_an_exposed_hole_card_is_burned_and_replaced_12_14() -> None:
    log = hand_out("Th 7d 9s Tc", {2: 1000})
    shown = log.insert_after(log.all("card_dealt")[-1], "card_revealed", card="4h", at="dealer", how="exposed_error")
    log.insert_after(shown, "card_burned", card="4h", face_shown=True, reason="exposed")
    log.insert_after(log.one("hand_signal"), "card_dealt", card="??", to="dealer", face="down", seq=None)
    lawful(log)


def test_even_money_is_no_early_payment() -> None:
    lawful(hand_out("Ah Ad Ks 7c", {2: (1000, 200)}, "even_money"))


def test_without_the_option_a_natural_paid_at_par_early_is_a_violation() -> None:
    log = hand_out("Ah Ad Ks 7c", {2: 1000}, "even_money")
    log.house["even_money"] = False
    report = log.judge()
    (found,) = findings(report)
    assert found.clause == "ND-08-09.2.b-even-money-eligible"


@pytest.mark.parametrize("timing", ["immediate", "in_order", "either"])
def test_a_natural_against_2_to_9_is_paid_at_once_or_in_order(timing: str) -> None:
    lawful(hand_out("Ah Th 7d Ks 9c Tc", {2: 1000, 4: 500}, natural_pay_timing=timing))


def test_excess_above_the_maximum_is_returned_and_ignored() -> None:
    log = hand_out("Th 7d 9s Tc", {2: 2500})
    log.change(log.one("wager_placed"), cents=3000, chips={"2500": 1, "500": 1})
    log.insert_after(
        log.one("wager_placed"), "chips_returned", kind="original", at="space:2", cents=500, reason="excess"
    )
    lawful(log)


@pytest.mark.parametrize("method", ["hole_card_no_peek", "no_hole_card", "hole_card_reader"])
@pytest.mark.parametrize("seed", range(4))
def test_any_lawful_rounds_give_no_finding(method: str, seed: int) -> None:
    house = {"tips_fanned_after": seed % 2 == 0, "payoff_fan_hand": "right" if seed % 2 else "left"}
    lawful(play(seed, 4, strategy=adventurous, dealing_method=method, hit_soft_17=seed > 1, **house))


def test_a_log_that_ends_in_the_middle_leaves_open_matters_undetermined() -> None:
    log = hand_out("Th Td 7d 9s 9c Tc", {2: 1000, 4: 1000})
    keep = log.records.index(log.all("chips_fanned", owner="payoff")[0])
    log.records = log.records[:keep]
    report = log.judge()
    assert not findings(report)
    assert row(report, "ND-08-11.12-highest-wins") == "undetermined"


@pytest.mark.parametrize("cut", range(0, 60, 3))
def test_a_log_that_begins_in_the_middle_accuses_nobody(cut: int) -> None:
    log = hand_out("Th Td 7d 9s 9c Tc", {2: (1000, 200), 4: 1000})
    play_on(log, "5h Td Kd 6s 9c Tc 7h", {2: 1000, 4: 500}, "hit")
    log.records = log.records[cut:]
    assert not findings(log.judge())


REQUIRED = {"chips_collected": ("hand",), "wager_moved": ("hand",)}
"""Fields that are optional elsewhere (docs/formats.md)."""


def test_missing_optional_fields_are_no_violation() -> None:
    log = play(5, 4, strategy=adventurous)
    optional = ("chips", "hand", "direction", "set_sizes", "from_hand", "placed_hand", "angle", "dealer", "shoe", "how")
    for record in log.records:
        for name in optional:
            if name not in REQUIRED.get(record["event"], ()) and not (
                name == "how" and record["event"] != "dealer_shift"
            ):
                record.pop(name, None)
        if "seq" in record:
            record["seq"] = None
    lawful(log)


def test_the_alternative_mistake_policy_replaces_section_12() -> None:
    log = overdraw(kept=False)
    log.house["mistake_policy"] = "alternative"
    assert not findings(log.judge())
