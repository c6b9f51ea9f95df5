"""Crops of cards made directly: small piles of cards of any deck, badly straightened, without a table round them.

Far faster than whole pictures, and harder: detectors' worst errors, narrow cards, and all that may cover a card.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from verifier.domain.cards import RANKS, SUITS
from verifier.domain.layout import CARD_MM
from verifier.simulate.render.cards import face_texture, has_plain_courts
from verifier.simulate.render.decks import sample_deck
from verifier.simulate.render.warp import level_for, paste, pose, transform
from verifier.train.crop_sets import CARD_FACES, RANK_CLASSES, READABLE_SHARE, READABLE_WIDTH, UNLABELLED, UNREADABLE
from verifier.train.crops import CARD_MARGIN, Image, Rect, card_crop, jittered
from verifier.train.degrade import degrade, jpeg, motion_blurred, resampled
from verifier.train.faults import faulty
from verifier.train.labels import rectangle

Floats = NDArray[np.float64]
WIDTHS: Final = (19.0, 120.0)
"""Width of a card in pixels, drawn evenly on a logarithmic scale."""
WATCHED_WIDTHS: Final = (26.0, 70.0)
"""The same in frames of recordings, from which cards are read at their own scale."""
FAULTS: Final = 0.4
"""Faults of camera and recorder in such frames, as a share of those of any camera."""
BLACK: Final = 0.7
"""Share of the clubs and spades in them: these are taken for each other."""
HALF_CARD: Final = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * CARD_MM
LEAST_SHARE: Final = 0.12
"""A card of which less shows gives no crop."""
BAD_TURN: Final = 0.3
"""Share of the crops that are turned by up to 30 degrees against the card, as crossed cards mislead a detector."""
WILD: Final = 0.6
"""Share of the piles whose deck is of any kind, not only a card room's."""
PLAIN_OFTEN: Final = 0.25
"""Share of the piles whose deck's court cards are letters or paintings: rare otherwise, and hard to read."""
OFTEN: Final = np.array([2.0 if rank in "JQK" else 1.0 for rank in RANKS]) / 16
"""How often each rank occurs: court cards differ most from deck to deck."""


def pile(rng: Generator, *, watched: bool = False) -> tuple[list[Image], list[list[int]], list[Floats]]:
    """Crops (96, 64, 3) BGR of one pile's cards, [rank, suit, face] of each, its corners (4, 2) in shares of the crop.

    `watched`: as cards are read in recordings, of such widths and losses, cut with a detector's usual errors.
    """
    width = float(np.exp(rng.uniform(*np.log(WATCHED_WIDTHS if watched else WIDTHS))))
    scale, deck = width / CARD_MM[0], _deck(rng)
    side = round(3.6 * width) + 8
    image = ground(side, rng)
    owner = np.full((side, side), -1, np.int16)
    quads, faces, turn = [], [], float(rng.uniform(0, 360))
    for number in range(int(rng.integers(1 if watched else 2, 6))):
        faces.append((str(rng.choice(list(RANKS), p=OFTEN)), _suit(rng, watched)))
        matrix = _placed(number, turn, side, scale, rng)
        paste(image, face_texture(deck, *faces[-1], level_for(scale)), matrix)
        quads.append(transform(matrix, HALF_CARD))
        cv2.fillConvexPoly(owner, np.round(quads[-1]).astype(np.int32), number)
    for _ in range(int(rng.choice(4, p=[0.4, 0.35, 0.15, 0.1]))):
        cover(image, owner, quads[int(rng.integers(len(quads)))], width, rng)
    image = recorded(image, rng) if watched else _seen(image, width, rng)
    out: tuple[list[Image], list[list[int]], list[Floats]] = ([], [], [])
    for number, (quad, face) in enumerate(zip(quads, faces, strict=True)):
        shown = float((owner == number).sum()) / max(1.0, cv2.contourArea(quad.astype(np.float32)))
        if shown >= LEAST_SHARE:
            rect = rectangle(quad.astype(np.float32))
            rect = _either_way_up(jittered(rect, rng), rng) if watched else misjudged(rect, rng)
            out[0].append(card_crop(image, rect))
            out[1].append(_labels(face, shown, width))
            out[2].append(in_crop(quad, rect))
    return out


def _deck(rng: Generator) -> str:
    plain = bool(rng.random() < PLAIN_OFTEN)
    while True:
        deck = sample_deck(rng, "train", svg=not plain, wild=plain or bool(rng.random() < WILD))
        if not plain or has_plain_courts(deck):
            return deck


def _suit(rng: Generator, watched: bool) -> str:
    """Any suit; in frames of recordings black ones more often."""
    shares = [(BLACK if suit in "cs" else 1 - BLACK) / 2 for suit in SUITS] if watched else None
    return str(rng.choice(list(SUITS), p=shares))


def _labels(face: tuple[str, str], shown: float, width: float) -> list[int]:
    up = CARD_FACES.index("up")
    if shown < READABLE_SHARE or width < READABLE_WIDTH:
        return [RANK_CLASSES.index(UNREADABLE), UNLABELLED, up]
    return [RANK_CLASSES.index(face[0]), SUITS.index(face[1]), up]


def misjudged(rect: Rect, rng: Generator) -> Rect:
    """Return a card's rectangle with the errors of a bad detection, either way up."""
    (x, y), (w, h), angle = rect
    bad = rng.random() < BAD_TURN
    turn = float(rng.uniform(-30, 30)) if bad else float(rng.normal(0, 2.5))
    shift = np.clip(rng.normal(0, 0.06 if bad else 0.025, 2), -0.16, 0.16) * (w, h)
    grow = np.exp(np.clip(rng.normal(0.03, 0.08 if bad else 0.04, 2), -0.2, 0.2))
    at = (x + float(shift[0]), y + float(shift[1]))
    return _either_way_up((at, (w * float(grow[0]), h * float(grow[1])), angle + turn), rng)


def _either_way_up(rect: Rect, rng: Generator) -> Rect:
    at, sides, angle = rect
    return at, sides, angle + (180.0 if rng.random() < 0.5 else 0.0)


def in_crop(quad: Floats, rect: Rect) -> Floats:
    """Return the corners (4, 2) of a card in shares of the crop of `rect`, from the crop's upper left on, clockwise."""
    (x, y), (w, h), angle = rect
    turn = np.radians(angle)
    axes = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    shares = (quad - (x, y)) @ axes / ((1 + 2 * CARD_MARGIN) * np.array([w, h])) + 0.5
    plain = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
    return min((np.roll(shares, k, axis=0) for k in range(4)), key=lambda way: float(np.abs(way - plain).sum()))


def ground(side: int, rng: Generator) -> Image:
    """Felt, floor or anything, in large and small blotches."""
    colour = rng.choice([rng.uniform(20, 220, 3), rng.uniform((20, 60, 10), (90, 140, 70))], axis=0)
    coarse = rng.normal(0, rng.choice([3.0, 25.0], p=[0.7, 0.3]), (4, 4, 3)).astype(np.float32)
    light = cv2.resize(coarse, (side, side), interpolation=cv2.INTER_CUBIC)
    fine = rng.normal(0, rng.uniform(0, 9), (side, side, 1))
    return np.asarray(np.clip(colour + light + fine, 0, 255), np.uint8)


def _placed(number: int, turn: float, side: int, scale: float, rng: Generator) -> Floats:
    """Millimetres of a card to pixels: along a row, crossed, or anyhow; seen a little aslant."""
    kind, step = rng.random(), float(rng.uniform(0.2, 0.6))
    along = np.radians(turn) + np.pi / 4
    at = np.array([np.cos(along), np.sin(along)]) * (number - 1) * step * CARD_MM[0] * scale
    angle = turn + (rng.normal(0, 4) if kind < 0.7 else 90 + rng.normal(0, 5) if kind < 0.8 else rng.uniform(0, 360))
    x, y = side / 2 + at + rng.normal(0, 0.06 if kind < 0.8 else 0.35, 2) * CARD_MM[0] * scale
    squeeze = (1.0, float(rng.uniform(0.86, 1.06)))
    matrix = np.array([[1, 0, x], [0, 1, y], [0, 0, 1.0]]) @ np.diag([scale, scale, 1.0]) @ pose((0, 0), angle, squeeze)
    aslant = np.eye(3)
    aslant[2, :2] = rng.normal(0, 0.0006, 2) / scale
    return np.asarray(matrix @ aslant)


def cover(image: Image, owner: NDArray[np.int16], quad: Floats, width: float, rng: Generator) -> None:
    """Draw a chip, a finger or a sleeve over some place of a card."""
    at = quad.mean(0) + (quad[int(rng.integers(4))] - quad.mean(0)) * rng.uniform(0, 1.1)
    shade = rng.choice([rng.uniform(30, 240, 3), rng.uniform((60, 90, 140), (170, 190, 235))], axis=0)
    colour = tuple(map(float, shade))
    if rng.random() < 0.5:
        x, y = (int(v) for v in at)
        radius = max(2, round(width * 0.3))
        cv2.circle(image, (x, y), radius, colour, -1, cv2.LINE_AA)
        cv2.circle(
            image, (x, y), max(1, radius * 2 // 3), tuple(map(float, shade[::-1])), max(1, radius // 5), cv2.LINE_AA
        )
        cv2.circle(owner, (x, y), radius, -1, -1)
        return
    angle, reach = rng.uniform(0, 2 * np.pi), 3 * width
    end = at + reach * np.array([np.cos(angle), np.sin(angle)])
    line = [tuple(int(v) for v in point) for point in (at, end)]
    thick = max(2, round(width * float(rng.uniform(0.18, 0.6))))
    cv2.line(image, line[0], line[1], colour, thick, cv2.LINE_AA)
    cv2.line(owner, line[0], line[1], -1, thick)


def _seen(image: Image, width: float, rng: Generator) -> Image:
    """Light, a sheen, and what lens and recorder lose."""
    gain = rng.uniform(0.45, 1.15) * np.exp(rng.normal(0, 0.08, 3))
    slope = np.linspace(-0.5, 0.5, image.shape[0], dtype=np.float32) * rng.normal(0, 0.4)
    lit = image * (gain + 0.0) * (1 + slope[:, None, None])
    if rng.random() < 0.12:
        side = image.shape[0]
        ys, xs = np.mgrid[:side, :side]
        spot = np.hypot(ys - rng.uniform(0, side), xs - rng.uniform(0, side)) / (width * rng.uniform(0.3, 0.8))
        lit = lit + (230 * np.exp(-(spot**2)))[..., None]
    image = np.clip(lit, 0, 255).astype(np.uint8)
    if rng.random() < 0.4:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), float(rng.uniform(0.4, 0.028 * width + 0.6))), np.uint8)
    if rng.random() < 0.2:
        image = motion_blurred(image, int(rng.integers(3, 4 + int(width) // 14)), float(rng.uniform(0, 180)))
    if rng.random() < 0.3:
        image = resampled(image, float(rng.uniform(0.5, 0.9)))
    return jpeg(image, int(rng.integers(25, 95))) if rng.random() < 0.6 else image


def recorded(image: Image, rng: Generator) -> Image:
    """Light, and what camera and recorder make of a frame."""
    gain = rng.uniform(0.45, 1.1) * np.exp(rng.normal(0, 0.06, 3))
    return degrade(faulty(np.clip(image * gain, 0, 255).astype(np.uint8), rng, FAULTS), rng)


def write_piled_cards(path: Path, count: int, seed: int, *, watched: bool = False) -> int:
    """Write about `count` crops as cards, cards_labels, cards_corners (N, 4, 2) to an npz file; return how many."""
    rng = np.random.default_rng([seed, 61])
    crops: list[Image] = []
    labels: list[list[int]] = []
    corners: list[Floats] = []
    while len(crops) < count:
        more_crops, more_labels, more_corners = pile(rng, watched=watched)
        crops += more_crops
        labels += more_labels
        corners += more_corners
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez(
        path,
        cards=np.stack(crops),
        cards_labels=np.asarray(labels, np.int8),
        cards_corners=np.asarray(corners, np.float16),
    )
    return len(crops)
