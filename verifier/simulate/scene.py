"""The scene at one instant: the contract between choreography, renderer, training pictures and truth.

Table frame: millimetres on the felt, origin at the middle of the playing surface, x to the dealer's right (right in the
picture), y toward the dealer (down in the picture), z up from the felt. Angles are degrees, clockwise as seen in the
picture. The camera hangs above and sees the dealer at the bottom.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, structs

from verifier.domain.cards import Card

Vec = tuple[float, float]


class CardSprite(Struct, frozen=True, kw_only=True):
    """A card with its centre at `xy`; angle 0 has the long side along y, 90 is a doubled card."""

    id: int
    card: Card
    face: Literal["up", "down"]
    xy: Vec
    angle: float = 0.0
    z: float = 0.5
    turn: float = 0.0
    """0 lies flat, 0..1 while being turned over (0.5 stands on edge)."""


class ChipSprite(Struct, frozen=True, kw_only=True):
    """A chip (39 mm, 3.3 mm thick) with its centre at `xy` and its underside at height `z`."""

    id: int
    cents: int
    xy: Vec
    z: float = 0.0
    angle: float = 0.0
    coin: bool = False
    """A coin of the value instead (30.6 mm, as thick as a chip here)."""


class BillSprite(Struct, frozen=True, kw_only=True):
    """A bank note (156 x 66 mm) of `cents` value; angle 0 has the long side along x."""

    id: int
    cents: int
    xy: Vec
    angle: float = 0.0
    z: float = 0.1
    face: Literal["up", "down"] = "up"
    design: int = 0
    """0 is plain; any other number is a design of its own."""


HandShape = Literal["open", "flat", "point", "two", "fist", "grip", "pinch", "relaxed"]
"""open: five fingers spread, extended; flat: five extended, closed side by side; point: index; two: index and middle;
fist: none; grip: curled round chips; pinch: thumb and index hold a card's corner; relaxed: half curled."""


class HandSprite(Struct, frozen=True, kw_only=True):
    """A hand with its wrist crease at `xy`; `angle` is the direction from the wrist to the middle finger's knuckle.

    Angle 0 points up in the picture (away from the dealer), clockwise positive. `elbow` is where the forearm comes from
    (usually outside the picture). `facing` is the side that the camera sees.
    """

    id: int
    owner: Literal["dealer", "player"]
    person: str
    side: Literal["left", "right"]
    facing: Literal["back", "palm", "edge"]
    shape: HandShape
    xy: Vec
    angle: float
    elbow: Vec
    z: float = 25.0
    curls: tuple[float, float, float, float, float] | None = None
    """Curl of thumb..little, 0 straight .. 1 closed; None takes the shape's own."""
    spread: float | None = None


class PropSprite(Struct, frozen=True, kw_only=True):
    """Anything else: cup, phone, ashtray, cut card, dealer button, tip receptacle, card pile, cloth ..."""

    id: int
    kind: str
    xy: Vec
    angle: float = 0.0
    size: Vec = (60.0, 60.0)
    z: float = 0.0
    seed: int = 0


class Scene(Struct, frozen=True, kw_only=True):
    """Everything that can be seen at one instant. Later sprites of equal height lie above earlier ones."""

    t: float = 0.0
    cards: tuple[CardSprite, ...] = ()
    chips: tuple[ChipSprite, ...] = ()
    bills: tuple[BillSprite, ...] = ()
    hands: tuple[HandSprite, ...] = ()
    props: tuple[PropSprite, ...] = ()
    clock: str | None = None
    """Text burned in as date and time, e.g. `2026-11-02 21:14:07`."""


def with_coins(scene: Scene) -> Scene:
    """Return the scene in which half dollars are coins instead of chips."""
    chips = tuple(structs.replace(chip, coin=True) if chip.cents == 50 else chip for chip in scene.chips)
    return structs.replace(scene, chips=chips)
