"""Draws performed play in the solid world: the scenes of `simulate` with other cards, chips, hands, felts and lamps.

What happens comes from the same performance as in our own drawing, so a recording has the same truth in both worlds.
Light, lens, noise and the burned-in clock are those of `simulate.render`.
"""

from __future__ import annotations

import math
import zlib
from functools import cache, partial
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from verifier.simulate.record import Drawn
from verifier.simulate.render import Camera, Look, Renderer
from verifier.simulate.render.hands import curls_of
from verifier.simulate.render.notes import BILL_MM, bill_texture
from verifier.simulate.render.order import draw_order, radius_of, shown_face, spread_of
from verifier.simulate.render.props import ROUND, kind_of, prop_colour, prop_height
from verifier.simulate.render.splits import Split
from verifier.simulate.scene import BillSprite, CardSprite, ChipSprite, HandSprite, PropSprite, Scene, Vec
from verifier.simulate.table import CARD_MM, CHIP_THICKNESS_MM, TablePlan
from verifier.train.solid.arm import Person, Posed, person, posed
from verifier.train.solid.draw import Paint
from verifier.train.solid.hands import FOREARM_MM, MOVED, dressed, lamps, near
from verifier.train.table import bodies as shapes
from verifier.train.table.backs import back
from verifier.train.table.bodies import PRINTED, Body, Packed, body, disc, grid, joined, of_mesh
from verifier.train.table.discs import colours, side_of, top
from verifier.train.table.draw import Stage, TableDrawer
from verifier.train.table.faces import face
from verifier.train.table.laid import Heights, sample_house
from verifier.train.table.stager import CARD_THICK, HIGHEST, Stager, reaching
from verifier.train.table.things import fixtures

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
SEED: Final = 89
REACH_MM: Final = 1400.0
"""What lies so far from the table's middle casts shadows."""
OPPOSED: Final = 0.4
"""How far thumbs stand before the palm; a scene does not tell it."""
MOST_BENT: Final = 0.7
"""Radians by which a wrist bends aside at most."""
ABOVE_WRIST_MM: Final = 24.0
"""How far the lowest point of an arm on the table lies below the height that a scene gives it (25 mm: it touches)."""
EXPOSED_TO: Final = 130.0
"""Brightest channel of the empty table's median pixel, to which a camera exposes (0..255)."""
EXPOSURES: Final = (0.7, 2.5)
"""Least and highest gain of the exposure."""
DISC: Final = np.stack([np.cos(np.arange(12) * np.pi / 6), np.sin(np.arange(12) * np.pi / 6)], 1)


def solid_renderer(split: Split = "test") -> Drawn:
    """Return what draws a recording in the solid world with decks, backs, chips and felts of `split`."""
    return partial(SolidRenderer, split=split)


class SolidRenderer(Renderer):
    """Renders scenes at one table of the solid world; needs OpenGL (BadInput where it is missing)."""

    def __init__(self, plan: TablePlan, look: Look, camera: Camera, split: Split = "test") -> None:
        super().__init__(plan, look, camera)
        rng = np.random.default_rng([look.seed, SEED])
        self._house = sample_house(rng, split)
        self._stager = Stager(self._house, rng, plan)
        fixtures(self._stager, whole=True)
        self._still = Packed(joined(self._stager.table.bodies))
        self._lamps = lamps(rng)
        self._drawer = _drawer()
        self._prints = self._stager.table.stacked()
        self._exposure = 1.0
        seen = float(np.median(self.paint(Scene()).max(axis=2)))
        self._exposure = min(EXPOSURES[1], max(EXPOSURES[0], EXPOSED_TO / max(seen, 1.0)))

    def paint(self, scene: Scene) -> Image:
        """Return the scene before light and lens."""
        heights, bodies, arms = Heights(), [], []
        for sprite in draw_order(scene):
            if isinstance(sprite, HandSprite):
                arms.append(self._arm(sprite, heights))
            elif isinstance(sprite, CardSprite):
                bodies.append(self._card(sprite, heights))
            elif isinstance(sprite, ChipSprite):
                bodies += self._chip(sprite, heights)
            elif isinstance(sprite, BillSprite):
                bodies += self._bill(sprite, heights)
            else:
                bodies += self._prop(sprite, heights)
        table = self._stager.table
        if len(table.prints) != len(self._prints):
            self._prints = table.stacked()
        stage = Stage([self._still, *bodies], arms, self._prints, table.felt, table.nap)
        picture = self._drawer.picture(stage, self.camera, self._lamps, (0.0, 0.0), REACH_MM)
        return np.asarray(cv2.convertScaleAbs(picture, alpha=self._exposure), np.uint8)

    def _card(self, card: CardSprite, heights: Heights) -> Body:
        """Return a card; one that is being turned over stands on edge half-way."""
        uv, triangles = grid(7, 9)
        local = (uv - 0.5) * CARD_MM
        lean = math.pi * card.turn
        across = np.column_stack([local[:, 0] * math.cos(lean), local[:, 1]])
        places = shapes.turned(across, card.angle, card.xy)
        rise = np.abs(math.sin(lean)) * (local[:, 0] + CARD_MM[0] / 2)
        z = card.z + heights.drop(places, np.full(len(places), card.z), rise + card.z + CARD_THICK)
        up = shown_face(card) == "up" and card.card.rank is not None and card.card.suit is not None
        deck = self._house.deck
        layer = (
            self._stager.layer(
                (deck, card.card.rank, card.card.suit), face(deck, str(card.card.rank), str(card.card.suit))
            )
            if up
            else self._stager.layer(self._house.back, back(self._house.back, deck.round_mm))
        )
        shown = 1 - uv[:, 0] if card.turn > 0.5 else uv[:, 0]
        texel = np.column_stack([shown, uv[:, 1], np.full(len(uv), float(layer))])
        vertices = np.column_stack([places, rise + z + CARD_THICK])
        return body(vertices, triangles, texel=texel, kind=PRINTED, gloss=self._stager.gloss)

    def _chip(self, chip: ChipSprite, heights: Heights) -> list[Body]:
        maker, told = self._house.maker, colours(self._house.maker, chip.cents)
        z = self._standing(chip.xy, radius_of(chip), chip.z, CHIP_THICKNESS_MM, heights)
        layer = self._stager.layer(("chip", maker, chip.cents), top(maker, chip.cents))
        metal = (0.62, 0.66, 0.68)
        parts, _ = disc(
            (*chip.xy, z),
            radius_of(chip),
            CHIP_THICKNESS_MM,
            spin=chip.angle,
            layer=-1 if chip.coin else layer,
            face=metal,
            side=metal if chip.coin else side_of(told, chip.angle),
            gloss=0.5 if chip.coin else 0.15,
        )
        return parts

    @staticmethod
    def _standing(xy: Vec, radius: float, z: float, high: float, heights: Heights) -> float:
        """Return where a round thing's underside lies: on what is below it, else at `z`."""
        rings = np.vstack([DISC * radius * share for share in (0.0, 0.35, 0.7, 1.0)]) + xy
        return z + heights.drop(rings, np.full(len(rings), z), np.full(len(rings), z + high)) + 0.02

    def _box(
        self, xy: Vec, size: Vec, angle: float, z: float, high: float, heights: Heights, **painted: object
    ) -> list[Body]:
        spread, _ = grid(2 + int(size[0] / 6), 2 + int(size[1] / 6))
        places = shapes.turned((spread - 0.5) * size, angle, xy)
        low = np.full(len(places), z)
        z += heights.drop(places, low, low + high)
        return shapes.box((*xy, z), (*size, high), angle, **painted)  # type: ignore[arg-type]

    def _bill(self, bill: BillSprite, heights: Heights) -> list[Body]:
        pixels = bill_texture(bill.cents, bill.face, 2.4, bill.design).pixels[..., :3]
        picture = np.ascontiguousarray(np.dstack([pixels, np.full(pixels.shape[:2], 255, np.uint8)]))
        layer = self._stager.layer(("bill", bill.cents, bill.face, bill.design), picture)
        return self._box(bill.xy, BILL_MM, bill.angle, bill.z, 0.3, heights, layer=layer, side=(0.6, 0.7, 0.6))

    def _prop(self, prop: PropSprite, heights: Heights) -> list[Body]:
        kind, high = kind_of(prop.kind), prop_height(prop.kind)
        tone = np.array(prop_colour(prop.kind, prop.seed)) / 255
        if kind in ROUND:
            radius = min(prop.size) / 2
            z = self._standing(prop.xy, radius, prop.z, high, heights)
            parts, _ = disc((*prop.xy, z), radius, high, face=tone, side=tone * 0.8, gloss=0.3)
            if kind in ("cup", "glass", "ashtray"):
                inside, _ = disc((*prop.xy, z + high), radius * 0.86, 0.3, face=tone * 0.3, side=tone * 0.3, gloss=0.4)
                parts += inside
            return parts
        if kind == "pile":
            layer = self._stager.layer(self._house.back, back(self._house.back, self._house.deck.round_mm))
            paper = (0.86, 0.88, 0.9)
            return self._box(prop.xy, CARD_MM, prop.angle, prop.z, high, heights, layer=layer, side=paper)
        return self._box(prop.xy, prop.size, prop.angle, prop.z, high, heights, colour=tone, side=tone * 0.7, gloss=0.2)

    def _arm(self, hand: HandSprite, heights: Heights) -> tuple[Body, Paint]:
        """Return the arm of a hand, lifted over what lies below it, with its paint."""
        shown = posed_as(hand, _someone(self.look.seed, hand.person))
        turn = facing_up(hand)
        vertices = shown.vertices @ turn.T * MOVED
        own = near(shown)
        low = float(vertices[shown.rest[:, 1] > FOREARM_MM].min(0)[2])
        vertices = reaching(shown, vertices + np.array([*hand.xy, max(1.0, hand.z - ABOVE_WRIST_MM) - low]))
        over = vertices[own]
        lift = heights.drop(over[:, :2], over[:, 2] - 1.0, over[:, 2])
        vertices = vertices + np.array([0.0, 0.0, min(lift, HIGHEST)])
        dress = np.random.default_rng([self.look.seed, _number(hand.person), 1])
        mesh, paint = dressed(shown, vertices, shown.triangles[:, ::-1], dress)
        return of_mesh(mesh, own, 0, 0.08), paint


@cache
def _drawer() -> TableDrawer:
    """Return this process's drawer."""
    return TableDrawer()


def _number(name: str) -> int:
    return zlib.crc32(name.encode())


@cache
def _someone(seed: int, name: str) -> Person:
    return person(np.random.default_rng([seed, _number(name)]))


def posed_as(hand: HandSprite, one: Person) -> Posed:
    """Return a person's arm with the curls, spread, side and forearm of a scene's hand."""
    turn = math.radians(hand.angle)
    dx, dy = hand.elbow[0] - hand.xy[0], hand.elbow[1] - hand.xy[1]
    across = dx * math.cos(turn) + dy * math.sin(turn)
    back_along = -dx * math.sin(turn) + dy * math.cos(turn)
    flips = (-1.0 if hand.facing == "palm" else 1.0) * (-1.0 if hand.side == "left" else 1.0)
    aside = 0.0 if hand.facing == "edge" else math.atan2(across * flips, max(back_along, 1.0))
    bend = float(np.clip(aside, -MOST_BENT, MOST_BENT))
    shown = posed(one, curls_of(hand), spread_of(hand), bend=(0.0, bend), opposed=OPPOSED)
    return shown.mirrored() if hand.side == "left" else shown


def facing_up(hand: HandSprite) -> Floats:
    """(3, 3) from the arm's frame to one with x right and y up in the picture and z to the camera."""
    edge = math.pi / 2 * (-1 if hand.side == "left" else 1)
    roll = {"back": 0.0, "palm": math.pi, "edge": edge}[hand.facing]
    yaw = -math.radians(hand.angle)
    about_y = np.array([[math.cos(roll), 0, math.sin(roll)], [0, 1, 0], [-math.sin(roll), 0, math.cos(roll)]])
    about_z = np.array([[math.cos(yaw), -math.sin(yaw), 0], [math.sin(yaw), math.cos(yaw), 0], [0, 0, 1]])
    return np.asarray(about_z @ about_y)
