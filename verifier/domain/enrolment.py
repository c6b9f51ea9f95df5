"""What a table's own cards and chips look like, as somebody showed them to the camera (docs/enrol.md)."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from verifier.domain.cards import RANKS, SUITS
from verifier.domain.observations import NamedHash

ENROLMENT_FORMAT: Final = "verifier-enrolment"
FACES: Final = tuple(rank + suit for rank in RANKS for suit in SUITS)
"""The 52 faces of a deck: the aces first, of each rank spades, hearts, diamonds, clubs."""

Level = Annotated[float, Meta(ge=0.0, le=255.0)]
FaceText = Annotated[str, Meta(pattern=r"^[A2-9TJQK][shdc]$", description="a card such as Kh")]
ChipName = Annotated[str, Meta(pattern="^(mustard|white|pink|red|green|black|other)$", description="a chip's colour")]
LearntFrom = Literal["show", "play"]


class EnrolledFace(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A face: the probability that it is this one, and pictures (JPEG, base64) as the reader of cards gets them."""

    p: Annotated[float, Meta(ge=0.0, le=1.0)]
    looks: Annotated[list[bytes], Meta(min_length=1)]


class EnrolledChip(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A chip: the median colours of its face in some looks, L*a*b* of eight bits (CIE 1976, as OpenCV gives it)."""

    colours: Annotated[list[tuple[Level, Level, Level]], Meta(min_length=1, max_length=256)]


class Enrolment(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The card faces and chips of a table. What is not in `faces` and `chips` was not seen well enough, and not
    learnt.
    """

    format: Literal["verifier-enrolment"]
    version: Literal[1]
    site: str | None = None
    table: str | None = None
    day: (
        Annotated[str, Meta(pattern=r"^\d{4}-\d\d-\d\d$", description="day of the show, by the clock in the picture")]
        | None
    ) = None
    learnt_from: LearntFrom
    decks: Annotated[int, Meta(ge=1)] = 1
    """How often each face was shown at most."""
    video: NamedHash
    faces: dict[FaceText, EnrolledFace]
    chips: dict[ChipName, EnrolledChip] | UnsetType = UNSET
    """By their colours' names, left out where no chips were shown."""

    @property
    def missing(self) -> list[str]:
        """The faces that were not seen well enough, in the order of FACES."""
        return [face for face in FACES if face not in self.faces]
