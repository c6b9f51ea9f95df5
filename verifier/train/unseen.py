"""Whole frames of tables that no model was trained on (split "test"), with their truth: what models are scored on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from msgspec import Struct
from numpy.random import Generator
from numpy.typing import NDArray

from verifier.domain.layout import CARD_MM
from verifier.domain.observations import Observation
from verifier.simulate.render import Camera, Look, Renderer, annotate, visibility
from verifier.simulate.render.truth import CHIP_SHOWS, chip_top
from verifier.simulate.scene import Scene
from verifier.train.degrade import degrade
from verifier.train.pictures import Split, performed_scenes, random_scenes, truth_of

Image = NDArray[np.uint8]
Kind = Literal["easy", "normal", "hard", "any", "far", "solid", "solid far"]
"""Instants of simulated rounds by the camera's difficulty; stills of any kind; rounds seen from afar; tables of the
solid world, and those from afar."""
FIRST_SEED: Final = 5_000_000
FIRST_SOLID_SEED: Final = 40_000_000
SOLID_CYCLE: Final[tuple[Kind, ...]] = ("solid", "solid", "solid", "solid far")
"""Kinds of four pictures of the solid world in a row."""
FRAME: Final = (1280, 720)
FAR_FRAME: Final = (1920, 1080)
FAR_CARD_PX: Final = 28.0
"""Width of a card in the middle of the table in a far picture."""
_PLAY: Final[tuple[Kind, ...]] = ("easy", "normal", "hard")
CYCLE: Final[tuple[Kind, ...]] = (*_PLAY, "any", *_PLAY, "any", *_PLAY, *_PLAY, "any", *_PLAY, "any", "far")
"""Kinds of twenty pictures in a row, so that any number of pictures has its share of each: 15 in play, 4 any, 1 far."""
HARDLY: Final = 0.05
"""Chips of whose top face less than this shows are not there at all."""


class Case(Struct, frozen=True, kw_only=True):
    """One picture to be made: everything follows from it. `size` is width and height in pixels.

    `split` "train" has the decks, felts and backs of the training pictures, on tables that were not among them.
    """

    kind: Kind
    seed: int
    size: tuple[int, int] = FRAME
    split: Split = "test"


class Doubtful(Struct, frozen=True, kw_only=True):
    """What shows too little to be asked for, but is there: finding it is neither right nor wrong. Quads in pixels."""

    chips: list[tuple[float, float, float]] = []
    """Centre and radius."""
    hands: list[tuple[float, float, float, float]] = []
    """Upright boxes."""


@dataclass(frozen=True)
class Unseen:
    """One picture (BGR), what it truly shows and what it hardly shows, in its pixels."""

    image: Image
    truth: Observation
    doubtful: Doubtful
    card: float
    """Width in pixels of a card in the middle of the table."""


def cases(count: int, first_seed: int = FIRST_SEED, kinds: Sequence[Kind] = CYCLE, split: Split = "test") -> list[Case]:
    """Return the first `count` pictures of a fixed sequence, of all kinds in turn; far ones are larger."""
    chosen = [(kinds[number % len(kinds)], first_seed + number) for number in range(count)]
    return [
        Case(kind=kind, seed=seed, size=FAR_FRAME if kind.endswith("far") else FRAME, split=split)
        for kind, seed in chosen
    ]


def solid_cases(count: int) -> list[Case]:
    """Return the first `count` pictures of a fixed sequence of the solid world, every fourth from afar."""
    return cases(count, FIRST_SOLID_SEED, SOLID_CYCLE)


def make(
    case: Case, change: Callable[[Scene], Scene] | None = None, dress: Callable[[Look], Look] | None = None
) -> Unseen:
    """Render a case; change its scene and dress its look first where asked; the same case gives the same picture.

    Those of the solid world are neither changed nor dressed.
    """
    if case.kind.startswith("solid"):
        from verifier.train.table.pictures import unseen

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
    level = case.kind if case.kind in _PLAY else str(rng.choice(_PLAY))
    camera = Camera.sample(rng, case.size, level)  # type: ignore[arg-type]
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
