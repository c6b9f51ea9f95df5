"""Measures poker: performed hands, seen without pixels with the detectors' faults, or recorded and watched
(`--pixels`), reconstructed, judged and scored.

    python benchmarks/poker.py --recordings 10 --hands 5 --level typical --keep out/poker
    python benchmarks/poker.py --each 1 --keep out/poker
    python benchmarks/poker.py --again --keep out/poker
    python benchmarks/poker.py --pixels --recordings 4 --hands 2 --keep out/poker-video

`--each N` plants every breach N times, one a recording of a hand or two; else play is lawful. `--keep DIR` keeps what
was seen with its truth; a call that was interrupted goes on where it stopped, and `--again` judges all that DIR holds
anew.
`--blind` leaves out what the button's finder tells. `--pixels` draws and encodes each recording and watches it, about
as long as it lasts; DIR keeps the videos.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from msgspec import UNSET

from verifier.domain.findings import FindingsReport
from verifier.domain.observations import ObservationsHeader, VideoInfo
from verifier.formats.events import read_events, write_events
from verifier.formats.house import read_house, write_house
from verifier.formats.layout import read_layout, write_layout
from verifier.formats.observations import ObservationWriter, open_observations
from verifier.law.judge import judge
from verifier.reconstruct import reconstruct
from verifier.simulate.commands import look_and_camera
from verifier.simulate.detections import Level
from verifier.simulate.perform import Performance
from verifier.simulate.poker.faults import FAULTS
from verifier.simulate.poker.games import VARIANTS, Variant
from verifier.simulate.poker.layouts import poker_layout
from verifier.simulate.poker.perform import perform_hands
from verifier.simulate.poker.seen import poker_observations
from verifier.simulate.record import record
from verifier.simulate.render import Camera
from verifier.vision.observe import observe

SIZE = (1280, 720)
RECORDING = VideoInfo(name="poker without pixels", sha256="0" * 64, width=SIZE[0], height=SIZE[1])
TILT = {"faultless": "easy", "easy": "easy", "typical": "normal", "hard": "hard"}
PLANTED_HANDS = 1
PLAYERS = 4


class Job(NamedTuple):
    """A recording to be made: its seed, hands, level, and the breach planted in it."""

    seed: int
    hands: int
    level: Level
    fault: str | None
    game: Variant = "holdem"
    all_in: float = 0.0

    @property
    def name(self) -> str:
        return f"{self.seed}-{self.game}-{self.level}-{self.fault or 'lawful'}"

    def perform(self) -> Performance:
        faults = [self.fault] if self.fault else []
        return perform_hands(self.seed, self.hands, faults, players=PLAYERS, game=self.game, all_in=self.all_in)


class Measured(NamedTuple):
    """What came of one recording. `outcome` of its planted breach, clauses of false and of open findings."""

    name: str
    seconds: float
    hands: int
    outcome: str | None
    false: list[str]
    undetermined: list[str]
    passes: Counter[str]
    cards: tuple[int, int]
    """Board and shown cards read right, and all that truly showed."""


def make(job: Job, folder: Path, *, pixels: bool) -> None:
    """Perform, observe and keep a recording, unless that is done."""
    if (folder / "seconds").exists():
        return
    if pixels:
        film(job, folder)
        watch(folder)
        return
    played = job.perform()
    camera = Camera.sample(np.random.default_rng([job.seed, 77]), SIZE, TILT[job.level])  # type: ignore[arg-type]
    folder.mkdir(parents=True, exist_ok=True)
    write_layout(folder / "layout.yaml", poker_layout(played.plan, camera, played.site, played.table))  # type: ignore[arg-type]
    write_house(folder / "house.yaml", played.house)
    write_events(folder / "truth.events.jsonl", played.events)
    (folder / "truth.deviations.json").write_bytes(msgspec.json.encode(list(played.deviations)))
    with ObservationWriter(folder / "observations.jsonl", ObservationsHeader(video=RECORDING, sample_hz=7.5)) as writer:
        for seen in poker_observations(played, camera, job.level):
            writer.write(seen)
    (folder / "seconds").write_text(str(played.duration))


def film(job: Job, folder: Path) -> None:
    """Perform, draw and encode a recording, as `verifier simulate` does."""
    split = "typical" if job.level == "faultless" else job.level
    look, camera = look_and_camera(job.seed, SIZE, split, "test")
    played = job.perform()
    record(played, look, camera, folder, fps=15)


def watch(folder: Path) -> None:
    """Watch a recording with the shipped networks and keep what was seen."""
    seen = observe(folder / "video.mp4", read_layout(folder / "layout.yaml"))
    with ObservationWriter(folder / "observations.jsonl", seen.header) as writer:
        for one in seen:
            writer.write(one)
    (folder / "seconds").write_text(str(seen.coverage.recorded))


def measure(folder: Path, *, blind: bool) -> Measured:
    """Reconstruct, judge and score a kept recording."""
    truth = read_events(folder / "truth.events.jsonl")
    source = open_observations(folder / "observations.jsonl")
    seen = (msgspec.structs.replace(one, buttons=UNSET) if blind else one for one in source)
    layout, house = read_layout(folder / "layout.yaml"), read_house(folder / "house.yaml")
    log = reconstruct(seen, layout, house, source.header)
    write_events(folder / ("blind.events.jsonl" if blind else "events.jsonl"), log)
    report, real = judge(log), judge(truth)
    planted = msgspec.json.decode((folder / "truth.deviations.json").read_bytes())
    allowed = {(clause, f.round) for f in real.findings for clause in (f.clause, *f.also)}
    false = [
        f"{one.clause} hand {one.round}: {one.observed}"
        for one in report.findings
        if one.verdict == "violation" and not any((c, one.round) in allowed for c in (one.clause, *one.also))
    ]
    return Measured(
        folder.name,
        float((folder / "seconds").read_text()),
        len({event.round for event in truth.events if event.round}),
        _outcome(report, planted[0]) if planted else None,
        false,
        [f"{f.clause} hand {f.round}: {f.observed}" for f in report.findings if f.verdict == "undetermined"],
        Counter({row.clause: row.checked for row in report.clauses if row.verdict == "pass"}),
        _cards(truth, log),
    )


def _outcome(report: FindingsReport, planted: dict[str, object]) -> str:
    told = {
        one.verdict
        for one in report.findings
        if one.round == planted["round"] and planted["clause"] in (one.clause, *one.also)
    }
    return "violation" if "violation" in told else "undetermined" if told else "missed"


def _cards(truth: object, log: object) -> tuple[int, int]:
    true, told = (_shown(one) for one in (truth, log))
    return sum((true & told).values()), true.total()


def _shown(log: object) -> Counter[tuple[int | None, str, str]]:
    found: Counter[tuple[int | None, str, str]] = Counter()
    for event in log.events:  # type: ignore[attr-defined]
        if event.name == "card_dealt" and event.to == "board":
            found[event.round, "board", event.card] += 1
        elif event.name == "card_revealed":
            found[event.round, event.at, event.card] += 1
    return found


def report(measured: list[Measured]) -> str:
    """All figures as Markdown."""
    hours = sum(one.seconds for one in measured) / 3600.0
    planted = [one for one in measured if one.outcome is not None]
    outcomes = Counter(one.outcome for one in planted)
    false = [f"{one.name}: {text}" for one in measured for text in one.false]
    doubts = [f"{one.name}: {text}" for one in measured for text in one.undetermined if one.outcome is None]
    lawful = sum(one.seconds for one in measured if one.outcome is None) / 3600.0
    right, whole = (sum(one.cards[i] for one in measured) for i in (0, 1))
    lines = [
        f"{len(measured)} recordings, {hours:.2f} table-hours, {sum(one.hands for one in measured)} hands, "
        f"of these {lawful:.2f} hours lawful.",
        f"Planted: {outcomes['violation']} of {len(planted)} found, {outcomes['undetermined']} undetermined, "
        f"{outcomes['missed']} missed. False violations: {len(false)}. "
        f"Undetermined findings in lawful recordings: {len(doubts)}.",
        f"Board and shown cards right: {right} of {whole}.",
        "",
        *(f"- {one.name}: {one.outcome}" for one in planted),
        "",
        *(f"- false: {text}" for text in false),
        *(f"- undetermined: {text}" for text in doubts),
        "",
        *(f"- passed: {clause} {count}" for clause, count in sorted(_passes(measured).items())),
    ]
    return "\n".join(lines)


def _passes(measured: list[Measured]) -> Counter[str]:
    return sum((one.passes for one in measured), Counter[str]())


def planned(arguments: argparse.Namespace) -> Iterator[Job]:
    """Return the recordings that are asked for."""
    possible = (name for name, fault in FAULTS.items() if arguments.game in fault.games and arguments.only in name)
    names = list(possible) * arguments.each
    for number in range(len(names) if names else arguments.recordings):
        seed = arguments.first_seed + number
        fault = names[number] if names else None
        yield Job(
            seed, PLANTED_HANDS if fault else arguments.hands, arguments.level, fault, arguments.game, arguments.all_in
        )


def main() -> None:
    """Run what is asked for and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--recordings", type=int, default=4)
    parser.add_argument("--hands", type=int, default=5, help="hands of a lawful recording")
    parser.add_argument("--game", choices=VARIANTS, default="holdem")
    parser.add_argument("--each", type=int, default=0, help="recordings with each breach")
    parser.add_argument("--only", default="", help="with --each: breaches whose name contains this")
    parser.add_argument("--level", choices=sorted(TILT), default="typical")
    parser.add_argument("--first-seed", type=int, default=610_000)
    parser.add_argument("--all-in", type=float, default=0.0, help="share of lawful hands with a player all-in")
    parser.add_argument("--blind", action="store_true", help="without the button's finder")
    parser.add_argument("--pixels", action="store_true", help="record, and watch the recordings")
    parser.add_argument("--again", action="store_true", help="judge what DIR holds anew, and make nothing")
    parser.add_argument("--keep", type=Path, required=True, help="folder of the recordings")
    arguments = parser.parse_args()
    folders = [folder.parent for folder in sorted(arguments.keep.glob("*/seconds"))] if arguments.again else []
    measured = []
    for job in [] if arguments.again else planned(arguments):
        make(job, arguments.keep / job.name, pixels=arguments.pixels)
        folders.append(arguments.keep / job.name)
    for folder in folders:
        started = time.process_time()
        one = measure(folder, blind=arguments.blind)
        measured.append(one)
        took = time.process_time() - started
        print(
            f"{one.name}: {one.outcome or 'lawful'}, false {one.false}, open {one.undetermined} ({took:.1f} s)",
            flush=True,
        )
    print(report(measured))


if __name__ == "__main__":
    main()
