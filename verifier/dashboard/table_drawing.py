"""Draws a round as a picture of the table (SVG): the dealer at the bottom, space 1 at the dealer's left."""

from __future__ import annotations

import math
from collections.abc import Sequence
from textwrap import wrap
from xml.sax.saxutils import escape

from verifier.domain.places import Place
from verifier.review.round_view import HandView, RoundView
from verifier.review.wording import plain_card, plain_place

_WIDTH, _HEIGHT = 1200, 500
_CARD_W, _CARD_H = 50, 68
_LINE, _LINES = 24, 7
"""Letters in a line of text under the cards, and at most so many lines."""
_FONT = "font-family='sans-serif'"


def draw_table(view: RoundView, marked: str | None) -> str:
    """The table as SVG text; the place `marked` has a thick frame and the word `here`."""
    size = f"viewBox='0 0 {_WIDTH} {_HEIGHT}' width='{_WIDTH}' height='{_HEIGHT}'"
    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' {size}>",
        f"<rect width='{_WIDTH}' height='{_HEIGHT}' rx='24' fill='#1d6b4a'/>",
    ]
    for hand, (x, y) in zip(view.hands, _spots(view.hands), strict=True):
        parts.append(_hand(hand, x, y, _same(hand.place, marked)))
    parts.append(_hand(view.dealer, _WIDTH / 2, _HEIGHT - 135, marked == "dealer"))
    parts.append("</svg>")
    return "".join(parts)


def _same(place: str, marked: str | None) -> bool:
    return marked is not None and Place.parse(place) == Place.parse(marked)


def _spots(hands: Sequence[HandView]) -> list[tuple[float, float]]:
    """Middles of the hands on an arc from the dealer's left to the dealer's right."""
    count = len(hands)
    spots = []
    for index in range(count):
        share = (index + 0.5) / count * 2 - 1
        turn = math.radians(55 * share)
        spots.append((_WIDTH / 2 + share * (_WIDTH / 2 - 20), 220 - 180 * math.cos(turn)))
    return spots


def _hand(hand: HandView, x: float, y: float, marked: bool) -> str:
    title = plain_place(hand.place).capitalize() + (f": {hand.total}" if hand.total else "")
    lines = [part for line in (*hand.money, *hand.settled) for part in wrap(line, _LINE)][:_LINES]
    step = min(_CARD_W + 4, 150 / max(1, len(hand.cards)))
    left = x - (step * (len(hand.cards) - 1) + _CARD_W) / 2
    cards = "".join(_card(card, left + index * step, y + 10) for index, card in enumerate(hand.cards))
    texts = "".join(
        _text(line, x, y + 10 + _CARD_H + 20 + index * 20, 16, "#ffffff") for index, line in enumerate(lines)
    )
    height = _CARD_H + 38 + 20 * len(lines)
    frame = (
        f"<rect x='{x - 84}' y='{y - 18}' width='168' height='{height}' rx='10' fill='none' stroke='#ffe066' "
        f"stroke-width='4'/>" + _text("here", x + 62, y - 23, 15, "#ffe066")
        if marked
        else ""
    )
    return frame + _text(title, x, y, 19, "#ffffff", bold=True) + cards + texts


def _card(card: str, x: float, y: float) -> str:
    hidden = card == "??"
    colour = "#b00020" if card[1] in "hd" else "#111111"
    face = "#c9d3e0" if hidden else "#ffffff"
    name = "?" if hidden else plain_card(card)
    return (
        f"<rect x='{x:.0f}' y='{y:.0f}' width='{_CARD_W}' height='{_CARD_H}' rx='5' fill='{face}' stroke='#333333'/>"
        + _text(name, x + _CARD_W / 2, y + _CARD_H / 2 + 7, 21, colour, bold=True)
    )


def _text(text: str, x: float, y: float, size: int, colour: str, *, bold: bool = False) -> str:
    weight = " font-weight='bold'" if bold else ""
    return (
        f"<text x='{x:.0f}' y='{y:.0f}' {_FONT} font-size='{size}' fill='{colour}' "
        f"text-anchor='middle'{weight}>{escape(text)}</text>"
    )
