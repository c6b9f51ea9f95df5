"""Where cards come to rest: the first card of each space, and the dealer's row. Table millimetres."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from verifier.domain.layout import CARD_MM
from verifier.zones.areas import NEXT_CARD, OWN_LOOKS
from verifier.zones.resting import SURE_P
from verifier.zones.view import View
from verifier.zones.watch import PictureLook

Floats = NDArray[np.float64]

BEFORE_MM: Final = 2.0 * CARD_MM[1]
"""From a wager spot toward the dealer to the middle of its first card, until cards are seen: two cards' lengths."""
NEXT_ROOM_MM: Final = 0.4 * CARD_MM[0]
"""The next card lies within this distance (a quarter of a card) of its expected place; farther off it is laid badly."""
REST_LOOKS: Final = 2
"""So many looks at one place show that a card rests there."""
MOST_LOOKS: Final = 8
"""Looks at one place count up to this number: a long hand is no better evidence than a short one."""
SAME_MM: Final = 18.0
"""Cards within this distance lie at one place: detections are off by less than a quarter of a card."""
ALIKE_MM: Final = 25.0
"""Standard deviation of the offset from a spot to its first card, between the spaces of one table."""
OWN_MM: Final = 75.0
"""A space's first card lies within this distance of the place that the other spaces suggest: three deviations."""
ASIDE_MM: Final = 60.0
"""Standard deviation of the distance between first cards and the line from their spot to the arc's middle."""
ROW_MM: Final = 30.0
"""Cards of the dealer's row lie at one height to within this."""


@dataclass(frozen=True, slots=True)
class Cards:
    """`first` (n, 2): the middle of each space's first card. `looks` (n,): in how many pictures it was seen there.
    `off` (n,): millimetres from the place that the other spaces' first cards suggest; 0 if it was not seen.
    `dealer` (2,): the middle of the dealer's first card, None if none was seen; `dealer_looks` likewise.
    """

    first: Floats
    looks: tuple[int, ...]
    off: tuple[float, ...]
    dealer: Floats | None
    dealer_looks: int

    def hold(self, at: Floats) -> bool:
        """Tell whether `at` (2,) lies among the cards of a space that was played, so that no fixture stands there."""
        seen = self.first[[looks >= OWN_LOOKS for looks in self.looks]]
        return bool(len(seen)) and _of_a_space(at, seen)


def find_cards(picture_looks: Sequence[PictureLook], view: View, spots: Floats, centre: Floats, out: Floats) -> Cards:
    """Where the cards of the spaces at (n, 2) `spots` lie; the dealer stands before `centre` (2,).

    `out` (n, 2) is the direction from the dealer's side to each spot, of length 1. All spaces have their first card at
    about the same place before the spot. The place is taken that explains the most first cards of the most spaces.
    """
    pictures = [_cards_of(picture_look, view) for picture_look in picture_looks]
    places, counts = _places([card for cards in pictures for card in _first_of_hands(cards)])
    along, aside = _common_place(places, counts, spots, out)
    expected = spots + along * out + aside * _across(out)
    first, looks = expected.copy(), [0] * len(spots)
    for place, count in zip(places, counts, strict=True):
        gaps = np.hypot(*(expected - place).T)
        space = int(gaps.argmin())
        if gaps[space] < OWN_MM and count > looks[space]:
            looks[space] = count
            if count >= OWN_LOOKS:
                first[space] = place
    rest = [card for cards in pictures for card in cards if not _of_a_space(card, first)]
    dealer, dealers = _dealers(np.array(rest).reshape(-1, 2), spots, centre)
    off = np.hypot(*(first - expected).T)
    return Cards(first, tuple(looks), tuple(map(float, off)), dealer, dealers)


def _cards_of(picture_look: PictureLook, view: View) -> Floats:
    at = [d.centre for d in picture_look.things if d.card and d.p >= SURE_P]
    return view.mm(at) if at else np.empty((0, 2))


def _first_of_hands(cards: Floats) -> Floats:
    """Return the cards (n, 2) of a picture that are not a second card of another one."""
    if not len(cards):
        return cards
    steps = cards[:, None] - cards[None, :] - NEXT_CARD
    return np.asarray(cards[(np.hypot(steps[..., 0], steps[..., 1]) > NEXT_ROOM_MM).all(axis=1)])


def _places(cards: Sequence[Floats]) -> tuple[Floats, list[int]]:
    """Return the places (n, 2) of resting cards, with their looks; a moving card is seen at one place only once."""
    left = np.array(cards, np.float64).reshape(-1, 2)
    places, counts = [], []
    while len(left):
        close = np.hypot(*(left[:, None] - left[None, :]).transpose(2, 0, 1)) <= SAME_MM
        best = close[int(close.sum(axis=1).argmax())]
        if best.sum() < REST_LOOKS:
            break
        places.append(np.median(left[best], axis=0))
        counts.append(int(best.sum()))
        left = left[~best]
    return np.array(places, np.float64).reshape(-1, 2), counts


def _across(out: Floats) -> Floats:
    """(n, 2) The directions at right angles to (n, 2) `out`."""
    return np.stack([-out[:, 1], out[:, 0]], axis=1)


def _common_place(places: Floats, counts: Sequence[int], spots: Floats, out: Floats) -> tuple[float, float]:
    """Return the offset of first cards from their spots (outward, across) on which most cards of most spaces agree."""
    off = places[:, None] - spots[None]
    along, aside = (off * out).sum(axis=-1), (off * _across(out)).sum(axis=-1)
    usual = np.minimum(counts, MOST_LOOKS)
    best, found = 0.0, (-BEFORE_MM, 0.0)
    for one in np.argwhere(_before(-along, aside)):
        there = along[tuple(one)], aside[tuple(one)]
        near = np.exp(-((along - there[0]) ** 2 + (aside - there[1]) ** 2) / (2 * ALIKE_MM**2))
        own = near.argmax(axis=1)  # of each place, the space of which it would be the first card
        worth = sum(float((near[own == s, s] * usual[own == s]).max(initial=0.0)) for s in range(len(spots)))
        worth *= math.exp(-0.5 * (there[1] / ASIDE_MM) ** 2)
        if worth > best:
            best, found = worth, _middle(along, aside, near * usual[:, None], own)
    return found


def _middle(along: Floats, aside: Floats, weights: Floats, own: NDArray[np.intp]) -> tuple[float, float]:
    """Return the weighted middle of the places' offsets to the spaces `own` (n,) of which they may be the first
    cards.
    """
    rows = np.arange(len(own))
    weight = weights[rows, own]
    return float(np.average(along[rows, own], weights=weight)), float(np.average(aside[rows, own], weights=weight))


def _before(inward: Floats, aside: Floats) -> NDArray[np.bool_]:
    """Tell whether a card lies on the dealer's side of a spot, and not beside it."""
    return (inward > 0.6 * CARD_MM[0]) & (inward < 4.5 * CARD_MM[1]) & (np.abs(aside) < 2.0 * CARD_MM[1])


def _of_a_space(card: Floats, first: Floats) -> bool:
    """Tell whether a card lies among a space's cards, further cards and a second hand included."""
    steps = np.array([(0, 0), (-36, 47), (-72, 94), (-108, 141), (75, 0), (-40, 0)], np.float64)
    gaps = np.hypot(*((first[:, None] + steps[None]) - card).reshape(-1, 2).T)
    return bool(gaps.min() < 0.6 * CARD_MM[0])


def _dealers(cards: Floats, spots: Floats, centre: Floats) -> tuple[Floats | None, int]:
    """Return the dealer's first card: the leftmost place at which cards rest in the commonest row before the dealer."""
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
