"""What a closer look doubts is found in the rounds that it is about: the same record as over the whole log."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from msgspec import structs

from verifier.domain.events import EventLog
from verifier.domain.findings import Finding, FindingsReport
from verifier.formats.events import read_events
from verifier.law.judge import judge
from verifier.review.closer import all_doubted, doubted, weakened

SAMPLES = Path(__file__).parents[2] / "sample_videos"


def repeated(log: EventLog, times: int) -> EventLog:
    """The same evening again and again."""
    length = max(event.t_end for event in log.events) + 10.0
    rounds = max(event.round or 0 for event in log.events)
    again = (
        structs.replace(
            event,
            id=f"n{number}{event.id}",
            t_start=event.t_start + number * length,
            t_end=event.t_end + number * length,
            round=None if event.round is None else event.round + number * rounds,
        )
        for number in range(times)
        for event in log.events
    )
    return EventLog(log.header, tuple(again))


def plainly_doubted(log: EventLog, finding: Finding) -> EventLog:
    """The same by judging the whole log once for each cited record."""

    def told(report: FindingsReport) -> bool:
        return any(
            one.verdict == "violation"
            and one.at == finding.at
            and finding.clause in (one.clause, *one.also)
            and one.t_start - 5.0 <= finding.t_end
            and finding.t_start - 5.0 <= one.t_end
            for one in report.findings
        )

    tried = [(weakened(log, {number}), judge(weakened(log, {number}))) for number in finding.events]
    opens = [(len(report.findings), one) for one, report in tried if not told(report)]
    return min(opens, key=lambda pair: pair[0])[1] if opens else weakened(log, set(finding.events))


@pytest.mark.parametrize(("name", "times", "violations"), [("flagged", 1, 3), ("flagged", 4, 12), ("hard", 3, 3)])
def test_the_same_record_is_doubted_and_for_a_round_the_whole_log_is_judged_once(
    name: str, times: int, violations: int
) -> None:
    log = repeated(read_events(SAMPLES / name / "truth.events.jsonl"), times)
    broken = [one for one in judge(log).findings if one.verdict == "violation"]
    assert len(broken) >= violations
    for finding in broken:
        lengths: list[int] = []

        def counted(some: EventLog, lengths: list[int] = lengths) -> FindingsReport:
            lengths.append(len(some.events))
            return judge(some)

        made, report = doubted(log, finding, counted)
        assert made == plainly_doubted(log, finding)
        assert report == judge(made)
        most = len(finding.events) + 1 if times == 1 or finding.round is None else 1
        assert lengths.count(len(log.events)) <= most, f"{finding.clause} of round {finding.round}"


def test_several_findings_are_doubted_with_one_judging_of_the_whole_log() -> None:
    """The same log, and the same findings byte for byte, as doubting one after the other."""
    log = repeated(read_events(SAMPLES / "flagged" / "truth.events.jsonl"), 2)
    first = judge(log)
    broken = [one for one in first.findings if one.verdict == "violation" and one.round is not None]
    lengths: list[int] = []

    def counted(some: EventLog) -> FindingsReport:
        lengths.append(len(some.events))
        return judge(some)

    plain, told = log, first
    for finding in broken:
        plain, told = doubted(plain, finding, counted)
    one_by_one = lengths.count(len(log.events))
    lengths.clear()
    made, report = all_doubted(log, first, broken, counted)
    assert (made, msgspec.json.encode(report)) == (plain, msgspec.json.encode(told))
    assert len(broken) > 1
    assert (one_by_one, lengths.count(len(log.events))) == (len(broken), 1)
