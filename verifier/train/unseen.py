"""Whole frames of tables that no model was trained on (split "test"), with their truth: what models are scored on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.random import Generator

from verifier.domain.layout import CARD_MM
from verifier.simulate.render import Camera, Look, Renderer, annotate, visibility
from verifier.simulate.render.camera import DIFFICULTIES
from verifier.simulate.render.truth import CHIP_SHOWS, chip_top
from verifier.simulate.scene import Scene
from verifier.train.cases import FAR_CARD_PX, Case, Doubtful, Unseen
from verifier.train.degrade import degrade
from verifier.train.pictures import performed_scenes, random_scenes, truth_of
from verifier.train.table.pictures import unseen

HARDLY: Final = 0.05
"""Chips of whose top face less than this shows are not there at all."""


def make(
    case: Case, change: Callable[[Scene], Scene] | None = None, dress: Callable[[Look], Look] | None = None
) -> Unseen:
    """Render a case; change its scene and dress its look first where asked; the same case gives the same picture.

    Those of the solid world are neither changed nor dressed.
    """
    if case.kind.startswith("solid"):
        return unseen(case)
    rng = np.random.default_rng([case.seed, 1, 31])
    table, scenes = random_scenes(rng) if case.kind == "any" else performed_scenes(case.seed, rng)
    look = Look.sample(rng, case.split)
    look = dress(look) if dress else look
    camera = _camera(case, rng)
    scene = next(scenes)
    scene = change(scene) if change else scene
    image = degrade(Renderer(table, look, camera).render(scene), rng)
    truth = truth_of(scene, camera, look)
    hands = [
        hand.box for hand in annotate(scene, camera, table, look).hands if hand.id not in {h.id for h in truth.hands}
    ]
    return Unseen(image, truth, Doubtful(chips=_doubtful_chips(scene, camera, look), hands=hands), camera.card_px[0])


def _camera(case: Case, rng: Generator) -> Camera:
    level = next((one for one in DIFFICULTIES if one == case.kind), None)
    camera = Camera.sample(rng, case.size, level or DIFFICULTIES[int(rng.choice(len(DIFFICULTIES)))])
    if case.kind != "far":
        return camera
    scale = FAR_CARD_PX / (camera.pixels_per_mm * CARD_MM[0])
    w, h = case.size
    at = [float(length * (1 - 1 / scale) * rng.uniform(0.3, 0.7)) for length in (w, h)]
    return camera.window(at[0], at[1], case.size, scale)


def _doubtful_chips(scene: Scene, camera: Camera, look: Look) -> list[tuple[float, float, float]]:
    shares = visibility(scene, camera, look).chips
    out = []
    for chip in scene.chips:
        if HARDLY <= shares.get(chip.id, 0.0) < CHIP_SHOWS:
            ring = chip_top(chip, camera)
            middle = ring.mean(0)
            radius = float(np.hypot(*(ring - middle).T).mean())
            out.append((round(float(middle[0]), 2), round(float(middle[1]), 2), round(radius, 2)))
    return out
