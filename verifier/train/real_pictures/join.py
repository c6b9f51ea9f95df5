"""Training pictures from the real sets' training parts: windows of photos, and cut-outs laid into rendered pictures."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from msgspec import Struct, structs
from numpy.random import Generator
from numpy.typing import NDArray

from verifier.domain.errors import BadInput
from verifier.domain.observations import Observation
from verifier.train.crop_sets import CropCollector
from verifier.train.labels import labels_of, write_labels
from verifier.train.pictures import PicturePlan, Shot, shots
from verifier.train.real_pictures.cards import EDJE, BoxedCard, boxed_cards, cornered_cards, free, told_cards
from verifier.train.real_pictures.chips import ChipTop, chip_tops, with_chips
from verifier.train.real_pictures.hand_crops import hand_crops
from verifier.train.real_pictures.hand_labels import read_hand_labels
from verifier.train.real_pictures.hands import ASL, FINGERCOUNT, RPS, hand_photo
from verifier.train.real_pictures.overlaid import overlaid
from verifier.train.real_pictures.paste import straightened, with_cards, with_hand
from verifier.train.real_pictures.split import pictures, read_picture
from verifier.train.real_pictures.squares import squared_photos
from verifier.train.real_pictures.windows import Photo, squeezed, window

Image = NDArray[np.uint8]
FIRST_SEED: Final = 30_000_000
"""Rendered tables under pasted cut-outs have seeds from here up."""
HAND_SETS: Final = (RPS, ASL, FINGERCOUNT)
SHARES: Final = (0.35, 0.3, 0.2, 0.15)
"""Of windows with 1, 4, 9 and 16 photos."""
SQUEEZED: Final = 0.5
"""Share of the windows of photos of cards that are pressed together in one direction."""
OVERLAID: Final = 0.5
"""Share of the windows of photos of cards in which more cards are laid over those there."""
TABLE_PICTURES: Final = 4
"""Rendered pictures of each table that get cut-outs."""


class RealPlan(Struct, frozen=True, kw_only=True):
    """How many pictures to make: windows of photos of cards, of photos of hands, and rendered ones with cut-outs."""

    cards: int = 500
    hands: int = 700
    pasted: int = 700
    size: int = 512
    seed: int = 0


def plan_of(count: int, seed: int = 0) -> RealPlan:
    """About `count` pictures: a quarter of cards, over a third of hands, the rest rendered with cut-outs."""
    cards, hands = round(0.26 * count), round(0.37 * count)
    return RealPlan(cards=cards, hands=hands, pasted=count - cards - hands, seed=seed)


class Sources(Struct, frozen=True):
    """What the photos of a part of the sets hold."""

    cards: list[Photo]
    faces: list[tuple[Image, str]]
    """Straightened cards and their ranks."""
    hands: list[Photo]
    chips: list[ChipTop]


def read_sources(folder: Path, keep: Callable[[Path], bool] = lambda _: True) -> Sources:
    """Return the training parts of the sets that are below `folder`. Raises BadInput where there is none.

    Photos of cards count only where the corners of every card are known. Of hands, those cut out or boxed surely.
    """
    cards, faces = [], []
    for path in filter(keep, pictures(folder, EDJE, "train")):
        image = read_picture(path)
        alone = cornered_cards(image, boxed_cards(path))
        found = told_cards(path, alone)
        if found and all(card.quad is not None for card in found):
            cards.append(Photo(image, found))
        faces += [(face, card.rank) for card, face in _faces(image, alone)]
    for image, found in squared_photos(folder, keep):
        cards.append(Photo(image, found))
        alone = [card for card, apart in zip(found, free([card.box for card in found]), strict=True) if apart]
        faces += [(face, card.rank) for card, face in _faces(image, alone)]
    hands = []
    for name in HAND_SETS:
        for path in filter(keep, pictures(folder, name, "train")):
            hand = hand_photo(path, name)
            if hand is not None and not (name == ASL and hand.fingers is None):
                hands.append(Photo(hand.image, (), hand))
    if not cards and not hands:
        raise BadInput(
            folder, "holds none of the real sets", "give the folder that holds cards-edje, hands-... folders"
        )
    return Sources(cards, faces, hands, chip_tops(folder, keep))


def _faces(image: Image, cards: Sequence[BoxedCard]) -> Iterator[tuple[BoxedCard, Image]]:
    for card in cards:
        face = straightened(image, card)
        if face is not None:
            yield card, face


def windows(sources: Sequence[Photo], count: int, plan: RealPlan, rng: Generator) -> Iterator[Shot]:
    """Windows of photos, each photo about equally often: 1, 4, 9 or 16 of them in a window."""
    order: list[int] = []
    for _ in range(count if sources else 0):
        many = int(rng.choice((1, 4, 9, 16), p=SHARES))
        while len(order) < many:
            order += [int(v) for v in rng.permutation(len(sources))]
        yield window([sources[order.pop()] for _ in range(many)], plan.size, rng)


def _overlaid(shown: Iterator[Shot], faces: Sequence[tuple[Image, str]], rng: Generator) -> Iterator[Shot]:
    """Half of the pictures with cards laid partly over a third of the cards that lie there."""
    for shot in shown:
        if faces and rng.random() < OVERLAID:
            for _ in range(1 + len(shot.truth.cards) // 3):
                shot = overlaid(shot, faces, rng)
        yield shot


def _pressed(shown: Iterator[Shot], rng: Generator) -> Iterator[Shot]:
    """Yield the pictures, SQUEEZED of them pressed together in one direction."""
    for shot in shown:
        yield squeezed(shot, rng) if rng.random() < SQUEEZED else shot


def pasted(sources: Sources, count: int, plan: RealPlan, first_seed: int, rng: Generator) -> Iterator[Shot]:
    """Yield rendered pictures with up to 3 piles of real cards, 4 of chips and, over them, one or two real hands."""
    cut = [photo.hand for photo in sources.hands if photo.hand is not None and photo.hand.mask is not None]
    for number in range(count):
        if number % TABLE_PICTURES == 0:
            tables = shots(first_seed + number // TABLE_PICTURES, PicturePlan(size=plan.size, windows=TABLE_PICTURES))
        shot = next(tables)
        for _ in range(int(rng.integers(0, 4)) if sources.faces else 0):
            some = [sources.faces[int(v)] for v in rng.integers(len(sources.faces), size=int(rng.integers(1, 6)))]
            shot = with_cards(shot, some, rng)
        for _ in range(int(rng.integers(0, 5)) if sources.chips else 0):
            shot = with_chips(shot, sources.chips, rng)
        for _ in range(int(rng.integers(1, 3)) if cut else 0):
            shot = with_hand(shot, cut[int(rng.integers(len(cut)))], rng)
        yield shot


def write_real(folder: Path, real: Path, plan: RealPlan, hand_labels: Path | None = None) -> int:
    """Add pictures, labels and crops to a set folder as `write_pictures` lays it out; return how many pictures.

    `hand_labels` is a folder of what a person told of some of the hands (`hand_labels.read_hand_labels`).

    One photo in twenty is for validation, by a hash of its name; a photo is never in both parts.
    """
    cv2.setNumThreads(1)
    written = 0
    labels = None if hand_labels is None else read_hand_labels(hand_labels)
    for part, share in (("train", 0.95), ("val", 0.05)):
        sources = read_sources(real, partial(_in_part, part))
        rng = np.random.default_rng([plan.seed, 19, int(part == "val")])
        counts = [max(1, round(n * share)) for n in (plan.cards, plan.hands, plan.pasted)]
        first = FIRST_SEED + 100_000 * plan.seed + (50_000 if part == "val" else 0)
        makers = {
            "cards": _pressed(_overlaid(windows(sources.cards, counts[0], plan, rng), sources.faces, rng), rng),
            "hands": windows(sources.hands, counts[1], plan, rng),
            "pasted": pasted(sources, counts[2], plan, first, rng),
        }
        written += sum(_write(folder, part, kind, plan.seed, made, rng) for kind, made in makers.items())
        close = hand_crops(real, partial(_in_part, part), rng, labels)
        close.save(folder / "crops" / f"{part}-real-{plan.seed}-close.npz")
    facts = {"real": written, "seed": plan.seed, **structs.asdict(plan)}
    (folder / f"real-{plan.seed}.json").write_text(json.dumps(facts) + "\n", encoding="utf-8")
    return written


def _in_part(part: str, path: Path) -> bool:
    return (part == "val") == (hashlib.sha256(path.name.encode()).digest()[0] % 20 == 19)


def _write(folder: Path, part: str, kind: str, seed: int, made: Iterator[Shot], rng: Generator) -> int:
    collector = CropCollector()
    count = 0
    for name in ("images", "labels"):
        (folder / name / part).mkdir(parents=True, exist_ok=True)
    (folder / "crops").mkdir(exist_ok=True)
    for count, shot in enumerate(made, 1):
        name = f"real-{seed}-{kind}-{count:05d}"
        cv2.imwrite(str(folder / "images" / part / f"{name}.jpg"), shot.image, [cv2.IMWRITE_JPEG_QUALITY, 96])
        size = (shot.image.shape[1], shot.image.shape[0])
        write_labels(folder / "labels" / part / f"{name}.txt", labels_of(shot.truth, size), size)
        collector.add(shot.image, told(shot.truth), rng)
    collector.save(folder / "crops" / f"{part}-real-{seed}-{kind}.npz")
    return count


def told(truth: Observation) -> Observation:
    """Return what the readers may learn from: no face-up cards without a rank, which are cut off, not unreadable."""
    return structs.replace(truth, cards=[card for card in truth.cards if card.face == "down" or card.rank is not None])
