"""Drawings that are not stored yet: kept on the server for the person who drew and the picture drawn on."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path
from typing import Final

import cv2
import msgspec
import numpy as np
from msgspec import Struct

from verifier.domain.errors import BadInput
from verifier.formats.whole import make_folder, whole_file
from verifier.review.calibrate.drawing import Side
from verifier.review.calibrate.proposal import Drawing, Picture
from verifier.review.people.roles import Act, Person, require
from verifier.store.home import home

DRAFTS_MOST: Final = 20
"""Drafts that are kept for one person; our own choice. With one more the one changed longest ago goes."""


class Draft(Struct, frozen=True, kw_only=True):
    """A drawing under way. `lacking` are zones that the table lacks, `doubts` parts that are not sure, with the reason.

    `day` (ISO) is the day of play that the picture is of, where it is known; `changed_at` is local time.
    """

    site: str = ""
    table: str = ""
    dealer_side: Side = "bottom"
    dealer_seat: str | None = None
    lacking: list[str] = []
    drawing: Drawing
    doubts: dict[str, str] = {}
    day: str | None = None
    changed_at: str = ""

    @property
    def spaces(self) -> int:
        """The number of betting spaces that are drawn."""
        return sum(name.startswith("space ") and name.count(" ") == 1 for name in self.drawing)


def picture_id(picture: Picture) -> str:
    """Return the name of a picture (height, width, 3), by its pixels."""
    return hashlib.sha256(repr(picture.shape).encode() + picture.tobytes()).hexdigest()[:24]


def keep_draft(person: Person, picture: Picture, draft: Draft) -> None:
    """Keep a draft in place of the earlier one of the same person and picture. Raises Forbidden, OSError."""
    require(person, Act.CALIBRATE)
    where = _folder(person) / picture_id(picture)
    make_folder(where)
    if not (where / "still.png").exists():
        _, png = cv2.imencode(".png", picture)
        with whole_file(where / "still.png") as stream:
            stream.write(png.tobytes())
    with whole_file(where / "draft.json") as stream:
        stream.write(msgspec.json.encode(draft))
    for name in list(drafts(person))[DRAFTS_MOST:]:
        discard(person, name)


def draft_of(person: Person, picture: Picture) -> Draft | None:
    """Return the draft of a person on a picture; None if there is none. Raises Forbidden."""
    require(person, Act.CALIBRATE)
    return _read(_folder(person) / picture_id(picture))


def drafts(person: Person) -> dict[str, Draft]:
    """Return the drafts of a person by their picture's name, the last changed first. Raises Forbidden."""
    require(person, Act.CALIBRATE)
    found = {path.name: draft for path in sorted(_folder(person).glob("*")) if (draft := _read(path)) is not None}
    return dict(sorted(found.items(), key=lambda one: one[1].changed_at, reverse=True))


def picture_of(person: Person, name: str) -> Picture:
    """Return the picture of one of the `drafts` of a person. Raises Forbidden, or BadInput if it is not there."""
    if name not in drafts(person):
        raise BadInput("the drawing", "is not there any more", "begin a new one")
    read = cv2.imread(str(_folder(person) / name / "still.png"))
    if read is None:
        raise BadInput("the drawing's picture", "cannot be read", "discard the drawing, and begin a new one")
    return np.asarray(read, np.uint8)


def discard(person: Person, name: str) -> None:
    """Remove a draft, where there is one. Raises Forbidden."""
    if name in drafts(person):
        shutil.rmtree(_folder(person) / name, ignore_errors=True)


def _read(where: Path) -> Draft | None:
    """Return a draft; None if it, or its picture, is not there or cannot be read."""
    try:
        return msgspec.json.decode((where / "draft.json").read_bytes(), type=Draft) if _whole(where) else None
    except (OSError, msgspec.DecodeError):
        return None


def _whole(where: Path) -> bool:
    return (where / "draft.json").is_file() and (where / "still.png").is_file()


def _folder(person: Person) -> Path:
    return home() / "room" / "drafts" / hashlib.sha256(person.name.encode()).hexdigest()[:24]
