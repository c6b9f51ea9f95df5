"""What a perfect or a noisy detector would report of a performance: truth turned into observations, for tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from verifier.domain.cards import RANKS
from verifier.domain.observations import CardSeen, ChipSeen, HandSeen, Observation, Point, Quality, Rank
from verifier.simulate.perform import Performance
from verifier.simulate.render import Camera, annotate

_T = TypeVar("_T", CardSeen, ChipSeen, HandSeen)
_COLOURS = ("mustard", "white", "pink", "red", "green", "black")


class Noise(Struct, frozen=True, kw_only=True):
    """Faults of a detector: probabilities per object and frame, `jitter` in pixels (standard deviation)."""

    missed: float = 0.03
    jitter: float = 1.0
    rank_unread: float = 0.03
    rank_wrong: float = 0.01
    colour_wrong: float = 0.01
    side_unknown: float = 0.05
    side_wrong: float = 0.02
    facing_wrong: float = 0.02
    fingers_wrong: float = 0.1
    ghost_chips: float = 0.01
    hidden_card: float = 0.25
    """A card that shows less than this is not detected (a whole-card detector needs about 15 to 30 %)."""


def truth_observations(
    performance: Performance, camera: Camera, hz: float = 10.0, noise: Noise | None = None, *, seed: int = 0
) -> Iterator[Observation]:
    """Observations at `hz` looks a second, pixels of `camera`'s picture; without `noise` exactly what shows.

    Cards that show less than 15 % are left out, as are ids: nothing is tracked.
    """
    rng = np.random.default_rng([seed, performance.seed])
    for number in range(int(performance.duration * hz)):
        t = round(number / hz, 3)
        scene = performance.scene_at(t)
        seen = annotate(scene, camera, performance.plan)
        plain = msgspec.structs.replace(
            seen,
            t=t,
            frame=number,
            clock=scene.clock.replace(" ", "T") if scene.clock else None,
            cards=[_plain(card) for card in seen.cards if (card.visible or 0.0) >= 0.15],
            chips=[_plain(chip) for chip in seen.chips],
            hands=[_plain(hand) for hand in seen.hands],
            quality=Quality(sharpness=200.0, obstructed=0.0, luma=100.0),
        )
        yield plain if noise is None else _disturbed(plain, noise, rng)


def _plain(seen: _T) -> _T:
    return msgspec.structs.replace(seen, id=None)


def _disturbed(seen: Observation, noise: Noise, rng: np.random.Generator) -> Observation:
    showing = [card for card in seen.cards if (card.visible or 1.0) >= noise.hidden_card]
    cards = [_card(card, noise, rng) for card in showing if _kept(noise, rng)]
    chips = [_chip(chip, noise, rng) for chip in seen.chips if _kept(noise, rng)]
    if chips and rng.random() < noise.ghost_chips:
        chips.append(_shifted(chips[int(rng.integers(len(chips)))], 200.0, rng))
    hands = [_hand(hand, noise, rng) for hand in seen.hands if _kept(noise, rng)]
    return msgspec.structs.replace(seen, cards=cards, chips=chips, hands=hands)


def _kept(noise: Noise, rng: np.random.Generator) -> bool:
    return bool(rng.random() >= noise.missed)


def _card(card: CardSeen, noise: Noise, rng: np.random.Generator) -> CardSeen:
    shift = rng.normal(0.0, noise.jitter, 2)
    a, b, c, d = (_moved(point, shift, noise.jitter / 3, rng) for point in card.quad)
    disturbed = msgspec.structs.replace(card, quad=(a, b, c, d), p=round(float(rng.uniform(0.7, 0.99)), 3))
    return disturbed if card.rank is None else _misread(disturbed, card.rank, noise, rng)


def _moved(point: Point, shift: NDArray[np.float64], sigma: float, rng: np.random.Generator) -> Point:
    x, y = np.add(point, shift + rng.normal(0.0, sigma, 2))
    return (float(x), float(y))


def _misread(card: CardSeen, rank: Rank, noise: Noise, rng: np.random.Generator) -> CardSeen:
    draw = rng.random()
    if draw < noise.rank_unread:
        return msgspec.structs.replace(card, rank=None, suit=None)
    other: Rank = RANKS[int(rng.integers(len(RANKS)))]
    wrong = draw < noise.rank_unread + noise.rank_wrong
    first, second = (other, rank) if wrong else (rank, other)
    sure = round(float(rng.uniform(0.55, 0.9) if wrong else rng.uniform(0.9, 0.995)), 3)
    ranks = {first: sure} if first == second else {first: sure, second: round(1.0 - sure, 3)}
    return msgspec.structs.replace(card, rank=first, ranks=ranks)


def _chip(chip: ChipSeen, noise: Noise, rng: np.random.Generator) -> ChipSeen:
    moved = _shifted(chip, noise.jitter, rng)
    if rng.random() < noise.colour_wrong:
        colour = _COLOURS[int(rng.integers(len(_COLOURS)))]
        cents = {"mustard": 50, "white": 100, "pink": 200, "red": 500, "green": 2500, "black": 10000}[colour]
        moved = msgspec.structs.replace(moved, colour=colour, cents=cents)
    return moved


def _shifted(chip: ChipSeen, spread: float, rng: np.random.Generator) -> ChipSeen:
    x, y = np.add(chip.center, rng.normal(0.0, spread, 2))
    return msgspec.structs.replace(chip, center=(float(x), float(y)), p=round(float(rng.uniform(0.6, 0.98)), 3))


def _hand(hand: HandSeen, noise: Noise, rng: np.random.Generator) -> HandSeen:
    side, facing, fingers = hand.side, hand.facing, hand.fingers
    draw = rng.random()
    if draw < noise.side_unknown:
        side = "unknown"
    elif draw < noise.side_unknown + noise.side_wrong:
        side = "left" if side == "right" else "right"
    if rng.random() < noise.facing_wrong:
        facing = "palm" if facing == "back" else "back"
    if fingers is not None and rng.random() < noise.fingers_wrong:
        fingers = int(np.clip(fingers + rng.choice((-1, 1)), 0, 5))
    x0, y0, x1, y1 = (float(v) for v in np.add(hand.box, rng.normal(0.0, noise.jitter * 2, 4)))
    return msgspec.structs.replace(
        hand,
        side=side,
        facing=facing,
        fingers=fingers,
        box=(x0, y0, x1, y1),
        keypoints=None,
        p=round(float(rng.uniform(0.6, 0.98)), 3),
    )
