"""Measures how fans of cards are told: right, in doubt, or surely wrong, before and after doubts of their number.

    python benchmarks/card_fans.py --pictures 7 [--real DIR]

Lone cards, cards laid as they are dealt, halves, straight fans and spread ones (turned about a point below them) of two
to six cards, the first or the last of them on top, are laid on felt, drawn by the simulator in unseen styles. With
`--real`, cards cut from the photos of cards-martinabeleda join in half of the pictures. Each picture is held for a
second and a half under noise in H.264 and watched as a recording is. A group is right if its ranks are, in doubt if a
reading is below 0.9 or the number of cards is held to be unknown (`reconstruct/resting/several.py`), else wrong.
`before`: by box, boxes that lie apart and unreadable faces alone, without the counter of overlapping cards.
"""

from __future__ import annotations

import argparse
import math
import tempfile
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.domain.observations import CardSeen
from verifier.reconstruct import parameters as par
from verifier.simulate.record import DEFAULT_BITRATE, encode
from verifier.simulate.render.cards import face_texture
from verifier.train.real_pictures.split import MARTINABELEDA
from verifier.vision.fitting import side_for
from verifier.vision.networks import Networks, load_networks
from verifier.vision.observe import observe
from verifier.vision.still import detect_image

Image = NDArray[np.uint8]
Face = tuple[Image, str]
"""A card's picture (h, w, 4), and its rank."""
SIZE: Final = (1280, 720)
SHAPE: Final = 88 / 63
STEPS: Final = (0.12, 0.16, 0.2, 0.2, 0.3, 0.45, 0.6)
ANGLES: Final = (4.0, 7.0, 10.0, 14.0)
"""Degrees from card to card of a spread fan."""
KINDS: Final = ("lone", "lone", "dealt", "half", "fan", "fan", "fan", "fan", "fan", "spread")
GRID: Final = (5, 3)
"""Groups across and down a picture."""
Place = tuple[float, float, float]
"""Where a card's middle lies, along its cards' width and length (pixels), and how it is turned (radians)."""


def drawn(rng: np.random.Generator) -> Face:
    """Return a face in a style that no model was trained on."""
    rank, suit = "A23456789TJQK"[rng.integers(13)], "cdhs"[rng.integers(4)]
    return np.asarray(face_texture(f"style:test:{rng.integers(400)}", rank, suit, 2.0).pixels, np.uint8), str(rank)


def cut_out(folder: Path) -> list[Face]:
    """Return the surely read lone cards of the photos, straightened."""
    networks = load_networks(photos=True)
    faces: list[Face] = []
    for file in sorted((folder / MARTINABELEDA).glob("*.jpg")):
        photo = np.asarray(cv2.imread(str(file)), np.uint8)
        for card in detect_image(photo, networks=networks).cards:
            if card.rank and max((card.ranks or {}).values(), default=0.0) >= 0.95:
                to = np.array([[0, 0], [126, 0], [126, 176], [0, 176]], np.float32)
                matrix = cv2.getPerspectiveTransform(np.array(card.quad, np.float32), to)
                face = cv2.warpPerspective(photo, matrix, (126, 176))
                faces.append((np.dstack([face, np.full(face.shape[:2], 255, np.uint8)]), str(card.rank)))
    return faces


def lay(picture: NDArray[np.float32], face: Image, centre: Sequence[float], width: float, turn: float) -> None:
    """Lay a card with a soft shadow, its middle at `centre` (pixels), turned by `turn` radians."""
    h, w = face.shape[:2]
    half = np.array([[-1, -SHAPE], [1, -SHAPE], [1, SHAPE], [-1, SHAPE]]) * width / 2
    cos, sin = math.cos(turn), math.sin(turn)
    to = (half @ np.array([[cos, sin], [-sin, cos]]) + centre).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32), to * 3)
    big = cv2.warpPerspective(face, matrix, (SIZE[0] * 3, SIZE[1] * 3))
    small = cv2.resize(big, SIZE, interpolation=cv2.INTER_AREA).astype(np.float32)
    cover = small[..., 3:] / 255
    picture *= 1 - 0.35 * np.roll(cv2.GaussianBlur(cover, (0, 0), 1.5), (1, 1), (0, 1))[..., None]
    picture *= 1 - cover
    picture += small[..., :3] * cover


def group(kind: str, rng: np.random.Generator, width: float) -> tuple[str, list[Place]]:
    """Return a group's name, and where its cards lie, the lowest first."""
    if kind == "lone":
        return kind, [(0.0, 0.0, 0.0)]
    if kind == "dealt":
        return kind, [(0.0, 0.0, 0.0), (-36 * width / 63, 47 * width / 63, 0.0)]
    if kind == "half":
        return kind, [(-0.25 * width, 0.0, 0.0), (0.25 * width, 0.0, 0.0)]
    count, way = int(rng.integers(2, 7)), float(rng.choice((-1, 1)))
    size = "2" if count == 2 else "3 or 4" if count < 5 else "5 or 6"
    from_middle = [way * (i - (count - 1) / 2) for i in range(count)]
    if kind == "spread":
        each, radius = math.radians(float(rng.choice(ANGLES))), 1.6 * width * SHAPE
        turns = [each * i for i in from_middle]
        return f"spread fan of {size}", [(radius * math.sin(a), radius * (1 - math.cos(a)), a) for a in turns]
    step = float(rng.choice(STEPS))
    tight = "0.12 to 0.2" if step <= 0.2 else "0.3" if step < 0.4 else "0.45 or 0.6"
    return f"fan of {size} at {tight}", [(step * width * i, 0.0, 0.0) for i in from_middle]


def shown(rng: np.random.Generator, real: Sequence[Face]) -> tuple[Image, float, list[tuple[str, Any, list[str]]]]:
    """Return a picture, the width of its cards, and of each group its name, middle and ranks."""
    width = float(rng.uniform(38, 60))
    picture = np.ones((SIZE[1], SIZE[0], 3), np.float32) * rng.uniform((40, 70, 30), (110, 130, 90)).astype(np.float32)
    own, truth = bool(real) and rng.random() < 0.5, []
    for column, row in ((c, r) for c in range(GRID[0]) for r in range(GRID[1])):
        middle = np.array([130 + column * 255, 120 + row * 240]) + rng.uniform(-12, 12, 2)
        turn = float(rng.uniform(-0.5, 0.5))
        across = np.array([math.cos(turn), math.sin(turn)])
        name, places = group(str(rng.choice(KINDS)), rng, width)
        faces = [real[int(rng.integers(len(real)))] if own else drawn(rng) for _ in places]
        for (image, _), (x, y, bend) in zip(faces, places, strict=True):
            at = middle + across * x + np.array([-across[1], across[0]]) * y
            lay(picture, image, at.tolist(), width, turn + bend + float(rng.normal(0, 0.012)))
        truth.append((name, middle, [rank for _, rank in faces]))
    blurred = cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.4, 1.0)))
    return np.clip(blurred, 0, 255).astype(np.uint8), width, truth


def watched(picture: Image, width: float, networks: Networks, folder: Path) -> list[CardSeen]:
    """Return the faces that watching the picture as a recording tells last."""
    rng = np.random.default_rng(0)
    frames = (np.clip(picture + rng.normal(0, 3, picture.shape), 0, 255).astype(np.uint8) for _ in range(24))
    encode(folder / "fans.mp4", frames, 30, SIZE, 15, DEFAULT_BITRATE)
    *_, last = observe(folder / "fans.mp4", networks=networks, long_side=side_for(width, SIZE[0]))
    return [card for card in last.cards if card.face == "up"]


def sides(card: CardSeen) -> tuple[float, float]:
    """Shorter and longer side, pixels."""
    a, b, c = (np.array(corner) for corner in card.quad[:3])
    short, long = sorted((float(np.linalg.norm(a - b)), float(np.linalg.norm(b - c))))
    return short, long


def unknown(card: CardSeen, width: float) -> bool:
    """Tell whether the number of cards is unknown by its box, the boxes that pass for it, or its face."""
    short, long = sides(card)
    broad = short >= par.SEVERAL_WIDE * width and short / long >= par.SEVERAL_WIDE / SHAPE
    return (
        broad
        or (card.apart or 0.0) >= par.SEVERAL_APART_SHARE
        or (bool(card.ranks) and (card.unreadable or 0.0) >= par.SEVERAL_UNREADABLE_P)
    )


def outcome(cards: Sequence[CardSeen], ranks: Sequence[str], *, doubt: bool) -> str:
    """Return how a group was told; `doubt`: the number of its cards is held to be unknown."""
    read = [max((card.ranks or {"?": 0.0}).items(), key=lambda item: item[1]) for card in cards]
    if doubt or not read or min(p for _, p in read) < 0.9:
        return "in doubt"
    return "right" if sorted(rank for rank, _ in read) == sorted(ranks) else "surely wrong"


def main() -> None:
    """Read the command line and print a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=int, default=7)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--real", type=Path, help="folder of the real pictures")
    parser.add_argument("--models", type=Path, help="folder of the models; the shipped ones by default")
    options = parser.parse_args()
    rng, networks = np.random.default_rng(options.seed), load_networks(options.models, faint_hands=True)
    real = cut_out(options.real) if options.real else []
    table: dict[str, Counter[str]] = defaultdict(Counter)
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(options.pictures):
            picture, width, truth = shown(rng, real)
            cards = watched(picture, width, networks, Path(folder))
            for name, middle, ranks in truth:
                mine = [card for card in cards if np.linalg.norm(np.mean(card.quad, axis=0) - middle) < 2.6 * width]
                before = any(unknown(card, width) for card in mine)
                doubt = before or any((card.more or 0.0) >= par.SEVERAL_MORE_P for card in mine)
                table[name][f"before: {outcome(mine, ranks, doubt=before)}"] += 1
                table[name][f"after: {outcome(mine, ranks, doubt=doubt)}"] += 1
    columns = [f"{when}: {what}" for when in ("before", "after") for what in ("right", "in doubt", "surely wrong")]
    print(f"| group | how many | {' | '.join(columns)} |\n|{' -- |' * 8}")
    for name, counts in sorted(table.items()):
        print(f"| {name} | {counts.total() // 2} | {' | '.join(str(counts[column]) for column in columns)} |")


if __name__ == "__main__":
    main()
