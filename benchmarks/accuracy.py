"""Measures the whole chain on simulated recordings that no model has seen: sight, events, findings.

    python benchmarks/accuracy.py --count 24 --work out/accuracy

Each recording is made once and reviewed once for the models of the day (delete the folder to begin again), so an
interrupted run goes on where it stopped. The pipeline sees only video, layout and house options; truth is read here,
afterwards, to score it.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import time
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

from verifier.domain.observations import Observation
from verifier.formats.observations import open_observations
from verifier.review.recording import review_recording
from verifier.review.score import Score, score_folders
from verifier.simulate.annotate import annotate
from verifier.simulate.commands import look_and_camera
from verifier.simulate.deviations import STAGEABLE
from verifier.simulate.perform import Performance, perform
from verifier.simulate.record import record
from verifier.simulate.render import Camera
from verifier.store.repository import Store
from verifier.train.scoring import Tally

LEVELS = ("easy", "typical", "hard")
SIZE = (1280, 720)
LOOK_EVERY_S = 1.0
TOLERANCE_S = 2.0


@dataclass(frozen=True)
class Case:
    """One recording to be made: everything follows from the seed."""

    seed: int
    level: str
    spaces: int
    rounds: int
    deviations: tuple[str, ...]

    @property
    def name(self) -> str:
        return f"{self.seed}-{self.level}"


def cases(first: int, count: int) -> list[Case]:
    """A third of the recordings are lawful, the others break one or two clauses, each clause about as often."""
    rng = random.Random(first)
    clauses: list[str] = []
    plan = []
    for index in range(count):
        wanted = (0, 1, 2)[(index // len(LEVELS)) % 3]
        if len(clauses) < wanted:
            clauses = rng.sample(STAGEABLE, len(STAGEABLE)) + clauses
        taken = tuple(clauses.pop() for _ in range(wanted))
        plan.append(Case(first + index, LEVELS[index % 3], rng.randint(2, 6), 3, taken))
    return plan


def staged(case: Case) -> tuple[Performance, Camera]:
    performance = perform(case.seed, case.rounds, case.deviations, spaces=case.spaces)
    return performance, look_and_camera(case.seed, SIZE, case.level, "test")[1]


def run(case: Case, work: Path) -> None:
    """Makes and reviews one recording; what is there already is kept."""
    folder = work / case.name
    performance, camera = staged(case)
    if not (folder / "truth.deviations.json").exists():
        look, _ = look_and_camera(case.seed, SIZE, case.level, "test")
        record(performance, look, camera, folder, 20)
    if not (folder / "review" / "findings.json").exists():
        started = time.perf_counter()
        review_recording(folder / "video.mp4", folder / "layout.yaml", folder / "house.yaml", folder / "review")
        seconds = time.perf_counter() - started
        (folder / "review" / "seconds.json").write_text(json.dumps([seconds, performance.duration]))


def tally(case: Case, work: Path, tally_into: Tally) -> None:
    """Compares looked-at frames, one a second, with what they truly show."""
    performance, camera = staged(case)
    due = 0.0
    for seen in open_observations(work / case.name / "review" / "observations.jsonl"):
        if seen.t < due:
            continue
        due = seen.t + LOOK_EVERY_S
        truth: Observation = annotate(performance.scene_at(seen.t), camera, performance.plan)
        tally_into.add(seen, truth)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=24)
    parser.add_argument("--first-seed", type=int, default=910_000)
    parser.add_argument("--work", type=Path, default=Path("out/accuracy"))
    arguments = parser.parse_args()
    os.environ["VERIFIER_HOME"] = str(arguments.work / "home")
    Store()
    plan = cases(arguments.first_seed, arguments.count)
    sight = {level: Tally() for level in LEVELS}
    scores: dict[str, tuple[Case, Score]] = {}
    for number, case in enumerate(plan, 1):
        run(case, arguments.work)
        tally(case, arguments.work, sight[case.level])
        folder = arguments.work / case.name
        score = score_folders(folder, folder / "review", TOLERANCE_S)
        scores[case.name] = (case, score)
        print(f"{number}/{len(plan)} {case.name}: {summary(score)}", flush=True)
    print(report(plan, scores, sight, arguments.work))


def summary(score: Score) -> str:
    outcomes = ", ".join(f"{one.clause} {one.outcome}" for one in score.deviations) or "lawful"
    return f"events F1 {score.events.f1}, {outcomes}; false {len(score.false_violations)}"


def report(plan: list[Case], scores: dict[str, tuple[Case, Score]], sight: dict[str, Tally], work: Path) -> str:
    """All figures as Markdown."""
    lines = ["", "## Sight", "", "| measure | easy | typical | hard |", "|---|---|---|---|"]
    figures = {level: one.figures() for level, one in sight.items()}
    for name in figures["typical"]:
        lines.append(f"| {name} | " + " | ".join(_figure(figures[level].get(name)) for level in LEVELS) + " |")
    lines += ["", "## Events", "", "| kind | true | precision | recall |", "|---|---|---|---|"]
    lines += _events([score for _, score in scores.values()])
    lines += ["", "## Findings", "", "| level | hours | planted | found | undetermined | missed | false violations | "
              "false an hour | undetermined findings an hour |", "|" + "---|" * 9]  # fmt: skip
    for level in (*LEVELS, "all"):
        lines.append(_findings(level, [s for c, s in scores.values() if level in (c.level, "all")]))
    lines += ["", "| planted clause | found | undetermined | missed |", "|---|---|---|---|"]
    lines += _clauses([score for _, score in scores.values()])
    lines += ["", "False violations:", ""]
    lines += [f"- {name}: {text}" for name, (_, score) in scores.items() for text in score.false_violations] or [
        "- none"
    ]
    times = [json.loads((work / case.name / "review" / "seconds.json").read_text()) for case in plan]
    speed = sum(media for _, media in times) / sum(spent for spent, _ in times)
    lines += ["", f"Whole review (evidence included): {speed:.1f} times real time."]
    return "\n".join(lines)


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _events(scores: list[Score]) -> list[str]:
    sums: dict[str, Counter[str]] = defaultdict(Counter)
    for score in scores:
        for kind, rate in (*score.by_kind.items(), ("all", score.events), ("all, without values", score.events_placed)):
            sums[kind].update(matched=rate.matched, missed=rate.missed, invented=rate.invented)
    rows = []
    for kind, count in sums.items():
        true, said = count["matched"] + count["missed"], count["matched"] + count["invented"]
        precision, recall = (count["matched"] / whole if whole else None for whole in (said, true))
        rows.append(f"| {kind} | {true} | {_figure(precision)} | {_figure(recall)} |")
    return rows


def _findings(level: str, scores: list[Score]) -> str:
    hours = sum(score.hours for score in scores)
    outcomes = Counter(one.outcome for score in scores for one in score.deviations)
    false = sum(len(score.false_violations) for score in scores)
    doubts = sum(score.undetermined for score in scores)
    planted = sum(outcomes.values())
    return (
        f"| {level} | {hours:.2f} | {planted} | {outcomes['violation']} | {outcomes['undetermined']} | "
        f"{outcomes['missed']} | {false} | {false / hours if hours else 0:.1f} | {doubts / hours if hours else 0:.1f} |"
    )


def _clauses(scores: list[Score]) -> list[str]:
    outcomes: dict[str, Counter[str]] = defaultdict(Counter)
    for score in scores:
        for one in score.deviations:
            outcomes[one.clause][one.outcome] += 1
    return [
        f"| {clause} | {count['violation']} | {count['undetermined']} | {count['missed']} |"
        for clause, count in sorted(outcomes.items())
    ]


if __name__ == "__main__":
    main()
