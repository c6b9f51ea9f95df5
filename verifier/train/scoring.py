"""Compares what was detected in a picture with what it truly shows, and adds the counts up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.domain.observations import CardSeen, HandSeen, Observation
from verifier.train.calibration import binned_error
from verifier.train.labels import box_quad

MATCH_IOU: Final = 0.5
CLEAR_SHARE: Final = 0.5
"""Cards of which at least this shows are also scored by themselves."""
Floats = NDArray[np.float32]


class Tally:
    """Counts over many pictures; `figures` turns them into shares."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._rank_p: list[tuple[float, bool]] = []

    def add(self, seen: Observation, truth: Observation) -> None:
        """Scores one picture. Truth cards that hardly show (no `visible`, or below 15 %) are neither hit nor miss."""
        self._cards(seen, truth)
        self._chips(seen, truth)
        self._hands(seen, truth)
        self.counts["pictures"] += 1

    def _cards(self, seen: Observation, truth: Observation) -> None:
        pairs = matched([as_quad(c.quad) for c in seen.cards], [as_quad(c.quad) for c in truth.cards])
        unmatched = set(range(len(seen.cards))) - set(pairs.values())
        for index, card in enumerate(truth.cards):
            found = seen.cards[pairs[index]] if index in pairs else None
            if card.visible is not None and card.visible < 0.15:
                continue
            self._card(found, card)
        self.counts["cards_false"] += len(unmatched)
        self.counts["ranks_said"] += sum(seen.cards[i].rank is not None for i in unmatched)

    def _card(self, found: CardSeen | None, card: CardSeen) -> None:
        count = self.counts
        count[f"cards_{card.face}"] += 1
        if found is not None:
            count[f"cards_{card.face}_found"] += found.face == card.face
        if found is not None and found.rank is not None:
            count["ranks_said"] += 1
            count["ranks_said_wrong"] += found.rank != card.rank
        if card.face == "down":
            return
        clear = card.visible is None or card.visible >= CLEAR_SHARE
        count["clear_cards"] += clear
        if found is None or found.face != "up":
            return
        right = found.rank == card.rank
        count["ranks_right"] += right
        count["clear_right"] += right and clear
        if found.suit is not None and card.suit is not None:
            count["suits"] += 1
            count["suits_right"] += found.suit == card.suit
        if found.ranks:
            best = max(found.ranks, key=lambda rank: found.ranks[rank] if found.ranks else 0.0)
            self._rank_p.append((found.ranks[best], best == card.rank))

    def _chips(self, seen: Observation, truth: Observation) -> None:
        squares = [[circle_quad(chip.center, chip.radius) for chip in one.chips] for one in (seen, truth)]
        pairs = matched(*squares)
        self.counts["chips"] += len(truth.chips)
        self.counts["chips_said"] += len(seen.chips)
        self.counts["chips_found"] += len(pairs)
        self.counts["colours_right"] += sum(seen.chips[j].colour == truth.chips[i].colour for i, j in pairs.items())

    def _hands(self, seen: Observation, truth: Observation) -> None:
        pairs = matched([box_quad(hand.box) for hand in seen.hands], [box_quad(hand.box) for hand in truth.hands])
        self.counts["hands"] += len(truth.hands)
        self.counts["hands_said"] += len(seen.hands)
        self.counts["hands_found"] += len(pairs)
        for i, j in pairs.items():
            self._hand(seen.hands[j], truth.hands[i])

    def _hand(self, found: HandSeen, hand: HandSeen) -> None:
        for name in ("side", "facing", "owner"):
            true, said = getattr(hand, name), getattr(found, name)
            if true != "unknown" and said != "unknown":
                self.counts[name + "s"] += 1
                self.counts[name + "s_right"] += said == true
        if hand.fingers is not None and found.fingers is not None:
            self.counts["fingers"] += 1
            self.counts["fingers_right"] += found.fingers == hand.fingers
            self.counts["fingers_near"] += abs(found.fingers - hand.fingers) <= 1

    def figures(self) -> dict[str, float]:
        """Shares 0..1; those without a case are left out."""
        n = self.counts
        found = n["cards_up_found"] + n["cards_down_found"]
        said = found + n["cards_false"]
        out = {
            "card rank F1": _f1(n["ranks_right"], n["ranks_said"], n["cards_up"]),
            "card rank precision": _share(n["ranks_right"], n["ranks_said"]),
            "card rank recall": _share(n["ranks_right"], n["cards_up"]),
            "card rank recall, at least half showing": _share(n["clear_right"], n["clear_cards"]),
            "face-up recall": _share(n["cards_up_found"], n["cards_up"]),
            "face-down recall": _share(n["cards_down_found"], n["cards_down"]),
            "card precision": _share(found, said),
            "suit accuracy": _share(n["suits_right"], n["suits"]),
            "rank calibration error": self._calibration(),
            "chip recall": _share(n["chips_found"], n["chips"]),
            "chip precision": _share(n["chips_found"], n["chips_said"]),
            "chip colour accuracy": _share(n["colours_right"], n["chips_found"]),
            "hand recall": _share(n["hands_found"], n["hands"]),
            "hand precision": _share(n["hands_found"], n["hands_said"]),
            "hand side accuracy": _share(n["sides_right"], n["sides"]),
            "hand facing accuracy": _share(n["facings_right"], n["facings"]),
            "hand owner accuracy": _share(n["owners_right"], n["owners"]),
            "fingers accuracy": _share(n["fingers_right"], n["fingers"]),
            "fingers within one": _share(n["fingers_near"], n["fingers"]),
        }
        return {name: round(value, 4) for name, value in out.items() if value is not None}

    def _calibration(self) -> float | None:
        if not self._rank_p:
            return None
        p, right = (np.array(values, dtype=np.float64) for values in zip(*self._rank_p, strict=True))
        return binned_error(p, right)


def matched(seen: Sequence[Floats], truth: Sequence[Floats]) -> dict[int, int]:
    """Truth index to seen index for quads (4, 2), best overlap first, each used once, IoU from MATCH_IOU up."""
    scores = [(overlap(a, b), i, j) for i, a in enumerate(truth) for j, b in enumerate(seen)]
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for score, i, j in sorted(scores, reverse=True):
        if score < MATCH_IOU:
            break
        if i not in pairs and j not in taken:
            pairs[i] = j
            taken.add(j)
    return pairs


def overlap(one: Floats, other: Floats) -> float:
    """Intersection over union of two convex quads (4, 2)."""
    low, high = np.maximum(one.min(0), other.min(0)), np.minimum(one.max(0), other.max(0))
    if (high <= low).any():
        return 0.0
    shared, _ = cv2.intersectConvexConvex(one, other)
    whole = abs(cv2.contourArea(one)) + abs(cv2.contourArea(other)) - shared
    return float(shared / whole) if whole > 0 else 0.0


def as_quad(points: Sequence[Sequence[float]]) -> Floats:
    """Corners as (4, 2) float32."""
    return np.asarray(points, dtype=np.float32)


def circle_quad(centre: tuple[float, float], radius: float) -> Floats:
    """The square (4, 2) round a circle."""
    (x, y), r = centre, radius
    return box_quad((x - r, y - r, x + r, y + r))


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _f1(right: int, said: int, true: int) -> float | None:
    return 2 * right / (said + true) if said + true else None
