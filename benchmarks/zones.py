"""Measures `verifier zones` on simulated recordings: `python benchmarks/zones.py make|score FOLDER SEED...`.

`make` simulates one short recording a seed (a round, one picture a second, a key picture every two seconds). The seed
decides spaces (3 to 7), difficulty, corner of the clock, and how the camera hangs: of ten recordings seven have the
dealer at the bottom, two are upside down, one is mirrored. The clock is burned in afterwards, as a recorder does.
`score` proposes a layout for each from its pictures alone and compares it with the true one. It prints a table: shares
of what is right, overall and for each kind. Seeds below 8000 were used while the proposal was written.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import cv2
import msgspec
import numpy as np

from verifier.domain.layout import Layout, SpaceZones, Zones
from verifier.formats.layout import read_layout, write_layout
from verifier.simulate.commands import look_and_camera
from verifier.simulate.layouts import layout_for
from verifier.simulate.perform import perform
from verifier.simulate.record import encode, pictures
from verifier.simulate.render.effects import burn_clock

SIZE: Final = (1280, 720)
FPS: Final = 1
BITRATE: Final = 300_000
DIFFICULTIES: Final = ("easy", "typical", "hard")
VIEWS: Final = ("plain",) * 7 + ("upside down",) * 2 + ("mirrored",)
UNTURNED_ZONES: Final = ("clock",)


def make(folder: Path, seed: int) -> None:
    """Writes video.mp4, layout.yaml and scene.json of one seed into `folder`/`seed`."""
    out = folder / str(seed)
    if (out / "scene.json").exists():
        return
    out.mkdir(parents=True, exist_ok=True)
    began = time.process_time()
    rng = np.random.default_rng([seed, 40])
    spaces, difficulty, corner, view = 3 + seed % 5, DIFFICULTIES[seed // 5 % 3], int(rng.integers(4)), VIEWS[seed % 10]
    play = perform(seed, 1, spaces=spaces, shuffle=False, shift_change=False)
    look, camera = look_and_camera(seed, SIZE, difficulty, "test")
    look = replace(look, clock_style=corner, site=play.site, table=play.table)
    layout = layout_for(play.plan, camera, site=play.site, table=play.table, look=look)
    clocks = [play.scene_at(number / FPS).clock or "" for number in range(int(play.duration * FPS))]
    frames = (_burned(_turned(picture, view), clock, corner) for picture, clock in
              zip(pictures(_Clockless(play), look, camera, FPS), clocks, strict=True))  # fmt: skip
    encode(out / "video.mp4", frames, len(clocks), SIZE, FPS, BITRATE)
    write_layout(out / "layout.yaml", turned_layout(layout, view))
    facts = {"seed": seed, "spaces": spaces, "difficulty": difficulty, "corner": corner, "view": view,
             "duration": play.duration, "cpu": time.process_time() - began}  # fmt: skip
    (out / "scene.json").write_text(json.dumps(facts))
    print(facts, flush=True)


class _Clockless:
    """A performance whose pictures have no clock."""

    def __init__(self, play: Any) -> None:
        self._play = play

    def __getattr__(self, name: str) -> Any:
        return getattr(self._play, name)

    def scene_at(self, t: float) -> Any:
        return msgspec.structs.replace(self._play.scene_at(t), clock=None)


def _turned(picture: Any, view: str) -> Any:
    if view == "plain":
        return picture.copy()
    return np.ascontiguousarray(picture[::-1, ::-1] if view == "upside down" else picture[:, ::-1])


def _burned(picture: Any, clock: str, corner: int) -> Any:
    burn_clock(picture, clock, corner)
    return picture


def turned_layout(layout: Layout, view: str) -> Layout:
    """The layout of the picture that `_turned` makes; the clock stays where it is."""
    if view == "plain":
        return layout
    width, height = layout.image_size

    def turn(zone: Any) -> Any:
        return zone and [(width - x, height - y if view == "upside down" else y) for x, y in zone]

    zones = {name: getattr(layout.zones, name) for name in Zones.__struct_fields__}
    zones = {name: zone if name in UNTURNED_ZONES else turn(zone) for name, zone in zones.items()}
    spaces = {
        number: SpaceZones(**{name: turn(getattr(space, name)) for name in SpaceZones.__struct_fields__})
        for number, space in layout.spaces.items()
    }
    side = "top" if view == "upside down" else "bottom"
    return msgspec.structs.replace(layout, zones=Zones(**zones), spaces=spaces, dealer_side=side)


def main() -> None:
    """Runs the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("make", "score"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("seeds", nargs="+", help="seeds, or ranges such as 8000-8059")
    told = parser.parse_args()
    seeds = [seed for text in told.seeds for seed in _range(text)]
    for seed in seeds:
        make(told.folder, seed)


def _range(text: str) -> Iterator[int]:
    first, _, last = text.partition("-")
    yield from range(int(first), int(last or first) + 1)


if __name__ == "__main__":
    main()
