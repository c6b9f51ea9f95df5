"""What detectors see where nothing is: second cards, felt print, hands that pass for backs, forearms for hands."""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import Final, cast, get_args

import msgspec
import numpy as np
from numpy.typing import NDArray

from verifier.domain.money import CENTS_BY_COLOUR, ChipColour
from verifier.domain.observations import CardSeen, ChipSeen, HandSeen, Point
from verifier.simulate.detections.faults import Faults
from verifier.simulate.detections.incidents import Incidents
from verifier.simulate.detections.levels import Noise
from verifier.simulate.detections.written import point_at, probability, quad_at

_BACK_LOOKS: Final = 3.0
"""Looks for which a hand passes for a back, on average."""
_BACK_OFF_PX: Final = 30.0
"""How far from the hand's middle."""
_BACK_PX: Final = (21.0, 30.0)
"""Half its width and height."""


class Ghosts:
    """Adds to one look after the other what is not there."""

    def __init__(self, noise: Noise, rng: np.random.Generator, faults: Faults, incidents: Incidents) -> None:
        self.noise, self.rng, self.faults, self.incidents = noise, rng, faults, incidents
        self.passing: dict[int, tuple[int, NDArray[np.float64]]] = {}
        """Hands that pass for a back: for how many looks more, and where beside their middle."""
        self.spots = [(spot, self._colour()) for spot in incidents.felt_spots()]

    def cards(self, cards: list[CardSeen]) -> list[CardSeen]:
        """Return false cards: one seen twice, and print on the felt that is mistaken for a back now and then."""
        ghosts = [
            CardSeen(id=self.faults.new_track(), face="down", p=probability(self.rng, 0.62, 0.12), quad=quad)
            for quad in self.incidents.felt_prints()
            if self.rng.random() < 0.06
        ]
        if cards and self.rng.random() < self.noise.ghost_card:
            twin = cards[int(self.rng.integers(len(cards)))]
            moved = np.asarray(twin.quad) + self.rng.normal(0.0, 9.0, 2)
            ghosts.append(
                msgspec.structs.replace(
                    twin, id=self.faults.new_track(), quad=quad_at(moved), p=probability(self.rng, 0.9, 0.2)
                )
            )
        return ghosts

    def backs(self, hands: list[HandSeen], moving: Set[int]) -> Iterator[CardSeen]:
        """Hands on the move that pass for a card's back, each for some looks."""
        for hand in hands:
            left, off = self.passing.pop(hand.id or 0, (0, np.zeros(2)))
            if not left and hand.id in moving and self.rng.random() < self.noise.ghost_back:
                left, off = 1 + int(self.rng.poisson(_BACK_LOOKS - 1.0)), self.rng.normal(0.0, _BACK_OFF_PX, 2)
            if left:
                self.passing[hand.id or 0] = (left - 1, off)
                x0, y0, x1, y1 = hand.box
                x, y = (x0 + x1) / 2 + float(off[0]), (y0 + y1) / 2 + float(off[1])
                w, h = _BACK_PX
                quad = quad_at(np.array([(x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)]))
                yield CardSeen(id=self.faults.new_track(), face="down", p=probability(self.rng, 0.95, 0.17), quad=quad)

    def chip(self, chips: list[ChipSeen]) -> ChipSeen:
        """Return a false chip somewhere about another, of any colour."""
        twin = chips[int(self.rng.integers(len(chips)))]
        centre = np.asarray(twin.center) + self.rng.normal(0.0, 120.0, 2)
        colour = self._colour()
        return msgspec.structs.replace(
            twin,
            id=self.faults.new_track(),
            center=point_at(centre),
            colour=colour,
            cents=CENTS_BY_COLOUR.get(colour),
            p=probability(self.rng, 0.95, 0.25),
        )

    def prints(self, chips: list[ChipSeen]) -> list[ChipSeen]:
        """Print on the felt that passes for a chip now and then, where chips are seen at all."""
        return [
            self._print(at, colour, chips[0].radius) for at, colour in self.spots if chips and self.rng.random() < 0.3
        ]

    def _print(self, at: Point, colour: ChipColour, radius: float) -> ChipSeen:
        return ChipSeen(
            id=self.faults.new_track(),
            colour=colour,
            cents=CENTS_BY_COLOUR.get(colour),
            p=probability(self.rng, 0.85, 0.2),
            center=at,
            radius=radius,
        )

    def _colour(self) -> ChipColour:
        return cast(ChipColour, str(self.rng.choice(get_args(ChipColour))))

    def hand(self, hands: list[HandSeen]) -> HandSeen:
        """Return a forearm that is mistaken for a second hand."""
        twin = hands[int(self.rng.integers(len(hands)))]
        down = 70.0 if twin.owner == "dealer" else -70.0
        x0, y0, x1, y1 = twin.box
        return msgspec.structs.replace(
            twin,
            id=self.faults.new_track(),
            box=(x0, y0 + down, x1, y1 + down),
            side="unknown",
            fingers=None,
            p=probability(self.rng, 0.97, 0.15),
        )
