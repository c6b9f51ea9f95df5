from __future__ import annotations

import itertools
from dataclasses import replace

import cv2
import numpy as np
import pytest

from verifier.domain.layout import Layout
from verifier.domain.observations import Drift
from verifier.reconstruct import parameters as par
from verifier.simulate.commands import look_and_camera
from verifier.simulate.layouts import layout_for
from verifier.simulate.perform import perform
from verifier.simulate.render import Camera, Renderer
from verifier.vision import drift
from verifier.vision.drift import DriftMeter
from verifier.vision.quality import QualityMeter, exposure

SIZE = (640, 360)


class Table:
    """One rendered table: pictures of its performance by its camera or by another one."""

    def __init__(self, seed: int, difficulty: str) -> None:
        self.look, self.camera = look_and_camera(seed, SIZE, difficulty, "test")
        self.performance = perform(seed, 1, spaces=3)
        self.layout = layout_for(self.performance.plan, self.camera, look=self.look)
        self._renderer = Renderer(self.performance.plan, self.look, self.camera)

    def picture(self, t: float, camera: Camera | None = None) -> np.ndarray:
        by = self._renderer if camera is None else Renderer(self.performance.plan, self.look, camera)
        return by.render(self.performance.scene_at(t))

    @property
    def middle(self) -> float:
        """A time at which cards, chips and hands are in the picture."""
        return self.performance.duration * 0.6


@pytest.fixture(scope="module")
def tables() -> list[Table]:
    return [Table(seed, difficulty) for seed, difficulty in ((61, "easy"), (62, "typical"), (63, "hard"))]


def grey(picture: np.ndarray) -> np.ndarray:
    return cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)


def watched(first: list[np.ndarray], then: np.ndarray, layout: Layout | None) -> DriftMeter:
    """A meter that saw the first pictures, and then the last one for long enough."""
    meter = DriftMeter(layout)
    for number, picture in enumerate([*first, then, then, then]):
        meter.measure(6.0 * number, grey(picture), [])
    return meter


def moved(picture: np.ndarray, dx: float, dy: float, roll: float, scale: float) -> np.ndarray:
    matrix = cv2.getRotationMatrix2D((SIZE[0] / 2, SIZE[1] / 2), -roll, scale)
    matrix[:, 2] += (dx, dy)
    return cv2.warpAffine(picture, matrix, SIZE, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT_101)


def test_a_bump_is_measured_to_a_fraction_of_a_pixel(tables: list[Table]) -> None:
    rng = np.random.default_rng(5)
    errors = []
    for table in tables:
        first = [table.picture(0.2), table.picture(1.2)]
        for _ in range(4):
            dx, dy = rng.uniform(-10, 10, 2)
            true = Drift(dx=dx, dy=dy, roll=rng.uniform(-3, 3), scale=rng.uniform(0.98, 1.02), p=1.0)
            now = moved(table.picture(table.middle), true.dx, true.dy, true.roll, true.scale)
            meter = watched(first, np.clip(now * rng.uniform(0.7, 1.2), 0, 255).astype(np.uint8), table.layout)
            assert meter.drift is not None
            corners = [(x, y) for x in (0, SIZE[0]) for y in (0, SIZE[1])]
            errors += [np.hypot(*np.subtract(meter.drift.now(c, SIZE), true.now(c, SIZE))) for c in corners]
            assert meter.view == "shifted"
    assert np.median(errors) < 0.2
    assert max(errors) < 0.8


def test_a_camera_that_turned_a_little_is_followed(tables: list[Table]) -> None:
    for table in tables:
        camera = replace(
            table.camera, tilt=table.camera.tilt + 0.5, pan=table.camera.pan - 0.4, roll=table.camera.roll + 2
        )
        spots = [(*spots.wager, 0.0) for spots in table.performance.plan.spaces.values()]
        meter = watched([table.picture(0.2), table.picture(1.2)], table.picture(table.middle, camera), table.layout)
        assert meter.drift is not None
        for before, after in zip(table.camera.project(spots), camera.project(spots), strict=True):
            assert np.hypot(*np.subtract(meter.drift.now(tuple(before), SIZE), after)) < 1.5


def test_hands_cards_and_light_are_no_drift(tables: list[Table]) -> None:
    ramp = np.linspace(0.6, 1.3, SIZE[0])[None, :, None]
    for table in tables:
        meter = DriftMeter(table.layout)
        for number, t in enumerate(np.linspace(0.2, table.performance.duration - 0.5, 12)):
            picture = table.picture(float(t))
            lit = picture * (ramp if number % 2 else 1.0) * (0.7 if number % 3 == 2 else 1.0)
            meter.measure(6.0 * number, grey(np.clip(lit, 0, 255).astype(np.uint8)), [])
            assert meter.view in (None, "steady")
        assert meter.view == "steady"
        assert meter.drift is not None
        assert meter.drift.reach(SIZE) < 0.5


def test_plain_felt_gives_no_answer() -> None:
    rng = np.random.default_rng(3)
    felt = [
        np.full((360, 640, 3), (60, 105, 30), np.uint8) + rng.integers(0, 14, (360, 640, 3), np.uint8) for _ in "abc"
    ]
    meter = watched(felt[:2], felt[2], None)
    assert (meter.view, meter.drift) == (None, None)


def test_a_dark_or_blurred_picture_gives_no_answer(tables: list[Table]) -> None:
    table = tables[0]
    first = [table.picture(0.2), table.picture(1.2)]
    blurred = cv2.GaussianBlur(table.picture(table.middle), (0, 0), 14)
    assert watched(first, blurred, table.layout).view is None
    meter = QualityMeter(table.layout)
    black = np.zeros((360, 640, 3), np.uint8)
    for t, picture in enumerate([first[0], first[1], *first, *first, *first, *first, black, black]):
        quality = meter.measure(float(t * 6), picture, [])
    assert (quality.view, quality.drift, quality.obstructed) == (None, None, 1.0)


def test_another_view_is_lost(tables: list[Table]) -> None:
    for table in tables:
        first = [table.picture(0.2), table.picture(1.2)]
        away = replace(table.camera, tilt=table.camera.tilt + 22.0, roll=table.camera.roll + 50.0)
        meter = watched(first, table.picture(table.middle, away), table.layout)
        assert (meter.view, meter.drift) == ("lost", None)
        far = moved(table.picture(table.middle), 75.0, 0.0, 0.0, 1.0)
        assert watched(first, far, table.layout).view == "lost"


def test_a_jump_is_told_when_it_is_confirmed(tables: list[Table]) -> None:
    table = tables[0]
    meter = DriftMeter(table.layout)
    still = table.picture(1.2)
    views = []
    for t in range(30):
        now = moved(still, 8.0, 3.0, 0.0, 1.0) if t >= 15 else still
        meter.measure(float(t), grey(now), [])
        views.append(meter.view)
    assert views[14] == "steady"
    first = views.index("shifted")
    assert 15 < first <= 22
    assert views[first - 1] is None
    assert set(views[first:]) == {"shifted"}


@pytest.mark.parametrize("spoilt", ["dark", "blurred"])
def test_a_knock_is_known_before_its_looks_are_used_though_a_measurement_of_it_is_spoilt(
    tables: list[Table], spoilt: str
) -> None:
    """Whenever the camera is knocked, and whichever second after it is spoilt; 7.5 looks a second."""
    still = tables[0].picture(1.2)
    begun = QualityMeter(tables[0].layout)
    for t in range(6):
        begun.measure(float(t), still, [])
    now = moved(still, 8.0, 3.0, 0.0, 1.0)
    nothing = cv2.GaussianBlur(now, (0, 0), 14) if spoilt == "blurred" else np.zeros_like(still)
    waits = []
    for knock, bad in itertools.product(range(60, 100, 8), range(0, 48, 8)):
        meter = QualityMeter(tables[0].layout, begun.bearings)
        for look in range(0, knock + 120):
            shown = still if look < knock else nothing if 0 <= look - knock - bad < 8 else now
            if meter.measure(look / 7.5, shown, []).view == "shifted":
                waits.append((look - knock) / 7.5)
                break
    assert len(waits) == 30
    assert 6.0 < max(waits) < par.STEADY_LAG_S


def test_a_picture_that_stays_blurred_is_measured_seldom(tables: list[Table], monkeypatch: pytest.MonkeyPatch) -> None:
    still = tables[0].picture(1.2)
    meter, blurred = DriftMeter(tables[0].layout), cv2.GaussianBlur(still, (0, 0), 14)
    for t in range(6):
        meter.measure(float(t), grey(still), [])
    looks: list[float] = []
    monkeypatch.setattr(drift, "compared", lambda *_: looks.append(0.0))
    for t in range(6, 66):
        meter.measure(float(t), grey(blurred), [])
    assert meter.view is None
    assert 60 / drift.EVERY <= len(looks) <= 60 / drift.EVERY + drift.RETRIES


def test_clipped_shares() -> None:
    picture = np.full((100, 100), 128, np.uint8)
    picture[:25], picture[90:] = 3, 255
    found = exposure(picture)
    assert found.dark == pytest.approx(0.25, abs=0.02)
    assert found.bright == pytest.approx(0.1, abs=0.02)
