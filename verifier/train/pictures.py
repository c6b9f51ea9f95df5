"""Rendered training pictures with their truth: windows of random tables at native scale, degraded as recorders do."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import count, islice
from pathlib import Path
from typing import Final, cast

import cv2
import numpy as np
from msgspec import Struct, structs
from numpy.random import Generator
from numpy.typing import NDArray

from verifier.domain.layout import CARD_MM
from verifier.domain.money import CHIP_COLOURS
from verifier.domain.observations import CardSeen, Observation, Quad
from verifier.simulate.perform import perform
from verifier.simulate.render import Camera, Look, Renderer, annotate_shares
from verifier.simulate.render.camera import DIFFICULTIES
from verifier.simulate.render.props import kind_of, prop_height
from verifier.simulate.render.splits import Split
from verifier.simulate.scene import CardSprite, ChipSprite, PropSprite, Scene, with_coins
from verifier.simulate.table import CHIP_THICKNESS_MM, TablePlan, plan_table
from verifier.train.crop_sets import CropCollector
from verifier.train.degrade import degrade
from verifier.train.faults import faulty
from verifier.train.labels import labels_of, write_labels
from verifier.train.scenes import SceneKind, SceneSampler
from verifier.train.views import CARD_WIDTHS, SHEET, WATCHED_WIDTHS, WILD_WIDTHS, slanted, wild_camera, window
from verifier.train.workers import worker_pool
from verifier.vision.fitting import fit

Image = NDArray[np.uint8]
SHRUNK: Final = 0.75
"""Share of the pictures for watching that were shrunk, from up to twice their size."""
HOUSE_FAULTS: Final = 0.4
"""Faults of camera and recorder at a card room's tables, as a share of those of any camera."""
CAPTIONED: Final = 0.15
"""Share of the pictures with text written over them, as recorders do."""
PERFORMED_SEED: Final = 20_000_000
HAND_VISIBLE: Final = 0.4
COINS: Final = 0.15
"""Share of the tables at which half dollars are coins."""
UPON: Final = 0.4
"""Share of the pictures in which chips lie upon cards, as on those of a hand that went over and was let lie."""


class PicturePlan(Struct, frozen=True, kw_only=True):
    """What to render: `size` of the square windows in pixels, `windows` of each drawn table."""

    size: int = 512
    windows: int = 8
    split: Split = "train"
    kind: SceneKind | None = None
    performed: float = 0.4
    """Share of the tables whose scenes are instants of simulated recordings; the others are random stills."""
    wild: float = 0.6
    """Share of the random tables that are like no card room: any ground, deck, chips, clothes, lens and roll."""
    slanted: float = 0.25
    """Share of these that are seen from aside, as people at a table photograph it."""
    backs: float = 0.5
    """Share of the performed pictures that are chosen for the backs of cards in them: they are rare and hard to see."""
    watched: bool = False
    """As recordings are watched: cards of about one width, most pictures shrunk after they were recorded."""


@dataclass(frozen=True)
class Shot:
    """One picture (BGR) and what it truly shows, in its pixels."""

    image: Image
    truth: Observation


def shots(seed: int, plan: PicturePlan) -> Iterator[Shot]:
    """Windows of one random table; the same seed gives the same pictures."""
    rng = np.random.default_rng([seed, 0 if plan.split == "train" else 1, 26])
    performed = rng.random() < plan.performed
    wild = not performed and rng.random() < plan.wild
    table, scenes = performed_scenes(seed, rng) if performed else random_scenes(rng, plan.kind, wild=wild)
    if performed:
        scenes = backs_often(scenes, rng, plan.backs)
    camera = Camera.sample(rng, SHEET, DIFFICULTIES[int(rng.choice(3, p=[0.3, 0.45, 0.25]))])
    look = Look.sample(rng, plan.split, wild=float(wild))
    if wild:
        camera = slanted(rng) if rng.random() < plan.slanted else wild_camera(camera, rng)
    coins = np.random.default_rng([seed, 78]).random() < COINS
    widths = WATCHED_WIDTHS if plan.watched else WILD_WIDTHS if wild else CARD_WIDTHS
    for scene in (chips_upon(scene, rng) for scene in islice(scenes, plan.windows)):
        scene = with_coins(scene) if coins else scene
        view = window(camera, scene, plan.size, rng, widths)
        larger = float(rng.uniform(1, 2)) if plan.watched and rng.random() < SHRUNK else 1.0
        side = round(plan.size * larger)
        image = Renderer(table, look, view.window(0.0, 0.0, (side, side), larger)).render(scene)
        image = faulty(image, rng, 1.0 if wild else HOUSE_FAULTS)
        if rng.random() < CAPTIONED:
            caption(image, rng)
        image = degrade(image, rng)
        if plan.watched:
            image = fit(image, plan.size).blob[0]
        yield Shot(image, truth_of(scene, view, look))


def random_scenes(
    rng: Generator, kind: SceneKind | None = None, *, wild: bool = False
) -> tuple[TablePlan, Iterator[Scene]]:
    """Return a random table and endless random scenes on it."""
    table = plan_table(int(rng.integers(1, 8)))
    return table, (SceneSampler(table, rng).sample(kind, wild=wild) for _ in count())


def performed_scenes(seed: int, rng: Generator) -> tuple[TablePlan, Iterator[Scene]]:
    """Return a table and endless instants of a simulated recording on it; its seed is from PERFORMED_SEED up."""
    played = perform(PERFORMED_SEED + seed, rounds=2)
    return played.plan, (played.scene_at(float(rng.uniform(0, played.duration))) for _ in count())


def backs_often(scenes: Iterator[Scene], rng: Generator, share: float) -> Iterator[Scene]:
    """As often as `share` says the scene of three that shows most backs of cards."""
    while True:
        few = list(islice(scenes, 3 if rng.random() < share else 1))
        yield max(few, key=lambda scene: sum(card.face == "down" for card in scene.cards))


def chips_upon(scene: Scene, rng: Generator) -> Scene:
    """At times the scene with a chip or a few upon some of its cards that no other card covers."""
    free = [card for card in scene.cards if not any(_covers(other, card) for other in scene.cards)]
    if not free or rng.random() >= UPON:
        return scene
    taken = [sprite.id for kind in (scene.cards, scene.chips, scene.hands, scene.props, scene.bills) for sprite in kind]
    ids = count(1 + max(taken))
    laid = [
        ChipSprite(
            id=next(ids),
            cents=int(rng.choice(list(CHIP_COLOURS))),
            angle=float(rng.uniform(0, 360)),
            xy=(card.xy[0] + dx, card.xy[1] + dy),
            z=card.z + 0.4 + level * CHIP_THICKNESS_MM,
        )
        for card in (free[i] for i in rng.permutation(len(free))[: rng.integers(1, 5)])
        for dx, dy in [rng.normal(0, 6, 2).tolist()]
        for level in range(int(rng.choice([1, 2, 3, 4], p=[0.5, 0.25, 0.15, 0.1])))
    ]
    return structs.replace(scene, chips=(*scene.chips, *laid))


def _covers(other: CardSprite, card: CardSprite) -> bool:
    return other.z > card.z and math.dist(other.xy, card.xy) < CARD_MM[0]


def truth_of(scene: Scene, view: Camera, look: Look) -> Observation:
    """Return what a picture shows; hands of which less than HAND_VISIBLE shows are left out.

    The top card of a pile counts, unless the cut card lies on it.
    """
    truth, seen = annotate_shares(scene, view, look)
    shares = seen.hands
    hands = [hand for hand in truth.hands if hand.id is not None and shares.get(hand.id, 0.0) >= HAND_VISIBLE]
    piles = [prop for prop in scene.props if kind_of(prop.kind) == "pile" and _bare(prop, scene)]
    tops = [top_of(pile, view, seen.props.get(pile.id, 0.0)) for pile in piles]
    return structs.replace(truth, hands=hands, cards=[*truth.cards, *tops])


def _bare(pile: PropSprite, scene: Scene) -> bool:
    """Tell whether neither a card nor the cut card lies on a pile."""
    cuts = [prop for prop in scene.props if kind_of(prop.kind) == "cut_card"]
    on_it = [math.dist(pile.xy, card.xy) < CARD_MM[1] for card in scene.cards]
    return not any(on_it) and not any(math.dist(pile.xy, cut.xy) < CARD_MM[0] / 2 for cut in cuts)


def top_of(pile: PropSprite, view: Camera, visible: float) -> CardSeen:
    """Return the face-down card on top of a pile, of which the share `visible` shows."""
    z = pile.z + prop_height(pile.kind)
    turn = math.radians(pile.angle)
    across = np.array([math.cos(turn), math.sin(turn)]) * CARD_MM[0] / 2
    down = np.array([-math.sin(turn), math.cos(turn)]) * CARD_MM[1] / 2
    corners = [-across - down, across - down, across + down, down - across]
    pixels = view.project([(pile.xy[0] + float(x), pile.xy[1] + float(y), z) for x, y in corners])
    quad = tuple((float(x), float(y)) for x, y in pixels)
    return CardSeen(id=None, face="down", p=1.0, quad=cast(Quad, quad), visible=visible)


def caption(image: Image, rng: Generator) -> None:
    """Write date, time or a camera's name somewhere over a picture, in place."""
    day = f"{rng.integers(2015, 2030)}-{rng.integers(1, 13):02d}-{rng.integers(1, 29):02d}"
    time = f"{rng.integers(24):02d}:{rng.integers(60):02d}:{rng.integers(60):02d}"
    text = str(rng.choice([f"{day} {time}", time, f"CAM {rng.integers(1, 40)}", f"TABLE {rng.integers(1, 9)}  {time}"]))
    height, width = image.shape[:2]
    at = (int(rng.integers(-40, width // 2)), int(rng.integers(20, height)))
    size, font = int(rng.integers(11, 40)), cv2.FontFace(str(rng.choice(["sans", "italic"])))
    weight = int(rng.choice([300, 500, 800]))
    light = int(rng.integers(170, 256))
    if rng.random() < 0.4:
        x, y, w, h = cv2.getTextSize((width, height), text, at, font, size, weight)
        cv2.rectangle(image, (x - 4, y - 4), (x + w + 4, y + h + 4), (10, 10, 10), -1)
    else:
        cv2.putText(image, text, (at[0] + 1, at[1] + 1), (10, 10, 10), font, size, weight)
    cv2.putText(image, text, at, (light, light, light), font, size, weight)


def write_pictures(folder: Path, tables: int, plan: PicturePlan, *, first: int = 0, jobs: int = 2) -> int:
    """Render `tables` tables into folder/images and folder/labels, train and val, and readers' crops; return how many.

    One table in twenty is for validation; a table is never in both. Crops go to folder/crops, one file a batch.
    """
    for name in ("images", "labels"):
        for part in ("train", "val"):
            (folder / name / part).mkdir(parents=True, exist_ok=True)
    (folder / "crops").mkdir(exist_ok=True)
    seeds = list(range(first, first + tables))
    batches = [seeds[i : i + 20] for i in range(0, len(seeds), 20)]
    with worker_pool(jobs) as pool:
        written = sum(pool.map(partial(write_batch, folder, plan), batches))
    facts = {"tables": tables, "first_seed": first, "windows": written, "split": plan.split}
    (folder / f"pictures-{first}.json").write_text(json.dumps(facts) + "\n", encoding="utf-8")
    return written


def write_batch(folder: Path, plan: PicturePlan, seeds: list[int]) -> int:
    """Render the tables of some seeds; the last of twenty goes to validation."""
    collectors = {part: CropCollector() for part in ("train", "val")}
    written = 0
    for seed in seeds:
        part = "val" if seed % 20 == 19 else "train"
        rng = np.random.default_rng([seed, 77])
        for number, shot in enumerate(shots(seed, plan)):
            name = f"{seed:06d}-{number}"
            cv2.imwrite(str(folder / "images" / part / f"{name}.jpg"), shot.image, [cv2.IMWRITE_JPEG_QUALITY, 96])
            size = (shot.image.shape[1], shot.image.shape[0])
            write_labels(folder / "labels" / part / f"{name}.txt", labels_of(shot.truth, size), size)
            collectors[part].add(shot.image, shot.truth, rng)
            written += 1
    for part, collector in collectors.items():
        collector.save(folder / "crops" / f"{part}-{seeds[0]:06d}.npz")
    return written
