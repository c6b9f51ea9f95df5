"""Logs that begin amid something, cards and records hardly seen: nothing is accused that may be lawful."""

from __future__ import annotations

import pytest
from law_build import Log, hand_out, named, play_on, row

NO_HOLE = "no_hole_card"


def test_an_indicator_card_that_was_hardly_seen_leaves_the_reshuffle_open() -> None:
    log = hand_out("Th Kd 6s Tc 9c Ts 5d", {2: 1000, 4: 500})
    log.insert_after(log.one("hand_signal"), "indicator_card", action="appeared", cards_remaining=70, p=0.3)
    play_on(log, "Th Kd 6s Tc 9c Ts 5d", {2: 1000, 4: 500})
    assert row(log.judge(), "ND-08-08.2-reshuffle-on-indicator") == "undetermined"


def test_a_log_that_begins_amid_an_exchange_of_tips_lacks_nothing_of_it() -> None:
    log = Log()
    for step in ("fanned_in", "taken", "placed_right", "fanned_out", "to_tray", "to_receptacle"):
        log.add("tip_exchange", step=step, cents=500)
        if step == "fanned_out":
            log.add("hands_clear", region="inner", duration=1.0)
    log.add("hands_shown", left_palm=True, left_back=True, right_palm=True, right_back=True, fingers_extended=True)
    log.add("dealer_shift", phase="end")
    assert named(log.judge()) == set()


def test_a_recording_that_begins_with_cards_on_the_table_tells_nothing_of_how_they_were_dealt() -> None:
    log = hand_out("Th Kd 2s Tc 9c 3h 5d 4c 6h", {2: 1000, 4: 500})  # the dealer draws thrice
    log.drop(
        *(r for r in log.records if r["round"] is None),
        *log.all(
            "round_started",
        ),
        *log.all("hand_signal"),
    )
    drawn = log.all("card_dealt", to="dealer")[1:]
    log.change(drawn[0], face="up", card="3h").drop(*log.all("card_revealed", at="dealer"))
    for card in log.all("card_dealt"):
        log.change(card, occluded=card not in drawn[1:])
    assert log.records[0]["event"] == "wager_placed" and len(drawn) > 2
    assert named(log.judge()) == set()


def test_a_log_that_begins_with_chips_pushed_tells_nothing_of_the_cash() -> None:
    log = Log()
    log.add("chips_pushed", at="space:2", cents=500, reason="buy_in")
    play_on(log, "Th Kd 6s Tc 9c Ts 5d", {2: 1000, 4: 500})
    assert row(log.judge(), "ND-08-06.1-cash-only") == "undetermined"


@pytest.mark.parametrize("unread", [[0], [0, 1]])
def test_split_cards_not_read_may_be_aces_that_stand_without_a_signal(unread: list[int]) -> None:
    log = hand_out("Ah 9d 6s As 9c Tc 5h 7s Td", {2: 1000, 4: 500}, "split stand")
    for index in unread:
        log.change(log.all("card_dealt", to="space:2")[index], card="??")
    assert named(log.judge()) == set()


def test_a_split_hand_without_any_card_seen_is_judged_without_a_fall() -> None:
    log = hand_out("8h 9d 6s 8c 9c Tc 3h 9s Td", {2: 1000, 4: 500}, "split stand stand stand", dealing_method=NO_HOLE)
    for card in log.all("card_dealt", to="space:2"):
        log.change(card, p=0.2)
    assert named(log.judge()) == set()


def test_a_reader_that_was_used_where_no_method_is_configured_holds_no_bust_aside() -> None:
    log = hand_out("6h 9d Ts 6c 9c 7c Th", {2: 1000, 4: 500}, "double stand", dealing_method="hole_card_reader")
    log.house.pop("dealing_method")
    assert named(log.judge()) == set()


def test_one_signal_asks_for_one_card_though_the_hand_leaves_while_that_card_comes() -> None:
    log = hand_out("2h Td 7d 3s 9c Tc 4h 8h", {2: 1000, 4: 500}, "hit hit")
    first, second = log.all("hand_signal", meaning="hit")
    log.change(first, t_end=log.all("card_dealt", to="space:2")[2]["t_start"] + 0.3)
    assert named(log.judge()) == set()
    assert "ND-08-11.4-hand-signal-hit" in named(log.drop(second).judge())


def test_a_signal_that_goes_on_after_its_card_asks_for_the_next() -> None:
    log = hand_out("2h Td 7d 3s 9c Tc 4h 8h", {2: 1000, 4: 500}, "hit hit")
    first, second = log.all("hand_signal", meaning="hit")
    log.drop(second).change(first, t_end=second["t_end"])
    assert named(log.judge()) == set()


@pytest.mark.parametrize(("since", "verdict"), [(-1.25, "undetermined"), (-0.5, "violation")], ids=["long", "short"])
def test_a_card_of_which_nobody_knows_when_it_came_tells_of_no_stand_left_out(since: float, verdict: str) -> None:
    log = hand_out("Th Kd 6s Tc 9c 8d", {2: 1000, 4: 500}, dealing_method=NO_HOLE)
    stand, card = log.all("hand_signal")[-1], log.all("card_dealt", to="dealer")[1]
    log.change(card, t_start=stand["t_start"] + since, t_end=stand["t_start"] + 0.4)
    assert row(log.judge(), "ND-08-11.4-hand-signal-bypass") == verdict


@pytest.mark.parametrize(
    ("weak", "verdict"),
    [(("hand_signal",), "violation"), (("hand_signal", "card_revealed"), "undetermined")],
    ids=["the dealer's turn well seen", "neither"],
)
def test_a_breach_that_holds_with_a_weak_record_or_without_rests_on_those_well_seen(
    weak: tuple[str, ...], verdict: str
) -> None:
    """The chips of a bust are taken after the next player's signal and after the dealer's turn."""
    log = hand_out("Th Td 7d 6s 9c Tc Kh", {2: 1000, 4: 500}, "hit")
    taken = log.one("chips_collected", at="space:2")
    log.move_after(taken, turned := log.one("card_revealed", at="dealer"))
    for record in (log.all("hand_signal", at="space:4")[0], turned):
        log.change(record, p=0.45 if record["event"] in weak else 0.95)
    assert row(log.judge(video="0" * 64), "ND-08-11.6-bust-collect-now") == verdict
