"""Honest scores of the exported models: unseen simulated pictures, and real photos where a folder of them is given."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from verifier.domain.observations import Observation
from verifier.simulate.render import Camera, Look, Renderer
from verifier.train.degrade import degrade
from verifier.train.pictures import Shot, performed_scenes, random_scenes, truth_of
from verifier.train.real_pictures.scores import score_real
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


def evaluate(
    count: int, real: Path | None = None, models: Path | None = None, gallery: Path | None = None
) -> dict[str, Any]:
    """All figures: over `count` simulated frames of each kind (none with 0), and each real set by its name.

    With `gallery` sheets of the real pictures that fail are written there.
    """
    eyes = load_eyes(models)
    out: dict[str, Any] = {}
    if count:
        see = frame_seer(eyes)
        out["simulated, any scene"] = {"pictures": count, **score_simulated(see, count)}
        out["simulated, in play"] = {"pictures": count, **score_simulated(see, count, played=True)}
    return {**out, **(score_real(partial(detect_image, eyes=eyes), real, gallery) if real is not None else {})}
