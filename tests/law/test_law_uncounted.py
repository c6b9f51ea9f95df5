"""A stack seen from above that was never spread: a detector's log does not ask what nobody could count."""

from __future__ import annotations

import pytest
from law_build import Log, hand_out, named

RANGE = "ND-08-09.1-range-1-25"
VOID = "ND-08-11.10.e-void-split-double"
TIP_DOUBLE = "ND-08-09.2.d-tip-double-permitted"
HALF, NO_TIP = "ND-08-09.2.b-insurance-half", "ND-08-09.2.b-no-tip-insurance"
RECORDING = "0" * 64


def at_the_limit(seen: int) -> Log:
    """Space 2 loses a stack whose top shows `seen` cents."""
    log = hand_out("Th Jd 8s 7c 7h Td", {2: 2500, 4: 700})
    log.change(log.one("wager_placed", at="space:2"), cents=seen, lower_bound=True)
    return log


def test_a_stack_that_shows_the_limit_is_open_in_an_annotated_log_only() -> None:
    assert RANGE in named(at_the_limit(2500).judge(), "undetermined")
    assert RANGE not in named(at_the_limit(2500).judge(video=RECORDING), "undetermined")


def test_a_stack_that_shows_more_than_the_limit_is_a_breach_in_either() -> None:
    for video in (None, RECORDING):
        assert "ND-08-09.1-excess-returned" in named(at_the_limit(3000).judge(video=video))


@pytest.mark.parametrize(("chips", "said"), [({"10000": 1}, "undetermined"), ({"2500": 1, "500": 1}, "violation")])
def test_one_chips_colour_alone_accuses_nobody_of_playing_above_the_limit(chips: dict[str, int], said: str) -> None:
    log = at_the_limit(sum(int(value) for value in chips))
    log.change(log.one("wager_placed", at="space:2"), chips=chips)
    assert "ND-08-09.1-excess-returned" in named(log.judge(video=RECORDING), said)


def natural_against_a_double(taken: tuple[str, ...]) -> Log:
    """The dealer's natural beats a doubled hand, whose wagers `taken` are collected uncounted, as they lay."""
    log = hand_out("6h Kd 5s Ac 9d", {2: 1000}, "double")
    first = log.one("chips_collected", kind="original")
    log.change(first, cents=None).drop(*log.all("chips_to_tray"))
    for wager in log.all("wager_placed"):
        log.change(wager, cents=500, chips={"500": 1}, lower_bound=True)
    for kind in taken:
        log.drop(*log.all("chips_returned", kind=kind))
        log.insert_after(first, "chips_collected", kind=kind, at="space:2", cents=None, to="hand", hand="right")
    return log


def test_an_original_wager_that_a_natural_takes_alone_is_right_whatever_it_was() -> None:
    report = natural_against_a_double(()).judge(video=RECORDING)
    assert VOID not in named(report) | named(report, "undetermined")


def test_a_double_that_a_natural_makes_void_is_collected_wrongly_whatever_it_was() -> None:
    assert VOID in named(natural_against_a_double(("double",)).judge(video=RECORDING))


@pytest.mark.parametrize(("tip", "double", "said"), [(100, 100, None), (100, 500, "violation")])
def test_a_doubled_tip_that_was_never_spread_is_asked_for_only_where_it_shows_too_much(
    tip: int, double: int, said: str | None
) -> None:
    log = hand_out("6h 7d 5s Tc 2d Td", {2: (1000, tip)}, "double", tip_double_down="equal")
    log.change(log.one("wager_placed", kind="tip"), lower_bound=double == tip)
    for old in log.all("wager_placed", kind="tip_double"):
        log.drop(old)
    log.insert_after(
        log.one("wager_placed", kind="double"),
        "wager_placed",
        kind="tip_double",
        at="space:2",
        cents=double,
        lower_bound=True,
    )
    report = log.judge(video=RECORDING)
    assert (TIP_DOUBLE in named(report)) == (said == "violation")
    assert TIP_DOUBLE not in named(report, "undetermined")
    if double == tip:
        assert TIP_DOUBLE in named(log.judge(), "undetermined")


@pytest.mark.parametrize(("bet", "whole", "found"), [(1500, True, True), (1200, True, False), (1500, False, False)])
def test_insurance_of_more_than_half_the_limit_is_too_much_for_any_wager(bet: int, whole: bool, found: bool) -> None:
    log = hand_out("Th Ad 9s Tc", {2: (2500, 500)}, "insurance")
    log.change(log.one("wager_placed", kind="original"), cents=2500, lower_bound=True)
    log.change(log.one("wager_placed", kind="insurance"), cents=bet, lower_bound=not whole)
    for fan in log.all("chips_fanned", kind="original"):
        log.drop(fan)
    report = log.judge(video=RECORDING)
    assert ({HALF, NO_TIP} <= named(report)) == found
    assert HALF not in named(report, "undetermined")


@pytest.mark.parametrize(("chips", "verdict"), [(500, "undetermined"), (200, "violation")])
def test_a_payoff_of_a_chip_under_which_no_dearer_one_may_lie_was_paid_short_or_not_spread(
    chips: int, verdict: str
) -> None:
    """A wager of 7.00: of a stack of 5.00 and 2.00 the 2.00 lies on top."""
    log = hand_out("Th 8s 9c 9h", {2: 700})
    log.drop(log.one("chips_fanned", owner="payoff"))
    log.change(log.one("payoff_placed"), cents=chips, chips={str(chips): 1}, lower_bound=True)
    assert "ND-08-11.16.a-fan-payoff" in named(log.judge(video=RECORDING), verdict)


def tip_unspread(owner: str, tip: int, paid: int, shows: int) -> Log:
    """A winning tip of `tip` cents, paid `paid`; the row of `owner` was never fanned and shows a chip of `shows`."""
    log = hand_out("Th 7d 9s Tc", {2: (1000, tip)})
    log.drop(log.one("chips_fanned", owner=owner))
    log.change(log.one("payoff_placed", kind="tip"), cents=paid)
    if owner == "tip":
        log.change(log.one("chips_fanned", owner="tip_payoff"), cents=paid)
    record = "wager_placed" if owner == "tip" else "payoff_placed"
    log.change(log.one(record, kind="tip"), cents=shows, chips={str(shows): 1}, lower_bound=True)
    return log


EQUAL, BESIDE, REPOSITION = (f"ND-08-11.16.{rest}" for rest in ("b-tip-equal", "b-tip-beside-fan", "a-tip-reposition"))


@pytest.mark.parametrize(("shows", "verdict"), [(100, "violation"), (200, "undetermined")])
def test_a_tips_payoff_that_shows_one_chip_of_less_than_half_was_too_little_or_not_fanned(
    shows: int, verdict: str
) -> None:
    report = tip_unspread("tip_payoff", 300, 300, shows).judge(video=RECORDING)
    assert BESIDE in named(report, verdict)
    (found,) = (one for one in report.findings if BESIDE in (one.clause, *one.also))
    assert EQUAL in (found.clause, *found.also)


@pytest.mark.parametrize(
    ("paid", "shows", "clause", "verdict"),
    [(550, 50, REPOSITION, "violation"), (150, 100, REPOSITION, "undetermined"), (150, 200, EQUAL, "violation")],
    ids=["overpaid or not fanned", "either of two", "paid too little whatever it was"],
)
def test_a_tip_that_was_not_fanned_is_judged_by_what_its_payoffs_fan_leaves_possible(
    paid: int, shows: int, clause: str, verdict: str
) -> None:
    report = tip_unspread("tip", paid, paid, shows).judge(video=RECORDING)
    assert clause in named(report, verdict)
    told = [one for one in report.findings if {EQUAL, REPOSITION} & {one.clause, *one.also}]
    assert len(told) == 1, "one finding says both"


CHANGED = "ND-08-09.2-no-change-after-first-card"


@pytest.mark.parametrize(
    ("p", "by", "verdict"), [(0.8, "player", "violation"), (0.4, "player", "undetermined"), (0.8, None, "undetermined")]
)
def test_a_wager_surely_changed_by_a_player_is_a_breach_though_nobody_saw_the_amounts(
    p: float, by: str | None, verdict: str
) -> None:
    log = hand_out("Th 7d 9s Tc", {2: 1000})
    first = log.all("card_dealt")[1]
    log.insert_after(
        first, "wager_changed", kind="original", at="space:2", cents_before=None, cents_after=None, by=by, p=p
    )
    report = log.judge(video=RECORDING)
    assert CHANGED in named(report, verdict)
    (found,) = (one for one in report.findings if one.clause == CHANGED)
    assert "top chip was turned" in found.observed
