"""Reconstructs, judges and scores again from stored observations: what a change of the reconstruction does, in seconds.

    python benchmarks/replay.py out/accuracy [--only 910005] [--out out/replay] [--doubts]

Takes the folders that benchmarks/accuracy.py made (layout, house, truth, review/observations.jsonl). Nothing in them is
changed; `--out` keeps the new event logs and findings, to be looked at with `verifier score`.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict
from pathlib import Path

from verifier.domain.findings import FindingsReport
from verifier.formats.events import read_events, write_events
from verifier.formats.findings import write_findings
from verifier.formats.house import read_house
from verifier.formats.layout import read_layout
from verifier.formats.observations import open_observations
from verifier.law.judge import judge
from verifier.reconstruct import reconstruct
from verifier.review.score import Score, score_logs
from verifier.review.score_findings import broken_in, read_deviations

TOLERANCE_S = 2.0


def replay(folder: Path, out: Path | None) -> tuple[Score, FindingsReport]:
    """One recording's score and findings from its stored observations."""
    seen = open_observations(folder / "review" / "observations.jsonl")
    log = reconstruct(seen, read_layout(folder / "layout.yaml"), read_house(folder / "house.yaml"), seen.header)
    findings = judge(log)
    if out is not None:
        (out / folder.name).mkdir(parents=True, exist_ok=True)
        write_events(out / folder.name / "events.jsonl", log)
        write_findings(out / folder.name / "findings.json", findings)
    true = read_events(folder / "truth.events.jsonl")
    truth = true.events
    planted = read_deviations(folder / "truth.deviations.json")
    seconds = max((event.t_end for event in truth), default=0.0)
    return score_logs(truth, log.events, planted, findings, seconds, TOLERANCE_S, broken=broken_in(true)), findings


def doubts(findings: FindingsReport) -> list[str]:
    """The undetermined findings, a line each."""
    return [
        f"{one.clause} round {one.round} at {one.t_start:.1f} s: {one.observed}"
        for one in findings.findings
        if one.verdict == "undetermined"
    ]


def by_kind(scores: list[Score]) -> list[str]:
    """Counts of matched, missed and invented events of each kind."""
    sums: dict[str, Counter[str]] = defaultdict(Counter)
    for score in scores:
        whole = (
            ("all", score.events),
            ("all, nothing false", score.events_stated),
            ("all, placed", score.events_placed),
        )
        for kind, rate in (*score.by_kind.items(), *whole):
            sums[kind].update(matched=rate.matched, missed=rate.missed, invented=rate.invented)
    return [
        f"{kind:24} matched {count['matched']:5} missed {count['missed']:4} invented {count['invented']:4} "
        f"F1 {2 * count['matched'] / (2 * count['matched'] + count['missed'] + count['invented']):.3f}"
        for kind, count in sums.items()
        if sum(count.values())
    ]


def main() -> None:
    """Replays what is asked for and prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("--only", default="", help="recordings whose name begins so")
    parser.add_argument("--out", type=Path, help="folder for event logs and findings")
    parser.add_argument("--doubts", action="store_true", help="tell each undetermined finding too")
    arguments = parser.parse_args()
    started, scores = time.perf_counter(), []
    for folder in sorted(
        path.parent.parent for path in arguments.work.glob(f"{arguments.only}*/review/observations.jsonl")
    ):
        score, findings = replay(folder, arguments.out)
        scores.append(score)
        outcomes = ", ".join(f"{one.clause} {one.outcome}" for one in score.deviations) or "lawful"
        print(f"{folder.name}: F1 {score.events.f1}, {outcomes}; undetermined {score.undetermined}", flush=True)
        for text in score.false_violations:
            print(f"    FALSE {text}", flush=True)
        for text in doubts(findings) if arguments.doubts else ():
            print(f"    doubt {text}", flush=True)
    hours = sum(score.hours for score in scores)
    outcomes = Counter(one.outcome for score in scores for one in score.deviations)
    false = sum(len(score.false_violations) for score in scores)
    unsure = sum(score.undetermined for score in scores)
    print("\n".join(by_kind(scores)))
    spent = time.perf_counter() - started
    for words, name in (("hands right in value", "hands"), ("fanned wagers and payoffs right", "amounts")):
        counts = [getattr(score, name) for score in scores]
        print(f"{words}: {sum(one.right for one in counts)} of {sum(one.of for one in counts)}")
    print(f"{hours:.2f} table-hours in {spent:.0f} s; planted {dict(outcomes)}")
    print(f"false {false} ({false / hours:.1f} an hour), undetermined {unsure} ({unsure / hours:.1f} an hour)")


if __name__ == "__main__":
    main()
