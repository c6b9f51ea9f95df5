"""Measures the whole chain on simulated recordings that no model has seen: sight, events, findings.

    python benchmarks/accuracy.py --count 21 --work out/accuracy

Each recording is made once and reviewed once for the models of the day (delete the folder to begin again), so an
interrupted run goes on where it stopped. The pipeline sees only video, layout and house options; truth is read here,
afterwards, to score it. With `--scores FILE` each score is kept as a line, and a recording that has one is not made
again: a long measure, of one state of the code, may go on elsewhere and another day.
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

import msgspec

from verifier.domain.errors import BadInput
from verifier.domain.observations import ObservationsHeader
from verifier.formats.events import write_events
from verifier.formats.findings import write_findings
from verifier.formats.house import read_house
from verifier.formats.layout import read_layout
from verifier.formats.observations import ObservationWriter, open_observations
from verifier.law.judge import judge
from verifier.reconstruct import reconstruct
from verifier.review.recording import review_recording
from verifier.review.score import Score, score_folders
from verifier.simulate.annotate import annotate
from verifier.simulate.commands import look_and_camera
from verifier.simulate.deviations import STAGEABLE, agreeing
from verifier.simulate.perform import Performance, perform
from verifier.simulate.record import record
from verifier.simulate.render import Renderer
from verifier.store.repository import Store
from verifier.train.scoring import Tally
from verifier.train.table.filmed import solid_renderer

LEVELS = ("easy", "typical", "hard")
SIZE = (1280, 720)
FPS = 10
TRUTH_HZ = 1
PRESET = "ultrafast"
"""Recorders encode in hardware, with few of the means that a slow encoder has."""
MOST_SPACES = 7
TRUTH = "truth.observations.jsonl"
TOLERANCE_S = 2.0


@dataclass(frozen=True)
class Case:
    """One recording to be made: everything follows from the seed."""

    seed: int
    level: str
    spaces: int
    rounds: int
    deviations: tuple[str, ...]
    world: str = "flat"

    @property
    def name(self) -> str:
        return f"{self.seed}-{self.level}" + ("" if self.world == "flat" else f"-{self.world}")


class Scored(msgspec.Struct, frozen=True):
    """A recording's score, as kept in a file; `seconds` of its review and of the recording."""

    name: str
    level: str
    seconds: tuple[float, float]
    score: Score


def cases(first: int, count: int, rounds: int, most: int, world: str = "flat") -> list[Case]:
    """Return the cases: a third lawful, a third with `most` breaches, a third with half; each clause about as often."""
    rng = random.Random(first)
    clauses: list[str] = []
    plan = []
    for index in range(count):
        wanted = (0, (most + 1) // 2, most)[(index // len(LEVELS)) % 3]
        if len(clauses) < wanted:
            clauses = rng.sample(STAGEABLE, len(STAGEABLE)) + clauses
        taken = agreeing([clauses.pop() for _ in range(wanted)])
        plan.append(Case(first + index, LEVELS[index % 3], rng.randint(2, 6), rounds, taken, world))
    return plan


def run(case: Case, work: Path) -> None:
    """Make and review one recording; keep what is there already."""
    folder = work / case.name
    if not (folder / TRUTH).exists():
        make(case, folder)
    if not (folder / "review" / "findings.json").exists():
        started = time.perf_counter()
        reviewed = review_recording(
            folder / "video.mp4", folder / "layout.yaml", folder / "house.yaml", folder / "review"
        )
        seconds = time.perf_counter() - started
        (folder / "review" / "seconds.json").write_text(json.dumps([seconds, reviewed.coverage.recorded]))


def staged(case: Case) -> Performance:
    """Return the case as it is played; with more betting spaces where its deviations need them."""
    for spaces in range(case.spaces, MOST_SPACES):
        try:
            return perform(case.seed, case.rounds, case.deviations, spaces=spaces)
        except BadInput:
            continue
    return perform(case.seed, case.rounds, case.deviations, spaces=MOST_SPACES)


def make(case: Case, folder: Path) -> None:
    """Record the case and write down, every second, what the picture truly shows."""
    performance = staged(case)
    look, camera = look_and_camera(case.seed, SIZE, case.level, "test")
    drawn, blurred = (solid_renderer("test"), False) if case.world == "solid" else (Renderer, True)
    record(performance, look, camera, folder, FPS, preset=PRESET, motion_blur=blurred, renderer=drawn)
    with ObservationWriter(folder / TRUTH, ObservationsHeader()) as writer:
        for step in range(int(performance.duration * TRUTH_HZ)):
            frame = step * FPS // TRUTH_HZ
            truth = annotate(performance.scene_at(frame / FPS), camera, performance.plan, look)
            writer.write(msgspec.structs.replace(truth, t=frame / FPS, frame=frame))


def scored(case: Case, work: Path) -> Scored:
    """Return the scores of a reviewed recording."""
    folder = work / case.name
    seconds = msgspec.json.decode((folder / "review" / "seconds.json").read_bytes(), type=tuple[float, float])
    return Scored(case.name, case.level, seconds, score_folders(folder, folder / "review", TOLERANCE_S))


def kept(file: Path | None) -> dict[str, Scored]:
    """Scores by the recording's name."""
    lines = file.read_bytes().splitlines() if file is not None and file.exists() else []
    return {one.name: one for one in (msgspec.json.decode(line, type=Scored) for line in lines)}


def rejudge(case: Case, work: Path) -> None:
    """Reconstructs and judges again from the stored observations."""
    folder = work / case.name
    seen = open_observations(folder / "review" / "observations.jsonl")
    log = reconstruct(seen, read_layout(folder / "layout.yaml"), read_house(folder / "house.yaml"), seen.header)
    write_events(folder / "review" / "events.jsonl", log)
    write_findings(folder / "review" / "findings.json", judge(log))


def tally(folder: Path, tally_into: Tally) -> None:
    """Compare the looked-at frames of a recording with their truth, where they have one."""
    truths = {truth.frame: truth for truth in open_observations(folder / TRUTH)}
    for seen in open_observations(folder / "review" / "observations.jsonl"):
        if seen.frame in truths:
            tally_into.add(seen, truths[seen.frame])


def main() -> None:
    """Run what is asked for and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=21)
    parser.add_argument("--first-seed", type=int, default=910_000)
    parser.add_argument("--rounds", type=int, default=2, help="rounds in each recording")
    parser.add_argument("--most", type=int, default=2, help="clauses broken at most in one recording")
    parser.add_argument(
        "--world", choices=("flat", "solid"), default="flat", help="what draws them; solid needs the train extra"
    )
    parser.add_argument("--work", type=Path, default=Path("out/accuracy"))
    parser.add_argument("--part", default="0/1", help="make and review only every n-th: 0/2 and 1/2 side by side")
    parser.add_argument(
        "--scores", type=Path, help="keep each recording's score as a line of this file, and go on from it"
    )
    parser.add_argument("--rejudge", action="store_true", help="reconstruct and judge again from stored observations")
    arguments = parser.parse_args()
    os.environ["VERIFIER_HOME"] = str(arguments.work / "home")
    Store()
    plan = cases(arguments.first_seed, arguments.count, arguments.rounds, arguments.most, arguments.world)
    part, parts = map(int, arguments.part.split("/"))
    scores = kept(arguments.scores)
    for case in plan[part::parts]:
        if case.name in scores:
            continue
        run(case, arguments.work)
        if arguments.rejudge:
            rejudge(case, arguments.work)
        one = scores[case.name] = scored(case, arguments.work)
        if arguments.scores:
            with arguments.scores.open("ab") as file:
                file.write(msgspec.json.encode(one) + b"\n")
        print(f"{case.name}: {summary(one.score)}", flush=True)
    if parts == 1:
        print(report([scores[case.name] for case in plan], arguments.work))


def summary(score: Score) -> str:
    """One recording in a line."""
    outcomes = ", ".join(f"{one.clause} {one.outcome}" for one in score.deviations) or "lawful"
    return f"events F1 {score.events.f1}, {outcomes}; false {len(score.false_violations)}"


def report(recordings: list[Scored], work: Path) -> str:
    """All figures as Markdown; of sight those of the recordings that lie in `work`."""
    evaluated = {level: Tally() for level in LEVELS}
    for one in recordings:
        if (work / one.name / TRUTH).exists():
            tally(work / one.name, evaluated[one.level])
    scores = [one.score for one in recordings]
    lines = ["", "## Sight", "", "| measure | easy | typical | hard |", "|---|---|---|---|"]
    figures = {level: one.figures() for level, one in evaluated.items()}
    for name in figures["typical"]:
        lines.append(f"| {name} | " + " | ".join(_figure(figures[level].get(name)) for level in LEVELS) + " |")
    heads = ("kind", "true", "precision", "recall", "precision, nothing false", "recall, nothing false")
    lines += ["", "## Events", "", f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    lines += _events(scores)
    lines += ["", "| measure | easy | typical | hard | all |", "|---|---|---|---|---|"]
    lines += _shares([(one.level, one.score) for one in recordings])
    lines += [
        "",
        "## Findings",
        "",
        "| level | hours | planted | found | undetermined | missed | of these not to "
        "be told from above | false violations | false an hour | undetermined findings an hour |",
        "|" + "---|" * 10,
    ]
    for level in (*LEVELS, "all"):
        lines.append(_findings(level, [one.score for one in recordings if level in (one.level, "all")]))
    lines += ["", "| planted clause | found | undetermined | missed |", "|---|---|---|---|"]
    lines += _clauses(scores)
    lines += ["", "False violations:", ""]
    lines += [f"- {one.name}: {text}" for one in recordings for text in one.score.false_violations] or ["- none"]
    speed = sum(one.seconds[1] for one in recordings) / sum(one.seconds[0] for one in recordings)
    lines += ["", f"Whole review (evidence included): {speed:.1f} times real time."]
    return "\n".join(lines)


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _events(scores: list[Score]) -> list[str]:
    sums: dict[str, Counter[str]] = defaultdict(Counter)
    for score in scores:
        for kind, rate in (*score.by_kind.items(), ("all", score.events), ("all, without values", score.events_placed)):
            sums[kind].update(matched=rate.matched, missed=rate.missed, invented=rate.invented)
        for kind, rate in (*score.by_kind_stated.items(), ("all", score.events_stated)):
            sums[kind].update(told=rate.matched)
    rows = []
    for kind, count in sums.items():
        true, said = count["matched"] + count["missed"], count["matched"] + count["invented"]
        shares = ((count["matched"], said), (count["matched"], true), (count["told"], said), (count["told"], true))
        cells = [_figure(part / whole if whole else None) for part, whole in shares]
        rows.append(f"| {kind} | {true} | {' | '.join(cells if 'told' in count else [*cells[:2], '-', '-'])} |")
    return rows


def _shares(scores: list[tuple[str, Score]]) -> list[str]:
    """Return the rows of hands whose totals are right, and of fanned wagers and payoffs whose amounts are."""
    rows = []
    for words, name in (("totals right per hand", "hands"), ("wager and payoff amounts right when fanned", "amounts")):
        counts = [(level, getattr(score, name)) for level, score in scores]
        cells = []
        for wanted in (*LEVELS, "all"):
            mine = [one for level, one in counts if wanted in (level, "all")]
            right, every = sum(one.right for one in mine), sum(one.of for one in mine)
            cells.append(f"{_figure(right / every if every else None)} ({right} of {every})")
        rows.append(f"| {words} | {' | '.join(cells)} |")
    return rows


def _findings(level: str, scores: list[Score]) -> str:
    hours = sum(score.hours for score in scores)
    outcomes = Counter(one.outcome for score in scores for one in score.deviations)
    false = sum(len(score.false_violations) for score in scores)
    doubts = sum(score.undetermined for score in scores)
    planted = sum(outcomes.values())
    hidden = sum(one.hidden and one.outcome != "violation" for score in scores for one in score.deviations)
    rates = (f"{count / hours if hours else 0:.1f}" for count in (false, doubts))
    return (
        f"| {level} | {hours:.2f} | {planted} | {outcomes['violation']} | {outcomes['undetermined']} | "
        f"{outcomes['missed']} | {hidden} | {false} | {' | '.join(rates)} |"
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
