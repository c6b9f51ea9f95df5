"""Chips of the inner area are looked at from nearer between rounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from vision_fakes import detection

from verifier.domain.layout import Layout, SpaceZones, Zones
from verifier.vision.detection import Detection
from verifier.vision.inner_chips import InnerChips
from verifier.vision.regions import WHOLE_PICTURE, Region

SIZE = (1280, 720)
INNER = [(400.0, 380.0), (900.0, 380.0), (900.0, 580.0), (400.0, 580.0)]
DEALER = [(550.0, 420.0), (750.0, 420.0), (750.0, 520.0), (550.0, 520.0)]
SPACE = [(300.0, 100.0), (500.0, 100.0), (500.0, 300.0), (300.0, 300.0)]
LAYOUT = Layout(
    version=1,
    image_size=SIZE,
    zones=Zones(dealer=DEALER, inner=INNER),
    spaces={1: SpaceZones(area=SPACE)},
    dealer_side="bottom",
    pixels_per_mm=0.66,
)
PICTURE = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
GREEN, OUTSIDE = detection("chip", 450, 400, 26, 26, 0.95), detection("chip", 392, 400, 26, 26, 0.95)


class Near:
    """Finds chips in what it is shown, and remembers that."""

    def __init__(self) -> None:
        self.asked: list[tuple[Any, int | None]] = []

    def stream(self, pictures: Any, long_side: int | None = None) -> Any:
        for key, _, parts in pictures:
            self.asked.append((parts, long_side))
            yield key, [GREEN, OUTSIDE, detection("card_up", 600, 460, 40, 60)]

    def detect(self, picture: Any, long_side: int | None = None) -> list[Detection]:
        raise AssertionError("the whole picture is not searched")


def look(
    found: Sequence[Detection] = (),
    regions: Sequence[Region] = WHOLE_PICTURE,
    *,
    side: int = 960,
    layout: Layout | None = LAYOUT,
) -> tuple[list[Detection], Near]:
    finder = Near()
    return InnerChips(finder, layout).with_them(PICTURE, list(found), regions, side), finder


def test_a_chip_that_shows_only_from_nearer_is_found() -> None:
    found, finder = look()
    assert found == [GREEN], "no card, and nothing outside the inner area"
    (((x0, y0, x1, y1),), side) = finder.asked[0]
    assert (x0, y0, x1, y1) == (380, 360, 920, 600)
    assert side == 1280


def test_a_chip_that_was_found_is_one() -> None:
    before = detection("chip", 451, 401, 26, 26, 0.5)
    assert look([before])[0] == [GREEN]


@pytest.mark.parametrize(
    "how",
    [
        {"found": [detection("card_up", 600, 460, 40, 60)]},
        {"regions": [Region(0.0, 0.0, 0.3, 0.4)]},
        {"regions": []},
        {"side": 1280},
        {"layout": None},
    ],
    ids=["amid a round", "elsewhere", "nothing moved", "no more to show", "no layout"],
)
def test_it_is_not_searched(how: dict[str, Any]) -> None:
    found, finder = look(**how)
    assert found == how.get("found", []) and not finder.asked
