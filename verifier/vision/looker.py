"""Turns the detections of successive pictures into observations: reads, follows, and joins what several looks say."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Final, Literal, TypeVar, cast

import numpy as np

from verifier.domain.cards import RANKS, SUITS
from verifier.domain.money import CENTS_BY_COLOUR
from verifier.domain.observations import (
    CardSeen,
    ChipColour,
    ChipSeen,
    Facing,
    HandSeen,
    Keypoint,
    Owner,
    Quad,
    Rank,
    Side,
    Suit,
)
from verifier.vision.decode import Picture
from verifier.vision.detector import CARD_DOWN, CARD_UP, CHIP, HAND, MIN_P, Detection
from verifier.vision.evidence import Evidence
from verifier.vision.geometry import Floats
from verifier.vision.readers import COLOURS, CardReading, HandReading, Reads, chip_radius
from verifier.vision.track import CARD_RULES, CHIP_RULES, HAND_RULES, Track, Tracker

E = TypeVar("E")
SURE_RANK: Final = 0.5
SURE_SUIT: Final = 0.5
SURE_HAND: Final = 0.5
SURE_POINTS: Final = 0.5
"""Mean probability of a hand's keypoints below which none is given."""
ENOUGH_LOOKS: Final = 6
READ_AGAIN: Final = 1.0
"""Seconds after which a card that lies still and was read often is read again."""
DOUBTS: Final = 2
FAINTNESS: Final = 0.5
"""Own sizes that a faint hand counts as farther away."""
HAND_MEMORY: Final = 0.5
"""Share of a hand's evidence that stays at each look: hands meet and cross, and a track may pass to the other one."""
FOLLOWED: Final = 2.0
"""Log-odds that a hand followed to this place adds to a detection."""
KEEP_RANKS: Final = 0.004
SURE_BACK: Final = 0.97
"""Probability of a back that needs no reading; pictures of court cards passed for backs with 0.96 and less."""
STRANGE: Final = 1.2
"""Own sizes that a hand of another side or owner counts as farther away."""


@dataclass(slots=True)
class CardEvidence:
    """What a card's looks say. `face` is that of the last look; ranks are kept per turning-up."""

    ranks: Evidence = field(default_factory=lambda: Evidence(RANKS))
    suits: Evidence = field(default_factory=lambda: Evidence(SUITS))


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

    def __init__(self, readers: Reads) -> None:
        ids = itertools.count(1)
        self._readers = readers
        self._cards: Tracker[CardEvidence] = Tracker(CARD_RULES, ids, CardEvidence)
        self._chips: Tracker[Evidence] = Tracker(CHIP_RULES, ids, lambda: Evidence(COLOURS))
        self._hands: Tracker[HandEvidence] = Tracker(HAND_RULES, ids, HandEvidence)
        self._read: dict[Detection, HandReading] = {}
        self._backs: dict[Detection, Detection] = {}

    def look(self, t: float, picture: Picture, found: Sequence[Detection]) -> Seen:
        """What a picture (h, w, 3) at time `t` shows, given its detections."""
        return Seen(
            self._look_at_cards(t, picture, [d for d in found if d.kind in (CARD_UP, CARD_DOWN)]),
            self._look_at_chips(t, picture, [d for d in found if d.kind == CHIP]),
            self._look_at_hands(t, picture, [d for d in found if d.kind == HAND]),
        )

    def _look_at_cards(self, t: float, picture: Picture, found: Sequence[Detection]) -> list[CardSeen]:
        tracks = _begun(self._cards.update(t, found))
        found = self._faced(picture, found, {d for d, track in zip(found, tracks, strict=True) if track.moved < t})
        due = [i for i, d in enumerate(found) if d.kind == CARD_UP and _due(tracks[i], tracks[i].evidence.ranks, t)]
        for i, reading in zip(due, self._readers.cards(picture, [found[i].quad for i in due]), strict=True):
            tracks[i] = self._take(t, tracks[i], reading)
        return [card_seen(d, track.id, track.evidence) for d, track in zip(found, tracks, strict=True)]

    def _faced(self, picture: Picture, found: Sequence[Detection], stayed: Set[Detection]) -> list[Detection]:
        """The same, where a card that was found as a back, and stayed where it was, reads as a face: face up.

        Pictures of court cards may look like backs. Each detection is read once.
        """
        doubtful = (d for d in found if d.kind == CARD_DOWN and d.p < SURE_BACK)
        fresh = [d for d in doubtful if d in stayed and d not in self._backs]
        readings = self._readers.cards(picture, [d.quad for d in fresh])
        known = self._backs | {
            d: replace(d, kind=CARD_UP) if reading.shows_face else d for d, reading in zip(fresh, readings, strict=True)
        }
        self._backs = {d: known[d] for d in found if d in known}
        return [self._backs.get(d, d) for d in found]

    def _take(self, t: float, track: Track[CardEvidence], reading: CardReading) -> Track[CardEvidence]:
        weight = 1.0 - reading.unreadable
        if track.evidence.ranks.contradicted_by(reading.ranks, weight):
            track.doubts += 1
            if track.doubts < DOUBTS:
                return track
            track = self._cards.renew(track, t)
        else:
            track.doubts = 0
        track.read = t
        track.evidence.ranks.add(reading.ranks, weight)
        track.evidence.suits.add(reading.suits, weight)
        return track

    def _look_at_chips(self, t: float, picture: Picture, found: Sequence[Detection]) -> list[ChipSeen]:
        tracks = _begun(self._chips.update(t, found))
        due = [i for i in range(len(found)) if _due(tracks[i], tracks[i].evidence, t)]
        for i, colours in zip(due, self._readers.chips(picture, [found[i] for i in due]), strict=True):
            tracks[i] = self._take_chip(t, tracks[i], colours)
        return [chip_seen(d, track.id, track.evidence.posterior) for d, track in zip(found, tracks, strict=True)]

    def _take_chip(self, t: float, track: Track[Evidence], colours: Mapping[str, float]) -> Track[Evidence]:
        """Adds a look; where one chip has made way for another (a stack was fanned, a chip put on top) begins anew."""
        track.read = t
        if track.evidence.contradicted_by(colours, 1.0):
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
        """Readings of the hands found; one that is the very detection of the look before has not moved since."""
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


def _due(track: Track[CardEvidence] | Track[Evidence], evidence: Evidence, t: float) -> bool:
    """Whether an object is to be read again: not yet read often or well, lately moved, doubted, or long ago."""
    unsure = evidence.looks < ENOUGH_LOOKS or evidence.best_weight < 0.8 or track.doubts > 0
    return unsure or not track.resting(t) or t - track.read >= READ_AGAIN


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


def quad_of(corners: Floats) -> Quad:
    """Corners as the observations carry them."""
    return cast("Quad", tuple((round(x, 2), round(y, 2)) for x, y in corners.tolist()))


def card_seen(found: Detection, number: int | None, evidence: CardEvidence) -> CardSeen:
    """A card with what its looks say; a card that lies face down has no rank."""
    face: Literal["up", "down"] = "up" if found.kind == CARD_UP else "down"
    readable = face == "up" and evidence.ranks.best_weight > 0
    posterior = sorted(evidence.ranks.posterior.items(), key=lambda item: -item[1]) if readable else []
    return CardSeen(
        id=number,
        face=face,
        p=round(found.p, 4),
        quad=quad_of(found.quad),
        rank=cast("Rank | None", evidence.ranks.top(SURE_RANK)) if readable else None,
        suit=cast("Suit | None", evidence.suits.top(SURE_SUIT)) if readable else None,
        ranks={rank: round(p, 4) for rank, p in posterior if p >= KEEP_RANKS} or None,
    )


def chip_seen(found: Detection, number: int | None, colours: Mapping[str, float]) -> ChipSeen:
    """A chip with its likeliest colour and that colour's value."""
    colour = max(colours, key=lambda name: colours[name])
    x, y = found.centre
    return ChipSeen(
        id=number,
        colour=cast("ChipColour", colour),
        p=round(found.p, 4),
        center=(round(x, 2), round(y, 2)),
        radius=round(chip_radius(found), 2),
        cents=CENTS_BY_COLOUR.get(colour),
    )


def hand_seen(
    found: Detection,
    number: int | None,
    reading: HandReading,
    side: Mapping[str, float],
    owner: Mapping[str, float],
    p: float | None = None,
) -> HandSeen:
    """A hand: facing, fingers and keypoints of this look, side and owner as far as its looks tell."""
    fingers = _likeliest(reading.fingers)
    keypoints = _keypoints(reading.points)
    x0, y0, x1, y1 = (round(float(v), 2) for v in (found.upright if keypoints is None else _joint_box(found, reading)))
    return HandSeen(
        id=number,
        owner=cast("Owner", _likeliest(owner) or "unknown"),
        side=cast("Side", _likeliest(side) or "unknown"),
        facing=cast("Facing", _likeliest(reading.facing) or "unknown"),
        p=round(found.p if p is None else p, 4),
        box=(x0, y0, x1, y1),
        fingers=int(fingers) if fingers is not None else None,
        keypoints=keypoints,
    )


def _joint_box(found: Detection, reading: HandReading) -> tuple[float, ...]:
    """Midway between the detector's box and the keypoints' own: it fits better than either."""
    own = found.upright if reading.box is None else tuple(map(float, reading.box))
    return tuple((a + b) / 2 for a, b in zip(found.upright, own, strict=True))


def _keypoints(points: Floats | None) -> list[Keypoint] | None:
    """Keypoints as the observations carry them; None where they are too unsure as a whole."""
    if points is None or float(points[:, 2].mean()) < SURE_POINTS:
        return None
    return [(round(x, 1), round(y, 1), round(p, 3)) for x, y, p in points.tolist()]


def _likeliest(probabilities: Mapping[str, float]) -> str | None:
    label, p = max(probabilities.items(), key=lambda item: item[1])
    return label if p >= SURE_HAND else None
