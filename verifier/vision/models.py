"""Finds the trained models and checks that they are whole."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from verifier.domain.errors import BadInput
from verifier.domain.observations import NamedHash
from verifier.recording.probe import sha256_of
from verifier.vision.runtime import MODELS_VARIABLE, RESTORE

DETECTOR, PHOTOS, STACKS = "detector", "photos", "stacks"
"""Weights of one network: for recordings from above, for photos from near and from aside, for chips in these."""
OVERLAPS: Final = "overlaps"
"""What counts cards that lie over one another."""
BILLS: Final = ("bill_finder", "bills")
"""What finds bank notes and what reads them."""


class ModelCard(msgspec.Struct, frozen=True, kw_only=True):
    """What stands beside a model in its JSON file.

    `classes` lists the detector's classes, or for a reader each head's; `temperatures` divides a head's logits;
    `points` is where the bins of a hand's keypoints begin and end, in shares of the crop's side;
    `calibration` maps a detector score s to a probability: sigmoid(scale * logit(s) + bias), by class;
    `verdicts` weighs the detector's cards against what the reader of cards sees (`vision.verdicts`), by class.
    """

    classes: list[str] | dict[str, list[str | int]]
    sha256: str | None = None
    file: str | None = None
    input: list[int] | None = None
    long_side: int | None = None
    temperatures: dict[str, float] = {}
    thresholds: dict[str, float] = {}
    points: tuple[float, float] | None = None
    calibration: dict[str, tuple[float, float]] = {}
    verdicts: dict[str, tuple[float, float, float, float, float]] = {}


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A model on disk, with its card."""

    name: str
    path: Path
    card: ModelCard
    sha256: str

    @property
    def identity(self) -> NamedHash:
        """Name and hash as the observations' header lists them."""
        return NamedHash(name=self.path.name, sha256=self.sha256)


def models_folder(folder: Path | str | None = None) -> Path:
    """Return the folder of models: the one given, else VERIFIER_MODELS, else the repository's, else the package's."""
    chosen = folder or os.environ.get(MODELS_VARIABLE)
    if chosen:
        path = Path(chosen)
        if not path.is_dir():
            raise BadInput(path, "no such folder of models", RESTORE)
        return path
    package = Path(__file__).resolve().parents[1]
    for path in (package.parent / "models", package / "models"):
        if (path / "detector.json").is_file():
            return path
    raise BadInput(package.parent / "models", "the trained models are missing", RESTORE)


def detector_for(*, photos: bool, folder: Path | str | None = None) -> str:
    """Return the name of the detector for photos or for recordings; a folder may hold the latter alone."""
    return PHOTOS if photos and (models_folder(folder) / f"{PHOTOS}.json").is_file() else DETECTOR


def stacks_for(*, photos: bool, folder: Path | str | None = None) -> str | None:
    """Return the name of the detector of chips in photos, None for recordings; a folder may have none."""
    return STACKS if photos and (models_folder(folder) / f"{STACKS}.json").is_file() else None


def second_for(*, photos: bool, folder: Path | str | None = None) -> str | None:
    """Return the name of the detector that is asked about cards which cannot be read in a recording: that for photos.

    None for photos themselves; a folder may have none.
    """
    return PHOTOS if not photos and (models_folder(folder) / f"{PHOTOS}.json").is_file() else None


def bills_for(*, photos: bool, folder: Path | str | None = None) -> tuple[str, ...]:
    """Return the names of the finder and the reader of bank notes, none for photos; a folder may have none."""
    there = all((models_folder(folder) / f"{name}.json").is_file() for name in BILLS)
    return BILLS if there and not photos else ()


def overlaps_for(folder: Path | str | None = None) -> str | None:
    """Return the name of the counter of overlapping cards; a folder may have none."""
    return OVERLAPS if (models_folder(folder) / f"{OVERLAPS}.json").is_file() else None


def form_of(name: str, precision: str, folder: Path | str | None = None) -> str:
    """Return the name of the form of model `name` for a precision: that of whole numbers for "int8", where there is
    one.
    """
    whole = f"{name}.int8"
    return whole if precision == "int8" and (models_folder(folder) / f"{whole}.json").is_file() else name


def recording_models(precision: str) -> list[ModelFile]:
    """Return all models that recordings are watched with, of the folder of models, at a precision."""
    others = (overlaps_for(), second_for(photos=False), *bills_for(photos=False))
    names = [form_of(name, precision) for name in (detector_for(photos=False), "cards", "chips", "hands")]
    return [find_model(name) for name in (*names, *others) if name is not None]


def find_model(name: str, folder: Path | str | None = None) -> ModelFile:
    """Model `name` with its card; raises BadInput if a file is missing or is not the one the card names."""
    home = models_folder(folder)
    card_path = home / f"{name}.json"
    if not card_path.is_file():
        raise BadInput(card_path, "the model's card is missing", RESTORE)
    try:
        card = msgspec.json.decode(card_path.read_bytes(), type=ModelCard)
    except msgspec.DecodeError as error:
        raise BadInput(card_path, f"is no model card ({error})", RESTORE) from error
    path = home / (card.file or f"{name}.onnx")
    if not path.is_file():
        raise BadInput(path, "the trained model is missing", RESTORE)
    digest = digest_of(path)
    if card.sha256 is not None and card.sha256 != digest:
        raise BadInput(path, "is not the model that its card describes: damaged or exchanged", RESTORE)
    return ModelFile(name, path, card, digest)


def digest_of(path: Path) -> str:
    """SHA-256 of a model's file; of an OpenVINO model's two, the network's and the weights', one after the other."""
    weights = path.with_suffix(".bin")
    if path.suffix != ".xml" or not weights.is_file():
        return sha256_of(path)
    return hashlib.sha256(path.read_bytes() + weights.read_bytes()).hexdigest()
