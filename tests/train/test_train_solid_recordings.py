"""Performed play in the solid world: hands as a scene tells them, cards where the truth has them."""

from __future__ import annotations

import itertools
from functools import cache

import cv2
import numpy as np
import pytest
from msgspec import structs

from verifier.domain.cards import Card
from verifier.simulate.perform import perform
from verifier.simulate.record import scene_pictures
from verifier.simulate.render import Camera, Look
from verifier.simulate.render.hands import landmarks
from verifier.simulate.render.order import card_quad
from verifier.simulate.scene import CardSprite, ChipSprite, HandSprite, PropSprite, Scene
from verifier.simulate.table import plan_table
from verifier.train.solid.arm import person
from verifier.train.solid.hands import MOVED, near
from verifier.train.table.filmed import ABOVE_WRIST_MM, SolidRenderer, facing_up, posed_as, solid_renderer
from verifier.train.table.laid import Heights

ABOVE = Camera((640, 360), 1000.0, 2600.0)


@cache
def renderer() -> SolidRenderer:
    pytest.importorskip("moderngl", reason="needs the train extra")
    return SolidRenderer(plan_table(4), Look.sample(np.random.default_rng(5), "test"), ABOVE)


def hand(**other) -> HandSprite:
    told = {"id": 1, "owner": "dealer", "person": "d", "side": "right", "facing": "back", "shape": "open"}
    return HandSprite(**{**told, "xy": (20.0, 90.0), "angle": 0.0, "elbow": (20.0, 500.0), **other})


@pytest.mark.parametrize(
    ("side", "facing", "angle"),
    [*itertools.product(("left", "right"), ("back", "palm", "edge"), (0.0, 40.0, -75.0))],
)
def test_a_hand_lies_as_the_scene_has_it(side, facing, angle) -> None:
    """Its keypoints lie where those of the flat drawing lie, but for the person's build."""
    told = hand(side=side, facing=facing, angle=angle)
    shown = posed_as(told, person(np.random.default_rng(3)))
    placed = (shown.keypoints @ facing_up(told).T * MOVED)[:, :2] + told.xy
    wanted = landmarks(told)[:, :2]
    apart = np.linalg.norm(placed - wanted, axis=1)
    assert np.median(apart) < 20.0
    other = landmarks(structs.replace(told, side="left" if side == "right" else "right"))[:, :2]
    assert np.median(np.linalg.norm(placed - other, axis=1)) > np.median(apart)


@pytest.mark.parametrize(("side", "facing"), [*itertools.product(("left", "right"), ("back", "palm"))])
@pytest.mark.parametrize("elbow", [(20.0, 500.0), (250.0, 480.0), (-200.0, 480.0)])
def test_the_forearm_comes_from_the_elbow(side, facing, elbow) -> None:
    told = hand(side=side, facing=facing, elbow=elbow)
    shown = posed_as(told, person(np.random.default_rng(3)))
    far = (shown.vertices[shown.rest[:, 1] < -150.0].mean(0) @ facing_up(told).T * MOVED)[:2]
    wanted = np.subtract(elbow, told.xy)
    cosine = float(far @ wanted / np.linalg.norm(far) / np.linalg.norm(wanted))
    assert cosine > np.cos(np.radians(12.0))


def test_a_hand_lies_upon_what_is_below_it() -> None:
    heights = Heights()
    told = hand(z=ABOVE_WRIST_MM + 1.0)
    flat, _ = renderer()._arm(told, heights)
    own = near(posed_as(told, person(np.random.default_rng(3))))
    assert 0.0 < flat.vertices[own, 2].min() < 40.0
    stacked = Heights()
    at = (20.0, 30.0)
    renderer()._chip(ChipSprite(id=9, cents=500, xy=at, z=30.0), stacked)
    raised, _ = renderer()._arm(told, stacked)
    assert 5.0 < raised.vertices[own, 2].max() - flat.vertices[own, 2].max() < 60.0


@pytest.mark.parametrize(
    "sprite",
    [
        CardSprite(id=1, card=Card("Q", "h"), face="up", xy=(-150.0, 60.0), angle=30.0),
        CardSprite(id=1, card=Card("Q", "h"), face="down", xy=(200.0, -100.0), angle=95.0),
    ],
)
def test_a_card_is_drawn_where_the_truth_has_it(sprite) -> None:
    bare, shown = renderer().paint(Scene()), renderer().paint(Scene(cards=(sprite,)))
    quad = ABOVE.project(card_quad(sprite))
    inside = np.zeros(bare.shape[:2], np.uint8)
    cv2.fillConvexPoly(inside, np.round(quad).astype(np.int32), 255)
    changed = np.abs(bare.astype(int) - shown).max(axis=2) > 12
    assert changed[cv2.erode(inside, np.ones((3, 3))) > 0].mean() > 0.9
    assert changed[cv2.dilate(inside, np.ones((15, 15))) == 0].mean() < 0.001


def test_a_card_that_is_turned_over_shows_its_other_side() -> None:
    up = CardSprite(id=1, card=Card("K", "s"), face="up", xy=(0.0, 0.0), z=5.0)
    back = renderer().paint(Scene(cards=(structs.replace(up, face="down"),)))
    turned = renderer().paint(Scene(cards=(structs.replace(up, turn=0.999),)))
    face = renderer().paint(Scene(cards=(up,)))
    x, y = (int(v) for v in ABOVE.project([(0.0, 0.0, 5.0)])[0])
    part = np.s_[y - 12 : y + 13, x - 8 : x + 9]
    assert (
        np.abs(turned[part].astype(int) - back[part]).mean() < np.abs(turned[part].astype(int) - face[part]).mean() / 2
    )


@pytest.mark.parametrize("kind", ["pile", "cup", "phone", "tip_receptacle", "cut_card", "cloth"])
def test_things_are_drawn(kind) -> None:
    thing = PropSprite(id=4, kind=kind, xy=(80.0, -60.0), size=(70.0, 90.0))
    assert np.abs(renderer().paint(Scene()).astype(int) - renderer().paint(Scene(props=(thing,)))).max() > 20


def test_a_performance_is_filmed_with_its_clock() -> None:
    renderer()
    played = perform(4, 1, spaces=2, shuffle=False, shift_change=False)
    look = Look.sample(np.random.default_rng(5), "test")
    frames = list(
        scene_pictures(played.scene_at, 0.6, played.plan, look, ABOVE, 5, motion_blur=False, renderer=solid_renderer())
    )
    assert len(frames) == 3 and all(frame.shape == (360, 640, 3) for frame in frames)
    assert played.scene_at(0.0).clock is not None
