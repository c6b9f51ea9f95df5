"""Fits how the detector's cards are weighed against what their reader sees (`verifier.vision.verdicts`).

On whole frames of new tables in the training's decks and felts, as the detector's own probabilities are (`train.tune`).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from scipy.optimize import minimize

from verifier.train.cases import Case, cases
from verifier.train.evaluation_samples import EvaluatedModels, Setup
from verifier.train.export import read_facts, write_facts
from verifier.train.found import faces
from verifier.train.labels import shows
from verifier.train.matching import Floats, as_quad, overlaps
from verifier.train.tune import KINDS
from verifier.train.unseen import make
from verifier.train.workers import worker_pool
from verifier.vision.detection import CARD_DOWN, CARD_UP, Detection
from verifier.vision.fitting import side_for
from verifier.vision.readers import FACES
from verifier.vision.verdicts import CARDS, Values, Weights, shares

FIRST_SEED: Final = 7_200_000
START: Final = {CARD_UP: (1.0, 0.0, 0.0, -5.0, 0.5), CARD_DOWN: (0.0, -5.0, 1.0, 0.0, 0.5)}
"""Where the search begins: the detector is right, the reader counts half."""
TIE: Final = 0.5
"""How strongly weights are held to that, in nats for a difference of one."""
FAINT: Final = 0.25
"""Probability from which a detection teaches something."""
Figures = dict[str, float]


class Sample(Struct, frozen=True, kw_only=True):
    """What detector and reader said of one thing, and what it truly was (one of FACES)."""

    kind: str
    p: float
    face: dict[str, float]
    truth: str


def fit_verdicts(models: Path, pictures: int = 420, jobs: int = 2) -> dict[str, Figures]:
    """Write the weights into the JSON of `models`' card reader; return how often each rightly named a thing's face."""
    samples = collect(models, pictures, jobs)
    weights = {kind: fitted([one for one in samples if one.kind == kind], START[kind]) for kind in CARDS}
    for path in sorted(models.glob("cards*.json")):
        model = path.parent / str(read_facts(path)["file"])
        write_facts(model, {**read_facts(path), "verdicts": weights})
    return {kind: figures([one for one in samples if one.kind == kind], weights[kind]) for kind in CARDS}


def collect(models: Path, pictures: int, jobs: int) -> list[Sample]:
    """Return what was found, and read, on whole frames, as recordings are watched."""
    todo = cases(pictures, FIRST_SEED, KINDS, "train")
    with worker_pool(jobs, _begin, Setup(models=models)) as pool:
        return [sample for samples in pool.map(_samples_here, todo, chunksize=4) for sample in samples]


_here: list[EvaluatedModels] = []


def _begin(setup: Setup) -> None:
    _here[:] = [setup.open()]


def _samples_here(case: Case) -> list[Sample]:
    evaluated, picture = _here[0], make(case)
    whole = (0, 0, picture.image.shape[1], picture.image.shape[0])
    side = side_for(picture.card, max(case.size))
    every = next(found for _, found in evaluated.finder.stream([(None, picture.image, [whole])], side))
    found = [d for d in every if d.kind in CARDS and d.p >= FAINT]
    hidden = [as_quad(card.quad) for card in picture.truth.cards if not shows(card)]
    cards = [(f"card_{card.face}", as_quad(card.quad)) for card in picture.truth.cards if shows(card)]
    truths = first_only(faces(found, cards), found, cards)
    doubtful = [face != "none" for face in faces(found, [(CARD_UP, quad) for quad in hidden])]
    readings = evaluated.readers.cards(picture.image, [d.quad for d in found])
    return [
        Sample(kind=d.kind, p=d.p, face=dict(reading.face or {}), truth=truth)
        for d, reading, truth, doubt in zip(found, readings, truths, doubtful, strict=True)
        if truth is not None and not (truth == "none" and doubt)
    ]


def first_only(
    truths: Sequence[str | None], found: Sequence[Detection], cards: Sequence[tuple[str, Floats]]
) -> list[str | None]:
    """Return the truths with "none" for what is found of a card a second time, less surely: two are one too many."""
    pairs: dict[int, int] = {}
    table = overlaps([d.quad for d in found], [quad for _, quad in cards])
    for number in sorted(range(len(found)), key=lambda i: -found[i].p):
        if truths[number] in ("up", "down"):
            pairs.setdefault(int(table[number].argmax()), number)
    firsts = set(pairs.values())
    return ["none" if truth in ("up", "down") and i not in firsts else truth for i, truth in enumerate(truths)]


def fitted(samples: Sequence[Sample], start: Weights) -> Weights:
    """Return the weights under which the truth is likeliest, held a little to `start`."""

    found, read, truth = arrays(samples)
    rows = np.arange(len(truth))

    def loss(weights: Values) -> float:
        w0, w1, w2, w3, w4 = weights.tolist()
        likely = shares(found, read, (w0, w1, w2, w3, w4))[rows, truth]
        return TIE * float(((weights - start) ** 2).sum()) - float(np.log(np.maximum(likely, 1e-9)).sum())

    best = minimize(
        loss, np.array(start), method="Nelder-Mead", options={"maxiter": 1500, "xatol": 1e-3, "fatol": 1e-2}
    )
    w0, w1, w2, w3, w4 = (round(float(value), 4) for value in best.x)
    return (w0, w1, w2, w3, w4)


def arrays(samples: Sequence[Sample]) -> tuple[Values, Values, NDArray[np.int64]]:
    """Return what the detector said (n,), what the reader said (n, 3), and the number of the true face (n,)."""
    found = np.array([one.p for one in samples])
    read = np.array([[one.face[name] for name in FACES] for one in samples]).reshape(-1, len(FACES))
    return found, read, np.array([FACES.index(one.truth) for one in samples], np.int64)


def figures(samples: Sequence[Sample], weights: Weights) -> Figures:
    """Share of things whose face is told rightly: by the detector alone (from one half up), and by both."""
    found, read, truth = arrays(samples)
    own = FACES.index("up" if samples[0].kind == CARD_UP else "down") if samples else 0
    alone = np.where(found >= 0.5, own, FACES.index("none")) == truth
    both = shares(found, read, weights).argmax(axis=1) == truth
    return {
        "things": len(truth),
        **{name: round(float(right.mean()), 4) for name, right in (("detector", alone), ("both", both)) if len(right)},
    }
