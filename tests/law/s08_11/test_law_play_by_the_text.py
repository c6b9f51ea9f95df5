"""Play and settlement judged from logs that were written from the text alone: kept, broken, and not to be told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from law_build import Log, findings, hand_out, row
from reports import Keep

Case = tuple[str, str, Callable[[], Log]]
FOUR_HANDS = "8h Td 8s Ac 8d 8c 3h Tc 3s Td Th 9d 2h Tc"


def later(log: Log, *records: dict[str, Any], after: dict[str, Any]) -> Log:
    """Moves records, as they follow each other, to after another one, and what comes then so much later."""
    start = after["t_end"]
    first, last = min(r["t_start"] for r in records), max(r["t_end"] for r in records)
    for record in log.records:
        if record["t_start"] >= start and record not in records:
            record["t_start"] += last - first + 1
            record["t_end"] += last - first + 1
    for record in records:
        record["t_start"] += start - first + 0.5
        record["t_end"] += start - first + 0.5
    return log


# Wagers that a dealer's natural makes void: all of each goes back


def void(cents: int | None, event: str = "chips_returned") -> Log:
    """Four hands against the dealer's natural, two of them doubled; of the first double so much is returned."""
    log = hand_out(FOUR_HANDS, {2: 1000}, "split split split double double hit")
    return log.change(log.one(event, kind="double"), cents=cents)


VOID: list[Case] = [
    ("11.10.e-void-split-double", "pass", lambda: void(1000)),
    ("11.10.e-void-split-double", "undetermined", lambda: void(None)),
    ("11.10.e-void-split-double", "violation", lambda: void(500)),
    ("11.10.e-void-split-double", "violation", lambda: void(1500)),
]


# Settlement from the dealer's right


RESPLIT = "8h 7d 8s Tc 8d Ts 2c 7c 3c 7h"
"""Three hands, of which the dealer's 17 loses to two and ties with the middle one."""


def resplit(places: str = "012", order: str = "210") -> Log:
    """A space whose first hand is split again.

    `places`: the hands' numbers in the log, as they lie from the dealer's left. `order`: the lying places as settled.
    """
    log = hand_out(RESPLIT, {2: 1000}, "split split stand hit stand hit stand")
    second = log.all("cards_moved", kind="split")[1]
    acts = [
        [
            r
            for r in log.records
            if r.get("at") == place and r["event"] in ("payoff_placed", "chips_fanned", "push_tapped")
        ]
        for place in ("space:2", "space:2/1", "space:2/2")
    ]
    by_number = {"space:2/1": f"space:2/{places[1]}", "space:2/2": f"space:2/{places[2]}"}
    for number in order:
        later(log, *acts[int(number)], after=max(log.records, key=lambda r: r["t_end"] * (r["event"] in _SETTLING)))
    for record in log.records[log.records.index(second) + 1 :]:
        record.update({k: by_number[record[k]] for k in ("to", "at", "from", "region") if record.get(k) in by_number})
    return log


_SETTLING = ("card_revealed", "payoff_placed", "chips_fanned", "push_tapped")
ORDER: list[Case] = [
    ("11.13-settle-right-to-left", "pass", resplit),
    ("11.13-settle-right-to-left", "violation", lambda: resplit(order="012")),
    ("11.13-settle-right-to-left", "undetermined", lambda: resplit(order="120")),
    ("11.13-settle-right-to-left", "undetermined", lambda: resplit(places="021")),
    ("11.13-settle-right-to-left", "violation", lambda: resplit(places="021", order="012")),
]


# A tap at each tie


def ties(*kept: int) -> Log:
    """A space of two hands that both tie; the table is tapped for some of them, the hand at the right first."""
    log = hand_out("8h Td 8s 8c Ts Td", {2: 1000}, "split")
    taps = log.all("push_tapped")
    return log.drop(*(tap for i, tap in enumerate(taps) if i not in kept))


TAPS: list[Case] = [
    ("11.13-tap-push", "pass", lambda: ties(0, 1)),
    ("11.13-tap-push", "violation", lambda: ties(0)),
    ("11.13-tap-push", "violation", lambda: ties(1)),
    ("11.13-tap-push", "violation", ties),
]


# Cards stay until all is collected and paid, tips too


def tip(act: str, late: bool) -> Log:
    """A tip of space 1 that wins, one of space 3 that loses; `act`, of a tip, comes only after the pick-up."""
    log = hand_out("Th Tc 9h 9c 6d 8d", {1: (500, 100), 3: (500, 200)})
    records = log.all(act, kind="tip")
    if act == "payoff_placed":
        records += log.all("chips_from_tray", cents=100) + log.all("chips_fanned", owner="tip_payoff")
    return later(log, *records, after=log.all("cards_collected")[-1]) if late else log


LATE: list[Case] = [
    ("11.13-cards-after-settlement", "pass", lambda: tip("payoff_placed", late=False)),
    ("11.13-cards-after-settlement", "violation", lambda: tip("payoff_placed", late=True)),
    ("11.13-cards-after-settlement", "violation", lambda: tip("chips_collected", late=True)),
]


# Held busts: with which hand, and hand by hand


def held(up: str, *, option: str = "hand_by_hand", hand: str = "right", together: bool = False) -> Log:
    """Spaces 2 and 4 double and bust against an ace or ten; the stakes of space 4 are collected with `hand`.

    `together`: its cards are picked up only when the chips of both lie in the tray.
    """
    log = hand_out(f"8h 9d {up} 4s 4c 9h Ks Kd", {2: 1000, 4: 500}, "double double", sweep_or_hand_by_hand=option)
    for taken in log.all("chips_collected", at="space:4"):
        log.change(taken, hand=hand)
    if together:
        log.move_after(log.one("cards_collected", **{"from": "space:4"}), log.all("chips_to_tray")[-1])
    return log


HELD: list[Case] = [
    ("11.10.a-hand-by-hand-option", "pass", lambda: held("Ad")),
    ("11.10.a-hand-by-hand-option", "violation", lambda: held("Ad", hand="left")),
    ("11.10.a-hand-by-hand-option", "undetermined", lambda: held("Ad", hand="unknown")),
    ("11.10.a-hand-by-hand-option", "violation", lambda: held("Ad", together=True)),
    ("11.10.a-one-hand-sweep", "pass", lambda: held("Ad", option="sweep", hand="left")),
    ("11.10.a-one-hand-sweep", "violation", lambda: held("Ad", option="sweep", hand="both")),
    ("11.10.a-one-hand-sweep", "not_applicable", lambda: held("Td", option="sweep", hand="both")),
    ("11.10.b-busted-collect", "pass", lambda: held("Td")),
    ("11.10.b-busted-collect", "violation", lambda: held("Td", together=True)),
    ("11.10.b-busted-collect", "violation", lambda: held("Td", option="sweep", hand="both")),
    ("11.10.b-busted-collect", "pass", lambda: held("Td", option="sweep", together=True)),
]


# A dealer over 21 pays no hand that was over 21 before


def over(paid: bool) -> Log:
    """Space 2 doubled and went over 21 before the dealer did; space 4 stood."""
    log = hand_out("8h 9d Td 4s 4c 6h Ks Qd", {2: 1000, 4: 500}, "double stand")
    taken = [*log.all("chips_collected"), *log.all("chips_to_tray")]
    for kind in ("original", "double") if paid else ():
        log.insert_after(log.all("payoff_placed")[-1], "payoff_placed", kind=kind, at="space:2", cents=1000)
    return log.drop(*taken) if paid else log


OVER: list[Case] = [
    ("11.10.h-bust-pays-active", "pass", lambda: over(paid=False)),
    ("11.10.h-bust-pays-active", "violation", lambda: over(paid=True)),
]


ALL = [*VOID, *ORDER, *TAPS, *LATE, *HELD, *OVER]


@pytest.mark.parametrize(("clause", "verdict", "make"), ALL, ids=[f"{c[0]}-{c[1]}-{i}" for i, c in enumerate(ALL)])
def test_clause(clause: str, verdict: str, make: Callable[[], Log], keep: Keep) -> None:
    report = make().judge()
    keep(report)
    assert row(report, f"ND-08-{clause}") == verdict, [(f.verdict, f.clause, f.observed) for f in report.findings]


@pytest.mark.parametrize(("clause", "make"), [
    ("11.10.e-void-split-double", lambda: void(500)),
    ("11.13-tap-push", lambda: ties(1)),
])  # fmt: skip
def test_what_a_recording_may_have_missed_accuses_nobody(clause: str, make: Callable[[], Log]) -> None:
    assert row(make().judge(video="0" * 64), f"ND-08-{clause}") == "undetermined"


def test_a_hit_card_that_lies_face_down_is_one_finding() -> None:
    log = hand_out("5h Jd 8s 6c 7h Td 7s", {2: 1000, 4: 700}, "hit")
    (found,) = findings(log.change(log.one("card_dealt", card="7s"), face="down").judge())
    assert (found.clause, found.also) == ("ND-08-11.5-deal-as-requested", ["ND-08-10.1-players-faceup"])
