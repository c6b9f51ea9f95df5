"""What was seen in one looked-at frame (FORMATS.md section 1). Pixels are those of the original frame."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from verifier.domain.cards import RankProbabilities

Probability = Annotated[float, Meta(ge=0.0, le=1.0)]
Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]
Box = tuple[float, float, float, float]
Keypoint = tuple[float, float, float]

Rank = Literal["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"]
Suit = Literal["s", "h", "d", "c"]
ChipColour = Literal["mustard", "white", "pink", "red", "green", "black", "other"]
Owner = Literal["dealer", "player", "unknown"]
Side = Literal["left", "right", "unknown"]
Facing = Literal["back", "palm", "edge", "unknown"]

OBSERVATIONS_FORMAT = "verifier-observations"
OBSERVATIONS_VERSION = 1


class CardSeen(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A card; `quad` is the whole card clockwise, extrapolated where covered; `visible` its share that shows."""

    id: int | None
    face: Literal["up", "down"]
    p: Probability
    quad: Quad
    rank: Rank | None = None
    suit: Suit | None = None
    ranks: RankProbabilities | None = None
    visible: Probability | None = None


class ChipSeen(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The visible top face of a chip; `cents` is None where the colour has no value at this site."""

    id: int | None
    colour: ChipColour
    p: Probability
    center: Point
    radius: Annotated[float, Meta(gt=0.0)]
    cents: int | None = None


class HandSeen(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A hand; `box` (x0, y0, x1, y1) runs from the wrist crease to the fingertips, sleeve left out."""

    id: int | None
    owner: Owner
    side: Side
    facing: Facing
    p: Probability
    box: Box
    fingers: Annotated[int, Meta(ge=0, le=5)] | None = None
    keypoints: list[Keypoint] | None = None


class Quality(Struct, frozen=True, kw_only=True):
    """Picture quality: variance of the Laplacian, share of the table obstructed (0..1), mean luma (0..255)."""

    sharpness: float
    obstructed: float
    luma: float


class Observation(Struct, frozen=True, kw_only=True):
    """One looked-at frame at media time `t` (seconds), frame number `frame`; `clock` is the burned-in wall time."""

    t: float
    frame: Annotated[int, Meta(ge=0)]
    clock: str | None = None
    cards: list[CardSeen] = []
    chips: list[ChipSeen] = []
    hands: list[HandSeen] = []
    quality: Quality | None = None
    image: str | None = None


class VideoInfo(Struct, frozen=True, kw_only=True):
    """The recording that was looked at. `duration` in seconds of media time."""

    name: str
    sha256: str | None
    width: Annotated[int, Meta(gt=0)]
    height: Annotated[int, Meta(gt=0)]
    frames: int | None = None
    duration: float | None = None
    fps_nominal: float | None = None
    variable_frame_rate: bool | None = None


class NamedHash(Struct, frozen=True, kw_only=True):
    """A named file and its SHA-256."""

    name: str
    sha256: str | None


class ObservationsHeader(Struct, frozen=True, kw_only=True):
    """First line of an observations file."""

    format: Literal["verifier-observations"] = "verifier-observations"
    version: Literal[1] = 1
    video: VideoInfo | None = None
    layout: NamedHash | None = None
    models: list[NamedHash] = []
    sample_hz: float | None = None
