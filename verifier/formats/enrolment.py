"""The enrolment of a table's cards and chips (`enrolment.json`, docs/formats.md)."""

from __future__ import annotations

from typing import Final

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from verifier.domain.enrolment import Enrolment
from verifier.domain.errors import BadInput
from verifier.formats.files import PathLike, read_bytes, write_file
from verifier.formats.json_text import parse_object
from verifier.formats.pictures import picture_size
from verifier.formats.records import convert_object

MOST_LOOKS: Final = 52 * 8
"""Pictures that an enrolment may hold: eight of each face, where enrolling keeps three."""
MOST_LOOK_PIXELS: Final = 1_000_000
"""Pixels of one of them; enrolling keeps cut-outs of single cards."""
QUALITY: Final = 95
"""Of the JPEG pictures in a file, of 100."""
_REMEDY: Final = "make it anew with verifier enrol"

Image = NDArray[np.uint8]


def read_enrolment(path: PathLike) -> Enrolment:
    """Read and validate an enrolment. Raises BadInput naming file, field and remedy."""
    return enrolment_from(parse_object(path, read_bytes(path), "enrolment"), path)


def enrolment_from(value: dict[str, object], source: PathLike = "enrolment") -> Enrolment:
    """Return a validated enrolment from builtins, its pictures too. Raises BadInput naming the field."""
    enrolment: Enrolment = convert_object(source, value, Enrolment, "enrolment")
    if not enrolment.faces and not enrolment.chips:
        raise BadInput(source, "holds no face and no chip", _REMEDY, where="enrolment, field faces")
    if sum(len(face.looks) for face in enrolment.faces.values()) > MOST_LOOKS:
        raise BadInput(source, f"holds more than {MOST_LOOKS} pictures", _REMEDY, where="enrolment, field faces")
    for name, face in enrolment.faces.items():
        for look in face.looks:
            if picture_of(look) is None:
                where = f"enrolment, field faces.{name}.looks"
                raise BadInput(source, "a picture cannot be read", _REMEDY, where=where)
    return enrolment


def write_enrolment(path: PathLike, enrolment: Enrolment) -> None:
    """Write an enrolment. Raises BadInput where that cannot be."""
    write_file(path, text_of(enrolment).encode() + b"\n")


def text_of(enrolment: Enrolment) -> str:
    """Return an enrolment as JSON. The same enrolment gives the same text, so that its digest names it."""
    return msgspec.json.encode(enrolment).decode()


def picture_of(look: bytes) -> Image | None:
    """Return the picture (h, w, 3) BGR of a look; None where it is none, or is larger than a card's can be."""
    try:
        size = picture_size(look, ("JPEG", "PNG"))
        if size is None or size[0] * size[1] > MOST_LOOK_PIXELS:
            return None
        picture = cv2.imdecode(np.frombuffer(look, np.uint8), cv2.IMREAD_COLOR)
    except (cv2.error, OverflowError):
        return None
    return None if picture is None else np.asarray(picture, np.uint8)


def look_of(picture: Image) -> bytes:
    """Encode a picture (h, w, 3) BGR as it is kept."""
    _, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return packed.tobytes()
