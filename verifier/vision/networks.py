"""The trained models together, loaded once and used for any number of recordings or pictures, on any thread."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from verifier.domain.observations import NamedHash
from verifier.vision.bills import BillFinder
from verifier.vision.chips_by import ChipsBy
from verifier.vision.detection import MIN_P, Finder
from verifier.vision.detector import Detector
from verifier.vision.models import (
    ModelFile,
    bills_for,
    detector_for,
    find_model,
    form_of,
    overlaps_for,
    second_for,
    stacks_for,
)
from verifier.vision.ocr import LineReader, TextReader
from verifier.vision.readers import Readers, Reads
from verifier.vision.runtime import best_precision, cores
from verifier.vision.verdicts import Weights


@dataclass(frozen=True, slots=True)
class Networks:
    """What finds objects, what reads them, what reads text, and what finds and reads bank notes."""

    finder: Finder
    readers: Reads
    identities: tuple[NamedHash, ...] = ()
    text: LineReader = field(default_factory=TextReader)
    bills: BillFinder | None = None
    verdicts: Mapping[str, Weights] = field(default_factory=dict)
    """How the detector's cards are weighed against what their reader sees."""
    second: Finder | None = None
    """What is asked about a card that cannot be read where `finder` boxes it."""


def load_networks(
    models: Path | str | None = None,
    *,
    min_p: float = MIN_P,
    faint_hands: bool = False,
    photos: bool = False,
    precision: str | None = None,
) -> Networks:
    """Load the models of a folder (by default the shipped ones). Raises BadInput if they are missing or damaged.

    `faint_hands` is for recordings, where hands are followed: it keeps hands that are too unsure in a single picture.
    `photos` takes the detectors for photos from near and from aside instead of that for recordings from above.
    `precision` of all networks is "f32", "bf16" or "int8"; their identities tell. The default is what is quickest here
    for recordings, and "f32" for photos, which can wait.
    """
    precision = precision or ("f32" if photos else best_precision())
    files = [find_model(form_of(detector_for(photos=photos, folder=models), precision, models), models)]
    stacks = stacks_for(photos=photos, folder=models)
    files += [find_model(stacks, models)] if stacks else []

    def reader(name: str) -> ModelFile:
        return find_model(form_of(name, precision, models), models)

    counter = overlaps_for(models)
    readers = Readers(reader, precision=precision, counter=find_model(counter, models) if counter else None)
    finders = [
        Detector(file, streams=min(2, cores()), min_p=min_p, faint_hands=faint_hands, precision=precision)
        for file in files
    ]
    finder = ChipsBy(*finders) if stacks else finders[0]
    names = bills_for(photos=photos, folder=models)
    bills = BillFinder(*(find_model(name, models) for name in names)) if names else None
    other = second_for(photos=photos, folder=models)
    asked = find_model(other, models) if other else None
    second = Detector(asked, streams=1, threads=1, min_p=min_p) if asked else None
    identities = [_computed(file.identity, precision) for file in (*files, *readers.files)]
    identities += [asked.identity] if asked else []
    identities += [file.identity for file in bills.files] if bills else []
    return Networks(
        finder, readers, tuple(identities), bills=bills, verdicts=readers.files[0].card.verdicts, second=second
    )


def _computed(model: NamedHash, precision: str) -> NamedHash:
    """Return a model's identity, whose name tells if it is computed in bfloat16; a form in whole numbers has its own
    name.
    """
    return model if precision != "bf16" else NamedHash(name=f"{model.name} ({precision})", sha256=model.sha256)
