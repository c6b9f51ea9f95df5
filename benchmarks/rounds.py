"""Measures reconstruction and law over hours of simulated play, without pixels: noisy observations to findings.

    python benchmarks/rounds.py --hours 1 --level typical

Each recording is performed from its seed, seen with the faults that the detectors are known for
(verifier/simulate/sight), reconstructed, judged and scored against its truth. Half of the recordings are lawful.
`--keep DIR` writes each one's truth and review side by side, so that `verifier score --truth DIR/SEED --review
DIR/SEED/review` tells more.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import cv2
import msgspec
import numpy as np

from verifier.domain.observations import Observation, ObservationsHeader, VideoInfo
from verifier.formats.events import write_events
from verifier.formats.findings import write_findings
from verifier.formats.house import write_house
from verifier.formats.layout import write_layout
from verifier.formats.observations import ObservationWriter
from verifier.law.judge import judge
from verifier.reconstruct import reconstruct
from verifier.review.score import Deviation, Score, score_logs
from verifier.simulate.deviations import STAGEABLE, agreeing
from verifier.simulate.layouts import layout_for
from verifier.simulate.perform import Performance, perform
from verifier.simulate.render import Camera
from verifier.simulate.sight import Level, noisy_observations

SIZE = (1280, 720)
RECORDING = VideoInfo(name="play without pixels", sha256="0" * 64, width=SIZE[0], height=SIZE[1])
"""What stands for the recording: law takes a log that names one for a detector's, out of whose view acts may be."""
TILT = {"faultless": "easy", "easy": "easy", "typical": "normal", "hard": "hard"}
TOLERANCE_S = 2.0
KINDS = ("card_dealt", "card_revealed", "wager_placed", "hand_signal", "chips_fanned", "payoff_placed", "hands_shown")


@dataclass
class Sums:
    """What has been measured so far."""

    play: float = 0.0
    reconstructing: float = 0.0
    judging: float = 0.0
    undetermined: int = 0
    false: list[str] = field(default_factory=list)
    rates: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    planted: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    doubts: Counter[str] = field(default_factory=Counter)

    def add(self, score: Score, name: str) -> None:
        """One recording's score."""
        self.undetermined += score.undetermined
        self.false += [f"{name}: {text}" for text in score.false_violations]
        for kind, rate in (*score.by_kind.items(), ("all", score.events), ("all, any value", score.events_placed)):
            self.rates[kind].update(matched=rate.matched, missed=rate.missed, invented=rate.invented)
        for one in score.deviations:
            self.planted[one.clause][one.outcome] += 1


def wanted(rng: random.Random, clauses: list[str], most: int) -> tuple[str, ...]:
    """Clauses to break in one recording: none in every second, else one to `most`, each about as often as another."""
    count = rng.choice((0, rng.randint(1, most))) if most else 0
    if len(clauses) < count:
        clauses[:0] = rng.sample(STAGEABLE, len(STAGEABLE))
    return agreeing([clauses.pop() for _ in range(count)])


def measure(performance: Performance, level: str, sums: Sums, keep: Path | None) -> str:
    """Observes, reconstructs, judges and scores one recording; gives a line about it."""
    rng = np.random.default_rng([performance.seed, 77])
    camera = Camera.sample(rng, SIZE, TILT[level])  # type: ignore[arg-type]
    layout = layout_for(performance.plan, camera, site=performance.site, table=performance.table)
    seen = list(noisy_observations(performance, camera, cast(Level, level)))
    started = time.process_time()
    log = reconstruct(seen, layout, performance.house, ObservationsHeader(video=RECORDING))
    between = time.process_time()
    findings = judge(log)
    sums.play += performance.duration
    sums.reconstructing += between - started
    sums.judging += time.process_time() - between
    planted = msgspec.convert(msgspec.to_builtins(list(performance.deviations)), list[Deviation])
    score = score_logs(performance.events.events, log.events, planted, findings, performance.duration, TOLERANCE_S)
    name = f"{performance.seed}-{level}"
    sums.add(score, name)
    sums.doubts.update(finding.clause for finding in findings.findings if finding.verdict == "undetermined")
    if keep is not None:
        folder = keep / name
        (folder / "review").mkdir(parents=True, exist_ok=True)
        write_events(folder / "truth.events.jsonl", performance.events)
        (folder / "truth.deviations.json").write_bytes(msgspec.json.encode(list(performance.deviations)))
        write_layout(folder / "layout.yaml", layout)
        write_house(folder / "house.yaml", performance.house)
        write_seen(folder / "review" / "observations.jsonl", seen)
        write_events(folder / "review" / "events.jsonl", log)
        write_findings(folder / "review" / "findings.json", findings)
    outcomes = ", ".join(f"{one.clause} {one.outcome}" for one in score.deviations) or "lawful"
    return (
        f"{name}: {performance.duration:.0f} s, F1 {score.events.f1}, {outcomes}; "
        f"false {len(score.false_violations)}, undetermined {score.undetermined}"
    )


def write_seen(path: Path, seen: Sequence[Observation]) -> None:
    """Writes the observations."""
    with ObservationWriter(path, ObservationsHeader(video=RECORDING, sample_hz=7.5)) as writer:
        for one in seen:
            writer.write(one)


def report(sums: Sums, level: str) -> str:
    """All figures as Markdown."""
    hours = sums.play / 3600.0
    lines = [
        "",
        f"## {level}: {hours:.2f} table-hours",
        "",
        "| kind | true | precision | recall | F1 |",
        "|---|---|---|---|---|",
    ]
    for kind in sorted(sums.rates, key=lambda kind: (kind not in KINDS, kind)):
        count = sums.rates[kind]
        true, said = count["matched"] + count["missed"], count["matched"] + count["invented"]
        lines.append(
            f"| {kind} | {true} | {_share(count['matched'], said)} | {_share(count['matched'], true)} | "
            f"{_share(2 * count['matched'], true + said)} |"
        )
    outcomes = sum((count for count in sums.planted.values()), Counter[str]())
    planted = sum(outcomes.values())
    lines += ["", f"Planted found: {outcomes['violation']} of {planted} ({_share(outcomes['violation'], planted)}), "
              f"undetermined {outcomes['undetermined']}, missed {outcomes['missed']}.",
              f"False violations: {len(sums.false)} ({len(sums.false) / hours:.1f} an hour). "
              f"Undetermined: {sums.undetermined} ({sums.undetermined / hours:.1f} an hour).",
              f"Reconstruction {sums.play / sums.reconstructing:.0f} times real time, "
              f"law {sums.play / sums.judging:.0f} times."]  # fmt: skip
    lines += ["", "| planted clause | found | undetermined | missed |", "|---|---|---|---|"]
    for clause, count in sorted(sums.planted.items()):
        lines.append(f"| {clause} | {count['violation']} | {count['undetermined']} | {count['missed']} |")
    lines += ["", "False violations:", "", *(f"- {text}" for text in sums.false)]
    lines += ["", "Undetermined, by clause:", ""]
    lines += [f"- {clause}: {number}" for clause, number in sums.doubts.most_common()]
    return "\n".join(lines)


def _share(part: float, whole: float) -> str:
    return f"{part / whole:.3f}" if whole else "-"


def main() -> None:
    """Runs what is asked for and prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hours", type=float, default=0.5, help="table-hours to play")
    parser.add_argument("--level", choices=sorted(TILT), default="typical")
    parser.add_argument("--first-seed", type=int, default=500_000)
    parser.add_argument("--rounds", type=int, default=6, help="rounds of a recording")
    parser.add_argument("--deviations", type=int, default=2, help="most planted breaches of a recording; 0: lawful")
    parser.add_argument("--keep", type=Path, help="folder for truth and review of each recording")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    rng, sums = random.Random(arguments.first_seed), Sums()
    clauses: list[str] = []
    seed = arguments.first_seed
    while sums.play < arguments.hours * 3600.0:
        performance = perform(
            seed, arguments.rounds, wanted(rng, clauses, arguments.deviations), spaces=rng.randint(2, 6)
        )  # fmt: skip
        print(measure(performance, arguments.level, sums, arguments.keep), flush=True)
        seed += 1
    print(report(sums, arguments.level))


if __name__ == "__main__":
    main()
