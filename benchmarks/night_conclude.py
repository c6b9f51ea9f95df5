"""Times the conclusion of a long shift: `python benchmarks/night_conclude.py OUT [--hours 12] [--findings 60]`.

What was seen in a sample recording (watched once) is repeated, moved in time, as the checkpoints of a shift of so many
hours, beside the recording itself repeated without encoding anew. Then the shift is concluded in a process of its own:
reconstruction, law, clips. So that it is like a real shift, only so many of the findings get clips and stills, those in
even steps; the sample has one every two minutes. Prints the seconds of each stage, the memory, and the longest time
between two checkpoints: no more than that is repeated when it is killed.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import resource
import shutil
import time
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import msgspec
from night_material import SAMPLES, make_table

from verifier.domain.events import EventLog
from verifier.domain.findings import FindingsReport
from verifier.domain.observations import NamedHash, Observation, ObservationsHeader
from verifier.formats.layout import read_layout
from verifier.law.judge import judge
from verifier.recording.probe import probe, sha256_of
from verifier.review.pipeline.chain import Chain, own_chain
from verifier.review.pipeline.conclude import conclude
from verifier.review.pipeline.folders import Folders
from verifier.review.pipeline.plan import SEGMENT_S, segments_of
from verifier.review.pipeline.segments import SegmentHead, line_of, write_seen
from verifier.review.pipeline.values import Facts, Part, RecordingSet, Segment, Source, clock_after
from verifier.review.pipeline.watched import Checkpoints
from verifier.vision.observe import observe

SAMPLE: Final = SAMPLES / "clean"
CONFIG: Final = "benchmark"
NEW_IDS: Final = 100_000


def watched(out: Path) -> tuple[ObservationsHeader, list[Observation], float]:
    """Return what is seen in the sample: header, observations, and its length in seconds; watch it only once."""
    kept = out / "seen.jsonl"
    facts = probe(SAMPLE / "video.mp4")
    if not kept.exists():
        layout = SAMPLE / "layout.yaml"
        named = NamedHash(name=layout.name, sha256=sha256_of(layout))
        watch = observe(facts, read_layout(layout), layout_file=named)
        seen = list(watch)
        kept.write_bytes(b"\n".join(map(msgspec.json.encode, (watch.header, *seen))))
    first, *rest = kept.read_bytes().split(b"\n")
    length = float(facts.info.duration or facts.times[-1])
    return msgspec.json.decode(first, type=ObservationsHeader), [_decoded(line) for line in rest], length


def _decoded(line: bytes) -> Observation:
    return msgspec.json.decode(line, type=Observation)


def repeated(seen: list[Observation], length: float, segment: Segment) -> Iterator[Observation]:
    """Yield what is seen in a segment of the long recording."""
    for turn in range(int(segment.warm / length), int(segment.end / length) + 1):
        shift = turn * length
        for one in seen:
            if segment.warm <= one.t + shift < segment.end:
                yield _moved(one, shift, turn * NEW_IDS)


def _moved(one: Observation, shift: float, ids: int) -> Observation:
    def renamed(things: list[Any]) -> list[Any]:
        return [msgspec.structs.replace(thing, id=None if thing.id is None else thing.id + ids) for thing in things]

    return msgspec.structs.replace(
        one,
        t=round(one.t + shift, 6),
        frame=one.frame + round(shift * 15),
        clock=clock_after(one.clock, shift),
        cards=renamed(one.cards),
        chips=renamed(one.chips),
        hands=renamed(one.hands),
    )


def make_shift(out: Path, hours: float) -> tuple[RecordingSet, Folders]:
    """Return the long recording and its checkpoints; make them unless they are there."""
    folders = Folders(out / "home" / "night")
    note = out / f"{hours}h.json"
    if not note.exists():
        recording_set = _made(out, hours, folders)
        note.write_bytes(msgspec.json.encode(recording_set))
    return msgspec.json.decode(note.read_bytes(), type=RecordingSet), folders


def _made(out: Path, hours: float, folders: Folders) -> RecordingSet:
    table = out / "recordings" / "table0"
    header, seen, length = watched(out)
    seconds = make_table(out, 0, SAMPLE, hours * 3600)
    facts = Facts(
        path=str(table / "video.mp4"),
        sha256="0" * 64,
        bytes=1,
        modified_ns=1,
        kept="",
        width=1280,
        height=720,
        seconds=seconds,
        clock=seen[0].clock,
        divisible=True,
    )
    part = Part(facts=facts, at=0.0, begin=0.0, end=seconds)
    for segment in segments_of(part, SEGMENT_S):
        head = SegmentHead(header=header, gaps=[], took=0.0)
        lines = map(line_of, repeated(seen, length, segment))
        write_seen(folders.segment(facts, CONFIG, segment), head, lines)
    source = Source(path=facts.path, layout=str(table / "layout.yaml"), house=str(table / "house.yaml"))
    return RecordingSet(source=source, parts=[part], clock=facts.clock)


def few(log: EventLog, most: int) -> FindingsReport:
    """Judge the log; return the judgement with at most so many of its findings, in even steps."""
    report = judge(log)
    print(f"{len(log.events)} events, {len(report.findings)} findings", flush=True)
    step = max(1, len(report.findings) // most)
    return msgspec.structs.replace(report, findings=report.findings[::step][:most])


@lru_cache(maxsize=1)
def chain(most: int) -> Chain:
    """Return the product's stages, with fewer findings."""
    return msgspec.structs.replace(own_chain(), judge=lambda log: few(log, most))


def work(recording_set: RecordingSet, folders: Folders, most: int) -> None:
    """Concludes the shift and says what it took."""
    began = time.time()
    stage = folders.concluding("shift")
    made = conclude(Checkpoints(recording_set, CONFIG, SEGMENT_S, folders), chain(most), stage, lambda *_: None)
    spent = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in made.took.items())
    print(f"{time.time() - began:.1f} s: {spent}; {len(made.found)} findings with clips")
    print(f"most memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10} MiB")
    kept = [path for path in stage.rglob("*") if path.suffix in (".gz", ".mp4", ".jpg") or path.name == "findings.json"]
    times = sorted([began, *(path.stat().st_mtime for path in kept), time.time()])
    print(f"longest time between two checkpoints {max(b - a for a, b in pairwise(times)):.1f} s")


def main() -> None:
    """Make the shift and conclude it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--hours", type=float, default=12.0)
    parser.add_argument("--findings", type=int, default=60)
    parser.add_argument("--make-only", action="store_true")
    options = parser.parse_args()
    out = options.out.absolute()
    os.environ["VERIFIER_HOME"] = str(out / "home")
    out.mkdir(parents=True, exist_ok=True)
    recording_set, folders = make_shift(out, options.hours)
    if options.make_only:
        return
    for kept in (folders.concluding("shift"), out / "home" / "evidence"):
        shutil.rmtree(kept, ignore_errors=True)
    process = multiprocessing.get_context("spawn").Process(target=work, args=(recording_set, folders, options.findings))
    process.start()
    process.join()


if __name__ == "__main__":
    main()
