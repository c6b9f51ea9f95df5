"""Stills with what was seen drawn over them: cards, chips, hands, and the place that a finding speaks of."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.domain.layout import Layout, Polygon
from verifier.domain.observations import CardSeen, ChipSeen, HandSeen, Observation
from verifier.domain.places import Place
from verifier.review.wording import plain_place

Picture = NDArray[np.uint8]
Colour = tuple[int, int, int]

_CARD: Final[Colour] = (255, 220, 60)
_CHIP: Final[Colour] = (120, 255, 120)
_HAND: Final[Colour] = (80, 170, 255)
_PLACE: Final[Colour] = (60, 60, 255)
_BAR: Final[Colour] = (40, 32, 28)
_WHITE: Final[Colour] = (255, 255, 255)
_FONT = cv2.FontFace("sans")


def draw_still(picture: Picture, seen: Observation | None, layout: Layout, at: str | None, caption: str) -> Picture:
    """A copy of `picture` (height, width, 3; BGR) with boxes and labels over it and a bar with `caption` under it."""
    size = max(13, round(picture.shape[1] / 80))
    canvas = picture.copy()
    _place(canvas, layout, at, size)
    if seen is not None:
        for chip in seen.chips:
            _chip(canvas, chip)
        for card in seen.cards:
            _card(canvas, card, size)
        for hand in seen.hands:
            _hand(canvas, hand, size)
    return _with_bar(canvas, caption, size)


def _place(canvas: Picture, layout: Layout, at: str | None, size: int) -> None:
    outline = _outline(layout, at)
    if outline is None:
        return
    corners = np.array(outline, np.int32)
    cv2.polylines(canvas, [corners], True, _PLACE, 3, cv2.LINE_AA)
    left, top = int(corners[:, 0].min()), int(corners[:, 1].min())
    _label(canvas, plain_place(at), (left, top - 4), _PLACE, size + 2)


def _outline(layout: Layout, at: str | None) -> Polygon | None:
    if at is None:
        return None
    place = Place.parse(at)
    if place.is_space:
        return layout.spaces[place.number].area if place.number in layout.spaces else None
    outline: Polygon | None = getattr(layout.zones, place.kind, None)
    return outline


def _card(canvas: Picture, card: CardSeen, size: int) -> None:
    corners = np.array(card.quad, np.int32)
    cv2.polylines(canvas, [corners], True, _CARD, 2, cv2.LINE_AA)
    name = "face down" if card.face == "down" else (card.rank or "?") + (card.suit or "?")
    _label(canvas, name, (int(corners[:, 0].min()), int(corners[:, 1].min()) - 2), _CARD, size)


def _chip(canvas: Picture, chip: ChipSeen) -> None:
    cv2.circle(canvas, (round(chip.center[0]), round(chip.center[1])), round(chip.radius), _CHIP, 2, cv2.LINE_AA)


def _hand(canvas: Picture, hand: HandSeen, size: int) -> None:
    x0, y0, x1, y1 = (round(value) for value in hand.box)
    cv2.rectangle(canvas, (x0, y0), (x1, y1), _HAND, 2, cv2.LINE_AA)
    words = [hand.owner, hand.side, "hand", hand.facing, f"{hand.fingers} fingers" if hand.fingers is not None else ""]
    _label(canvas, " ".join(word for word in words if word and word != "unknown"), (x0, y0 - 2), _HAND, size)


def _label(canvas: Picture, text: str, origin: tuple[int, int], colour: Colour, size: int) -> None:
    x, y, width, height = cv2.getTextSize((0, 0), text, origin, _FONT, size)
    x = min(max(x, 2), max(2, canvas.shape[1] - width - 4))
    y = max(y, 2)
    cv2.rectangle(canvas, (x - 2, y - 2), (x + width + 2, y + height + 2), _BAR, -1)
    cv2.putText(canvas, text, (x, y + height - 3), colour, _FONT, size)


def _with_bar(canvas: Picture, caption: str, size: int) -> Picture:
    bar = np.full((size * 2 + 8, canvas.shape[1], 3), _BAR, np.uint8)
    cv2.putText(bar, caption, (10, size + 8), _WHITE, _FONT, round(size * 1.2))
    return np.vstack([canvas, bar])
