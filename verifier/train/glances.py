"""Looks once at each unseen picture and writes down truth and sight, one line a picture; goes on where it stopped."""

from __future__ import annotations

import hashlib
import multiprocessing
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import msgspec
from msgspec import Struct, structs

from verifier.domain.errors import BadInput
from verifier.domain.observations import Observation
from verifier.train.unseen import Case, Doubtful, Image, make
from verifier.vision.detector import MIN_P, Detection, Detector, Finder
from verifier.vision.geometry import Floats
from verifier.vision.looker import Looker
from verifier.vision.models import ModelFile, find_model
from verifier.vision.readers import HEADS, CardReading, HandReading, Readers, Reads

LEAST: Final = 0.01
"""Detections below this probability are not written down: average precision needs the faint ones too."""
CHUNK: Final = 4
Answer = tuple[str, float]
"""The likeliest label and its probability."""


class Found(Struct, frozen=True, array_like=True):
    """A detection, however faint: kind, probability, four corners or an upright box as corners (pixels)."""

    kind: str
    p: float
    quad: tuple[float, ...]


class Glance(Struct, frozen=True, kw_only=True):
    """One picture: what it is, what it shows, what was seen, every detection, and what each reader's head said.

    `answers` has a list for each head (rank, suit, colour, side, facing, fingers, owner): one answer for each card,
    chip or hand of `seen` in order, None where that head was not asked.
    """

    case: Case
    truth: Observation
    doubtful: Doubtful
    seen: Observation
    found: list[Found]
    answers: dict[str, list[Answer | None]]


class Noting:
    """Readers that remember what they last said."""

    def __init__(self, readers: Reads) -> None:
        self._readers = readers
        self.said: dict[str, list[Mapping[str, float]]] = {}

    def cards(self, picture: Image, quads: Sequence[Floats]) -> list[CardReading]:
        readings = self._readers.cards(picture, quads)
        self.said |= {"rank": [r.ranks for r in readings], "suit": [r.suits for r in readings]}
        return readings

    def chips(self, picture: Image, found: Sequence[Detection]) -> list[Mapping[str, float]]:
        readings = self._readers.chips(picture, found)
        self.said["colour"] = list(readings)
        return readings

    def hands(self, picture: Image, found: Sequence[Detection]) -> list[HandReading]:
        readings = self._readers.hands(picture, found)
        self.said |= {head: [getattr(r, head) for r in readings] for head in HEADS["hands"]}
        return readings


@dataclass(frozen=True, slots=True)
class Sight:
    """A detector that also tells its faint finds, the thresholds it is meant to be used with, and readers."""

    finder: Finder
    readers: Reads
    thresholds: Mapping[str, float]


def open_sight(models: Path | None = None, long_side: int | None = None) -> Sight:
    """The models of a folder (by default the shipped ones) on one thread; raises BadInput where they are missing."""
    file = find_model("detector", models)
    bare = ModelFile(file.name, file.path, structs.replace(file.card, thresholds={}), file.sha256)
    detector = Detector(bare, long_side=long_side, streams=1, threads=1, min_p=LEAST)
    return Sight(detector, Readers(lambda name: find_model(name, models), threads=1), file.card.thresholds)


def look_at(image: Image, sight: Sight) -> tuple[Observation, list[Found], dict[str, list[Answer | None]]]:
    """What one look at a frame (h, w, 3) shows without the help of others; all detections; the heads' answers."""
    every = sight.finder.detect(image)
    kept = [d for d in every if d.p >= max(MIN_P, sight.thresholds.get(d.kind, 0.0))]
    noting = Noting(sight.readers)
    seen = Looker(noting).look(0.0, image, kept)
    answers: dict[str, list[Answer | None]] = {head: [_top(p) for p in said] for head, said in noting.said.items()}
    for head in ("rank", "suit"):
        asked = iter(answers.get(head, []))
        answers[head] = [next(asked) if card.face == "up" else None for card in seen.cards]
    found = [Found(d.kind, round(d.p, 4), tuple(round(float(v), 1) for v in _corners(d))) for d in every]
    return Observation(t=0.0, frame=0, cards=seen.cards, chips=seen.chips, hands=seen.hands), found, answers


def _corners(d: Detection) -> Iterator[float]:
    if d.kind.startswith("card"):
        return iter(d.quad.ravel())
    x0, y0, x1, y1 = d.upright
    return iter((x0, y0, x1, y0, x1, y1, x0, y1))


def _top(table: Mapping[str, float]) -> Answer:
    label = max(table, key=lambda name: table[name])
    return label, round(float(table[label]), 4)


def glance(case: Case, sight: Sight) -> Glance:
    """Makes the picture of a case and looks at it."""
    picture = make(case)
    seen, found, answers = look_at(picture.image, sight)
    return Glance(
        case=case, truth=picture.truth, doubtful=picture.doubtful, seen=seen, found=found, answers=answers,
    )  # fmt: skip


def glances_file(folder: Path, models: Path | None = None, long_side: int | None = None) -> Path:
    """The file in `folder` for these models and this long side: other models write to another file."""
    hashes = [
        find_model(name, models).path.with_suffix(end) for name in ("detector", *HEADS) for end in (".onnx", ".json")
    ]
    digest = hashlib.sha256(b"".join(hashlib.sha256(path.read_bytes()).digest() for path in hashes))
    return folder / f"{digest.hexdigest()[:12]}-{long_side or 'own'}.jsonl"


def read_glances(path: Path) -> list[Glance]:
    """The looks of a file, without a last line that was cut short; raises BadInput for a file of another kind."""
    if not path.is_file():
        return []
    lines = path.read_bytes().split(b"\n")[:-1]
    try:
        return [msgspec.json.decode(line, type=Glance) for line in lines]
    except msgspec.DecodeError as error:
        raise BadInput(path, f"is no file of glances ({error})", "delete it and evaluate again") from error


def seen_of(
    todo: Sequence[Case], path: Path, models: Path | None = None, *, long_side: int | None = None, jobs: int = 2,
    tick: Callable[[int], object] = int,
) -> list[Glance]:  # fmt: skip
    """The glances at all cases of `todo`, from `path` or newly made and added to it; `tick` hears how many more."""
    wanted = {key(case): number for number, case in enumerate(todo)}
    out = {key(one.case): one for one in read_glances(path) if key(one.case) in wanted}
    tick(len(out))
    for one in run([case for case in todo if key(case) not in out], path, models, long_side=long_side, jobs=jobs):
        out[key(one.case)] = one
        tick(1)
    return sorted(out.values(), key=lambda one: wanted[key(one.case)])


def key(case: Case) -> tuple[str, int, tuple[int, int]]:
    """What tells cases apart."""
    return case.kind, case.seed, case.size


def run(
    todo: Sequence[Case], path: Path, models: Path | None = None, *, long_side: int | None = None, jobs: int = 2
) -> Iterator[Glance]:
    """Looks at the cases of `todo`, adds each glance to `path`, and yields them as they come."""
    _mend(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as out:
        for one in _glances(todo, models, long_side, jobs):
            out.write(msgspec.json.encode(one) + b"\n")
            out.flush()
            yield one


def _glances(left: Sequence[Case], models: Path | None, long_side: int | None, jobs: int) -> Iterator[Glance]:
    if jobs <= 1:
        sight = open_sight(models, long_side)
        yield from (glance(case, sight) for case in left)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, context, initializer=_begin, initargs=(models, long_side)) as pool:
        yield from pool.map(_glance_here, left, chunksize=CHUNK)


_here: list[Sight] = []


def _begin(models: Path | None, long_side: int | None) -> None:
    cv2.setNumThreads(1)
    _here[:] = [open_sight(models, long_side)]


def _glance_here(case: Case) -> Glance:
    return glance(case, _here[0])


def _mend(path: Path) -> None:
    """Cuts off a last line that an interruption left unfinished."""
    if path.is_file():
        data = path.read_bytes()
        if not data.endswith(b"\n"):
            path.write_bytes(data[: data.rfind(b"\n") + 1])
