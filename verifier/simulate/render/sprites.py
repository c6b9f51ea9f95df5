"""Draws each kind of sprite with its shadow: cards, chips, bank notes, props and hands with their forearms."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.simulate.render.arms import ARM_MM, forearm
from verifier.simulate.render.backs import back_texture
from verifier.simulate.render.camera import Camera
from verifier.simulate.render.cards import face_texture
from verifier.simulate.render.chips import chip_shadow, chip_style, chip_texture, stripes
from verifier.simulate.render.coins import coin_metal, coin_texture
from verifier.simulate.render.colours import shaded
from verifier.simulate.render.look import Look
from verifier.simulate.render.notes import bill_texture
from verifier.simulate.render.order import (
    CIRCLE,
    Sprite,
    arm_pose,
    gesture_of,
    hand_pose,
    lift,
    outlines,
    prop_base,
    radius_of,
    shown_face,
    squeeze_of,
    top_of,
)
from verifier.simulate.render.people import Person
from verifier.simulate.render.props import prop_colour, prop_height, prop_texture
from verifier.simulate.render.skin import hand_frame, hand_shadow, hand_texture
from verifier.simulate.render.stock import card_shadow, glare, worn
from verifier.simulate.render.warp import Box, covered, darken, fill, lay, level_for, paste, pose
from verifier.simulate.scene import BillSprite, CardSprite, ChipSprite, HandSprite, PropSprite
from verifier.simulate.table import CHIP_THICKNESS_MM

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
_REACH: Final[dict[type, float]] = {CardSprite: 80.0, ChipSprite: 50.0, BillSprite: 100.0, HandSprite: 260.0}
_HAND_DETAIL: Final = 1.4
"""Pixels per millimetre at which hands are drawn at most: skin is smooth, and their textures cost the most."""
_NEAR: Final = 0.35
"""Pixels of parallax below which a chip's wall is not drawn."""


class SpritePainter:
    """Draws sprites on pictures of one table by one pinhole camera."""

    def __init__(self, look: Look, camera: Camera) -> None:
        self.look, self.camera = look, camera
        self._ground_level = self._level(0.0)

    def draw(self, image: Image, sprite: Sprite) -> None:
        """Draw a sprite with its shadow over `image`, in place; one that lies outside costs little."""
        if not self._near(sprite):
            return
        if isinstance(sprite, CardSprite):
            self._card(image, sprite)
        elif isinstance(sprite, ChipSprite):
            self._chip(image, sprite)
        elif isinstance(sprite, BillSprite):
            self._bill(image, sprite)
        elif isinstance(sprite, PropSprite):
            self._prop(image, sprite)
        else:
            self._hand(image, sprite)

    def _near(self, sprite: Sprite) -> bool:
        """Tell whether a sprite could show in the picture at all (its shadow and forearm included)."""
        reach, points = _REACH.get(type(sprite), 300.0), [(*sprite.xy, top_of(sprite))]
        if isinstance(sprite, PropSprite):
            reach = max(sprite.size) + 120.0
        if isinstance(sprite, HandSprite):
            (x0, y0), (x1, y1) = sprite.xy, sprite.elbow
            points += [(x0 + (x1 - x0) * share, y0 + (y1 - y0) * share, sprite.z) for share in (0.33, 0.67, 1.0)]
        pixels = self.camera.project(points)
        margin = reach * self._ground_level * 1.2
        w, h = self.camera.size
        return any(-margin < x < w + margin and -margin < y < h + margin for x, y in pixels.tolist())

    def _level(self, z: float) -> float:
        return level_for(self.camera.pixels_per_mm * self.camera.height / max(200.0, self.camera.height - z))

    def _drop(self, xy: tuple[float, float], z: float) -> tuple[float, float]:
        """Where the shadow of something at height `z` falls: away from the lamp."""
        reach = 0.8 + z * 0.55
        return xy[0] + self.look.light[0] * reach, xy[1] + self.look.light[1] * reach

    def _soft(self, z: float) -> float:
        return 1.2 if z < 4 else (4.0 if z < 20 else 9.0)

    def _card(self, image: Image, card: CardSprite) -> None:
        scale = self._level(card.z)
        squeeze = squeeze_of(card)
        ground = self.camera.homography(0.0)
        shade = card_shadow(scale, self._soft(card.z))
        strength = self.look.shadow * (1.0 if card.z < 20 else 0.6)
        paste(image, shade, ground @ pose(self._drop(card.xy, card.z), card.angle, (squeeze, 1.0)), strength)
        plane = self.camera.homography(card.z) @ pose(card.xy, card.angle, (squeeze, 1.0))
        if shown_face(card) == "up" and card.card.rank and card.card.suit:
            texture = face_texture(self.look.deck, card.card.rank, card.card.suit, scale)
        else:
            texture = back_texture(self.look.back, scale)
        paste(image, texture, plane)
        if self.look.wild and card.id % 3 == 0:
            paste(image, worn(scale, card.id // 3 % 8), plane, 0.25 + (card.id * 0.37) % 0.6)
        shine = self.look.glare * self._shine(card.xy, card.id)
        if shine > 0.04:
            paste(image, glare(scale, card.id % 4), plane, shine)

    def _shine(self, xy: tuple[float, float], salt: int) -> float:
        """How strongly a card at `xy` mirrors the lamp, 0..1."""
        lamp = (-self.look.light[0] * 900.0, -self.look.light[1] * 600.0)
        near = float(np.exp(-((xy[0] - lamp[0]) ** 2 + (xy[1] - lamp[1]) ** 2) / 180000.0))
        return near * (0.6 + 0.4 * ((salt * 2654435761) % 97) / 97)

    def _chip(self, image: Image, chip: ChipSprite) -> None:
        maker, scale = self.look.maker, self._level(chip.z)
        shade = chip_shadow(scale, self._soft(chip.z), radius_of(chip))
        paste(
            image,
            shade,
            self.camera.homography() @ pose(self._drop(chip.xy, chip.z + 2.0), 0.0),
            self.look.shadow * 0.8 / (1.0 + chip.z / 5.0),
        )
        top = chip.z + CHIP_THICKNESS_MM
        circle = CIRCLE * radius_of(chip) + chip.xy
        low, high = self.camera.project(lift(circle, chip.z)), self.camera.project(lift(circle, top))
        if float(np.abs(high - low).max()) > _NEAR:
            hull = cv2.convexHull(np.vstack([low, high]).astype(np.float32)).reshape(-1, 2)
            body = coin_metal(maker) if chip.coin else chip_style(chip.cents, maker).body
            fill(image, np.asarray(hull, dtype=np.float64), shaded(body, 0.62))
            self._wall(image, chip, top)
        matrix = self.camera.homography(top) @ pose(chip.xy, chip.angle)
        paste(image, coin_texture(maker, scale) if chip.coin else chip_texture(chip.cents, maker, scale), matrix)

    def _wall(self, image: Image, chip: ChipSprite, top: float) -> None:
        style = chip_style(chip.cents, self.look.maker)
        eye = self.camera.position[:2] - np.array(chip.xy)
        spans = np.array(stripes(style))
        if chip.coin or not len(spans):
            return
        turn = np.radians(spans + chip.angle)
        rim = np.stack([np.cos(turn), np.sin(turn)], -1)
        rim = rim[rim.mean(1) @ eye > 0]
        ring = (rim * radius_of(chip) + chip.xy).reshape(-1, 2)
        low = self.camera.project(lift(ring, chip.z)).reshape(-1, 2, 2)
        high = self.camera.project(lift(ring, top)).reshape(-1, 2, 2)
        for first, second in zip(low, high, strict=True):
            fill(image, np.vstack([first, second[::-1]]), shaded(style.spot, 0.75))

    def _bill(self, image: Image, bill: BillSprite) -> None:
        scale = self._level(bill.z)
        matrix = self.camera.homography(bill.z) @ pose(bill.xy, bill.angle)
        paste(image, bill_texture(bill.cents, bill.face, scale, bill.design), matrix)

    def _prop(self, image: Image, prop: PropSprite) -> None:
        height = prop_height(prop.kind)
        scale = self._level(prop.z + height)
        base = prop_base(prop)
        shift = np.array(self._drop((0.0, 0.0), prop.z + height * 0.6))
        shade = self.camera.project(lift(base + shift, 0.0))
        darken(image, shade, self.look.shadow * 0.8)
        colour = prop_colour(prop.kind, prop.seed)
        if prop.kind != "keys":
            fill(image, outlines(prop, self.camera)[0], shaded(colour, 0.6))
        size = (round(prop.size[0]), round(prop.size[1]))
        texture = prop_texture(prop.kind, (float(size[0]), float(size[1])), prop.seed, self.look.back, scale)
        paste(image, texture, self.camera.homography(prop.z + height) @ pose(prop.xy, prop.angle))

    def _hand(self, image: Image, hand: HandSprite) -> None:
        fall = self._drop((0.0, 0.0), max(0.0, hand.z - 10.0))
        moved = np.array([[1, 0, fall[0]], [0, 1, fall[1]], [0, 0, 1.0]])
        plane, ground = self.camera.homography(hand.z), self.camera.homography() @ moved
        person, gesture = self.look.person(hand.person), gesture_of(hand)
        scale = min(_HAND_DETAIL, self._level(hand.z))
        size, to_mm = hand_frame(scale)
        if covered(ground @ hand_pose(hand) @ to_mm, size, self.camera.size):
            shade = hand_shadow(gesture, person.build, scale)
            paste(image, shade, ground @ hand_pose(hand), self.look.shadow)
        self._arm(image, hand, person, (ground, plane), min(1.0, scale))
        if covered(plane @ hand_pose(hand) @ to_mm, size, self.camera.size):
            paste(image, hand_texture(gesture, person, scale), plane @ hand_pose(hand))

    def _arm(self, image: Image, hand: HandSprite, person: Person, planes: tuple[Floats, Floats], scale: float) -> None:
        """Draw the forearm's shadow on the first of two planes, and the forearm on the second."""
        arm_at, length = arm_pose(hand)
        arm = forearm(person, scale)
        rows = min(arm.size[1], max(2, round((min(length, ARM_MM) + 10) * scale)))
        size = (arm.size[0], rows)
        for plane, opacity in zip(planes, (self.look.shadow * 0.7, 1.0), strict=True):
            whole = plane @ arm_at @ arm.to_mm
            box = covered(whole, size, self.camera.size)
            if box is None:
                continue
            pixels = arm.cover[:rows] if opacity < 1.0 else arm.pixels(_rows_in(box, whole, rows))[:rows]
            lay(image, pixels, whole, box, opacity)


def _rows_in(box: Box, whole: Floats, rows: int) -> int:
    """How many of a texture's first `rows` rows can show in the pixels `box`; `whole` maps its pixels to them."""
    x0, y0, x1, y1 = box
    corners = np.array([(x, y, 1.0) for x in (x0 - 1, x1) for y in (y0 - 1, y1)]) @ np.linalg.inv(whole).T
    if (corners[:, 2] > 0).all() or (corners[:, 2] < 0).all():
        return min(rows, max(1, int(np.ceil((corners[:, 1] / corners[:, 2]).max())) + 3))
    return rows
