"""Rejected findings as labelled examples: which frames misled the software, how, and what it saw in them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Final

import cv2
import msgspec
from msgspec import Struct

from verifier.domain.observations import Observation
from verifier.formats.files import write_file
from verifier.formats.whole import make_folder
from verifier.review.frames import frames_at
from verifier.review.judging import REASONS
from verifier.review.looked_at import looked_at_around, observations_between, seen_in_frame
from verifier.review.originals import original_at, originals_of
from verifier.review.people.roles import Act, Person, require
from verifier.review.queue import QueueItem, load_queue
from verifier.store.repository import Store

EXAMPLES_FORMAT: Final = "verifier-examples"
_AROUND_S: Final = 1.0


class Header(Struct, frozen=True, kw_only=True):
    """The first line of `examples.jsonl`; `counts` tells how many examples each reason has."""

    counts: dict[str, int]
    format: str = EXAMPLES_FORMAT
    version: int = 1


class Example(Struct, frozen=True, kw_only=True):
    """One rejected finding. `seen` are the observations that misled, `images` the same frames by their times."""

    finding: str
    video_sha256: str
    clause: str
    reason: str
    note: str
    reviewer: str
    decided_at: str
    at: str | None
    t_start: float
    t_end: float
    events: list[str]
    images: dict[str, float]
    seen: list[Observation]


def export_examples(store: Store, person: Person, out: Path) -> Header:
    """Write `examples.jsonl` and `images/*.png` under `out`, one example for each finding that stands rejected.

    Frames are written where the recording is still at hand. Raises Forbidden if the person may not export or see
    video.
    """
    require(person, Act.EXPORT)
    require(person, Act.VIDEO)
    rejected = [item for item in load_queue(store) if item.state == "rejected"]
    make_folder(out / "images")
    examples = [_example(item, out) for item in rejected]
    header = Header(counts=dict(Counter(example.reason for example in examples)))
    lines = msgspec.json.encode(header), *(msgspec.json.encode(example) for example in examples)
    write_file(out / "examples.jsonl", b"\n".join(lines) + b"\n")
    store.note(person.name, "export_examples", "", {"examples": len(examples)})
    return header


def _example(item: QueueItem, out: Path) -> Example:
    finding, verdict = item.stored.finding, item.verdicts[-1]
    near = observations_between(Path(item.review.folder), finding.t_start - _AROUND_S, finding.t_end + _AROUND_S)
    seen = _telling(near, (finding.t_start, finding.t_end))
    return Example(
        finding=item.stored.id,
        video_sha256=item.review.video_sha256,
        clause=finding.clause,
        reason=verdict.reason if verdict.reason in REASONS else "other",
        note=verdict.note,
        reviewer=verdict.reviewer,
        decided_at=verdict.decided_at,
        at=finding.at,
        t_start=finding.t_start,
        t_end=finding.t_end,
        events=finding.events,
        images=_images(item, [one.t for one in seen], out),
        seen=seen,
    )


def _telling(near: list[Observation], moments: tuple[float, float]) -> list[Observation]:
    """Return the looked-at frames at the finding's beginning and end."""
    times = {t for moment in moments for t in (looked_at_around(near, moment)[1],) if t is not None}
    return [one for t in sorted(times) if (one := seen_in_frame(near, t)) is not None]


def _images(item: QueueItem, times: list[float], out: Path) -> dict[str, float]:
    named = {}
    for original in originals_of(item.review):
        mine = [t for t in times if original_at(item.review, t) == original]
        if mine and original.file.is_file():
            for local, picture in frames_at(original.file, [t - original.at for t in mine]):
                t = min(mine, key=lambda one: abs(one - original.at - local))
                name = f"images/{item.stored.id}-{round(t * 1000)}.png"
                write_file(out / name, cv2.imencode(".png", picture)[1].tobytes())
                named[name] = t
    return named
