"""A layout proposed from a simulated, encoded recording: as the camera hangs, and upside down."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from shapely.geometry import Polygon as Shape

from verifier import cli
from verifier.domain.layout import Layout
from verifier.formats.layout import read_layout, write_layout
from verifier.recording.decode import Picture
from verifier.simulate.commands import look_and_camera
from verifier.simulate.layouts import layout_for
from verifier.simulate.perform import perform
from verifier.simulate.record import encode, pictures

pytestmark = pytest.mark.slow
SIZE = (1280, 720)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a round of play, `plain.mp4` and `turned.mp4`, one picture a second, and the first one's layout."""
    folder = tmp_path_factory.mktemp("played")
    play = perform(7301, 1, spaces=4, shuffle=False, shift_change=False)
    look, camera = look_and_camera(7301, SIZE, "typical", "test")
    look = replace(look, site=play.site, table=play.table)
    seen = list(pictures(play, look, camera, 1))

    def frames(turned: bool) -> Iterator[Picture]:
        return (np.ascontiguousarray(one[::-1, ::-1]) if turned else one for one in seen)

    for name in ("plain", "turned"):
        encode(folder / f"{name}.mp4", frames(name == "turned"), len(seen), SIZE, 1, 300_000)
    write_layout(folder / "true.yaml", layout_for(play.plan, camera, site=play.site, table=play.table, look=look))
    return folder


def middle(zone: list[tuple[float, float]] | None) -> tuple[float, float]:
    x, y = np.mean(zone or [], axis=0)
    return float(x), float(y)


@pytest.mark.parametrize("name", ["plain", "turned"])
def test_the_proposal_is_the_true_layout(name: str, played: Path, tmp_path: Path) -> None:
    out = tmp_path / "layout.yaml"
    assert cli.run(["zones", str(played / f"{name}.mp4"), "--out", str(out), "--quiet"]) == 0
    found, true = read_layout(out), read_layout(played / "true.yaml")
    assert found.dealer_side == ("top" if name == "turned" else "bottom")
    assert (found.site, found.table, sorted(found.spaces)) == (true.site, true.table, sorted(true.spaces))
    assert found.scale == pytest.approx(true.scale, rel=0.05)
    for number, space in found.spaces.items():
        wager, area = as_true(space.wager, name), as_true(space.area, name)
        assert math.dist(middle(wager), middle(true.spaces[number].wager)) / true.scale < 20.0
        assert overlap(area, true, number) >= 0.8


def as_true(zone: list[tuple[float, float]] | None, name: str) -> list[tuple[float, float]]:
    return [(SIZE[0] - x, SIZE[1] - y) if name == "turned" else (x, y) for x, y in zone or []]


def overlap(area: list[tuple[float, float]], true: Layout, number: int) -> float:
    one, other = Shape(area).buffer(0), Shape(true.spaces[number].area).buffer(0)
    return float(one.intersection(other).area / one.union(other).area)
