"""The dealer button in drawn pictures, and pictures in which chips, cards and cups are none."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest
from msgspec import UNSET

from verifier.domain.cards import Card
from verifier.domain.layout import Layout
from verifier.domain.observations import ButtonSeen
from verifier.simulate.layouts import layout_for
from verifier.simulate.poker.layouts import poker_layout
from verifier.simulate.poker_table import button_spot, hole_spot, plan_poker
from verifier.simulate.render import Camera, Look, Renderer
from verifier.simulate.scene import CardSprite, ChipSprite, PropSprite, Scene, Vec
from verifier.simulate.table import CARD_MM, plan_table
from verifier.vision.card_size import TableScale, scale_of
from verifier.vision.dealer_button import TOLD, ButtonFinder, buttons_in
from verifier.vision.detection import CARD_DOWN, CHIP, HAND, Detection

PLAN = plan_poker(6)
CAMERA = Camera.straight((1280, 720))
SEAT = 4
AT = button_spot(SEAT, 6)


@lru_cache(maxsize=4)
def renderer(seed: int) -> Renderer:
    look = Look.sample(np.random.default_rng(seed), "train", svg=False)
    return Renderer(PLAN, replace(look, noise=2.0), CAMERA)


def layout() -> Layout:
    return poker_layout(PLAN, CAMERA)


def hole_cards(seats: tuple[int, ...] = (1, 2, 5, 6)) -> list[CardSprite]:
    poses = [(hole_spot(PLAN, seat, index), index) for seat in seats for index in (0, 1)]
    return [
        CardSprite(id=10 + i, card=Card("A", "s"), face="down", xy=(x, y), angle=angle, z=0.5 + 0.3 * level)
        for i, ((x, y, angle), level) in enumerate(poses)
    ]


def corners(card: CardSprite) -> np.ndarray:
    turn = math.radians(card.angle)
    axes = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
    half = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * np.array(CARD_MM) / 2
    return np.asarray(CAMERA.project(half @ axes + card.xy), np.float32)


def scale() -> TableScale | None:
    return scale_of([corners(card) for card in hole_cards()])


def props(kind: str, size: Vec, at: Vec = AT) -> tuple[PropSprite, ...]:
    return (PropSprite(id=1, kind=kind, xy=at, size=size, seed=7),)


def pixels(at: Vec) -> tuple[float, float]:
    x, y = CAMERA.project(np.array([at]))[0]
    return float(x), float(y)


def told(scene: Scene, seed: int) -> list[ButtonSeen]:
    quads = [corners(card) for card in scene.cards]
    return [one for one in buttons_in(renderer(seed).render(scene), layout(), scale(), quads) if one.p >= TOLD]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("diameter", [50.0, 63.0])
def test_a_button_is_found_on_every_cloth(seed: int, diameter: float) -> None:
    scene = Scene(cards=tuple(hole_cards()), props=props("dealer_button", (diameter, diameter)))
    (found,) = told(scene, seed)
    assert math.dist(found.center, pixels(AT)) < 3.0
    assert found.radius == pytest.approx(diameter / 2 * CAMERA.pixels_per_mm, rel=0.08)


def test_a_button_beside_cards_and_chips_is_found() -> None:
    chips = (ChipSprite(id=2, cents=500, xy=(AT[0] - 46.0, AT[1] + 6.0)),)
    scene = Scene(cards=tuple(hole_cards((1, 2, 4, 6))), chips=chips, props=props("dealer_button", (50.0, 50.0)))
    (found,) = told(scene, 0)
    assert math.dist(found.center, pixels(AT)) < 3.0


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("cents", [100, 200, 500])
def test_chips_and_stacks_are_no_buttons(seed: int, cents: int) -> None:
    spots = [button_spot(seat, 6) for seat in (1, 3, 4, 6)]
    chips = [
        ChipSprite(id=20 + 12 * n + level, cents=cents, xy=at, z=3.3 * level, angle=40.0 * level)
        for n, at in enumerate(spots)
        for level in range(1 + 3 * n)
    ]
    assert told(Scene(cards=tuple(hole_cards()), chips=tuple(chips)), seed) == []


@pytest.mark.parametrize(
    ("kind", "size"),
    [
        ("cut_card", (66.0, 92.0)),
        ("cup", (78.0, 78.0)),
        ("glass", (66.0, 66.0)),
        ("coin", (30.6, 30.6)),
        ("napkin", (120.0, 120.0)),
        ("ashtray", (95.0, 95.0)),
        ("phone", (72.0, 148.0)),
    ],
)
def test_other_things_are_no_buttons(kind: str, size: Vec) -> None:
    for seed in range(3):
        assert told(Scene(cards=tuple(hole_cards()), props=props(kind, size)), seed) == []


def test_backs_of_cards_are_no_buttons() -> None:
    for seed in range(4):
        assert told(Scene(cards=tuple(hole_cards((1, 2, 3, 4, 5, 6)))), seed) == []


def test_without_cards_no_disc_is_surely_a_button() -> None:
    """The layout's scale holds in the middle of the table alone."""
    picture = renderer(0).render(Scene(props=props("dealer_button", (50.0, 50.0))))
    (found,) = buttons_in(picture, layout())
    assert found.p < TOLD


def detection(kind: str, at: Vec, size: Vec) -> Detection:
    x, y = pixels(at)
    box = np.array([x, y, size[0] * CAMERA.pixels_per_mm, size[1] * CAMERA.pixels_per_mm, 0.0], np.float32)
    return Detection(kind, 0.95, box)


def cards_found() -> list[Detection]:
    spots = [(-400.0, 0.0), (-300.0, 100.0), (0.0, -20.0), (300.0, -100.0), (400.0, 60.0)]
    return [detection(CARD_DOWN, spot, CARD_MM) for spot in spots]


def test_what_is_found_as_a_chip_is_the_button_until_it_is_seen_elsewhere() -> None:
    finder = ButtonFinder(layout())
    picture = renderer(0).render(Scene(props=props("dealer_button", (50.0, 50.0))))
    chip, button = detection(CHIP, (0.0, -190.0), (39.0, 39.0)), detection(CHIP, AT, (50.0, 50.0))
    found = [*cards_found(), chip, button]
    seen = finder.look(0.0, picture, found)
    assert seen is not UNSET and len(seen) == 1
    assert button not in finder.without_buttons(found) and chip in finder.without_buttons(found)
    assert finder.look(0.2, picture, found) is UNSET  # searched just now
    moved = button_spot(2, 6)
    later = renderer(0).render(Scene(props=props("dealer_button", (50.0, 50.0), moved)))
    there = detection(CHIP, moved, (50.0, 50.0))
    assert finder.look(0.4, later, [*cards_found(), there]) is not UNSET  # it is too large for a chip
    assert finder.without_buttons([there, button]) == [button]


def test_a_button_under_a_hand_is_not_told() -> None:
    finder = ButtonFinder(layout())
    picture = renderer(0).render(Scene(props=props("dealer_button", (50.0, 50.0))))
    assert finder.look(0.0, picture, [*cards_found(), detection(HAND, AT, (120.0, 160.0))]) == []


def test_a_table_of_twenty_one_is_not_searched() -> None:
    plan = plan_table(4)
    finder = ButtonFinder(layout_for(plan, CAMERA))
    picture = renderer(0).render(Scene(props=props("dealer_button", (50.0, 50.0))))
    assert finder.look(0.0, picture, cards_found()) is UNSET
    assert ButtonFinder(None).look(0.0, picture, cards_found()) is UNSET
