"""A show: a dealer lays each card of a deck face up before the camera, as a new deck is checked, and then chips."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from verifier.domain.cards import RANKS, SUITS, Card
from verifier.formats.layout import write_layout
from verifier.simulate.layouts import layout_for
from verifier.simulate.record import encode, make_folder, scene_pictures
from verifier.simulate.render import Camera, Look
from verifier.simulate.scene import CardSprite, ChipSprite, HandSprite, Scene, Vec
from verifier.simulate.table import TablePlan

EVERY_S: Final = 0.4
"""Seconds from one card to the next."""
REST_S: Final = 3.0
"""Seconds for which all cards lie, when the last one has been laid."""
ROW: Final = 13
STEP_MM: Final = (78.0, 104.0)
"""From one card to the next in a row, and from row to row: cards do not touch."""
FIRST_MM: Final[Vec] = (-468.0, -260.0)
HAND_MM: Final = 112.0
"""The wrist lies so far from the middle of the card that the hand lays."""
DECK: Final = tuple(Card(rank, suit) for suit in SUITS for rank in RANKS)


@dataclass(frozen=True)
class CardShow:
    """Cards laid one after the other in rows of 13, then chips in a row below them, from `begin` (seconds) on.

    `scene_at` is exact for every time from 0 to `duration`.
    """

    plan: TablePlan
    cards: tuple[CardSprite, ...]
    duration: float
    chips: tuple[ChipSprite, ...] = ()
    begin: float = 0.0

    def scene_at(self, t: float) -> Scene:
        """Return the table at media time `t` (seconds)."""
        things: list[CardSprite | ChipSprite] = [*self.cards, *self.chips]
        step = max(0.0, t - self.begin) / EVERY_S
        laid = min(len(things), int(step))
        hands = () if laid == len(things) else (_hand(things[laid].xy, step % 1.0),)
        return Scene(t=t, cards=self.cards[:laid], chips=self.chips[: max(0, laid - len(self.cards))], hands=hands)


def card_show(
    plan: TablePlan, seed: int, cards: Sequence[Card] = DECK, chips: Sequence[int] = (), begin: float = 0.0
) -> CardShow:
    """Return a show of `cards` at a table, in their order, and of chips of these values (cents) after them.

    Each card lies a little turned, as a hand lays it, either end up.
    """
    rng = random.Random(seed)
    laid = []
    for number, card in enumerate(cards):
        row, column = divmod(number, ROW)
        at = (FIRST_MM[0] + column * STEP_MM[0] + rng.gauss(0, 1.5), FIRST_MM[1] + row * STEP_MM[1] + rng.gauss(0, 1.5))
        angle = rng.gauss(0, 2.5) + rng.choice((0.0, 180.0))
        laid.append(CardSprite(id=number + 1, card=card, face="up", xy=at, angle=angle))
    y = FIRST_MM[1] + -(-len(cards) // ROW) * STEP_MM[1]
    chip_row = tuple(
        ChipSprite(id=500 + number, cents=cents, xy=(FIRST_MM[0] + number * STEP_MM[0], y))
        for number, cents in enumerate(chips)
    )
    duration = begin + (len(laid) + len(chip_row)) * EVERY_S + REST_S
    return CardShow(plan, tuple(laid), duration, chip_row, begin)


def record_show(show: CardShow, look: Look, camera: Camera, out: Path, fps: int = 10) -> Path:
    """Write the folder `out` with video.mp4 and layout.yaml, and return the video's path."""
    make_folder(out)
    video = out / "video.mp4"
    frames = scene_pictures(show.scene_at, show.duration, show.plan, look, camera, fps)
    encode(video, frames, int(show.duration * fps), camera.size, fps, 1_400_000)
    write_layout(out / "layout.yaml", layout_for(show.plan, camera, site=look.site, table=look.table, look=look))
    return video


def _hand(card: Vec, share: float) -> HandSprite:
    """Return the dealer's right hand that brings a card to its place, `share` of the way."""
    away = 150.0 * (1.0 - share)
    x, y = card[0] + 30.0 + away, card[1] + HAND_MM + away
    elbow = (float(np.clip(x, -200.0, 260.0)), 620.0)
    return HandSprite(
        id=900,
        owner="dealer",
        person="dealer",
        side="right",
        facing="back",
        shape="pinch",
        xy=(x, y),
        angle=-12.0,
        elbow=elbow,
    )
