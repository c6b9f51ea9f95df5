"""Learns the faces of the cards and the colours of the chips of a show, which is looked at as any recording is.

Cards are named by composition, and by the order that a person tells; chips by that order alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from verifier.domain.cards import RANKS, SUITS
from verifier.domain.enrolment import FACES, EnrolledChip, EnrolledFace, LearntFrom
from verifier.domain.layout import Layout
from verifier.domain.observations import CardSeen, ChipSeen, Observation, Point, Quad
from verifier.formats.enrolment import look_of
from verifier.recording.decode import Picture
from verifier.recording.probe import Probe
from verifier.vision.composition import most_of_each, named
from verifier.vision.crops import card_crop
from verifier.vision.detection import Detection
from verifier.vision.evidence import LEAST_WEIGHT, Evidence
from verifier.vision.geometry import Floats
from verifier.vision.look_alikes import ALIKE, WEIGHTS, median_colour
from verifier.vision.networks import Networks
from verifier.vision.observe import Watch
from verifier.vision.readers import COLOURS, CardReading, HandReading, Reads
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
SAME_FACE: Final = 0.5
"""Two cards seen at one place, one after the other, are one card if they have the same face with this probability."""


AT_FIRST: Final = 1.0
"""Seconds from the recording's start. A chip that is seen by then lay there before, as in the tray: it is not shown."""
KEPT_COLOURS: Final = 16
"""Looks at a chip that are kept, the last ones."""
CHIP_PLACE: Final = 0.5
"""Radii of a chip within which it lies where it lay before."""

ORDERED: Final = 0.99
"""Probability that a card which a person says was laid in order is the one that it would be."""
AGAINST: Final = 0.95
"""Probability of another face from which a card shows that the order was not kept."""


class OutOfOrderError(Exception):
    """The cards or chips of a show do not lie in the order that a person told."""


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


@dataclass(slots=True)
class ShownChip:
    """A chip as it was followed: its place and radius (pixels), the times (s) of the first and last look, what they say
    of its colour, and the median colours (L*a*b* of eight bits) of those at its last place.
    """

    centre: Point
    radius: float
    begin: float
    end: float
    reading: Evidence = field(default_factory=lambda: Evidence(COLOURS))
    colours: list[Floats] = field(default_factory=list)

    def take(self, chip: ChipSeen, t: float, reading: Mapping[str, float], colour: Floats) -> None:
        """Add a look; those at another place do not count."""
        if math.dist(chip.center, self.centre) > CHIP_PLACE * self.radius:
            self.reading, self.colours = Evidence(COLOURS), []
        self.centre, self.radius, self.end = chip.center, chip.radius, t
        self.reading.add(reading)
        self.colours = [*self.colours, colour][-KEPT_COLOURS:]


@dataclass(frozen=True, slots=True)
class Show:
    """What a recording shows at rest, in order of the first looks: cards face up, and chips."""

    cards: list[Shown]
    chips: list[ShownChip]


@dataclass(frozen=True, slots=True)
class Learnt:
    """The faces that were learnt, how many cards were seen, and how many of these stay without a name."""

    faces: dict[str, EnrolledFace]
    cards: int
    unnamed: int


class _Tap(Reads):
    """Reads as the readers do, and keeps what it read of each card and chip until it is taken."""

    def __init__(self, readers: Reads) -> None:
        self._readers = readers
        self.kept: dict[Quad, tuple[Picture, CardReading]] = {}
        self.kept_chips: dict[Point, tuple[Mapping[str, float], Floats]] = {}

    def cards(self, picture: Picture, quads: Sequence[Floats]) -> list[CardReading]:
        read = self._readers.cards(picture, quads)
        for quad, reading in zip(quads, read, strict=True):
            self.kept[quad_of(quad)] = (card_crop(picture, quad, SIZE), reading)
        return read

    def counts(self, picture: Picture, quads: Sequence[Floats]) -> list[Mapping[str, float]]:
        return self._readers.counts(picture, quads)

    def chips(self, picture: Picture, found: Sequence[Detection]) -> list[Mapping[str, float]]:
        read = self._readers.chips(picture, found)
        for chip, reading in zip(found, read, strict=True):
            x, y = chip.centre
            self.kept_chips[round(x, 2), round(y, 2)] = (reading, median_colour(picture, chip))
        return read

    def hands(self, picture: Picture, found: Sequence[Detection]) -> list[HandReading]:
        return self._readers.hands(picture, found)


def shown(
    video: Probe, layout: Layout, networks: Networks, beat: Callable[[Observation], None] = lambda _: None
) -> Show:
    """Return the cards and chips that a recording shows, each followed as long as it lies, in order of their first
    looks.
    """
    tap = _Tap(networks.readers)
    cards: dict[int, Shown] = {}
    chips: dict[int, ShownChip] = {}
    for seen in Watch(video, layout, networks=replace(networks, readers=tap)):
        beat(seen)
        for card in seen.cards:
            _take_card(cards, card, seen.t, tap.kept.pop(card.quad, None))
        for chip in seen.chips:
            told = tap.kept_chips.pop(chip.center, None)
            if told is not None and chip.id is not None:
                chips.setdefault(chip.id, ShownChip(chip.center, chip.radius, seen.t, seen.t)).take(chip, seen.t, *told)
    lay = [one for one in cards.values() if one.ranks.looks >= LEAST_LOOKS and one.ranks.best_weight >= LEAST_WEIGHT]
    return Show(joined(lay), _joined_chips(one for one in chips.values() if one.reading.looks >= LEAST_LOOKS))


def _take_card(cards: dict[int, Shown], card: CardSeen, t: float, taken: tuple[Picture, CardReading] | None) -> None:
    """Add a look at a card, if it was read in it and lies face up."""
    if taken is None or card.id is None or card.face != "up":
        return
    picture, reading = taken
    quad = np.asarray(card.quad, np.float32)
    one = cards.setdefault(card.id, Shown(quad, t, t))
    one.quad, one.end = quad, t
    readable = 1.0 - reading.unreadable
    one.ranks.add(reading.ranks, readable)
    one.suits.add(reading.suits, readable)
    one.looks = sorted([*one.looks, Look(picture, readable)], key=lambda look: -look.readable)[: 4 * KEPT]


def _joined_chips(chips: Iterable[ShownChip]) -> list[ShownChip]:
    """Return the chips; one that went out of sight and came back at its place is one."""
    out: list[ShownChip] = []
    for chip in sorted(chips, key=lambda chip: chip.begin):
        before = next((one for one in out if math.dist(one.centre, chip.centre) <= CHIP_PLACE * one.radius), None)
        if before is None:
            out.append(chip)
        else:
            before.end, before.colours = chip.end, [*before.colours, *chip.colours][-KEPT_COLOURS:]
    return out


def learnt_chips(chips: Sequence[ShownChip], order: Sequence[str]) -> dict[str, EnrolledChip]:
    """Return the colours of chips that a person says were laid in `order` (names of colours, one a chip).

    Raises OutOfOrderError where another number was laid, or one of them surely is another one of the order.
    """
    laid = [chip for chip in chips if chip.begin > AT_FIRST]
    if len(laid) != len(order):
        raise OutOfOrderError(f"{len(laid)} chips were laid down, {len(order)} are named")
    told: dict[str, list[tuple[float, float, float]]] = {}
    for number, (chip, name) in enumerate(zip(laid, order, strict=True), start=1):
        seen = chip.reading.top(AGAINST)
        if seen is not None and seen != name and seen in order:
            raise OutOfOrderError(f"chip {number} is surely {seen}, by the order it would be {name}")
        together = [other for other, at in zip(order, laid, strict=True) if at.begin == chip.begin]
        if len(set(together)) > 1:
            raise OutOfOrderError(f"chip {number} came into sight together with another one, so that no order tells it")
        clear = _clear(chip.colours)
        if 2 * len(clear) <= len(chip.colours):
            raise OutOfOrderError(f"chip {number} has one colour in some looks and another in the others")
        told.setdefault(name, []).extend(_rounded(colour) for colour in clear)
    return {name: EnrolledChip(colours=colours) for name, colours in sorted(told.items())}


def _clear(colours: Sequence[Floats]) -> list[Floats]:
    """Return the colours that are like most of them: in some looks the hand that lays a chip is over it."""
    middle = np.median(colours, axis=0)
    return [colour for colour in colours if np.linalg.norm((colour - middle) * WEIGHTS) <= ALIKE]


def _rounded(colour: Floats) -> tuple[float, float, float]:
    lightness, a, b = (round(float(value), 1) for value in colour)
    return lightness, a, b


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
    return before.end <= card.begin and apart <= SAME_PLACE * width and alike >= SAME_FACE


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
