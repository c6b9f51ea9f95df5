"""Payoff procedure, order, dealing, signals: 99-01.3-08-08 to 08-12, clause by clause."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from law_build import Log, findings, hand_out, named, opening, play_on, row
from reports import Keep

Case = tuple[str, Callable[[], Log], str]


def win(**house: object) -> Log:
    """Space 2 wins 10.00 with two red chips."""
    return hand_out("Th 7d 9s Tc", {2: 1000}, **house)


def tip_win(**house: object) -> Log:
    return hand_out("Th 7d 9s Tc", {2: (1000, 200)}, **house)


def two_wins() -> Log:
    """Spaces 2 and 4 win."""
    return hand_out("Th Td 7d 9s 9c Tc", {2: 1000, 4: 1000})


def win_then_loss() -> Log:
    """Space 4 wins, space 2 loses."""
    return hand_out("Td Tc 8d 7c 9c Th", {2: 1000, 4: 500})


def two_losses() -> Log:
    return hand_out("Th Td Kd 6s 5c Tc", {2: 1000, 4: 500})


def hit_once(**house: object) -> Log:
    """Space 2 hits 5-6 to 18 and stands; space 4 stands on 19."""
    return hand_out("5h Td 7d 6s 9c Tc 7h", {2: 1000, 4: 500}, "hit", **house)


def bust(**house: object) -> Log:
    """Space 2 busts with 10-6-10; space 4 stands on 19."""
    return hand_out("Th Td 7d 6s 9c Tc Kh", {2: (1000, 100), 4: 500}, "hit", **house)


def held_bust() -> Log:
    """Space 2 doubles 5-6... to a bust against a ten and is held."""
    return hand_out("7h Td Kd 8s 9c 7c Kh", {2: 1000, 4: 500}, "double")


def split(**house: object) -> Log:
    """Space 2 splits eights: 8-10 and 8-9; the dealer has 17."""
    return hand_out("8h 7d 8s Tc Td 9h", {2: (1000, 200)}, "split", **house)


def dropping(log: Log, event: str, **own: object) -> Log:
    found = log.all(event, **own)
    assert found
    return log.drop(*found)


def changing(log: Log, event: str, change: dict[str, object], **own: object) -> Log:
    return log.change(log.one(event, **own), **change)


def uncounted(chips: dict[str, int]) -> Log:
    """A lost wager of which only the chips on top were seen."""
    log = hand_out("Th Kd 6s Tc", {2: 1050})
    seen = {"cents": sum(int(value) * count for value, count in chips.items()), "chips": chips, "lower_bound": True}
    changing(log, "wager_placed", seen, kind="original")
    return changing(log, "chips_collected", {"cents": None, "chips": None}, kind="original")


def after_shuffle(late: bool) -> Log:
    log = hand_out("Th 7d 9s Tc", {2: 500}, burn=False)
    if late:
        log.add("card_burned", card="??", face_shown=False)
    play_on(log, "Th 7d 9s Tc", {2: 500})
    return log


def with_card(log: Log, card: str, to: str, after: dict[str, object], **own: object) -> Log:
    log.insert_after(after, "card_dealt", card=card, to=to, face="up", seq=None, **own)
    return log


def swap_times(log: Log, one: dict[str, object], other: dict[str, object]) -> Log:
    one["t_start"], one["t_end"], other["t_start"], other["t_end"] = (
        other["t_start"],
        other["t_end"],
        one["t_start"],
        one["t_end"],
    )
    return log


def unseen_apart(log: Log, one: dict[str, object], other: dict[str, object]) -> Log:
    """The later of two acts in the wrong order may have come before the other: nobody saw when it came."""
    swap_times(log, one, other)
    one["t_start"] = other["t_start"]
    return log


def overlapping(log: Log, one: dict[str, object], other: dict[str, object]) -> Log:
    """The later of two acts begins before the earlier one and ends between its beginning and its end."""
    start, end = float(str(one["t_start"])), float(str(one["t_end"]))
    other["t_start"], other["t_end"] = start - 0.01, (start + end) / 2
    return log


def hardly_fanned(log: Log) -> Log:
    """What looks like a fan of one chip comes before the first stake is taken."""
    first = min(log.all("chips_collected"), key=lambda event: float(str(event["t_start"])))
    fan = log.insert_after(first, "chips_fanned", owner="wager", at=first["at"], kind="original", cents=500, p=0.45)
    start = float(str(first["t_start"]))
    fan |= {"t_start": start - 0.2, "t_end": start - 0.1}
    return log


def kept_in_hand(stakes: int) -> Log:
    """A bust's stake goes to the tray, then a loser's, or it stays in the hand; what they came to is not known."""
    log = hand_out("Th Td 5d 7d 6s 9c 8c Tc Kh", {2: 1000, 4: 500, 5: 500}, "hit")
    taken, trayed = log.all("chips_collected"), log.all("chips_to_tray")
    assert len(taken) == len(trayed) == 2
    for event in (*taken, *trayed):
        log.change(event, cents=None)
    return log.drop(*trayed[1:]) if stakes == 2 else log


def place_of(log: Log, n: int) -> dict[str, object]:
    return log.all("card_dealt")[n]


PAYOFF: list[Case] = [
    ("ND-08-11.16.a-fan-wager", win, "pass"),
    ("ND-08-11.16.a-fan-wager", lambda: dropping(win(), "chips_fanned", owner="wager"), "violation"),
    ("ND-08-11.16.a-fan-wager", lambda: dropping(hand_out("Th 7d 9s Tc", {2: 2500}), "chips_fanned", owner="wager"),
        "pass"),
    ("ND-08-11.16.a-fan-wager", lambda: dropping(win(video_surveillance="absent"), "chips_fanned"), "not_applicable"),
    ("ND-08-11.16.a-fan-wager", lambda: dropping(win(video_surveillance=None), "chips_fanned", owner="wager"),
        "undetermined"),
    ("ND-08-11.16.a-fan-wager", lambda: changing(win(), "chips_fanned", {"p": 0.2}, owner="wager"), "undetermined"),
    ("ND-08-11.16.a-fan-payoff", win, "pass"),
    ("ND-08-11.16.a-fan-payoff", lambda: dropping(win(), "chips_fanned", owner="payoff"), "violation"),
    ("ND-08-11.16.a-fan-payoff", lambda: (g := win()).move_after(
        g.one("chips_fanned", owner="payoff"), g.one("hands_clear")), "violation"),
    ("ND-08-11.16.a-fan-payoff", lambda: changing(win(), "chips_fanned", {"occluded": True}, owner="payoff"),
        "undetermined"),
    ("ND-08-11.16.a-hands-away", lambda: dropping(win(), "hands_clear"), "violation"),
    ("ND-08-11.16.a-hands-away", win, "pass"),
    ("ND-08-11.16.a-hands-away", win_then_loss, "pass"),
    ("ND-08-11.16.a-hands-away", lambda: (g := win_then_loss()).move_after(
        g.one("hands_clear"), g.all("chips_collected")[-1]), "undetermined"),
    ("ND-08-11.16.a-hands-away", lambda: (g := win_then_loss()).change(
        g.all("chips_collected")[-1], t_start=g.one("hands_clear")["t_start"] - 0.2), "undetermined"),
    ("ND-08-11.16.a-fan-hand", lambda: changing(win(), "chips_fanned", {"hand": "right"}, owner="wager"), "violation"),
    ("ND-08-11.16.a-fan-hand", lambda: changing(win(), "chips_fanned", {"hand": "unknown"}, owner="wager"),
        "undetermined"),
    ("ND-08-11.16.a-fan-hand", lambda: changing(win(), "chips_fanned", {"hand": None}, owner="wager"),
        "not_assessed"),
    ("ND-08-11.16.a-fan-hand", lambda: win(payoff_fan_hand="right"), "pass"),
    ("ND-08-11.16.a-fan-direction", lambda: changing(win(), "chips_fanned", {"direction": "player"}), "violation"),
    ("ND-08-11.16.a-sets-of-five", lambda: changing(win(), "chips_fanned", {"set_sizes": [6]}), "violation"),
    ("ND-08-11.16.a-right-hand-take", lambda: changing(win(), "chips_from_tray", {"hand": "left"}), "violation"),
    ("ND-08-11.16.a-right-hand-take", win, "pass"),
    ("ND-08-11.16-hand-by-hand", two_wins, "pass"),
    ("ND-08-11.16-hand-by-hand", lambda: (g := two_wins()).change(g.all("chips_from_tray")[0], cents=2000,
        chips=None).drop(
        g.all("chips_from_tray")[1]), "violation"),
    ("ND-08-11.16.a-one-stack-exception", lambda: dropping(
        hand_out("5h 7d 6s Tc Th", {2: 1000}, "double"), "chips_fanned", owner="wager", kind="double"), "violation"),
    ("ND-08-11.16.a-one-stack-exception", lambda: dropping(
        hand_out("5h 7d 6s Tc Th", {2: 1000}, "double", pit_boss_on_duty=True), "chips_fanned", owner="wager",
            kind="double"),
     "pass"),
    ("ND-08-11.16.a-tip-reposition", tip_win, "pass"),
    ("ND-08-11.16.a-tip-reposition", lambda: dropping(tip_win(), "wager_moved"), "violation"),
    ("ND-08-11.16.a-tip-reposition", lambda: changing(tip_win(), "wager_moved", {"hand": "right"}), "violation"),
    ("ND-08-11.16.a-tip-reposition", lambda: tip_win(tips_fanned_after=True), "pass"),
    ("ND-08-11.16.b-tip-beside-fan", lambda: dropping(tip_win(), "chips_fanned", owner="tip_payoff"), "violation"),
    ("ND-08-11.16.b-tip-deposit-last", tip_win, "pass"),
    ("ND-08-11.16.b-tip-deposit-last", lambda: (g := tip_win()).move_after(
        g.one("tip_deposited"), g.all("hands_clear")[-1]), "violation"),
    ("ND-08-11.16.b-tips-after-hands", tip_win, "pass"),
]  # fmt: skip

ORDER: list[Case] = [
    ("ND-08-11.13-settle-right-to-left", two_losses, "pass"),
    ("ND-08-11.13-settle-right-to-left", lambda: swap_times(
        g := two_losses(), *g.all("chips_collected")), "violation"),
    ("ND-08-11.13-settle-right-to-left", lambda: overlapping(
        g := two_losses(), *g.all("chips_collected")), "undetermined"),
    ("ND-08-11.13-tray-before-pay", lambda: dropping(hand_out("Th Td Kd 9s 5c 7c", {2: 1000, 4: 500}), "chips_to_tray"),
     "violation"),
    ("ND-08-11.13-tray-before-pay", lambda: hand_out("Th Td Kd 9s 5c 7c", {2: 1000, 4: 500}), "pass"),
    ("ND-08-11.13-tray-before-pay", lambda: changing(
        hand_out("Th Td Kd 9s 5c 7c", {2: 1000, 4: 500}), "chips_to_tray", {"cents": 300}), "violation"),
    ("ND-08-11.13-tray-before-pay", lambda: kept_in_hand(1), "undetermined"),
    ("ND-08-11.13-tray-before-pay", lambda: kept_in_hand(2), "violation"),
    ("ND-08-11.13-tap-push", lambda: dropping(hand_out("Th Kd 7s 7c", {2: 1000}), "push_tapped"), "violation"),
    ("ND-08-11.13-tap-push", lambda: hand_out("Th Kd 7s 7c", {2: 1000}), "pass"),
    ("ND-08-11.17-pickup-order", two_losses, "pass"),
    ("ND-08-11.17-pickup-order", lambda: swap_times(g := two_losses(), *g.all("cards_collected")[:2]), "violation"),
    ("ND-08-11.17-pickup-order", lambda: overlapping(g := two_losses(), *g.all("cards_collected")[:2]), "undetermined"),
    ("ND-08-11.17-dealer-cards-last", lambda: swap_times(
        g := two_losses(), *g.all("cards_collected")[1:3]), "violation"),
    ("ND-08-11.13-cards-after-settlement", lambda: (g := two_losses()).move_after(
        g.one("cards_collected", **{"from": "space:4"}), g.one("card_revealed")), "violation"),
    ("ND-08-11.13-sweep-one-hand", lambda: changing(two_losses(), "chips_collected", {"hand": "both"}), "violation"),
    ("ND-08-11.13-hand-by-hand", lambda: changing(
        hand_out("Th Kd 6s Tc", {2: 1000}, sweep_or_hand_by_hand="hand_by_hand"), "chips_collected", {"hand": "left"}),
     "violation"),
    ("ND-08-11.6-bust-collect-now", bust, "pass"),
    ("ND-08-11.6-bust-collect-now", lambda: (g := bust()).move_after(
        g.one("chips_collected", at="space:2", kind="original"), g.one("card_revealed")), "violation"),
    ("ND-08-11.6-bust-cards-discard", lambda: (g := bust()).move_after(
        g.one("cards_collected", **{"from": "space:2"}), g.one("card_revealed")), "violation"),
    ("ND-08-11.8-bust-hold-cards", held_bust, "pass"),
    ("ND-08-11.8-bust-hold-cards", lambda: (g := held_bust()).move_after(
        g.one("cards_collected", **{"from": "space:2"}), g.one("cards_moved")), "violation"),
    ("ND-08-11.8-bust-hold-chips", lambda: (g := held_bust()).move_after(
        g.one("chips_collected", at="space:2", kind="double"), g.one("cards_moved")), "violation"),
]  # fmt: skip

PLAY: list[Case] = [
    ("ND-08-10.1.a-order", two_losses, "pass"),
    ("ND-08-10.1.a-order", lambda: swap_times(g := two_losses(), place_of(g, 0), place_of(g, 1)), "violation"),
    ("ND-08-10.1.a-order", lambda: unseen_apart(g := two_losses(), place_of(g, 0), place_of(g, 1)), "undetermined"),
    ("ND-08-10.2-start-left", lambda: swap_times(g := two_losses(), place_of(g, 0), place_of(g, 1)), "violation"),
    ("ND-08-10.1.b-no-second-card-early", lambda: hand_out("Th 7d 9s Tc", {2: 1000}, dealing_method="no_hole_card"),
        "pass"),
    ("ND-08-10.1.b-no-second-card-early", lambda: (g := hand_out(
        "5h 7d 6s 7h Tc", {2: 1000}, "hit", dealing_method="no_hole_card")).move_after(
            g.all("card_dealt", to="dealer")[1], g.all("card_dealt", to="space:2")[1]), "violation"),
    ("ND-08-10.1-players-faceup", lambda: changing(two_losses(), "card_dealt", {"face": "down"}, to="space:4"),
        "violation"),
    ("ND-08-10.2-left-hand-draw", lambda: changing(two_losses(), "card_dealt", {"from_hand": "right"}), "violation"),
    ("ND-08-10.2-left-hand-draw", lambda: changing(
        hand_out("Th 7d 9s Tc", {2: 1000}, disabled_dealer=["D1"]), "card_dealt", {"from_hand": "right"}),
            "not_applicable"),
    ("ND-08-10.2-card-overlap", lambda: changing(hit_once(), "card_dealt", {"overlap": 0.5}, card="7h"), "violation"),
    ("ND-08-11.4-hand-signal-hit", hit_once, "pass"),
    ("ND-08-11.4-hand-signal-hit", lambda: dropping(hit_once(), "hand_signal", meaning="hit"), "violation"),
    ("ND-08-11.4-hand-signal-hit", lambda: changing(hit_once(), "hand_signal", {"p": 0.3}, meaning="hit"),
        "undetermined"),
    ("ND-08-11.4-hand-signal-bypass", hit_once, "pass"),
    ("ND-08-11.4-hand-signal-bypass", lambda: dropping(hit_once(), "hand_signal", at="space:4"), "violation"),
    ("ND-08-11.4-hand-signal-bypass", lambda: hand_out("Th 5d As Tc 9s", {2: 500}), "not_applicable"),
    ("ND-08-11.5-deal-as-requested", lambda: changing(hit_once(), "hand_signal", {"meaning": "hit"}, at="space:4"),
        "violation"),
    ("ND-08-11.2-no-card-touch", lambda: (g := win()).change(g.insert_after(
        g.one("hand_signal"), "touch", by="player", object="card", at="space:2", displaced=True)), "violation"),
    ("ND-08-11.2-no-card-touch", win, "pass"),
    ("ND-08-11.10.f-draw-to-17", lambda: (g := hand_out("Th 6d 9s Tc 4h", {2: 500})).drop(g.one("card_dealt",
        card="4h")),
     "violation"),
    ("ND-08-11.10.f-draw-to-17", lambda: hand_out("Th 6d 9s Tc 4h", {2: 500}), "pass"),
    ("ND-08-11.10.g-stand-17", win, "pass"),
    ("ND-08-11.10.g-stand-17", lambda: with_card(g := win(), "3h", "dealer", g.one("card_revealed")), "violation"),
    ("ND-08-11.10.g-stand-17", lambda: with_card(
        g := hand_out("Th 6d 9s Ac", {2: 500}), "3h", "dealer", g.one("card_revealed")), "violation"),
    ("ND-08-11.10.g-soft17-option", lambda: hand_out("Th 6d 9s Ac 4h", {2: 500}, hit_soft_17=True), "pass"),
    ("ND-08-11.9-all-bust-end-low", lambda: hand_out("Th 7d 6s Tc Kh", {2: 500}, "hit"), "pass"),
    ("ND-08-10.1.a-no-peek", lambda: (g := hit_once()).change(g.insert_after(
        g.one("hand_signal"), "hole_card_check", how="peek")), "violation"),
    ("ND-08-12.14-exposed-hole", lambda: (g := hit_once()).move_after(
        g.one("card_revealed"), g.all("card_dealt", to="dealer")[1]), "violation"),
    ("ND-08-10.3.a-reader-timing", lambda: hand_out("Th Kd 9s 7c", {2: 500}, dealing_method="hole_card_reader"),
        "pass"),
    ("ND-08-10.3.a-reader-timing", lambda: dropping(
        hand_out("Th Kd 9s 7c", {2: 500}, dealing_method="hole_card_reader"), "hole_card_check"), "violation"),
    ("ND-08-08.3-burn-first-card", lambda: after_shuffle(late=False), "violation"),
    ("ND-08-08.3-burn-first-card", lambda: after_shuffle(late=True), "not_applicable"),
    ("ND-08-12.13-late-burn", lambda: after_shuffle(late=True), "pass"),
    ("ND-08-08.3-burn-first-card", win, "pass"),
    ("ND-08-08.3-burn-not-shown", lambda: changing(win(), "card_burned", {"face_shown": True, "card": "4h"}),
        "violation"),
    ("ND-08-08.3-new-dealer-burn", win, "pass"),
    ("ND-08-08.1-offer-cut", lambda: dropping(win(), "cut"), "violation"),
    ("ND-08-08.1-offer-cut", lambda: changing(win(), "cut", {"occluded": True, "by": None, "p": 0.3}), "undetermined"),
    ("ND-08-08.1-offer-cut", win, "pass"),
    ("ND-08-08.1-cut-ten-cards", lambda: changing(win(), "cut", {"depth_cards": 4}), "violation"),
    ("ND-08-02.3-deck-count", lambda: hand_out("Th Th Th 7d Th 9s Tc", {2: 500, 3: 500, 5: 500}, deck_count=4), "pass"),
]  # fmt: skip

WAGERS: list[Case] = [
    ("ND-08-09.2-no-change-after-first-card", lambda: (g := win()).change(g.insert_after(
        g.all("card_dealt")[1], "wager_changed", kind="original", at="space:2", cents_before=1000, cents_after=2000)),
            "violation"),
    ("ND-08-09.2-no-change-after-first-card", lambda: (g := win()).change(g.insert_after(
        g.all("wager_placed")[0], "wager_changed", kind="original", at="space:2", cents_before=500,
            cents_after=1000)), "pass"),
    ("ND-08-09.2-no-change-after-first-card", lambda: (g := win()).change(g.insert_after(
        g.all("card_dealt")[1], "wager_changed", kind="original", at="space:2", cents_before=None, cents_after=None)),
     "undetermined"),
    ("ND-08-11.2-no-remove-chip", lambda: (g := win()).change(g.insert_after(
        g.all("card_dealt")[1], "wager_changed", kind="original", at="space:2", cents_before=None, cents_after=None)),
     "undetermined"),
    ("ND-08-09.2-original-before-cards", lambda: (g := win()).move_after(g.one("wager_placed"), place_of(g, 0)),
        "violation"),
    ("ND-08-09.1-excess-returned", lambda: hand_out("Th Kd 6s Tc", {2: 3000}), "violation"),
    ("ND-08-09.1-whole-dollar", lambda: hand_out("Th Kd 6s Tc", {2: 750}), "violation"),
    ("ND-08-09.1-whole-dollar", lambda: uncounted({"50": 1}), "violation"),
    ("ND-08-09.1-whole-dollar", lambda: uncounted({"50": 2}), "not_applicable"),
    ("ND-08-09.1-range-1-25", win, "pass"),
    ("ND-08-09.2.a-tip-permitted", lambda: tip_win(tip_betting="not_permitted"), "violation"),
    ("ND-08-09.2.a-tip-permitted", lambda: tip_win(tip_betting=None), "not_assessed"),
    ("ND-08-09.2.a-tip-range", lambda: tip_win(tip_bet_max=100), "violation"),
    ("ND-08-09.2.b-insurance-only-ace", lambda: hand_out("Th Ad 9s 7c", {2: 1000}, "insurance"), "pass"),
    ("ND-08-09.2.b-insurance-only-ace", lambda: changing(
        hand_out("Th Ad 9s 7c", {2: 1000}, "insurance"), "card_dealt", {"card": "Kd"}, to="dealer"), "violation"),
    ("ND-08-09.2.b-insurance-reposition", lambda: dropping(
        hand_out("Th Ad 9s 7c", {2: 1000}, "insurance"), "wager_moved"), "violation"),
    ("ND-08-09.2.c-split-eligible", split, "pass"),
    ("ND-08-09.2.c-split-eligible", lambda: changing(split(), "card_dealt", {"card": "7s"}, card="8s"), "violation"),
    ("ND-08-09.2.c-split-eligible", lambda: changing(split(), "card_dealt", {"card": "??"}, card="8s"), "undetermined"),
    ("ND-08-09.2.c-split-wager-equal", lambda: changing(split(), "wager_placed", {"cents": 500}, kind="split"),
        "violation"),
    ("ND-08-09.2.c-right-hand-first", split, "pass"),
    ("ND-08-09.2.c-split-aces-one", lambda: hand_out("Ah 7d As Tc Td 9h", {2: 1000}, "split"), "pass"),
    ("ND-08-09.2.d-double-eligible", lambda: hand_out("5h 7d 6s Tc Th", {2: 1000}, "double"), "pass"),
    ("ND-08-09.2.d-double-amount", lambda: changing(
        hand_out("5h 7d 6s Tc Th", {2: 1000}, "double"), "wager_placed", {"cents": 500}, kind="double"), "violation"),
    ("ND-08-09.2.d-double-amount", lambda: changing(hand_out(
        "5h 7d 6s Tc Th", {2: 1000}, "double", double_down_equal="equal_or_less"), "wager_placed", {"cents": 1100},
        kind="double"), "violation"),
    ("ND-08-09.2.d-one-card", lambda: with_card(g := hand_out("5h 7d 6s Tc Th", {2: 1000}, "double"), "2h", "space:2",
                                                g.one("card_dealt", card="Th")), "violation"),
    ("ND-08-11.3.b-double-card-angle", lambda: changing(
        hand_out("5h 7d 6s Tc Th", {2: 1000}, "double"), "card_dealt", {"angle": 5}, card="Th"), "violation"),
]  # fmt: skip

ALL = [*PAYOFF, *ORDER, *PLAY, *WAGERS]


@pytest.mark.parametrize(("clause", "log", "verdict"), ALL, ids=[f"{c[0]}-{c[2]}-{i}" for i, c in enumerate(ALL)])
def test_clause(clause: str, log: Callable[[], Log], verdict: str, keep: Keep) -> None:
    report = log().judge()
    keep(report)
    assert row(report, clause) == verdict, [(f.verdict, f.clause, f.observed) for f in report.findings]
    if verdict == "violation":
        assert clause in named(report)
        assert all(f.expected and f.observed and f.cite for f in report.findings)
    if verdict in ("pass", "not_applicable"):
        assert not findings(report)


def test_the_opening_helpers_write_a_lawful_table() -> None:
    assert not opening(Log()).judge().findings


@pytest.mark.parametrize(("read", "there", "verdict"), [(0.6, 0.99, "violation"), (0.99, 0.6, "undetermined")])
def test_the_order_of_the_deal_does_not_rest_on_what_a_card_shows(read: float, there: float, verdict: str) -> None:
    log = two_losses()
    log.change(place_of(log, 0), p=round(read * there, 3), ranks={"T": read, "7": round(1.0 - read, 2)})
    swap_times(log, place_of(log, 0), place_of(log, 1))
    assert row(log.judge(video="0" * 64), "ND-08-10.1.a-order") == verdict


def test_the_order_of_settlement_rests_on_acts_that_were_surely_seen() -> None:
    log = hardly_fanned(swap_times(g := two_losses(), *g.all("chips_collected")))
    assert row(log.judge(video="0" * 64), "ND-08-11.13-settle-right-to-left") == "violation"


@pytest.mark.parametrize(
    ("overlap", "video", "verdict"),
    [
        (0.26, "0" * 64, "pass"), (0.29, "0" * 64, "undetermined"), (0.29, None, "violation"),
        (0.36, "0" * 64, "violation"),
    ],
)  # fmt: skip
def test_a_share_that_a_look_may_be_off_by_accuses_nobody(overlap: float, video: str | None, verdict: str) -> None:
    log = changing(hit_once(), "card_dealt", {"overlap": overlap}, card="7h")
    assert row(log.judge(video=video), "ND-08-10.2-card-overlap") == verdict
