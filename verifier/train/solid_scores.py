"""What the solid world asks beside the common figures: fans told whole, in doubt or surely wrong, and false finds."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.domain.observations import CardSeen
from verifier.reconstruct import parameters as par
from verifier.train.cases import Case
from verifier.train.evaluation_samples import EvaluationSample
from verifier.train.labels import chip_quad
from verifier.train.matching import as_quad, circle_quad, matched, unexplained
from verifier.train.table.laid import FAN_NUMBERS
from verifier.train.table.pictures import felt_of

SURE: Final = 0.9
"""Probability of a rank from which a reading is sure."""
STEPS: Final = (0.0, 0.2, 0.35, 0.6, 9.9)
"""Bounds of the groups of fans by the mean distance of neighbours, in widths of a card."""


def fans_of(sample: EvaluationSample) -> dict[int, list[CardSeen]]:
    """Return the true cards of each fan that lies wholly in the picture; a top card of which nothing shows is
    left out.
    """
    out: dict[int, list[CardSeen]] = defaultdict(list)
    for card in sample.truth.cards:
        if card.id is not None:
            out[card.id // FAN_NUMBERS].append(card)
    w, h = sample.case.size
    whole = {}
    for number, cards in out.items():
        points = np.concatenate([np.asarray(card.quad) for card in cards])
        complete = {card.id % FAN_NUMBERS for card in cards if card.id is not None} == set(range(len(cards)))
        if len(cards) > 1 and complete and points.min() >= 0 and (points < (w, h)).all():
            whole[number] = sorted(cards, key=lambda card: card.id or 0)
    return whole


def step_of(cards: Sequence[CardSeen]) -> float:
    """Mean distance of neighbours of a fan in widths of a card."""
    middles = [np.asarray(card.quad).mean(0) for card in cards]
    width = float(np.mean([np.hypot(*(np.subtract(card.quad[1], card.quad[0]))) for card in cards]))
    return float(np.mean([np.hypot(*(b - a)) for a, b in pairwise(middles)])) / width


def judged(cards: Sequence[CardSeen], seen: Sequence[CardSeen]) -> str:
    """Return how one look reads a fan: "right", "in doubt" or "surely wrong".

    It is surely wrong if all that is told there is sure, and the cards or their number are not right.
    """
    hull = cv2.convexHull(np.concatenate([as_quad(card.quad) for card in cards]))
    mine = [card for card in seen if cv2.pointPolygonTest(hull, _middle(card), False) >= 0]
    if not mine or not all(_sure(card) for card in mine):
        return "in doubt"
    told = Counter("back" if card.face == "down" else card.rank for card in mine)
    true = Counter("back" if card.face == "down" else card.rank for card in cards)
    return "right" if told == true else "surely wrong"


def _middle(card: CardSeen) -> tuple[float, float]:
    x, y = np.asarray(card.quad, np.float64).mean(0)
    return float(x), float(y)


def _sure(card: CardSeen) -> bool:
    doubted = (
        (card.apart or 0.0) >= par.SEVERAL_APART_SHARE
        or (card.unreadable or 0.0) >= par.SEVERAL_UNREADABLE_P
        or (card.more or 0.0) >= par.SEVERAL_MORE_P
    )
    p = max(card.ranks.values()) if card.face == "up" and card.ranks else card.p
    return p >= SURE and not doubted


def fan_counts(samples: Iterable[EvaluationSample]) -> dict[str, Counter[str]]:
    """For each group of fans, by number of cards and step, how many were right, in doubt and surely wrong."""
    out: dict[str, Counter[str]] = defaultdict(Counter)
    for sample in samples:
        for cards in fans_of(sample).values():
            step = step_of(cards)
            low, high = next((a, b) for a, b in pairwise(STEPS) if a <= step < b)
            size = "2" if len(cards) == 2 else "3 or 4" if len(cards) < 5 else "5 or 6"
            told = f"{low:g} to {high:g}" if high < STEPS[-1] else f"{low:g} and more"
            out[f"fan of {size}, step {told}"][judged(cards, sample.seen.cards)] += 1
    return dict(sorted(out.items()))


def false_finds(
    samples: Iterable[EvaluationSample], felt: Callable[[Case], NDArray[np.float64]] = felt_of
) -> dict[str, dict[str, float]]:
    """Cards and chips told where none lies, each a picture, on the felt and beside it.

    "all" are all pictures, "bare" those that show neither a card nor a chip. `felt` gives the felt's outline in pixels.
    """
    counts: dict[str, Counter[str]] = {"all": Counter(), "bare": Counter()}
    for sample in samples:
        outline = felt(sample.case).astype(np.float32)
        told = Counter(pictures=1)
        for kind, place in _false(sample):
            on = cv2.pointPolygonTest(outline, place, False) >= 0
            told[f"{kind} on the felt" if on else f"{kind} beside the felt"] += 1
        bare = not (sample.truth.cards or sample.truth.chips or sample.doubtful.chips)
        for name in ("all", "bare") if bare else ("all",):
            counts[name] += told
    kinds = [f"{kind} {where} the felt" for kind in ("cards", "chips") for where in ("on", "beside")]
    return {
        name: {"pictures": n["pictures"]} | {kind: n[kind] / max(1, n["pictures"]) for kind in kinds}
        for name, n in counts.items()
    }


def _false(sample: EvaluationSample) -> Iterator[tuple[str, tuple[float, float]]]:
    """Yield what was found and is not there: "cards" or "chips", and where. What hardly shows is neither right
    nor wrong.
    """
    seen, truth = sample.seen, sample.truth
    quads = [as_quad(card.quad) for card in seen.cards]
    pairs = matched(quads, [as_quad(card.quad) for card in truth.cards])
    for number in set(range(len(quads))) - set(pairs.values()):
        yield "cards", _middle(seen.cards[number])
    circles = [chip_quad(chip) for chip in seen.chips]
    pairs = matched(circles, [chip_quad(chip) for chip in truth.chips])
    for number in unexplained(circles, pairs, [circle_quad((x, y), r) for x, y, r in sample.doubtful.chips]):
        yield "chips", seen.chips[number].center
