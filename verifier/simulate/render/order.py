"""The order in which a scene is drawn and the outlines of its sprites, shared by the renderer and the truth."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.simulate.render import chips, coins
from verifier.simulate.render.arms import arm_half_width
from verifier.simulate.render.camera import Camera
from verifier.simulate.render.hands import SPREAD, curls_of
from verifier.simulate.render.notes import BILL_MM
from verifier.simulate.render.people import Person
from verifier.simulate.render.props import ROUND, kind_of, prop_height
from verifier.simulate.render.volume import Gesture, hand_outline
from verifier.simulate.render.warp import pose, transform
from verifier.simulate.scene import BillSprite, CardSprite, ChipSprite, HandSprite, PropSprite, Scene
from verifier.simulate.table import CARD_MM, CHIP_THICKNESS_MM

Floats = NDArray[np.float64]
Sprite = CardSprite | ChipSprite | BillSprite | HandSprite | PropSprite
_TURN: Final = np.radians(np.arange(24) * 15.0)
CIRCLE: Final = np.stack([np.cos(_TURN), np.sin(_TURN)], 1)


def top_of(sprite: Sprite) -> float:
    """Height of a sprite's upper side, millimetres: what decides who covers whom."""
    if isinstance(sprite, ChipSprite):
        return sprite.z + CHIP_THICKNESS_MM
    if isinstance(sprite, PropSprite):
        return sprite.z + prop_height(sprite.kind)
    return sprite.z


def radius_of(chip: ChipSprite) -> float:
    """Of a chip or coin, millimetres."""
    return coins.RADIUS if chip.coin else chips.RADIUS


def draw_order(scene: Scene) -> list[Sprite]:
    """All sprites, the lowest first; at equal height bills, cards, chips, props, hands, each in the scene's order."""
    sprites: list[Sprite] = [*scene.bills, *scene.cards, *scene.chips, *scene.props, *scene.hands]
    return sorted(sprites, key=top_of)


def squeeze_of(card: CardSprite) -> float:
    """Share of its width that a card being turned shows."""
    return max(0.03, abs(float(np.cos(np.pi * card.turn))))


def shown_face(card: CardSprite) -> str:
    """Return the side of a card that the camera sees, half turned cards included."""
    if card.turn < 0.5:
        return card.face
    return "down" if card.face == "up" else "up"


def rectangle(size: tuple[float, float], xy: tuple[float, float], angle: float, squeeze: float = 1.0) -> Floats:
    """(4, 2) corners clockwise from the upper left in the sprite's upright orientation, table millimetres."""
    w, h = size[0] / 2, size[1] / 2
    return transform(pose(xy, angle, (squeeze, 1.0)), np.array([(-w, -h), (w, -h), (w, h), (-w, h)]))


def lift(points: Floats, z: float) -> Floats:
    """(N, 2) to (N, 3) at height `z`."""
    out = np.empty((len(points), 3))
    out[:, :2], out[:, 2] = points, z
    return out


def card_quad(card: CardSprite) -> Floats:
    """(4, 3) corners of a card in the table frame."""
    return lift(rectangle(CARD_MM, card.xy, card.angle, squeeze_of(card)), card.z)


def hand_pose(hand: HandSprite) -> Floats:
    """(3, 3) from the hand's own millimetres (fingers up) to the table's."""
    return pose(hand.xy, hand.angle)


def arm_pose(hand: HandSprite) -> tuple[Floats, float]:
    """(3, 3) from the forearm's own millimetres (hanging down from the wrist) to the table's, and its length."""
    dx, dy = hand.elbow[0] - hand.xy[0], hand.elbow[1] - hand.xy[1]
    return pose(hand.xy, float(np.degrees(np.arctan2(-dx, dy)))), float(np.hypot(dx, dy))


@lru_cache(maxsize=256)
def _arm_outline(length: float, person: Person) -> Floats:
    along = np.array([0.0, min(40.0, length), min(person.sleeve_from, length), min(260.0, length), length])
    along.sort()
    half = np.array([arm_half_width(float(v), person) for v in along])
    return np.vstack([np.stack([-half, along], 1), np.stack([half, along], 1)[::-1]])


def spread_of(hand: HandSprite) -> float:
    """Return the hand's own spread, else its shape's, in steps of 0.05 so that textures are shared."""
    value = hand.spread if hand.spread is not None else SPREAD[hand.shape]
    return round(round(value * 20) / 20, 2)


def rounded_curls(hand: HandSprite) -> tuple[float, float, float, float, float]:
    """Return the curls in steps of 0.04, so that textures are shared between frames."""
    a, b, c, d, e = (round(round(v * 25) / 25, 2) for v in curls_of(hand))
    return a, b, c, d, e


def gesture_of(hand: HandSprite) -> Gesture:
    """Return what a hand does, its curls and spread rounded so that textures are shared."""
    return hand.side, hand.facing, rounded_curls(hand), spread_of(hand)


def outlines(sprite: Sprite, camera: Camera, person: Person | None = None) -> list[Floats]:
    """Polygons in pixels that a sprite covers; a hand needs its `person`."""
    if isinstance(sprite, CardSprite):
        return [camera.project(card_quad(sprite))]
    if isinstance(sprite, BillSprite):
        return [camera.project(lift(rectangle(BILL_MM, sprite.xy, sprite.angle), sprite.z))]
    if isinstance(sprite, ChipSprite):
        return [_hull(camera, CIRCLE * radius_of(sprite) + sprite.xy, sprite.z, sprite.z + CHIP_THICKNESS_MM)]
    if isinstance(sprite, PropSprite):
        return [_hull(camera, prop_base(sprite), sprite.z, sprite.z + prop_height(sprite.kind))]
    if person is None:
        raise ValueError("a hand's outline needs its person")
    whole = camera.homography(sprite.z)
    shape = hand_outline(gesture_of(sprite), person.build)
    arm, length = arm_pose(sprite)
    parts = transform(whole @ arm, _arm_outline(round(length), person)), transform(whole @ hand_pose(sprite), shape)
    return [camera.bent(part) for part in parts]


def prop_base(prop: PropSprite) -> Floats:
    """(N, 2) outline of a prop on its ground, table millimetres."""
    if kind_of(prop.kind) in ROUND:
        return transform(pose(prop.xy, prop.angle, (prop.size[0] / 2, prop.size[1] / 2)), CIRCLE)
    return rectangle(prop.size, prop.xy, prop.angle)


def _hull(camera: Camera, base: Floats, z0: float, z1: float) -> Floats:
    both = np.vstack([camera.project(lift(base, z0)), camera.project(lift(base, z1))])
    return np.asarray(cv2.convexHull(both.astype(np.float32)).reshape(-1, 2), dtype=np.float64)
