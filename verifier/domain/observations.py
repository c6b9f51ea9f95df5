"""What was seen in one looked-at frame (docs/formats.md). Pixels are those of the original frame."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from verifier.domain.cards import RankProbabilities
from verifier.domain.doubt import MORE
from verifier.domain.money import ChipColour

Probability = Annotated[float, Meta(ge=0.0, le=1.0)]
Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]
Box = tuple[float, float, float, float]
Keypoint = tuple[float, float, float]
Cents = Annotated[str, Meta(pattern="^[0-9]+$")]
"""A whole number of cents, as the key of an object."""

Rank = Literal["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"]
Suit = Literal["s", "h", "d", "c"]
Owner = Literal["dealer", "player", "unknown"]
Side = Literal["left", "right", "unknown"]
Facing = Literal["back", "palm", "edge", "unknown"]
SideProbabilities = dict[Annotated[str, Meta(pattern="^(left|right)$", description="left or right")], Probability]
FacingProbabilities = dict[
    Annotated[str, Meta(pattern="^(back|palm|edge)$", description="back, palm or edge")], Probability
]
FingerProbabilities = dict[Annotated[str, Meta(pattern="^[0-5]$", description="extended fingers")], Probability]
ColourProbabilities = dict[
    Annotated[str, Meta(pattern="^(mustard|white|pink|red|green|black|other)$", description="a chip's colour")],
    Probability,
]

OBSERVATIONS_FORMAT = "verifier-observations"
OBSERVATIONS_VERSION = 1


def _untracked() -> int | None:
    """Return the default of ids. It is made and not given, so that it is written, too (`null` where nothing is
    tracked).
    """
    return None


def _unknown() -> Literal["unknown"]:
    """Return the default of a hand's owner, side and face. It is also written."""
    return "unknown"


def _probability(told: Mapping[str, float] | None, answer: str) -> float:
    """Return the probability of an answer; without probabilities it is sure."""
    return 1.0 if told is None else told.get(answer, 0.0)


class CardSeen(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A card; `quad` is the whole card clockwise, extrapolated where covered; `visible` its share that shows."""

    id: int | None = field(default_factory=_untracked)
    face: Literal["up", "down"]
    p: Probability
    quad: Quad
    rank: Rank | None = None
    suit: Suit | None = None
    ranks: RankProbabilities | None = None
    visible: Probability | None = None
    apart: Annotated[float, Meta(ge=0.0)] | None = None
    """How far the boxes that pass for this card lie apart, in its shorter sides; None where that is not known."""
    unreadable: Probability | None = None
    """Mean probability of the looks at its face that it cannot be read; None where nobody looked for that."""
    more: Probability | None = None
    """Probability that more cards lie there, over or under it, than were found. None where it is below 0.01."""

    @property
    def number_in_doubt(self) -> bool:
        """Whether it is held for several cards, because so many were counted there."""
        return self.more is not None and self.more >= MORE


class ChipSeen(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The visible top face of a chip; `cents` is None where the colour has no value at this site."""

    id: int | None = field(default_factory=_untracked)
    colour: ChipColour
    p: Probability
    center: Point
    radius: Annotated[float, Meta(gt=0.0)]
    cents: int | None = None
    face: int | None = None
    """Chips seen at one spot before and after it was hidden look the same if these are, and surely otherwise if not;
    None where that is not known."""
    colours: ColourProbabilities | None = None
    """Probabilities of its colours; None where `colour` is sure."""

    @property
    def colour_p(self) -> float:
        """Probability of `colour`."""
        return _probability(self.colours, self.colour)


class HandSeen(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A hand; `box` (x0, y0, x1, y1) runs from the wrist crease to the fingertips, sleeve left out."""

    id: int | None = field(default_factory=_untracked)
    owner: Owner = field(default_factory=_unknown)
    side: Side = field(default_factory=_unknown)
    facing: Facing = field(default_factory=_unknown)
    p: Probability
    box: Box
    fingers: Annotated[int, Meta(ge=0, le=5)] | None = None
    keypoints: Annotated[list[Keypoint], Meta(min_length=21, max_length=21)] | None = None
    """In MediaPipe's order."""
    sides: SideProbabilities | None = None
    """Probabilities of its sides; None where `side` is sure. The same of `facings` and `finger_counts`."""
    facings: FacingProbabilities | None = None
    finger_counts: FingerProbabilities | None = None

    @property
    def side_p(self) -> float:
        """Probability of `side`."""
        return _probability(self.sides, self.side)

    @property
    def facing_p(self) -> float:
        """Probability of `facing`."""
        return _probability(self.facings, self.facing)

    @property
    def fingers_p(self) -> float:
        """Probability of `fingers`."""
        return _probability(self.finger_counts, str(self.fingers))


class CutCardSeen(Struct, frozen=True, kw_only=True):
    """A cut card or indicator card that lies by the shoe; `quad` clockwise."""

    p: Probability
    quad: Quad


class BillSeen(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A bank note that lies in the inner table area; `quad` clockwise, the first two corners span a long side."""

    p: Probability
    quad: Quad
    face: Literal["up", "down"] | None = None
    """The side that the camera sees: `up` the portrait; None where that is not to be told."""
    cents: int | None = None
    """Its likeliest value; None where it cannot be read."""
    values: dict[Cents, Probability] | None = None
    """Probabilities of its values in cents ("2000"); what is missing from 1 is that it cannot be read."""


class ButtonSeen(Struct, frozen=True, kw_only=True):
    """The dealer button of a poker table."""

    p: Probability
    center: Point
    radius: Annotated[float, Meta(gt=0.0)]


class Exposure(Struct, frozen=True, kw_only=True):
    """Shares of the picture (0..1) without detail: `dark` is crushed to black, `bright` is blown out to white."""

    dark: Probability
    bright: Probability


class Drift(Struct, frozen=True, kw_only=True):
    """How the picture has moved since the reference, about the picture's middle.

    A point seen at `q` from the middle of the reference picture is now at `scale` times `q`, turned by `roll` degrees
    (clockwise on screen), plus (`dx`, `dy`) pixels of the original frame.
    """

    dx: float
    dy: float
    roll: float
    scale: Annotated[float, Meta(gt=0.0)]
    p: Probability

    def now(self, point: Point, size: tuple[int, int]) -> Point:
        """Where a point of the reference picture (pixels; `size` is width and height) is now."""
        turn = math.radians(self.roll)
        cosine, sine = self.scale * math.cos(turn), self.scale * math.sin(turn)
        x, y = point[0] - size[0] / 2, point[1] - size[1] / 2
        moved = x * cosine - y * sine + self.dx, x * sine + y * cosine + self.dy
        return moved[0] + size[0] / 2, moved[1] + size[1] / 2

    def reach(self, size: tuple[int, int]) -> float:
        """How far the corner of the picture that moved most has moved, in pixels."""
        corners = [(x, y) for x in (0.0, float(size[0])) for y in (0.0, float(size[1]))]
        return max(math.dist(corner, self.now(corner, size)) for corner in corners)


View = Literal["steady", "shifted", "lost"]
"""The camera's view against the reference: the same; moved a little (corrected by `drift`); another, or far off."""


class Quality(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Picture quality: variance of the Laplacian, share of the table obstructed (0..1), mean luma (0..255).

    Each of these may be None, the rest left out. `view` and `drift` are None where they are unknown: never taken for
    "has not moved".
    """

    sharpness: float | None
    obstructed: float | None
    luma: float | None
    exposure: Exposure | None = None
    view: View | None = None
    drift: Drift | None = None


class Observation(Struct, frozen=True, kw_only=True):
    """One looked-at frame at media time `t` (seconds), its number `frame` (None: unknown); `clock` as burned in."""

    t: float
    frame: Annotated[int, Meta(ge=0)] | None = None
    clock: str | None = None
    cards: list[CardSeen] = []
    chips: list[ChipSeen] = []
    hands: list[HandSeen] = []
    quality: Quality | None = None
    image: str | None = None
    cut_cards: list[CutCardSeen] | UnsetType = UNSET
    """Left out where nobody looked for them: empty means that none lay there."""
    bills: list[BillSeen] | UnsetType = UNSET
    """The same of bank notes in the inner table area."""
    buttons: list[ButtonSeen] | UnsetType = UNSET
    """The same of the dealer button of a poker table."""


class VideoInfo(Struct, frozen=True, kw_only=True):
    """The recording that was looked at. `duration` in seconds of media time."""

    name: str
    sha256: str | None = None
    width: Annotated[int, Meta(gt=0)]
    height: Annotated[int, Meta(gt=0)]
    frames: int | None = None
    duration: float | None = None
    fps_nominal: float | None = None
    variable_frame_rate: bool | None = None


class NamedHash(Struct, frozen=True, kw_only=True):
    """A named file and its SHA-256."""

    name: str
    sha256: str | None = None


class ObservationsHeader(Struct, frozen=True, kw_only=True):
    """First line of an observations file."""

    format: Literal["verifier-observations"] = "verifier-observations"
    version: Literal[1] = 1
    video: VideoInfo | None = None
    layout: NamedHash | None = None
    models: list[NamedHash] = []
    sample_hz: float | None = None
