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
from verifier.train.degrade import degrade
from verifier.train.pictures import Shot, performed_scenes, random_scenes, truth_of
from verifier.train.real import EDJE, MARTINABELEDA, score_bag, score_voc, voc_pictures, webcam_frames
from verifier.train.scoring import Tally
from verifier.vision.eyes import Eyes, load_eyes
from verifier.vision.looker import Looker
from verifier.vision.still import detect_image

Image = NDArray[np.uint8]
See = Callable[[Image], Observation]
FRAME: Final = (1280, 720)
FIRST_TEST_SEED: Final = 5_000_000


def frame_seer(eyes: Eyes) -> See:
    """What one look at a frame of a recording shows: a single scale, without the help of other frames."""

    def see(image: Image) -> Observation:
        seen = Looker(eyes.readers).look(0.0, image, eyes.finder.detect(image))
        return Observation(t=0.0, frame=0, cards=seen.cards, chips=seen.chips, hands=seen.hands)

    return see


def frames(count: int, first_seed: int = FIRST_TEST_SEED, *, played: bool = False) -> Iterator[Shot]:
    """Whole frames of unseen tables: looks of split "test", one table each, degraded.

    With `played` an instant of a simulated round, else a scene of any kind.
    """
    for seed in range(first_seed, first_seed + count):
        rng = np.random.default_rng([seed, 1, 31])
        table, scenes = performed_scenes(seed, rng) if played else random_scenes(rng)
        look = Look.sample(rng, "test")
        camera = Camera.sample(rng, FRAME, str(rng.choice(["easy", "normal", "hard"], p=[0.35, 0.45, 0.2])))  # type: ignore[arg-type]
        scene = next(scenes)
        image = degrade(Renderer(table, look, camera).render(scene), rng)
        yield Shot(image, truth_of(scene, camera, table, look))


def score_simulated(
    see: See, count: int, first_seed: int = FIRST_TEST_SEED, *, played: bool = False
) -> dict[str, float]:
    """Figures over `count` unseen simulated frames."""
    tally = Tally()
    for shot in frames(count, first_seed, played=played):
        tally.add(see(shot.image), shot.truth)
    return tally.figures()


def score_real(see: See, folder: Path) -> dict[str, dict[str, float]]:
    """Figures on the real sets found in `folder`, seen as stills; raises BadInput where there is none of them."""
    out: dict[str, dict[str, float]] = {}
    if (folder / MARTINABELEDA).is_dir():
        frames_ = (score_bag(see(image), cards) for image, cards in webcam_frames(folder / MARTINABELEDA))
        out[MARTINABELEDA] = _summed(frames_, "cards right with suit")
    if (folder / EDJE).is_dir():
        photos = (score_voc(see(image), cards) for image, cards in voc_pictures(folder / EDJE))
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
    """All figures: over `count` simulated frames of each kind (none with 0), and each real set by its name."""
    eyes = load_eyes(models)
    out: dict[str, Any] = {}
    if count:
        see = frame_seer(eyes)
        out["simulated, any scene"] = {"pictures": count, **score_simulated(see, count)}
        out["simulated, in play"] = {"pictures": count, **score_simulated(see, count, played=True)}
    return {**out, **(score_real(partial(detect_image, eyes=eyes), real) if real is not None else {})}
