"""One look at an unseen picture: the truth, what was seen, every detection and what each reader's head said."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from msgspec import Struct, structs

from verifier.domain.observations import Observation
from verifier.train.cases import Case, Doubtful, Image, Unseen
from verifier.train.unseen import make
from verifier.vision.detection import CARD_UP, MIN_P, Detection, Finder
from verifier.vision.detector import Detector
from verifier.vision.fitting import side_for
from verifier.vision.geometry import Floats
from verifier.vision.looker import Looker
from verifier.vision.models import (
    DETECTOR,
    PHOTOS,
    ModelFile,
    detector_for,
    find_model,
    form_of,
    overlaps_for,
    stacks_for,
)
from verifier.vision.overlapping import with_counts
from verifier.vision.readers import HEADS, CardReading, HandReading, Readers, Reads
from verifier.vision.runtime import best_precision
from verifier.vision.verdicts import Judge, Weights

LEAST: Final = 0.01
"""Detections below this probability are not written down: average precision needs the faint ones too."""
Answer = tuple[str, float]
"""The likeliest label and its probability."""


class Found(Struct, frozen=True, array_like=True):
    """A detection, however faint: kind, probability, four corners or an upright box as corners (pixels)."""

    kind: str
    p: float
    quad: tuple[float, ...]


class EvaluationSample(Struct, frozen=True, kw_only=True):
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

    def counts(self, picture: Image, quads: Sequence[Floats]) -> list[Mapping[str, float]]:
        return self._readers.counts(picture, quads)

    def chips(self, picture: Image, found: Sequence[Detection]) -> list[Mapping[str, float]]:
        readings = self._readers.chips(picture, found)
        self.said["colour"] = list(readings)
        return readings

    def hands(self, picture: Image, found: Sequence[Detection]) -> list[HandReading]:
        readings = self._readers.hands(picture, found)
        self.said |= {head: [getattr(r, head) for r in readings] for head in HEADS["hands"]}
        return readings


@dataclass(frozen=True, slots=True)
class EvaluatedModels:
    """A detector that also tells its faint finds, the thresholds it is meant to be used with, and readers."""

    finder: Finder
    readers: Reads
    thresholds: Mapping[str, float]
    verdicts: Mapping[str, Weights]
    long_side: int | None = None
    """The long side to look at; by default by the width of the cards, as recordings are watched."""


class Setup(Struct, frozen=True, kw_only=True):
    """Which models to look with, and how: by default the shipped ones, as recordings are watched."""

    models: Path | None = None
    long_side: int | None = None
    precision: str | None = None

    def open(self) -> EvaluatedModels:
        """Load the models on one thread. Raises BadInput where they are missing."""
        precision = self.precision or best_precision()
        file = self._find(DETECTOR, precision)
        bare = ModelFile(file.name, file.path, structs.replace(file.card, thresholds={}), file.sha256)
        finder = Detector(bare, long_side=self.long_side, streams=1, threads=1, min_p=LEAST, precision=precision)
        counter = overlaps_for(self.models)
        readers = Readers(
            lambda name: self._find(name, precision),
            precision=precision,
            counter=find_model(counter, self.models) if counter else None,
        )
        return EvaluatedModels(finder, readers, file.card.thresholds, readers.files[0].card.verdicts, self.long_side)

    def file(self, folder: Path) -> Path:
        """Return the file in `folder` for what is seen this way; other models or another way have another file."""
        precision = self.precision or best_precision()
        way = f"{self.long_side or 'own'}-watched-{precision}"
        return folder / f"{self._digest(DETECTOR, precision)}-{way}.jsonl"

    def real_file(self, folder: Path) -> Path:
        """Return the file in `folder` for the figures on real photos, which the detector for photos looks at."""
        name = detector_for(photos=True, folder=self.models)
        return folder / f"{self._digest(name, 'f32')}.real.json"

    def _find(self, name: str, precision: str) -> ModelFile:
        return find_model(form_of(name, precision, self.models), self.models)

    def _digest(self, detector: str, precision: str) -> str:
        stacks = stacks_for(photos=detector == PHOTOS, folder=self.models)
        counter = overlaps_for(self.models)
        names = (detector, *HEADS, *([stacks] if stacks else ()), *([counter] if counter else ()))
        files = [self._find(name, precision) for name in names]
        told = b"".join(file.sha256.encode() + file.path.with_suffix(".json").read_bytes() for file in files)
        return hashlib.sha256(told).hexdigest()[:12]


def look_at(
    image: Image, evaluated: EvaluatedModels, long_side: int | None = None
) -> tuple[Observation, list[Found], dict[str, list[Answer | None]]]:
    """Return what one look at a frame (h, w, 3) shows by itself; all detections; the heads' answers.

    It is looked at as a recording's: where chips lie close once more, from nearer.
    """
    whole = (0, 0, image.shape[1], image.shape[0])
    every = next(found for _, found in evaluated.finder.stream([(None, image, [whole])], long_side))
    noting = Noting(evaluated.readers)
    judge = Judge(noting, evaluated.verdicts)
    judged = judge.look(image, [d for d in every if d.p >= max(MIN_P, evaluated.thresholds.get(d.kind, 0.0))])
    seen = Looker(noting).look(0.0, image, judged.found, judged.readings)
    said: dict[str, Iterable[Mapping[str, float]]] = {**noting.said}
    if evaluated.verdicts:
        up = [judged.readings[d] for d in judged.found if d.kind == CARD_UP]
        said |= {"rank": [reading.ranks for reading in up], "suit": [reading.suits for reading in up]}
    answers: dict[str, list[Answer | None]] = {head: [_top(p) for p in tables] for head, tables in said.items()}
    for head in ("rank", "suit"):
        asked = iter(answers.get(head, []))
        answers[head] = [next(asked) if card.face == "up" else None for card in seen.cards]
    weighed = map(judge.weighed, every)
    found = [Found(d.kind, round(d.p, 4), tuple(round(float(v), 1) for v in _corners(d))) for d in weighed]
    cards = with_counts(image, seen.cards, evaluated.readers)
    return Observation(t=0.0, frame=0, cards=cards, chips=seen.chips, hands=seen.hands), found, answers


def _corners(d: Detection) -> Iterator[float]:
    if d.kind.startswith("card"):
        return iter(d.quad.ravel())
    x0, y0, x1, y1 = d.upright
    return iter((x0, y0, x1, y0, x1, y1, x0, y1))


def _top(table: Mapping[str, float]) -> Answer:
    label = max(table, key=lambda name: table[name])
    return label, round(float(table[label]), 4)


def sample(case: Case, evaluated: EvaluatedModels) -> EvaluationSample:
    """Make the picture of a case and look at it."""
    return sample_at(case, make(case), evaluated, evaluated.long_side)


def sample_at(
    case: Case, picture: Unseen, evaluated: EvaluatedModels, long_side: int | None = None
) -> EvaluationSample:
    """Look at a picture that was made of a case, scaled to `long_side` (by default as its recording would be)."""
    seen, found, answers = look_at(picture.image, evaluated, long_side or side_for(picture.card, max(case.size)))
    return EvaluationSample(
        case=case,
        truth=picture.truth,
        doubtful=picture.doubtful,
        seen=seen,
        found=found,
        answers=answers,
    )
