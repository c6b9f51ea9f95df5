"""Things of one evening together: what one procedure leaves open must not be laid to the next (99-01.3-08-07(3))."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from law_build import Log, hand_out, named, play_on, row

CASH = "ND-08-07.3.b-chips-equal-cash"
DROP = "ND-08-07.3.b-cash-to-drop-last"
PLAYBACK = "ND-08-12.12-miscount-playback"
KEPT = ("wager_placed", "card_dealt", "chips_returned")
NO_HOLE = "no_hole_card"
EXCHANGE = "ND-08-07.3.c-exchange-equal"


def bought_and_changed(paid: int = 2000, given: int = 500, dropped: str = "at once") -> Log:
    """A buy-in of 20 dollars, and before the next round a five is changed for ones."""
    log = hand_out("Th Kd 6s Tc", {2: 1000})
    log.add("currency_spread", bills={"2000": 1}, cents=2000, face_down=True)
    log.add("hands_clear", region="inner", duration=1.0)
    log.add("chips_from_tray", cents=paid, hand="right", origin="buy_in")
    log.add("chips_fanned", owner="buy_in", at="space:2", cents=paid)
    log.add("hands_clear", region="inner", duration=1.0)
    log.add("chips_pushed", at="space:2", cents=paid, reason="buy_in")
    if dropped == "at once":
        log.add("currency_dropped", what="currency", cents=2000)
    log.add("chips_received", at="space:2", cents=500, chips={"500": 1})
    log.add("hands_clear", region="inner", duration=1.0)
    log.add("chips_from_tray", cents=given, hand="right", origin="exchange")
    log.add("chips_fanned", owner="exchange_out", at="space:2", cents=given)
    log.add("hands_clear", region="inner", duration=1.0)
    log.add("chips_pushed", at="space:2", cents=given, reason="exchange")
    log.add("chips_to_tray", cents=500)
    if dropped == "later":
        log.add("currency_dropped", what="currency", cents=2000)
    return log


CASES: list[tuple[str, Callable[[], Log], bool]] = [
    (CASH, bought_and_changed, False),
    (CASH, lambda: bought_and_changed(paid=2500), True),
    (EXCHANGE, bought_and_changed, False),
    (EXCHANGE, lambda: bought_and_changed(given=600), True),
    (DROP, lambda: bought_and_changed(dropped="later"), False),
]


@pytest.mark.parametrize(("clause", "log", "broken"), CASES)
def test_a_buy_in_and_an_exchange_are_weighed_apart(clause: str, log: Callable[[], Log], broken: bool) -> None:
    assert named(log().judge()) == ({clause} if broken else set())


def split_hand_left_open() -> Log:
    """The second split hand gets its card while the first has not decided."""
    log = hand_out("8h 9d 6s 8c 9c Tc 3h 9s Td", {2: 1000, 4: 500}, "split stand stand stand", dealing_method=NO_HOLE)
    stand = log.one("hand_signal", at="space:2", meaning="stand")
    log.move_after(stand, log.one("card_dealt", to="space:2/1"))
    return log


def double_before_the_deal_ends() -> Log:
    """Space 2 doubles before space 4 has its second card, which then comes in its turn."""
    log = hand_out("6h 9d 6s 5c 9c Tc 8h Ts", {2: 1000, 4: 500}, "double stand")
    wager = log.one("wager_placed", kind="double")
    wager["t_start"] = log.all("card_dealt", to="space:2")[1]["t_end"]
    wager["t_end"] = round(wager["t_start"] + 0.1, 3)
    return log


def taken_together() -> Log:
    """Chips for two winning hands leave the tray in two grasps before either is paid."""
    log = hand_out("Th Td 6s 9c 9h Tc Ts", {2: 1000, 4: 700})
    first, second = log.all("chips_from_tray")
    log.move_after(second, first)
    return log


def insured_late() -> Log:
    """The reader has told of no natural, and insurance is collected only in the dealer's turn."""
    log = hand_out(
        "Th Td As 9c 9h 8c", {2: 1000, 4: 700}, "insurance decline stand stand", dealing_method="hole_card_reader"
    )
    taken = log.one("chips_collected", kind="insurance")
    log.move_after(taken, log.one("card_revealed", at="dealer"))
    return log


def spread_late() -> Log:
    """New decks are inspected, shuffled, and only then spread for the players."""
    log = Log()
    log.add("cards_inspected", 60.0, action="inspect", decks=6)
    log.add("shuffle", 90.0, method="hand", scope="all")
    log.add("cards_inspected", 60.0, action="spread", decks=6)
    log.add("cut", by="player", depth_cards=100)
    log.add("card_burned", card="??", face_shown=False)
    play_on(log, "Th Kd 6s Tc 9c Ts 5d", {2: 1000, 4: 500})
    return log


def eight_players() -> Log:
    """Eight players arrive and none leaves."""
    log = hand_out("Th Kd 6s Tc 9c Ts 5d", {2: 1000, 4: 500})
    for space in (1, 2, 3, 4, 5, 6, 7, 7):
        log.add("player_presence", phase="arrive", spaces=[space])
    return log


def seven_and_one_for_another() -> Log:
    """A player leaves before the eighth arrives."""
    log = hand_out("Th Kd 6s Tc 9c Ts 5d", {2: 1000, 4: 500})
    for space in (1, 2, 3, 4, 5, 6, 7):
        log.add("player_presence", phase="arrive", spaces=[space])
    log.add("player_presence", phase="leave", spaces=[3])
    log.add("player_presence", phase="arrive", spaces=[3])
    return log


ORDERS: list[tuple[str, Callable[[], Log]]] = [
    ("ND-08-09.2.c-right-hand-first", split_hand_left_open),
    ("ND-08-09.2-extra-wagers-after-two", double_before_the_deal_ends),
    ("ND-08-11.16-hand-by-hand", taken_together),
    ("ND-08-11.10.a-insurance-collect-first", insured_late),
    ("ND-08-07.1-shuffle-after-review", spread_late),
    ("ND-08-01.2-max-seven-players", eight_players),
]


@pytest.mark.parametrize(("clause", "log"), ORDERS, ids=[clause for clause, _ in ORDERS])
def test_an_order_turned_round_is_one_violation_of_its_clause(clause: str, log: Callable[[], Log]) -> None:
    found = [f for f in log().judge().findings if f.verdict == "violation"]
    assert [f.clause for f in found] == [clause]


def test_a_player_who_takes_a_left_seat_is_no_eighth() -> None:
    assert row(seven_and_one_for_another().judge(), "ND-08-01.2-max-seven-players") == "pass"


def too_much(paid: int) -> Log:
    """A wager of 30 dollars is found at its fan: 5 go back, and the hand is paid `paid` (12(11))."""
    log = hand_out("Th Td 6s 9c 9h Tc 2s", {2: 2500, 4: 500})
    log.change(log.one("wager_placed", at="space:2"), cents=3000)
    fan = log.one("chips_fanned", at="space:2", owner="wager")
    log.change(fan, cents=3000, chips={"2500": 1, "500": 1}, set_sizes=[1, 1])
    log.insert_after(fan, "chips_returned", kind="original", at="space:2", cents=500, reason="excess")
    payoff = log.one("payoff_placed", at="space:2")
    log.change(payoff, cents=paid)
    log.change(log.one("chips_fanned", at="space:2", owner="payoff"), cents=paid)
    log.change([t for t in log.all("chips_from_tray") if t["t_end"] <= payoff["t_start"]][-1], cents=paid)
    return log


def test_excess_found_at_the_fan_goes_back_and_the_rest_is_paid_12_11() -> None:
    assert named(too_much(2500).judge()) == set()


def test_excess_that_went_back_and_was_paid_all_the_same_is_wrong_08_12_11() -> None:
    assert "ND-08-11.16.a-payoff-equal" in named(too_much(3000).judge())


def test_a_fifty_cent_wager_given_back_as_an_error_leaves_no_hand_12_11() -> None:
    log = hand_out("Th Td 6s 9c 9h Tc 2s", {2: 100, 4: 500})
    log.change(log.one("wager_placed", at="space:2"), cents=50)
    second = log.all("card_dealt", to="space:2")[1]
    back = log.insert_after(second, "chips_returned", kind="original", at="space:2", cents=50, reason="error")
    for card in log.all("card_dealt", to="space:2"):
        log.insert_after(back, "card_burned", card=card["card"], face_shown=True, reason="fifty cents")
    log.drop(*(r for r in log.records if r["event"] not in KEPT and "space:2" in (r.get("at"), r.get("region"))))
    log.drop(*log.all("cards_collected", **{"from": "space:2"}), *log.all("chips_from_tray", cents=100))
    assert named(log.judge()) == set()


def test_what_is_paid_after_a_play_back_needs_no_fan_12_12() -> None:
    log = hand_out("Th Td 6s 9c 9h Tc 2s", {2: 1000, 4: 500})
    money = ("chips_fanned", "chips_from_tray", "payoff_placed", "hands_clear")
    log.drop(*(r for r in log.records if r["event"] in money))
    last = log.all("card_dealt")[-1]
    for cents, space in ((1000, 2), (500, 4)):
        log.insert_after(last, "chips_collected", kind="original", at=f"space:{space}", cents=cents, to="tray")
    log.round = 1
    log.add("cards_played_back", round_replayed=1)
    for cents, space in ((1000, 2), (500, 4)):
        log.add("chips_returned", kind="original", at=f"space:{space}", cents=cents, reason="error")
        log.add("payoff_placed", kind="original", at=f"space:{space}", cents=cents, chips={"100": cents // 100})
    wrong = [f for f in log.judge().findings if f.verdict == "violation"]
    assert [(f.clause, f.corrected) for f in wrong] == [(PLAYBACK, True)]


def test_another_table_number_in_the_picture_is_named_by_both_clauses() -> None:
    log = hand_out("Th Kd 6s Tc 9c Ts 5d", {2: 1000, 4: 500})
    log.add("overlay_read", what="table_number", text="T5", region="0 0 90 20")
    assert named(log.judge(table="T3")) == {"ND-08-04.2-id-visible", "ND-08-02.1-table-number"}


def test_a_doubled_tip_of_which_half_is_collected_is_not_lost_whole_08_09_2_a() -> None:
    log = hand_out("6h 9d 6s 6c 9c Tc Th Ts", {2: (1000, 100), 4: 500}, "double stand", tip_double_down="equal")
    own = log.one("wager_placed", kind="double")
    log.insert_after(own, "wager_placed", kind="tip_double", at="space:2", cents=100, chips={"100": 1})
    assert "ND-08-09.2.a-tip-lose" in named(log.judge())


def past_post(cents: int, decisions: str = "double stand") -> Log:
    """Five dollars are added to a doubled wager after the first card."""
    log = hand_out("6h 9d 6s 5c 9c Tc 8h Ts", {2: cents, 4: 500}, decisions)
    first = log.all("card_dealt", to="space:2")[0]
    log.insert_after(first, "wager_changed", kind="original", at="space:2", cents_before=cents, cents_after=cents + 500)
    return log


@pytest.mark.parametrize("cents", [1000, 2400])
def test_a_wager_changed_after_the_first_card_is_that_incident_alone(cents: int) -> None:
    found = [f.clause for f in past_post(cents).judge().findings if f.verdict == "violation"]
    assert found == ["ND-08-09.2-no-change-after-first-card"]
