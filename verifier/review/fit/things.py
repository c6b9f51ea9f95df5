"""Where cards, chips and hands are seen by a layout: what tells whether it is the layout of that table."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from verifier.domain.layout import CARD_MM, Layout
from verifier.domain.observations import CardSeen, HandSeen, Observation, Quad
from verifier.reconstruct import parameters as par
from verifier.reconstruct.table.zones import TableMap, Xy, distance, inside

STEP_S: Final = 0.4
"""Least seconds between two looks that are counted: what lies there long does not count by the rate of looks."""
STILL_MM: Final = 8.0
"""A thing that lies this near to where one like it lay in the look before is at rest."""
SEEN_P: Final = 0.5
"""Probability from which a thing counts as seen."""
BIN: Final = 0.02
"""Width of the classes in which sizes are counted."""
BIN_MM: Final = 5.0
"""Width of the classes in which distances are counted, in millimetres."""
NEAR_MM: Final = 90.0
"""Two cards of one hand lie nearer to each other: a card is 89 mm long."""
STRAY_CARDS: Final = 6
"""Cards at no place of the layout that may be a hand; more are a deck that is spread."""
LEANS: Final = 0.35
"""Sine of the angle from which a hand points to the dealer's side, or away from it, and not merely across."""
WRIST, KNUCKLE = 0, 9
"""Numbers of two of a hand's points: the wrist, and where the middle finger begins."""


class Things:
    """Counts what lies at rest and where hands point, over the looks of one recording; it can be pickled."""

    def __init__(self, layout: Layout) -> None:
        self._table = TableMap.of(layout)
        self.spaces = tuple(sorted(layout.spaces))
        self.drawn = frozenset(number for number, space in layout.spaces.items() if space.wager is not None)
        """Spaces whose wager spot the layout has."""
        self.sizes: Counter[int] = Counter()
        """Cards at rest by their size against the layout's, in classes of BIN."""
        self.card_places: Counter[str] = Counter()
        """Cards at rest by where they lie: `space:N`, `dealer`, `shoe`, `discard`, `tray`, `none`."""
        self.carded: Counter[int] = Counter()
        """Looks in which two cards or more lie at rest at a space."""
        self.staked: Counter[int] = Counter()
        """Those of them in which a chip lies at its spot."""
        self.astray = 0
        """Looks in which a hand of cards lies at rest at no place of the layout."""
        self.spot_gaps: Counter[int] = Counter()
        """Chips at rest before the players by their distance from the nearest wager spot, in classes of BIN_MM."""
        self.pointing: Counter[str] = Counter()
        """Hands inside of the wager spots that point `away` from the dealer's side, `toward` it, or `across`."""
        self.taken = -math.inf
        """When the last look that counts was taken (s)."""
        self._cards: list[Xy] = []
        self._chips: list[Xy] = []

    def take(self, seen: Observation) -> None:
        """Take the next observation."""
        if seen.t < self.taken + STEP_S - 1e-6:
            return
        self.taken = seen.t
        table = self._table_in(seen)
        cards = [(table.mm(_middle(card.quad)), card) for card in seen.cards if card.p >= SEEN_P]
        chips = [table.mm(chip.center) for chip in seen.chips if chip.p >= SEEN_P]
        resting = [(xy, card) for xy, card in cards if _lay(xy, self._cards)]
        still = [xy for xy in chips if _lay(xy, self._chips)]
        self._count_cards(table, resting)
        self._count_chips(table, [xy for xy, _ in resting], still)
        self._count_hands(table, seen.hands)
        self._cards, self._chips = [xy for xy, _ in cards], chips

    def _table_in(self, seen: Observation) -> TableMap:
        drift = seen.quality.drift if seen.quality is not None and seen.quality.view == "shifted" else None
        return self._table if drift is None else self._table.drifted(drift)

    def _count_cards(self, table: TableMap, resting: Sequence[tuple[Xy, CardSeen]]) -> None:
        stray: list[Xy] = []
        for xy, card in resting:
            size = math.sqrt(_area(card.quad) / (CARD_MM[0] * CARD_MM[1])) / table.scale
            self.sizes[round(size / BIN)] += 1
            place = "tray" if table.within(xy, "tray") else table.card_place(xy)
            self.card_places[place or "none"] += 1
            stray += [] if place else [xy]
        near = any(distance(one, other) <= NEAR_MM for one, other in itertools.combinations(stray, 2))
        self.astray += near and len(stray) <= STRAY_CARDS

    def _count_chips(self, table: TableMap, cards: Sequence[Xy], still: Sequence[Xy]) -> None:
        at = Counter(number for xy in cards if (number := table.space_of_card(xy)) is not None)
        for number in (number for number, count in at.items() if count >= 2):
            self.carded[number] += 1
            self.staked[number] += any(distance(xy, table.spaces[number].wager) <= par.SPOT_MM for xy in still)
        for xy in still:
            if table.spaces and not table.within(xy, "tray", "inner", "dealer", "tip_receptacle", "drop"):
                gap = min(distance(xy, space.wager) for space in table.spaces.values())
                self.spot_gaps[int(gap // BIN_MM)] += 1

    def _count_hands(self, table: TableMap, hands: Iterable[HandSeen]) -> None:
        for hand in hands:
            if hand.p < SEEN_P or hand.keypoints is None:
                continue
            (ax, ay), (bx, by) = (table.mm(hand.keypoints[point][:2]) for point in (WRIST, KNUCKLE))
            if _before_players((bx, by), table):
                lean = (by - ay) / (math.dist((ax, ay), (bx, by)) or 1.0)
                self.pointing["toward" if lean > LEANS else "away" if lean < -LEANS else "across"] += 1


def _before_players(xy: Xy, table: TableMap) -> bool:
    """Tell whether a place is inside of the wager spots, seen from the dealer: where players' hands do not rest."""
    if not table.spaces:
        return False
    spot = min(table.spaces.values(), key=lambda space: distance(space.wager, xy))
    out = (xy[0] - spot.wager[0]) * spot.outward[0] + (xy[1] - spot.wager[1]) * spot.outward[1]
    return out < -2 * par.SPOT_MM or inside(xy, table.zones["inner"])


def _lay(xy: Xy, before: Iterable[Xy]) -> bool:
    return any(distance(xy, other) <= STILL_MM for other in before)


def _middle(quad: Quad) -> Xy:
    return sum(x for x, _ in quad) / 4, sum(y for _, y in quad) / 4


def _area(quad: Quad) -> float:
    """Area of a quadrilateral in square pixels."""
    turned = (*quad[1:], quad[0])
    return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in zip(quad, turned, strict=True))) / 2
