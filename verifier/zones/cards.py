"""Where cards come to rest: the first card of each space, and the dealer's row. Table millimetres."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from verifier.domain.layout import CARD_MM
from verifier.zones.resting import SURE_P
from verifier.zones.view import View
from verifier.zones.watch import Glance

Floats = NDArray[np.float64]

BEFORE_MM: Final = 2.0 * CARD_MM[1]
"""From a wager spot toward the dealer to the middle of its cards, until cards are seen: two cards' lengths."""
NEAR_MM: Final = 2.0 * CARD_MM[1]
"""A card nearer than this to where a space's cards are expected may be one of them."""
FIRST: Final = np.array([0.58, -0.81])
"""The first card of a hand is the farthest to the upper right: each next one overlaps the lower left quarter of the one
before it (99-01.3-08-10(2))."""
OWN_LOOKS: Final = 4
"""Looks at a space's first card from which its own place counts instead of the other spaces'."""
REST_LOOKS: Final = 2
"""Looks at one place from which a card rests there."""
SAME_MM: Final = 18.0
"""Cards within this distance lie at one place: detections are off by less than a quarter of a card."""
ROW_MM: Final = 30.0
"""Cards of the dealer's row lie at one height to within this."""


@dataclass(frozen=True, slots=True)
class Cards:
    """`first` (n, 2): the middle of each space's first card. `looks` (n,): in how many pictures it was seen there.
    `dealer` (2,): the middle of the dealer's first card, None where none was seen; `dealer_looks` likewise.
    """

    first: Floats
    looks: tuple[int, ...]
    dealer: Floats | None
    dealer_looks: int


def find_cards(glances: Sequence[Glance], view: View, spots: Floats, centre: Floats) -> Cards:
    """Where the cards of the spaces at (n, 2) `spots` lie; `centre` (2,) is the middle of the spots' arc."""
    pictures = [_cards_of(glance, view) for glance in glances]
    out = spots - centre
    out /= np.maximum(1e-6, np.hypot(*out.T))[:, None]
    expected = spots - BEFORE_MM * out
    firsts: list[list[Floats]] = [[] for _ in spots]
    for _ in range(3):
        firsts = [[] for _ in spots]
        for cards in pictures:
            for space, first in _firsts(cards, expected, spots, out).items():
                firsts[space].append(first)
        expected = _pooled(firsts, spots, out, expected)
    common = [_common(seen) for seen in firsts]
    first = np.array([at if looks >= OWN_LOOKS else e for (at, looks), e in zip(common, expected, strict=True)])
    rest = [card for cards in pictures for card in cards if not _of_a_space(card, first, spots, out)]
    dealer, dealers = _dealers(np.array(rest).reshape(-1, 2), spots, centre)
    return Cards(first, tuple(looks for _, looks in common), dealer, dealers)


def _cards_of(glance: Glance, view: View) -> Floats:
    at = [d.centre for d in glance.things if d.card and d.p >= SURE_P]
    return view.mm(at) if at else np.empty((0, 2))


def _firsts(cards: Floats, expected: Floats, spots: Floats, out: Floats) -> dict[int, Floats]:
    """The first card of each space that has cards in a picture."""
    own: dict[int, list[Floats]] = {}
    for card in cards:
        space = int(np.hypot(*(expected - card).T).argmin())
        if _before(card, spots[space], out[space]) and np.hypot(*(expected[space] - card)) < NEAR_MM:
            own.setdefault(space, []).append(card)
    return {space: max(seen, key=lambda card: float(card @ FIRST)) for space, seen in own.items()}


def _before(card: Floats, spot: Floats, out: Floats) -> bool:
    """Whether a card lies on the dealer's side of a spot, and not aside of it."""
    inward = float((spot - card) @ out)
    aside = abs(float((spot - card) @ np.array([-out[1], out[0]])))
    return 0.6 * CARD_MM[0] < inward < 4.5 * CARD_MM[1] and aside < 2.0 * CARD_MM[1]


def _pooled(firsts: Sequence[Sequence[Floats]], spots: Floats, out: Floats, before: Floats) -> Floats:
    """Where each space's first card is expected, as those of all spaces lie to their spots."""
    offs = []
    for seen, spot, way in zip(firsts, spots, out, strict=True):
        at, looks = _common(seen)
        if looks >= REST_LOOKS:
            off = at - spot
            offs.append((float(off @ way), float(off @ np.array([-way[1], way[0]]))))
    if not offs:
        return before
    along, aside = np.median(offs, axis=0)
    return np.asarray(spots + along * out + aside * np.stack([-out[:, 1], out[:, 0]], axis=1))


def _common(seen: Sequence[Floats]) -> tuple[Floats, int]:
    """The place near which most of the cards lie, and how many: cards on their way are seen at one place once."""
    at = np.array(seen, np.float64).reshape(-1, 2)
    if not len(at):
        return np.zeros(2), 0
    close = np.hypot(at[:, None, 0] - at[None, :, 0], at[:, None, 1] - at[None, :, 1]) <= SAME_MM
    best = close[int(close.sum(axis=1).argmax())]
    return np.asarray(np.median(at[best], axis=0)), int(best.sum())


def _of_a_space(card: Floats, first: Floats, spots: Floats, out: Floats) -> bool:
    """Whether a card lies where a space's cards lie, the next ones and a second hand included."""
    steps = np.array([(0, 0), (-36, 47), (-72, 94), (-108, 141), (75, 0), (-40, 0)], np.float64)
    gaps = np.hypot(*((first[:, None] + steps[None]) - card).reshape(-1, 2).T)
    return bool(gaps.min() < 0.6 * CARD_MM[0])


def _dealers(cards: Floats, spots: Floats, centre: Floats) -> tuple[Floats | None, int]:
    """The dealer's first card: the leftmost place at which cards rest in the commonest row before the dealer."""
    near = np.median(np.hypot(*(spots - centre).T)) * 0.6
    inner = cards[(np.hypot(*(cards - centre).T) < near) & (cards[:, 1] < centre[1] + CARD_MM[1])]
    if not len(inner):
        return None, 0
    close = np.hypot(inner[:, None, 0] - inner[None, :, 0], inner[:, None, 1] - inner[None, :, 1]) <= SAME_MM
    looks = close.sum(axis=1)
    best = int(looks.argmax())
    row = np.flatnonzero((np.abs(inner[:, 1] - inner[best, 1]) < ROW_MM) & (looks >= max(2, 0.4 * looks[best])))
    first = row[int(inner[row, 0].argmin())] if len(row) else best
    return np.median(inner[close[first]], axis=0), int(looks[first])
