"""Records a performance: pictures, H.264 in MP4, and the truth beside it (docs/formats.md)."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, replace
from fractions import Fraction
from pathlib import Path
from typing import Final

import av
import msgspec
import numpy as np
from numpy.typing import NDArray

from verifier.domain.errors import BadInput
from verifier.domain.layout import Layout
from verifier.formats.events import write_events
from verifier.formats.files import replacing
from verifier.formats.house import write_house
from verifier.formats.layout import write_layout
from verifier.formats.whole import put_in_place
from verifier.simulate.layouts import layout_for
from verifier.simulate.perform import Performance
from verifier.simulate.poker.layouts import poker_layout
from verifier.simulate.poker_table import PokerPlan
from verifier.simulate.render import Camera, Look, Renderer
from verifier.simulate.scene import Scene
from verifier.simulate.table import TablePlan

Image = NDArray[np.uint8]
Progress = Callable[[int, int], None]
"""Called with the frames done and their number."""
Drawn = Callable[[TablePlan, Look, Camera], Renderer]
"""Makes what draws the scenes of one recording."""

DEFAULT_BITRATE: Final = 1_400_000
_SHUTTER_SECONDS: Final = 0.007
"""How far apart the two exposures of a frame lie where something moves: half of a shutter of about 1/70 s."""


_STILL_PICTURES: Final = 4
"""Pictures of a resting table that are rendered for each second of its clock."""


def record(
    performance: Performance,
    look: Look,
    camera: Camera,
    out: Path,
    fps: int = 20,
    size: tuple[int, int] | None = None,
    *,
    bitrate: int = DEFAULT_BITRATE,
    preset: str = "veryfast",
    motion_blur: bool = True,
    parameters: Mapping[str, object] | None = None,
    progress: Progress | None = None,
    renderer: Drawn = Renderer,
) -> Path:
    """Write the folder `out` with video, layout, house and truth; `size` must be the camera's when given.

    `renderer` draws the scenes. Returns the video's path. Raises BadInput when the folder cannot be written.
    """
    if size is not None and size != camera.size:
        raise ValueError(f"size {size} is not the camera's {camera.size}")
    make_folder(out)
    look = replace(look, site=performance.site, table=performance.table)
    video = out / "video.mp4"
    frames = pictures(performance, look, camera, fps, motion_blur, renderer)
    encode(video, frames, int(performance.duration * fps), camera.size, fps, bitrate, preset=preset, progress=progress)
    _write_table(performance, look, camera, out)
    _write_truth(performance, out, hashlib.sha256(video.read_bytes()).hexdigest())
    scene = {
        "seed": performance.seed,
        **(parameters or {}),
        "fps": fps,
        "size": camera.size,
        "look": asdict(look),
        "camera": asdict(camera),
        "duration": performance.duration,
    }
    _write_json(out / "scene.json", scene)
    return video


def make_folder(out: Path) -> None:
    """Make the folder and those above it. Raises BadInput where that is not possible."""
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(out, f"cannot be made: {error.strerror}", "choose a folder that can be written") from None


def _write_table(performance: Performance, look: Look, camera: Camera, out: Path) -> None:
    write_layout(out / "layout.yaml", _layout(performance, look, camera))
    write_house(out / "house.yaml", performance.house)


def _layout(performance: Performance, look: Look, camera: Camera) -> Layout:
    plan, site, table = performance.plan, performance.site, performance.table
    if isinstance(plan, PokerPlan):
        return poker_layout(plan, camera, site, table, look)
    return layout_for(
        plan,
        camera,
        site=site,
        table=table,
        name=f"Simulated table {table}",
        look=look,
        dealer_seat=performance.dealer_seat,
    )


def _write_truth(performance: Performance, out: Path, sha256: str) -> None:
    log = performance.events
    header = msgspec.structs.replace(log.header, video=sha256)
    write_events(out / "truth.events.jsonl", msgspec.structs.replace(log, header=header))
    _write_json(out / "truth.deviations.json", msgspec.to_builtins(list(performance.deviations)))


def _write_json(path: Path, value: object) -> None:
    with replacing(path) as stream:
        stream.write(json.dumps(value, indent=1).encode() + b"\n")


def pictures(
    performance: Performance,
    look: Look,
    camera: Camera,
    fps: int,
    motion_blur: bool = True,
    renderer: Drawn = Renderer,
) -> Iterator[Image]:
    """Yield the recording's pictures (h, w, 3) BGR uint8, in order; what moves is exposed twice."""
    return scene_pictures(
        performance.scene_at,
        performance.duration,
        performance.plan,
        look,
        camera,
        fps,
        motion_blur=motion_blur,
        renderer=renderer,
    )


def scene_pictures(
    scene_at: Callable[[float], Scene],
    duration: float,
    plan: TablePlan,
    look: Look,
    camera: Camera,
    fps: int,
    *,
    motion_blur: bool = True,
    renderer: Drawn = Renderer,
) -> Iterator[Image]:
    """Pictures (h, w, 3) BGR uint8 of the scenes from time 0 to `duration` (seconds); what moves is exposed twice."""
    drawn = renderer(plan, look, camera)
    still = _Still()
    for number in range(int(duration * fps)):
        t = number / fps
        scene = scene_at(t)
        later = scene_at(t + _SHUTTER_SECONDS) if motion_blur else scene
        moves = _moves(scene, later)
        picture = None if moves else still.another(scene)
        if picture is None:
            if moves:
                picture = drawn.exposure(scene, msgspec.structs.replace(later, t=t, clock=scene.clock))
            else:
                picture = drawn.render(scene)
                still.keep(scene, picture)
        yield picture


class _Still:
    """A few pictures of a table at which nothing moves; they differ in their noise and are shown in turn."""

    def __init__(self) -> None:
        self._scene: Scene | None = None
        self._kept: list[Image] = []
        self._turn = 0

    def another(self, scene: Scene) -> Image | None:
        """Return an earlier picture of this very scene, once there are enough of them; None before that."""
        if self._scene is None or scene.clock != self._scene.clock or _moves(scene, self._scene):
            self._scene, self._kept = None, []
            return None
        if len(self._kept) < _STILL_PICTURES:
            return None
        self._turn += 1
        return self._kept[self._turn % _STILL_PICTURES].copy()

    def keep(self, scene: Scene, picture: Image) -> None:
        """Remembers a picture."""
        if self._scene is None:
            self._scene = scene
        self._kept.append(picture)


def _moves(first: Scene, second: Scene) -> bool:
    return (first.hands, first.cards, first.chips, first.props, first.bills) != (
        second.hands,
        second.cards,
        second.chips,
        second.props,
        second.bills,
    )


def encode(
    path: Path,
    frames: Iterator[Image],
    count: int,
    size: tuple[int, int],
    fps: int,
    bitrate: int,
    *,
    preset: str = "veryfast",
    progress: Progress | None = None,
) -> None:
    """Write H.264 as recorders do: about `bitrate`, a key frame every two seconds, B-frames, index at the front.

    The file appears when it is whole. Raises BadInput where it cannot be written.
    """
    part = path.with_name(f".{path.stem}-{secrets.token_hex(6)}{path.suffix}")
    rates = {"maxrate": str(bitrate), "bufsize": str(2 * bitrate)}
    options = {"preset": preset, "bf": "2", "g": str(2 * fps), "crf": "23", **rates}
    try:
        with av.open(str(part), "w", options={"movflags": "+faststart"}) as container:
            stream = container.add_stream("libx264", rate=fps, options=options)
            stream.width, stream.height = size
            stream.pix_fmt = "yuv420p"
            stream.time_base = Fraction(1, fps)
            for number, picture in enumerate(frames):
                frame = av.VideoFrame.from_ndarray(picture, format="bgr24")
                frame.pts, frame.time_base = number, Fraction(1, fps)
                container.mux(stream.encode(frame))
                if progress is not None:
                    progress(number + 1, count)
            container.mux(stream.encode())
        put_in_place(part, path)
    except OSError as error:
        cause = f"cannot be written: {error.strerror or error}"
        raise BadInput(path, cause, "choose a folder with room that can be written") from None
    finally:
        part.unlink(missing_ok=True)
