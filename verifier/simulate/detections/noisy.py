"""Observations as the detectors would give them, made from a performance without rendering a picture."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final, cast

import msgspec
import numpy as np

from verifier.domain.money import CENTS_BY_COLOUR, ChipColour
from verifier.domain.observations import (
    CardSeen,
    ChipSeen,
    Drift,
    HandSeen,
    Observation,
    Point,
    Quad,
    Quality,
    Rank,
    Side,
)
from verifier.simulate.annotate import Shares, annotate_shares
from verifier.simulate.detections.bills import Bills
from verifier.simulate.detections.cut_cards import CutCards
from verifier.simulate.detections.faults import Faults, Memory
from verifier.simulate.detections.ghosts import Ghosts
from verifier.simulate.detections.incidents import Incidents
from verifier.simulate.detections.levels import CONFUSED, LEVELS, UNSEEN_BY_SHARE, Level, Noise, by_share
from verifier.simulate.detections.looks import looks
from verifier.simulate.detections.notes import Notes
from verifier.simulate.detections.written import point_at, probability, quad_at
from verifier.simulate.perform import Performance
from verifier.simulate.render import Camera

_COARSE: Final = 2
"""Who covers whom is worked out in a picture so many times smaller."""
_LEAST_KEPT: Final = 0.004
"""Other ranks below this probability are not told."""
_LEAST_SHOWN: Final = 0.12
_SPREAD_PX: Final = 26.0
_STEADY_PX: Final = 1.5


def noisy_observations(
    performance: Performance, camera: Camera, level: Level | Noise = "typical", *, seed: int = 0, again: int = 0
) -> Iterator[Observation]:
    """Yield what would be observed of `performance` through `camera` (its pixels), at the looks of the motion gate.

    The same seed gives the same observations. `again` is another look at the same recording: what happened to the view
    is the same, the detectors err anew. Keypoints are left out.
    """
    noise = level if isinstance(level, Noise) else LEVELS[level]
    rng = np.random.default_rng([seed, performance.seed, 5])
    incidents = Incidents(performance, camera, noise, rng)
    watcher = _Watcher(noise, np.random.default_rng([seed, performance.seed, 5, again]) if again else rng, incidents)
    plain = CutCards(camera, watcher.incidents, np.random.default_rng([seed, performance.seed, 6]), noise.jitter)
    paper = Bills(camera, watcher.incidents, np.random.default_rng([seed, performance.seed, 7, again]), noise.bills)
    told = np.random.default_rng([seed, performance.seed, 8, again])
    notes = Notes(camera, performance, watcher.incidents, told, noise.notes)
    small = camera.window(0, 0, (camera.size[0] // _COARSE, camera.size[1] // _COARSE), 1.0 / _COARSE)
    for t, scene in looks(performance):
        if watcher.incidents.blind(t):
            continue
        truth, shares = annotate_shares(scene, small, keypoints=False)
        clock = scene.clock.replace(" ", "T") if scene.clock else None
        seen = watcher.look(t, clock, _enlarged(truth), shares)
        bills = notes.look(t, scene, shares)
        cards = notes.without_bills([*seen.cards, *paper.look(t, scene, seen.hands)])
        yield msgspec.structs.replace(seen, cards=cards, cut_cards=plain.look(t, scene, seen.hands), bills=bills)


def _enlarged(seen: Observation) -> Observation:
    def point(at: Point) -> Point:
        return (at[0] * _COARSE, at[1] * _COARSE)

    cards = [
        msgspec.structs.replace(card, quad=cast(Quad, tuple(point(corner) for corner in card.quad)))
        for card in seen.cards
    ]
    chips = [msgspec.structs.replace(c, center=point(c.center), radius=c.radius * _COARSE) for c in seen.chips]
    hands = [msgspec.structs.replace(hand, box=(*point(hand.box[:2]), *point(hand.box[2:]))) for hand in seen.hands]
    return msgspec.structs.replace(seen, cards=cards, chips=chips, hands=hands)


class _Watcher:
    """Disturbs one look after the other."""

    def __init__(self, noise: Noise, rng: np.random.Generator, incidents: Incidents) -> None:
        self.noise, self.rng, self.incidents = noise, rng, incidents
        self.faults = Faults(noise, rng)
        self.moving: set[int] = set()
        """Hands on the move, in the look under way."""
        self.ghosts = Ghosts(noise, rng, self.faults, incidents)

    def look(self, t: float, clock: str | None, truth: Observation, shares: Shares) -> Observation:
        """One look: what is hidden or missed is left out, the rest read with its faults, ghosts added."""
        cards = [card for true in truth.cards if (card := self._card(t, true)) is not None]
        chips = self._chips(t, truth.chips, shares)
        self.moving.clear()
        hands = [hand for true in truth.hands if (hand := self._hand(t, true)) is not None]
        cards += [*self.ghosts.cards(cards), *self.ghosts.backs(truth.hands, self.moving)]
        if chips and self.rng.random() < self.noise.ghost_chip:
            chips.append(self.ghosts.chip(chips))
        chips += self.ghosts.prints(chips)
        if hands and self.rng.random() < self.noise.ghost_hand:
            hands.append(self.ghosts.hand(hands))
        return Observation(
            t=t,
            frame=round(t * 30),
            clock=clock,
            cards=cards,
            chips=chips,
            hands=hands,
            quality=self._quality(t),
        )

    def _quality(self, t: float) -> Quality:
        """Return the picture's quality, with the camera's drift as the watcher of the view measures it."""
        x, y = self.incidents.shift(t) + self.rng.normal(0.0, 0.3, 2)
        drift = Drift(dx=round(float(x), 2), dy=round(float(y), 2), roll=0.0, scale=1.0, p=0.95)
        return Quality(
            sharpness=180.0,
            obstructed=self.incidents.obstructed(t),
            luma=95.0,
            view="shifted" if drift.reach((1280, 720)) > _STEADY_PX else "steady",
            drift=drift,
        )

    def _card(self, t: float, card: CardSeen) -> CardSeen | None:
        middle = _middle(card.quad)
        share = card.visible or 0.0
        known = self.faults.of("card", card.id or 0, middle, t)
        self.faults.face(known, card)
        hidden = share < _LEAST_SHOWN or self.incidents.hidden(t, middle)
        unseen = by_share(UNSEEN_BY_SHARE, share) if self.noise.face_up.moving else 0.0
        if hidden or self.faults.missed(known, t, unseen * (2.0 if known.moving else 1.0)):
            return None
        known.seen = t
        unsteady = self.noise.jitter * (1.0 if share > 0.7 else 2.0) * (2.5 if known.moving else 1.0)
        shift = known.bias + self.incidents.shift(t) + self.rng.normal(0.0, unsteady * 0.4, 2)
        corners = np.asarray(card.quad) + shift + self.rng.normal(0.0, unsteady, (4, 2))
        p = probability(self.rng, 0.999, 0.003) if card.face == "up" else probability(self.rng, 0.985, 0.07)
        plain = msgspec.structs.replace(card, id=known.track, quad=quad_at(corners), p=p, suit=None, visible=None)
        return plain if card.rank is None else self._named(plain, card, known)

    def _named(self, seen: CardSeen, card: CardSeen, known: Memory) -> CardSeen:
        """Return the card with the rank that its track gives it."""
        if known.rank is None:
            return msgspec.structs.replace(seen, rank=None, ranks=None)
        said, sure = cast(Rank, known.rank), min(0.995, known.sure)
        first = card.rank if said != card.rank and card.rank is not None else self._confused(said)
        rest = (1.0 - sure) * 0.7
        ranks = {said: round(sure, 3), **({cast(Rank, first): round(rest, 3)} if rest >= _LEAST_KEPT else {})}
        suit = card.suit if self.rng.random() < 0.975 else None
        return msgspec.structs.replace(seen, rank=said if sure >= 0.5 else None, ranks=ranks, suit=suit)

    def _chips(self, t: float, true: list[ChipSeen], shares: Shares) -> list[ChipSeen]:
        found: list[ChipSeen] = []
        moving: list[ChipSeen] = []
        for chip in true:
            known = self.faults.of("chip", chip.id or 0, chip.center, t)
            moving += [chip] if known.moving else []
            hidden = self.incidents.hidden(t, chip.center)
            if hidden or self.faults.missed(known, t, 0.05 if shares.chips.get(chip.id or 0, 1.0) < 0.5 else 0.0):
                continue
            shift = known.bias + self.incidents.shift(t) + self.rng.normal(0.0, self.noise.jitter, 2)
            colour = cast(ChipColour, self.faults.colour(known, chip))
            found.append(
                ChipSeen(
                    id=known.track,
                    colour=colour,
                    cents=CENTS_BY_COLOUR.get(colour),
                    p=probability(self.rng, 0.998, 0.005),
                    center=point_at(np.asarray(chip.center) + shift),
                    radius=round(chip.radius * float(self.rng.normal(1.0, 0.025)), 2),
                )
            )
        self._cross(moving)
        return found

    def _cross(self, moving: list[ChipSeen]) -> None:
        """Neighbours of a spreading stack sometimes change tracks."""
        for one, other in pairwise(sorted(moving, key=lambda chip: chip.center)):
            near = float(np.hypot(*np.subtract(one.center, other.center))) < _SPREAD_PX
            if near and self.rng.random() < self.noise.broken_track * 2:
                self.faults.cross(one.id or 0, other.id or 0)

    def _hand(self, t: float, hand: HandSeen) -> HandSeen | None:
        x0, y0, x1, y1 = hand.box
        middle = ((x0 + x1) / 2, (y0 + y1) / 2)
        known = self.faults.of("hand", hand.id or 0, middle, t)
        self.moving |= {hand.id or 0} if known.moving else set()
        if self.incidents.hidden(t, middle) or self.faults.missed(known, t):
            return None
        sigma = self.noise.jitter * (2.5 if known.moving else 1.3)
        box = np.asarray(hand.box) + np.tile(self.incidents.shift(t), 2) + self.rng.normal(0.0, sigma, 4)
        owner = hand.owner
        if self.rng.random() < self.noise.owner_wrong:
            owner = "dealer" if owner == "player" else "player"
        fingers = hand.fingers
        if fingers is not None and self.rng.random() < self.noise.fingers_wrong:
            fingers = int(np.clip(fingers + self.rng.choice((-1, 1)), 0, 5))
        a, b, c, d = (round(float(value), 2) for value in box)
        return msgspec.structs.replace(
            hand,
            id=known.track,
            box=(min(a, c), min(b, d), max(a, c), max(b, d)),
            owner=owner,
            fingers=fingers,
            side=cast(Side, self.faults.side(known, hand)),
            p=probability(self.rng, 0.999, 0.002),
        )

    def _confused(self, rank: str) -> str:
        others = CONFUSED[rank]
        return others[int(self.rng.integers(len(others)))]


def _middle(quad: Quad) -> Point:
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = quad
    return ((ax + bx + cx + dx) / 4, (ay + by + cy + dy) / 4)
