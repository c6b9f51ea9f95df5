"""Logs as a stranger writes them from the law's text alone: what each deviation is called, and what is no deviation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from law_build import Log, findings, hand_out, named, play_on

PLAIN: dict[int, Any] = {2: 1000, 4: 700}
CARDS = "Th Jd 8s 9c 7h Td"
"""Space 2 has 19, space 4 has 17, the dealer 8-10 = 18."""
SHOWN = {
    "left_palm": True, "left_back": True, "right_palm": True, "right_back": True, "fingers_extended": True,
}  # fmt: skip


def plain(**house: Any) -> Log:
    return hand_out(CARDS, PLAIN, **house)


def turned_before_decisions() -> Log:
    log = plain()
    first = log.one("hand_signal")
    turned = log.one("card_revealed")
    turned |= {"t_start": first["t_start"] - 0.2, "t_end": first["t_start"] - 0.1}
    return log


def second_before_decisions() -> Log:
    log = plain(dealing_method="no_hole_card")
    first, second = log.one("hand_signal"), log.all("card_dealt", to="dealer")[1]
    second |= {"t_start": first["t_start"] - 0.2, "t_end": first["t_start"] - 0.1}
    return log


def second_before_a_weak_decision() -> Log:
    """What the first player did then is hardly seen, what the next one did is."""
    log = second_before_decisions()
    log.one("hand_signal")["p"] = 0.6
    return log


def without_a_hole_card() -> Log:
    log = plain(dealing_method="no_hole_card")
    log.house["dealing_method"] = "hole_card_no_peek"
    return log


def reader_after_a_signal() -> Log:
    log = hand_out("Th Jd Ks 9c 7h 8d", PLAIN, dealing_method="hole_card_reader")
    log.move_after(log.one("hole_card_check"), log.one("hand_signal"))
    return log


def hit_passed_over() -> Log:
    log = plain()
    stand = log.one("hand_signal", at="space:2")
    asked = log.insert_after(stand, "hand_signal", at="space:2", meaning="hit")
    asked |= {"t_start": stand["t_start"] - 0.2, "t_end": stand["t_start"] - 0.1}
    return log


def hit_or_stand() -> Log:
    """One gesture that may have been either, told as both."""
    log = hit_passed_over()
    asked, stand = log.all("hand_signal", at="space:2")[-2:]
    if asked["meaning"] != "hit":
        asked, stand = stand, asked
    asked["t_end"] = stand["t_end"]
    return log


def exchange(**steps: int) -> Log:
    log = plain()
    for step in ("emptied", "placed_left", "fanned_in", "taken", "placed_right", "fanned_out"):
        log.add("tip_exchange", step=step, cents=steps.get(step, 2000))
    log.add("hands_clear", region="inner", duration=1.0)
    for step in ("to_tray", "to_receptacle"):
        log.add("tip_exchange", step=step, cents=steps.get(step, 2000))
    log.add("hands_shown", **SHOWN)
    log.add("tip_receptacle_taken")
    log.add("dealer_shift", phase="end")
    return log


def taken_before_fanned() -> Log:
    log = exchange()
    log.move_after(log.one("tip_exchange", step="taken"), log.one("tip_exchange", step="placed_left"))
    return log


def odd_payoff_chip() -> Log:
    log = plain()
    log.change(log.one("payoff_placed"), chips={"1000": 1})
    return log


def not_pushed() -> Log:
    log = plain()
    log.add("currency_spread", bills={"2000": 1}, cents=2000, face_down=True)
    log.add("hands_clear", region="inner", duration=1.0)
    log.add("chips_from_tray", cents=2000, hand="right", origin="buy_in")
    log.add("currency_dropped", what="currency", cents=2000)
    play_on(log, "Tc Kd 6s Td", {2: 1000})
    return log


def exchange_not_fanned() -> Log:
    log = plain()
    log.add("chips_received", at="space:2", cents=2500, chips={"2500": 1})
    log.add("hands_clear", region="inner", duration=1.0)
    log.add("chips_from_tray", cents=2500, chips={"500": 5})
    log.add("hands_clear", region="inner", duration=1.0)
    log.add("chips_pushed", at="space:2", cents=2500, reason="exchange")
    log.add("chips_to_tray", cents=2500)
    play_on(log, "Tc Kd 6s Td", {2: 1000})
    return log


def coloured_up(leaves: bool) -> Log:
    log = plain()
    log.add("chips_received", at="space:2", cents=2500, chips={"500": 5})
    log.add("chips_fanned", owner="exchange_in", at="inner", cents=2500)
    log.add("hands_clear", region="inner", duration=1.0)
    log.add("chips_from_tray", cents=2500, chips={"2500": 1})
    log.add("hands_clear", region="inner", duration=1.0)
    log.add("chips_pushed", at="space:2", cents=2500, reason="exchange")
    log.add("chips_to_tray", cents=2500)
    if leaves:
        log.add("player_presence", phase="leave", spaces=[2])
    return log


def moved_to_another_space() -> Log:
    log = plain()
    log.insert_after(log.all("card_dealt")[5], "cards_moved", kind="turn_down", **{"from": "space:2", "to": "space:4"})
    return log


def swept() -> Log:
    log = plain(sweep_or_hand_by_hand="hand_by_hand")
    for record in log.all("chips_collected"):
        record |= {"mode": "sweep", "hand": "right"}
    return log


def dealt_unshuffled() -> Log:
    log = plain()
    log.drop(*log.all("shuffle"), *log.all("cut"))
    log.insert_after(log.one("dealer_shift"), "cards_inspected", action="spread", decks=6)
    return log


def segments(**second: Any) -> Log:
    log = plain()
    whole = {"recorder_id": "R1", "fps": 30.0, "dropped_frames": 0, "start": "2026-11-02T19:00:00"}
    log.add("recording_segment", **{**whole, "end": "2026-11-02T20:00:00"})
    log.add("recording_segment", **{**whole, "start": "2026-11-02T20:00:00", "end": "2026-11-02T21:00:00", **second})
    return log


def viewed(orientation: str) -> Log:
    log = plain()
    log.add("view_check", orientation=orientation)
    return log


VIOLATIONS: list[tuple[str, int | None, Callable[[], Log]]] = [
    ("12.14-exposed-hole", 1, turned_before_decisions),
    ("11.10-reveal-hole", 1, turned_before_decisions),
    ("10.1.b-no-second-card-early", 1, second_before_decisions),
    ("10.1.b-no-second-card-early", 1, second_before_a_weak_decision),
    ("11.10-draw-second", 1, second_before_decisions),
    ("10.1-one-method", 1, without_a_hole_card),
    ("10.3.a-reader-timing", 1, reader_after_a_signal),
    ("11.5-deal-as-requested", 1, hit_passed_over),
    ("11.18.b-equal-value", None, lambda: exchange(taken=2500)),
    ("11.18.b-equal-value", None, lambda: exchange(to_tray=1500)),
    ("11.18.b-fan-exchanged-only", None, taken_before_fanned),
    ("03.1-chip-values", 1, odd_payoff_chip),
    ("07.3.b-restack-push", None, not_pushed),
    ("07.3.c-exchange-equal", None, exchange_not_fanned),
    ("11.19-colour-up-policy", None, lambda: coloured_up(leaves=True)),
    ("11.2-no-switch-card", 1, moved_to_another_space),
    ("11.13-hand-by-hand", 1, swept),
    ("07.1-shuffle-after-review", None, dealt_unshuffled),
    ("02.3-deck-count", None, lambda: plain(deck_count=5)),
    ("04.4.b-continue-to-close", None, lambda: segments(start="2026-11-02T20:30:00")),
    ("04.1.a-no-time-lapse", None, lambda: segments(fps=1.0)),
    ("04.1.a-real-time", None, lambda: segments(dropped_frames=20000)),
    ("04.1.b-dealer-perspective", None, lambda: viewed("rotated_180")),
]  # fmt: skip


@pytest.mark.parametrize(("clause", "round_", "log"), VIOLATIONS, ids=[f"{c[0]}-{i}" for i, c in enumerate(VIOLATIONS)])
def test_a_planted_deviation_is_named_in_its_round(clause: str, round_: int | None, log: Callable[[], Log]) -> None:
    found = findings(log().judge())
    hits = [f for f in found if f"ND-08-{clause}" in (f.clause, *f.also)]
    assert hits, [(f.clause, f.observed) for f in found]
    assert round_ is None or {f.round for f in hits} == {round_}


def relieved_before_leaving() -> Log:
    """The next dealer comes and exchanges the tips; then the first shows the hands and leaves (11(18)(b))."""
    log = plain()
    log.add("dealer_shift", phase="start", dealer="D2")
    log.add("hands_shown", **SHOWN)
    log.add("tip_receptacle_taken")
    log.add("dealer_shift", phase="end")
    log.dealer = "D2"
    log.add("card_burned", card="??", face_shown=False)
    play_on(log, "Tc Kd 6s Td", {2: 1000})
    return log


def burned_in_play() -> Log:
    """A card exposed in error is burned amid the round and lay open (12(8)); the writer names no reason."""
    log = plain()
    log.insert_after(log.one("hand_signal"), "card_burned", card="4c", face_shown=True)
    return log


def brushed() -> Log:
    log = plain()
    log.insert_after(log.one("hand_signal"), "touch", by="player", object="card", at="space:2", displaced=False)
    return log


def wager_taken_back() -> Log:
    """A wager goes back to the player before any card; the space plays no part in the round."""
    log = plain()
    wager = log.insert_after(log.all("wager_placed")[1], "wager_placed", kind="original", at="space:6", cents=500)
    log.insert_after(wager, "chips_returned", kind="original", at="space:6", cents=500, reason="error")
    return log


def insurance_fan_without_kind() -> Log:
    """The fan of a winning insurance bet need not name its kind; it tells nothing of the original wager."""
    log = hand_out("Th Jd As 9c 7h Kd", {2: 1000, 4: 700}, "insurance")
    assert log.all("payoff_placed", kind="insurance")
    for record in log.all("chips_fanned"):
        record.pop("kind", None)
    return log


def only_card_burned_of_two_alike() -> Log:
    """Two spaces got the same card; the one that had only that card has it burned (12(2))."""
    log = hand_out("Th Th 8s 9c 7h Td", PLAIN)
    log.drop(*log.all("card_dealt", card="9c"), *log.all("hand_signal", at="space:2"))
    log.drop(*[r for r in log.records if r.get("at") == "space:2" and r["event"] != "wager_placed"])
    log.drop(*log.all("chips_from_tray"), *log.all("hands_clear", region="space:2"))
    log.drop(*log.all("cards_collected", **{"from": "space:2"}))
    for number, card in enumerate(log.all("card_dealt"), start=1):
        card["seq"] = number
    log.insert_after(log.all("card_dealt")[-1], "card_burned", card="Th", face_shown=True)
    return log


LAWFUL: list[Callable[[], Log]] = [
    relieved_before_leaving, burned_in_play, brushed, wager_taken_back, insurance_fan_without_kind,
    only_card_burned_of_two_alike, lambda: coloured_up(leaves=False), segments, exchange, hit_or_stand,
]  # fmt: skip


@pytest.mark.parametrize("log", LAWFUL, ids=[getattr(f, "__name__", str(i)) for i, f in enumerate(LAWFUL)])
def test_lawful_play_in_a_strangers_words_is_no_violation(log: Callable[[], Log]) -> None:
    found = findings(log().judge())
    assert not found, [(f.clause, f.observed) for f in found]


def soft_17_of_three() -> Log:
    log = hand_out("Th As 9c 2d 4h", {2: 1000}, hit_soft_17=True)
    log.insert_after(log.one("card_dealt", card="4h"), "card_dealt", card="Kd", to="dealer", face="up", seq=6)
    return log


def hidden_at_the_limit() -> Log:
    log = hand_out("Th Jd 8s 7c 7h Td", {2: 2500, 4: 700})
    log.change(log.one("wager_placed"), lower_bound=True)
    return log


def hole_never_turned() -> Log:
    return (log := plain()).drop(*log.all("card_revealed"))


OPEN: list[tuple[str, Callable[[], Log]]] = [
    ("11.10.g-soft17-option", soft_17_of_three),
    ("09.1-range-1-25", hidden_at_the_limit),
    ("11.10-reveal-hole", hole_never_turned),
]


@pytest.mark.parametrize(("clause", "log"), OPEN, ids=[c[0] for c in OPEN])
def test_what_the_log_does_not_show_stays_open(clause: str, log: Callable[[], Log]) -> None:
    report = log().judge()
    assert f"ND-08-{clause}" in named(report, "undetermined")
    assert f"ND-08-{clause}" not in named(report)


def test_a_card_whose_record_is_missing_accuses_nobody() -> None:
    """The cards' numbers tell that one is missing: what follows from the cards is left open."""
    for index in range(1, 5):
        log = plain()
        cards = log.all("card_dealt")
        log.drop(cards[index])
        about_cards = [f for f in findings(log.judge()) if any(e in {c["id"] for c in cards} for e in f.events)]
        assert not about_cards, (index, [(f.clause, f.observed) for f in about_cards])
