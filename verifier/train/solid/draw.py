"""Draws triangle meshes with lamps and their shadows, by OpenGL without a window (moderngl; Mesa needs no GPU).

Frame of a drawn scene: millimetres, `x` right and `y` down in the picture, `z` up from the ground to the camera.
"""

from __future__ import annotations

from ctypes.util import find_library
from dataclasses import dataclass, field
from importlib import resources
from types import ModuleType
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.domain.errors import BadInput

if TYPE_CHECKING:
    from moderngl import Buffer, Context

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
SHADOW_SIDE: Final = 512
"""Pixels of a side of the shadow map."""
FINER, FINER_TO = 2, 260
"""Pictures of up to so many pixels a side are drawn so many times as large, and made smaller."""
ATTRIBUTES: Final = ("position", "normal", "rest", "rest_normal", "colour", "kind")
WIDTHS: Final = (3, 3, 3, 3, 3, 1)
SKIN, CLOTH, GROUND, PLAIN = 0.0, 1.0, 2.0, 3.0
"""What a vertex is of. The ground takes its colour from the picture that is laid on it."""


@dataclass(frozen=True)
class Mesh:
    """Triangles (m, 3) of vertices (n, 3); of a `kind` and a `colour` (BGR, 0..1); `rest` is where paint is fixed."""

    vertices: Floats
    triangles: NDArray[np.int64]
    colour: Floats
    kind: Floats
    rest: Floats
    rest_normals: Floats

    def packed(self) -> NDArray[np.float32]:
        """(3 m, 16) attributes of the triangles' corners."""
        rows = np.concatenate(
            [
                self.vertices,
                normals(self.vertices, self.triangles),
                self.rest,
                self.rest_normals,
                self.colour,
                self.kind[:, None],
            ],
            axis=1,
        )
        return rows[self.triangles.ravel()].astype(np.float32)


@dataclass(frozen=True)
class Lamps:
    """One lamp that casts a shadow, a second without, and light from all round.

    `toward` (3,) and `second` (3,) are unit vectors to the lamps.
    Strengths are 0..1; `soft` is how far the shadow's edge is blurred, in pixels of the shadow map.
    """

    toward: Floats
    strength: float
    second: Floats
    second_strength: float
    around: float
    tint: Floats = field(default_factory=lambda: np.ones(3))
    soft: float = 1.5
    gloss: float = 0.2


@dataclass(frozen=True)
class Paint:
    """What fragments of skin show: joints' places at rest (21, 3), and strengths of creases, veins and spots."""

    joints: Floats
    creases: float = 0.35
    knuckles: float = 0.25
    mottle: float = 0.08
    palm_lighter: float = 0.2
    seed: float = 0.0


def normals(vertices: Floats, triangles: NDArray[np.int64]) -> Floats:
    """(n, 3) unit normals of the vertices, the mean of their triangles' by area."""
    corners = vertices[triangles]
    faces = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    out = np.zeros_like(vertices)
    for i in range(3):
        np.add.at(out, triangles[:, i], faces)
    return np.asarray(out / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-9))


def opengl() -> tuple[ModuleType, Context]:
    """moderngl and a new context without a window; raises BadInput where the package or the system's EGL is missing."""
    try:
        import moderngl
    except ModuleNotFoundError as error:
        raise BadInput("moderngl", "is not installed", "pip install 'verifier[train]'") from error
    if find_library("EGL") is None:
        raise BadInput("libEGL", "is not installed", "install Mesa (Debian: libegl1, libgl1-mesa-dri, libgles2)")
    return moderngl, moderngl.create_standalone_context(backend="egl")


class Drawer:
    """An OpenGL context and its programs; one for each process, and for one thread."""

    def __init__(self) -> None:
        self._gl, self._context = opengl()
        vertex, skin, fragment, depth = map(shader, ("scene.vert", "skin", "scene.frag", "shadow.vert"))
        self._scene = self._context.program(vertex_shader=vertex, fragment_shader=skin + fragment)
        self._shadow = self._context.program(vertex_shader=depth, fragment_shader="#version 330\nvoid main() {}\n")
        self._map = self._context.depth_texture((SHADOW_SIDE, SHADOW_SIDE))
        self._map.compare_func = ""
        self._map_target = self._context.framebuffer(depth_attachment=self._map)

    def draw(
        self,
        meshes: list[Mesh],
        ground: Image,
        size: tuple[int, int],
        camera: Floats,
        eye: Floats,
        reach: float,
        lamps: Lamps,
        paint: Paint,
    ) -> tuple[Image, Floats]:
        """Return the picture (BGR) of `size` by a camera (3, 4) at `eye` (3,), and pixels' depth (mm) along the view.

        What lies within `reach` mm of the origin casts a shadow. `ground` (h, w, 3) BGR is laid on the kind GROUND by
        its place at rest, in shares of its sides.
        """
        buffer = self._context.buffer(np.concatenate([mesh.packed() for mesh in meshes]).tobytes())
        light = looking_from(lamps.toward, reach)
        self._cast(buffer, light)
        finer = FINER if max(size) <= FINER_TO else 1
        width, height = room = (size[0] * finer, size[1] * finer)
        surfaces = self._context.renderbuffer(room, 4), self._context.depth_renderbuffer(room)
        target = self._context.framebuffer(*surfaces)
        target.use()
        self._context.enable(self._gl.DEPTH_TEST)
        self._context.disable(self._gl.CULL_FACE)
        target.clear(0.0, 0.0, 0.0, 1.0)
        texture = self._context.texture(ground.shape[1::-1], 3, np.ascontiguousarray(ground).tobytes(), alignment=1)
        texture.build_mipmaps()
        texture.use(0)
        self._map.use(1)
        self._tell(light, clip(camera, size), eye, lamps, paint)
        self._render(buffer)
        drawn = np.frombuffer(target.read(components=3, alignment=1), np.uint8).reshape(height, width, 3)
        far = target.read(components=1, attachment=-1, dtype="f4", alignment=1)
        raw = np.frombuffer(far, np.float32).reshape(height, width)
        small = np.asarray(cv2.resize(drawn[::-1], size, interpolation=cv2.INTER_AREA), np.uint8)
        for thing in (buffer, texture, target, *surfaces):
            thing.release()
        return small, depths(raw[::-finer, ::finer].astype(np.float64))

    def _render(self, buffer: Buffer) -> None:
        """Draw what lies in a buffer, with those attributes that the programs use."""
        names = [name for name in ATTRIBUTES if name in self._scene]
        layout = " ".join(f"{n}f" if name in names else f"{4 * n}x" for name, n in zip(ATTRIBUTES, WIDTHS, strict=True))
        array = self._context.vertex_array(self._scene, [(buffer, layout, *names)])
        array.render()
        array.release()

    def _cast(self, buffer: Buffer, light: Floats) -> None:
        self._map_target.use()
        self._map_target.clear(depth=1.0)
        self._context.enable(self._gl.DEPTH_TEST)
        self._shadow["light"].write(columns(light))
        array = self._context.vertex_array(self._shadow, [(buffer, f"3f {4 * (sum(WIDTHS) - 3)}x", "position")])
        array.render()
        array.release()

    def _tell(self, light: Floats, view: Floats, eye: Floats, lamps: Lamps, paint: Paint) -> None:
        told: dict[str, float | tuple[float, ...]] = {
            "ground": 0,
            "shadows": 1,
            "eye": tuple(eye),
            "toward": tuple(lamps.toward),
            "strength": lamps.strength,
            "second": tuple(lamps.second),
            "second_strength": lamps.second_strength,
            "around": lamps.around,
            "tint": tuple(lamps.tint),
            "soft": lamps.soft,
            "gloss": lamps.gloss,
            "creases": paint.creases,
            "knuckles": paint.knuckles,
            "mottle": paint.mottle,
            "palm_lighter": paint.palm_lighter,
            "seed": paint.seed,
        }
        for name, value in told.items():
            if name in self._scene:
                self._scene[name].value = value
        self._scene["light"].write(columns(light))
        self._scene["view"].write(columns(view))
        self._scene["joints"].write(paint.joints[:21].astype(np.float32).tobytes())


def shader(name: str) -> str:
    """Return the text of a shader of this package."""
    return resources.files(__package__).joinpath(f"{name}.glsl").read_text(encoding="utf-8")


def columns(matrix: Floats) -> bytes:
    """Return a matrix as OpenGL takes it."""
    return np.ascontiguousarray(matrix.T, np.float32).tobytes()


def looking_from(toward: Floats, reach: float) -> Floats:
    """(4, 4) parallel projection along a lamp's rays of all within `reach` of the origin, to OpenGL's cube."""
    up = np.array([0.0, 1.0, 0.0]) if abs(toward[1]) < 0.9 else np.array([1.0, 0.0, 0.0])
    x = np.cross(up, toward)
    x /= np.linalg.norm(x)
    turn = np.stack([x, np.cross(toward, x), -toward])
    out = np.eye(4)
    out[:3, :3] = turn / reach
    return out


NEAR, FAR = 100.0, 6000.0
"""Millimetres from the camera between which things are drawn."""


def depths(raw: Floats) -> Floats:
    """Millimetres along the view of OpenGL's depths 0..1."""
    return np.asarray(2 * FAR * NEAR / (FAR + NEAR - (2 * raw - 1) * (FAR - NEAR)))


def clip(camera: Floats, size: tuple[int, int]) -> Floats:
    """(4, 4) from millimetres to OpenGL's clip space, of a (3, 4) projection to pixels of `size`."""
    w, h = size
    scale = np.array([[2 / w, 0, -1.0], [0, -2 / h, 1.0], [0, 0, 1.0]])
    x, y, depth = scale @ camera
    z = depth * (FAR + NEAR) / (FAR - NEAR)
    z[3] -= 2 * FAR * NEAR / (FAR - NEAR)
    return np.stack([x, y, z, depth])
