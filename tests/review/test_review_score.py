"""Scoring: what matches, what was missed, what was invented."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from review_fakes import EVENTS, FAN, SHOW, SHOWN, finding, report

from verifier.domain.errors import BadInput
from verifier.domain.events import CardDealt, EventLog, EventsHeader
from verifier.formats.events import write_events
from verifier.formats.findings import write_findings
from verifier.review.score import Score, score_folders, score_logs
from verifier.review.score_findings import Deviation

HOUR = 3600.0


def dealt(card: str = "Kh", to: str = "space:1", t: float = 10.0, face: str = "up") -> CardDealt:
    return CardDealt(
        id=f"x{t}{to}{card}", t_start=t - 0.5, t_end=t, p=1.0, source="video", card=card, to=to, face=face, seq=None
    )  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("truth", "found", "with_value", "without"),
    [
        (dealt(), dealt(), 1, 1),
        (dealt(), dealt("Ks"), 1, 1),
        (dealt(), dealt("Qh"), 0, 1),
        (dealt(), dealt(face="down"), 0, 1),
        (dealt(), dealt(t=12.0), 1, 1),
        (dealt(), dealt(t=12.1), 0, 0),
        (dealt(), dealt("?h"), 0, 1),
        (dealt(), dealt(to="space:2"), 0, 0),
        (dealt(), dealt(to="space:1/0"), 1, 1),
        (dealt(), dealt(to="space:1/1"), 0, 0),
        (dealt("??", face="down"), dealt("??", face="down"), 1, 1),
    ],
)
def test_when_two_events_match(truth: CardDealt, found: CardDealt, with_value: int, without: int) -> None:
    score = score_logs([truth], [found], [], report(), HOUR, 2.0)
    assert (score.events.matched, score.events_placed.matched) == (with_value, without)


@pytest.mark.parametrize(
    ("cents", "lower_bound", "stated"),
    [(500, False, 1), (500, True, 1), (100, True, 1), (None, False, 1), (100, False, 0), (600, True, 0)],
)
def test_what_was_not_seen_is_not_false(cents: int | None, lower_bound: bool, stated: int) -> None:
    (true, *_) = EVENTS
    found = msgspec.structs.replace(true, cents=cents, lower_bound=lower_bound)
    score = score_logs([true], [found], [], report(), HOUR, 2.0)  # type: ignore[list-item]
    assert score.events_stated.matched == score.by_kind_stated[true.name].matched == stated


def test_a_long_event_matches_by_its_beginning() -> None:
    long = msgspec.structs.replace(dealt(t=10.0), t_end=15.0)
    assert score_logs([dealt(t=10.0)], [long], [], report(), HOUR, 2.0).events.matched == 1


def test_each_event_is_matched_once() -> None:
    score = score_logs([dealt(t=1.0)], [dealt(t=1.0), dealt(t=1.5)], [], report(), HOUR, 2.0)
    assert (score.events.matched, score.events.missed, score.events.invented) == (1, 0, 1)
    assert (score.events.precision, score.events.recall, score.events.f1) == (0.5, 1.0, 0.6667)


def test_kinds_are_counted_apart() -> None:
    score = score_logs(EVENTS, EVENTS[:3], [], report(), HOUR, 2.0)  # type: ignore[arg-type]
    assert score.by_kind["card_dealt"].recall == 0.5
    assert score.by_kind["payoff_placed"].recall == 0.0
    assert score.by_kind["payoff_placed"].precision is None


@pytest.mark.parametrize(
    ("planted", "outcome", "false"),
    [
        (Deviation(clause=FAN, round=1), "violation", 0),
        (Deviation(clause="ND-08-11.16.a-fan-wager", round=1), "violation", 0),
        (Deviation(clause=FAN, round=2), "missed", 1),
        (Deviation(clause=FAN, t_start=5.0, t_end=6.0), "violation", 0),
        (Deviation(clause=FAN, t_start=50.0, t_end=60.0), "missed", 1),
        (Deviation(clause=SHOW, t_start=6.0, t_end=7.0), "undetermined", 1),
    ],
)
def test_what_becomes_of_a_planted_deviation(planted: Deviation, outcome: str, false: int) -> None:
    found = report(finding(also=["ND-08-11.16.a-fan-wager"]), SHOWN)
    score = score_logs([], [], [planted], found, HOUR / 2, 2.0)
    assert score.deviations[0].outcome == outcome
    assert score.deviation_recall == (1.0 if outcome == "violation" else 0.0)
    assert (len(score.false_violations), score.false_violations_per_hour) == (false, 2.0 * false)
    assert score.undetermined_per_hour == 2.0


@pytest.mark.parametrize(
    ("true", "false"),
    [
        (finding(also=[SHOW]), 0),
        (finding(round=2, t_start=500.0, t_end=510.0), 1),
        (finding(at="space:6"), 1),
        (finding(clause=SHOW), 1),
    ],
    ids=["broken there", "in another round", "at another place", "another clause"],
)
def test_a_violation_that_the_truth_holds_is_not_false_though_nobody_planted_it(true, false: int) -> None:
    score = score_logs([], [], [], report(finding()), HOUR, 2.0, broken=[true])
    assert len(score.false_violations) == false


def test_folders_are_read(tmp_path: Path) -> None:
    log = EventLog(EventsHeader(format="verifier-events", version=1, rulebook="nd-twenty-one"), EVENTS)  # type: ignore[arg-type]
    write_events(tmp_path / "truth.events.jsonl", log)
    write_events(tmp_path / "events.jsonl", log)
    write_findings(tmp_path / "findings.json", report(finding()))
    (tmp_path / "truth.deviations.json").write_text(f'[{{"clause": "{FAN}", "round": 1}}]')
    score = score_folders(tmp_path, tmp_path, 2.0)
    assert (score.events.f1, score.deviation_recall, score.false_violations) == (1.0, 1.0, [])
    assert msgspec.json.decode(msgspec.json.encode(score), type=Score) == score


def test_a_folder_without_truth_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="truth"):
        score_folders(tmp_path, tmp_path, 2.0)
