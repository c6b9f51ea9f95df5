"""Honest scores of the exported models: unseen simulated pictures, and real photos where a folder of them is given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableMapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import msgspec
import numpy as np

from verifier.train.cases import Kind
from verifier.train.evaluation_samples import EvaluationSample, Found
from verifier.train.labels import CLASSES, box_quad, chip_quad, shows
from verifier.train.matching import Floats, as_quad, circle_quad
from verifier.train.precision import Ranking
from verifier.train.real_pictures.scores import SETS, score_real
from verifier.train.scoring import Tally
from verifier.train.workers import worker_pool
from verifier.vision.networks import load_networks
from verifier.vision.still import detect_image

Figures = dict[str, float]
GROUPS: Final[Mapping[str, tuple[Kind, ...]]] = {
    "all": ("easy", "normal", "hard", "any", "far"),
    "in play": ("easy", "normal", "hard"),
    "easy": ("easy",),
    "normal": ("normal",),
    "hard": ("hard",),
    "any scene": ("any",),
    "far": ("far",),
    "solid, all": ("solid", "solid far"),
    "solid": ("solid",),
    "solid, far": ("solid far",),
}
"""Pictures that are scored together. "far" are 1920 x 1080 with cards 28 pixels wide; the others 1280 x 720. "all" is
the world of flat drawings without that of solid bodies, so that figures of before can be compared."""


def tallies(samples: Iterable[EvaluationSample]) -> dict[str, Tally]:
    """Return the scores of each group that has pictures."""
    out = {name: Tally() for name in GROUPS}
    for sample in samples:
        for name, kinds in GROUPS.items():
            if sample.case.kind in kinds:
                add(out[name], sample)
    return {name: tally for name, tally in out.items() if tally.counts["pictures"]}


def add(tally: Tally, sample: EvaluationSample) -> None:
    """Add one picture: what was written of it, and all the detections behind it."""
    doubtful = sample.doubtful
    tally.add(sample.seen, sample.truth, doubtful.chips, doubtful.hands, sample.answers)
    add_found(tally.rankings, sample)


def add_found(rankings: MutableMapping[str, Ranking], sample: EvaluationSample) -> None:
    """Add every detection of one picture to the rankings of their classes."""
    truth: dict[str, list[Floats]] = {name: [] for name in CLASSES}
    maybe: dict[str, list[Floats]] = {name: [] for name in CLASSES}
    for card in sample.truth.cards:
        if shows(card):
            truth[f"card_{card.face}"].append(as_quad(card.quad))
        else:
            maybe["card_up"].append(as_quad(card.quad))
            maybe["card_down"].append(as_quad(card.quad))
    truth["chip"] = [chip_quad(chip) for chip in sample.truth.chips]
    maybe["chip"] = [circle_quad((x, y), r) for x, y, r in sample.doubtful.chips]
    truth["hand"] = [box_quad(hand.box) for hand in sample.truth.hands]
    maybe["hand"] = [box_quad(box) for box in sample.doubtful.hands]
    for name in CLASSES:
        mine = [found for found in sample.found if found.kind == name]
        rankings[name].add([_quad(found) for found in mine], [f.p for f in mine], truth[name], maybe[name])


def _quad(found: Found) -> Floats:
    return np.asarray(found.quad, np.float32).reshape(4, 2)


def real_figures(
    folder: Path, store: Path, models: Path | None = None, gallery: Path | None = None, *, jobs: int = 2
) -> dict[str, Figures]:
    """Figures on each real set's held-out pictures, seen as stills; those in `store` (JSON) are not measured again.

    Raises BadInput where `folder` holds none of the sets.
    """
    done = msgspec.json.decode(store.read_bytes(), type=dict[str, Figures]) if store.is_file() else {}
    left = [name for name in SETS if name not in done and (folder / name).is_dir()]
    if not done and not left:
        return score_real(partial(detect_image, networks=load_networks(models, photos=True)), folder)
    with worker_pool(max(1, min(jobs, len(left)))) as pool:
        for name, figures in zip(left, pool.map(_real, *_columns(folder, left, models, gallery)), strict=True):
            done[name] = figures
            store.parent.mkdir(parents=True, exist_ok=True)
            store.write_bytes(msgspec.json.encode(done))
    return {name: done[name] for name in SETS if name in done}


def _columns(
    folder: Path, names: Sequence[str], models: Path | None, gallery: Path | None
) -> tuple[list[Path], Sequence[str], list[Path | None], list[Path | None]]:
    count = len(names)
    return [folder] * count, names, [models] * count, [gallery] * count


def _real(folder: Path, name: str, models: Path | None, gallery: Path | None) -> Figures:
    see = partial(detect_image, networks=load_networks(models, photos=True))
    return score_real(see, folder, gallery, sets=[name])[name]
