"""Bank notes in the inner area: where it is looked, how the network's map is read, and what a bill is not."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

import cv2
import numpy as np
import pytest
from msgspec import UNSET, structs

from verifier.domain.layout import Layout, SpaceZones, Zones
from verifier.domain.observations import BillSeen
from verifier.simulate.annotate import annotate
from verifier.simulate.layouts import layout_for
from verifier.simulate.render import Camera, Look, Renderer
from verifier.simulate.scene import BillSprite, Scene
from verifier.simulate.table import plan_table
from verifier.vision.bills import CELL, EVERY, SELDOM, BillFinder, BillWatch, InnerView, boxes_of
from verifier.vision.detection import CARD_DOWN, CARD_UP, CHIP, Detection
from verifier.vision.networks import load_networks

INNER = [(200.0, 180.0), (440.0, 180.0), (440.0, 300.0), (200.0, 300.0)]
DEALER = [(300.0, 200.0), (400.0, 200.0), (400.0, 280.0), (300.0, 280.0)]
PICTURE = np.zeros((360, 640, 3), np.uint8)
OTHER = np.full((360, 640, 3), 90, np.uint8)
NOTE = BillSeen(p=0.9, quad=((210, 190), (260, 190), (260, 290), (210, 290)), face="down", cents=2000)


def layout(side: Any = "bottom", scale: float = 0.5) -> Layout:
    square = [(300.0, 20.0), (400.0, 20.0), (400.0, 100.0), (300.0, 100.0)]
    return Layout(
        version=1,
        image_size=(640, 360),
        zones=Zones(dealer=DEALER, inner=INNER),
        spaces={1: SpaceZones(area=square)},
        dealer_side=side,
        pixels_per_mm=scale,
    )


class Stub:
    """Finds the same bills in every picture, and remembers how often it was asked."""

    def __init__(self, *bills: BillSeen) -> None:
        self.bills, self.asked = list(bills), 0

    def find(self, picture: np.ndarray, view: InnerView) -> list[BillSeen]:
        self.asked += 1
        return self.bills


def watch(*bills: BillSeen) -> tuple[BillWatch, Stub]:
    stub = Stub(*bills)
    return BillWatch(cast(BillFinder, stub), layout()), stub


def flickering(t: float) -> np.ndarray:
    """A picture that differs from look to look."""
    return np.full_like(PICTURE, round(t * 10) * 53 % 251)


def card(x: float, y: float, kind: str = CARD_DOWN) -> Detection:
    return Detection(kind, 0.9, np.array([x, y, 30, 42, 0], np.float32))


@pytest.mark.parametrize(
    ("side", "near"), [("bottom", (320, 300)), ("top", (320, 180)), ("left", (200, 240)), ("right", (440, 240))]
)
def test_the_dealer_sits_at_the_bottom_of_the_straight_picture(side: str, near: tuple[float, float]) -> None:
    view = InnerView.of(layout(side))
    x, y = view.to_view[:, :2] @ near + view.to_view[:, 2]
    assert x == pytest.approx(view.size[0] / 2, abs=1)
    assert y > view.size[1] / 2 + 50
    assert view.back(np.array([[x, y]], np.float32))[0] == pytest.approx(near, abs=0.01)


def test_the_straight_picture_has_one_scale_whatever_the_recordings() -> None:
    small, large = InnerView.of(layout(scale=0.5)), InnerView.of(layout(scale=1.0))
    assert np.hypot(*small.to_view[:, 0]) == pytest.approx(1.0)
    assert np.hypot(*large.to_view[:, 0]) == pytest.approx(0.5)
    assert all(side % 16 == 0 for side in (*small.size, *large.size))
    assert small.size[0] >= 240 + 60 and large.size[0] >= 120 + 60


def test_a_map_gives_each_bill_once() -> None:
    output = np.zeros((7, 40, 60), np.float32)
    output[0] = -8.0
    for row, column, logit in ((10, 20, 3.0), (10, 21, 2.0), (10, 45, 1.0)):
        output[0, row, column] = logit
        output[1, row, column] = 20.5 - (column + 0.5) if column < 30 else 0.25
        output[5, row, column] = -1.0  # twice 90 degrees
    boxes, scores = boxes_of(output, 0.3)
    assert [tuple(box[:2]) for box in boxes] == [(20.5 * CELL, 10.5 * CELL), (45.75 * CELL, 10.5 * CELL)]
    assert boxes[0, 2:4] == pytest.approx([78.0, 33.0])
    assert abs(boxes[0, 4]) == pytest.approx(np.pi / 2)
    assert scores == pytest.approx([0.9526, 0.7311], abs=1e-3)


def test_a_map_without_bills_gives_none() -> None:
    boxes, scores = boxes_of(np.full((7, 40, 60), -8.0, np.float32), 0.3)
    assert boxes.shape == (0, 5) and len(scores) == 0


def test_bills_are_looked_for_often_between_rounds_and_seldom_amid_them() -> None:
    between, stub = watch()
    times = [t / 10 for t in range(61)]
    told = [between.look(t, flickering(t), []) for t in times]
    assert stub.asked == sum(value is not UNSET for value in told) == pytest.approx(6.0 / EVERY, abs=1.5)
    amid, stub = watch()
    for t in times:
        amid.look(t, flickering(t), [card(350, 240, CARD_UP)])
    assert stub.asked == pytest.approx(6.0 / SELDOM + 1, abs=0.5)


def test_a_picture_that_has_not_changed_is_not_searched_again() -> None:
    still, stub = watch(NOTE)
    told = [still.look(t, PICTURE, []) for t in (0.0, 1.0, 2.0)]
    assert told == [[NOTE]] * 3 and stub.asked == 1
    still.look(3.0, OTHER, [])
    assert stub.asked == 2


def test_while_bills_lie_they_are_looked_at_often_even_amid_a_round() -> None:
    lying, stub = watch(NOTE)
    for t in range(61):
        lying.look(t / 10, flickering(t / 10), [card(350, 240, CARD_UP)])
    assert stub.asked >= 8


def test_a_card_that_lies_on_a_bill_is_the_bill() -> None:
    lying, _ = watch(NOTE)
    found = [card(235, 240), card(350, 240), Detection(CHIP, 0.9, np.array([235, 240, 20, 20, 0], np.float32))]
    assert lying.without_bills(found) == found
    lying.look(0.0, PICTURE, found)
    assert lying.without_bills(found) == found[1:]


def test_a_row_of_cards_that_passes_for_a_doubtful_bill_hides_none_of_them() -> None:
    found = [card(235, 240)]
    for p, cents, left in ((0.66, None, 1), (0.66, 500, 0), (0.9, None, 0)):
        lying, _ = watch(structs.replace(NOTE, p=p, cents=cents))
        lying.look(0.0, PICTURE, found)
        assert len(lying.without_bills(found)) == left


def test_without_a_layout_or_models_nobody_looks() -> None:
    assert BillWatch(None, layout()).look(0.0, PICTURE, []) is UNSET
    assert BillWatch(cast(BillFinder, Stub(NOTE)), None).look(0.0, PICTURE, []) is UNSET


def test_only_the_part_of_a_large_picture_that_shows_is_made_softer() -> None:
    noise = np.random.default_rng(2).integers(0, 255, (360, 640, 3)).astype(np.uint8)
    view = InnerView.of(layout(scale=1.2))
    softened = cv2.GaussianBlur(noise, (0, 0), 0.4 * 2.4)
    whole = cv2.warpAffine(softened, view.to_view, view.size, flags=cv2.INTER_LINEAR).astype(int)
    assert np.abs(view.cut(noise).astype(int) - whole).max() <= 2


def test_the_shipped_models_see_notes_that_are_spread_before_the_dealer() -> None:
    """Three notes of a design that no training picture shows, on an unseen table; one lies askew, portrait up."""
    plan, camera = plan_table(5), Camera.straight((1280, 720))
    look = Look.sample(np.random.default_rng(11), "test")
    notes = [
        BillSprite(id=1, cents=10000, xy=(-200.0, 150.0), angle=90.0, face="down"),
        BillSprite(id=2, cents=500, xy=(-110.0, 150.0), angle=90.0, face="down"),
        BillSprite(id=3, cents=500, xy=(60.0, 150.0), angle=40.0, face="up"),
    ]
    scene = Scene(bills=tuple(notes))
    truth = annotate(scene, camera, plan, look).bills
    networks = load_networks()
    assert networks.bills is not None and isinstance(truth, list)
    picture, view = Renderer(plan, look, camera).render(scene), InnerView.of(layout_for(plan, camera))
    seen = networks.bills.find(picture, view)
    blank = np.zeros_like(picture)
    with ThreadPoolExecutor(2) as pool:  # threads that share a finder get each their own bills
        shared = list(pool.map(lambda shown: networks.bills.find(shown, view), [picture, blank] * 8))
    assert shared == [seen, []] * 8
    found = sorted((bill for bill in seen if bill.p >= 0.5), key=lambda bill: bill.quad[0][0] + bill.quad[2][0])
    assert len(found) == 3
    for bill, true in zip(found, truth, strict=True):
        assert np.mean(bill.quad, axis=0) == pytest.approx(np.mean(true.quad, axis=0), abs=5.0)
        assert bill.face in (true.face, None)
    assert [bill.face for bill in found].count(None) <= 1
    areas = (cv2.contourArea(np.array(bill.quad, np.float32)) for bill in found)
    assert all(area == pytest.approx(156 * 66 * camera.pixels_per_mm**2, rel=0.15) for area in areas)
