"""Reconstructs, judges and scores again from stored observations: what a change of the reconstruction does, in seconds.

    python benchmarks/replay.py out/accuracy [--only 910005] [--out out/replay] [--doubts] [--processes 2]

Takes the folders that benchmarks/accuracy.py made, or benchmarks/rounds.py with `--keep` (layout, house, truth,
review/observations.jsonl). Nothing in them is changed; `--out` keeps the new event logs and findings, to be looked at
with `verifier score`.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
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
from verifier.review.score_hidden import hidden

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
    broken, unseen = broken_in(true), hidden(true, planted)
    score = score_logs(truth, log.events, planted, findings, seconds, TOLERANCE_S, broken=broken, unseen=unseen)
    return score, findings


def doubts(findings: FindingsReport) -> list[str]:
    """Return the undetermined findings, a line each."""
    return [
        f"{one.clause} round {one.round} at {one.t_start:.1f} s: {one.observed}"
        for one in findings.findings
        if one.verdict == "undetermined"
    ]


def by_kind(scores: list[Score]) -> list[str]:
    """Return the counts of matched, missed and invented events of each kind."""
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


def table(scores: Mapping[str, Sequence[Score]]) -> list[str]:
    """Return the scores of each level of noise as rows of Markdown."""
    heads = ("level", "recordings", "hours", "planted", "found", "undetermined", "missed", "false violations an hour")
    heads += ("undetermined findings an hour", "cards dealt F1", "hands right", "fanned amounts right")
    every = [one for level in scores.values() for one in level]
    rows = [_row(level, found) for level, found in (*scores.items(), ("all", every))]
    return [f"| {' | '.join(heads)} |", "|" + " -- |" * len(heads), *rows]


def _row(level: str, scores: Sequence[Score]) -> str:
    hours = sum(score.hours for score in scores)
    outcomes = Counter(one.outcome for score in scores for one in score.deviations)
    planted, found = sum(outcomes.values()), outcomes["violation"]
    false = sum(len(score.false_violations) for score in scores)
    unsure = sum(score.undetermined for score in scores)
    dealt = Counter[str]()
    for score in scores:
        if rate := score.by_kind.get("card_dealt"):
            dealt.update(matched=rate.matched, missed=rate.missed, invented=rate.invented)
    right = [
        (sum(getattr(score, name).right for score in scores), sum(getattr(score, name).of for score in scores))
        for name in ("hands", "amounts")
    ]
    cells = [level, len(scores), f"{hours:.2f}", planted, f"{found} ({_share(found, planted)})"]
    cells += [outcomes["undetermined"], outcomes["missed"]]
    cells += [f"{number} ({number / hours:.1f})" if hours else "-" for number in (false, unsure)]
    cells += [_share(2 * dealt["matched"], 2 * dealt["matched"] + dealt["missed"] + dealt["invented"])]
    cells += [f"{part} of {whole} ({_share(part, whole)})" for part, whole in right]
    return f"| {' | '.join(map(str, cells))} |"


def _share(part: float, whole: float) -> str:
    return f"{part / whole:.3f}" if whole else "-"


def main() -> None:
    """Replays what is asked for and prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("--only", default="", help="recordings whose name begins so")
    parser.add_argument("--out", type=Path, help="folder for event logs and findings")
    parser.add_argument("--doubts", action="store_true", help="tell each undetermined finding too")
    parser.add_argument("--processes", type=int, default=1, help="recordings replayed side by side")
    arguments = parser.parse_args()
    started, scores, levels = time.perf_counter(), list[Score](), defaultdict[str, list[Score]](list)
    found = arguments.work.glob(f"{arguments.only}*/review/observations.jsonl")
    folders = sorted(path.parent.parent for path in found)
    with ProcessPoolExecutor(arguments.processes, get_context("spawn")) as pool:
        replayed = zip(folders, pool.map(partial(replay, out=arguments.out), folders), strict=True)
        for folder, (score, findings) in replayed:
            scores.append(score)
            levels[folder.name.rpartition("-")[2]].append(score)
            _tell(folder.name, score, findings if arguments.doubts else None)
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
    print("\n".join(["", *table(levels)]))


def _tell(name: str, score: Score, findings: FindingsReport | None) -> None:
    """Print the score of one recording, with its undetermined findings where they are given."""
    outcomes = ", ".join(f"{one.clause} {one.outcome}" for one in score.deviations) or "lawful"
    print(f"{name}: F1 {score.events.f1}, {outcomes}; undetermined {score.undetermined}", flush=True)
    for text in score.false_violations:
        print(f"    FALSE {text}", flush=True)
    for text in doubts(findings) if findings is not None else ():
        print(f"    doubt {text}", flush=True)


if __name__ == "__main__":
    main()
