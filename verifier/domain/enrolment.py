"""What a table's own cards look like, as somebody showed them to the camera (docs/enrol.md)."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from verifier.domain.cards import RANKS, SUITS
from verifier.domain.observations import NamedHash

ENROLMENT_FORMAT: Final = "verifier-enrolment"
FACES: Final = tuple(rank + suit for rank in RANKS for suit in SUITS)
"""The 52 faces of a deck: the aces first, of each rank spades, hearts, diamonds, clubs."""

FaceText = Annotated[str, Meta(pattern=r"^[A2-9TJQK][shdc]$", description="a card such as Kh")]
LearntFrom = Literal["show", "play"]


class EnrolledFace(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A face: the probability that it is this one, and pictures (JPEG, base64) as the reader of cards gets them."""

    p: Annotated[float, Meta(ge=0.0, le=1.0)]
    looks: Annotated[list[bytes], Meta(min_length=1)]


class Enrolment(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The card faces of a table. `faces` are those that were seen well enough; whatever is not in it was not learnt."""

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

    @property
    def missing(self) -> list[str]:
        """The faces that were not seen well enough, in the order of FACES."""
        return [face for face in FACES if face not in self.faces]
