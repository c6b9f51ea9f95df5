"""The trained readers: rank and suit of a card, colour of a chip, side, facing, fingers and owner of a hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np

from verifier.domain.cards import RANKS, SUITS
from verifier.domain.errors import BadInput
from verifier.vision.crops import card_crop, chip_crop, hand_crop
from verifier.vision.decode import Picture
from verifier.vision.detector import Detection
from verifier.vision.geometry import Floats
from verifier.vision.models import ModelFile
from verifier.vision.runtime import RESTORE, compile_model, read_model, with_byte_pictures

BATCH: Final = 16
UNREADABLE: Final = "unreadable"
COLOURS: Final = ("mustard", "white", "pink", "red", "green", "black", "other")
HEADS: Final[Mapping[str, tuple[str, ...]]] = {
    "cards": ("rank", "suit"),
    "chips": ("colour",),
    "hands": ("side", "facing", "fingers", "owner"),
}

Reading = Mapping[str, Mapping[str, float]]
"""Probabilities of each head: {"rank": {"A": 0.97, ...}, ...}."""


class Reader:
    """Classifies batches of crops; each head's logits are divided by its temperature, so that p is calibrated."""

    def __init__(self, model: ModelFile, heads: Sequence[str], *, threads: int = 0) -> None:
        classes = model.card.classes
        if not isinstance(classes, dict) or any(head not in classes for head in heads):
            raise BadInput(model.path, f"its card must list the classes of {', '.join(heads)}", RESTORE)
        self._classes = {head: [str(name) for name in classes[head]] for head in heads}
        self._temperatures = model.card.temperatures
        network = read_model(model.path)
        shape = network.inputs[0].get_partial_shape()
        self.size = (shape[3].get_length(), shape[2].get_length())
        self._outputs = _outputs(network, heads, model)
        self._compiled: Any = compile_model(with_byte_pictures(network), streams=1, threads=threads)
        self._request: Any = self._compiled.create_infer_request()

    def read(self, crops: Sequence[Picture]) -> list[Reading]:
        """A reading for each crop (h, w, 3) BGR uint8 of the network's size."""
        readings: list[Reading] = []
        for start in range(0, len(crops), BATCH):
            readings += self._batch(crops[start : start + BATCH])
        return readings

    def _batch(self, crops: Sequence[Picture]) -> list[Reading]:
        padded = 1 << (len(crops) - 1).bit_length()
        blob = np.zeros((padded, self.size[1], self.size[0], 3), np.uint8)
        blob[: len(crops)] = np.stack(crops)
        self._request.infer({0: blob}, share_inputs=True)
        tables = {
            head: softmax(np.array(self._request.get_output_tensor(index).data), self._temperatures.get(head, 1.0))
            for head, index in self._outputs.items()
        }
        return [
            {head: dict(zip(self._classes[head], map(float, table[i]), strict=True)) for head, table in tables.items()}
            for i in range(len(crops))
        ]


def _outputs(network: Any, heads: Sequence[str], model: ModelFile) -> dict[str, int]:
    names = [output.get_names() for output in network.outputs]
    found = {head: i for head in heads for i, own in enumerate(names) if head in own}
    if len(found) != len(heads):
        raise BadInput(model.path, f"has not the outputs {', '.join(heads)}", RESTORE)
    return found


def softmax(logits: Floats, temperature: float) -> Floats:
    """(n, classes) logits -> probabilities."""
    scaled = logits / temperature
    powers = np.exp(scaled - scaled.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float32)


@dataclass(frozen=True, slots=True)
class CardReading:
    """`ranks` and `suits` given that the card is readable, and the probability that it is not."""

    ranks: Mapping[str, float]
    suits: Mapping[str, float]
    unreadable: float


class Reads(Protocol):
    """Anything that reads objects; tests put a stand-in here."""

    def cards(self, picture: Picture, quads: Sequence[Floats]) -> list[CardReading]: ...

    def chips(self, picture: Picture, found: Sequence[Detection]) -> list[Mapping[str, float]]: ...

    def hands(self, picture: Picture, found: Sequence[Detection]) -> list[Reading]: ...


class Readers:
    """The three readers together."""

    def __init__(self, find: Callable[[str], ModelFile], *, threads: int = 0) -> None:
        self.files = tuple(find(name) for name in HEADS)
        self._card, self._chip, self._hand = (
            Reader(file, heads, threads=threads) for file, heads in zip(self.files, HEADS.values(), strict=True)
        )

    def cards(self, picture: Picture, quads: Sequence[Floats]) -> list[CardReading]:
        """What each card of a picture says, given its corners (4, 2), the first two on a short side."""
        readings = self._card.read([card_crop(picture, quad, self._card.size) for quad in quads])
        return [_card_reading(reading) for reading in readings]

    def chips(self, picture: Picture, found: Sequence[Detection]) -> list[Mapping[str, float]]:
        """Colour probabilities of each chip."""
        crops = [chip_crop(picture, d.centre, chip_radius(d), self._chip.size) for d in found]
        return [reading["colour"] for reading in self._chip.read(crops)]

    def hands(self, picture: Picture, found: Sequence[Detection]) -> list[Reading]:
        """Side, facing, fingers and owner probabilities of each hand."""
        return self._hand.read([hand_crop(picture, d.upright, self._hand.size) for d in found])


def chip_radius(chip: Detection) -> float:
    """Radius in pixels of a detected chip's top face."""
    return max(0.5, float(chip.box[2] + chip.box[3]) / 4)


def _card_reading(reading: Reading) -> CardReading:
    ranks = {name: p for name, p in reading["rank"].items() if name in RANKS}
    total = sum(ranks.values())
    ranks = {name: p / total for name, p in ranks.items()} if total > 0 else {name: 1 / len(RANKS) for name in RANKS}
    suits = {name: p for name, p in reading["suit"].items() if name in SUITS}
    return CardReading(ranks, suits, max(0.0, 1.0 - total))
