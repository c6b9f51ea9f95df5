"""Second reading by a stranger: deviations that were missed and lawful play that was not, each by its clause."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from law_build import Log, hand_out, named

PLAIN: dict[int, Any] = {2: 1000, 4: 700}
CARDS = "Th Jd 8s 9c 7h Td"
"""Space 2 has 19, space 4 has 17, the dealer 8-10 = 18."""
SEGMENT: dict[str, Any] = {
    "start": "2026-11-02T18:00:00", "end": "2026-11-02T23:00:00", "fps": 30.0, "dropped_frames": 0, "clock_gaps": [],
    "recorder_id": "R1", "sha256": "0" * 64, "colour": True,
}  # fmt: skip


def plain(**house: Any) -> Log:
    return hand_out(CARDS, PLAIN, **house)


def face_in_the_mouth(burned: bool) -> Log:
    log = plain()
    first = log.all("card_dealt")[0]
    shown = log.insert_after(first, "card_revealed", card="Kh", at="shoe", how="shoe_mouth", round=None)
    shown |= {"t_start": first["t_start"] - 0.06, "t_end": first["t_start"] - 0.05}
    if burned:
        burn = log.insert_after(first, "card_burned", card="Kh", face_shown=True, reason="face_up", round=None)
        burn |= {"t_start": first["t_start"] - 0.04, "t_end": first["t_start"] - 0.03}
    return log


def lawful_wager_sent_back() -> Log:
    log = plain()
    placed = log.one("wager_placed", at="space:4")
    other = log.insert_after(
        placed, "wager_placed", kind="original", at="space:6", cents=600, chips={"500": 1, "100": 1}
    )
    other |= {"t_start": placed["t_start"] + 0.01, "t_end": placed["t_end"] + 0.01}
    back = log.insert_after(other, "chips_returned", kind="original", at="space:6", cents=600, reason="void")
    back |= {"t_start": other["t_end"] + 0.01, "t_end": other["t_end"] + 0.02}
    return log


def recorded(resolution: list[int]) -> Log:
    log = plain()
    first = log.one("wager_placed", at="space:2")
    segment = log.insert_after(first, "recording_segment", resolution=resolution, **SEGMENT)
    segment |= {"round": None, "t_start": first["t_start"] - 0.2, "t_end": first["t_start"] - 0.1}
    return log


def tips_exchanged() -> Log:
    log = plain()
    for step in ("emptied", "placed_left", "fanned_in", "taken", "placed_right", "fanned_out", "to_tray"):
        log.add("tip_exchange", step=step, cents=500, round=None)
    log.add("tip_exchange", step="to_receptacle", cents=500, round=None)
    log.add("tip_deposited", cents=500, round=None)
    return log


def next_wager_fanned_first() -> Log:
    """Spaces 2 and 4 win; the wager of space 2 is fanned before space 4 was paid."""
    log = hand_out("Th Jd 8s 9c 9d 9h", PLAIN)
    fan = log.one("chips_fanned", owner="wager", at="space:2")
    log.drop(fan)
    first = log.one("chips_fanned", owner="wager", at="space:4")
    again = log.insert_after(first, **{k: v for k, v in fan.items() if k not in ("id", "t_start", "t_end")})
    again |= {"t_start": first["t_end"] + 0.01, "t_end": first["t_end"] + 0.02}
    return log


def to_the_shoe() -> Log:
    log = plain()
    return log.change(log.one("cards_collected", **{"from": "space:2"}), to="shoe")


DEVIATIONS: list[tuple[str, Callable[[], Log]]] = [
    ("ND-08-08.2-load-facedown", lambda: face_in_the_mouth(False)),
    ("ND-08-09.1-one-dollar-increments", lawful_wager_sent_back),
    ("ND-08-04.1.b-hires-colour", lambda: recorded([320, 240])),
    ("ND-08-11.16-hand-by-hand", next_wager_fanned_first),
    ("ND-08-11.17-reconstructable", to_the_shoe),
]
LAWFUL: list[tuple[str, Callable[[], Log]]] = [
    ("ND-08-08.2-load-facedown", lambda: face_in_the_mouth(True)),
    ("ND-08-04.1.b-hires-colour", lambda: recorded([1280, 720])),
    ("ND-08-09.2.a-tip-lose", tips_exchanged),
]


@pytest.mark.parametrize(("clause", "make"), DEVIATIONS, ids=[c for c, _ in DEVIATIONS])
def test_a_deviation_is_reported_under_its_clause(clause: str, make: Callable[[], Log]) -> None:
    assert clause in named(make().judge())


@pytest.mark.parametrize(("clause", "make"), LAWFUL, ids=[c for c, _ in LAWFUL])
def test_its_lawful_twin_is_not(clause: str, make: Callable[[], Log]) -> None:
    assert clause not in named(make().judge())
