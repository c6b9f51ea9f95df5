"""Turns the detections of successive pictures into observations: reads, follows, and joins what several looks say."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, TypeVar

import numpy as np

from verifier.domain.cards import COLOURS_OF_SUITS
from verifier.domain.observations import CardSeen, ChipSeen, HandSeen
from verifier.recording.decode import Picture
from verifier.vision.detection import CARD_UP, CHIP, HAND, MIN_P, Detection
from verifier.vision.evidence import CLEAR, MOST, Evidence
from verifier.vision.geometry import Floats
from verifier.vision.look_alikes import LookAlikes
from verifier.vision.overlapping import found_at, more_than
from verifier.vision.readers import COLOURS, SURE, CardReading, HandReading, Reads
from verifier.vision.second_opinion import SecondOpinion, doubled
from verifier.vision.seen import CardEvidence, card_seen, chip_seen, hand_seen
from verifier.vision.sizes import without_parts_of_cards
from verifier.vision.top_faces import TopFaces
from verifier.vision.track import CARD_RULES, CHIP_RULES, HAND_RULES, Track, Tracker, distance

E = TypeVar("E")
ENOUGH_LOOKS: Final = 6
READ_AGAIN: Final = 1.0
"""Seconds after which a card that lies still and was read often is read again."""
STIRS, STIRRED_SECONDS, STIRRED = 1.1, 1.0, (0.6, 0.3)
"""Own sizes within which a new chip stirs one, for how long, and how clear a look then shows that it is another."""
DOUBTS: Final = 2
AWAY: Final = 1.0
"""Seconds out of sight after which a chip is read anew: another may lie at its place, as one wager after the other."""
FAINTNESS: Final = 0.5
"""Own sizes that a faint hand counts as farther away."""
HAND_MEMORY: Final = 0.5
"""Share of a hand's evidence that stays at each look: hands meet and cross, and a track may pass to the other one."""
FOLLOWED: Final = 2.0
"""Log-odds that a hand followed to this place adds to a detection."""
NONE_READ: Final[Mapping[Detection, CardReading]] = MappingProxyType({})
STRANGE: Final = 1.2
"""Own sizes that a hand of another side or owner counts as farther away."""


@dataclass(slots=True)
class HandEvidence:
    side: Evidence = field(default_factory=lambda: Evidence(("left", "right"), HAND_MEMORY))
    owner: Evidence = field(default_factory=lambda: Evidence(("dealer", "player"), HAND_MEMORY))


@dataclass(frozen=True, slots=True)
class Seen:
    """The objects of one picture."""

    cards: list[CardSeen]
    chips: list[ChipSeen]
    hands: list[HandSeen]


class Looker:
    """Keeps the tracks of one recording. Pictures come in order of time."""

    def __init__(self, readers: Reads, second: SecondOpinion | None = None) -> None:
        ids = itertools.count(1)
        self._readers = readers
        self._second = second
        self._cards: Tracker[CardEvidence] = Tracker(CARD_RULES, ids, CardEvidence)
        self._chips: Tracker[Evidence] = Tracker(CHIP_RULES, ids, lambda: Evidence(COLOURS))
        self._hands: Tracker[HandEvidence] = Tracker(HAND_RULES, ids, HandEvidence)
        self._faces, self._alike = TopFaces(), LookAlikes(COLOURS)
        self._read: dict[Detection, HandReading] = {}

    def look(
        self, t: float, picture: Picture, found: Sequence[Detection], read: Mapping[Detection, CardReading] = NONE_READ
    ) -> Seen:
        """Return what a picture (h, w, 3) at time `t` shows, given its detections; `read` are cards read in it
        already.
        """
        return Seen(
            self._look_at_cards(t, picture, [d for d in found if d.card], read),
            self._look_at_chips(t, picture, [d for d in found if d.kind == CHIP], [d for d in found if d.kind == HAND]),
            self._look_at_hands(t, picture, [d for d in found if d.kind == HAND]),
        )

    def _look_at_cards(
        self, t: float, picture: Picture, found: Sequence[Detection], read: Mapping[Detection, CardReading]
    ) -> list[CardSeen]:
        tracks = _begun(self._cards.update(t, found))
        found = [track.evidence.asked.boxed(d) for d, track in zip(found, tracks, strict=True)]
        due = [i for i, d in enumerate(found) if d.kind == CARD_UP and _due(tracks[i], tracks[i].evidence.ranks, t)]
        quads = {i: self._corners(found[i]) for i in due}
        left = [i for i in due if found[i] not in read or not np.array_equal(quads[i], found[i].quad)]
        readings = dict(zip(left, self._readers.cards(picture, [quads[i] for i in left]), strict=True))
        for i in due:
            tracks[i] = self._take(t, tracks[i], readings[i] if i in readings else read[found[i]])
        found = self._asked(t, picture, found, tracks)
        self._count(t, picture, found, tracks, due)
        return _cards_seen(found, tracks)

    def _asked(
        self, t: float, picture: Picture, found: Sequence[Detection], tracks: Sequence[Track[CardEvidence]]
    ) -> list[Detection]:
        """Return the cards, each that rests in doubt as the other detector boxes it, if it does.

        In doubt is a card that is not read surely, one whose box is not of a card's size, and one whose box overlaps
        that of another of the same rank.
        """
        boxed = list(found)
        if self._second is None:
            return boxed
        ranks = [
            track.evidence.ranks.top(SURE) if d.kind == CARD_UP else None
            for d, track in zip(found, tracks, strict=True)
        ]
        for i, (d, track) in enumerate(zip(found, tracks, strict=True)):
            if d.kind != CARD_UP or not track.resting(t):
                continue
            asked = track.evidence.asked
            if not asked.wanted(t, d):
                continue
            alike = [boxed[j] for j, rank in enumerate(ranks) if j != i and rank == ranks[i]]
            if not (ranks[i] is None or doubled(d, alike) or self._second.odd(d)):
                continue
            others = [*boxed[:i], *boxed[i + 1 :]]
            opinion = self._second.about(picture, d, others, known=ranks[i] is not None)
            asked.take(t, d, opinion)
            if opinion is not None and not opinion.part:
                track.evidence.take(opinion.reading)
                boxed[i] = asked.boxed(d)
        return boxed

    def _corners(self, card: Detection) -> Floats:
        """(4, 2) corners of a card's box in pixels, the first two on its shorter side on the table."""
        return card.quad if self._second is None else self._second.corners(card)

    def _count(
        self,
        t: float,
        picture: Picture,
        found: Sequence[Detection],
        tracks: Sequence[Track[CardEvidence]],
        read: Sequence[int],
    ) -> None:
        """Count the cards that lie at those read (numbers among `found`) that lie still.

        What is told as no card of its own, but a part of another, does not count as one that was found.
        """
        told = {card.id for card in _cards_seen(found, tracks)}
        kept = [i for i, d in enumerate(found) if d.kind == CARD_UP and tracks[i].id in told]
        quads = {i: self._corners(found[i]) for i in kept}
        due = [(quads[i], tracks[i].evidence) for i in read if i in quads and tracks[i].resting(t)]
        counts = self._readers.counts(picture, [quad for quad, _ in due])
        for (quad, evidence), count in zip(due, counts, strict=True):
            evidence.take_count(quad, more_than(count, found_at(quad, list(quads.values()))))

    def _take(self, t: float, track: Track[CardEvidence], reading: CardReading) -> Track[CardEvidence]:
        weight = 1.0 - reading.unreadable
        known = track.evidence
        other_rank = known.ranks.contradicted_by(reading.ranks, weight)
        if other_rank or known.suits.contradicted_by(reading.suits, weight, together=COLOURS_OF_SUITS):
            track.doubts += 1
            if track.doubts < DOUBTS:
                return track
            track = self._cards.renew(track, t)
        else:
            track.doubts = 0
        track.read = t
        track.evidence.take(reading)
        return track

    def _look_at_chips(
        self, t: float, picture: Picture, found: Sequence[Detection], hands: Sequence[Detection]
    ) -> list[ChipSeen]:
        tracks = _begun(self._chips.update(t, found))
        for track in tracks:
            if track.away > AWAY:
                track.evidence, track.doubts = Evidence(COLOURS), 0
        _stir(tracks, t)
        due = [i for i in range(len(found)) if _due(tracks[i], tracks[i].evidence, t)]
        chips = [found[i] for i in due]
        read = self._alike.weighed(picture, chips, self._readers.chips(picture, chips))
        for i, colours in zip(due, read, strict=True):
            tracks[i] = self._take_chip(t, tracks[i], colours)
        faces = self._faces.look(t, picture, found, hands)
        return [
            chip_seen(d, track.id, track.evidence.posterior, face)
            for d, track, face in zip(found, tracks, faces, strict=True)
        ]

    def _take_chip(self, t: float, track: Track[Evidence], colours: Mapping[str, float]) -> Track[Evidence]:
        """Add a look; begin anew where one chip has made way for another (a stack was fanned, a chip put on top)."""
        track.read = t
        stirred = t - track.stirred <= STIRRED_SECONDS
        clear, most = STIRRED if stirred else (CLEAR, MOST)
        if track.evidence.contradicted_by(colours, 1.0, clear=clear, most=most):
            track.doubts += 1
            if track.doubts < DOUBTS:
                return track
            track = self._chips.renew(track, t)
            track.read = t
        else:
            track.doubts = 0
        track.evidence.add(colours)
        return track

    def _look_at_hands(self, t: float, picture: Picture, found: Sequence[Detection]) -> list[HandSeen]:
        readings = self._hand_readings(picture, found)
        known = self._hands.candidates(t)
        moving = {track.id for track in known if not track.resting(t)}
        before = {track.id for track in known}
        tracks = self._hands.update(t, found, _strangeness(known, found, readings))
        seen = []
        for d, track, reading in zip(found, tracks, readings, strict=True):
            if track is None or (d.faint and track.id not in moving):
                continue
            p = followed(d.p) if track.id in before else d.p
            if p < MIN_P:
                continue
            side, owner = track.evidence.side, track.evidence.owner
            side.add(reading.side)
            owner.add(reading.owner)
            seen.append(hand_seen(d, track.id, reading, side.posterior, owner.posterior, p))
        return seen

    def _hand_readings(self, picture: Picture, found: Sequence[Detection]) -> list[HandReading]:
        """Return readings of the hands found; a hand whose detection is the same as in the look before has not
        moved.
        """
        fresh = [d for d in found if d not in self._read]
        read = self._read | dict(zip(fresh, self._readers.hands(picture, fresh), strict=True))
        self._read = {d: read[d] for d in found}
        return [read[d] for d in found]


def _begun(tracks: list[Track[E] | None]) -> list[Track[E]]:
    return [track for track in tracks if track is not None]


def followed(p: float) -> float:
    """Probability of a detection where a hand was expected."""
    p = min(max(p, 1e-6), 1 - 1e-6)
    return 1 / (1 + math.exp(-(math.log(p / (1 - p)) + FOLLOWED)))


def _cards_seen(found: Sequence[Detection], tracks: Sequence[Track[CardEvidence]]) -> list[CardSeen]:
    """Return the cards as their tracks tell them, without the boxes of parts of cards."""
    pairs = [(d, track) for d, track in zip(found, tracks, strict=True) if not track.evidence.asked.part(d)]
    return without_parts_of_cards([card_seen(d, track.id, track.evidence) for d, track in pairs])


def _due(track: Track[CardEvidence] | Track[Evidence], evidence: Evidence, t: float) -> bool:
    """Tell whether an object is to be read again: not yet read often or well, lately moved, doubted, or long ago."""
    unsure = evidence.looks < ENOUGH_LOOKS or evidence.best_weight < 0.8 or track.doubts > 0
    stirred = t - track.stirred <= STIRRED_SECONDS
    return unsure or stirred or not track.resting(t) or t - track.read >= READ_AGAIN


def _stir(tracks: Sequence[Track[Evidence]], t: float) -> None:
    """Mark the chips at which another one has just come into sight: it was spread from a stack, and lay on them or
    below.
    """
    for new in tracks:
        for old in tracks if not new.evidence.looks else ():
            if old.evidence.looks and distance(old.place, new.place) <= STIRS * old.size:
                old.stirred = t


def _strangeness(
    tracks: Sequence[Track[HandEvidence]], found: Sequence[Detection], readings: Sequence[HandReading]
) -> Floats:
    """(tracks, found) how unlike the hands read are to those followed, in own sizes; faint ones come last."""
    table = np.zeros((len(tracks), len(readings)), np.float32)
    for i, track in enumerate(tracks):
        for j, reading in enumerate(readings):
            table[i, j] = FAINTNESS if found[j].faint else 0.0
            for evidence, now in ((track.evidence.side, reading.side), (track.evidence.owner, reading.owner)):
                before = evidence.posterior
                table[i, j] += STRANGE * (1 - sum(p * now.get(label, 0.0) for label, p in before.items()))
    return table
