"""Measures reconstruction and law over hours of simulated play, without pixels: noisy observations to findings.

    python benchmarks/rounds.py --hours 1 --level typical
    python benchmarks/rounds.py --recordings 100 --level each --rounds 4 --processes 2 --first-seed N --keep DIR

Each recording is performed from its seed, seen with the faults that the detectors are known for
(verifier/simulate/detections), reconstructed, judged and scored against its truth. Half of the recordings are lawful.
`--each N` instead plants every clause that can be planted, one a recording, N times over, in more rounds where one
needs them.
`--closer` looks once more where something seems to have been broken, as a review does; the detectors err independently
of the first look there, which real ones do not quite.
`--rulebook` plays by another rulebook. Breaches of the play that it shares with twenty-one are planted where the
simulator stages them; else give `--deviations 0`.
`--level each` takes easy, typical and hard in turn, and `--processes` measures several recordings side by side.
`--keep DIR` writes each one's truth and review side by side: a call that was interrupted goes on where it stopped,
`benchmarks/replay.py DIR` judges the same observations again, and `verifier score --truth DIR/SEED --review
DIR/SEED/review` tells more.
"""

from __future__ import annotations

import argparse
import os
import random
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import count, islice
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple, cast

import cv2
import msgspec
import numpy as np
from replay import table

from verifier.domain.errors import BadInput
from verifier.domain.events import EventLog
from verifier.domain.findings import FindingsReport
from verifier.domain.observations import Observation, ObservationsHeader, VideoInfo
from verifier.domain.rulebooks import ABOUT, USUAL, Rulebook, game_of
from verifier.formats.events import write_events
from verifier.formats.findings import write_findings
from verifier.formats.house import write_house
from verifier.formats.layout import write_layout
from verifier.formats.observations import ObservationWriter
from verifier.law.judge import judge
from verifier.reconstruct import reconstruct
from verifier.review.closer import Looked, Span, confirmed, replaced
from verifier.review.score import Score, score_logs
from verifier.review.score_findings import Deviation, broken_in
from verifier.review.score_hidden import hidden
from verifier.simulate.detections import Level, noisy_observations
from verifier.simulate.detections.foreign import bare, foreign
from verifier.simulate.deviations import acts_of, agreeing
from verifier.simulate.layouts import layout_for
from verifier.simulate.perform import Performance, perform
from verifier.simulate.render import Camera

SIZE = (1280, 720)
RECORDING = VideoInfo(name="play without pixels", sha256="0" * 64, width=SIZE[0], height=SIZE[1])
"""What stands for the recording: law takes a log that names one for a detector's, out of whose view acts may be."""
TILT = {"faultless": "easy", "easy": "easy", "typical": "normal", "hard": "hard"}
IN_TURN = ("easy", "typical", "hard")
TOLERANCE_S = 2.0
MORE_ROUNDS, MOST_SPACES = 3, 6
"""Some breaches need a round before or after them, or more hands than one round has."""
PLAYED = [name for name in ABOUT if game_of(name) == "twenty-one"]
KINDS = ("card_dealt", "card_revealed", "wager_placed", "hand_signal", "chips_fanned", "payoff_placed", "hands_shown")


class Job(NamedTuple):
    """One recording to be made: its seed, the clauses to break, betting spaces and level of noise."""

    seed: int
    clauses: tuple[str, ...]
    spaces: int
    level: str

    @property
    def name(self) -> str:
        return f"{self.seed}-{self.level}"


class Measured(msgspec.Struct, frozen=True):
    """One recording: its score, what was left undetermined, and seconds of play, reconstruction and judging."""

    name: str
    score: Score
    doubts: list[tuple[str, str]]
    play: float
    reconstructing: float
    judging: float
    hands: tuple[int, int] = (0, 0)
    """Hands, the dealer's too, of which all cards are right in value, and all hands."""

    def __str__(self) -> str:
        outcomes = ", ".join(f"{one.clause} {one.outcome}" for one in self.score.deviations) or "lawful"
        return (
            f"{self.name}: {self.play:.0f} s, F1 {self.score.events.f1}, {outcomes}; "
            f"false {len(self.score.false_violations)}, undetermined {self.score.undetermined}"
        )


@dataclass
class Sums:
    """What has been measured so far."""

    play: float = 0.0
    reconstructing: float = 0.0
    judging: float = 0.0
    hands_right: int = 0
    hands: int = 0
    undetermined: int = 0
    false: list[str] = field(default_factory=list)
    rates: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    planted: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    hidden: int = 0
    """Planted breaches that were not found and that no camera above the table could show."""
    doubts: list[tuple[str, str]] = field(default_factory=list)

    def add(self, one: Measured) -> None:
        """One recording's score."""
        self.play += one.play
        self.reconstructing += one.reconstructing
        self.judging += one.judging
        self.hands_right += one.hands[0]
        self.hands += one.hands[1]
        score = one.score
        self.undetermined += score.undetermined
        self.doubts += [(clause, f"{one.name}: {text}") for clause, text in one.doubts]
        self.false += [f"{one.name}: {text}" for text in score.false_violations]
        for kind, rate in (*score.by_kind.items(), ("all", score.events), ("all, any value", score.events_placed)):
            self.rates[kind].update(matched=rate.matched, missed=rate.missed, invented=rate.invented)
        for planted in score.deviations:
            self.planted[planted.clause][planted.outcome] += 1
            self.hidden += planted.hidden and planted.outcome != "violation"


def wanted(rng: random.Random, clauses: list[str], most: int, acts: Sequence[str]) -> tuple[str, ...]:
    """Which of `acts` break clauses in one recording: none in every second, else one to `most`, evenly often."""
    count = rng.choice((0, rng.randint(1, most))) if most else 0
    if len(clauses) < count:
        clauses[:0] = rng.sample(acts, len(acts))
    return agreeing([clauses.pop() for _ in range(count)])


def measure(
    performance: Performance, level: str, name: str, keep: Path | None, *, cards_alone: bool, closer: bool
) -> Measured:
    """Observes, reconstructs, judges and scores one recording; `cards_alone`: as another maker observes it.

    `closer`: with a second look where something seems to have been broken, as a review takes it.
    """
    rng = np.random.default_rng([performance.seed, 77])
    camera = Camera.sample(rng, SIZE, TILT[level])  # type: ignore[arg-type]
    site, seat = performance.site, performance.dealer_seat
    layout = layout_for(performance.plan, camera, site=site, table=performance.table, dealer_seat=seat)
    seen = list(noisy_observations(performance, camera, cast(Level, level)))
    if cards_alone:
        seen, layout = list(foreign(seen, performance.seed)), bare(layout)
    started = time.process_time()
    log = reconstruct(seen, layout, performance.house, ObservationsHeader(video=RECORDING))
    between = time.process_time()
    findings = judge(log)
    ended = time.process_time()
    if closer:
        header = ObservationsHeader(video=RECORDING)
        look = another_look(performance, camera, cast(Level, level))

        def again(looks: Sequence[Looked]) -> EventLog:
            return reconstruct(replaced(seen, looks), layout, performance.house, header)

        told = confirmed(log, judge, again, look)
        log, findings = told.log, told.report
    planted = msgspec.convert(msgspec.to_builtins(list(performance.deviations)), list[Deviation])
    true = performance.events
    score = score_logs(
        true.events,
        log.events,
        planted,
        findings,
        performance.duration,
        TOLERANCE_S,
        broken=broken_in(true),
        unseen=hidden(true, planted),
    )
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
    return Measured(
        name,
        score,
        doubts(findings),
        performance.duration,
        between - started,
        ended - between,
        (score.hands.right, score.hands.of),
    )


def another_look(performance: Performance, camera: Camera, level: Level) -> Callable[[Span], list[Observation]]:
    """Return a function giving a second look at a stretch: same gaps and people leaning in, detectors err anew."""

    @cache
    def again() -> list[Observation]:
        return list(noisy_observations(performance, camera, level, again=1))

    return lambda span: [one for one in again() if span[0] <= one.t < span[1]]


def doubts(findings: FindingsReport) -> list[tuple[str, str]]:
    """Clause and description of each undetermined finding."""
    return [
        (one.clause, f"round {one.round} at {one.t_start:.1f} s: {one.observed}")
        for one in findings.findings
        if one.verdict == "undetermined"
    ]


def measured_before(keep: Path | None, name: str) -> Measured | None:
    """Return what an earlier call measured of a recording; None where it did not finish it."""
    path = keep / name / "measured.json" if keep is not None else None
    return msgspec.json.decode(path.read_bytes(), type=Measured) if path is not None and path.exists() else None


def write_seen(path: Path, seen: Sequence[Observation]) -> None:
    """Write the observations."""
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
    lines += [
        "",
        f"All cards of a hand right in value: {sums.hands_right} of {sums.hands} hands "
        f"({_share(sums.hands_right, sums.hands)}).",
    ]
    lines += [
        "",
        f"Planted found: {outcomes['violation']} of {planted} ({_share(outcomes['violation'], planted)}), "
        f"undetermined {outcomes['undetermined']}, missed {outcomes['missed']} "
        f"(of these {sums.hidden} that no camera above the table could show).",
        f"False violations: {len(sums.false)} ({len(sums.false) / hours:.1f} an hour). "
        f"Undetermined: {sums.undetermined} ({sums.undetermined / hours:.1f} an hour).",
        f"Reconstruction {sums.play / sums.reconstructing:.0f} times real time, "
        f"law {sums.play / sums.judging:.0f} times.",
    ]
    lines += ["", "| planted clause | found | undetermined | missed |", "|---|---|---|---|"]
    for clause, count in sorted(sums.planted.items()):
        lines.append(f"| {clause} | {count['violation']} | {count['undetermined']} | {count['missed']} |")
    lines += ["", "False violations:", "", *(f"- {text}" for text in sums.false)]
    lines += ["", "Undetermined, by clause:", ""]
    lines += [f"- {clause}: {text}" for clause, text in sorted(sums.doubts)]
    return "\n".join(lines)


def _share(part: float, whole: float) -> str:
    return f"{part / whole:.3f}" if whole else "-"


def main() -> None:
    """Run what is asked for and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hours", type=float, default=0.5, help="table-hours to play")
    parser.add_argument("--recordings", type=int, default=0, help="how many recordings, instead of hours")
    parser.add_argument("--level", choices=[*sorted(TILT), "each"], default="typical")
    parser.add_argument("--processes", type=int, default=1, help="recordings measured side by side")
    parser.add_argument("--first-seed", type=int, default=500_000)
    parser.add_argument("--rounds", type=int, default=6, help="rounds of a recording")
    parser.add_argument("--deviations", type=int, default=2, help="most planted breaches of a recording; 0: lawful")
    parser.add_argument("--each", type=int, default=0, help="recordings with each plantable clause, instead of hours")
    parser.add_argument("--only", default="", help="with --each: clauses whose id contains this")
    parser.add_argument("--rulebook", choices=PLAYED, default=USUAL, help="rules that are played by")
    parser.add_argument("--foreign", action="store_true", help="only cards are seen, as others may give them")
    parser.add_argument("--closer", action="store_true", help="judge as a review does, with a closer look")
    parser.add_argument("--keep", type=Path, help="folder for truth and review of each recording, to go on from")
    arguments = parser.parse_args()
    if arguments.processes > 1 and not (arguments.recordings or arguments.each):
        parser.error("--processes: give the number of recordings too (--recordings or --each)")
    sums: dict[str, Sums] = defaultdict(Sums)
    scores: dict[str, list[Score]] = defaultdict(list)
    with ExitStack() as stack:
        for done, (job, one) in enumerate(_measured(arguments, stack), 1):
            sums[job.level].add(one)
            scores[job.level].append(one.score)
            print(f"{done}: {one}", flush=True)
            if not (arguments.recordings or arguments.each) and sums[job.level].play >= arguments.hours * 3600.0:
                break
    for level, summed in sums.items():
        print(report(summed, level))
    print("\n".join(["", *table(scores)]))


def _measured(arguments: argparse.Namespace, stack: ExitStack) -> Iterator[tuple[Job, Measured]]:
    """Yield the scores of the recordings in order, each as soon as it and those before it are measured."""
    jobs = planned(arguments)
    measuring = partial(measured, arguments=arguments)
    if arguments.processes == 1:
        return ((job, measuring(job)) for job in jobs)
    every = list(jobs)
    pool = stack.enter_context(ProcessPoolExecutor(arguments.processes, get_context("spawn")))
    return zip(every, pool.map(measuring, every), strict=True)


def measured(job: Job, arguments: argparse.Namespace) -> Measured:
    """Return the score of a recording, measured now or in an earlier call."""
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    cv2.setNumThreads(1)
    before = measured_before(arguments.keep, job.name)
    if before is not None:
        return before
    more = MORE_ROUNDS if arguments.each else 0
    played = performed(job.seed, arguments.rounds, job.clauses, job.spaces, more, arguments.rulebook)
    keep, alone = arguments.keep, arguments.foreign
    one = measure(played, job.level, job.name, keep, cards_alone=alone, closer=arguments.closer)
    if keep is not None:
        (keep / job.name / "measured.json").write_bytes(msgspec.json.encode(one))
    return one


def performed(
    seed: int, rounds: int, clauses: tuple[str, ...], spaces: int, more: int, rulebook: Rulebook = "nd-twenty-one"
) -> Performance:
    """Return the play of a seed, with up to `more` more rounds, and more spaces, where a breach needs them.

    It has come about where the log of what truly happened shows it.
    """
    try:
        played = perform(seed, rounds, clauses, spaces=spaces, rulebook=rulebook)
    except BadInput:
        if not more and spaces >= MOST_SPACES:
            raise
        return performed(seed, rounds + min(1, more), clauses, min(MOST_SPACES, spaces + 1), max(0, more - 1), rulebook)
    shown = {clause for one in judge(played.events).findings for clause in (one.clause, *one.also)} if more else set()
    if more and not shown.issuperset(one.clause for one in played.deviations):
        return performed(seed, rounds + 1, clauses, spaces, more - 1, rulebook)
    return played


def planned(arguments: argparse.Namespace) -> Iterator[Job]:
    """One recording after the other: as many as were asked for, without end where hours are."""
    rng, clauses = random.Random(arguments.first_seed), list[str]()
    acts = list(acts_of(arguments.rulebook))
    each = [clause for clause in acts if arguments.only in clause] * arguments.each
    levels = IN_TURN if arguments.level == "each" else (arguments.level,)
    numbers = range(len(each)) if arguments.each else islice(count(), arguments.recordings or None)
    for n in numbers:
        broken = (each[n],) if each else wanted(rng, clauses, arguments.deviations, acts)
        yield Job(arguments.first_seed + n, broken, rng.randint(2, 6), levels[n % len(levels)])


if __name__ == "__main__":
    main()
