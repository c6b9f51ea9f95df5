"""What went wrong in a picture, thing by thing, the worst first: misses, false alarms and wrong readings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from msgspec import Struct

from verifier.domain.observations import CardSeen, HandSeen
from verifier.train.cases import Case
from verifier.train.evaluation_samples import EvaluationSample
from verifier.train.labels import box_quad, chip_quad, shows
from verifier.train.matching import Floats, as_quad, circle_quad, matched, unexplained

CONFUSED: Final = ("side", "facing", "owner", "fingers")


class Flaw(Struct, frozen=True, kw_only=True):
    """One error. `weight` says how bad it is (0..1): how much of a missed thing shows, how sure a false one was."""

    kind: str
    what: str
    weight: float
    quad: tuple[tuple[float, float], ...]
    case: Case


def flaws(sample: EvaluationSample) -> list[Flaw]:
    """All errors of an evaluation sample."""
    found = (*_cards(sample), *_chips(sample), *_hands(sample))
    return [
        Flaw(kind=kind, what=what, weight=weight, quad=tuple((float(x), float(y)) for x, y in quad), case=sample.case)
        for kind, what, weight, quad in found
    ]


_Found = tuple[str, str, float, Floats]


def _cards(sample: EvaluationSample) -> Iterator[_Found]:
    seen, truth = sample.seen.cards, sample.truth.cards
    pairs = matched([as_quad(c.quad) for c in seen], [as_quad(c.quad) for c in truth])
    for i, card in enumerate(truth):
        if shows(card):
            yield from _card(card, seen[pairs[i]] if i in pairs else None)
    for j in set(range(len(seen))) - set(pairs.values()):
        yield f"false card {seen[j].face}", f"{_name(seen[j])} p {seen[j].p:.2f}", seen[j].p, as_quad(seen[j].quad)


def _card(card: CardSeen, found: CardSeen | None) -> Iterator[_Found]:
    share, quad = (1.0 if card.visible is None else card.visible), as_quad(card.quad)
    what = f"{_name(card)} shows {share:.2f}"
    if found is None:
        yield f"missed card {card.face}", what, share, quad
    elif found.face != card.face:
        yield f"card {card.face} taken for {found.face}", what, share, quad
    elif card.face == "up" and found.rank is None:
        yield "card unread", what, share, quad
    elif card.face == "up" and found.rank != card.rank:
        yield "rank wrong", f"{what}, read {_name(found)}", share, quad
    elif found.suit is not None and found.suit != card.suit:
        yield "suit wrong", f"{what}, read {_name(found)}", share, quad


def _name(card: CardSeen) -> str:
    return f"{card.rank or '?'}{card.suit or '?'}" if card.face == "up" else "back"


def _chips(sample: EvaluationSample) -> Iterator[_Found]:
    seen, truth = sample.seen.chips, sample.truth.chips
    quads = [chip_quad(chip) for chip in seen]
    pairs = matched(quads, [chip_quad(chip) for chip in truth])
    for i, chip in enumerate(truth):
        if i not in pairs:
            yield "missed chip", chip.colour, 1.0, chip_quad(chip)
        elif seen[pairs[i]].colour != chip.colour:
            yield "colour wrong", f"{chip.colour} read {seen[pairs[i]].colour}", seen[pairs[i]].p, chip_quad(chip)
    false = unexplained(quads, pairs, [circle_quad((x, y), r) for x, y, r in sample.doubtful.chips])
    for j in false:
        yield "false chip", f"{seen[j].colour} p {seen[j].p:.2f}", seen[j].p, quads[j]


def _hands(sample: EvaluationSample) -> Iterator[_Found]:
    seen, truth = sample.seen.hands, sample.truth.hands
    quads = [box_quad(hand.box) for hand in seen]
    pairs = matched(quads, [box_quad(hand.box) for hand in truth])
    for i, hand in enumerate(truth):
        if i not in pairs:
            yield "missed hand", f"{hand.owner} {hand.facing} {hand.fingers}", 1.0, box_quad(hand.box)
        else:
            yield from _hand(hand, seen[pairs[i]])
    for j in unexplained(quads, pairs, [box_quad(box) for box in sample.doubtful.hands]):
        yield "false hand", f"p {seen[j].p:.2f}", seen[j].p, quads[j]


def _hand(hand: HandSeen, found: HandSeen) -> Iterator[_Found]:
    for name in CONFUSED:
        true, said = getattr(hand, name), getattr(found, name)
        if said != true:
            yield f"{name} wrong", f"{true} read {said}", found.p, box_quad(hand.box)


def centre(flaw: Flaw) -> tuple[float, float]:
    """Where it is, pixels."""
    x, y = np.mean(flaw.quad, axis=0)
    return float(x), float(y)
