"""Reads the cards of one table, once somebody has shown them: the reader's last two layers are trained on.

What the shipped reader says and what the trained one says are joined by their geometric mean. Faces that were not
shown keep what the shipped reader says of them. The networks before the last two layers stay as they are, so that
training takes a few seconds on a processor.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from verifier.domain.cards import RANKS, SUITS
from verifier.domain.enrolment import FACES, Enrolment
from verifier.domain.errors import BadInput
from verifier.formats.enrolment import picture_of
from verifier.recording.decode import Picture
from verifier.vision.crops import card_crop
from verifier.vision.geometry import Floats
from verifier.vision.models import ModelFile
from verifier.vision.readers import HEADS, PLAIN, SURE, CardReading, Reader, card_reading, softmax
from verifier.vision.runtime import RESTORE, read_model

VARIANTS: Final = 8
"""Views of each picture that are learnt from: shifted, turned, blurred, in other light, covered."""
EPOCHS, RATE, MOMENTUM, BATCH = 10, 0.003, 0.9, 64
"""How the last two layers are trained on: chosen on 12 unseen decks (docs/enrol.md)."""
OWN: Final = 0.5
"""Weight of the trained reader's logarithms beside the shipped one's. More makes more of the readings sure, and more of
these wrong: docs/enrol.md."""
LIKE: Final = 0.74
"""Likeness to the pictures of the same face that three of four surely read cards must have, to pass for those enrolled.
In five recordings the lower quartile was 0.82 with their own cards (three), at most 0.65 with others (twelve pairs)."""
LEAST_CARDS: Final = 12
"""Cards surely read by which that is told."""
_LEAST: Final = 1e-6
_LAYERS: Final = ("mix.0", "heads.rank", "heads.suit")

Values = NDArray[np.float32]
Weights = dict[str, Values]


@dataclass(frozen=True, slots=True)
class Deck:
    """What was learnt of a table's cards: the layers' weights, and each face's features (n, features)."""

    weights: Weights
    shown: NDArray[np.bool_]
    """(52,) whether a face of FACES was shown."""
    features: Mapping[str, Values]


class TableCardReader(Reader):
    """A reader of cards that knows a table's own faces. It is computed in floating point, whatever the others are."""

    def __init__(self, model: ModelFile, *, precision: str = "f32") -> None:
        self._deck: Deck | None = None
        super().__init__(model, HEADS["cards"], precision=precision)
        self._before = _layers(model)

    def learn(self, enrolment: Enrolment) -> Deck:
        """Train on with an enrolment's pictures; from then on readings are those of the table's own cards."""
        looks = [
            (name, picture)
            for name, face in sorted(enrolment.faces.items())
            for look in face.looks
            if (picture := picture_of(look)) is not None
        ]
        crops = [np.asarray(cv2.resize(one, self.size, interpolation=cv2.INTER_AREA), np.uint8) for _, one in looks]
        rng = np.random.default_rng(52)
        views = [varied(crop, crops, rng) for crop in crops for _ in range(VARIANTS)]
        labels = np.repeat([FACES.index(name) for name, _ in looks], VARIANTS)
        weights = trained_on(self._before, self.features(views), labels)
        shown = np.array([name in enrolment.faces for name in FACES])
        own = self.features([end for crop in crops for end in _ends(crop)])
        rows = np.repeat([name for name, _ in looks], 2)
        ends = {name: own[rows == name] for name in enrolment.faces}
        self._deck = Deck(weights, shown, ends)
        return self._deck

    def features(self, crops: Sequence[Picture]) -> Values:
        """(n, features) of crops (h, w, 3) BGR, as the last two layers get them."""
        found = [self._network.run(np.stack(crops[i : i + BATCH]))[self._tap] for i in range(0, len(crops), BATCH)]
        return np.concatenate(found).astype(np.float32)

    def _opened(self, network: Any) -> Any:
        """Return the network, extended by what its last two layers get."""
        inputs: list[Any] = []
        node = next(one for one in network.outputs if "rank" in one.get_names()).get_node()
        while len(inputs) < 2:
            if node.get_type_name() == "MatMul":
                inputs.append(node.input_value(0))
            node = node.input_value(0).get_node()
        self._tap = len(network.outputs)
        network.add_outputs([inputs[1]])
        return network

    def _tables(self, logits: Mapping[str, Floats], outputs: Sequence[Floats]) -> dict[str, Floats]:
        tables = super()._tables(logits, outputs)
        if self._deck is None:
            return tables
        rank, suit = said(self._deck.weights, outputs[self._tap].astype(np.float32))
        names = [str(name) for name in self._classes["rank"]]
        columns = [names.index(name) for name in RANKS]
        suits = [[str(name) for name in self._classes["suit"]].index(name) for name in SUITS]
        readable = tables["rank"][:, columns].sum(axis=1, keepdims=True)
        before = tables["rank"][:, columns] / np.maximum(readable, _LEAST), tables["suit"][:, suits]
        ranks, kinds = joined(before, (softmax(rank, 1.0), softmax(suit, 1.0)), self._deck.shown)
        mixed = {name: table.copy() for name, table in tables.items()}
        mixed["rank"][:, columns] = ranks * readable
        mixed["suit"][:, suits] = kinds
        return mixed

    def like(self, picture: Picture, quads: Sequence[Floats]) -> list[float]:
        """How like the surely read cards of a picture are to those that were shown (`likeness`); quads (4, 2)."""
        if self._deck is None or not quads:
            return []
        crops = [card_crop(picture, quad, self.size) for quad in quads]
        plain = [self._plain(crops[i : i + BATCH]) for i in range(0, len(crops), BATCH)]
        readings = [one for part, _ in plain for one in part]
        return likeness(self._deck, readings, np.concatenate([features for _, features in plain]))

    def _plain(self, crops: Sequence[Picture]) -> tuple[list[CardReading], Values]:
        """Return what the shipped reader says of crops, and their features."""
        outputs = self._network.run(np.stack(crops))
        tables = super()._tables({head: outputs[number] for head, number in self._outputs.items()}, outputs)
        readings = [
            card_reading(
                {
                    head: dict(zip(self._classes[head], map(float, table[i]), strict=True))
                    for head, table in tables.items()
                }
            )
            for i in range(len(crops))
        ]
        return readings, outputs[self._tap].astype(np.float32)


def joined(
    before: tuple[Floats, Floats], own: tuple[Floats, Floats], shown: NDArray[np.bool_]
) -> tuple[Floats, Floats]:
    """(n, 13) and (n, 4) probabilities of ranks and suits, by the shipped reader (n, 13), (n, 4) and the table's own.

    Faces that were not `shown` (52,) keep the probability that the shipped reader gives them; the others share the rest
    by the geometric mean of both.
    """
    first, second = (ranks[:, :, None] * suits[:, None, :] for ranks, suits in (before, own))
    first, second = (np.maximum(one.reshape(len(one), -1).astype(np.float64), _LEAST**2) for one in (first, second))
    both = np.where(shown, first ** (1 - OWN) * second**OWN, 0.0)
    room = np.where(shown, first, 0.0).sum(axis=1, keepdims=True)
    faces = np.where(shown, both / np.maximum(both.sum(axis=1, keepdims=True), _LEAST**4) * room, first)
    faces = (faces / faces.sum(axis=1, keepdims=True)).reshape(len(faces), len(RANKS), len(SUITS))
    return np.asarray(faces.sum(axis=2), np.float32), np.asarray(faces.sum(axis=1), np.float32)


def likeness(deck: Deck, readings: Sequence[CardReading], features: Values) -> list[float]:
    """How like each surely read card is to the pictures of its face: the cosine of their features (n, features).

    Cards that are not surely read, and those of faces that were not shown, tell nothing.
    """
    out = []
    for reading, own in zip(readings, features, strict=True):
        (rank, p), (suit, q) = (
            max(table.items(), key=lambda item: item[1]) for table in (reading.ranks, reading.suits)
        )
        face = deck.features.get(rank + suit)
        if face is not None and min(p, q) >= SURE and reading.unreadable < PLAIN:
            out.append(float((face @ own / np.linalg.norm(face, axis=1) / np.linalg.norm(own)).max()))
    return out


def varied(crop: Picture, others: Sequence[Picture], rng: Generator) -> Picture:
    """Return a card's crop (h, w, 3) as another look might show it: either end up, moved, covered, blurred, in
    other light.
    """
    height, width = crop.shape[:2]
    image = crop[::-1, ::-1] if rng.random() < 0.5 else crop
    turn, grow, shift = np.radians(rng.normal(0, 2.0)), np.exp(rng.normal(0, 0.03, 2)), rng.normal(0, 0.02, 2)
    matrix = np.array([[grow[0] * np.cos(turn), -np.sin(turn)], [np.sin(turn), grow[1] * np.cos(turn)]])
    middle = np.array([width, height]) / 2
    moved = np.column_stack([matrix, middle + shift * (width, height) - matrix @ middle])
    flat = np.ascontiguousarray(image)
    out = np.array(cv2.warpAffine(flat, moved, (width, height), borderMode=cv2.BORDER_REPLICATE), np.uint8)
    if rng.random() < 0.55:
        _cover(out, others[int(rng.integers(len(others)))], rng)
    if rng.random() < 0.2:
        at = (int(rng.uniform(0, width)), int(rng.uniform(0, height)))
        cv2.circle(out, at, round(0.3 * width), tuple(map(float, rng.uniform(40, 235, 3))), -1)
    if rng.random() < 0.4:
        out = np.asarray(cv2.GaussianBlur(out, (0, 0), float(rng.uniform(0.4, 1.3))), np.uint8)
    light = rng.uniform(0.8, 1.15) * np.exp(rng.normal(0, 0.03, 3))
    return np.asarray(np.clip(out * light + rng.normal(0, rng.uniform(0, 8), out.shape), 0, 255), np.uint8)


def _cover(image: Picture, other: Picture, rng: Generator) -> None:
    """Lay another card over a crop, in place, shifted as cards of a hand are."""
    height, width = image.shape[:2]
    rim = (round(0.06 * height), round(0.06 * width))
    card = other[rim[0] : height - rim[0], rim[1] : width - rim[1]]
    card = card[::-1, ::-1] if rng.random() < 0.5 else card
    x = rim[1] + int(rng.uniform(0.2, 0.75) * width * rng.choice([-1, 1]))
    y = rim[0] + int(rng.uniform(0.0, 0.5) * height * rng.choice([-1, 1]))
    x0, y0, x1, y1 = max(0, x), max(0, y), min(width, x + card.shape[1]), min(height, y + card.shape[0])
    if x1 > x0 and y1 > y0:
        image[y0:y1, x0:x1] = card[y0 - y : y1 - y, x0 - x : x1 - x]


def said(weights: Weights, features: Values) -> tuple[Values, Values]:
    """(n, 13) and (n, 4) logits of ranks and suits, given what the last two layers get (n, features)."""
    hidden = np.maximum(features @ weights["mix.0.weight"].T + weights["mix.0.bias"], 0)
    rank = hidden @ weights["heads.rank.weight"].T + weights["heads.rank.bias"]
    return rank, hidden @ weights["heads.suit.weight"].T + weights["heads.suit.bias"]


def trained_on(before: Weights, features: Values, labels: NDArray[np.int64]) -> Weights:
    """Return the layers after some epochs of gradient descent on (n, features) of the faces `labels` (n,);
    cross-entropy.
    """
    weights = {name: values.copy() for name, values in before.items()}
    speed = {name: np.zeros_like(values) for name, values in before.items()}
    rng = np.random.default_rng(0)
    for _ in range(EPOCHS):
        order = rng.permutation(len(labels))
        for start in range(0, len(order), BATCH):
            some = order[start : start + BATCH]
            for name, slope in _slopes(weights, features[some], labels[some]).items():
                speed[name] = MOMENTUM * speed[name] + slope
                weights[name] -= RATE * speed[name]
    return weights


def _slopes(weights: Weights, features: Values, labels: NDArray[np.int64]) -> Weights:
    """Return the gradient of the mean cross-entropy of ranks and suits."""
    inner = features @ weights["mix.0.weight"].T + weights["mix.0.bias"]
    hidden, count = np.maximum(inner, 0), len(labels)
    out: Weights = {}
    back = np.zeros_like(hidden)
    for head, right in (("rank", labels // len(SUITS)), ("suit", labels % len(SUITS))):
        table = softmax(hidden @ weights[f"heads.{head}.weight"].T + weights[f"heads.{head}.bias"], 1.0)
        table[np.arange(count), right] -= 1
        table /= count
        back += table @ weights[f"heads.{head}.weight"]
        out[f"heads.{head}.weight"], out[f"heads.{head}.bias"] = table.T @ hidden, table.sum(axis=0)
    back *= inner > 0
    out["mix.0.weight"], out["mix.0.bias"] = back.T @ features, back.sum(axis=0)
    return out


def _layers(model: ModelFile) -> Weights:
    """Return the last two layers of a reader of cards, by their names in its file, ranks and suits in our order."""
    known = {one.get_friendly_name(): one for one in read_model(model.path).get_ordered_ops()}
    names = [f"{layer}.{part}" for layer in _LAYERS for part in ("weight", "bias")]
    if any(name not in known for name in names):
        raise BadInput(model.path, "its last layers have other names: no table's own cards can be learnt", RESTORE)
    weights = {name: np.array(known[name].data, np.float32) for name in names}
    for head, ours in (("rank", RANKS), ("suit", SUITS)):
        classes = [str(name) for name in model.card.classes[head]]  # type: ignore[call-overload]
        rows = [classes.index(name) for name in ours]
        for part in ("weight", "bias"):
            weights[f"heads.{head}.{part}"] = weights[f"heads.{head}.{part}"][rows]
    return weights


def _ends(crop: Picture) -> tuple[Picture, Picture]:
    return crop, np.ascontiguousarray(crop[::-1, ::-1])
