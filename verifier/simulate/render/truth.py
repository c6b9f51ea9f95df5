"""What a picture truly shows: quads, circles, hands and their visible shares, in pixels of the whole frame."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, cast

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from verifier.domain.money import CHIP_COLOURS
from verifier.domain.observations import BillSeen, CardSeen, ChipSeen, HandSeen, Keypoint, Observation, Quad, Rank, Suit
from verifier.simulate.render.camera import Camera
from verifier.simulate.render.chips import colour_of
from verifier.simulate.render.hands import fingers_of, landmarks
from verifier.simulate.render.look import Look
from verifier.simulate.render.notes import BILL_MM
from verifier.simulate.render.order import (
    CIRCLE,
    Sprite,
    card_quad,
    draw_order,
    gesture_of,
    hand_pose,
    lift,
    outlines,
    radius_of,
    rectangle,
    shown_face,
    squeeze_of,
)
from verifier.simulate.render.people import Person
from verifier.simulate.render.volume import hand_outline, hand_seen
from verifier.simulate.render.warp import transform
from verifier.simulate.scene import BillSprite, CardSprite, ChipSprite, HandSprite, Scene
from verifier.simulate.table import CHIP_THICKNESS_MM, TablePlan

Floats = NDArray[np.float64]
Labels = NDArray[np.uint8] | NDArray[np.uint16]
Outline = NDArray[np.int32]
"""(N, 2) corners in sixteenths of a pixel."""
CHIP_SHOWS: Final = 0.35
"""Share of its top face from which a chip is to be seen."""
BILL_SHOWS: Final = 0.3
"""Share from which a bill is to be seen."""
_LEAST: Final = 0.02
_FAR_MM: Final = 250.0
"""A card or chip whose middle lies so far outside the picture does not reach into it, not even nearer to the lens."""
_NOBODY: Final = Person((100.0, 130.0, 180.0), (40.0, 40.0, 40.0), 60.0, 1.0, 1.0, None, None, False)


class Shares(Struct, frozen=True):
    """Visible shares 0..1 by the sprites' ids: cards, bills, props, chips' top faces, hands without their forearms."""

    cards: dict[int, float]
    chips: dict[int, float]
    hands: dict[int, float]
    bills: dict[int, float]
    props: dict[int, float]


def _paint(labels: Labels, polygon: Outline, value: int) -> None:
    cv2.fillPoly(labels, [polygon], (float(value),), cv2.LINE_8, 4)


def _whole(polygon: Floats) -> float:
    """Pixels that a fully visible polygon fills."""
    array = polygon.astype(np.float32)
    return float(cv2.contourArea(array)) + float(cv2.arcLength(array, True)) / 2 + 1.0


def chip_top(chip: ChipSprite, camera: Camera) -> Floats:
    """(24, 2) pixels round a chip's top face."""
    return camera.project(lift(CIRCLE * radius_of(chip) + chip.xy, chip.z + CHIP_THICKNESS_MM))


def _labelled(scene: Scene, camera: Camera, look: Look | None) -> tuple[Labels, dict[int, tuple[Sprite, float]]]:
    """Which sprite each pixel shows, and each label's sprite with the pixels that it would fill uncovered."""
    known: dict[int, tuple[Sprite, float]] = {}
    sprites = draw_order(scene)
    labels = np.zeros((camera.size[1], camera.size[0]), np.uint8 if 2 * len(sprites) < 255 else np.uint16)
    for index, (sprite, near) in enumerate(zip(sprites, _near(sprites, camera), strict=True)):
        value = 2 * index + 2
        if not near:
            known[value] = (sprite, 1.0)
            continue
        parts, whole = _parts(sprite, camera, _person(sprite, look))
        for part in parts[:-1]:
            _paint(labels, part, value - 1)
        _paint(labels, parts[-1], value)
        known[value] = (sprite, whole)
    return labels, known


@lru_cache(maxsize=1024)
def _parts(sprite: Sprite, camera: Camera, person: Person | None) -> tuple[list[Outline], float]:
    """Outlines of a sprite, the part that counts last, and the pixels that it would fill; what rests costs nothing."""
    parts = outlines(sprite, camera, person)
    if isinstance(sprite, ChipSprite):
        parts.append(chip_top(sprite, camera))
    return [np.round(part * 16).astype(np.int32) for part in parts], _whole(parts[-1])


def _near(sprites: Sequence[Sprite], camera: Camera) -> list[bool]:
    """Which sprites could show in the picture; cards and chips far outside cannot."""
    if not sprites:
        return []
    w, h = camera.size
    margin = _FAR_MM * camera.pixels_per_mm
    pixels = camera.project([(*sprite.xy, sprite.z) for sprite in sprites])
    return [
        not isinstance(sprite, CardSprite | ChipSprite) or (-margin < x < w + margin and -margin < y < h + margin)
        for sprite, (x, y) in zip(sprites, pixels.tolist(), strict=True)
    ]


def _person(sprite: Sprite, look: Look | None) -> Person | None:
    if not isinstance(sprite, HandSprite):
        return None
    return look.person(sprite.person) if look is not None else _NOBODY


def _shares(labels: Labels, known: dict[int, tuple[Sprite, float]]) -> Shares:
    bins = 2 * len(known) + 3
    counts = cv2.calcHist([labels], [0], None, [bins], [0, bins]).ravel().tolist()
    shares = Shares({}, {}, {}, {}, {})
    for value, (sprite, whole) in known.items():
        share = round(min(1.0, counts[value] / whole), 3)
        if isinstance(sprite, CardSprite):
            shares.cards[sprite.id] = round(share * squeeze_of(sprite), 3)
        elif isinstance(sprite, ChipSprite):
            shares.chips[sprite.id] = share
        elif isinstance(sprite, HandSprite):
            shares.hands[sprite.id] = share
        elif isinstance(sprite, BillSprite):
            shares.bills[sprite.id] = share
        else:
            shares.props[sprite.id] = share
    return shares


def visibility(scene: Scene, camera: Camera, look: Look | None = None) -> Shares:
    """Visible shares of all cards, chips, hands, bills and props; what lies outside the picture does not show.

    A card that stands on edge while it is turned over shows little of its area, though nothing covers it.
    """
    return _shares(*_labelled(scene, camera, look))


@lru_cache(maxsize=1024)
def _quad(card: CardSprite, camera: Camera) -> Quad:
    a, b, c, d = ((round(x, 2), round(y, 2)) for x, y in camera.project(card_quad(card)).tolist())
    return (a, b, c, d)


def _card(card: CardSprite, camera: Camera, share: float) -> CardSeen:
    up = shown_face(card) == "up" and card.card.rank is not None and card.card.suit is not None
    return CardSeen(
        id=card.id,
        face="up" if up else "down",
        p=1.0,
        quad=_quad(card, camera),
        rank=cast("Rank", card.card.rank) if up else None,
        suit=cast("Suit", card.card.suit) if up else None,
        visible=share,
    )


@lru_cache(maxsize=64)
def _bill(bill: BillSprite, camera: Camera) -> BillSeen:
    corners = camera.project(lift(rectangle(BILL_MM, bill.xy, bill.angle), bill.z)).tolist()
    a, b, c, d = ((round(x, 2), round(y, 2)) for x, y in corners)
    return BillSeen(p=1.0, quad=(a, b, c, d), face=bill.face, cents=bill.cents)


@lru_cache(maxsize=1024)
def _chip(chip: ChipSprite, camera: Camera) -> ChipSeen:
    ring = chip_top(chip, camera)
    centre = camera.project([(chip.xy[0], chip.xy[1], chip.z + CHIP_THICKNESS_MM)])[0]
    radius = float(np.hypot(*(ring - centre).T).mean())
    return ChipSeen(
        id=chip.id,
        colour="other" if chip.coin else colour_of(chip.cents),
        p=1.0,
        center=(round(float(centre[0]), 2), round(float(centre[1]), 2)),
        radius=round(radius, 2),
        cents=chip.cents if chip.cents in CHIP_COLOURS else None,
    )


def _hand(
    hand: HandSprite, camera: Camera, person: Person, labels: Labels, value: int, *, pointed: bool
) -> HandSeen | None:
    h, w = labels.shape
    outline = hand_outline(gesture_of(hand), person.build)
    outline = np.column_stack([outline[:, 0], np.minimum(outline[:, 1], 4.0)])
    shape = camera.bent(transform(camera.homography(hand.z) @ hand_pose(hand), outline))
    low, high = np.maximum(shape.min(0), 0), np.minimum(shape.max(0), (w, h))
    if (high - low).min() < 3:
        return None
    box = (round(float(low[0]), 2), round(float(low[1]), 2), round(float(high[0]), 2), round(float(high[1]), 2))
    return HandSeen(
        id=hand.id,
        owner=hand.owner,
        side=hand.side,
        facing=hand.facing,
        p=1.0,
        box=box,
        fingers=fingers_of(hand),
        keypoints=_keypoints(hand, camera, person, labels, value) if pointed else None,
    )


def _keypoints(hand: HandSprite, camera: Camera, person: Person, labels: Labels, value: int) -> list[Keypoint]:
    h, w = labels.shape
    flat = landmarks(hand, person.scale)
    flat[:, 2] = hand.z
    keypoints: list[Keypoint] = []
    for (x, y), seen in zip(camera.project(flat).tolist(), hand_seen(gesture_of(hand), person.build), strict=True):
        inside = 0 <= x < w and 0 <= y < h
        shows = inside and seen and int(labels[int(y), int(x)]) in (value, value - 1)
        keypoints.append((round(x, 2), round(y, 2), 1.0 if shows else 0.5))
    return keypoints


def annotate(scene: Scene, camera: Camera, plan: TablePlan | None = None, look: Look | None = None) -> Observation:
    """Return the truth of the picture of `scene`: cards that show at all, chips whose top face shows, hands, bills.

    Pass the picture's `look` so that the hands' sizes are its people's. Cards carry their visible share; the shares of
    all sprites come from `visibility`, or with the truth from `annotate_shares`.
    """
    return annotate_shares(scene, camera, look)[0]


def annotate_shares(
    scene: Scene, camera: Camera, look: Look | None = None, *, keypoints: bool = True
) -> tuple[Observation, Shares]:
    """Return what `annotate` and `visibility` tell, at the price of one; hands without `keypoints` cost less."""
    labels, known = _labelled(scene, camera, look)
    shares = _shares(labels, known)
    cards = [_card(c, camera, shares.cards[c.id]) for c in scene.cards if shares.cards[c.id] >= _LEAST]
    chips = [_chip(c, camera) for c in scene.chips if shares.chips[c.id] >= CHIP_SHOWS]
    bills = [_bill(b, camera) for b in scene.bills if shares.bills[b.id] >= BILL_SHOWS]
    hands = []
    for value, (sprite, _) in known.items():
        if isinstance(sprite, HandSprite) and shares.hands[sprite.id] >= _LEAST:
            person = _person(sprite, look) or _NOBODY
            seen = _hand(sprite, camera, person, labels, value, pointed=keypoints)
            if seen is not None:
                hands.append(seen)
    truth = Observation(t=scene.t, frame=0, clock=scene.clock, cards=cards, chips=chips, hands=hands, bills=bills)
    return truth, shares
