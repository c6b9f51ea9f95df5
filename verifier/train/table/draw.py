"""Draws a table's bodies under two lamps with their shadows, and tells which body each pixel shows (OpenGL)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from verifier.simulate.render.camera import Camera
from verifier.train.solid.draw import Lamps, Paint, clip, columns, depths, looking_from, opengl, shader
from verifier.train.table.bodies import Body, Packed, joined

if TYPE_CHECKING:
    from moderngl import Buffer, Framebuffer, Program, Texture, TextureArray

    Print: TypeAlias = Texture | TextureArray

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
SHADOW_SIDE: Final = 2048
SAMPLES: Final = 4
"""Samples of each pixel's edges."""
ATTRIBUTES: Final = ("position", "normal", "texel", "colour", "look", "rest", "rest_normal")


@dataclass(frozen=True)
class Stage:
    """All that is drawn: still bodies, arms with their paint, prints (n, h, w, 4) BGRA and the felt's picture (BGR)."""

    bodies: Sequence[Body | Packed]
    arms: Sequence[tuple[Body, Paint]]
    prints: Image
    felt: Image
    nap: float = 0.12


class TableDrawer:
    """An OpenGL context and its programs; one for each process, and for one thread."""

    def __init__(self) -> None:
        self._gl, self._context = opengl()
        vertex, ids = _source("table.vert"), _source("ids.frag")
        fragment = shader("skin") + _source("table.frag")
        self._scene = self._context.program(vertex_shader=vertex, fragment_shader=fragment)
        self._ids = self._context.program(vertex_shader=vertex, fragment_shader=ids)
        empty = "#version 330\nvoid main() {}\n"
        self._shadow = self._context.program(vertex_shader=shader("shadow.vert"), fragment_shader=empty)
        self._maps = [self._context.depth_texture((SHADOW_SIDE, SHADOW_SIDE)) for _ in range(2)]
        self._targets = [self._context.framebuffer(depth_attachment=one) for one in self._maps]
        for one in self._maps:
            one.compare_func = ""
        self._kept: dict[str, tuple[Image, Print]] = {}

    def draw(
        self, stage: Stage, camera: Camera, lamps: Lamps, middle: tuple[float, float], reach: float
    ) -> tuple[Image, NDArray[np.int32], Floats]:
        """Return the picture (BGR) by a pinhole camera, each pixel's number, and each pixel's depth in mm along the
        view.

        What lies within `reach` mm of `middle` casts shadows.
        """
        with self._uploaded(stage) as (still, arms):
            image = self._lit(stage, still, arms, camera, lamps, middle, reach)
            buffers = [still, *(buffer for buffer, _ in arms)]
            ids, far = self._numbers(buffers, camera.size, clip(camera.matrix, camera.size))
        return image, ids, far

    def picture(self, stage: Stage, camera: Camera, lamps: Lamps, middle: tuple[float, float], reach: float) -> Image:
        """Return the picture of `draw` alone."""
        with self._uploaded(stage) as (still, arms):
            return self._lit(stage, still, arms, camera, lamps, middle, reach)

    @contextmanager
    def _uploaded(self, stage: Stage) -> Iterator[tuple[Buffer, list[tuple[Buffer, Paint]]]]:
        """Give the buffers of the still bodies and of each arm; they are released afterwards."""
        still = self._context.buffer(joined(stage.bodies).tobytes())
        arms = [(self._context.buffer(arm.packed().tobytes()), paint) for arm, paint in stage.arms]
        try:
            yield still, arms
        finally:
            for buffer in (still, *(buffer for buffer, _ in arms)):
                buffer.release()

    def _lit(
        self,
        stage: Stage,
        still: Buffer,
        arms: Sequence[tuple[Buffer, Paint]],
        camera: Camera,
        lamps: Lamps,
        middle: tuple[float, float],
        reach: float,
    ) -> Image:
        lights = [_about(looking_from(way, reach), middle) for way in (lamps.toward, lamps.second)]
        for light, target in zip(lights, self._targets, strict=True):
            self._cast([still, *(buffer for buffer, _ in arms)], light, target)
        prints = self._keep("prints", stage.prints, self._prints)
        felt = self._keep("felt", stage.felt, self._felt)
        for place, texture in enumerate((prints, felt, *self._maps)):
            texture.use(place)
        return self._picture(still, arms, camera, clip(camera.matrix, camera.size), lights, lamps, reach, stage.nap)

    def alone(self, arm: Body, camera: Camera) -> NDArray[np.int32]:
        """Each pixel's number where nothing but one arm is."""
        buffer = self._context.buffer(arm.packed().tobytes())
        prints = self._prints(np.zeros((1, 4, 4, 4), np.uint8))
        prints.use(0)
        ids, _ = self._numbers([buffer], camera.size, clip(camera.matrix, camera.size))
        buffer.release()
        prints.release()
        return ids

    def _keep(self, name: str, picture: Image, upload: Callable[[Image], Print]) -> Print:
        """Return a picture's texture; the last one of each name is kept for the next drawing of the same picture."""
        known = self._kept.get(name)
        if known is None or known[0] is not picture:
            if known is not None:
                known[1].release()
            known = self._kept[name] = (picture, upload(picture))
        return known[1]

    def _felt(self, felt: Image) -> Texture:
        texture = self._context.texture(felt.shape[1::-1], 3, np.ascontiguousarray(felt).tobytes(), alignment=1)
        texture.build_mipmaps()
        return texture

    def _prints(self, prints: Image) -> TextureArray:
        count, h, w, _ = prints.shape
        texture = self._context.texture_array((w, h, count), 4, np.ascontiguousarray(prints).tobytes())
        texture.build_mipmaps()
        return texture

    def _cast(self, buffers: Sequence[Buffer], light: Floats, target: Framebuffer) -> None:
        target.use()
        target.clear(depth=1.0)
        self._context.enable(self._gl.DEPTH_TEST)
        self._shadow["light"].write(columns(light))
        for buffer in buffers:
            array = self._context.vertex_array(self._shadow, [(buffer, "3f 72x", "position")])
            array.render()
            array.release()

    def _picture(
        self,
        still: Buffer,
        arms: Sequence[tuple[Buffer, Paint]],
        camera: Camera,
        view: Floats,
        lights: Sequence[Floats],
        lamps: Lamps,
        reach: float,
        nap: float,
    ) -> Image:
        size, context = camera.size, self._context
        many = context.renderbuffer(size, 4, samples=SAMPLES), context.depth_renderbuffer(size, samples=SAMPLES)
        target = self._context.framebuffer(*many)
        target.use()
        self._context.enable(self._gl.DEPTH_TEST)
        self._context.disable(self._gl.CULL_FACE)
        target.clear(0.04, 0.04, 0.05, 1.0)
        told: dict[str, float | tuple[float, ...]] = {
            "prints": 0, "felt": 1, "shadows": 2, "shadows_two": 3, "eye": tuple(camera.position),
            "toward": tuple(lamps.toward), "strength": lamps.strength, "second": tuple(lamps.second),
            "second_strength": lamps.second_strength, "around": lamps.around, "tint": tuple(lamps.tint),
            "soft": lamps.soft, "reach": reach, "texel_mm": 2 * reach / SHADOW_SIDE, "nap": nap,
        }  # fmt: skip
        for name, value in told.items():
            self._scene[name].value = value
        for name, matrix in (("light", lights[0]), ("light_two", lights[1]), ("view", view)):
            self._scene[name].write(columns(matrix))
        for buffer, paint in [(still, Paint(np.zeros((21, 3)))), *arms]:
            for name in ("creases", "knuckles", "mottle", "palm_lighter", "seed"):
                self._scene[name].value = getattr(paint, name)
            self._scene["joints"].write(paint.joints[:21].astype(np.float32).tobytes())
            self._render(self._scene, buffer)
        surface = self._context.renderbuffer(size, 4)
        plain = self._context.framebuffer(surface)
        self._context.copy_framebuffer(plain, target)
        drawn = np.frombuffer(plain.read(components=3, alignment=1), np.uint8).reshape(size[1], size[0], 3)
        for thing in (plain, surface, target, *many):
            thing.release()
        return np.ascontiguousarray(drawn[::-1])

    def _numbers(
        self, buffers: Sequence[Buffer], size: tuple[int, int], view: Floats
    ) -> tuple[NDArray[np.int32], Floats]:
        surfaces = self._context.renderbuffer(size, 4), self._context.depth_renderbuffer(size)
        target = self._context.framebuffer(*surfaces)
        target.use()
        self._context.enable(self._gl.DEPTH_TEST)
        self._context.disable(self._gl.CULL_FACE)
        target.clear(0.0, 0.0, 0.0, 1.0)
        self._ids["view"].write(columns(view))
        for buffer in buffers:
            self._render(self._ids, buffer)
        drawn = np.frombuffer(target.read(components=3, alignment=1), np.uint8).reshape(size[1], size[0], 3)
        raw = np.frombuffer(target.read(components=1, attachment=-1, dtype="f4", alignment=1), np.float32)
        for thing in (target, *surfaces):
            thing.release()
        ids = drawn[::-1, :, 0].astype(np.int32) + 256 * drawn[::-1, :, 1].astype(np.int32)
        return ids, depths(raw.reshape(size[1], size[0])[::-1].astype(np.float64))

    def _render(self, program: Program, buffer: Buffer) -> None:
        names = [name for name in ATTRIBUTES if name in program]
        layout = " ".join("3f" if name in names else "12x" for name in ATTRIBUTES)
        array = self._context.vertex_array(program, [(buffer, layout, *names)])
        array.render()
        array.release()


def _about(light: Floats, middle: tuple[float, float]) -> Floats:
    """Return a lamp's projection, its middle moved from the origin to `middle`."""
    moved = np.eye(4)
    moved[:2, 3] = -np.asarray(middle)
    return np.asarray(light @ moved)


def _source(name: str) -> str:
    return resources.files(__package__).joinpath(f"{name}.glsl").read_text(encoding="utf-8")
