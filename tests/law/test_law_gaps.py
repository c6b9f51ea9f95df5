"""What a log lacks because nothing was recorded accuses nobody; what it lacks although all was recorded does."""

from __future__ import annotations

from typing import Any

import pytest
from law_build import Log, findings, hand_out, named, opening, play_on, row

from verifier.domain.findings import FindingsReport

STAKES: dict[int, Any] = {2: 1000, 4: 700}
CARDS = "Th Jd 8s 9c 7h Td"
"""Space 2 has 19, space 4 has 17, the dealer 8-10 = 18."""
DOUBLED = "6h Kd 5s Ac 9d"
"""Space 2 doubles 6-5 against K-A, a dealer natural."""
SEGMENT = {"recorder_id": "R1", "fps": 30.0, "dropped_frames": 0, "colour": True}


def three_rounds() -> Log:
    log = hand_out(CARDS, STAKES)
    play_on(log, CARDS, STAKES)
    play_on(log, CARDS, STAKES)
    for number, card in enumerate(log.all("card_dealt"), start=1):
        card["seq"] = number
    return log


def without(log: Log, *events: str) -> Log:
    """The second round without records of these kinds."""
    return log.drop(*(r for r in log.records if r["round"] == 2 and r["event"] in events))


SETTLEMENT = ("chips_collected", "chips_to_tray", "chips_fanned", "chips_from_tray", "payoff_placed", "hands_clear")


def segment(log: Log, start: str, end: str, after: dict[str, Any]) -> None:
    log.insert_after(after, "recording_segment", start=start, end=end, round=None, **SEGMENT)


def settled_out_of_the_recording(resumed: str) -> Log:
    """The second file of the recording begins, at `resumed`, before the second round's cards are picked up."""
    log = without(three_rounds(), *SETTLEMENT)
    segment(log, "2026-11-02T19:00:00", "2026-11-02T20:00:00", log.records[0])
    segment(log, resumed, "2026-11-02T23:00:00", log.all("card_revealed")[1])
    return log


def test_a_round_in_which_the_recording_stopped_is_open() -> None:
    report = settled_out_of_the_recording("2026-11-02T20:10:00").judge()
    assert not [f for f in findings(report) if f.round == 2]
    assert "the recording stopped in this round" in " ".join(f.observed for f in findings(report, "undetermined"))


def test_a_file_that_goes_on_from_the_last_one_is_no_stop() -> None:
    report = settled_out_of_the_recording("2026-11-02T20:00:00").judge()
    assert "ND-08-11.12-highest-wins" in {f.clause for f in findings(report) if f.round == 2}


def test_a_round_that_breaks_off_before_its_end_is_open() -> None:
    log = without(three_rounds(), *SETTLEMENT, "cards_collected", "round_ended", "push_tapped")
    assert not named(log.judge())


def test_an_unsettled_round_that_was_seen_to_end_is_not() -> None:
    assert "ND-08-11.12-highest-wins" in named(without(three_rounds(), *SETTLEMENT).judge())


def test_a_round_whose_cards_are_missing_by_their_numbers_is_open() -> None:
    log = three_rounds()
    dealt = [r for r in log.all("card_dealt") if r["round"] == 2]
    assert not named(log.drop(*dealt[:4]).judge())


def test_a_card_looked_at_in_play_is_no_new_deck_07_1() -> None:
    log = three_rounds()
    log.insert_after(log.all("round_ended")[0], "cards_inspected", action="inspect", decks=None, round=None)
    assert not named(log.judge())


def test_new_decks_in_play_are_shuffled_07_1() -> None:
    log = three_rounds()
    log.insert_after(log.all("round_ended")[0], "cards_inspected", action="inspect", decks=6, round=None)
    assert "ND-08-07.1-shuffle-after-review" in named(log.judge())


def test_a_voided_double_is_not_missed_where_a_recording_may_not_show_it_11_10_e() -> None:
    log = hand_out(DOUBLED, {2: 1000}, "double")
    log.drop(*log.all("chips_returned"))
    assert named(log.judge()) == {"ND-08-11.10.e-void-split-double"}
    assert not named(log.judge(video="0" * 64))


def test_an_insured_bust_is_taken_with_the_held_ones_11_10_a() -> None:
    log = hand_out("Th 9d As 6h 5c 8d Kc Qh", {2: 1000, 4: 700}, "insurance decline hit double")
    assert "ND-08-11.10.a-busted-collect" not in named(log.judge())


def blind(log: Log, how: str, start: float, end: float) -> FindingsReport:
    """Judge a log of which nothing was seen between two moments (s), as the log tells it in one of several ways."""
    last = max(r["t_end"] for r in log.records) + 1.0
    own: dict[str, Any] = {"round": None, "recorder_id": "R1", "fps": 30.0, "dropped_frames": 0}
    if how == "segments":
        log.change(log.add("recording_segment", **own, start=0.0, end=start), t_start=0.0, t_end=start)
        log.change(log.add("recording_segment", **own, start=end, end=last), t_start=end, t_end=last)
    elif how == "clock gaps":
        log.change(log.add("recording_segment", **own, clock_gaps=[[start, end]]), t_start=0.0, t_end=last)
    elif how == "clock gaps as moments":
        clock = {"start": "2026-11-02T19:00:00.000", "clock_gaps": [[_moment(start), _moment(end)]]}
        log.change(log.add("recording_segment", **own, **clock), t_start=0.0, t_end=last)
    else:
        log.change(log.add("view_check", round=None, occlusion=float(how)), t_start=start, t_end=end)
    return log.judge()


def _moment(t: float) -> str:
    return f"2026-11-02T19:{int(t // 60):02d}:{t % 60:06.3f}"


UNSEEN = ("segments", "clock gaps", "clock gaps as moments", "1.0")
OMITTED = {
    "ND-08-11.4-hand-signal-bypass": {"event": "hand_signal", "at": "space:4"},
    "ND-08-11.16.a-fan-payoff": {"event": "chips_fanned", "owner": "payoff"},
    "ND-08-08.3-burn-first-card": {"event": "card_burned"},
}


def played_with(clause: str) -> tuple[Log, dict[str, Any]]:
    """Return a lawful round, and the act in it that the clause asks for."""
    log = opening(Log())
    play_on(log, CARDS, STAKES)
    own = dict(OMITTED[clause])
    act = log.one(own.pop("event"), **own)
    return log, act


@pytest.mark.parametrize("how", UNSEEN)
@pytest.mark.parametrize("clause", OMITTED)
def test_what_may_have_happened_unseen_is_open(clause: str, how: str) -> None:
    log, act = played_with(clause)
    report = blind(log.drop(act), how, act["t_start"] - 0.1, act["t_end"] + 0.1)
    assert clause not in named(report) and row(report, clause) == "undetermined"


@pytest.mark.parametrize("how", ["segments", "0.5"])
@pytest.mark.parametrize("clause", OMITTED)
def test_what_was_seen_not_to_happen_is_no_open_question(clause: str, how: str) -> None:
    """The stretch is too short for an act, or but half of the table was hidden in it."""
    log, act = played_with(clause)
    end = act["t_start"] + 0.2 if how == "segments" else act["t_end"]
    assert clause in named(blind(log.drop(act), how, act["t_start"], end))


def test_what_is_missing_in_another_round_than_the_unseen_one_accuses() -> None:
    log = opening(Log())
    for _ in range(3):
        play_on(log, CARDS, STAKES)
    first, *_, last = log.all("chips_fanned", owner="payoff")
    report = blind(log.drop(first, last), "segments", last["t_start"] - 0.1, last["t_end"] + 0.1)
    assert {f.round for f in findings(report, "violation")} >= {first["round"]}
    assert last["round"] not in {f.round for f in findings(report, "violation") if "fan" in f.clause}
