"""The dealer button of a poker table: a light disc with print on it, larger than a chip, that lies at a seat.

No network knows it; the one that finds chips takes it for a white one. It is found by its shape: discs lighter than
the cloth about them, at the seats, round, of a button's size on the table, with something dark printed on them. The
cards of the recording tell how large a disc is at its place, whatever the camera. Before enough of them were seen the
layout's scale does, and no disc is surely a button.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from msgspec import UNSET, UnsetType

from verifier.domain.layout import Layout
from verifier.domain.observations import ButtonSeen
from verifier.recording.decode import Picture
from verifier.vision.card_size import KnownCards, TableScale
from verifier.vision.detection import CHIP, HAND, Detection
from verifier.vision.geometry import Floats, share_inside

EVERY: Final = 1.0
"""Seconds of media time between two searches."""
SCALE: Final = 0.36
"""Pixels a millimetre at which discs are sought, at most."""
DIAMETERS_MM: Final = (46.0, 54.0, 63.0, 73.0)
"""Diameters to search for; each also finds discs up to a tenth smaller or larger."""
LEAST_MM: Final = 45.5
MOST_MM: Final = 82.0
"""Diameters of buttons: sold ones have 48 to 76 mm, chips 39 to 40."""
SURE_MM: Final = 47.0
"""From this diameter on a disc cannot be a chip that was measured too large."""
RING: Final = (1.15, 1.5)
"""A disc is compared with the cloth in a ring between so many of its radii."""
LIGHTER: Final = 14.0
"""Grey levels by which a disc is lighter than the cloth about it, on average, in its darkest channel: white has no dark
one, cloth has."""
FILLED_MM: Final = 12.0
"""Dark strokes up to so wide are filled before discs are sought: print."""
MOST_SOUGHT: Final = 24
"""So many discs of a picture, those with the highest contrast, are examined closely."""
ANGLES: Final = 48
"""Directions in which a disc's edge is sought."""
TRIED: Final = (0.9, 1.0, 1.12)
WITHIN: Final = (0.7, 1.35)
"""Radii, in radii of the disc to find, from which the edge is searched; the edge lies between these shares of them."""
STEP: Final = 18.0
"""Least grey levels by which the picture darkens at the edge."""
OFF: Final = 0.06
"""Most that the edge is off the circle in a direction, by its radius."""
ROUND: Final = 0.58
"""Least share of the directions in which the edge lies on the circle: a card or a chip may touch the button."""
SURELY_ROUND: Final = 0.85
PALE: Final = 0.15
COLOURED: Final = 0.32
"""Saturation (0..1) of the light part to which it is white, and most that it has: under warm lamps white has up to
0.25; pale chips have more."""
RIM: Final = (0.74, 0.97)
RIM_LIGHT: Final = 0.9
"""Between these shares of its radius a button is light somewhere in at least so many of the directions in which its
edge was found. The rim of a chip is of its colour, or has spots."""
PRINT_WITHIN: Final = 0.65
PRINTED: Final = (0.03, 0.85)
"""Share of dark pixels within so much of a button's radius: its print."""
DARK: Final = 0.62
"""A pixel darker than this share of the way from the cloth to the light part does not belong to the light part."""
SURE: Final = 0.95
LIKELY: Final = 0.7
UNLIKELY: Final = 0.4
"""Probabilities of a disc with all of a button's traits, with one trait in doubt, and with several in doubt."""
TOLD: Final = LIKELY
"""Probability from which a chip found there is taken for the button."""
WHOLLY: Final = 0.7
"""Radii by which a button's middle lies within a card's edges where it is print."""
CARD_P: Final = 0.8
APART: Final = 0.05
MOST_SHARED: Final = 0.25
"""Cards that tell the scale: surely found, boxed alike, and covered by others no more than this."""


@dataclass(frozen=True, slots=True)
class Disc:
    """A circle of the table in pixels of the picture: its middle, its diameters across and up, and the share of the
    directions in which its edge was found."""

    middle: tuple[float, float]
    axes: tuple[float, float]
    found: float

    @property
    def radius(self) -> float:
        return math.sqrt(self.axes[0] * self.axes[1]) / 2


class ButtonFinder:
    """Searches the pictures of one recording from time to time; at a table that is not of poker, never."""

    def __init__(self, layout: Layout | None) -> None:
        self._layout = layout if layout is not None and layout.game == "poker" else None
        self._known = KnownCards()
        self._searched = -1e9
        self._last: ButtonSeen | None = None
        """The button as it was last told surely enough."""

    def look(self, t: float, picture: Picture, found: Sequence[Detection]) -> list[ButtonSeen] | UnsetType:
        """Return the buttons in the picture (h, w, 3) at media time `t`; UNSET if it was not searched.

        It is searched every second, and at once where what was found as a chip is too large for one.
        """
        if self._layout is None:
            return UNSET
        for card in _telling(found):
            self._known.add(card.quad)
        due = t - self._searched >= EVERY - 1e-6
        if not due and not any(self._too_large(d, self._layout) for d in self.without_buttons(found)):
            return UNSET
        self._searched = t
        hands = [d.upright for d in found if d.kind == HAND]
        cards = [d.quad for d in found if d.card and d.p >= CARD_P]
        buttons = buttons_in(picture, self._layout, self._known.scale, cards)
        seen = [one for one in buttons if not _hidden(one, hands)]
        self._last = next((one for one in seen if one.p >= TOLD), self._last)
        return seen

    def without_buttons(self, found: Sequence[Detection]) -> list[Detection]:
        """Return what was found, less the chips that are the button: it lies where it was last seen until it is seen
        elsewhere.
        """
        if self._last is None:
            return list(found)
        return [d for d in found if d.kind != CHIP or math.dist(d.centre, self._last.center) > self._last.radius]

    def _too_large(self, found: Detection, layout: Layout) -> bool:
        """Tell whether a detected chip has the size of a button."""
        if found.kind != CHIP:
            return False
        scale = self._known.scale
        sides = scale.sides(found.quad) if scale is not None else tuple(found.box[2:4] / layout.scale)
        return bool(min(sides) >= LEAST_MM)


def buttons_in(
    picture: Picture, layout: Layout, scale: TableScale | None = None, cards: Sequence[Floats] = ()
) -> list[ButtonSeen]:
    """Return the dealer buttons at the seats of a picture (h, w, 3) BGR, the likeliest first.

    `scale` is what the recording's cards tell of lengths on the table; `cards` are the corners (4, 2) of those in this
    picture: what is printed on their backs is no button.
    """
    mask, (x0, y0) = _seats(layout, picture)
    part = picture[y0 : y0 + mask.shape[0], x0 : x0 + mask.shape[1]]
    dark = _darkest(part)
    soft = np.asarray(cv2.GaussianBlur(dark, (0, 0), max(0.6, LEAST_MM * layout.scale / 48.0)), np.uint8)
    seen = []
    for middle, radius in _discs(dark, mask, layout.scale):
        pixels = _pixels_a_mm((middle[0] + x0, middle[1] + y0), layout, scale)
        for disc in _fitted(soft, middle, radius, pixels):
            p = _likelihood(disc, part, pixels, known=scale is not None)
            if p is not None:
                x, y = round(disc.middle[0] + x0, 2), round(disc.middle[1] + y0, 2)
                seen.append(ButtonSeen(p=p, center=(x, y), radius=round(disc.radius, 2)))
    return [one for one in _once(seen) if not _on_card(one, cards)]


def _seats(layout: Layout, picture: Picture) -> tuple[Picture, tuple[int, int]]:
    """Return a mask of where a button may lie, and its place in the picture: the seats, less what is written there."""
    height, width = picture.shape[:2]
    seats = [area for seat in (layout.seats or {}).values() for area in (seat.area, seat.button) if area is not None]
    zones = layout.zones
    signs = [zone for zone in (zones.table_number, zones.site_id, zones.clock, zones.tray, zones.drop) if zone]
    mask = np.zeros((height, width), np.uint8)
    for areas, value in ((seats, 255.0), (signs, 0.0)):
        for area in areas:
            cv2.fillPoly(mask, [np.round(np.asarray(area, np.float32)).astype(np.int32)], (value,))
    points = np.concatenate([np.asarray(area, np.float32) for area in seats])
    low = np.clip(np.floor(points.min(axis=0)), 0, (width - 1, height - 1)).astype(int)
    high = np.clip(np.ceil(points.max(axis=0)), low + 1, (width, height)).astype(int)
    return mask[low[1] : high[1], low[0] : high[0]], (int(low[0]), int(low[1]))


def _darkest(picture: Picture) -> Picture:
    """(h, w) the darkest channel of each pixel."""
    blue, green, red = cv2.split(picture)
    return np.asarray(cv2.min(cv2.min(blue, green), red), np.uint8)


def _discs(dark: Picture, mask: Picture, scale: float) -> list[tuple[tuple[float, float], float]]:
    """Return middles and radii (pixels) of light discs, the most contrasting ones."""
    share = min(1.0, SCALE / scale)
    size = (max(1, round(dark.shape[1] * share)), max(1, round(dark.shape[0] * share)))
    stroke = 2 * round(FILLED_MM * scale * share / 2) + 1
    plain = cv2.resize(dark, size, interpolation=cv2.INTER_AREA)
    small = np.asarray(cv2.morphologyEx(plain, cv2.MORPH_CLOSE, np.ones((stroke, stroke), np.uint8)), np.float32)
    allowed = cv2.resize(mask, size, interpolation=cv2.INTER_NEAREST) > 0
    best, radii = np.zeros(small.shape, np.float32), np.zeros(small.shape, np.float32)
    for diameter in DIAMETERS_MM:
        radius = diameter * scale * share / 2
        contrast = np.asarray(cv2.filter2D(small, cv2.CV_32F, _kernel(radius)), np.float32)
        better = contrast > best
        best[better], radii[better] = contrast[better], radius
    best[~allowed] = 0.0
    reach = 2 * round(LEAST_MM * scale * share / 2) + 1
    peaks = (best >= LIGHTER) & (best == cv2.dilate(best, np.ones((reach, reach), np.uint8)))
    rows, columns = np.nonzero(peaks)
    order = np.argsort(-best[rows, columns])[:MOST_SOUGHT]
    return [
        (
            ((float(columns[i]) + 0.5) / share - 0.5, (float(rows[i]) + 0.5) / share - 0.5),
            float(radii[rows[i], columns[i]]) / share,
        )
        for i in order
    ]


def _kernel(radius: float) -> Floats:
    """Return what gives the mean of a disc less that of the ring about it."""
    reach = math.ceil(RING[1] * radius)
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    away = np.hypot(x, y) / radius
    disc, ring = (away <= 1.0).astype(np.float32), ((away >= RING[0]) & (away <= RING[1])).astype(np.float32)
    return np.asarray(disc / disc.sum() - ring / ring.sum(), np.float32)


def _pixels_a_mm(at: tuple[float, float], layout: Layout, scale: TableScale | None) -> tuple[float, float]:
    """Return how many pixels a millimetre of the table has across and up the picture, at a place of it."""
    if scale is None:
        return layout.scale, layout.scale
    half = LEAST_MM * layout.scale / 2
    square = np.array([(-half, -half), (half, -half), (half, half), (-half, half)]) + at
    across, up = scale.sides(np.asarray(square, np.float32))
    return 2 * half / across, 2 * half / up


def _fitted(soft: Picture, middle: tuple[float, float], radius: float, pixels: tuple[float, float]) -> Iterator[Disc]:
    """Yield the discs about a middle that darken toward the cloth on a circle of the table, or on most of it."""
    for start in (radius * share for share in TRIED):
        disc = _circle(_edge(soft, middle, start), pixels)
        if disc is None or not WITHIN[0] * start <= disc.radius <= WITHIN[1] * start:
            continue
        again = _circle(_edge(soft, disc.middle, disc.radius), pixels)
        if again is not None and again.found >= ROUND:
            yield again


def _edge(dark: Picture, middle: tuple[float, float], radius: float) -> Floats:
    """(n, 2) where the picture darkens most outward, in each direction in which it does."""
    turns = np.arange(ANGLES) * 2 * np.pi / ANGLES
    away = np.arange(WITHIN[0] * radius, WITHIN[1] * radius, 0.5, dtype=np.float32)
    x = (middle[0] + np.cos(turns)[:, None] * away).astype(np.float32)
    y = (middle[1] + np.sin(turns)[:, None] * away).astype(np.float32)
    profile = np.asarray(cv2.remap(dark, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32)
    half = max(2, round(radius / 8.0))
    summed = np.cumsum(np.pad(profile, ((0, 0), (1, 0))), axis=1)
    means = (summed[:, half:] - summed[:, :-half]) / half
    drop = means[:, :-half] - means[:, half:]
    at = drop.argmax(axis=1)
    steep = drop[np.arange(ANGLES), at] >= STEP
    r = away[np.minimum(at + half, len(away) - 1)] - 0.25
    points = np.stack([middle[0] + np.cos(turns) * r, middle[1] + np.sin(turns) * r], axis=1)
    return np.asarray(points[steep], np.float32)


def _circle(points: Floats, pixels: tuple[float, float]) -> Disc | None:
    """Return the circle of the table on which most of the points lie; None from too few."""
    if len(points) < ROUND * ANGLES:
        return None
    stretch = np.asarray(pixels) / math.sqrt(pixels[0] * pixels[1])
    flat = points / stretch
    third = len(flat) // 3
    triples = np.array([(i, i + third, i + 2 * third) for i in range(third)])
    middles, radii = _through(flat[triples])
    gaps = np.abs(np.linalg.norm(flat[None] - middles[:, None], axis=2) / radii[:, None] - 1.0)
    best = int(np.nan_to_num((gaps <= OFF).sum(axis=1)).argmax())
    on = gaps[best] <= OFF
    for _ in range(3):
        if on.sum() < 8:
            return None
        middle, radius = _least_squares(flat[on])
        on = np.abs(np.linalg.norm(flat - middle, axis=1) / radius - 1.0) <= OFF
    x, y = middle * stretch
    axes = 2 * radius * stretch
    return Disc((float(x), float(y)), (float(axes[0]), float(axes[1])), float(on.sum()) / ANGLES)


def _through(triples: Floats) -> tuple[Floats, Floats]:
    """Return middles (n, 2) and radii (n,) of the circles through triples (n, 3, 2) of points."""
    a, b, c = triples[:, 0], triples[:, 1], triples[:, 2]
    ab, ac = b - a, c - a
    twice = 2.0 * (ab[:, 0] * ac[:, 1] - ab[:, 1] * ac[:, 0])
    twice = np.where(np.abs(twice) < 1e-6, 1e-6, twice)
    one, other = (ab**2).sum(axis=1), (ac**2).sum(axis=1)
    x = (ac[:, 1] * one - ab[:, 1] * other) / twice
    y = (ab[:, 0] * other - ac[:, 0] * one) / twice
    away = np.stack([x, y], axis=1)
    return np.asarray(a + away, np.float32), np.asarray(np.maximum(np.hypot(x, y), 1e-6), np.float32)


def _least_squares(points: Floats) -> tuple[Floats, float]:
    """Return middle (2,) and radius of the circle nearest to points (n, 2), by algebraic distance."""
    mean = points.mean(axis=0)
    moved = np.asarray(points - mean, np.float64)
    system = np.column_stack([2 * moved, np.ones(len(moved))])
    found = np.linalg.lstsq(system, (moved**2).sum(axis=1), rcond=None)[0]
    radius = math.sqrt(max(1e-6, float(found[2] + found[0] ** 2 + found[1] ** 2)))
    return np.asarray(found[:2] + mean, np.float32), radius


def _likelihood(disc: Disc, part: Picture, pixels: tuple[float, float], *, known: bool) -> float | None:
    """Return how likely a disc is a button; None if it is none."""
    diameter = 2 * disc.radius / math.sqrt(pixels[0] * pixels[1])
    if not LEAST_MM <= diameter <= MOST_MM:
        return None
    surface = _surface(part, disc)
    if surface is None or surface.saturation > COLOURED or surface.rim < RIM_LIGHT:
        return None
    if not PRINTED[0] <= surface.printed <= PRINTED[1]:
        return None
    doubts = [disc.found < SURELY_ROUND, diameter < SURE_MM, surface.saturation > PALE]
    return (SURE, LIKELY, UNLIKELY, UNLIKELY)[sum(doubts)] if known else UNLIKELY


@dataclass(frozen=True, slots=True)
class Surface:
    """What a disc shows: the saturation of its light part, the share of directions in which its rim is light, and the
    share of its inner part that is dark."""

    saturation: float
    rim: float
    printed: float


def _surface(part: Picture, disc: Disc) -> Surface | None:
    """Return what a disc shows; None if it is too small to tell."""
    shares = np.linspace(0.0, RING[1], 46, dtype=np.float32)
    turns = np.asarray(np.arange(ANGLES) * 2 * np.pi / ANGLES, np.float32)
    polar = cv2.remap(part, *_around(disc, turns, shares), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    pixels = np.asarray(polar, np.float32)
    dark = pixels.min(axis=2)
    inside, ring = shares <= RIM[1], shares >= RING[0]
    weights = np.broadcast_to(shares[inside], dark[:, inside].shape).ravel()
    white = _quantile(dark[:, inside].ravel(), weights, 0.85)
    cloth = float(np.median(dark[:, ring]))
    if white <= cloth:
        return None
    light = pixels[:, inside][dark[:, inside] >= white]
    peak = light.max(axis=1)
    saturation = float(np.median((peak - light.min(axis=1)) / np.maximum(peak, 1.0)))
    least = cloth + DARK * (white - cloth)
    rim = dark[:, (shares >= RIM[0]) & (shares <= RIM[1])].max(axis=1)
    inner = shares <= PRINT_WITHIN
    printed = float(np.average((dark[:, inner] < least).mean(axis=0), weights=shares[inner]))
    return Surface(saturation, float((rim >= least).mean()), printed)


def _around(disc: Disc, turns: Floats, shares: Floats) -> tuple[Floats, Floats]:
    """Return x and y (directions, shares) of the points at shares of a disc's radius."""
    x = disc.middle[0] + (np.cos(turns) * disc.axes[0] / 2)[:, None] * shares
    y = disc.middle[1] + (np.sin(turns) * disc.axes[1] / 2)[:, None] * shares
    return np.asarray(x, np.float32), np.asarray(y, np.float32)


def _quantile(values: Floats, weights: Floats, share: float) -> float:
    """Return the value below which so much of the weight lies."""
    order = np.argsort(values)
    summed = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(summed, share * summed[-1])])


def _once(seen: Sequence[ButtonSeen]) -> list[ButtonSeen]:
    """Return each disc once, the likeliest first."""
    kept: list[ButtonSeen] = []
    for one in sorted(seen, key=lambda button: -button.p):
        if all(math.dist(one.center, other.center) > max(one.radius, other.radius) for other in kept):
            kept.append(one)
    return kept


def _telling(found: Sequence[Detection]) -> Iterator[Detection]:
    """Yield the cards whose boxes tell how large a card is."""
    cards = [d for d in found if d.card]
    for card in cards:
        if card.p < CARD_P or card.apart > APART:
            continue
        if all(share_inside(card.quad, other.quad) <= MOST_SHARED for other in cards if other is not card):
            yield card


def _hidden(button: ButtonSeen, hands: Sequence[tuple[float, float, float, float]]) -> bool:
    """Tell whether a hand is over its middle."""
    x, y = button.center
    return any(x0 <= x <= x1 and y0 <= y <= y1 for x0, y0, x1, y1 in hands)


def _on_card(button: ButtonSeen, cards: Sequence[Floats]) -> bool:
    """Tell whether it is print on a card's back: in the middle of the card, or wholly on it.

    A button beside a card may reach over its edge.
    """
    return any(
        cv2.pointPolygonTest(card, button.center, True) >= WHOLLY * button.radius
        or cv2.pointPolygonTest((card + card.mean(axis=0)) / 2, button.center, False) >= 0
        for card in cards
    )
