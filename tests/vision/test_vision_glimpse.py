from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from verifier.domain.layout import Layout, SpaceZones, Zones
from verifier.domain.observations import Box
from verifier.vision.glimpse import (
    CLEAR,
    COVERED,
    EDGE,
    LYING,
    TURNED,
    UPRIGHT,
    Glimpse,
    Pose,
    Text,
    at_edge,
    back,
    glimpse,
    held,
    share_under,
)
from verifier.vision.ocr import Line, TextReader

SIZE = (1280, 720)
EVERY = (UPRIGHT, *TURNED, *LYING)


def box(x: float, y: float, w: float = 100.0, h: float = 30.0) -> list[tuple[float, float]]:
    return [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]


LAYOUT = Layout(
    version=1,
    image_size=SIZE,
    site="0131",
    table="7",
    pixels_per_mm=0.5,
    zones=Zones(
        dealer=box(500, 400),
        inner=box(400, 380),
        site_id=box(200, 600),
        table_number=box(900, 640),
        clock=box(20, 20, 300),
    ),
    spaces={1: SpaceZones(area=box(300, 100))},
)


def test_there_are_eight_ways_of_holding_a_picture() -> None:
    assert len(set(EVERY)) == 8


@pytest.mark.parametrize("pose", EVERY)
def test_a_box_of_a_held_picture_is_found_again_in_the_picture(pose: Pose) -> None:
    picture = np.random.default_rng(0).integers(0, 255, (40, 60, 3), dtype=np.uint8)
    x0, y0, x1, y1 = 3, 5, 11, 9
    a, b, c, d = map(int, back((x0, y0, x1, y1), pose, (60, 40)))
    np.testing.assert_array_equal(held(picture[b:d, a:c], pose), held(picture, pose)[y0:y1, x0:x1])


@pytest.mark.parametrize(("gap", "cut"), [(EDGE, False), (EDGE - 0.1, True)])
def test_a_text_at_the_edge_may_be_cut_off(gap: float, cut: bool) -> None:
    assert at_edge((gap, 100, 90, 120), SIZE) is cut
    assert at_edge((500, 100, SIZE[0] - gap, 120), SIZE) is cut


def test_the_share_of_a_box_under_another() -> None:
    assert share_under((0, 0, 10, 10), (5, 5, 20, 20)) == 0.25
    assert share_under((0, 0, 10, 10), (10, 0, 20, 10)) == 0.0


class Scripted:
    """A stand-in for OCR: every whole picture has the next of these lists of lines, every crop has none."""

    def __init__(self, *lines: Sequence[Line]) -> None:
        self.calls = 0
        self._lines = lines

    def line(self, crop: np.ndarray) -> str | None:
        return None

    def lines(self, picture: np.ndarray) -> list[Line]:
        if max(picture.shape) < SIZE[0]:
            return []
        self.calls += 1
        return list(self._lines[min(self.calls, len(self._lines)) - 1])


def line(text: str, at: Box = (200, 610, 260, 625), score: float = 0.95) -> Line:
    return Line(text, score, at)


PICTURE = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)


def read(*lines: Sequence[Line], pictures: int = 1) -> tuple[list[str], int]:
    """What was read as `site 0131`, and how many pictures were searched for it."""
    text = Scripted(*lines)
    found = glimpse([PICTURE] * pictures, LAYOUT, text)
    return [f"{one.what} {one.says}" for one in found.texts], text.calls


def test_a_picture_whose_signs_read_upright_is_not_turned() -> None:
    assert read([line("SITE 0131")], pictures=3) == (["site 0131"] * 3, 3)


def test_a_picture_without_signs_is_turned_and_mirrored_and_one_without_anything_laid_on_its_sides() -> None:
    clock = [line("2026-11-16 21:07:47", (20, 20, 300, 45))]
    assert read(clock, [])[1] == 1 + len(TURNED)
    assert read([])[1] == 1 + len(TURNED) + len(LYING)
    assert read([], [line("SITE 0131")], [])[1] == 1 + len(TURNED)


@pytest.mark.parametrize(("score", "found"), [(CLEAR, True), (CLEAR - 0.01, False)])
def test_a_line_counts_from_a_clear_reading_on(score: float, found: bool) -> None:
    assert bool(read([line("SITE 0131", score=score)], [])[0]) is found


def test_a_line_that_stands_upright_in_the_picture_does_not_count() -> None:
    assert read([line("SITE 0131", (200, 600, 220, 680))], [])[0] == []


@pytest.mark.parametrize(("share", "found"), [(COVERED, True), (COVERED + 0.01, False)])
def test_a_sign_under_the_clock_is_not_read(share: float, found: bool) -> None:
    clock = line("2026-11-16 21:07:47", (20, 20, 300, 50))
    sign = line("SITE 0131", (300 - 100 * share, 20, 400 - 100 * share, 50))
    assert ("site 0131" in read([clock, sign], [])[0]) is found


def test_signs_in_the_line_of_the_clock_are_read() -> None:
    texts, _ = read([line("SITE 0131 TABLE 7 2026-11-16 21:07:47", (20, 20, 600, 50))])
    assert texts == ["clock 2026-11-16T21:07:47", "site 0131", "table 7"]


def test_the_way_in_which_most_reads_is_the_pictures_way() -> None:
    def text(pose: Pose, score: float) -> Text:
        return Text(what="site", says="1", score=score, box=(0, 0, 1, 1), pose=pose)

    over = Pose(180)
    assert Glimpse(pictures=3).pose == UPRIGHT
    assert Glimpse(pictures=3, texts=(text(UPRIGHT, 0.9), text(over, 0.9))).pose == over
    assert Glimpse(pictures=1, texts=(text(UPRIGHT, 0.9), text(over, 0.9))).pose == UPRIGHT


def painted(texts: dict[str, tuple[int, int]]) -> np.ndarray:
    picture = np.full((SIZE[1], SIZE[0], 3), (60, 110, 40), np.uint8)
    for text, (x, y) in texts.items():
        (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.7, 2)
        cv2.rectangle(picture, (x - 6, y - h - 8), (x + w + 6, y + 8), (235, 235, 235), -1)
        cv2.putText(picture, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (20, 20, 20), 2, cv2.LINE_AA)
    return picture


@pytest.mark.parametrize("pose", [UPRIGHT, Pose(180), Pose(0, mirrored=True)])
def test_true_text_is_read_whichever_way_the_picture_is_held(pose: Pose) -> None:
    """The picture is turned so that holding it in `pose` makes it right: these poses are their own opposites."""
    upright = painted({"SITE 0131": (210, 625), "TABLE 7": (910, 665), "2026-11-16 21:07:47": (30, 45)})
    found = glimpse([held(upright, pose)], LAYOUT, TextReader())
    texts = {text.what: text for text in found.texts if text.pose == pose}
    assert (found.pose, {what: text.says for what, text in texts.items()}) == (
        pose,
        {"site": "0131", "table": "7", "clock": "2026-11-16T21:07:47"},
    )
    x0, _, x1, _ = texts["site"].box
    middle = 265 if pose == UPRIGHT else SIZE[0] - 265
    assert (x0 + x1) / 2 == pytest.approx(middle, abs=12)
