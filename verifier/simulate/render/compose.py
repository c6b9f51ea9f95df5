"""Puts a scene together: cached table, then sprites from the lowest up with their shadows, then light and lens."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.simulate.render import effects
from verifier.simulate.render.arms import ARM_MM, arm_texture
from verifier.simulate.render.backs import back_texture
from verifier.simulate.render.camera import Camera
from verifier.simulate.render.cards import face_texture
from verifier.simulate.render.chips import RADIUS, chip_shadow, chip_style, chip_texture, stripes
from verifier.simulate.render.felt import draw_table
from verifier.simulate.render.look import Look, shaded
from verifier.simulate.render.order import (
    CIRCLE,
    Sprite,
    arm_pose,
    draw_order,
    hand_pose,
    lift,
    outlines,
    prop_base,
    rounded_curls,
    shown_face,
    spread_of,
    squeeze_of,
    top_of,
)
from verifier.simulate.render.props import bill_texture, prop_colour, prop_height, prop_texture
from verifier.simulate.render.skin import hand_textures
from verifier.simulate.render.stock import card_shadow, worn
from verifier.simulate.render.warp import Texture, fill, level_for, paste, pose
from verifier.simulate.scene import BillSprite, CardSprite, ChipSprite, HandSprite, PropSprite, Scene
from verifier.simulate.table import CHIP_THICKNESS_MM, TablePlan

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
_REACH: Final[dict[type, float]] = {CardSprite: 80.0, ChipSprite: 50.0, BillSprite: 100.0, HandSprite: 260.0}
_HAND_DETAIL: Final = 1.4
"""Pixels per millimetre at which hands are drawn at most: skin is smooth, and their textures cost the most."""
_NEAR: Final = 0.35
"""Pixels of parallax below which a chip's wall is not drawn."""


class Renderer:
    """Renders scenes at one table by one camera; keeps the empty table and the sprites that rest between frames."""

    def __init__(self, plan: TablePlan, look: Look, camera: Camera) -> None:
        self.plan, self.look, self.camera = plan, look, camera.pinhole()
        self.table = draw_table(plan, look, self.camera)
        self._lens = effects.lens_maps(camera) if camera.bend else None
        self.gain = np.clip(effects.light_map(look, camera.size) * 128.0, 0, 255).astype(np.uint8)
        self.noise = effects.noise_tile(look, camera.size)
        self._rest: list[Sprite] = []
        self._rest_image = self.table
        self._last: list[Sprite] = []

    def render(self, scene: Scene) -> Image:
        """The picture of `scene` as (height, width, 3) BGR uint8; equal scenes give equal pictures."""
        return self._develop(self.paint(scene), scene)

    def _develop(self, image: Image, scene: Scene) -> Image:
        if self._lens is not None:
            image = np.asarray(
                cv2.remap(image, *self._lens, interpolation=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8
            )
        image = effects.apply_light(image, self.gain)
        rng = np.random.default_rng([self.look.seed, zlib.crc32(repr(scene.t).encode())])
        image = effects.finish(image, self.look, rng, self.noise)
        if scene.clock is not None:
            effects.burn_clock(image, scene.clock, self.look.clock_style)
        return image

    def exposure(self, scenes: Sequence[Scene]) -> Image:
        """One picture of several instants, so that what moves is blurred; clock, noise and time are the last one's."""
        total = np.zeros((*self.table.shape,), np.float32)
        for scene in scenes:
            cv2.accumulate(self.paint(scene), total)
        mean = np.asarray(total / len(scenes) + 0.5, dtype=np.uint8)
        return self._develop(mean, scenes[-1])

    def paint(self, scene: Scene) -> Image:
        """The scene before light and lens."""
        sprites = draw_order(scene)
        start = len(self._rest) if sprites[: len(self._rest)] == self._rest else 0
        image = self._rest_image.copy() if start else self.table.copy()
        same = next((i for i, (a, b) in enumerate(zip(sprites, self._last, strict=False)) if a != b), None)
        keep = min(len(sprites), len(self._last)) if same is None else same
        for index in range(start, len(sprites) + 1):
            if index == keep and index > start:
                self._rest, self._rest_image = sprites[:index], image.copy()
            if index < len(sprites):
                self._draw(image, sprites[index])
        self._last = sprites
        return image

    def _near(self, sprite: Sprite) -> bool:
        """Whether a sprite could show in the picture at all (its shadow and forearm included)."""
        reach, points = _REACH.get(type(sprite), 300.0), [(*sprite.xy, top_of(sprite))]
        if isinstance(sprite, PropSprite):
            reach = max(sprite.size) + 120.0
        if isinstance(sprite, HandSprite):
            (x0, y0), (x1, y1) = sprite.xy, sprite.elbow
            points += [(x0 + (x1 - x0) * share, y0 + (y1 - y0) * share, sprite.z) for share in (0.33, 0.67, 1.0)]
        pixels = self.camera.project(points)
        margin = reach * self._level(0.0) * 1.2
        size = np.array(self.camera.size)
        return bool(((pixels > -margin) & (pixels < size + margin)).all(1).any())

    def _draw(self, image: Image, sprite: Sprite) -> None:
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
            paste(image, _glare(scale, card.id % 4), plane, shine)

    def _shine(self, xy: tuple[float, float], salt: int) -> float:
        """How strongly a card at `xy` mirrors the lamp, 0..1."""
        lamp = (-self.look.light[0] * 900.0, -self.look.light[1] * 600.0)
        near = float(np.exp(-((xy[0] - lamp[0]) ** 2 + (xy[1] - lamp[1]) ** 2) / 180000.0))
        return near * (0.6 + 0.4 * ((salt * 2654435761) % 97) / 97)

    def _chip(self, image: Image, chip: ChipSprite) -> None:
        style = chip_style(chip.cents, self.look.maker)
        scale = self._level(chip.z)
        shade = chip_shadow(scale, self._soft(chip.z))
        paste(
            image,
            shade,
            self.camera.homography() @ pose(self._drop(chip.xy, chip.z + 2.0), 0.0),
            self.look.shadow * 0.8 / (1.0 + chip.z / 5.0),
        )
        top = chip.z + CHIP_THICKNESS_MM
        circle = CIRCLE * RADIUS + chip.xy
        low, high = self.camera.project(lift(circle, chip.z)), self.camera.project(lift(circle, top))
        if float(np.abs(high - low).max()) > _NEAR:
            hull = cv2.convexHull(np.vstack([low, high]).astype(np.float32)).reshape(-1, 2)
            fill(image, np.asarray(hull, dtype=np.float64), shaded(style.body, 0.62))
            self._wall(image, chip, top)
        matrix = self.camera.homography(top) @ pose(chip.xy, chip.angle)
        paste(image, chip_texture(chip.cents, self.look.maker, scale), matrix)

    def _wall(self, image: Image, chip: ChipSprite, top: float) -> None:
        style = chip_style(chip.cents, self.look.maker)
        eye = self.camera.position[:2] - np.array(chip.xy)
        spans = np.array(stripes(style))
        if not len(spans):
            return
        turn = np.radians(spans + chip.angle)
        rim = np.stack([np.cos(turn), np.sin(turn)], -1)
        rim = rim[rim.mean(1) @ eye > 0]
        ring = (rim * RADIUS + chip.xy).reshape(-1, 2)
        low = self.camera.project(lift(ring, chip.z)).reshape(-1, 2, 2)
        high = self.camera.project(lift(ring, top)).reshape(-1, 2, 2)
        for first, second in zip(low, high, strict=True):
            fill(image, np.vstack([first, second[::-1]]), shaded(style.spot, 0.75))

    def _bill(self, image: Image, bill: BillSprite) -> None:
        scale = self._level(bill.z)
        matrix = self.camera.homography(bill.z) @ pose(bill.xy, bill.angle)
        paste(image, bill_texture(bill.cents, bill.face, scale), matrix)

    def _prop(self, image: Image, prop: PropSprite) -> None:
        height = prop_height(prop.kind)
        scale = self._level(prop.z + height)
        base = prop_base(prop)
        shift = np.array(self._drop((0.0, 0.0), prop.z + height * 0.6))
        shade = self.camera.project(lift(base + shift, 0.0))
        _darken(image, shade, self.look.shadow * 0.8)
        colour = prop_colour(prop.kind, prop.seed)
        if prop.kind != "keys":
            fill(image, outlines(prop, self.camera)[0], shaded(colour, 0.6))
        size = (round(prop.size[0]), round(prop.size[1]))
        texture = prop_texture(prop.kind, (float(size[0]), float(size[1])), prop.seed, self.look.back, scale)
        paste(image, texture, self.camera.homography(prop.z + height) @ pose(prop.xy, prop.angle))

    def _hand(self, image: Image, hand: HandSprite) -> None:
        person = self.look.person(hand.person)
        scale = min(_HAND_DETAIL, self._level(hand.z))
        texture, shade = hand_textures(hand.side, hand.facing, rounded_curls(hand), spread_of(hand), person, scale)
        arm_at, length = arm_pose(hand)
        arm_scale = min(1.0, scale)
        arm = arm_texture(person, arm_scale)
        rows = min(arm.pixels.shape[0], max(2, round((min(length, ARM_MM) + 10) * arm_scale)))
        arm = Texture(arm.pixels[:rows], arm.to_mm)
        plane, ground = self.camera.homography(hand.z), self.camera.homography()
        fall = self._drop((0.0, 0.0), max(0.0, hand.z - 10.0))
        moved = np.array([[1, 0, fall[0]], [0, 1, fall[1]], [0, 0, 1.0]])
        paste(image, shade, ground @ moved @ hand_pose(hand), self.look.shadow)
        paste(image, _black(arm), ground @ moved @ arm_at, self.look.shadow * 0.7)
        paste(image, arm, plane @ arm_at)
        paste(image, texture, plane @ hand_pose(hand))


def _black(texture: Texture) -> Texture:
    out = np.zeros_like(texture.pixels)
    out[..., 3] = texture.pixels[..., 3]
    return Texture(out, texture.to_mm)


def _darken(image: Image, polygon: Floats, strength: float) -> None:
    """A soft dark patch under a prop."""
    low = np.maximum(np.floor(polygon.min(0)).astype(int) - 6, 0)
    high = np.minimum(np.ceil(polygon.max(0)).astype(int) + 7, image.shape[1::-1])
    if (high <= low).any():
        return
    mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
    fill(mask, polygon - low, (255.0,))
    mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), 2.5), dtype=np.uint8)
    part = image[low[1] : high[1], low[0] : high[0]]
    clear = np.asarray(255.0 - mask[..., None] * strength, dtype=np.float32)
    part[...] = (part * (clear / 255.0)).astype(np.uint8)


@lru_cache(maxsize=64)
def _glare(scale: float, kind: int) -> Texture:
    """A white sheen that fades over a card."""
    w, h = round(61 * scale), round(86 * scale)
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    u, v = x / w - 0.5, y / h - 0.5
    turn = kind * 0.8 + 0.3
    band = np.exp(-((u * np.cos(turn) + v * np.sin(turn)) ** 2) / 0.06)
    cover = (band * 200).astype(np.uint8)
    return Texture.centred(np.dstack([cover] * 4), scale)
