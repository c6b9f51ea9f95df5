"""Crops of real hands for their reader alone: more turns, grounds and finger counts than the detector's windows have.

Cut-out hands are laid on grounds of photos of cards and on plain ones, as large as on a table. Hands whose place alone
is known are cut out of their photos. Boxes are drawn as a detector gives them: now and then a finger or the wrist is
left out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from msgspec import structs
from numpy.random import Generator
from numpy.typing import NDArray

from verifier.domain.observations import Box, HandSeen, Observation
from verifier.train.crop_sets import CropCollector
from verifier.train.degrade import degrade
from verifier.train.pictures import Shot
from verifier.train.real_pictures.cards import EDJE
from verifier.train.real_pictures.hand_labels import labelled
from verifier.train.real_pictures.hands import ASL, FINGERCOUNT, FOREARM, HandPhoto, hand_photo, told_fingers
from verifier.train.real_pictures.paste import with_hand
from verifier.train.real_pictures.split import pictures, read_picture
from verifier.train.real_pictures.windows import relit

Image = NDArray[np.uint8]
THREE: Final = ("6", "7", "8", "9")
"""Digits of hands-asl-digits that are signed with three fingers stretched and one under the thumb."""
COPIES: Final = {ASL: 4, FOREARM: 4}
"""Crops of each photo, so that one to four fingers come more often; none and five are frequent in the windows."""
LABELLED: Final = 10
"""Crops of each photo whose side, facing and fingers a person told: only these teach the facing of most real hands."""
GROUND: Final = 384
"""Pixels of a side of the ground that a hand is laid on."""
PLAIN: Final = 0.3
"""Share of the grounds that are one colour."""
SHORT: Final = 0.3
"""Share of the crops whose box leaves something out; at each edge up to LEFT_OUT of the hand."""
LEFT_OUT: Final = 0.25


def hand_crops(
    real: Path, keep: Callable[[Path], bool], rng: Generator, labels: Mapping[str, Mapping[str, str]] | None = None
) -> CropCollector:
    """Crops of hands of the training parts below `real`, of those photos that `keep` is true for.

    `labels` are what a person told of some photos, by their place below `real`; such a photo comes LABELLED times.
    """
    collector = CropCollector()
    labels = labels or {}
    grounds = [read_picture(path) for path in filter(keep, pictures(real, EDJE, "train")[::8])]
    for name in (*COPIES, FINGERCOUNT):
        for path in filter(keep, pictures(real, name, "train")):
            row = labels.get(path.relative_to(real).as_posix())
            copies = COPIES.get(name, 0) if row is None else LABELLED
            for shot in _shots(path, name, real, grounds, copies, rng, row):
                collector.add(shot.image, shot.truth, rng)
    return collector


def _shots(
    path: Path,
    name: str,
    real: Path,
    grounds: list[Image],
    copies: int,
    rng: Generator,
    row: Mapping[str, str] | None = None,
) -> Iterator[Shot]:
    """Pictures of the one hand of a photo; none where its place is not known, or nothing told of it."""
    if name == FOREARM:
        box = forearm_boxes().get(path.relative_to(real / name).as_posix())
        hand = None if box is None else _known_by_box(path, box)
    else:
        hand = hand_photo(path, name)
    if hand is not None and name == ASL and path.parent.name in THREE:
        hand = replace(hand, fingers=3)
    if hand is not None and row is not None:
        hand = labelled(hand, row)
    if hand is None or (hand.fingers is None and row is None):
        return
    for _ in range(copies):
        shot = _as_taken(hand, rng) if hand.mask is None else with_hand(_ground(grounds, rng), hand, rng)
        seen = [structs.replace(one, box=_as_found(one.box, rng)) for one in shot.truth.hands]
        yield Shot(degrade(shot.image, rng), structs.replace(shot.truth, hands=seen))


@cache
def forearm_boxes() -> dict[str, Box]:
    """Boxes of hands of hands-forearm's training part by the photo's place in the set, gone through by eye."""
    text = resources.files(__package__).joinpath("forearm_boxes.json").read_text(encoding="utf-8")
    return {name: (float(a), float(b), float(c), float(d)) for name, (a, b, c, d) in json.loads(text).items()}


def _known_by_box(path: Path, box: Box) -> HandPhoto:
    x0, y0, x1, y1 = box
    corners = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32)
    return HandPhoto(path, read_picture(path), corners, None, told_fingers(path, FOREARM))


def _as_taken(hand: HandPhoto, rng: Generator) -> Shot:
    """Return the photo in other light and of another size: hands on a table are 60 to 200 pixels long."""
    x0, y0, x1, y1 = hand.box
    scale = min(1.5, float(np.exp(rng.uniform(np.log(60), np.log(200)))) / max(x1 - x0, y1 - y0))
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    image = np.asarray(cv2.resize(hand.image, None, fx=scale, fy=scale, interpolation=how), np.uint8)
    seen = HandSeen(
        id=None,
        owner="unknown",
        side=hand.side,
        facing=hand.facing,
        p=1.0,
        fingers=hand.fingers,
        box=(x0 * scale, y0 * scale, x1 * scale, y1 * scale),
    )
    return Shot(relit(image, rng), Observation(t=0.0, frame=0, hands=[seen]))


def _ground(grounds: list[Image], rng: Generator) -> Shot:
    """Return a square of GROUND pixels without a hand: a piece of a photo of cards, or one colour."""
    if not grounds or rng.random() < PLAIN:
        tone = rng.uniform(20, 220) * rng.uniform(0.6, 1.3, 3)
        plain = np.clip(np.full((GROUND, GROUND, 3), tone) + rng.normal(0, 3, (GROUND, GROUND, 1)), 0, 255)
        return Shot(plain.astype(np.uint8), Observation(t=0.0, frame=0))
    photo = grounds[int(rng.integers(len(grounds)))]
    side = int(rng.uniform(0.4, 1.0) * min(photo.shape[:2]))
    y, x = (int(rng.integers(0, length - side + 1)) for length in photo.shape[:2])
    piece = cv2.resize(photo[y : y + side, x : x + side], (GROUND, GROUND), interpolation=cv2.INTER_AREA)
    return Shot(relit(np.asarray(piece, np.uint8), rng), Observation(t=0.0, frame=0))


def _as_found(box: Box, rng: Generator) -> Box:
    """Return a box as a detector gives it."""
    if rng.random() >= SHORT:
        return box
    x0, y0, x1, y1 = box
    a, b, c, d = rng.uniform(-0.08, LEFT_OUT, 4) * rng.integers(0, 2, 4)
    w, h = x1 - x0, y1 - y0
    return x0 + a * w, y0 + b * h, x1 - c * w, y1 - d * h
