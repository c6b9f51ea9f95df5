"""Learns which face each card of a show has: looks at it as at any recording, and names what lies by composition."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from verifier.domain.cards import RANKS, SUITS
from verifier.domain.enrolment import FACES, EnrolledFace, LearntFrom
from verifier.domain.layout import Layout
from verifier.domain.observations import Observation, Quad
from verifier.formats.enrolment import look_of
from verifier.recording.decode import Picture
from verifier.recording.probe import Probe
from verifier.vision.composition import most_of_each, named
from verifier.vision.crops import card_crop
from verifier.vision.detection import Detection
from verifier.vision.evidence import LEAST_WEIGHT, Evidence
from verifier.vision.geometry import Floats
from verifier.vision.networks import Networks
from verifier.vision.observe import Watch
from verifier.vision.readers import CardReading, HandReading, Reads
from verifier.vision.seen import quad_of

SIZE: Final = (64, 96)
"""Width and height of a look in pixels: what the shipped reader of cards takes."""
KEPT: Final = 3
"""Pictures kept of a face: those that can be read best."""
LEAST_LOOKS: Final = 3
"""A card with fewer looks than this is not learned: it was moving."""
SURE: Final = 0.99
"""Probability from which a card passes for the face that it is given."""
SAME_PLACE: Final = 0.5
"""A card that comes into sight again within so many card widths of its place counts as not moved."""
ALIKE: Final = 0.5
"""Two cards seen at one place, one after the other, are one card if they have the same face with this probability."""


ORDERED: Final = 0.99
"""Probability that a card which a person says was laid in order is the one that it would be."""
AGAINST: Final = 0.95
"""Probability of another face from which a card shows that the order was not kept."""


class OutOfOrderError(Exception):
    """The cards of a show do not lie in the order that a person told."""


@dataclass(frozen=True, slots=True)
class Look:
    """A card's picture and how far it could be read, 0..1."""

    picture: Picture
    readable: float


@dataclass(slots=True)
class Shown:
    """A card as it was followed: its looks, what they say, its corners and the times (s) of the first and last one."""

    quad: Floats
    begin: float
    end: float
    ranks: Evidence = field(default_factory=lambda: Evidence(RANKS))
    suits: Evidence = field(default_factory=lambda: Evidence(SUITS))
    looks: list[Look] = field(default_factory=list)

    @property
    def faces(self) -> Floats:
        """(52,) probabilities of FACES."""
        ranks, suits = self.ranks.posterior, self.suits.posterior
        return np.array([ranks[face[0]] * suits[face[1]] for face in FACES], np.float32)


@dataclass(frozen=True, slots=True)
class Learnt:
    """The faces that were learnt, how many cards were seen, and how many of these stay without a name."""

    faces: dict[str, EnrolledFace]
    cards: int
    unnamed: int


class _Tap(Reads):
    """Reads as the readers do, and keeps the crop and the reading of each card until it is taken."""

    def __init__(self, readers: Reads) -> None:
        self._readers = readers
        self.kept: dict[Quad, tuple[Picture, CardReading]] = {}

    def cards(self, picture: Picture, quads: Sequence[Floats]) -> list[CardReading]:
        read = self._readers.cards(picture, quads)
        for quad, reading in zip(quads, read, strict=True):
            self.kept[quad_of(quad)] = (card_crop(picture, quad, SIZE), reading)
        return read

    def aside(self, picture: Picture, quads: Sequence[Floats]) -> list[Mapping[str, float]]:
        return [dict.fromkeys(RANKS, 0.0) for _ in quads]

    def chips(self, picture: Picture, found: Sequence[Detection]) -> list[Mapping[str, float]]:
        return self._readers.chips(picture, found)

    def hands(self, picture: Picture, found: Sequence[Detection]) -> list[HandReading]:
        return self._readers.hands(picture, found)


def shown_cards(
    video: Probe, layout: Layout, networks: Networks, beat: Callable[[Observation], None] = lambda _: None
) -> list[Shown]:
    """Return the cards that a recording shows face up, each followed as long as it lies, in order of their first
    looks.
    """
    tap = _Tap(networks.readers)
    found: dict[int, Shown] = {}
    for seen in Watch(video, layout, networks=replace(networks, readers=tap)):
        beat(seen)
        for card in seen.cards:
            taken = tap.kept.pop(card.quad, None)
            if taken is None or card.id is None or card.face != "up":
                continue
            picture, reading = taken
            quad = np.asarray(card.quad, np.float32)
            one = found.setdefault(card.id, Shown(quad, seen.t, seen.t))
            one.quad, one.end = quad, seen.t
            readable = 1.0 - reading.unreadable
            one.ranks.add(reading.ranks, readable)
            one.suits.add(reading.suits, readable)
            one.looks = sorted([*one.looks, Look(picture, readable)], key=lambda look: -look.readable)[: 4 * KEPT]
    return [one for one in found.values() if one.ranks.looks >= LEAST_LOOKS and one.ranks.best_weight >= LEAST_WEIGHT]


def joined(cards: Iterable[Shown]) -> list[Shown]:
    """Return the cards; a card that went out of sight and came back at the same place with the same face is one."""
    out: list[Shown] = []
    for card in cards:
        before = next((one for one in out if _same(one, card)), None)
        if before is None:
            out.append(card)
        elif card.ranks.looks > before.ranks.looks:
            card.begin, card.looks = before.begin, card.looks + before.looks
            out[out.index(before)] = card
        else:
            before.end, before.looks = card.end, before.looks + card.looks
    return out


def _same(before: Shown, card: Shown) -> bool:
    width = float(np.linalg.norm(card.quad[1] - card.quad[0]))
    apart = float(np.linalg.norm(before.quad.mean(axis=0) - card.quad.mean(axis=0)))
    alike = float((before.faces * card.faces).sum())
    return before.end <= card.begin and apart <= SAME_PLACE * width and alike >= ALIKE


def learnt(
    cards: Sequence[Shown], learnt_from: LearntFrom, decks: int = 1, order: Sequence[str] | None = None
) -> Learnt:
    """Return the faces of the cards, by what each looks like and by how often a face can occur among them.

    In a show each face occurs `decks` times at most. In play cards are dealt from full shoes: no face occurs far more
    often than its share. A card whose face is not sure is not learnt. `order` is the one in which a person says that
    the cards were laid. Raises OutOfOrderError if they were not.
    """
    most = decks if learnt_from == "show" else most_of_each(len(cards))
    logs = np.log(np.maximum(np.array([card.faces for card in cards], np.float64).reshape(-1, len(FACES)), 1e-12))
    if order is not None:
        logs += _as_ordered(logs, order, [card.begin for card in cards])
    names = named(logs, most)
    faces: dict[str, tuple[float, list[Look]]] = {}
    for card, (face, p) in zip(cards, names, strict=True):
        if face is not None and p >= SURE:
            least, looks = faces.get(FACES[face], (1.0, []))
            faces[FACES[face]] = min(least, p), looks + card.looks
    enrolled = {
        name: EnrolledFace(p=math.floor(p * 1e4) / 1e4, looks=[look_of(one.picture) for one in _best(looks)])
        for name, (p, looks) in sorted(faces.items(), key=lambda item: FACES.index(item[0]))
    }
    unnamed = sum(1 for face, p in names if face is None or p < SURE)
    return Learnt(enrolled, len(cards), unnamed)


def _as_ordered(logs: Floats, order: Sequence[str], begins: Sequence[float]) -> Floats:
    """(cards, faces) what the order adds to the logarithms (cards, faces) of what is seen.

    Of cards that came into sight in one picture (`begins`, s) nobody can tell which was laid first: each may be any of
    theirs.
    """
    if len(logs) != len(order):
        raise OutOfOrderError(f"{len(logs)} cards were seen, {len(order)} were to be laid in order")
    told = np.array([FACES.index(face) for face in order])
    together = np.asarray(begins)[:, None] == np.asarray(begins)[None, :]
    may_be = np.zeros(logs.shape, bool)
    may_be[:, told] = together
    kept = may_be[np.arange(len(told)), logs.argmax(axis=1)]
    against = np.flatnonzero(~kept & (logs.max(axis=1) >= math.log(AGAINST)))
    if len(against):
        seen = FACES[int(logs[against[0]].argmax())]
        raise OutOfOrderError(f"card {against[0] + 1} is surely {seen}, by the order it would be {order[against[0]]}")
    count = together.sum(axis=1, keepdims=True)
    others = np.maximum(len(FACES) - count, 1)
    return np.asarray(np.where(may_be, np.log(ORDERED / count), np.log((1 - ORDERED) / others)), np.float32)


def _best(looks: Sequence[Look]) -> list[Look]:
    """Return the looks that can be read best."""
    return sorted(looks, key=lambda look: -look.readable)[:KEPT]
