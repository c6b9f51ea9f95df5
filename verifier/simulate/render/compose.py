"""Puts a scene together: cached table, then sprites from the lowest up with their shadows, then light and lens."""

from __future__ import annotations

import zlib

import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.simulate.render import effects
from verifier.simulate.render.camera import Camera
from verifier.simulate.render.felt import draw_table
from verifier.simulate.render.look import Look
from verifier.simulate.render.order import Sprite, draw_order
from verifier.simulate.render.sprites import SpritePainter
from verifier.simulate.scene import Scene
from verifier.simulate.table import TablePlan

Image = NDArray[np.uint8]


class Renderer:
    """Renders scenes at one table by one camera; keeps the empty table and the sprites that rest between frames."""

    def __init__(self, plan: TablePlan, look: Look, camera: Camera) -> None:
        self.plan, self.look, self.camera = plan, look, camera.pinhole()
        self.table = draw_table(plan, look, self.camera)
        self._lens = effects.lens_maps(camera) if camera.bend else None
        self.gain = effects.gains(look, camera.size)
        self.noise = effects.noise_tile(look, camera.size)
        self._sprites = SpritePainter(look, self.camera)
        self._rest: list[Sprite] = []
        self._rest_image = self.table
        self._last: list[Sprite] = []

    def render(self, scene: Scene) -> Image:
        """Return the picture of `scene` as (height, width, 3) BGR uint8; equal scenes give equal pictures."""
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

    def exposure(self, first: Scene, second: Scene) -> Image:
        """One picture of two instants, so that what moves is blurred; clock, noise and time are the second one's."""
        mean = cv2.addWeighted(self.paint(first), 0.5, self.paint(second), 0.5, 0.0)
        return self._develop(np.asarray(mean, dtype=np.uint8), second)

    def paint(self, scene: Scene) -> Image:
        """Return the scene before light and lens."""
        sprites = draw_order(scene)
        start = len(self._rest) if sprites[: len(self._rest)] == self._rest else 0
        image = self._rest_image.copy() if start else self.table.copy()
        same = next((i for i, (a, b) in enumerate(zip(sprites, self._last, strict=False)) if a != b), None)
        keep = min(len(sprites), len(self._last)) if same is None else same
        for index in range(start, len(sprites) + 1):
            if index == keep and index > start:
                self._rest, self._rest_image = sprites[:index], image.copy()
            if index < len(sprites):
                self._sprites.draw(image, sprites[index])
        self._last = sprites
        return image
