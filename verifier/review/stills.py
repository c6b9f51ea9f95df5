"""Stills with what was seen drawn over them: cards, chips, hands, and the place that a finding speaks of."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.domain.doubt import marked
from verifier.domain.layout import Layout, Polygon
from verifier.domain.money import dollars
from verifier.domain.observations import BillSeen, CardSeen, ChipSeen, HandSeen, Observation, Quad
from verifier.domain.places import Place
from verifier.review.wording import plain_place

Picture = NDArray[np.uint8]
Colour = tuple[int, int, int]

_CARD: Final[Colour] = (255, 220, 60)
_CHIP: Final[Colour] = (120, 255, 120)
_BILL: Final[Colour] = (120, 220, 220)
_HAND: Final[Colour] = (80, 170, 255)
_PLACE: Final[Colour] = (60, 60, 255)
_ZONE: Final[Colour] = (230, 140, 230)
_SPOT: Final[Colour] = (255, 224, 140)
_ASSUMED: Final[Colour] = (150, 200, 255)
_BAR: Final[Colour] = (40, 32, 28)
_WHITE: Final[Colour] = (255, 255, 255)
_FONT = cv2.FontFace("sans")


LAYERS: Final = ("cards", "chips", "bills", "hands", "zones")
"""What can be drawn over a picture."""


def draw_still(picture: Picture, seen: Observation | None, layout: Layout, at: str | None, caption: str) -> Picture:
    """Return a copy of `picture` (height, width, 3; BGR) with boxes and labels over it and a bar with `caption`
    under it.
    """
    size = _size(picture)
    canvas = draw_over(picture, seen, layout, at, frozenset(LAYERS) - {"zones"})
    return _with_bar(canvas, caption, size)


def draw_over(
    picture: Picture, seen: Observation | None, layout: Layout | None, at: str | None, layers: frozenset[str]
) -> Picture:
    """Return a copy of `picture` with the chosen layers of what was seen in this very frame, and the place `at`
    framed.
    """
    size = _size(picture)
    canvas = picture.copy()
    if layout is not None:
        if "zones" in layers:
            _zones(canvas, layout, size)
        _place(canvas, layout, at, size)
    if seen is None:
        return canvas
    for bill in (seen.bills or ()) if "bills" in layers else ():
        _bill(canvas, bill, size)
    for chip in seen.chips if "chips" in layers else ():
        _chip(canvas, chip, size)
    for card in seen.cards if "cards" in layers else ():
        _card(canvas, card, size)
    for cut_card in (seen.cut_cards or ()) if "cards" in layers else ():
        _outlined(canvas, cut_card.quad, "indicator card", _CARD, size)
    for hand in seen.hands if "hands" in layers else ():
        _hand(canvas, hand, size)
    return canvas


def draw_layout(picture: Picture, layout: Layout, assumed: Collection[str] = ()) -> Picture:
    """Return a copy of `picture` (BGR) with all zones of a layout, spots of the spaces included.

    Parts named in `assumed` (as `space 3 tip`) say that they are.
    """
    size = _size(picture)
    canvas = picture.copy()
    _zones(canvas, layout, size)
    for number, space in layout.spaces.items():
        for name in ("wager", "tip", "insurance"):
            polygon = getattr(space, name)
            if polygon:
                corners = np.array(polygon, np.int32)
                unsure = f"space {number} {name}" in assumed
                cv2.polylines(canvas, [corners], True, _ASSUMED if unsure else _SPOT, 1 if unsure else 2, cv2.LINE_AA)
                text = f"{name}, assumed" if unsure else name
                at = (int(corners[:, 0].min()), int(corners[:, 1].min()) - size)
                _label(canvas, text, at, _ASSUMED if unsure else _SPOT, max(11, size - 5))
    return canvas


def _size(picture: Picture) -> int:
    """Return the height of letters in pixels."""
    width: int = picture.shape[1]
    return max(13, round(width / 80))


def _zones(canvas: Picture, layout: Layout, size: int) -> None:
    named = {name: getattr(layout.zones, name) for name in layout.zones.__struct_fields__}
    named |= {place.replace(":", " "): area for place, area in layout.areas.items()}
    for name, polygon in named.items():
        if polygon:
            corners = np.array(polygon, np.int32)
            cv2.polylines(canvas, [corners], True, _ZONE, 2, cv2.LINE_AA)
            _label(canvas, name.replace("_", " "), (int(corners[:, 0].min()), int(corners[:, 1].min())), _ZONE, size)


def _place(canvas: Picture, layout: Layout, at: str | None, size: int) -> None:
    outline = outline_of(layout, at)
    if outline is None:
        return
    corners = np.array(outline, np.int32)
    cv2.polylines(canvas, [corners], True, _PLACE, 3, cv2.LINE_AA)
    left, top = int(corners[:, 0].min()), int(corners[:, 1].min())
    _label(canvas, plain_place(at), (left, top - 4), _PLACE, size + 2)


def outline_of(layout: Layout, at: str | None) -> Polygon | None:
    """Return the polygon of a place (pixels); None if the layout does not have it, or none is named."""
    if at is None:
        return None
    place = Place.parse(at)
    if place.number:
        return layout.areas.get(f"{place.kind}:{place.number}")
    outline: Polygon | None = getattr(layout.zones, place.kind, None)
    return outline


def _card(canvas: Picture, card: CardSeen, size: int) -> None:
    known = "face down" if card.face == "down" else (card.rank or "?") + (card.suit or "?")
    sure = (card.ranks or {}).get(card.rank, card.p) if card.rank else card.p
    more = ", more cards here?" if card.number_in_doubt else ""
    _outlined(canvas, card.quad, f"{known} {sure:.0%}{more}", _CARD, size)


def _bill(canvas: Picture, bill: BillSeen, size: int) -> None:
    """Its value and the side that shows stand within it, for bills lie side by side."""
    corners = np.array(bill.quad, np.int32)
    cv2.polylines(canvas, [corners], True, _BILL, 2, cv2.LINE_AA)
    small = max(11, round(size * 0.8))
    words = ["bill" if bill.cents is None else f"${dollars(bill.cents).removesuffix('.00')}", bill.face or ""]
    x, y = (int(value) for value in corners.mean(axis=0))
    for line, word in enumerate(word for word in words if word):
        _label(canvas, word, (x - small, y + line * (small + 6) - small), _BILL, small)


def _outlined(canvas: Picture, quad: Quad, name: str, colour: Colour, size: int) -> None:
    corners = np.array(quad, np.int32)
    cv2.polylines(canvas, [corners], True, colour, 2, cv2.LINE_AA)
    _label(canvas, name, (int(corners[:, 0].min()), int(corners[:, 1].min()) - 2), colour, size)


def _chip(canvas: Picture, chip: ChipSeen, size: int) -> None:
    cv2.circle(canvas, (round(chip.center[0]), round(chip.center[1])), round(chip.radius), _CHIP, 2, cv2.LINE_AA)
    amount = marked(chip.colour if chip.cents is None else f"${dollars(chip.cents)}", chip.colour_p)
    corner = (round(chip.center[0] + chip.radius), round(chip.center[1] - chip.radius))
    _label(canvas, amount, corner, _CHIP, max(11, round(size * 0.8)))


def _hand(canvas: Picture, hand: HandSeen, size: int) -> None:
    x0, y0, x1, y1 = (round(value) for value in hand.box)
    cv2.rectangle(canvas, (x0, y0), (x1, y1), _HAND, 2, cv2.LINE_AA)
    _label(canvas, hand_words(hand), (x0, y0 - 2), _HAND, size)


def hand_words(hand: HandSeen) -> str:
    """Return what is told of a hand, with a question mark after what is in doubt."""
    told = [
        (hand.owner, 1.0),
        (hand.side, hand.side_p),
        ("hand", 1.0),
        (hand.facing, hand.facing_p),
        (f"{hand.fingers} fingers" if hand.fingers is not None else "unknown", hand.fingers_p),
    ]
    return " ".join(marked(word, p) for word, p in told if word != "unknown")


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
