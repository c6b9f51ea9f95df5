"""Honest scores of the exported models: unseen simulated pictures, and real photos where a folder of them is given."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from verifier.domain.errors import BadInput
from verifier.domain.observations import Observation
from verifier.simulate.render import Camera, Look, Renderer
from verifier.simulate.table import plan_table
from verifier.train.degrade import degrade
from verifier.train.pictures import Shot, truth_of
from verifier.train.real import EDJE, MARTINABELEDA, score_bag, score_voc, voc_pictures, webcam_frames
from verifier.train.scenes import SceneSampler
from verifier.train.scoring import Tally
from verifier.vision.detector import Detector
from verifier.vision.looker import Looker
from verifier.vision.models import find_model
from verifier.vision.readers import Readers

Image = NDArray[np.uint8]
See = Callable[[Image, int | None], Observation]
FRAME: Final = (1280, 720)
FIRST_TEST_SEED: Final = 5_000_000
PHOTO_LONG_SIDE: Final = 640
"""Close-up photos are looked at smaller, so that their cards have the sizes that the detector knows."""


def seer(models: Path | None = None, threads: int = 0) -> See:
    """A function from a picture (BGR), and the long side at which to look or None, to what it shows."""
    find = partial(find_model, folder=models)
    detector, readers = Detector(find("detector"), threads=threads), Readers(find, threads=threads)

    def see(image: Image, long_side: int | None) -> Observation:
        seen = Looker(readers).look(0.0, image, detector.detect(image, long_side))
        return Observation(t=0.0, frame=0, cards=seen.cards, chips=seen.chips, hands=seen.hands)

    return see


def frames(count: int, first_seed: int = FIRST_TEST_SEED) -> Iterator[Shot]:
    """Whole frames of unseen tables: looks of split "test", one table each, scenes of all kinds, degraded."""
    for seed in range(first_seed, first_seed + count):
        rng = np.random.default_rng([seed, 1, 31])
        table = plan_table(int(rng.integers(1, 8)))
        look = Look.sample(rng, "test")
        camera = Camera.sample(rng, FRAME, str(rng.choice(["easy", "normal", "hard"], p=[0.35, 0.45, 0.2])))  # type: ignore[arg-type]
        scene = SceneSampler(table, rng).sample()
        image = degrade(Renderer(table, look, camera).render(scene), rng)
        yield Shot(image, truth_of(scene, camera, table, look))


def score_simulated(see: See, count: int, first_seed: int = FIRST_TEST_SEED) -> dict[str, float]:
    """Figures over `count` unseen simulated frames."""
    tally = Tally()
    for shot in frames(count, first_seed):
        tally.add(see(shot.image, None), shot.truth)
    return tally.figures()


def score_real(see: See, folder: Path) -> dict[str, dict[str, float]]:
    """Figures on the real sets found in `folder`; raises BadInput where there is none of them."""
    out: dict[str, dict[str, float]] = {}
    if (folder / MARTINABELEDA).is_dir():
        frames_ = (score_bag(see(image, None), cards) for image, cards in webcam_frames(folder / MARTINABELEDA))
        out[MARTINABELEDA] = _summed(frames_, "cards right with suit")
    if (folder / EDJE).is_dir():
        photos = (score_voc(see(image, PHOTO_LONG_SIDE), cards) for image, cards in voc_pictures(folder / EDJE))
        out[EDJE] = _summed(photos, "face-up recall")
    if not out:
        raise BadInput(folder, f"holds neither {MARTINABELEDA} nor {EDJE}", "give the folder that holds these sets")
    return out


def _summed(rows: Iterator[tuple[int, int, int, int]], last: str) -> dict[str, float]:
    table = np.array(list(rows), dtype=np.int64).reshape(-1, 4)
    right, said, cards, other = (int(v) for v in table.sum(0))
    return {
        "pictures": len(table),
        "cards": cards,
        "rank F1": round(2 * right / max(1, said + cards), 4),
        "rank precision": round(right / max(1, said), 4),
        "rank recall": round(right / max(1, cards), 4),
        last: round(other / max(1, cards), 4),
    }


def evaluate(count: int, real: Path | None = None, models: Path | None = None) -> dict[str, Any]:
    """All figures: `simulated` over `count` frames (none with 0), and each real set by its name."""
    see = seer(models)
    out: dict[str, Any] = {}
    if count:
        out["simulated"] = {"pictures": count, **score_simulated(see, count)}
    return {**out, **(score_real(see, real) if real is not None else {})}
