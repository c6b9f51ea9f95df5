"""Compares what was detected in a picture with what it truly shows, and adds the counts up."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np

from verifier.domain.observations import CardSeen, HandSeen, Observation
from verifier.train.calibration import binned_error
from verifier.train.fans import Circle, circles, exact, rows
from verifier.train.labels import box_quad, chip_quad, shows
from verifier.train.matching import Floats, as_quad, circle_quad, matched, unexplained
from verifier.train.precision import Ranking

CLEAR_SHARE: Final = 0.5
"""Cards of which at least this shows are also scored by themselves."""
SHARES: Final = (0.15, 0.3, 0.5, 0.75, 1.0)
WIDTHS: Final = (0, 24, 32, 44, 64, 1000)
"""Bounds of the bins of cards by the share that shows and by width in pixels."""
NEAR: Final = 0.1
"""Share of the longer side of a hand's box within which a keypoint is right (PCK)."""
Answer = tuple[str, float]
Answers = Mapping[str, Sequence[Answer | None]]
"""For each head the likeliest label and its probability, for each card, chip or hand seen."""


class Tally:
    """Counts over many pictures; `figures` turns them into shares."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.confused: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
        """For rank, suit, colour, side, facing, owner and fingers: how often (truth, said); "-" is nothing said."""
        self.bins: dict[str, Counter[str]] = defaultdict(Counter)
        """Cards by share and by width: `cards`, `said`, `right`."""
        self.sure: dict[str, list[tuple[float, bool]]] = defaultdict(list)
        """For each head: probabilities of its likeliest label, and whether it was right."""
        self.rankings: dict[str, Ranking] = defaultdict(Ranking)
        """For each class of the detector, where all its detections are given."""

    def add(
        self,
        seen: Observation,
        truth: Observation,
        doubtful_chips: Sequence[Circle] = (),
        doubtful_hands: Sequence[tuple[float, float, float, float]] = (),
        answers: Answers | None = None,
    ) -> None:
        """Scores one picture. What hardly shows is neither hit nor miss: truth cards below 15 %, and the doubtful.

        `answers` tells what the readers' heads said; without it only the ranks' probabilities are known.
        """
        self._cards(seen, truth, answers)
        self._chips(seen, truth, [circle_quad((x, y), r) for x, y, r in doubtful_chips], answers or {})
        self._fans(circles(seen.chips), circles(truth.chips), doubtful_chips)
        self._hands(seen, truth, [box_quad(box) for box in doubtful_hands], answers or {})
        self.counts["pictures"] += 1

    def _cards(self, seen: Observation, truth: Observation, answers: Answers | None) -> None:
        pairs = matched([as_quad(c.quad) for c in seen.cards], [as_quad(c.quad) for c in truth.cards])
        for index, card in enumerate(truth.cards):
            if shows(card):
                self._card(seen.cards[pairs[index]] if index in pairs else None, card)
            if index in pairs and shows(card):
                self._trust_card(card, seen.cards[pairs[index]], pairs[index], answers)
        for j in set(range(len(seen.cards))) - set(pairs.values()):
            self.counts["cards_false"] += 1
            if seen.cards[j].rank is not None:
                self.counts["ranks_said"] += 1
                self.bins[width_bin(seen.cards[j])]["said"] += 1

    def _card(self, found: CardSeen | None, card: CardSeen) -> None:
        count, own = self.counts, (self.bins[share_bin(card)], self.bins[width_bin(card)])
        up, clear = card.face == "up", card.visible is None or card.visible >= CLEAR_SHARE
        said = found is not None and found.rank is not None
        right = up and found is not None and found.face == "up" and found.rank == card.rank
        count[f"cards_{card.face}"] += 1
        count[f"cards_{card.face}_found"] += found is not None and found.face == card.face
        count["ranks_said"] += said
        count["ranks_right"] += right
        count["clear_cards"] += clear and up
        count["clear_right"] += clear and right
        count["clear_down"] += clear and not up
        count["clear_down_found"] += clear and not up and found is not None and found.face == "down"
        for table in own:
            table.update(cards=int(up), said=int(said), right=int(right))
        if up and found is not None and found.face == "up":
            self._say("rank", card.rank, found.rank)
            self._say("suit", card.suit, found.suit)

    def _trust_card(self, card: CardSeen, found: CardSeen, number: int, answers: Answers | None) -> None:
        if card.face == "down" or found.face == "down":
            return
        if answers is not None:
            self._trust("rank", answers, number, card.rank)
            self._trust("suit", answers, number, card.suit)
        elif found.ranks:
            best = max(found.ranks, key=lambda rank: found.ranks[rank] if found.ranks else 0.0)
            self.sure["rank"].append((found.ranks[best], best == card.rank))

    def _chips(self, seen: Observation, truth: Observation, doubtful: Sequence[Floats], answers: Answers) -> None:
        quads = [chip_quad(chip) for chip in seen.chips]
        pairs = matched(quads, [chip_quad(chip) for chip in truth.chips])
        self.counts.update(chips=len(truth.chips), chips_found=len(pairs))
        self.counts["chips_said"] += len(pairs) + len(unexplained(quads, pairs, doubtful))
        for i, j in pairs.items():
            self._say("colour", truth.chips[i].colour, seen.chips[j].colour)
            self._trust("colour", answers, j, truth.chips[i].colour)

    def _fans(self, seen: Sequence[Circle], truth: Sequence[Circle], doubtful: Sequence[Circle]) -> None:
        """Fanned rows of up to five; those of which a chip hardly shows are left out."""
        every = [*truth, *doubtful]
        for row in rows(every):
            if max(row) < len(truth):
                self.counts.update(fans=1, fans_exact=int(exact(row, every, seen)))

    def _hands(self, seen: Observation, truth: Observation, doubtful: Sequence[Floats], answers: Answers) -> None:
        quads = [box_quad(hand.box) for hand in seen.hands]
        pairs = matched(quads, [box_quad(hand.box) for hand in truth.hands])
        self.counts.update(hands=len(truth.hands), hands_found=len(pairs))
        self.counts["hands_said"] += len(pairs) + len(unexplained(quads, pairs, doubtful))
        for i, j in pairs.items():
            self._hand(seen.hands[j], truth.hands[i])
            for head in ("side", "facing", "owner", "fingers"):
                self._trust(head, answers, j, getattr(truth.hands[i], head))

    def _hand(self, found: HandSeen, hand: HandSeen) -> None:
        for name in ("side", "facing", "owner", "fingers"):
            true, said = getattr(hand, name), getattr(found, name)
            self._say(name, None if true == "unknown" else true, None if said == "unknown" else said)
        if hand.fingers is not None and found.fingers is not None:
            self.counts["fingers_near"] += abs(found.fingers - hand.fingers) <= 1
        if hand.keypoints and found.keypoints:
            self.counts["hands_with_points"] += 1
            self._points(found, hand)

    def _points(self, found: HandSeen, hand: HandSeen) -> None:
        true, said = np.array(hand.keypoints), np.array(found.keypoints)
        x0, y0, x1, y1 = hand.box
        near = np.hypot(*(said[:, :2] - true[:, :2]).T) <= NEAR * max(x1 - x0, y1 - y0)
        clear = true[:, 2] >= 1.0
        self.counts.update(points=len(near), points_near=int(near.sum()))
        self.counts.update(clear_points=int(clear.sum()), clear_points_near=int(near[clear].sum()))

    def _say(self, name: str, true: object, said: object) -> None:
        if true is not None:
            self.confused[name][(str(true), "-" if said is None else str(said))] += 1

    def _trust(self, head: str, answers: Answers, number: int, true: object) -> None:
        answer = answers[head][number] if head in answers else None
        if answer is not None and true not in (None, "unknown"):
            self.sure[head].append((answer[1], answer[0] == str(true)))

    def figures(self) -> dict[str, float]:
        """Shares 0..1; those without a case are left out."""
        n = self.counts
        found = n["cards_up_found"] + n["cards_down_found"]
        precisions = {name: ranking.average_precision() for name, ranking in sorted(self.rankings.items())}
        known = [value for value in precisions.values() if value is not None]
        out = {
            "card rank F1": _f1(n["ranks_right"], n["ranks_said"], n["cards_up"]),
            "card rank precision": _share(n["ranks_right"], n["ranks_said"]),
            "card rank recall": _share(n["ranks_right"], n["cards_up"]),
            "card rank recall, at least half showing": _share(n["clear_right"], n["clear_cards"]),
            "face-up recall": _share(n["cards_up_found"], n["cards_up"]),
            "face-down recall": _share(n["cards_down_found"], n["cards_down"]),
            "face-down recall, at least half showing": _share(n["clear_down_found"], n["clear_down"]),
            "card precision": _share(found, found + n["cards_false"]),
            "suit accuracy": self._right("suit"),
            "rank calibration error": self._trusted("rank"),
            "chip recall": _share(n["chips_found"], n["chips"]),
            "chip precision": _share(n["chips_found"], n["chips_said"]),
            "chip colour accuracy": self._right("colour"),
            "exact count in a fan of 2 to 5": _share(n["fans_exact"], n["fans"]),
            "hand recall": _share(n["hands_found"], n["hands"]),
            "hand precision": _share(n["hands_found"], n["hands_said"]),
            "hand side accuracy": self._right("side"),
            "hand facing accuracy": self._right("facing"),
            "hand owner accuracy": self._right("owner"),
            "fingers accuracy": self._right("fingers"),
            "fingers within one": _share(n["fingers_near"], _answered(self.confused["fingers"])),
            "keypoints given": _share(n["hands_with_points"], n["hands_found"]),
            "keypoints within 0.1 of the hand": _share(n["points_near"], n["points"]),
            "visible keypoints within 0.1": _share(n["clear_points_near"], n["clear_points"]),
            "mAP50": sum(known) / len(known) if known else None,
            **{f"AP50 {name}": value for name, value in precisions.items()},
        }
        return {name: round(value, 4) for name, value in out.items() if value is not None}

    def _right(self, name: str) -> float | None:
        """Share of right answers among those given."""
        table = self.confused[name]
        return _share(sum(count for (true, said), count in table.items() if true == said), _answered(table))

    def _trusted(self, head: str) -> float | None:
        said = self.sure[head]
        if not said:
            return None
        p, right = (np.array(values, dtype=np.float64) for values in zip(*said, strict=True))
        return binned_error(p, right)


def share_bin(card: CardSeen) -> str:
    """Return the bin of the share of a true card that shows."""
    share = 1.0 if card.visible is None else card.visible
    return next(f"shows {a:.2f}-{b:.2f}" for a, b in _pairs(SHARES) if share <= b)


def width_bin(card: CardSeen) -> str:
    """Return the bin of a card's width in pixels: its mean shorter side."""
    sides = np.hypot(*(as_quad(card.quad) - np.roll(as_quad(card.quad), -1, axis=0)).T)
    width = float(min(sides[0] + sides[2], sides[1] + sides[3]) / 2)
    return next((f"width {a:g}-{b:g} px" for a, b in _pairs(WIDTHS) if width < b), "width over 1000 px")


def _pairs(bounds: Sequence[float]) -> Iterable[tuple[float, float]]:
    return itertools.pairwise(bounds)


def _answered(table: Counter[tuple[str, str]]) -> int:
    return sum(count for (_, said), count in table.items() if said != "-")


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _f1(right: int, said: int, true: int) -> float | None:
    return 2 * right / (said + true) if said + true else None
