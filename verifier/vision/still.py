"""Cards, chips and hands of a single photo of any size, looked at on several scales."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import cv2
import msgspec
import numpy as np

from verifier.domain.errors import BadInput
from verifier.domain.observations import CardSeen, HandSeen, Observation
from verifier.formats.files import read_bytes
from verifier.formats.pictures import picture_size
from verifier.recording.decode import Picture
from verifier.recording.probe import check_readable
from verifier.vision.detection import CARD_DOWN, CARD_UP, CHIP, HAND, MIN_P, Detection, without_doubles
from verifier.vision.geometry import Floats, share_inside
from verifier.vision.mirrored import BothWays
from verifier.vision.networks import Networks
from verifier.vision.outline import outlined
from verifier.vision.overlapping import with_counts
from verifier.vision.quality import QualityMeter
from verifier.vision.readers import CardReading, HandReading, Reads
from verifier.vision.seen import CardEvidence, card_seen, chip_seen, hand_seen, quad_of
from verifier.vision.sizes import without_oversized_chips, without_parts_of_cards

SAMPLES: Final = (480, 320, 800, 1280)
"""Long sides at which a photo is glanced at, until one shows how large its cards are: it may be close or far.

Those that enlarge it more than MAX_ZOOM are left out: small photos would cost most."""
CARD_WIDTHS: Final = (40.0, 80.0)
"""Widths of a card in pixels at which the photo is then looked at: those that the detector knows best."""
SAMPLED_WIDTHS: Final = (22.0, 150.0)
SAMPLED_P: Final = 0.4
"""What tells the size of the cards in a look: widths in pixels of the look, and least probability."""
OFTEN: Final = (1280, 800, 480, 320)
"""Long sides for a photo in which no look shows a card, as far as it is not enlarged too much for them."""
SIDES: Final = (256, 1920)
MAX_ZOOM: Final = 2.0
CALM_ZOOM: Final = 1.5
"""Enlarging by which a photo without cards is searched at most: more makes shadows of small photos into things."""
CLOSER: Final = (2.1, 2.9)
"""Enlarging by which a small photo is searched for a hand if it shows nothing at all, one after the other."""
CLOSE_SIDE: Final = 800
"""Longest side of such a photo when enlarged; larger photos were looked at so closely before."""
VIEWS: Final = (0.96, 1.0, 1.04)
"""A single photo's cards are read from crops of these sizes, either way up."""
UNREADABLE: Final = 0.8
DOUBT: Final = 2.5
"""Log-odds by which a card that surely shows no index and no pips is less likely to be one."""
LIKELY_FINGERS: Final = 0.4
"""Least probability of the number of fingers of a hand in a photo; a recording, with many looks, asks for more."""
INSIDE: Final = 0.75
SMALLER: Final = 0.45
"""A detection that lies in another with INSIDE of its area and has less than SMALLER of that area is a part of it."""


MOST_PIXELS: Final = 40_000_000
"""Pixels of a picture: a phone's largest usual photo; 120 MB when decoded."""
MOST_PICTURE_BYTES: Final = 64 * 1024 * 1024
PICTURE_FORMATS: Final = ("PNG", "JPEG", "WEBP", "BMP", "TIFF")


def read_picture(path: Path | str) -> Picture:
    """Read a picture file as (h, w, 3) BGR uint8, turned upright. Raises BadInput if it is none."""
    path = Path(path)
    check_readable(path, "picture", "copy the picture again")
    return decoded_picture(read_bytes(path, MOST_PICTURE_BYTES), path)


def decoded_picture(data: bytes, name: object) -> Picture:
    """Decode a picture's bytes as (h, w, 3) BGR uint8, turned upright; judge its size before anything is unpacked.

    Raises BadInput, with `name` for what it is about, where it is none or too large.
    """
    most = f"more than {MOST_PIXELS // 1_000_000} million"
    try:
        size = picture_size(data, PICTURE_FORMATS)
    except OverflowError as error:
        raise BadInput(name, f"has {most} pixels", "save it again in a smaller size") from error
    if size is None:
        raise BadInput(name, "is not a picture that can be read", "save it again as JPEG or PNG")
    if size[0] * size[1] > MOST_PIXELS:
        raise BadInput(name, f"has {size[0]} x {size[1]} pixels, {most}", "save it again in a smaller size")
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        raise BadInput(name, "cannot be decoded", "save it again as JPEG or PNG, in a smaller size") from error
    if picture is None:
        raise BadInput(name, "is not a picture that can be read", "save it again as JPEG or PNG")
    return np.asarray(picture, np.uint8)


def detect_image(
    picture: Picture, networks: Networks, *, min_p: float = MIN_P, long_sides: Sequence[int] | None = None
) -> Observation:
    """Return what a picture (h, w, 3) shows: one observation at t 0 without tracks; `min_p` is the least probability
    told.

    `long_sides` are the scales to look at, each as the picture is and in the mirror; by default they are chosen by the
    size of the cards.
    """
    networks = replace(networks, finder=BothWays(networks.finder))
    found = find_at_scales(picture, networks, long_sides or fitting_sides(picture, networks))
    if not found and long_sides is None:
        found = _hands_close_up(picture, networks)
    found = without_oversized_chips(found, (picture.shape[1], picture.shape[0]))
    groups = [[d for d in found if d.kind in kinds] for kinds in ((CARD_UP,), (CARD_DOWN,), (CHIP,), (HAND,))]
    up, down, chips, hands = groups
    readers = networks.readers
    plain = [reading.shows_face for reading in readers.cards(picture, [d.quad for d in down])]
    up, down = [*up, *itertools.compress(down, plain)], [d for d, face in zip(down, plain, strict=True) if not face]
    cards = [*_face_up(picture, up, readers), *(card_seen(d, None, CardEvidence()) for d in down)]
    return Observation(
        t=0.0,
        frame=0,
        cards=with_counts(picture, without_parts_of_cards([card for card in cards if card.p >= min_p]), readers),
        chips=[chip_seen(d, None, colours) for d, colours in zip(chips, readers.chips(picture, chips), strict=True)],
        hands=[_hand(d, reading) for d, reading in zip(hands, readers.hands(picture, hands), strict=True)],
        quality=QualityMeter().measure(0.0, picture, found),
    )


def _hand(found: Detection, reading: HandReading) -> HandSeen:
    """Return a hand as this one look tells it, with its likeliest number of fingers if that is LIKELY_FINGERS."""
    fingers, p = max(reading.fingers.items(), key=lambda item: item[1])
    seen = hand_seen(found, None, reading, reading.side, reading.owner)
    return msgspec.structs.replace(seen, fingers=int(fingers) if p >= LIKELY_FINGERS else None)


def _face_up(picture: Picture, found: Sequence[Detection], readers: Reads) -> list[CardSeen]:
    """Cards fitted to their outline, each read from several crops: a back lies face down, what cannot be read at all
    is less likely a card."""
    quads = [outlined(picture, d) for d in found]
    views = [_view(quad, grow, turn) for quad in quads for grow in VIEWS for turn in (0, 2)]
    readings = readers.cards(picture, views)
    size = 2 * len(VIEWS)
    cards = []
    for number, (d, quad) in enumerate(zip(found, quads, strict=True)):
        reading = _mean(readings[number * size : (number + 1) * size])
        if reading.shows_back:
            cards.append(card_seen(replace(d, kind=CARD_DOWN), None, CardEvidence()))
            continue
        p = doubted(d.p) if reading.unreadable >= UNREADABLE else d.p
        seen = card_seen(d, None, _evidence(reading))
        cards.append(msgspec.structs.replace(seen, quad=quad_of(quad), p=round(p, 4)))
    return cards


def _view(quad: Floats, grow: float, turn: int) -> Floats:
    middle = quad.mean(axis=0)
    return np.asarray(np.roll(middle + (quad - middle) * grow, turn, axis=0), np.float32)


def _mean(readings: Sequence[CardReading]) -> CardReading:
    """Mean of several looks at one card, the readable ones counting more."""
    weights = np.array([1 - reading.unreadable + 1e-3 for reading in readings])
    shares = weights / weights.sum()

    def mixed(tables: Sequence[Mapping[str, float]]) -> dict[str, float]:
        return {name: float(sum(w * t[name] for w, t in zip(shares, tables, strict=True))) for name in tables[0]}

    return CardReading(
        mixed([reading.ranks for reading in readings]),
        mixed([reading.suits for reading in readings]),
        float(np.mean([reading.unreadable for reading in readings])),
        mixed([reading.face for reading in readings if reading.face]) if all(r.face for r in readings) else None,
    )


def doubted(p: float) -> float:
    """Probability of a card that shows nothing readable."""
    p = min(max(p, 1e-6), 1 - 1e-6)
    return 1 / (1 + math.exp(DOUBT - math.log(p / (1 - p))))


def _evidence(reading: CardReading) -> CardEvidence:
    evidence = CardEvidence()
    evidence.take(reading)
    return evidence


def fitting_sides(picture: Picture, networks: Networks) -> tuple[int, ...]:
    """Long sides (pixels) at which the cards of a picture are about CARD_WIDTHS wide."""
    longest = max(picture.shape[:2])
    for side in [side for side in SAMPLES if side <= MAX_ZOOM * longest] or [min(SAMPLES)]:
        width = _card_width(networks.finder.detect(picture, side), side / longest)
        if width is not None:
            wanted = (round(longest * want / width) for want in CARD_WIDTHS)
            return tuple(sorted({min(max(want, SIDES[0]), SIDES[1]) for want in wanted}))
    return tuple(side for side in OFTEN if side <= CALM_ZOOM * longest) or (round(CALM_ZOOM * longest),)


def _card_width(found: Sequence[Detection], scale: float) -> float | None:
    """Median width in the picture's pixels of the face-up cards found surely at `scale`, None without any."""
    cards = [d for d in found if d.kind == CARD_UP and d.p >= SAMPLED_P]
    widths = [float(d.box[2:4].min()) for d in cards]
    fitting = [width for width in widths if SAMPLED_WIDTHS[0] <= width * scale <= SAMPLED_WIDTHS[1]]
    return float(np.median(fitting)) if fitting else None


def find_at_scales(picture: Picture, networks: Networks, long_sides: Sequence[int]) -> list[Detection]:
    """Return the detections of all scales, each object once: the surest of its doubles, and wholes instead of their
    parts.
    """
    longest = max(picture.shape[:2])
    sides = sorted({min(side, round(MAX_ZOOM * longest)) for side in long_sides}, reverse=True)
    found = [d for side in sides for d in networks.finder.detect(picture, side)]
    return without_parts(without_doubles(found))


def _hands_close_up(picture: Picture, networks: Networks) -> list[Detection]:
    """Return the surest hand of the first enlargement that shows any."""
    longest = max(picture.shape[:2])
    for side in (round(zoom * longest) for zoom in CLOSER if zoom * longest <= CLOSE_SIDE):
        hands = [d for d in networks.finder.detect(picture, side) if d.kind == HAND]
        if hands:
            return [max(hands, key=lambda hand: hand.p)]
    return []


def without_parts(found: Sequence[Detection]) -> list[Detection]:
    """Leave out what lies within a much bigger object of its own family, however sure either is: a pip is no card."""
    kept: list[Detection] = []
    for small in found:
        if not any(_is_part(small, whole) for whole in found if whole is not small):
            kept.append(small)
    return kept


def _is_part(small: Detection, whole: Detection) -> bool:
    families = {CARD_UP: "card", CARD_DOWN: "card"}
    same = families.get(small.kind, small.kind) == families.get(whole.kind, whole.kind)
    areas = float(small.box[2] * small.box[3]), float(whole.box[2] * whole.box[3])
    if not same or areas[0] >= SMALLER * areas[1]:
        return False
    return share_inside(small.quad, whole.quad) >= INSIDE
