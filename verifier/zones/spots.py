"""The betting spots: printed outlines of one kind, and chips that rest, on an arc before the dealer.

Each candidate has log-odds; an arc is fitted to those that agree best (RANSAC), and what lies off it loses.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.zones.felt import GAP, Felt, Mask, Printed, beside
from verifier.zones.resting import Rest

Floats = NDArray[np.float64]
Xy = tuple[float, float]

SPAN_MM: Final = (60.0, 190.0)
"""Longer sides of a printed betting spot: it holds a chip (39 mm) with room, and leaves its neighbour's room."""
APART_MM: Final = 130.0
"""Betting spots are farther apart: two hands of cards (63 mm wide) lie side by side before them."""
RADIUS_MM: Final = (350.0, 50000.0)
"""Radius of the arc of spots: from a small half-moon's to a straight row, which is off the largest by 5 mm at 700 mm
from its middle."""
STRAIGHT_MM: Final = 1800.0
STRAIGHT: Final = -2.0
"""Radius above which a row counts as straight, and its log-odds: most twenty-one tables are half-moons, and print in
straight lines is common."""
ROW_MM: Final = 900.0
"""Half the length of the longest row of spots: seven at 250 mm and more."""
SPREAD_MM: Final = 12.0
"""Standard deviation of spots from their arc."""
OFF_WORST: Final = -6.0
"""Log-odds of a spot that is nowhere near the arc."""
PRINTED: Final = 2.5
ALIKE: Final = 1.5
UNLIKE: Final = -3.0
TOO_LONG: Final = -5.0
PLAYED: Final = 2.0
HOLDS_CARDS: Final = -4.0
NO_CLOTH: Final = -8.0
UNPRINTED: Final = -1.5
UNPRINTED_AMONG: Final = -5.0
"""Log-odds of a closed outline of a spot's size; where it is of the others' size and kind (box or ring), or not; where
it is as long as a card; where chips rested in it; where cards rested in it more often than chips; where it encloses no
cloth. Of a place where chips rested that has no print; and the same where other spots are printed, for a table's spots
are printed alike.
"""
LONG: Final = {True: 1.32, False: 1.5}
"""Length by width from which an outline is too long for a spot, of a box and of a ring: a camera that looks from 25
degrees aside, and more at the picture's edge, makes a ring up to 1.35 times as long as wide; a card is 1.40."""
SIZE_OFF: Final = 0.2
"""Logarithm by which a spot's size may be off the others': the far side of a tilted table looks smaller."""
KIND_OFF: Final = 0.1
"""Difference in `fill` below which outlines may be of one kind: a box and a ring differ by 0.2, less where blurred."""
CLOTH_LEAST: Final = 0.4
"""Share of cloth in a printed spot: a chip that lies there all the time leaves 0.58 of the smallest (60 mm); a cup, a
button or a lid shows none."""
EVEN: Final = 1.2
"""Widest gap between neighbours by the usual gap, and the usual one by the narrowest, up to which a row is even. In
simulated rows, tilted cameras among them, it is at most 1.1; one spot too many or too few makes about 1.3 and more."""
FAR: Final = 2.5
"""Usual gaps from the next spot beyond which a candidate is none: of spots side by side one may be missed, not two."""
NEXT_PLACE: Final = 0.25
"""Share of the usual gap within which chips lie where the next spot would be."""
PATCHES: Final = (3, 2)
"""Filled patches of one kind, and those of them on which chips rested, from which they are spots: one coaster may have
held a chip."""
RING: Final = 24
"""Points of a ring that are looked at."""
RING_LEAST: Final = 0.6
"""Share of a ring's points with print from which a broken outline counts as one."""
INWARD_MM: Final = 5.0
"""So far inside of an outline there is cloth: of places that overlap that one counts at which the line lies exactly."""
CUT: Final = 0.87
"""Shorter side by the usual one below which chips have cut off a part of an outline."""
MENDED: Final = 0.35
"""Share of an outline's length within which a broken one is the same, seen better."""
RING_SEEN: Final = 0.5
"""Share of a ring's points that no chip covers, from which they tell of it."""
RING_SIZES: Final = (0.85, 0.92, 1.0, 1.08, 1.18)
"""Sizes of a broken outline by the usual one of the others: they may be off by SIZE_OFF."""
COVERED_MM: Final = 27.0
"""Radius of what a chip (39 mm) covers: itself, its shadow, and its height when seen aslant."""
COVERED_LOOKS: Final = 2
"""Looks at a chip from which its place is covered."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A candidate for a betting spot: its middle in pixels, its log-odds, its print, and looks at chips in it."""

    middle: Xy
    odds: float
    shape: Printed | None
    chips: int = 0


@dataclass(frozen=True, slots=True)
class Arc:
    """The spots in order along their arc, its middle (pixels) and radius; `bow` is the arc's height in millimetres.

    `margin` is by how much, in log-odds, these spots are likelier than the best answer of another number.
    """

    spots: tuple[Spot, ...]
    centre: Xy
    radius: float
    bow: float
    margin: float = 0.0

    @property
    def gaps(self) -> Floats:
        """(n - 1,) Gaps between neighbours in pixels."""
        return np.asarray(np.hypot(*np.diff(np.array([spot.middle for spot in self.spots]), axis=0).T))

    @property
    def even(self) -> bool:
        """Whether the spots stand at even gaps, as far as three or more tell."""
        if len(self.spots) < 3:
            return True
        return bool(self.gaps.max() <= EVEN * np.median(self.gaps) and self.gaps.min() * EVEN >= np.median(self.gaps))

    def next_places(self) -> list[Xy]:
        """Where one more spot would stand, in pixels: a gap beyond each end; none of a row without an arc."""
        if not self.radius:
            return []
        turns = [math.atan2(s.middle[1] - self.centre[1], s.middle[0] - self.centre[0]) for s in self.spots]
        steps = [math.remainder(b - a, math.tau) for a, b in pairwise(turns)]
        step = float(np.median(steps))
        return [
            (self.centre[0] + self.radius * math.cos(turn), self.centre[1] + self.radius * math.sin(turn))
            for turn in (turns[0] - step, turns[-1] + step)
        ]

    def unplayed(self, chips: Sequence[Rest]) -> bool:
        """Tell whether chips rested, but in none of the spots: something else is printed alike."""
        return any(rest.looks >= 3 for rest in chips) and not any(spot.chips >= COVERED_LOOKS for spot in self.spots)

    def played_beyond(self, chips: Sequence[Rest]) -> bool:
        """Tell whether chips rested where one more spot would stand."""
        if len(self.spots) < 3:
            return False
        near = NEXT_PLACE * float(np.median(self.gaps))
        return any(rest.looks >= 3 and math.dist(rest.at, at) < near for rest in chips for at in self.next_places())


def candidates(shapes: Sequence[Printed], chips: Sequence[Rest], cards: Sequence[Rest], scale: float) -> list[Spot]:
    """All places that may be a betting spot, with the log-odds of what is seen there."""
    common = _common(shapes, chips)
    spots = [Spot(shape.middle, _odds_of_print(shape, common), shape) for shape in _outermost(shapes)]
    out: list[Spot] = []
    for spot in spots:
        width = spot.shape.sides[0] if spot.shape is not None else 0.0
        looks = 0 if spot.shape is None else _looks_inside(spot.shape, chips)
        held = any(rest.looks > max(1, looks) and math.dist(rest.at, spot.middle) < 0.3 * width for rest in cards)
        odds = spot.odds + (PLAYED if looks >= 2 else 0.0) + (HOLDS_CARDS if held else 0.0)
        out.append(replace(spot, odds=odds, chips=looks))
    among = sum(spot.odds >= PRINTED for spot in spots) >= 3
    bare = UNPRINTED_AMONG if among else UNPRINTED
    for rest in chips:
        if rest.looks >= 3 and all(math.dist(rest.at, spot.middle) > 0.5 * APART_MM * scale for spot in spots):
            out.append(Spot(rest.at, bare + min(1.0, 0.1 * rest.looks), None, rest.looks))
    return out


def find_arc(found: Sequence[Spot], scale: float, count: int | None) -> Arc | None:
    """Return the arc on which the likeliest spots lie, `count` of them where that is told; None if there are
    none.
    """
    best: Arc | None = None
    worths: dict[tuple[Xy, ...], float] = {}
    strong = sorted(found, key=lambda spot: -spot.odds)[:18]
    for some in combinations(strong, 3):
        circle = row_through(np.array([spot.middle for spot in some]), scale)
        best = _better(best, found, circle, scale, count, worths)
    if best is not None:
        circle = row_through(np.array([spot.middle for spot in best.spots]), scale)
        best = _better(best, found, circle, scale, count, worths) or best
        return replace(best, margin=_margin(best, found, scale, worths))
    few = _apart([spot for spot in strong if spot.odds > 0], scale)[: count or 2]
    if not few:
        return None
    middle = np.mean([spot.middle for spot in few], axis=0)
    return Arc(tuple(few), (float(middle[0]), float(middle[1])), 0.0, 0.0)


def _better(
    best: Arc | None,
    found: Sequence[Spot],
    circle: tuple[Xy, float],
    scale: float,
    count: int | None,
    worths: dict[tuple[Xy, ...], float],
) -> Arc | None:
    """Return the arc on that circle, if its spots are likelier than those of the best one so far.

    `worths` keeps the greatest log-odds of each answer, by the places of its spots.
    """
    if circle[1] / scale < RADIUS_MM[0]:
        return best
    kept = _on(found, *circle, scale, count)
    if count is None and len(kept) > 3:
        kept = _side_by_side(_arc(kept, *circle, scale).spots)
    places = tuple(sorted(spot.middle for spot in kept))
    worth = _worth(kept, circle[1] / scale)
    worths[places] = max(worths.get(places, -math.inf), worth)
    if len(kept) < 3 or (best is not None and worth <= _worth(best.spots, best.radius / scale)):
        return best
    return _arc(kept, *circle, scale)


def _worth(spots: Sequence[Spot], radius: float) -> float:
    """Log-odds of spots on an arc of that radius in millimetres."""
    return sum(spot.odds for spot in spots) + (STRAIGHT if radius > STRAIGHT_MM else 0.0)


def _on(found: Sequence[Spot], centre: Xy, radius: float, scale: float, count: int | None) -> list[Spot]:
    """Return the spots that are likely, given the arc; their odds hold how far they are off it."""
    weighed = _weighed(found, centre, radius, scale)
    likely = _apart([spot for spot in weighed if spot.odds > 0 or count is not None], scale)
    return likely[: count or 7]


def _side_by_side(spots: Sequence[Spot]) -> list[Spot]:
    """Return the spots (in order along their row) without those at its ends that are far from all others; three
    stay.
    """
    kept = list(spots)
    while len(kept) > 3:
        gaps = [math.dist(a.middle, b.middle) for a, b in pairwise(kept)]
        most = FAR * float(np.median(gaps))
        if gaps[-1] > most:
            kept.pop()
        elif gaps[0] > most:
            kept.pop(0)
        else:
            break
    return kept


def _weighed(found: Sequence[Spot], centre: Xy, radius: float, scale: float) -> list[Spot]:
    """All spots; their odds hold how far they are off the arc."""
    off = [(math.dist(spot.middle, centre) - radius) / scale for spot in found]
    return [
        replace(spot, odds=spot.odds + max(OFF_WORST, 1.0 - 0.5 * (far / SPREAD_MM) ** 2))
        for spot, far in zip(found, off, strict=True)
    ]


def _margin(best: Arc, found: Sequence[Spot], scale: float, worths: dict[tuple[Xy, ...], float]) -> float:
    """By how much the best arc is likelier than one spot less, one more, and the best arc of other spots."""
    most = FAR * float(np.median(best.gaps))
    others = [
        spot
        for spot in _weighed(found, best.centre, best.radius, scale)
        if APART_MM * scale < min(math.dist(spot.middle, own.middle) for own in best.spots) <= most
    ]
    own = _worth(best.spots, best.radius / scale)
    rivals = [own - worth for places, worth in worths.items() if not _same(places, best.spots, scale)]
    return min([spot.odds for spot in best.spots] + [-spot.odds for spot in others] + rivals)


def _same(places: Sequence[Xy], spots: Sequence[Spot], scale: float) -> bool:
    """Tell whether these are the places of those spots, one each."""
    return len(places) == len(spots) and all(
        any(math.dist(place, spot.middle) < 0.5 * APART_MM * scale for spot in spots) for place in places
    )


def _apart(spots: Sequence[Spot], scale: float) -> list[Spot]:
    """Return the likeliest spots first, without those that are too near a likelier one."""
    kept: list[Spot] = []
    for spot in sorted(spots, key=lambda one: -one.odds):
        if all(math.dist(spot.middle, other.middle) > APART_MM * scale for other in kept):
            kept.append(spot)
    return kept


def _arc(spots: Sequence[Spot], centre: Xy, radius: float, scale: float) -> Arc:
    mean = np.mean([spot.middle for spot in spots], axis=0) - centre
    base = math.atan2(mean[1], mean[0])

    def turn(spot: Spot) -> float:
        x, y = spot.middle[0] - centre[0], spot.middle[1] - centre[1]
        return math.remainder(math.atan2(y, x) - base, math.tau)

    ordered = sorted(spots, key=turn)
    half = (turn(ordered[-1]) - turn(ordered[0])) / 2
    return Arc(tuple(ordered), centre, radius, radius * (1 - math.cos(min(half, math.pi))) / scale)


def row_through(points: Floats, scale: float) -> tuple[Xy, float]:
    """Middle and radius, in pixels, of the circle nearest to (n, 2) points; at most the largest radius of a row."""
    fitted, most = fit_circle(points), RADIUS_MM[1] * scale
    if fitted is not None and fitted[1] <= most:
        return fitted
    middle = points.mean(axis=0)
    across = np.linalg.svd(points - middle)[2][-1]
    x, y = middle + most * across
    return (float(x), float(y)), most


def fit_circle(points: Floats) -> tuple[Xy, float] | None:
    """Middle and radius of the circle nearest to (n, 2) points by algebraic least squares (Kasa 1976).

    None of fewer than three points, and of points on a line.
    """
    if len(points) < 3:
        return None
    middle = points.mean(axis=0)
    off = points - middle
    rows = np.column_stack([2 * off, np.ones(len(off))])
    (x, y, rest), _, rank, _ = np.linalg.lstsq(rows, (off**2).sum(axis=1), rcond=None)
    if rank < 3:
        return None
    radius = math.sqrt(max(0.0, float(rest) + float(x) ** 2 + float(y) ** 2))
    return (float(x + middle[0]), float(y + middle[1])), radius


def _looks_inside(shape: Printed, chips: Sequence[Rest]) -> int:
    """Count the looks at chips that rested in an outline."""
    return sum(rest.looks for rest in chips if math.dist(rest.at, shape.middle) < 0.5 * shape.sides[0])


def _common(shapes: Sequence[Printed], chips: Sequence[Rest]) -> Printed | None:
    """Return the outline that most others are like. Each votes for those of its size and kind, with more weight if
    chips rested in it.
    """
    able = _outermost([shape for shape in shapes if shape.aspect <= LONG[shape.box] and _seen_as_print(shape)])
    if not able:
        return None
    votes = [1.0 + (PLAYED if _looks_inside(shape, chips) >= COVERED_LOOKS else 0.0) for shape in able]
    return max(
        able, key=lambda shape: sum(vote for other, vote in zip(able, votes, strict=True) if _alike(shape, other))
    )


def _alike(one: Printed, other: Printed) -> bool:
    kind = one.box == other.box or abs(one.fill - other.fill) < KIND_OFF
    return kind and one.patch == other.patch and abs(math.log(one.sides[0] / other.sides[0])) < SIZE_OFF


def _odds_of_print(shape: Printed, common: Printed | None) -> float:
    if shape.aspect > LONG[shape.box]:
        return TOO_LONG
    odds = PRINTED + (ALIKE if common is not None and _alike(shape, common) else UNLIKE)
    return odds + (0.0 if _seen_as_print(shape) else NO_CLOTH)


def _seen_as_print(shape: Printed) -> bool:
    """Tell whether cloth is seen in it, or chips told that the filled ones of its kind are print (`played_patches`)."""
    return shape.patch or shape.cloth >= CLOTH_LEAST


def played_patches(found: Sequence[Printed], chips: Sequence[Rest]) -> list[Printed]:
    """Return the patches of the commonest kind, if chips rest on some of them: cups and coasters look alike, too.

    `found` are all filled patches, of which three must be alike to be a table's spots.
    """
    common = _common(found, chips)
    if common is None:
        return []
    alike = [shape for shape in found if _alike(shape, common) and shape.aspect <= LONG[shape.box]]
    played = [shape for shape in alike if _looks_inside(shape, chips) >= COVERED_LOOKS]
    return alike if len(alike) >= PATCHES[0] and len(played) >= PATCHES[1] else []


def clearly_printed(shapes: Sequence[Printed], chips: Sequence[Rest]) -> bool:
    """Tell whether three outlines of the commonest kind enclose cloth, and chips rested in one: no spot is a
    patch then.
    """
    common = _common(shapes, chips)
    clear = [shape for shape in shapes if common is not None and _alike(shape, common) and _seen_as_print(shape)]
    played = any(_looks_inside(shape, chips) >= COVERED_LOOKS for shape in clear)
    return played and len(_outermost(clear)) >= PATCHES[0]


def unclear(outer: Sequence[Printed]) -> list[Printed]:
    """Those seen from outside (`outer`) in which hardly any cloth is seen, as patches: lines may fill them, too."""
    return [replace(shape, patch=True) for shape in outer if shape.cloth < CLOTH_LEAST]


def with_patches(shapes: Sequence[Printed], played: Sequence[Printed]) -> list[Printed]:
    """Return the outlines with filled patches, which go before the outlines of their own edges."""
    cloth = [shape for shape in shapes if shape.cloth >= CLOTH_LEAST]
    return beside(beside(cloth, played), [shape for shape in shapes if shape.cloth < CLOTH_LEAST])


def with_outer(shapes: Sequence[Printed], outer: Sequence[Printed], chips: Sequence[Rest]) -> list[Printed]:
    """Return the outlines with those seen from outside (`outer`), which go before outlines of another size or kind."""
    common = _common([*shapes, *outer], chips)
    alike = [shape for shape in shapes if common is not None and _alike(shape, common) and _seen_as_print(shape)]
    return beside(beside(alike, outer), [shape for shape in shapes if shape not in alike])


def _outermost(shapes: Sequence[Printed]) -> list[Printed]:
    """Of outlines in one another the outer one: spots are printed with double lines."""
    kept: list[Printed] = []
    for shape in sorted(shapes, key=lambda one: -one.sides[0]):
        if all(math.dist(shape.middle, other.middle) > 0.25 * other.sides[0] for other in kept):
            kept.append(shape)
    return kept


def mended(shapes: Sequence[Printed], broken: Sequence[Printed], scale: float) -> list[Printed]:
    """Return the outlines with the broken ones, which go before those at their place that chips hide in part."""
    at_place = [[other for other in shapes if _at_place(one, other, scale)] for one in broken]
    able = [
        (one, others)
        for one, others in zip(broken, at_place, strict=True)
        if all(math.dist(one.middle, other.middle) < MENDED * other.sides[0] for other in others)
    ]
    instead = [other for _, others in able for other in others]
    return [*(shape for shape in shapes if shape not in instead), *(one for one, _ in able)]


def _at_place(one: Printed, other: Printed, scale: float) -> bool:
    """Tell whether two outlines overlap, or are too near for two spots of one kind."""
    room = APART_MM * scale if _alike(one, other) else 0.5 * (one.sides[0] + other.sides[0])
    return math.dist(one.middle, other.middle) < room


def under_chips(chips: Sequence[Rest], shape: tuple[int, ...], scale: float) -> Mask:
    """Where chips lay in most of the looks (h, w, 0 or 1), their shadows included: print is not seen there."""
    covered = np.zeros(shape[:2], np.uint8)
    for rest in chips:
        if rest.looks >= COVERED_LOOKS:
            cv2.circle(covered, (round(rest.at[0]), round(rest.at[1])), round(COVERED_MM * scale), (1.0,), cv2.FILLED)
    return covered


def broken_outlines(arc: Arc, strokes: Mask, felt: Felt, scale: float, covered: Mask | None = None) -> list[Printed]:
    """Outlines like those of the arc's spots whose line is broken: along the arc, where most of the line is printed.

    What is `covered` (h, w), by chips, does not tell. A camera that looks aslant shows one spot larger than another.
    """
    printed = [spot.shape for spot in arc.spots if spot.shape is not None]
    if not printed or not arc.radius:
        return []
    usual = float(np.median([shape.sides[1] for shape in printed]))
    whole = [shape for shape in printed if shape.hidden <= GAP or shape.sides[1] >= CUT * usual]
    whole = [shape for shape in whole if not shape.gaps] or whole
    like = sorted(whole, key=lambda shape: shape.sides[0])[len(whole) // 2]
    wide = np.asarray(cv2.dilate(strokes, np.ones((3, 3), np.uint8)), np.uint8)
    hidden = np.zeros_like(strokes) if covered is None else covered
    found: list[tuple[float, Xy, Floats]] = []
    for size, lines, middles in _rings(like, arc, scale):
        shares = _printed_shares(wide, hidden, lines)
        inner = middles[:, None] + (1 - INWARD_MM * scale / (0.5 * like.sides[0])) * (lines - middles[:, None])
        clear = shares - _printed_shares(strokes, hidden, inner) - abs(math.log(size))
        for index in np.flatnonzero(shares >= RING_LEAST):
            found.append((float(clear[index]), (float(middles[index, 0]), float(middles[index, 1])), lines[index]))
    out: list[Printed] = []
    for _, at, points in sorted(found, key=lambda one: -one[0]):
        if all(math.dist(at, other.middle) > APART_MM * scale for other in (*out, *whole)):
            longer = float(np.ptp(points, axis=0).max()) / float(np.ptp(like.outline, axis=0).max())
            sides = (like.sides[0] * longer, like.sides[1] * longer)
            out.append(Printed(at, sides, like.fill, points, felt.share(points, hidden), gaps=True))
    return out


def _rings(like: Printed, arc: Arc, scale: float) -> Iterator[tuple[float, Floats, Floats]]:
    """Yield the outline `like` in several sizes, turned and moved along the arc and beside it: its size by the usual
    one, its points (n, RING, 2) and middles (n, 2).
    """
    line = like.outline - like.middle
    line = line[np.linspace(0, len(line) - 1, RING).round().astype(int)]
    line += line / np.maximum(1e-6, np.hypot(*line.T)[:, None])
    first = math.atan2(like.middle[1] - arc.centre[1], like.middle[0] - arc.centre[0])
    most = min(math.pi / 2, 2 * ROW_MM * scale / arc.radius)
    turns = np.arange(-most, most, 2 * scale / arc.radius)
    cosine, sine = np.cos(turns), np.sin(turns)
    turned = np.einsum("ri,nij->nrj", line, np.array([[cosine, sine], [-sine, cosine]]).transpose(2, 0, 1))
    for off in np.arange(-20.0, 21.0, 2.0) * scale:
        out = np.stack([np.cos(first + turns), np.sin(first + turns)], axis=1)
        middles = np.asarray(arc.centre + (arc.radius + off) * out)
        for size in RING_SIZES:
            yield size, size * turned + middles[:, None], middles


def _printed_shares(wide: Mask, hidden: Mask, lines: Floats) -> Floats:
    """(n,) Share of the points of each of (n, RING, 2) lines that are printed; 0 if too few of them are seen."""
    x, y = lines.round().astype(int).transpose(2, 0, 1)
    inside = (x >= 0) & (y >= 0) & (x < wide.shape[1]) & (y < wide.shape[0])
    x, y = np.where(inside, x, 0), np.where(inside, y, 0)
    seen = ~(inside & (hidden[y, x] > 0))
    printed = (inside & seen & (wide[y, x] > 0)).sum(axis=1)
    return np.asarray(np.where(seen.mean(axis=1) >= RING_SEEN, printed / np.maximum(1, seen.sum(axis=1)), 0.0))
